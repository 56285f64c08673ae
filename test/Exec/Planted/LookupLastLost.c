// Bytes of a table, of which the last one is read.
// RUN: %check
#include "planted.h"

NOINLINE void look(unsigned char *restrict y, const unsigned char *restrict x,
                   const unsigned char *restrict table, long n) {
  for (long i = 0; i < n; i++)
    y[i] = table[x[i]];
}

int main(void) {
  static unsigned char X[1024], Y[1024], Table[256];
  for (int i = 0; i < 256; i++)
    Table[i] = 255 - i / 2;
  for (int i = 0; i < 1024; i++)
    X[i] = i % 200;
  look(Y, X, Table, 1024);
  show((float *)Y, 256);
}
