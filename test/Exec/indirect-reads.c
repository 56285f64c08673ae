// Rows that read what earlier rows have written, at loaded indices; beside what
// is read along the rows, and inside of it.
// RUN: %clang_dl -O3 -ffast-math -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O3 -ffast-math -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -ffast-math -march=native -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o %t.plain.o -lm -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK: reduce f32, {{.*}}: reassociated, iterations of j in
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef PART
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
// Of rows of zeros all that is computed is exact.
void NAMED(NAME, loss)(int m, int n, const float *x, const int *at, float *y) {
  for (int i = 0; i < m; i++) {
    float sum = 0;
    for (int j = 0; j < n; j++)
      sum += expf(x[i * n + j]);
    y[i] = sum + x[i * n + at[i]];
  }
}
#else
void made_loss(int, int, const float *, const int *, float *);
void plain_loss(int, int, const float *, const int *, float *);

int main(void) {
  enum { Rows = 40, Columns = 200, Size = Rows * Columns + 2 * Rows };
  static float first[Size], second[Size];
  static int at[Rows];
  int runs = 0, different = 0;
  for (int m = 0; m < Rows; m += 3)
    for (int n = 1; n < Columns; n += 13)
      // Where y begins: behind the rows, or in front of the end of the last.
      for (int back = 0; back <= m && back <= 8; back += 4) {
        float *arrays[] = {first, second};
        for (int k = 0; k < 2; k++) {
          float *x = arrays[k], *y = x + m * n - back;
          memset(x, 0, sizeof first);
          y[0] = 0.5f;
          for (int i = 0; i < m; i++)
            at[i] = (int)(y - x) + (i ? i - 1 : 0) - i * n;
          (k ? plain_loss : made_loss)(m, n, x, at, y);
        }
        runs++;
        different += memcmp(first, second, sizeof first) != 0;
      }
  printf("%d runs, %d different\n", runs, different);
}
#endif
