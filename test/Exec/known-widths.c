// Windows over images of every known width: rows that are one vector under a mask, or
// several, with the right bits, and nothing behind the last row is read or written.
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang_dl -O3 %{flags} -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN && \
// DEFINE:   %clang -O1 %{flags} %s %t.o -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -march=native
// RUN: %{check}
// REDEFINE: %{flags} = -march=x86-64-v3
// RUN: %if avx2 %{ %{check} %}
// REDEFINE: %{flags} = -march=x86-64-v4
// RUN: %if avx512 %{ %{check} %}
// REQUIRES: native-x86
// TAKEN-COUNT-60: exact, by the script
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef PART
#define NAMED(K, W, S) void K##_##W##_##S##_dl
#else
#define NAMED(K, W, S) static void K##_##W##_##S
#endif
#define FOR(I, N) for (int I = 0; I < N; I++)
enum { H = 6, FILTERS = 19, CHANNELS = 3 };
// Images of H x W, windows of 3 x 3 by S, a border of 1.
#define OUT(W, S) (((W)-1) / (S) + 1)
#define INSIDE(W, S)                                                           \
  int h = S * y + r - 1, v = S * x + q - 1;                                    \
  if (h >= 0 && h < H && v >= 0 && v < W)
#define KERNELS_OF(W, S)                                                       \
  NAMED(depth, W, S)                                                           \
  (const float *restrict in, const float *restrict w, float *restrict out) {   \
    FOR(c, CHANNELS) FOR(y, OUT(H, S)) FOR(x, OUT(W, S)) {                     \
      float sum = 0;                                                           \
      FOR(r, 3) FOR(q, 3) {                                                    \
        INSIDE(W, S) sum += in[(c * H + h) * W + v] * w[(c * 3 + r) * 3 + q];  \
      }                                                                        \
      out[(c * OUT(H, S) + y) * OUT(W, S) + x] = sum;                          \
    }                                                                          \
  }                                                                            \
  NAMED(conv, W, S)                                                            \
  (const float *restrict in, const float *restrict w, float *restrict out) {   \
    FOR(f, FILTERS) FOR(y, OUT(H, S)) FOR(x, OUT(W, S)) {                      \
      float sum = 0;                                                           \
      FOR(c, CHANNELS) FOR(r, 3) FOR(q, 3) {                                   \
        INSIDE(W, S)                                                           \
        sum += in[(c * H + h) * W + v] *                                       \
               w[((f * CHANNELS + c) * 3 + r) * 3 + q];                        \
      }                                                                        \
      out[(f * OUT(H, S) + y) * OUT(W, S) + x] = sum;                          \
    }                                                                          \
  }                                                                            \
  NAMED(greatest, W, S)                                                        \
  (const float *restrict in, const float *restrict w, float *restrict out) {   \
    (void)w;                                                                   \
    FOR(c, CHANNELS) FOR(y, OUT(H, S)) FOR(x, OUT(W, S)) {                     \
      float most = -INFINITY;                                                  \
      FOR(r, 3) FOR(q, 3) {                                                    \
        INSIDE(W, S) {                                                         \
          float at = in[(c * H + h) * W + v];                                  \
          most = at > most ? at : most;                                        \
        }                                                                      \
      }                                                                        \
      out[(c * OUT(H, S) + y) * OUT(W, S) + x] = most;                         \
    }                                                                          \
  }
#define WIDTHS(X)                                                              \
  X(1, 1) X(2, 1) X(3, 1) X(5, 1) X(6, 1) X(7, 1) X(9, 1) X(11, 1) X(12, 1)    \
  X(13, 1) X(14, 1) X(15, 1) X(17, 1) X(19, 1) X(23, 1) X(28, 1) X(31, 1)      \
  X(33, 1) X(47, 1) X(61, 1) X(5, 2) X(9, 2) X(13, 2) X(14, 2) X(27, 2)        \
  X(28, 2) X(31, 2) X(61, 2)
#define ALL(W, S) KERNELS_OF(W, S)
WIDTHS(ALL)

#ifndef PART
typedef void Kernel(const float *restrict, const float *restrict,
                    float *restrict);
#define DECLARE(W, S) Kernel depth_##W##_##S##_dl, conv_##W##_##S##_dl, greatest_##W##_##S##_dl;
WIDTHS(DECLARE)
#define ROW(K, W, S, OUTPUTS)                                                  \
  {K##_##W##_##S, K##_##W##_##S##_dl, #K " " #W " by " #S,                     \
   CHANNELS * H * W, OUTPUTS * OUT(H, S) * OUT(W, S)},
#define ROWS(W, S)                                                             \
  ROW(depth, W, S, CHANNELS)                                                   \
  ROW(conv, W, S, FILTERS) ROW(greatest, W, S, CHANNELS)
static const struct {
  Kernel *plain, *dl;
  const char *name;
  int in, out;
} Table[] = {WIDTHS(ROWS)};

/// An array that ends at a page that nobody may touch.
static float *guarded(int n) {
  size_t bytes = (n * sizeof(float) + 4095) / 4096 * 4096;
  char *p = mmap(0, bytes + 4096, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(p + bytes, 4096, PROT_NONE);
  return (float *)(p + bytes) - n;
}

static float number(int special) {
  static const float Special[] = {INFINITY, -INFINITY, NAN, -0.0f, 0,
                                  1e-40f,   -1e-40f,   3e38f};
  int r = rand();
  return special && r % 5 == 0 ? Special[r / 5 % 8] : (r % 2001 - 1000) / 64.0f;
}

int main(void) {
  int runs = 0, different = 0;
  for (size_t k = 0; k != sizeof(Table) / sizeof(*Table); ++k) {
    enum { Weights = FILTERS * CHANNELS * 9 };
    float *in = guarded(Table[k].in), *w = guarded(Weights);
    float *right = guarded(Table[k].out), *out = guarded(Table[k].out);
    for (int round = 0; round != 6; ++round) {
      for (int i = 0; i != Table[k].in; ++i)
        in[i] = number(round % 2);
      for (int i = 0; i != Weights; ++i)
        w[i] = number(round > 3);
      memset(right, 0x55, Table[k].out * sizeof(float));
      memset(out, 0x55, Table[k].out * sizeof(float));
      Table[k].plain(in, w, right);
      Table[k].dl(in, w, out);
      ++runs;
      for (int i = 0; i != Table[k].out; ++i) {
        // Which NaN comes out is not said by the language.
        if (isnan(right[i]) && isnan(out[i]))
          continue;
        if (memcmp(&right[i], &out[i], sizeof(float))) {
          printf("%s: %d is %a, not %a\n", Table[k].name, i, out[i], right[i]);
          ++different;
          break;
        }
      }
    }
  }
  printf("%d runs, %d different\n", runs, different);
  return 0;
}
#endif
