; What dl-math replaces where one function asks for it, and what it leaves alone.
; RUN: %opt -passes=dl-math -S %s | FileCheck %s --check-prefix=PASS
; RUN: %opt -passes='dl-math<mark>' -S %s | FileCheck %s --check-prefix=MARK
; RUN: %opt -passes='dl-math<mark>,dl-math' -S %s | FileCheck %s --check-prefix=PASS
; RUN: not %opt -passes='dl-math<marks>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRONG
; WRONG: dl-math: unknown parameter 'marks'
target triple = "x86_64-unknown-linux-gnu"

; PASS-LABEL: @called(
; PASS: call float @dl.correct.tanhf(float %x)
; MARK-LABEL: @called(
; MARK: call float @tanhf(float %x) [[MARKED:#[0-9]+]]
define float @called(float %x) #0 {
  %y = call float @tanhf(float %x)
  ret float %y
}

; PASS-LABEL: @intrinsic(
; PASS: call nnan float @dl.correct.sinf(float %x)
; MARK-LABEL: @intrinsic(
; MARK: call nnan float @sinf(float %x)
define float @intrinsic(float %x) #0 {
  %y = call nnan afn float @llvm.sin.f32(float %x)
  ret float %y
}

; PASS-LABEL: @two(
; PASS: call float @dl.correct.powf(float %x, float %y)
define float @two(float %x, float %y) #0 {
  %z = call float @powf(float %x, float %y)
  ret float %z
}

; LLVM has no name for it.
; PASS-LABEL: @nameless(
; PASS: call float @dl.correct.erfcf(float %x)
define float @nameless(float %x) #0 {
  %y = call float @erfcf(float %x)
  ret float %y
}

; No option.
; PASS-LABEL: @other(
; PASS: call float @tanhf(float %x)
define float @other(float %x) {
  %y = call float @tanhf(float %x)
  ret float %y
}

; Another function than the library's.
; PASS-LABEL: @kept(
; PASS: call float @tanhf(float %x)
define float @kept(float %x) #0 {
  %y = call float @tanhf(float %x) nobuiltin
  ret float %y
}

; PASS-LABEL: @freestanding(
; PASS: call float @tanhf(float %x)
define float @freestanding(float %x) #1 {
  %y = call float @tanhf(float %x)
  ret float %y
}

; PASS-LABEL: @defined(
; PASS: call float @expf(float %x)
; PASS: call float @llvm.exp.f32(float %x)
define float @defined(float %x) #0 {
  %y = call float @expf(float %x)
  %z = call float @llvm.exp.f32(float %x)
  %w = fadd float %y, %z
  ret float %w
}
define float @expf(float %x) {
  ret float %x
}

; Declarations of others.
; PASS-LABEL: @declared(
; PASS: call float @cosf(float %x, float %x)
; PASS: call float @hypotf(float %x)
; PASS: call float (float, ...) @erff(float %x)
define float @declared(float %x) #0 {
  %y = call float @cosf(float %x, float %x)
  %z = call float @hypotf(float %x)
  %w = call float (float, ...) @erff(float %x)
  %a = fadd float %y, %z
  %b = fadd float %a, %w
  ret float %b
}
declare float @cosf(float, float)
declare float @hypotf(float)
declare float @erff(float, ...)

; What it is to its callers, and how it is called, is not the function's.
; PASS-LABEL: @handler(
; PASS: call float @dl.correct.atanf(float %x) [[CALL:#[0-9]+]]
define float @handler(float %x) #3 {
  %y = call float @atanf(float inreg %x)
  ret float %y
}
declare float @atanf(float)

; Roundings of its own.
; PASS-LABEL: @strict(
; PASS: call float @tanhf(float %x)
define float @strict(float %x) #2 {
  %y = call float @tanhf(float %x) strictfp
  ret float %y
}

; PASS-LABEL: @wide(
; PASS: call double @tanh(double %x)
define double @wide(double %x) #0 {
  %y = call double @tanh(double %x)
  ret double %y
}

; Calls that unwind, and those that end a function, are left.
; PASS-LABEL: @unwinds(
; PASS: invoke float @tanhf(float %x)
define float @unwinds(float %x) #0 personality ptr @personality {
  %y = invoke float @tanhf(float %x) to label %done unwind label %pad
done:
  ret float %y
pad:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
declare i32 @personality(...)

; PASS-LABEL: @ends(
; PASS: musttail call float @tanhf(float %x)
define float @ends(float %x) #0 {
  %y = musttail call float @tanhf(float %x)
  ret float %y
}

; PASS-LABEL: define internal float @dl.correct.tanhf(float %0)
; PASS-SAME: [[ATTRS:#[0-9]+]]
; PASS: define internal float @dl.correct.atanf(float %0)
; PASS-SAME: [[ATTRS]]
; PASS: attributes [[ATTRS]] = { mustprogress nofree noinline norecurse nosync nounwind willreturn memory(none) "dl-generated" }
; MARK: attributes [[MARKED]] = { nobuiltin nounwind willreturn memory(none) "dl-correct"="tanh" }
declare float @tanhf(float)
declare float @powf(float, float)
declare float @erfcf(float)
declare double @tanh(double)
declare float @llvm.sin.f32(float)
declare float @llvm.exp.f32(float)
attributes #0 = { "dl-math"="correct" }
attributes #1 = { "dl-math"="correct" "no-builtins" }
attributes #2 = { strictfp "dl-math"="correct" }
attributes #3 = { "dl-math"="correct" "interrupt" }
