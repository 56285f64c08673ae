// Rows that are written behind their last column, over the lengths of others; rows
// whose indices are counted from another number; conditions of rows that are long
// computations.
// REQUIRES: native-x86
// RUN: %clang    -O2 -march=native -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O2 -march=native -fno-strict-aliasing %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
#include <stdio.h>
#include <stdlib.h>

struct row {
  long n;
  float *p;
};

__attribute__((noinline)) int behind(const struct row *C, const struct row *A,
                                     const struct row *B, long M, long N,
                                     long K) {
  for (long i = 0; i < M; i++) {
    float *p = C[i].p;
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++) {
        if (j >= B[k].n)
          return 1;
        acc += A[i].p[k] * B[k].p[j];
      }
      *p++ = acc;
    }
    *p = 0;
  }
  return 0;
}

__attribute__((noinline)) int from_one(const struct row *C, const struct row *A,
                                       const struct row *B, long M, long N,
                                       long K) {
  for (unsigned i = 1; i <= (unsigned)M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i - 1].p[k] * B[k].p[j];
      C[i - 1].p[j] = acc;
    }
  return 0;
}

#define MIX(X, N) (((X) * (2 * (N) + 3)) ^ ((N) + 7))
#define MIX4(X, N) MIX(MIX(MIX(MIX(X, N), N + 1), N + 2), N + 3)
#define MIX12(X) MIX4(MIX4(MIX4(X, 0), 4), 8)

__attribute__((noinline)) int mixed(const struct row *restrict C,
                                    const struct row *A, const struct row *B,
                                    long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long k = 0; k < K; k++) {
      if (MIX12(A[i].n) + MIX12(B[k].n) + MIX12(C[i].n) == 12345)
        return 1;
      for (long j = 0; j < N; j++)
        C[i].p[j] += A[i].p[k] * B[k].p[j];
    }
  return 0;
}

static void run(int (*f)(const struct row *, const struct row *,
                         const struct row *, long, long, long),
                int shift) {
  enum { M = 9, N = 40, K = 12, Apart = N + 64 };
  float *a = calloc(M * K, 4), *b = calloc(K * N, 4), *c = calloc(M * Apart, 4);
  struct row A[M], C[M];
  // Between the last two rows.
  struct row *B = (struct row *)(c + (M - 2) * Apart + N + 2 * shift);
  for (int i = 0; i < M * K; i++)
    a[i] = i % 7;
  for (int i = 0; i < K * N; i++)
    b[i] = i % N < N - 2 ? i % 5 : 0;
  for (int i = 0; i < M; i++) {
    A[i] = (struct row){K, a + i * K};
    C[i] = (struct row){N, c + i * Apart};
  }
  for (int k = 0; k < K; k++)
    B[k] = (struct row){N, b + k * N};
  printf("%d\n", f(C, A, B, M, N, K));
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++)
      printf("%a\n", c[i * Apart + j]);
}

int main(void) {
  for (int shift = -1; shift != 3; ++shift)
    run(behind, shift);
  run(from_one, 0);
  run(mixed, 0);
}
