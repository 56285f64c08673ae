// Channels that are divided to find their group get an axis for the groups and one for
// the channels of each: their sums run by a script or in lanes, or are products.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl- -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=MISSED
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=quotients %opt -mattr=+avx2,+fma -S -o /dev/null -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes=dl-vectorize 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: conv2d.grouped

// All groups are whole, which is tested.
// CHECK: groups.c:[[#@LINE+6]]:{{.*}} conv2d.grouped f32, {{.*}}: exact, by the script far, kernel number{{s?}} 1
// CHECK: groups.c:[[#@LINE+5]]:{{.*}} conv2d.grouped f32, {{.*}} x floordiv(%outputs, %filters) x %filters x 3 x 3 x {{.*}}: exact, iterations of l in {{[0-9]}} vectors of 8, kernel number{{s?}} 2
// IR-LABEL: define {{.*}} @convolution(
// IR: srem i64
// IR: br i1 {{.*}}, label %dl.fast, label %dl.original
void convolution(float *restrict y, const float *restrict x, const float *restrict w, int rows, int columns, int channels, int outputs, int inputs, int filters) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      for (int o = 0; o < outputs; o++) {
        int group = o / filters;
        float sum = 0;
        for (int u = 0; u < 3; u++)
          for (int v = 0; v < 3; v++) {
            if (i + u < 1 || i + u > rows || j + v < 1 || j + v > columns)
              continue;
            for (int c = 0; c < inputs; c++)
              sum += x[((i + u - 1) * columns + j + v - 1) * channels + group * inputs + c] * w[((o * 3 + u) * 3 + v) * inputs + c];
          }
        y[(i * columns + j) * outputs + o] = sum;
      }
}

// As a product they need no lanes.
// CHECK: groups.c:[[#@LINE+2]]:{{.*}} matmul.nt.batched f32, {{.*}} floordiv({{.*}}: exact, tile
void linear(float *restrict y, const float *restrict x, const float *restrict w, int rows, int channels, int outputs, int inputs, int filters) {
  for (int i = 0; i < rows; i++)
    for (int o = 0; o < outputs; o++) {
      float sum = 0;
      for (int c = 0; c < inputs; c++)
        sum += x[i * channels + o / filters * inputs + c] * w[o * inputs + c];
      y[i * outputs + o] = sum;
    }
}

// Not the channel alone: its groups do not start where a row does.
// MISSED: groups.c:[[#@LINE+2]]:{{.*}} left alone: recognized; exact results need reductions in the order of the source (-ffast-math or fp=fast permits another)
void scaled(float *restrict y, const float *restrict x, const float *restrict w, int outputs, int groups, int inputs) {
  for (int o = 0; o < outputs; o++) {
    float sum = 0;
    for (int c = 0; c < inputs; c++)
      sum += x[o * groups / outputs * inputs + c] * w[o * inputs + c];
    y[o] = sum;
  }
}
