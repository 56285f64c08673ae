// Products of bfloats that are small integers: their sums are numbers in any order. With
// FRACTIONS they are not.
// BUILD: the name of one of two builds of the kernels; otherwise what compares them.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CAT_(A, B) A##_##B
#define CAT(A, B) CAT_(A, B)

static inline float fromBits(uint16_t x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

#define PRODUCT(NAME, T, CONVERT, AT, BEHIND)                                  \
  void CAT(NAME, BUILD)(float *c, const T *a, const T *b, int m, int n, int k) \
      BODY(CONVERT, AT, BEHIND)
#define KERNELS                                                                \
  PRODUCT(nn, uint16_t, fromBits, l *n + j, s)                                 \
  PRODUCT(nt, uint16_t, fromBits, j *k + l, s)                                 \
  PRODUCT(nn_type, __bf16, (float), l *n + j, s)                               \
  PRODUCT(nt_type, __bf16, (float), j *k + l, s)                               \
  PRODUCT(relu, __bf16, (float), j *k + l, s > 0 ? s : 0)

#ifdef BUILD
#define BODY(CONVERT, AT, BEHIND)                                              \
  {                                                                            \
    for (int i = 0; i < m; i++)                                                \
      for (int j = 0; j < n; j++) {                                            \
        float s = 0;                                                           \
        for (int l = 0; l < k; l++)                                            \
          s += CONVERT(a[i * k + l]) * CONVERT(b[AT]);                         \
        c[i * n + j] = BEHIND;                                                 \
      }                                                                        \
  }
KERNELS
#else
#define BODY(CONVERT, AT, BEHIND) ;
#define BUILD plain
KERNELS
#undef BUILD
#define BUILD dl
KERNELS
typedef void Run(float *, const void *, const void *, int, int, int);
static Run *const runs[][2] = {{(Run *)nn_plain, (Run *)nn_dl},
                               {(Run *)nt_plain, (Run *)nt_dl},
                               {(Run *)nn_type_plain, (Run *)nn_type_dl},
                               {(Run *)nt_type_plain, (Run *)nt_type_dl},
                               {(Run *)relu_plain, (Run *)relu_dl}};

int main(void) {
  static const int sizes[] = {0, 1, 2, 3, 4, 7, 13, 16, 31, 33, 65, 97, 130};
  enum { COUNT = sizeof sizes / sizeof *sizes, LARGEST = 130 };
#ifndef ROUNDS
#define ROUNDS 400
#endif
  long count = 0, different = 0;
  srand(3);
  for (int round = 0; round < ROUNDS; round++) {
    int m = sizes[rand() % COUNT], n = sizes[rand() % COUNT], k = sizes[rand() % COUNT];
    if (round % 4 == 0)
      k = 700 + rand() % 9;
    // Behind the arrays are NaN.
    uint16_t *a = malloc(2 * (m * k + 64)), *b = malloc(2 * (n * k + 64));
    float *c[2] = {calloc(m * n + 1, 4), calloc(m * n + 1, 4)};
    memset(a, 255, 2 * (m * k + 64)), memset(b, 255, 2 * (n * k + 64));
    for (int i = 0; i < m * k + n * k; i++) {
      float f = rand() % 17 - 8;
#ifdef FRACTIONS
      f = (rand() % 4001 - 2000) / 700.0f;
#endif
      uint32_t bits;
      memcpy(&bits, &f, 4);
      *(i < m * k ? a + i : b + i - m * k) = bits >> 16;
    }
    for (unsigned f = 0; f < sizeof runs / sizeof *runs; f++) {
      for (int x = 0; x < 2; x++)
        runs[f][x](c[x], a, b, m, n, k);
      for (int i = 0; i < m * n; i++)
        if (c[0][i] != c[1][i]) {
          different++;
          break;
        }
      count++;
    }
    free(a), free(b), free(c[0]), free(c[1]);
  }
  printf("%ld runs, %ld different\n", count, different);
}
#endif
