// What is multiplied may be an element times a parameter: it is scaled when it
// is copied, so that the loop over k is that of a plain product.
// Instructions as LLVM 22 simplifies and prints them.
// REQUIRES: llvm-22
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks-missed=dl-vectorize \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=CODE
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -o - -passes='dl-vectorize,function(instsimplify,early-cse)' | FileCheck %s

#define ARGS                                                                   \
  long m, long n, long k, float alpha, const float *a, const float *b, float *c

// CHECK-LABEL: define {{.*}} @scaled(
// CHECK: call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k, float %alpha)
// CODE-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
// CODE-NOT:   = fmul
// CODE-LABEL: define internal void @dl.matmul.nn.f32.0.packed(
// CODE:       fmul <8 x float> %{{.*}}, %{{.*}}
void scaled(ARGS) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += alpha * a[i * k + l] * b[l * n + j];
}
// The same, with the factor in a variable.
// CHECK-LABEL: define {{.*}} @in_variable(
// CHECK: call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k, float %alpha)
void in_variable(ARGS) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++) {
      float t = alpha * a[i * k + l];
      for (long j = 0; j < n; j++)
        c[i * n + j] += t * b[l * n + j];
    }
}
// A scalar in memory that no store changes is loaded in front of the call.
// CHECK-LABEL: define {{.*}} @in_memory(
// CHECK: [[SCALE:%.*]] = load float, ptr %{{p.*}}
// CHECK: call void @dl.matmul.nn.f32.0(ptr %c{{.*}}, i64 %m, i64 %n, i64 %k, float [[SCALE]])
void in_memory(ARGS, const float *p) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += *p * a[i * k + l] * b[l * n + j];
}
// One in C may change.
// CHECK-LABEL: define {{.*}} @in_output(
// CHECK-NOT: call void @dl.matmul
// CHECK: ret void
// REMARK: left alone: recognized; no loop is known to have independent iterations
void in_output(ARGS) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += c[0] * a[i * k + l] * b[l * n + j];
}
// The product is rounded before it is scaled, in the tile.
// CHECK-LABEL: define {{.*}} @scaled_product(
// CHECK: call void @dl.matmul.nn.f32.1(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k, float %alpha)
// CODE-LABEL: define internal void @dl.matmul.nn.f32.1.tiles(
// CODE:       [[PRODUCT:%.*]] = fmul <8 x float>
// CODE:       call <8 x float> @llvm.fmuladd.v8f32(<8 x float> [[PRODUCT]],
void scaled_product(ARGS) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + l] * b[l * n + j] * alpha;
}
// By something else for each column.
// CHECK-LABEL: define {{.*}} @scaled_columns(
// CHECK-NOT: call void @dl.matmul
// CHECK: ret void
// REMARK: left alone: recognized; LLVM's own loop vectorizer does the same
void scaled_columns(ARGS, const float *d) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + l] * b[l * n + j] * d[j];
}
