//===- darknet_steps.c - A few steps of a network of darknet --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// usage: darknet_steps NETWORK.cfg STEPS WEIGHTS
//
// Trains a network of random weights on random numbers, evaluates it, and writes its
// weights: darknet's own programs need photographs and take seeds from the clock.
// STEPS of 0 only evaluates, with variances of 1.
//===----------------------------------------------------------------------===//
#include "darknet.h"

static void fill(float *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = rand() % 2000 / 1000.0f - 1;
}

// One class, or one pixel's values, of each example.
static void fillTruth(float *x, int n, int batch) {
  int each = n / batch;
  for (int i = 0; i < n; ++i)
    x[i] = 0;
  for (int b = 0; each && b < batch; ++b)
    x[b * each + rand() % each] = 1;
}

int main(int argc, char **argv) {
  if (argc != 4)
    return 2;
  srand(1);
  network *net = parse_network_cfg(argv[1]);
  for (int step = 0; step < atoi(argv[2]); ++step) {
    fill(net->input, net->inputs * net->batch);
    fillTruth(net->truth, net->truths * net->batch, net->batch);
    printf("step %d: loss %a\n", step, train_network_datum(net) / net->batch);
  }
  for (int i = 0; atoi(argv[2]) == 0 && i < net->n; ++i)
    for (int j = 0; net->layers[i].rolling_variance && j < net->layers[i].n; ++j)
      net->layers[i].rolling_variance[j] = 1;
  save_weights(net, argv[3]);
  set_batch_network(net, 1);
  net->train = 0;
  fill(net->input, net->inputs);
  float *out = network_predict(net, net->input);
  for (int i = 0; i < net->outputs && i < 2000; ++i)
    printf("%a\n", out[i]);
  free_network(net);
  return 0;
}
