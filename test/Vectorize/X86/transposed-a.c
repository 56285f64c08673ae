// What a tile takes of a transposed A in one step are neighbours: they are
// copied together, step by step, and nothing is transposed.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -S | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=LANES

// Six rows: the second is one element behind the first, the next step six.
// CHECK-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0.tiles(
// CHECK:      k.loop:
// CHECK:        %[[AT:.*]] = mul i64 %{{.*}}, 6
// CHECK:        getelementptr float, ptr %[[A:a[0-9]*]], i64 %[[AT]]
// CHECK-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0.packed(
// CHECK-NOT:  transpose
// CHECK:      group.loop:
// CHECK:        call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
// CHECK:        load <4 x float>
// CHECK:        store <4 x float>
// CHECK:        load <2 x float>
// CHECK:        store <2 x float>
// CHECK:      group.rest.loop:
// CHECK:        load float
// CHECK:        store float
// CHECK-NOT:  transpose
// CHECK:        ret void
// Where multiplications take lanes, these are steps of one row.
// LANES-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0.packed(
// LANES:      transpose.rows:
// LANES:        shufflevector
// LANES:        ret void
void product(long m, long n, long d, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long k = 0; k < d; k++)
        sum += a[k * m + i] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
