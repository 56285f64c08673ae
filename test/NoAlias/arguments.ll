; Arguments of local functions become noalias if every call passes an object that
; nobody else can reach. One precondition is broken in each of the others.
; RUN: %opt -passes=dl-noalias -S %s | FileCheck %s

@escape = external global ptr
declare void @unknown(ptr)

; CHECK: define internal void @distinct(ptr noalias {{nocapture|captures\(none\)}} %a, ptr noalias {{nocapture|captures\(none\)}} %b)
define internal void @distinct(ptr %a, ptr %b) {
  %v = load float, ptr %a
  store float %v, ptr %b
  ret void
}

; CHECK: define internal void @same_object(ptr {{nocapture|captures\(none\)}} %a, ptr {{nocapture|captures\(none\)}} %b)
define internal void @same_object(ptr %a, ptr %b) {
  %v = load float, ptr %a
  store float %v, ptr %b
  ret void
}

; One of two callers passes what it was given.
; CHECK: define internal void @unknown_caller(ptr {{nocapture|captures\(none\)}} %a)
define internal void @unknown_caller(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; CHECK: define internal void @captured_before(ptr {{nocapture|captures\(none\)}} %a)
define internal void @captured_before(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; CHECK: define internal void @captures(ptr %a)
define internal void @captures(ptr %a) {
  store ptr %a, ptr @escape
  ret void
}

; CHECK: define internal void @taken(ptr %a)
define internal void @taken(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; CHECK: define void @visible(ptr %a)
define void @visible(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; A number may be the address of anything whose address has become one.
; CHECK: define internal void @from_number(ptr {{nocapture|captures\(none\)}} %a, ptr {{nocapture|captures\(none\)}} %b)
define internal void @from_number(ptr %a, ptr %b) {
  %v = load float, ptr %a
  store float %v, ptr %b
  ret void
}

; Copies of what the caller passes have facts of their own.
; CHECK: define internal void @by_value(ptr byval([4 x float]) {{(captures\(none\) )?}}%a, ptr noalias {{nocapture|captures\(none\)}} %b)
define internal void @by_value(ptr byval([4 x float]) %a, ptr %b) {
  %v = load float, ptr %a
  store float %v, ptr %b
  ret void
}

; CHECK: define internal void @in_alloca(ptr inalloca({ float }) {{(captures\(none\) )?}}%a)
define internal void @in_alloca(ptr inalloca({ float }) %a) {
  store float 0.0, ptr %a
  ret void
}

define void @caller(ptr %given) {
  %x = alloca [4 x float]
  %y = alloca [4 x float]
  call void @distinct(ptr %x, ptr %y)
  %one = alloca [4 x float]
  %one.next = getelementptr float, ptr %one, i64 1
  call void @same_object(ptr %one, ptr %one.next)
  %mine = alloca [4 x float]
  call void @unknown_caller(ptr %mine)
  call void @unknown_caller(ptr %given)
  %known = alloca [4 x float]
  call void @unknown(ptr %known)
  call void @captured_before(ptr %known)
  %kept = alloca [4 x float]
  call void @captures(ptr %kept)
  store ptr @taken, ptr @escape
  %other = alloca [4 x float]
  call void @taken(ptr %other)
  %numbered = alloca [4 x float]
  %number = ptrtoint ptr %numbered to i64
  %again = inttoptr i64 %number to ptr
  call void @from_number(ptr %numbered, ptr %again)
  %value = alloca [4 x float]
  %result = alloca [4 x float]
  call void @by_value(ptr byval([4 x float]) %value, ptr %result)
  %stack = call ptr @llvm.stacksave()
  %block = alloca inalloca { float }
  call void @in_alloca(ptr inalloca({ float }) %block)
  call void @llvm.stackrestore(ptr %stack)
  %last = alloca [4 x float]
  call void @visible(ptr %last)
  ret void
}
