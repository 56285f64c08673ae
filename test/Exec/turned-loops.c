// Permutations whose loops are in an order that keeps the neighbours of both
// sides apart, with work on elements: bits, and nothing beside them.
// RUN: %clang_dl -O3 -march=x86-64-v3 -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O3 -march=x86-64-v3 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O3 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// REQUIRES: native-x86, avx2
// REMARK-COUNT-6: exact, iterations of
// REMARK-NOT: exact, iterations of
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ARGS(T) (T * y, const T *x, const T *b, int n, int c, int h, int w)
#ifdef PART
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define PERMUTE(F, T, ...)                                                     \
  void NAMED(NAME, F) ARGS(T) {                                                \
    FOR(i, n) FOR(j, c) FOR(k, h) FOR(l, w) { __VA_ARGS__ }                    \
  }
PERMUTE(last, float, y[((i * h + k) * w + l) * c + j] =
                         x[((i * c + j) * h + k) * w + l];)
PERMUTE(bias, float, y[((i * h + k) * w + l) * c + j] =
                         x[((i * c + j) * h + k) * w + l] * 2 + b[j];)
PERMUTE(doubles, double, y[((i * h + k) * w + l) * c + j] =
                             x[((i * c + j) * h + k) * w + l];)
PERMUTE(bytes, int8_t, y[((i * h + k) * w + l) * c + j] =
                           x[((i * c + j) * h + k) * w + l];)
// Images last.
PERMUTE(images, float, y[((j * h + k) * w + l) * n + i] =
                           x[((i * c + j) * h + k) * w + l];)
// Rows of images.
PERMUTE(rows, float, y[((i * c + j) * w + l) * h + k] =
                         x[((j * h + k) * n + i) * w + l];)
// Elements are read twice, and the second ones are neighbours of others.
PERMUTE(added, float, y[((i * h + k) * w + l) * c + j] =
                          x[((i * c + j) * h + k) * w + l] +
                          x[((i * c + j) * w + l) * h + k];)
// Rounds of one loop read what those of another one have written.
PERMUTE(itself, float, y[((i * h + k) * w + l) * c + j] =
                           x[((i * c + j) * h + k) * w + l] +
                           y[((i * c + j) * h + k) * w + l];)
#else
enum { Most = 23, Room = 3 * Most * Most * Most };
#define ALL(X)                                                                 \
  X(last, float)                                                               \
  X(bias, float) X(doubles, double) X(bytes, int8_t) X(images, float)          \
      X(rows, float) X(added, float) X(itself, float)
static int runs, different;
#define COMPARE(F, T)                                                          \
  void made_##F ARGS(T), plain_##F ARGS(T);                                    \
  static void compare_##F(int n, int c, int h, int w, int by) {                \
    static T arrays[2][2 * Room + Most];                                       \
    for (int k = 0; k < 2; k++) {                                              \
      T *a = arrays[k], *x = a + n * c * h * w + by;                           \
      for (int i = 0; i < 2 * Room + Most; i++)                                \
        a[i] = (T)(i * 7 % 127);                                               \
      (k ? plain_##F : made_##F)(a, by ? x : a + Room, a + 2 * Room, n, c, h,  \
                                 w);                                           \
    }                                                                          \
    runs++;                                                                    \
    different += memcmp(arrays[0], arrays[1], sizeof arrays[0]) != 0;          \
  }
ALL(COMPARE)

int main(void) {
  static const int sizes[] = {0, 1, 4, 9, 16, 23};
  for (int n = 1; n < 4; n++)
    for (int c = 0; c < 6; c++)
      for (int h = 0; h < 6; h += n)
        for (int w = 0; w < 6; w++)
          // Apart, and one array a few elements into the other.
          for (int by = -9; by <= 0; by += 3 * n) {
#define CALL(F, T) compare_##F(n, sizes[c], sizes[h], sizes[w], by + by % 2);
            if (by == 0 || n * sizes[c] * sizes[h] * sizes[w] > 9) {
              ALL(CALL)
            }
          }
  printf("%d runs, %d different\n", runs, different);
}
#endif
