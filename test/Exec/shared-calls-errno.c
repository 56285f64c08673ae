// What all lanes share is called under their conditions: errno is that of plain clang.
//
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} %s -lm -o %t.plain && %t.plain > %t.out && \
// DEFINE:   %clang_dl -O3 %{flags} %s -lm -o %t 2>&1 -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize | FileCheck %s && %t | diff %t.out -
// RUN: %{check}
// REDEFINE: %{flags} = -DREAL=double -DSQRT=sqrt -DEXP=exp -DLOG=log
// RUN: %{check}
// CHECK-COUNT-2: kernel number
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifndef REAL
#define REAL float
#define SQRT sqrtf
#define EXP expf
#define LOG logf
#endif
enum { N = 5, M = 37 };

#define KERNEL(NAME, ...)                                                      \
  __attribute__((noinline)) static void NAME(REAL *restrict a,                 \
                                             const REAL *restrict w,           \
                                             const int *restrict c, int n,     \
                                             int m) {                          \
    for (int i = 0; i < n; i++)                                                \
      for (int j = 0; j < m; j++)                                              \
        __VA_ARGS__;                                                           \
    (void)c;                                                                   \
  }
KERNEL(root, a[i * m + j] = w[i] > 0 ? SQRT(w[i]) : 0)
KERNEL(scaled, a[i * m + j] *= w[i] > 0 ? 1 / SQRT(w[i]) : 0)
KERNEL(growth, a[i * m + j] = c[i] ? EXP(w[i]) : 1)
KERNEL(logarithm, a[i * m + j] += c[i] ? LOG(w[i]) : 2)

static void run(const char *name, void (*kernel)(REAL *, const REAL *,
                                                 const int *, int, int),
                REAL special, int is_called) {
  static REAL a[N * M], w[N];
  int c[N];
  for (int k = 0; k < N * M; k++)
    a[k] = k;
  for (int i = 0; i < N; i++) {
    w[i] = i == 3 ? special : i + 1;
    c[i] = i != 3 || is_called;
  }
  for (int m = 1; m <= M; m += 9) {
    errno = 0;
    kernel(a, w, c, N, m);
    unsigned long long bits = 0;
    memcpy(&bits, &a[N * m - 1], sizeof(REAL));
    printf("%s %d: %llx %d\n", name, m, bits, errno);
  }
}

int main(void) {
  for (int is_called = 0; is_called < 2; is_called++) {
    run("root", root, -1, is_called);
    run("scaled", scaled, -2, is_called);
    run("growth", growth, 1e5, is_called);
    run("logarithm", logarithm, -3, is_called);
  }
  return 0;
}
