// Activations with math functions and their derivatives, in several spellings: each
// is taken, and each is what it is in double. Rows of all lengths end at a page that
// must not be touched, and begin behind one.
// RUN: env DLOPT_OPTIONS=fp=fast %clang_dl -O3 -march=x86-64-v3 -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %if avx2 %{ %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s %}
// RUN: env 'DLOPT_OPTIONS=fp=fast;math=4ulp' %clang_dl -O3 -march=x86-64-v3 -DPART -c %s -o %t.o
// RUN: %if avx2 %{ %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s %}
// RUN: %clang_dl -O3 -ffast-math -DPART -Rpass=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=FLAGS
// RUN: %clang -O1 %s %t.o -lm -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK-COUNT-24: f32, {{.*}}: approximated
// REMARK-NOT: approximated
// FLAGS-COUNT-24: f32, {{.*}}: approximated
// CHECK: 24 functions, {{[1-9][0-9]*}} runs, 0 wrong
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define SQUARE(X) ((X) * (X))
#define MAX(X, Y) ((X) > (Y) ? (X) : (Y))
#define MIN(X, Y) ((X) < (Y) ? (X) : (Y))
#define SOFTPLUS(X) log1pf(expf(X))
static inline float logistic(float x) { return 1 / (1 + expf(-x)); }
static inline float getGate(const float *p) { return logistic(*p); }

// Name, of x and, for derivatives, of the gradient g; the same in double.
#define FUNCTIONS(X)                                                           \
  X(elu_above, x > 0 ? x : expf(x) - 1, x > 0 ? x : exp(x) - 1)                \
  X(elu_below, x < 0 ? expf(x) - 1 : x, x > 0 ? x : exp(x) - 1)                \
  X(elu_not_below, x >= 0 ? x : expf(x) - 1, x > 0 ? x : exp(x) - 1)           \
  X(elu_not, !(x < 0) ? x : expf(x) - 1, x > 0 ? x : exp(x) - 1)               \
  X(elu_expm1, x > 0 ? x : expm1f(x), x > 0 ? x : exp(x) - 1)                  \
  X(elu_max, fmaxf(x, 0) + expf(fminf(x, 0)) - 1, x > 0 ? x : exp(x) - 1)      \
  X(elu_macro, MAX(x, 0) + expf(MIN(0, x)) - 1, x > 0 ? x : exp(x) - 1)        \
  X(selu, 1.0507f * (x > 0 ? x : 1.67326f * (expf(x) - 1)),                    \
    1.0507 * (x > 0 ? x : 1.67326 * (exp(x) - 1)))                             \
  X(celu, fmaxf(0, x) + fminf(0, 2 * (expf(x / 2) - 1)),                       \
    x > 0 ? x : 2 * (exp(x / 2) - 1))                                          \
  X(sigmoid, 1.0f / (1.0f + expf(-x)), 1 / (1 + exp(-x)))                      \
  X(sigmoid_helper, logistic(x), 1 / (1 + exp(-x)))                            \
  X(sigmoid_pointer, getGate(a + i), 1 / (1 + exp(-x)))                        \
  X(sigmoid_tanh, 0.5f * tanhf(0.5f * x) + 0.5f, 1 / (1 + exp(-x)))            \
  X(silu, x / (1 + expf(-x)), x / (1 + exp(-x)))                               \
  X(silu_product, x *logistic(x), x / (1 + exp(-x)))                           \
  X(softplus, logf(1 + expf(x)), log(1 + exp(x)))                              \
  X(softplus_stable, fmaxf(x, 0) + log1pf(expf(-fabsf(x))), log(1 + exp(x)))   \
  X(mish, x *tanhf(SOFTPLUS(x)), x *tanh(log(1 + exp(x))))                     \
  X(gelu_erf, 0.5f * x * (1 + erff(x * 0.70710678f)),                          \
    0.5 * x * (1 + erf(x * 0.7071067811865476)))                               \
  X(gelu_tanh,                                                                 \
    0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))),       \
    0.5 * x * (1 + tanh(0.7978845608 * (x + 0.044715 * x * x * x))))           \
  X(sigmoid_back, g *logistic(x) * (1 - logistic(x)),                          \
    g *exp(-x) / SQUARE(1 + exp(-x)))                                          \
  X(tanh_back, g *(1 - SQUARE(tanhf(x))), g *(1 - SQUARE(tanh(x))))            \
  X(elu_back, x > 0 ? g : g * expf(x), x > 0 ? g : g * exp(x))                 \
  X(softplus_back, g / (1 + expf(-x)), g / (1 + exp(-x)))

#ifdef PART
#define DEFINE(NAME, F, D)                                                     \
  void NAME(float *restrict to, const float *restrict a,                       \
            const float *restrict b, long n) {                                 \
    for (long i = 0; i < n; i++) {                                             \
      float x = a[i], g = b[i];                                                \
      (void)g;                                                                 \
      to[i] = F;                                                               \
    }                                                                          \
  }
FUNCTIONS(DEFINE)
#else
#define DECLARE(NAME, F, D)                                                    \
  void NAME(float *, const float *, const float *, long);
FUNCTIONS(DECLARE)

enum { MaxN = 70, Page = 4096 };
static int wrong, runs, functions;

/// A page between two that must not be touched.
static char *getPage(void) {
  char *p = mmap(0, 3 * Page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED || mprotect(p + Page, Page, PROT_READ | PROT_WRITE))
    abort();
  return p + Page;
}

static void check(const char *name, long n, double x, double got, double want) {
  if (!(fabs(got - want) <= 2e-6 * (1 + fabs(want))) && wrong++ < 20)
    printf("%s n %ld x %a: %a, not %a\n", name, n, x, got, want);
}

int main(void) {
  char *pages[] = {getPage(), getPage(), getPage()};
#define RUN(NAME, F, D)                                                        \
  functions++;                                                                 \
  for (long n = 0; n <= MaxN; n++)                                             \
    for (int end = 0; end < 2; end++) {                                        \
      float *p[3];                                                             \
      for (int k = 0; k < 3; k++)                                              \
        p[k] = (float *)(pages[k] + (end ? Page - 4 * n : 0));                 \
      for (long i = 0; i < n; i++) {                                           \
        p[1][i] = (float)(rand() % 16001 - 8000) / 1000;                       \
        p[2][i] = (float)(rand() % 2001 - 1000) / 500;                         \
      }                                                                        \
      NAME(p[0], p[1], p[2], n);                                               \
      runs++;                                                                  \
      for (long i = 0; i < n; i++) {                                           \
        double x = p[1][i], g = p[2][i];                                       \
        (void)g;                                                               \
        check(#NAME, n, x, p[0][i], D);                                        \
      }                                                                        \
    }
  FUNCTIONS(RUN)
  printf("%d functions, %d runs, %d wrong\n", functions, runs, wrong);
  return wrong != 0;
}
#endif
