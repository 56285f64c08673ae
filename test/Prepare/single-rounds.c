// What runs once at most is no loop, as of batches with one element in code that
// is generated.
// RUN: %clang -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl-prepare<all>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s

// A 1x1 convolution of one image is a product, even without the window's loops.
// CHECK-LABEL: @pointwise
// CHECK-SAME: matmul.nn f32
// CHECK: par i[64] par j[784]
// CHECK-NEXT: %y[i,j] = %bias[i]
// CHECK-NEXT: red k[128]
void pointwise(const float x[1][128][28][28], const float w[64][128][1][1],
               const float bias[64], float y[1][64][28][28]) {
  for (unsigned b = 0; b < 1; b++)
    for (unsigned m = 0; m < 64; m++)
      for (int o0 = 0, i0 = 0; o0 < 28; o0++, i0++)
        for (int o1 = 0, i1 = 0; o1 < 28; o1++, i1++) {
          y[b][m][o0][o1] = bias[m];
          for (int c = 0; c < 128; c++)
            for (unsigned k0 = 0; k0 < 1; k0++)
              for (unsigned k1 = 0; k1 < 1; k1++)
                y[b][m][o0][o1] +=
                    x[b][c][(int)(i0 + k0)][(int)(i1 + k1)] * w[m][c][k0][k1];
        }
}

// Counters behind the loop are what they were, and other ends of the loop stay.
// CHECK-LABEL: @behind
// CHECK: par i[%n]
// CHECK-NEXT: %y[i] = fmul(%x[i], 5.0)
void rest(int, const float *);
void behind(long n, float *restrict y, const float *restrict x) {
  int b = 5;
  const float *p = x;
  for (; b < 6; b++, p++)
    for (long i = 0; i < n; i++)
      y[i] = x[i] * b;
  rest(b, p);
}

// In steps, and down.
// CHECK-LABEL: @steps
// CHECK: par i[%n]
// CHECK-NEXT: %y[i] = fmul(%x[i], 3.0)
void steps(long n, float *restrict y, const float *restrict x) {
  for (int b = 3; b > 2; b -= 2)
    for (long i = 0; i < n; i++)
      y[i] = x[i] * b;
}

// Where nothing uses the counter but its test, that is a phi of true and false.
// CHECK-LABEL: @counted
// CHECK-SAME: matmul.nn f32
// CHECK: par i[64] par j[784]
// CHECK: red k[128]
void counted(const float *restrict x, const float *restrict w, float *restrict y) {
  for (int m = 0; m < 64; m++)
    for (int i = 0; i < 28; i++)
      for (int j = 0; j < 28; j++) {
        float sum = 0;
        for (int c = 0; c < 128; c++)
          for (int k = 0; k < 1; k++)
            for (int l = 0; l < 1; l++)
              sum += x[(c * 28 + i + k) * 28 + j + l] * w[m * 128 + c + k + l];
        y[(m * 28 + i) * 28 + j] = sum;
      }
}
// CHECK-LABEL: @once
// CHECK: par i[%n]
// CHECK-NEXT: %y[i] = fmul(%x[i], 3.0)
void once(long n, float *restrict y, const float *restrict x) {
  for (_Bool first = 1; first; first = 0)
    for (long i = 0; i < n; i++)
      y[i] = x[i] * 3;
}
// Not where the second test may be true, too.
// CHECK-LABEL: @again
// CHECK: the number of iterations is not known
void again(long n, float *restrict y, const float *restrict x, const _Bool *more) {
  for (_Bool go = 1; go; go = *more)
    for (long i = 0; i < n; i++)
      y[i] = x[i] * 3;
}

// Two rounds, or as many as the caller says, are a loop.
// CHECK-LABEL: @two
// CHECK: i[2]
void two(long n, float *restrict y, const float *restrict x) {
  for (int b = 0; b < 2; b++)
    for (long i = 0; i < n; i++)
      y[b * n + i] = x[i] * 3;
}
// CHECK-LABEL: @some
// CHECK: i[%m]
void some(long n, long m, float *restrict y, const float *restrict x) {
  for (long b = 0; b < m; b++)
    for (long i = 0; i < n; i++)
      y[b * n + i] = x[i] * 3;
}

// Channels of a group: from one number that is not known to the next one.
// CHECK-LABEL: @groups
// CHECK: par i[16] par j[30]
// CHECK-NEXT: %y[i,j] = 0.0
// CHECK-NEXT: win k[3]
void groups(float y[restrict 16][30], const float x[restrict 16][32], const float w[16][3]) {
  unsigned in = 1, out = 1;
  for (unsigned g = 0; g < 16; g++)
    for (unsigned m = out * g; m < out * (g + 1); m++)
      for (int o = 0; o < 30; o++) {
        y[m][o] = 0;
        for (unsigned c = in * g; c < in * (g + 1); c++)
          for (unsigned k = 0; k < 3; k++)
            y[m][o] += x[c][o + k] * w[m][k];
      }
}
// Two in each are a loop, and so is what may be none.
// CHECK-LABEL: @pairs
// CHECK: i[8] {{.*}}j[2]
void pairs(float y[restrict 16][30], const float x[restrict 16][30]) {
  for (unsigned g = 0; g < 8; g++)
    for (unsigned m = 2 * g; m < 2 * (g + 1); m++)
      for (int o = 0; o < 30; o++)
        y[m][o] = x[m][o] * 3;
}
// What ends in the second round has two.
// RUN: %clang -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -passes='dl-prepare<all>' -S | FileCheck %s --check-prefix=HALF
// HALF-LABEL: define {{.*}} @half(
// HALF: call void @first(
// HALF: call void @second(
// HALF-LABEL: }
void first(long), second(long);
void half(long n, float *restrict y, const float *restrict x) {
  for (long g = 0; g < n; g++)
    y[g] = x[g] * 2;
  for (long g = 0; g < n; g++)
    for (long m = g; m < n; m++) {
      first(m);
      if (m == g + 1) {
        second(m);
        break;
      }
    }
}
// CHECK-LABEL: @ends
// CHECK: i[%n]
// CHECK: min(
void ends(long n, const long *restrict a, float *restrict y, const float *restrict x) {
  for (long g = 0; g < n; g++)
    for (long m = g; m < (g + 2 < n ? g + 2 : n); m++)
      y[m] = x[m] * 3 + y[m];
}
