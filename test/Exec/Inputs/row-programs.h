// Kernels for lanes.c that do several things to each row, as people write them.
#define KERNELS(X) SOFTMAX_KERNELS(X) NORM_KERNELS(X) STORE_KERNELS(X)

#ifdef BUILD
#define EXP(x) (T)(sizeof(T) == 4 ? expf(x) : exp(x))
#define LOG(x) (T)(sizeof(T) == 4 ? logf(x) : log(x))
#define SQRT(x) (T)(sizeof(T) == 4 ? sqrtf(x) : sqrt(x))
#define MAX(x, y) (T)(sizeof(T) == 4 ? fmaxf(x, y) : fmax(x, y))
#define a A[i * N + j]
#define c C[i * N + j]
#endif

#include "row-softmax.h"
#include "row-norms.h"
#include "row-stores.h"
