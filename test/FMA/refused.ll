; What stays as it is: one precondition is broken in each.
; REQUIRES: x86-registered-target
; RUN: %opt -passes='dl-fma<free>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='print<dl-fma>' -disable-output %s | FileCheck %s --check-prefix=PRINT

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fmuladd.f64(double, double, double)

; What is there is never split.
; CHECK-LABEL: define float @fused(
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
; PRINT: recurrence @fused %s: 4 cycles, FastestForm: no other form takes less time
define float @fused(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %s.next = call contract float @llvm.fma.f32(float %x, float %y, float %s)
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; The flag is on one side only.
; CHECK-LABEL: define float @product_strict(
; CHECK:         %m = fmul float %x, %y
; CHECK-NEXT:    %s.next = fadd float %s, %m
define float @product_strict(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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

; CHECK-LABEL: define float @sum_strict(
; CHECK:         %m = fmul contract float %x, %y
; CHECK-NEXT:    %s.next = fadd float %s, %m
define float @sum_strict(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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
  %s.next = fadd float %s, %m
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; Horner: the recurrence goes through a factor.
; CHECK-LABEL: define float @factor(
; CHECK:         call float @llvm.fma.f32(float %s, float %p, float %x)
; PRINT: recurrence @factor %s: 4 cycles, FastestForm
define float @factor(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %s.next = call float @llvm.fmuladd.f32(float %s, float %p, float %x)
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; The loop has more to do than its recurrences take.
; CHECK-LABEL: define float @busy(
; CHECK-COUNT-4: call contract float @llvm.fma.f32(
; PRINT: recurrence @busy %s: 4 cycles, DoesNotWait: the loop does not wait for it
define float @busy(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %t = phi float [ 0.0, %entry ], [ %t.next, %loop ]
  %u = phi float [ 0.0, %entry ], [ %u.next, %loop ]
  %v = phi float [ 0.0, %entry ], [ %v.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %x0.at = getelementptr inbounds float, ptr %a.at, i64 7
  %x0 = load volatile float, ptr %x0.at
  %y0.at = getelementptr inbounds float, ptr %b.at, i64 7
  %y0 = load volatile float, ptr %y0.at
  %z0 = load volatile float, ptr %b.at
  %m0 = fmul contract float %x0, %y0
  %s.next = fadd contract float %s, %m0
  %x1.at = getelementptr inbounds float, ptr %a.at, i64 8
  %x1 = load volatile float, ptr %x1.at
  %y1.at = getelementptr inbounds float, ptr %b.at, i64 8
  %y1 = load volatile float, ptr %y1.at
  %z1 = load volatile float, ptr %b.at
  %m1 = fmul contract float %x1, %y1
  %t.next = fadd contract float %t, %m1
  %x2.at = getelementptr inbounds float, ptr %a.at, i64 9
  %x2 = load volatile float, ptr %x2.at
  %y2.at = getelementptr inbounds float, ptr %b.at, i64 9
  %y2 = load volatile float, ptr %y2.at
  %z2 = load volatile float, ptr %b.at
  %m2 = fmul contract float %x2, %y2
  %u.next = fadd contract float %u, %m2
  %x3.at = getelementptr inbounds float, ptr %a.at, i64 10
  %x3 = load volatile float, ptr %x3.at
  %y3.at = getelementptr inbounds float, ptr %b.at, i64 10
  %y3 = load volatile float, ptr %y3.at
  %z3 = load volatile float, ptr %b.at
  %m3 = fmul contract float %x3, %y3
  %v.next = fadd contract float %v, %m3
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; A partial sum is read.
; CHECK-LABEL: define float @partial(
; CHECK:         %s1 = fadd reassoc nsz float %s, %{{.*}}
; CHECK:         store float %s1
define float @partial(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %m = fmul reassoc nsz contract float %x, %y
  %s1 = fadd reassoc nsz contract float %s, %m
  store float %s1, ptr %a.at
  %m2 = fmul reassoc nsz contract float %x, %x
  %s2 = fadd reassoc nsz contract float %s1, %m2
  %s.next = fsub reassoc nsz contract float %s2, %y
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; The sum so far is read in the loop by something else.
; CHECK-LABEL: define float @read(
; CHECK:         %s1 = fadd reassoc nsz float %s, %{{.*}}
define float @read(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %m = fmul reassoc nsz contract float %x, %y
  %s1 = fadd reassoc nsz contract float %s, %m
  %m2 = fmul reassoc nsz contract float %x, %x
  %s2 = fadd reassoc nsz contract float %s1, %m2
  %s.next = fsub reassoc nsz contract float %s2, %y
  store float %s, ptr %a.at
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; Another order is not permitted, or not of zeros.
; CHECK-LABEL: define float @signed_zeros(
; CHECK:         %s1 = fadd reassoc float %s, %{{.*}}
define float @signed_zeros(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %m = fmul reassoc contract float %x, %y
  %s1 = fadd reassoc contract float %s, %m
  %m2 = fmul reassoc contract float %x, %x
  %s2 = fadd reassoc contract float %s1, %m2
  %s.next = fsub reassoc contract float %s2, %y
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; CHECK-LABEL: define float @decay_exact(
; CHECK:         %d = fsub contract float %x, %h
; CHECK:         call contract float @llvm.fma.f32(float %p, float %d, float %h)
; PRINT: recurrence @decay_exact %h: 7 cycles, FastestForm
define float @decay_exact(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = phi float [ 0.0, %entry ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %d = fsub contract float %x, %h
  %ad = fmul contract float %p, %d
  %h.next = fadd contract float %h, %ad
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; CHECK-LABEL: define float @decay_difference(
; CHECK:         %d = fsub reassoc nsz contract float %x, %h
; CHECK:         store float %d
define float @decay_difference(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = phi float [ 0.0, %entry ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %d = fsub reassoc nsz contract float %x, %h
  %ad = fmul reassoc nsz contract float %p, %d
  %h.next = fadd reassoc nsz contract float %h, %ad
  store float %d, ptr %a.at
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; CHECK-LABEL: define double @widened(
; CHECK:         %m = fmul contract float %x, %y
; CHECK-NEXT:    %w = fpext float %m to double
; CHECK-NEXT:    fadd contract double %s, %w
define double @widened(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %m = fmul contract float %x, %y
  %w = fpext float %m to double
  %s.next = fadd contract double %s, %w
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret double %s.next
}

; A product that is used twice would be computed twice.
; CHECK-LABEL: define float @shared(
; CHECK:         %m = fmul contract float %x, %y
; CHECK:         fadd contract float %m, %z
define float @shared(float %x, float %y, float %z, ptr %p) #0 {
  %m = fmul contract float %x, %y
  store float %m, ptr %p
  %s = fadd contract float %m, %z
  ret float %s
}

; A product in front of a loop is computed once there.
; CHECK-LABEL: define float @outside(
; CHECK:         %m = fmul contract float %p, %q
; CHECK:         fadd contract float %s, %m
define float @outside(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  %m = fmul contract float %p, %q
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %s.next = fadd contract float %s, %m
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; PRINT-NOT: recurrence @{{strict|sse2|soft|small|none|switched_off}}
; Strict semantics, no instruction, wishes of the source.
; CHECK-LABEL: define float @strict(
; CHECK:         fadd contract float %s, %m
define float @strict(ptr %a, ptr %b, float %p, float %q, i64 %n) #1 {
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

; CHECK-LABEL: define float @sse2(
; CHECK:         call float @llvm.fmuladd.f32(
define float @sse2(ptr %a, ptr %b, float %p, float %q, i64 %n) #2 {
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

; CHECK-LABEL: define float @soft(
; CHECK:         call float @llvm.fmuladd.f32(
define float @soft(ptr %a, ptr %b, float %p, float %q, i64 %n) #3 {
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

; CHECK-LABEL: define float @small(
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
define float @small(ptr %a, ptr %b, float %p, float %q, i64 %n) #4 {
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

; CHECK-LABEL: define float @none(
; CHECK:         fadd contract float %s, %m
define float @none(ptr %a, ptr %b, float %p, float %q, i64 %n) #5 {
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

; CHECK-LABEL: define float @switched_off(
; CHECK:         fadd contract float %s, %m
define float @switched_off(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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
  br i1 %last, label %exit, label %loop, !llvm.loop !0

exit:
  ret float %s.next
}

; Nobody knows how long instructions take.
; CHECK-LABEL: define float @unknown(
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
; PRINT: recurrence @unknown %s: UnknownLatencies: the latencies of this CPU are not known (-mcpu, -march or -mtune names one)
define float @unknown(ptr %a, ptr %b, float %p, float %q, i64 %n) #6 {
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

; An addition takes as long there.
; CHECK-LABEL: define float @skylake(
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
; PRINT: recurrence @skylake %s: 4 cycles, FastestForm
define float @skylake(ptr %a, ptr %b, float %p, float %q, i64 %n) #7 {
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

attributes #0 = { "target-cpu"="znver4" }
attributes #1 = { strictfp "target-cpu"="znver4" }
attributes #2 = { "target-cpu"="x86-64" }
attributes #3 = { noimplicitfloat "target-cpu"="znver4" "target-features"="+soft-float" }
attributes #4 = { optsize "target-cpu"="znver4" }
attributes #5 = { noinline optnone "target-cpu"="znver4" }
attributes #6 = { "target-cpu"="x86-64-v3" }
attributes #7 = { "target-cpu"="skylake-avx512" }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.width", i32 1}
