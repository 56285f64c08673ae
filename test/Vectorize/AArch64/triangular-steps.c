// Products with a triangle: three calls, for blocks, tiles and rows.
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -passes=dl-vectorize | FileCheck %s
// CHECK-LABEL: define {{.*}} @lower(
// CHECK-COUNT-3: call void @dl.matmul.nn.f32.0(
void lower(long m, long n, float (*restrict C)[512], float (*restrict A)[512],
           float (*restrict B)[512]) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k <= i; k++)
        s += A[i][k] * B[k][j];
      C[i][j] = s;
    }
}
