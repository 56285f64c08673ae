// Padding, and a distance between windows that is an argument: under the mask of
// what is not padding, neighbours are read as vectors and what is apart by gathers.
// RUN: %emit --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq -S -o %t.ll -passes=dl-vectorize -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.ll
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK
// RUN: %emit --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=unit-strides %opt -mattr=+avx2,+fma -disable-output -passes=dl-vectorize -pass-remarks-missed=dl-vectorize 2>&1 | FileCheck %s --check-prefix=AVX2
// REQUIRES: x86-registered-target
// REMARK: conv2d f32, {{.*}}iterations of j
// REMARK-NEXT: conv2d f32, {{.*}}by the script strips
// REMARK-NOT: iterations of
// REMARK: conv1d.transposed f32, {{.*}}: exact, loops by element of the result
// AVX2: left alone: recognized; exact results need reductions
// CHECK: define internal {{.*}} @dl.lanes
// CHECK:   icmp eq i64 %{{.*}}, 1
// CHECK: near:
// CHECK:   call <{{.*}} x float> @llvm.masked.load
// CHECK: near.not:
// CHECK:   call <{{.*}} x float> @llvm.masked.gather
// CHECK: near.done:
// CHECK:   phi <{{.*}} x float>
void padded(const float *restrict in, const float *restrict w,
            float *restrict out, int h, int ow, int oh, int c, int k, int step,
            int pad) {
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++) {
      float s = 0;
      for (int ky = 0; ky < k; ky++)
        for (int kx = 0; kx < k; kx++) {
          int iy = y * step + ky - pad, ix = x * step + kx - pad;
          if (iy >= 0 && iy < h && ix >= 0 && ix < c)
            s += in[iy * c + ix] * w[ky * k + kx];
        }
      out[y * ow + x] = s;
    }
}
// A distance that is known is for shuffles: a script has them.
void second(const float *restrict in, const float *restrict w,
            float *restrict out, int h, int ow, int oh, int c, int k, int pad) {
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++) {
      float s = 0;
      for (int ky = 0; ky < k; ky++)
        for (int kx = 0; kx < k; kx++) {
          int iy = y * 2 + ky - pad, ix = x * 2 + kx - pad;
          if (iy >= 0 && iy < h && ix >= 0 && ix < c)
            s += in[iy * c + ix] * w[ky * k + kx];
        }
      out[y * ow + x] = s;
    }
}
// Three rounds are too few for lanes, but a sum of their own for each element.
void few(const float *restrict in, const float *restrict w,
         float *restrict out, int h, int c, int n, int pad) {
  for (int y = 0; y < h; y++)
    for (int l = 0; l < n; l++)
      for (int kx = 0; kx < 3; kx++)
        if (y + kx - pad >= 0 && y + kx - pad < c)
          out[y + kx - pad] += in[l * h + y] * w[l * 3 + kx];
}
