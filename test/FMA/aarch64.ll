; Neoverse V2 forwards what it adds up: an addition takes as long as a fused one. Its
; products take longer, so that of a recurrence is fused.
; REQUIRES: aarch64-registered-target
; RUN: %opt -passes=dl-fma,verify -S %s | FileCheck %s
; RUN: %opt -passes='print<dl-fma>' -disable-output %s | FileCheck %s --check-prefix=PRINT
; RUN: %opt -passes=dl-fma -S %s | llc -o - | FileCheck %s --check-prefix=ASM

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux-gnu"

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fmuladd.f64(double, double, double)

; CHECK-LABEL: define float @dot(
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
; PRINT: recurrence @dot %s: 2 cycles, {{DoesNotWait|FastestForm}}
define float @dot(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %m = fmul contract float %x, %y
  %s.next = fadd contract float %s, %m
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; CHECK-LABEL: define float @filter(
; CHECK:         %h.next = call contract float @llvm.fma.f32(float %p, float %h, float %bx)
; PRINT: recurrence @filter %h: 5 cycles, 4 with 1 fused with the product of the recurrence
define float @filter(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = phi float [ 0.0, %entry ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %bx = fmul contract float %q, %x
  %ah = fmul contract float %p, %h
  %h.next = fadd contract float %bx, %ah
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; The back end asks the flags of the sum alone.
; CHECK-LABEL: define float @product_strict(
; CHECK:         fadd float %z, %m
; ASM-LABEL: product_strict:
; ASM:         fmul
; ASM:         fadd
define float @product_strict(float %x, float %y, float %z) #0 {
  %m = fmul float %x, %y
  %s = fadd contract float %z, %m
  ret float %s
}

; CHECK-LABEL: define float @unknown(
; CHECK:         call contract float @llvm.fma.f32(float %p, float %h, float %bx)
define float @unknown(ptr %a, ptr %b, float %p, float %q, i64 %n) #1 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = phi float [ 0.0, %entry ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %bx = fmul contract float %q, %x
  %ah = fmul contract float %p, %h
  %h.next = fadd contract float %ah, %bx
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

attributes #0 = { "target-cpu"="neoverse-v2" }
attributes #1 = { "target-cpu"="generic" }
