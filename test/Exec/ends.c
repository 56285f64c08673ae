// Loops that end at the smallest of several numbers, one of them a quotient, and have a
// round before the first test: of no rows, no length, less than a row of it, and more.
//
// REQUIRES: native-x86
// RUN: %clang -O2 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O2 -DKERNEL -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -o %t
// RUN: %t
// REMARK-DAG: matmul.nn f32
// REMARK-DAG: matmul.nt f32
// REMARK-DAG: matmul.nn f32, {{.*}} x 32: exact
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS                                                                   \
  (unsigned long rows, unsigned long length, unsigned long n, unsigned long k, \
   const float *a, const float *b, float *c)
#ifdef KERNEL
// Steps: the rows of b that there are, k at most.
void NAMED(NAME, steps) ARGS {
  for (unsigned long i = 0; i < rows; i++) {
    unsigned long whole = length / n, end = whole < k ? whole : k, j = 0;
    if (n <= length)
      do
        for (unsigned long l = 0; l < n; l++)
          c[i * n + l] += a[i * k + j] * b[j * n + l];
      while (++j < end);
  }
}
// Columns: the rows of b that there are, n at most, and no more than k.
void NAMED(NAME, columns) ARGS {
  for (unsigned long i = 0; i < rows; i++) {
    unsigned long whole = length / k, end = whole < n ? whole : n, j = 0;
    end = k < end ? k : end;
    if (end != 0)
      do {
        float s = 0;
        for (unsigned long l = 0; l < k; l++)
          s += a[i * k + l] * b[j * k + l];
        c[i * n + j] = s;
      } while (++j < end);
  }
}
// A bound that is negative with a sign is the larger one without, and the loop begins
// in front of zero.
void NAMED(NAME, below) ARGS {
  for (unsigned long i = 0; i < rows; i++) {
    unsigned long far = length - 8 * k, near = n - 1;
    unsigned long end = far < near ? far : near;
    for (unsigned long j = -3ul; j != end; j++)
      for (unsigned long l = 0; l < 32; l++)
        c[i * 32 + l] += a[i * 64 + j + 3] * b[(j + 3) * 32 + l];
  }
}
#else
#include <stdio.h>
#include <string.h>

typedef void Run ARGS;
Run plain_steps, made_steps, plain_columns, made_columns, plain_below,
    made_below;

int main(void) {
  enum { Most = 40, Size = Most * Most * 4 };
  static float a[Size], b[Size], c[2][Size];
  Run *const runs[3][2] = {{plain_steps, made_steps},
                           {plain_columns, made_columns},
                           {plain_below, made_below}};
  unsigned long ends[] = {0, 1, 2, 17, Most};
  for (int i = 0; i < Size; i++)
    a[i] = (float)(i * 37 % 101) - 49.3f, b[i] = (float)(i * 53 % 89) / 7;
#define EACH(X) for (int X = 0; X < 5; X++)
  EACH(f) EACH(i) EACH(j) EACH(l) {
    // Where there are rows, something is divided by n or k.
    unsigned long rows = ends[i], n = ends[j], k = ends[l];
    if (f > 2 || (rows && !(f == 1 ? k : n)))
      continue;
    for (unsigned long length = 0; length <= Size; length += length < 50 ? 7 : 1500) {
      memset(c, 0, sizeof(c));
      for (int x = 0; x < 2; x++)
        runs[f][x](rows, length, n, k, a, b, c[x]);
      if (memcmp(c[0], c[1], sizeof(c[0]))) {
        printf("%d differs: %lu rows, %lu, %lu x %lu\n", f, rows, length, n, k);
        return 1;
      }
    }
  }
}
#endif
