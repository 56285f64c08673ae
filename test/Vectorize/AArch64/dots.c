// Sums of products of narrow integers run by scripts that make them instructions of
// the target, if it has them.
// DEFINE: %{arch} = armv8.2-a+dotprod
// DEFINE: %{run} = %emit -gline-tables-only --target=aarch64-linux-gnu -march=%{arch} %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// RUN: opt -passes='default<O3>' %t.ll -S | llc -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{arch} = armv8.2-a+dotprod+i8mm
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=BOTH
// REDEFINE: %{arch} = armv8-a
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=NONE
// NONE-NOT: by the script

// CHECK: dots.c:[[#@LINE+17]]:{{.*}} %m x %n x %k: exact, by the script dots, kernel number{{s?}} 1
// CHECK: split f F 6 3 1
// CHECK: split x X 16 4 rest
// CHECK: mode r1 row sdot
// CHECK-NEXT: mode r1_.0 row interleave4
// ASM: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.{{16b|4b}}
#define PRODUCT(NAME, A, B)                                                    \
  void NAME(int *restrict c, const A *restrict a, const B *restrict b, int m,  \
            int n, int k) {                                                    \
    for (int i = 0; i < m; i++)                                                \
      for (int j = 0; j < n; j++) {                                            \
        int s = 0;                                                             \
        for (int l = 0; l < k; l++)                                            \
          s += a[i * k + l] * b[l * n + j];                                    \
        c[i * n + j] = s;                                                      \
      }                                                                        \
  }
PRODUCT(s8s8, signed char, signed char)

// BOTH: %m x %n x %k: exact, by the script dots
// BOTH: row sdot
// BOTH: %m x %n x %k: exact, by the script dots
// BOTH: row usdot
// Without it unsigned bytes are signed ones and an offset.
// CHECK: %m x %n x %k: exact, by the script dots
// CHECK: offset t1 %a i8
// CHECK: distribute t1 D offsets
// CHECK: row sdot
PRODUCT(u8s8, unsigned char, signed char)
