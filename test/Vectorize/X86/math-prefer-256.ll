; CPUs that prefer vectors of 256 bits have fused operations on those of 512, too:
; the functions that are generated there take them.
; RUN: %opt -passes=dl-vectorize -S %s | FileCheck %s

target triple = "x86_64-unknown-linux-gnu"

; CHECK: define internal {{.*}} @dl.lanes.map.f64.0(
; CHECK: call <8 x double> @llvm.fma.v8f64(
define void @exponential(ptr noalias %to, ptr noalias %from, i64 %n) #0 {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr inbounds double, ptr %from, i64 %i
  %x = load double, ptr %p
  %y = call afn double @llvm.exp.f64(double %x)
  %q = getelementptr inbounds double, ptr %to, i64 %i
  store double %y, ptr %q
  %next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %exit

exit:
  ret void
}

attributes #0 = { "min-legal-vector-width"="0" "target-cpu"="skylake-avx512" }
