// Runs the products of Frontends/linalg.mlir, transformed and plain, on the
// same memory, and compares all of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A memref as it is passed: allocated and aligned pointer, offset, sizes,
// steps.
#define VECTOR float *, float *, long, long, long
#define MATRIX float *, float *, long, long, long, long, long
#define BATCH float *, float *, long, long, long, long, long, long, long
#define ALL(X)                                                                 \
  X(matmul, (MATRIX, MATRIX, MATRIX))                                          \
  X(weights_as_rows, (MATRIX, MATRIX, MATRIX))                                 \
  X(batch, (BATCH, BATCH, BATCH))                                              \
  X(matvec, (MATRIX, VECTOR, VECTOR))                                          \
  X(vecmat, (VECTOR, MATRIX, VECTOR))
#define DECLARE(F, ARGS)                                                       \
  void F ARGS;                                                                 \
  void plain_##F ARGS;
ALL(DECLARE)

enum { Size = 3 * 12288 };
static float start[Size], memory[2][Size];

#define VEC(P, N) P, P, 0, N, 1
#define MAT(P, M, N, ROW) P, P, 0, M, N, ROW, 1
#define BAT(P, L, M, N, ROW) P, P, 0, L, M, N, (M) * (ROW), ROW, 1

// The product number \p f, by the plain functions or the others.
static void run(int f, int plain, float *a, float *b, float *c, long l, long m,
                long n, long k, long pad) {
#define CALL(F, ...) (plain ? plain_##F(__VA_ARGS__) : F(__VA_ARGS__))
  switch (f) {
  case 0:
    return CALL(matmul, MAT(a, m, k, k + pad), MAT(b, k, n, n + pad),
                MAT(c, m, n, n + pad));
  case 1:
    return CALL(weights_as_rows, MAT(a, m, k, k + pad), MAT(b, n, k, k + pad),
                MAT(c, m, n, n + pad));
  case 2:
    return CALL(batch, BAT(a, l, m, k, k + pad), BAT(b, l, k, n, n + pad),
                BAT(c, l, m, n, n + pad));
  case 3:
    return CALL(matvec, MAT(a, m, k, k + pad), VEC(b, k), VEC(c, m));
  default:
    return CALL(vecmat, VEC(a, k), MAT(b, k, n, n + pad), VEC(c, n));
  }
}

int main(void) {
  unsigned long runs = 0, different = 0;
  for (long i = 0; i < Size; i++)
    start[i] = (float)(rand() % 1000 - 500) / 7;
  for (int t = 0; t < 400; t++)
    for (int f = 0; f < 5; f++) {
      int tall = f > 2 && t % 2;
      long l = rand() % 4, m = rand() % (tall ? 110 : 50),
           n = rand() % (tall ? 110 : 50), k = rand() % (tall ? 100 : 60),
           pad = rand() % 3;
      // Apart, or over each other.
      long at = rand() % 4 ? 24576 : rand() % 24576;
      for (int plain = 0; plain < 2; plain++) {
        float *p = memory[plain];
        memcpy(p, start, sizeof start);
        run(f, plain, p, p + 12288, p + at, l, m, n, k, pad);
      }
      runs++, different += memcmp(memory[0], memory[1], sizeof start) != 0;
    }
  printf("%lu runs, %lu different\n", runs, different);
}
