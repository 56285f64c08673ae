// Tests whether two pointers into one array differ are conditions: where a loop
// counts up to where they are equal, they say that it has rounds.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-LABEL: kernel 0 @first_of_rest
// CHECK: s = 1.0  where %n == 1
// CHECK: s = %a[i]  where %n >= 2
// CHECK: red j[%n - 1]
// CHECK: needs {{.*}}inrange(0 <= %n - 1 <= {{[0-9]+}})
void first_of_rest(float *restrict c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    const float *p = a + i * n, *e = p + n;
    float s = 1;
    if (p + 1 != e)
      s = *p;
    while (++p != e)
      s += *p;
    c[i] = s;
  }
}

// Where nothing counts up to it, the end may be on either side.
// CHECK-LABEL: kernel 0 @either_side
// CHECK: s = 1.0  where %n == 1
// CHECK: s = %a[i]  if xor(icmp<eq>(%n, 1), true)
void either_side(float *restrict c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    const float *p = a + i * n, *e = p + n;
    float s = 1;
    if (p + 1 != e)
      s = a[i];
    for (long j = 0; j < 7; j++)
      s += a[i + j];
    c[i] = s;
  }
}

// Two arrays.
// CHECK-LABEL: missed @two_arrays {{.*}} PointerStored
void two_arrays(float *restrict c, const float *a, const float *e, long m,
                long n) {
  for (long i = 0; i < m; i++) {
    const float *p = a + i * n;
    float s = 1;
    if (p + 1 != e)
      s = *p;
    for (long j = 0; j < 7; j++)
      s += a[i + j];
    c[i] = s;
  }
}
