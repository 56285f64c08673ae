// Functions of float that MPFR computes: ERROR units in the last place more than the
// exact value, then rounded. errno as glibc has it.
#include <errno.h>
#include <math.h>
#include <mpfr.h>

static void begin(mpfr_t x, double value) {
  mpfr_init2(x, 120);
  mpfr_set_d(x, value, MPFR_RNDN);
}

static float finish(mpfr_t y, int isFinite) {
  if (mpfr_regular_p(y)) {
    mpfr_t error;
    begin(error, ERROR);
    mpfr_exp_t last = mpfr_get_exp(y) - 24;
    mpfr_mul_2si(error, error, last < -149 ? -149 : last, MPFR_RNDN);
    mpfr_add(y, y, error, MPFR_RNDN);
    mpfr_clear(error);
  }
  float result = mpfr_get_flt(y, MPFR_RNDN);
  mpfr_clear(y);
  if (isFinite && isnan(result))
    errno = EDOM;
  else if (isFinite && isinf(result))
    errno = ERANGE;
  return result;
}

#define FUNCTION(NAME)                                                         \
  float NAME##f(float x) {                                                     \
    mpfr_t y;                                                                  \
    begin(y, x);                                                               \
    mpfr_##NAME(y, y, MPFR_RNDN);                                              \
    return finish(y, isfinite(x));                                             \
  }
FUNCTION(exp)
FUNCTION(exp2)
FUNCTION(expm1)
FUNCTION(log)
FUNCTION(log2)
FUNCTION(log10)
FUNCTION(log1p)
FUNCTION(sin)
FUNCTION(cos)
FUNCTION(tanh)
FUNCTION(sinh)
FUNCTION(cosh)
FUNCTION(erf)
FUNCTION(erfc)
FUNCTION(cbrt)

float powf(float x, float z) {
  mpfr_t y, exponent;
  begin(y, x);
  begin(exponent, z);
  mpfr_pow(y, y, exponent, MPFR_RNDN);
  mpfr_clear(exponent);
  return finish(y, isfinite(x) && isfinite(z));
}
