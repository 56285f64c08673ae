// Sums of integers over windows: LLVM unrolls them and vectorizes what is around, but a
// plain x86-64 neither extends bytes nor multiplies 32 bits in vectors. Code for wider
// ones is worth it, for 32 channels and more.
// TEETH: widening
// RUN: %clang_dl -O3 --target=x86_64-linux-gnu -S -emit-llvm -o - %s -Rpass=dl-vectorize 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=PLAIN
// RUN: %clang -O3 --target=x86_64-linux-gnu -march=haswell -S -emit-llvm -Xclang -disable-llvm-passes -o %t.ll %s
// RUN: %opt -passes='default<O3>' -disable-output -pass-remarks-missed=dl-vectorize %t.ll 2>&1 | FileCheck %s --check-prefix=WIDE
// PLAIN: convolution i32, {{.*}}: exact, iterations of k in 4 vectors of 4, avx512 at run time, avx2 at run time, kernel number 1
// A CPU that is named has what LLVM needs.
// WIDE: left alone: recognized; LLVM's own loop vectorizer does the same
// CHECK: define {{.*}}@depthwise(
// CHECK:   icmp sgt i32 %{{.*}}, 31
// CHECK: mul nsw <32 x i32>
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
