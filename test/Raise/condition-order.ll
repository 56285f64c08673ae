; Conditions that read memory come behind those that were tested before them.
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s | FileCheck %s

; if (i > 0 && idx[i - 1] >= 6)
; CHECK-LABEL: kernel 0 @affine
; CHECK:       where i > 0, %idx[i - 1] >= 6
define void @affine(ptr noalias %c, ptr noalias %idx, i64 %n) {
entry:
  br label %i
i:
  %i.v = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %test = icmp slt i64 %i.v, %n
  br i1 %test, label %body, label %exit
body:
  %first = icmp sgt i64 %i.v, 0
  br i1 %first, label %read, label %latch
read:
  %before = add nsw i64 %i.v, -1
  %p = getelementptr inbounds i32, ptr %idx, i64 %before
  %x = load i32, ptr %p, !tbaa !1
  %second = icmp sgt i32 %x, 5
  br i1 %second, label %then, label %latch
then:
  %q = getelementptr inbounds float, ptr %c, i64 %i.v
  store float 1.0, ptr %q, !tbaa !3
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i.v, 1
  br label %i
exit:
  ret void
}

; if (mask[i] > 0 && idx[i] >= 6): the second must not be evaluated first.
; CHECK-LABEL: @predicate
; CHECK-NOT:   where %idx
define void @predicate(ptr noalias %c, ptr noalias %mask, ptr noalias %idx, i64 %n) {
entry:
  br label %i
i:
  %i.v = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %test = icmp slt i64 %i.v, %n
  br i1 %test, label %body, label %exit
body:
  %m.p = getelementptr inbounds float, ptr %mask, i64 %i.v
  %m = load float, ptr %m.p, !tbaa !3
  %first = fcmp ogt float %m, 0.0
  br i1 %first, label %read, label %latch
read:
  %p = getelementptr inbounds i32, ptr %idx, i64 %i.v
  %x = load i32, ptr %p, !tbaa !1
  %second = icmp sgt i32 %x, 5
  br i1 %second, label %then, label %latch
then:
  %q = getelementptr inbounds float, ptr %c, i64 %i.v
  store float 1.0, ptr %q, !tbaa !3
  br label %latch
latch:
  %i.next = add nuw nsw i64 %i.v, 1
  br label %i
exit:
  ret void
}

!1 = !{!2, !2, i64 0}
!2 = !{!"int", !5, i64 0}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !5, i64 0}
!5 = !{!"root"}
