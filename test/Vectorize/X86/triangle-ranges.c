// Rows of a triangle end where the matrix ends: what lies directly behind it, or in front,
// is another array, although the box of all rows and all columns is twice as long.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,verify,function(instcombine,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll
enum { N = 100, M = 50 };

// CHECK-LABEL: define {{.*}} @covariances(
// CHECK: [[C:%.*]] = ptrtoint ptr %c to i64
// CHECK-DAG: icmp ugt i64 {{.*}}, 39999
// CHECK-DAG: icmp ugt i64 {{.*}}, 19999
// CHECK: br i1 {{.*}} !dl.guard
// CHECK: call void @dl.matmul.tn.f32.0(
void covariances(float c[N][N], const float a[M][N]) {
  for (int i = 0; i < N; i++)
    for (int j = i; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < M; k++)
        c[i][j] += a[k][i] * a[k][j];
      c[i][j] /= M - 1.0f;
      c[j][i] = c[i][j];
    }
}
