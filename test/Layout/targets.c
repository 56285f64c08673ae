// The same program for CPUs and a GPU. 16 channels are whole vectors of one, 2
// are none, and a GPU has no vectors.
// REQUIRES: aarch64-registered-target, nvptx-registered-target, x86-registered-target
// DEFINE: %{target} = --target=aarch64-linux-gnu
// DEFINE: %{check} = %clang %{target} -O2 -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | \
// DEFINE:   %opt -passes='dl-prepare<all>,dl-layout<prepared>,verify' -pass-remarks=dl-layout -pass-remarks-missed=dl-layout -S -o %t.ll 2>&1
// RUN: %{check} | FileCheck %s --check-prefix=WIDE
// RUN: opt -O2 %t.ll -S -o - | llc -o - | FileCheck %s --check-prefix=A64
// A64: fmla {{v[0-9]+}}.4s
// REDEFINE: %{target} = --target=aarch64-linux-gnu -DCHANNELS=2
// RUN: %{check} | FileCheck %s --check-prefix=NARROW
// REDEFINE: %{target} = --target=x86_64-linux-gnu -march=skylake-avx512
// RUN: %{check} | FileCheck %s --check-prefix=WIDE
// REDEFINE: %{target} = --target=x86_64-linux-gnu -march=skylake-avx512 -DCHANNELS=2
// RUN: %{check} | FileCheck %s --check-prefix=NARROW
// REDEFINE: %{target} = --target=nvptx64-nvidia-cuda
// RUN: %{check} | FileCheck %s --check-prefix=GPU
// WIDE: remark: {{.*}}: buf: 16 channels innermost, 49 elements each
// WIDE: remark: {{.*}}: weights: 16 channels innermost, 576 elements each
// NARROW-NOT: channels
// NARROW: left alone: no other order makes more loops run in vectors
// GPU: left alone: recognized; no schedule for this target: buf
#ifndef CHANNELS
#define CHANNELS 16
#endif
static float buf[CHANNELS][7][7];
static const float weights[CHANNELS][64][3][3] = {{{{1}}}};

void net(const float *restrict in, float *restrict out) {
  for (int m = 0; m < CHANNELS; m++)
    for (int i = 0; i < 7; i++)
      for (int j = 0; j < 7; j++) {
        float s = 0;
        for (int c = 0; c < 64; c++)
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
              s += in[(c * 9 + i + r) * 9 + j + q] * weights[m][c][r][q];
        buf[m][i][j] = s;
      }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int m = 0; m < CHANNELS; m++) {
        float s = buf[m][2 * i][2 * j];
        for (int r = 0; r < 2; r++)
          for (int q = 0; q < 2; q++)
            s = s > buf[m][2 * i + r][2 * j + q] ? s : buf[m][2 * i + r][2 * j + q];
        out[(i * 3 + j) * CHANNELS + m] = s;
      }
}
