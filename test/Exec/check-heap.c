// A row that goes through memory of malloc's stays in registers: programs that check
// themselves compare nothing of that memory, which nobody reads again, whether the
// function is declared with attributes or not.
//
// REQUIRES: native-x86
// RUN: env DLOPT_OPTIONS=check=1 %clang_dl -O3 %s -o %t -Rpass=dl-fuse 2>&1 | FileCheck %s --check-prefix=FUSED
// RUN: %t 2>&1 | FileCheck %s --implicit-check-not=dlopt:
// FUSED: remark: {{.*}}rows kept in those of the result
// CHECK: done
#include <stdio.h>

__attribute__((noinline)) void normalize(int m, int n, const float *a,
                                         const float *b, float *c) {
  if (n > 0) {
    float *t = __builtin_malloc(n * sizeof *t);
    for (int i = 0; i < m; i++) {
      float ss = 0;
      for (int j = 0; j < n; j++) {
        t[j] = a[i * n + j] * b[i * n + j];
        ss += t[j] * t[j];
      }
      for (int j = 0; j < n; j++)
        c[i * n + j] = t[j] / (ss + 1);
    }
    __builtin_free(t);
  }
}

int main(void) {
  enum { M = 9, N = 77 };
  static float a[M * N], b[M * N], c[M * N];
  for (int i = 0; i < M * N; i++)
    a[i] = i % 7, b[i] = i % 5 - 2;
  for (int m = 1; m <= M; m++)
    for (int n = 1; n <= N; n++)
      normalize(m, n, a, b, c);
  puts("done");
  return c[3] != c[3];
}
