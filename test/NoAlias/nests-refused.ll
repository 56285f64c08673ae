; Nests that stay as they are: in each one precondition of the first is broken.
;
; RUN: %opt -passes='dl-noalias<nests>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='dl-noalias<nests>' -pass-remarks-output=%t -disable-output %s
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @unknown() nounwind willreturn
declare void @throws()
declare void @barrier() convergent nounwind willreturn memory(none)
declare i32 @setjmp(ptr) returns_twice

; struct { int8_t *x, *y; long n; } *p;  do p->y[i] += p->x[i]; while (++i < p->n);
; CHECK-LABEL: define void @taken(
; CHECK: !dl.guard
; REMARK: Name: Versioned
; REMARK: Function: taken
define void @taken(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @volatile_bound(
; CHECK-NOT: dl.nest
; REMARK: Name: Volatile
; REMARK: Function: volatile_bound
define void @volatile_bound(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load volatile i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @atomic_bound(
; CHECK-NOT: dl.nest
; REMARK: Name: Atomic
; REMARK: Function: atomic_bound
define void @atomic_bound(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load atomic i64, ptr %n.at monotonic, align 8
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @fenced(
; CHECK-NOT: dl.nest
; REMARK: Name: Atomic
; REMARK: Function: fenced
define void @fenced(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  fence seq_cst
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; It may move what the struct points to.
; CHECK-LABEL: define void @calls(
; CHECK-NOT: dl.nest
; REMARK: Name: UnknownCall
; REMARK: Function: calls
define void @calls(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  call void @unknown()
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @throws_(
; CHECK-NOT: dl.nest
; REMARK: Name: MayThrow
; REMARK: Function: throws_
define void @throws_(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  call void @throws()
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Another thread may change what is behind a barrier.
; CHECK-LABEL: define void @barriers(
; CHECK-NOT: dl.nest
; REMARK: Name: Convergent
; REMARK: Function: barriers
define void @barriers(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  call void @barrier()
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @left_early(
; CHECK-NOT: dl.nest
; REMARK: Name: MultipleExits
; REMARK: Function: left_early
define void @left_early(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %zero = icmp eq i8 %a, 0
  br i1 %zero, label %exit, label %body

body:
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The loop changes its own bound.
; CHECK-LABEL: define void @writes_bound(
; CHECK-NOT: dl.nest
; REMARK: Name: UnknownTripCount
; REMARK: Function: writes_bound
define void @writes_bound(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  store i64 %i, ptr %n.at
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Copies of structs, one byte of sixteen, would be done one by one.
; CHECK-LABEL: define void @far_apart(
; CHECK-NOT: dl.nest
; REMARK: Name: StaysScalar
; REMARK: Function: far_apart
define void @far_apart(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds { i64, i8 }, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds { i64, i8 }, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; No more than seven rounds.
; CHECK-LABEL: define void @few(
; CHECK-NOT: dl.nest
; REMARK: Name: StaysScalar
; REMARK: Function: few
define void @few(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %low = and i64 %n, 7
  %more = icmp slt i64 %i.next, %low
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @scatters(
; CHECK-NOT: dl.nest
; REMARK: Name: NonAffineAccess
; REMARK: Function: scatters
define void @scatters(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %at.i = getelementptr inbounds i64, ptr %idx, i64 %i
  %at = load i64, ptr %at.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %at
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @ends_by_data(
; CHECK-NOT: dl.nest
; REMARK: Name: UnknownTripCount
; REMARK: Function: ends_by_data
define void @ends_by_data(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ne i8 %a, 0
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The bound is behind a pointer that is read after the store: which may be another by then.
; CHECK-LABEL: define void @follows_late(
; CHECK-NOT: dl.nest
; REMARK: Name: NotReached
; REMARK: Function: follows_late
define void @follows_late(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %q = load ptr, ptr %n.at
  %n = load i64, ptr %q
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; The struct may have no y where no x is positive.
; CHECK-LABEL: define void @reads_sometimes(
; CHECK-NOT: dl.nest
; REMARK: Name: NotReached
; REMARK: Function: reads_sometimes
define void @reads_sometimes(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %pos = icmp sgt i8 %a, 0
  br i1 %pos, label %then, label %latch

then:
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  br label %latch

latch:
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @set_jumps(
; CHECK-NOT: dl.nest
; REMARK: Name: UnusualControlFlow
; REMARK: Function: set_jumps
define void @set_jumps(ptr %p, ptr %idx) {
entry:
  %j = call i32 @setjmp(ptr %idx)
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @small(
; CHECK-NOT: dl.nest
; REMARK: Name: OptSize
; REMARK: Function: small
define void @small(ptr %p, ptr %idx) optsize {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @smallest(
; CHECK-NOT: dl.nest
; REMARK: Name: OptSize
; REMARK: Function: smallest
define void @smallest(ptr %p, ptr %idx) minsize {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @sanitized(
; CHECK-NOT: dl.nest
; REMARK: Name: Instrumented
; REMARK: Function: sanitized
define void @sanitized(ptr %p, ptr %idx) sanitize_address {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @strict(
; CHECK-NOT: dl.nest
; REMARK: Name: StrictFP
; REMARK: Function: strict
define void @strict(ptr %p, ptr %idx) strictfp {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-LABEL: define void @denied(
; CHECK-NOT: dl.nest
; REMARK: Name: Denied
; REMARK: Function: denied
define void @denied(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:
  ret void
}

; CHECK-LABEL: define void @other_space(
; CHECK-NOT: dl.nest
; REMARK: Name: AddressSpace
; REMARK: Function: other_space
define void @other_space(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr addrspace(1), ptr %p
  %x.i = getelementptr inbounds i8, ptr addrspace(1) %x, i64 %i
  %a = load i8, ptr addrspace(1) %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; No remark: nothing would be gained.
; CHECK-LABEL: define void @not_optimized(
; CHECK-NOT: dl.nest
; REMARK-NOT: Function: not_optimized
define void @not_optimized(ptr %p, ptr %idx) optnone noinline {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; What is read again is a factor: LLVM's vectorizer tests by itself.
; CHECK-LABEL: define void @scales(
; CHECK-NOT: dl.nest
; REMARK-NOT: Function: scales
define void @scales(ptr %x, ptr %s, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x.i = getelementptr inbounds float, ptr %x, i64 %i
  %a = load float, ptr %x.i
  %f = load float, ptr %s
  %m = fmul float %a, %f
  store float %m, ptr %x.i
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; Types say that the bound is not what is stored.
; CHECK-LABEL: define void @typed(
; CHECK-NOT: dl.nest
; REMARK-NOT: Function: typed
define void @typed(ptr %p, ptr %idx) {
entry:
  %y.at = getelementptr inbounds i8, ptr %p, i64 8
  %n.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = load ptr, ptr %p, !tbaa !5
  %x.i = getelementptr inbounds i8, ptr %x, i64 %i
  %a = load i8, ptr %x.i
  %y = load ptr, ptr %y.at, !tbaa !5
  %y.i = getelementptr inbounds i8, ptr %y, i64 %i
  %b = load i8, ptr %y.i
  %s = add i8 %a, %b
  store i8 %s, ptr %y.i, !tbaa !2
  %i.next = add nuw nsw i64 %i, 1
  %n = load i64, ptr %n.at, !tbaa !5
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
!2 = !{!3, !3, i64 0}
!3 = !{!"float", !4, i64 0}
!4 = !{!"root"}
!5 = !{!6, !6, i64 0}
!6 = !{!"pointer", !4, i64 0}
