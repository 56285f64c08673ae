// A thread reads and writes neighbours as vectors where they are aligned, which is
// tested; it computes with scalars, and no library is called.
// REQUIRES: nvptx-registered-target
// DEFINE: %{options} = fp=exact
// DEFINE: %{compile} = env DLOPT_OPTIONS='%{options}' %clangxx_dl -x cuda -O2 --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudalib -nocudainc --cuda-path=%S --cuda-device-only -Rpass=dl-vectorize -Rpass-missed=dl- -S %s -o %t.ptx 2>%t.remarks
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefixes=CHECK%if llvm-22 %{,BRAIN%} --implicit-check-not=call.uni
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REDEFINE: %{options} = disable=device-vectors
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=OFF --implicit-check-not=.v4 --implicit-check-not=.v2
// OFF: .visible .entry scale(
#define KERNEL extern "C" __attribute__((global)) void
#define THREAD                                                                 \
  int t = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +     \
          __nvvm_read_ptx_sreg_tid_x();
#define R __restrict__
// Four elements: no loop is left.
// CHECK-LABEL: .entry scale(
// CHECK: and.{{[bfu]}}64 [[REST:%rd[0-9]+]], {{.*}}, 15;
// CHECK: ld.global.nc.v4.{{[bfu]}}32
// CHECK-COUNT-4: mul.f32
// CHECK: st.global.v4.{{[bfu]}}32
// CHECK-NOT: Loop
// CHECK: ret;
// REMARK-DAG: vectors.cu:[[#@LINE+2]]:{{.*}} scale f32, 4: exact, iterations of i in 1 vectors of 4
KERNEL scale(float *R y, const float *R x, float a) { THREAD
  for (int j = 0; j < 4; j++) y[t * 4 + j] = a * x[t * 4 + j];
}
// Without restrict memory is tested, too.
// CHECK-LABEL: .entry may_overlap(
// CHECK: ld.global.v4.{{[bfu]}}32
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL may_overlap(float *y, const float *x, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = 2 * x[t * n + j];
}
// Rows: their length has to be a multiple of four.
// CHECK-LABEL: .entry rows(
// CHECK: ld.global.nc.v4.{{[bfu]}}32
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL rows(float *R y, const float *R x, float a, int m, int n) { THREAD
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float v = x[(t * m + i) * n + j];
      y[(t * m + i) * n + j] = v > 0 ? v : a * v;
    }
}
// Types of several sizes: two of the widest.
// CHECK-LABEL: .entry mixed(
// CHECK-DAG: ld.global.nc.v2.{{[bfu]}}32
// CHECK-DAG: ld.global.nc.v2.{{[bfu]}}8
// CHECK: st.global.v2.{{[bfu]}}64
KERNEL mixed(double *R y, const float *R x, const signed char *R q, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = x[t * n + j] * (double)q[t * n + j];
}
// CHECK-LABEL: .entry halves(
// CHECK: ld.global.nc.v{{2.[bfu]32|4.[bfu]16}}
// CHECK: st.global.v{{2.[bfu]32|4.[bfu]16}}
KERNEL halves(_Float16 *R y, const _Float16 *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = (float)x[t * n + j] * 0.3f;
}
// CHECK-LABEL: .entry brain(
// (LLVM 19 calls no vectors of them cheap.)
// BRAIN: ld.global.nc.v{{2.[bfu]32|4.[bfu]16}}
// BRAIN: st.global.v{{2.[bfu]32|4.[bfu]16}}
KERNEL brain(__bf16 *R y, const __bf16 *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = (__bf16)((float)x[t * n + j] * 0.3f);
}
// Positions are a vector, elements are not.
// CHECK-LABEL: .entry gather(
// CHECK: ld.global.nc.v4.{{[bfu]}}32
// CHECK-COUNT-4: mul.f32
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL gather(float *R y, const float *R x, const int *R at, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = 3 * x[at[t * n + j]];
}
// CHECK-LABEL: .entry scatter(
// CHECK: ld.global.nc.v4.{{[bfu]}}32
// CHECK-COUNT-4: st.global.{{[bfu]}}32
KERNEL scatter(float *R y, const float *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[2 * (t * n + j)] = 3 * x[t * n + j];
}
// CHECK-LABEL: .entry every_second(
// CHECK-COUNT-4: ld.global.nc.{{[bfu]}}32
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL every_second(float *R y, const float *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = 3 * x[2 * (t * n + j)];
}
// Not all of a stencil's reads are aligned.
// CHECK-LABEL: .entry stencil(
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL stencil(float *R y, const float *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = x[t * n + j] + x[t * n + j + 1];
}
// CHECK-LABEL: .entry roots(
// CHECK: ld.global.nc.v4.{{[bfu]}}32
// CHECK-COUNT-4: sqrt.rn.f32
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL roots(float *R y, const float *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[t * n + j] = __builtin_sqrtf(x[t * n + j]);
}
// A condition that chooses between two values.
// CHECK-LABEL: .entry step(
// CHECK: ld.global.nc.v4.{{[bfu]}}32
// CHECK: st.global.v4.{{[bfu]}}32
KERNEL step(float *R w, const float *R g, float rate, int n) { THREAD
  for (int j = 0; j < n; j++) {
    float v = g[t * n + j];
    if (v > 1) v = 1;
    w[t * n + j] -= rate * v;
  }
}
// What may not be stored, what comes in an order, and what is never aligned.
// CHECK-LABEL: .entry stores_some(
// CHECK-NOT: .v4
// REMARK-DAG: vectors.cu:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this target: a GPU target
KERNEL stores_some(float *R y, const float *R x, int n) { THREAD
  for (int j = 0; j < n; j++) if (x[t * n + j] > 0) y[t * n + j] = 2 * x[t * n + j];
}
// CHECK-LABEL: .entry sum(
// CHECK-NOT: .v4
// REMARK-DAG: vectors.cu:[[#@LINE+3]]:{{.*}} left alone: recognized; no schedule for this target: a GPU target
KERNEL sum(float *R y, const float *R x, int n) { THREAD
  float s = 0;
  for (int j = 0; j < n; j++) s += x[t * n + j];
  y[t] = s;
}
// CHECK-LABEL: .entry strided(
// CHECK-NOT: .v4
// REMARK-DAG: vectors.cu:[[#@LINE+2]]:{{.*}} left alone: recognized; no schedule for this target: a GPU target
KERNEL strided(float *R y, const float *R x, int n) { THREAD
  for (int j = 0; j < n; j++) y[3 * j + t] = 2 * x[3 * j + t];
}
