//===- networks.h - Parts of neural networks as people write them -*- C -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_BENCH_NETWORKS_H
#define DLOPT_BENCH_NETWORKS_H

/// What all parts get: inputs, two sets of weights, biases, and results, each
/// of as many elements as the largest part needs.
struct tensors {
  const float *X, *W, *U, *B;
  float *Y;
};

enum { NETWORK_ELEMENTS = 1 << 20 };

struct network {
  const char *Name;
  void (*Run)(const struct tensors *T);
};

#endif // DLOPT_BENCH_NETWORKS_H
