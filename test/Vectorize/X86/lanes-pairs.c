// Rows in lanes of 512 bits are read by pairs of 128-bit parts; those of one array
// alone sixteen at once.
// DEFINE: %{opt} = %opt -S -passes='dl-vectorize,verify,function(instsimplify,early-cse)' -pass-remarks=dl-vectorize
// DEFINE: %{cpu} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %{opt} %{cpu} -o %t.ll 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.ll --check-prefixes=CHECK,WIDE
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// Narrower vectors have no pairs, and single parts are all that others have: those are
// read as they always were.
// REDEFINE: %{cpu} = -mattr=+avx2
// RUN: %{run} && FileCheck %s --input-file=%t.ll --check-prefixes=CHECK,FETCHES --implicit-check-not='load <8 x float>' --implicit-check-not='load <4 x double>'
// REDEFINE: %{cpu} =
// RUN: %{run} && FileCheck %s --input-file=%t.ll --check-prefixes=CHECK,PARTS --implicit-check-not='load <8 x float>' --implicit-check-not='load <4 x double>' --implicit-check-not=prefetch
// RUN: %emit --target=aarch64-linux-gnu %s | %{opt} -o - 2>/dev/null | FileCheck %s --check-prefixes=CHECK,PARTS --implicit-check-not='load <8 x float>' --implicit-check-not='load <4 x double>' --implicit-check-not=prefetch

// What is left of the rows is eight at once, four, and then one by one.
// CHECK-LABEL: define {{.*}} @sums(
// WIDE: icmp sge i64 %m, 4
// FETCHES: icmp sge i64 %m, 4
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// WIDE: i.x16.body:
// WIDE: icmp uge i64 {{.*}}, 1048576
// WIDE: far.body:
// WIDE-COUNT-16: call void @llvm.prefetch.p0(
// WIDE: far.exit:
// WIDE-COUNT-16: load <8 x float>, ptr {{.*}}, align 4
// WIDE-NOT: load
// WIDE-COUNT-8: fadd <16 x float>
// WIDE-COUNT-16: load <8 x float>, ptr {{.*}}, align 4
// WIDE-NOT: load
// WIDE-COUNT-8: fadd <16 x float>
// WIDE: add nuw i64 %j, 16
// WIDE-COUNT-16: load <4 x float>, ptr {{.*}}, align 4
// WIDE-COUNT-4: fadd <16 x float>
// WIDE-COUNT-16: load float, ptr
// WIDE: i.x8.body:
// WIDE-NOT: prefetch
// WIDE-COUNT-8: load <4 x float>, ptr {{.*}}, align 4
// WIDE-COUNT-4: fadd <8 x float>
// WIDE: i.x1.body:
// FETCHES: i.x8.body:
// FETCHES-COUNT-8: call void @llvm.prefetch.p0(
// PARTS: i.x8.body:
// PARTS: j.body:
// PARTS-COUNT-8: load <4 x float>, ptr
// PARTS: add nuw i64 %j, 4
// REMARK: lanes-pairs.c:[[#@LINE+2]]:{{.*}} iterations of i in 1 vectors of 16
void sums(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f64.0(
// WIDE: i.x8.body:
// WIDE: far.body:
// WIDE-COUNT-8: call void @llvm.prefetch.p0(
// WIDE: far.exit:
// WIDE-COUNT-8: load <4 x double>, ptr {{.*}}, align 8
// WIDE-COUNT-4: fadd <8 x double>
// WIDE-COUNT-8: load <4 x double>, ptr {{.*}}, align 8
// WIDE-COUNT-4: fadd <8 x double>
// WIDE: add nuw i64 %j, 8
// REMARK: lanes-pairs.c:[[#@LINE+2]]:{{.*}} iterations of i in 1 vectors of 8
void doubles(long m, long n, const double *restrict a, double *restrict c) {
  for (long i = 0; i < m; i++) {
    double s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
// Two arrays: eight rows of each, a line at once.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.dot.batched.f32.0(
// WIDE: i.x8.body:
// WIDE: far.body:
// WIDE-COUNT-16: call void @llvm.prefetch.p0(
// WIDE: far.exit:
// WIDE-NOT: load <8 x float>
// WIDE-COUNT-64: load <4 x float>
// WIDE: add nuw i64 %j, 16
// REMARK: lanes-pairs.c:[[#@LINE+3]]:{{.*}} iterations of i in 1 vectors of 8
void products(long m, long n, const float *restrict a, const float *restrict b,
              float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * b[i * n + j];
    c[i] = s;
  }
}
// What a row needs twice is in the second-level cache then, unless sixteen rows have
// more than that.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// WIDE: i.x16.body:
// WIDE: icmp uge i64 {{.*}}, 1048576
// WIDE-COUNT-16: call void @llvm.prefetch.p0(
// WIDE: icmp uge i64 {{.*}}, 1048576
// WIDE-COUNT-16: call void @llvm.prefetch.p0(
// WIDE: i.x8.body:
void variances(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0, v = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    float mean = s / n;
    for (long j = 0; j < n; j++)
      v += (a[i * n + j] - mean) * (a[i * n + j] - mean);
    c[i] = v / n;
  }
}
// Rows that are also written: eight.
// REMARK: lanes-pairs.c:[[#@LINE+2]]:{{.*}} iterations of i in 1 vectors of 8
void running(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      s += a[i * n + j];
      c[i * n + j] = s;
    }
  }
}
