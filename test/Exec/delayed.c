// Pointers and indices that each round computes for the next one: from a count
// that goes down, from the axis, or not at all.
// RUN: %clang_dl -O3 -march=native -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -fno-strict-overflow -DPART -c %s -o %t.o
// RUN: %clang -O1 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK-DAG: matmul.nn f32, argument 1 x argument 2 x argument 3: exact, tile
// REMARK-DAG: matvec f32, argument 1 x argument 3: exact, tile
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALL(X) X(columns) X(rows) X(bytes) X(first_differs)
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS                                                                   \
  (unsigned short m, unsigned short n, unsigned short k, const float *a,       \
   const float *b, float *c)

#ifdef PART
// As signal processing libraries for small machines spell a product.
void NAMED(NAME, columns) ARGS {
  const float *row = a, *p, *q;
  unsigned at = 0, i = m, j, l;
  do {
    float *to = c + at;
    j = n;
    q = b;
    do {
      float s = 0;
      p = row;
      l = k;
      while (l > 0) {
        s += *p++ * *q;
        q += n;
        l--;
      }
      *to++ = s;
      j--;
      q = b + (n - j);
    } while (j > 0);
    at += n;
    row += k;
    i--;
  } while (i > 0);
}

void NAMED(NAME, rows) ARGS {
  unsigned at = 0;
  const float *x = b;
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += a[at + l] * x[l];
    c[i] = s;
    at = i * k + k;
    x = b;
  }
}

// An index of eight bits wraps.
void NAMED(NAME, bytes) ARGS {
  unsigned char at = 0;
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += a[at * 3 + l];
    c[i] = s;
    at = 7 * i + 7;
  }
}

// The first row is that behind the last one.
void NAMED(NAME, first_differs) ARGS {
  const float *row = a + m * k;
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int l = 0; l < k; l++)
      s += row[l] * b[l];
    c[i] = s;
    row = a + (i + 1) * k;
  }
}
#else
#define DECLARE(F) void made_##F ARGS; void plain_##F ARGS;
ALL(DECLARE)
typedef void Kernel ARGS;
#define PAIR(F) {made_##F, plain_##F},
static Kernel *const kernels[][2] = {ALL(PAIR)};

enum { Size = 16384 };
static float start[Size], one[Size], two[Size];

int main() {
  unsigned long runs = 0, different = 0;
  for (long i = 0; i < Size; i++)
    start[i] = (float)(rand() % 1000 - 500) / 8;
  for (int t = 0; t < 400; t++)
    for (size_t f = 0; f < sizeof kernels / sizeof *kernels; f++) {
      unsigned short m = rand() % 60 + 1, n = rand() % 60 + 1, k = rand() % 60;
      // Apart, or over each other.
      long at = rand() % 4 ? 8192 : rand() % 8192;
      memcpy(one, start, sizeof start);
      memcpy(two, start, sizeof start);
      kernels[f][0](m, n, k, one, one + 4096, one + at);
      kernels[f][1](m, n, k, two, two + 4096, two + at);
      runs++, different += memcmp(one, two, sizeof one) != 0;
    }
  printf("%lu runs, %lu different\n", runs, different);
}
#endif
