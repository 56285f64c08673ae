; A file of contracts, by what people call functions in their languages.
;
; REQUIRES: x86-registered-target
;
; RUN: rm -rf %t && split-file %s %t
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/wanted %t/f.ll 2>&1 | FileCheck %s --check-prefix=LOST
; LLVM's own handler ends at the first error, so each has a run of its own.
; LOST: error: {{.*}} DLOpt: 'sgemm' requires the kernel relu, and has others: scale f32
; RUN: grep -v sgemm %t/wanted > %t/wanted.2
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/wanted.2 %t/f.ll 2>&1 | FileCheck %s --check-prefix=MODULE
; MODULE: error: {{.*}} DLOpt: 'blas::scale' requires the kernel relu
; RUN: grep -v blas %t/wanted.2 > %t/wanted.3
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/wanted.3 %t/f.ll 2>&1 | FileCheck %s --check-prefix=CXX
; CXX: error: {{.*}} DLOpt: 'nn::scale' requires the kernel relu
; RUN: grep -v nn:: %t/wanted.3 > %t/wanted.4
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/wanted.4 %t/f.ll 2>&1 | FileCheck %s --check-prefix=RUST
; RUST: error: {{.*}} DLOpt: 'net::total' requires the kernel relu
; RUN: grep -v total %t/wanted.4 > %t/wanted.5
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/wanted.5 %t/f.ll 2>&1 | FileCheck %s --check-prefix=V0
; V0: error: {{.*}} DLOpt: 'net::twice' requires the kernel relu
; RUN: grep -v twice %t/wanted.5 > %t/wanted.6
; RUN: %opt -S -passes='dl<O3>' -dl-contracts=%t/wanted.6 %t/f.ll | FileCheck %s --check-prefix=KEPT
; RUN: env DLOPT_OPTIONS=contracts=%t/wanted.6 %opt -S -passes='default<O2>' %t/f.ll | FileCheck %s --check-prefix=KEPT
; No trace stays.
; KEPT-NOT: dl-require
;
; In IR it is an attribute, too.
; RUN: sed 's/nounwind/nounwind "dl-require"="softmax"/' %t/f.ll > %t/attribute.ll
; RUN: not %opt -disable-output -passes='dl<O3>' %t/attribute.ll 2>&1 | FileCheck %s --check-prefix=ATTRIBUTE
; ATTRIBUTE: error: {{.*}} DLOpt: 'sgemm' requires the kernel softmax
;
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/none %t/f.ll 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: DLOpt: contracts: {{.*}}none: No such file or directory
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/words %t/f.ll 2>&1 | FileCheck %s --check-prefix=WORDS
; WORDS: DLOpt: {{.*}}words:2: expected 'function: KIND[, KIND]'
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-contracts=%t/kinds %t/f.ll 2>&1 | FileCheck %s --check-prefix=KINDS
; KINDS: DLOpt: {{.*}}kinds:1: unknown kind 'softmacs', perhaps 'softmax'; accepted: any, matmul,

;--- wanted
# Of many files: not all of these functions are in each.
elsewhere: matmul
sgemm: relu                        # Fortran's and CLAPACK's sgemm_
blas::scale: relu                  # of a module of Fortran
nn::scale(int, float*, float*): relu
net::total: relu                   # of rustc, with and without a hash
net::twice: relu
helper: scale, any
_ZN2nn5scaleEiPfS0_: scale
;--- words
sgemm: any
nn::scale scale
;--- kinds
sgemm: softmacs
;--- f.ll
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

define void @sgemm_(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @_QMblasPscale(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @_ZN2nn5scaleEiPfS0_(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @_ZN3net5total17h0123456789abcdefE(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @_RNvCs2OpA4fNwd7R_3net5twice(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

define void @helper(i64 %n, ptr noalias %x, ptr noalias %y) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from, align 4
  %product = fmul float %v, 3.000000e+00
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %product, ptr %to, align 4
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

attributes #0 = { nounwind }
