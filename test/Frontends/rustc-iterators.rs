// Rust: sums of iterators, whose helpers have blocks that nothing leads to, matrices
// behind Index, and sizes as parameters of types.
//
// RUN: %rustc --edition=2021 -C opt-level=3 -C target-cpu=haswell -C no-prepopulate-passes --emit=llvm-ir -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// RUN: %opt -passes=dl-vectorize -disable-output -pass-remarks=dl-vectorize %t.ll 2>&1 | FileCheck %s --check-prefix=REMARK
// REQUIRES: native-x86, rustc

#![crate_type = "lib"]

use std::ops::{Index, IndexMut};

// Functions are in the order of their names, as rustc writes them.

// CHECK-LABEL: define {{.*}}multiply
// CHECK:         call void @dl.matmul.nn.f64.

// CHECK-LABEL: define {{.*}}@f1_dot_products(
// CHECK:         call void @dl.matmul.nt.f32.
#[no_mangle]
pub fn f1_dot_products(n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for (i, row) in c.chunks_exact_mut(n).enumerate() {
        for j in 0..n {
            let x = &a[i * k..(i + 1) * k];
            let y = &b[j * k..(j + 1) * k];
            row[j] = x.iter().zip(y.iter()).map(|(p, q)| p * q).sum();
        }
    }
}

// CHECK-LABEL: define {{.*}}@f2_matrix_times_vector(
// CHECK:         call void @dl.matmul.nt.f32.
#[no_mangle]
pub fn f2_matrix_times_vector(a: &[f32], x: &[f32], y: &mut [f32]) {
    let n = x.len();
    for (i, out) in y.iter_mut().enumerate() {
        *out = a[i * n..i * n + n].iter().zip(x).map(|(p, q)| p * q).sum();
    }
}

pub struct Matrix {
    rows: usize,
    columns: usize,
    data: Vec<f32>,
}

impl Index<(usize, usize)> for Matrix {
    type Output = f32;
    fn index(&self, (i, j): (usize, usize)) -> &f32 {
        &self.data[i * self.columns + j]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f32 {
        &mut self.data[i * self.columns + j]
    }
}

// CHECK-LABEL: define {{.*}}@f3_indexed(
// CHECK:         call void @dl.matmul.nn.f32.
#[no_mangle]
pub fn f3_indexed(a: &Matrix, b: &Matrix, c: &mut Matrix) {
    for i in 0..a.rows {
        for j in 0..b.columns {
            let mut sum = 0.0;
            for k in 0..a.columns {
                sum += a[(i, k)] * b[(k, j)];
            }
            c[(i, j)] = sum;
        }
    }
}

// CHECK-LABEL: define {{.*}}@f4_up_to_the_last(
// CHECK:         call void @dl.matmul.nt.f32.
#[no_mangle]
pub fn f4_up_to_the_last(q: &[f32], k: &[f32], scores: &mut [f32], size: usize, last: usize) {
    for t in 0..=last {
        let mut score = 0.0;
        for i in 0..size {
            score += q[i] * k[t * size + i];
        }
        scores[t] = score;
    }
}

type Square<const N: usize> = [[f64; N]; N];

fn multiply<const N: usize>(a: &Square<N>, b: &Square<N>, c: &mut Square<N>) {
    for i in 0..N {
        for j in 0..N {
            for k in 0..N {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
}

#[no_mangle]
pub fn f5_sizes_of_types(a: &Square<100>, b: &Square<100>, c: &mut Square<100>) {
    multiply(a, b, c)
}

// Sums of a slice ask in each row whether it is empty; the kernel does not.
//
// CHECK-LABEL: define {{.*}}@f6_normalized_rows(
// CHECK:         call void @dl.lanes.
// REMARK:        layernorm f32, {{.*}} iterations of i, j in
#[no_mangle]
pub fn f6_normalized_rows(o: &mut [f32], x: &[f32], g: &[f32], b: &[f32], rows: usize, n: usize) {
    for r in 0..rows {
        let x = &x[r * n..][..n];
        let o = &mut o[r * n..][..n];
        let mean = x.iter().sum::<f32>() / n as f32;
        let var = x.iter().map(|v| (v - mean) * (v - mean)).sum::<f32>() / n as f32;
        let inv = 1.0 / (var + 1e-5).sqrt();
        for i in 0..n {
            o[i] = (x[i] - mean) * inv * g[i] + b[i];
        }
    }
}
