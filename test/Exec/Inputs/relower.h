// What the kernels of relower-kernels.c and their driver share.
#ifndef RELOWER_H
#define RELOWER_H
#include <stddef.h>
#include <stdint.h>

// Everything a kernel may touch lies in one arena, so that buffers may overlap
// and every byte is compared.
enum { NumFloats = 8, NumInts = 4, NumBytes = 4, NumDoubles = 3, Len = 6144 };

typedef struct {
  float F[NumFloats][Len];
  double D[NumDoubles][Len];
  int32_t I[NumInts][Len];
  int8_t B[NumBytes][Len];
} Arena;

// Views of the arena, and sizes.
typedef struct {
  float *F[NumFloats];
  double *D[NumDoubles];
  int32_t *I[NumInts];
  int8_t *B[NumBytes];
  int M, N, K;
  float S;
} Args;

typedef void (*Kernel)(Args *);
void registerKernel(int Variant, const char *Name, Kernel Run);

#define CAT2(A, B) A##B
#define CAT(A, B) CAT2(A, B)

// A kernel with its own signature, and how it is called.
#define TEST(NAME, PARAMS, CALL)                                               \
  __attribute__((noinline)) void CAT(PREFIX, NAME) PARAMS;                     \
  static void CAT(run_, NAME)(Args * a) { CAT(PREFIX, NAME) CALL; }            \
  __attribute__((constructor)) static void CAT(register_, NAME)(void) {        \
    registerKernel(VARIANT, #NAME, CAT(run_, NAME));                           \
  }                                                                            \
  void CAT(PREFIX, NAME) PARAMS

#endif
