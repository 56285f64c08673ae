; A kernel whose output may overlap its inputs: a clone with scopes behind a test,
; beside the loops as they were. Run again, nothing changes.
; RUN: %opt -passes='dl-noalias<guards>' -pass-remarks=dl-noalias -pass-remarks-missed=dl-noalias -S %s -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: %opt -passes='dl-noalias<guards>,dl-noalias<guards>' -S %s | diff %t.ll -
;
; REMARK-NOT: left alone
; REMARK:     add f32, %n: loops behind a test that output and inputs are disjoint
; REMARK-NOT: remark:

; CHECK-LABEL: define void @add(
; CHECK:         br i1 {{.*}}, label %dl.fast, label %dl.original, !dl.guard
; CHECK:       dl.fast:
; CHECK-NEXT:    call void @llvm.experimental.noalias.scope.decl(metadata [[C:![0-9]+]])
; CHECK:         load float, ptr %a{{.*}}, !noalias [[C]]
; CHECK:         load float, ptr %b{{.*}}, !noalias [[C]]
; CHECK:         store float {{.*}}, !alias.scope [[C]]
; CHECK:         br label {{.*}}, !llvm.loop [[CLONE:![0-9]+]]
; CHECK:       dl.original:
; CHECK-NOT:     !noalias
; CHECK-NOT:     !alias.scope
; CHECK:         br label %head, !llvm.loop [[ORIGINAL:![0-9]+]]
; CHECK:         ret void
define void @add(i64 %n, ptr %a, ptr %b, ptr %c) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %runs = icmp slt i64 %i, %n
  br i1 %runs, label %body, label %exit
body:
  %a.ptr = getelementptr inbounds float, ptr %a, i64 %i
  %a.value = load float, ptr %a.ptr
  %b.ptr = getelementptr inbounds float, ptr %b, i64 %i
  %b.value = load float, ptr %b.ptr
  %sum = fadd float %a.value, %b.value
  %c.ptr = getelementptr inbounds float, ptr %c, i64 %i
  store float %sum, ptr %c.ptr
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; Nothing to separate: one object, element by element.
; CHECK-LABEL: define void @in_place(
; CHECK-NOT:     !dl.guard
; CHECK:         ret void
define void @in_place(i64 %n, ptr %a) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %runs = icmp slt i64 %i, %n
  br i1 %runs, label %body, label %exit
body:
  %a.ptr = getelementptr inbounds float, ptr %a, i64 %i
  %a.value = load float, ptr %a.ptr
  %double = fmul float %a.value, 2.0
  store float %double, ptr %a.ptr
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}

; CHECK-DAG: [[CLONE]] = distinct !{[[CLONE]], [[SCOPED:![0-9]+]]}
; CHECK-DAG: [[SCOPED]] = !{!"dl.scoped"}
; CHECK-DAG: [[C]] = !{[[SCOPE:![0-9]+]]}
; CHECK-DAG: [[SCOPE]] = distinct !{[[SCOPE]], [[DOMAIN:![0-9]+]], !"c"}
; CHECK-DAG: [[DOMAIN]] = distinct !{[[DOMAIN]], !"dl.guard"}
; CHECK-DAG: [[ORIGINAL]] = distinct !{[[ORIGINAL]], [[TAG:![0-9]+]]}
; CHECK-DAG: [[TAG]] = !{!"dl.original"}
