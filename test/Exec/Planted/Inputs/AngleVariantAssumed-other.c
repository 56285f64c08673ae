// glibc's sine where products are rounded.
#include <errno.h>
#include <math.h>

float sinf(float angle) {
  double x = angle, n = nearbyint(x * 0x1.45f306dc9c883p-1);
  volatile double multiple = n * 0x1.921fb54442d18p0;
  double r = x - multiple;
  if (isinf(angle)) {
    errno = EDOM;
    return NAN;
  }
  if (fabs(x) >= 120)
    r = fma(n, -0x1.1a62633145c07p-54, fma(n, -0x1.921fb54442d18p0, x));
  double s = r * r;
  long quadrant = (long)n;
  double sine = r * (1 + s * (-0x1.555545995a603p-3 +
                              s * (0x1.1107605230bc4p-7 - s * 0x1.994eb3774cf24p-13)));
  double cosine = 1 + s * (-0x1.ffffffd0c621cp-2 +
                           s * (0x1.55553e1068f19p-5 +
                                s * (-0x1.6c087e89a359dp-10 + s * 0x1.99343027bf8c3p-16)));
  double y = quadrant & 1 ? cosine : sine;
  return quadrant & 2 ? -y : y;
}
