// A kernel that checks itself may store gigabytes, as many as there is free memory to keep
// them (twice); where it is not free, the loops give the results, and a line says so.
//
// REQUIRES: native-x86, avx2
// RUN: env DLOPT_OPTIONS=check=1 %clang_dl -O2 -g -march=haswell -Rpass=dl-vectorize %s -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %if long %{ %t 13500 2>&1 | FileCheck %s %}
// RUN: bash -c 'ulimit -v 1500000 && exec %t 3000' 2>&1 | FileCheck %s
// RUN: %if long %{ bash -c 'ulimit -v 1500000 && exec %t 9000' 2>&1 | FileCheck %s --check-prefix=FEW %}
// REMARK: remark: matmul.nn
// CHECK-NOT: not checked
// CHECK: right
// FEW-COUNT-1: dlopt: {{.*}}check-gigabytes.c:{{[0-9]+}}: kernel {{[0-9]+}} matmul.nn: stores more than there is free memory to keep: not checked, the results are those of the loop
// FEW: right
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum { Columns = 10000, Steps = 3 };

__attribute__((noinline)) static void
multiply(double *restrict c, const double *a, const double *b, long m) {
  puts("once"); // so that the function is not checked as a whole, too
  for (long i = 0; i < m; i++)
    for (long j = 0; j < Columns; j++) {
      double s = 0;
      for (long k = 0; k < Steps; k++)
        s += a[i * Steps + k] * b[k * Columns + j];
      c[i * Columns + j] = s;
    }
}

int main(int argc, char **argv) {
  long m = argc > 1 ? atol(argv[1]) : 10;
  double *c = malloc(m * Columns * sizeof *c),
         *a = malloc(m * Steps * sizeof *a);
  static double b[Steps * Columns];
  if (!a || !c)
    return puts("no memory"), 1;
  for (long i = 0; i < m * Steps; i++)
    a[i] = i % 5;
  for (long i = 0; i < Steps * Columns; i++)
    b[i] = i % 3;
  errno = 0;
  multiply(c, a, b, m);
  if (errno)
    return puts("errno"), 1;
  for (long i = 0; i < m; i += 999)
    for (long j = 0; j < Columns; j++) {
      int s = 0;
      for (int k = 0; k < Steps; k++)
        s += (i * Steps + k) % 5 * ((k * Columns + j) % 3);
      if (c[i * Columns + j] != s)
        return puts("wrong"), 1;
    }
  puts("right");
  return 0;
}
