// Programs that check themselves print what they print without, and nothing else; a
// fault in generated code is one line, and memory has what the loops stored.
// REQUIRES: native-x86, avx2
// RUN: %clang -O2 -march=haswell %s -o %t.plain -pthread -lm && %t.plain > %t.expected
// RUN: env DLOPT_OPTIONS=check=1 %clang_dl -O2 -g -march=haswell -Rpass=dl-vectorize %s -o %t.dl -pthread -lm 2> %t.remarks
// RUN: FileCheck %s --check-prefix=REMARKS < %t.remarks
// RUN: %t.dl > %t.out 2> %t.errors && diff %t.expected %t.out && count 0 < %t.errors
// REMARKS-DAG: matmul.nn
// REMARKS-DAG: argmax
// REMARKS-DAG: softmax
//
// At each level, and for a machine without AVX2, whose kernels are chosen at run time.
// RUN: env 'DLOPT_OPTIONS=check=1;%dispatch' %clang_dl -O1 %s -o %t.dl -pthread -lm && %t.dl 2>&1 | diff %t.expected -
// RUN: env 'DLOPT_OPTIONS=check=1;%dispatch' %clang_dl -O3 -ffp-contract=off %s -o %t.dl -pthread -lm && %t.dl 2>&1 | diff %t.expected -
//
// A sum in another sense: found, named, and undone.
// RUN: env DLOPT_OPTIONS=check=1 %clang_dl -O1 -g -march=haswell -ffp-contract=off -S -emit-llvm %s -o %t.ll
// RUN: %python %S/Inputs/break-kernel.py matmul " fadd " " fsub " < %t.ll > %t.bad.ll
// RUN: %clang -O1 -Wno-override-module %t.bad.ll -o %t.bad -pthread -lm
// RUN: not --crash %t.bad 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: dlopt: {{.*}}self-check.c:[[#]]: kernel [[#]] matmul.nn: C[0,0] is -23.5, the loop gives 23.5 (and {{[0-9]+}} more)
//
// RUN: env DLOPT_OPTIONS=check=report %clang_dl -O1 -g -march=haswell -ffp-contract=off -S -emit-llvm %s -o %t.ll
// RUN: %python %S/Inputs/break-kernel.py matmul " fadd " " fsub " < %t.ll > %t.bad.ll
// RUN: %clang -O1 -Wno-override-module %t.bad.ll -o %t.bad -pthread -lm
// RUN: %t.bad > %t.out 2> %t.errors && diff %t.expected %t.out && FileCheck %s --check-prefix=BAD < %t.errors
// RUN: grep -c matmul.nn %t.errors | FileCheck %s --check-prefix=ONCE
// ONCE: {{^}}1{{$}}
//
// The position of a greatest element is a value behind the loops.
// RUN: %python %S/Inputs/break-kernel.py lanes.generic " fcmp ogt " " fcmp olt " < %t.ll > %t.bad.ll
// RUN: %clang -O1 -Wno-override-module %t.bad.ll -o %t.bad -pthread -lm
// RUN: %t.bad > %t.out 2> %t.errors && diff %t.expected %t.out && FileCheck %s --check-prefix=VALUE < %t.errors
// VALUE: dlopt: {{.*}}self-check.c:[[#]]: kernel [[#]] argmax: {{.*}} is {{.*}}, the loop gives
//
// How often each side ran.
// RUN: env DLOPT_OPTIONS=check=count %clang_dl -O2 -g -march=haswell %s -o %t.dl -pthread -lm
// RUN: %t.dl > %t.out 2> %t.errors && diff %t.expected %t.out && FileCheck %s --check-prefix=COUNT < %t.errors
// COUNT: dlopt: {{.*}}self-check.c:[[#]]: kernel [[#]] matmul.nn: generated code 18 times, {{.*}} s; loops 2 times, {{.*}} s
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 48, Columns = 16, Threads = 3 };

__attribute__((noinline)) void product(float *C, int ldc, const float *A,
                                       const float *B, int m, int n, int k) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      float s = 0;
      for (int l = 0; l < k; ++l)
        s += A[i * k + l] * B[l * n + j];
      C[i * ldc + j] = s;
    }
}

__attribute__((noinline)) int greatest(const float *x, int n) {
  int at = 0;
  float m = x[0];
  for (int i = 1; i < n; ++i)
    if (x[i] > m) {
      m = x[i];
      at = i;
    }
  return at;
}

__attribute__((noinline)) void softmax(float *y, const float *x, int m, int n) {
  for (int i = 0; i < m; ++i) {
    float most = x[i * n];
    for (int j = 1; j < n; ++j)
      if (x[i * n + j] > most)
        most = x[i * n + j];
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += y[i * n + j] = expf(x[i * n + j] - most);
    for (int j = 0; j < n; ++j)
      y[i * n + j] /= sum;
  }
}

// Each level has arrays of its own.
__attribute__((noinline)) float deep(float *x, int depth) {
  float y[N], z[N * N];
  for (int i = 0; i < N * N; ++i)
    z[i] = x[i % N] + (float)depth;
  for (int i = 0; i < N; ++i) {
    y[i] = 0;
    for (int j = 0; j < N; ++j)
      y[i] += z[i * N + j] * x[j];
  }
  for (int i = 0; i < N; ++i)
    y[i] = y[i] > 1 ? 1 / y[i] : y[i];
  return depth ? y[depth] + deep(y, depth - 1) : y[0];
}

static float A[N * N], B[Threads][N * Columns], Shared[N * N];

// Columns beside those of others, in the same rows.
static void *work(void *number) {
  long t = (long)number;
  for (int i = 0; i < 5; ++i)
    product(Shared + t * Columns, N, A, B[t], N, Columns, N);
  return 0;
}

static unsigned hash(const void *p, size_t bytes) {
  unsigned h = 2166136261u;
  for (size_t i = 0; i < bytes; ++i)
    h = (h ^ ((const unsigned char *)p)[i]) * 16777619u;
  return h;
}

int main(void) {
  float *C = calloc(N * N, sizeof *C), *y = malloc(sizeof(float) * N * N);
  for (int i = 0; i < N * N; ++i)
    A[i] = (float)(i % 3);
  for (int i = 0; i < Threads * N * Columns; ++i)
    B[i / (N * Columns)][i % (N * Columns)] = (float)(i % 5 - 1) / 2;
  // Rows longer than what is stored, in place of a part of A (the loops), too few.
  product(C, N, A, B[0], N, Columns, N);
  product(C, N, A, B[0], N - 1, Columns - 1, N);
  product(C, N, A, B[1], 7, Columns - 5, 1 + N / 2);
  product(A + N, N, A, B[1], 2, Columns, N);
  product(C, N, A, B[2], 1, 1, 1);
  printf("%u %d\n", hash(C, sizeof(float) * N * N), greatest(C, N * N));
  pthread_t threads[Threads];
  for (long t = 0; t < Threads; ++t)
    pthread_create(&threads[t], 0, work, (void *)t);
  for (long t = 0; t < Threads; ++t)
    pthread_join(threads[t], 0);
  printf("%u\n", hash(Shared, sizeof Shared));
  C[5] = INFINITY;
  C[N + 3] = NAN;
  errno = 0;
  softmax(y, C, N, N);
  int error = errno;
  for (int i = 0; i < N * N; ++i)
    if (isnan(y[i]))
      y[i] = 2;
  printf("%u %d\n", hash(y, sizeof(float) * N * N), error);
  printf("%.9g\n", deep(A, 20));
}
