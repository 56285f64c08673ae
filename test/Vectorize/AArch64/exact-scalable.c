// Functions with the library's bits in lanes of scalable vectors: a register after the
// other, and a loop over the lanes that ask the library. (RISCV/exact-scalable.test is
// the same with V.)
// DEFINE: %{options} = scalable=1
// DEFINE: %{compile} = env DLOPT_OPTIONS=%{options} %clang_dl -O3 --target=aarch64-linux-gnu -march=armv8.2-a+sve -fno-math-errno -Rpass=dl-vectorize -Rpass-missed=dl-vectorize
// RUN: %{compile} -S -emit-llvm %s -o %t.ll 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %{compile} -S %s -o - 2>&1 | FileCheck %s --check-prefix=ASM
// REDEFINE: %{options} = scalable=0
// RUN: %{compile} -S -emit-llvm %s -o %t.fixed.ll 2>&1 | FileCheck %s --check-prefix=FIXED
// RUN: FileCheck %s --input-file=%t.fixed.ll --check-prefix=NONE
// FIXED-NOT: vscale
// FIXED: exp f32, {{.*}}: exact, iterations of i in 4 vectors of
// NONE-NOT: <vscale
float expf(float);
float tanhf(float);
float logf(float);
float powf(float, float);
float fmodf(float, float);
float atanhf(float);

// In double, four times; then lanes in order, the first one of those that are left.
// REMARK-DAG: exp f32, {{.*}}: exact, iterations of i in 4 vectors of vscale x 4
// CHECK-LABEL: define internal {{.*}}void @dl.lanes.map.f32.0(
// CHECK-COUNT-4: fptrunc <vscale x 4 x double> {{%.*}} to <vscale x 4 x float>
// CHECK: call i1 @llvm.vector.reduce.or.nxv16i1(<vscale x 16 x i1> [[ASK:%.*]])
// CHECK: [[LEFT:%.*]] = phi <vscale x 16 x i1> [ {{.*}} ], [ [[NEXT:%.*]], %{{.*}} ]
// CHECK: [[LANE:%.*]] = {{.*}}call i32 @llvm.experimental.cttz.elts.i32.nxv16i1(<vscale x 16 x i1> [[LEFT]], i1 true)
// CHECK: call float @{{expf|llvm.exp.f32}}(float
// CHECK: [[COUNT:%.*]] = add {{.*}}i32 [[LANE]], 1
// CHECK: [[DONE:%.*]] = {{.*}}call <vscale x 16 x i1> @llvm.get.active.lane.mask.nxv16i1.i32(i32 0, i32 [[COUNT]])
// CHECK: [[REST:%.*]] = xor <vscale x 16 x i1> [[DONE]],
// CHECK: [[NEXT]] = and <vscale x 16 x i1> {{.*}}[[REST]]
// Lanes that have no iterations ask nobody.
// CHECK: [[TAIL:%.*]] = {{.*}}call <vscale x 4 x i1> @llvm.get.active.lane.mask.nxv4i1.i64(
// CHECK: fptrunc <vscale x 4 x double> {{%.*}} to <vscale x 4 x float>
// CHECK: [[OWN:%.*]] = select <vscale x 4 x i1> [[TAIL]], <vscale x 4 x i1> {{.*}}, <vscale x 4 x i1> zeroinitializer
// CHECK: call i1 @llvm.vector.reduce.or.nxv4i1(<vscale x 4 x i1> [[OWN]])
// CHECK: call {{.*}}@llvm.experimental.cttz.elts.i32.nxv4i1(
// CHECK: {{^}}}
// ASM-LABEL: dl.lanes.map.f32.0:
// ASM: fcvt z{{[0-9]+}}.s, p{{[0-9]+}}/m, z{{[0-9]+}}.d
// ASM: brkb
// ASM: bl expf
// ASM: whilelo
// ASM: bic
void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

// By the library's operations in float, or in double.
// REMARK-DAG: tanh f32, {{.*}}: exact, iterations of i in 4 vectors of vscale x 4
// CHECK-LABEL: define internal {{.*}}void @dl.lanes.map.f32.1(
// CHECK: call <vscale x 4 x float> @llvm.arithmetic.fence.nxv4f32(
// CHECK: call <vscale x 4 x float> @llvm.trunc.nxv4f32(
// CHECK: fptrunc <vscale x 4 x double> {{%.*}} to <vscale x 4 x float>
// CHECK: {{^}}}
void tanhs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = tanhf(x[i]);
}

// A table of sixteen numbers: by the bits of the index.
// REMARK-DAG: log f32, {{.*}}: exact, iterations of i in 4 vectors of vscale x 4
// CHECK-LABEL: define internal {{.*}}void @dl.lanes.map.f32.2(
// CHECK-COUNT-15: select <vscale x 4 x i1> {{.*}}, <vscale x 4 x double>
// CHECK-NOT: extractelement
// CHECK: {{^}}}
void logs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]);
}

// Of two arguments.
// REMARK-DAG: map f32, {{.*}}: exact, iterations of i in 4 vectors of vscale x 4
void pows(float *restrict y, const float *restrict x, const float *restrict z, long n) {
  for (long i = 0; i < n; i++)
    y[i] = powf(x[i], z[i]);
}

// A function that has no model is called lane by lane, which fixed vectors permit.
// REMARK-DAG: map f32, {{.*}}: exact, iterations of i in {{4 vectors of 4|2 vectors of 8}},
void calls(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]) + fmodf(x[i], 3);
}

// REMARK-DAG: exact-scalable.c:[[#@LINE+2]]:{{.*}} left alone
void angles(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = atanhf(x[i]) * 2;
}
