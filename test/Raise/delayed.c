// A pointer or an index that each round computes anew for the next one.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// REQUIRES: x86-registered-target

// As signal processing libraries for small machines spell a product: the next
// column begins where a count that goes down says.
// CHECK:      kernel 0 @columns  matmul.nn f32
// CHECK:        par i[%rows] par j[%cols]
// CHECK:          red k[%inner]
void columns(const float *a, const float *b, float *c, unsigned short rows,
             unsigned short cols, unsigned short inner) {
  const float *row = a, *p, *q;
  unsigned at = 0, i = rows, j, k;
  do {
    float *to = c + at;
    j = cols;
    q = b;
    do {
      float s = 0;
      p = row;
      k = inner;
      while (k > 0) {
        s += *p++ * *q;
        q += cols;
        k--;
      }
      *to++ = s;
      j--;
      q = b + (cols - j);
    } while (j > 0);
    at += cols;
    row += inner;
    i--;
  } while (i > 0);
}

// CHECK:      kernel 0 @behind
// CHECK:        %y[i] = fmul(%x[3*i], 2.0)
void behind(const float *restrict x, float *restrict y, long n) {
  long at = 0;
  for (long i = 0; i < n; i++) {
    y[i] = x[at] * 2;
    at = 3 * i + 3;
  }
}

// It does not change at all.
// CHECK:      kernel 0 @same
// CHECK:        red j[%n]
// CHECK:          %x[j]
void same(const float *restrict x, float *restrict y, long m, long n) {
  const float *p = x;
  for (long i = 0; i < m; i++) {
    float s = 0;
    for (long j = 0; j < n; j++)
      s += p[j];
    y[i] = s;
    p = x;
  }
}

// The first round is another one.
// CHECK-NOT:  kernel 0 @first_differs
// CHECK:      missed @first_differs {{.*}}NonAffineAccess
void first_differs(const float *restrict x, float *restrict y, long n) {
  long at = 1;
  for (long i = 0; i < n; i++) {
    y[i] = x[at] * 2;
    at = 3 * i + 3;
  }
}

// CHECK-NOT:  kernel 0 @other_base
// CHECK:      missed @other_base {{.*}}CarriedValue
void other_base(const float *x, const float *z, float *restrict y, long n) {
  const float *p = z;
  for (long i = 0; i < n; i++) {
    y[i] = *p * 2;
    p = x + i + 1;
  }
}

// Two that take turns: each is computed from the other one.
// CHECK-NOT:  kernel 0 @turns
// CHECK:      missed @turns {{.*}}NonAffineAccess
void turns(const float *restrict x, float *restrict y, long n) {
  long a = 0, b = 0;
  for (long i = 0; i < n; i++) {
    y[i] = x[a] * 2;
    long was = a;
    a = b + 1;
    b = was;
  }
}

// By what it was in the round before, times something.
// CHECK-NOT:  kernel 0 @doubled
// CHECK:      missed @doubled {{.*}}NonAffineAccess
void doubled(const float *restrict x, float *restrict y, long n) {
  long at = 0;
  for (long i = 0; i < n; i++) {
    y[i] = x[at] * 2;
    at = 2 * at + i;
  }
}
