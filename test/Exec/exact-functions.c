// Math functions that vectors compute with the bits of the library that the program
// meets, each by its models: glibc's, correctly rounded ones, and ones that no model
// fits, which are called. errno is what it is without the plugin, and the last
// error where a function has two.
//
// REQUIRES: native-x86, avx2
// DEFINE: %{flags} = -march=haswell
// DEFINE: %{library} =
// DEFINE: %{errno} =
// DEFINE: %{run} = \
// DEFINE:   %clang -O1 -fno-builtin %{library} %{errno} %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -ffp-contract=on -DKERNELS=plain %{errno} %s -c -o %t.plain.o && \
// DEFINE:   %clang_dl -O3 %{flags} -Rpass=dl-vectorize -DKERNELS=dl %{errno} %s -c -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && %{run}
//
// RUN: %{check}
// REDEFINE: %{library} = -DLIBRARY(f,x)=(float)f(x)
// RUN: %{run}
// REDEFINE: %{library} = -DLIBRARY(f,x)=nextafterf((float)f(x),9)
// RUN: %if long %{ %{run} %}
// REDEFINE: %{library} = '-DLIBRARY(f,x)=(float)(f(x)*(1+0x1p-29))'
// RUN: %{run}
// Vectors of four, of which some tables are longer.
// REDEFINE: %{library} =
// REDEFINE: %{flags} = -march=x86-64 -O1
// RUN: %if long %{ %{check} %}
// REDEFINE: %{errno} = -DWITHOUT_ERRNO
// REDEFINE: %{flags} = -march=haswell -fno-math-errno
// RUN: %if long %{ %{check} %}
//
// What is rounded twice is not fused, whatever the back end may do.
// REDEFINE: %{flags} = -march=haswell -Xclang -ffp-contract=fast -fno-math-errno
// RUN: %{check}
//
// The code for AVX-512, which the back end splits.
// RUN: %clang_dl -O3 -march=znver4 -fno-math-errno -DKERNELS=dl %{errno} -S -emit-llvm %s -o %t.512.ll
// RUN: FileCheck %s --input-file=%t.512.ll --check-prefix=WIDE
// RUN: sed -E 's/"(target-cpu|target-features|tune-cpu)"="[^"]*"//g; s/@llvm\.x86\.avx512\.(vpermi2var|permvar)/@pick.\1/; /^declare .*@pick/d' %t.512.ll > %t.dl.ll
// RUN: cat %S/Inputs/wide-permutations.ll >> %t.dl.ll
// RUN: %clang -O1 -march=haswell -Xclang -disable-llvm-passes -c %t.dl.ll -o %t.dl.o
// RUN: %clang -O3 -march=haswell -DKERNELS=plain %{errno} %s -c -o %t.plain.o
// RUN: %clang -O1 -fno-builtin %{errno} %s %t.plain.o %t.dl.o -lm -o %t
// RUN: %t | FileCheck %s
// WIDE: fmul <16 x float>
// REMARK-COUNT-24: exact
// CHECK-NOT: differs
// CHECK: 16000 arrays
#include <math.h>
#define ARGUMENTS float *restrict y, const float *restrict x, long n
#define FUNCTIONS(F)                                                           \
  F(tanhs, tanhf(x[i]))                                                        \
  F(erfs, erff(x[i]))                                                          \
  F(expm1s, expm1f(x[i]))                                                      \
  F(exp2s, exp2f(x[i]))                                                        \
  F(log1ps, log1pf(x[i]))                                                      \
  F(gelu, 0.5f * x[i] * (1 + erff(x[i] * 0.70710678f)))                        \
  F(gelu_tanh, 0.5f * x[i] * (1 + tanhf(0.79788456f * x[i])))                  \
  F(elu, x[i] > 0 ? x[i] : expm1f(x[i]))                                       \
  F(logs, logf(x[i]))                                                          \
  F(log2s, log2f(x[i]))                                                        \
  F(log10s, log10f(x[i]))                                                      \
  F(sins, sinf(x[i]))                                                          \
  F(coss, cosf(x[i]))                                                          \
  F(sines, sinf(x[i]) * cosf(y[i]))                                            \
  F(sinhs, sinhf(x[i]))                                                        \
  F(coshs, coshf(x[i]))                                                        \
  F(pows, powf(x[i], y[i]))                                                    \
  F(cubes, powf(x[i], 3))                                                      \
  F(gammas, powf(x[i] * x[i], 2.2f) - powf(fabsf(x[i]), y[i]))                 \
  F(log_exp, logf(1 + expf(x[i])))                                             \
  F(backwards, logf(x[n - 1 - i]))                                             \
  F(some, x[i] > 0.5f ? logf(x[i] - 1) : x[i])                                 \
  F(two_logs, logf(x[i]) + logf(y[i]))                                         \
  F(softplus, log1pf(expf(x[i])))                                              \
  F(mixed, tanhf(x[i]) - expm1f(y[i]))

// What LLVM has no name for is computed where it has no effects.
#ifdef WITHOUT_ERRNO
#define PURE(F) F(erfcs, erfcf(x[i]))
#else
#define PURE(F)
#endif

// By a conversion that not every emulator runs.
#ifdef WITHOUT_ROOTS
#define ROOTS(F)
#else
#define ROOTS(F) F(cbrts, cbrtf(x[i]))
#endif

#ifdef KERNELS
#define NAME2(A, B) A##_##B
#define NAME1(A, B) NAME2(A, B)
#define F(NAME, VALUE)                                                         \
  void NAME1(KERNELS, NAME)(ARGUMENTS) {                                       \
    for (long i = 0; i < n; i++)                                               \
      y[i] = VALUE;                                                            \
  }
FUNCTIONS(F)
ROOTS(F)
PURE(F)
// From behind, and by rows.
void NAME1(KERNELS, descending)(ARGUMENTS) {
  for (long i = n - 1; i >= 0; i--)
    y[i] = logf(x[i]);
}
void NAME1(KERNELS, rows)(ARGUMENTS) {
  for (long r = 0; r < n / 8; r++)
    for (long i = 0; i < 8; i++)
      y[r * 8 + i] = log1pf(x[r * 8 + i]) * 2;
}
void NAME1(KERNELS, columns)(ARGUMENTS) {
  for (long i = 0; i < 8; i++)
    for (long r = 0; r < n / 8; r++)
      y[r * 8 + i] = logf(x[r * 8 + i]);
}
void NAME1(KERNELS, tiles)(ARGUMENTS) {
  for (long t = 0; t + 16 <= n; t += 16)
    for (long j = 0; j < 4; j++)
      for (long i = 0; i < 4; i++)
        y[t + i * 4 + j] = log1pf(x[t + i * 4 + j]);
}
void NAME1(KERNELS, twice)(ARGUMENTS) {
  for (long i = 0; i < n; i++)
    y[i] = logf(x[i]);
  for (long i = 0; i < n; i++)
    y[i] += log1pf(x[i]);
}
void NAME1(KERNELS, normal)(ARGUMENTS) {
  for (long r = 0; r < n / 8; r++) {
    float sum = 0;
    for (long i = 0; i < 8; i++)
      sum += x[r * 8 + i];
    float shift = logf(sum);
    for (long i = 0; i < 8; i++)
      y[r * 8 + i] = logf(x[r * 8 + i]) - shift;
  }
}
#else
#include <errno.h>
#include <stdio.h>
#include <string.h>

#ifdef LIBRARY
static float library(double (*f)(double), float x) { return LIBRARY(f, x); }
#define DEFINE(NAME, IS_DOMAIN, IS_RANGE)                                      \
  float NAME##f(float x) {                                                     \
    float y = library(NAME, x);                                                \
    if (IS_DOMAIN)                                                             \
      errno = EDOM;                                                            \
    else if (IS_RANGE)                                                         \
      errno = ERANGE;                                                          \
    return y;                                                                  \
  }
DEFINE(tanh, 0, 0)
DEFINE(erf, 0, 0)
DEFINE(expm1, 0, isfinite(x) && isinf(y))
DEFINE(exp2, 0, isfinite(x) && (isinf(y) || y == 0))
DEFINE(exp, 0, isfinite(x) && (isinf(y) || y == 0))
DEFINE(log1p, x < -1, x == -1)
DEFINE(log, x < 0, x == 0)
DEFINE(log2, x < 0, x == 0)
DEFINE(log10, x < 0, x == 0)
DEFINE(sin, isinf(x), 0)
DEFINE(cos, isinf(x), 0)
DEFINE(cbrt, 0, 0)
DEFINE(sinh, 0, isfinite(x) && isinf(y))
DEFINE(cosh, 0, isfinite(x) && isinf(y))
DEFINE(erfc, 0, isfinite(x) && y == 0)
// By a function of one argument.
static double Exponent;
static double power(double x) { return pow(x, Exponent); }
float powf(float x, float e) {
  Exponent = e;
  float y = library(power, x);
  int isFinite = isfinite(x) && isfinite(e);
  if (isFinite && isnan(y))
    errno = EDOM;
  else if (isFinite && (isinf(y) || (y == 0 && x != 0)))
    errno = ERANGE;
  return y;
}
#endif

enum { MOST = 97, ARRAYS = 16000 };
typedef void Kernel(ARGUMENTS);
#define OTHERS(F)                                                              \
  F(descending, )                                                              \
  F(rows, ) F(columns, ) F(tiles, ) F(twice, ) F(normal, )
#define F(NAME, VALUE) Kernel plain_##NAME, dl_##NAME;
FUNCTIONS(F)
ROOTS(F)
PURE(F)
OTHERS(F)
#undef F
#define F(NAME, VALUE) {#NAME, plain_##NAME, dl_##NAME},
static const struct {
  const char *name;
  Kernel *plain, *dl;
} Kinds[] = {FUNCTIONS(F) ROOTS(F) PURE(F) OTHERS(F)};
enum { KINDS = sizeof Kinds / sizeof *Kinds };

static unsigned Seed = 1;
static unsigned draw(void) {
  return (Seed = Seed * 1664525u + 1013904223u) >> 8;
}

static float number(int how) {
  unsigned bits = draw() << 8 ^ draw();
  float x;
  memcpy(&x, &bits, 4);
  // Any number; of the usual range; results that are nearly none; next to zero; few
  // errors of two kinds.
  if (how % 5 == 4)
    x = draw() % 64 ? 1 + (float)draw() / (1 << 23) : (float)(draw() % 4) - 2;
  else if (how % 4 == 1)
    x = ((float)draw() / (1 << 23) - 1) * 7;
  else if (how % 4 == 2)
    x = ((float)draw() / (1 << 23) - 1) * 140;
  else if (how % 4 == 3)
    x = draw() % 8 ? ldexpf((float)draw() / (1 << 23) - 1, -(int)(draw() % 150)) : 0;
  return x;
}

int main(void) {
  static float x[MOST], y[2][MOST], start[MOST];
  for (int r = 0; r < ARRAYS; r++) {
    for (int i = 0; i < MOST; i++) {
      x[i] = number(r / KINDS);
      start[i] = number(1);
    }
    int errors[2], k = r % KINDS;
    for (int b = 0; b < 2; b++) {
      memcpy(y[b], start, sizeof start);
      errno = 0;
      (b ? Kinds[k].dl : Kinds[k].plain)(y[b], x, r % (MOST + 1));
      errors[b] = errno;
    }
#ifdef WITHOUT_ERRNO
    errors[0] = errors[1];
#endif
    for (int i = 0; i < MOST; i++)
      if (memcmp(&y[0][i], &y[1][i], 4) && !(isnan(y[0][i]) && isnan(y[1][i])))
        printf("%s differs at %a: %a %a\n", Kinds[k].name, x[i], y[0][i], y[1][i]);
    if (errors[0] != errors[1])
      printf("errno of %s differs: %d %d\n", Kinds[k].name, errors[0], errors[1]);
  }
  printf("%d arrays\n", ARRAYS);
  return 0;
}
#endif
