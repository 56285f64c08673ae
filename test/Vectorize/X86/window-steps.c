// Windows that move by numbers of the run have scripts for steps of 1 and 2.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=unit-strides %opt -mattr=+avx2 -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: by the script
#define CONVOLUTION(NAME, ROWS, STEP, DILATION)                                \
  void NAME(const float *restrict in, const float *restrict w,                 \
            float *restrict out, int h, int v, int rows, int step,             \
            int dilation, int pad) {                                           \
    for (int y = 0; y < ROWS; y++)                                             \
      for (int x = 0; x < v; x++) {                                            \
        float s = 0;                                                           \
        for (int r = 0; r < 3; r++)                                            \
          for (int q = 0; q < 3; q++) {                                        \
            int i = y * STEP + r * DILATION - pad,                             \
                j = x * STEP + q * DILATION - pad;                             \
            if (i >= 0 && i < h && j >= 0 && j < v)                            \
              s += in[i * v + j] * w[r * 3 + q];                               \
          }                                                                    \
        out[y * v + x] = s;                                                    \
      }                                                                        \
  }
// CHECK: exact, by the script strips, kernel number{{s?}} 1
// CHECK: exact, by the script strips, kernel number{{s?}} 2
// IR-LABEL: define {{.*}} @both(
// IR: %[[STEP:.*]] = sext i32 %step to i64
// IR: icmp eq i64 %[[STEP]], 1
// IR: %[[DILATION:.*]] = sext i32 %dilation to i64
// IR: icmp eq i64 %[[DILATION]], 1
// IR: icmp eq i64 %{{.*}}, 2
CONVOLUTION(both, rows, step, dilation)
// Without a step, only the dilation is asked for.
// CHECK: exact, by the script strips, kernel number{{s?}} [[#]]
CONVOLUTION(dilated, rows, 1, dilation)
// Windows that no border cuts have steps in what is read: of 3 x 3 by twos, which share
// columns, and of any size.
// CHECK: exact, by the script strips, kernel number{{s?}} [[#]]
// CHECK: exact, by the script strips, kernel number{{s?}} [[#]]
// CHECK: exact, by the script strips, kernel number{{s?}} [[#]]
void inside(const float *restrict in, float *restrict out, long rows,
            long columns, long width, long k, long down, long right) {
  for (long y = 0; y < rows; y++)
    for (long x = 0; x < columns; x++) {
      float s = -3e38f;
      for (long r = 0; r < k; r++)
        for (long q = 0; q < k; q++) {
          float t = in[(y * down + r) * width + x * right + q];
          s = t > s ? t : s;
        }
      out[y * columns + x] = s;
    }
}
// A step that is a number of rows, too, is no step.
// CHECK-NOT: by the script
CONVOLUTION(rows, step, step, 1)
// Nor is what is between rows that are no windows.
void leading(const float *restrict in, float *restrict out, long rows, long k,
             long l, long width) {
  for (long y = 0; y < rows; y++) {
    float s = 0;
    for (long r = 0; r < k; r++)
      for (long q = 0; q < l; q++)
        s += in[y * width + r * l + q];
    out[y] = s;
  }
}
