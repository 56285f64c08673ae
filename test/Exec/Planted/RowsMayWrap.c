// Rows that are a whole number of rows away modulo 2^64 only: in memory they
// begin one element further on.
// RUN: %check
#include "planted.h"

NOINLINE void update(float *restrict x, const float *restrict a, size_t m,
                     size_t n, size_t pitch, size_t first) {
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      for (size_t k = 0; k < m; k++)
        x[i * pitch + j] -= a[k] * x[(first + k) * pitch + j];
}

int main(void) {
  enum { pitch = 33 };
  size_t first = 1; // 1 / pitch
  for (int i = 0; i < 6; i++)
    first *= 2 - pitch * first;
  float *x = array(8 * pitch), *a = array(8);
  update(x, a, 5, pitch, pitch, first);
  show(x, 5 * pitch);
}
