// Rust: tensors in fields of a static object, which has no declared fields any more, and
// constants that are bytes. The bits of rustc alone.
//
// RUN: %rustc --edition=2021 -A warnings -C opt-level=3 -C target-cpu=haswell -C no-prepopulate-passes --emit=llvm-bc -o %t.bc %s
// RUN: %opt -passes=dl-layout -pass-remarks=dl-layout -disable-output %t.bc 2>&1 | FileCheck %s
// CHECK-DAG: 4NETS: 32 channels innermost, 784 elements each
// CHECK-DAG: 4NETS+100352: 32 channels innermost, 784 elements each
// CHECK-DAG: 4TAPS: 32 channels innermost, 9 elements each
//
// RUN: %rustc --edition=2021 -A warnings -C opt-level=3 -C target-cpu=haswell -o %t.plain %s
// RUN: %rustc_dl --edition=2021 -A warnings -C opt-level=3 -C target-cpu=haswell -o %t.dl %s
// RUN: %t.plain > %t.want && %t.dl > %t.got && cmp %t.want %t.got
// REQUIRES: native-x86, avx2, rustc

struct Net {
    a: [[[f32; 28]; 28]; 32],
    b: [[[f32; 28]; 28]; 32],
    calls: u32,
}
static mut NETS: Net = Net { a: [[[0.0; 28]; 28]; 32], b: [[[0.0; 28]; 28]; 32], calls: 0 };
static TAPS: [[f32; 9]; 32] = [[0.5, 1.0, 2.0, -1.0, 0.25, 3.0, 1.0, -2.0, 0.75]; 32];

#[inline(never)]
#[no_mangle]
unsafe fn net(x: &[f32; 28 * 28], w: &[f32; 32], out: &mut [f32; 32 * 14 * 14]) {
    for c in 0..32 {
        for i in 0..28 {
            for j in 0..28 {
                NETS.a[c][i][j] = x[i * 28 + j] * w[c];
            }
        }
    }
    for _ in 0..2 {
        for c in 0..32 {
            for i in 1..27 {
                for j in 1..27 {
                    let mut s = 0.0f32;
                    for r in 0..3 {
                        for q in 0..3 {
                            s += NETS.a[c][i + r - 1][j + q - 1] * TAPS[c][r * 3 + q];
                        }
                    }
                    NETS.b[c][i][j] = s;
                }
            }
        }
        for c in 0..32 {
            for i in 0..28 {
                for j in 0..28 {
                    let v = NETS.b[c][i][j];
                    NETS.a[c][i][j] = if v > 0.0 { v } else { 0.0 };
                }
            }
        }
    }
    for i in 0..14 {
        for j in 0..14 {
            for c in 0..32 {
                let mut m = 0.0f32;
                for r in 0..2 {
                    for q in 0..2 {
                        let v = NETS.a[c][2 * i + r][2 * j + q];
                        m = if m > v { m } else { v };
                    }
                }
                out[(i * 14 + j) * 32 + c] = m;
            }
        }
    }
    NETS.calls += 1;
}

fn main() {
    let mut x = [0.0f32; 28 * 28];
    let mut w = [0.0f32; 32];
    let mut y = [0.0f32; 32 * 14 * 14];
    for i in 0..28 * 28 {
        x[i] = ((i * 37 % 101) as f32) / 50.0 - 1.0;
    }
    for c in 0..32 {
        w[c] = c as f32 - 11.5;
    }
    for _ in 0..2 {
        unsafe { net(&x, &w, &mut y) };
        let mut h = 1u64;
        for v in y {
            h = h.wrapping_mul(31).wrapping_add(v.to_bits() as u64);
        }
        println!("{:x} {}", h, unsafe { NETS.calls });
        x[5] = 3.0;
    }
}
