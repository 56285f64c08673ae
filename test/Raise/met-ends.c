// Loops that end where their counter meets a number run as often as their steps fill the way
// to it: that they fill it is a need where it is not known.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-LABEL: kernel 0 @bytes
// CHECK: par i[floordiv(%bytes, 4)]
// CHECK: inrange(0 <= %bytes - 4 <= 9223372036854775807)
// CHECK: inrange(0 <= mod(%bytes - 4, 4) <= 0)
void bytes(unsigned long bytes, const float *x, float *restrict y) {
  do {
    *y++ = *x++ * 2;
    bytes -= 4;
  } while (bytes != 0);
}

// A way of whole steps needs no test.
// CHECK-LABEL: kernel 0 @whole
// CHECK: par i[%n]
// CHECK-NOT: mod(
void whole(long n, const float *x, float *restrict y) {
  for (long left = 4 * n; left != 0; left -= 4)
    *y++ = *x++ * 2;
}

// Numbers of 16 bits are met before they wrap.
// CHECK-LABEL: kernel 0 @narrow
// CHECK: par i[floordiv(%n, 6)]
// CHECK: inrange(0 <= %n - 6 <= 65535)
// CHECK: inrange(0 <= mod(%n - 6, 6) <= 0)
void narrow(unsigned short n, const float *x, float *restrict y) {
  do {
    *y++ = *x++ * 2;
    n -= 6;
  } while (n);
}

// Upwards, from where it begins.
// CHECK-LABEL: kernel 0 @upwards
// CHECK: par i[floordiv(%to - %from, 8)]
void upwards(unsigned long from, unsigned long to, const float *x,
             float *restrict y) {
  for (; from != to; from += 8)
    *y++ = *x++ * 2;
}

// How long the way is changes in the nest: nothing would test each.
// CHECK: missed @changing {{.*}} UnknownTripCount
void changing(long m, long n, const float *x, float *restrict y) {
  for (long i = 0; i < m; i++)
    for (long left = i * n; left != 0; left -= 4)
      y[i + left] = x[i + left] * 2;
}
