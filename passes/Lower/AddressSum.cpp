//===- AddressSum.cpp - Addresses as sums of products ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "AddressSum.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

AddressSum::AddressSum(const Value *Address, const DataLayout &DL) {
  unsigned Bits = DL.getIndexTypeSizeInBits(Address->getType());
  while (const auto *GEP = dyn_cast<GEPOperator>(Address)) {
    OffsetMap Variables;
    APInt Bytes(Bits, 0);
    if (!GEP->collectOffset(DL, Bits, Variables, Bytes))
      break;
    addTo(Terms, {}, Bytes.getSExtValue());
    for (const auto &[V, Scale] : Variables)
      for (const auto &[P, Factor] : expand(V))
        addTo(Terms, P, Factor * Scale.getSExtValue());
    Address = GEP->getPointerOperand();
  }
  Base = Address;
}

std::optional<int64_t> AddressSum::getDistance(const AddressSum &Other) const {
  Sum Difference = Terms;
  for (const auto &[P, Factor] : Other.Terms)
    addTo(Difference, P, -Factor);
  if (Base != Other.Base || Difference.size() > 1 ||
      (Difference.size() == 1 && !Difference.begin()->first.empty()))
    return std::nullopt;
  return Difference.empty() ? 0
                            : static_cast<int64_t>(Difference.begin()->second);
}

void AddressSum::addTo(Sum &S, const Product &P, uint64_t Times) {
  if (!(S[P] += Times))
    S.erase(P);
}

AddressSum::Sum AddressSum::expand(const Value *V, unsigned Depth) {
  constexpr unsigned MostDepth = 8;
  constexpr size_t MostTerms = 4;
  const Value *X = nullptr, *Y = nullptr;
  const APInt *Number = nullptr;
  Sum Result;
  bool IsWhole = V->getType()->isIntegerTy(64) && Depth < MostDepth;
  if (IsWhole && match(V, m_APInt(Number))) {
    addTo(Result, {}, Number->getZExtValue());
  } else if (IsWhole && match(V, m_AddLike(m_Value(X), m_Value(Y)))) {
    Result = expand(X, Depth + 1);
    for (const auto &[P, Times] : expand(Y, Depth + 1))
      addTo(Result, P, Times);
  } else if (IsWhole && match(V, m_Shl(m_Value(X), m_APInt(Number))) &&
             Number->ult(64)) {
    for (const auto &[P, Times] : expand(X, Depth + 1))
      addTo(Result, P, Times << Number->getZExtValue());
  } else if (IsWhole && match(V, m_Mul(m_Value(X), m_Value(Y)))) {
    Sum Left = expand(X, Depth + 1), Right = expand(Y, Depth + 1);
    if (Left.size() > MostTerms || Right.size() > MostTerms)
      return {{{{V, 0}}, 1}};
    for (const auto &[P, Times] : Left)
      for (const auto &[Q, Others] : Right) {
        Product Both = P;
        Both.append(Q);
        llvm::sort(Both);
        addTo(Result, Both, Times * Others);
      }
  } else if (match(V, m_ZExtOrSExt(m_Value(X)))) {
    Result = {{{{X, cast<CastInst>(V)->getOpcode()}}, 1}};
  } else {
    Result = {{{{V, 0}}, 1}};
  }
  return Result;
}

} // namespace dlopt
