// Kernels whose parallel axes may run in lanes, with the plugin and without, on
// the same data: bit by bit. Arrays have the elements that the kernel touches
// and no more, and an inaccessible page in front of them or behind them.
//
// -DBUILD=plain|dl: the kernels; without: the driver. -DTYPE=float|double.
// -DKERNEL_LIST: a file with other kernels.
// -DEACH=3 -DFIRST=N: each third kernel from number N on; others do nothing.
// usage: lanes <rounds> [<largest extent> [<kernel>]]
#include <math.h>
#include <stddef.h>
#include <stdint.h>
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
#define ARGS int L, int M, int N, int K, const T *A, const T *B, T *C
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define KERNEL(X, ...)                                                         \
  void NAME1(X, BUILD)(ARGS) {                                                 \
    if (__COUNTER__ % EACH == FIRST % EACH) {                                  \
      __VA_ARGS__                                                              \
    }                                                                          \
  }

#ifndef KERNEL_LIST
#define KERNEL_LIST "lanes.h"
#endif
#include KERNEL_LIST

#ifndef BUILD
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// X(name, elements of A, of B, of C, whether C has numbers of type T)
#define DECLARE(X, ...)                                                        \
  void X##_plain(ARGS);                                                        \
  void X##_dl(ARGS);
KERNELS(DECLARE)
struct Sizes {
  long A, B, C;
};
typedef long E;
#define SIZES(X, SizeA, SizeB, SizeC, ...)                                     \
  static struct Sizes X##_sizes(E L, E M, E N, E K) {                          \
    return (struct Sizes){SizeA, SizeB, SizeC};                                \
  }
KERNELS(SIZES)
#define ROW(X, SizeA, SizeB, SizeC, Numbers)                                   \
  {#X, X##_plain, X##_dl, X##_sizes, Numbers},
static const struct {
  const char *Name;
  void (*Plain)(ARGS), (*DL)(ARGS);
  struct Sizes (*GetSizes)(E L, E M, E N, E K);
  int Numbers;
} Kernels[] = {KERNELS(ROW)};

static uint64_t State = 88172645463325252ull;
static int pick(int Low, int High) {
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return Low + (int)((State >> 33) % (uint64_t)(High - Low + 1));
}

struct Arena {
  char *First, *End;
};

static struct Arena reserve(size_t Bytes) {
  size_t Page = sysconf(_SC_PAGESIZE);
  Bytes = (Bytes + Page - 1) / Page * Page;
  char *Base = mmap(NULL, Bytes + 2 * Page, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Base == MAP_FAILED)
    exit(2);
  mprotect(Base, Page, PROT_NONE);
  mprotect(Base + Page + Bytes, Page, PROT_NONE);
  return (struct Arena){Base + Page, Base + Page + Bytes};
}

/// So many elements at one end of the memory.
static T *place(struct Arena A, long Count, int AtEnd) {
  return AtEnd ? (T *)A.End - Count : (T *)A.First;
}

static T getElement(int Nasty) {
  static const T Special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1e-40, 3e38};
  if (Nasty && pick(0, 9) == 0)
    return Special[pick(0, 6)];
  // Few values: equal ones meet.
  return Nasty ? (T)pick(-4, 4) : (T)pick(-100000, 100000) / 70000;
}

static int same(const T *X, const T *Y, long Count, int Numbers) {
  for (long I = 0; I < Count; I++)
    if (memcmp(X + I, Y + I, sizeof(T)) &&
        !(Numbers && X[I] != X[I] && Y[I] != Y[I]))
      return 0;
  return 1;
}

/// How far A is behind C where they overlap on purpose: they are one, or apart
/// by elements, a vector or rows.
static long getDistance(long Row) {
  const long Distances[] = {0, 1, 4, 8, 16, 64, Row, Row + 1};
  long By = pick(0, 1) ? 0 : Distances[pick(0, 7)];
  return pick(0, 1) ? By : -By;
}

static long smaller(long X, long Y) { return X < Y ? X : Y; }

static int extent(int Largest) {
  return pick(0, 7) ? pick(pick(0, 1), Largest) : pick(-1, 9);
}

int main(int argc, char **argv) {
  int Rounds = argc > 1 ? atoi(argv[1]) : 20;
  int Largest = argc > 2 ? atoi(argv[2]) : 40, Different = 0;
  int NumKernels = sizeof(Kernels) / sizeof(Kernels[0]), Runs = 0;
  size_t Bytes = 256 * sizeof(T) * (Largest + 16) * (Largest + 16);
  struct Arena MemoryA = reserve(Bytes), MemoryB = reserve(Bytes),
               MemoryC = reserve(Bytes), MemoryD = reserve(Bytes);
  for (int Round = 0; Round < Rounds; Round++)
    for (int I = 0; I < NumKernels; I++) {
      int L = pick(-1, 4), M = extent(Largest), N = extent(Largest),
          K = extent(Largest), Nasty = pick(0, 2) == 0, AtEnd = pick(0, 1);
      if (argc > 3 && strcmp(argv[3], Kernels[I].Name))
        continue;
      struct Sizes S = Kernels[I].GetSizes(L > 0 ? L : 0, M > 0 ? M : 0,
                                           N > 0 ? N : 0, K > 0 ? K : 0);
      if (S.A < 0)
        S.A = 0;
      if (S.B < 0)
        S.B = 0;
      if (S.C < 0)
        S.C = 0;
      // Now and then the arrays overlap.
      int OfB = pick(0, 2) == 0;
      long Input = OfB ? S.B : S.A;
      long Gap = pick(0, 3) == 0 ? pick(0, (int)(Input + S.C)) : -1;
      long Out = Gap < 0 ? S.C : Input + S.C + Gap;
      T *A = place(MemoryA, S.A, AtEnd), *B = place(MemoryB, S.B, AtEnd);
      T *C = place(MemoryC, Out, AtEnd), *D = place(MemoryD, Out, AtEnd);
      for (long X = 0; X < S.A; X++)
        A[X] = getElement(Nasty);
      for (long X = 0; X < S.B; X++)
        B[X] = getElement(Nasty);
      for (long X = 0; X < Out; X++)
        C[X] = D[X] = getElement(Nasty);
      long AtIn = Gap < 0 ? 0 : pick(0, (int)(S.C + Gap));
      long AtC = Gap < 0 ? 0 : pick(0, (int)(Input + Gap));
      if (Gap >= 0 && pick(0, 1)) {
        long By = getDistance(N > 0 ? N : 0);
        AtIn = smaller(By > 0 ? By : 0, S.C + Gap);
        AtC = smaller(By < 0 ? -By : 0, Input + Gap);
      }
      int IsA = Gap >= 0 && !OfB, IsB = Gap >= 0 && OfB;
      Kernels[I].DL(L, M, N, K, IsA ? C + AtIn : A, IsB ? C + AtIn : B,
                    C + AtC);
      Kernels[I].Plain(L, M, N, K, IsA ? D + AtIn : A, IsB ? D + AtIn : B,
                       D + AtC);
      Runs++;
      if (!same(C, D, Out, Kernels[I].Numbers)) {
        printf("%s differs: L=%d M=%d N=%d K=%d gap=%ld %c=%ld c=%ld\n",
               Kernels[I].Name, L, M, N, K, Gap, OfB ? 'b' : 'a', AtIn, AtC);
        Different++;
      }
    }
  printf("%d kernels, %d runs, %d different\n", NumKernels, Runs, Different);
  return Different != 0;
}
#endif
