// Rows of which two halves of the lanes have some: numbers and elements of rows, in
// place, backwards, under conditions, errno, of all counts up to some vectors.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -lm -o %t.dl -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 -mavx2 -mfma %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O2 -mavx2 -mfma %s -lm -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 %s -lm -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 %s -lm -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// CHECK-COUNT-12: exact, iterations of
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROWS(NAME)                                                             \
  __attribute__((noinline)) static void NAME(                                  \
      float *restrict y, float *restrict x, float *restrict r,                 \
      const int *restrict t, int m, int n)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define X x[i * n + j]
#define Y y[i * n + j]

ROWS(softmax) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = X > max ? X : max;
    FOR(j, n) {
      Y = expf(X - max);
      sum += Y;
    }
    FOR(j, n) Y /= sum;
  }
}
ROWS(log_softmax) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = fmaxf(max, X);
    FOR(j, n) sum += expf(X - max);
    float shift = max + logf(sum);
    FOR(j, n) Y = X - shift;
  }
}
ROWS(layernorm) {
  FOR(i, m) {
    float mean = 0, var = 0;
    FOR(j, n) mean += X;
    mean /= n;
    FOR(j, n) var += (X - mean) * (X - mean);
    float scale = 1 / sqrtf(var / n + 1e-5f);
    FOR(j, n) Y = (X - mean) * scale * r[j] + r[n + j];
  }
}
ROWS(in_place) {
  FOR(i, m) {
    float ss = 0;
    FOR(j, n) ss += X * X;
    float scale = 1 / sqrtf(ss / n + 1e-5f);
    r[i] = ss;
    FOR(j, n) X = X * scale;
  }
}
// Of neighbours both halves read some and write some.
ROWS(updates) {
  FOR(i, m) {
    float s = r[i];
    FOR(j, n) s += X;
    r[i] = s;
  }
}
ROWS(of_numbers) {
  FOR(i, m) {
    float s = 0;
    FOR(j, n) s += X * (float)(i * i + 3);
    y[i] = s;
  }
}
ROWS(backwards) {
  FOR(i, m) {
    float s = r[m - 1 - i];
    FOR(j, n) s = s * 0.5f + X;
    y[m - 1 - i] = s;
  }
}
ROWS(every_third) {
  FOR(i, m) {
    float s = r[3 * i];
    FOR(j, n) s += X;
    y[3 * i] = s;
  }
}
ROWS(where) {
  FOR(i, m) {
    float s = 0;
    FOR(j, n) s += X > 0 ? X : 0;
    if (t[i] > 0)
      y[i] = s;
  }
}
// The element of a row at a place that is read.
ROWS(cross_entropy) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = X > max ? X : max;
    FOR(j, n) sum += expf(X - max);
    y[i] = logf(sum) + max - x[i * n + t[i]];
  }
}
// What a row finds along itself its lanes go on with.
ROWS(turns) {
  FOR(i, m) {
    float max = x[i * n], s = 0;
    FOR(j, n) max = X > max ? X : max;
    FOR(j, n) {
      Y = expf(X);
      s += Y * max;
    }
    FOR(j, n) Y /= s;
    r[i] = s;
  }
}
// Some are too large: errno.
ROWS(large) {
  FOR(i, m) {
    float s = 0;
    FOR(j, n) s += expf(X * r[i]);
    y[i] = s;
  }
}
ROWS(in_double) {
  FOR(i, m) {
    double s = 0;
    FOR(j, n) s += X;
    y[i] = (float)s;
  }
}
ROWS(of_two) {
  FOR(i, m) {
    float s = 0, d = 0;
    FOR(j, n) {
      s += X * Y;
      d += X;
    }
    FOR(j, n) Y = X * (Y - s) + d;
  }
}

typedef void kernel(float *, float *, float *, const int *, int, int);
#define ALL(F)                                                                 \
  F(softmax) F(log_softmax) F(layernorm) F(in_place) F(updates) F(of_numbers)  \
  F(backwards) F(every_third) F(where) F(cross_entropy) F(turns) F(large)      \
  F(in_double) F(of_two)
#define ENTRY(NAME) {#NAME, NAME},
static const struct {
  const char *Name;
  kernel *F;
} Kernels[] = {ALL(ENTRY)};

enum { MOST = 41, LONGEST = 75, NUMBERS = 3 * MOST + 2 * LONGEST };
static float A[MOST * LONGEST], B[MOST * LONGEST], R[NUMBERS];
static int T[MOST];

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
  static const int Lengths[] = {1, 2, 7, 16, 23, 48, 75};
  for (size_t k = 0; k < sizeof Kernels / sizeof *Kernels; k++)
    for (int m = 0; m < MOST; m++) {
      unsigned h = 2166136261u;
      for (size_t l = 0; l < sizeof Lengths / sizeof *Lengths; l++) {
        int n = Lengths[l];
        FOR(i, MOST * LONGEST) A[i] = number(), B[i] = number();
        FOR(i, NUMBERS) R[i] = number();
        FOR(i, MOST) T[i] = rand() % n;
        // exp of more than 88 is an error: few rows are that large.
        if (Kernels[k].F == large && m)
          R[rand() % m] = 40;
        errno = 0;
        Kernels[k].F(B, A, R, T, m, n);
        h = hash(h, A, sizeof A);
        h = hash(h, B, sizeof B);
        h = hash(h, R, sizeof R);
        h = hash(h, &errno, sizeof errno);
      }
      printf("%s %d %08x\n", Kernels[k].Name, m, h);
    }
}
