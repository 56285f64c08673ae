// The greatest of windows of every type, border and comparison in one condition, with and
// without its place: what lies beyond the border is not read.
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   env DLOPT_OPTIONS=dispatch=0 %clang_dl -O3 %{flags} -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN && \
// DEFINE:   %clang -O1 %s %t.o -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -march=native
// RUN: %{check}
// REDEFINE: %{flags} = -march=x86-64-v3
// RUN: %if avx2 %{ %{check} %}
// REDEFINE: %{flags} = -march=x86-64-v4
// RUN: %if avx512 %{ %{check} %}
// REQUIRES: native-x86
// TAKEN-COUNT-26: exact, by the script strips
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef struct {
  int C, H, W, P, U, V;
} Shape;

#ifdef PART
#define POOL(NAME) void NAME##_dl
#else
#define POOL(NAME) static void NAME
#endif
#define FOR(I, N) for (int I = 0; I < N; I++)
#define INSIDE (v >= 0 && v < s->H && u >= 0 && u < s->W)
#define WINDOW(R, STEP)                                                        \
  FOR(r, R) FOR(q, R) for (int v = h * STEP - s->P + r,                        \
                               u = w * STEP - s->P + q,                        \
                               at = (c * s->H + v) * s->W + u, once = 1;       \
                           once; once = 0)
#define KERNELS(X)                                                             \
  X(u8, uint8_t, 3, 1, 0) X(u8_2, uint8_t, 3, 2, 0) X(u8_3, uint8_t, 3, 3, 0)  \
  X(i8, int8_t, 2, 1, -128) X(i8_2, int8_t, 3, 2, -128)                        \
  X(u16_2, uint16_t, 2, 2, 0) X(i16, int16_t, 3, 1, -32768)                    \
  X(i16_2, int16_t, 3, 2, -32768) X(i32, int32_t, 3, 1, -2147483647 - 1)       \
  X(i32_2, int32_t, 3, 2, -2147483647 - 1) X(f32, float, 3, 1, -3e38f)         \
  X(f32_2, float, 3, 2, -3e38f) X(f64_2, double, 3, 2, -3e38)
#define MOST(NAME, T, R, STEP, LEAST)                                          \
  POOL(NAME)(void *restrict to, int *restrict where, const void *from,         \
             const Shape *restrict s) {                                        \
    T *restrict y = to;                                                        \
    const T *restrict x = from;                                                \
    (void)where;                                                               \
    FOR(c, s->C) FOR(h, s->U) FOR(w, s->V) {                                   \
      T most = LEAST;                                                          \
      WINDOW(R, STEP) if (INSIDE && x[at] > most) most = x[at];                \
      y[(c * s->U + h) * s->V + w] = most;                                     \
    }                                                                          \
  }                                                                            \
  POOL(NAME##_at)(void *restrict to, int *restrict where, const void *from,    \
                  const Shape *restrict s) {                                   \
    T *restrict y = to;                                                        \
    const T *restrict x = from;                                                \
    FOR(c, s->C) FOR(h, s->U) FOR(w, s->V) {                                   \
      T most = LEAST;                                                          \
      int found = -1;                                                          \
      WINDOW(R, STEP) if (INSIDE && x[at] > most) most = x[at], found = at;    \
      y[(c * s->U + h) * s->V + w] = most;                                     \
      where[(c * s->U + h) * s->V + w] = found;                                \
    }                                                                          \
  }
KERNELS(MOST)

#ifndef PART
typedef void Run(void *, int *, const void *, const Shape *);
#define DECLARE(NAME, T, R, STEP, LEAST) extern Run NAME##_dl, NAME##_at_dl;
KERNELS(DECLARE)
static const struct {
  Run *plain, *dl;
  size_t bytes;
  int isFloat, window, step;
} all[] = {
#define ROWS(NAME, T, R, STEP, LEAST)                                          \
  {NAME, NAME##_dl, sizeof(T), (T)0.5 != 0, R, STEP},                          \
      {NAME##_at, NAME##_at_dl, sizeof(T), (T)0.5 != 0, R, STEP},
    KERNELS(ROWS)};

// An array between pages that must not be touched: it ends with one, or begins.
static char *array(size_t bytes, int atEnd) {
  size_t page = 4096, whole = (bytes + page - 1) / page * page;
  char *p = mmap(0, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
                 -1, 0);
  if (p == MAP_FAILED || mprotect(p + page, whole, PROT_READ | PROT_WRITE))
    abort();
  return atEnd ? p + page + whole - bytes : p + page;
}

static void fill(char *x, size_t n, size_t bytes, int isFloat) {
  static const double special[] = {NAN, -0.0, 0.0, INFINITY, -INFINITY, 1e-310};
  for (size_t k = 0; k < n * bytes; k++)
    x[k] = (char)(rand() >> 7);
  for (size_t k = 0; isFloat && k < n; k++) {
    double d = rand() % 9 ? (rand() % 2001 - 1000) / 7.0 : special[rand() % 6];
    float f = (float)d;
    memcpy(x + k * bytes, bytes == 4 ? (void *)&f : (void *)&d, bytes);
  }
}

int main(void) {
  unsigned long runs = 0, different = 0;
  for (int i = 0; i < 40; i++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      int R = all[k].window, T = all[k].step;
      Shape s = {1 + rand() % 4, 1 + rand() % 12, 1 + rand() % 150, rand() % R,
                 0, 0};
      if (s.H + 2 * s.P < R || s.W + 2 * s.P < R)
        continue;
      s.U = (s.H + 2 * s.P - R) / T + 1, s.V = (s.W + 2 * s.P - R) / T + 1;
      size_t in = (size_t)(s.C * s.H * s.W), out = (size_t)(s.C * s.U * s.V);
      size_t bytes = all[k].bytes;
      char *x = array(in * bytes, i % 2), *y = array(out * bytes, i % 2),
           *z = array(out * bytes, 1);
      int *at = (int *)array(out * 4, 1), *atToo = (int *)array(out * 4, i % 2);
      fill(x, in, bytes, all[k].isFloat);
      all[k].plain(y, at, x, &s);
      all[k].dl(z, atToo, x, &s);
      int differs = memcmp(y, z, out * bytes) || memcmp(at, atToo, out * 4);
      if (differs)
        printf("kernel %zu: %d x %d x %d, border %d\n", k, s.C, s.H, s.W, s.P);
      runs++, different += differs != 0;
      munmap((void *)((uintptr_t)x & ~4095ul), in * bytes);
      munmap((void *)((uintptr_t)y & ~4095ul), out * bytes);
      munmap((void *)((uintptr_t)z & ~4095ul), out * bytes);
    }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
