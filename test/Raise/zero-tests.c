// A product that leaves out factors of zero is a plain one where there are none,
// which is a need.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll | FileCheck %s
// REQUIRES: x86-registered-target

#define UNTIL(X, END) for (int X = 0; X < END; X++)
#define ARGS                                                                   \
  int m, int n, int k, const float *restrict a, const float *restrict b,      \
      float *restrict c

// CHECK:      @skips_columns matmul.nn f32
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    nonzero(%a; {{.*}})
void skips_columns(ARGS) {
  UNTIL(i, m) UNTIL(l, k) {
    float t = a[i * k + l];
    if (t != 0)
      UNTIL(j, n) c[i * n + j] += t * b[l * n + j];
  }
}

// CHECK:      @goes_on matmul.nn f32
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    nonzero(%a; {{.*}})
void goes_on(ARGS) {
  UNTIL(i, m) UNTIL(l, k) {
    if (a[i * k + l] == 0)
      continue;
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// As in the older reference implementations of BLAS.
//
// CHECK:      @scaled matmul.nn f32
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    nonzero(%a; {{.*}})
void scaled(float alpha, ARGS) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] != 0) {
    float t = alpha * a[i * k + l];
    UNTIL(j, n) c[i * n + j] += t * b[l * n + j];
  }
}

// CHECK:      @in_the_sum matmul.nn f32
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    nonzero(%b; {{.*}})
void in_the_sum(ARGS) {
  UNTIL(i, m) UNTIL(j, n) {
    float s = 0;
    UNTIL(l, k) if (b[l * n + j] != 0) s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

// Nothing but the test reads t, which c must not overlap all the same.
//
// CHECK:      @tested matmul.nn f32
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    disjoint({{.*%t.*}})
// CHECK:        needs    nonzero(%t; {{.*}})
void tested(int m, int n, int k, const float *restrict a,
            const float *restrict b, float *c, const float *t) {
  UNTIL(i, m) UNTIL(j, n) {
    float s = 0;
    UNTIL(l, k) if (t[i * k + l] != 0) s += a[i * k + l] * b[l * n + j];
    c[i * n + j] = s;
  }
}

// CHECK:      @negative_zero matmul.nn f32
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    nonzero(%a; {{.*}})
void negative_zero(ARGS) {
  UNTIL(i, m) UNTIL(l, k) if (-0.0f != a[i * k + l])
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// Among other statements.
//
// CHECK:      @with_beta {{.*}}
// CHECK:        fmuladd({{.*}}){{$}}
// CHECK:        needs    nonzero(%b; {{.*}})
void with_beta(float alpha, float beta, ARGS) {
  UNTIL(j, n) {
    if (beta == 0)
      UNTIL(i, m) c[i + j * m] = 0;
    else if (beta != 1)
      UNTIL(i, m) c[i + j * m] *= beta;
    UNTIL(l, k) if (b[l + j * k] != 0) {
      float t = alpha * b[l + j * k];
      UNTIL(i, m) c[i + j * m] += t * a[i + l * m];
    }
  }
}

// Other sums are none the faster.
//
// CHECK-NOT:  nonzero
// CHECK:      @no_product {{.*}}
void no_product(ARGS) {
  UNTIL(i, m) {
    float s = 0;
    UNTIL(l, k) if (a[i * k + l] != 0) s += a[i * k + l] * l;
    c[i] = s;
  }
}

// A triangle, which is no box.
//
// CHECK-NOT:  nonzero
// CHECK:      @triangle {{.*}}
void triangle(ARGS) {
  UNTIL(i, m) UNTIL(l, i) if (a[i * k + l] != 0)
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// Only where there are zeros.
//
// CHECK-NOT:  nonzero
// CHECK:      @zeros_alone {{.*}}
void zeros_alone(ARGS) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] == 0)
    UNTIL(j, n) c[i * n + j] += (a[i * k + l] + 1) * b[l * n + j];
}

// CHECK-NOT:  nonzero
// CHECK:      @positive_alone {{.*}}
void positive_alone(ARGS) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] > 0)
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// NaN is left out as well.
//
// CHECK-NOT:  nonzero
// CHECK:      @no_nan {{.*}}
void no_nan(ARGS) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] < 0 || a[i * k + l] > 0)
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// What is tested changes.
//
// CHECK-NOT:  nonzero
// CHECK:      @changes {{.*}}
void changes(int m, int n, int k, const float *restrict b, float *restrict c) {
  UNTIL(i, m) UNTIL(l, k) if (c[i * n] != 0)
    UNTIL(j, n) c[i * n + j] += b[i * k + l] * b[l * n + j];
}

// And another condition.
//
// CHECK-NOT:  nonzero
// CHECK:      @nobody_else {{.*}}
void nobody_else(ARGS) {
  UNTIL(i, m) UNTIL(l, k) if (a[i * k + l] != 0 && l != 3)
    UNTIL(j, n) c[i * n + j] += a[i * k + l] * b[l * n + j];
}

// One element of each block says whether the block is left out: of a product
// with rows there are fewer blocks than rows.
//
// CHECK-NOT:  nonzero
// CHECK:      @blocks {{.*}}
// CHECK:        par i[8]
void blocks(const int *restrict keep, const float *restrict a,
            const float *restrict b, float *restrict c) {
  UNTIL(io, 8)
  if (keep[io]) UNTIL(ii, 16) UNTIL(j, 64) UNTIL(l, 64)
      c[(io * 16 + ii) * 64 + j] += a[(io * 16 + ii) * 64 + l] * b[l * 64 + j];
}
// CHECK-NOT:  nonzero

// Each loop tests its own elements: the second one would test as many as both
// have, if it were one with the first.
//
// CHECK:      @goes_on_behind {{.*}}
// CHECK:        red j[%h]
// CHECK:        red j.1[%k - %h]
// CHECK:        needs    nonzero(%a; i*%k + j)
// CHECK:        needs    nonzero(%a; i*%k + j.1 + %h)
void goes_on_behind(long m, long n, long k, long h, const float *restrict a,
                    const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++) {
    for (long l = 0; l < h; l++)
      if (a[i * k + l] != 0)
        for (long j = 0; j < n; j++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
    for (long l = h; l < k; l++)
      if (a[i * k + l] != 0)
        for (long j = 0; j < n; j++)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
  }
}

// So would a loop that is unrolled, if it were not.
//
// CHECK:      @unrolled {{.*}}
// CHECK-NOT:  nonzero
void unrolled(long m, long n, long k, const float *restrict a,
              const float *restrict b, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      for (long l = 0; l < k; l += 2) {
        if (a[i * k + l] != 0)
          c[i * n + j] += a[i * k + l] * b[l * n + j];
        if (a[i * k + l + 1] != 0)
          c[i * n + j] += a[i * k + l + 1] * b[(l + 1) * n + j];
      }
}
