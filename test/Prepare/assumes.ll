; LLVM's simplifications compare every comparison with every assumption, so a clone
; takes in only so many: 125 of them, and the call with 125 more stays.
; RUN: %opt -passes='dl-prepare<loops>' -S %s | FileCheck %s

declare void @body(i64)
declare void @llvm.assume(i1)

define internal void @assume5(i64 %i, i64 %a) {
  %a0 = add i64 %a, 0
  %c0 = icmp ne i64 %i, %a0
  call void @llvm.assume(i1 %c0)
  %a1 = add i64 %a, 1
  %c1 = icmp ne i64 %i, %a1
  call void @llvm.assume(i1 %c1)
  %a2 = add i64 %a, 2
  %c2 = icmp ne i64 %i, %a2
  call void @llvm.assume(i1 %c2)
  %a3 = add i64 %a, 3
  %c3 = icmp ne i64 %i, %a3
  call void @llvm.assume(i1 %c3)
  %a4 = add i64 %a, 4
  %c4 = icmp ne i64 %i, %a4
  call void @llvm.assume(i1 %c4)
  ret void
}

define internal void @assume25(i64 %i, i64 %a) {
  %a0 = add i64 %a, 0
  call void @assume5(i64 %i, i64 %a0)
  %a1 = add i64 %a, 5
  call void @assume5(i64 %i, i64 %a1)
  %a2 = add i64 %a, 10
  call void @assume5(i64 %i, i64 %a2)
  %a3 = add i64 %a, 15
  call void @assume5(i64 %i, i64 %a3)
  %a4 = add i64 %a, 20
  call void @assume5(i64 %i, i64 %a4)
  ret void
}

define internal void @assume125(i64 %i, i64 %a) {
  %a0 = add i64 %a, 0
  call void @assume25(i64 %i, i64 %a0)
  %a1 = add i64 %a, 25
  call void @assume25(i64 %i, i64 %a1)
  %a2 = add i64 %a, 50
  call void @assume25(i64 %i, i64 %a2)
  %a3 = add i64 %a, 75
  call void @assume25(i64 %i, i64 %a3)
  %a4 = add i64 %a, 100
  call void @assume25(i64 %i, i64 %a4)
  ret void
}

; CHECK-LABEL: define void @f(
; CHECK-COUNT-125: call void @llvm.assume
; CHECK-NOT: call void @llvm.assume
; CHECK: call void @assume5(
define void @f() {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @body(i64 %i)
  call void @assume125(i64 %i, i64 1000)
  call void @assume125(i64 %i, i64 2000)
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, 500
  br i1 %done, label %exit, label %loop

exit:
  ret void
}
