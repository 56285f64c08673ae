// No test for what is known: distinct globals and noalias arguments are disjoint.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll

float A[64][96], B[96][80], C[64][80];

// Nothing is left to test.
// CHECK-LABEL: define {{.*}} @arrays(
// CHECK:         br i1 true, label %dl.fast, label %dl.original, !dl.guard
// CHECK:         call void @dl.matmul.nn.f32.0(ptr @C, i64 80, ptr @A, i64 96, ptr @B, i64 80, ptr @dl.start.0.f32, i64 0, i64 0, i64 64, i64 80, i64 96)
void arrays(void) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 80; j++) {
      float s = 0;
      for (int l = 0; l < 96; l++)
        s += A[i][l] * B[l][j];
      C[i][j] = s;
    }
}

// CHECK-LABEL: define {{.*}} @restricted(
// CHECK-NOT:     ptrtoint
// CHECK:         %dl.small = icmp ult i64 {{.*}}, 536870912
// CHECK-NOT:     ptrtoint
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.0.f32, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
void restricted(long m, long n, long k, const float *restrict a,
                const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// One operand is a global, the other a pointer: one pair of tests.
// CHECK-LABEL: define {{.*}} @mixed(
// CHECK:         [[A:%.*]] = ptrtoint ptr %a to i64
// CHECK:         sub i64 ptrtoint (ptr @C to i64), [[A]]
// CHECK:         sub i64 [[A]], ptrtoint (ptr @C to i64)
// CHECK-NOT:     @B
// CHECK:         call void @dl.matmul.nn.f32.0(ptr @C, i64 80, ptr %a, i64 %k, ptr @B, i64 80, ptr @dl.start.0.f32, i64 0, i64 0, i64 64, i64 80, i64 96)
void mixed(long k, const float *a) {
  for (long i = 0; i < 64; i++)
    for (long j = 0; j < 80; j++) {
      float s = 0;
      for (long l = 0; l < 96; l++)
        s += a[i * k + l] * B[l][j];
      C[i][j] = s;
    }
}

// A and B may be the same: nothing is written there.
// CHECK-LABEL: define {{.*}} @square(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %n, ptr %a, i64 %n,
void square(long n, const float *a, float *c) {
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < n; l++)
        s += a[i * n + l] * a[l * n + j];
      c[i * n + j] = s;
    }
}
