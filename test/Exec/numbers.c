// Greatest and least numbers of rows and of all, by fmax and fmin, which ignore what is
// none: among starts and elements, and where there is nothing else. Of zeros of both
// signs the result is the one that scalar code keeps.
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 -fno-vectorize -fno-slp-vectorize %{flags} %s -lm -o %t.plain && %t.plain > %t.plain.txt && \
// DEFINE:   %clang_dl -O3 %{flags} %s -lm -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>%t.remarks && \
// DEFINE:   FileCheck %s --input-file=%t.remarks && %t.dl > %t.dl.txt && diff %t.plain.txt %t.dl.txt
// RUN: %{check}
// REDEFINE: %{flags} = -march=native -DDOUBLE
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// CHECK-COUNT-8: exact, iterations of
#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef DOUBLE
typedef double T;
#define fmaxf fmax
#define fminf fmin
#define fabsf fabs
#else
typedef float T;
#endif
#define ARGS long m, long n, const T *a, T *restrict c
#define FOR(I, E) for (long I = 0; I < E; I++)

__attribute__((noinline)) void greatest(ARGS) {
  FOR(i, m) {
    T s = a[i * n];
    FOR(j, n) s = fmaxf(s, a[i * n + j]);
    c[i] = s;
  }
}
__attribute__((noinline)) void least(ARGS) {
  FOR(i, m) {
    T s = INFINITY;
    FOR(j, n) s = fminf(a[i * n + j], s);
    c[i] = s;
  }
}
__attribute__((noinline)) void farthest(ARGS) {
  FOR(i, m) {
    T s = NAN;
    FOR(j, n) s = fmaxf(s, fabsf(a[i * n + j]));
    c[i] = s;
  }
}
__attribute__((noinline)) void of_all(ARGS) {
  T s = c[0];
  FOR(j, m * n) s = fmaxf(s, a[j]);
  c[0] = s;
}
__attribute__((noinline)) void last_of_all(ARGS) {
  T s = c[0];
  FOR(j, m * n) s = fminf(-a[j], s);
  c[0] = s;
}
// Of what is never negative all equal values have the same bits. A start may be.
__attribute__((noinline)) void loudest(ARGS) {
  FOR(i, m) {
    T s = c[i];
    FOR(j, n) {
      T v = fabsf(a[i * n + j]);
      if (v > s)
        s = v;
    }
    c[i] = s;
  }
}
__attribute__((noinline)) void quietest(ARGS) {
  T s = c[0];
  FOR(j, m * n) s = fabsf(a[j]) < s ? fabsf(a[j]) : s;
  c[0] = s;
}
// Of the others not.
__attribute__((noinline)) void first_of_equal(ARGS) {
  T s = c[0];
  FOR(j, m * n) s = a[j] > s ? a[j] : s;
  c[0] = s;
}

static T Elements[24 * 300], Result[24];
static unsigned Seed = 1;

static unsigned draw(void) {
  Seed = Seed * 1664525u + 1013904223u;
  return Seed >> 8;
}

// Few zeros, among what is less, greater or no number.
static T getElement(int how) {
  unsigned few = draw() >> 8, sign = draw() >> 12 & 1;
  T zero = sign ? -(T)0 : (T)0, v = (T)(int)draw() / 5000000 - (T)1.7;
  switch (how) {
  case 0: return v;
  case 1: return few % 3 == 0 ? (T)NAN : v;
  case 2: return few % 256 != 7 ? (T)NAN : v;
  case 3: return zero;
  case 4: return few % 5 == 0 ? -(T)INFINITY : (T)NAN;
  case 5: return few % 100 < 2 ? zero : -1 - v * v;
  case 6: return few % 100 < 2 ? zero : 1 + v * v;
  case 7: return few % 100 < 2 ? zero : few % 2 ? (T)NAN : -1 - v * v;
  case 8: return few % 3 ? (T)NAN : (T)INFINITY;
  default: return (T)NAN;
  }
}

// Loops of the source that are left to LLVM may take either zero: few short rows.
static void show(const char *name, long m, long n, int how) {
  int isLeft = n < 64 && (m < 24 || m % 8);
  printf("%s %ld %ld %d:", name, m, n, how);
  FOR(i, 24) {
    if (Result[i] != Result[i])
      printf(" nan");
    else
      printf(" %a", (double)(isLeft ? Result[i] + (T)0 : Result[i]));
  }
  printf("\n");
}

int main(void) {
  const long Sizes[] = {0, 1, 3, 8, 17, 24};
  const long Lengths[] = {1, 2, 15, 16, 17, 63, 64, 65, 127, 128, 130, 257, 300};
  FOR(x, sizeof(Sizes) / sizeof(long)) FOR(y, sizeof(Lengths) / sizeof(long)) FOR(how, 10) {
    long m = Sizes[x], n = Lengths[y];
    FOR(i, m * n) Elements[i] = how == 1 && i % n == 0 ? (T)NAN : getElement((int)how);
#define RUN(NAME, START)                                                       \
  FOR(i, 24) Result[i] = START;                                                \
  NAME(m, n, Elements, Result);                                                \
  show(#NAME, m, n, (int)how);
#define RUN_ALL(START)                                                         \
  RUN(of_all, START)                                                           \
  RUN(last_of_all, START)                                                      \
  RUN(loudest, START)                                                          \
  RUN(quietest, START)                                                         \
  RUN(first_of_equal, START)
    RUN(greatest, 5)
    RUN(least, 5)
    RUN(farthest, 5)
    RUN_ALL((T)-1)
    RUN_ALL((T)0)
    RUN_ALL(-(T)0)
    RUN_ALL((T)NAN)
    RUN_ALL((T)INFINITY)
    RUN_ALL(-(T)INFINITY)
  }
}
