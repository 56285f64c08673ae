; Small callees of a loop vanish, the helpers of helpers too; what the inliner
; may not inline stays a call.
; RUN: %opt -passes='dl-prepare<loops>' -verify-each -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

define internal float @inner(float %x) {
  %x.addr = alloca float
  store float %x, ptr %x.addr
  %v = load float, ptr %x.addr
  %r = fmul float %v, 2.0
  ret float %r
}

define linkonce_odr float @outer(ptr %p) {
  %p.addr = alloca ptr
  store ptr %p, ptr %p.addr
  %q = load ptr, ptr %p.addr
  %v = load float, ptr %q
  %r = call float @inner(float %v)
  ret float %r
}

@by_alias = internal alias float (ptr), ptr @outer
@replaced = weak alias float (float), ptr @inner

define internal float @never(float %x) noinline {
  ret float %x
}

define weak float @replaceable(float %x) {
  ret float %x
}

define internal float @recursive(float %x) {
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %stop, label %go
go:
  %h = fmul float %x, 0.5
  %r = call float @recursive(float %h)
  ret float %r
stop:
  ret float %x
}

define internal float @ping(float %x) {
  %r = call float @pong(float %x)
  ret float %r
}

define internal float @pong(float %x) {
  %r = call float @ping(float %x)
  ret float %r
}

define internal float @dot(ptr %a, ptr %b, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %ai = getelementptr inbounds float, ptr %a, i32 %i
  %bi = getelementptr inbounds float, ptr %b, i32 %i
  %x = load float, ptr %ai
  %y = load float, ptr %bi
  %p = fmul float %x, %y
  %s.next = fadd float %s, %p
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret float %s
}

; CHECK-LABEL: define void @chain(
; CHECK:         %[[V:.*]] = load float
; CHECK-NEXT:    fmul float %[[V]], 2.000000e+00
; CHECK-NOT:     call
; CHECK:         ret void
define void @chain(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = call float @outer(ptr %pi)
  store float %v, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; A function may have several names, as constructors have.
; CHECK-LABEL: define void @aliases(
; CHECK:         %[[V:.*]] = load float
; CHECK-NEXT:    fmul float %[[V]], 2.000000e+00
; CHECK-NEXT:    call float @replaced(
; CHECK-NOT:     call
; CHECK:         ret void
define void @aliases(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = call float @by_alias(ptr %pi)
  %w = call float @replaced(float %v)
  store float %w, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; CHECK-LABEL: define void @calls_that_stay(
; CHECK:         call float @never(
; CHECK:         call float @replaceable(
; CHECK:         call float @recursive(
; CHECK:         call float @{{ping|pong}}(
; CHECK:         call float @inner({{.*}}) #[[CALL:[0-9]+]]
; CHECK:         ret void
define void @calls_that_stay(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  %v1 = call float @never(float %v)
  %v2 = call float @replaceable(float %v1)
  %v3 = call float @recursive(float %v2)
  %v4 = call float @ping(float %v3)
  %v5 = call float @inner(float %v4) noinline
  store float %v5, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; A helper with one loop joins the nest.
; CHECK-LABEL: define void @rows(
; CHECK-NOT:     call
; CHECK:         fmul float
; CHECK:         ret void
define void @rows(ptr %a, ptr %b, ptr %out, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %row = mul nsw i32 %i, %n
  %ai = getelementptr inbounds float, ptr %a, i32 %row
  %v = call float @dot(ptr %ai, ptr %b, i32 %n)
  %oi = getelementptr inbounds float, ptr %out, i32 %i
  store float %v, ptr %oi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; What a callee says of itself is not that of its caller.
; CHECK-LABEL: define void @other_options(
; CHECK: call float @exact(
; CHECK-NOT: call float @silent(
; CHECK: call float @alone(
define void @other_options(ptr %x, i64 %n) "dl-fp"="fast" {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p, align 4
  %a = call float @exact(float %v)
  %b = call float @silent(float %a)
  %c = call float @alone(float %b)
  store float %c, ptr %p, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
define internal float @exact(float %x) "dl-fp"="exact" {
  %r = fadd float %x, 1.0
  ret float %r
}
define internal float @silent(float %x) {
  %r = fadd float %x, 2.0
  ret float %r
}
define internal float @alone(float %x) "dl-enable"="0" {
  %r = fadd float %x, 3.0
  ret float %r
}

; CHECK: attributes #[[CALL]] = { noinline }
