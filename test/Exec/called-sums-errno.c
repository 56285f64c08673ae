// Functions of the sums of a product set errno in the order of the source.
// RUN: %clang_dl -O3 -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize %s -lm -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %t | FileCheck %s
// REQUIRES: native-x86
// CHECK: 0 failures
#include <errno.h>
#include <math.h>
#include <stdio.h>

enum { N = 40 };

// Below zero the logarithm leaves EDOM, of zero ERANGE: the last one counts.
__attribute__((noinline)) static void logarithms(float *restrict c,
                                                 const float *a, const float *b,
                                                 long n) {
  // REMARK-DAG: c:[[#@LINE+1]]:{{.*}}: matmul.nn f32, {{.*}}: exact
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = logf(s);
    }
}

// What is read may be errno, as it is after the sums so far.
__attribute__((noinline)) static void watched(float *restrict c, const float *a,
                                              const float *b, const int *e,
                                              long n) {
  // REMARK-DAG: c:[[#@LINE+1]]:{{.*}}: matmul.nn f32, {{.*}}: exact
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = logf(s) + *e;
    }
}

// How often the loop runs may be errno: the logarithm of the first sum says.
__attribute__((noinline)) static void counted(float *restrict c, const float *a,
                                              const float *b, const int *rows,
                                              long n) {
  for (long i = 0; i < *rows; i++) {
    float s = 0;
    for (long k = 0; k < n; k++)
      s += a[i * n + k] * b[k];
    c[i] = logf(s);
  }
}

static float a[N * N], b[N * N], c[N * N];

// The sums are 1, but for -1 at \p Negative and 0 at \p Zero.
static void fill(int Negative, int Zero) {
  for (int i = 0; i < N * N; i++) {
    a[i] = i % N == i / N;
    b[i] = i == Negative ? -1 : i == Zero ? 0 : 1;
  }
}

int main(void) {
  int failures = 0;
  for (int first = 0; first < 2; first++) {
    int negative = first ? 77 : 1200, zero = first ? 1200 : 77;
    fill(negative, zero);
    errno = 0;
    logarithms(c, a, b, N);
    failures += errno != (first ? ERANGE : EDOM);
    failures += !isnan(c[negative]) + (c[zero] != -INFINITY) + (c[0] != 0);
  }
  fill(77, -1);
  errno = 0;
  watched(c, a, b, &errno, N);
  for (int i = 0; i < N * N; i++)
    failures += i != 77 && c[i] != (i < 77 ? 0 : EDOM);
  for (int i = 0; i < N * N; i++) {
    a[i] = i < N ? -1 : 1;
    b[i] = i == 0;
    c[i] = 5;
  }
  errno = 1;
  counted(c, a, b, &errno, N);
  for (int i = 1; i < N; i++)
    failures += c[i] != (i < EDOM ? 0 : 5);
  printf("%d failures\n", failures);
  return failures != 0;
}
