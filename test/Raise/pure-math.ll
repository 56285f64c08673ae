; erfc, which LLVM has no name for, is a function of the math library where it is
; declared to only compute, has that type, and the caller may use builtin functions.
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

declare double @erfc(double)
declare float @erfcf(float)

; CHECK: kernel 0 @pure
; CHECK: %to[i] = @erfc(%from[i])
define void @pure(ptr noalias %to, ptr noalias %from, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %from, i64 %i
  %x = load double, ptr %p
  %y = call double @erfc(double %x) #0
  %q = getelementptr inbounds double, ptr %to, i64 %i
  store double %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK: kernel 0 @float_too
; CHECK: %to[i] = @erfcf(%from[i])
define void @float_too(ptr noalias %to, ptr noalias %from, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds float, ptr %from, i64 %i
  %x = load float, ptr %p
  %y = call float @erfcf(float %x) #0
  %q = getelementptr inbounds float, ptr %to, i64 %i
  store float %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK: missed @writes {{.*}} UnknownCall: a call that may have side effects
define void @writes(ptr noalias %to, ptr noalias %from, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %from, i64 %i
  %x = load double, ptr %p
  %y = call double @erfc(double %x) #1
  %q = getelementptr inbounds double, ptr %to, i64 %i
  store double %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK: missed @no_builtin {{.*}} UnsupportedOperation: an operation
define void @no_builtin(ptr noalias %to, ptr noalias %from, i64 %n) "no-builtin-erfc" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %from, i64 %i
  %x = load double, ptr %p
  %y = call double @erfc(double %x) #0
  %q = getelementptr inbounds double, ptr %to, i64 %i
  store double %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

; CHECK: missed @no_builtins {{.*}} UnsupportedOperation: an operation
define void @no_builtins(ptr noalias %to, ptr noalias %from, i64 %n) "no-builtins" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %from, i64 %i
  %x = load double, ptr %p
  %y = call double @erfc(double %x) #0
  %q = getelementptr inbounds double, ptr %to, i64 %i
  store double %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

attributes #0 = { nounwind willreturn memory(none) }
attributes #1 = { nounwind willreturn }
