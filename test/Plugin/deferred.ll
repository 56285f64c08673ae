; Before full LTO, LLVM is kept from vectorizing and unrolling what the link, with the
; plugin, may raise: nests that call other modules, in crates.
;
; RUN: %opt -passes='dl-mark<defer>' -S %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: %opt -passes='dl<O2>' -S %t.ll | FileCheck %s --check-prefix=RESUMED
; RUN: sed 's/rustc version/clang version/' %s | %opt -passes='dl-mark<defer>' -S | FileCheck %s --check-prefix=CLANG
;
; CHECK-LABEL: define void @calls(
; CHECK:         br i1 %inner.more, label %inner, label %outer.end, !llvm.loop [[INNER:![0-9]+]]
; CHECK:         br i1 %outer.more, label %outer, label %exit, !llvm.loop [[OUTER:![0-9]+]]
; CHECK-LABEL: define void @alone(
; CHECK:         br i1 %more, label %loop, label %exit{{$}}
; CHECK-DAG: [[INNER]] = distinct !{[[INNER]], [[KEPT:![0-9]+]], [[DEFERRED:![0-9]+]], [[OFF:![0-9]+]]}
; CHECK-DAG: [[KEPT]] = !{!"llvm.loop.mustprogress"}
; CHECK-DAG: [[OUTER]] = distinct !{[[OUTER]], [[DEFERRED]], [[OFF]]}
; CHECK-DAG: [[DEFERRED]] = !{!"dl.deferred"}
; CHECK-DAG: [[OFF]] = !{!"llvm.loop.disable_nonforced"}
; RESUMED-NOT: {{dl.deferred|disable_nonforced}}
; RESUMED: llvm.loop.mustprogress
; RESUMED-NOT: {{dl.deferred|disable_nonforced}}
; CLANG-NOT: dl.deferred
declare ptr @next(i64)

define void @calls(ptr %y, i64 %n) {
entry:
  br label %outer

outer:
  %i = phi i64 [ 0, %entry ], [ %i.next, %outer.end ]
  %row = call ptr @next(i64 %i)
  br label %inner

inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %px = getelementptr float, ptr %row, i64 %j
  %x = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %j
  store float %x, ptr %py
  %j.next = add nuw nsw i64 %j, 1
  %inner.more = icmp ult i64 %j.next, %n
  br i1 %inner.more, label %inner, label %outer.end, !llvm.loop !1

outer.end:
  %i.next = add nuw nsw i64 %i, 1
  %outer.more = icmp ult i64 %i.next, %n
  br i1 %outer.more, label %outer, label %exit

exit:
  ret void
}

define void @alone(ptr %x, ptr %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %px = getelementptr float, ptr %x, i64 %i
  %v = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %v, ptr %py
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

!dl.processed = !{}
!llvm.ident = !{!0}
!0 = !{!"rustc version 1.95.0"}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.mustprogress"}
