; Strides in bytes that come from outside the nest.
;
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; A multiple of the element's size is tested.
;
; CHECK-LABEL: kernel 0 @any fill f32
; CHECK:         buffers %x:f32(floordiv(%step, 4))
; CHECK:         par i[%n]
; CHECK-NEXT:      %x[i] = 1.0
; CHECK-NEXT:    needs inrange(0 <= mod(%step, 4) <= 0)
define void @any(ptr %x, i64 %step, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %bytes = mul nsw i64 %i, %step
  %p = getelementptr i8, ptr %x, i64 %bytes
  store float 1.0, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; The first stride of a descriptor is the element's size.
;
; CHECK-LABEL: kernel 0 @first fill f32
; CHECK:         par i[%n]
; CHECK-NEXT:      %data[i] = 1.0
; CHECK-NEXT:    needs inrange(4 <= %step <= 4)
define void @first(ptr %array, i64 %n) {
entry:
  %data = load ptr, ptr %array, align 8
  %at = getelementptr i8, ptr %array, i64 40
  %step = load i64, ptr %at, align 8
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %bytes = mul nsw i64 %i, %step
  %p = getelementptr i8, ptr %data, i64 %bytes
  store float 1.0, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; That of another array, or another one, may be anything.
;
; CHECK-LABEL: kernel 0 @others fill f32
; CHECK-DAG:     needs inrange(0 <= mod(%second, 4) <= 0)
; CHECK-DAG:     needs inrange(0 <= mod(%foreign, 4) <= 0)
; CHECK-NOT:     <= 4)
define void @others(ptr %array, ptr %other, i64 %n) {
entry:
  %data = load ptr, ptr %array, align 8
  %at.second = getelementptr i8, ptr %array, i64 64
  %second = load i64, ptr %at.second, align 8
  %at.foreign = getelementptr i8, ptr %other, i64 40
  %foreign = load i64, ptr %at.foreign, align 8
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %next.i, %latch ]
  %more.i = icmp slt i64 %i, %n
  br i1 %more.i, label %row.begin, label %exit
row.begin:
  br label %inner
inner:
  %j = phi i64 [ 0, %row.begin ], [ %next.j, %body ]
  %more.j = icmp slt i64 %j, %n
  br i1 %more.j, label %body, label %latch
body:
  %x = mul nsw i64 %i, %second
  %y = mul nsw i64 %j, %foreign
  %row = getelementptr i8, ptr %data, i64 %x
  %p = getelementptr i8, ptr %row, i64 %y
  store float 1.0, ptr %p, align 4
  %next.j = add nuw nsw i64 %j, 1
  br label %inner
latch:
  %next.i = add nuw nsw i64 %i, 1
  br label %outer
exit:
  ret void
}

; A number of elements times their size, both given: a stride all the same.
;
; CHECK-LABEL: kernel 0 @product {{.*}}f32
; CHECK:         buffers  %x:f32(floordiv(%a*%b, 4))
; CHECK:         needs    inrange(0 <= mod(%a*%b, 4) <= 0)
; CHECK:         needs    inrange(-9223372036854775808 <= %a*%b <= 9223372036854775807)
define void @product(ptr %x, i64 %a, i64 %b, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %ab = mul nsw i64 %a, %b
  %bytes = mul nsw i64 %i, %ab
  %p = getelementptr i8, ptr %x, i64 %bytes
  store float 1.0, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; What is divided outside of addresses.
;
; CHECK-LABEL: kernel 0 @shifted fill f32
; CHECK:         par i[%n]
; CHECK-NEXT:      %x[i] = 1.0
; CHECK-DAG:     needs inrange(0 <= mod(%step, 4) <= 0)
; CHECK-DAG:     needs inrange(-9223372036854775808 <= i*%step <= 9223372036854775807)
define void @shifted(ptr %x, i64 %step, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %bytes = mul i64 %i, %step
  %element = ashr i64 %bytes, 2
  %p = getelementptr float, ptr %x, i64 %element
  store float 1.0, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; Without a stride that could be whole.
;
; CHECK: missed @halves line ?: NonAffineAccess
define void @halves(ptr %x, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %element = ashr i64 %i, 1
  %p = getelementptr float, ptr %x, i64 %element
  store float 1.0, ptr %p, align 4
  %next = add nuw nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; An extent that is a maximum computed in the nest: of a number and 0 it is the number.
;
; CHECK-LABEL: kernel 0 @maximum {{.*}}f32
; CHECK:         par i[%n] par j[%width]
define void @maximum(ptr %x, i64 %width, i64 %n) {
entry:
  br label %outer
outer:
  %i = phi i64 [ 0, %entry ], [ %next.i, %latch ]
  %more.i = icmp slt i64 %i, %n
  br i1 %more.i, label %row.begin, label %exit
row.begin:
  %columns = call i64 @llvm.smax.i64(i64 %width, i64 0)
  br label %inner
inner:
  %j = phi i64 [ 0, %row.begin ], [ %next.j, %body ]
  %left = phi i64 [ %columns, %row.begin ], [ %fewer, %body ]
  %more.j = icmp sgt i64 %left, 0
  br i1 %more.j, label %body, label %latch
body:
  %p = getelementptr [100 x float], ptr %x, i64 %i, i64 %j
  store float 1.0, ptr %p, align 4
  %next.j = add nuw nsw i64 %j, 1
  %fewer = add nsw i64 %left, -1
  br label %inner
latch:
  %next.i = add nuw nsw i64 %i, 1
  br label %outer
exit:
  ret void
}
