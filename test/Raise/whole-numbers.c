// Integers that were numbers in between, by fmin and fmax, are what they were if they have
// no more digits, which is a need.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-math-errno -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target
#include <math.h>
#define ARGS const float *restrict in, float *restrict out, long M, long K, long P, long H
#define ROWS(...)                                                              \
  for (long i = 0; i < M; i++) {                                               \
    float s = 0;                                                               \
    __VA_ARGS__;                                                               \
    out[i] = s;                                                                \
  }

// CHECK-LABEL: kernel 0 @window
// CHECK:         par i[%M]
// CHECK:           win j[%K]
// CHECK:             s = fadd(s, %in[i + j - %P])  where i + j >= %P, i + j < %P + %H
// CHECK-DAG:     needs    inrange(-16777216 <= i - %P <= 16777216)
// CHECK-DAG:     needs    inrange(-16777216 <= i - %P + %K <= 16777216)
// CHECK-DAG:     needs    inrange(-16777216 <= %H <= 16777216)
void window(ARGS) {
  ROWS({
    long first = i - P, end = fminf(first + K, H);
    first = fmaxf(first, 0);
    for (long y = first; y < end; y++)
      s += in[y];
  })
}

// The length is computed with integers, too.
// CHECK-LABEL: kernel 0 @mean
// CHECK:           win j[%K]
// CHECK-NOT:       fptosi
// CHECK:           %out[i] = fdiv(s, sitofp(sub<nsw>(smin(index(i - %P + %K):i64, %H), smax(index(i - %P), 0)))
// CHECK:         needs    inrange(-9007199254740992 <= i - %P <= 9007199254740992)
void mean(ARGS) {
  ROWS({
    long first = i - P, end = fmin(first + K, H);
    first = fmax(first, 0);
    for (long y = first; y < end; y++)
      s += in[y];
    s /= end - first;
  })
}

// Of 32 bits no more than these.
// CHECK-LABEL: kernel 0 @narrow
// CHECK:           win j[%K]
// CHECK:         needs    inrange(-2147483648 <= i - %P <= 2147483647)
void narrow(ARGS) {
  ROWS({
    int first = fmax(i - P, 0), end = fmin(i - P + K, H);
    for (long y = first; y < end; y++)
      s += in[y];
  })
}

// Of loaded numbers no test can tell.
// CHECK-LABEL: kernel 0 @loaded
// CHECK:           fptosi(sitofp(
// CHECK-NOT:     inrange
void loaded(const int *restrict in, int *restrict out, long M) {
  for (long i = 0; i < M; i++)
    out[i] = (int)(float)in[i] + 1;
}

// A number that is not made of an integer.
// CHECK-LABEL: kernel 0 @scaled
// CHECK: missed @scaled line {{.*}}: UnknownTripCount
void scaled(ARGS) {
  ROWS({
    long first = fmaxf(i * 0.5f, 0), end = fminf(i - P + K, H);
    for (long y = first; y < end; y++)
      s += in[y];
  })
}
