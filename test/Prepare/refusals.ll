; Functions that may not be brought into light form: one precondition each is
; broken in a function that is otherwise swapped, the IR is unchanged, and the
; remark has the reason.
; RUN: %opt -passes='dl-prepare<loops>' -pass-remarks-output=%t.yaml -S -o %t.ll %s
; RUN: FileCheck %s --input-file=%t.ll
; RUN: FileCheck %s --input-file=%t.yaml --check-prefix=REASON
; RUN: opt -passes=verify -S -o %t.plain.ll %s
; RUN: sed -e '/define void @swapped/,/^}/d' -e '/^attributes/d' -e 's/ #[0-9]*//' %t.ll > %t.rest.ll
; RUN: sed -e '/define void @swapped/,/^}/d' -e '/^attributes/d' -e 's/ #[0-9]*//' %t.plain.ll > %t.plain.rest.ll
; RUN: diff %t.plain.rest.ll %t.rest.ll

; REASON-NOT: swapped
; CHECK-LABEL: define void @swapped(
; CHECK-NOT:     %v3
define void @swapped(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: OptNone
; REASON-NEXT: Function: optnone
; CHECK-LABEL: define void @optnone(
; CHECK:         %v3
define void @optnone(ptr %p, i32 %n) noinline optnone {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: StrictFP
; REASON-NEXT: Function: strict_fp
; CHECK-LABEL: define void @strict_fp(
; CHECK:         %v3
define void @strict_fp(ptr %p, i32 %n) strictfp {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: NoImplicitFloat
; REASON-NEXT: Function: naked_registers
; CHECK-LABEL: define void @naked_registers(
; CHECK:         %v3
define void @naked_registers(ptr %p, i32 %n) noimplicitfloat {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: Instrumented
; REASON-NEXT: Function: sanitized
; CHECK-LABEL: define void @sanitized(
; CHECK:         %v3
define void @sanitized(ptr %p, i32 %n) sanitize_address {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: Instrumented
; REASON-NEXT: Function: counted
; CHECK-LABEL: define void @counted(
; CHECK:         %v3
define void @counted(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  call void @llvm.instrprof.increment(ptr @__profn_f, i64 0, i32 1, i32 0)
  %v3 = fadd float %v, 1.0
  %v2 = fmul float %v, 2.0
  store float %v2, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: Instrumented
; REASON-NEXT: Function: covered
; CHECK-LABEL: define void @covered(
; CHECK:         %v3
define void @covered(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i32 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i32 %i
  %v = load float, ptr %pi
  %count = load i64, ptr @__llvm_gcov_ctr
  %count.next = add i64 %count, 1
  store i64 %count.next, ptr @__llvm_gcov_ctr
  %v3 = fadd float %v, 1.0
  %v2 = fmul float %v, 2.0
  store float %v2, ptr %pi
  %i.next = add nsw i32 %i, 1
  br label %head
exit:
  ret void
}

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: UnusualControlFlow
; REASON-NEXT: Function: set_jump
; CHECK-LABEL: define void @set_jump(
; CHECK:         %v3
define void @set_jump(ptr %p, i32 %n) {
entry:
  %r = call i32 @setjmp(ptr %p) returns_twice
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: UnusualControlFlow
; REASON-NEXT: Function: coroutine
; CHECK-LABEL: define void @coroutine(
; CHECK:         %v3
define void @coroutine(ptr %p, i32 %n) presplitcoroutine {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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

; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: UnusualControlFlow
; REASON-NEXT: Function: computed_goto
; CHECK-LABEL: define void @computed_goto(
; CHECK:         %v3
define void @computed_goto(ptr %p, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %body ]
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
  store ptr blockaddress(@computed_goto, %label), ptr @labels
  %to = load ptr, ptr @labels
  indirectbr ptr %to, [label %label]
label:
  ret void
}

@__profn_f = private constant [1 x i8] c"f"
@__llvm_gcov_ctr = internal global i64 0
@labels = internal global ptr null

declare void @llvm.instrprof.increment(ptr, i64, i32, i32)
declare i32 @setjmp(ptr) returns_twice
