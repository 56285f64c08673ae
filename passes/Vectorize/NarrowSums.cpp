//===- NarrowSums.cpp - Sums of 64 bits by sums of 32 ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// TensorFlow Lite's layers of 16-bit activations sum up products of 16 and 8
/// bits in 64. Instructions sum such products in 32 bits, in which 511 of them
/// fit, whatever they are:
///
///   for (k < K) s += (int64_t)(x[k] * w[k]);
///   ->
///   for (b < (K - 1) / 256) { p = 0; for (k < 256) p += ...; s += p; }
///   p = 0; for (k < (K - 1) % 256 + 1) p += ...; s += p;
///
/// or, where K is no more than that, without blocks. Integers are the same in
/// any order, and no partial sum wraps around.
///
//===----------------------------------------------------------------------===//
#include "NarrowSums.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Fewer terms are not worth a sum of their own.
constexpr int64_t LeastTerms = 64;

struct ValueRange {
  int64_t Least = 0, Most = 0;
  bool fits(unsigned Bits) const {
    return isIntN(Bits, Least) && isIntN(Bits, Most);
  }
};

/// A loop of nothing but additions to a sum of 64 bits, of what is narrow.
struct WideSum {
  Node *Loop = nullptr;
  OpId Sum = 0, Old = 0, Term = 0;
  int64_t MostTerms = 0; ///< of which the sum certainly has 32 bits
};

} // namespace

static std::optional<ValueRange> getRange(const Leaf &L, OpId Id);

static std::optional<ValueRange> getRangeOfPair(const Leaf &L, const Op &O) {
  constexpr unsigned FactorBits = 31;
  std::optional<ValueRange> A = getRange(L, O.Args[0]),
                            B = getRange(L, O.Args[1]);
  if (!A || !B || !A->fits(FactorBits) || !B->fits(FactorBits))
    return std::nullopt;
  if (O.Opcode == Instruction::Add)
    return ValueRange{A->Least + B->Least, A->Most + B->Most};
  if (O.Opcode == Instruction::Sub)
    return ValueRange{A->Least - B->Most, A->Most - B->Least};
  auto [Least, Most] = std::minmax({A->Least * B->Least, A->Least * B->Most,
                                    A->Most * B->Least, A->Most * B->Most});
  return ValueRange{Least, Most};
}

/// What \p Id is at least and at most as a signed number, if it is made of
/// extended elements so that nothing wraps around.
static std::optional<ValueRange> getRange(const Leaf &L, OpId Id) {
  const Op &O = L.Ops[Id];
  if (isFloat(O.Ty) || (O.K != Op::Inst && O.K != Op::Const))
    return std::nullopt;
  unsigned Bits = getBitWidth(O.Ty);
  if (O.K == Op::Const) {
    int64_t V = SignExtend64(O.Bits, Bits);
    return ValueRange{V, V};
  }
  std::optional<ValueRange> R;
  switch (O.Opcode) {
  case Instruction::SExt:
  case Instruction::ZExt: {
    const Op &From = L.Ops[O.Args[0]];
    bool IsSigned = O.Opcode == Instruction::SExt;
    unsigned FromBits = getBitWidth(From.Ty);
    if (From.K != Op::Load || FromBits > 16) {
      R = getRange(L, O.Args[0]);
      if (R && !IsSigned && R->Least < 0)
        return std::nullopt;
      break;
    }
    R = IsSigned ? ValueRange{minIntN(FromBits), maxIntN(FromBits)}
                 : ValueRange{0, int64_t(maxUIntN(FromBits))};
    break;
  }
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
    R = getRangeOfPair(L, O);
    break;
  default:
    break;
  }
  return R && R->fits(Bits) ? R : std::nullopt;
}

/// The sum that \p N is, if it is one.
static std::optional<WideSum> getWideSum(const Kernel &K, Node &N) {
  if (N.K != Node::AxisNode || N.Children.size() != 1 || !N.Locals.empty() ||
      N.Children.front()->K != Node::LeafNode || !K.hasFixedExtents(N.Ax) ||
      K.Axes[N.Ax].Extents.size() != 1 || !K.Axes[N.Ax].Begins.empty() ||
      K.Axes[N.Ax].isCondition())
    return std::nullopt;
  const Leaf &L = N.Children.front()->L;
  if (L.Assigns.size() != 1 || L.Predicate || !L.Domain.empty())
    return std::nullopt;
  BufferId To = L.Assigns.front().Target.Buf;
  const Op &Sum = L.Ops[L.Assigns.front().Value];
  auto IsOld = [&](const Op &O) { return O.K == Op::Load && O.Acc.Buf == To; };
  if (!K.Buffers[To].IsLocal || !K.Buffers[To].Shape.empty() ||
      Sum.K != Op::Inst || Sum.Opcode != Instruction::Add ||
      Sum.Ty != ScalarType::I64 || count_if(L.Ops, IsOld) != 1)
    return std::nullopt;
  WideSum S;
  S.Loop = &N;
  S.Sum = L.Assigns.front().Value;
  bool IsFirst = IsOld(L.Ops[Sum.Args[0]]);
  S.Old = Sum.Args[IsFirst ? 0 : 1];
  S.Term = Sum.Args[IsFirst ? 1 : 0];
  std::optional<ValueRange> R = getRange(L, S.Term);
  if (!IsOld(L.Ops[S.Old]) || !R || !R->fits(32))
    return std::nullopt;
  int64_t Greatest = std::max({-R->Least, R->Most, int64_t(1)});
  S.MostTerms = maxIntN(32) / Greatest;
  if (DLOPT_PLANTED(PartialSumTooLong))
    S.MostTerms *= 4;
  std::optional<uint64_t> Rounds = getRounds(K, N.Ax);
  return S.MostTerms >= LeastTerms && Rounds.value_or(LeastTerms) >= LeastTerms
             ? std::optional(S)
             : std::nullopt;
}

/// \p Id as a number of 32 bits, which it fits.
static OpId narrow(Leaf &L, OpId Id) {
  if (L.Ops[Id].Ty != ScalarType::I64)
    return Id;
  Op &O = L.Ops[Id];
  bool Extends = O.K == Op::Inst && (O.Opcode == Instruction::SExt ||
                                     O.Opcode == Instruction::ZExt);
  if (Extends && L.Ops[O.Args[0]].Ty == ScalarType::I32)
    return O.Args[0];
  O.Ty = ScalarType::I32;
  O.NSW = O.NUW = false;
  O.Bits &= maxUIntN(32);
  if (!Extends)
    for (OpId &Arg : O.Args)
      Arg = narrow(L, Arg);
  return Id;
}

static std::unique_ptr<Node> makeNode(Leaf L) {
  auto N = std::make_unique<Node>();
  N->K = Node::LeafNode;
  N->L = std::move(L);
  return N;
}

static Access getScalar(BufferId Id) {
  Access X;
  X.Buf = Id;
  return X;
}

static Leaf assignLast(SmallVector<Op, 4> Ops, BufferId To) {
  Leaf L;
  L.Ops.assign(std::make_move_iterator(Ops.begin()),
               std::make_move_iterator(Ops.end()));
  Assign A;
  A.Target = getScalar(To);
  A.Value = static_cast<OpId>(L.Ops.size() - 1);
  L.Assigns.push_back(std::move(A));
  return L;
}

static Op makeLoad(BufferId Of, ScalarType Ty) {
  Op O;
  O.K = Op::Load;
  O.Ty = Ty;
  O.Acc = getScalar(Of);
  return O;
}

static Op makeInst(unsigned Opcode, ScalarType Ty,
                   std::initializer_list<OpId> Args) {
  Op O;
  O.K = Op::Inst;
  O.Opcode = Opcode;
  O.Ty = Ty;
  O.Args = Args;
  return O;
}

/// p = 0; for (\p Extent rounds) p += what \p S adds in the round at \p At of
/// that; s += p, with a p that lives in \p Around.
static void addPartialSum(Kernel &K, const WideSum &S, Poly Extent,
                          function_ref<Poly(Poly)> At, Node &Around) {
  const Leaf &Old = S.Loop->Children.front()->L;
  BufferId To = Old.Assigns.front().Target.Buf;
  auto Part = static_cast<BufferId>(K.Buffers.size());
  Buffer B = K.Buffers[To];
  B.Name += "_part";
  B.Ty = ScalarType::I32;
  K.Buffers.push_back(std::move(B));
  Around.Locals.push_back(Part);
  Op Zero;
  Zero.Ty = ScalarType::I32;
  Around.Children.push_back(makeNode(assignLast({Zero}, Part)));
  Axis A = K.Axes[S.Loop->Ax];
  A.L = nullptr;
  A.Extents = {std::move(Extent)};
  auto Ax = static_cast<AxisId>(K.Axes.size());
  K.Axes.push_back(std::move(A));
  auto Loop = std::make_unique<Node>();
  copyNode(*S.Loop, *Loop);
  Loop->Ax = Ax;
  Leaf &L = Loop->Children.front()->L;
  L.Ops[S.Old] = makeLoad(Part, ScalarType::I32);
  OpId Term = narrow(L, S.Term);
  L.Ops[S.Sum] = makeInst(Instruction::Add, ScalarType::I32, {S.Old, Term});
  L.Assigns.front().Target = getScalar(Part);
  dropUnusedOps(L);
  Poly Place = At(Poly::atom(K.getAxisAtom(Ax)));
  AxisId Before = S.Loop->Ax;
  substituteBelow(K, *Loop, [&](const Atom &X) {
    return X.K == Atom::Axis && X.Ref == Before ? std::optional(Place)
                                                : std::nullopt;
  });
  Around.Children.push_back(std::move(Loop));
  Around.Children.push_back(makeNode(assignLast(
      {makeLoad(To, ScalarType::I64), makeLoad(Part, ScalarType::I32),
       makeInst(Instruction::SExt, ScalarType::I64, {1}),
       makeInst(Instruction::Add, ScalarType::I64, {0, 2})},
      To)));
}

/// All terms of \p S at once. False: there certainly are more.
static bool replaceWhole(Kernel &K, const WideSum &S, Node &New) {
  Poly Extent = K.Axes[S.Loop->Ax].Extents.front();
  if (std::optional<int64_t> Rounds = Extent.getConstant()) {
    if (*Rounds > S.MostTerms)
      return false;
  } else {
    Need N;
    N.K = Need::InRange;
    N.P = Extent;
    N.Lo = LeastTerms;
    N.Hi = S.MostTerms;
    K.Needs.push_back(std::move(N));
  }
  addPartialSum(K, S, std::move(Extent), [](Poly P) { return P; }, New);
  return true;
}

/// As many blocks as leave at least one term: guards take no loop for empty.
static void replaceByBlocks(Kernel &K, const WideSum &S, Node &New) {
  Poly Last = K.Axes[S.Loop->Ax].Extents.front() - 1,
       Size(int64_t(bit_floor(uint64_t(S.MostTerms))));
  std::optional<int64_t> Known = Last.getConstant();
  Poly Count = Known ? Poly(divideFloorSigned(*Known, *Size.getConstant()))
                     : Poly::atom(K.getFloorDivAtom(Last, Size));
  auto Blocks = std::make_unique<Node>();
  Blocks->K = Node::AxisNode;
  Blocks->Ax = static_cast<AxisId>(K.Axes.size());
  Axis A = K.Axes[S.Loop->Ax];
  A.L = nullptr;
  A.Name += "_block";
  A.Extents = {Count};
  K.Axes.push_back(std::move(A));
  Poly Block = Size * Poly::atom(K.getAxisAtom(Blocks->Ax));
  addPartialSum(K, S, Size, [&](Poly P) { return Block + P; }, *Blocks);
  New.Children.push_back(std::move(Blocks));
  Poly Rest =
      Known ? Last - Size * Count : Poly::atom(K.getModAtom(Last, Size));
  addPartialSum(K, S, Rest + 1, [&](Poly P) { return Size * Count + P; }, New);
}

static bool narrowBelow(Kernel &K, Node &N, bool AsWhole) {
  bool Any = false;
  for (auto &Child : N.Children) {
    std::optional<WideSum> S = getWideSum(K, *Child);
    if (!S) {
      Any |= narrowBelow(K, *Child, AsWhole);
      continue;
    }
    auto New = std::make_unique<Node>();
    New->K = Node::Sequence;
    if (!AsWhole)
      replaceByBlocks(K, *S, *New);
    else if (!replaceWhole(K, *S, *New))
      continue;
    Child = std::move(New);
    Any = true;
  }
  return Any;
}

bool dlopt::narrowSums(Kernel &K, bool AsWhole) {
  if (!narrowBelow(K, K.Root, AsWhole))
    return false;
  dropUnusedAxes(K);
  return true;
}
