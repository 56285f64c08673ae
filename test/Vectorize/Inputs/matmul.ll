define void @matmul(i64 %m, i64 %n, i64 %l, ptr %a, i64 %lda, ptr %b, i64 %ldb, ptr %c, i64 %ldc) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.runs = icmp slt i64 %i, %m
  br i1 %i.runs, label %j.head, label %exit
j.head:
  %j = phi i64 [ 0, %i.head ], [ %j.next, %j.latch ]
  %j.runs = icmp slt i64 %j, %n
  br i1 %j.runs, label %k.head, label %i.latch
k.head:
  %k = phi i64 [ 0, %j.head ], [ %k.next, %k.body ]
  %acc = phi float [ 0.0, %j.head ], [ %acc.next, %k.body ]
  %k.runs = icmp slt i64 %k, %l
  br i1 %k.runs, label %k.body, label %j.latch
k.body:
  %a.row = mul nsw i64 %i, %lda
  %a.index = add nsw i64 %a.row, %k
  %a.ptr = getelementptr inbounds float, ptr %a, i64 %a.index
  %a.value = load float, ptr %a.ptr
  %b.row = mul nsw i64 %k, %ldb
  %b.index = add nsw i64 %b.row, %j
  %b.ptr = getelementptr inbounds float, ptr %b, i64 %b.index
  %b.value = load float, ptr %b.ptr
  %acc.next = call float @llvm.fmuladd.f32(float %a.value, float %b.value, float %acc)
  %k.next = add nsw i64 %k, 1
  br label %k.head
j.latch:
  %c.row = mul nsw i64 %i, %ldc
  %c.index = add nsw i64 %c.row, %j
  %c.ptr = getelementptr inbounds float, ptr %c, i64 %c.index
  store float %acc, ptr %c.ptr
  %j.next = add nsw i64 %j, 1
  br label %j.head
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
exit:
  ret void
}
declare float @llvm.fmuladd.f32(float, float, float)
