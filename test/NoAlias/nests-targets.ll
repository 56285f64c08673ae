; With bounds and pointers read once LLVM's vectorizer does the rest, whatever the
; target; threads of a GPU stay as they are.
; REQUIRES: x86-registered-target, aarch64-registered-target, nvptx-registered-target
;
; RUN: %opt -mtriple=x86_64-- -mcpu=haswell -passes='dl-noalias<nests>,loop-vectorize' -S %s \
; RUN:   | FileCheck %s
; RUN: %opt -mtriple=aarch64-- -mcpu=neoverse-n1 -passes='dl-noalias<nests>,loop-vectorize' -S %s \
; RUN:   | FileCheck %s
; RUN: %opt -mtriple=nvptx64-nvidia-cuda -passes='dl-noalias<nests>' -S %s \
; RUN:   | FileCheck %s --check-prefix=NVPTX --implicit-check-not=dl.
; RUN: %opt -mtriple=x86_64-- -mcpu=haswell -passes='loop-vectorize' -S %s \
; RUN:   | FileCheck %s --check-prefix=PLAIN --implicit-check-not='x i8>'

; CHECK-LABEL: define void @quantize(
; CHECK: !dl.guard
; CHECK: store <{{[0-9]+}} x i8>
; PLAIN-LABEL: define void @quantize(
; NVPTX-LABEL: define void @quantize(
define void @quantize(ptr %p) {
entry:
  %n.at = getelementptr inbounds i8, ptr %p, i64 4
  %n.0 = load i32, ptr %n.at
  %some = icmp sgt i32 %n.0, 0
  br i1 %some, label %front, label %exit

front:
  %x.at = getelementptr inbounds i8, ptr %p, i64 8
  %q.at = getelementptr inbounds i8, ptr %p, i64 16
  br label %loop

loop:
  %i = phi i64 [ 0, %front ], [ %i.next, %loop ]
  %x = load ptr, ptr %x.at
  %e.at = getelementptr inbounds float, ptr %x, i64 %i
  %e = load float, ptr %e.at
  %scale = load float, ptr %p
  %m = fmul float %e, %scale
  %b = fptosi float %m to i8
  %q = load ptr, ptr %q.at
  %to = getelementptr inbounds i8, ptr %q, i64 %i
  store i8 %b, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %n = load i32, ptr %n.at
  %n.wide = sext i32 %n to i64
  %more = icmp slt i64 %i.next, %n.wide
  br i1 %more, label %loop, label %exit

exit:
  ret void
}
