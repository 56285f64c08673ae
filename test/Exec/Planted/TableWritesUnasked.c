// The last elements of a row of C are the length of the first row of B, in a type that may
// be anything: the product ends when it has written a length of 0.
// RUN: %check
#include "planted.h"

typedef float __attribute__((may_alias)) any_float;
struct row {
  long n;
  any_float *p;
};

NOINLINE int product(struct row *C, const struct row *A, const struct row *B,
                     long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++) {
        if (j >= B[k].n)
          return 1;
        acc += A[i].p[k] * B[k].p[j];
      }
      C[i].p[j] = acc;
    }
  return 0;
}

int main(void) {
  enum { M = 9, N = 40, K = 12, Apart = N + 64 };
  float *a = array(M * K), *b = array(K * N), *c = array(M * Apart);
  struct row A[M], C[M];
  // Between the last two rows.
  struct row *B = (struct row *)(c + (M - 2) * Apart + N - 2);
  for (int i = 0; i < M; i++) {
    A[i] = (struct row){K, a + i * K};
    C[i] = (struct row){N, c + i * Apart};
  }
  for (int k = 0; k < K; k++) {
    B[k] = (struct row){N, b + k * N};
    b[k * N + N - 2] = b[k * N + N - 1] = 0;
  }
  printf("%d\n", product(C, A, B, M, N, K));
  for (int i = 0; i < M; i++)
    show(c + i * Apart, N);
}
