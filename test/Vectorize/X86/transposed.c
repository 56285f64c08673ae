// Transposed convolutions, and gradients of a convolution's input: what is added to elements
// of windows that overlap is summed up by element, in the same order, for each rest of the
// step a nest. Rows of weights and borders are those of a convolution then.
// DEFINE: %{attr} = -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma
// DEFINE: %{run} = %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt %{attr} -S -o %t.ll -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: opt -passes='default<O3>' %{attr} %t.ll -S -o %t.o3.ll && llc %{attr} -O3 %t.o3.ll -o - | FileCheck %s --check-prefix=ASM
// REDEFINE: %{attr} = -mattr=+avx2,+fma
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// REDEFINE: %{attr} =
// RUN: %{run} && FileCheck %s --input-file=%t.remarks
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=gather %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: by element of the result
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=NEON
// NEON-COUNT-8: loops by element of the result
// RUN: %emit --target=nvptx64-nvidia-cuda %s | %opt -S -o %t.ll -pass-remarks=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=NVPTX --allow-empty
// NVPTX-NOT: by element of the result
//
// The gradient: one nest, whose windows run backwards, as the rows of slopes come first.
// CHECK: transposed.c:[[#@LINE+5]]:{{.*}} exact, loops by element of the result, kernel number 1
// CHECK: reduce f32, 64 x 56 x 56 x 64 x 3 x 3: exact, by the script tiles
// ASM-LABEL: dl.schedule.0:
// ASM-COUNT-16: vfmadd{{[0-9]*}}ps {{.*}}%zmm
void gradient(float *restrict dx, const float *restrict dy, const float *restrict w) {
  for (int k = 0; k < 64; k++)
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++)
        for (int c = 0; c < 64; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int p = y + r - 1, q = x + s - 1;
              if (p >= 0 && p < 56 && q >= 0 && q < 56)
                dx[(c * 56 + p) * 56 + q] += dy[(k * 56 + y) * 56 + x] * w[((k * 64 + c) * 3 + r) * 3 + s];
            }
}

// By two: four nests, of which the last one has no window and is a product.
// CHECK: transposed.c:[[#@LINE+6]]:{{.*}} exact, loops by element of the result
// CHECK: reduce f32, 64 x 57 x 57 x 64 x 2 x 2: exact, by the script tiles
// CHECK: reduce f32, 64 x 57 x 56 x 64 x 2: exact, by the script tiles
// CHECK: reduce f32, 64 x 56 x 57 x 64 x 2: exact, by the script tiles
// CHECK: matmul.tn f32, 64 x 56 x 56 x 64: exact, tile
void by_two(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++)
        for (int k = 0; k < 64; k++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              out[(k * 113 + y * 2 + r) * 113 + x * 2 + s] += in[(c * 56 + y) * 56 + x] * w[((c * 64 + k) * 3 + r) * 3 + s];
}

// Tests of borders are bounds of the elements: of 4x4 at a border of 1 all nests are alike.
// CHECK: transposed.c:[[#@LINE+3]]:{{.*}} exact, loops by element of the result
// CHECK-COUNT-4: conv2d f32, 64 x 56 x 56 x 64 x 2 x 2: exact, by the script tiles
void padded(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 56; y++)
      for (int x = 0; x < 56; x++)
        for (int k = 0; k < 64; k++)
          for (int r = 0; r < 4; r++)
            for (int s = 0; s < 4; s++) {
              int p = y * 2 + r - 1, q = x * 2 + s - 1;
              if (p >= 0 && p < 112 && q >= 0 && q < 112)
                out[(k * 112 + p) * 112 + q] += in[(c * 56 + y) * 56 + x] * w[((c * 64 + k) * 4 + r) * 4 + s];
            }
}

// Nothing is known: code for steps of two and for steps of one.
// CHECK: transposed.c:[[#@LINE+9]]:{{.*}} exact, loops by element of the result
// CHECK: transposed.c:[[#@LINE+8]]:{{.*}} exact, loops by element of the result
// CHECK-COUNT-5: by the script far
// IR-LABEL: define {{.*}} @channels_last(
// IR: [[TWO:%.*]] = sext i32 %step to i64
// IR-NEXT: icmp eq i64 [[TWO]], 2
// IR: [[ONE:%.*]] = sext i32 %step to i64
// IR-NEXT: icmp eq i64 [[ONE]], 1
void channels_last(float *restrict out, const float *restrict in, const float *restrict w, int h, int v, int c, int k, int rows, int columns, int window, int step, int pad) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < v; x++)
      for (int i = 0; i < c; i++)
        for (int r = 0; r < window; r++)
          for (int s = 0; s < window; s++)
            for (int o = 0; o < k; o++) {
              int p = y * step + r - pad, q = x * step + s - pad;
              if (p >= 0 && p < rows && q >= 0 && q < columns)
                out[(p * columns + q) * k + o] += in[(y * v + x) * c + i] * w[((o * window + r) * window + s) * c + i];
            }
}

// In each filter's loop its plane is set first.
// CHECK: transposed.c:[[#@LINE+4]]:{{.*}} exact, loops by element of the result
void biased(float *restrict out, const float *restrict in, const float *restrict w, const float *restrict bias) {
  for (int k = 0; k < 64; k++) {
    for (int i = 0; i < 30 * 30; i++) out[k * 900 + i] = bias[k];
    for (int c = 0; c < 64; c++)
      for (int y = 0; y < 28; y++)
        for (int x = 0; x < 28; x++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              out[(k * 30 + y + r) * 30 + x + s] += in[(c * 28 + y) * 28 + x] * w[((c * 64 + k) * 3 + r) * 3 + s];
  }
}

// One dimension; and no sum but that over the window.
// CHECK: transposed.c:[[#@LINE+2]]:{{.*}} exact, loops by element of the result
void row(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int k = 0; k < 64; k++)
    for (int c = 0; c < 64; c++)
      for (int t = 0; t < 512; t++)
        for (int r = 0; r < 4; r++)
          out[k * 1026 + t * 2 + r] += in[c * 512 + t] * w[(c * 64 + k) * 4 + r];
}
// CHECK: transposed.c:[[#@LINE+3]]:{{.*}} exact, loops by element of the result
// CHECK: by the script strips
void depthwise(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int k = 0; k < 64; k++)
    for (int y = 0; y < 28; y++)
      for (int x = 0; x < 28; x++)
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++)
            out[(k * 30 + y + r) * 30 + x + s] += in[(k * 28 + y) * 28 + x] * w[(k * 3 + r) * 3 + s];
}

// Windows that do not overlap have a sum for each element as they are.
// CHECK-NOT: by element
// CHECK: transposed.c:[[#@LINE+2]]:{{.*}} conv2d.transposed {{.*}}: exact, tile
void apart(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 28; y++)
      for (int x = 0; x < 28; x++)
        for (int k = 0; k < 64; k++)
          for (int r = 0; r < 2; r++)
            for (int s = 0; s < 2; s++)
              out[(k * 56 + y * 2 + r) * 56 + x * 2 + s] += in[(c * 28 + y) * 28 + x] * w[((c * 64 + k) * 2 + r) * 2 + s];
}

// What is behind the end of a row is in the next one; the element is read elsewhere, too;
// what is added is read at loaded indices; an update that depends on values; steps of five.
// CHECK-NOT: by element
void rows_meet(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 28; y++)
      for (int x = 0; x < 28; x++)
        for (int k = 0; k < 64; k++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
              out[k * 900 + (y + r) * 28 + x + s] += in[(c * 28 + y) * 28 + x] * w[((c * 64 + k) * 3 + r) * 3 + s];
}
void read_elsewhere(float *restrict out, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 28; y++)
      for (int k = 0; k < 64; k++)
        for (int r = 0; r < 3; r++)
          out[k * 30 + y + r] += out[k * 30 + y] * w[(c * 64 + k) * 3 + r];
}
void indices(float *restrict out, const float *restrict in, const float *restrict w, const int *restrict at) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 28; y++)
      for (int k = 0; k < 64; k++)
        for (int r = 0; r < 3; r++)
          out[k * 30 + y + r] += in[at[c * 28 + y]] * w[(c * 64 + k) * 3 + r];
}
void by_value(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 28; y++)
      for (int k = 0; k < 64; k++)
        for (int r = 0; r < 3; r++)
          if (in[c * 28 + y] > 0)
            out[k * 30 + y + r] += in[c * 28 + y] * w[(c * 64 + k) * 3 + r];
}
void by_five(float *restrict out, const float *restrict in, const float *restrict w) {
  for (int c = 0; c < 64; c++)
    for (int y = 0; y < 28; y++)
      for (int k = 0; k < 64; k++)
        for (int r = 0; r < 7; r++)
          out[k * 150 + y * 5 + r] += in[c * 28 + y] * w[(c * 64 + k) * 7 + r];
}
