// The weights are streamed, channel by channel.
// RUN: env DLOPT_OPTIONS=disable=schedules %check
// Not self-checked: tensors stay as they are then
#include "layout.h"

NOINLINE void net(const float *restrict in, float *restrict out) {
  CONVOLVE
  POOL
}

int main(void) { RUN; }
