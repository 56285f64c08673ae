//===- Oracle.cpp - The interpreter on what was raised --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Oracle.h"
#include "dlopt/Interpreter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <cstring>

using namespace llvm;
using namespace dlopt;

namespace dlfuzz {

Error Oracle::read(StringRef Text, bool Fuse) {
  FuseMulAdd = Fuse;
  StringSet<> Missed;
  std::string Rest;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (Line.consume_front("missed @"))
      Missed.insert(Line.split(' ').first);
    else
      Rest += Line.str() + "\n";
  }
  auto All = parseKernels(Rest, "kernels");
  if (!All)
    return All.takeError();
  for (auto &K : *All)
    if (!Missed.contains(K->Function))
      Kernels[K->Function].push_back(std::move(K));
  return Error::success();
}

/// Names that occur twice are told apart by ".1" and so on.
static StringRef getArgumentName(StringRef Name) {
  auto [Front, Number] = Name.rsplit('.');
  bool IsCopy = !Number.empty() && all_of(Number, isDigit);
  return IsCopy ? Front : Name;
}

Oracle::Result Oracle::run(const KernelInfo &K, const Instance &I,
                           const Memory &Mem, std::string &Wrong) const {
  auto It = Kernels.find(K.Name);
  if (It == Kernels.end())
    return Refused;
  StringMap<Word> Integers;
  StringMap<std::pair<char, double>> Floats;
  unsigned NumIntegers = 0, NumFloats = 0;
  for (const Argument &A : K.Arguments)
    if (A.isFloat())
      Floats[A.Name] = {A.Kind, I.Floats[NumFloats++]};
    else
      Integers[A.Name] = I.Integers[NumIntegers++];
  for (const auto &Kern : It->second) {
    Bindings B;
    for (const Buffer &Buf : Kern->Buffers) {
      auto Arg = Integers.find(getArgumentName(Buf.Name));
      if (Buf.IsLocal)
        continue;
      if (Arg == Integers.end())
        return Refused;
      const Word &W = Arg->second;
      if (W.Slot >= 0 && I.Slots[W.Slot].Place == Slot::Apart)
        return Refused;
      if (W.Slot < 0)
        B.Arrays[Buf.Name] = {{}, 0};
      else
        B.Arrays[Buf.Name] = {
            MutableArrayRef(Mem.slotBegin(W.Slot), Mem.slotBytes(W.Slot)),
            static_cast<size_t>(W.Value)};
    }
    for (const Param &P : Kern->Params) {
      StringRef Name = getArgumentName(P.Name);
      if (auto Arg = Integers.find(Name); Arg != Integers.end()) {
        B.Scalars[P.Name] = static_cast<uint64_t>(Arg->second.Value);
        continue;
      }
      auto Arg = Floats.find(Name);
      if (Arg == Floats.end())
        return Refused;
      auto [Kind, Value] = Arg->second;
      auto Narrow = static_cast<float>(Value);
      uint64_t Bits = 0;
      std::memcpy(&Bits, Kind == 'f' ? static_cast<void *>(&Narrow) : &Value,
                  Kind == 'f' ? 4 : 8);
      B.Scalars[P.Name] = Bits;
    }
    InterpreterOptions Opts;
    Opts.FuseMulAdd = FuseMulAdd;
    Opts.MaxSteps = 20000;
    if (Error E = interpretKernel(*Kern, B, Opts)) {
      Wrong = toString(std::move(E));
      // What the plugin would test at run time, and what may have two results.
      for (StringRef Need :
           {" overlap", ", not in ", "more than ", "zeros of both signs"})
        if (StringRef(Wrong).contains(Need))
          return Refused;
      return Failed;
    }
  }
  return Ran;
}

} // namespace dlfuzz
