; An argument is noalias only if no other argument can be derived from it.
; REQUIRES: llvm-21-or-later
; RUN: %opt -passes=dl-noalias -S %s | FileCheck %s

declare ptr @pick(ptr captures(ret: address, provenance), i32)

; CHECK: define internal float @may_return(ptr captures(none) %a, ptr captures(none) %b)
define internal float @may_return(ptr captures(none) %a, ptr captures(none) %b) {
  store float 1.0, ptr %a
  store float 2.0, ptr %b
  %r = load float, ptr %a
  ret float %r
}

; CHECK: define internal float @deep(ptr captures(none) %a, ptr captures(none) %b)
define internal float @deep(ptr captures(none) %a, ptr captures(none) %b) {
  store float 1.0, ptr %a
  store float 2.0, ptr %b
  %r = load float, ptr %a
  ret float %r
}

; CHECK: define internal float @apart(ptr noalias captures(none) %a, ptr noalias captures(none) %b)
define internal float @apart(ptr captures(none) %a, ptr captures(none) %b) {
  store float 1.0, ptr %a
  store float 2.0, ptr %b
  %r = load float, ptr %a
  ret float %r
}

define float @caller(i64 %i) {
  %x = alloca [64 x float]
  %d = alloca [64 x float]
  %y = alloca [64 x float]
  %z = alloca [64 x float]
  %same = call ptr @pick(ptr %x, i32 0)
  %r0 = call float @may_return(ptr %x, ptr %same)
  %g1 = getelementptr float, ptr %d, i64 %i
  %g2 = getelementptr float, ptr %g1, i64 %i
  %g3 = getelementptr float, ptr %g2, i64 %i
  %g4 = getelementptr float, ptr %g3, i64 %i
  %g5 = getelementptr float, ptr %g4, i64 %i
  %g6 = getelementptr float, ptr %g5, i64 %i
  %g7 = getelementptr float, ptr %g6, i64 %i
  %g8 = getelementptr float, ptr %g7, i64 %i
  %g9 = getelementptr float, ptr %g8, i64 %i
  %g10 = getelementptr float, ptr %g9, i64 %i
  %g11 = getelementptr float, ptr %g10, i64 %i
  %g12 = getelementptr float, ptr %g11, i64 %i
  %r1 = call float @deep(ptr %d, ptr %g12)
  %r2 = call float @apart(ptr %z, ptr %y)
  %s = fadd float %r0, %r1
  %t = fadd float %s, %r2
  ret float %t
}
