// A pointer that the loops set before they follow it.
// RUN: %check -- -fno-strict-aliasing
#include "planted.h"

struct Inner {
  int N;
};
struct Outer {
  struct Inner *In;
};

NOINLINE void sums(float *Out, const struct Outer *P, const float *A,
                   const float *B, int M) {
  for (int I = 0; I < M; I++) {
    Out[2 * I] = B[2 * I];
    Out[2 * I + 1] = B[2 * I + 1];
    float Sum = 0;
    for (int J = 0; J < P->In->N; J++)
      Sum += A[I * 64 + J];
    Out[100 + I] = Sum;
  }
}

int main(void) {
  float *A = array(40 * 64), *B = array(80), *Out = array(200);
  static struct Inner In = {40};
  struct Inner *Pointer = &In;
  memcpy(B, &Pointer, sizeof(Pointer));
  memset(Out, 0, 200 * sizeof(float));
  sums(Out, (struct Outer *)Out, A, B, 40);
  show(Out + 2, 198);
}
