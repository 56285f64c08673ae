// Products that fill a triangle: the call has its diagonal, tiles beyond it are
// left out and those on it stored from a buffer. Everything else in the loops
// gets loops of its own, of the lengths it had.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' -pass-remarks-missed=dl-vectorize 2> %t.txt
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CODE
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=MISSED
#define FOR(I, FROM, TO) for (long I = FROM; I < TO; I++)
#define ARGS                                                                   \
  long n, long m, float (*restrict C)[1024], float (*restrict A)[1024],        \
      float (*restrict B)[1024]

// CHECK-LABEL: define {{.*}} @lower(
// CHECK: call void @dl.matmul.nn.f32.0(ptr %C, i64 1024, ptr %A, i64 1024, ptr %B, i64 1024, ptr %C, i64 1024, i64 1, i64 {{%.*}}, i64 {{%.*}}, i64 {{%.*}}, i64 1)
void lower(ARGS) {
  FOR(i, 0, n) FOR(j, 0, i + 1) FOR(k, 0, m) C[i][j] += A[i][k] * B[k][j];
}
// The first row has no column.
// CHECK-LABEL: define {{.*}} @strict_lower(
// CHECK: [[FROM_C:%.*]] = getelementptr i8, ptr %C, i64 4096
// CHECK: [[FROM_A:%.*]] = getelementptr i8, ptr %A, i64 4096
// CHECK: call void @dl.matmul.nn.f32.0(ptr [[FROM_C]], i64 1024, ptr [[FROM_A]], i64 1024, ptr %B, {{.*}}, i64 1)
void strict_lower(ARGS) {
  FOR(i, 0, n) FOR(j, 0, i) FOR(k, 0, m) C[i][j] += A[i][k] * B[k][j];
}
// CHECK-LABEL: define {{.*}} @upper(
// CHECK: call void @dl.matmul.nn.f32.1({{.*}}, i64 0)
void upper(ARGS) {
  FOR(i, 0, n) FOR(j, i, n) FOR(k, 0, m) C[i][j] += A[i][k] * B[k][j];
}
// The mirror image has loops of its own, behind the product.
// CHECK-LABEL: define {{.*}} @mirror(
// CHECK: call void @dl.matmul.nt.f32.0({{.*}}, i64 1)
// CHECK: [[COLUMNS:%.*]] = add i64 %i, 1
// CHECK: icmp slt i64 %j, [[COLUMNS]]
// CHECK: store float
// CHECK: {{^}}}
void mirror(ARGS) {
  FOR(i, 0, n) FOR(j, 0, i + 1) {
    float s = 0;
    FOR(k, 0, m) s += A[i][k] * A[j][k];
    C[i][j] = s;
    C[j][i] = s;
  }
}

// CHECK-LABEL: define {{.*}} @mirror_inside(
// CHECK-NOT: call void @dl.matmul
// CHECK-LABEL: define {{.*}} @row_above(
// CHECK-NOT: call void @dl.matmul
// CHECK: {{^}}}
// MISSED: left alone: recognized; no loop is known to have independent iterations
// The image of an element is one of the triangle.
void mirror_inside(ARGS) {
  FOR(i, 0, n) FOR(j, 0, i + 2) {
    C[i][j] = 0;
    FOR(k, 0, m) C[i][j] += A[i][k] * A[j][k];
    C[j][i] = C[i][j];
  }
}
// MISSED: left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
void row_above(ARGS) {
  FOR(i, 1, n) FOR(j, 0, i + 1) {
    float s = C[i - 1][j];
    FOR(k, 0, m) s += A[i][k] * A[j][k];
    C[i][j] = s;
  }
}

// CODE-LABEL: define {{.*}} @dl.matmul.nn.f32.0.tiles({{.*}}, i64 noundef %diagonal)
// CODE:       %tile = alloca [
// CODE-NOT:   alloca
// CODE:       store <8 x float>
// CODE:       store float
