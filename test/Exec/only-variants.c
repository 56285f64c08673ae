// Maps for which plain x86-64 has no vectors (no stores under masks, no rounding) have
// them where the machine does, and are loops as before elsewhere.
//
// RUN: %clang_dl -O3 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu Nehalem %t | FileCheck %s %}
// RUN: %if qemu-x86_64 %{ %qemu-x86_64 -cpu Haswell %t | FileCheck %s %}
// RUN: env DLOPT_OPTIONS=dispatch=0 %clang_dl -O3 -DPART -Rpass-missed=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: env DLOPT_OPTIONS=disable=widening %clang_dl -O3 -DPART -Rpass-missed=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=ALONE
// REQUIRES: native-x86
// TAKEN-COUNT-2: vectors of 16, avx512 at run time, kernel number
// TAKEN: vectors of 8, avx512 at run time, avx2 at run time, kernel number
// ALONE-COUNT-3: left alone
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#ifdef PART
#define KERNEL(NAME, ...) void NAME##_dl(__VA_ARGS__)
#else
#define KERNEL(NAME, ...) static void NAME(__VA_ARGS__)
#endif

KERNEL(clip, float *x, float *y, float least, float most, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (x[i] < least)
      y[i] = least;
    else if (x[i] > most)
      y[i] = most;
    else
      y[i] = x[i];
  }
}
// What is not below zero is not written.
KERNEL(leak, float *x, float *y, float slope, float unused, size_t n) {
  (void)unused;
  (void)y;
  for (size_t i = 0; i < n; i++)
    if (x[i] < 0)
      x[i] *= slope;
}
KERNEL(quantize, float *x, signed char *y, float scale, float unused,
       size_t n) {
  (void)unused;
  for (size_t i = 0; i < n; i++) {
    float r = roundf(x[i] * scale);
    y[i] = (signed char)(r > 127 ? 127 : r > -127 ? (int)r : -127);
  }
}

#ifndef PART
extern void clip_dl(float *, float *, float, float, size_t),
    leak_dl(float *, float *, float, float, size_t),
    quantize_dl(float *, signed char *, float, float, size_t);
static void quantize_in(float *x, float *y, float s, float u, size_t n) {
  quantize(x, (signed char *)y, s, u, n);
}
static void quantize_in_dl(float *x, float *y, float s, float u, size_t n) {
  quantize_dl(x, (signed char *)y, s, u, n);
}
typedef void Run(float *, float *, float, float, size_t);
static Run *const all[][2] = {
    {clip, clip_dl}, {leak, leak_dl}, {quantize_in, quantize_in_dl}};

// Elements that end with a page that must not be touched.
static float *array(size_t n) {
  size_t page = 4096, bytes = (n * 4 + page) / page * page;
  char *p = mmap(0, bytes + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p, bytes, PROT_READ | PROT_WRITE))
    abort();
  return (float *)(p + bytes) - n;
}

int main(void) {
  static const float special[] = {NAN, -NAN, INFINITY, -INFINITY, -0.0f, 0.0f, 1e-45f, -1e-40f};
  unsigned long runs = 0, different = 0;
  for (size_t n = 0; n < 300; n = n < 70 ? n + 1 : n * 3 / 2)
    // The result beside the argument, on it, and one element in front of it.
    for (int place = 0; place < 3; place++)
      for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        float *x[2], *y[2];
        for (int s = 0; s < 2; s++) {
          float *a = array(2 * n + 2);
          srand((unsigned)n);
          for (size_t i = 0; i < 2 * n + 2; i++)
            a[i] = rand() % 8 ? (float)(rand() % 2001 - 1000) / 300
                              : special[rand() % 8];
          x[s] = a + n + 2;
          y[s] = place == 0 ? a : place == 1 ? x[s] : x[s] - 1;
          all[k][s](x[s], y[s], -1.5f, 2.25f, n);
        }
        runs++, different += memcmp(x[0] - n - 2, x[1] - n - 2, (2 * n + 2) * 4) != 0;
      }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
