// Sums of products of narrow integers run by scripts that make them instructions of
// the target; bytes are copied as 16-bit numbers where it has none for bytes.
// Instructions as LLVM 22 simplifies and prints them.
// REQUIRES: llvm-22
// DEFINE: %{attr} =
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// REDEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512vnni
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,VNNI
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=VNNI-IR
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=GUARD
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,BW
// REDEFINE: %{attr} = -mattr=+avx2
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,AVX2
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,SSE2
// A program for any machine chooses when it runs.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=1 %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes=dl-vectorize 2>&1 | FileCheck %s --check-prefix=ANY
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=schedules %opt -mattr=+avx2 -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes=dl-vectorize 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: by the script

// ANY: by the script dots, avx512 at run time, avx2 at run time, kernel number{{s?}} 1
// CHECK: dots.c:[[#@LINE+29]]:{{.*}} %m x %n x %k: exact, by the script dots, kernel number{{s?}} 1
// CHECK: script dots:
// Few rows are not worth a copy: they run as they did.
// CHECK-NEXT: assume %m >= 4
// CHECK-NEXT: assume %n >= 2
// VNNI-NEXT: split r1 D upto 384
// VNNI: stage %b D packed 24576 Q,r1,x = 64*Q+4*x+r1{{$}}
// VNNI: mode r1 row vpdpbusd
// VNNI-NEXT: mode r1_.0 row interleave4
// What the next tile reads is fetched while this one runs, where vectors leave room for that.
// VNNI-NEXT: prefetch %c f.1 F 6
// VNNI-NEXT: prefetch %a Q F 6
// VNNI-NEXT: prefetch %a Q F 7
// BW-NEXT: split r1 D upto 160
// BW: stage %a F factors 960 f,r1 = 160*f+r1 as i16
// BW: stage %b D packed 10240 Q,r1,x = 64*Q+2*x+r1 as i16
// BW: mode x,x_ lanes 16
// BW: mode r1 row pmaddwd
// BW: prefetch %c f.1 F [[#%u,TILE:]]
// BW-NEXT: prefetch %a f_ F [[#TILE]]
// BW-NOT: prefetch
// AVX2: split x X 16 8 rest
// AVX2: mode r1 row pmaddwd
// AVX2-NOT: prefetch
// SSE2: split x X 8 4 rest
// SSE2: mode r1 row pmaddwd
// CHECK: dots.c:{{.*}} exact, iterations of j in {{.*}}, kernel number{{s?}} 2
void u8s8(int *restrict c, const unsigned char *restrict a,
          const signed char *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
// VNNI-IR: define internal {{.*}}@dl.schedule
// VNNI-IR: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(
// Nothing but its work in the innermost loop.
// ASM: Inner Loop Header
// ASM-COUNT-24: vpdpbusd
// ASM-NOT: {{mm.*(Spill|Reload)}}
// ASM: j{{l|ne|b}} .LBB

// Both are rows of neighbours; what is stored is of another type.
// CHECK: dots.c:[[#@LINE+5]]:{{.*}} %m x %n x %k: exact, by the script dotblocks, kernel number{{s?}} 3
// CHECK: assume %m >= 12
// CHECK: buffer sums i32
void s16s16(float *restrict c, const short *restrict a, const short *restrict b,
            int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[j * k + l];
      c[i * n + j] = (float)s * 0.5f;
    }
}

// Known sizes have no rests that are not there, and no test.
// CHECK: dots.c:[[#@LINE+6]]:{{.*}} exact, by the script dots, kernel number{{s?}} 5
// CHECK-NEXT: script dots:
// CHECK-NEXT: split r1 D {{[0-9]+$}}
// CHECK-NEXT: split f F {{[0-9]+$}}
// CHECK-NEXT: split x X {{[0-9]+$}}
void sizes(int *restrict c, const short *restrict a, const short *restrict b) {
  for (int i = 0; i < 48; i++)
    for (int j = 0; j < 128; j++) {
      int s = 0;
      for (int l = 0; l < 64; l++)
        s += a[i * 64 + l] * b[l * 128 + j];
      c[i * 128 + j] = s;
    }
}

// No instruction multiplies unsigned numbers of 16 bits.
// CHECK: dots.c:[[#@LINE+3]]:{{.*}} exact, iterations of j
void u16(int *restrict c, const unsigned short *restrict a,
         const unsigned short *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      unsigned s = 0;
      for (int l = 0; l < k; l++)
        s += (unsigned)a[i * k + l] * b[l * n + j];
      c[i * n + j] = (int)s;
    }
}

// Neighbours of a window are part of several, and three are not worth it.
// CHECK-NOT: by the script
// CHECK-NOT: by the script
void window(int *restrict c, const short *restrict a, const short *restrict b,
            int m, int n) {
  for (int f = 0; f < 8; f++)
    for (int x = 0; x < n; x++) {
      int s = 0;
      for (int q = 0; q < 5; q++)
        s += a[x + q] * b[f * 5 + q];
      c[f * n + x] = s;
    }
}

// CHECK-NOT: by the script
void few(int *restrict c, const short *restrict a, const short *restrict b,
         int n, int k) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Signed bytes become unsigned ones and an offset, whose product with the other
// factor is that with its sum: one for all rows. So does whatever has a zero point.
// CHECK: dots.c:[[#@LINE+22]]:{{.*}} exact, by the script dots
// VNNI: offset t1 %a u8
// VNNI-NEXT: stage %a F factors {{.*}} as u8
// VNNI: stage %b D packed {{[0-9]+}} Q,r1,x = 64*Q+4*x+r1{{$}}
// VNNI-NEXT: distribute t1 D offsets
// VNNI: mode r1 row vpdpbusd
// BW-NOT: offset
// BW: mode r1 row pmaddwd
// CHECK: dots.c:[[#@LINE+24]]:{{.*}} exact, by the script dots
// What is loaded is what is multiplied: it is not copied.
// VNNI: offset t1 %a u8
// VNNI-NEXT: split r1 Q 4 rest
// VNNI: distribute t1 D offsets
// VNNI-IR: define internal {{.*}}@dl.schedule{{.*}}(
// VNNI-IR: call <16 x i32> @llvm.x86.avx512.vpdpbusd.512(<16 x i32> {{.*}}, <64 x i8> bitcast (<16 x i32> splat (i32 16843009) to <64 x i8>)
// VNNI-IR: mul <16 x i32> {{.*}}, splat (i32 -128)
// ASM: Inner Loop Header
// ASM-COUNT-24: vpdpbusd
// ASM-NOT: {{mm.*(Spill|Reload)}}
// ASM: j{{l|ne|b}} .LBB
void s8s8(int *restrict c, const signed char *restrict a,
          const signed char *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
void zero_point(int *restrict c, const unsigned char *restrict a,
                const signed char *restrict b, int za, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += (a[i * k + l] - za) * b[l * n + j];
      c[i * n + j] = s;
    }
}

// Zero points are tested to leave numbers of 16 bits, and may be negative: they are not
// sizes.
// GUARD-LABEL: define {{.*}}@both(
// GUARD-DAG: [[M:%.*]] = sext i32 %m to i64
// GUARD-DAG: [[N:%.*]] = sext i32 %n to i64
// GUARD-DAG: [[K:%.*]] = sext i32 %k to i64
// GUARD: [[MN:%.*]] = or i64 [[M]], [[N]]
// GUARD-NEXT: [[ALL:%.*]] = or i64 [[MN]], [[K]]
// GUARD-NEXT: %dl.small = icmp ult i64 [[ALL]], 536870912
// GUARD: [[Z:%.*]] = sext i32 %za to i64
// GUARD: [[PLUS:%.*]] = add i64 {{%.*}}, 32512
// GUARD-NEXT: icmp sge i64 [[PLUS]], 0
void both(int *restrict c, const unsigned char *restrict a,
          const unsigned char *restrict b, int za, int zb, int m, int n,
          int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int s = 0;
      for (int l = 0; l < k; l++)
        s += (a[i * k + l] - za) * (b[l * n + j] - zb);
      c[i * n + j] = s;
    }
}

// Integers have any order: the columns of a window are inside of what is packed, so that sums
// wait between its rows alone. What is copied as other numbers is so for one column.
// CHECK: dots.c:[[#@LINE+9]]:{{.*}} exact, by the script dotblocks
// VNNI: order r1 D r2 r3
// VNNI: through t1 r1,D sums[
// VNNI: order r2 Q f r3 x
// VNNI-NEXT: stage %w D packed {{[0-9]+}} r2,Q,r3,x =
// BW-NOT: order r1 D r2 r3
// BW: through t1 r1,r2,D sums[
void columns(signed char *restrict y, const unsigned char *restrict x,
             const signed char *restrict w, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < m; j++)
      for (int f = 0; f < n; f++) {
        int s = 0;
        for (int r = 0; r < 3; r++)
          for (int q = 0; q < 3; q++)
            for (int c = 0; c < k; c++)
              s += x[((i + r) * (m + 2) + j + q) * k + c] *
                   w[((f * 3 + r) * 3 + q) * k + c];
        y[(i * m + j) * n + f] = (signed char)(s >> 8);
      }
}
