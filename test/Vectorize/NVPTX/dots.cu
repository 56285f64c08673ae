// A thread adds four products of bytes by one instruction, where it reads neighbours that
// are aligned, which is tested.
// REQUIRES: nvptx-registered-target, llvm-20-or-later
// DEFINE: %{arch} = sm_61
// DEFINE: %{compile} = %clangxx_dl -x cuda -O2 --cuda-gpu-arch=%{arch} --cuda-feature=+ptx70 -nocudalib -nocudainc --cuda-path=%S --cuda-device-only -Rpass=dl-vectorize -Rpass-missed=dl- -S %s -o %t.ptx 2>%t.remarks
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// Older ones have none.
// REDEFINE: %{arch} = sm_60
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=OLD
// OLD-NOT: dp4a
// REDEFINE: %{arch} = sm_80
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx
#define KERNEL extern "C" __attribute__((global)) void
#define THREAD                                                                 \
  int t = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +     \
          __nvvm_read_ptx_sreg_tid_x();
#define R __restrict__
typedef signed char s8;
typedef unsigned char u8;
// CHECK-LABEL: .func {{.*}} dot(
// CHECK-COUNT-4: dp4a.s32.s32
// REMARK-DAG: dots.cu:[[#@LINE+4]]:{{.*}} dot i32, argument 3: exact, by the script threads
extern "C" __attribute__((device)) int dot(const s8 *a, const s8 *b, int n) {
  int s = 0;
#pragma clang loop unroll(disable)
  for (int i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
// A row of each thread: rows have to be a multiple of four bytes long.
// CHECK-LABEL: .entry rows(
// CHECK: ld.global{{.*}}.b32
// CHECK: dp4a.u32.s32
KERNEL rows(int *R y, const s8 *R w, const u8 *R x, int k) { THREAD
  int s = 0;
  for (int l = 0; l < k; l++)
    s += w[t * k + l] * x[l];
  y[t] = s;
}
// A known number of elements is asked about nothing but the arrays.
// CHECK-LABEL: .entry sizes(
// CHECK-COUNT-16: dp4a.u32.u32
// CHECK-NOT: dp4a
KERNEL sizes(unsigned *R y, const u8 *R w, const u8 *R x) { THREAD
  unsigned s = 0;
  for (int l = 0; l < 64; l++)
    s += w[t * 64 + l] * x[l];
  y[t] = s;
}
// CHECK-LABEL: .entry product(
// CHECK: dp4a.s32.s32
KERNEL product(int *R c, const s8 *R a, const s8 *R b, int n, int k) { THREAD
  for (int j = 0; j < n; j++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += a[t * k + l] * b[j * k + l];
    c[t * n + j] = s;
  }
}
// What is apart, what is wider, and sums of other types, have none.
// CHECK-LABEL: .entry columns(
// CHECK-NOT: dp4a
// REMARK-DAG: dots.cu:[[#@LINE+3]]:{{.*}} left alone: recognized; no schedule for this target: a GPU target
KERNEL columns(int *R c, const s8 *R a, const s8 *R b, int n, int k) { THREAD
  int s = 0;
  for (int l = 0; l < k; l++)
    s += a[l] * b[l * n + t];
  c[t] = s;
}
// CHECK-LABEL: .entry shorts(
// CHECK-NOT: dp4a
KERNEL shorts(int *R c, const short *R a, const s8 *R b, int k) { THREAD
  int s = 0;
  for (int l = 0; l < k; l++)
    s += a[l] * b[t * k + l];
  c[t] = s;
}
// CHECK-LABEL: .entry floats(
// CHECK-NOT: dp4a
KERNEL floats(float *R c, const s8 *R a, const s8 *R b, int k) { THREAD
  float s = 0;
  for (int l = 0; l < k; l++)
    s += a[l] * b[t * k + l];
  c[t] = s;
}
