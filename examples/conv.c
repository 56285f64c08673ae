/* conv.c - a padded 3 x 3 convolution, the way it is taught.
 *
 * Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: conv [CHANNELS [SIDE]]
 *
 * As many filters as channels; images are SIDE x SIDE. Prints the time, the
 * speed, and a hash of every bit of the result: two builds that print the same
 * hash computed the same thing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* in: channels x height x width; weights: filters x channels x 3 x 3. */
void convolve(int filters, int channels, int height, int width, const float *in,
              const float *weights, float *out) {
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        float sum = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int row = y + r - 1, column = x + s - 1;
              if (row >= 0 && row < height && column >= 0 && column < width)
                sum += in[(c * height + row) * width + column] *
                       weights[((f * channels + c) * 3 + r) * 3 + s];
            }
        out[(f * height + y) * width + x] = sum;
      }
}

static float *random_array(size_t n) {
  static uint32_t state = 12345;
  float *p = malloc(n * sizeof *p);
  if (!p)
    exit(1);
  for (size_t i = 0; i < n; i++) {
    state = state * 1664525u + 1013904223u;
    p[i] = (float)(state >> 8) / 8388608.0f - 1.0f;
  }
  return p;
}

static uint64_t hash_bits(const float *p, size_t n) {
  uint64_t h = 14695981039346656037ull;
  for (size_t i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &p[i], sizeof bits);
    h = (h ^ bits) * 1099511628211ull;
  }
  return h;
}

int main(int argc, char **argv) {
  int channels = argc > 1 ? atoi(argv[1]) : 64;
  int side = argc > 2 ? atoi(argv[2]) : 56;
  if (channels < 1 || side < 1) {
    fprintf(stderr, "usage: conv [CHANNELS [SIDE]]\n");
    return 1;
  }
  size_t pixels = (size_t)channels * side * side;
  float *in = random_array(pixels), *out = random_array(pixels);
  float *weights = random_array((size_t)channels * channels * 9);

  /* The best of several runs within about a second. */
  double best = 1e30, total = 0;
  for (int run = 0; run < 50 && total < 1; run++) {
    clock_t start = clock();
    convolve(channels, channels, side, side, in, weights, out);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    total += seconds;
    if (seconds < best)
      best = seconds;
  }

  printf("shape    %d x %d x %d x %d x 3 x 3\n", channels, channels, side,
         side);
  printf("hash     %016llx\n", (unsigned long long)hash_bits(out, pixels));
  printf("ms       %.3f\n", best * 1e3);
  printf("GFLOP/s  %.2f\n",
         2e-9 * 9 * channels * pixels / (best > 0 ? best : 1e-6));
  free(in);
  free(weights);
  free(out);
  return 0;
}
