// Remarks of rustc: those of the units that it compiles. Its links of units (of its own,
// or -C lto=fat) have no one who listens to remarks; the kernels are there, and summaries
// say so. docs/builds.md tells users: what fails here is to be changed there.
//
// REQUIRES: rustc, native-x86
// RUN: rm -rf %t && mkdir -p %t/one %t/many %t/fat && cd %t
// DEFINE: %{units} = 1
// DEFINE: %{more} =
// DEFINE: %{rustc} = env DLOPT_OPTIONS=summary %rustc_dl -C opt-level=3 -C target-cpu=haswell -C debuginfo=1 -C remark=dl-vectorize -C codegen-units=%{units} %{more} %s -o %t/a
//
// One unit: all of them, with places.
// RUN: %{rustc} 2>&1 | FileCheck %s --check-prefixes=SHOWN,SUMMARY
// RUN: llvm-nm a | FileCheck %s --check-prefix=KERNEL
// SHOWN-DAG: note: {{.*}}rustc-remarks.rs:[[#@LINE+30]]:{{[0-9]+}} dl-vectorize (success): matmul.nn f32
// SUMMARY-DAG: rustc-remarks.rs: 1 loop transformed
// KERNEL: dl.matmul.nn.f32
//
// As YAML, a file for each unit and stage.
// REDEFINE: %{more} = -Z remark-dir=%t/one
// RUN: %{rustc}
// RUN: cat one/*.opt.opt.yaml | FileCheck %s --check-prefix=YAML
// YAML: --- !Passed
// YAML-NEXT: Pass: {{ *}}dl-vectorize
//
// Several units, as ever in optimized builds.
// REDEFINE: %{units} = 16
// REDEFINE: %{more} = -Z remark-dir=%t/many
// RUN: %{rustc} > many.txt 2>&1 && FileCheck %s --check-prefix=SUMMARY --implicit-check-not=success --input-file=many.txt
// RUN: llvm-nm a | FileCheck %s --check-prefix=KERNEL
//
// REDEFINE: %{more} = -C lto=fat -Z remark-dir=%t/fat
// RUN: %{rustc} > fat.txt 2>&1 && FileCheck %s --check-prefix=SUMMARY --implicit-check-not=success --input-file=fat.txt
// RUN: llvm-nm a | FileCheck %s --check-prefix=KERNEL
//
// No link at all: functions of iterators are in other units, and loops stay as they are.
// REDEFINE: %{more} = -C lto=off
// RUN: %{rustc} > off.txt 2>&1 && FileCheck %s --check-prefix=OFF --implicit-check-not='{{[1-9]}} loop{{s?}} transformed' --input-file=off.txt
// OFF: rustc-remarks.rs: 0 loops transformed
// RUN: llvm-nm a | FileCheck %s --check-prefix=NONE --implicit-check-not='dl.matmul'
// NONE: main

#[inline(never)]
fn product(a: &[f32], b: &[f32], c: &mut [f32], n: usize, k: usize) {
    for (a, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)) {
        for (&a, b) in a.iter().zip(b.chunks_exact(n)) {
            for (c, &b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

fn main() {
    let x: Vec<f32> = (0..1024).map(|i| (i % 11) as f32).collect();
    let mut c = vec![0.0; 1024];
    product(&x, &x, &mut c, 32, 32);
    println!("{}", c.iter().sum::<f32>());
}
