// Stages in loops of their own are named apart, and by what they are together once
// they are joined.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes -gline-tables-only -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s --check-prefix=APART
// RUN: %opt -passes='dl-fuse,print<dl-kernels>' -pass-remarks=dl-fuse -disable-output %t.ll > %t.kernels 2> %t.remarks
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REQUIRES: x86-registered-target
float sqrtf(float), expf(float);
#define FOR(I, E) for (long I = 0; I < E; I++)

// APART-LABEL: @layernorm
// APART: mean f32
// APART-LABEL: kernel 2 @layernorm {{.*}} normalize f32
// CHECK-LABEL: @layernorm {{.*}} layernorm f32
// REMARK: stages.c:[[#@LINE+4]]:{{.*}} layernorm f32, {{.*}} loops joined
void layernorm(long m, long n, const float *restrict x, const float *restrict g,
               const float *restrict b, float *restrict mean,
               float *restrict root, float *restrict y) {
  FOR(i, m) {
    float s = 0;
    FOR(j, n) s += x[i * n + j];
    mean[i] = s / n;
  }
  FOR(i, m) {
    float s = 0;
    FOR(j, n) s += (x[i * n + j] - mean[i]) * (x[i * n + j] - mean[i]);
    root[i] = 1 / sqrtf(s / n + 1e-5f);
  }
  FOR(i, m) FOR(j, n)
    y[i * n + j] = (x[i * n + j] - mean[i]) * root[i] * g[j] + b[j];
}
// APART-LABEL: kernel 0 @softmax {{.*}} max f32
// CHECK-LABEL: @softmax {{.*}} softmax f32
// REMARK: stages.c:[[#@LINE+3]]:{{.*}} softmax f32, {{.*}} loops joined
void softmax(long m, long n, const float *restrict x, float *restrict max,
             float *restrict y) {
  FOR(i, m) {
    max[i] = x[i * n];
    for (long j = 1; j < n; j++)
      max[i] = x[i * n + j] > max[i] ? x[i * n + j] : max[i];
  }
  FOR(i, m) FOR(j, n) y[i * n + j] = expf(x[i * n + j] - max[i]);
  FOR(i, m) {
    float s = 0;
    FOR(j, n) s += y[i * n + j];
    FOR(j, n) y[i * n + j] /= s;
  }
}

// What a loop reads elsewhere of a row that another one has computed is no input.
// APART: kernel {{[0-9]+}} @mirrored {{.*}}generic f32
void mirrored(long m, const float *restrict x, float *restrict y) {
  float row[64];
  FOR(i, m) {
    FOR(j, 64) row[j] = x[i * 64 + j] * x[i * 64 + j];
    FOR(j, 64) y[i * 64 + j] = row[63 - j];
  }
}
