// Maps with math functions and sums whose flags allow another order. Built with
// -DPART they are the functions, else the program that checks them against the
// same in double.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAPS(X)                                                                \
  X(exp, expf(x), exp(x))                                                      \
  X(exp2, exp2f(x), exp2(x))                                                   \
  X(log, logf(x), log(x))                                                      \
  X(tanh, tanhf(x), tanh(x))                                                   \
  X(erf, erff(x), erf(x))                                                      \
  X(sigmoid, 1.0f / (1.0f + expf(-x)), 1.0 / (1.0 + exp(-x)))                  \
  X(silu, x / (1.0f + expf(-x)), x / (1.0 + exp(-x)))                          \
  X(elu, x > 0.0f ? x : 0.5f * (expf(x) - 1.0f),                               \
    x > 0.0 ? x : 0.5 * (exp(x) - 1.0))
#define SUMS(X)                                                                \
  X(sum, s + a[i], s + a[i])                                                   \
  X(difference, s - a[i] * b[i], s - (double)a[i] * b[i])                      \
  X(dot, s + a[i] * b[i], s + (double)a[i] * b[i])                             \
  X(product, s * (1.0f + 0.001f * b[i]), s * (1.0 + 0.001 * b[i]))             \
  X(max, a[i] > s ? a[i] : s, a[i] > s ? a[i] : s)                             \
  X(min, fminf(s, a[i]), fmin(s, a[i]))                                        \
  X(sumexp, s + expf(b[i]), s + exp(b[i]))

#ifdef PART
#define MAP(NAME, F, D)                                                        \
  void map_##NAME(float *restrict to, const float *restrict from, long n) {    \
    for (long i = 0; i < n; i++) {                                             \
      float x = from[i];                                                       \
      to[i] = F;                                                               \
    }                                                                          \
  }
MAPS(MAP)
#define SUM(NAME, F, D)                                                        \
  float sum_##NAME(float s, const float *a, const float *b, long n) {          \
    for (long i = 0; i < n; i++)                                               \
      s = F;                                                                   \
    return s;                                                                  \
  }
SUMS(SUM)
// The last that is a number, or the start if that is none: no order.
float last(float s, const float *a, long n) {
  for (long i = 0; i < n; i++)
    s = __builtin_isunordered(s, a[i]) ? s : a[i];
  return s;
}
int sum_int(int s, const int *a, const int *b, long n) {
  for (long i = 0; i < n; i++)
    s += a[i] * b[i];
  return s;
}
void softmax(float *restrict to, const float *restrict from, long m, long n) {
  for (long i = 0; i < m; i++) {
    float max = from[i * n], sum = 0;
    for (long j = 1; j < n; j++)
      max = from[i * n + j] > max ? from[i * n + j] : max;
    for (long j = 0; j < n; j++) {
      to[i * n + j] = expf(from[i * n + j] - max);
      sum += to[i * n + j];
    }
    for (long j = 0; j < n; j++)
      to[i * n + j] /= sum;
  }
}
#else
#define DECLARE(NAME, F, D) void map_##NAME(float *, const float *, long);
MAPS(DECLARE)
#define DECLARE_SUM(NAME, F, D)                                                \
  float sum_##NAME(float, const float *, const float *, long);
SUMS(DECLARE_SUM)
float last(float, const float *, long);
int sum_int(int, const int *, const int *, long);
void softmax(float *, const float *, long, long);

enum { MaxN = 133, Pad = 16 };
static int failures;

// Errors in units of the last place; of the smallest number below those.
static double getError(float got, double wanted) {
  if (isnan(wanted) || isnan(got))
    return isnan(wanted) && isnan(got) ? 0 : INFINITY;
  if ((float)wanted == got)
    return 0;
  if (isinf(got) || isinf((float)wanted))
    return INFINITY;
  int exponent;
  frexp(wanted, &exponent);
  return fabs(got - wanted) / ldexp(1, fmax(exponent - 24, -149));
}

static void fail(const char *name, long n, long i, double got, double wanted) {
  if (failures++ < 20)
    printf("%s n %ld i %ld: %a, not %a\n", name, n, i, got, wanted);
}

static float draw(void) { return (rand() % 20001 - 10000) / 1000.0f; }

static float special(long i) {
  static const float values[] = {0.0f,   -0.0f,   INFINITY, -INFINITY, NAN,
                                 1e-42f, -1e-42f, FLT_MIN,  FLT_MAX,   -FLT_MAX,
                                 88.7f,  -88.0f,  -103.0f,  89.0f,     1.0f};
  return values[i % (sizeof values / sizeof *values)];
}

// Steps of these round, overflow or cancel before the last.
static int isComposed(const char *name) {
  return !strcmp(name, "sigmoid") || !strcmp(name, "silu") ||
         !strcmp(name, "elu");
}

static void checkMaps(int specials) {
  static float from[MaxN + Pad], to[MaxN + 2 * Pad];
  for (long n = 0; n <= MaxN; n++)
    for (int offset = 0; offset < 3; offset++) {
      for (long i = 0; i < n; i++)
        from[offset + i] = specials && rand() % 2 ? special(rand()) : draw();
#define CHECK(NAME, F, D)                                                      \
  memset(to, 0x5a, sizeof to);                                                 \
  map_##NAME(to + Pad + offset, from + offset, n);                             \
  for (long i = -Pad; i < n + Pad - offset; i++) {                             \
    float got = to[Pad + offset + i], before;                                  \
    memset(&before, 0x5a, sizeof before);                                      \
    if (i < 0 || i >= n) {                                                     \
      if (memcmp(&got, &before, sizeof got))                                   \
        fail(#NAME " beyond", n, i, got, before);                              \
      continue;                                                                \
    }                                                                          \
    double x = from[offset + i], wanted = D;                                   \
    if (getError(got, wanted) > 5 &&                                           \
        !(isComposed(#NAME) && fabs(got - wanted) < 1e-7))                     \
      fail(#NAME, n, i, got, wanted);                                          \
  }
      MAPS(CHECK)
    }
}

static void checkSums(void) {
  static float a[MaxN], b[MaxN];
  static int p[MaxN], q[MaxN];
  for (long n = 0; n <= MaxN; n++) {
    int start = rand(), sum = start;
    for (long i = 0; i < n; i++) {
      a[i] = draw();
      b[i] = draw() / 5;
      p[i] = rand();
      q[i] = rand();
      sum = (int)((unsigned)sum + (unsigned)p[i] * (unsigned)q[i]);
    }
    if (sum_int(start, p, q, n) != sum)
      fail("int", n, 0, sum_int(start, p, q, n), sum);
#define CHECK_SUM(NAME, F, D)                                                  \
  {                                                                            \
    double s = 2.5, scale = 1;                                                 \
    for (long i = 0; i < n; i++) {                                             \
      s = D;                                                                   \
      scale += fabs(a[i] * b[i]) + fabs(a[i]) + exp(b[i]);                     \
    }                                                                          \
    float got = sum_##NAME(2.5f, a, b, n);                                     \
    if (!(fabs(got - s) <= 1e-5 * scale))                                      \
      fail(#NAME, n, 0, got, s);                                               \
  }
    SUMS(CHECK_SUM)
  }
}

// What is no number is ignored by this maximum, unless it is the start.
static void checkNaNs(void) {
  static float a[MaxN];
  for (int at = 0; at < MaxN; at++) {
    for (int i = 0; i < MaxN; i++)
      a[i] = i == at ? NAN : i - 60;
    float wanted = at == MaxN - 1 ? MaxN - 62 : MaxN - 61;
    if (sum_max(-100, a, a, MaxN) != wanted)
      fail("max", MaxN, at, sum_max(-100, a, a, MaxN), wanted);
    if (last(-100, a, MaxN) != wanted)
      fail("last", MaxN, at, last(-100, a, MaxN), wanted);
    if (!isnan(sum_max(NAN, a, a, MaxN)))
      fail("max of NaN", MaxN, at, sum_max(NAN, a, a, MaxN), NAN);
  }
}

// Infinities of both signs are no sum.
static void checkInfinities(void) {
  static float a[MaxN];
  for (int n = 1; n < MaxN; n++) {
    for (int i = 0; i < n; i++)
      a[i] = i == n - 1 ? INFINITY : 1;
    if (!isnan(sum_sumexp(-INFINITY, a, a, n)))
      fail("sumexp", n, n - 1, sum_sumexp(-INFINITY, a, a, n), NAN);
  }
}

static void checkSoftmax(void) {
  static float from[7 * MaxN], to[7 * MaxN];
  for (long n = 1; n <= MaxN; n++) {
    for (long i = 0; i < 7 * n; i++)
      from[i] = draw();
    softmax(to, from, 7, n);
    for (long i = 0; i < 7; i++) {
      double sum = 0;
      for (long j = 0; j < n; j++)
        sum += exp(from[i * n + j]);
      for (long j = 0; j < n; j++)
        if (getError(to[i * n + j], exp(from[i * n + j]) / sum) > 64)
          fail("softmax", n, j, to[i * n + j], exp(from[i * n + j]) / sum);
    }
  }
}

int main(int argc, char **argv) {
  srand(argc > 1 ? atoi(argv[1]) : 1);
  checkMaps(0);
  checkMaps(1);
  checkSums();
  if (argc <= 2) // -ffast-math promises that there is none
    checkNaNs();
  checkInfinities();
  checkSoftmax();
  printf("%d failures\n", failures);
  return failures != 0;
}
#endif
