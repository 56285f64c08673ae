// The root of a variable that may be read in front and changes in each step.
// RUN: %check
#include "planted.h"
#include <math.h>

float grown;

NOINLINE void update(float *restrict p, const float *restrict v, float beta,
                     int t, int steps, int n) {
  for (int s = 0; s < steps; s++) {
    grown += 1;
    float c = sqrtf(grown);
    for (int i = 0; i < n; i++)
      p[i] -= c / (sqrtf(v[i] / (1 - powf(beta, t))) + 1);
  }
}

int main(void) {
  float *P = array(200), *V = array(200);
  for (int i = 0; i < 200; i++)
    V[i] = i;
  grown = 1.5f;
  update(P, V, 0.9f, 3, 5, 200);
  show(P, 200);
  show(&grown, 1);
}
