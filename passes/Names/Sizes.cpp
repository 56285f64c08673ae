//===- Sizes.cpp - Parameters that are computed of others -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The length of a row may be a parameter of its own, though the source has it
/// from others: 2 * width. Names compare steps and counts, so that they ask for
/// what these are made of.
///
//===----------------------------------------------------------------------===//
#include "Programs.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Raise.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

static std::optional<ParamId> findParam(const Kernel &K, const Value *V) {
  for (ParamId P = 0; P != K.Params.size(); ++P)
    if (K.Params[P].Bound && !isFloat(K.Params[P].Ty) &&
        stripConversions(K.Params[P].Bound) == V)
      return P;
  return std::nullopt;
}

/// \p V, an integer, of parameters and small numbers alone; nullopt: it is
/// something else. Sums and products of them are taken apart.
static std::optional<Poly> getSize(Kernel &K, const Value *V,
                                   unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 4, MostBits = 16;
  V = stripConversions(V);
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().isSignedIntN(MostBits)
               ? std::optional(Poly(C->getSExtValue()))
               : std::nullopt;
  std::optional<ParamId> Own = findParam(K, V);
  std::optional<Poly> Whole =
      Own ? std::optional(Poly::atom(K.getParamAtom(*Own))) : std::nullopt;
  const auto *B = dyn_cast<BinaryOperator>(V);
  if (!B || Depth == MaxDepth)
    return Whole;
  std::optional<Poly> X = getSize(K, B->getOperand(0), Depth + 1),
                      Y = getSize(K, B->getOperand(1), Depth + 1);
  if (!X || !Y)
    return Whole;
  std::optional<int64_t> By = Y->getConstant();
  switch (B->getOpcode()) {
  case Instruction::Add:
    return *X + *Y;
  case Instruction::Sub:
    return *X - *Y;
  case Instruction::Mul:
    return *X * *Y;
  case Instruction::Shl:
    if (By && *By >= 0 && *By < MostBits)
      return Poly(int64_t(1) << *By) * *X;
    return Whole;
  default:
    return Whole;
  }
}

void dlopt::takeSizesApart(Kernel &K) {
  SmallVector<std::optional<Poly>, 8> Sizes(K.Params.size());
  bool Any = false;
  for (ParamId P = 0; P != Sizes.size(); ++P) {
    if (!K.Params[P].Bound || isFloat(K.Params[P].Ty) ||
        K.Params[P].Ty == ScalarType::I1)
      continue;
    std::optional<Poly> Size = getSize(K, K.Params[P].Bound);
    if (!Size || *Size == Poly::atom(K.getParamAtom(P)))
      continue;
    Sizes[P] = std::move(Size);
    Any = true;
  }
  if (!Any)
    return;
  substituteBelow(K, K.Root, [&](const Atom &Of) {
    return Of.K == Atom::Param ? Sizes[Of.Ref] : std::nullopt;
  });
  forEachLeafBelow(K.Root, [&](Leaf &L) {
    for (Op &O : L.Ops)
      if (O.K == Op::Param && Sizes[O.Ref]) {
        O.K = Op::Index;
        O.Idx = *Sizes[O.Ref];
      }
  });
}
