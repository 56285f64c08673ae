; A value stands for a polynomial only where that holds for all inputs.
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s | FileCheck %s

; An inner loop without rounds leaves its index at i, not at m: the value after
; the loops is a state.
; CHECK-LABEL: kernel 0 @last
; CHECK-NOT:   index(%m)
define i32 @last(ptr noalias %c, i32 %n, i32 %m) {
entry:
  br label %i
i:
  %i.v = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %last = phi i32 [ -5, %entry ], [ %j.lcssa, %i.latch ]
  %i.test = icmp slt i32 %i.v, %n
  br i1 %i.test, label %j.pre, label %exit
j.pre:
  br label %j
j:
  %j.v = phi i32 [ %j.next, %body ], [ %i.v, %j.pre ]
  %j.test = icmp slt i32 %j.v, %m
  br i1 %j.test, label %body, label %i.latch
body:
  %w = zext nneg i32 %j.v to i64
  %p = getelementptr inbounds float, ptr %c, i64 %w
  store float 1.0, ptr %p
  %j.next = add nuw nsw i32 %j.v, 1
  br label %j
i.latch:
  %j.lcssa = phi i32 [ %j.v, %j ]
  %i.next = add nuw nsw i32 %i.v, 1
  br label %i
exit:
  %r = phi i32 [ %last, %i ]
  ret i32 %r
}
