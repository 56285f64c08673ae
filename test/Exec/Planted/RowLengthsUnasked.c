// One row of B is shorter than the others: the product ends at its first column
// that is not there, with what has been computed until then.
// RUN: %check
#include "planted.h"

struct row {
  long n;
  float *p;
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
  enum { M = 9, N = 40, K = 12 };
  float *a = array(M * K), *b = array(K * N), *c = array(M * N);
  struct row A[M], B[K], C[M];
  for (int i = 0; i < M; i++)
    A[i] = (struct row){K, a + i * K}, C[i] = (struct row){N, c + i * N};
  for (int k = 0; k < K; k++)
    B[k] = (struct row){N, b + k * N};
  B[7].n = 35;
  printf("%d\n", product(C, A, B, M, N, K));
  show(c, M * N);
}
