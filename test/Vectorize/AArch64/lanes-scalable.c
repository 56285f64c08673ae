// Iterations in the lanes of scalable vectors: several vectors at a time, then one
// under a mask.
// DEFINE: %{flags} = -mattr=+sve
// DEFINE: %{options} = scalable=1
// DEFINE: %{run} = %emit -fno-math-errno -fapprox-func -fassociative-math -fno-signed-zeros -fno-trapping-math --target=aarch64-linux-gnu %s | env DLOPT_OPTIONS=%{options} %opt %{flags} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=SVE
// RUN: llc -mattr=+sve -O3 %t.ll -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{options} = scalable=0
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=NEON
// NEON-NOT: vscale
// NEON: 4 vectors of 4
// SVE: exp f32, {{.*}}: approximated, iterations of i in 4 vectors of vscale x 4
// SVE: tanh f64, {{.*}}: approximated, iterations of i in 4 vectors of vscale x 2
// SVE: sum-of-exponentials f32, {{.*}}: reassociated, iterations of i in 4 vectors of vscale x 4
// SVE: reduce f32, {{.*}}: exact, iterations of i in 4 vectors of vscale x 4
// SVE: exp f32, {{.*}}: approximated, iterations of i in 4 vectors of vscale x 4
// Rows are read by shuffles of fixed vectors, calls are made lane by lane, and
// divisions may trap.
// SVE: sum f32, {{.*}}: exact, iterations of i in 2 vectors of 4
// SVE-NOT: vscale

float expf(float);
double tanh(double);
float fmodf(float, float);
// CHECK-LABEL: define internal void @dl.lanes.map.f32.0(
// CHECK: [[SCALE:%.*]] = call i64 @llvm.vscale.i64()
// CHECK: i.xv16.body:
// CHECK: load <vscale x 16 x float>, ptr {{.*}}, align 4
// CHECK: call <vscale x 16 x float> @llvm.fma.nxv16f32
// CHECK: store <vscale x 16 x float>
// CHECK: i.xv4.body:
// CHECK: [[MASK:%.*]] = call <vscale x 4 x i1> @llvm.get.active.lane.mask.nxv4i1.i64(i64 %i.xv4, i64 %n)
// CHECK: call <vscale x 4 x float> @llvm.masked.load.nxv4f32.p0({{ptr align 4|ptr}} {{.*}}, <vscale x 4 x i1> [[MASK]],
// CHECK: call <vscale x 4 x float> @llvm.fma.nxv4f32
// CHECK: call void @llvm.masked.store.nxv4f32.p0({{.*}}, <vscale x 4 x i1> [[MASK]])
// CHECK: ret void
// ASM-LABEL: dl.lanes.map.f32.0:
// ASM: whilelo p{{[0-9]+}}.s
// ASM: ld1w { z{{[0-9]+}}.s }, p{{[0-9]+}}/z
// ASM: st1w
void exponentials(long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]);
}
void wide(long n, const double *restrict a, double *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = tanh(a[i]);
}
// Parts of all vectors are combined, then the lanes of one.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: %s.lanes = alloca <vscale x 4 x float>, align 16
// CHECK: i.xv16.body:
// CHECK: fadd {{.*}}<vscale x 16 x float>
// CHECK: call <vscale x 4 x float> @llvm.vector.extract.nxv4f32.nxv16f32(<vscale x 16 x float> {{.*}}, i64 12)
// The mask keeps the sums of lanes that have no iterations.
// CHECK: i.xv4.body:
// CHECK: [[MASK:%.*]] = call <vscale x 4 x i1> @llvm.get.active.lane.mask
// CHECK: select <vscale x 4 x i1> [[MASK]], <vscale x 4 x float>
// CHECK: s.parts.body:
// CHECK: load <4 x float>
// CHECK: fadd reassoc <4 x float>
// CHECK: shufflevector <4 x float>
float sum(long n, const float *a) {
  float s = 0;
  for (long i = 0; i < n; i++)
    s += expf(a[i]);
  return s;
}
// A condition that differs between lanes, although NEON has no masks.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK: i.xv16.body:
// CHECK: [[IS:%.*]] = icmp sge <vscale x 16 x i64>
// CHECK: call <vscale x 16 x float> @llvm.masked.load.nxv16f32
// CHECK: select <vscale x 16 x i1> [[IS]], <vscale x 16 x float>
// CHECK: i.xv4.body:
// CHECK: icmp sge <vscale x 4 x i64>
// CHECK: select <vscale x 4 x i1> {{.*}}, <vscale x 4 x i1> zeroinitializer
void below(long m, long n, const float *restrict a, float *restrict c) {
#pragma clang fp reassociate(off)
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      if (i <= j)
        s += a[i * n + j];
    c[j] = s;
  }
}
// Elements that are apart.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.1(
// CHECK: call <vscale x 16 x float> @llvm.masked.gather.nxv16f32
// CHECK: call void @llvm.masked.scatter.nxv16f32
void apart(long n, long k, const float *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[2 * i] = expf(a[i * k]);
}
void row_sum(long m, long n, const float *restrict a, float *restrict c) {
#pragma clang fp reassociate(off)
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
void calls(long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = fmodf(a[i], 3) + expf(a[i]);
}
void divisions(long n, const int *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(c[i]) + 100 / a[i];
}
