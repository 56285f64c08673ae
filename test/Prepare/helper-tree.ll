; Helpers that call helpers: what would exceed the budget with all that it calls
; stays one call, and leaves room for others.
; RUN: %opt -passes='dl-prepare<loops>' -dl-budget=80 -verify-each -S %s | FileCheck %s
; RUN: %opt -passes='dl-prepare<loops>' -dl-budget=120 -S %s | FileCheck %s --check-prefix=FITS

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; 21 instructions, 46 with both, and 96.
define internal float @leaf(float %x) {
  %m0 = fmul float %x, 3.0
  %m1 = fmul float %m0, 3.0
  %m2 = fmul float %m1, 3.0
  %m3 = fmul float %m2, 3.0
  %m4 = fmul float %m3, 3.0
  %m5 = fmul float %m4, 3.0
  %m6 = fmul float %m5, 3.0
  %m7 = fmul float %m6, 3.0
  %m8 = fmul float %m7, 3.0
  %m9 = fmul float %m8, 3.0
  %m10 = fmul float %m9, 3.0
  %m11 = fmul float %m10, 3.0
  %m12 = fmul float %m11, 3.0
  %m13 = fmul float %m12, 3.0
  %m14 = fmul float %m13, 3.0
  %m15 = fmul float %m14, 3.0
  %m16 = fmul float %m15, 3.0
  %m17 = fmul float %m16, 3.0
  %m18 = fmul float %m17, 3.0
  %m19 = fmul float %m18, 3.0
  ret float %m19
}

define internal float @branch(float %x) {
  %a = call float @leaf(float %x)
  %b = call float @leaf(float %a)
  %r = fadd float %a, %b
  ret float %r
}

define internal float @tree(float %x) {
  %a = call float @branch(float %x)
  %b = call float @branch(float %a)
  %r = fadd float %a, %b
  ret float %r
}

define internal float @twice(float %x) {
  %r = fadd float %x, %x
  ret float %r
}

; CHECK-LABEL: define void @scale(
; CHECK: call float @tree(
; CHECK-NOT: call
; CHECK: ret void
; FITS-LABEL: define void @scale(
; FITS-NOT: call
; FITS: ret void
define void @scale(ptr %p, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a
  %t = call float @tree(float %v)
  %w = call float @twice(float %t)
  store float %w, ptr %a
  %i.next = add i64 %i, 1
  %c = icmp slt i64 %i.next, %n
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
