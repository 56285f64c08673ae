; What computes a function with the library's bits is there once for all loops that call
; it, and says nothing of its arguments that one of the calls promises. With a single call
; it is a part of its caller; what other modules may call stays.
;
; RUN: %opt -passes='dl-vectorize,verify' -mattr=+avx2,+fma -S %s | FileCheck %s
;
; CHECK: define hidden <8 x float> @called.elsewhere(
; CHECK-NOT: @called.by.nobody(
; CHECK: define internal i8 @dl.has.exp()
; CHECK-NOT: nofpclass
; CHECK: define internal void @dl.lanes.map.f32.0(
; CHECK-NOT: nofpclass
; CHECK: call <16 x float> @dl.math.exp.0(<16 x float>
; CHECK: define internal <16 x float> @dl.math.exp.0(<16 x float> %
; CHECK: call <16 x float> @dl.math.expf.ask.0(
; CHECK: define internal <16 x float> @dl.math.expf.ask.0(
; CHECK-NOT: nofpclass
; CHECK: call float @expf(float
; CHECK-NOT: nofpclass
; CHECK: define internal void @dl.lanes.map.f32.1(
; CHECK: call <16 x float> @dl.math.exp.0(
; CHECK: define internal void @dl.lanes.map.f32.2(
; CHECK-NOT: call <16 x float> @dl.math.log.
; CHECK: call <16 x float> @dl.math.logf.ask.0(
; CHECK-NOT: define internal <16 x float> @dl.math.log.
target triple = "x86_64-unknown-linux-gnu"

define hidden <8 x float> @called.elsewhere(<8 x float> %x) #0 {
  ret <8 x float> %x
}

define internal <8 x float> @called.by.nobody(<8 x float> %x) #0 {
  ret <8 x float> %x
}

define void @promised(ptr noalias %y, ptr noalias %x, i64 %n) #1 {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %r = call nofpclass(nan inf) float @expf(float nofpclass(nan inf) %v)
  %q = getelementptr float, ptr %y, i64 %i
  store float %r, ptr %q
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret void
}

define void @plain(ptr noalias %y, ptr noalias %x, i64 %n) #1 {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %e = call float @expf(float %v)
  %r = fadd float %e, 1.0
  %q = getelementptr float, ptr %y, i64 %i
  store float %r, ptr %q
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret void
}

define void @single(ptr noalias %y, ptr noalias %x, i64 %n) #1 {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %p
  %r = call float @logf(float %v)
  %q = getelementptr float, ptr %y, i64 %i
  store float %r, ptr %q
  %next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret void
}

declare float @expf(float) nounwind
declare float @logf(float) nounwind
attributes #1 = { nounwind }
attributes #0 = { noinline "dl-generated" "dl-shared" }
