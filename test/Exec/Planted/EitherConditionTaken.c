// Neither of two conditions holds, and there is nothing that they would lead to.
// RUN: %check
#include "planted.h"

struct bias {
  float *data;
};
// The product is why the function is brought into light form.
NOINLINE void layer(float *C, const float *A, const float *B, int n,
                    struct bias **bias, const int *asked, const int *told) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++)
        C[i * n + j] += A[i * n + k] * B[k * n + j];
  for (int i = 0; i < n; i++)
    if (*asked || *told)
      C[i] += (*bias)->data[i];
}

int main(void) {
  float *A = array(400), *B = array(400), *C = array(400);
  struct bias *none = 0;
  int no = 0;
  layer(C, A, B, 20, &none, &no, &no);
  show(C, 400);
}
