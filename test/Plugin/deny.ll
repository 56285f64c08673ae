; The deny list and the opt-outs of functions leave the IR as it is, whatever the
; function holds.
; REQUIRES: x86-registered-target
;
; RUN: echo "fun:denied" > %t.list
; RUN: %opt -S -passes='dl<O3>' -dl-deny=%t.list %s | FileCheck %s --check-prefix=FUN
; RUN: %opt -S -passes='dl<O3>' %s | FileCheck %s --check-prefix=ON
; ON-LABEL: define void @denied(
; ON: call void @dl.
; ON: define void @switched_off(
;
; RUN: echo "src:*deny.ll" > %t.src
; RUN: env DLOPT_OPTIONS=deny=%t.src %opt -S -passes='dl<O3>' %s > %t.off.ll
; RUN: %opt -S -passes=verify %s > %t.plain.ll
; RUN: diff %t.off.ll %t.plain.ll
; RUN: env DLOPT_OPTIONS=enable=0 %opt -S -passes='dl<O3>' %s | diff - %t.plain.ll
; RUN: %opt -S -passes='dl<O3>' -dl-enable=0 %s | diff - %t.plain.ll
; RUN: env DLOPT_LIMIT=0 %opt -S -passes='dl-vectorize' %s | FileCheck %s --check-prefix=LIMIT
;
; FUN-LABEL: define void @denied(
; FUN-NOT: call void @dl.
; FUN-LABEL: define void @switched_off(
; FUN-NOT: call void @dl.
; FUN: ret void
; LIMIT-NOT: call void @dl.

target triple = "x86_64-unknown-linux-gnu"

define void @denied(i64 %n, ptr %a, ptr %b, ptr %c) "target-features"="+avx2,+fma" {
entry:
  %empty = icmp slt i64 %n, 1
  br i1 %empty, label %exit, label %i.loop

i.loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %row = mul nsw i64 %i, %n
  br label %j.loop

j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.latch ]
  br label %k.loop

k.loop:
  %k = phi i64 [ 0, %j.loop ], [ %k.next, %k.loop ]
  %s = phi float [ 0.0, %j.loop ], [ %s.next, %k.loop ]
  %ak = add nsw i64 %row, %k
  %pa = getelementptr inbounds float, ptr %a, i64 %ak
  %va = load float, ptr %pa
  %bk = mul nsw i64 %k, %n
  %bj = add nsw i64 %bk, %j
  %pb = getelementptr inbounds float, ptr %b, i64 %bj
  %vb = load float, ptr %pb
  %s.next = call float @llvm.fmuladd.f32(float %va, float %vb, float %s)
  %k.next = add nuw nsw i64 %k, 1
  %k.again = icmp slt i64 %k.next, %n
  br i1 %k.again, label %k.loop, label %j.latch

j.latch:
  %cj = add nsw i64 %row, %j
  %pc = getelementptr inbounds float, ptr %c, i64 %cj
  store float %s.next, ptr %pc
  %j.next = add nuw nsw i64 %j, 1
  %j.again = icmp slt i64 %j.next, %n
  br i1 %j.again, label %j.loop, label %i.latch

i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.again = icmp slt i64 %i.next, %n
  br i1 %i.again, label %i.loop, label %exit

exit:
  ret void
}

define void @switched_off(i64 %n, ptr %a) "dl-enable"="0" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds float, ptr %a, i64 %i
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %i.next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %i.next, %n
  br i1 %again, label %loop, label %exit

exit:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)
