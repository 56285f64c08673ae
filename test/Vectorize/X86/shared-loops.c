// Loops that several statements share become loops of their own where one of
// them is a product: what remains is scalar loops on the fast path, in an order
// that keeps every dependence.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' -verify-each 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -o - -passes='dl-vectorize,function(instsimplify,early-cse)' -verify-each | FileCheck %s

// C is scaled by one loop, then updated by the product.
// CHECK-LABEL: define {{.*}} @scaled_rows(
// CHECK:       br i1 {{.*}}, label %{{.*}}, label %[[ORIGINAL:.*]], !dl.guard
// CHECK:       fmul float
// CHECK:       store float
// CHECK:       call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k)
// CHECK:       {{^}}[[ORIGINAL]]:
void scaled_rows(long m, long n, long k, float *restrict c, const float *restrict a,
                 const float *restrict b, const float *restrict alpha) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      c[i * n + j] *= alpha[i];
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// Two products with one matrix: A p and A^T r.
// CHECK-LABEL: define {{.*}} @both_sides(
// CHECK:       !dl.guard
// CHECK-DAG:   call void @dl.matmul.nt.f32.{{[0-9]}}(ptr %q,
// CHECK-DAG:   call void @dl.matmul.nn.f32.{{[0-9]}}(ptr %s,
// CHECK:       ret void
void both_sides(long m, long n, const float *restrict a, const float *restrict p,
                const float *restrict r, float *restrict q, float *restrict s) {
  for (long i = 0; i < m; i++) {
    q[i] = 0;
    for (long j = 0; j < n; j++) {
      s[j] += r[i] * a[i * n + j];
      q[i] += a[i * n + j] * p[j];
    }
  }
}

// The second product needs the first one's result.
// CHECK-LABEL: define {{.*}} @there_and_back(
// CHECK:       !dl.guard
// CHECK:       call void @dl.matmul.nt.f32.{{[0-9]}}(ptr %q,
// CHECK-NEXT:  call void @dl.matmul.nn.f32.{{[0-9]}}(ptr %s,
void there_and_back(long m, long n, const float *restrict a, const float *restrict p,
                    float *restrict q, float *restrict s) {
  for (long i = 0; i < m; i++) {
    q[i] = 0;
    for (long j = 0; j < n; j++)
      q[i] += a[i * n + j] * p[j];
    for (long j = 0; j < n; j++)
      s[j] += a[i * n + j] * q[i];
  }
}

// The sums of one row are used by the next: the loops stay together.
// CHECK-LABEL: define {{.*}} @uses_last_sum(
// CHECK-NOT:   call void @dl.matmul
// CHECK-LABEL: define {{.*}} @feeds_next_row(
// CHECK-NOT:   call void @dl.matmul.{{.*}}i64 %m,
// CHECK:       ret void
// REMARK: left alone: recognized; LLVM's own loop vectorizer does the same
// REMARK: matmul.nn f32
// REMARK: mat{{.*}} f32
// REMARK: {{vec|mat}}{{.*}} f32
void uses_last_sum(long m, long n, const float *restrict a, const float *restrict p,
                   float *restrict q, float *restrict s) {
  for (long i = 0; i < m; i++) {
    q[i + 1] = 0;
    for (long j = 0; j < n; j++)
      q[i + 1] += a[i * n + j] * p[j];
    for (long j = 0; j < n; j++)
      s[j] += a[i * n + j] * q[i];
  }
}
void feeds_next_row(long m, long n, float *restrict c, const float *restrict a,
                    const float *restrict b, const float *restrict alpha) {
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++)
      c[(i + 1) * n + j] = c[i * n + j] * alpha[i];
    for (long l = 0; l < n; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * n + l] * b[l * n + j];
  }
}
