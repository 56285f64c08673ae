// What the last row stores is the bound: the loop goes on.
// RUN: %check
// Not self-checked: nests that are no kernels are not compared
#include "planted.h"

struct S {
  signed char n, unused[7];
  signed char *x, *y;
};

NOINLINE void copy(struct S *p) {
  for (long i = 0; i < p->n; i++)
    for (long j = 0; j <= i; j++)
      p->y[j] = p->x[j];
}

int main(void) {
  static signed char x[64];
  static struct {
    signed char front[32];
    struct S s;
  } m;
  memset(x, 12, sizeof x);
  m.s = (struct S){10, {0}, x, &m.s.n - 9};
  copy(&m.s);
  for (int i = 0; i < 40; i++)
    printf("%d ", m.front[i]);
}
