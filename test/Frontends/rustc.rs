// Rust: raw pointers, slices, arrays and iterators are transformed; the checks of a
// slice's subscripts become one test in front of the loops.
//
// RUN: %rustc --edition=2021 -C opt-level=3 -C target-cpu=haswell -C no-prepopulate-passes --emit=llvm-ir -o %t.ll %s
// RUN: %opt -passes=dl-vectorize -verify-each -S %t.ll | FileCheck %s
// RUN: %rustc --edition=2021 -C opt-level=3 -C target-cpu=haswell -C no-prepopulate-passes --emit=llvm-bc -o %t.bc %s
// RUN: %opt -passes=dl-vectorize -S %t.bc | FileCheck %s
//
// Inside rustc.
// RUN: %rustc_dl --edition=2021 -C opt-level=3 -C target-cpu=haswell --emit=obj -o %t.o %s
// RUN: llvm-nm %t.o | FileCheck %s --check-prefix=OBJECT
// RUN: %rustc --edition=2021 -C opt-level=0 -C target-cpu=haswell --emit=obj -o %t.plain.o %s
// RUN: %rustc_dl --edition=2021 -C opt-level=0 -C target-cpu=haswell --emit=obj -o %t.dl.o %s
// RUN: cmp %t.plain.o %t.dl.o
// REQUIRES: native-x86, rustc

#![crate_type = "lib"]

// OBJECT:     {{ t dl\.matmul\.nn\.f32\.0}}
// OBJECT-NOT: {{ t dl\.matmul\.nn\.f32\.1}}

// Functions are in the order of their names, as rustc writes them.

// CHECK-LABEL: define {{.*}}@f1_arrays(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub fn f1_arrays(a: &[[f32; 64]; 32], b: &[[f32; 48]; 64], c: &mut [[f32; 48]; 32]) {
    for i in 0..32 {
        for j in 0..48 {
            let mut sum = 0.0;
            for l in 0..64 {
                sum += a[i][l] * b[l][j];
            }
            c[i][j] = sum;
        }
    }
}

// CHECK-LABEL: define {{.*}}@f2_pointers(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub unsafe fn f2_pointers(m: usize, n: usize, k: usize, a: *const f32, b: *const f32, c: *mut f32) {
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for l in 0..k {
                sum += *a.add(i * k + l) * *b.add(l * n + j);
            }
            *c.add(i * n + j) = sum;
        }
    }
}

// CHECK-LABEL: define {{.*}}@f3_memory(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub unsafe fn f3_memory(m: usize, n: usize, k: usize, a: *const f32, b: *const f32, c: *mut f32) {
    for i in 0..m {
        for l in 0..k {
            for j in 0..n {
                *c.add(i * n + j) += *a.add(i * k + l) * *b.add(l * n + j);
            }
        }
    }
}

// CHECK-LABEL: define {{.*}}@f4_while(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub unsafe fn f4_while(m: usize, n: usize, k: usize, a: *const f32, b: *const f32, c: *mut f32) {
    let mut i = 0;
    while i < m {
        let mut j = 0;
        while j < n {
            let mut sum = 0.0;
            let mut l = 0;
            while l < k {
                sum += *a.add(i * k + l) * *b.add(l * n + j);
                l += 1;
            }
            *c.add(i * n + j) = sum;
            j += 1;
        }
        i += 1;
    }
}

// CHECK-LABEL: define {{.*}}@f5_unchecked(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub unsafe fn f5_unchecked(m: usize, n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for l in 0..k {
                sum += a.get_unchecked(i * k + l) * b.get_unchecked(l * n + j);
            }
            *c.get_unchecked_mut(i * n + j) = sum;
        }
    }
}

// CHECK-LABEL: define {{.*}}@f6_slices(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub fn f6_slices(m: usize, n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
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

// CHECK-LABEL: define {{.*}}@f7_iterators(
// CHECK:         call void @dl.matmul.nn.f32.0(
#[no_mangle]
pub fn f7_iterators(n: usize, k: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for (row, out) in a.chunks_exact(k).zip(c.chunks_exact_mut(n)) {
        for (x, column) in row.iter().zip(b.chunks_exact(n)) {
            for (o, y) in out.iter_mut().zip(column) {
                *o += x * y;
            }
        }
    }
}

// Multiplication and addition stay separate in Rust.
//
// CHECK:     define internal void @dl.matmul.nn.f32.0(
// CHECK-NOT: define {{.*}}@dl.{{[a-z.0-9]*}}.1
// CHECK-NOT: @llvm.fmuladd
