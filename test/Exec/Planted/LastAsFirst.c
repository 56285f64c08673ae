// Two that are equal.
// RUN: %check
#include "planted.h"

NOINLINE long search(const float *a, long n) {
  float best = a[0];
  long at = 0;
  for (long i = 1; i < n; i++)
    if (a[i] >= best) {
      best = a[i];
      at = i;
    }
  return at;
}

int main(void) {
  float *A = array(200), C[1];
  A[150] = 1000;
  A[160] = 1000;
  C[0] = search(A, 200);
  show(C, 1);
}
