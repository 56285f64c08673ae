; Every row of PassRegistry.def parses, prints itself and parses again.
;
; RUN: %opt -disable-output -print-pipeline-passes %s \
; RUN:   -passes='dl-prepare,dl-prepare<all>,dl-recognize,dl-noalias,dl-vectorize,dl-vectorize<tile=6x4;no-pack;stack=64k>,dl-vectorize<scalable>,dl-vectorize<no-scalable>,dl-mark,dl-mark<prelink>,dl-mark<defer>,dl<O1>,dl<O2>,dl<O3>,function(dl-recognize)' \
; RUN:   > %t.1
; RUN: FileCheck %s --input-file=%t.1
; CHECK: {{^}}dl-prepare,dl-prepare<all>,function(dl-recognize),dl-noalias,dl-vectorize,dl-vectorize<tile=6x4;no-pack;stack=65536>,dl-vectorize<scalable>,dl-vectorize<no-scalable>,dl-mark,dl-mark<prelink>,dl-mark<defer>,dl<O1>,dl<O2>,dl<O3>,function(dl-recognize),verify{{$}}
;
; RUN: %opt -disable-output -print-pipeline-passes %s \
; RUN:   -passes='dl-vectorize<stack=65536;no-pack;tile=6x4>' | FileCheck %s --check-prefix=AGAIN
; AGAIN: {{^}}dl-vectorize<tile=6x4;no-pack;stack=65536>,verify{{$}}
;
; Names are known to the printing options.
; RUN: %opt -disable-output -passes=dl-vectorize -print-after=dl-vectorize %s 2>&1 \
; RUN:   | FileCheck %s --check-prefix=AFTER
; AFTER: IR Dump After dlopt::VectorizePass
; AFTER: define void @f

define void @f() {
  ret void
}
