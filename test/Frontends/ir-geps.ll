; The same product in every spelling of its addresses, straight from IR: GEPs of
; floats, of bytes, of rows, of vectors of arrays; indices computed or running;
; loops that test first or last.
;
; RUN: %opt -passes=dl-vectorize -verify-each -S %s | FileCheck %s
; REQUIRES: x86-registered-target

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @floats(
; CHECK:         call void @dl.matmul.nn.f32.0(
define void @floats(i64 %m, i64 %n, i64 %k, ptr %a, ptr %b, ptr %c) #0 {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %more.rows = icmp slt i64 %i, %m
  br i1 %more.rows, label %columns, label %exit
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.next ]
  %more.columns = icmp slt i64 %j, %n
  br i1 %more.columns, label %sum, label %rows.next
sum:
  %l = phi i64 [ 0, %columns ], [ %l.next, %step ]
  %s = phi float [ 0.0, %columns ], [ %s.next, %step ]
  %more = icmp slt i64 %l, %k
  br i1 %more, label %step, label %columns.next
step:
  %ik = mul nsw i64 %i, %k
  %ikl = add nsw i64 %ik, %l
  %pa = getelementptr inbounds float, ptr %a, i64 %ikl
  %x = load float, ptr %pa, align 4
  %ln = mul nsw i64 %l, %n
  %lnj = add nsw i64 %ln, %j
  %pb = getelementptr inbounds float, ptr %b, i64 %lnj
  %y = load float, ptr %pb, align 4
  %s.next = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  %l.next = add nsw i64 %l, 1
  br label %sum
columns.next:
  %in = mul nsw i64 %i, %n
  %inj = add nsw i64 %in, %j
  %pc = getelementptr inbounds float, ptr %c, i64 %inj
  store float %s, ptr %pc, align 4
  %j.next = add nsw i64 %j, 1
  br label %columns
rows.next:
  %i.next = add nsw i64 %i, 1
  br label %rows
exit:
  ret void
}

; CHECK-LABEL: define void @bytes(
; CHECK:         call void @dl.matmul.nn.f32.0(
define void @bytes(i64 %m, i64 %n, i64 %k, ptr %a, ptr %b, ptr %c) #0 {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %more.rows = icmp slt i64 %i, %m
  br i1 %more.rows, label %columns, label %exit
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.next ]
  %more.columns = icmp slt i64 %j, %n
  br i1 %more.columns, label %sum, label %rows.next
sum:
  %l = phi i64 [ 0, %columns ], [ %l.next, %step ]
  %s = phi float [ 0.0, %columns ], [ %s.next, %step ]
  %more = icmp slt i64 %l, %k
  br i1 %more, label %step, label %columns.next
step:
  %ik = mul nsw i64 %i, %k
  %ikl = add nsw i64 %ik, %l
  %oa = shl nsw i64 %ikl, 2
  %pa = getelementptr inbounds i8, ptr %a, i64 %oa
  %x = load float, ptr %pa, align 4
  %ln = mul nsw i64 %l, %n
  %lnj = add nsw i64 %ln, %j
  %ob = shl nsw i64 %lnj, 2
  %pb = getelementptr inbounds i8, ptr %b, i64 %ob
  %y = load float, ptr %pb, align 4
  %s.next = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  %l.next = add nsw i64 %l, 1
  br label %sum
columns.next:
  %in = mul nsw i64 %i, %n
  %inj = add nsw i64 %in, %j
  %oc = shl nsw i64 %inj, 2
  %pc = getelementptr inbounds i8, ptr %c, i64 %oc
  store float %s, ptr %pc, align 4
  %j.next = add nsw i64 %j, 1
  br label %columns
rows.next:
  %i.next = add nsw i64 %i, 1
  br label %rows
exit:
  ret void
}

; A GEP to the row in bytes and one to the element; loops that test last.
;
; CHECK-LABEL: define void @bytes_rotated(
; CHECK:         call void @dl.matmul.nn.f32.0(
define void @bytes_rotated(i64 %m, i64 %n, i64 %k, ptr %a, ptr %b, ptr %c) #0 {
entry:
  %m.some = icmp sgt i64 %m, 0
  %n.some = icmp sgt i64 %n, 0
  %k.some = icmp sgt i64 %k, 0
  %mn.some = and i1 %m.some, %n.some
  %some = and i1 %mn.some, %k.some
  %n4 = shl nsw i64 %n, 2
  %k4 = shl nsw i64 %k, 2
  br i1 %some, label %rows, label %exit
rows:
  %i = phi i64 [ %i.next, %rows.next ], [ 0, %entry ]
  %oa = mul nsw i64 %i, %k4
  %row.a = getelementptr i8, ptr %a, i64 %oa
  %oc = mul nsw i64 %i, %n4
  %row.c = getelementptr i8, ptr %c, i64 %oc
  br label %columns
columns:
  %j = phi i64 [ %j.next, %columns.next ], [ 0, %rows ]
  %oj = shl nsw i64 %j, 2
  %column.b = getelementptr i8, ptr %b, i64 %oj
  br label %sum
sum:
  %l = phi i64 [ %l.next, %sum ], [ 0, %columns ]
  %s = phi float [ %s.next, %sum ], [ 0.0, %columns ]
  %pa = getelementptr float, ptr %row.a, i64 %l
  %x = load float, ptr %pa, align 4
  %ob = mul nsw i64 %l, %n4
  %pb = getelementptr i8, ptr %column.b, i64 %ob
  %y = load float, ptr %pb, align 4
  %s.next = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  %l.next = add nuw nsw i64 %l, 1
  %done = icmp eq i64 %l.next, %k
  br i1 %done, label %columns.next, label %sum
columns.next:
  %pc = getelementptr float, ptr %row.c, i64 %j
  store float %s.next, ptr %pc, align 4
  %j.next = add nuw nsw i64 %j, 1
  %row.done = icmp eq i64 %j.next, %n
  br i1 %row.done, label %rows.next, label %columns
rows.next:
  %i.next = add nuw nsw i64 %i, 1
  %all.done = icmp eq i64 %i.next, %m
  br i1 %all.done, label %exit, label %rows
exit:
  ret void
}

; Rows of a constant length: array types, as GEPs of two indices.
;
; CHECK-LABEL: define void @arrays(
; CHECK:         call void @dl.matmul.nn.f32.0(
define void @arrays(i64 %m, i64 %n, i64 %k, ptr %a, ptr %b, ptr %c) #0 {
entry:
  br label %rows
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %more.rows = icmp slt i64 %i, %m
  br i1 %more.rows, label %columns, label %exit
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %columns.next ]
  %more.columns = icmp slt i64 %j, %n
  br i1 %more.columns, label %start, label %rows.next
start:
  %pc = getelementptr inbounds [500 x float], ptr %c, i64 %i, i64 %j
  store float 0.0, ptr %pc, align 4
  br label %sum
sum:
  %l = phi i64 [ 0, %start ], [ %l.next, %step ]
  %more = icmp slt i64 %l, %k
  br i1 %more, label %step, label %columns.next
step:
  %pa = getelementptr inbounds [700 x float], ptr %a, i64 %i, i64 %l
  %x = load float, ptr %pa, align 4
  %row.b = getelementptr inbounds [500 x float], ptr %b, i64 %l
  %pb = getelementptr inbounds [500 x float], ptr %row.b, i64 0, i64 %j
  %y = load float, ptr %pb, align 4
  %s = load float, ptr %pc, align 4
  %s.next = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  store float %s.next, ptr %pc, align 4
  %l.next = add nsw i64 %l, 1
  br label %sum
columns.next:
  %j.next = add nsw i64 %j, 1
  br label %columns
rows.next:
  %i.next = add nsw i64 %i, 1
  br label %rows
exit:
  ret void
}

; 32-bit indices, extended with sext and with zext nneg.
;
; CHECK-LABEL: define void @narrow(
; CHECK:         call void @dl.matmul.nn.f32.0(
define void @narrow(i32 %m, i32 %n, i32 %k, ptr %a, ptr %b, ptr %c) #0 {
entry:
  br label %rows
rows:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rows.next ]
  %more.rows = icmp slt i32 %i, %m
  br i1 %more.rows, label %columns, label %exit
columns:
  %j = phi i32 [ 0, %rows ], [ %j.next, %columns.next ]
  %more.columns = icmp slt i32 %j, %n
  br i1 %more.columns, label %sum, label %rows.next
sum:
  %l = phi i32 [ 0, %columns ], [ %l.next, %step ]
  %s = phi float [ 0.0, %columns ], [ %s.next, %step ]
  %more = icmp slt i32 %l, %k
  br i1 %more, label %step, label %columns.next
step:
  %ik = mul nuw nsw i32 %i, %k
  %ikl = add nuw nsw i32 %ik, %l
  %ia = zext nneg i32 %ikl to i64
  %pa = getelementptr inbounds nuw float, ptr %a, i64 %ia
  %x = load float, ptr %pa, align 4
  %ln = mul nsw i32 %l, %n
  %lnj = add nsw i32 %ln, %j
  %ib = sext i32 %lnj to i64
  %pb = getelementptr inbounds float, ptr %b, i64 %ib
  %y = load float, ptr %pb, align 4
  %s.next = call float @llvm.fmuladd.f32(float %x, float %y, float %s)
  %l.next = add nsw i32 %l, 1
  br label %sum
columns.next:
  %in = mul nsw i32 %i, %n
  %inj = add nsw i32 %in, %j
  %ic = sext i32 %inj to i64
  %pc = getelementptr inbounds float, ptr %c, i64 %ic
  store float %s, ptr %pc, align 4
  %j.next = add nsw i32 %j, 1
  br label %columns
rows.next:
  %i.next = add nsw i32 %i, 1
  br label %rows
exit:
  ret void
}

; CHECK:     define internal void @dl.matmul.nn.f32.0(
; CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1

declare float @llvm.fmuladd.f32(float, float, float)

attributes #0 = { "target-cpu"="haswell" }
