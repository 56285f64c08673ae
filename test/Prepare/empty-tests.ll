; Numbers that are 0 of an empty array in any case are computed without asking whether
; it is empty, where that divides by 0 nowhere; in front of loops that do not change them.
;
; RUN: %opt -passes='dl-prepare<loops>' -S %s | FileCheck %s

declare void @fail() noreturn

; What Rust's chunks() ends at: ceil(t / n), or the length of another array.
;
; CHECK-LABEL: define void @bound(
; CHECK-NOT:     icmp eq i64 %t, 0
; CHECK:         udiv i64 %t, %n
; CHECK:         phi i64
; CHECK-NOT:     udiv
; CHECK-NOT:     icmp eq i64 %t, 0
; CHECK:       }
define void @bound(ptr %x, i64 noundef %m, i64 noundef %t, i64 noundef %n) {
entry:
  %no.row = icmp eq i64 %n, 0
  br i1 %no.row, label %panic, label %rows

panic:
  call void @fail()
  unreachable

rows:
  %i = phi i64 [ 0, %entry ], [ %i.next, %rows.next ]
  %left = sub nuw i64 %m, %i
  %empty = icmp eq i64 %t, 0
  br i1 %empty, label %chosen, label %divide

divide:
  %q = udiv i64 %t, %n
  %r = urem i64 %t, %n
  %whole = icmp eq i64 %r, 0
  %q1 = add nuw nsw i64 %q, 1
  %all = select i1 %whole, i64 %q, i64 %q1
  %some = call i64 @llvm.umin.i64(i64 %all, i64 %left)
  br label %chosen

chosen:
  %end = phi i64 [ 0, %rows ], [ %some, %divide ]
  br label %loop

loop:
  %j = phi i64 [ 0, %chosen ], [ %j.next, %body ]
  %go = icmp ult i64 %j, %end
  br i1 %go, label %body, label %rows.next

body:
  %p = getelementptr inbounds float, ptr %x, i64 %j
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %j.next = add nuw i64 %j, 1
  br label %loop

rows.next:
  %i.next = add i64 %i, 1
  %more = icmp ult i64 %i.next, %m
  br i1 %more, label %rows, label %exit

exit:
  ret void
}

; The same with a loop that asks behind each round, and so before the first one; the
; number itself then is not used where it is 0.
;
; CHECK-LABEL: define void @round(
; CHECK-NOT:     icmp eq i64 %t, 0
; CHECK:       }
define void @round(ptr %x, i64 noundef %t, i64 noundef %n) {
entry:
  %no.row = icmp eq i64 %n, 0
  br i1 %no.row, label %panic, label %ask

panic:
  call void @fail()
  unreachable

ask:
  %empty = icmp eq i64 %t, 0
  br i1 %empty, label %exit, label %divide

divide:
  %q = udiv i64 %t, %n
  %r = urem i64 %t, %n
  %more = icmp ne i64 %r, 0
  %one = zext i1 %more to i64
  %end = add nuw nsw i64 %q, %one
  %none = icmp eq i64 %end, 0
  br i1 %none, label %exit, label %body

body:
  %j = phi i64 [ 0, %divide ], [ %j.next, %body ]
  %p = getelementptr inbounds float, ptr %x, i64 %j
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %j.next = add nuw i64 %j, 1
  %go = icmp ult i64 %j.next, %end
  br i1 %go, label %body, label %exit

exit:
  ret void
}

; Nobody has asked for the divisor.
;
; CHECK-LABEL: define void @divisor(
; CHECK:         icmp eq i64 %t, 0
; CHECK-NEXT:    br i1
; CHECK:         udiv i64 %t, %n
; CHECK:       }
define void @divisor(ptr %x, i64 noundef %t, i64 noundef %n) {
entry:
  %empty = icmp eq i64 %t, 0
  br i1 %empty, label %chosen, label %divide

divide:
  %q = udiv i64 %t, %n
  br label %chosen

chosen:
  %end = phi i64 [ 0, %entry ], [ %q, %divide ]
  br label %loop

loop:
  %j = phi i64 [ 0, %chosen ], [ %j.next, %body ]
  %go = icmp ult i64 %j, %end
  br i1 %go, label %body, label %exit

body:
  %p = getelementptr inbounds float, ptr %x, i64 %j
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %j.next = add nuw i64 %j, 1
  br label %loop

exit:
  ret void
}

; One more of something is something.
;
; CHECK-LABEL: define void @other(
; CHECK:         icmp eq i64 %t, 0
; CHECK:       }
define void @other(ptr %x, i64 noundef %t) {
entry:
  %empty = icmp eq i64 %t, 0
  br i1 %empty, label %chosen, label %divide

divide:
  %q = udiv i64 %t, 3
  %q1 = add i64 %q, 1
  br label %chosen

chosen:
  %end = phi i64 [ 0, %entry ], [ %q1, %divide ]
  br label %loop

loop:
  %j = phi i64 [ 0, %chosen ], [ %j.next, %body ]
  %go = icmp ult i64 %j, %end
  br i1 %go, label %body, label %exit

body:
  %p = getelementptr inbounds float, ptr %x, i64 %j
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %j.next = add nuw i64 %j, 1
  br label %loop

exit:
  ret void
}

; What the smaller one is chosen from may be poison where nothing is chosen.
;
; CHECK-LABEL: define void @poison(
; CHECK:         icmp eq i64 %t, 0
; CHECK:       }
define void @poison(ptr %x, i64 noundef %t, i64 %s) {
entry:
  %empty = icmp eq i64 %t, 0
  br i1 %empty, label %chosen, label %divide

divide:
  %q = udiv i64 %t, 3
  %least = call i64 @llvm.umin.i64(i64 %q, i64 %s)
  br label %chosen

chosen:
  %end = phi i64 [ 0, %entry ], [ %least, %divide ]
  br label %loop

loop:
  %j = phi i64 [ 0, %chosen ], [ %j.next, %body ]
  %go = icmp ult i64 %j, %end
  br i1 %go, label %body, label %exit

body:
  %p = getelementptr inbounds float, ptr %x, i64 %j
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  %j.next = add nuw i64 %j, 1
  br label %loop

exit:
  ret void
}
