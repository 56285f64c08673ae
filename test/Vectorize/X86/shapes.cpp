// Sizes that are read for each element, where what is stored may overwrite them: those of
// objects that are certainly there are read in front of the loops, under a test that nothing
// is stored there. A pointer that is followed for some elements alone need not be one.
// RUN: %emit -std=c++20 -fno-exceptions -gline-tables-only --target=x86_64-linux-gnu -mavx2 %s | %opt -mattr=+avx2 -S -o /dev/null -pass-remarks=dl-vectorize -pass-remarks-missed=dl-vectorize -passes='dl-vectorize,verify' 2>%t.remarks
// RUN: FileCheck %s --input-file=%t.remarks
struct Shape {
  int Sizes[4];
};
static int at(const Shape &S, int I, int J) { return I * S.Sizes[1] + J; }

// CHECK: shapes.cpp:[[#@LINE+2]]:{{.*}}: exact, by the script dotblocks
void product(signed char *c, const signed char *a, const signed char *b, const Shape &s, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i * k + l] * b[j * k + l];
      c[at(s, i, j)] = (signed char)(sum >> 8);
    }
}

// CHECK-NOT: shapes.cpp:[[#@LINE+2]]:{{.*}}: exact, by the script
void sometimes(signed char *c, const signed char *a, const signed char *b, const Shape *s, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      int sum = 0;
      for (int l = 0; l < k; l++)
        sum += a[i * k + l] * b[j * k + l];
      if (sum > 99)
        c[at(*s, i, j)] = (signed char)(sum >> 8);
    }
}

// Filters of groups, a bias that there may be, steps that are read: one version for all
// steps, with a bias and without.
// CHECK: shapes.cpp:[[#@LINE+4]]:{{.*}}: exact, by the script dotblocks
// CHECK-NOT: shapes.cpp:[[#@LINE+3]]:{{.*}}: exact, by the script dotblocks
void groups(signed char *y, const signed char *x, const signed char *w, const int *bias, const Shape &in, const Shape &f, const Shape &out, int step, int pad) {
  int of = out.Sizes[2] / (in.Sizes[2] / f.Sizes[3]), depth = f.Sizes[3];
  for (int i = 0; i < out.Sizes[0]; i++)
    for (int j = 0; j < out.Sizes[1]; j++)
      for (int o = 0; o < out.Sizes[2]; o++) {
        int group = o / of, sum = 0;
        for (int r = 0; r < f.Sizes[1]; r++)
          for (int q = 0; q < f.Sizes[2]; q++) {
            int row = i * step - pad + r, column = j * step - pad + q;
            if (row < 0 || row >= in.Sizes[0] || column < 0 || column >= in.Sizes[1])
              continue;
            for (int c = 0; c < depth; c++)
              sum += x[(row * in.Sizes[1] + column) * in.Sizes[2] + group * depth + c] *
                     w[((o * f.Sizes[1] + r) * f.Sizes[2] + q) * depth + c];
          }
        if (bias)
          sum += bias[o];
        y[(i * out.Sizes[1] + j) * out.Sizes[2] + o] = (signed char)(sum >> 8);
      }
}

// Channels of one filter each, where how many that are is an argument.
// CHECK: shapes.cpp:[[#@LINE+2]]:{{.*}}: exact, by the script neighbours
void depthwise(signed char *__restrict y, const signed char *__restrict x, const signed char *__restrict w, int rows, int columns, int channels, int times, int step, int oh, int ow) {
  for (int i = 0; i < oh; i++)
    for (int j = 0; j < ow; j++)
      for (int c = 0; c < channels; c++)
        for (int m = 0; m < times; m++) {
          int sum = 0;
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++) {
              int row = i * step - 1 + r, column = j * step - 1 + q;
              if (row >= 0 && row < rows && column >= 0 && column < columns)
                sum += x[(row * columns + column) * channels + c] * w[(r * 3 + q) * channels * times + c * times + m];
            }
          y[(i * ow + j) * channels * times + c * times + m] = (signed char)(sum >> 8);
        }
}

// No such number: each filter has an image of its own.
// CHECK-NOT: shapes.cpp:[[#@LINE+2]]:{{.*}}: exact, by the script strips
void images(signed char *__restrict y, const signed char *__restrict x, const signed char *__restrict w, int rows, int columns, int channels, int times, int step, int oh, int ow) {
  for (int i = 0; i < oh; i++)
    for (int j = 0; j < ow; j++)
      for (int c = 0; c < channels; c++)
        for (int m = 0; m < times; m++) {
          int sum = 0;
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++) {
              int row = i * step - 1 + r, column = j * step - 1 + q;
              if (row >= 0 && row < rows && column >= 0 && column < columns)
                sum += x[((m * channels + c) * rows + row) * columns + column] * w[(r * 3 + q) * channels * times + c * times + m];
            }
          y[(i * ow + j) * channels * times + c * times + m] = (signed char)(sum >> 8);
        }
}
