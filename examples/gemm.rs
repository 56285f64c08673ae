// gemm.rs - multiplies two matrices, the way it is taught.
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the time, the speed and the sum of the result.

use std::time::Instant;

/// C = A * B; A is m x k, B is k x n, all row by row.
#[inline(never)]
fn matmul(m: usize, n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
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

fn fill(count: usize, step: usize, period: usize) -> Vec<f32> {
    (0..count).map(|i| (i * step % period) as f32 / 8.0 - 1.0).collect()
}

fn main() {
    let (m, n, k) = (512, 480, 448);
    let (a, b) = (fill(m * k, 7, 17), fill(k * n, 5, 19));
    let mut c = vec![0.0; m * n];
    let start = Instant::now();
    matmul(m, n, k, &a, &b, &mut c);
    let seconds = start.elapsed().as_secs_f64();
    println!("shape    {m} x {n} x {k}");
    println!("sum      {}", c.iter().map(|&x| x as f64).sum::<f64>());
    println!("ms       {:.3}", seconds * 1e3);
    println!("GFLOP/s  {:.2}", 2e-9 * (m * n * k) as f64 / seconds);
}
