// Windows that move by numbers of the run have scripts for steps of 1 and 2.
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// CHECK-COUNT-2: exact, by the script strips
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
