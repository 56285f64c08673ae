// Functions of rows that do not fill the lanes, with lanes along each row: long rows and
// short ones, what a block of columns leaves, elements that the sums need, too, numbers of
// each row, errno, rows that end at a page that must not be touched, elements that are
// narrower than results.
// REQUIRES: native-x86
// RUN: %clang    -O2 -march=native %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O2 -march=native %s -lm -o %t.dl -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 -mavx2 -mfma %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O2 -mavx2 -mfma %s -lm -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 %s -lm -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// CHECK-COUNT-8: exact, iterations of
#include "Planted/Inputs/planted.h"
#include <errno.h>
#include <math.h>

#define ROWS(NAME)                                                             \
  NOINLINE void NAME(float *y, const float *x, const float *r, int m, int n)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define X x[i * n + j]

ROWS(logs) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = X > max ? X : max;
    FOR(j, n) sum += expf(X - max);
    y[i] = max + logf(sum);
  }
}

// The element beside its function, and a number of the row in memory.
ROWS(entropies) {
  FOR(i, m) {
    float sum = 0, dot = 0;
    FOR(j, n) {
      float e = expf(X - r[i]);
      sum += e;
      dot += e * X;
    }
    y[i] = logf(sum) - dot / sum;
  }
}

// Rows from the last one on.
ROWS(backwards) {
  FOR(i, m) {
    float sum = 0;
    FOR(j, n) sum += expf(x[(m - 1 - i) * n + j] * r[i]);
    y[i] = sum;
  }
}

// Overflows set errno, of one row or none.
ROWS(overflows) {
  FOR(i, m) {
    float sum = 0;
    FOR(j, n) sum += expf(X * 30);
    y[i] = sum;
  }
}

// An array is read by what writes the row, in place, too.
ROWS(written) {
  FOR(i, m) {
    float sum = 0;
    FOR(j, n) sum += tanhf(X);
    FOR(j, n) y[i * n + j] = X - sum;
  }
}

// A function of two arrays' elements.
ROWS(of_two) {
  FOR(i, m) {
    float sum = 0;
    FOR(j, n) sum += expf(X * r[i * n + j]);
    y[i] = sum;
  }
}

// Numbers that are narrower than what the function makes of them, and halves for which the
// target has no registers.
#define NARROW(NAME, T, MOST)                                                  \
  ROWS(NAME) {                                                                 \
    typedef T __attribute__((may_alias)) Narrow;                               \
    const Narrow *w = (const Narrow *)x;                                       \
    FOR(i, m) {                                                                \
      float sum = 0;                                                           \
      FOR(j, n) {                                                              \
        float e = (float)w[i * n + j] / MOST;                                  \
        e = e > -4 ? e < 4 ? e : 4 : -4;                                       \
        sum += expf(e * r[i]) * e;                                             \
      }                                                                        \
      y[i] = sum;                                                              \
    }                                                                          \
  }
NARROW(of_bytes, signed char, 64)
NARROW(of_shorts, short, 9999)
NARROW(of_halves, __bf16, 1)

static void run(void (*f)(float *, const float *, const float *, int, int),
                int m, int n, int in_place) {
  Seed = 7;
  float *x = array((long)m * n), *r = array((long)m * n + m), *y = array((long)m * n + m);
  // The last row has one element that overflows, now and then.
  if (n % 2)
    x[(long)m * n - 1 - n / 2] = 3.5f;
  errno = 0;
  f(in_place ? x : y, x, r, m, n);
  printf("%d %d %d ", m, n, errno);
  show(in_place ? x : y, in_place ? (long)m * n : (long)m * n + m);
  munmap((void *)((long)x & -PAGE), ((long)m * n * 4 + PAGE - 1) / PAGE * PAGE);
  munmap((void *)((long)y & -PAGE), (((long)m * n + m) * 4 + PAGE - 1) / PAGE * PAGE);
  munmap((void *)((long)r & -PAGE), (((long)m * n + m) * 4 + PAGE - 1) / PAGE * PAGE);
}

int main(void) {
  static const int lengths[] = {1, 9, 31, 32, 40, 63, 64, 65, 79, 127, 128, 129, 140, 159, 272, 301};
  for (unsigned l = 0; l != sizeof lengths / sizeof *lengths; ++l)
    for (int m = 1; m < 36; m += m < 18 ? 1 : 5) {
      run(logs, m, lengths[l], 0);
      run(entropies, m, lengths[l], 0);
      run(backwards, m, lengths[l], 0);
      run(overflows, m, lengths[l], 0);
      run(written, m, lengths[l], 0);
      run(written, m, lengths[l], 1);
      run(of_two, m, lengths[l], 0);
      run(of_bytes, m, lengths[l], 0);
      run(of_shorts, m, lengths[l], 0);
      run(of_halves, m, lengths[l], 0);
    }
}
