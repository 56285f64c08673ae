; A helper with more target features than its caller is not inlined (the back
; end could not select its instructions); one with fewer is.
; RUN: %opt -passes='dl-prepare<loops>' -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

define internal float @avx(float %x) #1 {
  %r = fmul float %x, 3.0
  ret float %r
}

define internal float @base(float %x) #0 {
  %r = fmul float %x, 2.0
  ret float %r
}

; CHECK-LABEL: define void @base_caller(
; CHECK:         fmul float %{{.*}}, 2.0
; CHECK:         call float @avx(
; CHECK:         ret void
define void @base_caller(ptr %p, i32 %n) #0 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  %v1 = call float @base(float %v)
  %v2 = call float @avx(float %v1)
  store float %v2, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; CHECK-LABEL: define void @avx_caller(
; CHECK:         fmul float %{{.*}}, 2.0
; CHECK:         fmul float %{{.*}}, 3.0
; CHECK-NOT:     call
; CHECK:         ret void
define void @avx_caller(ptr %p, i32 %n) #1 {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  %v1 = call float @base(float %v)
  %v2 = call float @avx(float %v1)
  store float %v2, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

attributes #0 = { "target-cpu"="x86-64" }
attributes #1 = { "target-cpu"="x86-64" "target-features"="+avx,+avx2" }
