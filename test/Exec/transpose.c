// Permutations with rows that are a multiple of half a page apart, which go
// through a buffer, and others: whole tiles, what is behind the last one, and
// nothing else; and by strips, where the second-level cache is large, or both.
// RUN: %clang_dl -mllvm -dl-%dispatch -O3 -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 %s %t.o -o %t && %t | FileCheck %s
// RUN: env DLOPT_OPTIONS='stack=1k;%dispatch' %clang_dl -O3 -DPART -c %s -o %t.o
// RUN: %clang -O1 %s %t.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=x86-64-v3 -DPART -c %s -o %t.o
// RUN: %if avx2 %{ %clang -O1 %s %t.o -o %t && %t | FileCheck %s %}
// RUN: %clang_dl -O3 -march=x86-64-v4 -DPART -c %s -o %t.o
// RUN: %if avx512 %{ %clang -O1 %s %t.o -o %t && %t | FileCheck %s %}
// RUN: %clang_dl -O3 -march=alderlake -DPART -c %s -o %t.o
// RUN: %if avx2 %{ %clang -O1 %s %t.o -o %t && %t | FileCheck %s %}
// RUN: %clang_dl -O3 -march=icelake-server -DPART -c %s -o %t.o
// RUN: %if avx512 %{ %clang -O1 %s %t.o -o %t && %t | FileCheck %s %}
// REQUIRES: native-x86
// REMARK-COUNT-12: iterations of {{.*}} in {{[0-9]}} vectors of
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TYPES(X)                                                              \
  X(float) X(double) X(int8_t) X(uint16_t) X(int32_t) X(int64_t)
#ifdef PART
#define KERNELS(T)                                                             \
  void move_##T(long m, long n, long p, long q, const T *restrict a,           \
                T *restrict c) {                                               \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++)                                             \
        c[j * q + i] = a[i * p + j];                                           \
  }                                                                            \
  void add_##T(long m, long n, long p, long q, const T *restrict a,            \
               T *restrict c) {                                                \
    for (long j = 0; j < n; j++)                                               \
      for (long i = 0; i < m; i++)                                             \
        c[j * q + i] += (T)(a[i * p + j] + a[i * p + j]);                      \
  }
#else
#define KERNELS(T)                                                             \
  void move_##T(long, long, long, long, const T *, T *);                       \
  void add_##T(long, long, long, long, const T *, T *);
#endif
TYPES(KERNELS)

#ifndef PART
static unsigned long runs, different;
#define CHECK(T)                                                               \
  static void check_##T(long m, long n, long p, long q) {                      \
    size_t from = (size_t)(m * p), to = (size_t)(n * q);                       \
    T *a = malloc(from * sizeof(T) + 64), *c = malloc(to * sizeof(T) + 64);    \
    T *d = malloc(to * sizeof(T) + 64);                                        \
    for (size_t i = 0; i < from; i++)                                          \
      a[i] = (T)(rand() % 4096);                                               \
    for (size_t i = 0; i < to; i++)                                            \
      c[i] = d[i] = (T)(rand() % 4096);                                        \
    move_##T(m, n, p, q, a, c);                                                \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++)                                             \
        d[j * q + i] = a[i * p + j];                                           \
    runs++, different += memcmp(c, d, to * sizeof(T)) != 0;                    \
    add_##T(m, n, p, q, a, c);                                                 \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++)                                             \
        d[j * q + i] += (T)(a[i * p + j] + a[i * p + j]);                      \
    runs++, different += memcmp(c, d, to * sizeof(T)) != 0;                    \
    free(a), free(c), free(d);                                                 \
  }
TYPES(CHECK)

int main(void) {
  static const long sizes[][4] = {
      {64, 64, 512, 512},    {128, 192, 512, 1024}, {130, 77, 512, 140},
      {77, 131, 512, 512},   {200, 64, 80, 512},    {64, 200, 256, 64},
      {63, 512, 512, 512},   {512, 63, 512, 512},   {150, 150, 151, 150},
      {256, 256, 256, 1024}, {8, 8, 512, 512},      {1, 300, 512, 512},
      {300, 1, 512, 512},    {129, 129, 2048, 129}, {64, 0, 512, 512}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    const long *s = sizes[i];
#define RUN(T) check_##T(s[0], s[1], s[2], s[3]);
    TYPES(RUN)
  }
  printf("%lu runs, %lu different\n", runs, different);
  return different != 0;
}
#endif
