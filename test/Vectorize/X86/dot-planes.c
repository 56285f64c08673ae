// Convolutions of narrow integers with channels in front: pixels are lanes of a copy in which
// channels are behind each other, with zeros outside of the image.
// DEFINE: %{target} = x86_64-linux-gnu
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+avx512vnni
// DEFINE: %{run} = %emit -gline-tables-only --target=%{target} %s -fno-discard-value-names | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,VNNI
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{attr} = -mattr=+avx2
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,AVX2
// REDEFINE: %{target} = aarch64-linux-gnu -march=armv8.2-a+dotprod+i8mm
// REDEFINE: %{attr} = -mattr=+dotprod,+i8mm
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,I8MM
// REDEFINE: %{target} = aarch64-linux-gnu -march=armv8-a
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=NONE
// REQUIRES: aarch64-registered-target

// CHECK: exact, by the script planes, kernel number 1
// CHECK: script planes:
// CHECK: order D r2 r3 r1
// CHECK: through t1 D sums[
// CHECK: stage %x D pixels {{.*}} Q,R=p1+r2,C=x+r3,r1 = {{.*}} fill 0 outside
// VNNI: guard C 64
// VNNI: stage %w D weights 2304 f,Q,r2,r3,r1 = 144*f+9*Q+12*r2+4*r3+r1{{$}}
// VNNI: split f G 6 4
// VNNI: mode r1 row vpdpbusd
// What is no factor of the instruction is extended, weights in their copy.
// AVX2: stage %w D weights {{.*}} as i16{{$}}
// AVX2: mode r1 row pmaddwd
// I8MM: mode r1 row usdot
// NONE-NOT: exact, by the script planes

// Signed by signed bytes: the weights are unsigned ones but for a number, and pixels are summed
// up for it.
// CHECK: exact, by the script planes, kernel number 2
// VNNI: offset t1 %w u8
// VNNI: stage %w D weights {{.*}} as u8{{$}}
// VNNI: distribute t1 p1 offsets

// Pixels with a zero point are not 0 where they are not read.
// CHECK-NOT: script planes, kernel number 3

// ASM: vpbroadcastd {{.*}}, [[W:%zmm[0-9]+]]
// ASM: vpdpbusd {{.*}}, %zmm
#define CONVOLUTION(NAME, TYPE, PIXEL)                                         \
  void NAME(int *restrict y, const TYPE *restrict x,                           \
            const signed char *restrict w, int z) {                            \
    for (int f = 0; f < 64; f++)                                               \
      for (int h = 0; h < 56; h++)                                             \
        for (int v = 0; v < 56; v++) {                                         \
          int s = 0;                                                           \
          for (int c = 0; c < 64; c++)                                         \
            for (int r = 0; r < 3; r++)                                        \
              for (int t = 0; t < 3; t++) {                                    \
                int p = h + r - 1, q = v + t - 1;                              \
                if (p >= 0 && p < 56 && q >= 0 && q < 56)                      \
                  s += PIXEL * w[((f * 64 + c) * 3 + r) * 3 + t];              \
              }                                                                \
          y[(f * 56 + h) * 56 + v] = s;                                        \
        }                                                                      \
  }
CONVOLUTION(of_unsigned, unsigned char, x[(c * 56 + p) * 56 + q])
CONVOLUTION(of_signed, signed char, x[(c * 56 + p) * 56 + q])
CONVOLUTION(of_shifted, unsigned char, (x[(c * 56 + p) * 56 + q] - z))
