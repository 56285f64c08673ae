// Without a sum over channels, which are innermost, pixels are neighbours that share weights,
// or at least half of the columns of their windows.
// DEFINE: %{pad} = 1
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma
// DEFINE: %{run} = %emit -DPAD=%{pad} -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,ONE
// Borders may be an argument.
// REDEFINE: %{pad} = pad
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,ANY
// REDEFINE: %{pad} = 1
// REDEFINE: %{attr} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.remarks --check-prefix=AVX2

// CHECK: by the script neighbours
// CHECK: split x X 32 16 rest
// CHECK-NEXT: split f F 4 1
// CHECK-NEXT: order p1 F X f x
// CHECK-NEXT: expand t1 x 32
// CHECK-NEXT: expand t1 f 4
// CHECK-NEXT: fission x
// CHECK-NEXT: fission f
// CHECK-NEXT: order r1 r2 f x
// CHECK-NEXT: bounds r1
// ONE-NEXT: case r1 all F > 0, F + size(F) < %w
// ANY-NEXT: case r1 all F >= %pad, F + size(F) + 2 <= %w + %pad
// CHECK-NEXT: mode f unroll
// CHECK-NEXT: mode r2 unroll
// CHECK-NEXT: mode x lanes 16
// AVX2: by the script neighbours
// AVX2: split x X 16 8 rest
// AVX2-NEXT: split f F 4 1
void depthwise(const float *restrict in, const float *restrict wt,
               float *restrict out, long h, long w, long channels, long pad) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < channels; c++) {
        float s = 0;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            if (y + r >= PAD && y + r < h + PAD && x + q >= PAD &&
                x + q < w + PAD)
              s += in[((y + r - PAD) * w + x + q - PAD) * channels + c] *
                   wt[(r * 3 + q) * channels + c];
        out[(y * w + x) * channels + c] = s;
      }
}

// Windows by ones share two columns of three.
// CHECK: by the script neighbours
// AVX2: by the script neighbours
void greatest(const float *restrict in, float *restrict out, long h, long w,
              long channels) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < channels; c++) {
        float s = -3e38f;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            if (y + r >= 1 && y + r <= h && x + q >= 1 && x + q <= w &&
                in[((y + r - 1) * w + x + q - 1) * channels + c] > s)
              s = in[((y + r - 1) * w + x + q - 1) * channels + c];
        out[(y * w + x) * channels + c] = s;
      }
}

// By twos they share one of three, which is less than the order of memory is worth.
// CHECK: by the script strips
// AVX2: by the script strips
void by_twos(const float *restrict in, float *restrict out, long h, long w,
             long channels) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < channels; c++) {
        float s = -3e38f;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            if (2 * y + r >= 1 && 2 * y + r <= h && 2 * x + q >= 1 &&
                2 * x + q <= w &&
                in[((2 * y + r - 1) * w + 2 * x + q - 1) * channels + c] > s)
              s = in[((2 * y + r - 1) * w + 2 * x + q - 1) * channels + c];
        out[(y * w + x) * channels + c] = s;
      }
}

// Weights of neighbours are far apart: they are copied once for all pixels.
// CHECK: by the script spread
// CHECK: assume %h > 0
// CHECK-NEXT: assume %w > 0
// CHECK-NEXT: assume %channels >= 10
// CHECK-NEXT: split x W upto 672
// CHECK-NEXT: order W p1 f x
// CHECK-NEXT: stage %wt W weights 6048 r1,r2,x = 2016*r1+672*r2+x
// CHECK-NEXT: split x X 32 16 rest
// CHECK-NEXT: split f F 4 1
// CHECK-NEXT: order p1 F X f x
// CHECK: mode x,x_ lanes 16
// AVX2: by the script spread
// AVX2: split x W upto 672
void spread(const float *restrict in, const float *restrict wt,
            float *restrict out, long h, long w, long channels) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < channels; c++) {
        float s = 0;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            s += in[((y + r) * (w + 2) + x + q) * channels + c] *
                 wt[(c * 3 + r) * 3 + q];
        out[(y * w + x) * channels + c] = s;
      }
}

// So are pixels: nothing would be loaded as vectors.
void far_pixels(const float *restrict in, const float *restrict wt,
                float *restrict out, long h, long w, long channels) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < channels; c++) {
        float s = 0;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            s += in[(c * (h + 2) + y + r) * (w + 2) + x + q] *
                 wt[(c * 3 + r) * 3 + q];
        out[(y * w + x) * channels + c] = s;
      }
}
// CHECK-NOT: exact, by the script
// AVX2-NOT: exact, by the script
