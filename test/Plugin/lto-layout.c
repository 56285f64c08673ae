// An array that one module defines and another reads is nobody else's once full LTO has
// made it internal: then dl-layout, which the linker runs, gives it another order.
// Exported from the program it stays, byte for byte.
//
// REQUIRES: native-x86, avx2, lld
// TEETH: dl-layout
//
// RUN: rm -rf %t && split-file %s %t
// DEFINE: %{raw} = %clang -O3 -march=haswell -gline-tables-only -flto -Xclang -disable-llvm-passes -c
// RUN: %{raw} %t/conv.c -o %t/conv.o
// RUN: %{raw} %t/pool.c -o %t/pool.o
// RUN: %{raw} %t/main.c -o %t/main.o
// RUN: %clang -O3 -march=haswell -flto -fuse-ld=lld %t/conv.o %t/pool.o %t/main.o -o %t/plain && %t/plain > %t/want
//
// DEFINE: %{export} =
// DEFINE: %{link} = %preload %clang -O3 -march=haswell -flto -fuse-ld=lld %t/conv.o %t/pool.o %t/main.o -o %t/linked %{export} \
// DEFINE:   -Wl,--load-pass-plugin=%plugin -Wl,-save-temps -Wl,-mllvm,-pass-remarks=dl-layout -Wl,-mllvm,-pass-remarks-missed=dl-layout 2>&1
// DEFINE: %{layout} = %opt -passes='dl-prepare<all>' -S %t/linked.0.2.internalize.bc -o %t/light.ll && \
// DEFINE:   %opt -passes='dl-layout<prepared>' -S %t/light.ll -o %t/layout.ll && \
// DEFINE:   sed '1d; s/ *; preds.*//' %t/light.ll > %t/light && sed '1d; s/ *; preds.*//' %t/layout.ll > %t/layout
//
// RUN: %{link} | FileCheck %s
// RUN: %t/linked | diff %t/want -
// RUN: %{layout} && not cmp -s %t/light %t/layout
// CHECK: pool.c:3:3: buf: 32 channels innermost, 196 elements each
//
// REDEFINE: %{export} = -rdynamic
// RUN: %{link} | FileCheck %s --check-prefix=EXPORTED
// RUN: %t/linked | diff %t/want -
// RUN: %{layout} && cmp %t/light %t/layout
// REDEFINE: %{export} = -Wl,--dynamic-list=%t/exported
// RUN: %{link} | FileCheck %s --check-prefix=EXPORTED
// RUN: %t/linked | diff %t/want -
// EXPORTED-NOT: : buf:
// EXPORTED: left alone: other modules may see the array {{.*}}: buf
// EXPORTED-NOT: : buf:

//--- exported
{ buf; };
//--- conv.c
float buf[32][14][14];
const float w[32][3][3] = {{{1, 2, 3}, {4, 5, 6}}, {{-1, 1, 1}}, {{2}}};
void conv(const float *restrict x) {
  for (int m = 0; m < 32; m++)
    for (int i = 0; i < 14; i++)
      for (int j = 0; j < 14; j++) {
        float s = 0;
        for (int r = -1; r <= 1; r++)
          for (int q = -1; q <= 1; q++)
            if (i + r >= 0 && i + r < 14 && j + q >= 0 && j + q < 14)
              s += x[(i + r) * 14 + j + q] * w[m][r + 1][q + 1];
        buf[m][i][j] = s;
      }
}
//--- pool.c
extern float buf[32][14][14];
void pool(float *restrict y) {
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      for (int m = 0; m < 32; m++) {
        float a = 0;
        for (int r = 0; r < 2; r++)
          for (int q = 0; q < 2; q++)
            a = a > buf[m][2 * i + r][2 * j + q] ? a : buf[m][2 * i + r][2 * j + q];
        y[(i * 7 + j) * 32 + m] = a;
      }
}
//--- main.c
#include <stdio.h>
void conv(const float *);
void pool(float *);
static float x[196], y[32 * 49];
int main(void) {
  for (int i = 0; i < 196; i++)
    x[i] = i * 37 % 101;
  conv(x);
  pool(y);
  double s = 0;
  for (int i = 0; i < 32 * 49; i++)
    s = s * 0.5 + y[i];
  printf("%a\n", s);
}
