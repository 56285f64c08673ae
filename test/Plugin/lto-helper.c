// A loop that calls what another module defines is looked at again at link time,
// where the callee is there: compiled and linked with the plugin.
//
// REQUIRES: native-x86, lld
//
// RUN: split-file %s %t
// RUN: %clang_dl -O2 -mavx2 -mfma -gline-tables-only -flto=thin -c %t/dot.c -o %t/dot.o
// RUN: %clang_dl -O2 -mavx2 -mfma -gline-tables-only -flto=thin -c %t/product.c -o %t/product.o -Rpass=dl-vectorize 2>&1 | count 0
// RUN: %preload %clang -O2 -flto=thin -fuse-ld=lld -shared -nostdlib %t/product.o %t/dot.o -o %t/thin.so \
// RUN:   -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=dl-vectorize 2>&1 | FileCheck %s
// CHECK: product.c:6:3: matmul.nt f32{{.*}} kernel number 1
//
// What the link may tell more of, and nothing else.
// RUN: %opt -S -passes='thinlto-pre-link<O2>' %t/marks.ll | FileCheck %s --check-prefix=MARKS
// MARKS: define void @calls_unknown({{[^!]*}}) {{[^!]*}}{
// MARKS: define void @calls_in_front({{.*}} !dl.processed
// MARKS: define float @calls_libm({{.*}} !dl.processed
// MARKS: define void @calls_what_ends({{.*}} !dl.processed

//--- dot.c
float dot(const float *x, const float *y, long n) {
  float sum = 0;
  for (long k = 0; k < n; k++)
    sum += x[k] * y[k];
  return sum;
}

//--- product.c
float dot(const float *x, const float *y, long n);

void product(long m, long n, long k, const float *restrict a,
             const float *restrict b, float *restrict c) {

  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      c[i * n + j] = dot(a + i * k, b + j * k, k);
}

//--- marks.ll
target triple = "x86_64-unknown-linux-gnu"

declare void @unknown(ptr)
declare float @expf(float)
declare void @fail() noreturn

define void @calls_unknown(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @unknown(ptr %p)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define void @calls_in_front(ptr %p, i64 %n) {
entry:
  call void @unknown(ptr %p)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %p, i64 %i
  store volatile float 1.0, ptr %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define float @calls_libm(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %e, %loop ]
  %e = call float @expf(float %s)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %e
}

define void @calls_what_ends(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %at = getelementptr float, ptr %p, i64 %i
  %x = load volatile float, ptr %at
  %bad = fcmp olt float %x, 0.0
  br i1 %bad, label %failed, label %latch
failed:
  call void @fail()
  unreachable
latch:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
