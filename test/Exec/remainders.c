// Tiles and unrolled loops whose remainders are under conditions.
// RUN: %clang_dl -O3 -march=native -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=x86-64 -DPART -c %s -o %t.o
// RUN: %clang -O1 -march=x86-64 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK-COUNT-12: matmul.n{{[nt]}} f32
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL(X)                                                                 \
  X(tiles) X(some_tiles) X(update) X(last_step) X(last_column) X(last_row)     \
  X(buffered) X(block) X(rounded) X(rounded_columns) X(halves) X(given_end)
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS                                                                   \
  (long m, long n, long k, const float *a, const float *b, float *c, long tiles)

#ifdef PART
#define SUM(I, J)                                                              \
  float s = 0;                                                                 \
  for (long l = 0; l < k; l++)                                                 \
    s += a[(I) * k + l] * b[l * n + (J)];                                      \
  c[(I) * n + (J)] = s;

void NAMED(NAME, tiles) ARGS {
  for (long io = 0; io < m; io += 8)
    for (long jo = 0; jo < n; jo += 16)
      for (long i = io; i < io + 8; i++)
        if (i < m)
          for (long j = jo; j < jo + 16; j++)
            if (j < n) {
              SUM(i, j)
            }
}
void NAMED(NAME, some_tiles) ARGS {
  for (long io = 0; io < tiles; io++)
    for (long i = 0; i < 8; i++)
      if (io * 8 + i < m)
        for (long j = 0; j < n; j++) {
          SUM(io * 8 + i, j)
        }
}
void NAMED(NAME, update) ARGS {
  for (long io = 0; io < m; io += 16)
    for (long jo = 0; jo < n; jo += 16)
      for (long lo = 0; lo < k; lo += 16)
        for (long i = io; i < io + 16; i++)
          for (long j = jo; j < jo + 16; j++)
            for (long l = lo; l < lo + 16; l++)
              if (i < m && j < n && l < k)
                c[i * n + j] += a[i * k + l] * b[l * n + j];
}
void NAMED(NAME, last_step) ARGS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      long l = 0;
      for (; l + 1 < k; l += 2) {
        s += a[i * k + l] * b[l * n + j];
        s += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
      if (l < k)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
void NAMED(NAME, last_column) ARGS {
  for (long i = 0; i < m; i++) {
    long j = 0;
    for (; j + 1 < n; j += 2) {
      float s = 0, t = 0;
      for (long l = 0; l < k; l++) {
        s += a[i * k + l] * b[l * n + j];
        t += a[i * k + l] * b[l * n + j + 1];
      }
      c[i * n + j] = s;
      c[i * n + j + 1] = t;
    }
    if (j < n) {
      SUM(i, j)
    }
  }
}
void NAMED(NAME, last_row) ARGS {
  for (long i = 0; i < m; i++) {
    long l = 0;
    for (; l + 1 < k; l += 2)
      for (long j = 0; j < n; j++) {
        c[i * n + j] += a[i * k + l] * b[l * n + j];
        c[i * n + j] += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
    if (l < k)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}
void NAMED(NAME, buffered) ARGS {
  float row[16];
  for (long io = 0; io < m; io += 16)
    for (long jo = 0; jo < n; jo += 16)
      for (long i = io; i < io + 16 && i < m; i++) {
        for (long j = jo; j < jo + 16 && j < n; j++) {
          float s = 0;
          for (long l = 0; l < k; l++)
            s += b[j * k + l] * a[i * k + l];
          row[j - jo] = s;
        }
        for (long j = jo; j < jo + 16 && j < n; j++)
          c[i * n + j] = row[j - jo];
      }
}
void NAMED(NAME, block) ARGS {
  float row[16];
  for (long io = 0; io < m; io += 16)
    for (long jo = 0; jo < n; jo += 16)
      for (long i = io; i < io + 16 && i < m; i++) {
        for (long j = jo; j < jo + 16 && j < n; j++) {
          float s = 0;
          for (long l = 0; l < k; l++)
            s += b[j * k + l] * a[i * k + l];
          row[j - jo] = s;
        }
        memcpy(c + i * n + jo, row,
               ((jo + 16 < n ? jo + 16 : n) - jo) * sizeof *c);
      }
}
// What is unrolled ends where it was said to.
#define STEP(L) s += a[i * k + (L)] * b[(L) * n + j];
void NAMED(NAME, rounded) ARGS {
  long end = k & ~3L;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < end; l += 4) {
        STEP(l) STEP(l + 1) STEP(l + 2) STEP(l + 3)
      }
      for (long l = end; l < k; l++)
        STEP(l)
      c[i * n + j] = s;
    }
}
void NAMED(NAME, rounded_columns) ARGS {
  long end = n / 2 * 2;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < end; j += 2) {
      float s = 0, t = 0;
      for (long l = 0; l < k; l++) {
        s += a[i * k + l] * b[l * n + j];
        t += a[i * k + l] * b[l * n + j + 1];
      }
      c[i * n + j] = s;
      c[i * n + j + 1] = t;
    }
    for (long j = end; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        STEP(l)
      c[i * n + j] = s;
    }
  }
}
void NAMED(NAME, halves) ARGS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k / 2 * 2; l += 2) {
        STEP(l) STEP(l + 1)
      }
      if (k % 2)
        STEP(k - 1)
      c[i * n + j] = s;
    }
}
void NAMED(NAME, given_end) ARGS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < tiles; l += 4) {
        STEP(l) STEP(l + 1) STEP(l + 2) STEP(l + 3)
      }
      for (long l = tiles; l < k; l++)
        STEP(l)
      c[i * n + j] = s;
    }
}
#else
#define DECLARE(F)                                                             \
  void made_##F ARGS;                                                          \
  void plain_##F ARGS;
ALL(DECLARE)
typedef void kernel ARGS;
#define ENTRY(F) {made_##F, plain_##F},
static kernel *kernels[][2] = {ALL(ENTRY)};

enum { Size = 3 * 64 * 64 };
static float start[Size], one[Size], two[Size];

int main() {
  unsigned long runs = 0, different = 0;
  for (long i = 0; i < Size; i++)
    start[i] = (float)(rand() % 1000 - 500) / 8;
  for (int t = 0; t < 200; t++)
    for (size_t f = 0; f < sizeof kernels / sizeof *kernels; f++) {
      long m = rand() % 50 - 2, n = rand() % 50 - 2, k = rand() % 50 - 2;
      // Of tiles: all, or some.
      long tiles = rand() % 2 ? (m + 7) / 8 : rand() % 7 - 1;
      // Rounded towards 0 or not, a negative number of steps is some.
      if (f >= 8)
        m = labs(m), n = labs(n), k = labs(k), tiles = rand() % 13;
      // Apart, or over each other.
      long at = rand() % 4 ? 8192 : 4096 - rand() % 1000;
      memcpy(one, start, sizeof start);
      memcpy(two, start, sizeof start);
      kernels[f][0](m, n, k, one, one + 4096, one + at, tiles);
      kernels[f][1](m, n, k, two, two + 4096, two + at, tiles);
      runs++, different += memcmp(one, two, sizeof one) != 0;
    }
  printf("%lu runs, %lu different\n", runs, different);
}
#endif
