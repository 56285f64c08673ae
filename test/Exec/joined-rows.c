// Rows of several groups, which are rows together where groups follow each other: of all
// small numbers of groups and rows, none and less than none, too.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -lm -o %t.dl -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 %s -lm -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// CHECK-COUNT-8: exact, iterations of
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(NAME)                                                             \
  __attribute__((noinline)) static void NAME(                                  \
      float *restrict y, float *restrict x, float *restrict r, int l, int m,   \
      int n, int ld)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define X x[(b * m + i) * n + j]
#define Y y[(b * m + i) * n + j]

// As in llm.c.
ROWS(layernorm) {
  FOR(b, l) FOR(i, m) {
    float *row = x + b * m * n + i * n, mean = 0, var = 0;
    FOR(j, n) mean += row[j];
    mean /= n;
    FOR(j, n) var += (row[j] - mean) * (row[j] - mean);
    float scale = 1 / sqrtf(var / n + 1e-5f);
    float *to = y + b * m * n + i * n;
    FOR(j, n) to[j] = scale * (row[j] - mean) * r[j] + r[n + j];
  }
}
// With a scale of each row of a group, which are four channels.
ROWS(groupnorm) {
  FOR(b, l) FOR(i, m) {
    float mean = 0, var = 0;
    FOR(c, 4) FOR(j, n) mean += x[((b * m + i) * 4 + c) * n + j];
    mean /= 4 * n;
    FOR(c, 4) FOR(j, n) {
      float d = x[((b * m + i) * 4 + c) * n + j] - mean;
      var += d * d;
    }
    float scale = 1 / sqrtf(var / (4 * n) + 1e-5f);
    FOR(c, 4) FOR(j, n) y[((b * m + i) * 4 + c) * n + j] =
        (x[((b * m + i) * 4 + c) * n + j] - mean) * scale * r[i * 4 + c] +
        r[4 * m + b];
  }
}
ROWS(in_place) {
  FOR(b, l) FOR(i, m) {
    float s = 0;
    FOR(j, n) s += X;
    r[b * m + i] = s;
    FOR(j, n) X /= s;
  }
}
ROWS(log_softmax) {
  FOR(b, l) FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = fmaxf(max, X);
    FOR(j, n) sum += expf(X - max);
    float shift = max + logf(sum);
    FOR(j, n) Y = X - shift;
  }
}
// Groups that do not follow each other, of what is read and of what is written.
ROWS(apart) {
  FOR(b, l) FOR(i, m) {
    float s = 0;
    FOR(j, n) s += x[b * ld + i * n + j];
    y[b * m + i] = s;
  }
}
ROWS(to_columns) {
  FOR(b, l) FOR(i, m) {
    float s = 0;
    FOR(j, n) s += X;
    y[i * l + b] = s;
  }
}
// What is done once a row asks for its group.
ROWS(of_groups) {
  FOR(b, l) FOR(i, m) {
    float s = r[b];
    FOR(j, n) s += X;
    y[b * m + i] = s * r[l + i];
  }
}
// Channels that are divided into groups, which may leave some.
ROWS(divided) {
  if (m < 1)
    return;
  int size = n / m;
  FOR(b, l) FOR(i, m) {
    float s = 0;
    FOR(c, size) FOR(j, 5) s += x[(b * n + i * size + c) * 5 + j];
    FOR(c, size) FOR(j, 5) y[(b * n + i * size + c) * 5 + j] =
        (x[(b * n + i * size + c) * 5 + j] - s) * r[i * size + c];
  }
}
// What is read inside of the loops is read only where they run: the arrays in each
// group, and in each row.
static float *Arrays[2], **volatile Where;
ROWS(from_group) {
  float **from = Where;
  FOR(b, l) {
    float *a = from[0], *c = from[1];
    FOR(i, m) {
      float s = 0;
      FOR(j, n) s += a[(b * m + i) * n + j];
      c[b * m + i] = s;
    }
  }
}
ROWS(from_row) {
  float **from = Where;
  FOR(b, l) FOR(i, m) {
    float *a = from[0], *c = from[1], s = 0;
    FOR(j, n) s += a[(b * m + i) * n + j];
    c[b * m + i] = s;
  }
}

typedef void kernel(float *, float *, float *, int, int, int, int);
#define ALL(F)                                                                 \
  F(layernorm) F(groupnorm) F(in_place) F(log_softmax) F(apart) F(to_columns)  \
  F(of_groups) F(divided) F(from_group) F(from_row)
#define ENTRY(NAME) {#NAME, NAME},
static const struct {
  const char *Name;
  kernel *F;
} Kernels[] = {ALL(ENTRY)};

enum { MOST = 9, LONGEST = 75, SIZE = 4 * MOST * MOST * LONGEST };
static float A[SIZE], B[SIZE], R[SIZE];

static float number(void) { return (float)rand() / (float)RAND_MAX * 8 - 4; }

static unsigned hash(unsigned h, const void *p, size_t n) {
  for (const char *c = p; n; n -= sizeof h, c += sizeof h) {
    unsigned word;
    memcpy(&word, c, sizeof word);
    h = (h ^ word) * 16777619u;
  }
  return h;
}

int main(void) {
  static const int Lengths[] = {1, 7, 16, 75};
  for (size_t k = 0; k < sizeof Kernels / sizeof *Kernels; k++)
    for (int l = -3; l < MOST; l += l < 3 ? 1 : 5)
      for (int m = -3; m < MOST; m++) {
        unsigned h = 2166136261u;
        for (size_t i = 0; i < sizeof Lengths / sizeof *Lengths; i++) {
          int n = Lengths[i];
          FOR(e, SIZE) A[e] = number(), B[e] = 1, R[e] = 2 + e % 5;
          Arrays[0] = A, Arrays[1] = B, Where = l > 0 ? Arrays : 0;
          Kernels[k].F(B, A, R, l, m, n, m * n + 3);
          h = hash(h, A, sizeof A);
          h = hash(h, B, sizeof B);
          h = hash(h, R, sizeof R);
        }
        printf("%s %d %d %08x\n", Kernels[k].Name, l, m, h);
      }
}
