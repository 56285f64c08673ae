// Convolutions whose weights are far apart for the filters that are lanes: as much of a
// sum's innermost loops as fits is packed, and what is around it goes around the pixels.
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S | llc %{attr} -O3 -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{attr} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=AVX2
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=SSE2
//
// CHECK: far-filters.c:[[#@LINE+43]]:{{.*}} by the script far, kernel number{{s?}} {{[0-9]+}}
// CHECK-NEXT: script far:
// CHECK-NEXT: split x W 32
// CHECK-NEXT: split p1 Y 2
// CHECK-NEXT: split f X 14
// CHECK-NEXT: split r3 D 64
// CHECK-NEXT: order W Y p1 X f x
// CHECK-NEXT: buffer sums f32 112,32 Y
// CHECK-NEXT: through t1 r1,r2,D sums[p1*56+X+f,x]
// CHECK-NEXT: fission x b x o
// CHECK-NEXT: fission f
// CHECK-NEXT: fission X
// CHECK-NEXT: fission p1
// CHECK-NEXT: order r1 r2 D p1 X f x
// CHECK-NEXT: expand t1 x 32
// CHECK-NEXT: expand t1 f 14
// CHECK-NEXT: fission x
// CHECK-NEXT: fission f
// CHECK-NEXT: order r3 f x
// CHECK-NEXT: stage %w D packed 2048 r3,x = 32*r3+x
// CHECK-NEXT: case r3 r2 + X > 0, r2 + X + size(X) <= 57
// CHECK-NEXT: order x_ r3_
// CHECK-NEXT: split x_ z 16
// CHECK-NEXT: mode f unroll
// CHECK-NEXT: mode b,x,o lanes 16
// CHECK-NEXT: mode r3_ lanes 16
// CHECK-NEXT: mode x_ row interleave16
// CHECK-NEXT: not by the script packed: it is for other axes or sizes
// AVX2: split x W 16
// AVX2-NEXT: split p1 Y 4
// AVX2-NEXT: split f X 6 2
// AVX2: mode x_ row interleave8
// SSE2: split x W 8
// SSE2: split f X 6 2
// SSE2: mode x_ row interleave4
// Two vectors of weights, 14 pixels that are spread, and nothing on the way to the stack.
// ASM-LABEL: dl.schedule.0:
// ASM: vmovaps {{.*}}(%{{.*}}), [[A:%zmm[0-9]+]]
// ASM: vbroadcastss {{.*}}, %zmm
// ASM-COUNT-28: vfmadd{{.*}} %zmm
// ASM-NOT: {{(Spill|Reload)}}
// ASM: j{{[a-z]+}} {{.*}}.LBB
void known(const float in[56][56][64], const float w[64][3][3][64], const float b[64], float out[56][56][64]) {
  for (int y = 0; y < 56; y++)
    for (int x = 0; x < 56; x++)
      for (int f = 0; f < 64; f++) {
        float acc = b[f];
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = y + r - 1, xx = x + s - 1;
            if (yy < 0 || yy >= 56 || xx < 0 || xx >= 56)
              continue;
            for (int c = 0; c < 64; c++)
              acc += in[yy][xx][c] * w[f][r][s][c];
          }
        out[y][x][f] = acc > 0 ? acc : 0;
      }
}

// Where no size is known rows are short, and all weights are read by some pixel.
// CHECK: far-filters.c:[[#@LINE+15]]:{{.*}} by the script far, kernel number{{s?}} {{[0-9]+}}
// CHECK: assume %h >= 2
// CHECK-NEXT: assume %w >= 2
// CHECK-NEXT: assume %filters >= 10
// CHECK-NEXT: split x W 32 16 rest
// CHECK-NEXT: split p2 Y upto 16
// CHECK-NEXT: split f V upto 7
// CHECK-NEXT: split f X 7 3 1
// CHECK-NEXT: split r3 D upto 64
// CHECK-NEXT: order p1 W Y V p2 X f x
// CHECK-NEXT: buffer sums f32 112,32 V
// CHECK: stage %wt D packed 2048 r3,x = 32*r3+x
// AVX2: split x W 16 8 rest
// SSE2: split x W 8 4 1
void unknown(int n, int filters, int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int i = 0; i < n; i++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        for (int f = 0; f < filters; f++) {
          float acc = 0;
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = y + r - 1, xx = x + s - 1;
              if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                for (int c = 0; c < channels; c++)
                  acc += in[((i * h + yy) * w + xx) * channels + c] * wt[((f * 3 + r) * 3 + s) * channels + c];
            }
          out[((i * h + y) * w + x) * filters + f] = acc;
        }
}

// The channels of an image are few: of a large window some rows fit.
// CHECK: by the script far, kernel number{{s?}} {{[0-9]+}}
// CHECK: split r1 D upto 3
// CHECK: stage %w D packed 2048 r1,r2,r3,x = 672*r1+96*r2+32*r3+x
// CHECK-NEXT: bounds r1
// CHECK-NEXT: case r1
// CHECK-NEXT: order x_ r1_ r2_ r3_
// CHECK-NEXT: collapse r1_,r2_,r3_ e
void image(const float in[112][112][3], const float w[64][7][7][3], float out[56][56][64]) {
  for (int y = 0; y < 56; y++)
    for (int x = 0; x < 56; x++)
      for (int f = 0; f < 64; f++) {
        float acc = 0;
        for (int r = 0; r < 7; r++)
          for (int s = 0; s < 7; s++) {
            int yy = 2 * y + r - 3, xx = 2 * x + s - 3;
            if (yy >= 0 && yy < 112 && xx >= 0 && xx < 112)
              for (int c = 0; c < 3; c++)
                acc += in[yy][xx][c] * w[f][r][s][c];
          }
        out[y][x][f] = acc;
      }
}

// Weights that some pixel alone would read are not read in front: of these rows none
// has two.
// CHECK-NOT: exact, by the script
void one_row(const float in[1][56][64], const float w[64][3][3][64], float out[1][56][64]) {
  for (int y = 0; y < 1; y++)
    for (int x = 0; x < 56; x++)
      for (int f = 0; f < 64; f++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = y + r - 1, xx = x + s - 1;
            if (yy >= 0 && yy < 1 && xx >= 0 && xx < 56)
              for (int c = 0; c < 64; c++)
                acc += in[yy][xx][c] * w[f][r][s][c];
          }
        out[y][x][f] = acc;
      }
}
