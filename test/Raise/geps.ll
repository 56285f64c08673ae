; Forms of addresses in hand-written IR, and a loop that was rotated.
;
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s | FileCheck %s

; CHECK-LABEL: kernel 0 @bytes
; CHECK: %y[i,j] = %x[i + 4,j]
; CHECK: needs inrange(0 <= %n - 16
define void @bytes(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.end ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %columns.pre, label %exit

columns.pre:
  br label %columns

columns:
  %j = phi i64 [ 0, %columns.pre ], [ %j.next, %body ]
  %j.more = icmp ult i64 %j, 16
  br i1 %j.more, label %body, label %rows.end

body:
  %row = mul i64 %i, %n
  %e = add i64 %row, %j
  %b = shl i64 %e, 2
  %py = getelementptr i8, ptr %y, i64 %b
  %four = shl i64 %n, 4
  %bx = add i64 %b, %four
  %px = getelementptr i8, ptr %x, i64 %bx
  %v = load float, ptr %px
  store float %v, ptr %py
  %j.next = add i64 %j, 1
  br label %columns

rows.end:
  %i.next = add nsw i64 %i, 1
  br label %rows

exit:
  ret void
}

; CHECK-LABEL: kernel 0 @typed
; CHECK: %y[3*i + 1] = %x[i]
%pixel = type { float, float, float }
define void @typed(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr [0 x float], ptr %x, i64 0, i64 %i
  %py = getelementptr %pixel, ptr %y, i64 %i, i32 1
  %v = load float, ptr %px
  store float %v, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; The guard in front proves nothing to the raiser, which therefore asks for it.
; CHECK-LABEL: kernel 0 @rotated
; CHECK: par i[%n]
; CHECK: %y[i] = %x[i]
; CHECK: needs inrange(1 <= %n <= 9223372036854775807)
define void @rotated(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %pre, label %exit

pre:
  br label %loop

loop:
  %i = phi i64 [ 0, %pre ], [ %next, %loop ]
  %px = getelementptr float, ptr %x, i64 %i
  %py = getelementptr float, ptr %y, i64 %i
  %v = load float, ptr %px
  store float %v, ptr %py
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  br label %exit

exit:
  ret void
}
