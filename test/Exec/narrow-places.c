// Where the greatest element of a window is, in 64 bits beside floats: with places that do
// not fit in 32 bits, and at the ends of those that do.
// RUN: %clang_dl -O3 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: %clang -O1 %s %t.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=x86-64-v4 -DPART -c %s -o %t.o
// RUN: %if avx512 %{ %clang -O1 %s %t.o -o %t && %t | FileCheck %s %}
// REQUIRES: native-x86
// TAKEN-COUNT-6: exact, by the script strips
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PART
#define KERNEL(NAME) void NAME##_dl(ARGS)
#else
#define KERNEL(NAME) static void NAME(ARGS)
#endif
#define ARGS                                                                   \
  float *restrict y, long *restrict p, const float *restrict x, long H,        \
      long W, long U, long V, long step, long pad, long first
#define PLACE(SIZE, STEP, BEATS)                                           \
  for (long h = 0; h < U; h++)                                                 \
    for (long w = 0; w < V; w++) {                                             \
      float most = -3e38f;                                                     \
      long at = -1;                                                            \
      for (long r = 0; r < SIZE; r++)                                          \
        for (long q = 0; q < SIZE; q++) {                                      \
          long v = STEP * h + r - pad, u = STEP * w + q - pad;                 \
          long place = first + v * W + u;                                      \
          if (v >= 0 && v < H && u >= 0 && u < W && x[place] BEATS most)       \
            most = x[place], at = place;                                       \
        }                                                                      \
      y[h * V + w] = most;                                                     \
      p[h * V + w] = at + 1;                                                   \
    }
KERNEL(first_of_three) { PLACE(3, 2, >) }
KERNEL(last_of_two) { PLACE(2, 1, >=) }
KERNEL(of_any_step) { PLACE(3, step, >) }
// Windows that are inside the image.
KERNEL(inside) {
  long size = pad + 1, rows = H < size ? 0 : (H - size) / step + 1;
  long columns = W < size ? 0 : (W - size) / step + 1;
  for (long h = 0; h < rows; h++)
    for (long w = 0; w < columns; w++) {
      float most = -3e38f;
      long at = -1;
      for (long r = 0; r < size; r++)
        for (long q = 0; q < size; q++) {
          long place = first + (h * step + r) * W + w * step + q;
          if (x[place] > most)
            most = x[place], at = place;
        }
      y[h * columns + w] = most;
      p[h * columns + w] = at + 1;
    }
}

#ifndef PART
typedef void Run(ARGS);
extern Run first_of_three_dl, last_of_two_dl, of_any_step_dl, inside_dl;
static Run *const all[][2] = {{first_of_three, first_of_three_dl},
                              {last_of_two, last_of_two_dl},
                              {of_any_step, of_any_step_dl},
                              {inside, inside_dl}};

int main(void) {
  static const long first_places[] = {0, 5, 2147483640, -2147483640, 1l << 32, -(1l << 40)};
  unsigned long runs = 0, different = 0;
  for (int i = 0; i < 120; i++) {
    long H = rand() % 20, W = rand() % 80, step = 1 + rand() % 3, pad = rand() % 3;
    long U = rand() % 12, V = rand() % 60;
    long n = U * V + H * W;
    float *x = malloc(H * W * 4 + 4), *y = calloc(n + 1, 4);
    float *z = calloc(n + 1, 4);
    long *p = calloc(n + 1, 8), *q = calloc(n + 1, 8);
    for (long k = 0; k < H * W; k++)
      x[k] = rand() % 30 ? (float)(rand() % 9 - 4) : rand() % 2 ? NAN : -0.0f;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
      long first = first_places[rand() % 6];
      // Places begin with that of x[0].
      const float *from = x - first;
      all[k][0](y, p, from, H, W, U, V, step, pad, first);
      all[k][1](z, q, from, H, W, U, V, step, pad, first);
      runs++;
      different += memcmp(y, z, n * 4) || memcmp(p, q, n * 8);
    }
    free(x), free(y), free(z), free(p), free(q);
  }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
