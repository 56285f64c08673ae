// Windows whose rows and columns are numbers of the run, as is how many of them there
// are: code for products, and for any size.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma -S -o %t.ll -pass-remarks=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: FileCheck %s --input-file=%t.ll --check-prefix=IR
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | env DLOPT_OPTIONS=disable=unit-strides %opt -mattr=+avx2,+fma -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize' 2>&1 | FileCheck %s --check-prefix=OFF
// OFF-NOT: matmul
//
// Other targets.
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=NEON
// NEON: matmul.nn f32, %nf x %add1 x %add6 x %nc: exact
// NEON: x %nc x %rows x %columns: exact, by the script packed
// NEON: matmul.nn f32, %nf x %h x %w x %nc: exact
// RUN: %emit -gline-tables-only --target=nvptx64-nvidia-cuda %s | %opt -disable-output -pass-remarks=dl-vectorize -pass-remarks-analysis=dl-vectorize -passes='dl-vectorize,verify' 2>&1 | FileCheck %s --check-prefix=GPU --allow-empty
// GPU-NOT: by the script

// What comes out of a row is as long as the loop runs, which InstCombine makes one to
// the last element: there is no need that tests it. Which columns of a window are
// inside is asked for each.
// CHECK: matmul.nn f32, %nf x %add1 x %add6 x %nc: exact
// CHECK: %nf x %add1 x %add6 x %nc x %rows x %columns: exact, by the script packed
// CHECK: assume 2*%add1 >= %pad + 2
// CHECK: assume %h >= 2
// CHECK: assume %nf >= 10
// CHECK: assume %rows <= 7
// CHECK: assume %columns <= 7
// CHECK-NOT: collapse {{.*}} e
// CHECK: case x.2 r3 + 2*V + 2*X >= %pad, r3 + 2*V + 2*X
// CHECK: order r1_ r2_ r3_ f_
// CHECK: mode f,z,f_,o_ lanes 16
// CHECK: mode z_ row interleave16
// For few filters, or larger windows.
// CHECK: %nc x %rows x %columns: exact, by the script tiles
// IR-LABEL: define {{.*}} @convolution(
// IR: icmp eq i64 %{{.*}}, 1
// IR: icmp eq i64 %{{.*}}, 1
void convolution(const float *restrict in, const float *restrict w, float *restrict out, int nf, int nc, int h, int v, int rows, int columns, int pad) {
  int oh = (h + 2 * pad - rows) / 2 + 1, ow = (v + 2 * pad - columns) / 2 + 1;
  for (int f = 0; f < nf; f++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int c = 0; c < nc; c++)
          for (int r = 0; r < rows; r++)
            for (int q = 0; q < columns; q++) {
              int i = 2 * y + r - pad, j = 2 * x + q - pad;
              if (i >= 0 && i < h && j >= 0 && j < v)
                s += in[(c * h + i) * v + j] * w[((f * nc + c) * rows + r) * columns + q];
            }
        out[(f * oh + y) * ow + x] = s;
      }
}

// With steps of one element and no border there are as many as before.
// CHECK: matmul.nn f32, %nf x %h x %w x %nc: exact
// IR-LABEL: define {{.*}} @same(
// IR: icmp eq i64 %{{.*}}, 1
// IR: icmp eq i64 %{{.*}}, 0
void same(const float *restrict in, const float *restrict k, float *restrict out, int nf, int nc, int h, int w, int size, int pad, int oh, int ow) {
  for (int f = 0; f < nf; f++)
    for (int y = 0; y < oh; y++)
      for (int x = 0; x < ow; x++) {
        float s = 0;
        for (int c = 0; c < nc; c++)
          for (int r = 0; r < size; r++)
            for (int q = 0; q < size; q++) {
              int i = y + r - pad, j = x + q - pad;
              if (i >= 0 && i < h && j >= 0 && j < w)
                s += in[(c * h + i) * w + j] * k[((f * nc + c) * size + r) * size + q];
            }
        out[(f * oh + y) * ow + x] = s;
      }
}

// Sums along one axis are of any length.
// CHECK-NOT: x 3: exact
// IR-LABEL: define {{.*}} @line(
void line(const float *restrict in, const float *restrict w, float *restrict out, int n, int size) {
  for (int x = 0; x < n; x++) {
    float s = 0;
    for (int r = 0; r < size; r++)
      s += in[x + r] * w[r];
    out[x] = s;
  }
}
