; What holds for one function may follow from what holds for another one, before
; or behind it in the module. A second run finds nothing more.
; RUN: %opt -passes=dl-noalias -S %s -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: %opt -passes=dl-noalias -S %t.ll | FileCheck %s
; RUN: %opt -passes=dl-noalias,dl-noalias -S %s | diff %t.ll -

; CHECK: define internal void @leaf(ptr noalias {{nocapture|captures\(none\)}} %a)
define internal void @leaf(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; Both objects go on to @last, which captures neither.
; CHECK: define internal void @middle(ptr noalias {{nocapture|captures\(none\)}} %a, ptr noalias {{nocapture|captures\(none\)}} %b)
define internal void @middle(ptr %a, ptr %b) {
  call void @leaf(ptr %a)
  call void @last(ptr %b)
  ret void
}

; CHECK: define internal void @last(ptr noalias {{nocapture|captures\(none\)}} %a)
define internal void @last(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; What it is called with by itself proves nothing.
; CHECK: define internal void @rounds(ptr %a, ptr %b)
define internal void @rounds(ptr %a, ptr %b) {
  store float 0.0, ptr %a
  %v = load float, ptr %b
  %done = fcmp oeq float %v, 0.0
  br i1 %done, label %exit, label %again

again:
  call void @rounds(ptr %b, ptr %a)
  br label %exit

exit:
  ret void
}

define void @caller(ptr %given) {
  %x = alloca float
  %y = alloca float
  call void @middle(ptr %x, ptr %y)
  %z = alloca float
  call void @rounds(ptr %given, ptr %z)
  ret void
}
