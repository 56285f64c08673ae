; With the option check, both sides of the guard run: the loops in a clone that
; notes what it stores, then, with memory as it was, the generated code.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -o %t.ll -passes='dl-vectorize<check>'
; RUN: FileCheck %s --input-file=%t.ll
; RUN: %opt -mtriple=aarch64-linux-gnu -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check>' | FileCheck %s
; RUN: %opt -mtriple=aarch64-linux-gnu -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check>' | FileCheck %s --check-prefix=OTHER
; RUN: %opt -mtriple=arm64-apple-macos -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check>' | FileCheck %s --check-prefix=DARWIN
;
; CHECK-DAG: @[[NAME:dl.check.text.*]] = private unnamed_addr constant {{.*}} c"kernel 1 matmul.nn\00"
; Exact, and the program ends; no bounds are given.
; CHECK-DAG: @[[KERNEL:dl.check.kernel.*]] = private constant {{.*}}ptr @[[NAME]], {{.*}}double -1.000000e+00, double -1.000000e+00, i32 1, i8 2, i8 0, i8 0 }
;
; CHECK-LABEL: define void @matmul(
; CHECK:         br i1 {{.*}}, label %dl.check, label %dl.original, !dl.guard
; CHECK:       dl.check:
; CHECK-NEXT:    [[FRAME:%.*]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK-NEXT:    [[LOG:%.*]] = call ptr @dl.check.begin(ptr @[[KERNEL]], ptr [[FRAME]])
; CHECK:         call void @dl.check.note(ptr [[LOG]], ptr [[C:%.*]], i64 4, i32 1)
; CHECK-NEXT:    store float {{.*}}, ptr [[C]]
; CHECK:       dl.check.behind:
; CHECK-NEXT:    [[GO:%.*]] = call i32 @dl.check.swap(ptr [[LOG]])
; CHECK-NEXT:    icmp ne i32 [[GO]], 0
; CHECK:       dl.fast:
; CHECK:         call void @dl.matmul.nn.f32.0(
; CHECK:         call void @dl.check.end(ptr [[LOG]], ptr %dl.places)
; CHECK:       dl.original:
; CHECK-NOT:     call void @dl.check.note
; CHECK:         store float
; CHECK-LABEL: define internal
; CHECK:       define internal ptr @dl.check.begin(

; The functions that do the work have nothing of the target they were compiled for.
; OTHER-NOT: "x86
; OTHER:     define internal ptr @dl.check.begin(
; OTHER-NOT: "x86

; Where errno is, and whether there are threads, depends on the system.
; DARWIN-NOT: __libc_single_threaded
; DARWIN: @dl.check.kernel = {{.*}}ptr @__error, double
; DARWIN-NOT: __libc_single_threaded

; dl-prepare, if that is asked for checks too, does the same with whole functions:
; beside the source's runs what the passes make of it, kernels that are checked
; included.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -dl-check -S %S/../Inputs/matmul.ll -passes=dl-vectorize -o %t.all.ll
; RUN: FileCheck %s --check-prefix=ALL --input-file=%t.all.ll
; RUN: env DLOPT_OPTIONS=check %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -passes=dl-vectorize -o - | diff %t.all.ll -
; ALL-DAG:   c"function matmul\00"
; ALL-DAG:   @[[FUNCTION:dl.check.kernel.*]] = private constant {{.*}}, i32 1, i8 2, i8 0, i8 1 }
; ALL-LABEL: define void @matmul(
; ALL:         [[LOG:%.*]] = call ptr @dl.check.begin(ptr @[[FUNCTION]], ptr
; ALL-NEXT:    call void @dl.check.source(i64 %0, {{.*}}, ptr [[LOG]])
; ALL-NEXT:    call i32 @dl.check.swap(ptr [[LOG]])
; ALL:         call void @matmul.checked(
; ALL-NEXT:    call void @dl.check.end(ptr [[LOG]], ptr
; ALL-LABEL: define internal void @dl.check.source(
; ALL:         call void @dl.check.note(
; ALL-NEXT:    store float
; ALL-LABEL: define internal void @matmul.checked(
; ALL:         call void @dl.matmul.nn.f32.0(
; ALL:         call void @dl.check.end(

; Bounds, and programs that go on.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check=0.5:0.25>' | FileCheck %s --check-prefix=BOUNDS
; BOUNDS: double 5.000000e-01, double 2.500000e-01, i32 1, i8 2, i8 0, i8 0 }
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check=report>' | FileCheck %s --check-prefix=REPORT
; REPORT: i32 1, i8 2, i8 1, i8 0 }
; RUN: env DLOPT_OPTIONS=fp=fast %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check>' | FileCheck %s --check-prefix=FAST
; FAST: i32 1, i8 0, i8 0, i8 0 }

; Counts: nothing runs twice.
; RUN: %opt -mtriple=x86_64-linux-gnu -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check=count>' | FileCheck %s --check-prefix=COUNT
; COUNT-LABEL: define void @matmul(
; COUNT:       dl.fast:
; COUNT-NEXT:    [[BEGIN:%.*]] = call i64 @dl.check.now()
; COUNT:         call void @dl.matmul.nn.f32.0(
; COUNT:         call void @dl.check.count(ptr @[[KERNEL:.*]], i32 0, i64 [[BEGIN]])
; COUNT:       dl.original:
; COUNT-NEXT:    [[BEGIN:%.*]] = call i64 @dl.check.now()
; COUNT:         call void @dl.check.count(ptr @[[KERNEL]], i32 1, i64 [[BEGIN]])
; COUNT:       define internal void @dl.check.at.exit()
; COUNT:         call void @dl.check.print_counts(ptr @[[KERNEL]])

; Without a C library kernels cannot be checked, and are left alone.
; RUN: %opt -mtriple=x86_64-none-elf -mattr=+avx2,+fma -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check>' -pass-remarks-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=BARE
; BARE: left alone: the program cannot check it as it runs, which is asked for: no C library of a 64-bit system
; BARE-NOT: @dl.
; RUN: not %opt -S %S/../Inputs/matmul.ll -passes='dl-vectorize<check=2>' 2>&1 | FileCheck %s --check-prefix=BAD
; BAD: bad value '2' for 'check'
