// The first round of a loop sets the pointer that all of them read.
// RUN: %check
#include "planted.h"

struct bias {
  float *data;
};
// The product is why the function is brought into light form.
NOINLINE void layer(float *C, const float *A, const float *B, int n,
                    struct bias **slots, struct bias **bias,
                    struct bias *other, const int *asked) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
  for (int i = 0; i < n; i++) {
    slots[i] = other;
    if (*asked)
      C[i] += (*bias)->data[i];
  }
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  struct bias first = {A}, other = {B}, *slots[20] = {&first};
  int yes = 1;
  layer(C, A, B, 20, slots, slots, &other, &yes);
  show(C, 400);
}
