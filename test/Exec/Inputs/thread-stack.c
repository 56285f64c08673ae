//===- thread-stack.c - A product on a thread with a small stack ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: thread-stack KILOBYTES
//
// Multiplies on a thread whose stack has that size and prints a hash of the
// bits; the extents are large enough for every buffer the schedule may want.
//
//===----------------------------------------------------------------------===//
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { M = 70, N = 300, K = 1500 };
static float A[M * K], B[K * N], C[M * N];

__attribute__((noinline)) void multiply(int m, int n, int k, const float *a,
                                        const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float acc = 0;
      for (int l = 0; l < k; l++)
        acc += a[i * k + l] * b[l * n + j];
      c[i * n + j] = acc;
    }
}

static void *work(void *unused) {
  (void)unused;
  multiply(M, N, K, A, B, C);
  return 0;
}

int main(int argc, char **argv) {
  uint32_t state = 1;
  for (int i = 0; i < M * K; i++)
    A[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
  for (int i = 0; i < K * N; i++)
    B[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
  pthread_attr_t attr;
  pthread_t thread;
  pthread_attr_init(&attr);
  size_t size = (size_t)(argc > 1 ? atol(argv[1]) : 128) * 1024;
  if (pthread_attr_setstacksize(&attr, size) ||
      pthread_create(&thread, &attr, work, 0) || pthread_join(thread, 0)) {
    perror("thread");
    return 1;
  }
  uint64_t hash = 1469598103934665603ull;
  for (int i = 0; i < M * N; i++) {
    uint32_t bits;
    memcpy(&bits, &C[i], 4);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  printf("%016llx\n", (unsigned long long)hash);
  return 0;
}
