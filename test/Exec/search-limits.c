// Searches whose test reads what each round writes in front of it, beside a product: the
// results of plain clang.
//
// REQUIRES: native-x86
// RUN: %clang -O3 -march=native -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o
// RUN: %clang_dl -O3 -march=native -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// REMARK-COUNT-3: matmul
#define ARGUMENTS                                                                        \
  (int *restrict o, float *restrict c, const float *a, int *count, const int *limit, int n)
#ifdef KERNEL
#define MULTIPLY                                                                         \
  for (int i = 0; i < n; i++)                                                            \
    for (int j = 0; j < n; j++)                                                          \
      for (int k = 0; k < n; k++)                                                        \
        c[i * n + j] += a[i * n + k] * a[k * n + j];
void NAME(greatest) ARGUMENTS {
  int best = 0;
  for (int i = 0; (*count = n, i < *limit); i++)
    if (a[i] > a[best])
      best = i;
  *o = best;
  MULTIPLY
}
void NAME(least) ARGUMENTS {
  int best = 1, i = 0;
  while (*count += 1, i <= *limit) {
    if (a[i] <= a[best])
      best = i;
    if (i++ == n)
      *count = -1;
  }
  *o = best;
  MULTIPLY
}
void NAME(pointer) ARGUMENTS {
  const float *best = a;
  for (const float *p = a; (*count = n, p < a + *limit); p++)
    if (*p > *best)
      best = p;
  *o = best - a;
  MULTIPLY
}
#else
#include <stdio.h>
#include <string.h>
typedef void Kernel ARGUMENTS;
enum { N = 24 };
static float A[N * N];
static int runs = 0, bad = 0;
static void compare(Kernel *plain, Kernel *made, int at, int first) {
  float C[2][N * N] = {0};
  int counts[2][2] = {{first, first}, {first, first}}, o[2] = {-1, -1};
  plain(&o[0], C[0], A, &counts[0][0], &counts[0][at], N);
  made(&o[1], C[1], A, &counts[1][0], &counts[1][at], N);
  runs++;
  bad += memcmp(C[0], C[1], sizeof C[0]) != 0 || o[0] != o[1] ||
         memcmp(counts[0], counts[1], sizeof counts[0]) != 0;
}
#define COMPARE(F)                                                                       \
  Kernel plain_##F, made_##F;                                                            \
  compare(plain_##F, made_##F, at, first)
int main(void) {
  for (int sign = -1; sign < 2; sign += 2) {
    for (int i = 0; i < N * N; i++)
      A[i] = sign * (1 + (i * 7 + 5) % 11);
    for (int at = 0; at < 2; at++)
      for (int first = -2; first < N; first++) {
        COMPARE(greatest);
        COMPARE(least);
        COMPARE(pointer);
      }
  }
  // CHECK: 312 runs, 0 different
  printf("%d runs, %d different\n", runs, bad);
}
#endif
