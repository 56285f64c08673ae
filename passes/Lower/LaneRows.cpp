//===- LaneRows.cpp - What lanes do one after the other -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A row program begins with sums and maxima of a row, whose order the lanes of
/// several rows keep, and ends with what writes a row: along the row, where its
/// elements are neighbours, or in the order of the source, where functions of
/// the library may set errno.
///
//===----------------------------------------------------------------------===//
#include "LaneLower.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace dlopt {

/// Memory for an element of the local \p Buf of each lane; what lanes have
/// found out is in it.
AllocaInst *LaneLowering::spill(BufferId Buf) {
  Value *V = C.getPrivate(Buf);
  // A vector of bits has no elements in memory.
  if (K.Buffers[Buf].Ty == ScalarType::I1)
    V = B.CreateZExt(V, FixedVectorType::get(B.getInt8Ty(), C.getLanes()));
  AllocaInst *Memory =
      C.createLocal(*B.GetInsertBlock()->getParent(), Buf, V->getType());
  B.CreateStore(V, Memory);
  return Memory;
}

/// Memory for the locals of \p N that its children from \p From to \p To share
/// with others.
SmallVector<LaneLowering::Spill, 4>
LaneLowering::getSpills(const Node &N, unsigned From, unsigned To) {
  auto Children = ArrayRef(N.Children);
  SmallVector<Spill, 4> Result;
  for (BufferId Buf : N.Locals) {
    auto Assigns = [&](const auto &X) { return assigns(*X, Buf); };
    auto Uses = [&](const auto &X) { return uses(K, *X, Buf); };
    auto Part = Children.slice(From, To - From);
    bool IsIn =
        any_of(Children.take_front(From), Assigns) && any_of(Part, Uses);
    bool IsOut = any_of(Part, Assigns) && any_of(Children.drop_front(To), Uses);
    if (K.Buffers[Buf].Shape.empty() && (IsIn || IsOut))
      Result.push_back({Buf, spill(Buf)});
  }
  return Result;
}

/// Whether rows that have run before need not run the children of \p N from
/// \p From on again: nothing comes behind, and nothing in front has written
/// what these write.
bool LaneLowering::areDone(const Node &N, unsigned From, unsigned To) const {
  if (To != N.Children.size())
    return false;
  if (DLOPT_PLANTED(RowsTakenForDone))
    return true;
  auto Children = ArrayRef(N.Children);
  return none_of(Children.drop_front(From), [&](const auto &Child) {
    bool IsWritten = false;
    forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Assign &A : L.Assigns)
        IsWritten |= !is_contained(N.Locals, A.Target.Buf) &&
                     any_of(Children.take_front(From), [&](const auto &Before) {
                       return assigns(*Before, A.Target.Buf);
                     });
    });
    return IsWritten;
  });
}

/// Whether \p L does no harm, whatever it reads: it assigns to \p Locals alone,
/// cannot trap and sets no errno.
static bool isHarmless(const Leaf &L, ArrayRef<BufferId> Locals) {
  auto IsLocal = [&](const Assign &A) {
    return is_contained(Locals, A.Target.Buf);
  };
  auto IsOf = [](const Op &O, std::initializer_list<unsigned> Opcodes) {
    return O.K == Op::Inst && is_contained(Opcodes, O.Opcode);
  };
  return all_of(L.Assigns, IsLocal) && none_of(L.Ops, [&](const Op &O) {
           return O.K == Op::LibCall ||
                  IsOf(O, {Instruction::SDiv, Instruction::UDiv,
                           Instruction::SRem, Instruction::URem});
         });
}

/// Whether rows in lanes leave nothing behind but what each writes by itself in
/// the end, which those that have run leave out: what they would be from what
/// has been written since nobody gets to know.
bool LaneLowering::writesLast(const Node &N) const {
  const LanePlan::Split *Rows = Plan.getSplit(N.Ax);
  if (!Rows || Rows->Ends.back() == N.Children.size())
    return false;
  if (DLOPT_PLANTED(LastWritesAssumed))
    return true;
  SmallVector<BufferId, 8> Locals;
  collectLocals(N, Locals);
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    auto Own = static_cast<BufferId>(Id);
    if (assigns(N, Own) && isReadBySubscripts(K, Own))
      return false;
  }
  return all_of(ArrayRef(N.Children).take_front(Rows->Ends.back()),
                [&](const auto &Child) {
                  bool Is = true;
                  forEachLeaf(*Child, [&](const Leaf &L, ArrayRef<AxisId>) {
                    Is &= isHarmless(L, Locals);
                  });
                  return Is;
                });
}

/// The children of \p N from \p From to \p To for each of the lanes by itself.
/// What lanes have for themselves, one element for each, are scalars there.
void LaneLowering::lowerRows(const Node &N, unsigned From, unsigned To) {
  unsigned Lanes = C.getLanes();
  auto Spills = C.inLanes() ? getSpills(N, From, To) : SmallVector<Spill, 4>();
  DenseSet<BufferId> Private = std::move(C.Private);
  C.Private.clear();
  AlongRow = true;
  const Node *OuterRow = std::exchange(Row, &N),
             *OuterProgram = std::exchange(Program, &N);
  Value *FirstRow = C.AxisValues[N.Ax];
  Value *Before = std::exchange(Repeated, nullptr),
        *Done = Before && areDone(N, From, To) ? Before : B.getInt64(0);
  CountedLoop L = beginWholeSteps(B, Done, B.getInt64(Lanes), 1,
                                  K.Axes[N.Ax].Name + ".row");
  C.enterLanes(N.Ax, B.CreateAdd(FirstRow, L.Index), 1);
  auto GetAddress = [&](AllocaInst *Memory) {
    Value *Row = L.Index;
    if (DLOPT_PLANTED(FirstRowForAll))
      Row = B.getInt64(0);
    return B.CreateGEP(Memory->getAllocatedType()->getScalarType(), Memory,
                       Row);
  };
  for (auto [Buf, Memory] : Spills) {
    Type *Ty = getIRType(K.Buffers[Buf].Ty, B.getContext());
    Value *V = B.CreateLoad(Memory->getAllocatedType()->getScalarType(),
                            GetAddress(Memory));
    B.CreateStore(V->getType() == Ty ? V : B.CreateTrunc(V, Ty), C.Locals[Buf]);
  }
  auto Children = ArrayRef(N.Children).slice(From, To - From);
  for (const auto &Child : Children)
    lower(*Child);
  auto IsChanged = [&](const Spill &S) {
    return any_of(Children,
                  [&](const auto &X) { return assigns(*X, S.first); });
  };
  for (auto [Buf, Memory] : make_filter_range(Spills, IsChanged)) {
    Value *V = B.CreateLoad(getIRType(K.Buffers[Buf].Ty, B.getContext()),
                            C.Locals[Buf]);
    B.CreateStore(
        B.CreateZExtOrBitCast(V, Memory->getAllocatedType()->getScalarType()),
        GetAddress(Memory));
  }
  endLoop(B, L);
  Repeated = Before;
  AlongRow = false;
  Row = OuterRow;
  Program = OuterProgram;
  C.Private = std::move(Private);
  C.enterLanes(N.Ax, FirstRow, Lanes);
  for (auto [Buf, Memory] : make_filter_range(Spills, IsChanged)) {
    Value *V = B.CreateLoad(Memory->getAllocatedType(), Memory);
    if (K.Buffers[Buf].Ty == ScalarType::I1)
      V = B.CreateTrunc(V, V->getType()->getWithNewType(B.getInt1Ty()));
    if (!DLOPT_PLANTED(RowResultLost))
      C.setPrivate(Buf, V);
  }
}

/// The children of \p N, whose iterations are lanes, some of them for one row
/// after the other.
void LaneLowering::lowerSplit(const Node &N, const LanePlan::Split &Rows) {
  SmallVector<unsigned, 5> Ends(Rows.Ends.begin(), Rows.Ends.end());
  Ends.push_back(N.Children.size());
  unsigned From = 0;
  for (auto [Turn, To] : enumerate(Ends)) {
    if (Turn % 2 == 0 && From != To)
      lowerRows(N, From, To);
    else
      for (const auto &Child : ArrayRef(N.Children).slice(From, To - From))
        lower(*Child);
    From = To;
  }
}

} // namespace dlopt
