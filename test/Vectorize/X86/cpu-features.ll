; The program asks the CPU once, in a constructor that runs before those without a
; priority. The objects of a program share the word, and need nothing else.
;
; RUN: %opt -passes='dl-vectorize<dispatch=1>,verify' -mtriple=x86_64-linux-gnu -S %S/../Inputs/matmul.ll -o %t.ll
; RUN: FileCheck %s --input-file=%t.ll
; RUN: llc -mtriple=x86_64-linux-gnu %t.ll -o - | FileCheck %s --check-prefix=ASM
; RUN: %opt -passes='dl-vectorize<dispatch=1>,verify' -mtriple=x86_64-apple-macos -S %S/../Inputs/matmul.ll | FileCheck %s --check-prefix=MACHO
;
; It runs on any CPU, whatever the function is for; what is said of branches and
; returns holds for it, too.
; RUN: sed 's/ldc) {/ldc) noredzone section ".kernels" "target-cpu"="x86-64-v2" "target-features"="+popcnt,+retpoline-indirect-branches,+harden-sls-ret" {/; s/define void/define void/' %S/../Inputs/matmul.ll > %t.in.ll
; RUN: sed 's/noredzone section ".kernels" \(.*\) {/noredzone \1 section ".kernels" {/' %t.in.ll | %opt -passes='dl-vectorize<dispatch=1;stack=64k>,verify' -mtriple=x86_64-linux-gnu -S | FileCheck %s --check-prefix=ATTRIBUTES
;
; CHECK-DAG: $dl.cpu.features = comdat any
; CHECK-DAG: @dl.cpu.features = linkonce_odr hidden global i64 0, comdat, align 8
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 101, ptr @dl.cpu.detect, ptr @dl.cpu.features }]
; CHECK-NOT: __cpu_model
; MACHO: @dl.cpu.features = linkonce_odr hidden global i64 0, align 8
;
; CHECK:      define internal void @dl.matmul.nn.f32.0(
; CHECK:        %cpu.features = load i64, ptr @dl.cpu.features, align 8
; CHECK:        and i64 %cpu.features, 120{{$}}
;
; Fewer leaves than 7 say nothing; the system must save the registers.
; CHECK:      define internal void @dl.cpu.detect() {{.*}}comdat($dl.cpu.features)
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 0, i32 0)
; CHECK:        icmp uge i32 {{.*}}, 7
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 1, i32 0)
; CHECK:        and i32 {{.*}}, 402653184
; CHECK:        call { i32, i32 } asm sideeffect "xgetbv"
; CHECK:        and i32 {{.*}}, 6
; CHECK:        and i32 {{.*}}, 230
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 7, i32 0)
; CHECK:        call { i32, i32, i32, i32 } asm "cpuid", {{.*}}(i32 7, i32 1)
; CHECK:        store i64 {{.*}}, ptr @dl.cpu.features, align 8
;
; ASM-LABEL: dl.cpu.detect:
; ASM-COUNT-2: cpuid
; ASM:         xgetbv
; ASM-COUNT-2: cpuid
;
; ATTRIBUTES: define internal void @dl.matmul.nn.f32.0({{.*}} section ".kernels"
; ATTRIBUTES: define internal void @dl.cpu.detect() [[A:#[0-9]+]] comdat
; ATTRIBUTES: attributes [[A]] = { {{.*}}noredzone{{.*}} "target-features"="+retpoline-indirect-branches,+harden-sls-ret" }
