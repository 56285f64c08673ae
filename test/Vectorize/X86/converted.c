// Products of numbers that are stored as others are copied as what they are
// multiplied as, by the scripts of narrow integers.
// DEFINE: %{attr} =
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// REDEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,BW
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{attr} = -mattr=+avx2
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,AVX2
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,SSE2

// What the zero point leaves has to be a number of 16 bits.
// CHECK: converted.c:[[#@LINE+12]]:{{.*}} %m x %n x %k: exact, by the script dots, kernel number{{s?}} 1
// CHECK: script dots:
// CHECK-NEXT: assume %m >= 4
// CHECK-NEXT: assume %n >= 2
// CHECK-NEXT: assume %zero <= 32768
// CHECK-NEXT: assume %zero + 32512 >= 0
// BW: stage %a F factors 960 f,r1 = 160*f+r1 as i16
// BW: mode r1 row pmaddwd
// AVX2: mode r1 row pmaddwd
// SSE2: mode r1 row pmaddwd
void points(int *restrict c, const unsigned char *restrict a,
            const signed char *restrict b, int zero, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += (a[i * k + l] - zero) * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Floats are summed in order; rows of b become columns by shuffles.
// CHECK: converted.c:[[#@LINE+12]]:{{.*}} %m x %n x %k: exact, by the script dots, kernel number
// CHECK: assume %m >= 12
// BW: through t1 D %c[f + F,x + X] last
// BW: stage %a F factors 480 f,r1 = 80*f+r1 as f32
// BW: stage %b D packed 5120 r1,x = 1*x+64*r1 as f32
// BW-NEXT: order x_ r1_
// BW-NEXT: split x_ z 16 rest
// BW: mode x_ row interleave16
// AVX2: mode x_ row interleave8
// SSE2: mode x_ row interleave4
void halves(float *restrict c, const __bf16 *restrict a,
            const __bf16 *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += (float)a[i * k + l] * (float)b[j * k + l];
      c[i * n + j] = s;
    }
}
// Nothing but its work in the innermost loop.
// ASM: Inner Loop Header
// ASM-COUNT-24: vfmadd231ps
// ASM-NOT: {{mm.*(Spill|Reload)}}
// ASM: j{{l|ne|b}} .LBB

// What is made of an element in two ways is read as it is, and floats that are
// stored as such have schedules of their own.
// CHECK-NOT: by the script
void twice(int *restrict c, const unsigned char *restrict a,
           const signed char *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += (a[i * k + l] + (signed char)a[i * k + l]) * b[l * n + j];
      c[i * n + j] = s;
    }
}
void floats(float *restrict c, const float *restrict a,
            const float *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += 2 * a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
