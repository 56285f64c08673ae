// bfdot where flags permit any order.
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu -mcpu=neoverse-v1 -ffast-math %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: opt -passes='default<O3>' %t.ll -S | llc -O3 -o - | FileCheck %s --check-prefix=ASM
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu -mcpu=neoverse-v1 %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT-NOT: bfdot
// CHECK: reassociated, subnormal numbers as 0, by the script dots
// CHECK: mode r1 row bfdot
// ASM: bfdot v{{[0-9]+}}.4s, v{{[0-9]+}}.8h, v{{[0-9]+}}.{{8h|2h}}
void product(float *restrict c, const __bf16 *restrict a,
             const __bf16 *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += (float)a[i * k + l] * (float)b[l * n + j];
      c[i * n + j] = s;
    }
}
