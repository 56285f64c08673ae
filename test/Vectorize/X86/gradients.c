// Gradients of weights: the results of a filter and a channel are few, and in registers;
// filters are lanes, and rows of the slopes, far apart, are packed for a part of the sum.
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S -o %t.o3.ll && llc %{attr} -O3 %t.o3.ll -o - | FileCheck %s --check-prefix=ASM
// RUN: FileCheck %s --input-file=%t.o3.ll --check-prefix=IR
// REDEFINE: %{attr} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=AVX2
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=SSE2
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=NEON
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=NVPTX --allow-empty
// NVPTX-NOT: by the script
// NEON-COUNT-5: by the script gradients
//
// CHECK: gradients.c:[[#@LINE+43]]:{{.*}} by the script gradients, kernel number{{s?}} 1
// CHECK-NEXT: script gradients:
// CHECK-NEXT: split f F 32
// CHECK-NEXT: split p1 Y 8
// CHECK-NEXT: split r1 D 2
// CHECK-NEXT: order F Y p1 p2 x f
// CHECK-NEXT: buffer sums f32 72,32 Y
// CHECK-NEXT: through t1 D sums[9*p1+3*p2+x,f]
// CHECK-NEXT: fission f f o
// CHECK-NEXT: fission x
// CHECK-NEXT: fission p2
// CHECK-NEXT: fission p1 p1 q
// CHECK-NEXT: order D p1 p2 x f
// CHECK-NEXT: expand t1 f 32
// CHECK-NEXT: expand t1 x 3
// CHECK-NEXT: expand t1 p2 3
// CHECK-NEXT: fission f
// CHECK-NEXT: fission x
// CHECK-NEXT: fission p2 p2 p2 u p2
// CHECK-NEXT: order r1 r2 u x f
// CHECK-NEXT: split o O 16
// CHECK-NEXT: order O q p2 x o
// CHECK-NEXT: collapse q,p2,x z
// CHECK-NEXT: split z Z 16 rest
// CHECK-NEXT: order Z o z
// CHECK-NEXT: stage sums Z turned 256 z,o = 16*o+z
// CHECK-NEXT: stage %d D packed 3584 r1,r2,f = 1792*r1+32*r2+f
// CHECK-NEXT: order f_ r1_ r2_
// CHECK-NEXT: case r2 r1 + D > 0, r1 + D <= 54
// CHECK-NEXT: case u r2 > 0, r2 <= 54
// CHECK-NEXT: collapse r1_,r2_ e
// CHECK-NEXT: split f_ w 16
// CHECK-NEXT: mode u,p2,x unroll
// CHECK-NEXT: mode f,z,o_ lanes 16
// CHECK-NEXT: mode e lanes 16
// CHECK-NEXT: mode z_,f_ row interleave16
// AVX2: split f F 8
// AVX2: expand t1 p2 3
// SSE2: split f F 4
// ASM-LABEL: dl.schedule.0:
// ASM: vshuff64x2
// ASM-COUNT-18: vfmadd231ps %zmm
void padded(const float *restrict in, const float *restrict d, float *restrict g) {
  for (int f = 0; f < 64; f++)
    for (int c = 0; c < 64; c++)
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
          float sum = 0;
          for (int y = 0; y < 56; y++)
            for (int x = 0; x < 56; x++) {
              int p = y + r - 1, q = x + s - 1;
              if (p >= 0 && p < 56 && q >= 0 && q < 56)
                sum += in[(c * 56 + p) * 56 + q] * d[(f * 56 + y) * 56 + x];
            }
          g[((f * 64 + c) * 3 + r) * 3 + s] += sum;
        }
}

// As many points as there are registers; the batch is around the sum.
// CHECK: gradients.c:[[#@LINE+8]]:{{.*}} by the script gradients
// CHECK: split f F 16
// CHECK: through t1 r1,D sums[25*p1+5*p2+x,f]
// CHECK: expand t1 p2 5
// AVX2: through t1 r1,D sums[25*p1+5*p2+x,f]
// AVX2: expand t1 x 5
// AVX2-NEXT: fission f
void lenet(int n, const float *restrict in, const float *restrict d, float *restrict g) {
  for (int f = 0; f < 16; f++)
    for (int c = 0; c < 6; c++)
      for (int r = 0; r < 5; r++)
        for (int s = 0; s < 5; s++) {
          float sum = 0;
          for (int i = 0; i < n; i++)
            for (int y = 0; y < 10; y++)
              for (int x = 0; x < 10; x++)
                sum += in[((i * 6 + c) * 14 + y + r) * 14 + x + s] * d[((i * 16 + f) * 10 + y) * 10 + x];
          g[((f * 6 + c) * 5 + r) * 5 + s] = sum;
        }
}

// In place, slope by slope: each weight has its sum if it is stored at all.
// CHECK: gradients.c:[[#@LINE+4]]:{{.*}} by the script gradients
// IR-LABEL: define {{.*}} @scattered(
// IR: icmp sgt i32 %h, 1
void scattered(int n, int filters, int channels, int h, int w, const float *restrict in, const float *restrict d, float *restrict g) {
  for (int i = 0; i < n; i++)
    for (int f = 0; f < filters; f++)
      for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
          for (int c = 0; c < channels; c++)
            for (int r = 0; r < 3; r++)
              for (int s = 0; s < 3; s++) {
                int p = y + r - 1, q = x + s - 1;
                if (p < 0 || p >= h || q < 0 || q >= w)
                  continue;
                g[((f * channels + c) * 3 + r) * 3 + s] += in[((i * channels + c) * h + p) * w + q] * d[((i * filters + f) * h + y) * w + x];
              }
}

// By steps of two, and the sum of the slopes beside it.
// CHECK: loops apart from convolutions
// CHECK: gradients.c:[[#@LINE+2]]:{{.*}} by the script gradients
void strided(const float *restrict in, const float *restrict d, float *restrict g, float *restrict b) {
  for (int f = 0; f < 32; f++)
    for (int y = 0; y < 28; y++)
      for (int x = 0; x < 28; x++) {
        b[f] += d[(f * 28 + y) * 28 + x];
        for (int c = 0; c < 8; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              g[((f * 8 + c) * 3 + r) * 3 + s] += in[(c * 57 + 2 * y + r) * 57 + 2 * x + s] * d[(f * 28 + y) * 28 + x];
      }
}

// Weights of one row are a product of matrices whose columns overlap.
// CHECK: gradients.c:[[#@LINE+2]]:{{.*}} tile
void row(const float *restrict in, const float *restrict d, float *restrict g) {
  for (int f = 0; f < 64; f++)
    for (int c = 0; c < 8; c++)
      for (int s = 0; s < 3; s++) {
        float sum = 0;
        for (int x = 0; x < 500; x++)
          sum += in[c * 502 + x + s] * d[f * 500 + x];
        g[(f * 8 + c) * 3 + s] = sum;
      }
}

// Filters that fill no lanes, and weights of which some have no sum.
// CHECK-NOT: by the script gradients
void few(const float *restrict in, const float *restrict d, float *restrict g) {
  for (int f = 0; f < 3; f++)
    for (int c = 0; c < 64; c++)
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
          float sum = 0;
          for (int y = 0; y < 56; y++)
            for (int x = 0; x < 56; x++)
              sum += in[(c * 58 + y + r) * 58 + x + s] * d[(f * 56 + y) * 56 + x];
          g[((f * 64 + c) * 3 + r) * 3 + s] = sum;
        }
}
void unset(const float *restrict in, const float *restrict d, float *restrict g) {
  for (int f = 0; f < 64; f++)
    for (int y = 0; y < 2; y++)
      for (int x = 0; x < 56; x++)
        for (int c = 0; c < 8; c++)
          for (int r = 0; r < 5; r++)
            for (int s = 0; s < 5; s++) {
              int p = y + r - 2, q = x + s - 2;
              if (p >= 0 && p < 2 && q >= 0 && q < 56)
                g[((f * 8 + c) * 5 + r) * 5 + s] += in[(c * 2 + p) * 56 + q] * d[(f * 2 + y) * 56 + x];
            }
}
