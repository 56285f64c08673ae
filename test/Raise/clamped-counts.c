// A number of rounds that is clamped to what is no negative one is the number
// itself: loops have no round where that is negative, either.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// As compilers of Python count down.
// CHECK-LABEL: @down mean f32
// CHECK: red j[%n]
void down(long rows, long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < rows; i++) {
    float sum = 0;
    for (long j = 0, left = n < 1 ? 0 : n; left > 0; left--, j++)
      sum += x[i * n + j];
    y[i] = sum / (float)n;
  }
}

// CHECK-LABEL: @up mean f32
// CHECK: red j[%n]
void up(long rows, long n, const float *restrict x, float *restrict y) {
  long count = n > 0 ? n : 0;
  for (long i = 0; i < rows; i++) {
    float sum = 0;
    for (long j = 0; j < count; j++)
      sum += x[i * n + j];
    y[i] = sum / (float)n;
  }
}

// CHECK-LABEL: @narrow
// CHECK: par i[%n]
void narrow(int n, const float *restrict x, float *restrict y) {
  int count = n >= 0 ? n : 0;
  for (int i = 0; i < count; i++)
    y[i] = x[i] * n;
}

// What is a round less than others have is another number.
// CHECK-LABEL: @fewer
// CHECK: par i[%"n."]
void fewer(long n, const float *restrict x, float *restrict y) {
  long count = n > 5 ? n : 0;
  for (long i = 0; i < count; i++)
    y[i] = x[i] * n;
}

// CHECK-LABEL: @once
// CHECK: par i[%"n."]
void once(long n, const float *restrict x, float *restrict y) {
  long count = n > 0 ? n : 1;
  for (long i = 0; i < count; i++)
    y[i] = x[i] * n;
}

// Without a sign a negative number is a large one.
// CHECK-LABEL: @large
// CHECK: par i[%"n."]
void large(unsigned long n, const float *restrict x, float *restrict y) {
  unsigned long count = n < 9 ? n : 0;
  for (unsigned long i = 0; i < count; i++)
    y[i] = x[i] * n;
}

// Where the counter ends is 0 of a negative number, so there has to be none.
// CHECK-LABEL: @end
// CHECK: inrange(0 <= %n <= 9223372036854775807)
long end(long n, const float *restrict x, float *restrict y) {
  long count = n > 0 ? n : 0, i;
  for (i = 0; i < count; i++)
    y[i] = x[i] * 2;
  return i;
}
