; Strides that are arguments: which one is the greater? The loops say it, unless three or
; more are arguments behind each other, as in the descriptors of MLIR's memrefs.
;
; RUN: sed 's/ARGUMENTS/i64 %%image, i64 %%channel, i64 %%row, i64 %%n/' %s | %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output - | FileCheck %s --check-prefix=DESCRIBED
; RUN: sed 's/ARGUMENTS/i64 %%image, i64 %%channel, i64 %%n, i64 %%row/' %s | %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output - | FileCheck %s --check-prefix=LOOPS
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"

; Channels are the innermost loop, but lie apart, and rows within them.
;
; DESCRIBED:      par i[%n] par j[%rows] par k[%channels]
; DESCRIBED:      needs inrange(0 <= %row - 1 <=
; DESCRIBED-NEXT: needs inrange(0 <= %row - %rows*%row + %channel - 1 <=

; Not behind each other.
;
; LOOPS:      par i[%n] par j[%rows] par k[%channels]
; LOOPS:      needs inrange(0 <= %channel - 1 <=
; LOOPS-NEXT: needs inrange(0 <= %row - %channels*%channel + %channel - 1 <=

define void @fill(ptr %y, ARGUMENTS, i64 %channels, i64 %rows) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %n
  br i1 %i.more, label %j.head, label %exit
j.head:
  %j = phi i64 [ 0, %i.head ], [ %j.next, %j.latch ]
  %j.more = icmp slt i64 %j, %rows
  br i1 %j.more, label %k.head, label %i.latch
k.head:
  %k = phi i64 [ 0, %j.head ], [ %k.next, %k.body ]
  %k.more = icmp slt i64 %k, %channels
  br i1 %k.more, label %k.body, label %j.latch
k.body:
  %a = mul nsw i64 %i, %image
  %b = mul nsw i64 %j, %row
  %c = mul nsw i64 %k, %channel
  %ab = add nsw i64 %a, %b
  %abc = add nsw i64 %ab, %c
  %p = getelementptr inbounds float, ptr %y, i64 %abc
  store float 1.0, ptr %p, align 4
  %k.next = add nuw nsw i64 %k, 1
  br label %k.head
j.latch:
  %j.next = add nuw nsw i64 %j, 1
  br label %j.head
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  br label %i.head
exit:
  ret void
}
