// Conditions on the number of a tile and on that of an element in it, and indices
// that wrap for some of both: merging the loops must not lose what is tested.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
#include <stddef.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))
static float A[200 * 100], B[200 * 100], C[200 * 100];

#define EXIT(NAME, CONDITION)                                                  \
  NOINLINE static int NAME(float *restrict c, const float *restrict a,         \
                           const float *restrict b, int tiles, int n, int K) { \
    for (int o = 0; o < tiles; o++)                                            \
      for (int i = 0; i < 8; i++)                                              \
        for (int j = 0; j < n; j++) {                                          \
          if (CONDITION)                                                       \
            return 1;                                                          \
          float s = 0;                                                         \
          for (int k = 0; k < K; k++)                                          \
            s += a[(o * 8 + i) * K + k] * b[k * n + j];                        \
          c[(o * 8 + i) * n + j] = s;                                          \
        }                                                                      \
    return 0;                                                                  \
  }
EXIT(opposite, o - i > 5)
EXIT(partial, o - 3 * i > 2)
EXIT(reverse, i - o > 6)
EXIT(same, o + i > 12)
EXIT(tile, o > 4)

NOINLINE static int wrapping(float *restrict c, const float *restrict a,
                             const float *restrict b, unsigned tiles, unsigned n,
                             unsigned K) {
  for (unsigned o = 0; o < tiles; o++)
    for (unsigned i = 0; i < 8; i++)
      for (unsigned j = 0; j < n; j++) {
        float s = 0;
        for (unsigned k = 0; k < K; k++)
          s += a[((size_t)((i - o) & 0xffffffffu) % 64 + o) * K + k] * b[(size_t)k * n + j];
        c[(size_t)(o * 8 + i) * n + j] = s;
      }
  return 0;
}

static void report(const char *name, int tiles, int result) {
  unsigned long sum = 0;
  const unsigned char *p = (const unsigned char *)C;
  for (size_t i = 0; i < sizeof(C); i++)
    sum = sum * 31 + p[i];
  printf("%s %d: %d %lx\n", name, tiles, result, sum);
  for (int i = 0; i < 200 * 100; i++)
    C[i] = 0;
}

int main(void) {
  for (int i = 0; i < 200 * 100; i++) {
    A[i] = (float)(i % 17 - 8) / 3;
    B[i] = (float)(i % 13 - 6) / 7;
  }
  for (int tiles = 0; tiles < 12; tiles++) {
#define RUN(NAME) report(#NAME, tiles, NAME(C, A, B, tiles, 16, 16));
    RUN(opposite) RUN(partial) RUN(reverse) RUN(same) RUN(tile) RUN(wrapping)
  }
}
