; What was defined elsewhere before the link is no copy of it, and stays at the link.
;
; RUN: %opt -passes='dl<O2>,dl-mark<prelink>' -S %s | FileCheck %s

declare void @unknown()

; CHECK: define available_externally void @f() {{.*}}!dl.processed
define available_externally void @f() {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  call void @unknown()
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, 10
  br i1 %more, label %loop, label %end

end:
  ret void
}

!dl.processed = !{}
