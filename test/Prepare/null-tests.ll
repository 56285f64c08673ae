; Tests for null of pointers that cannot be it: those that move through arrays.
;
; RUN: %opt -passes='dl-prepare<loops>' -S %s | FileCheck %s

; What an iterator of Rust in another one does: the next element or null, twice.
;
; CHECK-LABEL: define void @inner(
; CHECK-NOT:     , null
; CHECK:         icmp eq ptr
; CHECK-NOT:     , null
; CHECK:       }
define void @inner(ptr nonnull %p, i64 %m, i64 %n) {
entry:
  br label %rows

rows:
  %row = phi ptr [ %p, %entry ], [ %row.now, %row.end ]
  %left = phi i64 [ %m, %entry ], [ %left.now, %row.end ]
  %none = icmp eq i64 %left, 0
  br i1 %none, label %rows.next, label %rows.some

rows.some:
  %row.after = getelementptr inbounds float, ptr %row, i64 %n
  %left.after = sub i64 %left, 1
  br label %rows.next

rows.next:
  %row.now = phi ptr [ %row.after, %rows.some ], [ %row, %rows ]
  %left.now = phi i64 [ %left.after, %rows.some ], [ %left, %rows ]
  %this = phi ptr [ %row, %rows.some ], [ null, %rows ]
  %is.none = icmp eq ptr %this, null
  br i1 %is.none, label %exit, label %row.start

row.start:
  %end = getelementptr inbounds float, ptr %this, i64 %n
  br label %elements

elements:
  %at = phi ptr [ %this, %row.start ], [ %at.now, %body ]
  %is.end = icmp eq ptr %at, %end
  br i1 %is.end, label %elements.next, label %elements.some

elements.some:
  %at.after = getelementptr inbounds i8, ptr %at, i64 4
  br label %elements.next

elements.next:
  %at.now = phi ptr [ %at.after, %elements.some ], [ %at, %elements ]
  %element = phi ptr [ %at, %elements.some ], [ null, %elements ]
  %no.element = icmp eq ptr %element, null
  br i1 %no.element, label %row.end, label %body

body:
  %v = load float, ptr %element
  %w = fmul float %v, 2.0
  store float %w, ptr %element
  br label %elements

row.end:
  br label %rows

exit:
  ret void
}

; The same pointer may be null at the start.
;
; CHECK-LABEL: define void @may_be_null(
; CHECK:         icmp eq ptr {{.*}}, null
; CHECK:       }
define void @may_be_null(ptr %p, ptr %end) {
entry:
  br label %elements

elements:
  %at = phi ptr [ %p, %entry ], [ %after, %body ]
  %no.element = icmp eq ptr %at, null
  br i1 %no.element, label %exit, label %body

body:
  %v = load float, ptr %at
  %w = fmul float %v, 2.0
  store float %w, ptr %at
  %after = getelementptr inbounds i8, ptr %at, i64 4
  %more = icmp eq ptr %after, %end
  br i1 %more, label %exit, label %elements

exit:
  ret void
}

; Nor does a step tell that leaves the array, or null where it is an address.
;
; CHECK-LABEL: define void @not_inbounds(
; CHECK:         icmp eq ptr {{.*}}, null
; CHECK:       }
define void @not_inbounds(ptr nonnull %p, i64 %s) {
entry:
  br label %elements

elements:
  %at = phi ptr [ %p, %entry ], [ %after, %body ]
  %no.element = icmp eq ptr %at, null
  br i1 %no.element, label %exit, label %body

body:
  %v = load float, ptr %at
  %w = fmul float %v, 2.0
  store float %w, ptr %at
  %after = getelementptr i8, ptr %at, i64 %s
  br label %elements

exit:
  ret void
}

; CHECK-LABEL: define void @null_is_valid(
; CHECK:         icmp eq ptr {{.*}}, null
; CHECK:       }
define void @null_is_valid(ptr nonnull %p, i64 %s) null_pointer_is_valid {
entry:
  br label %elements

elements:
  %at = phi ptr [ %p, %entry ], [ %after, %body ]
  %no.element = icmp eq ptr %at, null
  br i1 %no.element, label %exit, label %body

body:
  %v = load float, ptr %at
  %w = fmul float %v, 2.0
  store float %w, ptr %at
  %after = getelementptr inbounds i8, ptr %at, i64 %s
  br label %elements

exit:
  ret void
}
