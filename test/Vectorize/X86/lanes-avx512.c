// Lanes of 512 bits: what is left of a row is one vector under a mask, powers of
// two are one instruction and its conversion.
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq
// DEFINE: %{run} = %emit -fno-math-errno -fapprox-func --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.ll
// RUN: llc %{attr} -O3 %t.ll -o - | FileCheck %s --check-prefix=ASM
// Where vectors of 256 bits are preferred there is no such instruction for longer ones,
// which several vectors at a time are.
// RUN: %emit -fno-math-errno -fapprox-func -mprefer-vector-width=256 --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -passes='dl-vectorize,verify' && FileCheck %s --input-file=%t.ll --check-prefix=NARROW --implicit-check-not=llvm.ldexp
// RUN: llc %{attr} -O3 %t.ll -o /dev/null
// NARROW: define internal void @dl.lanes.map.f32.0(
// Where masks are slow, only math functions are run under them.
// REDEFINE: %{attr} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.ll --check-prefix=AVX2 --implicit-check-not=llvm.ldexp
// AVX2-LABEL: define internal void @dl.lanes.map.f32.0(
// AVX2: call <8 x float> @llvm.masked.load.v8f32
// AVX2-LABEL: define internal void @dl.lanes.reduce.f32.0(
// AVX2-NOT: llvm.masked
// AVX2: i.x1.header:
float expf(float);

// CHECK-LABEL: define internal void @dl.lanes.map.f32.0(
// CHECK: i.x64.body:
// CHECK: load <64 x float>, ptr
// CHECK-COUNT-4: call <16 x float> @llvm.x86.avx512.mask.scalef.ps.512(
// CHECK: i.x16.body:
// CHECK: [[LEFT:%.*]] = sub i64 %n, %i.x16
// CHECK: [[COUNT:%.*]] = trunc i64 [[LEFT]] to i32
// CHECK: [[MASK:%.*]] = icmp ult <16 x i32> <i32 0, i32 1, i32 2
// CHECK: call <16 x float> @llvm.masked.load.v16f32.p0({{ptr align 4|ptr}} {{.*}}, <16 x i1> [[MASK]],
// CHECK: call void @llvm.masked.store.v16f32.p0({{.*}}, <16 x i1> [[MASK]])
// CHECK-NOT: i.x1.
// CHECK: ret void
// ASM-LABEL: dl.lanes.map.f32.0:
// ASM-COUNT-4: vscalefps %zmm
// ASM: vpcmp{{.*}}, %k1
// ASM: vmovups {{.*}} {%k1} {z}
// ASM: vscalefps %zmm
// ASM: vmovups %zmm{{[0-9]+}}, {{.*}} {%k1}
void exponentials(long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[i]);
}
// Each lane keeps its sum; those without a column add zeros, as what happens to be in
// a register may be a number that arithmetic is slow on.
// CHECK-LABEL: define internal void @dl.lanes.reduce.f32.0(
// CHECK: i.x64.body:
// CHECK: i.x16.body:
// CHECK: [[MASK:%.*]] = icmp ult <16 x i32> <i32 0, i32 1, i32 2
// CHECK: [[SUM:%.*]] = phi <16 x float> [ zeroinitializer,
// CHECK: [[X:%.*]] = call <16 x float> @llvm.masked.load.v16f32.p0({{ptr align 4|ptr}} {{.*}}, <16 x i1> [[MASK]], <16 x float> zeroinitializer)
// CHECK-NEXT: fadd {{.*}}<16 x float> [[SUM]], [[X]]
// CHECK-NOT: select <16 x i1> [[MASK]]
// CHECK-NOT: i.x1.
// CHECK: ret void
void columns(long m, long n, const float *restrict a, float *restrict c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}
// Rows are read in squares, which has no masks; nor has a division that may trap.
// CHECK-LABEL: define internal void @dl.lanes.reduce.f32.1(
// CHECK: i.x1.header:
// CHECK-LABEL: define internal void @dl.lanes.map.f32.1(
// CHECK: i.x1.header:
void rows(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
void divisions(long n, const int *restrict a, float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(c[i]) + 100 / a[i];
}
// Indices are read for lanes that run alone.
// CHECK-LABEL: define internal void @dl.lanes.map.f32.2(
// CHECK: i.x1.header:
void indirect(long n, const int *restrict at, const float *restrict a,
              float *restrict c) {
  for (long i = 0; i < n; i++)
    c[i] = expf(a[at[i]]);
}

// Narrow integers, which are computed with as float.
// ASM-LABEL: dl.lanes.map.i16.0:
// ASM-COUNT-4: vscalefps %zmm
void narrow(long n, const short *restrict a, short *restrict b) {
  for (long i = 0; i < n; i++)
    b[i] = (short)expf(a[i]);
}
