//===- stack-depth.c - What calls take from the stack of a thread ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs kernels of every strategy on threads with stacks of 64 KB, looks how
// deep each was touched, and prints hashes of the results. With an argument
// only products of 1024^3, on larger stacks.
//
// REQUIRES: native-x86
//
// RUN: %clang -O3 -march=native %s -o %t.plain -lm -pthread
// RUN: %t.plain > %t.expected
// RUN: %clang_dl -O3 -march=native %s -o %t.native -lm -pthread
// RUN: %t.native > %t.out
// RUN: diff %t.expected %t.out
// RUN: %t.native large | FileCheck %s
//
// Code for several machines, chosen at run time.
// clang-format off
// DEFINE: %{flags} = -O3 -DPRODUCTS_ONLY
// DEFINE: %{dispatch} = \
// DEFINE:   %clang %{flags} %s -o %t.plain -lm -pthread && %t.plain > %t.expected && \
// DEFINE:   %clang_dl %{flags} %s -o %t.dispatch -lm -pthread && %t.dispatch > %t.out && diff %t.expected %t.out
// RUN: %{dispatch}
// REDEFINE: %{flags} = -O3
// RUN: %if long %{ %{dispatch} %}
//
// Math functions in lanes, and sums that are shared among them.
// REDEFINE: %{flags} = -O3 -march=native -DLOOPS_ONLY
// DEFINE: %{fast} = env DLOPT_OPTIONS=fp=fast %clang_dl %{flags} %s -o %t.fast -lm -pthread && %t.fast > %t.out
// RUN: %{fast}
// REDEFINE: %{flags} = -O3 -march=native
// RUN: %if long %{ %{fast} %}
//
// What may be taken by option.
// RUN: %if long %{ env DLOPT_OPTIONS=stack=256k %clang_dl -DPRODUCTS_ONLY -O3 -march=native %s -o %t.option -lm -pthread %}
// RUN: %if long %{ %t.option large | FileCheck %s --check-prefix=OPTION %}
// RUN: %if long %{ env DLOPT_OPTIONS=stack=8k %clang_dl -DPRODUCTS_ONLY -O3 -march=native %s -o %t.option -lm -pthread %}
// RUN: %if long %{ %t.option large | FileCheck %s --check-prefix=LITTLE %}
// clang-format on
//
// CHECK: nn float: more than 24 KB, not more than 128 KB
// CHECK: nt double: more than 24 KB, not more than 128 KB
// OPTION: nn float: more than 128 KB, not more than 256 KB
// OPTION: nt double: more than 128 KB, not more than 256 KB
// LITTLE: nn float: more than 0 KB, not more than 8 KB
// LITTLE: nt double: more than 0 KB, not more than 8 KB
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define FOR(I, FIRST, END) for (long I = FIRST; I < END; I++)
#define NAME2(F, T) F##_##T
#define NAME(F, T) NAME2(F, T)
#define KERNEL(F, T)                                                           \
  __attribute__((noinline)) static void NAME(F, T)(                            \
      long m, long n, long k, long step, T s, const T *restrict a,             \
      const T *restrict b, T *restrict c)

// Products: transposed, scaled, with an epilogue, factors, steps between
// columns, of triangles, of fewer and fewer steps.
#define PRODUCT(F, T, A, B, END)                                               \
  KERNEL(F, T) {                                                               \
    FOR(i, 0, m) FOR(j, 0, n) {                                                \
      T t = 0;                                                                 \
      FOR(l, 0, k) t += (A) * (B);                                             \
      END;                                                                     \
    }                                                                          \
  }
#define PRODUCTS(T)                                                            \
  PRODUCT(nn, T, a[i * k + l], b[l * n + j], c[i * n + j] = t)                 \
  PRODUCT(nt, T, a[i * k + l], b[j * k + l], c[i * n + j] = t)                 \
  PRODUCT(tn, T, a[l * m + i], b[l * n + j], c[i * n + j] = t)                 \
  PRODUCT(tt, T, a[l * m + i], b[j * k + l], c[i * n + j] = t)                 \
  PRODUCT(sums, T, a[i * k + l], b[l * n + j],                                 \
          c[i * n + j] = s * t + 2 * c[i * n + j])                             \
  PRODUCT(sums_tt, T, a[l * m + i], b[j * k + l],                              \
          c[i * n + j] = s * t + 2 * c[i * n + j])                             \
  PRODUCT(biased, T, a[i * k + l], b[j * k + l],                               \
          c[i * n + j] = t + a[j] > 0 ? t + a[j] : 0)                          \
  PRODUCT(factors, T, (s * a[i * k + l]), b[l * n + j], c[i * n + j] += t)     \
  PRODUCT(steps, T, a[i * k * step + l * step], b[l * n * step + j * step],    \
          c[i * n * step + j * step] = t)                                      \
  PRODUCT(triangle, T, a[i * k + l], b[j * k + l],                             \
          if (j <= i) c[i * n + j] += t)                                       \
  KERNEL(lower, T) {                                                           \
    FOR(i, 0, m) FOR(l, 0, i + 1) FOR(j, 0, n) {                               \
      c[i * n + j] += a[i * m + l] * b[l * n + j];                             \
    }                                                                          \
  }                                                                            \
  KERNEL(vector, T) {                                                          \
    FOR(i, 0, m) {                                                             \
      T t = 0;                                                                 \
      FOR(l, 0, k) t += a[i * k + l] * b[l];                                   \
      c[i] = t;                                                                \
    }                                                                          \
  }

// All else: rows, maps, searches, windows, calls and sums, permutations.
#define LOOPS(T, SQRT, EXP)                                                    \
  KERNEL(norm, T) {                                                            \
    FOR(i, 0, m) {                                                             \
      T t = 0, v = 0;                                                          \
      FOR(j, 0, n) t += a[i * n + j];                                          \
      FOR(j, 0, n) v += (a[i * n + j] - t / n) * (a[i * n + j] - t / n);       \
      T r = 1 / SQRT(v / n + s);                                               \
      FOR(j, 0, n) c[i * n + j] = (a[i * n + j] - t / n) * r * b[j];           \
    }                                                                          \
  }                                                                            \
  KERNEL(softmax, T) {                                                         \
    FOR(i, 0, m) {                                                             \
      T most = a[i * n], t = 0;                                                \
      FOR(j, 1, n) most = a[i * n + j] > most ? a[i * n + j] : most;           \
      FOR(j, 0, n) {                                                           \
        c[i * n + j] = EXP(a[i * n + j] - most);                               \
        t += c[i * n + j];                                                     \
      }                                                                        \
      FOR(j, 0, n) c[i * n + j] /= t;                                          \
    }                                                                          \
  }                                                                            \
  KERNEL(calls, T) {                                                           \
    FOR(i, 0, m) {                                                             \
      T t = 0;                                                                 \
      FOR(j, 0, n) t += EXP(a[i * n + j] - s);                                 \
      c[i] = t;                                                                \
    }                                                                          \
  }                                                                            \
  KERNEL(roots, T) { FOR(i, 0, m * n) c[i] = SQRT(a[i] + s) * b[i]; }          \
  KERNEL(greatest, T) {                                                        \
    FOR(i, 0, m) {                                                             \
      long at = 0;                                                             \
      FOR(j, 1, n) if (a[i * n + j] > a[i * n + at]) at = j;                   \
      c[i] = at;                                                               \
    }                                                                          \
  }                                                                            \
  KERNEL(columns, T) {                                                         \
    FOR(j, 0, n) {                                                             \
      T t = 0;                                                                 \
      FOR(i, 0, m) t += a[i * n + j];                                          \
      c[j] = t;                                                                \
    }                                                                          \
  }                                                                            \
  KERNEL(window, T) {                                                          \
    FOR(i, 0, m) FOR(j, 0, n) {                                                \
      T t = 0;                                                                 \
      FOR(p, 0, 3) FOR(q, 0, 3) {                                              \
        if (i + p < 1 || i + p > m || j + q < 1 || j + q > n)                  \
          continue;                                                            \
        t += a[(i + p - 1) * n + j + q - 1] * b[p * 3 + q];                    \
      }                                                                        \
      c[i * n + j] = t;                                                        \
    }                                                                          \
  }                                                                            \
  KERNEL(transpose, T) {                                                       \
    FOR(i, 0, m) FOR(j, 0, n) c[j * m + i] = a[i * n + j];                     \
  }                                                                            \
  KERNEL(turned_rows, T) {                                                     \
    FOR(i, 0, m) {                                                             \
      T t = s;                                                                 \
      FOR(j, 0, n) {                                                           \
        t = t * b[j] + a[i * n + j];                                           \
        c[i * n + j] = t;                                                      \
      }                                                                        \
    }                                                                          \
  }

PRODUCTS(float)
PRODUCTS(double)
LOOPS(float, sqrtf, expf)
LOOPS(double, sqrt, exp)

typedef void Function(long, long, long, long, double, const void *,
                      const void *, void *);
struct Kernel {
  const char *Name;
  int IsDouble;
  void (*Run)();
};
#define ROW(F)                                                                 \
  {#F " float", 0, (void (*)())F##_float}, {                                   \
    #F " double", 1, (void (*)())F##_double                                    \
  }
static const struct Kernel Kernels[] = {
#ifndef LOOPS_ONLY
    ROW(nn),      ROW(nt),
#ifndef PRODUCTS_ONLY
    ROW(tn),      ROW(tt),      ROW(sums),      ROW(sums_tt),     ROW(biased),
    ROW(factors), ROW(steps),   ROW(triangle),  ROW(lower),       ROW(vector),
#endif
#endif
#ifndef PRODUCTS_ONLY
    ROW(norm),    ROW(softmax), ROW(calls),     ROW(roots),       ROW(greatest),
    ROW(columns), ROW(window),  ROW(transpose), ROW(turned_rows),
#endif
};

enum { Most = 1024, Elements = Most * Most };
static _Alignas(64) double A[Elements], B[Elements], C[Elements];

struct Call {
  const struct Kernel *K;
  long M, N, KK, Step;
};

static void *work(void *p) {
  const struct Call *X = p;
  if (!X->K)
    return 0;
  if (X->K->IsDouble)
    ((void (*)(long, long, long, long, double, const double *, const double *,
               double *))X->K->Run)(X->M, X->N, X->KK, X->Step, 0.5, A, B, C);
  else
    ((void (*)(long, long, long, long, float, const float *, const float *,
               float *))X->K->Run)(X->M, X->N, X->KK, X->Step, 0.5f, (float *)A,
                                   (float *)B, (float *)C);
  return 0;
}

/// Bytes that the call touches of a stack of \p Size bytes, behind which
/// nothing may be touched.
static long getDepth(struct Call X, size_t Size) {
  const size_t Guard = 1 << 20;
  char *Stack = mmap(0, Guard + Size, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (Stack == MAP_FAILED || mprotect(Stack, Guard, PROT_NONE))
    abort();
  char *Low = Stack + Guard;
  memset(Low, 0x5a, Size);
  pthread_attr_t Attributes;
  pthread_t Thread;
  pthread_attr_init(&Attributes);
  if (pthread_attr_setstack(&Attributes, Low, Size) ||
      pthread_create(&Thread, &Attributes, work, &X) || pthread_join(Thread, 0))
    abort();
  size_t Untouched = 0;
  while (Untouched < Size && Low[Untouched] == 0x5a)
    ++Untouched;
  munmap(Stack, Guard + Size);
  return Size - Untouched;
}

static void fill(int IsDouble) {
  uint32_t State = 1;
  for (int I = 0; I < Elements; I++) {
    State = State * 1664525u + 1013904223u;
    double X = (State >> 8) * 0x1p-24;
    if (IsDouble) {
      A[I] = X;
      B[I] = 1 - X;
      C[I] = 1;
    } else {
      ((float *)A)[I] = (float)X;
      ((float *)B)[I] = 1 - (float)X;
      ((float *)C)[I] = 1;
    }
  }
}

static uint64_t getHash(int IsDouble) {
  uint64_t Hash = 1469598103934665603ull;
  const unsigned char *P = (const unsigned char *)C;
  for (size_t I = 0; I < Elements * (IsDouble ? 8u : 4u); I += 4) {
    uint32_t Bits;
    memcpy(&Bits, P + I, 4);
    Hash = (Hash ^ Bits) * 1099511628211ull;
  }
  return Hash;
}

static const char *getRange(long Depth) {
  static const long Bounds[] = {0, 8, 24, 128, 256};
  static char Text[64];
  for (int I = 1; I < 5; I++)
    if (Depth <= Bounds[I] << 10) {
      snprintf(Text, sizeof Text, "more than %ld KB, not more than %ld KB",
               Bounds[I - 1], Bounds[I]);
      return Text;
    }
  return "more than 256 KB";
}

int main(int Count, char **Arguments) {
  (void)Arguments;
  struct Call Nothing = {0, 0, 0, 0, 0};
  // What is on a stack of itself.
  long Own = getDepth(Nothing, 64 << 10);
  int Failed = 0;
  for (size_t I = 0; I < sizeof Kernels / sizeof *Kernels; I++) {
    const struct Kernel *K = &Kernels[I];
    if (Count > 1) {
      if (I != 0 && I != 3)
        continue;
      struct Call X = {K, Most, Most, Most, 1};
      fill(K->IsDouble);
      printf("%s: %s\n", K->Name, getRange(getDepth(X, 512 << 10) - Own));
      continue;
    }
    // Products that are copied, of a few rows, and of odd sizes; loops over
    // rows that lie a multiple of a page apart.
    static const long Sizes[][4] = {{384, 384, 384, 1},
                                    {4, 600, 900, 1},
                                    {67, 131, 259, 2},
                                    {256, 1024, 100, 1}};
    for (int S = 0; S < 4; S++) {
      struct Call X = {K, Sizes[S][0], Sizes[S][1], Sizes[S][2], Sizes[S][3]};
      fill(K->IsDouble);
      long Depth = getDepth(X, 64 << 10) - Own;
      if (Depth > 24 << 10) {
        fprintf(stderr, "%s %ld x %ld x %ld: %ld bytes of stack\n", K->Name,
                X.M, X.N, X.KK, Depth);
        Failed = 1;
      }
      printf("%s: %016llx\n", K->Name,
             (unsigned long long)getHash(K->IsDouble));
    }
  }
  return Failed;
}
