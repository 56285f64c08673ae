; Results of local functions that return what posix_memalign has put into a variable
; are noalias, and so are arguments that only such are passed for. One precondition is
; broken in each of the others.
;
; LLVM 19 takes a comparison with null for an escape.
; REQUIRES: llvm-21-or-later
; RUN: %opt -passes=dl-noalias -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

@global = external global ptr
@cache = internal global ptr null

declare i32 @posix_memalign(ptr, i64, i64)
declare void @fill(ptr)
declare void @exit(i32) noreturn

; CHECK: define internal noalias ptr @allocate(
define internal ptr @allocate(i64 %n) {
  %p = alloca ptr
  store ptr null, ptr %p
  %failed = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  %v = load ptr, ptr %p
  %bad = icmp ne i32 %failed, 0
  %none = icmp eq ptr %v, null
  %any = or i1 %bad, %none
  br i1 %any, label %end, label %fine
end:
  call void @exit(i32 1)
  unreachable
fine:
  %r = load ptr, ptr %p
  ret ptr %r
}

; A wrapper around a wrapper.
; CHECK: define internal noalias ptr @twice(
define internal ptr @twice(i64 %n) {
  %bytes = mul i64 %n, 8
  %p = call ptr @allocate(i64 %bytes)
  ret ptr %p
}

; CHECK: define internal ptr @escapes(
define internal ptr @escapes(i64 %n) {
  %p = alloca ptr
  %failed = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  %r = load ptr, ptr %p
  store ptr %r, ptr @global
  ret ptr %r
}

; CHECK: define internal ptr @variable_escapes(
define internal ptr @variable_escapes(i64 %n) {
  %p = alloca ptr
  %failed = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  call void @fill(ptr %p)
  %r = load ptr, ptr %p
  ret ptr %r
}

; CHECK: define internal ptr @starts_elsewhere(
define internal ptr @starts_elsewhere(i64 %n) {
  %p = alloca ptr
  store ptr @global, ptr %p
  %failed = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  %r = load ptr, ptr %p
  ret ptr %r
}

; CHECK: define internal ptr @cached(
define internal ptr @cached(i64 %n) {
  %c = load ptr, ptr @cache
  %known = icmp ne ptr %c, null
  br i1 %known, label %end, label %new
new:
  %p = call ptr @allocate(i64 %n)
  store ptr %p, ptr @cache
  br label %end
end:
  %r = phi ptr [ %c, %0 ], [ %p, %new ]
  ret ptr %r
}

; The linker may take another definition.
; CHECK: define weak ptr @weak(
define weak ptr @weak(i64 %n) {
  %p = alloca ptr
  %failed = call i32 @posix_memalign(ptr %p, i64 64, i64 %n)
  %r = load ptr, ptr %p
  ret ptr %r
}

; CHECK: define internal void @use(ptr noalias {{nocapture|captures\(none\)}} %a, ptr noalias {{nocapture|captures\(none\)}} %b)
define internal void @use(ptr %a, ptr %b) {
  %v = load float, ptr %a
  store float %v, ptr %b
  ret void
}

; Arguments that forward them.
; CHECK: define internal void @forward(ptr noalias {{nocapture|captures\(none\)}} %a, ptr noalias {{nocapture|captures\(none\)}} %b)
define internal void @forward(ptr %a, ptr %b) {
  call void @use(ptr %a, ptr %b)
  ret void
}

; CHECK: define internal void @use_cached(ptr {{nocapture|captures\(none\)}} %a)
define internal void @use_cached(ptr %a) {
  store float 0.0, ptr %a
  ret void
}

; A function that passes a part of what it was given to itself.
; CHECK: define internal void @recursive(ptr %a, ptr {{nocapture|captures\(none\)}} %b, i64 %n)
define internal void @recursive(ptr %a, ptr %b, i64 %n) {
  %v = load float, ptr %a
  store float %v, ptr %b
  %last = icmp eq i64 %n, 0
  br i1 %last, label %exit, label %again
again:
  %part = getelementptr float, ptr %a, i64 %n
  call void @recursive(ptr %a, ptr %part, i64 0)
  br label %exit
exit:
  ret void
}

define void @callers(i64 %n) {
  %a = call ptr @allocate(i64 %n)
  %b = call ptr @twice(i64 %n)
  call void @forward(ptr %a, ptr %b)
  %c = call ptr @cached(i64 %n)
  call void @use_cached(ptr %c)
  %d = call ptr @escapes(i64 %n)
  %e = call ptr @variable_escapes(i64 %n)
  %f = call ptr @starts_elsewhere(i64 %n)
  %g = call ptr @allocate(i64 %n)
  %h = call ptr @allocate(i64 %n)
  call void @recursive(ptr %g, ptr %h, i64 %n)
  ret void
}
