//===- Interpreter.cpp - Executes kernels ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Interpreter.h"
#include "Memory.h"
#include "Scalar.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <map>

using namespace llvm;
using namespace dlopt;

namespace {

/// Which operations of a leaf are needed when, in the order of evaluation.
struct Demand {
  std::vector<OpId> ForPredicate, ForValues;
};

/// Functions return true, with Message set, at the first error.
class Interpreter {
public:
  Interpreter(const Kernel &K, const InterpreterOptions &Opts)
      : K(K), Opts(Opts), AxisValues(K.Axes.size(), 0),
        AxisSizes(K.Axes.size(), 0), Buffers(K.Buffers.size()) {}
  Error run(const Bindings &B, DenseMap<BufferId, uint64_t> *FinalState);

private:
  bool fail(const Twine &Text);
  bool bind(const Bindings &B);
  bool countStep();
  // Indices.
  bool evaluatePoly(const Poly &P, int64_t &Value);
  bool evaluateAtom(AtomId Id, int64_t &Value);
  bool evaluateAll(ArrayRef<Poly> Ps, SmallVectorImpl<int64_t> &Values);
  bool locate(const Access &X, size_t &Place);
  bool load(const Access &X, Scalar &V);
  // The tree.
  bool runChildren(const Node &N);
  bool runAxis(const Node &N);
  bool runRound(const Node &N, int64_t At, int64_t Size);
  bool runBlocks(const Node &N, int64_t Begin, int64_t End);
  bool runLanes(const Node &N, int64_t Begin, int64_t End);
  bool runLeaf(const Leaf &L);
  bool evaluateLeaf(const Leaf &L, bool InLanes);
  bool evaluateJunk(const Leaf &L);
  bool addWrite(const Access &Target, Scalar Value);
  void applyWrites();
  bool runOps(const Leaf &L, ArrayRef<OpId> Ids, std::vector<Scalar> &Values);
  bool enterLocals(const Node &N);
  bool checkDomain(const Leaf &L, bool &Inside);
  bool checkRanges(std::optional<AxisId> Innermost);
  bool checkNonZero(const Need &N, int64_t Offset);
  bool checkSame();
  bool checkDisjoint();
  void placeRanges(const Node &N);
  const Demand &getDemand(const Leaf &L);

  const Kernel &K;
  const InterpreterOptions &Opts;
  std::string Message;
  uint64_t Steps = 0;
  std::vector<int64_t> AxisValues, AxisSizes;
  SmallVector<AxisId, 8> Path;
  std::vector<uint64_t> ParamBits;
  std::vector<BufferState> Buffers;
  std::map<const Leaf *, Demand> Demands;
  /// What the leaf that is evaluated assigns, once all its lanes are.
  struct Write {
    BufferId Buf;
    size_t Place;
    Scalar Value;
  };
  SmallVector<Write, 16> Writes;
  /// InRange and NonZero needs by the innermost axis they use, if any.
  std::map<std::optional<AxisId>, SmallVector<const Need *, 2>> Ranges;
};

} // namespace

bool Interpreter::fail(const Twine &Text) {
  KernelText Names(K);
  Message =
      ("kernel " + Twine(K.Id) + " @" + quoteIfNeeded(K.Function) + ": " + Text)
          .str();
  for (AxisId A : Path)
    Message += (A == Path.front() ? ", at " : ", ") + Names.axis(A) + " = " +
               std::to_string(AxisValues[A]);
  return true;
}

bool Interpreter::countStep() {
  if (Opts.MaxSteps && ++Steps > Opts.MaxSteps)
    return fail("more than " + Twine(Opts.MaxSteps) + " steps");
  return false;
}

bool Interpreter::bind(const Bindings &B) {
  StringSet<> Names;
  for (const Param &P : K.Params) {
    auto It = B.Scalars.find(P.Name);
    if (It == B.Scalars.end())
      return fail("parameter '" + P.Name + "' is not bound");
    if (!Names.insert(P.Name).second)
      return fail("more than one parameter has the name '" + P.Name + "'");
    ParamBits.push_back(It->second &
                        maskTrailingOnes<uint64_t>(getBitWidth(P.Ty)));
  }
  Names.clear();
  for (auto [State, Buf] : zip(Buffers, K.Buffers)) {
    if (Buf.IsLocal)
      continue;
    auto It = B.Arrays.find(Buf.Name);
    if (It == B.Arrays.end())
      return fail("buffer '" + Buf.Name + "' is not bound");
    if (!Names.insert(Buf.Name).second)
      return fail("more than one buffer has the name '" + Buf.Name + "'");
    State.bind(Buf.Ty, It->second);
  }
  return false;
}

bool Interpreter::evaluatePoly(const Poly &P, int64_t &Value) {
  uint64_t Sum = 0;
  for (const auto &[M, Coef] : P.terms()) {
    uint64_t Product = Coef;
    for (AtomId A : M) {
      int64_t Factor = 0;
      if (evaluateAtom(A, Factor))
        return true;
      Product *= static_cast<uint64_t>(Factor);
    }
    Sum += Product;
  }
  Value = static_cast<int64_t>(Sum);
  return false;
}

/// \p Bits of type \p Ty as an index.
static int64_t extend(ScalarType Ty, uint64_t Bits, bool Signed) {
  return static_cast<int64_t>(Signed ? SignExtend64(Bits, getBitWidth(Ty))
                                     : Bits);
}

bool Interpreter::evaluateAtom(AtomId Id, int64_t &Value) {
  const Atom &A = K.Atoms[Id];
  switch (A.K) {
  case Atom::Axis:
    Value = AxisValues[A.Ref];
    return false;
  case Atom::Size:
    Value = AxisSizes[A.Ref];
    return false;
  case Atom::Param:
    Value =
        extend(K.Params[A.Ref].Ty, ParamBits[A.Ref], K.Params[A.Ref].Signed);
    return false;
  case Atom::Load: {
    Scalar V;
    if (load(A.Source, V))
      return true;
    if (V.IsJunk)
      return fail("junk of " + KernelText(K).access(A.Source) +
                  " is used as an index");
    Value = extend(K.Buffers[A.Source.Buf].Ty, V.Bits, A.Signed);
    return false;
  }
  case Atom::FloorDiv:
  case Atom::Mod:
    break;
  }
  int64_t Num = 0, Den = 0;
  if (evaluatePoly(A.Num, Num) || evaluatePoly(A.Den, Den))
    return true;
  if (Den <= 0)
    return fail("a divisor is " + Twine(Den));
  int64_t Quotient = Num / Den;
  if (Num % Den < 0)
    --Quotient;
  Value = A.K == Atom::FloorDiv ? Quotient : Num - Quotient * Den;
  return false;
}

bool Interpreter::evaluateAll(ArrayRef<Poly> Ps,
                              SmallVectorImpl<int64_t> &Values) {
  Values.resize(Ps.size());
  for (auto [P, Value] : zip(Ps, Values))
    if (evaluatePoly(P, Value))
      return true;
  return false;
}

/// The byte of an array or the element of a local.
bool Interpreter::locate(const Access &X, size_t &Place) {
  SmallVector<int64_t, 4> Subs, Strides;
  if (evaluateAll(X.Subs, Subs))
    return true;
  std::string Wrong;
  if (K.Buffers[X.Buf].IsLocal) {
    Wrong = Buffers[X.Buf].locate(Subs, Place);
  } else {
    if (evaluateAll(X.Strides, Strides))
      return true;
    uint64_t Offset = 0;
    for (auto [Sub, Stride] : zip(Subs, Strides))
      Offset += static_cast<uint64_t>(Sub) * static_cast<uint64_t>(Stride);
    Wrong = Buffers[X.Buf].locate(static_cast<int64_t>(Offset), Place);
  }
  return !Wrong.empty() && fail(KernelText(K).access(X) + " " + Wrong);
}

bool Interpreter::load(const Access &X, Scalar &V) {
  size_t Place = 0;
  if (locate(X, Place))
    return true;
  V.Ty = K.Buffers[X.Buf].Ty;
  if (!K.Buffers[X.Buf].IsLocal) {
    V.Bits = Buffers[X.Buf].load(Place);
    return false;
  }
  V.IsJunk = K.Buffers[X.Buf].Where != Buffer::AnyPlace &&
             !Buffers[X.Buf].isAssigned(Place);
  if (V.IsJunk)
    return false;
  std::string Wrong = Buffers[X.Buf].loadLocal(Place, V.Bits);
  return !Wrong.empty() && fail(KernelText(K).access(X) + " " + Wrong);
}

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
    V.IsJunk = any_of(Args, [](const Scalar &Arg) { return Arg.IsJunk; });
    if (V.IsJunk)
      continue;
    if (std::string Wrong = evaluate(O, Args, Opts.FuseMulAdd, V.Bits);
        !Wrong.empty())
      return fail(Wrong);
  }
  return false;
}

bool Interpreter::checkDomain(const Leaf &L, bool &Inside) {
  Inside = true;
  for (const Constraint &C : L.Domain) {
    int64_t Value = 0;
    if (evaluatePoly(C.P, Value))
      return true;
    if (C.IsEquality ? Value != 0 : Value < 0) {
      Inside = false;
      return false;
    }
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
  if (countStep() || checkDomain(L, Inside))
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

bool Interpreter::checkRanges(std::optional<AxisId> Innermost) {
  auto It = Ranges.find(Innermost);
  if (It == Ranges.end())
    return false;
  for (const Need *N : It->second) {
    int64_t Value = 0;
    if (evaluatePoly(N->P, Value))
      return true;
    if (N->K == Need::NonZero) {
      if (checkNonZero(*N, Value))
        return true;
      continue;
    }
    if (Value < N->Lo || Value > N->Hi)
      return fail(KernelText(K).poly(N->P) + " is " + Twine(Value) +
                  ", not in " + Twine(N->Lo) + " to " + Twine(N->Hi));
  }
  return false;
}

bool Interpreter::checkNonZero(const Need &N, int64_t Offset) {
  const Buffer &Buf = K.Buffers[N.Buf];
  size_t Byte = 0;
  if (std::string Wrong = Buffers[N.Buf].locate(Offset, Byte); !Wrong.empty())
    return fail("%" + Buf.Name + ": " + Wrong);
  uint64_t Sign =
      isFloat(Buf.Ty) ? uint64_t(1) << (getBitWidth(Buf.Ty) - 1) : 0;
  if ((Buffers[N.Buf].load(Byte) & ~Sign) == 0)
    return fail("%" + Buf.Name + " has a zero at " + Twine(Offset));
  return false;
}

bool Interpreter::runRound(const Node &N, int64_t At, int64_t Size) {
  AxisValues[N.Ax] = At;
  AxisSizes[N.Ax] = Size;
  return countStep() || checkRanges(N.Ax) || enterLocals(N) || runChildren(N);
}

bool Interpreter::runBlocks(const Node &N, int64_t Begin, int64_t End) {
  const AxisSchedule &S = K.Axes[N.Ax].Schedule;
  if (S.Once && Begin >= End)
    return runRound(N, Begin, 0);
  while (Begin < End) {
    std::optional<int64_t> Size = S.getBlock(End - Begin);
    AxisValues[N.Ax] = Begin;
    if (!Size)
      return fail("no block is as small as the last " + Twine(End - Begin));
    if (runRound(N, Begin, *Size))
      return true;
    Begin += *Size;
  }
  return false;
}

/// Each leaf loads for all lanes before it stores for any.
bool Interpreter::runLanes(const Node &N, int64_t Begin, int64_t End) {
  int64_t Lanes = K.Axes[N.Ax].Schedule.Lanes;
  for (; Begin < End; Begin += Lanes)
    for (const auto &Child : N.Children) {
      for (int64_t I = Begin; I < Begin + Lanes; ++I) {
        AxisValues[N.Ax] = I;
        if (I < End ? checkRanges(N.Ax) || evaluateLeaf(Child->L, true)
                    : evaluateJunk(Child->L))
          return true;
      }
      applyWrites();
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

/// The last axis of a path on which all axes of the need lie is the one that
/// is visited last.
void Interpreter::placeRanges(const Node &N) {
  if (N.K == Node::AxisNode)
    for (const Need &X : K.Needs)
      if (X.isOfPoints() && K.dependsOn(X.P, N.Ax)) {
        for (auto &[Ax, Needs] : Ranges)
          llvm::erase(Needs, &X);
        Ranges[N.Ax].push_back(&X);
      }
  for (const auto &Child : N.Children)
    placeRanges(*Child);
}

bool Interpreter::checkSame() {
  for (const Need &N : K.Needs) {
    if (N.K != Need::Same)
      continue;
    for (BufferId Other : N.Others)
      if (!Buffers[N.Buf].beginsWith(Buffers[Other]))
        return fail("%" + K.Buffers[N.Buf].Name + " and %" +
                    K.Buffers[Other].Name + " are not the same");
  }
  return false;
}

bool Interpreter::checkDisjoint() {
  for (const Need &N : K.Needs) {
    if (N.K != Need::Disjoint)
      continue;
    for (BufferId Other : N.Others)
      if (Buffers[N.Buf].overlaps(Buffers[Other]))
        return fail("%" + K.Buffers[N.Buf].Name + " and %" +
                    K.Buffers[Other].Name + " overlap");
  }
  return false;
}

Error Interpreter::run(const Bindings &B,
                       DenseMap<BufferId, uint64_t> *FinalState) {
  for (const Need &N : K.Needs)
    if (N.isOfPoints())
      Ranges[std::nullopt].push_back(&N);
  placeRanges(K.Root);
  bool Failed = bind(B) || checkSame() || checkRanges(std::nullopt) ||
                enterLocals(K.Root) || runChildren(K.Root) || checkDisjoint();
  if (Failed)
    return createStringError(inconvertibleErrorCode(), Message);
  if (FinalState)
    for (BufferId Id : K.Root.Locals)
      if (K.Buffers[Id].Shape.empty() && Buffers[Id].isAssigned(0)) {
        uint64_t Bits = 0;
        Buffers[Id].loadLocal(0, Bits);
        (*FinalState)[Id] = Bits;
      }
  return Error::success();
}

Error dlopt::interpretKernel(const Kernel &K, const Bindings &B,
                             const InterpreterOptions &Opts,
                             DenseMap<BufferId, uint64_t> *FinalState) {
  if (Error E = verifyKernel(K))
    return E;
  return Interpreter(K, Opts).run(B, FinalState);
}
