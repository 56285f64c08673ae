// Contracts of device code are compared where that is compiled, not in its stub.
//
// REQUIRES: native-x86, nvptx-registered-target
// DEFINE: %{cuda} = -x cuda -O2 --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudalib -nocudainc --cuda-path=%S --offload-new-driver -fgpu-rdc
// RUN: %clangxx_dl %{cuda} --cuda-host-only -S %s -o %t.s
// RUN: not %clangxx_dl %{cuda} --cuda-device-only -S %s -o %t.ptx 2>&1 | FileCheck %s --implicit-check-not=error:
// CHECK: contracts.cu:[[#@LINE+2]]:{{.*}} error: DLOpt: 'device_product' requires the kernel matmul, and its loops here are left alone: recognized; no schedule for this target: a GPU target{{.*}} [NoTargetSupport]
__attribute__((annotate("dl:require(matmul)"), global))
void device_product(long m, long n, long l, const float *a, const float *b, float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        s += a[i * l + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
