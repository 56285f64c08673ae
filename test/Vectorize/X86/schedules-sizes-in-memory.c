// Sizes that are read from memory have no names of their own: scripts speak of them by
// those that kernels are printed with.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -march=x86-64-v4 %s | \
// RUN:   %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes=dl-vectorize 2>&1 | FileCheck %s

// CHECK-DAG: memory.c:[[#@LINE+7]]:{{.*}} by the script packed, kernel number{{s?}} 1
// CHECK-DAG: assume %{{p(\.[0-9])?}} >= 2
// CHECK-DAG: memory.c:[[#@LINE+21]]:{{.*}} by the script gradients
#define SIZES                                                                  \
  int filters = size[0], h = size[1], w = size[2], channels = size[3]
void sizes(const int *size, const float *restrict in, const float *restrict wt, float *restrict out) {
  SIZES;
  for (int f = 0; f < filters; f++)
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        float acc = 0;
        for (int c = 0; c < channels; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int p = y + r - 1, q = x + s - 1;
              if (p >= 0 && p < h && q >= 0 && q < w)
                acc += in[(c * h + p) * w + q] * wt[((f * channels + c) * 3 + r) * 3 + s];
            }
        out[(f * h + y) * w + x] = acc;
      }
}
void weights(const int *size, const float *restrict in, const float *restrict d, float *restrict out) {
  SIZES;
  for (int f = 0; f < filters; f++)
    for (int c = 0; c < channels; c++)
      for (int r = 0; r < 3; r++)
        for (int s = 0; s < 3; s++) {
          float acc = 0;
          for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
              int p = y + r - 1, q = x + s - 1;
              if (p >= 0 && p < h && q >= 0 && q < w)
                acc += in[(c * h + p) * w + q] * d[(f * h + y) * w + x];
            }
          out[((f * channels + c) * 3 + r) * 3 + s] = acc;
        }
}
