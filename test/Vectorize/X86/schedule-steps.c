// Windows that move on by two or more: whole vectors are read and shuffled, under masks
// that have nothing between the lanes.
// DEFINE: %{march} = x86-64-v4
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu -march=%{march} %s | \
// DEFINE:   %opt -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks && \
// DEFINE:   FileCheck %s --input-file=%t.remarks && opt -passes='default<O3>' %t.ll -S | llc -O3 -o %t.s
// RUN: %{run} && FileCheck %s --input-file=%t.s --check-prefix=AVX512
// REDEFINE: %{march} = haswell
// RUN: %{run} && FileCheck %s --input-file=%t.s --check-prefix=AVX2
// What runs on any machine has them where the machine has.
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=dispatch=1 %opt -S -passes='dl-vectorize,verify' | FileCheck %s --check-prefix=ANY
// ANY: define internal {{.*}} @dl.schedule.0.avx512(
// ANY: call <16 x float> @llvm.masked.load.v16f32
// ANY: define internal {{.*}} @dl.schedule.0.avx2(
// ANY: call <8 x float> @llvm.masked.load.v8f32
// ANY: define internal {{.*}} @dl.schedule.0.plain(

// CHECK: schedule-steps.c:[[#@LINE+16]]:{{.*}} by the script tiles, kernel number 1
// CHECK: split f F {{5 4|3$}}
// CHECK: case r1 all 2*X > 0, 2*X + 2*size(X) <= %w
// AVX512-LABEL: dl.schedule.0:
// AVX512-NOT: vgather
// AVX512: vmovups {{.*}}, %zmm{{[0-9]+}} {%k{{[0-9]}}} {z}
// AVX512-NOT: vgather
// AVX512: vpermt2ps
// AVX512-NOT: vgather
// AVX512: .Lfunc_end
// AVX2-LABEL: dl.schedule.0:
// AVX2-NOT: vgather
// AVX2: vmaskmovps
// AVX2-NOT: vgather
// AVX2: .Lfunc_end
void steps(int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int f = 0; f < 9; f++)
    for (int y = 0; y < h / 2; y++)
      for (int x = 0; x < w / 2; x++) {
        float acc = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = 2 * y + r - 1, xx = 2 * x + s - 1;
              if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                acc += in[(c * h + yy) * w + xx] * wt[((f * channels + c) * 3 + r) * 3 + s];
            }
        out[(f * (h / 2) + y) * (w / 2) + x] = acc;
      }
}

// With filters in lanes a pixel is broadcast, however far the next one is away.
// CHECK: schedule-steps.c:[[#@LINE+5]]:{{.*}} by the script packed, kernel number 2
// CHECK: order r1 r2 x r3 f
// CHECK-NOT: skew
// CHECK: case r1 2*V + 2*X > 0, 2*V + 2*X + 2*size(X) <= %w
void many_filters(int filters, int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < h / 2; y++)
      for (int x = 0; x < w / 2; x++) {
        float acc = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = 2 * y + r - 1, xx = 2 * x + s - 1;
              if (yy >= 0 && yy < h && xx >= 0 && xx < w)
                acc += in[(c * h + yy) * w + xx] * wt[((f * channels + c) * 3 + r) * 3 + s];
            }
        out[(f * (h / 2) + y) * (w / 2) + x] = acc;
      }
}

// Windows that lie beside each other have a subscript of their own.
// CHECK: schedule-steps.c:[[#@LINE+3]]:{{.*}} by the script tiles, kernel number {{[0-9]+}}
// CHECK: mode x lanes
void patches(int filters, int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float acc = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 4; r++)
            for (int s = 0; s < 4; s++)
              acc += in[(c * 4 * h + 4 * y + r) * 4 * w + 4 * x + s] *
                     wt[((f * channels + c) * 4 + r) * 4 + s];
        out[(f * h + y) * w + x] = acc;
      }
}

// CHECK: schedule-steps.c:[[#@LINE+3]]:{{.*}} by the script strips, kernel number {{[0-9]+}}
// CHECK: mode x lanes
void depthwise(int channels, int h, int w, const float *in, const float *wt, float *out) {
  for (int c = 0; c < channels; c++)
    for (int y = 0; y < h / 2; y++)
      for (int x = 0; x < w / 2; x++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = 2 * y + r - 1, xx = 2 * x + s - 1;
            if (yy >= 0 && yy < h && xx >= 0 && xx < w)
              acc += in[(c * h + yy) * w + xx] * wt[(c * 3 + r) * 3 + s];
          }
        out[(c * (h / 2) + y) * (w / 2) + x] = acc;
      }
}

// A maximum compares numbers of the type that it is of.
// CHECK: schedule-steps.c:[[#@LINE+3]]:{{.*}} by the script strips, kernel number {{[0-9]+}}
// CHECK: mode x lanes
void pool(int channels, int h, int w, const float *in, float *out) {
  for (int c = 0; c < channels; c++)
    for (int y = 0; y < h / 2; y++)
      for (int x = 0; x < w / 2; x++) {
        float best = -3.4e38f;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = 2 * y + r - 1, xx = 2 * x + s - 1;
            if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
              float v = in[(c * h + yy) * w + xx];
              best = v > best ? v : best;
            }
          }
        out[(c * (h / 2) + y) * (w / 2) + x] = best;
      }
}
