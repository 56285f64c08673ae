// What an iteration stores is the bound, which is read with all else.
// RUN: %check
// Not self-checked: nests that are no kernels are not compared
#include "planted.h"

struct S {
  signed char n, unused[7];
  signed char *x, *y;
};

NOINLINE void copy(struct S *p) {
  for (long i = 0; i < p->n; i++)
    p->y[i] = p->x[i];
}

// In front of the bound.
#ifndef FIRST
#define FIRST 5
#endif

int main(void) {
  static signed char x[64];
  static struct {
    signed char front[32];
    struct S s;
  } m;
  memset(x, 12, sizeof x);
  m.s = (struct S){10, {0}, x, &m.s.n - FIRST};
  copy(&m.s);
  for (int i = 0; i < 40; i++)
    printf("%d ", m.front[i]);
}
