; Several numbers that a branch chooses are one expression each, also where LLVM froze a
; condition of one of them.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2 -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='function(loop-simplify,lcssa),dl-vectorize' %s 2>&1 | FileCheck %s
; CHECK: %m x %n x %k: exact, by the script dotblocks, kernel number 1
; CHECK-NOT: dotblocks

; The work on a sum chooses what is the same for all numbers that it makes.
define void @product(ptr noalias %c, ptr noalias %a, ptr noalias %b, i64 %m, i64 %n, i64 %k, ptr noalias %q, ptr noalias %bound) {
entry:
  %any.m = icmp sgt i64 %m, 0
  %any.n = icmp sgt i64 %n, 0
  %any.k = icmp sgt i64 %k, 0
  %any.mn = and i1 %any.m, %any.n
  %any = and i1 %any.mn, %any.k
  br i1 %any, label %rows, label %exit
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %i.k = mul nsw i64 %i, %k
  %i.n = mul nsw i64 %i, %n
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %join ]
  br label %sums
sums:
  %l = phi i64 [ 0, %columns ], [ %l.next, %sums ]
  %s = phi i32 [ 0, %columns ], [ %s.next, %sums ]
  %at.a = add nsw i64 %i.k, %l
  %p.a = getelementptr inbounds i8, ptr %a, i64 %at.a
  %v.a = load i8, ptr %p.a, align 1
  %x.a = zext i8 %v.a to i32
  %l.n = mul nsw i64 %l, %n
  %at.b = add nsw i64 %l.n, %j
  %p.b = getelementptr inbounds i8, ptr %b, i64 %at.b
  %v.b = load i8, ptr %p.b, align 1
  %x.b = sext i8 %v.b to i32
  %mul = mul nsw i32 %x.a, %x.b
  %s.next = add nsw i32 %s, %mul
  %l.next = add nuw nsw i64 %l, 1
  %l.end = icmp eq i64 %l.next, %k
  br i1 %l.end, label %work, label %sums
work:
  %p.q = getelementptr inbounds i32, ptr %q, i64 %j
  %t = load i32, ptr %p.q, align 4
  %p.r = getelementptr inbounds i32, ptr %bound, i64 %j
  %u = load i32, ptr %p.r, align 4
  %least = icmp eq i32 %s.next, %t
  br i1 %least, label %join, label %else
else:
  %wide = sext i32 %s.next to i64
  %by = sext i32 %t to i64
  %product = mul nsw i64 %wide, %by
  %is.more = icmp sgt i64 %product, -1
  %nudge = select i1 %is.more, i64 1073741824, i64 -1073741823
  %nudged = add nsw i64 %product, %nudge
  %quotient = sdiv i64 %nudged, 2147483648
  %high = trunc i64 %quotient to i32
  %negative = icmp slt i32 %high, %u
  %frozen = freeze i1 %negative
  %one = select i1 %frozen, i32 1, i32 0
  %rest = and i32 %high, 63
  %sum = add i32 %high, %one
  br label %join
join:
  %x = phi i32 [ 2147483647, %work ], [ %high, %else ]
  %y = phi i32 [ 15, %work ], [ %rest, %else ]
  %z = phi i32 [ 0, %work ], [ %one, %else ]
  %more = icmp sgt i32 %y, %z
  %up = zext i1 %more to i32
  %with = xor i32 %x, %u
  %r = add i32 %with, %up
  %byte = trunc i32 %r to i8
  %at.c = add nsw i64 %i.n, %j
  %p.c = getelementptr inbounds i8, ptr %c, i64 %at.c
  store i8 %byte, ptr %p.c, align 1
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %n
  br i1 %j.end, label %rows.latch, label %columns
rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %m
  br i1 %i.end, label %exit, label %rows
exit:
  ret void
}

; A choice for several numbers is one choice.
define void @shared(ptr noalias %c, ptr noalias %a, ptr noalias %b, i64 %m, i64 %n, i64 %k, ptr noalias %q, ptr noalias %bound) {
entry:
  %any.m = icmp sgt i64 %m, 0
  %any.n = icmp sgt i64 %n, 0
  %any.k = icmp sgt i64 %k, 0
  %any.mn = and i1 %any.m, %any.n
  %any = and i1 %any.mn, %any.k
  br i1 %any, label %rows, label %exit
rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.latch ]
  %i.k = mul nsw i64 %i, %k
  %i.n = mul nsw i64 %i, %n
  br label %columns
columns:
  %j = phi i64 [ 0, %rows ], [ %j.next, %join ]
  br label %sums
sums:
  %l = phi i64 [ 0, %columns ], [ %l.next, %sums ]
  %s = phi i32 [ 0, %columns ], [ %s.next, %sums ]
  %at.a = add nsw i64 %i.k, %l
  %p.a = getelementptr inbounds i8, ptr %a, i64 %at.a
  %v.a = load i8, ptr %p.a, align 1
  %x.a = zext i8 %v.a to i32
  %l.n = mul nsw i64 %l, %n
  %at.b = add nsw i64 %l.n, %j
  %p.b = getelementptr inbounds i8, ptr %b, i64 %at.b
  %v.b = load i8, ptr %p.b, align 1
  %x.b = sext i8 %v.b to i32
  %mul = mul nsw i32 %x.a, %x.b
  %s.next = add nsw i32 %s, %mul
  %l.next = add nuw nsw i64 %l, 1
  %l.end = icmp eq i64 %l.next, %k
  br i1 %l.end, label %work, label %sums
work:
  %p.q = getelementptr inbounds i32, ptr %q, i64 %j
  %t = load i32, ptr %p.q, align 4
  %p.r = getelementptr inbounds i32, ptr %bound, i64 %j
  %u = load i32, ptr %p.r, align 4
  %least = icmp eq i32 %s.next, %t
  br i1 %least, label %join, label %else
else:
  %wide = sext i32 %s.next to i64
  %by = sext i32 %t to i64
  %product = mul nsw i64 %wide, %by
  %is.more = icmp sgt i64 %product, -1
  %nudge = select i1 %is.more, i64 1073741824, i64 -1073741823
  %nudged = add nsw i64 %product, %nudge
  %quotient = sdiv i64 %nudged, 2147483648
  %high = trunc i64 %quotient to i32
  %negative = icmp slt i32 %high, %u
  %frozen = freeze i1 %negative
  %one = select i1 %frozen, i32 1, i32 0
  %rest = and i32 %high, 63
  %sum = add i32 %high, %one
  br label %join
join:
  %x = phi i32 [ 2147483647, %work ], [ %sum, %else ]
  %y = phi i32 [ 15, %work ], [ %rest, %else ]
  %z = phi i32 [ 0, %work ], [ %one, %else ]
  %more = icmp sgt i32 %y, %z
  %up = zext i1 %more to i32
  %with = xor i32 %x, %u
  %r = add i32 %with, %up
  %byte = trunc i32 %r to i8
  %at.c = add nsw i64 %i.n, %j
  %p.c = getelementptr inbounds i8, ptr %c, i64 %at.c
  store i8 %byte, ptr %p.c, align 1
  %j.next = add nuw nsw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %n
  br i1 %j.end, label %rows.latch, label %columns
rows.latch:
  %i.next = add nuw nsw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %m
  br i1 %i.end, label %exit, label %rows
exit:
  ret void
}
