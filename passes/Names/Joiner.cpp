//===- Joiner.cpp - Kernels that follow each other as one -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Joiner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Whether \p V is computed of integers and constants alone, such as
/// 1.0 / (rows * columns).
static bool isOfIntegers(const Value *V, unsigned Depth = 0) {
  constexpr unsigned MaxDepth = 6;
  if (isa<ConstantFP>(V))
    return Depth > 0;
  const auto *I = dyn_cast<Instruction>(V);
  if (isa_and_nonnull<SIToFPInst, UIToFPInst>(I))
    return true;
  return I && Depth < MaxDepth && isa<BinaryOperator, CastInst>(I) &&
         all_of(
             I->operands(),
             [&](const Use &U) { return isOfIntegers(U.get(), Depth + 1); });
}

static const Value *getOnlyIncoming(const Value *V) {
  const auto *Phi = dyn_cast<PHINode>(V);
  return Phi && Phi->getNumIncomingValues() == 1 ? Phi->getIncomingValue(0)
                                                 : nullptr;
}

/// What an integer is an extension of, or is where that is not negative, as
/// extents are.
static const Value *stripExtent(const Value *V) {
  const Value *X;
  const unsigned MaxSteps = 4;
  for (unsigned I = 0; V && I != MaxSteps; ++I)
    if (const Value *In = getOnlyIncoming(V))
      V = In;
    else if (match(V, m_ZExtOrSExt(m_Value(X))) ||
             match(V, m_SMax(m_Value(X), m_Zero())))
      V = X;
  return V;
}

/// Two loads from one address are one value.
const Value *Joiner::getSource(const Value *V, unsigned Depth) {
  constexpr unsigned MaxDepth = 6;
  while (const Value *In = V ? getOnlyIncoming(V) : nullptr)
    V = In;
  const auto *Ld = dyn_cast_or_null<LoadInst>(V);
  if (!Ld || Depth == MaxDepth)
    return V;
  const DataLayout &DL = Ld->getDataLayout();
  const Value *Pointer = Ld->getPointerOperand();
  APInt Offset(DL.getIndexTypeSizeInBits(Pointer->getType()), 0);
  Pointer = Pointer->stripAndAccumulateConstantOffsets(DL, Offset, true);
  return Loads
      .try_emplace({getSource(Pointer, Depth + 1), Offset.getSExtValue()}, V)
      .first->second;
}

ParamId Joiner::getParam(const Param &P) {
  auto [At, New] =
      Params.try_emplace({getSource(stripExtent(P.Bound)), isFloat(P.Ty)},
                         static_cast<ParamId>(To.Params.size()));
  if (New)
    To.Params.push_back(P);
  return At->second;
}

BufferId Joiner::getBuffer(const Buffer &B) {
  auto [At, New] = Buffers.try_emplace(
      {getSource(B.Bound), B.Ty}, static_cast<BufferId>(To.Buffers.size()));
  if (New)
    To.Buffers.push_back(B);
  return At->second;
}

BufferId Joiner::addLocal(ScalarType Ty) {
  Buffer B;
  B.Name = "t";
  B.Ty = Ty;
  B.IsLocal = true;
  To.Buffers.push_back(std::move(B));
  To.Root.Locals.push_back(static_cast<BufferId>(To.Buffers.size() - 1));
  return To.Root.Locals.back();
}

Poly Joiner::map(const Maps &M, const Poly &P) {
  Poly Sum;
  for (const auto &[Factors, Coef] : P.terms()) {
    Poly Product(Coef);
    for (AtomId Id : Factors)
      Product = Product * Poly::atom(mapAtom(M, M.From.Atoms[Id]));
    Sum += Product;
  }
  return Sum;
}

AtomId Joiner::mapAtom(const Maps &M, const Atom &A) {
  switch (A.K) {
  case Atom::Axis:
    return To.getAxisAtom(M.Axes[A.Ref]);
  case Atom::Param:
    return To.getParamAtom(M.Params[A.Ref]);
  case Atom::FloorDiv:
    return To.getFloorDivAtom(map(M, A.Num), map(M, A.Den));
  case Atom::Mod:
    return To.getModAtom(map(M, A.Num), map(M, A.Den));
  case Atom::Load:
    return To.getLoadAtom(map(M, A.Source), A.Signed);
  case Atom::Size:
  case Atom::VL:
    break; // of scheduled kernels
  }
  Failed = true;
  return To.getVLAtom();
}

Access Joiner::map(const Maps &M, const Access &X) {
  Access R = X;
  R.Buf = M.Buffers[X.Buf];
  for (SmallVectorImpl<Poly> *Of : {&R.Subs, &R.Strides})
    for (Poly &P : *Of)
      P = map(M, P);
  return R;
}

void Joiner::mapOp(const Maps &M, Op &O) {
  if (O.K == Op::Load)
    O.Acc = map(M, O.Acc);
  O.Idx = map(M, O.Idx);
  if (O.K != Op::Param)
    return;
  if (auto At = M.Computed.find(O.Ref); At != M.Computed.end()) {
    O.K = Op::Load;
    O.Acc = Access();
    O.Acc.Buf = At->second;
    return;
  }
  O.Ref = M.Params[O.Ref];
}

void Joiner::mapNode(const Maps &M, Node &N) {
  for (BufferId &Local : N.Locals)
    Local = M.Buffers[Local];
  if (N.K == Node::AxisNode)
    N.Ax = M.Axes[N.Ax];
  for (Op &O : N.L.Ops)
    mapOp(M, O);
  for (Constraint &C : N.L.Domain)
    C.P = map(M, C.P);
  for (Assign &A : N.L.Assigns)
    A.Target = map(M, A.Target);
  for (const std::unique_ptr<Node> &Child : N.Children)
    mapNode(M, *Child);
}

/// Of kernels whose outputs \p N reads.
void Joiner::noteUses(const Node &N) {
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      for (auto [Of, Used] : zip(Outputs, IsUsed))
        Used |= O.K == Op::Load && is_contained(Of, O.Acc.Buf);
  });
}

bool Joiner::isChain() const {
  return all_of(drop_end(IsUsed), [](bool Used) { return Used; });
}

bool Joiner::storesInOneArray() const {
  return all_of(Outputs, [&](ArrayRef<BufferId> Of) {
    return Of.size() == 1 && Of[0] == Outputs[0][0];
  });
}

bool Joiner::append(const RaisedKernel &RK) {
  Maps M(*RK.K);
  for (const Buffer &B : RK.K->Buffers) {
    M.Buffers.push_back(B.IsLocal ? static_cast<BufferId>(To.Buffers.size())
                                  : getBuffer(B));
    if (B.IsLocal)
      To.Buffers.push_back(B);
  }
  for (auto [Id, P] : enumerate(RK.K->Params)) {
    const auto *Ld = dyn_cast_or_null<LoadInst>(P.Bound);
    bool IsElement = Ld && isFloat(P.Ty) && loadElement(*Ld);
    if (IsElement || (P.Bound && isComputed(P.Bound)) ||
        (isFloat(P.Ty) && P.Bound && isOfIntegers(P.Bound)))
      if (std::optional<BufferId> Local = compute(P.Bound))
        M.Computed[Id] = *Local;
    HasComputed |= !M.Computed.empty();
    M.Params.push_back(getParam(P));
  }
  for (const Axis &A : RK.K->Axes) {
    M.Axes.push_back(static_cast<AxisId>(To.Axes.size()));
    To.Axes.push_back(A);
  }
  for (auto [Id, A] : enumerate(RK.K->Axes)) {
    SmallVector<Poly, 1> Extents;
    for (const Poly &P : A.Extents)
      Extents.push_back(map(M, P));
    To.Axes[M.Axes[Id]].Extents = std::move(Extents);
  }
  for (auto [Id, B] : enumerate(RK.K->Buffers))
    for (auto [Dim, P] : enumerate(B.Shape))
      To.Buffers[M.Buffers[Id]].Shape[Dim] = map(M, P);
  Node Own;
  copyNode(RK.K->Root, Own);
  mapNode(M, Own);
  noteUses(Own);
  SmallVector<BufferId, 4> Targets;
  forEachLeaf(Own, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      if (!To.Buffers[A.Target.Buf].IsLocal &&
          !is_contained(Targets, A.Target.Buf))
        Targets.push_back(A.Target.Buf);
  });
  Outputs.emplace_back(Targets.begin(), Targets.end());
  IsUsed.push_back(false);
  for (const RaisedKernel::LiveOut &Out : RK.LiveOuts)
    for (const PHINode &Phi : RK.Exit->phis())
      if (Out.Local && is_contained(Phi.incoming_values(), Out.V)) {
        Scalars[&Phi] = M.Buffers[*Out.Local];
        Outputs.back().push_back(M.Buffers[*Out.Local]);
      }
  append_range(To.Root.Locals, Own.Locals);
  NumLast = Own.Children.size();
  for (std::unique_ptr<Node> &Child : Own.Children)
    To.Root.Children.push_back(std::move(Child));
  return !Failed;
}

//===----------------------------------------------------------------------===//
// Scalar code
//===----------------------------------------------------------------------===//

bool Joiner::isComputed(const Value *V, unsigned Depth) const {
  constexpr unsigned MaxDepth = 12;
  if (Scalars.contains(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth || isa<LoadInst>(I))
    return false;
  if (const Value *In = getOnlyIncoming(V))
    return isComputed(In, Depth + 1);
  return !isa<PHINode>(I) && any_of(I->operands(), [&](const Use &U) {
    return isComputed(U.get(), Depth + 1);
  });
}

std::optional<BufferId> Joiner::compute(Value *V) {
  if (auto At = Scalars.find(V); At != Scalars.end()) {
    for (auto [Of, Used] : zip(Outputs, IsUsed))
      Used |= is_contained(Of, At->second);
    return At->second;
  }
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  std::optional<OpId> Value = emit(V, N->L);
  if (!Value)
    return std::nullopt;
  Assign To;
  To.Target.Buf = addLocal(N->L.Ops[*Value].Ty);
  To.Value = *Value;
  N->L.Assigns.push_back(To);
  noteUses(*N);
  this->To.Root.Children.push_back(std::move(N));
  return Scalars[V] = To.Target.Buf;
}

/// An element at an index that is a number, of an array that kernels use.
std::optional<Op> Joiner::loadElement(const LoadInst &I) {
  std::optional<ScalarType> Ty = getScalarType(I.getType());
  Op O;
  O.K = Op::Load;
  O.Acc.Strides = {Poly(1)};
  if (Ty)
    O.Ty = *Ty;
  if (auto At = Ty ? Buffers.find({getSource(I.getPointerOperand()), *Ty})
                   : Buffers.end();
      At != Buffers.end()) {
    O.Acc.Buf = At->second;
    O.Acc.Subs = {Poly()};
    return O;
  }
  const auto *Gep = dyn_cast<GEPOperator>(I.getPointerOperand());
  if (!Ty || !Gep || Gep->getNumIndices() != 1 ||
      getScalarType(Gep->getSourceElementType()) != Ty)
    return std::nullopt;
  auto At = Buffers.find({getSource(Gep->getPointerOperand()), *Ty});
  std::optional<ScalarType> Of = getScalarType(Gep->getOperand(1)->getType());
  if (At == Buffers.end() || !Of)
    return std::nullopt;
  Param Index;
  Index.Ty = *Of;
  Index.Bound = Gep->getOperand(1);
  O.Acc.Buf = At->second;
  O.Acc.Subs = {Poly::atom(To.getParamAtom(getParam(Index)))};
  return O;
}

std::optional<OpId> Joiner::emit(Value *V, Leaf &L) {
  auto Add = [&](Op O) {
    L.Ops.push_back(std::move(O));
    return static_cast<OpId>(L.Ops.size() - 1);
  };
  std::optional<ScalarType> Ty = getScalarType(V->getType());
  if (!Ty)
    return std::nullopt;
  Op O;
  O.Ty = *Ty;
  if (auto At = Scalars.find(V); At != Scalars.end()) {
    O.K = Op::Load;
    O.Acc.Buf = At->second;
    return Add(std::move(O));
  }
  if (const auto *C = dyn_cast<ConstantInt>(V)) {
    O.Bits = C->getZExtValue();
    return Add(std::move(O));
  }
  if (const auto *C = dyn_cast<ConstantFP>(V)) {
    O.Bits = C->getValueAPF().bitcastToAPInt().getZExtValue();
    return Add(std::move(O));
  }
  if (const Value *In = getOnlyIncoming(V))
    return emit(const_cast<Value *>(In), L);
  if (const auto *Ld = dyn_cast<LoadInst>(V))
    if (std::optional<Op> Element = loadElement(*Ld))
      return Add(std::move(*Element));
  auto *I = dyn_cast<Instruction>(V);
  bool IsNumber = I && getScalarType(I->getType()) &&
                  ((isa<CastInst, OverflowingBinaryOperator>(I) &&
                    getScalarType(I->getOperand(0)->getType())) ||
                   isOfIntegers(I));
  if (I && (isComputed(I) || IsNumber))
    return emitInst(*I, L);
  // An extent is a difference of pointers over a size.
  Value *Dividend;
  const APInt *Bits;
  bool IsQuotient =
      match(V, m_Shr(m_Value(Dividend), m_APInt(Bits))) && Bits->ult(32);
  Param P;
  P.Ty = *Ty;
  P.Bound = IsQuotient ? Dividend : V;
  O.Ref = getParam(P);
  O.K = IsQuotient ? Op::Index : Op::Param;
  if (IsQuotient)
    O.Idx = Poly::atom(
        To.getFloorDivAtom(Poly::atom(To.getParamAtom(O.Ref)),
                           Poly(int64_t(1) << Bits->getZExtValue())));
  return Add(std::move(O));
}

std::optional<OpId> Joiner::emitInst(Instruction &I, Leaf &L) {
  Op O;
  O.Ty = *getScalarType(I.getType());
  unsigned NumArgs = I.getNumOperands();
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    const Function *Callee = Call->getCalledFunction();
    NumArgs = Call->arg_size();
    if (const auto *II = dyn_cast<IntrinsicInst>(Call);
        II && isModelIntrinsic(II->getIntrinsicID())) {
      O.K = Op::Intrinsic;
      O.Opcode = II->getIntrinsicID();
    } else if (Callee && isModelLibFunction(Callee->getName())) {
      O.K = Op::LibCall;
      O.Callee = Callee->getName().str();
    } else {
      return std::nullopt;
    }
  } else if (isa<UnaryOperator, BinaryOperator, CastInst, CmpInst, SelectInst,
                 FreezeInst>(I)) {
    O.K = Op::Inst;
    O.Opcode = I.getOpcode();
    if (const auto *C = dyn_cast<CmpInst>(&I))
      O.Pred = C->getPredicate();
  } else {
    return std::nullopt;
  }
  for (unsigned A = 0; A != NumArgs; ++A) {
    std::optional<OpId> Arg = emit(I.getOperand(A), L);
    if (!Arg)
      return std::nullopt;
    O.Args.push_back(*Arg);
  }
  L.Ops.push_back(std::move(O));
  return static_cast<OpId>(L.Ops.size() - 1);
}
