; Listening to remarks changes no code: a function without arithmetic in its
; loop is looked at then, and stays all the same.
; RUN: %opt -passes=dl-prepare -S -o %t.ll %s
; RUN: %opt -passes=dl-prepare -pass-remarks-output=%t.yaml -S -o %t.remarks.ll %s
; RUN: cmp %t.ll %t.remarks.ll
; RUN: FileCheck %s --input-file=%t.yaml

; CHECK: Pass: dl-recognize
; CHECK: Function: copy

define void @copy(ptr %d, ptr %s, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %c = icmp ult i64 %i, %n
  br i1 %c, label %body, label %exit
body:
  %si = getelementptr inbounds float, ptr %s, i64 %i
  %di = getelementptr inbounds float, ptr %d, i64 %i
  %v = load float, ptr %si
  store float %v, ptr %di
  %i.next = add nuw i64 %i, 1
  br label %head
exit:
  ret void
}
