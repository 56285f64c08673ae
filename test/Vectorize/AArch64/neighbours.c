// Pixels of channels behind share weights in NEON's registers, too.
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-schedule -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// CHECK: exact, by the script neighbours
// CHECK: split x X 8 4 2 1
// CHECK: mode x lanes 4
void depthwise(const float *restrict in, const float *restrict wt,
               float *restrict out, long h, long w, long channels) {
  for (long y = 0; y < h; y++)
    for (long x = 0; x < w; x++)
      for (long c = 0; c < channels; c++) {
        float s = 0;
        for (long r = 0; r < 3; r++)
          for (long q = 0; q < 3; q++)
            if (y + r >= 1 && y + r <= h && x + q >= 1 && x + q <= w)
              s += in[((y + r - 1) * w + x + q - 1) * channels + c] *
                   wt[(r * 3 + q) * channels + c];
        out[(y * w + x) * channels + c] = s;
      }
}
