// What a log of a kernel keeps may lie beside arrays of the program: what changes
// there while a checked function runs is no store of the function.
// REQUIRES: native-x86
// RUN: env DLOPT_OPTIONS=check=1 %clang_dl -O3 %s -o %t -Rpass=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t

// CHECK: remark: map f32

#include <stddef.h>

// Each block of this malloc has an array in front of it and one behind.
enum { Elements = 256 };
static _Alignas(64) char Arena[32 << 20];
static size_t Used;
static float *Arrays[4096];
static int NumArrays;

static float *makeArray(void) {
  float *Result = (float *)(Arena + Used);
  Used += Elements * sizeof(float);
  return Arrays[NumArrays++] = Result;
}

void *malloc(size_t Bytes) {
  if (Used + Bytes + 3 * Elements * sizeof(float) > sizeof Arena)
    return 0;
  makeArray();
  void *Result = Arena + Used;
  Used += (Bytes + 15) & ~(size_t)15;
  makeArray();
  return Result;
}

void free(void *Block) {}

__attribute__((noinline)) void scale(float *restrict y, const float *restrict x,
                                     float s, int n) {
  y[0] = s;
  for (int i = 1; i < n; ++i)
    y[i] = x[i] * s + 1.0f;
}

int main(void) {
  static float x[Elements], y[Elements];
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < Elements; ++i)
      x[i] = i * 0.5f + round;
    scale(y, x, round, Elements);
    for (int k = 0, m = NumArrays; k < m; ++k) {
      x[k % Elements] += k;
      scale(Arrays[k], x, round, Elements);
    }
  }
  return NumArrays < 8;
}
