// Correctly rounded functions: the same bits on every machine, with every flag, for
// vectors of every length and for scalars. The numbers have been compared with MPFR's
// (utils/math/correct.py).
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -O3
// DEFINE: %{options} = math=correct
// DEFINE: %{run} =
// DEFINE: %{check} = \
// DEFINE:   env DLOPT_OPTIONS='%{options}' %clang_dl %{flags} -ffp-contract=off -Rpass=dl-vectorize -c %s -o %t.o 2>%t.remarks && \
// DEFINE:   FileCheck %s --input-file=%t.remarks --check-prefix=REMARK && \
// DEFINE:   %clang %{flags} -static %t.o -lm -o %t && %{run} %t | FileCheck %s
//
// Old vectors, and newer ones chosen as it runs.
// REDEFINE: %{options} = math=correct;dispatch=0
// RUN: %{check}
// REDEFINE: %{options} = math=correct
// RUN: %if long %{ %{check} %}
// REDEFINE: %{options} = math=correct;libm=unknown
// RUN: %if long %{ %{check} %}
// REDEFINE: %{options} = math=correct
//
// Math functions as intrinsics, and with flags that permit approximations.
// REDEFINE: %{flags} = -O3 -fno-math-errno -march=native
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -fno-math-errno
// RUN: %if long %{ %{check} %}
// REDEFINE: %{flags} = -O3 -fno-math-errno -fapprox-func
// RUN: %if long %{ %{check} %}
// REDEFINE: %{flags} = -O1
// RUN: %if long %{ %{check} %}
//
// No loop is taken: all are scalars.
// RUN: %if long %{ env DLOPT_OPTIONS='math=correct;disable=dl-vectorize' %clang_dl -O2 -ffp-contract=off %s -static -lm -o %t && %t | FileCheck %s %}
//
// The C library's functions, for which nothing is known of other machines.
// RUN: %clang_dl -mllvm -dl-%dispatch -O3 -ffp-contract=off %s -static -lm -o %t && %t | FileCheck %s --check-prefix=LIBRARY
//
// REMARK-COUNT-22: : correct,
//
// CHECK: exp 125e0705{{$}}
// CHECK-NEXT: exp2 7649dda3{{$}}
// CHECK-NEXT: expm1 397938da{{$}}
// CHECK-NEXT: log 7df28099{{$}}
// CHECK-NEXT: log2 bd994a67{{$}}
// CHECK-NEXT: log10 1ed30f3b{{$}}
// CHECK-NEXT: log1p 5d821727{{$}}
// CHECK-NEXT: tanh 6b51a0df{{$}}
// CHECK-NEXT: sinh 8c346005{{$}}
// CHECK-NEXT: cosh bf18c238{{$}}
// CHECK-NEXT: erf 897f121d{{$}}
// CHECK-NEXT: erfc f7fa64c6{{$}}
// CHECK-NEXT: sin ce153d91{{$}}
// CHECK-NEXT: cos 5df5bc3f{{$}}
// CHECK-NEXT: tan 3d955e69{{$}}
// CHECK-NEXT: asin 0fc95479{{$}}
// CHECK-NEXT: acos 80135de0{{$}}
// CHECK-NEXT: atan a0431895{{$}}
// CHECK-NEXT: cbrt aaf16de5{{$}}
// CHECK-NEXT: pow 974932fe{{$}}
// CHECK-NEXT: hypot d664981f{{$}}
// CHECK-NEXT: middles 23ecb2f9{{$}}
// CHECK-NEXT: softmax d077b20e{{$}}
// LIBRARY-NOT: {{(exp|tanh|pow|middles) (125e0705|6b51a0df|974932fe|23ecb2f9)$}}
// LIBRARY: softmax
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { N = 5000, Rows = 11, Columns = 37 };

static uint32_t bits(float x) {
  uint32_t u;
  memcpy(&u, &x, 4);
  return x == x ? u : 0x7fc00000;
}

static uint32_t hash(const float *y, long n) {
  uint32_t h = 2166136261u;
  for (long i = 0; i < n; i++)
    h = (h ^ bits(y[i])) * 16777619u;
  return h;
}

#define FUNCTIONS(F)                                                           \
  F(exp) F(exp2) F(expm1) F(log) F(log2) F(log10) F(log1p) F(tanh) F(sinh)     \
  F(cosh) F(erf) F(erfc) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(cbrt)

#define MAP(NAME)                                                              \
  __attribute__((noinline)) void map_##NAME(float *restrict y,                 \
                                            const float *restrict x, long n) { \
    for (long i = 0; i < n; i++)                                               \
      y[i] = NAME##f(x[i]);                                                    \
  }                                                                            \
  __attribute__((noinline)) float one_##NAME(float x) { return NAME##f(x); }
FUNCTIONS(MAP)

#define MAP2(NAME)                                                             \
  __attribute__((noinline)) void map_##NAME(                                   \
      float *restrict y, const float *restrict x, const float *restrict z,     \
      long n) {                                                                \
    for (long i = 0; i < n; i++)                                               \
      y[i] = NAME##f(x[i], z[i]);                                              \
  }                                                                            \
  __attribute__((noinline)) float one_##NAME(float x, float z) {               \
    return NAME##f(x, z);                                                      \
  }
MAP2(pow)
MAP2(hypot)

__attribute__((noinline)) void softmax(float *restrict y,
                                       const float *restrict x) {
  for (long r = 0; r < Rows; r++) {
    float max = x[r * Columns], sum = 0;
    for (long i = 1; i < Columns; i++)
      max = x[r * Columns + i] > max ? x[r * Columns + i] : max;
    for (long i = 0; i < Columns; i++) {
      y[r * Columns + i] = expf(x[r * Columns + i] - max);
      sum += y[r * Columns + i];
    }
    for (long i = 0; i < Columns; i++)
      y[r * Columns + i] /= sum;
  }
}

static uint32_t state = 1;
static uint32_t draw(void) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static const float special[] = {
    0,        -0.0f,      1,          -1,        INFINITY,   -INFINITY,
    NAN,      0.5f,       -0.5f,      2,         10,         100,
    -100,     0x1p-149f,  -0x1p-149f, 0x1p-126f, 0x1p127f,   -0x1p127f,
    88.7228f, 88.7229f,   -87.3366f,  -103.972f, -103.973f,  128,
    -150,     -149.5f,    0x1.8p-149f, 1000,     0x1.5dp-25f, -0x1.fffffep-1f};
enum { NumSpecial = sizeof special / sizeof *special };

/// Numbers near 1 and of every size, and special ones.
static void fill(float *x) {
  for (long i = 0; i < N; i++) {
    uint32_t mantissa = draw() & 0x7fffff, sign = draw() & 1;
    uint32_t exponent = i % 4 ? 118 + draw() % 14 : 1 + draw() % 254;
    uint32_t u = sign << 31 | exponent << 23 | mantissa;
    memcpy(&x[i], &u, 4);
  }
  memcpy(x, special, sizeof special);
}

/// Powers in the middle between two floats, and next to it.
static long fillPowers(float *x, float *z) {
  static const float exponents[] = {2, 3, 4, 5, 0.5f, 1.5f, 0.25f, -1, -2, 7};
  for (long i = 0; i < N; i++) {
    z[i] = exponents[i % 10];
    x[i] = (float)(draw() % 8192 * 2 + 1);
    if (z[i] == 0.5f || z[i] == 1.5f)
      x[i] *= x[i];
    if (i % 7 == 0)
      x[i] = 0x1p-75f * (float)(draw() % 8 + 1), z[i] = 2;
  }
  return N;
}

static float x[N], z[N], y[N], w[N];

/// Vectors and scalars must agree; the number is that of both.
static void report(const char *name) {
  uint32_t h = hash(y, N);
  printf("%s %08x%s\n", name, (unsigned)h, h == hash(w, N) ? "" : " differs");
}

int main(void) {
  fill(x);
#define RUN(NAME)                                                              \
  map_##NAME(y, x, N);                                                         \
  for (long i = 0; i < N; i++)                                                 \
    w[i] = one_##NAME(x[i]);                                                   \
  report(#NAME);
  FUNCTIONS(RUN)
  fill(z);
  memcpy(z, special + 1, sizeof special - sizeof *special);
#define RUN2(NAME, WHAT)                                                       \
  map_##NAME(y, x, z, N);                                                      \
  for (long i = 0; i < N; i++)                                                 \
    w[i] = one_##NAME(x[i], z[i]);                                             \
  report(WHAT);
  RUN2(pow, "pow")
  RUN2(hypot, "hypot")
  fillPowers(x, z);
  RUN2(pow, "middles")
  fill(x);
  for (long i = 0; i < N; i++)
    x[i] = x[i] > -9 && x[i] < 9 ? x[i] : 0.25f;
  softmax(y, x);
  printf("softmax %08x\n", (unsigned)hash(y, Rows * Columns));
  return 0;
}
