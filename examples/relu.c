// y = max(x, 0), a million times 1000 elements; the checksum does not depend on how.
#include <stdio.h>

__attribute__((noinline)) void relu(long n, const float *x, float *y) {
  for (long i = 0; i < n; i++)
    y[i] = x[i] > 0 ? x[i] : 0;
}

int main(void) {
  static float x[1003], y[1003];
  for (long i = 0; i < 1003; i++)
    x[i] = (float)(i * 7919 % 2003) - 1000;
  for (int round = 0; round < 1000000; round++)
    relu(1003, x, y);
  double sum = 0;
  for (long i = 0; i < 1003; i++)
    sum += y[i];
  printf("checksum %.0f\n", sum);
}
