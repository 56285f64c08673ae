// Indices without a sign are bounded by 2^32, and scripts are asked for their steps
// all the same. Each question once took 15 times as long: seconds for this file.
// RUN: %clang_dl -O2 --target=x86_64-linux-gnu -march=skylake-avx512 -mprefer-vector-width=512 -Rpass=dl-vectorize -c %s -o /dev/null 2>&1 | FileCheck %s
// CHECK: [[#@LINE+3]]:{{.*}} remark: conv2d f32, {{.*}} x 26 x {{.*}} x 3 x 3: exact, by the script packed
void convolve(const float *in, const float *w, float *out, unsigned channels,
              unsigned height, unsigned filters, unsigned rows) {
  for (unsigned f = 0; f < filters; f++)
    for (unsigned y = 0; y < rows; y++)
      for (unsigned x = 0; x < 26; x++) {
        float sum = 0;
        for (unsigned c = 0; c < channels; c++)
          for (unsigned r = 0; r < 3; ++r)
            for (unsigned s = 0; s < 3; s++)
              sum += in[(c * height + y + r) * 28 + x + s] *
                     w[((f * channels + c) * 3 + r) * 3 + s];
        out[(f * rows + y) * 26 + x] = sum;
      }
}
