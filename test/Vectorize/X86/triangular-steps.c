// Products with a triangle (trmm): blocks of rows have steps in common, a call of the
// function for whole products each; then tiles, then single rows, which go on with what
// is in C.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' -pass-remarks=dl-vectorize 2> %t.txt
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REMARK
#define FOR(I, FROM, TO) for (long I = FROM; I < TO; I++)
#define ARGS                                                                   \
  long m, long n, long d, float (*restrict C)[1024], float (*restrict A)[1024], \
      float (*restrict B)[1024], float *restrict x
#define SUM(START, STEPS)                                                      \
  FOR(i, 0, m) FOR(j, 0, n) {                                                  \
    float s = START;                                                           \
    STEPS s += A[i][k] * B[k][j];                                              \
    C[i][j] = s;                                                               \
  }
// Rows 0 to 95 have no step in common but the first: [0, row + 1).
// REMARK: matmul.nn f32, %m x %n x i + 1: exact
// CHECK-LABEL: define {{.*}} @lower(
// CHECK: icmp uge i64 %m, 6
// CHECK: icmp uge i64 %n, 4
// CHECK: [[ROW:%.*]] = mul i64 {{%.*}}, 96
// CHECK: [[LAST:%.*]] = call i64 @llvm.smin.i64(i64 {{%.*}}, i64 %m)
// CHECK: [[ROWS:%.*]] = sub i64 [[LAST]], [[ROW]]
// CHECK: [[STEPS:%.*]] = add i64 [[ROW]], 1
// CHECK: icmp slt i64 0, [[STEPS]]
// CHECK: call void @dl.matmul.nn.f32.0(ptr {{%.*}}, i64 1024, ptr {{%.*}}, i64 1024, ptr %B, i64 1024, ptr @dl.start.0.f32, i64 0, i64 0, i64 [[ROWS]], i64 %n, i64 [[STEPS]])
// Six rows: the steps from there on.
// CHECK: [[MORE:%.*]] = mul i64 {{%.*}}, 6
// CHECK: call void @dl.matmul.nn.f32.0(ptr [[C:%.*]], i64 1024, ptr {{%.*}}, i64 1024, ptr {{%.*}}, i64 1024, ptr [[C]], i64 1024, i64 1, i64 {{%.*}}, i64 %n, i64 [[MORE]])
// Single rows.
// CHECK: call void @dl.matmul.nn.f32.0(ptr [[C1:%.*]], i64 1024, ptr {{%.*}}, i64 1024, ptr {{%.*}}, i64 1024, ptr [[C1]], i64 1024, i64 1, i64 {{%.*}}, i64 %n, i64 {{%.*}})
void lower(ARGS) {
  SUM(0, FOR(k, 0, i + 1))
}
// From the diagonal on: single rows are the first.
// REMARK: matmul.nn f32, %m x %n x %d - i: exact
// CHECK-LABEL: define {{.*}} @upper(
// CHECK: call void @dl.matmul.nn.f32.0({{.*}}, ptr @dl.start.0.f32, i64 0, i64 0, i64 {{%.*}}, i64 %n, i64 {{%.*}})
// CHECK: call void @dl.matmul.nn.f32.0(ptr [[C:%.*]], i64 1024, {{.*}}, ptr [[C]], i64 1024, i64 1,
// CHECK: call void @dl.matmul.nn.f32.0(ptr [[C1:%.*]], i64 1024, {{.*}}, ptr [[C1]], i64 1024, i64 1,
void upper(ARGS) {
  SUM(0, FOR(k, i, d))
}
// The first row has no step: it is what sums start from, x.
// REMARK: matmul.nn f32, %m x %n x i: exact
// CHECK-LABEL: define {{.*}} @strict(
// CHECK: [[START:%.*]] = load float, ptr
// CHECK: store float [[START]]
// CHECK-COUNT-3: call void @dl.matmul.nn.f32.0(
void strict(ARGS) {
  SUM(x[j], FOR(k, 0, i))
}
// What is in C needs no start.
// REMARK: matmul.nn f32, %m x i x %n: exact
// CHECK-LABEL: define {{.*}} @update(
// CHECK-NOT: store float
// CHECK-COUNT-3: call void @dl.matmul.nn.f32.0(
// CHECK: }
void update(ARGS) {
  FOR(i, 0, m) FOR(k, 0, i) FOR(j, 0, n) C[i][j] += A[i][k] * B[k][j];
}
// Rows end at the diagonal or with the matrix.
// REMARK: matmul.nn f32, %m x %n x min(
// CHECK-LABEL: define {{.*}} @clipped(
// CHECK-COUNT-3: call void @dl.matmul.nn.f32.0(
void clipped(ARGS) {
  SUM(0, for (long k = 0; k <= i && k < d; k++))
}
// A band.
// REMARK-NOT: matmul
// CHECK-LABEL: define {{.*}} @band(
void band(ARGS) {
  SUM(0, for (long k = i; k < i + 5 && k < d; k++))
}
// Partial sums are not what is stored: that has loops of its own.
// REMARK: matmul.nn f32, {{.*}} x i + 1: exact
// REMARK: vecmat f32,
// CHECK-LABEL: define {{.*}} @scaled(
void scaled(ARGS) {
  FOR(i, 0, m) FOR(j, 0, n) {
    float s = 0;
    FOR(k, 0, i + 1) s += A[i][k] * B[k][j];
    C[i][j] = 2 * s;
  }
}
// The bound is that of a column.
// REMARK-NOT: matmul
void columns(ARGS) {
  SUM(0, FOR(k, 0, j + 1))
}
// Each row begins with another step: no step is common to two.
// REMARK-NOT: matmul
void backwards(ARGS) {
  SUM(0, for (long k = i; k >= 0; k--))
}
// B is what is written.
// REMARK-NOT: matmul
void in_place(ARGS) {
  FOR(i, 0, m) FOR(j, 0, n) FOR(k, i + 1, m) C[i][j] += A[i][k] * C[k][j];
}
