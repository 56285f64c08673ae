// Calls that inlining has made direct, in front of LLVM's loop vectorizer.
// RUN: env DLOPT_OPTIONS=math=correct %clang_dl -O2 -fno-math-errno --target=x86_64-linux-gnu -S -emit-llvm %s -o - | FileCheck %s --implicit-check-not=@tanhf --implicit-check-not=llvm.tanh
// REQUIRES: x86-registered-target
float tanhf(float);

static void map(float (*f)(float), float *restrict y, const float *restrict x,
                int n) {
  for (int i = 0; i < n; i++)
    y[i] = f(x[i]);
}

// CHECK-LABEL: @late(
// CHECK: call {{.*}}@dl.correct.tanhf(
void late(float *restrict y, const float *restrict x, int n) {
  map(tanhf, y, x, n);
}
