// What a tile takes of a transposed A in one step are neighbours: they are used
// where they lie if A is small, else copied together, step by step, and nothing
// is transposed.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify' -S | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-vectorize,verify' -S | FileCheck %s --check-prefix=LANES

// CHECK-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0(
// CHECK:        %[[ROW:.*]] = mul i64 %lda, 4
// CHECK:        %[[BYTES:.*]] = mul i64 %K, %[[ROW]]
// CHECK:        %[[SMALL:.*]] = icmp ule i64 %[[BYTES]], 65536
// CHECK:        and i1 %{{.*}}, %[[SMALL]]
// CHECK:        call void @dl.matmul.tn.f32.0.tiles(ptr %C, i64 %ldc, ptr %A, i64 1, {{.*}}, i64 %K, i64 %lda)
// Six rows: the second is one element behind the first, the next step in the
// next row of A or of the copy.
// CHECK-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0.tiles(
// CHECK:      k.body:
// CHECK:        %[[AT:.*]] = mul i64 %step.a, %k
// CHECK:        getelementptr float, ptr %{{.*}}, i64 %[[AT]]
// CHECK-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0.packed(
// CHECK-NOT:  shufflevector
// CHECK:      m.block:
// CHECK:        br i1 %{{.*}}, label %a.copied
// CHECK:      I.x6.body:
// CHECK:        call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
// CHECK:        load <4 x float>
// CHECK:        store <4 x float>
// CHECK:        load <2 x float>
// CHECK:        store <2 x float>
// CHECK:      I.body:
// CHECK:        load float
// CHECK:        store float
// CHECK-NOT:  shufflevector
// CHECK:        %[[STEP:.*]] = select i1 %{{.*}}, i64 %lda, i64 6
// CHECK:        call void @dl.matmul.tn.f32.0.tiles({{.*}}, i64 %[[STEP]])
// CHECK:        ret void
// Where multiplications take lanes, these are steps of one row.
// LANES-LABEL: define internal {{.*}} @dl.matmul.tn.f32.0.packed(
// LANES:      J.upto.body:
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
