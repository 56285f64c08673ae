; Where the pipeline hooks itself in: nothing at O0, and nothing where code must
; not grow; at link time and before it.
;
; RUN: %opt -disable-output -print-pipeline-passes -passes='default<O0>' %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -disable-output -print-pipeline-passes -passes='default<Os>' %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -disable-output -print-pipeline-passes -passes='default<Oz>' %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -disable-output -print-pipeline-passes -passes='lto<O0>' %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -disable-output -print-pipeline-passes -passes='thinlto<O0>' %s | FileCheck %s --check-prefix=NONE
; NONE-NOT: dl
; NONE: verify
;
; RUN: %opt -disable-output -print-pipeline-passes -passes='default<O1>' %s | FileCheck %s --check-prefixes=COMPILE,O1
; RUN: %opt -disable-output -print-pipeline-passes -passes='default<O2>' %s | FileCheck %s --check-prefixes=COMPILE,O2
; RUN: %opt -disable-output -print-pipeline-passes -passes='default<O3>' %s | FileCheck %s --check-prefixes=COMPILE,O3
; O1: dl<O1>,
; O2: dl<O2>,
; O3: dl<O3>,
; COMPILE-NOT: dl<
; COMPILE: dl-mark,
; COMPILE-NOT: dl
;
; Before LLVM 20 the module says whether a link follows.
; RUN: %opt -disable-output -print-pipeline-passes -passes='lto-pre-link<O2>' %s | FileCheck %s --check-prefix=%if llvm-20-or-later %{PRELINK%} %else %{ASKS%}
; RUN: %opt -disable-output -print-pipeline-passes -passes='thinlto-pre-link<O2>' %s | FileCheck %s --check-prefix=%if llvm-20-or-later %{PRELINK%} %else %{ASKS%}
; RUN: %if llvm-20-or-later %{ %opt -disable-output -print-pipeline-passes -passes='lto-pre-link<O2>' %s | FileCheck %s --check-prefix=DEFERS %}
; RUN: %opt -disable-output -print-pipeline-passes -passes='thinlto-pre-link<O2>,default<O2>' %s | FileCheck %s --check-prefix=NEVER
; DEFERS: dl<O2>,
; DEFERS: dl-mark<defer>,
; DEFERS: loop-vectorize
; DEFERS: dl-mark<prelink>,
; NEVER-NOT: dl-mark<defer>
; PRELINK: dl<O2>,
; PRELINK: dl-mark<prelink>,
; ASKS: dl<O2>,
; ASKS: dl-mark,
;
; RUN: %opt -disable-output -print-pipeline-passes -passes='lto<O2>' %s | FileCheck %s --check-prefix=LINK
; RUN: %opt -disable-output -print-pipeline-passes -passes='thinlto<O2>' %s | FileCheck %s --check-prefix=LINK
; LINK: dl<O2>,
; LINK: dl-mark,

define void @f() {
  ret void
}
