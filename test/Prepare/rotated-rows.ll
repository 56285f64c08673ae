; Rows behind pointers in loops that test behind each round, as modules have them that
; meet in a link: a test for a first round, and what is the same without one, go.
;
; RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %s | FileCheck %s
; RUN: %opt -passes='dl-prepare<all>' -S %s | FileCheck %s --check-prefix=IR

; An older one of the name, of which a link has left what its calls need: another one is made.
;
; IR:     define internal { ptr, i64, i1 } @dl.even.rows(ptr %table, i64 %count)
; IR-NOT: @dl.even.rows(ptr {{[^,]*}}, i64 24, i64
; IR:     call { ptr, i64, i1 } @dl.even.rows.1(ptr {{[^,]*}}, i64 8, i64 %m)
; IR:     define internal { ptr, i64, i1 } @dl.even.rows.1(ptr %table, i64 %step, i64 %count)
; IR-NOT: @dl.even.rows.2
define internal { ptr, i64, i1 } @dl.even.rows(ptr %table, i64 %count) noinline "dl-generated" {
  %p = load ptr, ptr %table
  %r = insertvalue { ptr, i64, i1 } { ptr null, i64 64, i1 true }, ptr %p, 0
  ret { ptr, i64, i1 } %r
}

define i1 @old(ptr %table) {
  %r = call { ptr, i64, i1 } @dl.even.rows(ptr %table, i64 3)
  %b = extractvalue { ptr, i64, i1 } %r, 2
  ret i1 %b
}

; CHECK: kernel 0 @product {{.*}}matmul.nn f32
define void @product(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 noundef %m, i64 noundef %n, i64 noundef %k) {
entry:
  %none = icmp eq i64 %m, 0
  br i1 %none, label %end, label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %pa = getelementptr inbounds ptr, ptr %a, i64 %i
  %ra = load ptr, ptr %pa, !tbaa !1
  %pc = getelementptr inbounds ptr, ptr %c, i64 %i
  %rc = load ptr, ptr %pc, !tbaa !1
  %no.step = icmp eq i64 %k, 0
  br i1 %no.step, label %rows.next, label %steps

steps:
  %l = phi i64 [ 0, %rows ], [ %l.next, %steps.next ]
  %pb = getelementptr inbounds ptr, ptr %b, i64 %l
  %rb = load ptr, ptr %pb, !tbaa !1
  %px = getelementptr inbounds float, ptr %ra, i64 %l
  %no.column = icmp eq i64 %n, 0
  br i1 %no.column, label %steps.next, label %columns

columns:
  %j = phi i64 [ 0, %steps ], [ %j.next, %columns ]
  %x = load float, ptr %px, !tbaa !3
  %py = getelementptr inbounds float, ptr %rb, i64 %j
  %y = load float, ptr %py, !tbaa !3
  %xy = fmul float %x, %y
  %pz = getelementptr inbounds float, ptr %rc, i64 %j
  %z = load float, ptr %pz, !tbaa !3
  %s = fadd float %z, %xy
  store float %s, ptr %pz, !tbaa !3
  %j.next = add nuw i64 %j, 1
  %j.end = icmp eq i64 %j.next, %n
  br i1 %j.end, label %steps.next, label %columns

steps.next:
  %l.next = add nuw i64 %l, 1
  %l.end = icmp eq i64 %l.next, %k
  br i1 %l.end, label %rows.next, label %steps

rows.next:
  %i.next = add nuw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %m
  br i1 %i.end, label %end, label %rows

end:
  ret void
}

; How many rounds there were is another number without one.
;
; CHECK-NOT: kernel {{.*}} @other {{.*}}matmul
; CHECK:     missed @other
; CHECK-NOT: kernel {{.*}} @other {{.*}}matmul
define i64 @other(ptr noalias %a, ptr noalias %b, ptr noalias %c, i64 noundef %m, i64 noundef %n, i64 noundef %k) {
entry:
  %none = icmp eq i64 %m, 0
  br i1 %none, label %end, label %rows

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %pa = getelementptr inbounds ptr, ptr %a, i64 %i
  %ra = load ptr, ptr %pa, !tbaa !1
  %pc = getelementptr inbounds ptr, ptr %c, i64 %i
  %rc = load ptr, ptr %pc, !tbaa !1
  br label %steps

steps:
  %l = phi i64 [ 0, %rows ], [ %l.next, %steps.next ]
  %go = icmp ult i64 %l, %k
  br i1 %go, label %step, label %rows.next

step:
  %pb = getelementptr inbounds ptr, ptr %b, i64 %l
  %rb = load ptr, ptr %pb, !tbaa !1
  %px = getelementptr inbounds float, ptr %ra, i64 %l
  br label %columns

columns:
  %j = phi i64 [ 0, %step ], [ %j.next, %column ]
  %more = icmp ult i64 %j, %n
  br i1 %more, label %column, label %steps.next

column:
  %x = load float, ptr %px, !tbaa !3
  %py = getelementptr inbounds float, ptr %rb, i64 %j
  %y = load float, ptr %py, !tbaa !3
  %xy = fmul float %x, %y
  %pz = getelementptr inbounds float, ptr %rc, i64 %j
  %z = load float, ptr %pz, !tbaa !3
  %s = fadd float %z, %xy
  store float %s, ptr %pz, !tbaa !3
  %j.next = add nuw i64 %j, 1
  br label %columns

steps.next:
  %l.next = add nuw i64 %l, 1
  br label %steps

rows.next:
  %i.next = add nuw i64 %i, 1
  %i.end = icmp eq i64 %i.next, %m
  br i1 %i.end, label %end, label %rows

end:
  %count = phi i64 [ -1, %entry ], [ %i.next, %rows.next ]
  ret i64 %count
}

!0 = !{!"root"}
!1 = !{!2, !2, i64 0}
!2 = !{!"pointer", !0}
!3 = !{!4, !4, i64 0}
!4 = !{!"float", !0}
