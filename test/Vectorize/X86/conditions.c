// Conditions of whole loops stand in front of these, so that what is inside runs
// in every round.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK

// Squares of weights are read ahead behind the test. Extents do not say how
// often that holds.
// REMARK-DAG: conditions.c:[[#@LINE+15]]:{{.*}} conv1d f32, %h x %d x 3 x %c: exact, iterations of j in 1 vectors of 8
// CHECK-LABEL: define {{.*}} @conv(
// CHECK: or i64 %{{[0-9]+}}, %pad
// CHECK: call void @dl.lanes.reduce.f32.0(
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: j.x8.body:
// CHECK: call i64 @llvm.smin.i64(i64 1,
// CHECK: when.header:
// CHECK: l.header:
// CHECK: l.body:
// CHECK-COUNT-8: load <4 x float>
// CHECK-NOT: br
// CHECK: call <8 x float> @llvm.fmuladd.v8f32(
void conv(long h, long c, long d, long pad, float *restrict y,
          const float *restrict x, const float *restrict w) {
  for (long r = 0; r < h; r++)
    for (long o = 0; o < d; o++) {
      float s = 0;
      for (long f = 0; f < 3; f++) {
        if (r + f < pad || r + f >= pad + h)
          continue;
        for (long i = 0; i < c; i++)
          s += x[(r + f - pad) * c + i] * w[(o * 3 + f) * c + i];
      }
      y[r * d + o] = s;
    }
}

// What changes in the innermost loop stays there.
// REMARK-DAG: conditions.c:[[#@LINE+3]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
void inside(long h, long c, long d, float *restrict y, const float *restrict x,
            const float *restrict w) {
  for (long r = 0; r < h; r++)
    for (long o = 0; o < d; o++) {
      float s = 0;
      for (long f = 0; f < 3; f++)
        for (long i = 0; i < c; i++)
          if (r + i >= f)
            s += x[r * c + i] * w[(o * 3 + f) * c + i];
      y[r * d + o] = s;
    }
}

// So does what only one of two statements asks for.
// REMARK-DAG: conditions.c:[[#@LINE+3]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
void either(long h, long c, long d, float *restrict y, const float *restrict x,
            const float *restrict w) {
  for (long r = 0; r < h; r++)
    for (long o = 0; o < d; o++) {
      float s = 0, n = 0;
      for (long f = 0; f < 3; f++)
        for (long i = 0; i < c; i++) {
          if (r + f < h)
            s += x[(r + f) * c + i] * w[(o * 3 + f) * c + i];
          n += w[(o * 3 + f) * c + i];
        }
      y[r * d + o] = s * n;
    }
}

// Not taken either: products of three numbers, which might wrap.
// REMARK-DAG: conditions.c:[[#@LINE+3]]:{{.*}} left alone: a bound
void cubes(long h, long c, long d, long p, float *restrict y,
           const float *restrict x, const float *restrict w) {
  for (long r = 0; r < h; r++)
    for (long o = 0; o < d; o++) {
      float s = 0;
      for (long f = 0; f < 3; f++) {
        if (r * p * p + f >= h)
          continue;
        for (long i = 0; i < c; i++)
          s += x[(r + f) * c + i] * w[(o * 3 + f) * c + i];
      }
      y[r * d + o] = s;
    }
}
