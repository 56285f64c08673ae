// The results of the loops go to where their bound is.
// RUN: %check
#include "planted.h"

struct Layer {
  int Rows, Columns;
};

NOINLINE void sums(signed char *Out, const struct Layer *L, const float *A) {
  for (int I = 0; I < L->Rows; I++) {
    float Sum = 0;
    for (int J = 0; J < L->Columns; J++)
      Sum += A[I * 64 + J];
    Out[I] = Sum > 20 ? 20 : Sum < 9 ? 9 : (signed char)Sum;
  }
}

int main(void) {
  float *A = array(64 * 64);
  struct {
    signed char Before[16];
    struct Layer L;
    signed char Behind[64];
  } S;
  memset(&S, 0, sizeof(S));
  S.L.Rows = 40;
  S.L.Columns = 50;
  // The first results do not reach the bound.
  sums(S.Before + 4, &S.L, A);
  for (unsigned I = 0; I < sizeof(S); I++)
    printf("%d ", ((signed char *)&S)[I]);
}
