// One row, without a loop around it, in place or through fmaxf: what its sum adds up is
// stored by vectors first, in plain builds by those that the machine has.
// RUN: %clang -O3 -Xclang -disable-llvm-passes -gline-tables-only --target=x86_64-linux-gnu -S -emit-llvm -o %t.ll %s
// RUN: %opt %t.ll -S -passes='dl-prepare<all>,dl-vectorize<dispatch=1>' -pass-remarks=dl-vectorize 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %opt %t.ll -mattr=+avx512f -S -o /dev/null -passes='dl-prepare<all>,dl-vectorize' -pass-remarks=dl-vectorize 2>&1 | FileCheck %s --check-prefix=NATIVE
// RUN: %clang -O3 -Xclang -disable-llvm-passes --target=aarch64-linux-gnu -S -emit-llvm -o - %s | %opt -S -o /dev/null -passes='dl-prepare<all>,dl-vectorize' -pass-remarks=dl-vectorize 2>&1 | FileCheck %s --check-prefix=NEON
// NEON-COUNT-2: exact, iterations of i in 4 vectors of 4,
// NEON: functions in blocks of 16
float expf(float), fmaxf(float, float);

// REMARK: row-alone.c:[[#@LINE+10]]:{{.*}} exact, iterations of i in 4 vectors of 4, avx512 at run time, avx2 at run time
// NATIVE: row-alone.c:[[#@LINE+9]]:{{.*}} exact, iterations of i in 2 vectors of 16
// CHECK-LABEL: define internal {{.*}} @dl.lanes.reduce.f32.1.avx512(
// CHECK: load <32 x float>
// CHECK: store <32 x float>
void in_place(float *x, int n) {
  float max = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > max)
      max = x[i];
  for (int i = 0; i < n; i++) {
    x[i] = expf(x[i] - max);
    sum += x[i];
  }
  for (int i = 0; i < n; i++)
    x[i] /= sum;
}
// REMARK: row-alone.c:[[#@LINE+6]]:{{.*}} exact, iterations of i in 4 vectors of 4, avx512 at run time, avx2 at run time
// NATIVE: row-alone.c:[[#@LINE+5]]:{{.*}} exact, iterations of i in 2 vectors of 16
void by_numbers(const float *restrict x, float *restrict y, int n) {
  float max = -__builtin_inff(), sum = 0;
  for (int i = 0; i < n; i++)
    max = fmaxf(max, x[i]);
  for (int i = 0; i < n; i++) {
    y[i] = expf(x[i] - max);
    sum += y[i];
  }
  for (int i = 0; i < n; i++)
    y[i] /= sum;
}
// What is summed up without being stored waits in blocks, which have wider lanes, too.
// REMARK: row-alone.c:[[#@LINE+6]]:{{.*}} functions in blocks of 16, avx512 at run time, avx2 at run time
float summed(const float *x, int n) {
  float max = x[0], sum = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > max)
      max = x[i];
  for (int i = 0; i < n; i++)
    sum += expf(x[i] - max);
  return sum;
}
// The next value needs the last one.
// REMARK-NOT: vectors
void chained(float *x, int n) {
  float last = 0;
  for (int i = 0; i < n; i++) {
    x[i] = expf(x[i] - last);
    last += x[i];
  }
}
