; Vectors of the source are taken apart only where ScalarizerPass knows all that
; happens to them: it fails on elements that a vector does not have and on
; intrinsics with a scalar among their operands.
;
; RUN: %opt -passes=dl-prepare -verify-each -pass-remarks-missed=dl- -S %s 2>&1 | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK:       nothing is stored or reduced
; CHECK:       a type the kernel model does not have
; CHECK-LABEL: define void @no_such_element(
; CHECK: extractelement <4 x float> %v, i32 7
define void @no_such_element(ptr %a, ptr %c, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %v = load <4 x float>, ptr %p, align 4
  %x = extractelement <4 x float> %v, i32 7
  %y = fmul float %x, %x
  %q = getelementptr float, ptr %c, i64 %i
  store float %y, ptr %q, align 4
  %i.next = add nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define void @scalar_operand(
; CHECK: call <4 x float> @llvm.ldexp.v4f32.i32(<4 x float> %v, i32 %e)
define void @scalar_operand(ptr %a, ptr %c, i64 %n, i32 %e) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %a, i64 %i
  %v = load <4 x float>, ptr %p, align 4
  %w = call <4 x float> @llvm.ldexp.v4f32.i32(<4 x float> %v, i32 %e)
  %y = fmul <4 x float> %w, %v
  %q = getelementptr float, ptr %c, i64 %i
  store <4 x float> %y, ptr %q, align 4
  %i.next = add nsw i64 %i, 4
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
