// Ranges with their last element, as Rust goes over them.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// RUN: %opt -passes='dl-prepare<loops>' -S %t.ll | FileCheck %s --check-prefix=IR
// REQUIRES: x86-registered-target

#include <stdbool.h>

#define RANGE(T, I, FIRST, LAST)                                               \
  for (struct { T at; bool done; } I = {FIRST, false};                         \
       !(I.done || I.at > LAST);                                               \
       I.done = I.at < LAST ? I.done : true,                                   \
         I.at = I.at < LAST ? I.at + 1 : I.at)

// CHECK-LABEL: kernel 0 @causal
// CHECK:         par i[%[[ROUNDS:.*]]]
// CHECK:           red j[%n]
// CHECK:         needs    inrange(0 <= %[[ROUNDS]] <= 9223372036854775807)
void causal(float *restrict c, const float *a, const float *b, unsigned long n,
            unsigned long last) {
  RANGE(unsigned long, i, 0, last) {
    float s = 0;
    for (unsigned long k = 0; k < n; k++)
      s += a[k] * b[i.at * n + k];
    c[i.at] = s;
  }
}

// CHECK-LABEL: kernel 0 @from
// CHECK:         par i[%rounds]
// CHECK-NEXT:      %c[i + %first] = fmul(%c[i + %first], 2.0)
void from(float *c, int first, int last) {
  RANGE(int, i, first, last) c[i.at] *= 2;
}

// The last element is no longer the one that is compared with.
//
// CHECK-LABEL: missed @moving
void moving(float *c, unsigned first, unsigned last) {
  RANGE(unsigned, i, first, last) {
    c[i.at] *= 2;
    last -= c[i.at] > 1000;
  }
}

// Behind the loop the index is that of the last element.
//
// CHECK-LABEL: missed @behind
unsigned behind(float *c, unsigned first, unsigned last) {
  unsigned at = first;
  bool done = false;
  while (!(done || at > last)) {
    c[at] *= 2;
    bool more = at < last;
    done = more ? done : true;
    at = more ? at + 1 : at;
  }
  return at;
}

// As many as all numbers of the type: first + round wraps in signed arithmetic.
//
// CHECK-LABEL: kernel 0 @bytes
// IR-LABEL: define {{.*}}@bytes(
// IR:         trunc i64 %round to i8
// IR-NOT:     nsw i8
// IR:         ret void
void bytes(float *c, signed char first, signed char last) {
  RANGE(signed char, i, first, last) c[i.at] *= 2;
}
