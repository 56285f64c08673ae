; Recurrences that a loop waits for take the form with the fewest cycles; everything
; else is computed as LLVM does, by llvm.fma where one instruction does it.
; REQUIRES: x86-registered-target
; RUN: %opt -passes=dl-fma,verify -S %s | FileCheck %s --check-prefixes=CHECK,EXACT
; RUN: %opt -passes='dl-fma<free>,verify' -S %s | FileCheck %s --check-prefixes=CHECK,FREE
; RUN: env DLOPT_OPTIONS=fma=free %opt -passes=dl-fma,verify -S %s | FileCheck %s --check-prefixes=CHECK,FREE
; RUN: %opt -passes='print<dl-fma>' -disable-output %s | FileCheck %s --check-prefix=PRINT
; RUN: %opt -passes=dl-fma -pass-remarks=dl-fma -pass-remarks-analysis=dl-fma -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK
; A second run changes nothing, and limits count changes.
; RUN: %opt -passes='dl-fma<free>' -S %s -o %t.1.ll
; RUN: %opt -passes='dl-fma<free>,dl-fma<free>' -S %s | diff %t.1.ll -
; RUN: env DLOPT_LIMIT=0 %opt -passes=dl-fma -S %s | FileCheck %s --check-prefix=LIMIT

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fmuladd.f64(double, double, double)

; LLVM makes one instruction of it, so exact code does.
; CHECK-LABEL: define float @dot(
; EXACT:         call float @llvm.fma.f32(float %x, float %y, float %s)
; FREE:          [[M:%.*]] = fmul float %x, %y
; FREE-NEXT:     [[K:%.*]] = call float @llvm.arithmetic.fence.f32(float [[M]])
; FREE-NEXT:     fadd float [[K]], %s
; PRINT: recurrence @dot %s: 4 cycles, FusedByDefault: exact results are those of one instruction for a product and a sum (-ffp-contract=fast or fma=free permits two)
; REMARK: remark: {{.*}}recurrence of 4 cycles stays: exact results are those of one instruction
; LIMIT-LABEL: define float @dot(
; LIMIT: call float @llvm.fmuladd.f32
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

; CHECK-LABEL: define float @dot_contract(
; CHECK:         %m = fmul contract float %x, %y
; CHECK-NEXT:    [[K:%.*]] = call float @llvm.arithmetic.fence.f32(float %m)
; CHECK-NEXT:    %s.next = fadd float %s, [[K]]
; PRINT: recurrence @dot_contract %s: 4 cycles, 3 with 1 sums apart from their products
; REMARK: remark: {{.*}}recurrence of 4 cycles takes 3: 1 sums apart from their products
; LIMIT-LABEL: define float @dot_contract(
; LIMIT: fadd contract
define float @dot_contract(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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

; A product that is subtracted, and used elsewhere.
; CHECK-LABEL: define float @subtracted_product(
; FREE:          [[M:%.*]] = fmul float %x, %x
; FREE-NEXT:     [[K:%.*]] = call float @llvm.arithmetic.fence.f32(float [[M]])
; FREE-NEXT:     [[N:%.*]] = fneg float %ph
; FREE-NEXT:     fadd float [[K]], [[N]]
; EXACT:         [[N:%.*]] = fneg float %ph
; EXACT-NEXT:    call float @llvm.fma.f32(float %x, float %x, float [[N]])
define float @subtracted_product(ptr %a, ptr %o, float %p, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = phi float [ 0.0, %entry ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %ph = fmul float %p, %h
  %minus = fneg float %ph
  %h.next = call float @llvm.fmuladd.f32(float %x, float %x, float %minus)
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; The product of the recurrence is fused, not the other one.
; CHECK-LABEL: define float @filter(
; CHECK:         %bx = fmul contract float %q, %x
; CHECK-NEXT:    %h.next = call contract float @llvm.fma.f32(float %p, float %h, float %bx)
; PRINT: recurrence @filter %h: 7 cycles, 4 with 1 fused with the product of the recurrence
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

; CHECK-LABEL: define float @filter_minus(
; CHECK:         [[N:%.*]] = fneg contract float %p
; CHECK-NEXT:    %h.next = call contract float @llvm.fma.f32(float [[N]], float %h, float %bx)
define float @filter_minus(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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
  %h.next = fsub contract float %bx, %ah
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; CHECK-LABEL: define float @chain(
; CHECK:         [[M:%.*]] = fmul reassoc nsz contract float %x, %y
; CHECK:         [[F:%.*]] = call reassoc nsz contract float @llvm.fma.f32(float %x, float %x, float [[M]])
; CHECK-NEXT:    [[S:%.*]] = fsub reassoc nsz contract float [[F]], %y
; CHECK-NEXT:    %s.next = fadd nsz float %s, [[S]]
; PRINT: recurrence @chain %s: 11 cycles, 3 with 3 addends added up first
define float @chain(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; More of them are two sums, which stay two in the back end.
; CHECK-LABEL: define float @long_chain(
; CHECK:         [[M:%.*]] = fmul reassoc nsz contract float %x, %y
; CHECK:         [[F:%.*]] = call reassoc nsz contract float @llvm.fma.f32(float %y, float %y, float
; CHECK-NEXT:    [[S:%.*]] = fadd nsz float [[F]], %y
; CHECK-NEXT:    %s.next = fadd nsz float %s, [[S]]
define float @long_chain(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %xy = fmul reassoc nsz contract float %x, %y
  %s.1 = fadd reassoc nsz contract float %s, %xy
  %xx = fmul reassoc nsz contract float %x, %x
  %s.2 = fadd reassoc nsz contract float %s.1, %xx
  %px = fmul reassoc nsz contract float %p, %x
  %s.3 = fadd reassoc nsz contract float %s.2, %px
  %yy = fmul reassoc nsz contract float %y, %y
  %s.4 = fadd reassoc nsz contract float %s.3, %yy
  %s.next = fadd reassoc nsz contract float %s.4, %y
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %s.next
}

; CHECK-LABEL: define float @decay(
; CHECK:         [[R:%.*]] = fsub reassoc nsz contract float 1.000000e+00, %p
; CHECK:       loop:
; CHECK:         [[AX:%.*]] = fmul reassoc nsz contract float %p, %x
; CHECK-NEXT:    %h.next = call reassoc nsz contract float @llvm.fma.f32(float [[R]], float %h, float [[AX]])
; PRINT: recurrence @decay %h: 7 cycles, 4 with 1 of the form (1 - a)*h + a*x
define float @decay(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; CHECK-LABEL: define float @decay_minus(
; CHECK:         call reassoc nsz contract float @llvm.fma.f32(float %{{.*}}, float %h, float %{{.*}})
define float @decay_minus(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %h = phi float [ 0.0, %entry ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %i
  %y = load float, ptr %b.at
  %d = fsub reassoc nsz contract float %h, %x
  %ad = fmul reassoc nsz contract float %d, %p
  %h.next = fsub reassoc nsz contract float %h, %ad
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; The factor changes from round to round.
; CHECK-LABEL: define float @decay_varying(
; CHECK:       loop:
; CHECK:         [[R:%.*]] = fsub reassoc nsz contract float 1.000000e+00, %y
; CHECK-NEXT:    [[AX:%.*]] = fmul reassoc nsz contract float %y, %x
; CHECK-NEXT:    %h.next = call reassoc nsz contract float @llvm.fma.f32(float [[R]], float %h, float [[AX]])
define float @decay_varying(ptr %a, ptr %b, float %p, float %q, i64 %n) #0 {
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
  %ad = fmul reassoc nsz contract float %y, %d
  %h.next = fadd reassoc nsz contract float %h, %ad
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret float %h.next
}

; Loops have lost their preheaders and exits of their own by the end of a pipeline.
; CHECK-LABEL: define void @nest(
; CHECK:         call float @llvm.arithmetic.fence.f32(float %prod)
define void @nest(ptr %a, ptr %b, ptr %c, float %p, i64 %m, i64 %n) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %some = icmp sgt i64 %n, %i
  br i1 %some, label %loop, label %latch

loop:
  %j = phi i64 [ 0, %rows ], [ %j.next, %loop ]
  %s = phi float [ 0.0, %rows ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %j
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %j
  %y = load float, ptr %b.at
  %prod = fmul contract float %x, %y
  %s.next = fadd contract float %s, %prod
  %j.next = add nuw nsw i64 %j, 1
  %j.last = icmp eq i64 %j.next, %n
  br i1 %j.last, label %latch, label %loop

latch:
  %r = phi float [ 0.0, %rows ], [ %s.next, %loop ]
  %c.at = getelementptr inbounds float, ptr %c, i64 %i
  store float %r, ptr %c.at
  %i.next = add nuw nsw i64 %i, 1
  %i.last = icmp eq i64 %i.next, %m
  br i1 %i.last, label %exit, label %rows

exit:
  ret void
}

; CHECK-LABEL: define void @nest_of_decays(
; CHECK:         fsub reassoc nsz contract float 1.000000e+00, %p
; CHECK-NEXT:    fmul reassoc nsz contract float %p, %x
; CHECK-NEXT:    call reassoc nsz contract float @llvm.fma.f32(
define void @nest_of_decays(ptr %a, ptr %b, ptr %c, float %p, i64 %m, i64 %n) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %some = icmp sgt i64 %n, %i
  br i1 %some, label %loop, label %latch

loop:
  %j = phi i64 [ 0, %rows ], [ %j.next, %loop ]
  %h = phi float [ 0.0, %rows ], [ %h.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %j
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %j
  %y = load float, ptr %b.at
  %d = fsub reassoc nsz contract float %x, %h
  %ad = fmul reassoc nsz contract float %p, %d
  %h.next = fadd reassoc nsz contract float %h, %ad
  %j.next = add nuw nsw i64 %j, 1
  %j.last = icmp eq i64 %j.next, %n
  br i1 %j.last, label %latch, label %loop

latch:
  %r = phi float [ 0.0, %rows ], [ %h.next, %loop ]
  %c.at = getelementptr inbounds float, ptr %c, i64 %i
  store float %r, ptr %c.at
  %i.next = add nuw nsw i64 %i, 1
  %i.last = icmp eq i64 %i.next, %m
  br i1 %i.last, label %exit, label %rows

exit:
  ret void
}

; What generated code runs in the stead of has the same bits as that.
; CHECK-LABEL: define void @original(
; CHECK-NOT:     fence
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %s)
define void @original(ptr %a, ptr %b, ptr %c, float %p, i64 %m, i64 %n) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %some = icmp sgt i64 %n, %i
  br i1 %some, label %loop, label %latch

loop:
  %j = phi i64 [ 0, %rows ], [ %j.next, %loop ]
  %s = phi float [ 0.0, %rows ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %j
  %x = load float, ptr %a.at
  %b.at = getelementptr inbounds float, ptr %b, i64 %j
  %y = load float, ptr %b.at
  %prod = fmul contract float %x, %y
  %s.next = fadd contract float %s, %prod
  %j.next = add nuw nsw i64 %j, 1
  %j.last = icmp eq i64 %j.next, %n
  br i1 %j.last, label %latch, label %loop

latch:
  %r = phi float [ 0.0, %rows ], [ %s.next, %loop ]
  %c.at = getelementptr inbounds float, ptr %c, i64 %i
  store float %r, ptr %c.at
  %i.next = add nuw nsw i64 %i, 1
  %i.last = icmp eq i64 %i.next, %m
  br i1 %i.last, label %exit, label %rows, !llvm.loop !0

exit:
  ret void
}

; Vectors.
; CHECK-LABEL: define <8 x float> @vectors(
; CHECK:         [[K:%.*]] = call <8 x float> @llvm.arithmetic.fence.v8f32(<8 x float> %m)
; CHECK-NEXT:    fadd <8 x float> %s, [[K]]
define <8 x float> @vectors(ptr %a, <8 x float> %p, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi <8 x float> [ zeroinitializer, %entry ], [ %s.next, %loop ]
  %a.at = getelementptr inbounds float, ptr %a, i64 %i
  %x = load <8 x float>, ptr %a.at, align 4
  %m = fmul contract <8 x float> %x, %p
  %s.next = fadd contract <8 x float> %s, %m
  %i.next = add nuw nsw i64 %i, 8
  %last = icmp eq i64 %i.next, %n
  br i1 %last, label %exit, label %loop

exit:
  ret <8 x float> %s.next
}

; Where nothing leads to, what is computed may come behind its use.
; CHECK-LABEL: define float @unreachable(
; CHECK:         call contract float @llvm.fma.f32(
define float @unreachable(float %x, float %y, float %z) #0 {
entry:
  ret float %x

dead:
  %s = fadd contract float %z, %m
  %m = fmul contract float %x, %y
  br label %dead
}

; Straight code: products in other blocks and behind negations.
; CHECK-LABEL: define float @blocks(
; CHECK-NOT:     fmul
; CHECK:         call contract float @llvm.fma.f32(float %x, float %y, float %z)
define float @blocks(float %x, float %y, float %z, i1 %c) #0 {
entry:
  %m = fmul contract float %x, %y
  br i1 %c, label %then, label %exit

then:
  %s = fadd contract float %m, %z
  br label %exit

exit:
  %r = phi float [ %s, %then ], [ %z, %entry ]
  ret float %r
}

; CHECK-LABEL: define float @negated(
; CHECK:         [[N:%.*]] = fneg contract float %x
; CHECK-NEXT:    call contract float @llvm.fma.f32(float [[N]], float %y, float %z)
define float @negated(float %x, float %y, float %z) #0 {
  %m = fmul contract float %x, %y
  %n = fneg float %m
  %s = fadd contract float %z, %n
  ret float %s
}

; CHECK-LABEL: define float @subtracted(
; CHECK:         [[N:%.*]] = fneg contract float %z
; CHECK-NEXT:    call contract float @llvm.fma.f32(float %x, float %y, float [[N]])
define float @subtracted(float %x, float %y, float %z) #0 {
  %m = fmul contract float %x, %y
  %s = fsub contract float %m, %z
  ret float %s
}

attributes #0 = { "target-cpu"="znver4" }

!0 = distinct !{!0, !1}
!1 = !{!"dl.original"}
