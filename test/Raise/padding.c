// Tests of a padded convolution, of indices of any width: what is at least zero and is
// not zero is at least one, also where the number of its rounds is any.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

// CHECK-LABEL: kernel 0 @int_conv
// CHECK:       fmuladd({{.*}}  where i + l > 0, i + l <= %H, j + m > 0, j + m <= %W
// CHECK-LABEL: kernel 0 @long_conv
// CHECK:       fmuladd({{.*}}  where i + l > 0, i + l <= %H, j + m > 0, j + m <= %W
#define CONV(INDEX)                                                            \
  void INDEX##_conv(INDEX C, INDEX H, INDEX W, const float *in,                \
                    const float *w, float *out) {                              \
    for (INDEX y = 0; y < H; ++y)                                              \
      for (INDEX x = 0; x < W; ++x) {                                          \
        float sum = 0;                                                         \
        for (INDEX c = 0; c < C; ++c)                                          \
          for (INDEX r = 0; r < 3; ++r)                                        \
            for (INDEX q = 0; q < 3; ++q) {                                    \
              INDEX yy = y + r - 1, xx = x + q - 1;                            \
              if (yy >= 0 && yy < H && xx >= 0 && xx < W)                      \
                sum += in[(c * H + yy) * W + xx] * w[(c * 3 + r) * 3 + q];     \
            }                                                                  \
        out[y * W + x] = sum;                                                  \
      }                                                                        \
  }
CONV(int)
CONV(long)
