// rustc compiles a crate in several units, whose functions meet in a link of its own:
// there, the adapters of iterators are what they iterate over.
//
// REQUIRES: rustc, native-x86
// RUN: %rustc_dl -C opt-level=3 -C target-cpu=haswell -C codegen-units=16 %s -o %t
// RUN: %rustc -C opt-level=3 -C target-cpu=haswell -C codegen-units=16 %s -o %t.plain
// RUN: %t > %t.out && %t.plain | diff %t.out -
// The link gives no remarks; its kernels are in the program.
// RUN: llvm-nm %t | FileCheck %s
// A link of all crates alike, before which LLVM leaves loops that call other units.
// RUN: %rustc_dl -C opt-level=3 -C target-cpu=haswell -C codegen-units=16 -C lto=fat %s -o %t.fat
// RUN: %t.fat | diff %t.out -
// RUN: llvm-nm %t.fat | FileCheck %s
// RUN: llvm-objdump -d %t.fat | FileCheck %s --check-prefix=CALLS
// CALLS: 7product>:
// CALLS-NOT: >:
// CALLS: call{{.*}}<dl.matmul.nn.f32
// CHECK-DAG: dl.matmul.nn.f32
// CHECK-DAG: dl.matmul.nn.f64
// CHECK-DAG: dl.lanes.reduce.f32
// CHECK-DAG: dl.even.rows
#[inline(never)]
fn layernorm(x: &[f32], y: &mut [f32], n: usize) {
    for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
        let mean = x.iter().sum::<f32>() / n as f32;
        let var = x.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / n as f32;
        let inv = 1.0 / (var + 1e-5).sqrt();
        for (y, x) in y.iter_mut().zip(x) {
            *y = (x - mean) * inv;
        }
    }
}

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

#[inline(never)]
fn chunks(a: &[f64], b: &[f64], c: &mut [f64], n: usize, k: usize) {
    for (a, c) in a.chunks(k).zip(c.chunks_mut(n)) {
        for (a, b) in a.iter().zip(b.chunks(n)) {
            for (c, b) in c.iter_mut().zip(b) {
                *c += a * b;
            }
        }
    }
}

#[inline(never)]
fn rows(a: &[Vec<f64>], b: &[Vec<f64>], c: &mut [Vec<f64>]) {
    for (a, c) in a.iter().zip(c.iter_mut()) {
        for (a, b) in a.iter().zip(b.iter()) {
            for (c, b) in c.iter_mut().zip(b.iter()) {
                *c += a * b;
            }
        }
    }
}

fn sum(x: &[f32]) -> u64 {
    x.iter().fold(7, |s, v| (s ^ v.to_bits() as u64).wrapping_mul(1099511628211))
}

fn main() {
    let x: Vec<f32> = (0..4096).map(|i| (i * 37 % 101) as f32 - 49.3).collect();
    for n in [1, 7, 16, 33, 64] {
        let mut y = vec![0.0; 4096];
        layernorm(&x, &mut y, n);
        let mut c = vec![1.0; 4096];
        product(&x[..2048], &x[2048..], &mut c, n, 32);
        println!("{n} {:x} {:x}", sum(&y), sum(&c));
        let x: Vec<f64> = x.iter().map(|&v| v as f64).collect();
        let mut c = vec![1.0; 4096];
        chunks(&x[..2048], &x[2048..], &mut c, n, 32);
        let c: Vec<f32> = c.iter().map(|&v| v as f32).collect();
        println!("{n} {:x}", sum(&c));
        let part = |at: usize| x[at..at + n].to_vec();
        let x: Vec<_> = (0..n).map(|i| part(i * 13)).collect();
        let mut y = x.clone();
        rows(&x, &x, &mut y);
        let y: Vec<f32> = y.concat().iter().map(|&v| v as f32).collect();
        println!("{n} {:x}", sum(&y));
    }
}
