#include "layer.h"
#include <stdio.h>
#include <stdlib.h>

static float In[SIZE * SIZE], Weight[SIZE * SIZE], Out[SIZE * SIZE];

/// Runs both layers so many times.
int main(int argc, char **argv) {
  int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int i = 0; i < SIZE * SIZE; i++) {
    In[i] = i % 7;
    Weight[i] = i % 5;
  }
  for (int i = 0; i < Rounds; i++) {
    linear(In, Weight, Out);
    means(Weight, Out);
  }
  printf("%g\n", Weight[1]);
  return 0;
}
