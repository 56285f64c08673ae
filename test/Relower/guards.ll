; Guards: values that the source reads inside its loops are read ahead of them
; behind tests that it would have read them; the original loops keep their hints.
; RUN: %opt -passes='dl-relower,verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; With no rows %p may be null; with no columns its data may not be there.
; CHECK-LABEL: define float @staged(
; CHECK:         [[ROWS:%.*]] = freeze i32 %rows
; CHECK-NEXT:    [[ROWS64:%.*]] = sext i32 [[ROWS]] to i64
; CHECK-NEXT:    [[ANYROW:%.*]] = icmp sgt i64 [[ROWS64]], 0
; CHECK-NEXT:    br i1 [[ANYROW]], label %[[NEXT:.*]], label %[[ORIGINAL:.*]]
; CHECK:       [[NEXT]]:
; CHECK-NEXT:    [[N:%.*]] = load i32, ptr %p
; CHECK-NEXT:    [[NFR:%.*]] = freeze i32 [[N]]
; CHECK-NEXT:    [[N64:%.*]] = sext i32 [[NFR]] to i64
; CHECK-NEXT:    [[ANYCOL:%.*]] = icmp sgt i64 [[N64]], 0
; CHECK-NEXT:    br i1 [[ANYCOL]], label %[[LAST:.*]], label %[[ORIGINAL]]
; CHECK:       [[LAST]]:
; CHECK:         [[DATA:%.*]] = load ptr, ptr
; CHECK-NEXT:    [[DATAFR:%.*]] = freeze ptr [[DATA]]
; Both ways round the circle of addresses, and all numbers small.
; CHECK:         icmp uge i64
; CHECK:         icmp uge i64
; CHECK:         %dl.small = icmp ult i64
; CHECK:         br i1 {{%.*}}, label %[[FAST:.*]], label %[[ORIGINAL]], !dl.guard
; CHECK:       [[FAST]]:
; CHECK:       [[DONE:i.exit.*]]:
; CHECK-NEXT:    br label %[[JOIN:.*]]
; CHECK:       [[ORIGINAL]]:
; CHECK-NEXT:    br label %row
; CHECK:         br label %col, !llvm.loop [[COL:!.*]]
; CHECK:         br label %row, !llvm.loop [[ROW:!.*]]
; CHECK:       exit:
; CHECK-NEXT:    [[OLD:%.*]] = phi float [ %last, %row ]
; CHECK-NEXT:    br label %[[JOIN]]
; CHECK:       [[JOIN]]:
; CHECK-NEXT:    %res = phi float [ [[OLD]], %exit ], [ {{%.*}}, %[[DONE]] ]
; CHECK-NEXT:    ret float %res
define float @staged(ptr %p, i32 %rows, ptr %out, float %start) {
entry:
  br label %row

row:
  %r = phi i32 [ 0, %entry ], [ %r.next, %row.latch ]
  %last = phi float [ %start, %entry ], [ %last.next, %row.latch ]
  %row.more = icmp slt i32 %r, %rows
  br i1 %row.more, label %col.entry, label %exit

col.entry:
  br label %col

col:
  %c = phi i32 [ 0, %col.entry ], [ %c.next, %col.body ]
  %sum = phi float [ 0.0, %col.entry ], [ %sum.next, %col.body ]
  %n = load i32, ptr %p, align 8, !tbaa !3
  %col.more = icmp slt i32 %c, %n
  br i1 %col.more, label %col.body, label %row.latch

col.body:
  %data.addr = getelementptr inbounds i8, ptr %p, i64 8
  %data = load ptr, ptr %data.addr, align 8, !tbaa !5
  %mul = mul nsw i32 %r, %n
  %idx = add nsw i32 %mul, %c
  %idx.ext = sext i32 %idx to i64
  %at = getelementptr inbounds float, ptr %data, i64 %idx.ext
  %v = load float, ptr %at, align 4, !tbaa !7
  %sum.next = fadd float %sum, %v
  %c.next = add nsw i32 %c, 1
  br label %col, !llvm.loop !0

row.latch:
  %last.next = phi float [ %sum, %col ]
  %r.ext = sext i32 %r to i64
  %o = getelementptr inbounds float, ptr %out, i64 %r.ext
  store float %last.next, ptr %o, align 4, !tbaa !7
  %r.next = add nsw i32 %r, 1
  br label %row, !llvm.loop !12

exit:
  %res = phi float [ %last, %row ]
  ret float %res
}

; What follows a nest uses its new values, also where it is replaced itself.
; CHECK-LABEL: define void @in_a_row(
; CHECK:         [[SUM:%.*]] = phi float [ 0.000000e+00, %{{.*}} ], [ [[ADD:%.*]], %{{.*}} ]
; CHECK:         [[ADD]] = fadd float [[SUM]],
; CHECK:         fmul float {{%.*}}, [[SUM]]
; CHECK-NOT:     fmul
; CHECK:       ret void
define void @in_a_row(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %sum

sum:
  %i = phi i64 [ 0, %entry ], [ %i.next, %sum.body ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %sum.body ]
  %sum.more = icmp slt i64 %i, %n
  br i1 %sum.more, label %sum.body, label %between

sum.body:
  %at = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %at, align 4
  %s.next = fadd float %s, %v
  %i.next = add nuw nsw i64 %i, 1
  br label %sum

between:
  %total = phi float [ %s, %sum ]
  br label %scale

scale:
  %j = phi i64 [ 0, %between ], [ %j.next, %scale.body ]
  %scale.more = icmp slt i64 %j, %n
  br i1 %scale.more, label %scale.body, label %exit

scale.body:
  %from = getelementptr inbounds float, ptr %x, i64 %j
  %w = load float, ptr %from, align 4
  %scaled = fmul float %w, %total
  %to = getelementptr inbounds float, ptr %y, i64 %j
  store float %scaled, ptr %to, align 4
  %j.next = add nuw nsw i64 %j, 1
  br label %scale

exit:
  ret void
}

; CHECK-DAG: [[COL]] = distinct !{[[COL]], {{!.*}}, [[WIDTH:!.*]], [[TAG:!.*]]}
; CHECK-DAG: [[WIDTH]] = !{!"llvm.loop.vectorize.width", i32 4}
; CHECK-DAG: [[TAG]] = !{!"dl.original"}
; CHECK-DAG: [[ROW]] = distinct !{[[ROW]], {{!.*}}, [[TAG]]}

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.mustprogress"}
!2 = !{!"llvm.loop.vectorize.width", i32 4}
!3 = !{!4, !9, i64 0}
!4 = !{!"M", !9, i64 0, !6, i64 8}
!5 = !{!4, !6, i64 8}
!6 = !{!"any pointer", !10, i64 0}
!7 = !{!8, !8, i64 0}
!8 = !{!"float", !10, i64 0}
!9 = !{!"int", !10, i64 0}
!10 = !{!"omnipotent char", !11, i64 0}
!11 = !{!"Simple C/C++ TBAA"}
!12 = distinct !{!12, !1}
