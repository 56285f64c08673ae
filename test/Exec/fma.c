// What recurrences are when dl-fma has chosen their forms: the bits of plain clang
// without flags; with them those of one of the two ways to round, or near them.
//
// REQUIRES: native-x86, avx2
// DEFINE: %{flags} =
// DEFINE: %{type} = -DT=float
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 -ffp-contract=off -march=haswell %{type} %s -c -o %t.driver.o && \
// DEFINE:   %clang_dl -O3 %{flags} %{type} -DKERNELS %s -c -o %t.o && \
// DEFINE:   %clang %t.driver.o %t.o -lm -o %t && %t
//
// RUN: %{check} rounded | FileCheck %s
// REDEFINE: %{flags} = -march=haswell
// RUN: %{check} fused | FileCheck %s
// REDEFINE: %{flags} = -march=haswell -mllvm -dl-fma=free
// RUN: %{check} any | FileCheck %s
// REDEFINE: %{type} = -DT=double
// RUN: %{check} any | FileCheck %s
// REDEFINE: %{flags} = -march=haswell -ffp-contract=fast
// RUN: %{check} any | FileCheck %s
// REDEFINE: %{type} = -DT=float
// RUN: %{check} any | FileCheck %s
// REDEFINE: %{flags} = -march=haswell -fassociative-math -fno-signed-zeros -fno-trapping-math -ffp-contract=fast
// RUN: %{check} near | FileCheck %s
// REDEFINE: %{flags} = -march=haswell -mllvm -dl-fma=free -fno-unroll-loops -fno-vectorize
// RUN: %{check} any | FileCheck %s
// CHECK-NOT: wrong
// CHECK: 9 kernels
#define ARGUMENTS                                                              \
  const T *restrict a, const T *restrict b, T *restrict out, T p, T q, long n

// What is used twice: a product that is subtracted, too.
extern volatile T g;

#ifdef KERNELS
#define KERNEL(NAME, ROUND, FUSED, APART)                                      \
  T NAME(ARGUMENTS) {                                                          \
    T h = 0.5f;                                                                \
    for (long i = 0; i < n; i++) {                                             \
      T x = a[i * 3], y = b[i * 2], z = a[i * 3 + 1], w = b[i * 2 + 1];        \
      (void)y, (void)z, (void)w;                                               \
      ROUND;                                                                   \
      if (out)                                                                 \
        out[i] = h;                                                            \
    }                                                                          \
    return h;                                                                  \
  }                                                                            \
  T NAME##_only(ARGUMENTS) {                                                   \
    T h = 0.5f;                                                                \
    for (long i = 0; i < n; i++) {                                             \
      T x = a[i * 3], y = b[i * 2], z = a[i * 3 + 1], w = b[i * 2 + 1];        \
      (void)y, (void)z, (void)w;                                               \
      ROUND;                                                                   \
    }                                                                          \
    return h;                                                                  \
  }
#include "Inputs/fma.h"
#else
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

volatile T g;
#define FMA(A, B, C) (sizeof(T) == 4 ? fmaf(A, B, C) : fma(A, B, C))
enum { Most = 70 };
typedef T Kernel(ARGUMENTS);

#define KERNEL(NAME, ROUND, FUSED, APART)                                      \
  Kernel NAME, NAME##_only;                                                    \
  static T NAME##_fused(T h, T x, T y, T z, T w, T p, T q) {                   \
    (void)y, (void)z, (void)w, (void)q;                                        \
    FUSED;                                                                     \
    return h;                                                                  \
  }                                                                            \
  static T NAME##_apart(T h, T x, T y, T z, T w, T p, T q) {                   \
    (void)y, (void)z, (void)w, (void)q;                                        \
    APART;                                                                     \
    return h;                                                                  \
  }                                                                            \
  static T NAME##_two(T h, T x, T y, T z, T w, T p, T q) {                     \
    (void)y, (void)z, (void)w, (void)q;                                        \
    ROUND;                                                                     \
    return h;                                                                  \
  }
#include "Inputs/fma.h"
#undef KERNEL

typedef T Step(T, T, T, T, T, T, T);
static const struct {
  const char *Name;
  Kernel *Run, *Only;
  Step *Ways[3];
} Kernels[] = {
#define KERNEL(NAME, ROUND, FUSED, APART)                                      \
  {#NAME, NAME, NAME##_only, {NAME##_fused, NAME##_apart, NAME##_two}},
#include "Inputs/fma.h"
};

static T draw(unsigned kind) {
  double r = rand() / (RAND_MAX + 1.0) * 2 - 1;
  if (kind == 1 && rand() % 4 == 0)
    return rand() % 2 ? -0.0f : 0.0f;
  if (kind == 2 && rand() % 16 == 0)
    return rand() % 2 ? (T)INFINITY : (T)NAN;
  return kind == 3 ? (T)(r * 1e-38) : (T)r;
}

static int same(T a, T b) {
  return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

enum { Fused = 1, Apart = 2, Rounded = 4, Near = 8 };

static int isNear(T got, T h) {
  return isfinite(h) ? fabs((double)got - h) <= 1e-4 * (1 + fabs((double)h))
                     : !isfinite(got);
}

// Whether one of the permitted ways leads from round to round.
static int isRight(unsigned k, unsigned ways, const T *a, const T *b,
                   const T *out, T last, T p, T q, long n) {
  T h = 0.5f;
  for (long i = 0; i < n; i++) {
    T next[3];
    int any = 0;
    for (int w = 0; w != 3; w++) {
      next[w] = Kernels[k].Ways[w](h, a[i * 3], b[i * 2], a[i * 3 + 1],
                                   b[i * 2 + 1], p, q);
      any |= out && ways >> w & 1 && same(out[i], next[w]);
    }
    if (out && ways & Near ? !isNear(out[i], next[0]) : out && !any)
      return 0;
    h = out ? out[i] : next[ways == Rounded ? 2 : 0];
  }
  // Of what is not stored only the last is known.
  return ways == Fused || ways == Rounded ? same(last, h) : isNear(last, h);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  unsigned ways = !strcmp(what, "fused")     ? Fused
                  : !strcmp(what, "rounded") ? Rounded
                  : !strcmp(what, "near")    ? Near
                                             : Fused | Apart | Rounded;
  static T a[3 * Most + 3], b[2 * Most + 2], out[Most];
  int count = 0;
  for (unsigned k = 0; k != sizeof Kernels / sizeof *Kernels; k++, count++)
    for (unsigned kind = 0; kind != 4; kind++)
      for (long n = 0; n != Most; n++) {
        for (unsigned i = 0; i != sizeof a / sizeof *a; i++)
          a[i] = draw(kind);
        for (unsigned i = 0; i != sizeof b / sizeof *b; i++)
          b[i] = draw(kind);
        T p = draw(0), q = draw(kind);
        for (int only = 0; only != 2; only++) {
          T *o = only ? 0 : out;
          T last = (only ? Kernels[k].Only : Kernels[k].Run)(a, b, o, p, q, n);
          if (!isRight(k, ways, a, b, o, last, p, q, n)) {
            printf("wrong: %s of %ld, data %u, %s\n", Kernels[k].Name, n, kind,
                   only ? "only" : "stored");
            break;
          }
        }
      }
  printf("%d kernels\n", count);
  return 0;
}
#endif
