/* What the programs here have in common: arrays that end at a page that must not
   be touched, numbers whose sums depend on order and rounding, and output of
   every bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NOINLINE __attribute__((noinline))
#define PAGE 4096l

static unsigned Seed = 1;

static void fill(float *p, long n) {
  for (long i = 0; i < n; i++) {
    Seed = Seed * 1664525u + 1013904223u;
    p[i] = (float)(int)(Seed >> 8) / 5e6f - 1.7f;
  }
}

static float *array(long n) {
  long bytes = (n * 4 + PAGE - 1) / PAGE * PAGE;
  char *p = mmap(0, bytes + PAGE, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED || mprotect(p + bytes, PAGE, PROT_NONE))
    abort();
  float *a = (float *)(p + bytes) - n;
  fill(a, n);
  return a;
}

static void show(const float *p, long n) {
  unsigned long hash = 1469598103934665603ul;
  for (long i = 0; i < n; i++) {
    unsigned bits;
    memcpy(&bits, &p[i], 4);
    hash = (hash ^ bits) * 1099511628211ul;
  }
  printf("%016lx\n", hash);
}

/* C = A * B, and C += A * B in memory. */
#define PRODUCT(NAME)                                                          \
  NOINLINE void NAME(float *C, long ldc, const float *A, long lda,             \
                     const float *B, long ldb, long M, long N, long K) {       \
    for (long i = 0; i < M; i++)                                               \
      for (long j = 0; j < N; j++) {                                           \
        float acc = 0;                                                         \
        for (long k = 0; k < K; k++)                                           \
          acc += A[i * lda + k] * B[k * ldb + j];                              \
        C[i * ldc + j] = acc;                                                  \
      }                                                                        \
  }
#define UPDATE(NAME)                                                           \
  NOINLINE void NAME(float *C, long ldc, const float *A, long lda,             \
                     const float *B, long ldb, long M, long N, long K) {       \
    for (long i = 0; i < M; i++)                                               \
      for (long j = 0; j < N; j++)                                             \
        for (long k = 0; k < K; k++)                                           \
          C[i * ldc + j] += A[i * lda + k] * B[k * ldb + j];                   \
  }

/* Sums of rows, and C = A * B where row i of A has the elements [0, END). */
#define ROW_SUMS(NAME)                                                         \
  NOINLINE void NAME(float *c, const float *a, long m, long n) {               \
    for (long i = 0; i < m; i++) {                                             \
      float s = 0;                                                             \
      for (long j = 0; j < n; j++)                                             \
        s += a[i * n + j];                                                     \
      c[i] = s;                                                                \
    }                                                                          \
  }
#define TRIANGLE_PRODUCT(NAME, START, END)                                     \
  NOINLINE void NAME(float *restrict C, const float *restrict A,               \
                     const float *restrict B, long M, long N) {                \
    for (long i = 0; i < M; i++)                                               \
      for (long j = 0; j < N; j++) {                                           \
        float acc = START;                                                     \
        for (long k = 0; k < END; k++)                                         \
          acc += A[i * M + k] * B[k * N + j];                                  \
        C[i * N + j] = acc;                                                    \
      }                                                                        \
  }

/* C = A * B^T, and y = A * x. */
#define PRODUCT_NT(NAME)                                                       \
  NOINLINE void NAME(float *C, const float *A, const float *B, long M, long N, \
                     long K) {                                                 \
    for (long i = 0; i < M; i++)                                               \
      for (long j = 0; j < N; j++) {                                           \
        float acc = 0;                                                         \
        for (long k = 0; k < K; k++)                                           \
          acc += A[i * K + k] * B[j * K + k];                                  \
        C[i * N + j] = acc;                                                    \
      }                                                                        \
  }
#define MATVEC(NAME)                                                           \
  NOINLINE void NAME(float *y, const float *A, const float *x, long M,         \
                     long K) {                                                 \
    for (long i = 0; i < M; i++) {                                             \
      float acc = 0;                                                           \
      for (long k = 0; k < K; k++)                                             \
        acc += A[i * K + k] * x[k];                                            \
      y[i] = acc;                                                              \
    }                                                                          \
  }
