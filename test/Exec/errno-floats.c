// Floats that may be errno: where accesses say no type, or any. Vectors would read and
// write them out of order with calls that set errno. The bits and errno of plain clang.
//
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} %s -lm -o %t.plain && %t.plain > %t.out && \
// DEFINE:   %clang_dl -O3 %{flags} %s -lm -o %t 2>&1 -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize | FileCheck %s && %t | diff %t.out -
// RUN: %{check}
// REDEFINE: %{flags} = -fno-strict-aliasing -DNUMBER=float
// RUN: %{check}
// CHECK-COUNT-4: kernel number
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef NUMBER
typedef float __attribute__((may_alias)) number;
#define NUMBER number
#endif
enum { N = 40 };

#define KERNEL(NAME, ...)                                                      \
  __attribute__((noinline)) static void NAME(                                  \
      float *restrict o, float *restrict w, const float *restrict y,           \
      const NUMBER *x, long n) {                                               \
    for (long i = 0; i < n; i++) {                                             \
      __VA_ARGS__;                                                             \
    }                                                                          \
    (void)w;                                                                   \
  }
KERNEL(sum, o[i] = expf(y[i]) + x[i])
KERNEL(angle, o[i] = sinf(y[i]) + x[i])
KERNEL(two, o[i] = expf(y[i]); w[i] = x[i])
KERNEL(root, o[i] = sqrtf(y[i]); w[i] = x[i])
KERNEL(logarithm, o[i] = log2f(y[i]) * 2; w[i] = x[i])

/// The numbers from errno on, of which only the first one is shown.
static void run(const char *name,
                void (*kernel)(float *, float *, const float *, const NUMBER *,
                               long),
                float special) {
  static float o[N], w[N], y[N];
  for (int k = 0; k < 24; k++) {
    for (int i = 0; i < N; i++)
      y[i] = 1;
    y[k / 2] = special;
    errno = 0;
    kernel(o, w, y, (const NUMBER *)&errno, k % 2 ? 12 : 1);
    unsigned bits[2];
    memcpy(&bits[0], &o[0], 4);
    memcpy(&bits[1], &w[0], 4);
    printf("%s %d: %x %x %d\n", name, k, bits[0], bits[1], errno);
  }
}

int main(void) {
  run("sum", sum, 1000);
  run("angle", angle, INFINITY);
  run("two", two, 1000);
  run("root", root, -1);
  run("logarithm", logarithm, 0);
  return 0;
}
