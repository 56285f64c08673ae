// The position that a search remembers is that of another element than it reads.
// RUN: %check
#include "planted.h"

NOINLINE void greatest(float *C, const float *A, const float *B, int m, int n) {
  for (int i = 0; i < m; i++) {
    int best = 0;
    for (int j = 1; j < n; j++)
      if (A[i * n + j] > B[i * n + best])
        best = j;
    C[i] = best;
  }
}

int main(void) {
  float *A = array(4000), *B = array(4000), *C = array(40);
  greatest(C, A, B, 40, 100);
  show(C, 40);
}
