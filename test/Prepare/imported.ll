; Copies of what other modules of a link define: those with kernels are dropped, so that
; they are not inlined as they are.
;
; RUN: %opt -passes='dl-prepare<imported>' -S %s | FileCheck %s --check-prefixes=CHECK,IMPORTED
; RUN: %opt -passes='dl-prepare' -S %s | FileCheck %s --check-prefixes=CHECK,STAYS
; REQUIRES: x86-registered-target

target triple = "x86_64-unknown-linux-gnu"

; IMPORTED: declare hidden void @copied(
; STAYS:    define available_externally hidden void @copied(
define available_externally hidden void @copied(ptr noalias %c, ptr noalias %a, ptr noalias %b, i64 %n) #0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %in = mul nsw i64 %i, %n
  br label %steps

steps:
  %l = phi i64 [ 0, %rows ], [ %l.next, %steps.next ]
  %ln = mul nsw i64 %l, %n
  %il = add nsw i64 %in, %l
  %px = getelementptr inbounds float, ptr %a, i64 %il
  br label %columns

columns:
  %j = phi i64 [ 0, %steps ], [ %j.next, %columns ]
  %x = load float, ptr %px
  %lj = add nsw i64 %ln, %j
  %py = getelementptr inbounds float, ptr %b, i64 %lj
  %y = load float, ptr %py
  %xy = fmul float %x, %y
  %ij = add nsw i64 %in, %j
  %pz = getelementptr inbounds float, ptr %c, i64 %ij
  %z = load float, ptr %pz
  %s = fadd float %z, %xy
  store float %s, ptr %pz
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %columns, label %steps.next

steps.next:
  %l.next = add nuw nsw i64 %l, 1
  %l.more = icmp slt i64 %l.next, %n
  br i1 %l.more, label %steps, label %rows.next

rows.next:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %rows, label %end

end:
  ret void
}

; Seen before the link, which found nothing to do, or did it.
;
; CHECK: define available_externally hidden void @processed(
define available_externally hidden void @processed(ptr noalias %c, ptr noalias %a, ptr noalias %b, i64 %n) #0 !dl.processed !0 {
entry:
  br label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %in = mul nsw i64 %i, %n
  br label %steps

steps:
  %l = phi i64 [ 0, %rows ], [ %l.next, %steps.next ]
  %ln = mul nsw i64 %l, %n
  %il = add nsw i64 %in, %l
  %px = getelementptr inbounds float, ptr %a, i64 %il
  br label %columns

columns:
  %j = phi i64 [ 0, %steps ], [ %j.next, %columns ]
  %x = load float, ptr %px
  %lj = add nsw i64 %ln, %j
  %py = getelementptr inbounds float, ptr %b, i64 %lj
  %y = load float, ptr %py
  %xy = fmul float %x, %y
  %ij = add nsw i64 %in, %j
  %pz = getelementptr inbounds float, ptr %c, i64 %ij
  %z = load float, ptr %pz
  %s = fadd float %z, %xy
  store float %s, ptr %pz
  %j.next = add nuw nsw i64 %j, 1
  %j.more = icmp slt i64 %j.next, %n
  br i1 %j.more, label %columns, label %steps.next

steps.next:
  %l.next = add nuw nsw i64 %l, 1
  %l.more = icmp slt i64 %l.next, %n
  br i1 %l.more, label %steps, label %rows.next

rows.next:
  %i.next = add nuw nsw i64 %i, 1
  %i.more = icmp slt i64 %i.next, %n
  br i1 %i.more, label %rows, label %end

end:
  ret void
}

; No kernel that is transformed.
;
; CHECK: define available_externally hidden float @dot(
define available_externally hidden float @dot(ptr noalias %a, ptr noalias %b, i64 %n) #0 {
entry:
  br label %loop

loop:
  %l = phi i64 [ 0, %entry ], [ %l.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %px = getelementptr inbounds float, ptr %a, i64 %l
  %x = load float, ptr %px
  %py = getelementptr inbounds float, ptr %b, i64 %l
  %y = load float, ptr %py
  %xy = fmul float %x, %y
  %s.next = fadd float %s, %xy
  %l.next = add nuw nsw i64 %l, 1
  %more = icmp slt i64 %l.next, %n
  br i1 %more, label %loop, label %end

end:
  ret float %s.next
}

define void @caller(ptr %c, ptr %a, ptr %b, i64 %n) {
  call void @copied(ptr %c, ptr %a, ptr %b, i64 %n)
  call void @processed(ptr %c, ptr %a, ptr %b, i64 %n)
  %d = call float @dot(ptr %a, ptr %b, i64 %n)
  store float %d, ptr %c
  ret void
}

attributes #0 = { "target-cpu"="haswell" "target-features"="+avx2,+fma" }

!0 = !{}
