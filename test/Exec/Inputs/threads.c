//===- threads.c - One generated function on several threads --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With KERNEL the product alone, else the caller: threads that share A and B
// and write bands of C, again and again, then a hash of the bits of C.
//
//===----------------------------------------------------------------------===//
void multiply(long m, long n, long k, const float *a, const float *b, float *c);

#ifdef KERNEL
void multiply(long m, long n, long k, const float *a, const float *b,
              float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
#else
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { Threads = 4, Rounds = 5, M = 13, N = 150, K = 1100 };
static float A[Threads * M * K], B[K * N], C[Threads * M * N];

static void *work(void *arg) {
  long t = (long)(intptr_t)arg;
  for (int r = 0; r < Rounds; r++)
    multiply(M, N, K, A + t * M * K, B, C + t * M * N);
  return 0;
}

int main(void) {
  uint32_t state = 1;
  for (int i = 0; i < Threads * M * K; i++)
    A[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
  for (int i = 0; i < K * N; i++)
    B[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
  pthread_t threads[Threads];
  for (long t = 0; t < Threads; t++)
    if (pthread_create(&threads[t], 0, work, (void *)(intptr_t)t))
      return 1;
  for (int t = 0; t < Threads; t++)
    pthread_join(threads[t], 0);
  uint64_t hash = 1469598103934665603ull;
  for (int i = 0; i < Threads * M * N; i++) {
    uint32_t bits;
    memcpy(&bits, &C[i], 4);
    hash = (hash ^ bits) * 1099511628211ull;
  }
  printf("%016llx\n", (unsigned long long)hash);
  return 0;
}
#endif
