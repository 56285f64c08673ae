// What the test of a search reads is written in front of it, by each round.
// RUN: %check
#include "planted.h"

// The product is why the function is brought into light form.
NOINLINE int greatest(float *C, const float *A, const float *B, int *count,
                      const int *limit, int n) {
  int best = 0;
  for (int i = 0; (*count = n, i < *limit); i++)
    if (A[i] > A[best])
      best = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
  return best;
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  for (int i = 0; i < 400; i++)
    A[i] = -1 - A[i] * A[i];
  int count = 0;
  printf("%d\n", greatest(C, A, B, &count, &count, 20));
  show(C, 400);
}
