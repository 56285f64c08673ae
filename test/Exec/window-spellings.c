// Windows whose ends and places are spelled otherwise than by integers and indices, of
// numbers of every kind, are what they are without the plugin: no window at all, none inside
// the image, some beyond what a float counts to.
// RUN: %clang_dl -O3 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: %clang -O1 %s %t.o -o %t -lm && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -o %t -lm && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=x86-64-v4 -DPART -c %s -o %t.o
// RUN: %if avx512 %{ %clang -O1 %s %t.o -o %t -lm && %t | FileCheck %s %}
// REQUIRES: native-x86
// TAKEN-COUNT-16: exact, 
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#pragma STDC FP_CONTRACT OFF

#ifdef PART
#define KERNEL(NAME) void NAME##_dl(ARGS)
#else
#define KERNEL(NAME) static void NAME(ARGS)
#endif
// From is what the indices of rows begin with.
#define ARGS                                                                   \
  float *restrict y, const float *restrict x, long C, long H, long W, long R,  \
      long T, long P, long U, long V, int D, long From
#define FOR(I, N) for (long I = 0; I < N; I++)

// Ends by fmin and fmax.
#define BY_FLOAT(MIN, MAX)                                                     \
  FOR(c, C) FOR(h, U) FOR(w, V) {                                              \
    long top = From + h * T - P, left = w * T - P;                             \
    long bottom = MIN(top + R, From + H + P), right = MIN(left + R, W + P);    \
    long all = (bottom - top) * (right - left);                                \
    top = MAX(top, From), left = MAX(left, 0);                                 \
    bottom = MIN(bottom, From + H), right = MIN(right, W);                     \
    float s = 0;                                                               \
    for (long v = top; v < bottom; v++)                                        \
      for (long u = left; u < right; u++)                                      \
        s += x[(c * H + v - From) * W + u];                                    \
    *y++ = s / (C & 1 ? all : (bottom - top) * (right - left));                \
  }
KERNEL(by_floats) { BY_FLOAT(fminf, fmaxf) }
KERNEL(by_doubles) { BY_FLOAT(fmin, fmax) }

// The greatest element and its place, of rows and columns that are D apart, from the first
// one on that is inside.
KERNEL(place_of_greatest) {
  FOR(c, C) FOR(h, U) FOR(w, V) {
    long top = h * T - P, left = w * T - P, place = -1;
    long bottom = fminf(top + (R - 1) * D + 1, H);
    long right = fminf(left + (R - 1) * D + 1, W);
    while (top < 0)
      top += D;
    while (left < 0)
      left += D;
    float most = -3e38f;
    for (long v = top; v < bottom; v += D)
      for (long u = left; u < right; u += D)
        if (x[(c * H + v) * W + u] > most)
          most = x[(c * H + v) * W + u], place = v * W + u;
    y[(c * U + h) * V + w] = most;
    y[((C + c) * U + h) * V + w] = place + 1;
  }
}

#define GREATEST(A, B) ((A) > (B) ? (A) : (B))
#define LEAST(A, B) ((A) < (B) ? (A) : (B))
// How many rows and columns of a window are in the image, through which a pointer goes for
// each channel, the last dimension.
#define BY_POINTERS(START, STEP, END)                                          \
  long at = -P;                                                                \
  for (long h = 0; h < U; h++, at += T) {                                      \
    long above = GREATEST(0, -at), rows = LEAST(R, H - at) - above;            \
    rows = GREATEST(0, rows);                                                  \
    const float *row = x + (at + above) * W * C;                               \
    long left = -P;                                                            \
    for (long w = 0; w < V; w++, left += T) {                                  \
      long beside = GREATEST(0, -left), columns = LEAST(R, W - left) - beside; \
      columns = GREATEST(0, columns);                                          \
      const float *p = row + (left + beside) * C;                              \
      for (long c = 0; c < C; c++) {                                           \
        float s = START;                                                       \
        for (size_t i = 0; i < (size_t)rows; i++) {                            \
          for (size_t j = 0; j < (size_t)columns; j++, p += C)                 \
            STEP;                                                              \
          p = p - columns * C + W * C;                                         \
        }                                                                      \
        p = p - rows * W * C + 1;                                              \
        *y++ = END;                                                            \
      }                                                                        \
    }                                                                          \
  }
KERNEL(greatest_by_pointers) {
  BY_POINTERS(-3e38f, s = s < *p ? *p : s, rows > 0 && columns > 0 ? s : From)
}
KERNEL(mean_by_pointers) {
  BY_POINTERS(0, s += *p, rows * columns ? s / (rows * columns) : 0)
}
// Weights beside the rows of the image: from the first one on, or from that of the
// window's first row.
static const float weights[] = {0.3f, -1.7f, 0.01f, 5.3f, 2.2f};
#define WEIGHTED(FIRST)                                                        \
  FOR(h, U) FOR(c, C) {                                                        \
    long above = GREATEST(0, h * T - P);                                       \
    const float *k = weights + (FIRST);                                        \
    float s = 0;                                                               \
    for (long v = above; v < LEAST(H, h * T - P + R); v++)                     \
      s += x[v * C + c] * *k++;                                                \
    y[h * C + c] = s;                                                          \
  }
KERNEL(weights_from_first) { WEIGHTED(0) }
KERNEL(weights_from_row) { WEIGHTED(above - h * T + P) }

#ifndef PART
typedef void Run(ARGS);
extern Run by_floats_dl, by_doubles_dl, place_of_greatest_dl, greatest_by_pointers_dl,
    mean_by_pointers_dl, weights_from_first_dl, weights_from_row_dl;
static const struct {
  Run *plain, *dl;
} all[] = {{by_floats, by_floats_dl},
           {by_doubles, by_doubles_dl},
           {place_of_greatest, place_of_greatest_dl},
           {greatest_by_pointers, greatest_by_pointers_dl},
           {mean_by_pointers, mean_by_pointers_dl},
           {weights_from_first, weights_from_first_dl},
           {weights_from_row, weights_from_row_dl}};

// An array between pages that must not be touched: it ends with one, or begins.
static float *array(size_t n, int atEnd) {
  size_t page = 4096, bytes = (n * 4 + page - 1) / page * page;
  char *p = mmap(0, bytes + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  if (p == MAP_FAILED ||
      (bytes && mprotect(p + page, bytes, PROT_READ | PROT_WRITE)))
    abort();
  return atEnd ? (float *)(p + page + bytes) - n : (float *)(p + page);
}

// NaN of any sign and payload are alike.
static int differ(const float *a, const float *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (memcmp(a + i, b + i, 4) && !(isnan(a[i]) && isnan(b[i])))
      return 1;
  return 0;
}

int main(void) {
  static const float special[] = {NAN, -0.0f, 0.0f, INFINITY, -INFINITY,
                                  -3.4e38f, 1e-45f};
  static const long from[] = {0, 7, (1 << 24) - 4, 1 << 24, 1 << 30, 1l << 53};
  unsigned long runs = 0, different = 0;
  for (int i = 0; i < 120; i++) {
    long C = rand() % 20, H = 1 + rand() % 20, W = 1 + rand() % 70;
    long R = rand() % 5, T = 1 + rand() % 3, P = rand() % (R + 1);
    long U = (H + 2 * P - R) / T + 1, V = (W + 2 * P - R) / T + 1;
    int D = 1 + rand() % 3 / 2;
    if (H + 2 * P < R || W + 2 * P < R)
      continue;
    size_t in = (size_t)(C * H * W), out = (size_t)(C * U * V);
    float *x = array(in, i % 2), *y = array(out * 2, i % 2), *z = array(out * 2, 1);
    for (size_t k = 0; k < in; k++)
      x[k] = i % 3 || rand() % 20 ? (float)(rand() % 20001 - 10000) / 7000
                                  : special[rand() % 7];
    // What is beyond what a float counts to may lie outside of the image.
    long start = from[i % 4 ? 0 : (i / 4) % 6];
    if (start > 1 << 20 && (H % 8 || start + H > 1l << 53))
      start = 7;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      memset(y, 1, out * 8), memset(z, 1, out * 8);
      all[k].plain(y, x, C, H, W, R, T, P, U, V, D, start);
      all[k].dl(z, x, C, H, W, R, T, P, U, V, D, start);
      runs++, different += differ(y, z, out * 2);
    }
  }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
