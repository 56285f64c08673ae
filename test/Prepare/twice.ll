; A second run changes nothing, and says so.
; RUN: %opt -passes='dl-prepare<loops>' -S -o %t.once.ll %S/loops.ll
; RUN: %opt -passes='dl-prepare<loops>,dl-prepare<loops>,dl-prepare<all>,dl-prepare' -S -o %t.twice.ll %S/loops.ll
; RUN: cmp %t.once.ll %t.twice.ll
; RUN: FileCheck %s --input-file=%t.once.ll
; RUN: %opt -passes='dl-prepare<loops>' -disable-output %t.once.ll -print-changed 2>&1 | FileCheck %s --check-prefix=SAME

; CHECK: define float @window({{.*}}) #[[LIGHT:[0-9]+]]
; CHECK: attributes #[[LIGHT]] = { "dl-light" }
; SAME: IR Dump After {{.*}}PreparePass on [module] omitted because no change
