; Each reason why a loop is left alone: one loop, broken in one place.
;
; RUN: %opt -passes='print<dl-kernels>' -disable-output %s | FileCheck %s

declare void @unknown()
declare void @synchronize()
declare float @expf(float)
declare float @pure(float)
declare i32 @setjmp(ptr)

; The loop that each function below breaks in one place.
; CHECK: kernel 0 @copy
define void @copy(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @optnone line ?: OptNone:
define void @optnone(ptr noalias %x, ptr noalias %y, i64 %n) optnone noinline {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @optsize line ?: OptSize:
define void @optsize(ptr noalias %x, ptr noalias %y, i64 %n) optsize {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @denied line ?: Denied:
define void @denied(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop, !llvm.loop !0

exit:
  ret void
}

; CHECK: missed @sanitized line ?: Instrumented:
define void @sanitized(ptr noalias %x, ptr noalias %y, i64 %n) sanitize_address {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @strict line ?: StrictFP:
define void @strict(ptr noalias %x, ptr noalias %y, i64 %n) strictfp {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @no_vectors line ?: NoImplicitFloat:
define void @no_vectors(ptr noalias %x, ptr noalias %y, i64 %n) noimplicitfloat {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @returns_twice line ?: UnusualControlFlow:
define void @returns_twice(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  %r = call i32 @setjmp(ptr %x) returns_twice
  ret void
}

; CHECK: missed @two_exits line ?: MultipleExits:
define void @two_exits(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %neg = fcmp olt float %vx, 0.0
  br i1 %neg, label %exit, label %latch

latch:
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @no_latch line ?: NotRotatable:
define void @no_latch(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ], [ %next, %again ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  %c = fcmp olt float %vx, 0.0
  br i1 %c, label %loop, label %again

again:
  br label %loop

exit:
  ret void
}

; The number of rounds depends on what is loaded.
; CHECK: missed @list line ?: UnknownTripCount:
define void @list(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %from = phi i64 [ 0, %entry ], [ %to, %body ]
  %more = icmp slt i64 %from, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %to = load i64, ptr %px
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @no_end line ?: MayBeInfinite:
define void @no_end(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br label %body

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit: ; No predecessors!
  unreachable
}

; CHECK: missed @volatile line ?: Volatile:
define void @volatile(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store volatile float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @atomic line ?: Atomic:
define void @atomic(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store atomic float %vx, ptr %py unordered, align 4
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @fence line ?: Atomic:
define void @fence(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  fence seq_cst
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @unknown_call line ?: UnknownCall:
define void @unknown_call(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  call void @unknown() nounwind
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @throws line ?: MayThrow:
define void @throws(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  call void @unknown()
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; What changes nothing, but may not come back.
; CHECK: missed @may_not_return line ?: MayThrow:
define void @may_not_return(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  call float @pure(float %vx) nounwind memory(none)
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @no_return line ?: MayThrow:
define void @no_return(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  call void @unknown() nounwind noreturn
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; An operation that is not in the model.
; CHECK: missed @pure_call line ?: UnsupportedOperation: {{.*}}: 'pure'
define void @pure_call(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  call float @pure(float %vx) nounwind willreturn memory(none)
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; expf of a program that brings its own.
; CHECK: missed @no_builtin line ?: UnknownCall:
define void @no_builtin(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %e = call float @expf(float %vx) nounwind nobuiltin
  store float %e, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @barrier line ?: Convergent:
define void @barrier(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  call void @synchronize() convergent nounwind
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @vectors line ?: UnsupportedType:
define void @vectors(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %v4 = load <4 x float>, ptr %px
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @long_double line ?: UnsupportedType:
define void @long_double(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %l = fpext float %vx to x86_fp80
  store x86_fp80 %l, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @under_aligned line ?: UnsupportedType:
define void @under_aligned(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py, align 2
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; One array as two types.
; CHECK: missed @punned line ?: UnsupportedType:
define void @punned(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  store i32 0, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @allocates line ?: UnsupportedOperation:
define void @allocates(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %a = alloca float
  store float %vx, ptr %a
  %va = load float, ptr %a
  store float %va, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @square line ?: NonAffineAccess:
define void @square(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %s = phi i64 [ 1, %entry ], [ %s2, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %s
  %s2 = mul i64 %s, 3
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; Not a whole number of elements.
; CHECK: missed @misaligned line ?: NonAffineAccess:
define void @misaligned(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr i8, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; A load that only happens where the other condition fails.
; CHECK: missed @either line ?: NonAffineCondition:
define void @either(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %c1 = fcmp olt float %vx, 0.0
  br i1 %c1, label %then, label %else

else:
  %vy = load float, ptr %py
  %c2 = fcmp olt float %vy, 0.0
  br i1 %c2, label %then, label %latch

then:
  store float %vx, ptr %py
  br label %latch

latch:
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @address_space line ?: AddressSpace:
define void @address_space(ptr noalias %x, ptr addrspace(3) noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr addrspace(3) %y, i64 %i
  store float %vx, ptr addrspace(3) %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @stores_pointer line ?: PointerStored:
define void @stores_pointer(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store ptr %px, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @live_out line ?: LiveOut:
define void @live_out(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %h = load float, ptr %y
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %pa = getelementptr float, ptr %y, i64 %n
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  %out = phi float [ %h, %loop ]
  store float %out, ptr %x
  ret void
}

; The row pointer may be overwritten by what is stored.
; CHECK: missed @bound_changes line ?: NotInvariant:
define void @bound_changes(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %row = load ptr, ptr %y
  %px = getelementptr float, ptr %row, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; The number of rounds may be overwritten by what is stored.
; CHECK: missed @count_changes line ?: NotInvariant:
define void @count_changes(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %count = load i64, ptr %y
  %more = icmp slt i64 %i, %count
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @linked line ?: CarriedValue:
define void @linked(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %node = phi ptr [ %x, %entry ], [ %link, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %vx = load float, ptr %node
  %pl = getelementptr i8, ptr %node, i64 8
  %link = load ptr, ptr %pl
  %py = getelementptr float, ptr %y, i64 %i
  store float %vx, ptr %py
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; CHECK: missed @no_store line ?: NoStore:
define void @no_store(ptr noalias %x, ptr noalias %y, i64 %n) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit

body:
  %px = getelementptr float, ptr %x, i64 %i
  %vx = load float, ptr %px
  %py = getelementptr float, ptr %y, i64 %i
  %next = add nsw i64 %i, 1
  br label %loop

exit:
  ret void
}

; A cycle with two entries is no loop: it is not raised as if it ran once.
; CHECK: missed @irreducible line ?: UnusualControlFlow:
define void @irreducible(ptr noalias %a, ptr noalias %x, i64 %n, float %most) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %latch ]
  %px = getelementptr float, ptr %x, i64 %i
  %pa = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %px
  %above = fcmp ogt float %v, %most
  br i1 %above, label %middle, label %first
first:
  %t = phi i32 [ 0, %loop ], [ %more, %middle ]
  %old = load float, ptr %pa
  %new = fadd float %old, 1.0
  store float %new, ptr %pa
  br label %middle
middle:
  %s = phi i32 [ 0, %loop ], [ %t, %first ]
  %more = add nuw nsw i32 %s, 1
  %again = icmp ult i32 %more, 4
  br i1 %again, label %first, label %latch
latch:
  %next = add nuw nsw i64 %i, 1
  %go = icmp ult i64 %next, %n
  br i1 %go, label %loop, label %exit
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
