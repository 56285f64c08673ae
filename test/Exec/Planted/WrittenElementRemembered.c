// The element that was the greatest one of its column is overwritten.
// RUN: %check
#include "planted.h"

NOINLINE void greatest(float *C, const float *A, float *B, int m, int n) {
  for (int j = 0; j < n; j++) {
    int best = 0;
    for (int i = 1; i < m; i++) {
      if (A[i * n + j] > A[best * n + j])
        best = i;
      B[i * n + j] = 0;
    }
    C[j] = best;
  }
}

int main(void) {
  float *A = array(4000), *C = array(100);
  greatest(C, A, A, 40, 100);
  show(C, 100);
}
