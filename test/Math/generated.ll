; What is generated for a function without the option asks the library, whatever the
; option of the others is.
; RUN: env DLOPT_OPTIONS=math=correct %opt -passes=dl-math -S %s | FileCheck %s

; CHECK-LABEL: @own(
; CHECK: call float @dl.correct.expf(float %x)
define float @own(float %x) {
  %y = call float @expf(float %x)
  ret float %y
}

; CHECK-LABEL: @generated(
; CHECK: call float @expf(float %x)
define internal float @generated(float %x) #0 {
  %y = call float @expf(float %x)
  ret float %y
}
define float @other(float %x) "dl-math"="1ulp" {
  %y = call float @generated(float %x)
  ret float %y
}

declare float @expf(float)
attributes #0 = { "dl-generated" }
