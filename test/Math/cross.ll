; Other processors; and GPUs, which have no C library.
; RUN: %opt -mtriple=aarch64-unknown-linux-gnu -passes=dl-math -S %s | FileCheck %s
; RUN: %opt -mtriple=riscv64-unknown-linux-gnu -passes=dl-math -S %s | FileCheck %s
; RUN: %opt -mtriple=nvptx64-nvidia-cuda -passes=dl-math -S %s | FileCheck %s --check-prefix=GPU

; CHECK-LABEL: @called(
; CHECK: call float @dl.correct.expf(float %x)
; CHECK: call float @dl.correct.sinf(float %x)
; GPU-LABEL: @called(
; GPU: call float @expf(float %x)
; GPU: call float @llvm.sin.f32(float %x)
define float @called(float %x) #0 {
  %y = call float @expf(float %x)
  %z = call float @llvm.sin.f32(float %x)
  %w = fadd float %y, %z
  ret float %w
}

declare float @expf(float)
declare float @llvm.sin.f32(float)
attributes #0 = { "dl-math"="correct" }
