// Accesses that begin further on in the same rows leave these apart.
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o - %s | %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output 2>&1 | FileCheck %s

// A distance that says nothing about rows is another array's, which is tested: that it
// is within the row would hold for none.
// CHECK-LABEL: @apart
// CHECK:       par i[%m]
// CHECK:       needs    inrange(0 <= %off - %m*%n <=
// CHECK-NOT:   -1*%off
// CHECK-NOT:   - %off
void apart(long m, long n, long off, float *p) {
  for (long i = 0; i < m; i++) {
    float x = 0;
    for (long j = 0; j < n; j++)
      x += p[i * n + j];
    for (long j = 0; j < n; j++)
      p[off + i * n + j] = p[i * n + j] - x;
  }
}

// CHECK-LABEL: @gates
// CHECK:       par i[%m] par j[%h]
// CHECK-NOT:   needs
void gates(long m, long h, float *g) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < h; j++)
      g[i * 4 * h + j] *= g[i * 4 * h + h + j] + g[i * 4 * h + 2 * h + j];
}

// CHECK-LABEL: @begin
// CHECK:       par i[%m]
// CHECK:       needs    inrange(0 <= %n - 1 <=
void begin(long m, long n, float *x) {
  for (long i = 0; i < m; i++) {
    float most = x[i * n];
    for (long j = 1; j < n; j++)
      most = x[i * n + j] > most ? x[i * n + j] : most;
    for (long j = 0; j < n; j++)
      x[i * n + j] -= most;
  }
}

// What ends with the row for certain is a part of it, wherever it begins.
// CHECK-LABEL: @padded
// CHECK:       par i[%rows]
// CHECK-NEXT:    par j[%v]
// CHECK:         par j.1[%vp - %v]
// CHECK-NOT:   needs    inrange({{.*}}%rows
// CHECK:       needs    inrange(0 <= %v <=
// CHECK-NOT:   needs    inrange({{.*}}%rows
void padded(int rows, int v, int vp, float *p) {
  for (int i = 0; i < rows; i++) {
    float *row = p + i * vp;
    for (int j = 0; j < v; j++)
      row[j] /= 3;
    for (int j = v; j < vp; j++)
      row[j] = 0;
  }
}

// What a row begins with is the next one's where it reaches further than that.
// CHECK-LABEL: @overlapping
// CHECK:       par i[%m]
// CHECK:       needs    inrange(0 <= %pitch - %n - 3 <=
void overlapping(long m, long n, long pitch, float *x) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * pitch + j];
    for (long j = 0; j < n; j++)
      x[i * pitch + j + 3] -= sum;
  }
}

// What is left behind blocks of four begins behind their elements, not in front of them: a
// need that says so holds where there is a block.
// CHECK-LABEL: @blocks
// CHECK:       par i[%h]
// CHECK:         par j[floordiv(%n, 4)]
// CHECK:         par j.1[%n - 4*floordiv(%n, 4)]
// CHECK:       needs    disjoint(%out; %in)
// CHECK-NEXT:  needs    inrange(0 <= 4*floordiv(%n, 4) - 1 <=
// CHECK-NEXT:  needs    inrange(0 <= 4*floordiv(%n, 4) - 2 <=
// CHECK-NOT:   needs
void blocks(const float *in, float *out, unsigned short n, int h) {
  int at = 0;
  for (int y = 0; y < h; y++) {
    int c = 0;
    for (; c < n - 3; c += 4) {
      out[at++] = in[c] * 2;
      out[at++] = in[c + 1] * 3;
      out[at++] = in[c + 2] * 3;
      at++;
    }
    for (; c < n; c++)
      out[at++] = in[c] * 4;
  }
}
