// A thread of a GPU has no vectors to share: scripts are not for it.
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --allow-empty
// TEETH: none - nothing is to happen.
// CHECK-NOT: by the script
void both(const float *restrict in, const float *restrict w,
          float *restrict out, int h, int v, int rows, int step, int pad) {
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < v; x++) {
      float s = 0;
      for (int r = 0; r < 3; r++)
        for (int q = 0; q < 3; q++) {
          int i = y * step + r - pad, j = x * step + q - pad;
          if (i >= 0 && i < h && j >= 0 && j < v)
            s += in[i * v + j] * w[r * 3 + q];
        }
      out[y * v + x] = s;
    }
}
