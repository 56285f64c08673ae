// Channels that are divided into groups, which leaves one.
// RUN: %check
#include "planted.h"

NOINLINE void rows(float *restrict c, const float *restrict a, long images,
                   long channels, long groups, long n) {
  long size = channels / groups;
  for (long b = 0; b < images; b++)
    for (long i = 0; i < groups; i++) {
      float s = 0;
      for (long k = 0; k < size; k++)
        for (long j = 0; j < n; j++)
          s += a[(b * channels + i * size + k) * n + j];
      c[b * groups + i] = s;
    }
}

int main(void) {
  float *A = array(5 * 13 * 16), *C = array(5 * 4);
  rows(C, A, 5, 13, 4, 16);
  show(C, 5 * 4);
}
