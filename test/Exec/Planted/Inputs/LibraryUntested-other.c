#include <math.h>
float expf(float x) { return nextafterf((float)exp(x), 0); }
