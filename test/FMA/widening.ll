; The product of two halves is exact in float: adding it is one instruction of those
; that have it, whatever the flags say.
; REQUIRES: aarch64-registered-target
; RUN: %opt -passes=dl-fma,verify -S %s | FileCheck %s
; RUN: %opt -passes=dl-fma,dl-fma -S %s | FileCheck %s
; RUN: %opt -passes=dl-fma -S %s | llc -o - | FileCheck %s --check-prefix=ASM

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"
target triple = "aarch64-unknown-linux-gnu"

; CHECK-LABEL: define <8 x float> @apart(
; CHECK:         [[LOW:%.*]] = call <4 x float> @llvm.aarch64.neon.fmlal.v4f32.v8f16(<4 x float> {{%.*}}, <8 x half> %a, <8 x half> %b)
; CHECK:         [[HIGH:%.*]] = call <4 x float> @llvm.aarch64.neon.fmlal2.v4f32.v8f16(<4 x float> {{%.*}}, <8 x half> %a, <8 x half> %b)
; CHECK:         %s = shufflevector <4 x float> [[LOW]], <4 x float> [[HIGH]], <8 x i32>
; CHECK:         ret <8 x float> %s
; ASM-LABEL:   apart:
; ASM-NOT:       fcvt
; ASM-DAG:       fmlal v{{.*}}.4s, v{{.*}}.4h, v{{.*}}.4h
; ASM-DAG:       fmlal2 v{{.*}}.4s, v{{.*}}.4h, v{{.*}}.4h
; ASM:           ret
define <8 x float> @apart(<8 x float> %acc, <8 x half> %a, <8 x half> %b) #0 {
  %x = fpext <8 x half> %a to <8 x float>
  %y = fpext <8 x half> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fadd <8 x float> %m, %acc
  ret <8 x float> %s
}

; CHECK-LABEL: define <4 x float> @square(
; CHECK:         [[A:%.*]] = shufflevector <4 x half> %a, <4 x half> poison, <8 x i32>
; CHECK:         %s = call <4 x float> @llvm.aarch64.neon.fmlsl.v4f32.v8f16(<4 x float> %acc, <8 x half> [[A]], <8 x half> [[A]])
; ASM-LABEL:   square:
; ASM:           fmlsl v{{.*}}.4s, v{{.*}}.4h, v{{.*}}.4h
define <4 x float> @square(<4 x float> %acc, <4 x half> %a) #0 {
  %x = fpext <4 x half> %a to <4 x float>
  %m = fmul <4 x float> %x, %x
  %s = fsub <4 x float> %acc, %m
  ret <4 x float> %s
}

; CHECK-LABEL: define <16 x float> @fused(
; CHECK-COUNT-2: call <4 x float> @llvm.aarch64.neon.fmlsl{{2?}}.
; CHECK-COUNT-2: call <4 x float> @llvm.aarch64.neon.fmlsl{{2?}}.
; CHECK-NOT:     fpext
; CHECK:         ret
; ASM-LABEL:   fused:
; ASM-NOT:       fcvt
; ASM:           ret
define <16 x float> @fused(<16 x float> %acc, <16 x half> %a, <16 x half> %b) #0 {
  %x = fpext <16 x half> %a to <16 x float>
  %y = fpext <16 x half> %b to <16 x float>
  %n = fneg <16 x float> %x
  %s = call <16 x float> @llvm.fma.v16f32(<16 x float> %n, <16 x float> %y, <16 x float> %acc)
  ret <16 x float> %s
}

; CHECK-LABEL: define <8 x float> @muladd(
; CHECK:         call <4 x float> @llvm.aarch64.neon.fmlal.
; CHECK:         call <4 x float> @llvm.aarch64.neon.fmlal2.
define <8 x float> @muladd(<8 x float> %acc, <8 x half> %a, <8 x half> %b) #0 {
  %x = fpext <8 x half> %a to <8 x float>
  %y = fpext <8 x half> %b to <8 x float>
  %s = call <8 x float> @llvm.fmuladd.v8f32(<8 x float> %x, <8 x float> %y, <8 x float> %acc)
  ret <8 x float> %s
}

; Each goes on with what the one before has become.
; CHECK-LABEL: define <4 x float> @chain(
; CHECK:         %s = call <4 x float> @llvm.aarch64.neon.fmlal.{{.*}}(<4 x float> %acc,
; CHECK:         %t = call <4 x float> @llvm.aarch64.neon.fmlal.{{.*}}(<4 x float> %s,
; CHECK:         %u = call <4 x float> @llvm.aarch64.neon.fmlsl.{{.*}}(<4 x float> %t,
; CHECK-NEXT:    ret <4 x float> %u
define <4 x float> @chain(<4 x float> %acc, <4 x half> %a, <4 x half> %b, <4 x half> %c) #0 {
  %x = fpext <4 x half> %a to <4 x float>
  %y = fpext <4 x half> %b to <4 x float>
  %s = call <4 x float> @llvm.fma.v4f32(<4 x float> %x, <4 x float> %y, <4 x float> %acc)
  %x.2 = fpext <4 x half> %b to <4 x float>
  %y.2 = fpext <4 x half> %c to <4 x float>
  %m = fmul <4 x float> %x.2, %y.2
  %t = fadd <4 x float> %s, %m
  %x.3 = fpext <4 x half> %c to <4 x float>
  %m.3 = fmul <4 x float> %x.3, %x.3
  %u = fsub <4 x float> %t, %m.3
  ret <4 x float> %u
}

; One precondition less each.

; CHECK-LABEL: define <8 x float> @no_instruction(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x float> @no_instruction(<8 x float> %acc, <8 x half> %a, <8 x half> %b) #1 {
  %x = fpext <8 x half> %a to <8 x float>
  %y = fpext <8 x half> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fadd <8 x float> %m, %acc
  ret <8 x float> %s
}

; FPCR.FZ16 may be set where FPCR.FZ is.
; CHECK-LABEL: define <8 x float> @denormal_mode(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x float> @denormal_mode(<8 x float> %acc, <8 x half> %a, <8 x half> %b) #2 {
  %x = fpext <8 x half> %a to <8 x float>
  %y = fpext <8 x half> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fadd <8 x float> %m, %acc
  ret <8 x float> %s
}

; The conversion stays for another one, so that nothing is gained.
; CHECK-LABEL: define <8 x float> @used_elsewhere(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x float> @used_elsewhere(<8 x float> %acc, <8 x half> %a, <8 x half> %b, ptr %p) #0 {
  %x = fpext <8 x half> %a to <8 x float>
  store <8 x float> %x, ptr %p
  %y = fpext <8 x half> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fadd <8 x float> %m, %acc
  ret <8 x float> %s
}

; The sum of a product and a subtrahend is minus that.
; CHECK-LABEL: define <8 x float> @subtracted_from(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x float> @subtracted_from(<8 x float> %acc, <8 x half> %a, <8 x half> %b) #0 {
  %x = fpext <8 x half> %a to <8 x float>
  %y = fpext <8 x half> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fsub <8 x float> %m, %acc
  ret <8 x float> %s
}

; bfloat has its own instructions, which round otherwise.
; CHECK-LABEL: define <8 x float> @bfloats(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x float> @bfloats(<8 x float> %acc, <8 x bfloat> %a, <8 x bfloat> %b) #0 {
  %x = fpext <8 x bfloat> %a to <8 x float>
  %y = fpext <8 x bfloat> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fadd <8 x float> %m, %acc
  ret <8 x float> %s
}

; In double another instruction adds.
; CHECK-LABEL: define <8 x double> @doubles(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x double> @doubles(<8 x double> %acc, <8 x half> %a, <8 x half> %b) #0 {
  %x = fpext <8 x half> %a to <8 x double>
  %y = fpext <8 x half> %b to <8 x double>
  %m = fmul <8 x double> %x, %y
  %s = fadd <8 x double> %m, %acc
  ret <8 x double> %s
}

; Streaming code has none of these.
; CHECK-LABEL: define <8 x float> @streaming(
; CHECK-NOT:     neon
; CHECK:       }
define <8 x float> @streaming(<8 x float> %acc, <8 x half> %a, <8 x half> %b) #3 {
  %x = fpext <8 x half> %a to <8 x float>
  %y = fpext <8 x half> %b to <8 x float>
  %m = fmul <8 x float> %x, %y
  %s = fadd <8 x float> %m, %acc
  ret <8 x float> %s
}

declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, <4 x float>)
declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <8 x float> @llvm.fmuladd.v8f32(<8 x float>, <8 x float>, <8 x float>)

attributes #0 = { "target-features"="+neon,+fullfp16,+fp16fml" }
attributes #1 = { "target-features"="+neon,+fullfp16" }
attributes #2 = { "target-features"="+neon,+fullfp16,+fp16fml" "denormal-fp-math"="preserve-sign,preserve-sign" }
attributes #3 = { "target-features"="+neon,+fullfp16,+fp16fml,+sme" "aarch64_pstate_sm_enabled" }
