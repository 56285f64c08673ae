// Results, start values and operands of what is stored whose columns are apart.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 -DT=double %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 -DT=double %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %if long %{ env DLOPT_OPTIONS='stack=8k' %clang_dl -O2 -DT=double %s -o %t.dl && %t.dl > %t.dl.txt %}
// RUN: %if long %{ diff %t.plain.txt %t.dl.txt %}
// CHECK-COUNT-12: : exact, tile
#include <stdio.h>

#ifndef T
#define T float
#endif
#define ARGS                                                                   \
  long m, long n, long l, long step, const T *restrict A, const T *restrict B, \
      const T *restrict D, T *restrict C
#define KERNEL(NAME) __attribute__((noinline)) static void NAME(ARGS)
#define FOR(I, E) for (long I = 0; I < E; I++)
#define PRODUCT(NAME, START, TO, RESULT)                                       \
  KERNEL(NAME) {                                                               \
    FOR(i, m) FOR(j, n) {                                                      \
      T s = START;                                                             \
      FOR(k, l) s += A[i * l + k] * B[k * n + j];                              \
      TO = RESULT;                                                             \
    }                                                                          \
  }

PRODUCT(second, 0, C[2 * (i * n + j)], s)
PRODUCT(second_again, C[2 * (i * n + j)], C[2 * (i * n + j)], s)
PRODUCT(any, 0, C[step * (i * n + j)], s)
PRODUCT(any_scaled, 0, C[step * (i * n + j)], 2 * s + C[step * (i * n + j)])
PRODUCT(transposed, 0, C[3 * (j * m + i)], s + D[j])
PRODUCT(start_second, D[2 * (i * n + j)], C[i * n + j], s)
PRODUCT(start_backwards, D[n - 1 - j], C[i * n + j], s)
PRODUCT(start_transposed, D[j * m + i], C[i * n + j], s > 0 ? s : 0)
PRODUCT(plus_second, 0, C[i * n + j], s + D[2 * j])
PRODUCT(plus_transposed, 0, C[i * n + j], s - D[j * m + i])
PRODUCT(all, D[step * j], C[2 * (i * n + j)], s * D[step * (i * n + j)])
// Sums that go on lie side by side in their buffer, also beside a diagonal.
KERNEL(triangle) {
  FOR(i, m) for (long j = i; j < n; j++) {
    T s = 0;
    FOR(k, l) s += A[k * 40 + i] * B[k * 80 + j];
    C[i * 160 + 2 * j] = s;
  }
}

static T A[40 * 300], B[300 * 80], C[3 * 40 * 80], D[3 * 40 * 80];
static unsigned state = 1;
static T draw(void) {
  state = state * 1664525 + 1013904223;
  return (T)((int)(state >> 16) % 2001 - 1000) / 321;
}
static void check(const char *name, void kernel(ARGS)) {
  static const long sizes[] = {0, 1, 2, 3, 5, 6, 7, 8, 12, 13, 16, 17, 24, 31, 37, 40};
  unsigned long sum = 1469598103934665603ul;
  FOR(t, 48) {
    long m = sizes[t % 16], n = 2 * sizes[t * 7 % 16] - t % 2;
    long l = t < 40 ? sizes[t * 5 % 16] : 300;
    FOR(i, 40 * 300) A[i] = draw();
    FOR(i, 300 * 80) B[i] = draw();
    FOR(i, 3 * 40 * 80) C[i] = D[i] = draw();
    kernel(m, n, l, 1 + t % 3, A, B, D, C);
    const unsigned char *bytes = (const unsigned char *)C;
    FOR(i, (long)sizeof C) sum = (sum ^ bytes[i]) * 1099511628211ul;
  }
  printf("%s %lx\n", name, sum);
}
#define CHECK(NAME) check(#NAME, NAME)

int main(void) {
  CHECK(second);
  CHECK(second_again);
  CHECK(any);
  CHECK(any_scaled);
  CHECK(transposed);
  CHECK(start_second);
  CHECK(start_backwards);
  CHECK(start_transposed);
  CHECK(plus_second);
  CHECK(plus_transposed);
  CHECK(all);
  CHECK(triangle);
}
