// B is multiplied where it lies if it is small, or the result has few rows; how
// small, and how few, depends on whether its rows start at lines of the cache.
// What is copied of a shallow product is as wide as the buffer holds, and the
// rows of the result are written one after the other.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize,verify,function(instsimplify,early-cse)' -S | FileCheck %s

// CHECK-LABEL: define internal {{.*}} @dl.matmul.nn.f32.0(
// CHECK:        %[[BYTES:.*]] = mul i64 %ldb, 4
// CHECK:        %[[B:.*]] = ptrtoint ptr %B to i64
// CHECK:        %[[STARTS:.*]] = or i64 %[[B]], %[[BYTES]]
// CHECK:        %[[REST:.*]] = and i64 %[[STARTS]], 63
// CHECK:        %[[ALIGNED:.*]] = icmp eq i64 %[[REST]], 0
// CHECK:        %[[MOST:.*]] = select i1 %[[ALIGNED]], i64 {{[0-9]+}}, i64 16384
// CHECK:        %[[ROWS:.*]] = select i1 %[[ALIGNED]], i64 48, i64 30
// CHECK:        %[[FEW:.*]] = icmp ult i64 %M, %[[ROWS]]
// CHECK:        %[[UPTO:.*]] = select i1 %[[FEW]], i64 {{[0-9]+}}, i64 %[[MOST]]
// CHECK:        %[[ALL:.*]] = mul i64 %K, %[[BYTES]]
// CHECK:        %[[SMALL:.*]] = icmp ule i64 %[[ALL]], %[[UPTO]]
// CHECK:        br i1 %[[SMALL]], label %small, label %large

// CHECK-LABEL: define internal {{.*}} @dl.matmul.nn.f32.0.packed(
// The depth of a block, and how many panels of 16 columns the buffer holds then.
// CHECK:      many.rows:
// CHECK:      sizes1:
// CHECK:        %[[BLOCKS:.*]] = udiv i64 %{{.*}}, %{{.*}}
// CHECK:        %[[EQUAL:.*]] = udiv i64 %{{.*}}, %[[BLOCKS]]
// CHECK:        %[[DEPTH:.*]] = phi i64 [ %K, %many.rows ], [ %[[EQUAL]], %sizes1 ]
// CHECK:        %[[HOLDS:.*]] = mul i64 %{{.*}}, 64
// CHECK:        %[[FIT:.*]] = udiv i64 %[[HOLDS]], %[[DEPTH]]
// CHECK:        %[[PANELS:.*]] = udiv i64 %[[FIT]], 16
// CHECK:        %[[WIDE:.*]] = mul i64 %[[PANELS]], 16
// CHECK:        %[[MANY:.*]] = call i64 @llvm.umax.i64(i64 64, i64 %[[WIDE]])
// CHECK:        %[[WIDTH:.*]] = phi i64 [ 64, %{{.*}} ], [ %[[MANY]], %{{.*}} ]
// CHECK:      rows.block:
// CHECK:        %[[ROWS:.*]] = call i64 @llvm.umin.i64(
// CHECK:      n.block:
// CHECK:        %[[COLUMNS:.*]] = call i64 @llvm.umin.i64(i64 %[[WIDTH]],
// One call for all rows and panels of a block.
// CHECK:      k.block:
// CHECK:        call void @dl.matmul.nn.f32.0.tiles({{.*}}, i64 %[[ROWS]], i64 %[[COLUMNS]], i64 %{{.*}})
// CHECK:        ret void
void product(long m, long n, long d, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long k = 0; k < d; k++)
        sum += a[i * d + k] * b[k * n + j];
      c[i * n + j] = sum;
    }
}
