; What metadata says of one copy of an unrolled body it does not say of the
; others: the elements of %a and %b that the second copy reads may be in %c.
;
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: kernel 0 @one_copy matmul.nn f32
; CHECK:         needs    disjoint(%c; %a %b)
define void @one_copy(i64 %m, i64 %n, i64 %k, ptr %a, ptr %b, ptr %c) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %i.in = icmp slt i64 %i, %m
  br i1 %i.in, label %columns.entry, label %exit

columns.entry:
  br label %columns

columns:
  %j = phi i64 [ %j.next, %columns.next ], [ 0, %columns.entry ]
  %j.in = icmp slt i64 %j, %n
  br i1 %j.in, label %sum.entry, label %rows.next

sum.entry:
  br label %sum

sum:
  %s = phi float [ %s.2, %sum.next ], [ 0.0, %sum.entry ]
  %l = phi i64 [ %l.next, %sum.next ], [ 0, %sum.entry ]
  %l.1 = or disjoint i64 %l, 1
  %l.in = icmp slt i64 %l.1, %k
  br i1 %l.in, label %sum.next, label %columns.next

sum.next:
  %a.row = mul nsw i64 %i, %k
  %a.index = add nsw i64 %a.row, %l
  %a.0 = getelementptr float, ptr %a, i64 %a.index
  %a.1 = getelementptr i8, ptr %a.0, i64 4
  %b.row.0 = mul nsw i64 %l, %n
  %b.ptr.0 = getelementptr float, ptr %b, i64 %b.row.0
  %b.0 = getelementptr float, ptr %b.ptr.0, i64 %j
  %b.row.1 = mul nsw i64 %l.1, %n
  %b.ptr.1 = getelementptr float, ptr %b, i64 %b.row.1
  %b.1 = getelementptr float, ptr %b.ptr.1, i64 %j
  %x.0 = load float, ptr %a.0, align 4, !noalias !0
  %y.0 = load float, ptr %b.0, align 4, !noalias !0
  %s.1 = call float @llvm.fmuladd.f32(float %x.0, float %y.0, float %s)
  %x.1 = load float, ptr %a.1, align 4
  %y.1 = load float, ptr %b.1, align 4
  %s.2 = call float @llvm.fmuladd.f32(float %x.1, float %y.1, float %s.1)
  %l.next = add nuw nsw i64 %l, 2
  br label %sum

columns.next:
  %result = phi float [ %s, %sum ]
  %c.row = mul nsw i64 %i, %n
  %c.ptr = getelementptr float, ptr %c, i64 %c.row
  %c.at = getelementptr float, ptr %c.ptr, i64 %j
  store float %result, ptr %c.at, align 4, !alias.scope !0
  %j.next = add nuw nsw i64 %j, 1
  br label %columns

rows.next:
  %i.next = add nuw nsw i64 %i, 1
  br label %rows

exit:
  ret void
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
