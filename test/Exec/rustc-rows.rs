// The kernels of Frontends/rustc-rows.rs give the same bits, and panic where they
// did with the same elements written: sizes from 0 on, slices that are too short or
// too long, rows of other lengths than the first one, rows that are missing.
// REQUIRES: native-x86, rustc
// RUN: %rustc    --edition=2021 -C opt-level=3 -C target-cpu=native -o %t.plain %s && %t.plain > %t.plain.txt
// RUN: %rustc_dl --edition=2021 -C opt-level=3 -C target-cpu=native -o %t.dl    %s && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %if long %{ %rustc    --edition=2021 -C opt-level=2 -C lto=fat -o %t.plain %s && %t.plain > %t.plain.txt %}
// RUN: %if long %{ %rustc_dl --edition=2021 -C opt-level=2 -C lto=fat -o %t.dl    %s && %t.dl    > %t.dl.txt %}
// RUN: %if long %{ diff %t.plain.txt %t.dl.txt %}
#![allow(unused_attributes)]

#[path = "../Frontends/rustc-rows.rs"]
mod kernels;
use kernels::*;
use std::panic::{catch_unwind, set_hook, AssertUnwindSafe};

struct Numbers(u64);
impl Numbers {
    fn next(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % most
    }
    fn row(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.next(2000) as f32 / 999.0 - 1.0).collect()
    }
    fn rows(&mut self, m: usize, n: usize) -> Vec<Vec<f32>> {
        (0..m).map(|_| self.row(n)).collect()
    }
}

fn show(name: &str, sizes: &str, run: impl FnOnce() -> (), c: impl FnOnce() -> Vec<f32>) {
    let done = catch_unwind(AssertUnwindSafe(run)).is_ok();
    let mut hash = 1469598103934665603u64;
    for x in c() {
        let bits = if x.is_nan() { 0x7fc00000 } else { x.to_bits() };
        hash = (hash ^ bits as u64).wrapping_mul(1099511628211);
    }
    println!("{name} {sizes}: {hash:016x} {done}");
}

/// Rows as vectors, `odd` of them: `way` says how.
fn over_rows(r: &mut Numbers, m: usize, n: usize, k: usize, way: usize) {
    let (mut a, mut b, mut c) = (r.rows(m, k), r.rows(k, n), r.rows(m, n));
    let (i, l) = (r.next(m.max(1)), r.next(k.max(1)));
    match way {
        1 if m > 0 => drop(a[i].pop()),
        2 if k > 0 => drop(b[l].pop()),
        3 if m > 0 => drop(c[i].pop()),
        4 => drop(b.pop()),
        5 if m > 0 && k > 0 => {
            a[i].push(1.0);
            b[l].push(2.0);
            c[i].push(3.0);
        }
        6 if k > 0 => b[l] = vec![],
        7 => drop(c.pop()),
        _ => {}
    }
    let sizes = format!("{m} {n} {k} {way}");
    let flat = |c: &Vec<Vec<f32>>| c.concat();
    let mut o = c.clone();
    let p = &mut o as *mut Vec<Vec<f32>>;
    let all = || flat(unsafe { &*p });
    show("f1", &sizes, || f1_rows(n, &a, &b, unsafe { &mut *p }), all);
    let mut o = c.clone();
    let p = &mut o as *mut Vec<Vec<f32>>;
    let all = || flat(unsafe { &*p });
    show("f2", &sizes, || f2_vectors(&a, &b, unsafe { &mut *p }), all);
    let mut o = vec![];
    let p = &mut o as *mut Vec<Vec<f32>>;
    let all = || flat(unsafe { &*p });
    show("f3", &sizes, || unsafe { *p = f3_returned(&a, &b) }, all);
    let mut o = c.clone();
    let p = &mut o as *mut Vec<Vec<f32>>;
    let all = || flat(unsafe { &*p });
    show("f4", &sizes, || f4_zipped(&a, &b, unsafe { &mut *p }), all);
}

fn over_slices(r: &mut Numbers, m: usize, n: usize, k: usize, way: usize) {
    let size = |x: usize| match way {
        1 => x.saturating_sub(1),
        2 => x + 1,
        _ => x,
    };
    let (a, b, t) = (r.row(size(m * k)), r.row(size(k * n)), r.row(size(n * k)));
    let bias = r.row(n);
    let c = r.row(if way == 3 { (m * n).saturating_sub(1) } else { m * n });
    let sizes = format!("{m} {n} {k} {way}");
    let run = |name: &str, f: &dyn Fn(&mut Vec<f32>)| {
        let mut o = c.clone();
        let p = &mut o as *mut Vec<f32>;
        show(name, &sizes, || f(unsafe { &mut *p }), || unsafe { (*p).clone() });
    };
    run("f5", &|c| f5_chunks(n, k, &a, &b, c));
    run("f6", &|c| f6_numbered(n, k, &a, &b, c));
    run("f7", &|c| f7_backwards(n, k, &a, &t, c));
    run("f8", &|c| f8_linear(k, &a, &t, &bias, c));
    run("f9", &|c| {
        let mut all = [&a[..], &b[..], &c[..]].concat();
        f9_split(m, n, k, &mut all);
        *c = all;
    });
}

fn main() {
    set_hook(Box::new(|_| {}));
    let mut r = Numbers(1);
    let sizes = [0, 1, 2, 8, 17, 64];
    for m in sizes {
        for n in sizes {
            for k in [0, 1, 5, 16, 31] {
                for way in 0..8 {
                    over_rows(&mut r, m, n, k, way);
                }
                for way in 0..4 {
                    over_slices(&mut r, m, n, k, way);
                }
            }
        }
    }
}
