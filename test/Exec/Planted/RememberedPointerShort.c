// A pointer that moves before it is looked at.
// RUN: %check
#include "planted.h"

NOINLINE const float *greatest(const float *p, const float *e) {
  const float *best = p;
  while (++p != e)
    if (*best < *p)
      best = p;
  return best;
}

int main(void) {
  float *A = array(400);
  printf("%ld\n", (long)(greatest(A, A + 400) - A));
}
