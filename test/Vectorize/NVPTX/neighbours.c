// A thread of a GPU has no registers of neighbours to share: scripts are not for it.
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --allow-empty
// TEETH: none - nothing is to happen.
// CHECK-NOT: by the script
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
