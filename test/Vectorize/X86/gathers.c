// Elements that lie apart and are read under a condition: gathered, where the
// target has masks of their own for that; elsewhere branches are faster.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -gline-tables-only -march=skylake --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=unit-strides %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=AVX2

// REMARK-DAG: gathers.c:[[#@LINE+7]]:{{.*}} f32, %m x %n x %l: exact, iterations of {{.*}} in {{[0-9]}} vectors of 16
// AVX2-DAG: gathers.c:[[#@LINE+6]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}(
// CHECK: %[[IN:.*]] = {{.*}}<16 x i1>
// CHECK: call <16 x float> @llvm.masked.gather.v16f32.v16p0(
void steps(long m, long n, long l, long t, long p, long w,
           const float *restrict x, float *restrict y) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        if (j * t + k >= p && j * t + k < p + w)
          s += x[i * w + j * t + k - p];
      y[i * n + j] = s;
    }
}
// What is read always has no mask, and would be read again and again.
// REMARK-DAG: gathers.c:[[#@LINE+3]]:{{.*}} left alone: recognized; no schedule for this kind yet
void always(long m, long n, long l, long t, const float *restrict x,
            const float *restrict z, float *restrict y) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        s += x[i + j * t + k * k] * z[j];
      y[i * n + j] = s;
    }
}
