// A product that is so large that its copies may take more of the stack: what lies
// above the buffer is overwritten where that has the size for smaller ones.
// RUN: %check
#include "planted.h"

enum { M = 128, N = 128, K = 65536 };

NOINLINE void product(float *C, const float *A, const float *B, long m, long n,
                      long k) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float acc = 0;
      for (long l = 0; l < k; l++)
        acc += A[i * k + l] * B[j * k + l];
      C[i * n + j] = acc;
    }
}

int main(void) {
  float *A = array(M * K), *B = array(N * K), *C = array(M * N);
  product(C, A, B, M, N, K);
  show(C, M * N);
}
