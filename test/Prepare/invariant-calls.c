// A nest that calls functions of the library with what does not change has a
// copy for the case that they set no errno, if that copy is worth it.
//
// Instructions as LLVM 22 simplifies and prints them.
// REQUIRES: llvm-22
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>' -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -verify-each -pass-remarks=dl- -S %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang --target=aarch64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>' -verify-each -S %t.ll | FileCheck %s
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-builtin -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>' -S %t.ll | FileCheck %s --check-prefix=NONE
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<all>' -S %t.ll | FileCheck %s --check-prefix=NONE
// RUN: %clang --target=nvptx64-nvidia-cuda -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes=dl-prepare -S %t.ll | FileCheck %s --check-prefix=NONE
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target

// Functions that are not the library's, or set no errno.
// NONE-NOT: .called
float powf(float, float);
float sqrtf(float);
float expf(float);
float logf(float);

// The function is called where there is a round; what it returns is a normal
// number.
// REMARK: map f32, {{.*}}: exact
// CHECK-LABEL: define {{.*}}@adam(
// CHECK:         br i1 {{.*}}, label %[[ASK:.*]], label %[[MAIN:.*]]
// CHECK:       [[ASK]]:
// CHECK:         [[P:%.*]] = call float @powf(float noundef %beta, float noundef %{{.*}})
// CHECK:         call i1 @llvm.is.fpclass.f32(float [[P]], i32 264)
// CHECK:         br i1 {{.*}}, label %[[FAST:.*]], label %[[MAIN]]
// CHECK:       [[FAST]]:
// CHECK-NOT:     call float @powf(
// CHECK:         fsub float 1.000000e+00, [[P]]
// CHECK:         call float @sqrtf(
// CHECK:         br label {{.*}}, !llvm.loop
// CHECK:         call float @powf(
// CHECK:       }
void adam(float *p, float *v, long n, float beta, int t) {
  for (long i = 0; i < n; i++)
    p[i] -= 1 / (sqrtf(v[i] / (1 - powf(beta, t))) + 1);
}

// A root is computed in any case: it is an error below zero.
// REMARK: softmax f32, {{.*}}: exact, loops apart from products
// CHECK-LABEL: define {{.*}}@scores(
// CHECK:         [[D:%.*]] = sitofp i32 %d to float
// CHECK:         [[R:%.*]] = call float @llvm.sqrt.f32(float [[D]])
// CHECK:         fcmp uge float [[D]], 0.000000e+00
// CHECK:         br i1 {{.*}}, label %{{.*}}.called, label
// CHECK:         fdiv float {{.*}}, [[R]]
// CHECK:         call float @sqrtf(
// CHECK:       }
void scores(int n, int d, const float *q, const float *k, float *s) {
  for (int i = 0; i < n; i++) {
    float most = -1e30f, sum = 0;
    for (int j = 0; j <= i; j++) {
      float x = 0;
      for (int l = 0; l < d; l++)
        x += q[i * d + l] * k[j * d + l];
      x /= sqrtf(d);
      s[i * n + j] = x;
      if (x > most)
        most = x;
    }
    for (int j = 0; j <= i; j++) {
      s[i * n + j] = expf(s[i * n + j] - most);
      sum += s[i * n + j];
    }
    for (int j = 0; j <= i; j++)
      s[i * n + j] /= sum;
  }
}

// That of a variable which each step changes is another one in each.
// CHECK-LABEL: define {{.*}}@growing(
// CHECK:         [[P:%.*]] = call float @powf(
// CHECK:         br i1 {{.*}}, label %{{.*}}.called, label
// CHECK:         [[G:%.*]] = fadd float {{.*}}, 1.000000e+00
// CHECK:         store float [[G]], ptr @grown
// CHECK:         call float @sqrtf(float noundef [[G]])
// CHECK:         fsub float 1.000000e+00, [[P]]
// CHECK:       }
float grown;
void growing(float *restrict p, const float *restrict v, int steps, long n,
             float beta, int t) {
  for (int s = 0; s < steps; s++) {
    grown += 1;
    float c = sqrtf(grown);
    for (long i = 0; i < n; i++)
      p[i] -= c / (sqrtf(v[i] / (1 - powf(beta, t))) + 1);
  }
}

// So is that of a reference's, which may be the member of a struct.
// CHECK-LABEL: define {{.*}}@referred(
// CHECK:         call float @powf(
// CHECK:         br i1 {{.*}}, label %{{.*}}.called, label
// CHECK:         store float [[G:%.*]], ptr %g
// CHECK:         call float @sqrtf(float noundef [[G]])
// CHECK:       }
void referred(float *restrict p, const float *restrict v, int steps, long n,
              float beta, int t, float g[static 1]) {
  for (int s = 0; s < steps; s++) {
    *g += 1;
    for (long i = 0; i < n; i++)
      p[i] -= sqrtf(*g) / (sqrtf(v[i] / (1 - powf(beta, t))) + 1);
  }
}

// CHECK-NOT: .called:

// Roots alone have no order.
void roots(float *c, const float *a, long n, float d) {
  for (long i = 0; i < n; i++)
    c[i] = sqrtf(a[i]) / sqrtf(d);
}

// The integer may be errno.
void watched(float *c, const float *a, const int *e, long n, float d) {
  for (long i = 0; i < n; i++)
    c[i] = a[i] * logf(d) + *e;
}

// Another one in each round.
void changing(float *c, const float *a, long n, float d) {
  for (long i = 0; i < n; i++)
    c[i] = a[i] * logf(d + i);
}

// There may be a round without.
void some(float *c, const float *a, long n, float d) {
  for (long i = 0; i < n; i++)
    c[i] = a[i] > 0 ? a[i] * logf(d) : a[i];
}

// The first round may be the last one, before the call.
void left(float *c, const float *a, long n, float d) {
  for (long i = 0; i < n; i++) {
    if (a[i] > 7)
      break;
    c[i] = a[i] * logf(d);
  }
}
