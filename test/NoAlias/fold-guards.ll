; A guard's disjointness tests become true where both pointers are known to point
; into distinct objects by now; its other tests stay.
;
; RUN: %opt -passes='dl-noalias<prepared>' -S %s | FileCheck %s

@A = internal global [4096 x float] zeroinitializer
@C = internal global [4096 x float] zeroinitializer

; CHECK-LABEL: @distinct_globals(
; CHECK: [[KNOWN:%.*]] = freeze i1 true
; CHECK: [[ALL:%.*]] = and i1 [[KNOWN]], %small
; CHECK: br i1 [[ALL]], label %fast, label %original, !dl.guard
define void @distinct_globals(i64 %bytes, i1 %small) {
  %d = icmp uge i64 sub (i64 ptrtoint (ptr @C to i64), i64 ptrtoint (ptr @A to i64)), %bytes
  %f = freeze i1 %d
  %all = and i1 %f, %small
  br i1 %all, label %fast, label %original, !dl.guard !0
fast:
  ret void
original:
  ret void
}

; Simplification turned the branch around.
; CHECK-LABEL: @inverted(
; CHECK: [[ANY:%.*]] = or i1 false, %large
; CHECK: br i1 [[ANY]], label %original, label %fast, !dl.guard
define void @inverted(ptr noalias %a, ptr noalias %c, i64 %bytes, i1 %large) {
  %pa = ptrtoint ptr %a to i64
  %pc = ptrtoint ptr %c to i64
  %from = add i64 %pc, 64
  %diff = sub i64 %from, %pa
  %d = icmp ugt i64 %bytes, %diff
  %any = or i1 %d, %large
  br i1 %any, label %original, label %fast, !dl.guard !0
fast:
  ret void
original:
  ret void
}

; The objects may be the same.
; CHECK-LABEL: @unknown_objects(
; CHECK: and i1 %d, %small
define void @unknown_objects(ptr %a, ptr %c, i64 %bytes, i1 %small) {
  %pa = ptrtoint ptr %a to i64
  %pc = ptrtoint ptr %c to i64
  %diff = sub i64 %pc, %pa
  %d = icmp uge i64 %diff, %bytes
  %all = and i1 %d, %small
  br i1 %all, label %fast, label %original, !dl.guard !0
fast:
  ret void
original:
  ret void
}

; One object: the pieces may overlap.
; CHECK-LABEL: @one_object(
; CHECK: and i1 %d, %small
define void @one_object(i64 %offset, i64 %bytes, i1 %small) {
  %p = getelementptr i8, ptr @A, i64 %offset
  %pp = ptrtoint ptr %p to i64
  %diff = sub i64 %pp, ptrtoint (ptr @A to i64)
  %d = icmp uge i64 %diff, %bytes
  %all = and i1 %d, %small
  br i1 %all, label %fast, label %original, !dl.guard !0
fast:
  ret void
original:
  ret void
}

; Not a guard.
; CHECK-LABEL: @other_branch(
; CHECK: and i1 %d, %small
define void @other_branch(ptr noalias %a, ptr noalias %c, i64 %bytes, i1 %small) {
  %pa = ptrtoint ptr %a to i64
  %pc = ptrtoint ptr %c to i64
  %diff = sub i64 %pc, %pa
  %d = icmp uge i64 %diff, %bytes
  %all = and i1 %d, %small
  br i1 %all, label %fast, label %original
fast:
  ret void
original:
  ret void
}

!0 = !{}
