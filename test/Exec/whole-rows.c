// Rows of which the last one may be shorter: an array of whole rows, of one element more
// or less, of none, and rows of none.
//
// REQUIRES: native-x86
// RUN: %clang -O2 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O2 -DKERNEL -DNAME=made -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -o %t
// RUN: %t
// REMARK-COUNT-3: sum f32, {{.*}} x argument 3: exact, iterations of i
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS                                                                   \
  (unsigned long rows, unsigned long t, unsigned long n, const float *x,       \
   float *y)
#ifdef KERNEL
#define EACH_ROW                                                               \
  for (unsigned long i = 0; i < rows; i++) {                                   \
    unsigned long start = i * n, left = t - start, end = n < left ? n : left;
void NAMED(NAME, sums) ARGS {
  EACH_ROW
    float s = 0;
    for (unsigned long j = 0; j < end; j++)
      s += x[start + j];
    y[i] = s;
  }
}
void NAMED(NAME, met) ARGS {
  EACH_ROW
    float s = -0.0f;
    unsigned long j = 0;
    if (left != 0)
      do
        s += x[start + j];
      while (++j != end);
    y[i] = s;
  }
}
void NAMED(NAME, left) ARGS {
  for (unsigned long left = t, i = 0; left != 0; i++) {
    unsigned long row = n < left ? n : left;
    float s = 0;
    for (unsigned long j = 0; j < row; j++)
      s += x[j];
    y[i] = s;
    x += row;
    left -= row;
  }
  y[rows] = 1;
}
#else
#include <stdio.h>
#include <string.h>

typedef void Run ARGS;
Run plain_sums, made_sums, plain_met, made_met, plain_left, made_left;

int main(void) {
  enum { Most = 50, Size = 4096 };
  static float x[Size], y[2][Size];
  Run *const runs[3][2] = {{plain_sums, made_sums},
                           {plain_met, made_met},
                           {plain_left, made_left}};
  for (int i = 0; i < Size; i++)
    x[i] = (float)(i * 37 % 101) - 49.3f;
  for (int f = 0; f < 3; f++)
    for (unsigned long rows = 0; rows <= Most; rows += rows < 3 ? 1 : 5)
      for (unsigned long n = f > 0; n <= 64; n += n < 4 ? 1 : 15)
        for (long more = -20; more <= 20; more += more < -1 || more > 0 ? 19 : 1) {
          // The first element of the last row, if any, is there.
          unsigned long t = rows * n + (unsigned long)more;
          if ((long)t < 0 || (rows && t < (rows - 1) * n))
            continue;
          memset(y, 0, sizeof(y));
          for (int i = 0; i < 2; i++)
            runs[f][i](rows, t, n, x, y[i]);
          if (memcmp(y[0], y[1], sizeof(y[0]))) {
            printf("%d differs: %lu rows of %lu, %lu\n", f, rows, n, t);
            return 1;
          }
        }
}
#endif
