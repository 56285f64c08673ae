; What is no file of tuned kernels is one error, whichever way it is given.
;
; RUN: rm -rf %t && split-file %s %t
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-tuned=%t/none.tuned %t/f.ll 2>&1 | FileCheck %s --check-prefix=NONE
; NONE: {{^}}DLOpt: {{.*}}none.tuned: No such file or directory
; RUN: not %opt -disable-output -passes='dl-vectorize<tuned=%t/none.tuned>' %t/f.ll 2>&1 | FileCheck %s --check-prefix=PARAM
; PARAM: error: dl-vectorize: {{.*}}none.tuned: No such file or directory
; RUN: env DLOPT_OPTIONS=tuned=%t/f.ll not %opt -disable-output -passes='dl<O3>' %t/f.ll 2>&1 | FileCheck %s --check-prefix=FOREIGN
; FOREIGN: {{^}}DLOpt: {{.*}}f.ll is no file of tuned kernels: its first line is not 'dlopt-tuned 1'
; RUN: not %opt -disable-output -passes='dl-vectorize<tuned=%t/next.tuned>' %t/f.ll 2>&1 | FileCheck %s --check-prefix=VERSION
; VERSION: error: dl-vectorize: {{.*}}next.tuned has version 2 of tuned kernels, this plugin reads version 1: tune again
; RUN: not %opt -disable-output -passes='dl-vectorize<tuned=%t/words.tuned>' %t/f.ll 2>&1 | FileCheck %s --check-prefix=WORDS
; WORDS: error: dl-vectorize: {{.*}}words.tuned:4: expected 'kernel', 'cpu', 'target', 'options', 'step' or 'time', and a value
; RUN: not %opt -disable-output -passes='dl-vectorize<tuned=%t/first.tuned>' %t/f.ll 2>&1 | FileCheck %s --check-prefix=FIRST
; FIRST: error: dl-vectorize: {{.*}}first.tuned:2: expected 'kernel' and its digest
; RUN: %opt -disable-output -passes='dl-vectorize<tuned=%t/empty.tuned>' %t/f.ll 2>&1 | count 0
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-block=0x64 %t/f.ll 2>&1 | FileCheck %s --check-prefix=BLOCK
; BLOCK: {{^}}DLOpt: -dl-block: bad value '0x64' for 'block'; accepted: block=KxN
; RUN: not %opt -disable-output -passes='dl<O3>' -dl-in-place=much %t/f.ll 2>&1 | FileCheck %s --check-prefix=PLACE
; PLACE: {{^}}DLOpt: -dl-in-place: bad value 'much' for 'in-place'; accepted: in-place=N[k|m]

;--- next.tuned
dlopt-tuned 2
;--- words.tuned
dlopt-tuned 1
# A comment.
kernel 00
threads 4
;--- first.tuned
dlopt-tuned 1
step split i I 4 1
;--- empty.tuned
dlopt-tuned 1
;--- f.ll
define void @f() {
  ret void
}
