; A local of the relowered loops that some branches assign lives for a round: it is no phi
; behind them, for which self-checking builds would have no value of the original loops.
; RUN: env DLOPT_OPTIONS=check=1 %opt -passes='dl-prepare<loops>,dl-relower,verify' -S %s | FileCheck %s

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

; CHECK-LABEL: define void @choose(
; CHECK: dl.check.done:
; CHECK-NOT: phi i16 {{.*}}%dl.check.behind
; CHECK: phi i16 [ %{{.*}}, %dl.if{{[0-9]*}} ], [ {{0|undef}}, %dl.done{{[0-9]*}} ]
define void @choose(ptr %a, i1 %is) {
entry:
  br label %rows

rows:
  br i1 %is, label %first, label %first.else

first.else:
  %x = load i16, ptr %a
  br label %first

first:
  %y = phi i16 [ %x, %first.else ], [ 0, %rows ]
  store i16 %y, ptr %a
  br label %columns

columns:
  %j = phi i64 [ 0, %first ], [ %j.next, %columns.latch ]
  br i1 %is, label %columns.latch, label %else

else:
  %v = load i16, ptr %a
  br label %columns.latch

columns.latch:
  %w = phi i16 [ %v, %else ], [ 0, %columns ]
  store i16 %w, ptr %a
  %j.next = add i64 %j, 1
  %last = icmp eq i64 %j, 0
  br i1 %last, label %rows, label %columns
}
