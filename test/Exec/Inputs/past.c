// A map whose output is aligned, or not, or is its input.
#include <stdio.h>
#include <string.h>

enum { MOST = 70, SIZE = MOST + 8 };

__attribute__((noinline)) void map(float *y, const float *x, long n) {
  for (long i = 0; i < n; ++i)
    y[i] = x[i] * 2.0f;
}

static _Alignas(64) float out[SIZE], in[SIZE], want[SIZE];

static void start(float *a) {
  for (int i = 0; i < SIZE; ++i)
    a[i] = (float)(i - 20);
}

int main(void) {
  int wrong = 0;
  for (long n = 0; n <= MOST; ++n)
    for (int at = 0; at < 8; ++at)
      for (int same = 0; same < 2; ++same) {
        start(in);
        start(out);
        start(want);
        for (long i = 0; i < n; ++i) {
          volatile float x = (same ? want : in)[i];
          want[at + i] = x * 2.0f;
        }
        map(out + at, same ? out : in, n);
        wrong += memcmp(out, want, sizeof(out)) != 0;
      }
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
