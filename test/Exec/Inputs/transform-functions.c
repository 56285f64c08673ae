// Functions of the library in plain loops, and a program that compares two
// builds of them, errno too.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define MAPS(M)                                                                \
  M(exp, expf(x[i]))                                                           \
  M(exp2, exp2f(x[i]))                                                         \
  M(expm1, expm1f(x[i]))                                                       \
  M(tanh, tanhf(x[i]))                                                         \
  M(erf, erff(x[i]))                                                           \
  M(log, logf(x[i]))                                                           \
  M(log2, log2f(x[i]))                                                         \
  M(log10, log10f(x[i]))                                                       \
  M(log1p, log1pf(x[i]))                                                       \
  M(sin, sinf(x[i]))                                                           \
  M(cos, cosf(x[i]))                                                           \
  M(cbrt, cbrtf(x[i]))                                                         \
  M(sinh, sinhf(x[i]))                                                         \
  M(cosh, coshf(x[i]))                                                         \
  M(pow, powf(x[i], z[i]))                                                     \
  M(sqrt, sqrtf(x[i]))                                                         \
  M(sigmoid, 1 / (1 + expf(-x[i])))                                            \
  M(hypot, hypotf(x[i], z[i]))                                                 \
  M(twice, expf(x[i]) + tanhf(z[i]))
#define MAP(P, NAME)                                                           \
  void CAT(P, NAME)(long n, const float *x, const float *z, float *y)
#define ROWS(P, NAME)                                                          \
  void CAT(P, NAME)(long m, long n, const float *x, float *y)

#ifdef KERNELS
#define DEFINE(NAME, VALUE)                                                    \
  MAP(KERNELS, NAME) {                                                         \
    for (long i = 0; i < n; i++)                                               \
      y[i] = VALUE;                                                            \
  }
MAPS(DEFINE)
// Lanes that do not run must not call, either.
MAP(KERNELS, positive) {
  for (long i = 0; i < n; i++)
    if (z[i] > 0)
      y[i] = logf(x[i]);
}
ROWS(KERNELS, triangle) {
  for (long i = 0; i < m; i++)
    for (long j = i; j < n; j++)
      y[i * n + j] = expf(x[i * n + j] - x[i]);
}
ROWS(KERNELS, columns) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      y[i * n + j] = tanhf(expf(x[i * n + j]));
}
#else
#define DECLARE(NAME, VALUE) MAP(plain, NAME); MAP(dl, NAME);
MAPS(DECLARE)
DECLARE(positive, )
ROWS(plain, triangle);
ROWS(dl, triangle);
ROWS(plain, columns);
ROWS(dl, columns);
// The files beside those of test/Transform.
void plain_softmax(long M, long N, const float *x, float *y);
void softmax(long M, long N, const float *x, float *y);
void plain_attention(long H, long T, long D, const float *q, const float *k,
                     const float *v, float *out);
void attention(long H, long T, long D, const float *q, const float *k,
               const float *v, float *out);
void plain_by_nests(long H, long T, long D, const float *q, const float *k,
                    const float *v, float *s, float *out);
void attention_by_nests(long H, long T, long D, const float *q, const float *k,
                        const float *v, float *s, float *out);

enum { Most = 1 << 14 };
static float in[3][Most], out[2][Most], scores[2][Most];
static int compared, different, errors[2], set;

static float draw(int special) {
  static const float numbers[] = {0.0f,   -0.0f,   INFINITY, -INFINITY, NAN,
                                  1e-45f, -1e-39f, 3e38f,    -120,      88.7f};
  if (special && rand() % special == 0)
    return numbers[rand() % 10];
  return (rand() % 20001 - 10000) / 1777.0f;
}

static void start(int special) {
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < Most; i++)
      in[a][i] = draw(special);
  for (int i = 0; i < Most; i++)
    out[0][i] = out[1][i] = scores[0][i] = scores[1][i] = draw(special);
}

static void compare(const char *name, const float *x, const float *y) {
  for (int i = 0; i < Most; i++)
    if (memcmp(&x[i], &y[i], 4) && !(isnan(x[i]) && isnan(y[i]))) {
      printf("%s: element %d differs: %a, %a\n", name, i, x[i], y[i]);
      different++;
      return;
    }
}

// Runs plain and dl code, which leave out[0] and out[1].
#define COMPARE(NAME, PLAIN, OWN)                                              \
  do {                                                                         \
    errno = 0;                                                                 \
    PLAIN;                                                                     \
    errors[0] = errno;                                                         \
    errno = 0;                                                                 \
    OWN;                                                                       \
    errors[1] = errno;                                                         \
    compared++;                                                                \
    set += errors[0] != 0;                                                     \
    if (errors[0] != errors[1]) {                                              \
      printf("%s: errno differs: %d, %d\n", NAME, errors[0], errors[1]);       \
      different++;                                                             \
    }                                                                          \
    compare(NAME, out[0], out[1]);                                             \
    compare(NAME, scores[0], scores[1]);                                       \
  } while (0)

static void run(long a, long b, long c, int special) {
#define RUN(NAME, VALUE)                                                       \
  start(special);                                                              \
  COMPARE(#NAME, plain_##NAME(a * b, in[0], in[1], out[0]),                    \
          dl_##NAME(a * b, in[0], in[1], out[1]));
  MAPS(RUN)
  RUN(positive, )
  start(special);
  COMPARE("triangle", plain_triangle(a, b, in[0], out[0]),
          dl_triangle(a, b, in[0], out[1]));
  COMPARE("columns", plain_columns(a, b, in[0], out[0]),
          dl_columns(a, b, in[0], out[1]));
  start(special);
  COMPARE("softmax", plain_softmax(a, b, in[0], out[0]),
          softmax(a, b, in[0], out[1]));
  start(special);
  COMPARE("attention", plain_attention(c % 3, a, b, in[0], in[1], in[2], out[0]),
          attention(c % 3, a, b, in[0], in[1], in[2], out[1]));
  start(special);
  COMPARE("attention by nests",
          plain_by_nests(c % 3, a, b, in[0], in[1], in[2], scores[0], out[0]),
          attention_by_nests(c % 3, a, b, in[0], in[1], in[2], scores[1],
                             out[1]));
  // Arrays that overlap what is written: the original loops run, or it is right.
  start(special);
  COMPARE("exp behind itself", plain_exp(a * b, out[0] + 1, in[1], out[0]),
          dl_exp(a * b, out[1] + 1, in[1], out[1]));
  COMPARE("exp in front", plain_exp(a * b, out[0], in[1], out[0] + 1),
          dl_exp(a * b, out[1], in[1], out[1] + 1));
  COMPARE("softmax in place", plain_softmax(a, b, out[0], out[0]),
          softmax(a, b, out[1], out[1]));
  COMPARE("attention in place",
          plain_attention(1, a, b, out[0] + 3, in[1], in[2], out[0]),
          attention(1, a, b, out[1] + 3, in[1], in[2], out[1]));
}

int main(void) {
  for (int i = 0; i < 90; i++)
    run(rand() % 40, rand() % (i % 10 ? 40 : 150), rand(), i % 3 ? 30 << i % 5 : 0);
  printf("%d compared, %d differ; errno %s\n", compared, different,
         set > 100 && set < compared - 100 ? "set by some" : "says nothing");
  return different != 0;
}
#endif
