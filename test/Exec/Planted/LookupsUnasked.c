// Bytes of a table in rows that get shorter, and begin at a page that must not be
// touched.
// RUN: %check
#include "planted.h"

NOINLINE void look(unsigned char *restrict y, const unsigned char *restrict x,
                   const unsigned char *restrict table, long n, long m) {
  for (long r = 0; r < m; r++)
    for (long i = 0; i < n - r; i++)
      y[r * n + i] = table[x[r + i]];
}

int main(void) {
  static unsigned char Y[1024], Table[256];
  char *Page = mmap(0, 2 * PAGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Page == MAP_FAILED || mprotect(Page, PAGE, PROT_NONE))
    abort();
  unsigned char *X = (unsigned char *)Page + PAGE;
  for (int i = 0; i < 256; i++)
    Table[i] = 255 - i / 2;
  for (int i = 0; i < 100; i++)
    X[i] = i % 50;
  look(Y, X, Table, 10, 1);
  show((float *)Y, 256);
}
