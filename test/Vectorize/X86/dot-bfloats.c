// Pairs of bfloats are multiplied by an instruction where flags permit any order, and
// where that is as fast as products of floats.
// DEFINE: %{cpu} = znver4
// DEFINE: %{flags} = -ffast-math
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu -march=%{cpu} %{flags} %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,PAIRS
// RUN: opt -passes='default<O3>' %t.ll -S | llc -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{flags} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,EXACT
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -march=%{cpu} %s | env DLOPT_OPTIONS=fp=fast %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,PAIRS
// REDEFINE: %{flags} = -ffast-math
// REDEFINE: %{cpu} = sapphirerapids
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,EXACT
// REDEFINE: %{flags} = -ffp-contract=fast -fassociative-math -fno-signed-zeros -fno-trapping-math
// REDEFINE: %{cpu} = znver4
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,EXACT
// EXACT-NOT: vdpbf16ps
// PAIRS: dot-bfloats.c:[[#@LINE+13]]:{{.*}}: reassociated, subnormal numbers as 0, by the script dots
// PAIRS: stage %b D packed {{[0-9]+}} Q,r1,x = 64*Q+2*x+r1{{$}}
// PAIRS: mode r1 row vdpbf16ps
// PAIRS-NEXT: mode r1_.0 row interleave2
// ASM: Inner Loop Header
// ASM-COUNT-24: vdpbf16ps
// ASM-NOT: {{mm.*(Spill|Reload)}}
// ASM: j{{l|ne|b}} .LBB
static float from_bits(unsigned short x) {
  return __builtin_bit_cast(float, (unsigned)x << 16);
}
void integers(float *restrict c, const unsigned short *restrict a,
              const unsigned short *restrict b, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += from_bits(a[i * k + l]) * from_bits(b[l * n + j]);
      c[i * n + j] = s;
    }
}

// PAIRS: dot-bfloats.c:[[#@LINE+4]]:{{.*}}: reassociated, subnormal numbers as 0, by the script dots
// PAIRS: mode r1 row vdpbf16ps
void types(float *restrict c, const __bf16 *restrict a, const __bf16 *restrict b,
           int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += (float)a[i * k + l] * (float)b[j * k + l];
      c[i * n + j] = s;
    }
}

// What is shifted by another number is no bfloat; nor is a product with a float.
// CHECK: dot-bfloats.c:
// CHECK-NOT: vdpbf16ps
void others(float *restrict c, const float *restrict a, const __bf16 *restrict b,
            const unsigned short *restrict h, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += a[i * k + l] * (float)b[j * k + l];
      c[i * n + j] = s;
    }
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int l = 0; l < k; l++)
        s += __builtin_bit_cast(float, (unsigned)h[i * k + l] << 15) *
             (float)b[j * k + l];
      c[(m + i) * n + j] = s;
    }
}
