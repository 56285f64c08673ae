// Every kind of product, in both types: what is called, with which matrices.
// RUN: %emit --target=x86_64-linux-gnu -DTYPE=float %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll -DTY=f32
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK -DTY=f32
// RUN: %emit --target=x86_64-linux-gnu -DTYPE=double %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll -DTY=f64
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK -DTY=f64
typedef TYPE T;

#define PRODUCT(NAME, A, B)                                                    \
  void NAME(long m, long n, long k, const T *a, const T *b, T *c) {            \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        T sum = 0;                                                             \
        for (long l = 0; l < k; l++)                                           \
          sum += a[A] * b[B];                                                  \
        c[i * n + j] = sum;                                                    \
      }                                                                        \
  }

// REMARK: matmul.nn [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @nn(
// CHECK: call void @dl.matmul.nn.[[TY]].0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(nn, i * k + l, l * n + j)
// REMARK: matmul.nt [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @nt(
// CHECK: call void @dl.matmul.nt.[[TY]].0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %k, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(nt, i * k + l, j * k + l)
// REMARK: matmul.tn [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @tn(
// CHECK: call void @dl.matmul.tn.[[TY]].0(ptr %c, i64 %n, ptr %a, i64 %m, ptr %b, i64 %n, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(tn, l * m + i, l * n + j)
// REMARK: matmul.tt [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @tt(
// CHECK: call void @dl.matmul.tt.[[TY]].0(ptr %c, i64 %n, ptr %a, i64 %m, ptr %b, i64 %k, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
PRODUCT(tt, l * m + i, j * k + l)

// A vector is one row; the matrix is transposed where its rows are summed.
// REMARK: matvec [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @matvec(
// CHECK: call void @dl.matmul.nt.[[TY]].1(ptr %y, i64 0, ptr %x, i64 0, ptr %a, i64 %n, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 1, i64 %m, i64 %n)
void matvec(long m, long n, const T *a, const T *x, T *y) {
  for (long i = 0; i < m; i++) {
    T sum = 0;
    for (long j = 0; j < n; j++)
      sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}
// REMARK: vecmat [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @vecmat(
// CHECK: call void @dl.matmul.nn.[[TY]].0(ptr %y, i64 0, ptr %x, i64 0, ptr %a, i64 %n, ptr %y, i64 0, i64 1, i64 1, i64 %n, i64 %m)
void vecmat(long m, long n, const T *a, const T *x, T *y) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[j] += a[i * n + j] * x[i];
}

// One call for each of a batch.
// REMARK: matmul.nt.batched [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @batched(
// CHECK:         [[B:%.*]] = phi i64
// CHECK:         [[CI:%.*]] = mul {{.*}} [[B]], {{%.*}}
// CHECK:         call void @dl.matmul.nt.[[TY]].0(ptr {{%.*}}, i64 %n, ptr {{%.*}}, i64 %k, ptr {{%.*}}, i64 %k, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 %k)
// CHECK:         icmp {{.*}} %count
void batched(long count, long m, long n, long k, const T *a, const T *b, T *c) {
  for (long h = 0; h < count; h++)
    for (long i = 0; i < m; i++)
      for (long j = 0; j < n; j++) {
        T sum = 0;
        for (long l = 0; l < k; l++)
          sum += a[(h * m + i) * k + l] * b[(h * n + j) * k + l];
        c[(h * m + i) * n + j] = sum;
      }
}

// Two loops that are one.
// REMARK: matmul.nn [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @two_of_k(
// CHECK:         [[K:%.*]] = mul {{.*}}
// CHECK:         call void @dl.matmul.nn.[[TY]].0(ptr %c, i64 %n, ptr %a, i64 {{%.*}}, ptr %b, i64 %n, ptr @dl.start.0.[[TY]], i64 0, i64 0, i64 %m, i64 %n, i64 {{%.*}})
void two_of_k(long m, long n, long channels, long k, const T *a, const T *b, T *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      T sum = 0;
      for (long h = 0; h < channels; h++)
        for (long l = 0; l < k; l++)
          sum += a[(i * channels + h) * k + l] * b[(h * k + l) * n + j];
      c[i * n + j] = sum;
    }
}

// The rows of A are those of a triangle.
// REMARK: matmul.nn [[TY]], %m x %n x i: exact
// CHECK-LABEL: define {{.*}} @triangle(
// CHECK: call void @dl.matmul.nn.[[TY]].0(
void triangle(long m, long n, const T *a, const T *b, T *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      T sum = 0;
      for (long l = 0; l < i; l++)
        sum += a[i * m + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}

// Neither the elements of a row of B nor those of a column are adjacent.
// REMARK: matmul.nn [[TY]], {{.*}}: exact
// CHECK-LABEL: define {{.*}} @twice_apart(
// CHECK: call void @dl.matmul.nn.[[TY]].1(
PRODUCT(twice_apart, i * k + l, 2 * (l * n + j))

// The same product again and again.
// REMARK: matmul.nn [[TY]], {{.*}}: exact, tile
// CHECK-LABEL: define {{.*}} @repeated(
// CHECK: call void @dl.matmul.nn.[[TY]].0(
void repeated(long times, long m, long n, long k, const T *a, const T *b, T *c) {
  for (long h = 0; h < times; h++)
    for (long i = 0; i < m; i++)
      for (long j = 0; j < n; j++)
        for (long l = 0; l < k; l++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
}
