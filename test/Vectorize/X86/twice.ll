; The pass run again changes nothing: neither the loops behind the guard nor the
; generated functions are raised again. Debug information is kept valid.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -passes=dl-vectorize -S %S/../Inputs/matmul.ll -o %t.once.ll
; RUN: FileCheck %s --input-file=%t.once.ll
; RUN: %opt -passes='dl-vectorize,dl-vectorize' -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll | diff %t.once.ll -
; RUN: opt -passes=verify -S %t.once.ll -o %t.plain.ll
; RUN: %opt -passes=dl-vectorize -pass-remarks=dl-vectorize -S %t.once.ll 2>&1 | diff %t.plain.ll -
;
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -passes=dl-vectorize -verify-each -debugify-each -S -o %t.debug.ll %S/../Inputs/matmul.ll 2>&1 | FileCheck %s --check-prefix=DEBUGIFY
;
; CHECK:      call void @dl.matmul.nn.f32.0(
; CHECK-NOT:  call void @dl.matmul.nn.f32.0(
; DEBUGIFY-NOT: ERROR
; DEBUGIFY: CheckModuleDebugify
; DEBUGIFY-NOT: ERROR
