// What becomes of calls of expf that must have the library's bits.
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -O3 -S -emit-llvm %s -o %t.ll -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -Rpass-missed=dl-vectorize 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=INTEGER
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=ORDER
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %clang_dl --target=x86_64-linux-gnu -march=x86-64 -mllvm -dl-dispatch=0 -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ANY
// RUN: %clang_dl --target=x86_64-linux-gnu -march=x86-64 -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=WIDER
// RUN: %clang_dl --target=aarch64-linux-gnu -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ANY
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -fdenormal-fp-math=preserve-sign -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -fno-builtin -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -ffreestanding -O3 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=NONE
// NONE-NOT: dl.has.exp
//
// ANY-LABEL: define {{.*}}@exps(
// ANY:         call {{.*}}i8 @dl.has.exp()
// ANY:         fptrunc <4 x double> {{%.*}} to <4 x float>
//
// What is computed does not depend on the machine, so fused operations are used
// where there are any.
// WIDER:         call <8 x double> @llvm.fma.v8f64
//
// One byte says what is known of the library.
// CHECK-DAG: @dl.has.exp.known = internal {{.*}}global i8 0
//
// CHECK-LABEL: define {{.*}}@exps(
// CHECK:         call {{.*}}i8 @dl.has.exp()
//
// Constants must not be folded: the library of the compiler is another one.
// CHECK-LABEL: define internal {{.*}}i8 @dl.has.exp(
// CHECK:         load atomic i8, ptr @dl.has.exp.known monotonic
// CHECK:         store atomic i8 {{.*}} ptr @dl.has.exp.known monotonic
// CHECK:         [[X:%.*]] = load volatile float
// CHECK:         call float @expf(float {{.*}}[[X]])
// CHECK:         [[Y:%.*]] = load volatile float
// CHECK:         call float @expf(float {{.*}}[[Y]])
//
// In double; the library is asked for the lanes that need it, and the code does not go on
// with the others' results.
// CHECK-LABEL: define internal {{.*}}@dl.lanes.{{.*}}(
// CHECK:         fpext <8 x float> {{%.*}} to <8 x double>
// CHECK:         call <8 x float> @llvm.x86.avx2.permps(
// CHECK:         call <8 x float> @llvm.x86.avx.vpermilvar.ps.256(
// CHECK:         fptrunc <8 x double> {{%.*}} to <8 x float>
// CHECK:         call {{.*}}float @expf(float
float expf(float);
double exp(double);
float logf(float);
float sqrtf(float);

// REMARK-DAG: exp f32, {{.*}}: exact, {{.*}} vectors of 8
void exps(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = expf(x[i]);
}

// Of what sets errno to different values the last call decides: lanes that have asked
// the library for both ask once more, each for one and then the other.
// REMARK-DAG: exact-math.c:[[#@LINE+14]]:{{.*}} map f32, {{.*}}: exact, iterations of i in 2 vectors of 8
// ORDER-LABEL: define {{.*}}@two_errors(
// ORDER:         call {{.*}}@dl.lanes.[[TWO:[a-z0-9.]+]](
// ORDER-LABEL: define {{.*}}@one_error(
// ORDER:         call {{.*}}@dl.lanes.[[ONE:[a-z0-9.]+]](
// ORDER:       define {{.*}}@dl.lanes.[[TWO]](
// ORDER:         lshr i64 %{{.*}}, %
// ORDER:         call float @logf(float
// ORDER:         lshr i64 %{{.*}}, %
// ORDER:         call float @expf(float
// ORDER:       define {{.*}}@dl.lanes.[[ONE]](
// ORDER-NOT:     lshr i64 %{{.*}}, %
// ORDER:       define
void two_errors(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]) + expf(x[i]);
}

// The outer loop in lanes would call in another order: it is the inner one, whose elements
// are apart.
// REMARK-DAG: exact-math.c:[[#@LINE+2]]:{{.*}} generic f32, {{.*}}: exact, iterations of j in
void columns(float *restrict y, const float *restrict x, long m, long n) {
  for (long j = 0; j < n; j++)
    for (long i = 0; i < m; i++)
      y[i * n + j] = logf(x[i * n + j]) + expf(x[i * n + j]);
}

// The logarithm of what is not below zero has no other error.
// REMARK-DAG: exact-math.c:[[#@LINE+2]]:{{.*}} softplus f32, {{.*}}: exact, iterations of i in
void one_error(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(expf(x[i]) + 1.0f);
}

// What is taken away may leave less.
// REMARK-DAG: exact-math.c:[[#@LINE+2]]:{{.*}} map f32, {{.*}}: exact, iterations of i in
void difference(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = logf(expf(x[i]) - 1.0f);
}

// Sums are lanes of rows, and functions lanes along them.
// REMARK-DAG: exact-math.c:[[#@LINE+4]]:{{.*}} softmax f32, {{.*}}: exact, loops by blocks of rows
// REMARK-DAG: exact-math.c:[[#@LINE+3]]:{{.*}} map f32, %p x 40: exact, iterations of j in
// REMARK-DAG: exact-math.c:[[#@LINE+2]]:{{.*}} sum f32, %p x 40: exact, iterations of i in
void softmax(float *restrict y, const float *restrict x, long m) {
  for (long i = 0; i < m; i++) {
    float max = x[i * 40], sum = 0;
    for (long j = 1; j < 40; j++)
      max = x[i * 40 + j] > max ? x[i * 40 + j] : max;
    for (long j = 0; j < 40; j++) {
      y[i * 40 + j] = expf(x[i * 40 + j] - max);
      sum += y[i * 40 + j];
    }
    for (long j = 0; j < 40; j++)
      y[i * 40 + j] /= sum;
  }
}

// An integer may be errno: the guard asks for its address.
// REMARK-DAG: exact-math.c:[[#@LINE+4]]:{{.*}} map i32, {{.*}}: exact
// INTEGER-LABEL: define {{.*}}@integers(
// INTEGER:         call ptr @__errno_location()
void integers(int *k, float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++) {
    y[i] = expf(x[i]);
    k[i] = k[i] + 1;
  }
}

// There is no model.
// REMARK-DAG: left alone: {{.*}}calls of 'exp' {{\[}}
void doubles(double *restrict y, const double *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = exp(x[i]);
}
