; V has vectors of the machine's length: two registers each, factors are scalars.
; Without V the loops stay.
; RUN: %opt -mtriple=riscv64-linux-gnu -mattr=+v,+d -passes=dl-vectorize -pass-remarks=dl-vectorize -S %S/../Inputs/matmul.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
; RUN: opt -mtriple=riscv64-linux-gnu -mattr=+v,+d -O3 %t.ll -S | llc -mtriple=riscv64-linux-gnu -mattr=+v,+d -O3 | FileCheck %s --check-prefix=ASM
; RUN: %opt -mtriple=riscv64-linux-gnu -mattr=+d -passes=dl-vectorize -pass-remarks-missed=dl- -S %S/../Inputs/matmul.ll -o %t.scalar.ll 2>&1 | FileCheck %s --check-prefix=NONE
; RUN: opt -mtriple=riscv64-linux-gnu -mattr=+d -passes=verify -S %S/../Inputs/matmul.ll | diff %t.scalar.ll -
; By an option: of fixed width, as long as the shortest vectors.
; RUN: %opt -mtriple=riscv64-linux-gnu -mattr=+v,+d -passes='dl-vectorize<no-scalable>' -pass-remarks=dl-vectorize -S %S/../Inputs/matmul.ll 2>&1 | FileCheck %s --check-prefix=FIXED --implicit-check-not=vscale
;
; REMARK:      tile 6x2 vectors of vscale x 4, kernel number 1
; FIXED:       tile 6x2 vectors of 8, kernel number 1
; NONE:        no schedule for this target: no vector registers
; CHECK-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
; CHECK-COUNT-12: call <vscale x 4 x float> @llvm.fmuladd.nxv4f32(
; CHECK:       call void @llvm.masked.store.nxv4f32.p0(
; ASM-LABEL:   dl.matmul.nn.f32.0.tiles:
; ASM:         vfmacc.vf
