/* gemm.c - multiplies two matrices, the way it is taught.
 *
 * Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * usage: gemm [M [N [K]]]
 *
 * Prints the time, the speed, and a hash of every bit of the result: two builds
 * that print the same hash computed the same thing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* C = A * B; A is m x k, B is k x n, all row by row. */
void matmul(int m, int n, int k, const float *A, const float *B, float *C) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++)
        sum += A[i * k + l] * B[l * n + j];
      C[i * n + j] = sum;
    }
  }
}

static float *random_matrix(int rows, int cols) {
  static uint32_t state = 12345;
  size_t n = (size_t)rows * cols;
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
  int m = argc > 1 ? atoi(argv[1]) : 1024;
  int n = argc > 2 ? atoi(argv[2]) : m;
  int k = argc > 3 ? atoi(argv[3]) : n;
  if (m < 1 || n < 1 || k < 1) {
    fprintf(stderr, "usage: gemm [M [N [K]]]\n");
    return 1;
  }
  float *A = random_matrix(m, k), *B = random_matrix(k, n);
  float *C = random_matrix(m, n);

  /* The best of several runs within about a second. */
  double best = 1e30, total = 0;
  for (int run = 0; run < 50 && total < 1; run++) {
    clock_t start = clock();
    matmul(m, n, k, A, B, C);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    total += seconds;
    if (seconds < best)
      best = seconds;
  }

  printf("shape    %d x %d x %d\n", m, n, k);
  printf("hash     %016llx\n", (unsigned long long)hash_bits(C, (size_t)m * n));
  printf("ms       %.3f\n", best * 1e3);
  printf("GFLOP/s  %.2f\n", 2e-9 * m * n * k / (best > 0 ? best : 1e-6));
  free(A);
  free(B);
  free(C);
  return 0;
}
