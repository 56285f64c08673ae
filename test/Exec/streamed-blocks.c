// Permutations that no cache holds are stored past the caches, lines at a time:
// wherever rows begin, whole lines or not, rows that are apart, batches, two
// outputs, and those that are not aligned alike, which go the usual way.
// REQUIRES: native-x86, avx2
// DEFINE: %{flags} = -O3 -mavx2 -mfma -mtune=znver1
// DEFINE: %{check} = %clang_dl %{flags} -DPART -c %s -o %t.o && \
// DEFINE:   %clang -O1 %s %t.o -o %t && %t
// RUN: %{check} | FileCheck %s
// RUN: %clang_dl -O3 -mavx2 -mfma -mtune=znver1 -DPART -S %s -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{flags} = -O3 -mavx -mtune=znver3
// RUN: %if long %{ %{check} | FileCheck %s %}
// REDEFINE: %{flags} = -O3 -mavx2 -mtune=skylake
// RUN: %if long %{ %{check} | FileCheck %s %}
// ASM-COUNT-16: vmovntps{{.*}}%ymm
// ASM: sfence
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS(T)                                                           \
  long l, long m, long n, long p, long q, const T *restrict a, T *restrict c,  \
      T *restrict d
#ifdef PART
#define KERNELS(T)                                                             \
  void move_##T(ARGUMENTS(T)) {                                                \
    for (long h = 0; h < l; h++)                                               \
      for (long i = 0; i < m; i++)                                             \
        for (long j = 0; j < n; j++)                                           \
          c[(h * n + j) * q + i] = a[(h * m + i) * p + j];                     \
  }                                                                            \
  void both_##T(ARGUMENTS(T)) {                                                \
    for (long h = 0; h < l; h++)                                               \
      for (long j = 0; j < n; j++)                                             \
        for (long i = 0; i < m; i++) {                                         \
          T x = a[(h * m + i) * p + j];                                        \
          c[(h * n + j) * q + i] = x + x;                                      \
          d[(h * n + j) * q + i] = x * x;                                      \
        }                                                                      \
  }
#else
#define KERNELS(T) void move_##T(ARGUMENTS(T)), both_##T(ARGUMENTS(T));
#endif
KERNELS(float)
KERNELS(double)

#ifndef PART
static unsigned long runs, different;
// Some elements in front of and behind an output stay as they are.
enum { Around = 64, Most = 5 << 20 };
#define CHECK(T)                                                               \
  static void check_##T(long l, long m, long n, long p, long q, long at,       \
                        long next) {                                           \
    static T *a, *c, *d;                                                       \
    if (!a) {                                                                  \
      a = aligned_alloc(64, Most * sizeof(T));                                 \
      c = aligned_alloc(64, Most * sizeof(T));                                 \
      d = aligned_alloc(64, Most * sizeof(T));                                 \
      for (long i = 0; i < Most; i++)                                          \
        a[i] = (T)(i % 4093);                                                  \
    }                                                                          \
    for (int both = 0; both < 2; both++) {                                     \
      long bytes = (l * n * q + 2 * Around + at + next) * (long)sizeof(T);     \
      memset(c, 1, bytes);                                                     \
      memset(d, 1, bytes);                                                     \
      T none, *x = c + Around + at, *y = d + Around + next;                    \
      memcpy(&none, c, sizeof none);                                           \
      (both ? both_##T : move_##T)(l, m, n, p, q, a, x, y);                    \
      runs++;                                                                  \
      int is = 1;                                                              \
      for (long j = -1; j <= l * n; j++)                                       \
        for (long i = 0; i < q && (i < Around || j >= 0) &&                    \
                         (i < Around || j < l * n);                            \
             i++) {                                                            \
          int in = j >= 0 && j < l * n && i < m;                               \
          T v = in ? a[(j / n * m + i) * p + j % n] : none;                    \
          long to = j < 0 ? i - Around : j * q + i;                            \
          is &= x[to] == (in && both ? v + v : v);                             \
          is &= !both || y[to] == (in ? v * v : v);                            \
        }                                                                      \
      if (!is)                                                                 \
        printf(#T " differs: %ld x %ld x %ld, %ld, %ld at %ld, %ld\n", l, m,   \
               n, p, q, at, next);                                             \
      different += !is;                                                        \
    }                                                                          \
  }
CHECK(float)
CHECK(double)

int main(void) {
  check_float(1, 2048, 2048, 2048, 2048, 0, 0);
  check_float(1, 2048, 2048, 2048, 2048, 1, 9);
  check_float(1, 2048, 2048, 2048, 2048, 15, 7);
  check_float(1, 2048, 2048, 2048, 2048, 4, 0);
  check_float(1, 2049, 2047, 2047, 2056, 5, 13);
  check_float(1, 2045, 2051, 2060, 2049, 3, 3);
  check_float(5, 900, 901, 901, 904, 6, 6);
  check_float(2, 7, 290001, 290001, 8, 1, 1);
  check_float(1, 280007, 15, 15, 280008, 3, 11);
  check_float(1, 300, 200, 210, 304, 3, 3);
  check_double(1, 1500, 1501, 1501, 1504, 3, 7);
  check_double(3, 1021, 1024, 1024, 1021, 0, 0);
  check_double(2, 1030, 1000, 1000, 1040, 2, 6);
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
