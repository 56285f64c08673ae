// A nest that chooses among loops by a test of what does not change has a copy
// for the case that the test is true, if that copy is worth it.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl- -pass-remarks-missed=dl- -S %t.ll -o /dev/null 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: %clang --target=aarch64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -pass-remarks=dl- -pass-remarks-missed=dl- -S %t.ll -o /dev/null 2>%t.remarks
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// RUN: FileCheck %s --check-prefix=MISSED --input-file=%t.remarks
// RUN: %clang --target=nvptx64-nvidia-cuda -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -S %t.ll | FileCheck %s --check-prefix=NONE
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// No kernel is transformed there, so no nest is copied.
// NONE-NOT: .tested

// The rounds are counted before what they read is read.
// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@product(
// CHECK:         br i1 {{.*}}, label %[[ASK:.*]], label %[[MAIN:.*]]
// CHECK:       [[ASK]]:
// CHECK:         [[STEP:%.*]] = load i64, ptr %step
// CHECK:         icmp eq i64 [[STEP]], 1
// CHECK:         br i1 {{.*}}, label %{{.*}}.tested.preheader, label %[[MAIN]]
// CHECK:       }
void product(long m, long n, long k, const long *step, const float *a,
             const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (*step == 1)
        for (long l = 0; l < k; l++)
          s += a[i * k + l] * b[l * n + j];
      else
        for (long l = 0; l < k; l++)
          s += a[(i * k + l) * *step] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Two tests, of which the second one is made only behind the first one.
// REMARK: remark: {{.*}}matmul.nn f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@both(
// CHECK:         br i1 {{.*}}, label %[[FIRST:.*]], label %[[MAIN:.*]]
// CHECK:       [[FIRST]]:
// CHECK:         load i64, ptr %step
// CHECK:         br i1 {{.*}}, label %[[SECOND:.*]], label %[[MAIN]]
// CHECK:       [[SECOND]]:
// CHECK:         getelementptr inbounds{{( nuw)?}} i8, ptr %step, i64 8
// CHECK:         br i1 {{.*}}, label %{{.*}}.preheader, label %[[MAIN]]
// CHECK:       }
void both(long m, long n, long k, const long *step, const float *a,
          const float *b, float *c) {
  for (long i = 0; i < m; i++)
    if (*step == 1)
      for (long j = 0; j < n; j++) {
        float s = 0;
        if (step[1] == 1)
          for (long l = 0; l < k; l++)
            s += a[i * k + l] * b[l * n + j];
        else
          for (long l = 0; l < k; l++)
            s += a[i * k + l] * b[(l * n + j) * step[1]];
        c[i * n + j] = s;
      }
    else
      for (long j = 0; j < n; j++) {
        float s = 0;
        for (long l = 0; l < k; l++)
          s += a[(i * k + l) * *step] * b[(l * n + j) * step[1]];
        c[i * n + j] = s;
      }
}

// The nest may write what the test reads.
// MISSED: left alone: an address that is not a polynomial
// CHECK-LABEL: define {{.*}}@changes(
// CHECK-NOT:     .tested
// CHECK:       }
void changes(long m, long n, long k, const int *step, const float *a,
             const float *b, float *c, int *count) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      ++*count;
      if (*step == 1)
        for (long l = 0; l < k; l++)
          s += a[i * k + l] * b[l * n + j];
      else
        for (long l = 0; l < k; l++)
          s += a[(i * k + l) * *step] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Nothing says which side is the usual one.
// REMARK: remark: {{.*}}reduce f32, %m x %n x %k x %k
// CHECK-LABEL: define {{.*}}@less(
// CHECK-NOT:     .tested
// CHECK:       }
void less(long m, long n, long k, long step, const float *a, const float *b,
          float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (step < 2)
        for (long l = 0; l < k; l++)
          s += a[i * k + l] * b[l * n + j];
      else
        for (long l = 0; l < k; l++)
          s += a[(i * k + l) * step] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// A test that is made in some rounds only.
// MISSED: left alone: recognized; no loop is known to have independent iterations
// CHECK-LABEL: define {{.*}}@sometimes(
// CHECK-NOT:     .tested
// CHECK:       }
void sometimes(long m, long n, long k, const long *step, const float *a,
               const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (c[j] > 0) {
        if (*step == 1)
          for (long l = 0; l < k; l++)
            s += a[i * k + l] * b[l * n + j];
        else
          for (long l = 0; l < k; l++)
            s += a[(i * k + l) * *step] * b[l * n + j];
      }
      c[i * n + j] = s;
    }
}

// The nest may end the program before the test reads anything: that of the loop
// inside is copied.
// REMARK: remark: {{.*}}vecmat
// CHECK-LABEL: define {{.*}}@ends(
// CHECK-NOT:     load
// CHECK:         call void @check(
// CHECK:         load i64, ptr %step
// CHECK:         br i1 {{.*}}.tested.preheader,
// CHECK:       }
void check(long i);
void ends(long m, long n, long k, const long *restrict step, const float *a,
          const float *b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    check(i);
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (*step == 1)
        for (long l = 0; l < k; l++)
          s += a[i * k + l] * b[l * n + j];
      else
        for (long l = 0; l < k; l++)
          s += a[(i * k + l) * *step] * b[l * n + j];
      c[i * n + j] = s;
    }
  }
}

// Not all that is called as a function of the math library comes back.
// CHECK-LABEL: define {{.*}}@ends_in_math(
// CHECK-NOT:     load
// CHECK:         call float @expf(
// CHECK:         load i64, ptr %step
// CHECK:         br i1 {{.*}}.tested.preheader,
// CHECK:       }
__attribute__((noinline)) float expf(float x) {
  check((long)x);
  return x;
}
void ends_in_math(long m, long n, long k, const long *restrict step,
                  const float *a, const float *b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    c[i * n] = expf(1);
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (*step == 1)
        for (long l = 0; l < k; l++)
          s += a[i * k + l] * b[l * n + j];
      else
        for (long l = 0; l < k; l++)
          s += a[(i * k + l) * *step] * b[l * n + j];
      c[i * n + j] = s;
    }
  }
}
