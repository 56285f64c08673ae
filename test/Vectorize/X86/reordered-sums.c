// Where sums may be reordered, lanes are still those of the exact loop if LLVM's
// vectors do not share the sum, or if it fills none.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -disable-output -dl-fp=fast \
// RUN:   -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,FAST
// RUN: %emit -gline-tables-only -ffast-math --target=x86_64-linux-gnu %s | %opt -mattr=+avx2,+fma -disable-output \
// RUN:   -pass-remarks=dl-vectorize -pass-remarks-missed=dl- -passes=dl-vectorize 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks --check-prefixes=CHECK,FLAGS

// The three columns of the window.
// CHECK-DAG: reordered-sums.c:[[#@LINE+3]]:{{.*}} by the script packed
void padded(long c, long n, long h, long w, const float *restrict x,
            const float *restrict f, float *restrict y) {
  for (long o = 0; o < n; o++)
    for (long i = 0; i < h; i++)
      for (long j = 0; j < w; j++) {
        float s = 0;
        for (long l = 0; l < c; l++)
          for (long p = 0; p < 3; p++)
            for (long q = 0; q < 3; q++) {
              long r = i + p - 1, t = j + q - 1;
              if (r < 0 || r >= h || t < 0 || t >= w)
                continue;
              s += x[(l * h + r) * w + t] * f[((o * c + l) * 3 + p) * 3 + q];
            }
        y[(o * h + i) * w + j] = s;
      }
}

// LLVM's vectors share the sum over the pixels of each image, whose distance
// from one image to the next does not matter; few pixels are faster in lanes of rows.
// FAST-DAG: reordered-sums.c:[[#@LINE+4]]:{{.*}} iterations of k, k in 4 vectors of 8
// FLAGS-DAG: reordered-sums.c:[[#@LINE+3]]:{{.*}} exact, iterations of i, k in 1 vectors of 8
void normalize(long l, long m, long n, const float *restrict x,
               float *restrict y) {
  for (long c = 0; c < m; c++) {
    float sum = 0;
    for (long i = 0; i < l; i++)
      for (long k = 0; k < n; k++)
        sum += x[(i * m + c) * n + k];
    sum /= l * n;
    for (long i = 0; i < l; i++)
      for (long k = 0; k < n; k++)
        y[(i * m + c) * n + k] = x[(i * m + c) * n + k] - sum;
  }
}
