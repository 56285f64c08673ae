//===- Trees.h - Random scheduled kernels -----------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_FUZZ_SCHEDULE_FUZZ_TREES_H
#define DLOPT_FUZZ_SCHEDULE_FUZZ_TREES_H

#include "Fuzz.h"

namespace dlopt {

/// What leaves are drawn of: names by what they may be used for.
struct TreeScope {
  struct Rows {
    std::string Name;
    char Type; ///< f, i or t
    int NumRows, NumColumns;
    bool Scalable = false; ///< columns are times `vl`
    std::string getColumns() const {
      return std::to_string(NumColumns) + (Scalable ? "vl" : "");
    }
  };
  std::vector<std::string> Axes;   ///< for indices
  std::vector<std::string> Copies; ///< numbers where code is made
  std::vector<std::string> Sizes;  ///< of blocks
  std::string Lane;                ///< the axis in lanes, or empty
  std::vector<Rows> Registers, Arrays;
  std::vector<std::pair<std::string, char>> Scalars;
  bool HasCall = false; ///< in this leaf
};

/// Draws leaves and what they are made of. Buffers are %x %y %u (f) %c (of
/// another float) %z %v (i) %w (of another width) %I (small indices) %b (bytes)
/// %t (truths), parameters %M %N %K %L (sizes) %S %P (of both signs).
class LeafMaker {
public:
  LeafMaker(Random &R, bool Calls);
  std::string makeLeaf(TreeScope &S);
  /// An assignment of the rows \p Of at [\p Row, \p Column].
  std::string makeStart(TreeScope &S, const TreeScope::Rows &Of,
                        const std::string &Row, const std::string &Column);
  std::string makeCondition(TreeScope &S);
  std::string makeIndex(TreeScope &S);
  std::string getBuffers() const;
  /// Whether something goes past the caches: a fence is needed.
  bool storesPast() const { return StoresPast; }
  std::string getType(char Type) const;
  template <typename T> T pick(std::initializer_list<T> From) {
    return From.begin()[R.below(static_cast<unsigned>(From.size()))];
  }
  std::string pick(std::initializer_list<const char *> From) {
    return From.begin()[R.below(static_cast<unsigned>(From.size()))];
  }

private:
  std::string makePlace(TreeScope &S, const TreeScope::Rows &Of,
                        bool IsRegister);
  std::string makeScalableColumn(TreeScope &S, const TreeScope::Rows &Of);
  std::string makeAccess(TreeScope &S, std::initializer_list<const char *> Of);
  std::string makeView(TreeScope &S, char Type,
                       std::initializer_list<const char *> Of);
  std::string makeFloat(TreeScope &S, unsigned Depth);
  std::string makeFloatOperation(TreeScope &S, unsigned Depth);
  std::string makeInteger(TreeScope &S, unsigned Depth);
  std::string makeIntegerOperation(TreeScope &S, unsigned Depth);
  std::string makeTruth(TreeScope &S, unsigned Depth);
  std::string makeValue(TreeScope &S, char Type, unsigned Depth);
  std::string findLocal(TreeScope &S, char Type);
  std::pair<std::string, char> makeTarget(TreeScope &S);

  Random &R;
  bool Calls, StoresPast = false;
  std::string Float, Other, Integer, OtherInteger;
};

/// The text of a scheduled kernel; most are refused by the interpreter.
/// \p Calls: of functions of the C library; \p Scalable: sizes and lanes may be
/// times `vl`.
std::string makeTree(Random &R, bool Calls, bool Scalable);

} // namespace dlopt

#endif // DLOPT_FUZZ_SCHEDULE_FUZZ_TREES_H
