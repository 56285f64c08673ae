; Where a pointer is that is read in front of loops is asked while the kernel has the axes
; of these: here none is left.
; TEETH: none - that it does not crash is what is tested.
; RUN: %opt -passes='strip,dl-prepare<loops>,dl-fuse,verify' -S %s | FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @none_left(
; CHECK:         store float
; CHECK:         ret void
define void @none_left(ptr %y, i32 %n, ptr %rows) {
entry:
  br label %count

count:
  %i = phi i32 [ 0, %entry ], [ %i.next, %counted ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %counted, label %start

counted:
  %i.next = add i32 %i, 1
  br label %count

start:
  %first = load i32, ptr %y, align 8
  br label %loop

loop:
  %k = phi i32 [ %first, %start ], [ %k.next, %round ]
  %below = icmp slt i32 %k, 0
  br i1 %below, label %round, label %exit

round:
  %row = zext i32 %n to i64
  %place = getelementptr ptr, ptr %rows, i64 %row
  %unused = fadd float 0.000000e+00, 0.000000e+00
  %x = load ptr, ptr %place, align 8
  %value = load float, ptr %x, align 4
  store float %value, ptr %y, align 4
  %k.next = add i32 %k, 1
  br label %loop

exit:
  ret void
}
