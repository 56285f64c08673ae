; Loops that read their bounds and pointers again, because what they store may be
; these, get a copy that reads them once, behind a test that the stores miss them.
;
; RUN: %opt -passes='dl-noalias<nests>,verify' -S %s | FileCheck %s
; RUN: %opt -passes='dl-noalias<nests>' -pass-remarks=dl-noalias -disable-output %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=REMARK
; Twice is once.
; RUN: %opt -passes='dl-noalias<nests>' -S %s -o %t.once
; RUN: %opt -passes='dl-noalias<nests>,dl-noalias<nests>' -S %s -o %t.twice
; RUN: diff %t.once %t.twice

; REMARK-COUNT-1: loops that read {{.*}} bounds and pointers once and keep {{.*}} sums
; REMARK-NOT: loops that read

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; struct { float scale; int n; float *x; int8_t *q; } *p
; for (i = 0; i < p->n; i++) p->q[i] = p->x[i] * p->scale;
; The bound is read behind the store, in the first iteration, too: it is known in
; front. All four are tested as one range.
; CHECK-LABEL: define void @quantize(
; CHECK:       front:
; CHECK:         br label %dl.nest.guard
; CHECK:       dl.nest.guard:
; CHECK-DAG:     [[P:%.*]] = freeze ptr %p
; CHECK-DAG:     [[N:%.*]] = freeze i32 %n.0
; CHECK:         [[X:%.*]] = load ptr, ptr
; CHECK-NEXT:    [[X_FR:%.*]] = freeze ptr [[X]]
; CHECK-NEXT:    [[SCALE:%.*]] = load float, ptr [[P]]
; CHECK-NEXT:    [[Q:%.*]] = load ptr, ptr
; CHECK-NEXT:    [[Q_FR:%.*]] = freeze ptr [[Q]]
; CHECK-NEXT:    [[END:%.*]] = sext i32 [[N]] to i64
; CHECK-NEXT:    [[FROM:%.*]] = ptrtoint ptr [[Q_FR]] to i64
; CHECK-NEXT:    [[COUNT:%.*]] = call i64 @llvm.smax.i64(i64 [[END]], i64 1)
; CHECK:         [[STRUCT:%.*]] = ptrtoint ptr [[P]] to i64
; CHECK-NEXT:    [[D:%.*]] = sub i64 [[FROM]], [[STRUCT]]
; CHECK-NEXT:    [[BEHIND:%.*]] = icmp uge i64 [[D]], 24
; CHECK-NEXT:    [[D:%.*]] = sub i64 [[STRUCT]], [[FROM]]
; CHECK-NEXT:    [[AHEAD:%.*]] = icmp uge i64 [[D]], [[COUNT]]
; CHECK-NEXT:    [[ALL:%.*]] = and i1 [[BEHIND]], [[AHEAD]]
; CHECK-NEXT:    br i1 [[ALL]], label %[[FAST:.*]], label %dl.nest.original, !dl.guard
; CHECK:       [[FAST]]:
; CHECK-NEXT:    br label %loop.versioned
; CHECK:       loop.versioned:
; CHECK-NOT:     load ptr
; CHECK-NOT:     load i32
; CHECK:         getelementptr inbounds float, ptr [[X_FR]], i64
; CHECK:         fmul float {{.*}}, [[SCALE]]
; CHECK:         getelementptr inbounds i8, ptr [[Q_FR]], i64
; CHECK:         icmp slt i64 {{.*}}, [[END]]
; CHECK-NEXT:    br i1 {{.*}}, label %loop.versioned, label %{{.*}}, !llvm.loop [[COPY:!.*]]
; CHECK:       dl.nest.original:
; CHECK-NEXT:    br label %loop
; CHECK:       loop:
; CHECK:         load ptr
; CHECK:         load float
; CHECK:         load ptr
; CHECK:         load i32
; CHECK:         br i1 %more, label %loop, label %{{.*}}, !llvm.loop [[ORIGINAL:!.*]]
define void @quantize(ptr %p) {
entry:
  %n.at = getelementptr inbounds i8, ptr %p, i64 4
  %n.0 = load i32, ptr %n.at
  %some = icmp sgt i32 %n.0, 0
  br i1 %some, label %front, label %exit

front:
  %x.at = getelementptr inbounds i8, ptr %p, i64 8
  %q.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %front ], [ %i.next, %loop ]
  %x = load ptr, ptr %x.at
  %e.at = getelementptr inbounds float, ptr %x, i64 %i
  %e = load float, ptr %e.at
  %scale = load float, ptr %p
  %m = fmul float %e, %scale
  %b = fptosi float %m to i8
  %q = load ptr, ptr %q.at
  %to = getelementptr inbounds i8, ptr %q, i64 %i
  store i8 %b, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %n = load i32, ptr %n.at
  %n.wide = sext i32 %n to i64
  %more = icmp slt i64 %i.next, %n.wide
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK-DAG: [[COPY]] = distinct !{[[COPY]], [[TAG:!.*]]}
; CHECK-DAG: [[ORIGINAL]] = distinct !{[[ORIGINAL]], [[TAG]]}
; CHECK-DAG: [[TAG]] = !{!"dl.versioned"}
