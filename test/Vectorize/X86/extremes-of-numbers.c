// A maximum by fmaxf that starts from a number stays one, so that it is a comparison and
// a choice, which x86 has an instruction for; from memory it may be anything.
// (Each has another function for few rows.)
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -passes='dl-vectorize,verify,function(instsimplify,early-cse)' | FileCheck %s --check-prefix=NEON
// RUN: %emit -fno-honor-nans --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -passes='dl-vectorize<dispatch=0>,verify,function(instsimplify,early-cse)' | FileCheck %s --check-prefix=NNAN
float fmaxf(float, float), fminf(float, float);
#define ROWS(NAME, START, STEP)                                                          \
  void NAME(long m, long n, float *restrict y, const float *restrict x) {                \
    for (long i = 0; i < m; i++) {                                                       \
      float best = START, sum = 0;                                                       \
      for (long j = 0; j < n; j++)                                                       \
        best = STEP;                                                                     \
      for (long j = 0; j < n; j++)                                                       \
        sum += x[i * n + j] - best;                                                      \
      y[i] = sum;                                                                        \
    }                                                                                    \
  }
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// CHECK: fcmp ogt <8 x float> [[X:%.*]], [[MAX:%.*]]
// CHECK-NEXT: select <8 x i1> {{.*}}, <8 x float> [[X]], <8 x float> [[MAX]]
// CHECK-NOT: @llvm.maxnum.v8f32
// NEON: call <4 x float> @llvm.maxnum.v4f32(
// Between numbers that is LLVM's one instruction, which keeps the second of two that are equal.
// NNAN-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.0(
// NNAN: call nnan <8 x float> @llvm.maxnum.v8f32(
ROWS(greatest, -__builtin_inff(), fmaxf(best, x[i * n + j]))
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.2(
// CHECK: fcmp olt <8 x float> [[X:%.*]], [[MIN:%.*]]
// CHECK-NEXT: select <8 x i1> {{.*}}, <8 x float> [[X]], <8 x float> [[MIN]]
ROWS(least, 1, fminf(best, x[i * n + j]))
// What starts from memory, or is no number at first, or is the second operand:
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.4(
// CHECK: call <8 x float> @llvm.maxnum.v8f32(
ROWS(first, y[i], fmaxf(best, x[i * n + j]))
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.6(
// CHECK: call <8 x float> @llvm.maxnum.v8f32(
ROWS(none, __builtin_nanf(""), fmaxf(best, x[i * n + j]))
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.8(
// CHECK: call <8 x float> @llvm.maxnum.v8f32(
ROWS(second, -__builtin_inff(), fmaxf(x[i * n + j], best))
// Where LLVM knows that the other operand is a number, its one instruction keeps the second
// of two that are equal, and so does maxnum in vectors.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.10(
// CHECK: call <8 x float> @llvm.maxnum.v8f32(
ROWS(clamped, 0, fmaxf(best, fminf(x[i * n + j], 2)))
// What is computed may be none.
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.11(
// CHECK: fcmp ogt <8 x float> [[X:%.*]], [[MAX:%.*]]
// CHECK-NEXT: select <8 x i1> {{.*}}, <8 x float> [[X]], <8 x float> [[MAX]]
ROWS(computed, 0, fmaxf(best, -x[i * n + j] * 2))
