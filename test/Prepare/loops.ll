; Loops stay as the frontend made them: tests at the top, constant trip counts
; not unrolled, nothing hoisted, no-wrap flags and TBAA kept.
; Instructions as LLVM 22 simplifies and prints them.
; REQUIRES: llvm-22
; RUN: %opt -passes='dl-prepare<loops>' -verify-each -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; for (int k = 0; k < 3; k++) s += w[k] * x[i + k], every variable an alloca.
; CHECK-LABEL: define float @window(
; CHECK-NOT:     alloca
; CHECK:       {{^}}head:
; CHECK-DAG:     %[[S:.*]] = phi float
; CHECK-DAG:     %[[K:.*]] = phi i32
; CHECK:         icmp {{.*}} i32 %[[K]], 3
; CHECK-NEXT:    br i1
; CHECK:         %[[W:.*]] = load float, ptr %{{.*}}, align 4, !tbaa
; CHECK:         %[[I:.*]] = add nsw i32 %i, %[[K]]
; CHECK:         %[[X:.*]] = load float, ptr %{{.*}}, align 4, !tbaa
; CHECK:         fmul float %[[W]], %[[X]]
; CHECK:         add {{(nuw )?}}nsw i32 %[[K]], 1
; CHECK-NEXT:    br label %head
; CHECK:         ret float
define float @window(ptr %w, ptr %x, i32 %i) {
entry:
  %w.addr = alloca ptr
  %x.addr = alloca ptr
  %i.addr = alloca i32
  %s = alloca float
  %k = alloca i32
  store ptr %w, ptr %w.addr
  store ptr %x, ptr %x.addr
  store i32 %i, ptr %i.addr
  store float 0.0, ptr %s
  store i32 0, ptr %k
  br label %head
head:
  %k0 = load i32, ptr %k
  %c = icmp slt i32 %k0, 3
  br i1 %c, label %body, label %exit
body:
  %w0 = load ptr, ptr %w.addr
  %k1 = load i32, ptr %k
  %k1.ext = sext i32 %k1 to i64
  %wk = getelementptr inbounds float, ptr %w0, i64 %k1.ext
  %wv = load float, ptr %wk, align 4, !tbaa !1
  %x0 = load ptr, ptr %x.addr
  %i0 = load i32, ptr %i.addr
  %k2 = load i32, ptr %k
  %sum = add nsw i32 %i0, %k2
  %sum.ext = sext i32 %sum to i64
  %xk = getelementptr inbounds float, ptr %x0, i64 %sum.ext
  %xv = load float, ptr %xk, align 4, !tbaa !1
  %p = fmul float %wv, %xv
  %s0 = load float, ptr %s
  %s1 = fadd float %s0, %p
  store float %s1, ptr %s
  %k3 = load i32, ptr %k
  %inc = add nsw i32 %k3, 1
  store i32 %inc, ptr %k
  br label %head
exit:
  %r = load float, ptr %s
  ret float %r
}

; A load that does not change is not hoisted, a copy loop is no memcpy, and an
; initializing loop no memset.
; CHECK-LABEL: define void @copy_and_clear(
; CHECK-NOT:     call
; CHECK:         icmp slt i32 %{{.*}}, %n
; CHECK:         load ptr, ptr %s
; CHECK:         ret void
define void @copy_and_clear(ptr %s, ptr noalias %d, ptr noalias %z, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %base = load ptr, ptr %s
  %si = getelementptr inbounds float, ptr %base, i32 %i
  %di = getelementptr inbounds float, ptr %d, i32 %i
  %zi = getelementptr inbounds float, ptr %z, i32 %i
  %v = load float, ptr %si
  store float %v, ptr %di
  store float 0.0, ptr %zi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; Values used after a loop go through phis in its exit.
; CHECK-LABEL: define float @sum_with_early_exit(
; CHECK:         %{{.*}}.lcssa = phi float
; CHECK:         ret float
define float @sum_with_early_exit(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %latch ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  %neg = fcmp olt float %v, 0.0
  br i1 %neg, label %early, label %latch
latch:
  %s.next = fadd float %s, %v
  %i.next = add nsw i32 %i, 1
  br label %head
early:
  %twice = fmul float %s, 2.0
  ret float %twice
exit:
  ret float %s
}

!0 = !{!"float", !2}
!1 = !{!0, !0, i64 0}
!2 = !{!"tbaa root"}
