; A compilation leaves no mark; one that is followed by a link marks functions,
; and no pass touches these again.
;
; RUN: %opt -S -passes='default<O2>' %s | FileCheck %s --check-prefix=COMPILE --implicit-check-not=processed
; RUN: %opt -S -load-pass-plugin=%plugin -passes='default<O2>' %s | FileCheck %s --check-prefix=COMPILE --implicit-check-not=processed
; COMPILE: define {{.*}}@f(
;
; LLVM 19 does not say what follows, but clang's modules do.
; RUN: sed 's/^; !/!/' %s > %t.flags.ll
; RUN: %opt -S -passes='lto-pre-link<O2>' %t.flags.ll | FileCheck %s --check-prefix=PRELINK
; RUN: %opt -S -passes='thinlto-pre-link<O2>' %t.flags.ll | FileCheck %s --check-prefix=PRELINK
; PRELINK: define {{.*}}@f({{.*}} !dl.processed
; PRELINK: declare void @g()
; PRELINK-NOT: !dl.processed =
;
; The link brings a processed and an unprocessed module together: each function
; keeps what it says.
; RUN: %opt -passes='lto-pre-link<O2>' %t.flags.ll -o %t.1.bc
; RUN: sed s/@f/@h/ %s > %t.2.ll
; RUN: llvm-link -S %t.1.bc %t.2.ll | FileCheck %s --check-prefix=LINK
; LINK: define {{.*}}@f({{.*}} !dl.processed
; LINK: define void @h()
; LINK-NOT: !dl.processed
; LINK: }

define void @f() {
  call void @g()
  ret void
}

declare void @g()

; !llvm.module.flags = !{!0}
; !0 = !{i32 1, !"EnableSplitLTOUnit", i32 0}
