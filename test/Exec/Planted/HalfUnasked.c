// Quotients that are rounded away from 0 where they are halves, which is no shift.
// RUN: %check
#include "planted.h"

NOINLINE void kernel(signed char *out, const signed char *a, const signed char *b,
                     long M, long N, long K) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      int sum = 0;
      for (long k = 0; k < K; k++)
        sum += a[i * K + k] * b[k * N + j];
      int rounded = (sum % 512 + (sum % 512 >= 0 ? 8 : -8)) / 16;
      out[i * N + j] = (signed char)rounded;
    }
}

int main(void) {
  float *a = array(16 * 16), *b = array(16 * 16), *c = array(16 * 16);
  kernel((signed char *)c, (signed char *)a, (signed char *)b, 32, 32, 32);
  show(c, 16 * 16);
}
