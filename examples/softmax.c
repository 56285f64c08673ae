/* softmax.c - softmax and GELU as anybody writes them.
 *
 * Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Prints a hash of every bit of the results: that of a build without the plugin, or,
 * with DLOPT_OPTIONS=math=correct, of any other machine.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { Rows = 1000, Columns = 256 };

static float x[Rows][Columns], y[Rows][Columns];

void softmax(float out[restrict][Columns], float in[restrict][Columns]) {
  for (int r = 0; r < Rows; r++) {
    float max = in[r][0], sum = 0;
    for (int c = 1; c < Columns; c++)
      max = in[r][c] > max ? in[r][c] : max;
    for (int c = 0; c < Columns; c++) {
      out[r][c] = expf(in[r][c] - max);
      sum += out[r][c];
    }
    for (int c = 0; c < Columns; c++)
      out[r][c] /= sum;
  }
}

void gelu(float *restrict out, const float *restrict in, int n) {
  for (int i = 0; i < n; i++)
    out[i] = 0.5f * in[i] * (1 + erff(in[i] * 0.70710678f));
}

static uint32_t checksum(const float *p, int n) {
  uint32_t hash = 2166136261u;
  for (int i = 0; i < n; i++) {
    uint32_t bits;
    memcpy(&bits, &p[i], sizeof bits);
    hash = (hash ^ bits) * 16777619u;
  }
  return hash;
}

int main(void) {
  uint32_t state = 1;
  for (int i = 0; i < Rows * Columns; i++) {
    state = state * 1664525u + 1013904223u;
    x[0][i] = (float)(state >> 8) * 0x1p-21f - 4;
  }
  softmax(y, x);
  printf("softmax %08x\n", (unsigned)checksum(y[0], Rows * Columns));
  gelu(y[0], x[0], Rows * Columns);
  printf("gelu %08x\n", (unsigned)checksum(y[0], Rows * Columns));
  return 0;
}
