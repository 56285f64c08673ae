// The layers of debug-info.test, whose lines it names.
#include "layer.h"

void linear(const float *restrict In, const float *restrict Weight,
            float *restrict Out) {
  for (int b = 0; b < SIZE; b++)
    for (int o = 0; o < SIZE; o++) {
      float Sum = 0.0f;
      for (int i = 0; i < SIZE; i++)
        Sum += In[b * SIZE + i] * Weight[o * SIZE + i];
      Out[b * SIZE + o] = Sum;
    }
}

void means(float *restrict Y, const float *restrict X) {
  for (int r = 0; r < SIZE; r++) {
    float Sum = 0.0f;
    for (int c = 0; c < SIZE; c++)
      Sum += X[r * SIZE + c];
    Y[r] = Sum /
           SIZE;
  }
}
