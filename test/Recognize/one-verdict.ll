; However the passes are put together, each loop of the source gets one verdict
; of dl-recognize: dl-prepare speaks of functions that stay as they are, and then
; nobody else does. What they attach does not depend on who listens.
; DEFINE: %{passes} =
; DEFINE: %{run} = %opt -passes='%{passes}' -pass-remarks-missed=dl-recognize -pass-remarks-analysis=dl-recognize -S %s
; DEFINE: %{check} = FileCheck %s --implicit-check-not=remark: --input-file
;
; REDEFINE: %{passes} = dl-prepare,dl-recognize
; RUN: %{run} -o %t.ll 2> %t.txt
; RUN: %{check} %t.txt
; RUN: %opt -passes='%{passes}' -S %s | diff %t.ll -
; RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
; REDEFINE: %{passes} = dl-prepare<all>,dl-recognize
; RUN: %{run} -o /dev/null 2> %t.txt
; RUN: %{check} %t.txt
; REDEFINE: %{passes} = dl-prepare<drop>,dl-prepare,dl-noalias<guards>,dl-vectorize,dl-recognize
; RUN: %{run} -o /dev/null 2> %t.txt
; RUN: %{check} %t.txt
; REDEFINE: %{passes} = dl-recognize
; RUN: %{run} -o /dev/null 2> %t.txt
; RUN: FileCheck %s --implicit-check-not=remark: --check-prefix=ALONE --input-file %t.txt
;
; CHECK-DAG: remark: {{.*}} kernel: scale f32, %n, tier exact
; CHECK-DAG: remark: {{.*}} left alone: a call that may have side effects: 'unknown'
; CHECK-DAG: remark: {{.*}} left alone: the function asks not to be optimized
; ALONE-DAG: remark: {{.*}} kernel: scale f32, %n, tier exact
; ALONE-DAG: remark: {{.*}} left alone: a call that may have side effects: 'unknown'

declare void @unknown() nounwind

; IR-LABEL: define void @scale(
; IR:         !dl.kernel
define void @scale(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i64 %i
  %v = load float, ptr %pi
  %w = fmul float %v, 2.0
  store float %w, ptr %pi
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}

define void @calls(ptr %p, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i64 %i
  %v = load float, ptr %pi
  %w = fmul float %v, 2.0
  store float %w, ptr %pi
  call void @unknown()
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}

define void @optnone(ptr %p, i64 %n) noinline optnone {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp slt i64 %i, %n
  br i1 %c, label %body, label %exit
body:
  %pi = getelementptr inbounds float, ptr %p, i64 %i
  %v = load float, ptr %pi
  %w = fmul float %v, 2.0
  store float %w, ptr %pi
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}
