//===- formbench.cc - One product in many forms ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: formbench SIZE ROUNDS FORMS.so [OTHERS.so]
///
/// Times all forms of the tables forms_dl and forms_more in a library on one
/// product of SIZE^3, round by round: beside the first form (plain ijk), or
/// beside the same form of another library. One line for each form: its name and
/// the median of the ratios of thread CPU time, ijk / form or first / other. No
/// factor is zero. Results differ from the product where a form computes
/// something else, which its tests are for.
///
//===----------------------------------------------------------------------===//
#include "../../test/Exec/Inputs/matmul/forms.h"
#include "limits.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

static std::vector<const form *> getForms(const char *Path) {
  std::vector<const form *> All;
  void *Library = dlopen(Path, RTLD_NOW | RTLD_LOCAL);
  for (const char *Name : {"forms_dl", "forms_more"}) {
    auto *Table = Library ? static_cast<const form *>(dlsym(Library, Name)) : nullptr;
    if (!Table) {
      fprintf(stderr, "formbench: %s\n", dlerror());
      exit(1);
    }
    for (; Table->Name; ++Table)
      if (!(Table->Flags & (FIXED | COPIES)))
        All.push_back(Table);
  }
  return All;
}

static double measure(const form &F, const problem &P) {
  double Start = now(CLOCK_THREAD_CPUTIME_ID);
  F.Run(&P);
  return now(CLOCK_THREAD_CPUTIME_ID) - Start;
}

int main(int argc, char **argv) {
  long Size = argc > 3 ? atol(argv[1]) : 0,
       Rounds = argc > 3 ? atol(argv[2]) : 0;
  if (Size < 1 || Rounds < 1) {
    fprintf(stderr, "usage: formbench SIZE ROUNDS FORMS.so [OTHERS.so]\n");
    return 2;
  }
  std::vector<float> A(Size * Size), B(A), C(A), S(Size);
  for (std::vector<float> *X : {&A, &B, &S})
    for (float &V : *X)
      V = (static_cast<float>(rand() % 20001 - 10000) + 0.5f) / 7000;
  problem P = {Size,     Size, Size,     A.data(), Size,
               B.data(), Size, C.data(), Size,     S.data()};
  std::vector<const form *> All = getForms(argv[3]), Others;
  if (argc > 4)
    Others = getForms(argv[4]);
  for (size_t I = 0; I < All.size(); ++I) {
    const form *First = Others.empty() ? All[0] : All[I],
               *F = Others.empty() ? All[I] : Others[I];
    std::vector<double> Ratios;
    measure(*F, P);
    for (long Round = 0; Round < Rounds; ++Round) {
      std::fill(C.begin(), C.end(), 0.f);
      double Plain = measure(*First, P);
      std::fill(C.begin(), C.end(), 0.f);
      Ratios.push_back(Plain / measure(*F, P));
    }
    std::nth_element(Ratios.begin(), Ratios.begin() + Rounds / 2, Ratios.end());
    printf("%s %.3f\n", F->Name, Ratios[static_cast<size_t>(Rounds) / 2]);
    fflush(stdout);
  }
  return 0;
}
