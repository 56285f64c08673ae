// Iterations of parallel loops in the lanes of vectors: the shape of the code.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- \
// RUN:   -passes='dl-vectorize,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize,verify 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=SSE
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize,verify 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=SSE
// RUN: %emit -gline-tables-only --target=nvptx64-nvidia-cuda %s | %opt -S -o %t.ll -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=GPU
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=NVPTX
// A thread reads neighbours at once, even where it writes them apart.
// GPU-COUNT-10: left alone: recognized; no schedule
// NVPTX: call {{.*}}@dl.lanes.map.f32.0
// NVPTX-NOT: call {{.*}}@dl.

// Eight rows at once: a line of each, in squares of four columns, then squares, then
// single columns. Of rows that no cache holds a line is fetched ahead, of the next
// rows where these are short. What is left of the rows is done one by one.
// REMARK-DAG: lanes.c:[[#@LINE+3]]:{{.*}} sum f32, %m x %n: exact, iterations of i in 1 vectors of 8
// SSE-DAG: lanes.c:[[#@LINE+2]]:{{.*}} exact, iterations of i in 2 vectors of 4
void row_sum(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += a[i * n + j];
    c[i] = s;
  }
}
// Shorter than half of a vector: the loops of the source.
// CHECK-LABEL: define {{.*}} @row_sum(
// CHECK: icmp sge i64 %m, 4
// CHECK: call void @dl.lanes.reduce.f32.0(ptr %a, ptr %c, i64 %m, i64 %n)
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: i.x8.header:
// CHECK: [[BYTES:%.*]] = mul i64 %n, 4
// CHECK: [[APART:%.*]] = call i64 @llvm.abs.i64(i64 [[BYTES]], i1 false)
// CHECK: [[ALL:%.*]] = mul i64 [[APART]], %m
// CHECK: [[FAR:%.*]] = icmp uge i64 [[ALL]], 1048576
// CHECK: [[SHORT:%.*]] = icmp ule i64 [[BYTES]], 6144
// CHECK: [[NEXT:%.*]] = mul i64 [[BYTES]], 8
// CHECK: [[AHEAD:%.*]] = select i1 [[SHORT]], i64 [[NEXT]], i64 256
// CHECK: j.header:
// CHECK-NEXT: phi <8 x float> [ zeroinitializer,
// CHECK: j.body:
// CHECK: zext i1 [[FAR]] to i64
// CHECK: far.body:
// CHECK: [[LINE:%.*]] = getelementptr i8, ptr {{.*}}, i64 [[AHEAD]]
// CHECK-NEXT: call void @llvm.prefetch.p0(ptr [[LINE]], i32 0, i32 2, i32 1)
// CHECK-COUNT-7: call void @llvm.prefetch.p0(
// CHECK-NOT: prefetch
// CHECK: far.exit:
// CHECK-COUNT-8: load <4 x float>, ptr {{.*}}, align 4
// CHECK-NOT: load
// CHECK-COUNT-4: fadd <8 x float>
// CHECK-COUNT-24: load <4 x float>, ptr {{.*}}, align 4
// CHECK: add nuw i64 %j, 16
// CHECK: icmp slt i64 %{{j.*}}, [[LAST:%.*]]
// CHECK-COUNT-8: load <4 x float>, ptr {{.*}}, align 4
// CHECK-NOT: load
// CHECK-COUNT-4: fadd <8 x float>
// CHECK: add nuw i64 %{{j.*}}, 4
// CHECK-COUNT-8: load float, ptr
// CHECK: fadd <8 x float>
// CHECK-COUNT-2: store <4 x float> {{.*}}, align 4
// CHECK: i.x1.header:
// CHECK-NOT: x float>
// CHECK: load float, ptr
// CHECK: fadd float
// CHECK: store float
// CHECK: ret void

// Neighbours are vectors, four of them at once.
// REMARK-DAG: lanes.c:[[#@LINE+3]]:{{.*}} exact, iterations of i in 4 vectors of 8
// SSE-DAG: lanes.c:[[#@LINE+2]]:{{.*}} exact, iterations of i in 4 vectors of 4
void column_sum(long m, long n, const float *restrict a, float *restrict c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1(
// CHECK: i.x32.header:
// CHECK: load <32 x float>, ptr {{.*}}, align 4
// CHECK: i.x16.header:
// CHECK: load <16 x float>, ptr {{.*}}, align 4
// CHECK: i.x8.header:
// CHECK: load <8 x float>, ptr {{.*}}, align 4
// CHECK: i.x1.header:
// CHECK: load float, ptr {{.*}}, align 4

// Where rows are a multiple of half a page apart, whole tiles go through a buffer
// on the stack: lines of rows are read into it and written from it. Elsewhere and
// behind the last tile a line of each row is read, and written to the ends of as
// many.
// REMARK-DAG: lanes.c:[[#@LINE+2]]:{{.*}} transpose f32, %m x %n: exact, iterations of i in 1 vectors of 8
void transpose(long m, long n, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[j * m + i] = a[i * n + j];
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.map.f32.0(
// CHECK: %tiles = alloca [5120 x float], align 64
// CHECK: and i64 {{.*}}, -32
// CHECK: and i64 {{.*}}, 2047
// CHECK: tile.header:
// CHECK: fill.body:
// CHECK: piece.body:
// CHECK-COUNT-32: load <4 x float>
// CHECK-COUNT-16: store <8 x float> {{.*}}, align 32
// CHECK: empty.body:
// CHECK: line.body:
// CHECK: %[[LINE:.*]] = load <16 x float>, ptr {{.*}}, align 64
// CHECK: store <16 x float> %[[LINE]], ptr {{.*}}, align 4
// CHECK: i.tile.header:
// CHECK: j.tile.header:
// CHECK: i.x8.header:
// CHECK: j.header:
// CHECK-COUNT-32: load <4 x float>
// CHECK-COUNT-16: store <8 x float>
// CHECK: i.x1.header:
// CHECK: load float
// CHECK: ret void

// A condition that differs between lanes is a mask, where there are such loads.
// REMARK-DAG: lanes.c:[[#@LINE+3]]:{{.*}} exact, iterations of i in 4 vectors of 8
// SSE-DAG: lanes.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void below(long m, long n, const float *restrict a, float *restrict c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      if (i <= j)
        s += a[i * n + j];
    c[j] = s;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.2(
// CHECK: [[MASK:%.*]] = icmp sge <32 x i64>
// CHECK: call <32 x float> @llvm.masked.load.v32f32.p0({{ptr align 4|ptr}} {{%.*}}, <32 x i1> [[MASK]],
// CHECK: select <32 x i1> [[MASK]], <32 x float>

// Rows under a condition may end before a square does: nothing is read ahead.
// REMARK-DAG: lanes.c:[[#@LINE+2]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
void part(long m, long n, long k, const float *restrict a, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      if (j < k)
        s += a[i * n + j];
    c[i] = s;
  }
}
// The rows are written meanwhile.
// REMARK-DAG: lanes.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void in_place(long m, long n, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      s += c[i * n + j];
      c[i * n + j] = s;
    }
  }
}
// One sum for all.
// REMARK-DAG: lanes.c:[[#@LINE+3]]:{{.*}} left alone: recognized; no loop is known to have independent iterations
void carried(long m, long n, const float *restrict a, float *restrict c) {
  float s = 0;
  for (long j = 0; j < n; j++) {
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}
// Lanes would end at different times.
// REMARK-DAG: lanes.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void triangle(long m, long n, const float *restrict a, float *restrict c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < j; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}
// Scalar and vector code may round half numbers differently.
// REMARK-DAG: lanes.c:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this kind yet
void half(long m, long n, const _Float16 *restrict a, _Float16 *restrict c) {
  for (long j = 0; j < n; j++) {
    _Float16 s = 0;
    for (long i = 0; i < m; i++)
      s += a[i * n + j];
    c[j] = s;
  }
}
// A division that could trap in lanes that do not run.
// REMARK-DAG: lanes.c:[[#@LINE+3]]:{{.*}} left alone: recognized; no schedule for this kind yet
void quotients(long m, long n, const int *restrict a, const float *restrict b,
               float *restrict c) {
  for (long j = 0; j < n; j++) {
    float s = 0;
    for (long i = 0; i < m; i++)
      if (a[i * n + j])
        s += b[i] / (100 / a[i * n + j]);
    c[j] = s;
  }
}
// Loops around loops are not copied for squares: copies would have copies.
// REMARK-DAG: lanes.c:[[#@LINE+3]]:{{.*}} exact, iterations of i in 1 vectors of 8
void nested(long m, long n, long k, const float *restrict a,
            const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++) {
      s += a[i * n + j] * s;
      for (long l = 0; l < k; l++)
        s += b[i * k + l] * s;
    }
    c[i] = s;
  }
}
// CHECK-LABEL: define internal {{.*}} @dl.lanes.generic.f32.0(
// CHECK: j.header:
// CHECK-COUNT-8: load float
// CHECK: k.header:
// CHECK-COUNT-8: load <4 x float>
// CHECK-NOT: load <
// CHECK: j.header
// CHECK-COUNT-4: load float
// CHECK: ret void
