// Sums along rows of narrow integers: partial sums in lanes along the row, then trees of
// registers; nothing is copied.
// DEFINE: %{target} = x86_64-linux-gnu
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512vnni
// DEFINE: %{run} = %emit -gline-tables-only --target=%{target} %s -fno-discard-value-names | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,X86,VNNI
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{attr} = -mattr=+avx2
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,X86,AVX2
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,X86,SSE2
// REDEFINE: %{target} = aarch64-linux-gnu -march=armv8.2-a+dotprod
// REDEFINE: %{attr} = -mattr=+dotprod
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,DOTPROD
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=NEON
// REQUIRES: aarch64-registered-target

// CHECK: dot-rows.c:[[#@LINE+43]]:{{.*}} %m x %k: exact, by the script rows, kernel number 1
// CHECK: script rows:
// VNNI-NEXT: assume %m >= 8
// VNNI-NEXT: assume %k >= 64
// VNNI-NEXT: split x X 8 1
// Signed bytes are unsigned ones but for a number, which multiplies the sum of what rows share.
// VNNI-NEXT: offset s1 %w u8
// VNNI-NEXT: distribute s1 X o1
// VNNI-NEXT: rfactor o1 k1 16 4 opart1 oz1,oq1,ou1,ol1,or1,ot1
// VNNI-NEXT: rfactor s1 k1 16 4 part1 z1,q1,u1,l1,r1,t1
// VNNI: order q1 c1 u1 l1
// VNNI: case q1 %k <= {{[0-9]+}}, %m*%k >= {{[0-9]+}}
// VNNI: mode ou1 row vpdpbusd
// VNNI-NEXT: mode u1 row vpdpbusd
// VNNI-NEXT: mode t1 row tree16
// The next rows, if they are short enough to wait in L2, are fetched where there are many.
// VNNI-NEXT: prefetch %{{.*}} c1 X 8 where %k <= [[#%u,WAITS:]], %m*%k >= [[#%u,FAR:]]
// AVX2-NEXT: assume %m >= 8
// AVX2-NEXT: assume %k >= 16
// AVX2: rfactor s1 k1 8 2 part1 z1,q1,u1,l1,r1,t1
// A line of a row is read before the next row.
// AVX2: split q1 Q1 2 1
// AVX2-NEXT: order Q1 c1 q1 u1 l1
// AVX2: mode u1 row pmaddwd
// AVX2-NEXT: mode t1 row tree8
// SSE2: rfactor s1 k1 4 2 part1
// SSE2: mode u1 row pmaddwd
// SSE2-NEXT: mode t1 row tree4
// DOTPROD: rfactor s1 k1 4 4 part1
// DOTPROD: mode u1 row sdot
// DOTPROD-NEXT: mode t1 row tree4
// Each row of a round is loaded once, and all is in registers.
// ASM: Inner Loop Header
// ASM-COUNT-9: vpdpbusd {{.*}}zmm
// ASM-NOT: {{mm.*(Spill|Reload)}}
// ASM: j{{l|ne|b}} .LBB
// ASM: prefetcht1
// ASM-COUNT-7: vpaddd
// NEON: sdot v{{[0-9]+}}.4s, v{{[0-9]+}}.16b, v{{[0-9]+}}.16b
typedef signed char s8;
typedef unsigned char u8;
void product(int *restrict y, const s8 *restrict x, const s8 *restrict w, int m,
             int k) {
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += x[l] * w[i * k + l];
    y[i] = s;
  }
}

// Sums of floats stay where they are: one group after the other.
// CHECK: dot-rows.c:[[#@LINE+12]]:{{.*}} 64: exact, by the script rows
// VNNI: fission x a0_0 y1 a0_2
// VNNI-NEXT: order g1 y1
// VNNI-NEXT: offset s1 %w u8
// VNNI-NEXT: distribute s1 g1 o1
// VNNI: expand s1 y1 8
// VNNI-NEXT: expand part1 y1 8
// VNNI-NEXT: fission y1 a1_0 f1 b1 c1 e1 a1_2
// VNNI: prefetch %{{.*}} c1 X 8 where 64*%n <= [[#WAITS]], 64*%m*%n >= [[#FAR]]
// VNNI-NOT: prefetch
void groups(float *restrict y, const s8 *restrict x, const float *restrict p,
            const s8 *restrict w, const float *restrict q, int m, int n) {
  for (int i = 0; i < m; i++) {
    float v = 0;
    for (int g = 0; g < n; g++) {
      int s = 0;
      for (int l = 0; l < 64; l++)
        s += x[g * 64 + l] * w[(i * n + g) * 64 + l];
      v += (float)s * p[g] * q[i * n + g];
    }
    y[i] = v;
  }
}

// Halves of bytes, and two sums: of 16 numbers as many lanes as they fill.
// CHECK: dot-rows.c:[[#@LINE+5]]:{{.*}} 16: exact, by the script rows
// VNNI: fission k k1 k2
// VNNI-NEXT: rfactor s1 k1 4 4 part1 z1,q1,u1,l1,r1,t1
// VNNI-NEXT: rfactor s2 k2 4 4 part2 z2,q2,u2,l2,r2,t2
void halves(int *restrict y, const s8 *restrict x, const u8 *restrict w, int m) {
  for (int i = 0; i < m; i++) {
    int s = 0, t = 0;
    for (int l = 0; l < 16; l++) {
      s += ((w[i * 16 + l] & 15) - 8) * x[l];
      t += ((w[i * 16 + l] >> 4) - 8) * x[16 + l];
    }
    y[i] = s * 3 + t;
  }
}

// Sums that are added to each other are one, of one tree.
// CHECK: dot-rows.c:[[#@LINE+9]]:{{.*}} 16: exact, by the script rows
// VNNI: join s2 s1
// VNNI: rfactor s1 k1 4 4 part1 z1,q1,u1,l1,r1,t1
// VNNI: fission l1
// VNNI-NEXT: fission u1
// VNNI-NEXT: fission c1
// VNNI-NOT: case
// VNNI: prefetch %w c1 X 8
void joined(int *restrict y, const s8 *restrict x, const u8 *restrict w, int m) {
  for (int i = 0; i < m; i++) {
    int s = 0, t = 0;
    for (int l = 0; l < 16; l++) {
      s += ((w[i * 16 + l] & 15) - 8) * x[l];
      t += ((w[i * 16 + l] >> 4) - 8) * x[16 + l];
    }
    y[i] = s + t;
  }
}

// Zero points: that what they leave fits is tested.
// X86: dot-rows.c:[[#@LINE+5]]:{{.*}} %m x %k: exact, by the script rows
// X86: assume %zero <= 32640
// X86-NEXT: assume %zero + 32640 >= 0
void shifted(int *restrict y, const s8 *restrict x, const s8 *restrict w, int m,
             int k, int zero) {
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += (x[l] - zero) * w[i * k + l];
    y[i] = s;
  }
}

// What is made of a byte does not fit; rows that are no neighbours; a sum that is asked
// for on its way.
// CHECK-NOT: by the script rows
void refused(int *restrict y, const s8 *restrict x, const s8 *restrict w, int m,
             int k) {
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += (x[l] - 40000) * w[i * k + l];
    y[i] = s;
  }
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++)
      s += x[l] * w[i * k + 3 * l];
    y[i] ^= s;
  }
  for (int i = 0; i < m; i++) {
    int s = 0;
    for (int l = 0; l < k; l++) {
      s += x[l] * w[i * k + l];
      s = s > 1000 ? 1000 : s;
    }
    y[i] ^= s;
  }
}
