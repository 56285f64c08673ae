// What makes loops over bytes faster that LLVM vectorizes as well: wider vectors, an
// instruction for products of bytes, a loop around one sum.
//
// REQUIRES: x86-registered-target
//
// DEFINE: %{run} = %clang_dl --target=x86_64-linux-gnu -O2 -c %s -o /dev/null -Rpass=dl- -Rpass-missed=dl-
// RUN: %{run} 2>&1 | FileCheck %s --check-prefixes=CHECK,PLAIN --implicit-check-not=remark:
// RUN: %{run} -march=x86-64-v3 2>&1 | FileCheck %s --check-prefixes=CHECK,AVX2 --implicit-check-not=remark:
// RUN: %{run} -march=cascadelake 2>&1 | FileCheck %s --check-prefixes=CHECK,VNNI --implicit-check-not=remark:
#include <stdint.h>

// CHECK: help-of-bytes.c:[[#@LINE+7]]:3: remark: map i8, argument 1: left alone: recognized; LLVM's own loop vectorizer does the same: where arrays do not overlap, which it tests; what helps:
// PLAIN-SAME: -march=native, for wider vectors; the same statements in the loop that makes or uses these arrays [
// AVX2-NOT: -march
// VNNI-NOT: -march
// AVX2-SAME: the same statements
// VNNI-SAME: the same statements
void add(int n, const int8_t *a, const int8_t *b, int8_t *c) {
  for (int i = 0; i < n; i++) {
    int v = a[i] + b[i];
    c[i] = v > 127 ? 127 : v < -128 ? -128 : v;
  }
}

// CHECK: help-of-bytes.c:[[#@LINE+7]]:3: remark: dot i32, argument 1: left alone: recognized; LLVM's own loop vectorizer does the same; what helps:
// PLAIN-SAME: -march=native, for wider vectors; -march= of a CPU that adds products of bytes in one instruction; more sums at a time: a loop over rows around it, in the same function [
// AVX2-SAME: -march= of a CPU that adds products of bytes in one instruction; more sums at a time
// VNNI-NOT: -march
// VNNI-SAME: more sums at a time: a loop over rows around it, in the same function [
int dot(int n, const int8_t *a, const int8_t *b) {
  int s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}

// Such a loop is faster, indeed.
// CHECK: help-of-bytes.c:[[#@LINE+2]]:3: remark: matvec i32, argument 1 x argument 2: exact, by the script rows
void product(int m, int n, const int8_t *a, const int8_t *x, int *y) {
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int j = 0; j < n; j++)
      s += a[i * n + j] * x[j];
    y[i] = s;
  }
}
