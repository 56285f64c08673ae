; Pointers to global memory stay such.
; RUN: %opt -mtriple=nvptx64-nvidia-cuda -passes='dl<O2>,default<O2>' -pass-remarks=dl- -S %s 2>&1 | FileCheck %s
; CHECK: remark: {{.*}}scale f32, %n: exact, iterations of i in 1 vectors of 4
; CHECK-LABEL: define ptx_kernel void @scale(
; CHECK: call ptr addrspace(1) @llvm.ptrmask
; CHECK: load <4 x float>, ptr addrspace(1) {{.*}}, align 16
; CHECK: store <4 x float> {{.*}}, ptr addrspace(1) {{.*}}, align 16
; CHECK-LABEL: define ptx_kernel void @scale_generic(
; CHECK: load <4 x float>, ptr {{.*}}, align 16
define ptx_kernel void @scale(ptr addrspace(1) noalias %y, ptr addrspace(1) noalias %x, i64 %n) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %from
  %w = fmul float %v, 2.0
  %to = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  store float %w, ptr addrspace(1) %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

define ptx_kernel void @scale_generic(ptr noalias %y, ptr noalias %x, i64 %n) {
entry:
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %exit
loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %from = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %from
  %w = fmul float %v, 2.0
  %to = getelementptr inbounds float, ptr %y, i64 %i
  store float %w, ptr %to
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}
