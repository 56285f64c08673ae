// Kernels for lanes.c.
#define KERNELS(X) ROW_KERNELS(X) WINDOW_KERNELS(X)

#ifdef BUILD
#define ROW_SUM(NAME, START, TERM)                                             \
  KERNEL(                                                                      \
      NAME, FOR(i, M) {                                                        \
        T s = START;                                                           \
        FOR(j, N) TERM;                                                        \
        C[i] = s;                                                              \
      })
#define a A[i * N + j]
#endif

#include "lanes-rows.h"
#include "lanes-windows.h"

#ifdef BUILD
#undef a
#undef c
#endif
