// Pixels that filters share are loaded by four, as products take any element of
// a register for all lanes.
// RUN: %clang_dl --target=aarch64-linux-gnu -mcpu=neoverse-n1 -O3 -S -o - %s | FileCheck %s
// RUN: %clang_dl --target=x86_64-linux-gnu -march=haswell -O3 -S -emit-llvm -o - %s | FileCheck %s --check-prefix=X86
//
// CHECK-LABEL: dl.schedule.0:
// CHECK-DAG: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[1]
// CHECK-DAG: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[2]
// CHECK-DAG: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[3]
// X86-NOT: shufflevector <4 x float> {{.*}}, <4 x i32> splat (i32 3)
void convolution(float y[restrict 32][14][14], const float x[16][14][14],
                 const float w[32][16][3][3]) {
  for (int f = 0; f < 32; f++)
    for (int i = 0; i < 14; i++)
      for (int j = 0; j < 14; j++) {
        float s = 0;
        for (int c = 0; c < 16; c++)
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++)
              if (i + r >= 1 && i + r <= 14 && j + q >= 1 && j + q <= 14)
                s += x[c][i + r - 1][j + q - 1] * w[f][c][r][q];
        y[f][i][j] = s;
      }
}
