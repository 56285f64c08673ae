//===- Case.h - One run of kernels against plain C++ ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_REFERENCE_CASE_H
#define DLOPT_KERNEL_REFERENCE_CASE_H

#include "dlopt/Interpreter.h"
#include "dlopt/Kernel.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstring>
#include <map>

namespace dlopt {

using KernelList = std::vector<std::unique_ptr<Kernel>>;

/// Arrays with pseudo-random contents, bound by name, and the comparison.
class Case {
public:
  /// \p Guarded: what the kernels need may not hold, then they are not run.
  Case(const KernelList &Kernels, bool Fuse, bool Guarded)
      : Kernels(Kernels), Fuse(Fuse), Guarded(Guarded) {}

  void param(llvm::StringRef Name, int64_t Value) {
    Bound.Scalars[Name] = static_cast<uint64_t>(Value);
    Label += (Name + "=" + llvm::Twine(Value) + " ").str();
  }
  void param(llvm::StringRef Name, float Value) {
    Bound.Scalars[Name] = llvm::bit_cast<uint32_t>(Value);
  }

  /// \p Size elements, numbers of both signs of about 1; integers over their
  /// whole range.
  template <typename T> T *array(llvm::StringRef Name, size_t Size) {
    std::vector<uint8_t> &Bytes = Storage[Name.str()];
    Bytes.resize(Size * sizeof(T));
    auto *Data = reinterpret_cast<T *>(Bytes.data());
    for (size_t I = 0; I < Size; ++I) {
      Seed = Seed * 6364136223846793005u + 1442695040888963407u;
      auto Random = static_cast<int32_t>(Seed >> 33);
      if constexpr (std::is_floating_point_v<T>)
        Data[I] = static_cast<T>(Random % 2001 - 1000) / 700;
      else
        Data[I] = static_cast<T>(Random);
    }
    Bound.Arrays[Name] = {Bytes, 0};
    return Data;
  }

  /// Runs all kernels; false, with a message, if one fails.
  bool run() {
    InterpreterOptions Options;
    Options.FuseMulAdd = Fuse;
    for (const auto &K : Kernels)
      if (llvm::Error E = interpretKernel(*K, Bound, Options)) {
        if (Guarded && E.isA<NeedError>()) {
          llvm::consumeError(std::move(E));
          return false;
        }
        llvm::errs() << Label << ": " << llvm::toString(std::move(E)) << '\n';
        return Ok = false;
      }
    return WasRun = true;
  }

  /// Compares bits; NaNs are equal.
  template <typename T>
  void expect(llvm::StringRef Name, const std::vector<T> &Expected) {
    const auto *Got = reinterpret_cast<const T *>(Storage[Name.str()].data());
    for (size_t I = 0; I < Expected.size(); ++I) {
      if (std::memcmp(&Got[I], &Expected[I], sizeof(T)) == 0 ||
          (Got[I] != Got[I] && Expected[I] != Expected[I]))
        continue;
      llvm::errs() << Label << ": " << Name << '[' << I
                   << "] differs from the reference\n";
      Ok = false;
      return;
    }
  }

  /// llvm.fmuladd as this run rounds it.
  float mulAdd(float A, float B, float C) const {
    return Fuse ? std::fma(A, B, C) : A * B + C;
  }
  bool ok() const { return Ok; }
  bool wasRun() const { return WasRun; }

private:
  const KernelList &Kernels;
  bool Fuse, Guarded;
  bool Ok = true, WasRun = false;
  uint64_t Seed = 1;
  std::string Label;
  std::map<std::string, std::vector<uint8_t>> Storage;
  Bindings Bound;
};

} // namespace dlopt

#endif // DLOPT_KERNEL_REFERENCE_CASE_H
