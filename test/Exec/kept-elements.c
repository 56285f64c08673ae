// Elements that loops read and store again, under conditions or not, behind a store that
// always happens or in front of one: pooling over channels that lie together, sums and
// means in memory. The bits of plain clang, for rows that fill no vector, too.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -march=haswell -ffp-contract=off
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// REMARK-COUNT-6: exact, {{iterations of|by the script}}
#define ARGUMENTS                                                                        \
  (long n, long m, long rows, float *restrict y, const float *restrict x)
#ifdef KERNEL
float fmaxf(float, float);
#define ROW for (long r = 0; r < rows; r++)
void NAME(greatest) ARGUMENTS {
  for (long i = 0; i < n; i++)
    ROW {
      y[r * n + i] = x[r * n + i];
      for (long j = 0; j < m; j++)
        if (y[r * n + i] < x[(r + j) * n + i])
          y[r * n + i] = x[(r + j) * n + i];
    }
}
void NAME(mean) ARGUMENTS {
  for (long i = 0; i < n; i++)
    ROW {
      int count = 0;
      for (long j = 0; j < m; j++)
        if (x[(r + j) * n + i] > -1) {
          y[r * n + i] += x[(r + j) * n + i];
          count++;
        }
      y[r * n + i] /= count;
    }
}
void NAME(sum) ARGUMENTS {
  for (long i = 0; i < n; i++)
    ROW for (long j = 0; j < m; j++) y[r * n + i] += x[(r + j) * n + i];
}
// The loop over the columns is the innermost one.
void NAME(columns) ARGUMENTS {
  ROW for (long j = 0; j < m; j++) for (long i = 0; i < n; i++) y[r * n + i] +=
      x[(r + j) * n + i];
}
// Loops inside each other store it, and nothing else does.
void NAME(window) ARGUMENTS {
  ROW for (long i = 0; i < n; i++) for (long j = 0; j < m; j++) for (long k = 0; k < 3; k++)
      y[r * n + i] += x[(r + j) * n + i + k] * x[j * 3 + k];
}
void NAME(number) ARGUMENTS {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < 11 * m; j++)
      y[i] = fmaxf(y[i], x[i * 40 + j]);
}
// Stored in front and behind, read in between, and once more at the end.
void NAME(twice) ARGUMENTS {
  for (long i = 0; i < n; i++)
    ROW {
      y[r * n + i] *= 0.5f;
      for (long j = 0; j < m; j++)
        if (x[(r + j) * n + i] < y[r * n + i])
          y[r * n + i] -= x[(r + j) * n + i];
      y[r * n + i] += 1;
      for (long j = 0; j < m; j++)
        y[r * n + i] = y[r * n + i] * x[(r + j) * n + i] + 0.25f;
    }
}
#else
#include <math.h>
#include <stdio.h>
#include <string.h>
typedef void Kernel ARGUMENTS;
enum { SIZE = 6000 };
static float X[SIZE], Y[2][SIZE];
static int runs = 0, bad = 0;
static void compare(Kernel *plain, Kernel *made, long n, long m, long rows) {
  for (int i = 0; i < SIZE; i++)
    Y[0][i] = Y[1][i] = (i % 13 - 6) / 3.0f;
  plain(n, m, rows, Y[0], X);
  made(n, m, rows, Y[1], X);
  runs++;
  for (int i = 0; i < SIZE; i++)
    bad += memcmp(&Y[0][i], &Y[1][i], sizeof(float)) &&
           (Y[0][i] == Y[0][i] || Y[1][i] == Y[1][i]);
}
#define COMPARE(F)                                                                       \
  Kernel plain_##F, made_##F;                                                            \
  compare(plain_##F, made_##F, n, m, rows)
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < SIZE; i++)
    X[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f;
  X[70] = NAN, X[140] = INFINITY, X[100] = -0.0f, X[333] = -INFINITY;
  static const long Columns[] = {0, 1, 2, 3, 5, 7, 8, 15, 16, 17, 20, 31, 33, 64, 70, 133};
  for (int c = 0; c < 16; c++)
    for (long m = 0; m < 6; m++)
      for (long rows = 0; rows < 9; rows += 4) {
        long n = Columns[c];
        COMPARE(greatest);
        COMPARE(mean);
        COMPARE(sum);
        COMPARE(columns);
        COMPARE(window);
        COMPARE(number);
        COMPARE(twice);
      }
  // CHECK: 2016 runs, 0 different
  printf("%d runs, %d different\n", runs, bad);
}
#endif
