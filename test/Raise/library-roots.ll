; LLVM computes powers of a half as square roots where no call sets errno, or no
; operand is infinite: the library's may be others.
; RUN: %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output %s 2>&1 | FileCheck %s
declare double @pow(double, double) nounwind willreturn

; CHECK-LABEL: @plain
; CHECK: @pow<errno>(%x[i], 0.5)
define void @plain(i64 %n, ptr noalias %y, ptr noalias readonly %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %from
  %root = call double @pow(double %value, double 0.5)
  %to = getelementptr double, ptr %y, i64 %i
  store double %root, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: missed @pure {{.*}}'pow'
define void @pure(i64 %n, ptr noalias %y, ptr noalias readonly %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %from
  %root = call double @pow(double %value, double 0.5) memory(none)
  %to = getelementptr double, ptr %y, i64 %i
  store double %root, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: missed @finite {{.*}}UnknownCall: {{.*}}'pow'
define void @finite(i64 %n, ptr noalias %y, ptr noalias readonly %x) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %from = getelementptr double, ptr %x, i64 %i
  %value = load double, ptr %from
  %root = call ninf double @pow(double %value, double 0.5)
  %to = getelementptr double, ptr %y, i64 %i
  store double %root, ptr %to
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
