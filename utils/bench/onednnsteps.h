//===- onednnsteps.h - Steps of oneDNN ---------------------------*- C++
//-*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// What peers share that run primitives of oneDNN 2 or 3 one after the other.
#ifndef DLOPT_BENCH_ONEDNNSTEPS_H
#define DLOPT_BENCH_ONEDNNSTEPS_H

#include <dnnl.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

using Steps = std::vector<
    std::pair<dnnl::primitive, std::unordered_map<int, dnnl::memory>>>;

inline dnnl::engine &getEngine() {
  static dnnl::engine E(dnnl::engine::kind::cpu, 0);
  return E;
}

/// \p From in the order of \p To, by a step more if that is another.
inline dnnl::memory bring(Steps &S, const dnnl::memory &From,
                          const dnnl::memory::desc &To) {
  if (From.get_desc() == To)
    return From;
  dnnl::memory Copy(To, getEngine());
  S.push_back({dnnl::reorder(From, Copy),
               {{DNNL_ARG_FROM, From}, {DNNL_ARG_TO, Copy}}});
  return Copy;
}

#endif // DLOPT_BENCH_ONEDNNSTEPS_H
