// What becomes of calls of several functions that must have the library's bits.
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -O3 -S -emit-llvm %s -o %t.ll -Rpass=dl-vectorize -Rpass-missed=dl-vectorize 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
//
// Without fused operations there, or vectors that are wide, all are called.
// RUN: %clang_dl --target=aarch64-linux-gnu -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ANY
// RUN: %clang_dl --target=aarch64-linux-gnu -march=armv8-a+sve -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ANY
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -ffp-model=strict -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -fdenormal-fp-math=preserve-sign -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -fno-builtin -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clang -cc1 -triple nvptx64-nvidia-cuda -O3 -disable-llvm-passes -emit-llvm %s -o - | %opt -S -passes=dl-vectorize | FileCheck %s --check-prefix=NONE
// REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target
// NONE-NOT: dl.has
// ANY: call {{.*}}i8 @dl.has.tanh(
// ANY: call {{.*}}i8 @dl.has.log(
float tanhf(float);
float erff(float);
float logf(float);
float log1pf(float);
float expf(float);

// Which of two models it is, is known before the loops: float, in which products are
// rounded whatever the back end may fuse, or double, in which few lanes call.
// CHECK-LABEL: define {{.*}}@tanhs(
// CHECK:         call {{.*}}i8 @dl.has.tanh()
// CHECK-LABEL: define internal {{.*}}i8 @dl.has.tanh(
// CHECK:         call float @tanhf(
// CHECK:         call float @tanhf(
// CHECK-LABEL: define internal {{.*}}@dl.lanes.{{.*}}(
// CHECK:         [[K:%.*]] = load atomic i8, ptr @dl.has.tanh.known monotonic
// CHECK:         [[N:%.*]] = add {{.*}}i8 [[K]], -1
// CHECK-NOT:     fpext
// CHECK:         icmp eq i8 [[N]], 1
// CHECK:         [[R:%.*]] = {{.*}}call <8 x float> @llvm.arithmetic.fence.v8f32(
// CHECK-NEXT:    fadd <8 x float> {{.*}}[[R]]
// CHECK-NOT:     call float
// CHECK:         fpext <8 x float> {{%.*}} to <8 x double>
// CHECK:         call float @tanhf(
// CHECK:       }
// REMARK-DAG: [[#@LINE+2]]:{{.*}} tanh f32, {{.*}}: exact, {{.*}} vectors of 8
void tanhs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = tanhf(x[i]);
}

// REMARK-DAG: [[#@LINE+2]]:{{.*}} erf f32, {{.*}}: exact, {{.*}} vectors of 8
void erfs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = erff(x[i]);
}

// One call a round: lanes call in order.
// REMARK-DAG: [[#@LINE+2]]:{{.*}} log f32, {{.*}}: exact, {{.*}} vectors of 8
void logs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]);
}

// Two: the last one decides what errno is, in the order of the source.
// REMARK-DAG: [[#@LINE+2]]:{{.*}} map f32, {{.*}}: exact, {{.*}} vectors of 8
void two_logs(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]) + logf(y[i]);
}

// Of what is positive there is one error at most, as of exponential functions.
// REMARK-DAG: [[#@LINE+2]]:{{.*}} softplus f32, {{.*}}: exact, {{.*}} vectors of 8
void softplus(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = log1pf(expf(x[i]));
}

// REMARK-DAG: [[#@LINE+2]]:{{.*}} f32, {{.*}}: exact, {{.*}} vectors of 8
void positive(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i] * x[i] + 0.5f) + expf(x[i]);
}

// That of zero is the same.
// REMARK-DAG: [[#@LINE+2]]:{{.*}} f32, {{.*}}: exact, {{.*}} vectors of 8
void zero(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i] * x[i]) + expf(x[i]);
}

// A number below zero has another one.
// REMARK-DAG: [[#@LINE+2]]:{{.*}} map f32, {{.*}}: exact, {{.*}} vectors of 8
void negative(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i] * y[i]) + expf(x[i]);
}
