// Two sums whose pointers are read from one place, one after the other: nobody knows that
// they are one address, but if they are, each step of one is seen by the other.
// RUN: %clang -O1 %s -o %t.plain && %t.plain > %t.expected
// RUN: %clang_dl -O2 %s -o %t.dl && %t.dl | diff %t.expected -
// RUN: %clang_dl -O3 -fno-strict-aliasing %s -o %t.dl && %t.dl | diff %t.expected -
// REQUIRES: native-x86
#include <stdio.h>

#define NOINLINE __attribute__((noinline))
struct P {
  float *y;
  int n;
};

NOINLINE static void two_sums(struct P *p, float **z, float *x, int m, int n) {
  for (int i = 0; i < m; i++) {
    float *a = p->y;
    z[i] = x;
    float *b = p->y;
    for (int j = 0; j < n; j++) {
      *a += x[j];
      *b += 2 * x[j];
    }
  }
}
NOINLINE static void in_front(struct P *p, float **z, float *x, int m, int n) {
  float *a = p->y;
  for (int i = 0; i < m; i++) {
    float *b = p->y;
    for (int j = 0; j < n; j++) {
      *a += x[j];
      *b *= 1.5f;
      z[j] = x;
    }
  }
}
NOINLINE static void read_too(struct P *p, float **z, float *x, float *t, int m,
                              int n) {
  for (int i = 0; i < m; i++) {
    float *a = p->y;
    z[i] = x;
    float *b = p->y;
    for (int j = 0; j < n; j++) {
      *a += x[j];
      t[j] = *b;
    }
  }
}

int main(void) {
  float x[64], y[4] = {1, 2, 3, 4}, t[64] = {0};
  float *z[80];
  struct P p = {y, 9};
  for (int i = 0; i < 64; i++)
    x[i] = i % 7 - 2.75f;
  two_sums(&p, z, x, 4, 64);
  printf("%a\n", y[0]);
  y[0] = 1;
  in_front(&p, z, x, 1, 9);
  printf("%a\n", y[0]);
  y[0] = 1;
  read_too(&p, z, x, t, 3, 64);
  for (int i = 0; i < 64; i++)
    printf("%a ", t[i]);
  printf("%a\n", y[0]);
  // The field itself is written.
  p.y = y + 1;
  in_front(&p, (float **)&p.y, y + 2, 1, 1);
  printf("%a %a\n", y[1], y[2]);
}
