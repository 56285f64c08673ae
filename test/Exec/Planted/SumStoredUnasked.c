// Sums that nothing is added to are in memory that nobody may write.
// RUN: %check
#include "planted.h"

NOINLINE void sums(short *c, short *d, const short *a, const short *b, long m,
                   long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      d[j] = c[i] ^ a[i * n + j];
      if (b[j] > 0)
        c[i] ^= a[i * n + j];
    }
}

int main(void) {
  static const short c[4] = {1, 2, 3, 4};
  static short a[64], b[16], d[16];
  for (int i = 0; i < 64; i++)
    a[i] = i * 3;
  sums((short *)c, d, a, b, 4, 16);
  for (int i = 0; i < 16; i++)
    printf("%d ", d[i]);
}
