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
// RUN: %clang_dl -O2 -mavx2 -mfma -gline-tables-only -flto=thin -c %t/rows.c -o %t/rows.o \
// RUN:   -Rpass-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=AWAITS
// RUN: %preload %clang -O2 -flto=thin -fuse-ld=lld -shared -nostdlib %t/rows.o %t/dot.o -o %t/rows.so \
// RUN:   -Wl,--load-pass-plugin=%plugin -Wl,-mllvm,-pass-remarks=dl-vectorize 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: %clang_dl -O2 -mavx2 -mfma -gline-tables-only -c %t/rows.c -o %t/rows.o \
// RUN:   -Rpass=dl-vectorize 2>&1 | FileCheck %s --check-prefix=ALONE
// What LLVM does nearly as well waits for what is around it; a compilation without a
// link-time pipeline does not wait.
// AWAITS: rows.c:6:5: {{.*}}recognized; a loop around it calls what the link may know
// ROWS: rows.c:4:3: {{.*}} iterations of i, j in
// ALONE: rows.c:6:5: {{.*}} past the caches
//
// What the link may tell more of, and nothing else.
// RUN: %opt -S -passes='thinlto-pre-link<O2>' %t/marks.ll | FileCheck %s --check-prefix=MARKS
// MARKS: define void @calls_unknown({{[^!]*}}) {{[^!]*}}{
// MARKS: define void @calls_and_computes({{[^!]*}}) {{[^!]*}}{
// MARKS: call {{.*}}@dl.
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

//--- rows.c
float dot(const float *x, const float *y, long n);

void rows(long m, long n, const float *restrict x, float *restrict y) {
  for (long i = 0; i < m; i++) {
    float s = dot(x + i * n, x + i * n, n);
    for (long j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j] / s;
  }
}

//--- marks.ll
target triple = "x86_64-unknown-linux-gnu"

; As clang's modules say that a link follows.
!llvm.module.flags = !{!0}
!0 = !{i32 1, !"EnableSplitLTOUnit", i32 0}

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

define void @calls_and_computes(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 %n) "target-features"="+avx2,+fma" {
entry:
  br label %i.loop
i.loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %row = mul i64 %i, %n
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.latch ]
  br label %k.loop
k.loop:
  %k = phi i64 [ 0, %j.loop ], [ %k.next, %k.loop ]
  %s = phi float [ 0.0, %j.loop ], [ %t, %k.loop ]
  %ak = add i64 %row, %k
  %ap = getelementptr float, ptr %a, i64 %ak
  %x = load float, ptr %ap
  %bk = mul i64 %k, %n
  %bj = add i64 %bk, %j
  %bp = getelementptr float, ptr %b, i64 %bj
  %y = load float, ptr %bp
  %xy = fmul float %x, %y
  %t = fadd float %s, %xy
  %k.next = add i64 %k, 1
  %k.more = icmp ult i64 %k.next, %n
  br i1 %k.more, label %k.loop, label %j.latch
j.latch:
  %cj = add i64 %row, %j
  %cp = getelementptr float, ptr %c, i64 %cj
  store float %t, ptr %cp
  %j.next = add i64 %j, 1
  %j.more = icmp ult i64 %j.next, %n
  br i1 %j.more, label %j.loop, label %i.latch
i.latch:
  %i.next = add i64 %i, 1
  %i.more = icmp ult i64 %i.next, %n
  br i1 %i.more, label %i.loop, label %calls
calls:
  %l = phi i64 [ 0, %i.latch ], [ %l.next, %calls ]
  call void @unknown(ptr %c)
  %l.next = add i64 %l, 1
  %l.more = icmp ult i64 %l.next, %n
  br i1 %l.more, label %calls, label %exit
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
