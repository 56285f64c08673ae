// The first iteration stores another address of the bound; what is at the old one is
// compared.
// RUN: %check
#include "planted.h"
#include <stdint.h>

typedef unsigned short __attribute__((may_alias)) Half;
struct S {
  Half *x, *y;
  short *n;
};

NOINLINE void copy(struct S *p) {
  long i = 0;
  do
    p->y[i] = p->x[i] + 1;
  while (++i < *p->n);
}

int main(void) {
  enum { SIZE = 1 << 16 };
  static Half x[4];
  char *m = mmap(0, 2 * SIZE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  m += SIZE - (uintptr_t)m % SIZE;
  mprotect(m + 0x2000, PAGE, PROT_NONE);
  *(short *)(m + 0x1000) = 1;
  x[0] = 0xfff;
  struct S s = {x, NULL, (short *)(m + 0x2000)};
  s.y = (Half *)&s.n;
  copy(&s);
  printf("%d\n", (int)((char *)s.n - m));
}
