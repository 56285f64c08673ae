// Rows that begin in front of the first one: quotients round down.
// RUN: %check
#include "planted.h"

NOINLINE void add(float *C, const float *A, const float *B, long from, long n,
                  long m) {
  for (long i = from; i < m * n; i++) {
    long row = i < 0 ? -1 - (-1 - i) / n : i / n;
    C[i + n] = A[i + n] + B[row + 1];
  }
}

int main(void) {
  float *A = array(440), *B = array(21), *C = array(440);
  add(C, A, B, -20, 20, 20);
  show(C, 440);
}
