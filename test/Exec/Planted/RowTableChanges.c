// The first row of the output is where the addresses of the first matrix's rows
// are, in a type that may be anything: the second row of C comes of what the
// first row wrote there.
// RUN: %check
#include "planted.h"

typedef float __attribute__((may_alias)) any_float;

NOINLINE void product(any_float **C, float **A, float **B, long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}

int main(void) {
  // At an address whose halves are numbers that sums keep as they are.
  char *low = mmap((void *)0x20000000l, 16 * PAGE, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (low == MAP_FAILED)
    abort();
  enum { M = 4, N = 8, K = 4 };
  float *rows = (float *)low, *other = rows + PAGE, *b = rows + 2 * PAGE;
  fill(rows, M * K);
  fill(other, M * K);
  // The first row of the product: the address of other, for the rows 1 to 4.
  float halves[2];
  memcpy(halves, &other, sizeof(halves));
  memset(b, 0, K * N * sizeof(float));
  memset(rows, 0, K * sizeof(float));
  rows[0] = 1;
  for (int j = 0; j < N; j++)
    b[j] = halves[j % 2];
  float **A = (float **)(low + 12 * PAGE), *B[K];
  any_float *C[M];
  for (int i = 0; i < M; i++)
    A[i] = rows + i * K;
  for (int k = 0; k < K; k++)
    B[k] = b + k * N;
  for (int i = 0; i < M; i++)
    C[i] = (any_float *)(A + 1) + i * N;
  product(C, A, B, M, N, K);
  show((float *)(A + 1), M * N);
}
