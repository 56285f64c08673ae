//===- InterpreterTree.cpp - Runs axes and leaves -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InterpreterImpl.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

const Demand &Interpreter::getDemand(const Leaf &L) {
  auto [It, New] = Demands.try_emplace(&L);
  if (!New)
    return It->second;
  std::vector<bool> Predicate(L.Ops.size()), Values(L.Ops.size());
  if (L.Predicate)
    Predicate[*L.Predicate] = true;
  for (const Assign &A : L.Assigns)
    Values[A.Value] = true;
  for (size_t I = L.Ops.size(); I-- > 0;)
    for (OpId Arg : L.Ops[I].Args) {
      // A view reads the side that it is of.
      if (L.Ops[I].K == Op::View)
        break;
      Predicate[Arg] = Predicate[Arg] || Predicate[I];
      Values[Arg] = Values[Arg] || Values[I];
    }
  for (OpId I = 0; I < L.Ops.size(); ++I)
    if (Predicate[I])
      It->second.ForPredicate.push_back(I);
    else if (Values[I])
      It->second.ForValues.push_back(I);
  return It->second;
}

bool Interpreter::runOps(const Leaf &L, ArrayRef<OpId> Ids,
                         std::vector<Scalar> &Values) {
  SmallVector<Scalar, 3> Args;
  for (OpId Id : Ids) {
    const Op &O = L.Ops[Id];
    Scalar &V = Values[Id];
    V.Ty = O.Ty;
    switch (O.K) {
    case Op::Const:
      V.Bits = O.Bits;
      continue;
    case Op::Param:
      V.Bits = ParamBits[O.Ref];
      continue;
    case Op::Load:
      if (load(O.Acc, V))
        return true;
      continue;
    case Op::View: {
      int64_t Value = 0;
      if (evaluatePoly(O.Idx, Value) ||
          load(L.Ops[O.Args[Value >= 0 ? 0 : 1]].Acc, V))
        return true;
      continue;
    }
    case Op::Index: {
      int64_t Value = 0;
      if (evaluatePoly(O.Idx, Value))
        return true;
      V.Bits = static_cast<uint64_t>(Value) &
               maskTrailingOnes<uint64_t>(getBitWidth(O.Ty));
      continue;
    }
    case Op::Inst:
    case Op::Intrinsic:
    case Op::LibCall:
      break;
    }
    Args.clear();
    for (OpId Arg : O.Args)
      Args.push_back(Values[Arg]);
    // A choice is junk by what is chosen.
    if (O.K == Op::Inst && O.Opcode == Instruction::Select && !Args[0].IsJunk)
      V.IsJunk = Args[Args[0].Bits & 1 ? 1 : 2].IsJunk;
    else
      V.IsJunk = any_of(Args, [](const Scalar &Arg) { return Arg.IsJunk; });
    if (V.IsJunk)
      continue;
    if (std::string Wrong = evaluate(O, Args, Opts.FuseMulAdd, V.Bits);
        !Wrong.empty())
      return fail(Wrong);
  }
  return false;
}

bool Interpreter::addWrite(const Access &Target, Scalar Value) {
  const Buffer &Buf = K.Buffers[Target.Buf];
  if (Value.IsJunk && Buf.Where == Buffer::AnyPlace)
    return fail("junk is assigned to " + KernelText(K).access(Target));
  Writes.push_back({Target.Buf, 0, Value});
  return locate(Target, Writes.back().Place);
}

void Interpreter::applyWrites() {
  for (const Write &W : Writes)
    if (W.Value.IsJunk)
      Buffers[W.Buf].forget(W.Place);
    else if (K.Buffers[W.Buf].IsLocal)
      Buffers[W.Buf].storeLocal(W.Place, W.Value.Bits);
    else
      Buffers[W.Buf].store(W.Place, W.Value.Bits);
  Writes.clear();
}

/// All values and places are known before anything is assigned.
bool Interpreter::evaluateLeaf(const Leaf &L, bool InLanes) {
  bool Inside = false;
  if (countStep() || holds(L.Domain, Inside))
    return true;
  if (!Inside)
    return false;
  const Demand &D = getDemand(L);
  std::vector<Scalar> Values(L.Ops.size());
  if (runOps(L, D.ForPredicate, Values))
    return true;
  // In lanes a predicate selects; out of them it branches.
  bool IsJunk = L.Predicate && Values[*L.Predicate].IsJunk;
  if (IsJunk && !InLanes)
    return fail("junk is used as a condition");
  if (L.Predicate && !IsJunk && !(Values[*L.Predicate].Bits & 1))
    return false;
  if (runOps(L, D.ForValues, Values))
    return true;
  for (const Assign &A : L.Assigns) {
    Scalar V = Values[A.Value];
    V.IsJunk |= IsJunk;
    if (addWrite(A.Target, V))
      return true;
  }
  return false;
}

/// A lane past the end: nothing in memory is touched, and the locals that the
/// leaf may assign hold junk.
bool Interpreter::evaluateJunk(const Leaf &L) {
  bool Inside = true;
  for (const Constraint &C : L.Domain) {
    auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
    int64_t Value = 0;
    if (K.anyNestedAtom(C.P, IsLoad))
      continue;
    if (evaluatePoly(C.P, Value))
      return true;
    Inside &= C.IsEquality ? Value == 0 : Value >= 0;
  }
  for (const Assign &A : L.Assigns)
    if (Inside && K.Buffers[A.Target.Buf].IsLocal &&
        addWrite(A.Target, {K.Buffers[A.Target.Buf].Ty, 0, /*IsJunk=*/true}))
      return true;
  return false;
}

bool Interpreter::runLeaf(const Leaf &L) {
  if (evaluateLeaf(L, /*InLanes=*/false))
    return true;
  applyWrites();
  return false;
}

bool Interpreter::enterLocals(const Node &N) {
  for (BufferId B : N.Locals) {
    SmallVector<int64_t, 4> Shape;
    if (evaluateAll(K.Buffers[B].Shape, Shape))
      return true;
    std::string Wrong = Buffers[B].allocate(K.Buffers[B].Ty, Shape);
    if (!Wrong.empty())
      return fail("local '" + K.Buffers[B].Name + "' " + Wrong);
  }
  return false;
}

bool Interpreter::runRound(const Node &N, int64_t At, int64_t Size) {
  AxisValues[N.Ax] = At;
  AxisSizes[N.Ax] = Size;
  return countStep() || checkRanges(N.Ax) || enterLocals(N) || runChildren(N);
}

/// The elements from \p Begin on, of which there are some.
static int64_t getLeft(int64_t Begin, int64_t End) {
  int64_t Left = 0;
  return SubOverflow(End, Begin, Left) ? INT64_MAX : Left;
}

bool Interpreter::runBlocks(const Node &N, int64_t Begin, int64_t End) {
  const AxisSchedule &S = K.Axes[N.Ax].Schedule;
  const int64_t All = getLeft(Begin, End);
  if (S.Once && Begin >= End)
    return runRound(N, Begin, 0);
  while (Begin < End) {
    int64_t Left = getLeft(Begin, End);
    if (S.Limit)
      Left = std::min(Left, static_cast<int64_t>(ParamBits[*S.Limit]));
    std::optional<int64_t> Size = S.getBlock(Left, Opts.VL);
    if (int64_t Last = S.Steps.back().at(Opts.VL);
        !Size && S.Overlaps && Last <= All) {
      Size = Last;
      Begin = End - Last;
    }
    AxisValues[N.Ax] = Begin;
    if (!Size)
      return fail("no block is as small as the last " + Twine(Left));
    if (runRound(N, Begin, *Size))
      return true;
    Begin += *Size;
  }
  return false;
}

/// Each leaf loads for all lanes before it stores for any.
bool Interpreter::runLanes(const Node &N, int64_t Begin, int64_t End) {
  int64_t Lanes = K.Axes[N.Ax].Schedule.Lanes.at(Opts.VL);
  for (int64_t Left = 0; Begin < End; Begin += std::min(Left, Lanes)) {
    Left = getLeft(Begin, End);
    for (const auto &Child : N.Children) {
      for (int64_t I = 0; I < Lanes; ++I) {
        // Indices wrap as addresses do.
        AxisValues[N.Ax] = static_cast<int64_t>(static_cast<uint64_t>(Begin) +
                                                static_cast<uint64_t>(I));
        IsFirstLane = I == 0;
        if (I < Left ? checkRanges(N.Ax) || evaluateLeaf(Child->L, true)
                     : evaluateJunk(Child->L))
          return true;
      }
      IsFirstLane = true;
      applyWrites();
    }
  }
  return false;
}

bool Interpreter::runAxis(const Node &N) {
  const Axis &A = K.Axes[N.Ax];
  SmallVector<int64_t, 2> Extents, Begins;
  if (evaluateAll(A.Extents, Extents) || evaluateAll(A.Begins, Begins))
    return true;
  int64_t End = *llvm::min_element(Extents);
  int64_t Begin = Begins.empty() ? 0 : *llvm::max_element(Begins);
  Path.push_back(N.Ax);
  if (A.Schedule.isBlocks()) {
    if (runBlocks(N, Begin, End))
      return true;
  } else if (A.Schedule.Lanes) {
    if (runLanes(N, Begin, End))
      return true;
  } else {
    for (int64_t I = Begin; I < End; ++I)
      if (runRound(N, I, 1))
        return true;
  }
  Path.pop_back();
  return false;
}

bool Interpreter::runChildren(const Node &N) {
  for (const auto &Child : N.Children) {
    bool Failed = false;
    switch (Child->K) {
    case Node::Sequence:
      Failed = enterLocals(*Child) || runChildren(*Child);
      break;
    case Node::AxisNode:
      Failed = runAxis(*Child);
      break;
    case Node::LeafNode:
      Failed = runLeaf(Child->L);
      break;
    }
    if (Failed)
      return true;
  }
  return false;
}
