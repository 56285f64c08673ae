; CPUs whose tuning prefers vectors of 256 bits, in functions that need no wider ones, as
; clang has them: the instructions are the same, and take as long.
; REQUIRES: x86-registered-target
; RUN: %opt -passes='print<dl-fma>' -disable-output %s | FileCheck %s --check-prefix=PRINT
; RUN: %opt -passes=dl-fma,verify -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; PRINT: recurrence @adds_faster %s: 4 cycles, 3 with 1 sums apart from their products
; CHECK-LABEL: @adds_faster
; CHECK: fmul contract float
; CHECK: call float @llvm.arithmetic.fence.f32
; CHECK-NEXT: fadd float
define float @adds_faster(ptr %a, ptr %b, i64 %n) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %q = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %p
  %y = load float, ptr %q
  %m = fmul contract float %x, %y
  %sum = fadd contract float %m, %s
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; Also where that is said of the code.
; PRINT: recurrence @said %s: 4 cycles, 3 with 1 sums apart from their products
define float @said(ptr %a, ptr %b, i64 %n) #1 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %q = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %p
  %y = load float, ptr %q
  %m = fmul contract float %x, %y
  %sum = fadd contract float %m, %s
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

; PRINT: recurrence @as_fast %s: 4 cycles, FastestForm
; CHECK-LABEL: @as_fast
; CHECK: call contract float @llvm.fma.f32
define float @as_fast(ptr %a, ptr %b, i64 %n) #2 {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %q = getelementptr float, ptr %b, i64 %i
  %x = load float, ptr %p
  %y = load float, ptr %q
  %m = fmul contract float %x, %y
  %sum = fadd contract float %m, %s
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret float %sum
}

attributes #0 = { "target-cpu"="sapphirerapids" "min-legal-vector-width"="0" }
attributes #1 = { "target-cpu"="sapphirerapids" "min-legal-vector-width"="0" "prefer-vector-width"="256" }
attributes #2 = { "target-cpu"="icelake-server" "min-legal-vector-width"="0" }
