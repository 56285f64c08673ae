// Products with a triangle give the bits of the loops: rows from their start to the
// diagonal and from there on, strict and shifted, and what their sums start from. Arrays
// end, or begin, at pages that must not be touched, or lie over each other.
// REQUIRES: native-x86
// RUN: %clang -O1 -ffp-contract=on -march=native -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -DMAIN %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// RUN: %clang -O1 -DT=double -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 -DT=double -DNAME=made -c %s -o %t.dl.o
// RUN: %clang -O1 -DT=double -DMAIN %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// RUN: %clang -O1 -ffp-contract=on -march=native -DR= -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DR= -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -DR= -DMAIN -DOVERLAP %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// REMARK-COUNT-15: matmul.
// CHECK: runs, 0 different
#ifndef T
#define T float
#endif
#ifndef R
#define R restrict
#endif
#define ARGS                                                                   \
  (int m, int n, int d, T *R C, const T *R A,                    \
   const T *R B, const T *R x)
#define FOR(I, FROM, TO) for (int I = FROM; I < TO; I++)
#define SUM(START, FROM, TO, A, B)                                             \
  FOR(i, 0, m) FOR(j, 0, n) {                                                  \
    T s = START;                                                               \
    FOR(k, FROM, TO) s += A * B;                                               \
    C[i * n + j] = s;                                                          \
  }
#define NN A[i * d + k], B[k * n + j]
#define CALL(F, ...) F(__VA_ARGS__)

#ifndef MAIN
#define KERNEL(ID) static void ID ARGS
KERNEL(lower) { CALL(SUM, 0, 0, i + 1, NN) }
KERNEL(upper) { CALL(SUM, x[j], i, d, NN) }
KERNEL(strict_lower) { CALL(SUM, x[i], 0, i, NN) }
KERNEL(strict_upper) { CALL(SUM, -0.0f, i + 1, m, NN) }
KERNEL(more_lower) { CALL(SUM, 1, 0, i + 3, NN) }
KERNEL(clipped) { CALL(SUM, x[j], 0, i + 1 && k < n, NN) }
KERNEL(kept_lower) {
  int keep = x[0] > 0;
  CALL(SUM, keep ? C[i * n + j] : 0, 0, i, NN)
}
KERNEL(kept_upper) {
  int keep = x[0] > 0, half = m / 2;
  CALL(SUM, keep ? C[i * n + j] : 0, i, half, NN)
}
KERNEL(short_upper) {
  int half = m / 2;
  CALL(SUM, x[j], i, half, NN)
}
KERNEL(scaled) { CALL(SUM, 0, 0, i + 1, x[0] * NN) }
KERNEL(transposed_a) { SUM(0, 0, i + 1, A[k * d + i], B[k * n + j]) }
KERNEL(transposed_b) { SUM(x[j], i, d, A[i * d + k], B[j * d + k]) }
KERNEL(update) {
  FOR(i, 0, m) FOR(k, 0, i) FOR(j, 0, n) C[i * n + j] += A[i * d + k] * B[k * n + j];
}
KERNEL(subtract) {
  FOR(i, 0, m) FOR(k, i + 1, m) FOR(j, 0, n)
      C[i * n + j] -= A[i * d + k] * B[k * n + j];
}
KERNEL(causal) {
  FOR(i, 0, m) {
    FOR(j, 0, n) C[i * n + j] = 0;
    FOR(k, 0, i + 1) FOR(j, 0, n) C[i * n + j] += A[i * d + k] * B[k * n + j];
  }
}
typedef void Run ARGS;
Run *const NAME[] = {lower,        upper,   strict_lower, strict_upper,
                     more_lower,   clipped, scaled,       transposed_a,
                     transposed_b, update,  subtract,     causal,
                     kept_lower,   kept_upper, short_upper};
#else
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
typedef void Run ARGS;
enum { Kernels = 15, Page = 4096, Rows = 260 };
extern Run *const plain[Kernels], *const made[Kernels];

static T *array(size_t elems, size_t room, int at_end) {
  size_t bytes = (room * sizeof(T) + Page - 1) / Page * Page;
  char *p = mmap(0, bytes + 2 * Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + Page, bytes, PROT_READ | PROT_WRITE))
    abort();
  return at_end ? (T *)(p + Page + bytes) - elems : (T *)(p + Page);
}
static void fill(T *p, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int r = rand() % 2000;
    p[i] = r == 0   ? -0.0f
           : r == 1 ? INFINITY
           : r == 2 ? NAN
           : r == 3 ? 1e-42f
                    : (rand() % 2001 - 1000) / (T)437;
  }
}
/* All three arrays somewhere in one, and the same in its copy. */
static int differ_overlapping(int k, int m, int n, int d, size_t a, size_t b,
                              size_t c) {
  size_t all = a + b + c;
  T *both[2] = {malloc(all * sizeof(T) + 1), malloc(all * sizeof(T) + 1)};
  fill(both[0], all);
  memcpy(both[1], both[0], all * sizeof(T));
  size_t A = (size_t)rand() % (b + c + 1), B = (size_t)rand() % (a + c + 1);
  /* Often directly behind, or an element into, what is read. */
  size_t C = rand() % 2 ? A + a - (size_t)(rand() % 2) : (size_t)rand() % (a + b + 1);
  C = C + c > all ? all - c : C;
  T x[Rows * 2];
  fill(x, (size_t)(m + n + 1));
  for (int i = 0; i < 2; i++)
    (i ? made : plain)[k](m, n, d, both[i] + C, both[i] + A, both[i] + B, x);
  int bad = 0;
  for (size_t i = 0; i < all; i++)
    bad |= memcmp(&both[0][i], &both[1][i], sizeof(T)) &&
           (both[0][i] == both[0][i] || both[1][i] == both[1][i]);
  free(both[0]), free(both[1]);
  return bad;
}
int main(void) {
  long runs = 0, different = 0;
  srand(3);
  for (int t = 0; t < 60; t++) {
    int m = rand() % (t % 4 ? 45 : Rows), n = rand() % (t % 3 ? 40 : 150);
    int d = m + 3 + (t % 2 ? rand() % 40 : 0), end = t % 5 != 0;
    size_t a = (size_t)d * d, b = (size_t)d * (n > d ? n : d), c = (size_t)m * n;
#ifdef OVERLAP
    for (int k = 0; k < Kernels; k++)
      runs++, different += differ_overlapping(k, m, n, d, a, b, c);
    continue;
#endif
    T *A = array(a, a, end), *B = array(b, b, end), *x = array(m + n + 1, m + n + 1, end);
    T *C = array(c, c + 1, end), *D = array(c, c + 1, end);
    fill(A, a), fill(B, b), fill(x, m + n + 1);
    for (int k = 0; k < Kernels; k++) {
      fill(C, c);
      memcpy(D, C, c * sizeof(T));
      plain[k](m, n, d, C, A, B, x);
      made[k](m, n, d, D, A, B, x);
      int bad = 0;
      for (size_t i = 0; i < c; i++)
        bad |= memcmp(&C[i], &D[i], sizeof(T)) && (C[i] == C[i] || D[i] == D[i]);
      if (bad)
        printf("kernel %d, %d x %d, %d\n", k, m, n, d);
      runs++, different += bad;
    }
  }
  printf("%ld runs, %ld different\n", runs, different);
}
#endif
