// Rust: rows that are vectors of their own, each with its length; rows of chunks and
// of iterators in loops of iterators; one slice that is split in three.
//
// RUN: %rustc --edition=2021 -C opt-level=3 -C target-cpu=haswell -C no-prepopulate-passes --emit=llvm-ir -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -disable-output -pass-remarks=dl-vectorize %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=vecmat
// REQUIRES: native-x86, rustc

#![crate_type = "lib"]

// Functions are in the order of their names, as rustc writes them.

// CHECK-LABEL: define {{.*}}@f1_rows(
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f1_rows(n: usize, a: &[Vec<f32>], b: &[Vec<f32>], c: &mut [Vec<f32>]) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for l in 0..n {
                sum += a[i][l] * b[l][j];
            }
            c[i][j] = sum;
        }
    }
}

// What is written may be a row's length, as far as is known.
//
// CHECK-LABEL: define {{.*}}@f2_vectors(
// CHECK:       rows.each{{.*}}:
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f2_vectors(a: &Vec<Vec<f32>>, b: &Vec<Vec<f32>>, c: &mut Vec<Vec<f32>>) {
    for i in 0..a.len() {
        for j in 0..b[0].len() {
            for l in 0..b.len() {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
}

// CHECK-LABEL: define {{.*}}@f3_returned(
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f3_returned(a: &Vec<Vec<f32>>, b: &Vec<Vec<f32>>) -> Vec<Vec<f32>> {
    let mut c = vec![vec![0.0; b[0].len()]; a.len()];
    for i in 0..a.len() {
        for j in 0..b[0].len() {
            for l in 0..b.len() {
                c[i][j] += a[i][l] * b[l][j];
            }
        }
    }
    c
}

// Lengths are the loops' bounds, the smaller one of two.
//
// CHECK-LABEL: define {{.*}}@f4_zipped(
// CHECK:         @dl.even.rows(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f4_zipped(a: &[Vec<f32>], b: &[Vec<f32>], c: &mut [Vec<f32>]) {
    for (out, row) in c.iter_mut().zip(a.iter()) {
        for (x, line) in row.iter().zip(b.iter()) {
            for (o, y) in out.iter_mut().zip(line.iter()) {
                *o += x * y;
            }
        }
    }
}

// How many rows there are divides, where there are elements; a row has the smaller one
// of two lengths.
//
// CHECK-LABEL: define {{.*}}@f5_chunks(
// CHECK:         call void @dl.matmul.nn.f32.
// REMARK-COUNT-9: matmul.{{n.}} f32, {{.*}} x {{.*}} x
#[no_mangle]
pub fn f5_chunks(n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for (out, row) in c.chunks_mut(n).zip(a.chunks(k)) {
        for (x, line) in row.iter().zip(b.chunks(n)) {
            for (o, y) in out.iter_mut().zip(line) {
                *o += x * y;
            }
        }
    }
}

// CHECK-LABEL: define {{.*}}@f6_numbered(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f6_numbered(n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for (j, out) in row.iter_mut().enumerate() {
            let mut sum = 0.0;
            for l in 0..k {
                sum += a[i * k + l] * b[l * n + j];
            }
            *out = sum;
        }
    }
}

// CHECK-LABEL: define {{.*}}@f7_backwards(
// CHECK:         call void @dl.matmul.nt.f32.
#[no_mangle]
pub fn f7_backwards(n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for j in 0..n {
            let x = &a[i * k..i * k + k];
            let y = &b[j * k..j * k + k];
            row[j] = x.iter().rev().zip(y.iter().rev()).map(|(p, q)| p * q).sum();
        }
    }
}

// CHECK-LABEL: define {{.*}}@f8_linear(
// CHECK:         call void @dl.matmul.nt.f32.
#[no_mangle]
pub fn f8_linear(inputs: usize, x: &[f32], w: &[f32], bias: &[f32], y: &mut [f32]) {
    for (out, row) in y.chunks_mut(bias.len()).zip(x.chunks(inputs)) {
        for ((o, weights), b) in out.iter_mut().zip(w.chunks(inputs)).zip(bias) {
            *o = b + row.iter().zip(weights).map(|(p, q)| p * q).sum::<f32>();
        }
    }
}

// CHECK-LABEL: define {{.*}}@f9_split(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f9_split(m: usize, n: usize, k: usize, all: &mut [f32]) {
    let (a, rest) = all.split_at_mut(m * k);
    let (b, c) = rest.split_at_mut(k * n);
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for l in 0..k {
                sum += a[i * k + l] * b[l * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}
