; Cloning everything and keeping nothing leaves no trace: the module is the same
; text, and whatever runs after it makes the same object.
; RUN: opt -passes=verify -S -o %t.plain.ll %s
; RUN: %opt -passes='dl-prepare<drop>' -S -o %t.drop.ll %s
; RUN: cmp %t.plain.ll %t.drop.ll
; RUN: opt -passes='verify,default<O2>' -S -o %t.plain.O2.ll %s
; RUN: %opt -passes='dl-prepare<drop>,default<O2>' -dl-enable=1 -S -o %t.drop.O2.ll %s
; RUN: cmp %t.plain.O2.ll %t.drop.O2.ll
; RUN: %opt -passes='dl-prepare' -S -o %t.default.ll %s
; RUN: cmp %t.plain.ll %t.default.ll
; The clone of each of them would leave something if it were only erased.
; RUN: %opt -passes='dl-prepare<loops>' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

@fmt = private constant [2 x i8] c"\0A\00"
@weights = internal constant [64 x i8] zeroinitializer, align 1

; A name that is already there, with a number the next copy would get.
@sum.1 = global i32 0

; A new intrinsic.
; CHECK-LABEL: define void @clamp(
; CHECK:         call i32 @llvm.smax.i32
define void @clamp(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds i32, ptr %p, i32 %i
  %v = load i32, ptr %pi
  %neg = icmp slt i32 %v, 0
  %max = select i1 %neg, i32 0, i32 %v
  store i32 %max, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; A library call that could become another: it stays.
; CHECK-LABEL: define void @lines(
; CHECK:         call i32 (ptr, ...) @printf
define void @lines(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %r = call i32 (ptr, ...) @printf(ptr @fmt)
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; A copy of a constant that is only read: the constant's alignment is raised, so
; that it can take the copy's place.
; CHECK-LABEL: define i32 @table(
; CHECK-NOT:     alloca
; CHECK:         ret i32
define i32 @table(i32 %n) {
entry:
  %copy = alloca [64 x i8], align 16
  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %copy, ptr align 1 @weights, i64 64, i1 false)
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds i8, ptr %copy, i32 %i
  %v = load i8, ptr %pi
  %e = zext i8 %v to i32
  %s.next = add i32 %s, %e
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret i32 %s
}

; Calls of itself and of a helper, a use of its own address.
; CHECK-LABEL: define i32 @sum(
define i32 @sum(ptr %p, i32 %n) {
entry:
  %self = icmp eq ptr %p, @sum
  br i1 %self, label %exit, label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %v = call i32 @get(ptr %p, i32 %i)
  %w = call i32 @sum(ptr %p, i32 %v)
  %s.next = add i32 %s, %w
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  %r = phi i32 [ 0, %entry ], [ %s, %head ]
  ret i32 %r
}

define internal i32 @get(ptr noalias %p, i32 %i) !prof !0 {
  %pi = getelementptr inbounds i32, ptr %p, i32 %i
  %v = load i32, ptr %pi
  ret i32 %v
}

declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!0 = !{!"function_entry_count", i64 100}
