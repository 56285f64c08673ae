; Sums that each iteration of an inner loop reads from memory and stores again, because
; other stores of the loop may be there, are in registers behind a test for the nest.
;
; RUN: %opt -passes='dl-noalias<nests>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='dl-noalias<nests>' -pass-remarks-output=%t -disable-output %s
; RUN: FileCheck %s --check-prefix=REMARK --input-file=%t

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

declare void @unknown() nounwind willreturn

; for (i = 0; i < m; i++) for (j = 0; j < n; j++) { d[j] += r[i]; c[i] += a[i*n + j]; }
; All pairs that may overlap are tested, c first of all: both rows of c and d once, not
; in each row. c[i] is read in front of the inner loop and stored behind it.
; CHECK-LABEL: define void @taken(
; CHECK:       dl.nest.guard:
; CHECK:         br i1 {{.*}}, label %[[FAST:.*]], label %dl.nest.original, !dl.guard
; CHECK:       [[FAST]]:
; CHECK:         call void @llvm.experimental.noalias.scope.decl(metadata
; CHECK:         br label %outer.versioned
; CHECK:       outer.versioned:
; CHECK:         [[SUM:%.*]] = load double, ptr %[[C:.*]], align 8
; CHECK:         load double, ptr %r.at{{.*}}, align 8, !alias.scope {{.*}}, !noalias
; CHECK-NEXT:    br label %inner.versioned
; CHECK:       inner.versioned:
; CHECK:         [[PHI:%.*]] = phi double [ [[SUM]], %outer.versioned ], [ [[NEXT:%.*]], %inner.versioned ]
; CHECK:         store double {{.*}}, ptr %d.at{{.*}}, align 8, !alias.scope
; CHECK:         [[NEXT]] = fadd double [[PHI]],
; CHECK-NOT:     store
; CHECK:         br i1 {{.*}}, label %[[END:.*]], label %inner.versioned
; CHECK:       [[END]]:
; CHECK:         store double [[NEXT]], ptr %[[C]], align 8
; CHECK:       dl.nest.original:
; CHECK:       inner:
; CHECK:         store double {{.*}}, ptr %d.at, align 8{{$}}
; CHECK:         store double {{.*}}, ptr %c.at, align 8{{$}}
; REMARK: Name: Versioned
; REMARK: Function: taken
; REMARK: Sums: '1'
define void @taken(i64 %m, i64 %n, ptr %a, ptr %c, ptr %d, ptr %r) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r.at = getelementptr inbounds double, ptr %r, i64 %i
  %c.at = getelementptr inbounds double, ptr %c, i64 %i
  %row = mul i64 %i, %n
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %d.at = getelementptr inbounds double, ptr %d, i64 %j
  %d.j = load double, ptr %d.at
  %r.i = load double, ptr %r.at
  %d.s = fadd double %d.j, %r.i
  store double %d.s, ptr %d.at
  %a.j = add i64 %row, %j
  %a.at = getelementptr inbounds double, ptr %a, i64 %a.j
  %x = load double, ptr %a.at
  %c.i = load double, ptr %c.at
  %s = fadd double %c.i, %x
  store double %s, ptr %c.at
  %j.next = add nuw nsw i64 %j, 1
  %inner.last = icmp eq i64 %j.next, %n
  br i1 %inner.last, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %m
  br i1 %last, label %exit, label %outer

exit:
  ret void
}

; Where d is written follows from what is read.
; CHECK-LABEL: define void @scatters(
; CHECK-NOT: dl.nest
; REMARK: Name: NonAffineAccess
; REMARK: Function: scatters
define void @scatters(i64 %m, i64 %n, ptr %a, ptr %c, ptr %d, ptr %r, ptr noalias %k) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r.at = getelementptr inbounds double, ptr %r, i64 %i
  %c.at = getelementptr inbounds double, ptr %c, i64 %i
  %row = mul i64 %i, %n
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %k.at = getelementptr inbounds i64, ptr %k, i64 %j
  %to = load i64, ptr %k.at
  %d.at = getelementptr inbounds double, ptr %d, i64 %to
  %d.j = load double, ptr %d.at
  %r.i = load double, ptr %r.at
  %d.s = fadd double %d.j, %r.i
  store double %d.s, ptr %d.at
  %a.j = add i64 %row, %j
  %a.at = getelementptr inbounds double, ptr %a, i64 %a.j
  %x = load double, ptr %a.at
  %c.i = load double, ptr %c.at
  %s = fadd double %c.i, %x
  store double %s, ptr %c.at
  %j.next = add nuw nsw i64 %j, 1
  %inner.last = icmp eq i64 %j.next, %n
  br i1 %inner.last, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %m
  br i1 %last, label %exit, label %outer

exit:
  ret void
}

; One array: a test would never hold.
; CHECK-LABEL: define void @one_array(
; CHECK-NOT: dl.nest
; REMARK: Name: MayAlias
; REMARK: Function: one_array
define void @one_array(i64 %m, i64 %n, ptr %a, ptr %c, ptr %d, ptr %r) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r.at = getelementptr inbounds double, ptr %r, i64 %i
  %c.at = getelementptr inbounds double, ptr %c, i64 %i
  %row = mul i64 %i, %n
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %d.at = getelementptr inbounds double, ptr %c, i64 %j
  %d.j = load double, ptr %d.at
  %r.i = load double, ptr %r.at
  %d.s = fadd double %d.j, %r.i
  store double %d.s, ptr %d.at
  %a.j = add i64 %row, %j
  %a.at = getelementptr inbounds double, ptr %a, i64 %a.j
  %x = load double, ptr %a.at
  %c.i = load double, ptr %c.at
  %s = fadd double %c.i, %x
  store double %s, ptr %c.at
  %j.next = add nuw nsw i64 %j, 1
  %inner.last = icmp eq i64 %j.next, %n
  br i1 %inner.last, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %m
  br i1 %last, label %exit, label %outer

exit:
  ret void
}

; The outer loop calls what may write anything: a test in each row does not pay.
; CHECK-LABEL: define void @each_row(
; CHECK-NOT: dl.nest
; REMARK: Name: UnknownCall
; REMARK: Function: each_row
define void @each_row(i64 %m, i64 %n, ptr %a, ptr %c, ptr %d, ptr %r) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r.at = getelementptr inbounds double, ptr %r, i64 %i
  %c.at = getelementptr inbounds double, ptr %c, i64 %i
  %row = mul i64 %i, %n
  call void @unknown()
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %d.at = getelementptr inbounds double, ptr %d, i64 %j
  %d.j = load double, ptr %d.at
  %r.i = load double, ptr %r.at
  %d.s = fadd double %d.j, %r.i
  store double %d.s, ptr %d.at
  %a.j = add i64 %row, %j
  %a.at = getelementptr inbounds double, ptr %a, i64 %a.j
  %x = load double, ptr %a.at
  %c.i = load double, ptr %c.at
  %s = fadd double %c.i, %x
  store double %s, ptr %c.at
  %j.next = add nuw nsw i64 %j, 1
  %inner.last = icmp eq i64 %j.next, %n
  br i1 %inner.last, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %m
  br i1 %last, label %exit, label %outer

exit:
  ret void
}

; The source may never store.
; CHECK-LABEL: define void @sometimes(
; CHECK-NOT: dl.nest
; REMARK-NOT: Function: sometimes
define void @sometimes(i64 %m, i64 %n, ptr %a, ptr %c, ptr %d, ptr %r) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r.at = getelementptr inbounds double, ptr %r, i64 %i
  %c.at = getelementptr inbounds double, ptr %c, i64 %i
  %row = mul i64 %i, %n
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner.latch ]
  %d.at = getelementptr inbounds double, ptr %d, i64 %j
  %d.j = load double, ptr %d.at
  %r.i = load double, ptr %r.at
  %d.s = fadd double %d.j, %r.i
  store double %d.s, ptr %d.at
  %a.j = add i64 %row, %j
  %a.at = getelementptr inbounds double, ptr %a, i64 %a.j
  %x = load double, ptr %a.at
  %pos = fcmp ogt double %x, 0.0
  br i1 %pos, label %then, label %inner.latch

then:
  %c.i = load double, ptr %c.at
  %s = fadd double %c.i, %x
  store double %s, ptr %c.at
  br label %inner.latch

inner.latch:
  %j.next = add nuw nsw i64 %j, 1
  %inner.last = icmp eq i64 %j.next, %n
  br i1 %inner.last, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %m
  br i1 %last, label %exit, label %outer

exit:
  ret void
}

; Arguments say that they are apart: LLVM does this.
; CHECK-LABEL: define void @known(
; CHECK-NOT: dl.nest
; REMARK-NOT: Function: known
define void @known(i64 %m, i64 %n, ptr noalias %a, ptr noalias %c, ptr noalias %d, ptr noalias %r) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %latch ]
  %r.at = getelementptr inbounds double, ptr %r, i64 %i
  %c.at = getelementptr inbounds double, ptr %c, i64 %i
  %row = mul i64 %i, %n
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %d.at = getelementptr inbounds double, ptr %d, i64 %j
  %d.j = load double, ptr %d.at
  %r.i = load double, ptr %r.at
  %d.s = fadd double %d.j, %r.i
  store double %d.s, ptr %d.at
  %a.j = add i64 %row, %j
  %a.at = getelementptr inbounds double, ptr %a, i64 %a.j
  %x = load double, ptr %a.at
  %c.i = load double, ptr %c.at
  %s = fadd double %c.i, %x
  store double %s, ptr %c.at
  %j.next = add nuw nsw i64 %j, 1
  %inner.last = icmp eq i64 %j.next, %n
  br i1 %inner.last, label %latch, label %inner

latch:
  %i.next = add nuw nsw i64 %i, 1
  %last = icmp eq i64 %i.next, %m
  br i1 %last, label %exit, label %outer

exit:
  ret void
}
