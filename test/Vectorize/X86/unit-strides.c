// Strides of rows that are arguments, as those of descriptors: what is no product of
// matrices is taken where they are 1, behind a guard that asks for that.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS='disable=unit-strides' %opt -mattr=+avx2,+fma -S -passes='dl-vectorize<dispatch=0>' | FileCheck %s --check-prefix=OFF
// OFF-LABEL: define {{.*}} @sums(
// OFF-NOT: call void @dl.
// OFF: define {{.*}} @matrix(

// REMARK-DAG: sum f32, %m x %n: exact, where strides are 1, iterations of i in
// CHECK-LABEL: define {{.*}} @sums(
// CHECK: icmp sge i64 %m{{.*}}, 4
// CHECK-DAG: icmp eq i64 %column{{.*}}, 1
// CHECK-DAG: icmp eq i64 %step{{.*}}, 1
// CHECK: call void @dl.lanes.
void sums(long m, long n, float *restrict y, long step, const float *restrict x, long row, long column) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += x[i * row + j * column];
    y[i * step] = s;
  }
}

// Rows of columns: the last argument is that of neighbours.
// CHECK-LABEL: define {{.*}} @transpose(
// CHECK-DAG: icmp eq i64 %xc{{.*}}, 1
// CHECK-DAG: icmp eq i64 %yc{{.*}}, 1
// CHECK: call void @dl.lanes.
void transpose(long m, long n, float *restrict y, long yr, long yc, const float *restrict x, long xr, long xc) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[j * yr + i * yc] = x[i * xr + j * xc];
}

// A distance that is a number of rounds, too, is no element's.
// CHECK-LABEL: define {{.*}} @matrix(
// CHECK-NOT: icmp eq i64 %n{{.*}}, 1
// CHECK: call void @dl.lanes.
void matrix(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += x[j * m + i];
    y[i * n] = s;
  }
}

// LLVM asks for neighbours itself where it vectorizes the loop.
// CHECK-LABEL: define {{.*}} @axpy(
// CHECK-NOT: call void @dl.
// CHECK: ret void
void axpy(long n, float a, float *restrict y, long incy, const float *restrict x, long incx) {
  for (long i = 0; i < n; i++)
    y[i * incy] += a * x[i * incx];
}

// Products of matrices ask in their generated function.
// CHECK-LABEL: define {{.*}} @product(
// CHECK-NOT: icmp sle i64 {{.*}}, 1
// CHECK: call void @dl.matmul
// CHECK: ret void
void product(long m, long n, long k, float *restrict c, long rsc, long csc, const float *restrict a, long rsa, long csa, const float *restrict b, long rsb, long csb) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l++)
        c[i * rsc + j * csc] += a[i * rsa + l * csa] * b[l * rsb + j * csb];
}
