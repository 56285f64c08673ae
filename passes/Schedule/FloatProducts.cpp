//===- FloatProducts.cpp - How products and sums are rounded --------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/Strategies.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

/// Puts \p Ops in the place of those of \p L; \p NewIds: of what each of these
/// became.
static void replaceOps(Leaf &L, std::vector<Op> Ops, ArrayRef<OpId> NewIds) {
  for (Assign &A : L.Assigns)
    A.Value = NewIds[A.Value];
  if (L.Predicate)
    L.Predicate = NewIds[*L.Predicate];
  L.Ops = std::move(Ops);
}

static void separateProducts(Leaf &L) {
  std::vector<Op> Ops;
  SmallVector<OpId, 16> NewIds;
  for (Op &O : L.Ops) {
    for (OpId &Arg : O.Args)
      Arg = NewIds[Arg];
    O.FMF.setAllowContract(false);
    if (O.K == Op::Intrinsic && O.Opcode == Intrinsic::fmuladd) {
      Op Product = O;
      Product.K = Op::Inst;
      Product.Opcode = Instruction::FMul;
      Product.Args = {O.Args[0], O.Args[1]};
      Ops.push_back(Product);
      Product.Opcode = Instruction::FAdd;
      Product.Args = {static_cast<OpId>(Ops.size() - 1), O.Args[2]};
      O = Product;
    }
    NewIds.push_back(static_cast<OpId>(Ops.size()));
    Ops.push_back(std::move(O));
  }
  replaceOps(L, std::move(Ops), NewIds);
}

static void separateProducts(Node &N) {
  if (N.K == Node::LeafNode)
    separateProducts(N.L);
  for (auto &Child : N.Children)
    separateProducts(*Child);
}

void dlopt::separateProducts(Kernel &K) { ::separateProducts(K.Root); }

/// Which operand of the sum \p O in \p L is a product that is fused with it.
static std::optional<unsigned> findFused(const Leaf &L, const Op &O) {
  auto Count = [&](OpId Id) {
    size_t Uses = L.Predicate == Id;
    for (const Assign &A : L.Assigns)
      Uses += A.Value == Id;
    for (const Op &User : L.Ops)
      Uses += count(User.Args, Id);
    return Uses;
  };
  bool IsSum = O.K == Op::Inst &&
               (O.Opcode == Instruction::FAdd || O.Opcode == Instruction::FSub);
  if (!IsSum || !O.FMF.allowContract())
    return std::nullopt;
  SmallVector<unsigned, 2> Products;
  for (auto [I, Id] : enumerate(O.Args)) {
    const Op &Arg = L.Ops[Id];
    if (Arg.K == Op::Inst && Arg.Opcode == Instruction::FMul &&
        Arg.FMF.allowContract() && Count(Id) == 1)
      Products.push_back(static_cast<unsigned>(I));
  }
  // Of two the back end picks one; what is subtracted from is rare.
  if (Products.size() != 1 ||
      (O.Opcode == Instruction::FSub && Products.front() == 0))
    return std::nullopt;
  return Products.front();
}

static void fuseProducts(Leaf &L) {
  std::vector<Op> Ops;
  SmallVector<OpId, 16> NewIds;
  for (const Op &Old : L.Ops) {
    Op O = Old;
    for (OpId &Arg : O.Args)
      Arg = NewIds[Arg];
    if (std::optional<unsigned> Which = findFused(L, Old)) {
      SmallVector<OpId, 3> Args = {Ops[O.Args[*Which]].Args[0],
                                   Ops[O.Args[*Which]].Args[1],
                                   O.Args[1 - *Which]};
      if (O.Opcode == Instruction::FSub) {
        Op Negated = O;
        Negated.Opcode = Instruction::FNeg;
        Negated.Args = {Args[0]};
        Negated.Origin = nullptr;
        Args[0] = static_cast<OpId>(Ops.size());
        Ops.push_back(std::move(Negated));
      }
      O.K = Op::Intrinsic;
      O.Opcode = Intrinsic::fmuladd;
      O.Args = std::move(Args);
      O.Origin = nullptr;
    }
    NewIds.push_back(static_cast<OpId>(Ops.size()));
    Ops.push_back(std::move(O));
  }
  replaceOps(L, std::move(Ops), NewIds);
  dropUnusedOps(L);
}

static void fuseProducts(Node &N) {
  if (N.K == Node::LeafNode)
    fuseProducts(N.L);
  for (auto &Child : N.Children)
    fuseProducts(*Child);
}

void dlopt::fuseProducts(Kernel &K) { ::fuseProducts(K.Root); }

static void fixOrder(Node &N) {
  // Pairs of bfloats are worth another order.
  if (!loadsBFloats(N.L))
    for (Op &O : N.L.Ops)
      O.FMF.setAllowReassoc(false);
  for (auto &Child : N.Children)
    fixOrder(*Child);
}

void dlopt::fixOrder(Kernel &K) { ::fixOrder(K.Root); }
