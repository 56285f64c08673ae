; x87 has more bits than double: no error is exact there.
; REQUIRES: x86-registered-target
; RUN: %opt -mtriple=i686-unknown-linux-gnu -mattr=-sse2 -passes=dl-math -S %s | FileCheck %s --check-prefix=X87
; RUN: %opt -mtriple=i686-unknown-linux-gnu -mattr=+sse2 -passes=dl-math -S %s | FileCheck %s

; CHECK-LABEL: @called(
; CHECK: call float @dl.correct.expf(float %x)
; X87-LABEL: @called(
; X87: call float @expf(float %x)
define float @called(float %x) #0 {
  %y = call float @expf(float %x)
  ret float %y
}

declare float @expf(float)
attributes #0 = { "dl-math"="correct" }
