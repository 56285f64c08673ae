// Attention gives the bits of its loops, also of rows of NaN and infinities, where its
// products are small, where there is nothing, and where arrays overlap.
// REQUIRES: native-x86
// RUN: %clang -O1 -ffp-contract=on -march=native -Dall=all_plain -Dcausal=causal_plain -Dshared=shared_plain -c %S/../Vectorize/Inputs/attention.c -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %S/../Vectorize/Inputs/attention.c -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -Dall=all_plain -Dcausal=causal_plain -Dshared=shared_plain -c %S/../Vectorize/Inputs/attention.c -o %t.plain.o
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 -c %S/../Vectorize/Inputs/attention.c -o %t.dl.o
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %clang -O1 -ffp-contract=on -march=native -DR= -Dall=all_plain -Dcausal=causal_plain -Dshared=shared_plain -c %S/../Vectorize/Inputs/attention.c -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DR= -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %S/../Vectorize/Inputs/attention.c -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -DOVERLAP %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// REMARK-COUNT-5: matmul.{{.*}}: exact, tile
// CHECK: runs, 0 different
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef void Run(int, int, int, float *, float *, const float *, const float *,
                 const float *, float);
extern Run all, all_plain, causal, causal_plain, shared, shared_plain;
static Run *const pairs[][2] = {
    {all_plain, all}, {causal_plain, causal}, {shared_plain, shared}};

static void fill(float *p, size_t n, int special) {
  for (size_t i = 0; i < n; i++)
    p[i] = (rand() % 2001 - 1000) / 600.0f;
  for (int i = 0; i < special; i++)
    p[(size_t)rand() % n] = i % 3 ? (i % 2 ? INFINITY : -0.0f) : NAN;
}
static int differ(const float *a, const float *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (memcmp(&a[i], &b[i], sizeof(float)) && (a[i] == a[i] || b[i] == b[i]))
      return 1;
  return 0;
}
/* The output and the scores somewhere in the inputs, and the same in a copy. */
static int differ_overlapping(Run *const pair[2], int h, int t, int d, size_t n,
                              size_t m) {
  size_t all = 4 * n + m, at[5];
  float *copies[2] = {malloc(4 * all), malloc(4 * all)};
  fill(copies[0], all, 0);
  memcpy(copies[1], copies[0], 4 * all);
  for (int i = 0; i < 5; i++)
    at[i] = (size_t)rand() % (all - (i ? n : m) + 1);
  for (int x = 0; x < 2; x++) {
    float *p = copies[x];
    pair[x](h, t, d, p + at[1], p + at[0], p + at[2], p + at[3], p + at[4], 0.25f);
  }
  int bad = differ(copies[0], copies[1], all);
  free(copies[0]), free(copies[1]);
  return bad;
}
int main(void) {
  static const int sizes[][3] = {{1, 1, 1},  {2, 3, 5},    {1, 0, 4},   {3, 7, 0},
                                 {4, 8, 8},  {4, 17, 16},  {2, 33, 19}, {3, 64, 32},
                                 {2, 65, 64}, {1, 130, 48}, {2, 201, 33}};
  long runs = 0, different = 0;
  srand(5);
  for (unsigned s = 0; s < 3 * sizeof(sizes) / sizeof(*sizes); s++) {
    const int *size = sizes[s / 3], h = size[0], t = size[1], d = size[2];
    size_t n = (size_t)h * t * d + 1, m = (size_t)h * t * t + 1;
#ifdef OVERLAP
    for (int f = 0; f < 3; f++)
      runs++, different += differ_overlapping(pairs[f], h, t, d, n, m);
    continue;
#endif
    float *q = malloc(4 * n), *k = malloc(4 * n), *v = malloc(4 * n);
    fill(q, n, s % 3 == 1 ? 3 : 0), fill(k, n, s % 3 == 2 ? 4 : 0), fill(v, n, s % 3);
    for (int f = 0; f < 3; f++) {
      float *out[2], *att[2];
      int numbers[2];
      for (int x = 0; x < 2; x++) {
        out[x] = calloc(n, 4), att[x] = calloc(m, 4);
        errno = 0;
        pairs[f][x](h, t, d, out[x], att[x], q, k, v, 0.5f);
        numbers[x] = errno;
      }
      int bad = differ(out[0], out[1], n) || differ(att[0], att[1], m) ||
                numbers[0] != numbers[1];
      if (bad)
        printf("%d: %d x %d x %d\n", f, h, t, d);
      runs++, different += bad;
    }
  }
  printf("%ld runs, %ld different\n", runs, different);
}
