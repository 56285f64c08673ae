; A loop that scales an array is a kernel by that name.
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s 2>&1 | FileCheck %s
;
; With one access volatile nothing is done, and the remark has the reason.
; RUN: sed 's/load float/load volatile float/' %s | %opt -passes='default<O2>' -S -o %t.ll -pass-remarks-output=%t.yaml
; RUN: FileCheck %s --check-prefix=REASON --implicit-check-not='!Passed' < %t.yaml
; RUN: FileCheck %s --check-prefix=KEPT --implicit-check-not=@dl. < %t.ll
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: kernel 0 @halve  scale f32
; CHECK-NEXT:    params   %n
; CHECK-NEXT:    buffers  %p:f32
; CHECK-NEXT:    par i[%n]
; CHECK-NEXT:      %p[i] = fmul(%p[i], 0.5)
; REASON:      --- !Missed
; REASON-NEXT: Pass: dl-recognize
; REASON-NEXT: Name: Volatile
; REASON-NEXT: Function: halve
; KEPT-LABEL: define void @halve(
; KEPT:         load volatile float
define void @halve(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %at = getelementptr inbounds float, ptr %p, i64 %i
  %x = load float, ptr %at
  %y = fmul float %x, 5.000000e-01
  store float %y, ptr %at
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}
