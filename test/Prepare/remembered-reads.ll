; Searches whose element is read behind the loop in any case: what is read in front for it
; is read where the loop has no round, too, and nothing says of it what only rounds say.
;
; RUN: %opt -passes='dl-prepare<loops>,verify' -S %s | FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

; The load in the round is aligned and in bounds, and knows what it reads; that
; behind the loop is and does not.
;
; CHECK-LABEL: define i32 @less_known(
; CHECK:         %[[AT:.*]] = getelementptr i32, ptr %a, i64 %start
; CHECK-NEXT:    load i32, ptr %[[AT]], align 1{{$}}
; CHECK-NEXT:    br
; CHECK:         %element = phi i32
; CHECK-NOT:     load {{.*}} align 1
; CHECK:         ret i32
define i32 @less_known(ptr %a, i64 %start, i64 %n) {
entry:
  %runs = icmp sgt i64 %n, 0
  br i1 %runs, label %loop, label %join

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %best = phi i64 [ %start, %entry ], [ %better, %loop ]
  %p = getelementptr inbounds nuw i32, ptr %a, i64 %best
  %x = load i32, ptr %p, align 4, !range !0
  %q = getelementptr inbounds nuw i32, ptr %a, i64 %i
  %y = load i32, ptr %q, align 4
  %greater = icmp sgt i32 %y, %x
  %better = select i1 %greater, i64 %i, i64 %best
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %join

join:
  %found = phi i64 [ %start, %entry ], [ %better, %loop ]
  %r = getelementptr i32, ptr %a, i64 %found
  %z = load i32, ptr %r, align 1
  ret i32 %z
}

; The index of the round does not wrap; that of the load behind the loop has more bits.
; In front of the loop it is read behind the test alone.
;
; CHECK-LABEL: define i32 @wider(
; CHECK-NOT:     load
; CHECK:         br i1 %runs
; CHECK:         add nuw i32 %start, 1000
; CHECK:         load i32
; CHECK:       join:
; CHECK:         load i32
define i32 @wider(ptr %a, i32 %start, i32 %n) {
entry:
  %runs = icmp sgt i32 %n, 0
  br i1 %runs, label %loop, label %join

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %best = phi i32 [ %start, %entry ], [ %better, %loop ]
  %k = add nuw i32 %best, 1000
  %k.wide = zext i32 %k to i64
  %p = getelementptr i32, ptr %a, i64 %k.wide
  %x = load i32, ptr %p
  %j = add nuw i32 %i, 1000
  %j.wide = zext i32 %j to i64
  %q = getelementptr i32, ptr %a, i64 %j.wide
  %y = load i32, ptr %q
  %greater = icmp sgt i32 %y, %x
  %better = select i1 %greater, i32 %i, i32 %best
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %join

join:
  %found = phi i32 [ %start, %entry ], [ %better, %loop ]
  %wide = zext i32 %found to i64
  %l = add nuw nsw i64 %wide, 1000
  %r = getelementptr i32, ptr %a, i64 %l
  %z = load i32, ptr %r
  ret i32 %z
}

; The same sum may wrap in neither: it is read in front of both.
;
; CHECK-LABEL: define i32 @alike(
; CHECK:         add nuw i32 %start, 1000
; CHECK:         load i32
; CHECK:         br i1 %runs
; CHECK:       join:
; CHECK-NOT:     load
; CHECK:         ret i32
define i32 @alike(ptr %a, i32 %start, i32 %n) {
entry:
  %runs = icmp sgt i32 %n, 0
  br i1 %runs, label %loop, label %join

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %best = phi i32 [ %start, %entry ], [ %better, %loop ]
  %k = add nuw i32 %best, 1000
  %k.wide = zext i32 %k to i64
  %p = getelementptr i32, ptr %a, i64 %k.wide
  %x = load i32, ptr %p
  %j = add nuw i32 %i, 1000
  %j.wide = zext i32 %j to i64
  %q = getelementptr i32, ptr %a, i64 %j.wide
  %y = load i32, ptr %q
  %greater = icmp sgt i32 %y, %x
  %better = select i1 %greater, i32 %i, i32 %best
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %join

join:
  %found = phi i32 [ %start, %entry ], [ %better, %loop ]
  %l = add nuw i32 %found, 1000
  %wide = zext i32 %l to i64
  %r = getelementptr i32, ptr %a, i64 %wide
  %z = load i32, ptr %r
  ret i32 %z
}

!0 = !{i32 0, i32 100}
