// Code stays short, however many conditions and windows there are: cases for the two
// ends of a window alone, and not too many copies of what is unrolled.
// RUN: %emit -gline-tables-only --target=x86_64-linux-gnu %s | %opt -mattr=+avx512f,+avx512vl,+avx512bw,+avx512dq,+fma -S -o %t.ll -pass-remarks=dl-vectorize '-pass-remarks-analysis=dl-(schedule|vectorize)' -passes='dl-vectorize,verify' 2>&1 | FileCheck %s
// RUN: grep -c 'call.*@llvm.fmuladd.v16f32' %t.ll | FileCheck %s --check-prefix=SIZE

// 25 sums in all runs, 3 times each; 60 in all blocks, 5 times each, for where all of them are
// inside and for where not; one for few filters.
// SIZE: {{^}}676{{$}}

// CHECK: %nf x %h x %w x %nc x 3 x 3: exact, by the script packed, kernel number{{s?}} {{[0-9]+}}
// CHECK-NOT: case
// CHECK: mode r3 unroll
void conditions(int nf, int nc, int h, int w, const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int o = 0; o < nf; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float s = 0;
        for (int c = 0; c < nc; c++)
          for (int y = 0; y < 3; y++)
            for (int x = 0; x < 3; x++) {
              int p = i + y - 1, q = j + x - 1;
              if (p >= 0 && p < h && q >= 0 && q < w && q + y < nf && p + q < nc)
                s += in[(c * h + p) * w + q] * wt[((o * nc + c) * 3 + y) * 3 + x];
            }
        out[(o * h + i) * w + j] = s;
      }
}

// CHECK: %nf x %h x %w x %nc x 5 x 5: exact, by the script tiles, kernel number{{s?}} {{[0-9]+}}
// CHECK: mode r3 unroll
// CHECK-NEXT: mode x lanes 16
void flat(int nf, int nc, int h, int w, const float *restrict in, const float *restrict wt, float *restrict out) {
  for (int o = 0; o < nf; o++)
    for (int i = 0; i < h; i++)
      for (int j = 0; j < w; j++) {
        float s = 0;
        for (int c = 0; c < nc; c++)
          for (int y = 0; y < 5; y++)
            for (int x = 0; x < 5; x++) {
              int at = (i + y) * w + j + x;
              if (at < h * w)
                s += in[c * h * w + at] * wt[((o * nc + c) * 5 + y) * 5 + x];
            }
        out[(o * h + i) * w + j] = s;
      }
}
