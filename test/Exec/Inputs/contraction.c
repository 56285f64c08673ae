// Compares @gemm with the loop it stands for, bit by bit: random shapes,
// strides, alignments and start values, with NaN, infinities, signed zeros and
// subnormals among the numbers. Every array lies against an inaccessible page,
// at its end or at its start, and what lies between the rows of C must stay.
//
// usage: contraction <seed> <shapes> [<largest extent>]
// -DTYPE=float|double  -DFUSED=0|1  -DPOST_ADD=0|1  -DTRANS_A=0|1 -DTRANS_B=0|1
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef TYPE
#define TYPE float
#endif
#ifndef FUSED
#define FUSED 1
#endif
#ifndef POST_ADD
#define POST_ADD 0
#endif
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef INTEGERS
#define INTEGERS 0 // small integers only: sums have the same bits in any order
#endif
#ifndef TRANS_B
#define TRANS_B 0
#endif
typedef TYPE T;

void gemm(T *C, long ldc, const T *A, long lda, const T *B, long ldb,
          const T *S, long srs, long scs, long M, long N, long K);

static uint64_t State = 88172645463325252ull;
static uint64_t random64(void) {
  State ^= State << 13;
  State ^= State >> 7;
  return State ^= State << 17;
}
static long pick(long Low, long High) {
  return Low + (long)(random64() >> 11) % (High - Low + 1);
}

static long smaller(long X, long Y) { return X < Y ? X : Y; }

static T randomNumber(int Nasty) {
  if (INTEGERS)
    return (T)pick(-30, 30);
  static const T Special[] = {NAN,  INFINITY, -INFINITY, 0.0,
                              -0.0, 1e-40,    -3e-42,    3e38};
  if (Nasty && pick(0, 15) == 0)
    return Special[pick(0, 7)];
  return (T)((int64_t)random64() >> 30) / (T)(1ll << 33);
}

/// An array whose first or last element borders on an inaccessible page.
struct Guarded {
  T *Data;
  long Size;
  char *Base;
  size_t Bytes;
};

static struct Guarded allocate(long Size, int AtEnd, int Nasty) {
  struct Guarded G;
  long Page = sysconf(_SC_PAGESIZE);
  G.Size = Size;
  G.Bytes = (Size * sizeof(T) + Page - 1) / Page * Page + 2 * Page;
  G.Base = mmap(NULL, G.Bytes, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(G.Base, Page, PROT_NONE);
  mprotect(G.Base + G.Bytes - Page, Page, PROT_NONE);
  G.Data = AtEnd ? (T *)(G.Base + G.Bytes - Page) - Size : (T *)(G.Base + Page);
  for (long I = 0; I < Size; ++I)
    G.Data[I] = randomNumber(Nasty);
  return G;
}

static void release(struct Guarded G) { munmap(G.Base, G.Bytes); }

static T fuse(T A, T B, T C) {
  return sizeof(T) == 4 ? (T)fmaf(A, B, C) : (T)fma(A, B, C);
}

static void reference(T *C, long ldc, const T *A, long lda, const T *B,
                      long ldb, const T *S, long srs, long scs, long M, long N,
                      long K) {
#pragma clang fp contract(off)
  T *Row = malloc(N * sizeof(T));
  for (long m = 0; m < M; ++m) {
    for (long n = 0; n < N; ++n)
      Row[n] = S[m * srs + (scs ? n : 0)];
    for (long k = 0; k < K; ++k)
      for (long n = 0; n < N; ++n) {
        T a = TRANS_A ? A[k * lda + m] : A[m * lda + k];
        T b = TRANS_B ? B[n * ldb + k] : B[k * ldb + n];
        Row[n] = FUSED ? fuse(a, b, Row[n]) : a * b + Row[n];
      }
    for (long n = 0; n < N; ++n)
      C[m * ldc + n] = POST_ADD ? C[m * ldc + n] + Row[n] : Row[n];
  }
  free(Row);
}

/// NaNs are equal whatever their payload.
static int same(T X, T Y) {
  return (X != X && Y != Y) || memcmp(&X, &Y, sizeof(T)) == 0;
}

static long extent(long Largest) {
  switch (pick(0, 3)) {
  case 0:
    return pick(1, smaller(Largest, 9));
  case 1:
    return smaller(Largest, 1L << pick(0, 9));
  default:
    return pick(1, Largest);
  }
}

static long stride(long Width) {
  return Width + (pick(0, 1) ? pick(0, 40) : 0);
}

static int check(long Largest) {
  long M = INTEGERS && pick(0, 1) ? 1 : extent(Largest), N = extent(Largest),
       K = extent(Largest);
  if (pick(0, 7) == 0)
    K = pick(1, 12 * Largest);
  long lda = stride(TRANS_A ? M : K), ldb = stride(TRANS_B ? K : N),
       ldc = stride(N);
  int Nasty = pick(0, 2) == 0;
  struct Guarded C = allocate((M - 1) * ldc + N, pick(0, 1), Nasty);
  struct Guarded A = allocate(TRANS_A ? (K - 1) * lda + M : (M - 1) * lda + K,
                              pick(0, 1), Nasty);
  struct Guarded B = allocate(TRANS_B ? (N - 1) * ldb + K : (K - 1) * ldb + N,
                              pick(0, 1), Nasty);
  int Start = pick(0, 4);
  long srs = Start == 2 || Start == 4, scs = Start == 3;
  if (Start == 4) {
    srs = N;
    scs = 1;
  }
  long SSize = Start == 4 ? M * N : Start == 3 ? N : Start == 2 ? M : 1;
  struct Guarded S = allocate(SSize, pick(0, 1), Nasty);
  int FromC = Start == 1 && !POST_ADD;
  if (FromC) {
    srs = ldc;
    scs = 1;
  }
  T *Expected = malloc(C.Size * sizeof(T));
  memcpy(Expected, C.Data, C.Size * sizeof(T));
  reference(Expected, ldc, A.Data, lda, B.Data, ldb, FromC ? Expected : S.Data,
            srs, scs, M, N, K);
  gemm(C.Data, ldc, A.Data, lda, B.Data, ldb, FromC ? C.Data : S.Data, srs, scs,
       M, N, K);
  for (long I = 0; I < C.Size; ++I)
    if (!same(C.Data[I], Expected[I])) {
      printf("M=%ld N=%ld K=%ld lda=%ld ldb=%ld ldc=%ld start=%d: C[%ld, "
             "%ld] is %a, not %a\n",
             M, N, K, lda, ldb, ldc, Start, I / ldc, I % ldc, (double)C.Data[I],
             (double)Expected[I]);
      return 0;
    }
  free(Expected);
  release(A);
  release(B);
  release(C);
  release(S);
  return 1;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  State += strtoull(argv[1], NULL, 10) * 0x9e3779b97f4a7c15ull;
  long Shapes = atol(argv[2]), Largest = argc > 3 ? atol(argv[3]) : 70;
  for (long I = 0; I < Shapes; ++I)
    if (!check(Largest))
      return 1;
  printf("%ld shapes equal\n", Shapes);
  return 0;
}
