// State, conditions and sequences.
float expf(float);
//
// RUN: %clang --target=x86_64-linux-gnu -O2 -fno-discard-value-names -Xclang -disable-llvm-passes -S -emit-llvm -o %t.ll %s
// RUN: %opt -passes='dl-prepare<loops>,print<dl-kernels>' -disable-output %t.ll > %t.kernels
// RUN: FileCheck %s --input-file=%t.kernels
// RUN: %dl-kernels %t.kernels | diff %t.kernels -
// REQUIRES: x86-registered-target

void linear(float *restrict x, float *restrict w, float *restrict b, float *restrict y, int m, int n, int k) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = b ? b[j] : 0;
      for (int l = 0; l < k; l++)
        s += x[i * k + l] * w[j * k + l];
      y[i * n + j] = s > 0 ? s : 0;
    }
}

void conv(float *restrict in, float *restrict w, float *restrict out, int c, int h, int v) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < v; x++) {
      float s = 0;
      for (int z = 0; z < c; z++)
        for (int ky = 0; ky < 3; ky++)
          for (int kx = 0; kx < 3; kx++) {
            int iy = y + ky - 1, ix = x + kx - 1;
            if (iy >= 0 && iy < h && ix >= 0 && ix < v)
              s += in[(z * h + iy) * v + ix] * w[(z * 3 + ky) * 3 + kx];
          }
      out[y * v + x] = s;
    }
}

void maxpool(float *restrict in, float *restrict out, int h, int v) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < v; x++) {
      float m = -__builtin_inff();
      for (int ky = 0; ky < 2; ky++)
        for (int kx = 0; kx < 2; kx++) {
          float t = in[(2 * y + ky) * 2 * v + 2 * x + kx];
          m = t > m ? t : m;
        }
      out[y * v + x] = m;
    }
}

void softmax(float *restrict in, float *restrict out, int m, int n) {
  for (int i = 0; i < m; i++) {
    float top = in[i * n];
    for (int j = 1; j < n; j++)
      if (in[i * n + j] > top)
        top = in[i * n + j];
    float sum = 0;
    for (int j = 0; j < n; j++) {
      out[i * n + j] = expf(in[i * n + j] - top);
      sum += out[i * n + j];
    }
    for (int j = 0; j < n; j++)
      out[i * n + j] /= sum;
  }
}

// Both values change at once, under one condition.
int argmax(float *x, int n, float *value) {
  float best = x[0];
  int at = 0;
  for (int i = 1; i < n; i++)
    if (x[i] > best) {
      best = x[i];
      at = i;
    }
  *value = best;
  return at;
}

// Two states that trade places are two locals.
float fibonacci(float *x, int n) {
  float a = 0, b = 1;
  for (int i = 0; i < n; i++) {
    float t = a + b * x[i];
    a = b;
    b = t;
  }
  return b;
}

// What is read before it is overwritten is kept.
void reverse(float *x, int n) {
  for (int i = 0; i < n / 2; i++) {
    float t = x[i];
    x[i] = x[n - 1 - i];
    x[n - 1 - i] = t;
  }
}

void prefix(float *x, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    x[i] = s;
  }
}

void conditional(float *restrict x, float *restrict y, int n) {
  for (int i = 0; i < n; i++) {
    if (x[i] < 0)
      continue;
    y[i] = x[i];
  }
}

// The element that is read in front of the inner loop changes inside it.
void changing(float *restrict x, float *restrict y, int m, int n) {
  for (int i = 0; i < m; i++) {
    float a = y[0];
    for (int j = 0; j < n; j++)
      y[j] += a * x[j];
  }
}

float last(float *x, int n) {
  float s = 0;
  int i = 0;
  do {
    s += x[i];
  } while (++i < n);
  return s + i;
}

// CHECK-LABEL: kernel 0 @linear  matmul.nt f32
// CHECK-NEXT:   params   %m:i32 %n:i32 %k:i32 %tobool.not:i1
// CHECK-NEXT:   buffers  %b:f32 %x:f32(%k,1) %w:f32(%k,1) %y:f32(%n,1)
// CHECK-NEXT:   par i[%m] par j[%n]
// CHECK-NEXT:     local cond:f32 tobool:i1
// CHECK-NEXT:     tobool = %tobool.not
// CHECK-NEXT:     cond = 0.0  if tobool
// CHECK-NEXT:     cond = %b[j]  if xor(tobool, true)
// CHECK-NEXT:     red k[%k]
// CHECK-NEXT:       cond = fmuladd(%x[i,k], %w[j,k], cond)
// CHECK-NEXT:     %y[i,j] = select(fcmp<ogt>(cond, 0.0), cond, 0.0)

// CHECK-LABEL: kernel 0 @conv  conv2d f32
// CHECK-NEXT:   params   %h:i32 %v:i32 %c:i32
// CHECK-NEXT:   buffers  %in:f32(%h*%v,%v,1) %w:f32(9,3,1) %out:f32(%v,1)
// CHECK-NEXT:   par i[%h] par j[%v]
// CHECK-NEXT:     local s:f32
// CHECK-NEXT:     s = 0.0
// CHECK-NEXT:     red k[%c] win l[3] win m[3]
// CHECK-NEXT:       s = fmuladd(%in[k,i + l - 1,j + m - 1], %w[k,l,m], s)  where i + l > 0, i + l <= %h, j + m > 0, j + m <= %v
// CHECK-NEXT:     %out[i,j] = s

// CHECK-LABEL: kernel 0 @maxpool  max-pool f32
// CHECK-NEXT:   params   %h:i32 %v:i32
// CHECK-NEXT:   buffers  %in:f32(4*%v,2*%v,2,1) %out:f32(%v,1)
// CHECK-NEXT:   par i[%h] par j[%v]
// CHECK-NEXT:     local m:f32
// CHECK-NEXT:     m = -inf
// CHECK-NEXT:     red k[2] red l[2]
// CHECK-NEXT:       let t0 = %in[i,k,j,l]
// CHECK-NEXT:       m = select(fcmp<ogt>(t0, m), t0, m)
// CHECK-NEXT:     %out[i,j] = m
// CHECK-NEXT:   needs    inrange(-2147483648 <= 4*i*%v + 2*j + 2*k*%v + l <= 2147483647)

// CHECK-LABEL: kernel 0 @softmax  softmax f32
// CHECK-NEXT:   params   %m:i32 %n:i32
// CHECK-NEXT:   buffers  %in:f32(%n,1) %out:f32(%n,1)
// CHECK-NEXT:   par i[%m]
// CHECK-NEXT:     local top:f32 sum:f32
// CHECK-NEXT:     top = %in[i](%n)
// CHECK-NEXT:     red j[%n - 1]
// CHECK-NEXT:       let t0 = %in[i,j + 1]
// CHECK-NEXT:       top = select(fcmp<ogt>(t0, top), t0, top)
// CHECK-NEXT:     sum = 0.0
// CHECK-NEXT:     red j.1[%n]
// CHECK-NEXT:       local call:f32
// CHECK-NEXT:       call = @expf<errno>(fsub(%in[i,j.1], top))
// CHECK-NEXT:       %out[i,j.1] = call
// CHECK-NEXT:       sum = fadd(sum, call)
// CHECK-NEXT:     par j.2[%n]
// CHECK-NEXT:       %out[i,j.2] = fdiv(%out[i,j.2], sum)

// CHECK-LABEL: kernel 0 @argmax  argmax i32
// CHECK-NEXT:   params   %n:i32 %p:f32
// CHECK-NEXT:   buffers  %x:f32
// CHECK-NEXT:   local best:f32 at:i32
// CHECK-NEXT:   (best, at) = (%p, 0)
// CHECK-NEXT:   seq i[%n - 1]
// CHECK-NEXT:     let t0 = %x[i + 1]
// CHECK-NEXT:     let t1 = fcmp<ogt>(t0, best)
// CHECK-NEXT:     (best, at) = (select(t1, t0, best), select(t1, index(i + 1), at))

// CHECK-LABEL: kernel 0 @fibonacci  generic f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %x:f32
// CHECK-NEXT:   local b:f32 a:f32
// CHECK-NEXT:   (b, a) = (1.0, 0.0)
// CHECK-NEXT:   seq i[%n]
// CHECK-NEXT:     (b, a) = (fmuladd(b, %x[i], a), b)

// CHECK-LABEL: kernel 0 @reverse  reverse f32
// CHECK-NEXT:   params   %n:i32 %div:i32
// CHECK-NEXT:   buffers  %x:f32
// CHECK-NEXT:   seq i[%div]
// CHECK-NEXT:     local t:f32
// CHECK-NEXT:     t = %x[i]
// CHECK-NEXT:     %x[i] = %x[%n - i - 1]
// CHECK-NEXT:     %x[%n - i - 1] = t
// CHECK-NEXT:   needs    inrange(-2147483648 <= %n - i - 1 <= 2147483647)

// CHECK-LABEL: kernel 0 @prefix  cumsum f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %x:f32
// CHECK-NEXT:   local s:f32
// CHECK-NEXT:   s = 0.0
// CHECK-NEXT:   seq i[%n]
// CHECK-NEXT:     local add:f32
// CHECK-NEXT:     add = fadd(s, %x[i])
// CHECK-NEXT:     %x[i] = add
// CHECK-NEXT:     s = add

// CHECK-LABEL: kernel 0 @conditional  map f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %x:f32 %y:f32
// CHECK-NEXT:   par i[%n]
// CHECK-NEXT:     let t0 = %x[i]
// CHECK-NEXT:     %y[i] = t0  if xor(fcmp<olt>(t0, 0.0), true)

// CHECK-LABEL: kernel 0 @changing  generic f32
// CHECK-NEXT:   params   %m:i32 %n:i32
// CHECK-NEXT:   buffers  %y:f32 %x:f32
// CHECK-NEXT:   seq i[%m]
// CHECK-NEXT:     local t:f32
// CHECK-NEXT:     t = %y[0]
// CHECK-NEXT:     par j[%n]
// CHECK-NEXT:       %y[j] = fmuladd(t, %x[j], %y[j])

// CHECK-LABEL: kernel 0 @last  sum f32
// CHECK-NEXT:   params   %n:i32
// CHECK-NEXT:   buffers  %x:f32
// CHECK-NEXT:   local s:f32
// CHECK-NEXT:   s = 0.0
// CHECK-NEXT:   red i[%n]
// CHECK-NEXT:     s = fadd(s, %x[i])
// CHECK-NEXT:   needs    inrange(1 <= %n <= 9223372036854775807)

// A chain of comparisons, which becomes a switch, and is one again.
// CHECK-LABEL: kernel 0 @chosen {{.*}}f32
// CHECK:         par i[%m] par j[%n]
// CHECK:           = %d[j]  where {{.*}}%which == 4
// CHECK:           red k[%k]
void chosen(long m, long n, long k, const float *a, const float *b,
            const float *d, int which, float *restrict c) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float s = 0;
      if (which == 0)
        s = d[0];
      if (which == 1)
        s = d[i];
      if (which == 3)
        s = d[i * n + j];
      if (which == 4)
        s = d[j];
      for (long l = 0; l < k; l++)
        s += a[i * k + l] * b[l * n + j];
      c[i * n + j] = s;
    }
}
