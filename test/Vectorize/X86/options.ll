; Parameters of the pass, the same by environment, flag and function attribute.
; DEFINE: %{pass} = dl-vectorize
; DEFINE: %{flags} =
; DEFINE: %{run} = %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -passes='%{pass}' %{flags} -pass-remarks=dl-vectorize -S %S/../Inputs/matmul.ll 2>&1
;
; RUN: %{run} | FileCheck %s --check-prefixes=DEFAULT
; REDEFINE: %{pass} = dl-vectorize<tile=4x3>
; RUN: %{run} | FileCheck %s --check-prefix=TILE
; REDEFINE: %{pass} = dl-vectorize<tile=2x1;no-pack>
; RUN: %{run} | FileCheck %s --check-prefixes=SMALL,DIRECT
; REDEFINE: %{pass} = dl-vectorize<no-pack>
; RUN: %{run} | FileCheck %s --check-prefix=DIRECT
; REDEFINE: %{pass} = dl-vectorize<stack=64k>
; RUN: %{run} | FileCheck %s --check-prefix=MIDDLE
; REDEFINE: %{pass} = dl-vectorize<stack=16k>
; RUN: %{run} | FileCheck %s --check-prefix=LITTLE
; REDEFINE: %{pass} = dl-vectorize<stack=0>
; RUN: %{run} | FileCheck %s --check-prefix=DIRECT
;
; REDEFINE: %{pass} = dl-vectorize
; REDEFINE: %{flags} = -dl-tile=4x3
; RUN: %{run} | FileCheck %s --check-prefix=TILE
; REDEFINE: %{flags} = -dl-pack=0
; RUN: %{run} | FileCheck %s --check-prefix=DIRECT
; REDEFINE: %{flags} = -dl-stack=16k
; RUN: %{run} | FileCheck %s --check-prefix=LITTLE
; REDEFINE: %{flags} =
; RUN: env DLOPT_OPTIONS='tile=4x3' %{run} | FileCheck %s --check-prefix=TILE
; RUN: env DLOPT_OPTIONS='stack=16k' %{run} | FileCheck %s --check-prefix=LITTLE
; RUN: sed 's/^define void \(.*\) {/define void \1 "dl-tile"="4x3" {/' %S/../Inputs/matmul.ll > %t.tile.ll
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -passes=dl-vectorize -pass-remarks=dl-vectorize -S %t.tile.ll 2>&1 | FileCheck %s --check-prefix=TILE
;
; DEFAULT: tile 6x2 vectors of 8
; DEFAULT: [[BYTES:%.*]] = select i1 %is.large, i64 129024, i64 22528
; DEFAULT: %panels = alloca i8, i64 [[BYTES]], align 64
; TILE:    tile 4x3 vectors of 8
; SMALL:   tile 2x1 vectors of 8
; MIDDLE:  [[BYTES:%.*]] = select i1 %is.large, i64 63488, i64 22528
; MIDDLE:  %panels = alloca i8, i64 [[BYTES]], align 64
; LITTLE:  %panels = alloca i8, i64 14336, align 64
; DIRECT:  call void @dl.matmul.nn.f32.0(
; DIRECT-NOT: %panels
