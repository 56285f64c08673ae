; A module that comes from no driver of clang or flang asks the CPU once, in a
; constructor that runs before those without a priority.
;
; RUN: %opt -passes='dl-vectorize<dispatch=1>,verify' -mtriple=x86_64-linux-gnu -S %S/../Inputs/matmul.ll | FileCheck %s
; RUN: %opt -passes='dl-vectorize<dispatch=1>,verify' -mtriple=x86_64-linux-gnu -S %S/../Inputs/matmul.ll | llc -mtriple=x86_64-linux-gnu | FileCheck %s --check-prefix=ASM
;
; CHECK-DAG: @dl.cpu.features = internal global i32 0, align 4
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @dl.cpu.detect, ptr null }]
; CHECK-NOT: __cpu_model
;
; CHECK:      define internal void @dl.matmul.nn.f32.0(
; CHECK:        %cpu.features = load i32, ptr @dl.cpu.features, align 4
; CHECK:        and i32 %cpu.features, 7372800
;
; Fewer leaves than 7 say nothing; the system must save the registers.
; CHECK:      define internal void @dl.cpu.detect()
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 0, i32 0)
; CHECK:        icmp uge i32 {{.*}}, 7
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 1, i32 0)
; CHECK:        and i32 {{.*}}, 402653184
; CHECK:        call { i32, i32 } asm sideeffect "xgetbv"
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 7, i32 0)
; CHECK:        and i32 {{.*}}, 6
; CHECK:        and i32 {{.*}}, 230
; CHECK:        store i32 {{.*}}, ptr @dl.cpu.features, align 4
;
; ASM-LABEL: dl.cpu.detect:
; ASM-COUNT-2: cpuid
; ASM:         xgetbv
; ASM:         cpuid
