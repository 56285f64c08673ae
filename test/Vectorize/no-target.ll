; Without a target triple, or with addresses of 32 bits, that is what is said.
; RUN: %opt -passes='dl-vectorize' -pass-remarks-missed=dl- -disable-output %S/Inputs/matmul.ll 2>&1 | FileCheck %s --check-prefix=TRIPLE
; TRIPLE: left alone: recognized; no schedule for this target: the module has no target triple
; RUN: %opt -mtriple=i386-linux-gnu -passes='dl-vectorize' -pass-remarks-missed=dl- -disable-output %S/Inputs/matmul.ll 2>&1 | FileCheck %s --check-prefix=NARROW
; RUN: %opt -mtriple=riscv32-linux-gnu -passes='dl-vectorize' -pass-remarks-missed=dl- -disable-output %S/Inputs/matmul.ll 2>&1 | FileCheck %s --check-prefix=NARROW
; NARROW: left alone: addresses of the target are not 64 bits wide
