// There is nothing behind a pointer that no iteration comes to.
// RUN: %check
#include "planted.h"

struct T {
  signed char *y;
};
struct S {
  signed char *x;
  struct T *t;
  signed char n;
};

NOINLINE void copy(struct S *p) {
  for (long i = 0; i < p->n; i++)
    if (p->x[i] > 0)
      p->t->y[i] = p->x[i];
}

int main(void) {
  static signed char x[64];
  struct S s = {x, NULL, 20};
  copy(&s);
  printf("%d\n", x[0]);
}
