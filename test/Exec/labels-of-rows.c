// Losses of rows, exactly: sums of rows are lanes, and each row then reads its
// label's element, which an earlier one may have written; labels that are errno.
// RUN: %clang_dl -O3 -march=x86-64-v3 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O3 -march=x86-64-v3 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O3 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// REQUIRES: native-x86, avx2
// REMARK: cross-entropy f32, {{.*}}: exact, iterations of i in
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef PART
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
void NAMED(NAME, loss)(int m, int n, const float *x, const int *at, int step,
                       float *y) {
  for (int i = 0; i < m; i++) {
    float max = -INFINITY, sum = 0;
    for (int j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    for (int j = 0; j < n; j++)
      sum += expf(x[i * n + j] - max);
    y[i] = logf(sum) + max - x[i * n + at[i * step]];
  }
}
#else
void made_loss(int, int, const float *, const int *, int, float *);
void plain_loss(int, int, const float *, const int *, int, float *);

enum { Rows = 40, Columns = 70, Size = Rows * Columns + 2 * Rows + 64 };
static float first[Size], second[Size];
static int runs, different;

static void compare(int m, int n, int back, const int *at, int step) {
  float *arrays[] = {first, second};
  int errors[2];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < Size; i++)
      arrays[k][i] = (float)((i * 7919) % 2003) * (i % 31 ? 0.002f : 0.2f);
    errno = 0;
    (k ? plain_loss : made_loss)(m, n, arrays[k], at, step,
                                 arrays[k] + m * n - back);
    errors[k] = errno;
  }
  runs++;
  different += errors[0] != errors[1] || memcmp(first, second, sizeof first);
}

int main(void) {
  static int at[Rows];
  for (int m = 0; m < Rows; m += 3)
    for (int n = 1; n < Columns; n += 4)
      // Where y begins: behind the rows, or in front of the end of the last.
      for (int back = 0; back <= m && back <= 8; back += 4) {
        // What the row before has written, or an element of the row.
        for (int i = 0; i < m; i++)
          at[i] = i % 5 ? m * n - back + i - 1 - i * n : i % n;
        compare(m, n, back, at, 1);
      }
  for (int m = 1; m < Rows; m += 3)
    for (int n = 1; n < Columns; n += 4) {
      compare(m, n, 0, &errno, 0);
      compare(m, n, 0, at, 0);
    }
  printf("%d runs, %d different\n", runs, different);
}
#endif
