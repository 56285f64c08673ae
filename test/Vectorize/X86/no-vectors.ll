; Functions without vector registers: left alone, byte for byte.
; DEFINE: %{features} =
; DEFINE: %{run} = %opt -mtriple=x86_64-linux-gnu -mattr=%{features} -passes=dl-vectorize -pass-remarks-missed=dl- -S %S/../Inputs/matmul.ll -o %t.ll
; DEFINE: %{same} = opt -mtriple=x86_64-linux-gnu -mattr=%{features} -passes=verify -S %S/../Inputs/matmul.ll | diff %t.ll -
;
; REDEFINE: %{features} = -sse
; RUN: %{run} 2>&1 | FileCheck %s
; RUN: %{same}
; REDEFINE: %{features} = -sse,+soft-float
; RUN: %{run} 2>&1 | FileCheck %s
; RUN: %{same}
;
; CHECK: left alone: recognized; no schedule for this target: no vector registers
