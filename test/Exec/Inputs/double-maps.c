// Maps with math functions of double. Built with -DPART they are the functions,
// else the program that checks them against the C library.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Of x, and of x and y.
#define MAPS(X)                                                                \
  X(erf, erf(x))                                                               \
  X(erfc, erfc(x))                                                             \
  X(sin, sin(x))                                                               \
  X(cos, cos(x))                                                               \
  X(pow, pow(x, y))                                                            \
  X(gelu, 0.5 * x * (1.0 + erf(x * 0x1.6a09e667f3bcdp-1)))

#ifdef PART
#define MAP(NAME, F)                                                           \
  void map_##NAME(double *restrict to, const double *restrict from,            \
                  const double *restrict with, long n) {                       \
    for (long i = 0; i < n; i++) {                                             \
      double x = from[i], y = with[i];                                         \
      to[i] = F;                                                               \
      (void)y;                                                                 \
    }                                                                          \
  }
MAPS(MAP)
#else
#define DECLARE(NAME, F)                                                       \
  void map_##NAME(double *, const double *, const double *, long);
MAPS(DECLARE)

enum { MaxN = 37, Pad = 16 };
static int failures;

// In units in the last place; of the smallest number below those.
static double getError(double got, double wanted) {
  if (isnan(wanted) || isnan(got))
    return isnan(wanted) && isnan(got) ? 0 : INFINITY;
  if (wanted == got)
    return signbit(wanted) == signbit(got) ? 0 : INFINITY;
  if (isinf(got) || isinf(wanted))
    return INFINITY;
  int exponent;
  frexp(wanted, &exponent);
  return fabs(got - wanted) /
         ldexp(1, exponent < -1021 ? -1074 : exponent - 53);
}

static double random01(void) {
  return (rand() + (double)rand() / RAND_MAX) / (RAND_MAX + 1.0);
}

static double draw(int specials) {
  static const double values[] = {
      0.0,     -0.0,   INFINITY, -INFINITY, NAN,     5e-324, -5e-324, DBL_MIN,
      DBL_MAX, 1e-310, 1.0,      -1.0,      2.0,     -3.0,   0.5,     -0.5,
      0x1p53,  0x1p60, 1e22,     -1e300,    0.875,   6.0,    27.0,    -6.0,
      3.0,     26.6,   -26.6,    1e-9,      -1e-200, 1024.0, -1074.0, 4e-162};
  if (specials && rand() % 2)
    return values[rand() % (sizeof values / sizeof *values)];
  double sign = rand() % 2 ? 1 : -1;
  if (specials) // of any size
    return sign * ldexp(1 + random01(), rand() % 2098 - 1074);
  return sign * 12 * random01();
}

int main(int argc, char **argv) {
  static double from[MaxN + Pad], with[MaxN + Pad], to[MaxN + 2 * Pad];
  srand(argc > 1 ? atoi(argv[1]) : 1);
  double limit = argc > 2 ? atof(argv[2]) : 2;
  for (int round = 0; round < 12; round++)
    for (long n = 0; n <= MaxN; n++)
      for (int offset = 0; offset < 3; offset++) {
        for (long i = 0; i < n; i++) {
          from[offset + i] = draw(round % 2);
          with[offset + i] = draw(round % 2);
        }
#define CHECK(NAME, F)                                                         \
  memset(to, 0x5a, sizeof to);                                                 \
  map_##NAME(to + Pad + offset, from + offset, with + offset, n);              \
  for (long i = -Pad; i < n + Pad - offset; i++) {                             \
    double got = to[Pad + offset + i], wanted;                                 \
    memset(&wanted, 0x5a, sizeof wanted);                                      \
    if (i >= 0 && i < n) {                                                     \
      double x = from[offset + i], y = with[offset + i];                       \
      wanted = F;                                                              \
      (void)y;                                                                 \
    }                                                                          \
    /* What is composed rounds before the end, and may cancel. */              \
    double error = getError(got, wanted);                                      \
    if (!(error <= limit) &&                                                   \
        !(!strcmp(#NAME, "gelu") && fabs(got - wanted) < 1e-14) &&             \
        failures++ < 20)                                                       \
      printf(#NAME " n %ld i %ld: %a, not %a\n", n, i, got, wanted);           \
  }
        MAPS(CHECK)
      }
  printf("%d failures\n", failures);
  return failures != 0;
}
#endif
