// Exponentials of rows less their maxima, by flags, against the same in double: rows of
// all lengths up to some vectors, numbers far apart, infinities and NaN.
// REQUIRES: native-x86
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -Rpass=dl-vectorize -DPART -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// RUN: env 'DLOPT_OPTIONS=fp=fast;math=4ulp' %clang_dl -O3 -march=native -ffast-math -fno-finite-math-only -ffp-contract=off -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// REMARK-COUNT-7: reassociated
// CHECK: 0 wrong
#include <math.h>
#include <stdio.h>
#include <string.h>
#define FOR(I, E) for (int I = 0; I < E; I++)
typedef void kernel(int m, int n, float *x, float *y);
kernel exps, in_place, changed, log_sum, cross_entropy, causal, single;
extern int labels[64];

#ifdef PART
#define MAX                                                                    \
  float max = x[i * n];                                                        \
  for (int j = 1; j < n; j++)                                                  \
    if (x[i * n + j] > max)                                                    \
      max = x[i * n + j];
void exps(int m, int n, float *x, float *y) {
  FOR(i, m) {
    MAX
    FOR(j, n) y[i * n + j] = expf(x[i * n + j] - max);
  }
}
void in_place(int m, int n, float *x, float *y) {
  FOR(i, m) {
    MAX
    FOR(j, n) x[i * n + j] = expf(x[i * n + j] - max);
  }
}
// What is subtracted is no maximum any more.
void changed(int m, int n, float *x, float *y) {
  FOR(i, m) {
    MAX
    FOR(j, n) x[i * n + j] *= -3;
    FOR(j, n) y[i * n + j] = expf(x[i * n + j] - max);
  }
}
void log_sum(int m, int n, float *x, float *y) {
  FOR(i, m) {
    float sum = 0;
    MAX
    FOR(j, n) sum += expf(x[i * n + j] - max);
    y[i] = logf(sum) + max;
  }
}
// Nothing can test that y is none of the labels' elements.
void cross_entropy(int m, int n, float *x, float *y) {
  FOR(i, m) {
    float sum = 0;
    MAX
    FOR(j, n) sum += expf(x[i * n + j] - max);
    y[i] = logf(sum) + max - x[i * n + labels[i]];
  }
}
// Each row is one element longer.
void causal(int m, int n, float *x, float *y) {
  FOR(i, m) {
    float max = -INFINITY;
    for (int j = 0; j <= i; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j <= i; j++)
      y[i * n + j] = expf(x[i * n + j] - max);
    for (int j = i + 1; j < n; j++)
      y[i * n + j] = 0;
  }
}
// A row at a time: its loops are one kernel.
__attribute__((noinline)) static void row(int n, float *x) {
  float max = x[0];
  for (int j = 1; j < n; j++)
    if (x[j] > max)
      max = x[j];
  FOR(j, n) x[j] = expf(x[j] - max);
}
void single(int m, int n, float *x, float *y) {
  FOR(i, m) row(n, x + i * n);
}
#else
int labels[64];
static int wrong;
static void expect(double want, float got, float allowed) {
  double error = fabs(want - got);
  double unit = fabs(want) < 0x1p-126 ? 0x1p-149 : fabs(want) * 0x1p-23;
  wrong += !(isnan(want) && isnan(got)) && want != got &&
           (float)want != got && !(error <= allowed * unit);
}
static float x[64 * 100], y[64 * 100], old[64 * 100];
static void run(kernel *k, int kind, int m, int n) {
  if (k == causal && m > n)
    m = n;
  static const float special[] = {NAN, INFINITY, -INFINITY, -0.0f, 1e-40f};
  FOR(i, m) FOR(j, n) {
    unsigned r = (i * 7919u + j * 104729u + kind * 31u) * 2654435761u >> 8;
    old[i * n + j] = (r % 1000 / 1000.0f - 0.5f) * (i % 4 == 1 ? 220 : 4);
    if (i % 8 == 3 && r % 5 == 0)
      old[i * n + j] = special[i / 8 % 5];
    if (i % 16 == 6)
      old[i * n + j] = -INFINITY;
  }
  FOR(i, m) labels[i] = i * 5 % n;
  memcpy(x, old, sizeof x);
  k(m, n, x, y);
  FOR(i, m) {
    const float *row = old + i * n;
    float max = row[0];
    double sum = 0;
    int length = k == causal ? i + 1 : n;
    if (k == causal)
      max = -INFINITY;
    FOR(j, length) max = row[j] > max ? row[j] : max;
    FOR(j, n) {
      float z = k == changed ? row[j] * -3 : row[j];
      double e = j < length ? exp((double)(z - max)) : 0;
      if (k != log_sum && k != cross_entropy)
        expect(e, k == in_place || k == single ? x[i * n + j] : y[i * n + j], 4);
      sum += e;
    }
    if (k == cross_entropy)
      y[i] += row[labels[i]];
    if ((k == log_sum || (k == cross_entropy && isfinite(row[labels[i]]))) &&
        !(fabs(log(sum) + max - y[i]) <= 1e-5 * (1 + fabs(max))))
      expect(log(sum) + max, y[i], 0);
  }
}
int main() {
  // A row of one element less itself is 0 by flags, also of infinity.
  for (int n = 2; n < 100; n++) {
    run(exps, 0, 64, n);
    run(in_place, 1, 64, n);
    run(changed, 2, 64, n);
    run(log_sum, 3, 64, n);
    run(cross_entropy, 4, 64, n);
    run(causal, 5, 64, n);
    run(single, 6, 64, n);
  }
  printf("%d wrong\n", wrong);
}
#endif
