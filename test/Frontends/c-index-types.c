// Index variables of any integer type; what may wrap is tested at run time.
//
// RUN: %clang --target=x86_64-linux-gnu -march=haswell -O3 -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define PRODUCT(NAME, TYPE)                                                    \
  void NAME(TYPE m, TYPE n, TYPE k, const float *a, const float *b,            \
            float *c) {                                                        \
    for (TYPE i = 0; i < m; i++)                                               \
      for (TYPE j = 0; j < n; j++) {                                           \
        float sum = 0;                                                         \
        for (TYPE l = 0; l < k; l++)                                           \
          sum += a[i * k + l] * b[l * n + j];                                  \
        c[i * n + j] = sum;                                                    \
      }                                                                        \
  }

// CHECK-LABEL: define {{.*}}@index_int(
// CHECK:         call void @dl.matmul.nn.f32.0(
PRODUCT(index_int, int)

// CHECK-LABEL: define {{.*}}@index_long(
// CHECK:         call void @dl.matmul.nn.f32.0(
PRODUCT(index_long, long)

// CHECK-LABEL: define {{.*}}@index_long_long(
// CHECK:         call void @dl.matmul.nn.f32.0(
PRODUCT(index_long_long, long long)

// CHECK-LABEL: define {{.*}}@index_unsigned(
// CHECK:         call void @dl.matmul.nn.f32.0(
PRODUCT(index_unsigned, unsigned)

// CHECK-LABEL: define {{.*}}@index_size(
// CHECK:         call void @dl.matmul.nn.f32.0(
PRODUCT(index_size, __SIZE_TYPE__)

// CHECK-LABEL: define {{.*}}@index_difference(
// CHECK:         call void @dl.matmul.nn.f32.0(
PRODUCT(index_difference, __PTRDIFF_TYPE__)

// int extents, products in size_t.
//
// CHECK-LABEL: define {{.*}}@mixed(
// CHECK:         call void @dl.matmul.nn.f32.0(
void mixed(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[(__SIZE_TYPE__)i * k + l] * b[(__SIZE_TYPE__)l * n + j];
      c[(__SIZE_TYPE__)i * n + j] = sum;
    }
}

// Extents of one type, indices of a wider one.
//
// CHECK-LABEL: define {{.*}}@wider(
// CHECK:         call void @dl.matmul.nn.f32.0(
void wider(int m, int n, int k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long l = 0; l < k; l++)
        sum += a[i * k + l] * b[l * n + j];
      c[i * n + j] = sum;
    }
}

// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
