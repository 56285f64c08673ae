; A scope that is declared in a loop, as for a `restrict` parameter of what was
; inlined there, speaks of one round: the last one writes how long rows are, and
; does not ask for it.
;
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-NOT: @inside generic
; CHECK:     kernel 0 @inside map i32
; CHECK:     missed @inside {{.*}}UnknownTripCount
define void @inside(ptr align 4 dereferenceable(4) %y, ptr noalias %x, i64 %m, i64 %last, i64 %k) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %i.in = icmp slt i64 %i, %m
  br i1 %i.in, label %row, label %exit

row:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %is.last = icmp eq i64 %i, %last
  br i1 %is.last, label %write, label %columns.entry

columns.entry:
  br label %columns

columns:
  %j = phi i64 [ 0, %columns.entry ], [ %j.next, %columns.next ]
  %n = load i32, ptr %y, align 4, !noalias !0
  %n.wide = sext i32 %n to i64
  %j.in = icmp slt i64 %j, %n.wide
  br i1 %j.in, label %columns.next, label %rows.next.exit

columns.next:
  %x.at = getelementptr inbounds i32, ptr %x, i64 %j
  %v = load i32, ptr %x.at, align 4, !noalias !0
  %y.row = mul nsw i64 %i, 64
  %y.index = add nsw i64 %y.row, %j
  %y.at = getelementptr inbounds i32, ptr %y, i64 %y.index
  %old = load i32, ptr %y.at, align 4, !alias.scope !0
  %square = mul nsw i32 %v, %v
  %new = add nsw i32 %old, %square
  store i32 %new, ptr %y.at, align 4, !alias.scope !0
  %j.next = add nuw nsw i64 %j, 1
  br label %columns

write:
  %bound.at = getelementptr inbounds i32, ptr %y, i64 %k
  store i32 3, ptr %bound.at, align 4, !alias.scope !0
  br label %rows.next

rows.next.exit:
  br label %rows.next

rows.next:
  %i.next = add nuw nsw i64 %i, 1
  br label %rows

exit:
  ret void
}

; One that is declared in front speaks of the whole nest.
; CHECK-LABEL: kernel 0 @outside generic i32
; CHECK-NEXT:    params {{.*}}%n:i32
; CHECK-NOT:   missed @outside
define void @outside(ptr align 4 dereferenceable(4) %y, ptr noalias %x, i64 %m, i64 %last, i64 %k) {
entry:
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %i.in = icmp slt i64 %i, %m
  br i1 %i.in, label %row, label %exit

row:
  %is.last = icmp eq i64 %i, %last
  br i1 %is.last, label %write, label %columns.entry

columns.entry:
  br label %columns

columns:
  %j = phi i64 [ 0, %columns.entry ], [ %j.next, %columns.next ]
  %n = load i32, ptr %y, align 4, !noalias !0
  %n.wide = sext i32 %n to i64
  %j.in = icmp slt i64 %j, %n.wide
  br i1 %j.in, label %columns.next, label %rows.next.exit

columns.next:
  %x.at = getelementptr inbounds i32, ptr %x, i64 %j
  %v = load i32, ptr %x.at, align 4, !noalias !0
  %y.row = mul nsw i64 %i, 64
  %y.index = add nsw i64 %y.row, %j
  %y.at = getelementptr inbounds i32, ptr %y, i64 %y.index
  %old = load i32, ptr %y.at, align 4, !alias.scope !0
  %square = mul nsw i32 %v, %v
  %new = add nsw i32 %old, %square
  store i32 %new, ptr %y.at, align 4, !alias.scope !0
  %j.next = add nuw nsw i64 %j, 1
  br label %columns

write:
  %bound.at = getelementptr inbounds i32, ptr %y, i64 %k
  store i32 3, ptr %bound.at, align 4, !alias.scope !0
  br label %rows.next

rows.next.exit:
  br label %rows.next

rows.next:
  %i.next = add nuw nsw i64 %i, 1
  br label %rows

exit:
  ret void
}

declare void @llvm.experimental.noalias.scope.decl(metadata)

!0 = !{!1}
!1 = distinct !{!1, !2, !"written"}
!2 = distinct !{!2, !"helper"}
