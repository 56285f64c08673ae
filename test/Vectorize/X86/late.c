// After the whole of clang -O3, in the assembly: the sums of a tile stay in
// registers, no loop over k touches the stack.
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -mavx2 -mfma -S %s -o %t.avx2.s
// RUN: %python %S/../../Lower/Contraction/Inputs/tile-loops.py %t.avx2.s | FileCheck %s --check-prefix=AVX2 --implicit-check-not='{{[1-9][0-9]*}} stack'
// RUN: %clang_dl --target=x86_64-linux-gnu -O3 -mavx512f -S %s -o %t.avx512.s
// RUN: %python %S/../../Lower/Contraction/Inputs/tile-loops.py %t.avx512.s | FileCheck %s --check-prefix=AVX512 --implicit-check-not='{{[1-9][0-9]*}} stack'
// RUN: %clang_dl --target=x86_64-linux-gnu -O2 -ffp-contract=off -mavx2 -mfma -S %s -o %t.separate.s
// RUN: %python %S/../../Lower/Contraction/Inputs/tile-loops.py %t.separate.s | FileCheck %s --check-prefix=SEPARATE --implicit-check-not='{{[1-9][0-9]*}} stack'

// AVX2:     loop: 12 multiply, 0 add, 0 stack
// AVX512:   loop: 24 multiply, 0 add, 0 stack
// SEPARATE: loop: 12 multiply, 12 add, 0 stack
void matmul(int m, int n, int k, const float *a, const float *b, float *c) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
