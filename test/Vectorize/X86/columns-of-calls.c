// Softmax over channels of pixels that are neighbours: lanes are pixels, which
// call and sum at once. Blocks of rows would call along channels, which are far
// apart.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -passes='dl-vectorize<dispatch=0>' -pass-remarks=dl-vectorize -disable-output 2>&1 | FileCheck %s
// RUN: %emit --target=aarch64-linux-gnu %s | %opt -passes='dl-vectorize<dispatch=0>' -pass-remarks=dl-vectorize -disable-output 2>&1 | FileCheck %s

float expf(float);

// CHECK: softmax f32, %images x %pixels x {{.*}}: exact, iterations of
void softmax(long images, long channels, long pixels, float *restrict y, const float *restrict x) {
  for (long b = 0; b < images; b++)
    for (long p = 0; p < pixels; p++) {
      const float *in = x + b * channels * pixels + p;
      float *out = y + b * channels * pixels + p;
      float most = in[0];
      for (long c = 1; c < channels; c++)
        if (in[c * pixels] > most)
          most = in[c * pixels];
      float sum = 0;
      for (long c = 0; c < channels; c++) {
        out[c * pixels] = expf(in[c * pixels] - most);
        sum += out[c * pixels];
      }
      for (long c = 0; c < channels; c++)
        out[c * pixels] /= sum;
    }
}

// Rows: a function along each.
// CHECK: softmax f32, %m x {{.*}}: exact, loops by blocks of rows
void rows(long m, long n, float *restrict y, const float *restrict x) {
  for (long i = 0; i < m; i++) {
    float most = x[i * n];
    for (long j = 1; j < n; j++)
      if (x[i * n + j] > most)
        most = x[i * n + j];
    float sum = 0;
    for (long j = 0; j < n; j++) {
      y[i * n + j] = expf(x[i * n + j] - most);
      sum += y[i * n + j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}
