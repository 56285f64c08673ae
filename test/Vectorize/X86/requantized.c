// What branches make of a sum is one expression behind it, where all of it may be
// computed in any case; products of variables are kernels as products are.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu -mavx2 %s -fno-discard-value-names | %opt -mattr=+avx2 -S -o /dev/null -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// RUN: %emit -gline-tables-only --target=aarch64-linux-gnu -march=armv8.2-a+dotprod %s | %opt -S -o /dev/null -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
// REQUIRES: aarch64-registered-target

#define PRODUCT(BEHIND)                                                        \
  for (int i = 0; i < m; i++)                                                  \
    for (int j = 0; j < n; j++) {                                              \
      int s = 0;                                                               \
      for (int l = 0; l < k; l++) {                                            \
        int x = a[i * k + l];                                                  \
        int y = b[j * k + l];                                                  \
        s += x * y;                                                            \
      }                                                                        \
      BEHIND                                                                   \
    }
typedef signed char s8;
// CHECK: requantized.c:[[#@LINE+4]]:{{.*}}: exact, by the script dotblocks, kernel number{{s?}} 1
void early(s8 *restrict c, const s8 *restrict a, const s8 *restrict b,
           const int *restrict by, int m, int n, int k) {
  // As two functions that return early leave it.
  PRODUCT(int t; if (s == by[j] && s < -1000) t = 2147483647;
          else t = (int)(((long long)s * by[j] + (1 << 30)) >> 31);
          int u = t % 91;
          if (u < -50) u = -50; else if (u > 50) u = 50 + i; else u = u * 2;
          c[i * n + j] = (s8)u;)
}

// Stores of both branches.
// CHECK: requantized.c:[[#@LINE+3]]:{{.*}}: exact, by the script dotblocks, kernel number{{s?}} 3
void stores(s8 *restrict c, const s8 *restrict a, const s8 *restrict b, int m,
            int n, int k) {
  PRODUCT(if (s & 4) c[i * n + j] = (s8)((s >> 3) % 91 * i);
          else c[i * n + j] = (s8)(s / 3 % 7 * j);)
}

// A local that keeps what it has.
// CHECK: requantized.c:[[#@LINE+3]]:{{.*}}: exact, by the script dotblocks, kernel number{{s?}} 5
void keeps(s8 *restrict c, const s8 *restrict a, const s8 *restrict b, int m,
           int n, int k, int bits) {
  PRODUCT(s >>= 9; int part = s / 7;
          if (s > 9) s = ((s * 3) ^ j) % 91 + (s >> 3) * bits;
          c[i * n + j] = (s8)(s + part);)
}

// An element that is not read in any case: it stays under its condition, so a row at a
// time.
// CHECK: requantized.c:[[#@LINE+3]]:{{.*}}: reduce i8, %{{n|arg[0-9]+}} x {{.*}}: exact, by the script rows
void reads(s8 *restrict c, const s8 *restrict a, const s8 *restrict b,
           const int *restrict more, int m, int n, int k) {
  PRODUCT(if (s > m) s = more[j]; c[i * n + j] = (s8)s;)
}

// A quotient by what may be zero.
// CHECK: requantized.c:[[#@LINE+3]]:{{.*}}: reduce i8, %{{n|arg[0-9]+}} x {{.*}}: exact, by the script rows
void divides(s8 *restrict c, const s8 *restrict a, const s8 *restrict b, int m,
             int n, int k, int by) {
  PRODUCT(if (s > m) s = s / by; c[i * n + j] = (s8)s;)
}

// Two bounds from one axis each: the weights exist only if there is an image.
// CHECK: requantized.c:[[#@LINE+10]]:{{.*}}: exact, by the script dotblocks, kernel number{{s?}} 9
// CHECK: script dotblocks:
// CHECK-NEXT: assume %{{.*}} > %{{.*}}
// CHECK-NEXT: assume %{{.*}} <= %{{.*}} + %{{.*}}
// CHECK-NEXT: assume %{{.*}} > %{{.*}}
// CHECK-NEXT: assume %{{.*}} <= %{{.*}} + %{{.*}}
// CHECK-NEXT: assume %{{.*}} > 0
// CHECK-NEXT: assume %{{.*}} > 0
void window(s8 *restrict c, const s8 *restrict a, const s8 *restrict b, int h,
            int w, int oh, int ow, int f, int k, int fh, int fw, int pad) {
  for (int y = 0; y < oh; y++)
    for (int x = 0; x < ow; x++)
      for (int o = 0; o < f; o++) {
        int s = 0;
        for (int r = 0; r < fh; r++)
          for (int q = 0; q < fw; q++) {
            int iy = y + r - pad, ix = x + q - pad;
            if (iy >= 0 && iy < h && ix >= 0 && ix < w)
              for (int l = 0; l < k; l++)
                s += a[(iy * w + ix) * k + l] * b[((o * fh + r) * fw + q) * k + l];
          }
        c[(y * ow + x) * f + o] = (s8)(s >> 7);
      }
}

// A bias that there may be, and steps of the run: one version for all of that.
#define WINDOW(BEHIND)                                                         \
  for (int x = 0; x < ow; x++)                                                 \
    for (int o = 0; o < f; o++) {                                              \
      int s = 0;                                                               \
      for (int q = 0; q < fw; q++) {                                           \
        int ix = x * step + q - pad;                                           \
        if (ix >= 0 && ix < w)                                                 \
          for (int l = 0; l < k; l++)                                          \
            s += a[ix * k + l] * b[(o * fw + q) * k + l];                      \
      }                                                                        \
      BEHIND                                                                   \
    }
// CHECK: requantized.c:[[#@LINE+10]]:{{.*}}: exact, by the script dotblocks, kernel number{{s?}} 10
// CHECK-NEXT: script dotblocks:
// CHECK-NEXT: assume %{{.*}} > 0
// CHECK-NEXT: assume %{{.*}} >= 0
// CHECK-NEXT: assume %{{.*}} > %{{.*}}
// CHECK-NEXT: assume %{{.*}}*%{{.*}} >= %{{.*}}
// CHECK: fission f f f o o
void biased(s8 *restrict c, const s8 *restrict a, const s8 *restrict b,
            const int *restrict bias, int w, int ow, int f, int k, int fw,
            int step, int pad) {
  WINDOW(if (bias) s += bias[o]; c[x * f + o] = (s8)(s >> 7);)
}

// What is read if the sum says so stays under its condition.
// CHECK-NOT: exact, by the script dotblocks
void chosen(s8 *restrict c, const s8 *restrict a, const s8 *restrict b,
            const int *restrict bias, int w, int ow, int f, int k, int fw,
            int step, int pad) {
  WINDOW(if (s > w) s += bias[o]; c[x * f + o] = (s8)(s >> 7);)
}
