// The forms of a product: where the sums start and where they are kept. The
// call's last arguments are start values, their strides, and M, N, K.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll \
// RUN:   -passes='dl-vectorize,function(instsimplify,early-cse)'
// RUN: FileCheck %s --input-file=%t.ll

// CHECK-LABEL: define {{.*}} @memory_accumulator(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.0.f32, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
void memory_accumulator(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      c[i * n + j] = 0;
      for (long l = 0; l < k; l++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
    }
}

// The bias must not overlap C either.
// CHECK-LABEL: define {{.*}} @column_bias(
// CHECK:         ptrtoint ptr %bias to i64
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %bias, i64 0, i64 1, i64 %m, i64 %n, i64 %k)
void column_bias(long m, long n, long k, const float *a, const float *b, const float *bias, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = bias[j];
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK-LABEL: define {{.*}} @row_bias(
// CHECK:         ptrtoint ptr %bias to i64
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %bias, i64 1, i64 0, i64 %m, i64 %n, i64 %k)
void row_bias(long m, long n, long k, const float *a, const float *b, const float *bias, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = bias[i];
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// CHECK-LABEL: define {{.*}} @constant_start(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.3fc00000.f32, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
void constant_start(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 1.5f;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// C starts the sums itself.
// CHECK-LABEL: define {{.*}} @update(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr %c, i64 %n, i64 1, i64 %m, i64 %n, i64 %k)
void update(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long l = 0; l < k; l++)
      for (long j = 0; j < n; j++)
        c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// C^T = B^T * A^T, row-major.
// CHECK-LABEL: define {{.*}} @column_major(
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 %m, ptr %b, i64 %k, ptr %a, i64 %m, ptr @dl.start.0.f32, i64 0, i64 0, i64 %n, i64 %m, i64 %k)
void column_major(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < m; i++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i + l * m] * b[l + j * k];
      c[i + j * m] = s;
    }
}

// C = C + sum rounds the sum first: another function.
// CHECK-LABEL: define {{.*}} @add_sum(
// CHECK:         call void @dl.matmul.nn.f32.1(ptr %c, i64 %n, ptr %a, i64 %k, ptr %b, i64 %n, ptr @dl.start.0.f32, i64 0, i64 0, i64 %m, i64 %n, i64 %k)
void add_sum(long m, long n, long k, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] += s;
    }
}

// CHECK-LABEL: define {{.*}} @leading_dimensions(
// CHECK-DAG:     [[M:%.*]] = sext i32 %m to i64
// CHECK-DAG:     [[N:%.*]] = sext i32 %n to i64
// CHECK-DAG:     [[K:%.*]] = sext i32 %k to i64
// CHECK-DAG:     [[LDA:%.*]] = sext i32 %lda to i64
// CHECK-DAG:     [[LDB:%.*]] = sext i32 %ldb to i64
// CHECK-DAG:     [[LDC:%.*]] = sext i32 %ldc to i64
// CHECK:         icmp uge i64 [[LDC]], [[N]]
// CHECK:         call void @dl.matmul.nn.f32.0(ptr %c, i64 [[LDC]], ptr %a, i64 [[LDA]], ptr %b, i64 [[LDB]], ptr @dl.start.0.f32, i64 0, i64 0, i64 [[M]], i64 [[N]], i64 [[K]])
void leading_dimensions(int m, int n, int k, const float *a, int lda,
                        const float *b, int ldb, float *c, int ldc) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * lda + l] * b[l * ldb + j];
      c[i * ldc + j] = s;
    }
}
