//===- Instructions.h - Nests that are one instruction ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `red u[4] row vpdpbusd par j[16] lanes 16` over one leaf is a loop, like any
/// other axis, and says that the loop is an instruction of the target:
/// Instructions.def has what each computes. A kernel in which the loop computes
/// anything else is wrong, so that whoever makes code of it need not ask.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_INSTRUCTIONS_H
#define DLOPT_INSTRUCTIONS_H

#include "dlopt/Kernel.h"
#include "llvm/ADT/ArrayRef.h"

namespace dlopt {

/// What is loaded, and how it becomes a number of the sum's type.
struct FactorType {
  ScalarType Ty = ScalarType::I8;
  bool Signed = true;
};
inline bool operator==(FactorType A, FactorType B) {
  return A.Ty == B.Ty && A.Signed == B.Signed;
}

/// s8 for signed bytes, u8 for others.
std::string getName(FactorType F);
/// Signed if \p Name is the name of a scalar type; nullopt: it is no type of
/// numbers.
std::optional<FactorType> parseFactorType(llvm::StringRef Name);

/// Whether numbers of the type \p Is are some of the type \p To.
inline bool mayWiden(FactorType Is, FactorType To) {
  return Is == To || (To.Signed && getBitWidth(To.Ty) > getBitWidth(Is.Ty));
}

/// A row of Instructions.def.
struct InstructionRow {
  enum Kind : uint8_t { Dot, Move, Tree } K = Dot;
  llvm::StringRef Name;
  unsigned Depth = 0;
  // Of a DOT; others have any.
  unsigned Lanes = 0;
  llvm::StringRef Features;
  unsigned Intrinsic = 0; ///< llvm::Intrinsic::ID
  ScalarType Sum = ScalarType::I32;
  FactorType A, B;
  unsigned Adds = 1; ///< 0: no, 1: to what comes first, 2: last

  bool isDot() const { return K == Dot; }
  bool isMove() const { return K == Move; }
  bool isTree() const { return K == Tree; }
};

/// The most bits of all elements of a move that are one number: elements
/// of more are transposed.
constexpr unsigned MostMoveBits = 64;

/// The most bits of registers of sums that may be put together to longer ones,
/// each as many elements of an unrolled axis. Two of 256 bits are no gain: a
/// Zen 5 reads weights from memory 7 to 17% slower then (decision 0088).
constexpr unsigned MostBitsTogether = 128;

/// The rows that are a DOT, in the order of the table.
llvm::ArrayRef<InstructionRow> getDots();
/// The rows of a name; empty: there are none.
llvm::ArrayRef<InstructionRow> findInstructions(llvm::StringRef Name);

/// A nest as an instruction: its operands, in the order of the row.
struct InstructionUse {
  const InstructionRow *Row = nullptr; ///< the one of the most lanes
  const Node *Lanes = nullptr; ///< the axis in lanes; null: there is one lane
  const Leaf *L = nullptr;
  /// Loads; only a DOT has B, and one of its two may be null: it is 1.
  const Op *A = nullptr, *B = nullptr;
  /// Of a DOT: what is made of them and multiplied.
  OpId ValueA = 0, ValueB = 0;
  const Access &target() const { return L->Assigns.front().Target; }
};

/// The factors of a product that is added to \p Sum, of any of its types, by \p
/// O; empty: it does something else.
llvm::SmallVector<OpId, 2> findProduct(const Leaf &L, const Op &O,
                                       const Access &Sum);

/// Whether flags permit that \p L adds its terms in any order, with other
/// roundings, and takes subnormal numbers for 0.
bool mayApproximate(const Leaf &L);

/// Empty, with \p Use, if the nest of the axis node \p N computes what \p Name
/// does; else what differs, as one line.
std::string matchInstruction(const Kernel &K, const Node &N,
                             llvm::StringRef Name, InstructionUse &Use);

} // namespace dlopt

#endif // DLOPT_INSTRUCTIONS_H
