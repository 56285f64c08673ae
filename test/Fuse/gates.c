// Gates of a cell are multiples of a size apart. What the guard of the joined loops computes
// of that size is no size of its own: rows of gates still are rows.
// RUN: %clang -O3 -Xclang -disable-llvm-passes --target=x86_64-linux-gnu -fno-discard-value-names -S -emit-llvm -o - %s | %opt -disable-output -passes='dl-prepare<all>,dl-fuse,print<dl-kernels>' 2>&1 | FileCheck %s
// CHECK: kernel 0 @cell
// CHECK: par i[%m]
// CHECK: par j[4*%n]
// CHECK: par j.1[%n]
// CHECK: %gates[4*i + 2,j.1]
// CHECK: %gates[4*i + 3,j.1]
// CHECK-NOT: kernel 1
float expf(float);
void cell(int m, int n, int k, const float *restrict x, const float *restrict w, const float *restrict u, float *restrict gates, float *restrict c, float *restrict h) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < 4 * n; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++)
        sum += w[j * k + l] * x[i * k + l];
      for (int l = 0; l < n; l++)
        sum += u[j * n + l] * h[i * n + l];
      gates[i * 4 * n + j] = sum;
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      const float *g = gates + i * 4 * n;
      c[i * n + j] = g[n + j] * c[i * n + j] + g[j] * expf(g[2 * n + j]);
      h[i * n + j] = g[3 * n + j] * c[i * n + j];
    }
}
