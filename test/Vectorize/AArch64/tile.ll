; NEON has 32 registers: larger tiles than SSE. Without it the loops stay.
; RUN: %opt -mtriple=aarch64-linux-gnu -passes=dl-vectorize -pass-remarks=dl-vectorize -S %S/../Inputs/matmul.ll -o %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: FileCheck %s --input-file=%t.ll
;
; REMARK:      tile 8x2 vectors of 4, kernel number 1
; CHECK-LABEL: define void @matmul(
; CHECK:         br i1 {{.*}}, label %dl.fast, label %dl.original, !dl.guard
; CHECK:         call void @dl.matmul.nn.f32.0(
; CHECK-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
; CHECK:         call <4 x float> @llvm.fmuladd.v4f32(
