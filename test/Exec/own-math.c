// A function of the source may be called as one of the library is: it is what
// runs, as often and in the order of the source.
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -march=x86-64 -Wno-incompatible-library-redeclaration %s -o %t
// RUN: %t | FileCheck %s
// TEETH: none - nothing is to happen
// REQUIRES: native-x86
// CHECK: 100 calls, 0 failures
#include <stdio.h>

static int calls;
__attribute__((noinline)) static float expf(float x) {
  calls++;
  return 2 * x + 1;
}

__attribute__((noinline)) static void map(float *restrict y,
                                          const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

int main(void) {
  enum { N = 100 };
  float x[N], y[N];
  for (int i = 0; i < N; i++)
    x[i] = i;
  map(y, x, N);
  int failures = 0;
  for (int i = 0; i < N; i++)
    failures += y[i] != 2 * i + 1;
  printf("%d calls, %d failures\n", calls, failures);
  return failures != 0;
}
