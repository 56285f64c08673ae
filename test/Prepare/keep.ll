; The function keeps what belongs to it when its body is replaced: linkage,
; comdat, section, visibility, alignment, attributes, metadata, and the calls
; to it.
; RUN: %opt -passes='dl-prepare<loops>' -verify-each -S %s | FileCheck %s

$scale = comdat any

@table = global ptr @scale
@alias = alias void (ptr, i32), ptr @scale

; CHECK: @table = global ptr @scale
; CHECK: @alias = alias void (ptr, i32), ptr @scale

; CHECK: define linkonce_odr hidden void @scale(ptr noalias %p, i32 noundef %n) unnamed_addr #[[ATTR:[0-9]+]] section "hot" comdat align 64 personality ptr @__gxx_personality_v0 !prof ![[PROF:[0-9]+]] !type ![[TYPE:[0-9]+]] {
; CHECK-NEXT:  entry:
; CHECK-NEXT:    invoke void @may_throw()
; CHECK:         landingpad
; CHECK:         phi i32
; CHECK-NOT:     %v3
; CHECK:         ret void
define linkonce_odr hidden void @scale(ptr noalias %p, i32 noundef %n) unnamed_addr "frame-pointer"="all" nounwind section "hot" comdat align 64 personality ptr @__gxx_personality_v0 !prof !0 !type !1 {
entry:
  invoke void @may_throw() to label %start unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } cleanup
  call void @clean_up()
  resume { ptr, i32 } %lp
start:
  br label %head
head:
  %i = phi i32 [ 0, %start ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  %v3 = fadd float %v, 1.0
  %v2 = fmul float %v, 2.0
  store float %v2, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; CHECK-LABEL: define void @caller(
; CHECK:         call void @scale(ptr %p, i32 %n)
define void @caller(ptr %p, i32 %n) {
  call void @scale(ptr %p, i32 %n)
  ret void
}

; A helper's personality comes with it.
; CHECK-LABEL: define void @gets_personality(
; CHECK-SAME:    personality ptr @__gxx_personality_v0
; CHECK:         landingpad
; CHECK:         ret void
define void @gets_personality(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  call void @helper()
  %v2 = fmul float %v, 2.0
  store float %v2, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

define internal void @helper() personality ptr @__gxx_personality_v0 {
  invoke void @may_throw() to label %ok unwind label %pad
pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  br label %ok
ok:
  ret void
}

; CHECK-DAG: attributes #[[ATTR]] = { nounwind "dl-light" "frame-pointer"="all" }
; CHECK-DAG: ![[PROF]] = !{!"function_entry_count", i64 100}
; CHECK-DAG: ![[TYPE]] = !{i64 0, !"type id"}

declare void @may_throw()
declare void @clean_up()
declare i32 @__gxx_personality_v0(...)

!0 = !{!"function_entry_count", i64 100}
!1 = !{i64 0, !"type id"}
