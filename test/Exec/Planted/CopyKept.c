// What is copied to where others see it has the order that they know.
// RUN: env DLOPT_OPTIONS=disable=schedules %check
// Not self-checked: tensors stay as they are then
#include "layout.h"

NOINLINE void net(const float *restrict in, float *restrict out) {
  CONVOLVE
  POOL
  memcpy(out, buf[0], sizeof buf[0]);
}

int main(void) { RUN; }
