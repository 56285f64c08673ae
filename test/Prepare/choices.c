// What is read always and chosen under a condition stays read always: a load that
// has gone to where its value is chosen could not be read for all lanes.
// RUN: %clang -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s
// CHECK-LABEL: @back
// CHECK: par i[%n]
// CHECK-NEXT: %to[i] = select(fcmp<ogt>(%a[i], 0.0), %b[i], 0.0)
void back(long n, float *restrict to, const float *restrict a,
          const float *restrict b) {
  for (long i = 0; i < n; i++) {
    float x = a[i], g = b[i];
    to[i] = x > 0 ? g : 0;
  }
}
// What is read under a condition only stays so.
// CHECK-LABEL: @under
// CHECK: = %b[i] if
void under(long n, float *restrict to, const float *restrict a,
           const float *restrict b) {
  for (long i = 0; i < n; i++)
    to[i] = a[i] > 0 ? b[i] : 0;
}
