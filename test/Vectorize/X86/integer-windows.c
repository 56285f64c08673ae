// Sums of products of integers over windows: LLVM unrolls them and vectorizes what is
// around, but reads each pixel for all products of it, and a plain x86-64 neither extends
// bytes nor multiplies 32 bits in vectors.
// Instructions as LLVM 22 simplifies and prints them.
// REQUIRES: llvm-22
// RUN: %clang_dl -O3 --target=x86_64-linux-gnu -S -emit-llvm -o - %s -Rpass=dl-vectorize 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=PLAIN
// RUN: %clang -O3 --target=x86_64-linux-gnu -march=haswell -S -emit-llvm -Xclang -disable-llvm-passes -o %t.ll %s
// RUN: %opt -passes='default<O3>' -disable-output -pass-remarks-missed=dl-vectorize %t.ll 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: %opt -passes='default<O3>' -disable-output -pass-remarks=dl-vectorize %t.ll 2>&1 | FileCheck %s --check-prefix=SCRIPT
// PLAIN: conv2d.depthwise i32, {{.*}}: exact, by the script neighbours, avx512 at run time, avx2 at run time, kernel number 1
// PLAIN: i32, {{.*}}: exact, iterations of k in 4 vectors of 4, avx512 at run time, avx2 at run time, kernel number 2
// PLAIN: i8, {{.*}}: exact, by the script strips, avx512 at run time, avx2 at run time, kernel number 3
// A CPU that is named has what LLVM needs where channels are in front.
// WIDE-COUNT-2: left alone: recognized; LLVM's own loop vectorizer does the same
// SCRIPT: by the script neighbours
// CHECK: define {{.*}}@depthwise(
// CHECK: define {{.*}}@front(
// CHECK:   icmp sgt i32 %{{.*}}, 31
// CHECK: mul nsw <32 x i32>
// A quotient that is rounded is a shift.
// CHECK: add nsw <8 x i64> %{{.*}}, splat (i64 1073741824)
void depthwise(int *out, const signed char *in, const signed char *w, int height,
               int width, int channels) {
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      for (int c = 0; c < channels; c++) {
        int sum = 0;
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            sum += in[((y + i) * (width + 2) + x + j) * channels + c] *
                   w[(i * 3 + j) * channels + c];
        out[(y * width + x) * channels + c] = sum;
      }
}
void front(int *out, const signed char *in, const signed char *w, int height, int width,
           int channels) {
  for (int c = 0; c < channels; c++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int sum = 0;
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            sum += in[(c * (height + 2) + y + i) * (width + 2) + x + j] *
                   w[c * 9 + i * 3 + j];
        out[(c * height + y) * width + x] = sum;
      }
}
void rounded(signed char *out, const signed char *in, const signed char *w,
             const int *by, int height, int width, int channels) {
  for (int c = 0; c < channels; c++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++) {
        int sum = 0;
        for (int i = 0; i < 3; i++)
          for (int j = 0; j < 3; j++)
            sum += in[(c * (height + 2) + y + i) * (width + 2) + x + j] *
                   w[c * 9 + i * 3 + j];
        long product = (long)sum * by[c];
        int high = (int)((product + (product >= 0 ? 1 << 30 : 1 - (1 << 30))) /
                         (1l << 31));
        out[(c * height + y) * width + x] =
            high < -128 ? -128 : high > 127 ? 127 : high;
      }
}
