// Rows that are no whole vectors, of a length that is known: a multiply-add under a mask is
// one instruction, and a register is as wide as the vector.
// RUN: %emit --target=x86_64-linux-gnu -march=x86-64-v4 %s | %opt -S -passes='dl-vectorize,verify' -o %t.ll
// RUN: FileCheck %s --input-file=%t.ll
// RUN: opt -passes='default<O3>' %t.ll -S | llc -O3 -o - | FileCheck %s --check-prefix=ASM
// Where masks are no registers nothing is hidden.
// RUN: %emit --target=x86_64-linux-gnu -march=haswell %s | %opt -S -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=AVX2
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=AVX2

// CHECK-LABEL: define internal void @dl.schedule.0(
// CHECK: call i16 asm "", "=r,0"(i16 {{[0-9]+}})
// CHECK: select <16 x i1> {{.*}}, <16 x float>
// CHECK-NOT: <14 x float>
// ASM-LABEL: dl.schedule.0:
// ASM-COUNT-2: vfmadd{{[0-9]+}}ps {{.*}}{1to16}, %zmm{{[0-9]+}}, %zmm{{[0-9]+}} {%k{{[0-9]}}}
// ASM-NOT: vexpand
// ASM: .Lfunc_end
// AVX2-NOT: asm ""
// AVX2-NOT: <14 x float>
void depthwise(const float x[64][14][14], const float w[64][3][3], float y[restrict 64][14][14]) {
  for (int c = 0; c < 64; c++)
    for (int i = 0; i < 14; i++)
      for (int j = 0; j < 14; j++) {
        float sum = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int h = i + r - 1, v = j + s - 1;
            if (h >= 0 && h < 14 && v >= 0 && v < 14)
              sum += x[c][h][v] * w[c][r][s];
          }
        y[c][i][j] = sum;
      }
}
