; GPUs hide latencies by other threads: products and sums are fused where that is
; permitted, and nothing else is done.
; REQUIRES: nvptx-registered-target
; RUN: %opt -passes='dl-fma<free>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='print<dl-fma>' -disable-output %s | FileCheck %s --check-prefix=PRINT
; RUN: %opt -passes='dl-fma<free>' -S %s | llc -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fmuladd.f64(double, double, double)

; CHECK-LABEL: define float @dot(
; CHECK:         call float @llvm.fma.f32(float %x, float %y, float %s)
; PRINT: recurrence @dot %s: UnknownLatencies
; PTX: fma.rn.f32
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
  %s.next = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; CHECK-LABEL: define float @contract(
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
; PTX: fma.rn.f32
define float @contract(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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

; CHECK-LABEL: define float @strict_product(
; CHECK:         fadd float %s, %m
; PTX: mul.rn.f32
; PTX: add.rn.f32
define float @strict_product(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %m = fmul float %x, %y
  %s.next = fadd contract float %s, %m
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

attributes #0 = { "target-cpu"="sm_80" }
