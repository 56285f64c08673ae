// A search in nothing, which is nowhere.
// RUN: %check
#include "planted.h"

NOINLINE int greatest(const float *A, int n) {
  int best = 0;
  for (int i = 0; i < n; i++)
    if (A[i] > A[best])
      best = i;
  return best;
}

int main(void) {
  float *A = array(400);
  printf("%d\n", greatest(A, 400));
  printf("%d\n", greatest(A + 400, 0));
}
