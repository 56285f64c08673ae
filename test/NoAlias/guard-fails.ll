; Loops whose test is known to fail get no clone: an index of 2^29, and the
; greatest that is not too large.
; RUN: %opt -passes='dl-noalias<guards>,verify' -pass-remarks=dl-noalias -pass-remarks-missed=dl-noalias -S %s 2>&1 | FileCheck %s
; RUN: sed 's/536870913/536870912/' %s | %opt -passes='dl-noalias<guards>,verify' -pass-remarks=dl-noalias -S 2>&1 | FileCheck %s --check-prefix=LESS
;
; CHECK-NOT: loops behind a test
; CHECK:     left alone: the run-time tests are known to fail
; CHECK-NOT: scope
; LESS:     loops behind a test
; LESS:     call void @llvm.experimental.noalias.scope.decl(
define void @copy(ptr %a, ptr %c) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %body ]
  %runs = icmp slt i64 %i, 536870913
  br i1 %runs, label %body, label %exit
body:
  %a.ptr = getelementptr inbounds float, ptr %a, i64 %i
  %a.value = load float, ptr %a.ptr
  %c.ptr = getelementptr inbounds float, ptr %c, i64 %i
  store float %a.value, ptr %c.ptr
  %i.next = add nsw i64 %i, 1
  br label %head
exit:
  ret void
}
