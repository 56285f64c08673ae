// Kinds of products, with the plugin and without, on the same data: bit by bit.
//
// -DBUILD=plain|dl: the kernels; without: the driver. -DTYPE=float|double.
// -DKINDS: a file with other kernels.
// -DEACH=3 -DFIRST=N: each third kernel from number N on; others do nothing.
// usage: kinds <rounds> [<largest extent>]
#ifndef TYPE
#define TYPE float
#endif
#ifndef EACH
#define EACH 1
#endif
#ifndef FIRST
#define FIRST 0
#endif
typedef TYPE T;
#define ARGS                                                                   \
  int L, int M, int N, int K, const T *A, const T *B, const T *bias, T *C

#ifdef BUILD
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define KERNEL(X, ...)                                                         \
  void NAME1(X, BUILD)(ARGS) {                                                 \
    if (__COUNTER__ % EACH == FIRST % EACH) {                                  \
      __VA_ARGS__                                                              \
    }                                                                          \
  }
#define SUM(START, A_, B_)                                                     \
  T s = START;                                                                 \
  FOR(k, K) s += A_ * B_
#define IJ FOR(i, M) FOR(j, N)
#endif

#ifdef KINDS
#include KINDS
#else
#define KERNELS(X)                                                             \
  X(nt)                                                                        \
  X(tn) X(tt) X(nt_update) X(nt_bias) X(nt_rows_bias) X(nt_post) X(tn_post)    \
      X(colmajor_nt) X(matvec) X(matvec_bias) X(matvec_post) X(vecmat)         \
          X(vecmat_post) X(strided_vector) X(batched) X(batched_nt)            \
              X(batched_update) X(shared_b) X(two_of_m) X(two_of_k)            \
                  X(attention) X(triangle) X(skipped)

#ifdef BUILD
KERNEL(
    nt, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = s;
    })
KERNEL(
    tn, IJ {
      SUM(0, A[k * M + i], B[k * N + j]);
      C[i * N + j] = s;
    })
KERNEL(
    tt, IJ {
      SUM(0, A[k * M + i], B[j * K + k]);
      C[i * N + j] = s;
    })
KERNEL(nt_update, IJ FOR(k, K) C[i * N + j] += A[i * K + k] * B[j * K + k];)
KERNEL(
    nt_bias, IJ {
      SUM(bias[j], A[i * K + k], B[j * K + k]);
      C[i * N + j] = s;
    })
KERNEL(
    nt_rows_bias, IJ {
      SUM(bias[i], A[i * K + k], B[j * K + k]);
      C[i * N + j] = s;
    })
KERNEL(
    nt_post, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] += s;
    })
KERNEL(
    tn_post, IJ {
      SUM(0, A[k * M + i], B[k * N + j]);
      C[i * N + j] += s;
    })
KERNEL(
    colmajor_nt, FOR(j, N) FOR(i, M) {
      SUM(0, A[i + k * M], B[j + k * N]);
      C[i + j * M] = s;
    })
KERNEL(
    matvec, FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      C[i] = s;
    })
KERNEL(
    matvec_bias, FOR(i, M) {
      SUM(bias[i], A[i * K + k], B[k]);
      C[i] = s;
    })
KERNEL(
    matvec_post, FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      C[i] += s;
    })
KERNEL(
    vecmat, FOR(j, N) {
      SUM(bias[j], A[k], B[k * N + j]);
      C[j] = s;
    })
KERNEL(vecmat_post, FOR(k, K) FOR(j, N) C[j] += A[k] * B[k * N + j];)
KERNEL(
    strided_vector, FOR(i, M) {
      SUM(0, A[i * K + k], B[k * 3]);
      C[i * 2] = s;
    })
KERNEL(
    batched, FOR(l, L) IJ {
      SUM(0, A[(l * M + i) * K + k], B[(l * K + k) * N + j]);
      C[(l * M + i) * N + j] = s;
    })
KERNEL(
    batched_nt, FOR(l, L) IJ {
      SUM(bias[l], A[(l * M + i) * K + k], B[(l * N + j) * K + k]);
      C[(l * M + i) * N + j] = s;
    })
KERNEL(batched_update, FOR(l, L) FOR(k, K) IJ C[(l * M + i) * N + j] +=
                       A[(l * M + i) * K + k] * B[(l * K + k) * N + j];)
KERNEL(
    shared_b, FOR(l, L) IJ {
      SUM(0, A[(l * K + k) * M + i], B[k * N + j]);
      C[(l * M + i) * N + j] = s;
    })
KERNEL(
    two_of_m, FOR(l, L) IJ {
      SUM(0, A[(l * M + i) * K + k], B[k * N + j]);
      C[(l * M + i) * N + j] = s;
    })
KERNEL(
    two_of_k, IJ {
      T s = 0;
      FOR(l, L) FOR(k, K) s += A[(i * L + l) * K + k] * B[(l * K + k) * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    attention, FOR(l, L) FOR(h, 4) IJ {
      T s = 0;
      FOR(k, 32)
      s +=
          A[((l * M + i) * 4 + h) * 32 + k] * B[((l * N + j) * 4 + h) * 32 + k];
      C[((l * 4 + h) * M + i) * N + j] = s;
    })
KERNEL(
    triangle, IJ {
      T s = 0;
      FOR(k, i) s += A[i * M + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    skipped, FOR(l, L) {
      if (bias[l] > 0)
        IJ {
          SUM(0, A[(l * M + i) * K + k], B[j * K + k]);
          C[(l * M + i) * N + j] = s;
        }
    })

#endif
#endif

#ifndef BUILD
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define DECLARE(X)                                                             \
  void X##_plain(ARGS);                                                        \
  void X##_dl(ARGS);
KERNELS(DECLARE)
#define ROW(X) {#X, X##_plain, X##_dl},
static const struct {
  const char *Name;
  void (*Plain)(ARGS), (*DL)(ARGS);
} Kernels[] = {KERNELS(ROW)};

static uint64_t State = 88172645463325252ull;
static int pick(int Low, int High) {
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return Low + (int)((State >> 32) * (uint64_t)(High - Low + 1) >> 32);
}

/// Against an inaccessible page, at its end.
static T *allocate(size_t Count) {
  size_t Page = sysconf(_SC_PAGESIZE), Bytes = Count * sizeof(T);
  size_t Whole = (Bytes + Page - 1) / Page * Page;
  char *Base = mmap(NULL, Whole + Page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(Base + Whole, Page, PROT_NONE);
  return (T *)(Base + Whole - Bytes);
}

static void fill(T *P, size_t Count, int Nasty) {
  static const T Special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-40, 3e38};
  for (size_t I = 0; I < Count; I++)
    P[I] = Nasty && pick(0, 20) == 0 ? Special[pick(0, 6)]
                                     : (T)pick(-100000, 100000) / 70000;
}

static int same(const T *X, const T *Y, size_t Count) {
  for (size_t I = 0; I < Count; I++)
    if (memcmp(X + I, Y + I, sizeof(T)) && !(X[I] != X[I] && Y[I] != Y[I]))
      return 0;
  return 1;
}

static int extent(int Largest) {
  return pick(0, 3) ? pick(0, Largest) : pick(0, 9);
}

int main(int argc, char **argv) {
  int Rounds = argc > 1 ? atoi(argv[1]) : 20;
  int Largest = argc > 2 ? atoi(argv[2]) : 60, Different = 0;
  int NumKernels = sizeof(Kernels) / sizeof(Kernels[0]);
  size_t E = Largest > 32 ? Largest : 32;
  size_t SizeA = 12 * E * E, SizeC = 12 * E * E;
  T *A = allocate(SizeA), *B = allocate(SizeA), *Bias = allocate(E);
  T *C = allocate(SizeC), *D = allocate(SizeC);
  for (int Round = 0; Round < Rounds; Round++)
    for (int I = 0; I < NumKernels; I++) {
      int L = pick(0, 3), M = extent(Largest), N = extent(Largest),
          K = extent(Largest), Nasty = pick(0, 2) == 0;
      if (M > 0 && K > 0 && strcmp(Kernels[I].Name, "triangle") == 0)
        K = M;
      fill(A, SizeA, Nasty);
      fill(B, SizeA, Nasty);
      fill(Bias, E, Nasty);
      fill(C, SizeC, Nasty);
      memcpy(D, C, SizeC * sizeof(T));
      // Now and then the arrays overlap.
      size_t Shift = pick(0, 9) == 0 ? pick(1, (int)E) : 0;
      const T *X = Shift ? C + Shift : A;
      Kernels[I].DL(L, M, N, K, X, B, Bias, C);
      Kernels[I].Plain(L, M, N, K, Shift ? D + Shift : A, B, Bias, D);
      if (!same(C, D, SizeC)) {
        printf("%s differs: L=%d M=%d N=%d K=%d shift=%d\n", Kernels[I].Name, L,
               M, N, K, (int)Shift);
        Different++;
      }
    }
  printf("%d kinds, %d rounds, %d different\n", NumKernels, Rounds, Different);
  return Different != 0;
}
#endif
