// Square roots of the library are instructions for all lanes; where one sets errno,
// the library is called for each lane. LLVM leaves such loops scalar.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK -DLANES=8
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=REMARK -DLANES=4
float sqrtf(float);

// REMARK-DAG: roots.c:[[#@LINE+3]]:{{.*}} sqrt f32, %n: exact, iterations of i in 4 vectors of [[LANES]],
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}f32.0(
void roots(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = sqrtf(x[i]);
}
// CHECK: [[X:%.*]] = load <32 x float>
// CHECK-NEXT: [[ROOTS:%.*]] = call <32 x float> @llvm.sqrt.v32f32(<32 x float> [[X]])
// CHECK-NEXT: [[BELOW:%.*]] = fcmp olt <32 x float> [[X]], zeroinitializer
// CHECK-NEXT: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v32i1(<32 x i1> [[BELOW]])
// CHECK-NEXT: br i1 [[ANY]], label %[[CALLS:[^,]*]], label %[[DONE:[^,]*]], {{.*}}!prof
// CHECK: [[CALLS]]:
// CHECK-NEXT: store <32 x float> [[X]], ptr %roots
// CHECK: icmp slt i64 %root{{.*}}, 32
// CHECK: call float @sqrtf(
// CHECK: [[DONE]]:
// CHECK-NEXT: phi <32 x float> [ [[ROOTS]], {{.*}} ], [ {{.*}} ]

// REMARK-DAG: roots.c:[[#@LINE+4]]:{{.*}} f32, %n: exact, iterations of i in {{[124]}} vectors of [[LANES]], kernel
void adam(long n, float *restrict p, const float *restrict g,
          float *restrict m, float *restrict v, float rate, float beta1,
          float beta2, float c1, float c2) {
  for (long i = 0; i < n; i++) {
    m[i] = beta1 * m[i] + (1 - beta1) * g[i];
    v[i] = beta2 * v[i] + (1 - beta2) * g[i] * g[i];
    p[i] -= rate * (m[i] / c1) / (sqrtf(v[i] / c2) + 1e-8f);
  }
}

// Without restrict, by a guard.
// REMARK-DAG: roots.c:[[#@LINE+2]]:{{.*}}: exact, iterations of i in {{[124]}} vectors of [[LANES]], kernel
void rmsprop(long n, float *p, const float *g, float *v, float rate) {
  for (long i = 0; i < n; i++) {
    v[i] = 0.9f * v[i] + 0.1f * g[i] * g[i];
    p[i] -= rate * g[i] / (sqrtf(v[i]) + 1e-8f);
  }
}

// Only where a condition holds: the others are no negative numbers.
// REMARK-DAG: roots.c:[[#@LINE+5]]:{{.*}} f32, %n: exact, iterations of i in {{[124]}} vectors of [[LANES]],
// CHECK: [[IS:%.*]] = fcmp ogt <32 x float> {{.*}}, {{splat \(float 1\.000000e\+00\)|<float 1\.000000e\+00,[^>]*>}}
// CHECK: [[CHOSEN:%.*]] = select <32 x i1> [[IS]], <32 x float> {{.*}}, <32 x float> zeroinitializer
// CHECK: call <32 x float> @llvm.sqrt.v32f32(<32 x float> [[CHOSEN]])
void conditional(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] > 1 ? sqrtf(x[i]) : 3;
}

// Without masked stores.
// REMARK-DAG: roots.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void stored(long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < n; i++)
    if (x[i] > 1)
      y[i] = sqrtf(x[i]);
}
