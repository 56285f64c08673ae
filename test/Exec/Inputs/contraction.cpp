// Compares @gemm with the loop it stands for, bit by bit: random shapes,
// strides, alignments and start values, with NaN, infinities, signed zeros and
// subnormals among the numbers. Every array lies against an inaccessible page,
// at its end or at its start, and what lies between the rows of C must stay.
//
// usage: contraction <seed> <shapes> [<largest extent>]
// -DTYPE=float|double  -DFUSED=0|1  -DPOST_ADD=0|1  -DTRANS_A=0|1 -DTRANS_B=0|1
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

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

extern "C" void gemm(T *C, long ldc, const T *A, long lda, const T *B, long ldb,
                     const T *S, long srs, long scs, long M, long N, long K);

static uint64_t State = 88172645463325252ull;
static uint64_t random64() {
  State ^= State << 13;
  State ^= State >> 7;
  return State ^= State << 17;
}
static long pick(long Low, long High) {
  return Low + long(random64() >> 11) % (High - Low + 1);
}

static T randomNumber(bool Nasty) {
  if (INTEGERS)
    return T(pick(-30, 30));
  static const T Special[] = {T(NAN),  T(INFINITY), -T(INFINITY), T(0.0),
                              T(-0.0), T(1e-40),    T(-3e-42),    T(3e38)};
  if (Nasty && pick(0, 15) == 0)
    return Special[pick(0, 7)];
  return T(int64_t(random64()) >> 30) / T(1ll << 33);
}

/// An array whose first or last element borders on an inaccessible page.
struct Guarded {
  T *Data;
  long Size;
  Guarded(long Size, bool AtEnd, bool Nasty) : Size(Size) {
    long Page = sysconf(_SC_PAGESIZE);
    Bytes = (Size * sizeof(T) + Page - 1) / Page * Page + 2 * Page;
    Base = (char *)mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(Base, Page, PROT_NONE);
    mprotect(Base + Bytes - Page, Page, PROT_NONE);
    Data = AtEnd ? (T *)(Base + Bytes - Page) - Size : (T *)(Base + Page);
    for (long I = 0; I < Size; ++I)
      Data[I] = randomNumber(Nasty);
  }
  ~Guarded() { munmap(Base, Bytes); }

private:
  char *Base;
  size_t Bytes;
};

static void reference(T *C, long ldc, const T *A, long lda, const T *B,
                      long ldb, const T *S, long srs, long scs, long M, long N,
                      long K) {
#pragma clang fp contract(off)
  std::vector<T> Row(N);
  for (long m = 0; m < M; ++m) {
    for (long n = 0; n < N; ++n)
      Row[n] = S[m * srs + (scs ? n : 0)];
    for (long k = 0; k < K; ++k)
      for (long n = 0; n < N; ++n) {
        T a = TRANS_A ? A[k * lda + m] : A[m * lda + k];
        T b = TRANS_B ? B[n * ldb + k] : B[k * ldb + n];
        Row[n] = FUSED ? std::fma(a, b, Row[n]) : a * b + Row[n];
      }
    for (long n = 0; n < N; ++n)
      C[m * ldc + n] = POST_ADD ? C[m * ldc + n] + Row[n] : Row[n];
  }
}

/// NaNs are equal whatever their payload.
static bool same(T X, T Y) {
  return (X != X && Y != Y) || std::memcmp(&X, &Y, sizeof(T)) == 0;
}

static long extent(long Largest) {
  switch (pick(0, 3)) {
  case 0:
    return pick(1, std::min(Largest, 9L));
  case 1:
    return std::min(Largest, 1L << pick(0, 9));
  default:
    return pick(1, Largest);
  }
}

static bool check(long Largest) {
  long M = INTEGERS && pick(0, 1) ? 1 : extent(Largest), N = extent(Largest),
       K = extent(Largest);
  if (pick(0, 7) == 0)
    K = pick(1, 12 * Largest);
  auto Stride = [](long Width) {
    return Width + (pick(0, 1) ? pick(0, 40) : 0);
  };
  long lda = Stride(TRANS_A ? M : K), ldb = Stride(TRANS_B ? K : N),
       ldc = Stride(N);
  bool Nasty = pick(0, 2) == 0;
  Guarded C((M - 1) * ldc + N, pick(0, 1), Nasty);
  Guarded A(TRANS_A ? (K - 1) * lda + M : (M - 1) * lda + K, pick(0, 1), Nasty);
  Guarded B(TRANS_B ? (N - 1) * ldb + K : (K - 1) * ldb + N, pick(0, 1), Nasty);
  int Start = pick(0, 4);
  long srs = Start == 2 || Start == 4, scs = Start == 3;
  if (Start == 4) {
    srs = N;
    scs = 1;
  }
  long SSize = Start == 4 ? M * N : Start == 3 ? N : Start == 2 ? M : 1;
  Guarded S(SSize, pick(0, 1), Nasty);
  bool FromC = Start == 1 && !POST_ADD;
  if (FromC) {
    srs = ldc;
    scs = 1;
  }
  std::vector<T> Expected(C.Data, C.Data + C.Size);
  reference(Expected.data(), ldc, A.Data, lda, B.Data, ldb,
            FromC ? Expected.data() : S.Data, srs, scs, M, N, K);
  gemm(C.Data, ldc, A.Data, lda, B.Data, ldb, FromC ? C.Data : S.Data, srs, scs,
       M, N, K);
  for (long I = 0; I < C.Size; ++I)
    if (!same(C.Data[I], Expected[I])) {
      std::printf("M=%ld N=%ld K=%ld lda=%ld ldb=%ld ldc=%ld start=%d: C[%ld, "
                  "%ld] is %a, not %a\n",
                  M, N, K, lda, ldb, ldc, Start, I / ldc, I % ldc,
                  double(C.Data[I]), double(Expected[I]));
      return false;
    }
  return true;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  State += std::strtoull(argv[1], nullptr, 10) * 0x9e3779b97f4a7c15ull;
  long Shapes = std::atol(argv[2]),
       Largest = argc > 3 ? std::atol(argv[3]) : 70;
  for (long I = 0; I < Shapes; ++I)
    if (!check(Largest))
      return 1;
  std::printf("%ld shapes equal\n", Shapes);
}
