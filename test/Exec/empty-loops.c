// Loops of which some have no rounds, over arrays that lie anywhere in one short
// array: bit by bit as plain clang has it. A loop without rounds reaches nowhere,
// so what begins where it would have begun is another array: rows that are filled
// up to their pitch have no padding where they are as long, and the next array
// follows at once.
//
// REQUIRES: native-x86, avx2
// RUN: %clang -O1 -ffp-contract=off %s -c -o %t.driver.o
// DEFINE: %{flags} = -O2 -march=haswell
// DEFINE: %{check} = \
// DEFINE:   %clang_dl %{flags} -ffp-contract=off -DKERNELS %s -c -o %t.o \
// DEFINE:     -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize > %t.remarks 2>&1 && \
// DEFINE:   %clang %t.driver.o %t.o -o %t -lm && %t
// RUN: %{check} | FileCheck %s
// REDEFINE: %{flags} = -O3
// RUN: %{check} | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// CHECK-NOT: wrong
// CHECK: {{[1-9][0-9]+}} runs of 8 kernels
// REMARK-COUNT-8: : exact,
//
// Next to each other: generated code runs.
// RUN: env DLOPT_OPTIONS=check=count %clang_dl -O2 -march=haswell -g -DKERNELS -DNEXT %s -o %t.next -lm
// RUN: %t.next > /dev/null 2> %t.counts && FileCheck %s --check-prefix=NEXT < %t.counts
// RUN: not grep 'loops [1-9]' %t.counts
// NEXT: softmax: generated code 2 times,
// NEXT-COUNT-4: generated code 1 times,
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS int l, int m, int n, int k, float *a, float *b, float *c, float *d
#ifdef KERNELS
#define KERNEL(NAME) __attribute__((noinline)) void NAME
#else
#define KERNEL(NAME) static void ref_##NAME
#endif

// Rows of n of which some are left over.
KERNEL(padded)(ARGUMENTS) {
  int pitch = n + k;
  (void)d;
  for (int i = 0; i < l * m; i++) {
    float max = -INFINITY, sum = 0;
    for (int j = 0; j < n; j++)
      if (b[i * pitch + j] > max)
        max = b[i * pitch + j];
    for (int j = 0; j < n; j++) {
      c[i * pitch + j] = expf(b[i * pitch + j] - max);
      sum += c[i * pitch + j];
    }
    for (int j = 0; j < n; j++)
      c[i * pitch + j] /= sum;
    for (int j = n; j < pitch; j++)
      c[i * pitch + j] = a[0];
  }
}
// Sums of other lengths, each of which may be 0.
KERNEL(two_sums)(ARGUMENTS) {
  for (int i = 0; i < l * m; i++) {
    float s = 0, t = 1;
    for (int j = 0; j < n; j++)
      s += a[i * n + j];
    for (int j = 0; j < k; j++)
      t += b[i * k + j] * d[j];
    c[i] = s * t;
  }
}
// What is written of a row may be nothing.
KERNEL(scaled)(ARGUMENTS) {
  for (int i = 0; i < l * m; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += a[i * n + j] * a[i * n + j];
    d[i] = s;
    for (int j = 0; j < k; j++)
      c[i * k + j] = b[j] * s;
  }
}
// The sum may be nothing.
KERNEL(filled)(ARGUMENTS) {
  for (int i = 0; i < l * m; i++) {
    float s = 2;
    for (int j = 0; j < k; j++)
      s += b[i * k + j];
    for (int j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] - s;
  }
  (void)d;
}
// Loops around loops.
KERNEL(images)(ARGUMENTS) {
  for (int h = 0; h < l; h++) {
    for (int i = 0; i < m; i++) {
      float s = 0;
      for (int j = 0; j < n; j++)
        s += a[(h * m + i) * n + j];
      d[h * m + i] = s;
    }
    for (int i = 0; i < k; i++)
      c[h * k + i] = b[h * k + i] + 1;
  }
}
// As long as the axis around says.
KERNEL(triangles)(ARGUMENTS) {
  for (int i = 0; i < m; i++) {
    float s = 0, t = 0;
    for (int j = 0; j + k < i; j++)
      s += a[i * m + j];
    for (int j = 0; j < n; j++)
      t += b[i * n + j];
    c[i] = s - t;
  }
  (void)d, (void)l;
}
// From the other side.
KERNEL(columns)(ARGUMENTS) {
  for (int i = 0; i < m; i++) {
    float s = 0;
    for (int j = 0; j < n; j++)
      s += a[j * m + i];
    for (int j = 0; j < k; j++)
      s += b[j * m + i] * d[j];
    c[i] = s;
  }
  (void)l;
}
// A product of which nothing may be added.
KERNEL(product)(ARGUMENTS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = d[j];
      for (int h = 0; h < k; h++)
        s += a[i * k + h] * b[h * n + j];
      c[i * n + j] = s;
    }
  (void)l;
}

#define EACH(DO)                                                               \
  DO(padded)                                                                   \
  DO(two_sums) DO(scaled) DO(filled) DO(images) DO(triangles) DO(columns)      \
      DO(product)

#if defined(NEXT)
// Where each array ends the next one begins, and a loop has no rounds.
int main(void) {
  static float x[4000];
  for (int i = 0; i < 4000; i++)
    x[i] = (float)(i % 37) / 8;
  enum { M = 24, N = 20 };
  float *next = x + M * N;
  padded(1, M, N, 0, x + 3999, x, next, 0);
  padded(1, M, N, 0, next + M * N, x, next, 0);
  two_sums(1, M, N, 0, x, next + M, next, next + M);
  scaled(1, M, N, 0, x, next, next + M, next);
  filled(1, M, N, 0, x, next, next, 0);
  images(1, M, N, 0, x, next, next + M, next);
  printf("%g\n", x[5] + next[7]);
}
#elif !defined(KERNELS)
#define DECLARE(NAME) void NAME(ARGUMENTS);
EACH(DECLARE)
typedef void Fn(ARGUMENTS);
#define ROW(NAME) {#NAME, NAME, ref_##NAME},
static const struct {
  const char *name;
  Fn *run, *ref;
} kernels[] = {EACH(ROW)};

enum { SIZE = 1700 };
static float memory[SIZE], expected[SIZE];
static long runs;

static void compare(int which, const int *sizes, const int *at) {
  for (int r = 0; r < 2; r++) {
    for (int i = 0; i < SIZE; i++)
      memory[i] = (float)(int)(i * 2654435761u >> 20) / 1000 - 2;
    (r ? kernels[which].run : kernels[which].ref)(
        sizes[0], sizes[1], sizes[2], sizes[3], memory + at[0], memory + at[1],
        memory + at[2], memory + at[3]);
    // Which one of two that are no numbers a sum is of nobody says.
    for (int i = 0; i < SIZE; i++)
      if (memory[i] != memory[i])
        memory[i] = 7e7f;
    if (!r)
      memcpy(expected, memory, sizeof memory);
  }
  runs++;
  if (memcmp(expected, memory, sizeof memory) != 0)
    printf("%s is wrong: %d %d %d %d at %d %d %d %d\n", kernels[which].name,
           sizes[0], sizes[1], sizes[2], sizes[3], at[0], at[1], at[2], at[3]);
}

int main(void) {
  static const int ms[] = {0, 1, 8, 9, 16, 21}, ns[] = {0, 1, 4, 13},
                   ks[] = {-1, 0, 1, 2, 9};
  unsigned seed = 1;
  for (int which = 0; which < (int)(sizeof kernels / sizeof *kernels); which++)
    for (int s = 0; s < 6 * 4 * 5; s++)
      for (int r = 0; r < 60; r++) {
        int sizes[] = {1, ms[s % 6], ns[s / 6 % 4], ks[s / 24]}, at[4];
        if (r % 5 == 4 && sizes[1] <= 9)
          sizes[0] = r % 2 * 2;
        for (int i = 0; i < 4; i++) {
          seed = seed * 1103515245 + 12345;
          int any = (int)(seed >> 8);
          // Apart, one behind the other, as often a little too near, or anywhere.
          at[i] = r % 3 == 0 ? 300 * i + any % 5
                  : r % 3 == 1 && i
                      ? at[i - 1] + sizes[1] * sizes[2 + any % 2] - any % 3
                      : any % 600;
          if (at[i] < 50 || at[i] > 1150)
            at[i] = 50 + any % 1000;
        }
        compare(which, sizes, at);
      }
  printf("%ld runs of %d kernels\n", runs,
         (int)(sizeof kernels / sizeof *kernels));
  return 0;
}
#endif
