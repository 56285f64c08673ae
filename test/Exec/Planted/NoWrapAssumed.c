// An index of 32 bits that wraps.
// RUN: %check
#include "planted.h"

NOINLINE void product(float *restrict C, const float *restrict A,
                      const float *restrict B, unsigned lda, unsigned M, unsigned N, unsigned K) {
  for (unsigned i = 0; i < M; i++)
    for (unsigned j = 0; j < N; j++) {
      float acc = 0;
      for (unsigned k = 0; k < K; k++)
        acc += A[i * lda + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

int main(void) {
  /* Row 16 is row 0. Memory that is not touched is not there. */
  unsigned lda = 1u << 28;
  float *A = mmap(0, (16ul * lda + 9) * 4, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  float *B = array(81), *C = array(18 * 9);
  if (A == MAP_FAILED)
    abort();
  for (unsigned i = 0; i < 16; i++)
    fill(&A[i * lda], 9);
  product(C, A, B, lda, 18, 9, 9);
  show(C, 18 * 9);
}
