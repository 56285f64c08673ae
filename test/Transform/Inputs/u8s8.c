#include <stdint.h>
void matmul(long m, long n, long k, const uint8_t *restrict A,
            const int8_t *restrict B, int32_t *restrict C) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      int32_t s = 0;
      for (long l = 0; l < k; l++)
        s += A[i * k + l] * B[l * n + j];
      C[i * n + j] = s;
    }
}
