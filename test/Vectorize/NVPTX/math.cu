// Math functions of device code, in kernels with loops and without: by the
// machine's own approximations, or as accurate as is asked. No library is called.
// REQUIRES: nvptx-registered-target
// DEFINE: %{options} = fp=exact
// DEFINE: %{gpu} = --cuda-gpu-arch=sm_80 --cuda-feature=+ptx70
// DEFINE: %{flags} = -fapprox-func
// DEFINE: %{compile} = env DLOPT_OPTIONS='%{options}' %clangxx_dl -x cuda -O2 %{gpu} -nocudalib -nocudainc --cuda-path=%S --cuda-device-only %{flags} -Rpass=dl-vectorize -S %s -o %t.ptx 2>%t.remarks
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --implicit-check-not=call.uni
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// REMARK: math.cu:[[#@LINE+54]]:{{.*}} remark: device code: math functions approximated inline: 1
// REMARK: device code: math functions approximated inline: 8
//
// Old GPUs have no tanh, nor has old PTX.
// REDEFINE: %{gpu} = --cuda-gpu-arch=sm_75 --cuda-feature=+ptx64
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=OLD --implicit-check-not=call.uni
// REDEFINE: %{gpu} = --cuda-gpu-arch=sm_75 --cuda-feature=+ptx70
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --implicit-check-not=call.uni
// OLD-NOT: tanh.approx
// OLD: lg2.approx.f32
//
// Subnormal numbers that are zeros.
// REDEFINE: %{flags} = -fapprox-func -fgpu-flush-denormals-to-zero
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=FLUSH --implicit-check-not=call.uni
// FLUSH: ex2.approx.ftz.f32
// FLUSH: tanh.approx.f32
// FLUSH: lg2.approx.ftz.f32
//
// REDEFINE: %{flags} = -fapprox-func
// REDEFINE: %{options} = math=4ulp
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=FOUR --implicit-check-not='{{lg2|sin|tanh}}.approx' --implicit-check-not=call.uni
// FOUR: ex2.approx.f32
// REDEFINE: %{options} = math=1ulp
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=ONE --implicit-check-not='{{ex2|lg2|sin|tanh}}.approx' --implicit-check-not=call.uni
// ONE: fma.rn.f32
//
// fp=fast is as good as the flags; without either the calls stay.
// REDEFINE: %{flags} =
// REDEFINE: %{options} = fp=fast
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --implicit-check-not=call.uni
// REDEFINE: %{options} = fp=exact
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=CALLS
// REDEFINE: %{options} = disable=device-math
// REDEFINE: %{flags} = -fapprox-func
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=CALLS
// Nor may functions be taken for those of the library.
// REDEFINE: %{options} = fp=fast
// REDEFINE: %{flags} = -ffreestanding
// RUN: %{compile} && FileCheck %s --input-file=%t.ptx --check-prefix=CALLS
// CALLS: call.uni (retval0),{{[[:space:]]+}}expf
// CALLS: call.uni (retval0),{{[[:space:]]+}}tanhf
// CALLS: call.uni (retval0),{{[[:space:]]+}}exp,
#define DEVICE extern "C" __attribute__((device))
DEVICE float expf(float), tanhf(float), logf(float), sinf(float), cosf(float);
DEVICE float powf(float, float), erff(float), sqrtf(float);
DEVICE double exp(double);

// CHECK-LABEL: .visible .entry silu(
// CHECK: ex2.approx.f32
// CHECK: st.global
extern "C" __attribute__((global)) void silu(const float *x, float *y, int n) {
  int i = __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
          __nvvm_read_ptx_sreg_tid_x();
  if (i < n)
    y[i] = x[i] / (1 + expf(-x[i]));
}

// A loop over the elements that are so many threads apart.
// CHECK-LABEL: .visible .entry others(
// CHECK: tanh.approx.f32
// CHECK: lg2.approx.f32
// CHECK: sin.approx.f32
// CHECK: cos.approx.f32
// CHECK: sqrt.{{rn|approx}}.f32
// CHECK: fma.rn.f64
extern "C" __attribute__((global)) void others(const float *x, float *y,
                                               double *z, int n) {
  int step = __nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
  for (int i = __nvvm_read_ptx_sreg_tid_x(); i < n; i += step) {
    float t = x[i];
    y[i] = tanhf(t) + logf(t) + sinf(t) + cosf(t) + sqrtf(t);
    y[i] += powf(t, t) + erff(t);
    z[i] = exp(z[i]);
  }
}
