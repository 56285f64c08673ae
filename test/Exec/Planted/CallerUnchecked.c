// One caller passes distinct arrays, the other overlapping ones.
// Not self-checked: nothing is known of the callers of a function that is checked.
// RUN: %check
#include "planted.h"

static PRODUCT(product)

static float Out[400];

NOINLINE void distinct(void) {
  float a[81], b[81], c[81];
  for (int i = 0; i < 81; i++)
    a[i] = i + 0.1f, b[i] = i - 0.3f;
  product(c, 9, a, 9, b, 9, 9, 9, 9);
  for (int i = 0; i < 81; i++)
    Out[i] = c[i];
}

NOINLINE void overlapping(void) {
  float a[81], b[200];
  for (int i = 0; i < 81; i++)
    a[i] = i + 0.1f;
  for (int i = 0; i < 200; i++)
    b[i] = i - 0.3f;
  product(b + 20, 9, a, 9, b, 9, 9, 9, 9);
  for (int i = 0; i < 200; i++)
    Out[i] = b[i];
}

int main(void) {
  distinct();
  show(Out, 400);
  overlapping();
  show(Out, 400);
}
