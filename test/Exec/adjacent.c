// Arrays right behind each other are apart: rows in blocks do not end at the last block's
// end. Calls of expf tell which loops have run: kernels call it to know its bits.
// REQUIRES: native-x86
// RUN: %clang -O1 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -DKERNEL -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -lm -ldl -o %t && %t | FileCheck %s
// REMARK: loops by blocks of rows
// CHECK: far 1, behind 1, in front 1
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef KERNEL
void NAME(float *y, const float *x, int heads, int rows, int length) {
  const float *q = x, *k = q + heads * rows * length, *v = k + heads * rows * length;
  float s[1024];
  for (int h = 0; h < heads; h++)
    for (int i = 0; i < rows; i++) {
      const float *row = q + (h * rows + i) * length;
      float most = -1e30f, sum = 0;
      for (int j = 0; j < i + 1; j++) {
        float dot = 0;
        for (int d = 0; d < length; d++)
          dot += row[d] * k[(h * rows + j) * length + d];
        s[j] = dot;
        most = s[j] > most ? s[j] : most;
      }
      for (int j = 0; j < i + 1; j++) {
        s[j] = expf(s[j] - most);
        sum += s[j];
      }
      for (int d = 0; d < length; d++) {
        float dot = 0;
        for (int j = 0; j < i + 1; j++)
          dot += s[j] * v[(h * rows + j) * length + d];
        y[(h * rows + i) * length + d] = dot / sum;
      }
    }
}
#else
typedef void Run(float *, const float *, int, int, int);
extern Run plain, made;
enum { HEADS = 2, ROWS = 100, LENGTH = 64, COUNT = HEADS * ROWS * LENGTH, FAR = 100000 };
static long calls;
float expf(float x) {
  static float (*library)(float);
  if (!library)
    library = (float (*)(float))dlsym(RTLD_NEXT, "expf");
  calls++;
  return library(x);
}
/* Whether few exponentials were calls, and all is right. */
static int is_fast(float *y, const float *x, const float *right) {
  calls = 0;
  made(y, x, HEADS, ROWS, LENGTH);
  return calls < HEADS * ROWS * ROWS / 8 && !memcmp(y, right, sizeof(float) * COUNT);
}
int main(void) {
  float *all = calloc(5 * COUNT + 2 * FAR, sizeof(float)), *x = all + FAR + COUNT;
  float *far = calloc(COUNT, sizeof(float)), *right = calloc(COUNT, sizeof(float));
  for (int i = 0; i < 3 * COUNT; i++)
    x[i] = (rand() % 2001 - 1000) / 700.0f;
  plain(right, x, HEADS, ROWS, LENGTH);
  is_fast(far, x, right);
  printf("far %d, ", is_fast(far, x, right));
  printf("behind %d, ", is_fast(x + 3 * COUNT, x, right));
  printf("in front %d\n", is_fast(x - COUNT, x, right));
}
#endif
