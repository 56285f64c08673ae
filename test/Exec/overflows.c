// The last product of a math function overflows on purpose: it is rounded
// before it is added to anything, though back ends may fuse all products with
// sums.
// REQUIRES: native-x86
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -march=native -ffp-contract=fast -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -ffast-math -fno-finite-math-only -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// RUN: env 'DLOPT_OPTIONS=fp=fast;math=4ulp' %clang_dl -O3 -march=native -ffp-contract=fast -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// REMARK-COUNT-4: approximated
// CHECK: 0 wrong
#include <math.h>
#include <stdio.h>
#define KERNELS(X)                                                             \
  X(sum, expf(a) + b)                                                          \
  X(difference, b - expf(a))                                                   \
  X(both, expf(a) - expf(a * 2))                                               \
  X(chosen, (b < 0 ? expf(a) : a) + b)
#ifdef PART
#define KERNEL(N, E)                                                           \
  void N(int n, float *restrict y, const float *x, const float *z) {           \
    for (int i = 0; i < n; i++) {                                              \
      float a = x[i], b = z[i];                                                \
      y[i] = E;                                                                \
    }                                                                          \
  }
KERNELS(KERNEL)
#else
#define DECLARE(N, E) void N(int, float *, const float *, const float *);
KERNELS(DECLARE)
static float x[64], y[64], z[64];
int main() {
  static const float exponents[] = {INFINITY, 88.8f, 89, 200};
  static const float others[] = {-INFINITY, -3e38f, INFINITY, 3e38f};
  int wrong = 0;
  for (int i = 0; i < 64; i++) {
    x[i] = exponents[i % 4];
    z[i] = others[i / 4 % 4];
  }
#define CHECK(N, E)                                                            \
  for (int n = 1; n < 64; n++) {                                               \
    N(n, y, x, z);                                                             \
    for (int i = 0; i < n; i++) {                                              \
      float a = x[i], b = z[i], want = E;                                      \
      if (isnan(want) ? !isnan(y[i]) : want != y[i])                           \
        wrong++;                                                               \
    }                                                                          \
  }
  KERNELS(CHECK)
  printf("%d wrong\n", wrong);
}
#endif
