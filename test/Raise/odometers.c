// Coordinates that are counted with a carry are quotients and remainders of the index of
// the loop.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// REQUIRES: x86-registered-target

// CHECK:      kernel 0 @nested
// CHECK:        %y[i] = fadd(%x[i], %b[mod(floordiv(i, %cols), %rows)])
// CHECK-DAG:    needs inrange(1 <= %cols <= 2147483647)
// CHECK-DAG:    needs inrange(1 <= %rows <= 2147483647)
void nested(const float *restrict x, const float *restrict b, float *restrict y, int n,
            int planes, int rows, int cols) {
  int p = 0, r = 0, c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[r];
    if (++c == cols) {
      c = 0;
      if (++r == rows) {
        r = 0;
        if (++p == planes)
          p = 0;
      }
    }
  }
}

// Tests for less, before the step, of sizes that are numbers, and of what has started
// again.
// CHECK:      kernel 0 @tests
// CHECK:        %y[i] = fadd(%x[i], %b[mod(floordiv(floordiv(i, 28), 14), %planes)])
void tests(const float *restrict x, const float *restrict b, float *restrict y, int n,
           unsigned planes) {
  unsigned p = 0, r = 0, c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[p];
    if (c < 27)
      c++;
    else {
      c = 0;
      r = r + 1 < 14 ? r + 1 : 0;
      if (!r)
        p = p + 1 >= planes ? 0 : p + 1;
    }
  }
}

// What moves by other steps where a row ends; a pointer.
// CHECK:      kernel 0 @jumps
// CHECK:        %y[i] = fmul(%x[{{.*}}floordiv(i, %cols){{.*}}], 2.0)
void jumps(const float *restrict x, float *restrict y, int n, int cols, int ld) {
  int o = 0, c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[o] * 2;
    o++;
    if (++c == cols) {
      c = 0;
      o += ld - cols;
    }
  }
}
// CHECK:      kernel 0 @pointer
// CHECK:        %y[i] = fmul(%x[{{.*}}floordiv(i, %cols){{.*}}], 2.0)
void pointer(const float *restrict x, float *restrict y, long n, long cols, long ld) {
  long c = 0;
  for (long i = 0; i < n; i++) {
    y[i] = *x++ * 2;
    if (++c == cols) {
      c = 0;
      x += ld - cols;
    }
  }
}

// What starts again with each row.
// CHECK:      kernel 0 @again
// CHECK:        %y[i] = fadd(%x[i], %b[{{.*}}mod(i, %cols){{.*}}])
void again(const float *restrict x, const float *restrict b, float *restrict y, int n,
           int cols, int step) {
  int o = 0, c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[o];
    o += step;
    if (++c == cols)
      c = o = 0;
  }
}

// No odometers: a counter that starts at 1, one that is set elsewhere, two that are not
// tested one behind the other, a size that changes, a step by 2.
// CHECK-NOT:  floordiv
// CHECK-NOT:  mod(
void starts(const float *restrict x, const float *restrict b, float *restrict y, int n,
            int cols) {
  int c = 1, r = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[r];
    if (++c == cols) {
      c = 0;
      r++;
    }
  }
}
void elsewhere(const float *restrict x, const float *restrict b, float *restrict y, int n,
               int cols) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[c];
    if (++c == cols)
      c = 0;
    if (i == n / 2)
      c = 0;
  }
}
void apart(const float *restrict x, const float *restrict b, float *restrict y, int n,
           int rows, int cols) {
  int r = 0, c = 0, u = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[u];
    if (++c == cols) {
      c = 0;
      if (++r == rows)
        u = r = 0;
      else
        u++;
    } else
      u++;
  }
}
void changes(const float *restrict x, const float *restrict b, float *restrict y, int n,
             int cols) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[c];
    if (++c == cols + i % 2)
      c = 0;
  }
}
void twos(const float *restrict x, const float *restrict b, float *restrict y, int n,
          int cols) {
  int c = 0;
  for (int i = 0; i < n; i++) {
    y[i] = x[i] + b[c];
    if ((c += 2) == cols)
      c = 0;
  }
}
