//===- Interpreter.cpp - Executes kernels ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "InterpreterImpl.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

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

bool Interpreter::holds(ArrayRef<Constraint> Cs, bool &Result) {
  Result = true;
  for (const Constraint &C : Cs) {
    int64_t Value = 0;
    if (evaluatePoly(C.P, Value))
      return true;
    if (C.IsEquality ? Value != 0 : Value < 0) {
      Result = false;
      return false;
    }
  }
  return false;
}

/// The next parameter, of those in front of it.
bool Interpreter::computeNumber(const Param &P) {
  for (const NumberCase &C : P.Cases) {
    bool Holds = false;
    int64_t Value = 0;
    if (holds(C.Where, Holds))
      return true;
    if (!Holds)
      continue;
    if (evaluatePoly(C.Value, Value))
      return true;
    if (Value < P.Least || Value > P.Most)
      return fail("'" + P.Name + "' is " + Twine(Value) + ", not " +
                  Twine(P.Least) + " to " + Twine(P.Most));
    ParamBits.push_back(static_cast<uint64_t>(Value));
    return false;
  }
  llvm_unreachable("the last case has no condition");
}

bool Interpreter::bind(const Bindings &B) {
  StringSet<> Names;
  for (const Param &P : K.Params) {
    if (P.isComputed()) {
      if (computeNumber(P))
        return true;
      continue;
    }
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
  case Atom::VL:
    Value = Opts.VL;
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
    if (Wrong.empty() && X.Aligned && IsFirstLane &&
        !Buffers[X.Buf].isAligned(Place, X.Aligned))
      Wrong = "is at no multiple of " + std::to_string(X.Aligned) + " bytes";
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
  // So is a condition that is tested behind another one only.
  bool MayBeJunk =
      K.Buffers[X.Buf].Where != Buffer::AnyPlace || V.Ty == ScalarType::I1;
  V.IsJunk = MayBeJunk && !Buffers[X.Buf].isAssigned(Place);
  if (V.IsJunk)
    return false;
  std::string Wrong = Buffers[X.Buf].loadLocal(Place, V.Bits);
  return !Wrong.empty() && fail(KernelText(K).access(X) + " " + Wrong);
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
      return failNeed(KernelText(K).poly(N->P) + " is " + Twine(Value) +
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
    return failNeed("%" + Buf.Name + " has a zero at " + Twine(Offset));
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
        return failNeed("%" + K.Buffers[N.Buf].Name + " and %" +
                        K.Buffers[Other].Name + " are not the same");
  }
  return false;
}

bool Interpreter::checkAligned() {
  for (const Need &N : K.Needs)
    if (N.K == Need::Aligned &&
        !Buffers[N.Buf].isAligned(static_cast<uint64_t>(N.Lo)))
      return failNeed("%" + K.Buffers[N.Buf].Name + " is at no multiple of " +
                      Twine(N.Lo) + " bytes");
  return false;
}

bool Interpreter::checkDisjoint() {
  for (const Need &N : K.Needs) {
    if (N.K != Need::Disjoint)
      continue;
    for (BufferId Other : N.Others)
      if (Buffers[N.Buf].overlaps(Buffers[Other]))
        return failNeed("%" + K.Buffers[N.Buf].Name + " and %" +
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
  bool Failed = bind(B) || checkSame() || checkAligned() ||
                checkRanges(std::nullopt) || enterLocals(K.Root) ||
                runChildren(K.Root) || checkDisjoint();
  if (Failed && IsNeed)
    return make_error<NeedError>(Message);
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

void Interpreter::getTouched(
    DenseMap<BufferId, std::pair<size_t, size_t>> &Touched) const {
  for (auto [Id, B] : enumerate(Buffers))
    if (!K.Buffers[Id].IsLocal)
      if (std::optional<std::pair<size_t, size_t>> Range = B.getTouched())
        Touched[static_cast<BufferId>(Id)] = *Range;
}

char NeedError::ID = 0;

Error dlopt::interpretKernel(
    const Kernel &K, const Bindings &B, const InterpreterOptions &Opts,
    DenseMap<BufferId, uint64_t> *FinalState,
    DenseMap<BufferId, std::pair<size_t, size_t>> *Touched) {
  if (Error E = verifyKernel(K))
    return E;
  Interpreter I(K, Opts);
  Error E = I.run(B, FinalState);
  if (Touched)
    I.getTouched(*Touched);
  return E;
}
