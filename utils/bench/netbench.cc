//===- netbench.cc - Parts of neural networks with and without plugin -----===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: netbench ROUNDS LIBRARY LIBRARY
///
/// Times the parts in the table `networks` of two libraries, in turn. One line
/// for each: microseconds of thread CPU time in both, medians, the median of
/// the ratios, first / second, and the name. Both must have the same bits.
///
//===----------------------------------------------------------------------===//
#include "kernels/networks.h"
#include "limits.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <vector>

static const network *load(const char *Path) {
  void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  void *Table = Library ? dlsym(Library, "networks") : nullptr;
  if (!Table) {
    fprintf(stderr, "netbench: %s\n", dlerror());
    exit(2);
  }
  return static_cast<const network *>(Table);
}

/// Microseconds of one run.
static double measure(const network &N, const tensors &T) {
  double Start = now(CLOCK_THREAD_CPUTIME_ID);
  N.Run(&T);
  return (now(CLOCK_THREAD_CPUTIME_ID) - Start) * 1e6;
}

static double median(std::vector<double> X) {
  std::nth_element(X.begin(), X.begin() + X.size() / 2, X.end());
  return X[X.size() / 2];
}

int main(int argc, char **argv) {
  long Rounds = argc == 4 ? atol(argv[1]) : 0;
  if (Rounds < 1) {
    fprintf(stderr, "usage: netbench ROUNDS LIBRARY LIBRARY\n");
    return 2;
  }
  const network *Tables[2] = {load(argv[2]), load(argv[3])};
  std::vector<float> Data[4], Y(NETWORK_ELEMENTS), Expected;
  for (std::vector<float> &D : Data)
    for (int I = 0; I < NETWORK_ELEMENTS; ++I)
      D.push_back(static_cast<float>(rand() % 20001 - 10000) / 100000);
  tensors T = {Data[0].data(), Data[1].data(), Data[2].data(), Data[3].data(),
               Y.data()};
  for (int K = 0; Tables[0][K].Name; ++K) {
    for (int L = 0; L < 2; ++L) {
      std::fill(Y.begin(), Y.end(), 0.f);
      measure(Tables[L][K], T);
      if (L == 0)
        Expected = Y;
      else if (memcmp(Expected.data(), Y.data(), Y.size() * sizeof(float))) {
        fprintf(stderr, "netbench: %s has other bits\n", Tables[L][K].Name);
        return 1;
      }
    }
    std::vector<double> Times[2], Ratios;
    for (long Round = 0; Round < Rounds; ++Round) {
      double Now[2];
      for (long L : {Round % 2, 1 - Round % 2})
        Now[L] = measure(Tables[L][K], T);
      for (int L = 0; L < 2; ++L)
        Times[L].push_back(Now[L]);
      Ratios.push_back(Now[0] / Now[1]);
    }
    printf("%.1f %.1f %.2f %s\n", median(Times[0]), median(Times[1]),
           median(Ratios), Tables[0][K].Name);
  }
  return 0;
}
