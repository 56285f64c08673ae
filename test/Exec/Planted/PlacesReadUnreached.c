// The last label there is ends the loops, and nothing is behind it.
// RUN: %check
#include "planted.h"
#include <math.h>
#include <stddef.h>
#include <sys/mman.h>

NOINLINE void gradient(float *restrict d, const float *restrict x,
                       const long *restrict at, long n, long m) {
  for (long i = 0; i < m; i++) {
    long k = at[i];
    if (k < 0)
      return;
    if (k >= n)
      return;
    float most = x[i * n], s = 0;
    for (long j = 1; j < n; j++)
      most = x[i * n + j] > most ? x[i * n + j] : most;
    for (long j = 0; j < n; j++) {
      d[i * n + j] = expf(x[i * n + j] - most);
      s += d[i * n + j];
    }
    for (long j = 0; j < n; j++)
      d[i * n + j] /= s;
    d[i * n + k] -= 1;
  }
}

int main(void) {
  char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 4096, 4096, PROT_NONE);
  long *at = (long *)(pages + 4096) - 20;
  for (int i = 0; i < 19; i++)
    at[i] = i;
  at[19] = -1;
  float *d = array(64 * 1000), *x = array(64 * 1000);
  gradient(d, x, at, 64, 1000);
  show(d, 64 * 1000);
}
