// Products whose A is computed with in parts, since it is larger than caches.
// RUN: %clang    -O3 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %if long %{ %clang    -O3 -DT=double %s -o %t.plain && %t.plain > %t.plain.txt %}
// RUN: %if long %{ %clang_dl -O3 -DT=double %s -o %t.dl    && %t.dl    > %t.dl.txt %}
// RUN: %if long %{ diff %t.plain.txt %t.dl.txt %}
// CHECK: matmul.nn f32, {{.*}}: exact, tile
// REQUIRES: native-x86
#include <stdio.h>
#include <stdlib.h>

#ifndef T
#define T float
#endif

// Columns of C, the rows of A, and how long they are.
enum { N = 37, M = 800, K = 11000 };

__attribute__((noinline)) static void product(long m, long n, long k, const T *A,
                                              const T *B, T *C) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        C[i * n + j] += A[i * k + l] * B[l * n + j];
}

int main(void) {
  T *A = malloc(sizeof(T) * M * K), *B = malloc(sizeof(T) * K * N);
  T *C = calloc(M * N, sizeof(T));
  unsigned state = 1;
  for (long i = 0; i < M * K; i++)
    A[i] = (T)((int)((state = state * 1664525 + 1013904223) >> 16) % 2001 - 1000) / 321;
  for (long i = 0; i < K * N; i++)
    B[i] = (T)((int)((state = state * 1664525 + 1013904223) >> 16) % 2001 - 1000) / 321;
  // Multiples of the rows of a part and of a tile, and not.
  static const long rows[] = {M, 577, 400, 384, 191, 6, 1};
  for (int t = 0; t < 7; t++) {
    product(rows[t], N, K - t, A, B, C);
    unsigned long sum = 1469598103934665603ul;
    for (size_t i = 0; i < sizeof(T) * M * N; i++)
      sum = (sum ^ ((unsigned char *)C)[i]) * 1099511628211ul;
    printf("%lx\n", sum);
  }
}
