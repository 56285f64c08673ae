// Kernels with the plugin and without, on the same data, bit by bit. Who includes
// this has defined ARGS, the arguments of all kernels, and KERNELS(X), their names.
//
// -DBUILD=plain|dl: the kernels; without: the driver.
#ifdef BUILD
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)
#define FOR(I, E) for (int I = 0; I < E; I++)
#define KERNEL(X, ...)                                                         \
  void NAME1(X, BUILD)(ARGS) { __VA_ARGS__ }
#else
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DECLARE(X) void X##_plain(ARGS), X##_dl(ARGS);
KERNELS(DECLARE)
static const struct {
  const char *Name;
  void (*Plain)(ARGS), (*DL)(ARGS);
} Kernels[] = {
#define ENTRY(X) {#X, X##_plain, X##_dl},
    KERNELS(ENTRY)};

static unsigned Seed = 1;
static unsigned next(unsigned End) {
  Seed = Seed * 1664525 + 1013904223;
  return (Seed >> 8) % End;
}
static T number(void) { return (T)((int)next(2000) - 1000 + 0.5) / 256; }

/// Whether they differ in more than what is no number.
static int differ(const T *A, const T *B, int Size) {
  for (int I = 0; I < Size; I++)
    if (!(isnan(A[I]) && isnan(B[I])) && memcmp(&A[I], &B[I], sizeof *A))
      return 1;
  return 0;
}
#endif
