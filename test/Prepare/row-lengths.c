// What is no length of rows, though every round reads it.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>' -verify-each -S %t.ll | FileCheck %s

// CHECK-LABEL: define {{.*}}@rows(
// CHECK:         call {{.*}} @dl.even.rows(
// CHECK:       }
void rows(long m, long n, long k, float **a, float **b, float **c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i][l] * b[l][j];
      c[i][j] = s;
    }
}

// Equal numbers need not be the same (0.0 and -0.0), nor is a NaN equal to itself.
// CHECK-LABEL: define {{.*}}@multiples(
// CHECK-NOT:     icmp {{.*}} float
// CHECK:       }
int multiples(long m, long n, long k, float **a, float **b, float **c,
              const float *restrict x, const float *restrict y) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++) {
        if (j >= (long)(x[i] * y[l]))
          return 1;
        s += a[i][l] * b[l][j];
      }
      c[i][j] = s;
    }
  return 0;
}

// Somebody else may write these.
// CHECK-LABEL: define {{.*}}@shared(
// CHECK-NOT:     @dl.even.rows
// CHECK:       }
void shared(long m, long n, long k, float *volatile *a, float **b, float **c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i][l] * b[l][j];
      c[i][j] = s;
    }
}
