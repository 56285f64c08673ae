; Products as other frontends emit them. `BUILD` in the names is replaced by the
; test (sed), so that both builds link into one program.

; Typed GEPs, rotated loops, accumulator in a phi, separate multiply and add.
define void @typed_rotated_BUILD(i64 %M, i64 %N, i64 %K, ptr %A, i64 %lda, ptr %B, i64 %ldb, ptr %C, i64 %ldc) noinline {
entry:
  %m = icmp sgt i64 %M, 0
  %n = icmp sgt i64 %N, 0
  %any = and i1 %m, %n
  br i1 %any, label %i.loop, label %exit
i.loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %a.row = mul nsw i64 %i, %lda
  %c.row = mul nsw i64 %i, %ldc
  br label %j.loop
j.loop:
  %j = phi i64 [ 0, %i.loop ], [ %j.next, %j.latch ]
  %k.any = icmp sgt i64 %K, 0
  br i1 %k.any, label %k.loop, label %j.latch
k.loop:
  %k = phi i64 [ 0, %j.loop ], [ %k.next, %k.loop ]
  %acc = phi float [ 0.0, %j.loop ], [ %sum, %k.loop ]
  %a.idx = add nsw i64 %a.row, %k
  %a.ptr = getelementptr inbounds float, ptr %A, i64 %a.idx
  %a = load float, ptr %a.ptr, align 4
  %b.row = mul nsw i64 %k, %ldb
  %b.idx = add nsw i64 %b.row, %j
  %b.ptr = getelementptr inbounds float, ptr %B, i64 %b.idx
  %b = load float, ptr %b.ptr, align 4
  %prod = fmul float %a, %b
  %sum = fadd float %acc, %prod
  %k.next = add nuw nsw i64 %k, 1
  %k.done = icmp eq i64 %k.next, %K
  br i1 %k.done, label %j.latch, label %k.loop
j.latch:
  %result = phi float [ 0.0, %j.loop ], [ %sum, %k.loop ]
  %c.idx = add nsw i64 %c.row, %j
  %c.ptr = getelementptr inbounds float, ptr %C, i64 %c.idx
  store float %result, ptr %c.ptr, align 4
  %j.next = add nuw nsw i64 %j, 1
  %j.done = icmp eq i64 %j.next, %N
  br i1 %j.done, label %i.latch, label %j.loop
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.done = icmp eq i64 %i.next, %M
  br i1 %i.done, label %exit, label %i.loop
exit:
  ret void
}

; Byte GEPs, loops tested at the top, accumulator in memory, llvm.fmuladd.
define void @bytes_memory_BUILD(i64 %M, i64 %N, i64 %K, ptr %A, i64 %lda, ptr %B, i64 %ldb, ptr %C, i64 %ldc) noinline {
entry:
  %lda.bytes = shl i64 %lda, 2
  %ldb.bytes = shl i64 %ldb, 2
  %ldc.bytes = shl i64 %ldc, 2
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i64 %i, %M
  br i1 %i.more, label %k.pre, label %exit
k.pre:
  %a.off = mul i64 %i, %lda.bytes
  %a.row = getelementptr i8, ptr %A, i64 %a.off
  %c.off = mul i64 %i, %ldc.bytes
  %c.row = getelementptr i8, ptr %C, i64 %c.off
  br label %k.head
k.head:
  %k = phi i64 [ 0, %k.pre ], [ %k.next, %k.latch ]
  %k.more = icmp slt i64 %k, %K
  br i1 %k.more, label %j.pre, label %i.latch
j.pre:
  %b.off = mul i64 %k, %ldb.bytes
  %b.row = getelementptr i8, ptr %B, i64 %b.off
  br label %j.head
j.head:
  %j = phi i64 [ 0, %j.pre ], [ %j.next, %j.body ]
  %j.more = icmp slt i64 %j, %N
  br i1 %j.more, label %j.body, label %k.latch
j.body:
  %k.bytes = shl i64 %k, 2
  %a.ptr = getelementptr i8, ptr %a.row, i64 %k.bytes
  %a = load float, ptr %a.ptr, align 4
  %j.bytes = shl i64 %j, 2
  %b.ptr = getelementptr i8, ptr %b.row, i64 %j.bytes
  %b = load float, ptr %b.ptr, align 4
  %c.ptr = getelementptr i8, ptr %c.row, i64 %j.bytes
  %c = load float, ptr %c.ptr, align 4
  %sum = call float @llvm.fmuladd.f32(float %a, float %b, float %c)
  store float %sum, ptr %c.ptr, align 4
  %j.next = add nuw nsw i64 %j, 1
  br label %j.head
k.latch:
  %k.next = add nuw nsw i64 %k, 1
  br label %k.head
i.latch:
  %i.next = add nuw nsw i64 %i, 1
  br label %i.head
exit:
  ret void
}

; Pointers as induction variables, llvm.fma, the sum with its operands swapped.
define void @pointer_phis_BUILD(i64 %M, i64 %N, i64 %K, ptr %A, i64 %lda, ptr %B, i64 %ldb, ptr %C, i64 %ldc) noinline {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %a.row = phi ptr [ %A, %entry ], [ %a.row.next, %i.latch ]
  %c.row = phi ptr [ %C, %entry ], [ %c.row.next, %i.latch ]
  %i.more = icmp slt i64 %i, %M
  br i1 %i.more, label %j.head, label %exit
j.head:
  %j = phi i64 [ 0, %i.head ], [ %j.next, %j.latch ]
  %c.ptr = phi ptr [ %c.row, %i.head ], [ %c.ptr.next, %j.latch ]
  %j.more = icmp slt i64 %j, %N
  br i1 %j.more, label %k.pre, label %i.latch
k.pre:
  %b.col = getelementptr float, ptr %B, i64 %j
  br label %k.head
k.head:
  %k = phi i64 [ 0, %k.pre ], [ %k.next, %k.body ]
  %acc = phi float [ 0.0, %k.pre ], [ %sum, %k.body ]
  %a.ptr = phi ptr [ %a.row, %k.pre ], [ %a.ptr.next, %k.body ]
  %b.ptr = phi ptr [ %b.col, %k.pre ], [ %b.ptr.next, %k.body ]
  %k.more = icmp slt i64 %k, %K
  br i1 %k.more, label %k.body, label %j.latch
k.body:
  %a = load float, ptr %a.ptr, align 4
  %b = load float, ptr %b.ptr, align 4
  %sum = call float @llvm.fma.f32(float %b, float %a, float %acc)
  %a.ptr.next = getelementptr float, ptr %a.ptr, i64 1
  %b.ptr.next = getelementptr float, ptr %b.ptr, i64 %ldb
  %k.next = add nuw nsw i64 %k, 1
  br label %k.head
j.latch:
  store float %acc, ptr %c.ptr, align 4
  %c.ptr.next = getelementptr float, ptr %c.ptr, i64 1
  %j.next = add nuw nsw i64 %j, 1
  br label %j.head
i.latch:
  %a.row.next = getelementptr float, ptr %a.row, i64 %lda
  %c.row.next = getelementptr float, ptr %c.row, i64 %ldc
  %i.next = add nuw nsw i64 %i, 1
  br label %i.head
exit:
  ret void
}

; 32-bit indices extended at every use.
define void @narrow_BUILD(i32 %M, i32 %N, i32 %K, ptr %A, i32 %lda, ptr %B, i32 %ldb, ptr %C, i32 %ldc) noinline {
entry:
  br label %i.head
i.head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.more = icmp slt i32 %i, %M
  br i1 %i.more, label %j.head, label %exit
j.head:
  %j = phi i32 [ 0, %i.head ], [ %j.next, %j.latch ]
  %j.more = icmp slt i32 %j, %N
  br i1 %j.more, label %k.pre, label %i.latch
k.pre:
  %c.row = mul nsw i32 %i, %ldc
  %c.idx = add nsw i32 %c.row, %j
  %c.ext = sext i32 %c.idx to i64
  %c.ptr = getelementptr inbounds float, ptr %C, i64 %c.ext
  br label %k.head
k.head:
  %k = phi i32 [ 0, %k.pre ], [ %k.next, %k.body ]
  %k.more = icmp slt i32 %k, %K
  br i1 %k.more, label %k.body, label %j.latch
k.body:
  %a.row = mul nsw i32 %i, %lda
  %a.idx = add nsw i32 %a.row, %k
  %a.ext = sext i32 %a.idx to i64
  %a.ptr = getelementptr inbounds float, ptr %A, i64 %a.ext
  %a = load float, ptr %a.ptr, align 4
  %b.row = mul nsw i32 %k, %ldb
  %b.idx = add nsw i32 %b.row, %j
  %b.ext = sext i32 %b.idx to i64
  %b.ptr = getelementptr inbounds float, ptr %B, i64 %b.ext
  %b = load float, ptr %b.ptr, align 4
  %prod = fmul float %a, %b
  %c = load float, ptr %c.ptr, align 4
  %sum = fadd float %c, %prod
  store float %sum, ptr %c.ptr, align 4
  %k.next = add nsw i32 %k, 1
  br label %k.head
j.latch:
  %j.next = add nsw i32 %j, 1
  br label %j.head
i.latch:
  %i.next = add nsw i32 %i, 1
  br label %i.head
exit:
  ret void
}

declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.fma.f32(float, float, float)
