// A cycle that is entered at two places is no loop.
// RUN: %check
#include "planted.h"

NOINLINE void count(float *restrict out, float *restrict rounds, const float *restrict x, int n, float most) {
  for (int i = 0; i < n; i++) {
    float s = 0;
    int t = 0;
    for (int j = 0; j < 12; j++)
      s += x[i * 12 + j] * x[j];
    if (s > most)
      goto middle;
    do {
      rounds[i] += 1;
    middle:
      t++;
    } while (t < 4 && s < 9);
    out[i] = s;
  }
}

int main(void) {
  float *x = array(144 * 12), *out = array(144), *rounds = array(144);
  for (int i = 0; i < 144; i++)
    rounds[i] = 0;
  count(out, rounds, x, 144, 0.5f);
  show(out, 144);
  show(rounds, 144);
}
