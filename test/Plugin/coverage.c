// Counters of gcov, which are put in behind the plugin, are to count the source's loops.
// RUN: %clang_dl -O3 --coverage -Rpass=dl- -Rpass-missed=dl- -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: %clang_dl -O3 -g -Rpass=dl- -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=PLAIN
// CHECK: coverage.c:[[@LINE+2]]:{{.*}} left alone: the code is instrumented
// PLAIN: matmul.nn f32
void product(int n, const float *restrict a, const float *restrict b, float *restrict c) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
