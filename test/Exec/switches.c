// What is computed is chosen by a switch: on an argument, around the loops and
// in them, or on data.
// RUN: %clang_dl -O3 -march=native -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -DPART -c %s -o %t.o
// RUN: %clang -O1 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK-DAG: matmul.nn f32, argument 1 x argument 2 x argument 3: exact, tile
// REMARK-DAG: matmul.nn f32, argument 1 x argument 2 x argument 3: exact, tile
// REMARK-DAG: generic f32, argument 1 x argument 2 x argument 3: exact, iterations of j
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL(X) X(started) X(activated) X(chosen) X(by_data)
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS                                                                   \
  (long m, long n, long k, const float *a, const float *b, const float *d,     \
   const int *kind, float *c, int which, float scale)

#ifdef PART
// A start value for all, per row, per column or per element, or none.
void NAMED(NAME, started) ARGS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (d) {
        if (which == 0)
          s = d[0];
        if (which == 1)
          s = d[i];
        if (which == 2)
          s = d[i];
        if (which == 3)
          s = d[i * n + j];
        if (which == 4)
          s = d[j];
        s *= scale;
      }
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s * scale;
    }
}
// What is done to the sum.
void NAMED(NAME, activated) ARGS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      switch (which) {
      case 1:
        s = s > 0 ? s : 0;
        break;
      case 2:
        s = s > 0 ? s : s * scale;
        break;
      case 3:
        s = s < -scale ? -scale : s > scale ? scale : s;
        break;
      case 7:
        s = s * d[j];
        break;
      default:
        break;
      }
      c[i * n + j] = s;
    }
}
// What is added up.
void NAMED(NAME, chosen) ARGS {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        switch (which) {
        case 0:
          s += a[i * k + l] * b[l * n + j];
          break;
        case 1:
          s -= a[i * k + l] * b[l * n + j];
          break;
        case 2:
        case 3:
          s += a[i * k + l];
          break;
        }
      c[i * n + j] = s;
    }
}
void NAMED(NAME, by_data) ARGS {
  for (long i = 0; i < m * n; i++)
    switch (kind[i]) {
    case 0:
      c[i] = d[i];
      break;
    case 1:
      c[i] = -d[i];
      break;
    case 4:
      c[i] = d[i] * scale;
      break;
    default:
      c[i] = d[i] + c[i];
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

enum { Size = 4 * 64 * 64 };
static float start[Size], one[Size], two[Size];
static int kinds[64 * 64];

int main() {
  unsigned long runs = 0, different = 0;
  for (long i = 0; i < Size; i++)
    start[i] = (float)(rand() % 1000 - 500) / 8;
  for (long i = 0; i < 64 * 64; i++)
    kinds[i] = rand() % 6;
  for (int t = 0; t < 300; t++)
    for (size_t f = 0; f < sizeof kernels / sizeof *kernels; f++) {
      long m = rand() % 50, n = rand() % 50, k = rand() % 50;
      int which = rand() % 9 - 1;
      float scale = (float)(rand() % 9 - 4) / 2;
      // Apart, or over each other.
      long at = rand() % 4 ? 12288 : rand() % 12288;
      int none = f == 0 && rand() % 4 == 0;
      memcpy(one, start, sizeof start);
      memcpy(two, start, sizeof start);
      kernels[f][0](m, n, k, one, one + 4096, none ? 0 : one + 8192, kinds,
                    one + at, which, scale);
      kernels[f][1](m, n, k, two, two + 4096, none ? 0 : two + 8192, kinds,
                    two + at, which, scale);
      runs++, different += memcmp(one, two, sizeof one) != 0;
    }
  printf("%lu runs, %lu different\n", runs, different);
}
#endif
