// The slope of a channel is read only if some element of it is negative; LLVM would
// read it for each lane, and does nothing.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REMARK-DAG: f32, %m x %n: exact, iterations of j in {{[124]}} vectors of 8
// CHECK-LABEL: define internal {{.*}} @dl.lanes.{{.*}}f32.0(
// CHECK: [[X:%.*]] = load <[[N:[0-9]+]] x float>
// CHECK: [[IS:%.*]] = fcmp ogt <[[N]] x float> [[X]], zeroinitializer
// CHECK: [[NOT:%.*]] = xor <[[N]] x i1> [[IS]], {{splat \(i1 true\)|<i1 true,[^>]*>}}
// CHECK: [[ANY:%.*]] = call i1 @llvm.vector.reduce.or.v[[N]]i1(<[[N]] x i1> [[NOT]])
// CHECK: br i1 [[ANY]],
// CHECK: load float, ptr
void prelu(long m, long n, float *restrict y, const float *restrict x,
           const float *restrict slope) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] > 0 ? x[i * n + j] : slope[i] * x[i * n + j];
}

// Whole rows are added or left out: lanes along a row, as by LLVM, read and write
// neighbours, though the weights are the same in lanes of the other axis.
// REMARK-DAG: masked-uniform.c:[[#@LINE+3]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void rows_beside(long m, long n, float *restrict y, const float *restrict x,
                 const float *restrict w) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (i >= 1)
        s += x[(i - 1) * n + j] * w[j];
      s += x[i * n + j] * w[n + j];
      if (i + 1 < m)
        s += x[(i + 1) * n + j] * w[2 * n + j];
      y[i * n + j] = s;
    }
}
