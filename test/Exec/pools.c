// Pooling with borders, window and steps known at run time: what lies beyond the
// border is not read, and the mean is that of what has been counted.
// RUN: %clang_dl -O3 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=LINES
// RUN: %clang -O1 %s %t.o -o %t && %t | FileCheck %s
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu Nehalem %t | FileCheck %s %}
// RUN: %clang_dl -O3 -march=x86-64-v4 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLANES
// RUN: %if avx512 %{ %clang -O1 %s %t.o -o %t && %t | FileCheck %s %}
// REQUIRES: native-x86
// LINES-COUNT-1: iterations of {{.*}} in {{[0-9]}} vectors of
// PLANES-COUNT-5: iterations of {{.*}} in {{[0-9]}} vectors of
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
  int C, H, W, R, T, P, U, V;
} Shape;

#ifdef PART
#define POOL(NAME) void NAME##_dl
#else
#define POOL(NAME) static void NAME
#endif
#define KERNEL(NAME) POOL(NAME)(float *restrict y, const float *restrict x, int C, int H, int W, int R, int T, int P, int U, int V)
#define FOR(I, N) for (int I = 0; I < N; I++)
#define PIXELS FOR(c, C) FOR(h, U) FOR(w, V)

// The mean of what is in AT around each output.
#define MEAN(OUTPUTS, TO, AT)                         \
  OUTPUTS {                                           \
    float s = 0;                                      \
    int n = 0;                                        \
    FOR(r, R) FOR(q, R) {                             \
      int v = h * T - P + r, u = w * T - P + q;       \
      if (v >= 0 && v < H && u >= 0 && u < W) {       \
        s += x[AT];                                   \
        n++;                                          \
      }                                               \
    }                                                 \
    y[TO] = s / n;                                    \
  }
KERNEL(mean) {
  MEAN(PIXELS, (c * U + h) * V + w, (c * H + v) * W + u)
}
KERNEL(mean_skips) {
  PIXELS {
    float s = 0, n = 0;
    FOR(r, R) {
      int v = h * T - P + r;
      if (v < 0 || v >= H)
        continue;
      FOR(q, R) {
        int u = w * T - P + q;
        if (u < 0 || u >= W)
          continue;
        s += x[(c * H + v) * W + u];
        n += 1;
      }
    }
    y[(c * U + h) * V + w] = n > 0 ? s / n : 0;
  }
}
KERNEL(most) {
  PIXELS {
    float s = -3e38f;
    FOR(r, R) FOR(q, R) {
      int v = h * T - P + r, u = w * T - P + q;
      if (v >= 0 && v < H && u >= 0 && u < W) {
        float t = x[(c * H + v) * W + u];
        if (t > s)
          s = t;
      }
    }
    y[(c * U + h) * V + w] = s;
  }
}
// Which way to go differs between lanes, and so does the number of terms.
KERNEL(sum) {
  PIXELS {
    float s = 0;
    FOR(r, R) FOR(q, R) if (w * T + q < W && h * T + r < H)
        s += x[(c * H + h * T + r) * W + w * T + q];
    y[(c * U + h) * V + w] = s * P;
  }
}
// Channels last.
KERNEL(mean_last) {
  MEAN(FOR(h, U) FOR(w, V) FOR(c, C), (h * V + w) * C + c,
       (v * W + u) * C + c)
}

// Borders as bounds, of windows that end with a border behind the image; beside loops that
// set the results to zero.
#define LEAST(A, B) ((A) < (B) ? (A) : (B))
#define GREATEST(A, B) ((A) > (B) ? (A) : (B))
KERNEL(mean_clamped) {
  FOR(c, C) {
    float *to = y + c * U * V;
    FOR(i, U * V) to[i] = 0;
    FOR(h, U) FOR(w, V) {
      int top = h * T - P, left = w * T - P;
      int bottom = LEAST(top + R, H + P), right = LEAST(left + R, W + P);
      int all = (bottom - top) * (right - left);
      top = GREATEST(top, 0), left = GREATEST(left, 0);
      bottom = LEAST(bottom, H), right = LEAST(right, W);
      float s = 0;
      for (int v = top; v < bottom; v++)
        for (int u = left; u < right; u++)
          s += x[(c * H + v) * W + u];
      *to++ += s / (C & 1 ? all : (bottom - top) * (right - left));
    }
  }
}

#ifndef PART
typedef void Run(float *, const float *, int, int, int, int, int, int, int, int);
extern Run mean_dl, mean_skips_dl, most_dl, sum_dl, mean_last_dl, mean_clamped_dl;
static Run *const all[][2] = {{mean, mean_dl},
                              {mean_skips, mean_skips_dl},
                              {most, most_dl},
                              {sum, sum_dl},
                              {mean_last, mean_last_dl},
                              {mean_clamped, mean_clamped_dl}};

// An array between pages that must not be touched: it ends with one, or begins.
static float *array(size_t n, int atEnd) {
  size_t page = 4096, bytes = (n * 4 + page - 1) / page * page;
  char *p = mmap(0, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  if (p == MAP_FAILED || mprotect(p + page, bytes, PROT_READ | PROT_WRITE))
    abort();
  return atEnd ? (float *)(p + page + bytes) - n : (float *)(p + page);
}

int main(void) {
  unsigned long runs = 0, different = 0;
  for (int i = 0; i < 60; i++) {
    int C = 1 + rand() % 20, H = 1 + rand() % 20, W = 1 + rand() % 70;
    int R = 1 + rand() % 4, T = 1 + rand() % 3, P = rand() % R;
    int U = (H + 2 * P - R) / T + 1, V = (W + 2 * P - R) / T + 1;
    if (H + 2 * P < R || W + 2 * P < R)
      continue;
    size_t in = (size_t)(C * H * W), out = (size_t)(C * U * V);
    float *x = array(in, i % 2), *y = array(out, i % 2), *z = array(out, 1);
    for (size_t k = 0; k < in; k++)
      x[k] = (float)(rand() % 20001 - 10000) / 7000;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      memset(y, 1, out * 4), memset(z, 1, out * 4);
      all[k][0](y, x, C, H, W, R, T, P, U, V);
      all[k][1](z, x, C, H, W, R, T, P, U, V);
      runs++, different += memcmp(y, z, out * 4) != 0;
    }
  }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
