; A function on which the budget, an attribute or the deny list has the last
; word stays as it is; the same functions are swapped without it.
; RUN: split-file %s %t
; RUN: %opt -passes='dl-prepare<loops>' -S %t/in.ll | FileCheck %t/in.ll --check-prefixes=CHECK,ON
; RUN: %opt -passes='dl-prepare<loops>' -dl-budget=10 -S %t/in.ll | FileCheck %t/in.ll --check-prefixes=CHECK,OFF
; RUN: %opt -passes='dl-prepare<loops>' -dl-budget=10 -pass-remarks-missed=dl-recognize -disable-output %t/in.ll 2>&1 | FileCheck %t/in.ll --check-prefix=BUDGET
; RUN: %opt -passes='dl-prepare<loops>' -dl-deny=%t/deny -S %t/in.ll | FileCheck %t/in.ll --check-prefixes=CHECK,OFF
; RUN: %opt -passes='dl-prepare<loops>' -dl-enable=0 -S %t/in.ll | FileCheck %t/in.ll --check-prefixes=CHECK,OFF
; RUN: %opt -passes='dl-prepare<loops>' -dl-disable=dl-prepare -S %t/in.ll | FileCheck %t/in.ll --check-prefixes=CHECK,OFF

;--- deny
fun:scale

;--- in.ll
; BUDGET: left alone: the function or loop nest is too large for the compile-time budget
; BUDGET: left alone: switched off by an attribute, a pragma or the deny list
; CHECK-LABEL: define void @scale(
; ON-NOT:        %v3
; OFF:           %v3
; ON:          ret void
define void @scale(ptr %p, i32 %n) {
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

; CHECK-LABEL: define void @switched_off(
; CHECK:         %v3
; CHECK:       ret void
define void @switched_off(ptr %p, i32 %n) "dl-enable"="0" {
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

