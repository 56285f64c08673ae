; Recognized, and left alone: byte for byte, with a remark that says why.
; RUN: %opt -mtriple=nvptx64-nvidia-cuda -passes=dl-vectorize -pass-remarks-missed=dl- -S %S/../Inputs/matmul.ll -o %t.ll 2>&1 | FileCheck %s
; RUN: opt -mtriple=nvptx64-nvidia-cuda -passes=verify -S %S/../Inputs/matmul.ll | diff %t.ll -
;
; CHECK: left alone: recognized; no schedule for this target: a GPU target
