// Sums in memory whose loops are no one axis: products around which the outer loops of the
// sums go. Convolutions with dilations and steps that are arguments, and what else adds to
// rows of results: the bits of plain clang.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -march=haswell -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// REMARK-COUNT-3: {{matmul.nn|matmul.tn|conv2d}} f32, {{.*}}: exact, tile
#ifdef KERNEL
#define FOR(I, END) for (long I = 0; I < (END); I++)
void NAME(image)(long oh, long ow, long o, long kh, long kw, long c, long w, long step,
                 long dil, const float *x, const float *f, float *y) {
  FOR(i, oh) FOR(j, ow) FOR(p, kh) FOR(q, kw) FOR(l, c) FOR(n, o)
              y[(i * ow + j) * o + n] +=
                  x[((i * step + p * dil) * w + j * step + q * dil) * c + l] *
                  f[((p * kw + q) * c + l) * o + n];
}
// The loops of the window are outermost.
void NAME(taps)(long ow, long o, long kw, long c, long step, long dil, const float *x,
                const float *f, float *y) {
  FOR(q, kw) FOR(j, ow) FOR(l, c) FOR(n, o)
          y[j * o + n] += x[(j * step + q * dil) * c + l] * f[(q * c + l) * o + n];
}
// One step of the sums between two products.
void NAME(planes)(long oh, long ow, long o, long kh, long kw, long w, long dil,
                  const float *x, const float *f, float *y) {
  FOR(i, oh) FOR(j, ow) FOR(p, kh) FOR(q, kw) FOR(n, o)
            y[(i * ow + j) * o + n] +=
                x[(i + p * dil) * w + j + q * dil] * f[(p * kw + q) * o + n];
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
#define BOTH(R, F, ...) R plain_##F(__VA_ARGS__), made_##F(__VA_ARGS__)
BOTH(void, image, long, long, long, long, long, long, long, long, long, const float *,
     const float *, float *);
BOTH(void, taps, long, long, long, long, long, long, const float *, const float *,
     float *);
BOTH(void, planes, long, long, long, long, long, long, long, const float *, const float *,
     float *);
enum { SIZE = 40000 };
static float X[SIZE], F[SIZE], Y[2][SIZE];
static int bad = 0, runs = 0;
static void clear(void) {
  for (int i = 0; i < SIZE; i++)
    Y[0][i] = Y[1][i] = (i % 17 - 8) / 3.0f;
}
static void compare(void) {
  runs++;
  for (int i = 0; i < SIZE; i++)
    bad += memcmp(&Y[0][i], &Y[1][i], sizeof(float)) &&
           (Y[0][i] == Y[0][i] || Y[1][i] == Y[1][i]);
}
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < SIZE; i++) {
    X[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
    F[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  }
  X[700] = NAN, X[1400] = INFINITY, X[100] = -0.0f, F[7] = 1e30f;
  static const long Channels[] = {0, 1, 2, 3, 7, 16}, Rows[] = {0, 1, 3, 8, 17, 33};
  for (int a = 0; a < 6; a++)
    for (int b = 0; b < 6; b++)
      for (int k = 0; k < 4; k++)
        for (int step = 1; step < 3; step++) {
          long c = Channels[a], o = Rows[b], ow = Rows[(a + b + k) % 6];
          int dil = 1 + (a + k) % 3;
          clear();
          plain_image(4, ow, o, k, k, c, 80, step, dil, X, F, Y[0]);
          made_image(4, ow, o, k, k, c, 80, step, dil, X, F, Y[1]);
          compare();
          clear();
          plain_taps(ow, o, k, c, step, dil, X, F, Y[0]);
          made_taps(ow, o, k, c, step, dil, X, F, Y[1]);
          compare();
          clear();
          plain_planes(5, ow, o, k, k, 70, dil, X, F, Y[0]);
          made_planes(5, ow, o, k, k, 70, dil, X, F, Y[1]);
          compare();
        }
  // CHECK: 864 runs, 0 different
  printf("%d runs, %d different\n", runs, bad);
}
#endif
