// Types of indices and ways to write them.
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

void longs(float *restrict A, float *restrict B, float *restrict C, long m, long n, long k) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      for (long l = 0; l < k; l++)
        s += A[i * k + l] * B[l * n + j];
      C[i * n + j] = s;
    }
}

// A size that is negative as a signed number takes the original loops.
void sizes(float *restrict x, float *restrict y, unsigned long n) {
  for (unsigned long i = 0; i < n; i++)
    y[i] = x[i];
}

// Products of unsigned numbers may wrap: that is tested.
void unsigneds(float *restrict x, float *restrict y, unsigned m, unsigned n) {
  for (unsigned i = 0; i < m; i++)
    for (unsigned j = 0; j < n; j++)
      y[i * n + j] = x[i * n + j];
}

void leading(float *restrict x, float *restrict y, int m, int n, int ldx, int ldy) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[i * ldy + j] = x[i * ldx + j];
}

void constants(float x[restrict 64][32], float y[restrict 64][32]) {
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 32; j++)
      y[i][j] = x[i][j];
}

void running(float *restrict x, float *restrict y, int m, int n) {
  int p = 0;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[p++] = x[j];
}

void pointers(float *restrict x, float *restrict y, int n) {
  while (n-- > 0)
    *y++ = *x++;
}

void backwards(float *restrict x, float *restrict y, int n) {
  for (int i = n - 1; i >= 0; i--)
    y[i] = x[n - 1 - i];
}

void strided(float *restrict x, float *restrict y, int n, int s) {
  for (int i = 1; i < n; i += 3)
    y[i] = x[i * s];
}

void not_equal(float *restrict x, float *restrict y, int n) {
  for (int i = 0; i != n; i++)
    y[i] = x[i];
}

void at_most(float *restrict x, float *restrict y, unsigned n) {
  for (unsigned i = 0; i <= n; i++)
    y[i] = x[i];
}

void at_least_once(float *restrict x, float *restrict y, int n) {
  int i = 0;
  do {
    y[i] = x[i];
  } while (++i < n);
}

void collapsed(float *restrict x, float *restrict y, int m) {
  for (int i = 0; i < m; i++)
    y[i] = x[i / 8] + x[i % 8];
}

void gather(float *restrict x, float *restrict y, int *restrict index, int m, int n) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++)
      y[i * n + j] = x[index[i] * n + j];
}

void both(float *restrict x, float *restrict y, int m, int n) {
  for (int i = 0; i < m && i < n; i++)
    y[i] = x[i];
}

void triangle(float *restrict x, float *restrict y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      y[i * n + j] = x[j];
}

struct matrix {
  float *data;
  int rows, columns;
};
void members(const struct matrix *x, struct matrix *y) {
  for (int i = 0; i < x->rows; i++)
    for (int j = 0; j < x->columns; j++)
      y->data[i * y->columns + j] = x->data[i * x->columns + j];
}

// CHECK-LABEL: kernel 0 @longs  matmul.nn f32
// CHECK-NEXT:   params   %m %n %k
// CHECK-NEXT:   buffers  %A:f32(%k,1) %B:f32(%n,1) %C:f32(%n,1)
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       s = fmuladd(%A[i,k], %B[k,j], s)
// CHECK-NEXT:     %C[i,j] = s

// CHECK-LABEL: kernel 0 @sizes  copy f32
// CHECK-NEXT:   params   %n
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[%n]
// CHECK-NEXT:     %y[i] = %x[i]
// CHECK-NEXT:   needs    inrange(0 <= %n <= 9223372036854775807)

// CHECK-LABEL: kernel 0 @unsigneds  copy f32
// CHECK-NEXT:   params   %m:u32 %n:u32
// CHECK-NEXT:   buffers  %y:f32(%n,1) %x:f32(%n,1)
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     %y[i,j] = %x[i,j]
// CHECK-NEXT:   needs    inrange(0 <= i*%n + j <= 4294967295)

// CHECK-LABEL: kernel 0 @leading  copy f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %ldy:i32 %ldx:i32
// CHECK-NEXT:   buffers  %y:f32(%ldy,1) %x:f32(%ldx,1)
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     %y[i,j] = %x[i,j]
// CHECK-NEXT:   needs    inrange(0 <= %ldy - %n <= 9223372036854775807)

// CHECK-LABEL: kernel 0 @constants  copy f32
// CHECK-NEXT:   buffers  %y:f32(32,1) %x:f32(32,1)
// CHECK-NEXT:   par i[64] par j[32]
// CHECK-NEXT:     %y[i,j] = %x[i,j]

// CHECK-LABEL: kernel 0 @running  broadcast f32
// CHECK-NEXT:   params   %m:i32 %n:i32
// CHECK-NEXT:   buffers  %y:f32(%n,1) %x:f32
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     %y[i,j] = %x[j]
// CHECK-NEXT:   needs    inrange(0 <= %n <= 9223372036854775807)

// CHECK-LABEL: kernel 0 @pointers  copy f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[%n]
// CHECK-NEXT:     %y[i] = %x[i]

// CHECK-LABEL: kernel 0 @backwards  reverse f32
// CHECK-NEXT:   params   %sub:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   seq i[%sub + 1]
// CHECK-NEXT:     %y[%sub - i] = %x[i]

// CHECK-LABEL: kernel 0 @strided  copy f32
// CHECK-NEXT:   params   %n:i32 %s:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32(%s)
// CHECK-NEXT:   par i[floordiv(%n - 2, 3) + 1]
// CHECK-NEXT:     %y[3*i + 1] = %x[3*i + 1]

// CHECK-LABEL: kernel 0 @not_equal  copy f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[%n]
// CHECK-NEXT:     %y[i] = %x[i]
// CHECK-NEXT:   needs    inrange(0 <= %n <= 4294967295)

// CHECK-LABEL: kernel 0 @at_most  copy f32
// CHECK-NEXT:   params   %n:u32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[%n + 1]
// CHECK-NEXT:     %y[i] = %x[i]
// CHECK-NEXT:   needs    inrange(0 <= %n + 1 <= 4294967295)

// CHECK-LABEL: kernel 0 @at_least_once  copy f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[%n]
// CHECK-NEXT:     %y[i] = %x[i]
// CHECK-NEXT:   needs    inrange(1 <= %n <= 9223372036854775807)

// CHECK-LABEL: kernel 0 @collapsed  add f32
// CHECK-NEXT:   params   %m:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[%m]
// CHECK-NEXT:     %y[i] = fadd(%x[floordiv(i, 8)], %x[mod(i, 8)])

// CHECK-LABEL: kernel 0 @gather  gather f32
// CHECK-NEXT:   params   %m:i32 %n:i32
// CHECK-NEXT:   buffers  %index:i32 %y:f32(%n,1) %x:f32(%n,1)
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     %y[i,j] = %x[%index[i],j]

// CHECK-LABEL: kernel 0 @both  copy f32
// CHECK-NEXT:   params   %m:i32 %n:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   par i[min(%m, %n)]
// CHECK-NEXT:     %y[i] = %x[i]

// CHECK-LABEL: kernel 0 @triangle  broadcast f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %y:f32(%n,1) %x:f32
// CHECK-NEXT:   seq i[%n] par j[i + 1]
// CHECK-NEXT:     %y[i,j] = %x[j]

// CHECK-LABEL: kernel 0 @members  copy f32
// CHECK-NEXT:   params   %p:i32 %p.1:i32 %p.2:i32
// CHECK-NEXT:   buffers  %y:f32(%p.2,1) %x:f32(%p.1,1)
// CHECK-NEXT:   par i[%p] par j[%p.1]
// CHECK-NEXT:     %y[i,j] = %x[i,j]
// CHECK-NEXT:   needs    disjoint(%y; %x)
// CHECK-NEXT:   needs    inrange(0 <= %p.2 - %p.1 <= 9223372036854775807)

// Rows of a tensor that knows the size of its elements at run time only.
struct tensor {
  void *data;
  unsigned long size, channel;
  int w, h, c;
};
// CHECK-LABEL: kernel 0 @tensor_rows {{.*}}matmul.nt f32
// CHECK:         buffers {{.*}}:f32(floordiv([[A:%[^,]*]], 4),1) {{.*}}:f32(floordiv([[B:%[^,]*]], 4),1)
// CHECK:         needs    inrange(0 <= mod([[A]], 4) <= 0)
// CHECK:         needs    inrange(-9223372036854775808 <= [[A]] <= 9223372036854775807)
void tensor_rows(const struct tensor *a, const struct tensor *b, float *restrict c) {
  const int m = a->h, n = b->h, k = a->w;
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      const float *x = (const float *)((char *)a->data + (unsigned long)a->w * i * a->size);
      const float *y = (const float *)((char *)b->data + (unsigned long)b->w * j * b->size);
      float s = 0;
      for (int l = 0; l < k; l++)
        s += x[l] * y[l];
      c[i * n + j] = s;
    }
}

// A counter that begins below zero plus an unsigned one is an int again, and an
// element's where it is not negative: -1, not 4294967295.
// CHECK-LABEL: kernel 0 @below_zero
// CHECK:         s = fadd(s, %x[i + j - 1])  where i + j > 0, i + j <= 28
// CHECK-NOT:     inrange
void below_zero(float *restrict y, const float *restrict x) {
  for (int i = 0, from = -1; i < 28; i++, from++) {
    float s = 0;
    for (unsigned k = 0; k < 3; k++) {
      int at = from + k;
      if (at >= 0 && at < 28)
        s += x[at];
    }
    y[i] = s;
  }
}
// Where the sum may pass the largest int that is tested.
// CHECK-LABEL: kernel 0 @above_all
// CHECK:           s = fadd(s, %x[i + j - 1])  if
// CHECK:         needs    inrange(-2147483648 <= i + j - 1 <= 2147483647)
void above_all(float *restrict y, const float *restrict x, int n, unsigned m) {
  for (int i = 0, from = -1; i < n; i++, from++) {
    float s = 0;
    for (unsigned k = 0; k < m; k++) {
      int at = from + k;
      if (at >= 0 && at < n)
        s += x[at];
    }
    y[i] = s;
  }
}
