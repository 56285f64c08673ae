// Sums in memory whose loops may overlap all they read and store: all of them
// over one short array, bit by bit as plain clang has it.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -O2
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 %s -c -o %t.driver.o && \
// DEFINE:   %clang_dl %{flags} -DKERNELS %s -c -o %t.o \
// DEFINE:     -Rpass=dl-noalias > %t.remarks 2>&1 && \
// DEFINE:   %clang %t.driver.o %t.o -o %t && %t
//
// RUN: %{check} | FileCheck %s
// REDEFINE: %{flags} = -O3 -mllvm -dl-disable=dl-vectorize
// RUN: %{check} | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REDEFINE: %{flags} = -O2 -fno-vectorize -mllvm -dl-disable=dl-vectorize
// RUN: %{check} | FileCheck %s
// CHECK-NOT: wrong
// CHECK: {{[1-9][0-9]+}} runs of 8 kernels
// REMARK-COUNT-5: {{[1-9]}} sums in registers
#include <stdint.h>

typedef int32_t T;
#define ARGUMENTS int m, int n, T *a, T *b, T *c, T *d, T *e

#ifdef KERNELS
#define KERNEL(NAME) void NAME
#else
#define KERNEL(NAME) static void ref_##NAME
#endif

KERNEL(rows)(ARGUMENTS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      c[i] += a[i * n + j] ^ b[j];
}
KERNEL(both)(ARGUMENTS) {
  for (int i = 0; i < m; i++) {
    e[i] = 0;
    for (int j = 0; j < n; j++) {
      d[j] += c[i] ^ a[i * n + j];
      e[i] += a[i * n + j] ^ b[j];
    }
  }
}
KERNEL(two)(ARGUMENTS) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      d[i] += a[i * n + j] ^ c[j];
      e[i] += b[i * n + j] ^ c[j];
    }
    e[i] ^= d[i];
  }
}
KERNEL(total)(ARGUMENTS) {
  (void)m;
  for (int j = 0; j < n; j++) {
    d[j] = c[j] ^ 1;
    *e += a[j] ^ b[j];
  }
}
KERNEL(sometimes)(ARGUMENTS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      if (b[j] & 1)
        c[i] += a[i * n + j];
}
KERNEL(passes_on)(ARGUMENTS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      c[i] = c[i] * 3 + a[i * n + j];
      d[j] ^= c[i];
      if (b[j] & 1)
        c[i] ^= 5;
    }
}
KERNEL(steps)(ARGUMENTS) {
  for (int i = 0; i < m; i++)
    for (int j = n; j-- > 0;)
      c[2 * i] += a[j * m + i] ^ b[2 * j];
}
KERNEL(beside)(ARGUMENTS) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      c[i] += a[j];
      d[i * n + j] = c[i] ^ b[i];
    }
}

#ifndef KERNELS
#include <stdio.h>
#include <string.h>

#define EACH(DO)                                                               \
  DO(rows)                                                                     \
  DO(both) DO(two) DO(total) DO(sometimes) DO(passes_on) DO(steps) DO(beside)
#define DECLARE(NAME) void NAME(ARGUMENTS);
EACH(DECLARE)
typedef void Fn(ARGUMENTS);
#define ROW(NAME) {#NAME, NAME, ref_##NAME},
static const struct {
  const char *name;
  Fn *run, *ref;
} kernels[] = {EACH(ROW)};

enum { SIZE = 160 };
static T memory[SIZE], expected[SIZE];
static long runs;

static void compare(int k, int m, int n, const int *at) {
  for (int r = 0; r < 2; r++) {
    for (int i = 0; i < SIZE; i++)
      memory[i] = i * 2654435761u >> 7;
    (r ? kernels[k].run : kernels[k].ref)(m, n, memory + at[0], memory + at[1],
                                          memory + at[2], memory + at[3],
                                          memory + at[4]);
    if (!r)
      memcpy(expected, memory, sizeof memory);
  }
  runs++;
  if (memcmp(expected, memory, sizeof memory) != 0)
    printf("%s is wrong: %d x %d, %d %d %d %d %d\n", kernels[k].name, m, n,
           at[0], at[1], at[2], at[3], at[4]);
}

int main(void) {
  unsigned seed = 1;
  for (int k = 0; k < (int)(sizeof kernels / sizeof *kernels); k++) {
    for (int m = 0; m < 5; m++)
      for (int n = -1; n < 7; n++)
        for (int r = 0; r < 600; r++) {
          int at[5];
          for (int i = 0; i < 5; i++) {
            seed = seed * 1103515245 + 12345;
            // Often apart, else anywhere.
            at[i] = r % 3 ? (int)(seed >> 8) % 48 + 2
                          : 30 * i + (int)(seed >> 8) % 5;
          }
          compare(k, m, n, at);
        }
    // Rows without elements: nothing is read or stored.
    kernels[k].run(3, 0, NULL, NULL, NULL, memory, memory);
    kernels[k].run(0, 0, NULL, NULL, NULL, memory, memory);
  }
  printf("%ld runs of %d kernels\n", runs,
         (int)(sizeof kernels / sizeof *kernels));
  return 0;
}
#endif
