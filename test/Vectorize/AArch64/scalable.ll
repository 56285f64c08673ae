; Scalable vectors where the target has them and does not prefer NEON, whose
; vectors are as long on some machines; either by an option.
; DEFINE: %{pass} = dl-vectorize
; DEFINE: %{features} =
; DEFINE: %{run} = %opt -mtriple=aarch64-linux-gnu %{features} -passes='%{pass}' -pass-remarks=dl-vectorize -S %S/../Inputs/matmul.ll 2>&1
;
; REDEFINE: %{features} = -mattr=+sve
; RUN: %{run} | FileCheck %s --check-prefixes=SCALABLE,IR
; REDEFINE: %{features} = -mcpu=neoverse-v1
; RUN: %{run} | FileCheck %s --check-prefix=SCALABLE
; REDEFINE: %{features} = -mcpu=a64fx
; RUN: %{run} | FileCheck %s --check-prefixes=SPLAT
; REDEFINE: %{features} = -mcpu=neoverse-v2
; RUN: %{run} | FileCheck %s --check-prefix=FIXED --implicit-check-not=vscale
; RUN: env DLOPT_OPTIONS=scalable %{run} | FileCheck %s --check-prefix=SCALABLE
; REDEFINE: %{pass} = dl-vectorize<scalable>
; RUN: %{run} | FileCheck %s --check-prefix=SCALABLE
; REDEFINE: %{pass} = dl-vectorize<no-scalable>
; REDEFINE: %{features} = -mcpu=neoverse-v1
; RUN: %{run} | FileCheck %s --check-prefix=FIXED --implicit-check-not=vscale
; REDEFINE: %{pass} = dl-vectorize
; REDEFINE: %{features} = -mcpu=neoverse-v1 -dl-scalable=0
; RUN: %{run} | FileCheck %s --check-prefix=FIXED --implicit-check-not=vscale
; Where there are none, there is nothing to choose.
; REDEFINE: %{features} = -dl-scalable=1
; RUN: %{run} | FileCheck %s --check-prefix=FIXED --implicit-check-not=vscale
;
; A length that is known at compile time: still scalable, in range.
; RUN: sed 's/^define void \(.*\) {/define void \1 vscale_range(4,4) {/' %S/../Inputs/matmul.ll > %t.range.ll
; RUN: %opt -mtriple=aarch64-linux-gnu -mattr=+sve -passes=dl-vectorize -pass-remarks=dl-vectorize -S %t.range.ll 2>&1 | FileCheck %s --check-prefixes=SCALABLE,RANGE
; So long that no panel fits into the buffer: none is packed.
; RUN: sed 's/^define void \(.*\) {/define void \1 vscale_range(1,1024) "dl-stack"="16k" {/' %S/../Inputs/matmul.ll > %t.long.ll
; RUN: %opt -mtriple=aarch64-linux-gnu -mattr=+sve -passes=dl-vectorize -pass-remarks=dl-vectorize -S %t.long.ll 2>&1 | FileCheck %s --check-prefix=SCALABLE --implicit-check-not=alloca
;
; FIXED:    tile 8x2 vectors of 4, kernel number 1
; SPLAT:    tile 6x4 vectors of vscale x 4, kernel number 1
; SPLAT:    shufflevector <vscale x 4 x float> {{.*}}, <vscale x 4 x i32> zeroinitializer
; SPLAT:    call <vscale x 4 x float> @llvm.fmuladd.nxv4f32(
; SCALABLE: tile 5x4 vectors of vscale x 4, kernel number 1
;
; IR-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
; Five rows of four steps; the tail of columns has one predicate.
; IR-COUNT-5: call <vscale x 4 x float> @llvm.aarch64.sve.ld1rq.nxv4f32(
; IR-COUNT-80: call <vscale x 4 x float> @llvm.aarch64.sve.fmla.lane.nxv4f32(
; IR:       call <vscale x 4 x i1> @llvm.get.active.lane.mask.nxv4i1.i32(i32 0, i32 %
; IR:       call <vscale x 4 x float> @llvm.masked.load.nxv4f32.p0(
; IR:       call void @llvm.masked.store.nxv4f32.p0(
; The buffer has one of two sizes; what fits into it follows from the length.
; IR-LABEL: define internal void @dl.matmul.nn.f32.0.packed(
; IR-NOT:   alloca
; IR:       icmp uge i64 {{%.*}}, 268435456
; IR:       %is.large = and i1
; IR:       select i1 %is.large,
; IR:       call i64 @llvm.vscale.i64()
; IR:       udiv i64
; IR:       [[BYTES:%.*]] = select i1 %is.large, i64 {{[0-9]+}}, i64 {{[0-9]+}}
; IR-NEXT:  %panels = alloca i8, i64 [[BYTES]], align 64
; IR-NOT:   alloca
; RANGE-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
; RANGE-SAME: [[WORKER:#[0-9]+]]
; RANGE:      attributes [[WORKER]] = { {{.*}}vscale_range(4,4)
