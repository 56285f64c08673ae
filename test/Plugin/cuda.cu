// Host and device compiled by one command: the host's product is transformed, the
// device's recognized and left alone with its remark, each in its own module. It
// needs no CUDA toolkit: no headers, and the images are not assembled.
//
// REQUIRES: native-x86, nvptx-registered-target
// DEFINE: %{cuda} = -x cuda -O2 -mavx2 -mfma --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70 -nocudalib -nocudainc --cuda-path=%S --offload-new-driver -fgpu-rdc
// RUN: %clangxx_dl %{cuda} -S -emit-llvm %s -o %t.ll -Rpass=dl-vectorize -Rpass-missed=dl- 2>&1 | FileCheck %s --implicit-check-not=remark:
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=HOST
//
// The device code is that of a build without the plugin.
// RUN: %clangxx_dl %{cuda} --cuda-device-only -S %s -o %t.device.s
// RUN: %clangxx %{cuda} --cuda-device-only -S %s -o %t.plain.s
// RUN: diff %t.plain.s %t.device.s
//
// HOST:     define {{.*}} @_Z12host_product
// HOST:     call {{.*}} @dl.matmul.nn.f32.0
// HOST:     define internal {{.*}} @dl.matmul.nn.f32.0

// CHECK: cuda.cu:[[@LINE+4]]:3: remark: {{.*}}left alone: recognized; no schedule for this target: a GPU target
__attribute__((global)) void device_product(long m, long n, long l,
                                            const float *a, const float *b,
                                            float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        s += a[i * l + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}

// CHECK: cuda.cu:[[@LINE+3]]:3: remark: matmul.nn f32{{.*}}: exact, tile {{.*}}, kernel number 1
void host_product(long m, long n, long l, const float *a, const float *b,
                  float *c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long k = 0; k < l; k++)
        s += a[i * l + k] * b[k * n + j];
      c[i * n + j] = s;
    }
}
