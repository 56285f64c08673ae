// Row programs: sums and maxima in lanes of rows, in their order; what follows row by
// row. The shape of the code.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefixes=REMARK%if llvm-20-or-later %{,GAMMA%}
float sqrtf(float), expf(float), acosf(float), tgammaf(float), atanf(float);

// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} rmsnorm f32, %m x %n x %n: exact, iterations of i, j in 1 vectors of 8
void rmsnorm(long m, long n, const float *restrict a, const float *restrict g,
             float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * a[i * n + j];
    float scale = 1 / sqrtf(s / n + 1e-5f);
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] * scale * g[j];
  }
}
// Eight rows, or as many as are left, are read in squares and summed, the roots
// taken; then each is written from one end to the other, by one code for all.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: i.rows.body:
// CHECK: [[KIND:%.*]] = select i1 {{%.*}}, i64 0, i64 {{%.*}}
// CHECK: switch i64 [[KIND]], label %lanes.x1 [
// CHECK: lanes.x8:
// CHECK: j.body:
// CHECK-COUNT-8: load <4 x float>
// CHECK-COUNT-4: call <8 x float> @llvm.fmuladd
// CHECK: call <8 x float> @llvm.sqrt.v8f32(
// CHECK: [[INVERSE:%.*]] = fdiv <8 x float> {{splat \(float 1\.000000e\+00\)|<float 1\.000000e\+00,[^>]*>}}
// CHECK: store <8 x float> [[INVERSE]], ptr [[SCALES:%.*]], align 32
// CHECK: lanes.x1:
// CHECK: store float {{%.*}}, ptr [[SCALES]]
// CHECK: i.row.header:
// CHECK: icmp slt i64 %i.row, [[ROWS:%.*]]
// The row's lane in the lower half or, if that has none, in the upper one.
// CHECK: [[IS:%.*]] = icmp slt i64 %i.row, {{%.*}}
// CHECK: [[LANE:%.*]] = select i1 [[IS]], i64 %i.row, i64
// CHECK: [[AT:%.*]] = getelementptr float, ptr [[SCALES]], i64 [[LANE]]
// CHECK: [[SCALE:%.*]] = load float, ptr [[AT]]
// CHECK: j.x32.body:
// CHECK: load <32 x float>
// CHECK: insertelement <32 x float> poison, float [[SCALE]], i64 0
// CHECK: store <32 x float>
// CHECK-NOT: load <32 x float>
// CHECK: ret void

// What functions find is stored, and added at once.
// REMARK-DAG: row-programs.c:[[#@LINE+2]]:{{.*}} {{.*}} f32, %m x %n - 1 x %n x %n: exact, iterations of j, j in 4 vectors of 8, kernel number
void softmax(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float max = a[i * n], sum = 0;
    for (long j = 1; j < n; j++)
      max = a[i * n + j] > max ? a[i * n + j] : max;
    for (long j = 0; j < n; j++) {
      c[i * n + j] = atanf(a[i * n + j] - max);
      sum += c[i * n + j];
    }
    for (long j = 0; j < n; j++)
      c[i * n + j] /= sum;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.f32.0(
// CHECK: j.x64.body:
// CHECK-COUNT-2: fcmp ogt <32 x float>
// CHECK: search.found:
// CHECK-NOT: call i64 @llvm.smin.i64(i64 16, i64
// CHECK: [[E:%.*]] = call float @atanf(
// CHECK: store float [[E]],
// CHECK: fadd float
// CHECK: j.x32.body:
// CHECK: fdiv <32 x float>

// Rows update what all of them share, and say so to one place.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} exact, iterations of i, j in 1 vectors of 8
void backward(long m, long n, const float *restrict a, float *restrict c,
              float *restrict all, float *restrict last) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    for (long j = 0; j < n; j++) {
      c[i * n + j] = a[i * n + j] * s;
      all[j] += a[i * n + j] + s;
    }
    last[0] = s;
  }
}

// What the next row begins with is written by the one before.
// REMARK-DAG: row-programs.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void next_row(long m, long n, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += c[i * n + j];
    for (long j = 0; j < n; j++)
      c[(i + 1) * n + j] -= s;
  }
}
// So is a sum.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void last_sum(long m, long n, const float *restrict a, float *restrict c,
              float *restrict sums) {
  for (long i = 0; i < m; i++) {
    float s = sums[i];
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] - s;
    sums[i + 1] = s;
  }
}
// Overlapping rows.
// REMARK-DAG: row-programs.c:[[#@LINE+2]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void overlapping(long m, long n, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += c[i + j];
    for (long j = 0; j < n; j++)
      c[i + j] -= s;
  }
}
// The integers may be errno, which the functions of the row before set.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} left alone: recognized; exact results are those of the C library's functions, one value at a time (-ffast-math or fp=fast permits others): calls of 'acosf'
void errno_read(long m, long n, const float *restrict a, float *restrict c,
                const int *k) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * k[j];
    for (long j = 0; j < n; j++)
      c[i * n + j] = acosf(a[i * n + j] - s);
  }
}
// The gamma function sets errno to two values, so that the last one counts: no row
// begins before the one before has ended.
// (LLVM 19 does not know it.)
// GAMMA-DAG: row-programs.c:[[#@LINE+2]]:{{.*}} %m x %n x %n: exact, iterations of j in 4 vectors of 8, calls in blocks of 16
void errno_order(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += tgammaf(a[i * n + j]);
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] - s;
  }
}
// A single row has no lanes but for what it sums up.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} sum-of-exponentials f32, %n: exact, iterations of i in 2 vectors of 8, functions in blocks of 16, kernel number
float sum_exp(long n, const float *a, float max) {
  float sum = 0;
  for (long j = 0; j < n; j++)
    sum += expf(a[j] - max);
  return sum;
}
// What is called needs what is carried.
// REMARK-DAG: row-programs.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
float iterate(long n, const float *a, float s) {
  for (long j = 0; j < n; j++)
    s = expf(s) + a[j];
  return s;
}
// What is called reads what the sum has written.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
float written(long n, float *a) {
  float s = 0;
  for (long j = 0; j < n; j++) {
    s += expf(a[j]);
    a[j + 1] = s;
  }
  return s;
}
// What a sum has read is called for anew.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
float called_again(long n, const float *a, const float *b) {
  float s = 0;
  for (long j = 0; j < n; j++) {
    float t = 0;
    if (a[j] > 0)
      t = expf(a[j]);
    s += t;
    if (b[j] > 0)
      t = expf(b[j]);
    s += t * 2;
  }
  return s;
}
// An integer may be errno.
// REMARK-DAG: row-programs.c:[[#@LINE+4]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
float counted(long n, const float *a, int *k) {
  float s = 0;
  int t = 0;
  for (long j = 0; j < n; j++) {
    s += expf(a[j]);
    k[j] = s > 9;
  }
  return s;
}
// Of the rows of two arrays whole lines are read at once.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} exact, iterations of i, j in 1 vectors of 8
void softmax_backward(long m, long n, const float *restrict a,
                      const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j] * b[i * n + j];
    for (long j = 0; j < n; j++)
      c[i * n + j] = a[i * n + j] * (b[i * n + j] - s);
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK: j.body:
// CHECK-COUNT-64: load <4 x float>
// CHECK-COUNT-16: call <8 x float> @llvm.fmuladd
// A root for each channel is no reason to read channels apart.
// REMARK-DAG: row-programs.c:[[#@LINE+3]]:{{.*}} left alone: recognized; LLVM's own loop vectorizer does the same
void batchnorm(long c, long n, const float *restrict x, const float *restrict p,
               float *restrict y) {
  for (long i = 0; i < c; i++) {
    float scale = p[i] / sqrtf(p[c + i] + 1e-5f);
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] * scale;
  }
}
