// There are fewer rows than the product asks for: it ends behind the last one, and
// nothing says what is in memory there.
// RUN: %check
#include "planted.h"

struct matrix {
  long count;
  float **rows;
};

NOINLINE int product(float **C, const struct matrix *A, float **B, long M,
                     long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      if (i >= A->count)
        return 1;
      for (long k = 0; k < K; k++)
        acc += A->rows[i][k] * B[k][j];
      C[i][j] = acc;
    }
  return 0;
}

int main(void) {
  enum { M = 9, N = 40, K = 12 };
  float *a = array(M * K), *b = array(K * N), *c = array(M * N);
  float *B[K], *C[M];
  struct matrix A = {4, (float **)array(8)};
  for (int i = 0; i < M; i++)
    C[i] = c + i * N;
  for (int i = 0; i < 4; i++)
    A.rows[i] = a + i * K;
  for (int k = 0; k < K; k++)
    B[k] = b + k * N;
  printf("%d\n", product(C, &A, B, M, N, K));
  show(c, M * N);
}
