; The register tile follows from the vector registers of the function; multiply
; and add are fused only where the source's fmuladd would be.
; DEFINE: %{features} =
; DEFINE: %{run} = %opt -mtriple=x86_64-linux-gnu -mattr=%{features} -passes=dl-vectorize -pass-remarks=dl-vectorize -S %s -o %t.ll 2>&1
;
; REDEFINE: %{features} = +sse2
; RUN: %{run} | FileCheck %s --check-prefix=SSE-REMARK
; RUN: FileCheck %s --check-prefixes=CHECK,SSE --input-file=%t.ll
; REDEFINE: %{features} = +avx2,+fma
; RUN: %{run} | FileCheck %s --check-prefix=AVX2-REMARK
; RUN: FileCheck %s --check-prefixes=CHECK,AVX2 --input-file=%t.ll
; REDEFINE: %{features} = +avx512f
; RUN: %{run} | FileCheck %s --check-prefix=AVX512-REMARK
; RUN: FileCheck %s --check-prefixes=CHECK,AVX512 --input-file=%t.ll

; SSE-REMARK:    tile 6x2 vectors of 4, kernel number 1
; SSE-REMARK:    tile 6x2 vectors of 4, kernel number 2
; AVX2-REMARK:   tile 6x2 vectors of 8, kernel number 1
; AVX2-REMARK:   tile 6x2 vectors of 8, kernel number 2
; AVX512-REMARK: tile 6x4 vectors of 16, kernel number 1
; AVX512-REMARK: tile 6x4 vectors of 16, kernel number 2

; CHECK-LABEL: define void @fused(
; CHECK:         call void @dl.matmul.nn.f32.0(
define void @fused(i64 %m, i64 %n, i64 %l, ptr %a, ptr %b, ptr %c) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.runs = icmp slt i64 %i, %m
  br i1 %i.runs, label %j.head, label %exit
j.head:
  %j = phi i64 [ 0, %i.head ], [ %j.next, %j.latch ]
  %j.runs = icmp slt i64 %j, %n
  br i1 %j.runs, label %k.head, label %i.latch
k.head:
  %k = phi i64 [ 0, %j.head ], [ %k.next, %k.body ]
  %s = phi float [ 0.0, %j.head ], [ %s.next, %k.body ]
  %k.runs = icmp slt i64 %k, %l
  br i1 %k.runs, label %k.body, label %j.latch
k.body:
  %a.row = mul nsw i64 %i, %l
  %a.index = add nsw i64 %a.row, %k
  %a.ptr = getelementptr inbounds float, ptr %a, i64 %a.index
  %a.value = load float, ptr %a.ptr
  %b.row = mul nsw i64 %k, %n
  %b.index = add nsw i64 %b.row, %j
  %b.ptr = getelementptr inbounds float, ptr %b, i64 %b.index
  %b.value = load float, ptr %b.ptr
  %s.next = call float @llvm.fmuladd.f32(float %a.value, float %b.value, float %s)
  %k.next = add nsw i64 %k, 1
  br label %k.head
j.latch:
  %c.row = mul nsw i64 %i, %n
  %c.index = add nsw i64 %c.row, %j
  %c.ptr = getelementptr inbounds float, ptr %c, i64 %c.index
  store float %s, ptr %c.ptr
  %j.next = add nsw i64 %j, 1
  br label %j.head
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
exit:
  ret void
}

; CHECK-LABEL: define void @separate(
; CHECK:         call void @dl.matmul.nn.f32.1(
define void @separate(i64 %m, i64 %n, i64 %l, ptr %a, ptr %b, ptr %c) {
entry:
  br label %i.head
i.head:
  %i = phi i64 [ 0, %entry ], [ %i.next, %i.latch ]
  %i.runs = icmp slt i64 %i, %m
  br i1 %i.runs, label %j.head, label %exit
j.head:
  %j = phi i64 [ 0, %i.head ], [ %j.next, %j.latch ]
  %j.runs = icmp slt i64 %j, %n
  br i1 %j.runs, label %k.head, label %i.latch
k.head:
  %k = phi i64 [ 0, %j.head ], [ %k.next, %k.body ]
  %s = phi float [ 0.0, %j.head ], [ %s.next, %k.body ]
  %k.runs = icmp slt i64 %k, %l
  br i1 %k.runs, label %k.body, label %j.latch
k.body:
  %a.row = mul nsw i64 %i, %l
  %a.index = add nsw i64 %a.row, %k
  %a.ptr = getelementptr inbounds float, ptr %a, i64 %a.index
  %a.value = load float, ptr %a.ptr
  %b.row = mul nsw i64 %k, %n
  %b.index = add nsw i64 %b.row, %j
  %b.ptr = getelementptr inbounds float, ptr %b, i64 %b.index
  %b.value = load float, ptr %b.ptr
  %product = fmul float %a.value, %b.value
  %s.next = fadd float %s, %product
  %k.next = add nsw i64 %k, 1
  br label %k.head
j.latch:
  %c.row = mul nsw i64 %i, %n
  %c.index = add nsw i64 %c.row, %j
  %c.ptr = getelementptr inbounds float, ptr %c, i64 %c.index
  store float %s, ptr %c.ptr
  %j.next = add nsw i64 %j, 1
  br label %j.head
i.latch:
  %i.next = add nsw i64 %i, 1
  br label %i.head
exit:
  ret void
}
declare float @llvm.fmuladd.f32(float, float, float)

; CHECK-LABEL: define internal void @dl.matmul.nn.f32.0.tiles(
; SSE-NOT:       fadd
; SSE:           call <4 x float> @llvm.fmuladd.v4f32(
; AVX2-NOT:      fadd
; AVX2:          call <8 x float> @llvm.fmuladd.v8f32(
; AVX512-NOT:    fadd
; AVX512:        call <16 x float> @llvm.fmuladd.v16f32(
; CHECK:         ret void

; CHECK-LABEL: define internal void @dl.matmul.nn.f32.1.tiles(
; CHECK-NOT:     fmuladd
; SSE:           [[PRODUCT:%.*]] = fmul <4 x float>
; SSE-NEXT:      fadd <4 x float> [[PRODUCT]]
; AVX2:          [[PRODUCT:%.*]] = fmul <8 x float>
; AVX2-NEXT:     fadd <8 x float> [[PRODUCT]]
; AVX512:        [[PRODUCT:%.*]] = fmul <16 x float>
; AVX512-NEXT:   fadd <16 x float> [[PRODUCT]]
; CHECK-NOT:     fmuladd
; CHECK:         ret void
