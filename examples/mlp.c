/* mlp.c - a perceptron with three layers, the way it is taught.
 *
 * Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: mlp [RUNS]
 *
 * Classifies a batch of 64 made-up images of 28 x 28 pixels: 784-1024-1024-10.
 * Prints the time, the speed, and a hash of every bit of the outputs: two
 * builds that print the same hash computed the same thing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define BATCH 64
#define PIXELS 784
#define HIDDEN 1024
#define CLASSES 10

static float images[BATCH * PIXELS];
static float w1[PIXELS * HIDDEN], b1[HIDDEN];
static float w2[HIDDEN * HIDDEN], b2[HIDDEN];
static float w3[HIDDEN * CLASSES], b3[CLASSES];
static float h1[BATCH * HIDDEN], h2[BATCH * HIDDEN], scores[BATCH * CLASSES];

/* out[b][o] = bias[o] + sum over i of in[b][i] * w[i][o] */
static void linear(const float *in, const float *w, const float *bias,
                   float *out, int batch, int inputs, int outputs) {
  for (int b = 0; b < batch; b++) {
    for (int o = 0; o < outputs; o++) {
      float sum = bias[o];
      for (int i = 0; i < inputs; i++)
        sum += in[b * inputs + i] * w[i * outputs + o];
      out[b * outputs + o] = sum;
    }
  }
}

static void relu(float *x, int n) {
  for (int i = 0; i < n; i++)
    if (x[i] < 0)
      x[i] = 0;
}

static void forward(void) {
  linear(images, w1, b1, h1, BATCH, PIXELS, HIDDEN);
  relu(h1, BATCH * HIDDEN);
  linear(h1, w2, b2, h2, BATCH, HIDDEN, HIDDEN);
  relu(h2, BATCH * HIDDEN);
  linear(h2, w3, b3, scores, BATCH, HIDDEN, CLASSES);
}

static void fill(float *p, int n, float scale) {
  static uint32_t state = 2024;
  for (int i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    p[i] = scale * ((float)(state >> 8) / 8388608.0f - 1.0f);
  }
}

static int argmax(const float *x, int n) {
  int best = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > x[best])
      best = i;
  return best;
}

int main(int argc, char **argv) {
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  fill(images, BATCH * PIXELS, 1.0f);
  fill(w1, PIXELS * HIDDEN, 0.05f);
  fill(b1, HIDDEN, 0.05f);
  fill(w2, HIDDEN * HIDDEN, 0.05f);
  fill(b2, HIDDEN, 0.05f);
  fill(w3, HIDDEN * CLASSES, 0.05f);
  fill(b3, CLASSES, 0.05f);

  double best = 1e30;
  for (int run = 0; run < runs || run == 0; run++) {
    clock_t start = clock();
    forward();
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds < best)
      best = seconds;
  }

  uint64_t hash = 14695981039346656037ull;
  for (int i = 0; i < BATCH * CLASSES; i++) {
    uint32_t bits;
    memcpy(&bits, &scores[i], sizeof bits);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  double flops =
      2.0 * BATCH * (PIXELS * HIDDEN + HIDDEN * HIDDEN + HIDDEN * CLASSES);
  printf("shape    %d x %d-%d-%d-%d\n", BATCH, PIXELS, HIDDEN, HIDDEN, CLASSES);
  printf("classes ");
  for (int b = 0; b < 8; b++)
    printf(" %d", argmax(&scores[b * CLASSES], CLASSES));
  printf(" ...\n");
  printf("hash     %016llx\n", (unsigned long long)hash);
  printf("ms       %.3f\n", best * 1e3);
  printf("GFLOP/s  %.2f\n", 1e-9 * flops / (best > 0 ? best : 1e-6));
  return 0;
}
