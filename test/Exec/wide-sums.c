// Sums of 64 bits of products that are narrower, by sums of 32 bits that do not wrap around,
// against plain clang's loops: the greatest products there are, lengths around what fits.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 -fno-vectorize %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   env DLOPT_OPTIONS=dispatch=0 %clang_dl -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -mavx2
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// REMARK-COUNT-8: by sums of 32 bits
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdint.h>
#define LIST(X)                                                                          \
  X(rows)                                                                                \
  X(products)                                                                            \
  X(started)                                                                             \
  X(requantized)                                                                         \
  X(of_unsigned)                                                                         \
  X(with_offset)                                                                         \
  X(differences)                                                                         \
  X(constant)
#define ARGUMENTS                                                                        \
  (int64_t * y, int16_t *z, const int16_t *x, const int8_t *w, const int64_t *b, int m,  \
   int n, int k)
#ifdef KERNEL
#define FOR(I, N) for (int I = 0; I < N; I++)
#define DEFINE(F, ...)                                                                   \
  void NAME(F) ARGUMENTS { __VA_ARGS__ }
DEFINE(rows, FOR(j, n) {
  int64_t s = 0;
  FOR(l, k) s += (int32_t)x[l] * w[j * k + l];
  y[j] = s;
})
DEFINE(products, FOR(i, m) FOR(j, n) {
  int64_t s = 0;
  FOR(l, k) s += (int64_t)x[i * k + l] * w[j * k + l];
  y[i * n + j] = s;
})
DEFINE(started, FOR(i, m) FOR(j, n) {
  int64_t s = b[j];
  FOR(l, k) {
    int32_t input = x[i * k + l], filter = w[j * k + l];
    s += filter * input;
  }
  y[i * n + j] = s;
})
DEFINE(requantized, FOR(i, m) FOR(j, n) {
  int64_t s = 0;
  FOR(l, k) {
    int32_t input = x[i * k + l], filter = w[j * k + l];
    s += filter * input;
  }
  s += b[j];
  s = (s + (1 << 15)) >> 16;
  z[i * n + j] = (int16_t)(s > 32767 ? 32767 : s < -32768 ? -32768 : s);
})
DEFINE(of_unsigned, FOR(j, n) {
  int64_t s = 0;
  FOR(l, k) s += (int32_t)(uint8_t)x[l] * (uint8_t)w[j * k + l];
  y[j] = s;
})
DEFINE(with_offset, FOR(j, n) {
  int64_t s = 0;
  FOR(l, k) s += (int32_t)x[l] * (w[j * k + l] - 128);
  y[j] = s;
})
DEFINE(differences, FOR(j, n) {
  int64_t s = b[j];
  FOR(l, k) s += x[l] - w[j * k + l];
  y[j] = s;
})
DEFINE(constant, FOR(i, m) FOR(j, n) {
  int64_t s = 0;
  FOR(l, 700) s += (int32_t)x[i * 700 + l] * w[j * 700 + l];
  y[i * n + j] = s;
})
#else
#include <stdio.h>
#include <string.h>
#define DECLARE(F) void plain_##F ARGUMENTS, made_##F ARGUMENTS;
LIST(DECLARE)
enum { M = 5, N = 35, K = 2100 };
static int16_t X[M * K], Z[2][M * N];
static int8_t W[N * K];
static int64_t B[N], Y[2][M * N];
static unsigned Seed = 1, Runs, Bad;
static unsigned draw(void) { return (Seed = Seed * 1664525u + 1013904223u) >> 8; }

int main(void) {
  const int Lengths[] = {0, 1, 63, 64, 65, 255, 256, 257, 510, 511, 512, 513, 700, 768, 1023, 2047, K};
  for (unsigned s = 0; s < sizeof Lengths / sizeof *Lengths; s++)
    for (int how = 0; how < 4; how++)
      for (int n = 1; n <= N; n += 17) {
        for (int i = 0; i < M * K; i++)
          X[i] = (int16_t)(how == 0 ? -32768 : how == 1 ? 32767 : (int)draw());
        for (int i = 0; i < N * K; i++)
          W[i] = (int8_t)(how < 2 ? -128 : (int)draw());
        for (int i = 0; i < N; i++)
          B[i] = ((int64_t)draw() << 20) - ((int64_t)1 << 43);
#define RUN(F)                                                                           \
  memset(Y, 1, sizeof Y);                                                                \
  memset(Z, 1, sizeof Z);                                                                \
  plain_##F(Y[0], Z[0], X, W, B, M, n, Lengths[s]);                                      \
  made_##F(Y[1], Z[1], X, W, B, M, n, Lengths[s]);                                       \
  Runs++;                                                                                \
  Bad += memcmp(Y[0], Y[1], sizeof *Y) != 0 || memcmp(Z[0], Z[1], sizeof *Z) != 0;
        LIST(RUN)
      }
  printf("%u runs, %u different\n", Runs, Bad);
}
#endif
