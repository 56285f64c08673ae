//===- Decide.cpp - Conditions that the needs decide ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A source that does something else for an empty row asks for that in each
/// row; that the loops have a round is tested once, in front of the kernel.
///
/// Only needs of values that do not change in the kernel decide: the guard
/// tests these as they are, whether or not any loop has a round, and whatever
/// becomes of the axes. No step drops one.
///
//===----------------------------------------------------------------------===//
#include "Decide.h"
#include "Nest.h"
#include "Normalize.h"
#include "dlopt/Compat.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// What the integers of a leaf can be, by operation; nullopt for others.
using Values = std::vector<std::optional<ConstantRange>>;

class Decider {
public:
  Decider(Kernel &K, ArrayRef<BufferId> Seen) : K(K), Seen(Seen) {}
  bool run();

private:
  void readNeeds();
  void addProduct(const Need &N);
  Range getRange(const Poly &P, ArrayRef<AxisId> Axes) const;
  std::optional<bool> decide(const Constraint &C, ArrayRef<AxisId> Axes) const;
  ConstantRange getValue(const Op &O, const Values &Known,
                         ArrayRef<AxisId> Axes) const;
  Values getValues(const Leaf &L, ArrayRef<AxisId> Axes) const;
  bool neverRuns(const Leaf &L, ArrayRef<AxisId> Axes) const;
  void findLocalValues();
  bool simplify(Leaf &L, ArrayRef<AxisId> Axes);
  bool simplify(Node &N, SmallVectorImpl<AxisId> &Axes);
  bool dropUnread(Node &N);

  Kernel &K;
  ArrayRef<BufferId> Seen;
  std::vector<Range> Params; ///< by parameter
  SmallVector<Poly, 2> NotNegative;
  /// What locals of rank 0 can be, where something is known.
  DenseMap<BufferId, ConstantRange> Locals;
};

/// Copies what the values of a leaf need, without conditions that are known.
class LeafCopier {
public:
  LeafCopier(const Leaf &From, const Values &Known, Leaf &To)
      : From(From), Known(Known), To(To) {}
  OpId copy(OpId Id);
  bool changed() const { return Changed; }

private:
  std::optional<bool> getFlag(OpId Id) const;
  std::optional<OpId> getEqual(const Op &O) const;

  const Leaf &From;
  const Values &Known;
  Leaf &To;
  DenseMap<OpId, OpId> Copies;
  bool Changed = false;
};

} // namespace

/// The range of the parameter that \p N speaks of, if of one alone.
static void narrow(const Kernel &K, const Need &N, std::vector<Range> &Params) {
  Poly P = N.P - Poly(N.P.getConstantTerm());
  if (P.terms().size() != 1)
    return;
  const auto &[Mono, Coef] = P.terms().front();
  if (Mono.size() != 1 || K.Atoms[Mono[0]].K != Atom::Param ||
      (Coef != 1 && Coef != -1))
    return;
  __int128 C = N.P.getConstantTerm(), Lo = N.Lo - C, Hi = N.Hi - C;
  if (Coef < 0)
    std::tie(Lo, Hi) = std::make_pair(-Hi, -Lo);
  Range &R = Params[K.Atoms[Mono[0]].Ref];
  R = {std::max(R.Lo, Lo), std::min(R.Hi, Hi)};
}

void Decider::readNeeds() {
  for (const Param &P : K.Params) {
    unsigned Bits = getBitWidth(P.Ty);
    Params.push_back(getTypeRange(Bits, P.Signed || Bits == 64));
    if (DLOPT_PLANTED(DecidedUntested))
      Params.back().Lo = 1;
  }
  for (const Need &N : K.Needs)
    if (N.K == Need::InRange)
      narrow(K, N, Params);
  for (const Need &N : K.Needs)
    if (N.K == Need::InRange && K.isFixed(N.P))
      addProduct(N);
}

/// What \p N says of a quotient says it of a product: from N / D >= c follows
/// N - c * D >= 0.
void Decider::addProduct(const Need &N) {
  Poly P = N.P - Poly(N.P.getConstantTerm());
  std::optional<int64_t> Least = checkedSub(N.Lo, N.P.getConstantTerm());
  if (!Least || P.terms().size() != 1)
    return;
  const auto &[Mono, Coef] = P.terms().front();
  if (Mono.size() != 1 || Coef != 1)
    return;
  const Atom &A = K.Atoms[Mono[0]];
  if (A.K == Atom::FloorDiv && dlopt::getRange(K, A.Den, {}, Params).Lo >= 1)
    NotNegative.push_back(A.Num - A.Den * Poly(*Least));
}

Range Decider::getRange(const Poly &P, ArrayRef<AxisId> Axes) const {
  Range R = dlopt::getRange(K, P, Axes, Params);
  for (const Need &N : K.Needs) {
    if (N.K != Need::InRange || !K.isFixed(N.P))
      continue;
    if (std::optional<int64_t> C = (P - N.P).getConstant())
      R = {std::max<__int128>(R.Lo, __int128(N.Lo) + *C),
           std::min<__int128>(R.Hi, __int128(N.Hi) + *C)};
    if (std::optional<int64_t> C = (P + N.P).getConstant())
      R = {std::max<__int128>(R.Lo, *C - __int128(N.Hi)),
           std::min<__int128>(R.Hi, *C - __int128(N.Lo))};
  }
  for (const Poly &Q : NotNegative)
    if (std::optional<int64_t> C = (P - Q).getConstant())
      R.Lo = std::max<__int128>(R.Lo, *C);
  return R;
}

std::optional<bool> Decider::decide(const Constraint &C,
                                    ArrayRef<AxisId> Axes) const {
  Range R = getRange(C.P, Axes);
  if (R.Lo > R.Hi)
    return std::nullopt; // no kernel runs
  if (R.Hi < 0 || (C.IsEquality && R.Lo > 0))
    return false;
  if (R.Lo >= 0 && (!C.IsEquality || R.Hi == 0))
    return true;
  return std::nullopt;
}

/// A number that is in \p R, cut to \p Bits.
static ConstantRange truncate(Range R, unsigned Bits) {
  constexpr int64_t Min = std::numeric_limits<int64_t>::min(),
                    Max = std::numeric_limits<int64_t>::max();
  if (R.Lo > R.Hi || R.Lo < Min || R.Hi > Max)
    return ConstantRange::getFull(Bits);
  APInt Lo(64, static_cast<uint64_t>(static_cast<int64_t>(R.Lo)));
  APInt Hi(64, static_cast<uint64_t>(static_cast<int64_t>(R.Hi)));
  ConstantRange Whole = ConstantRange::getNonEmpty(Lo, Hi + 1);
  return Bits < 64 ? Whole.truncate(Bits) : Whole;
}

/// What an instruction makes of operands that are known.
static ConstantRange apply(const Op &O, unsigned Bits,
                           ArrayRef<ConstantRange> Args) {
  if (O.K == Op::Intrinsic)
    return ConstantRange::isIntrinsicSupported(O.Opcode)
               ? ConstantRange::intrinsic(O.Opcode, Args)
               : ConstantRange::getFull(Bits);
  if (O.Opcode == Instruction::ICmp) {
    bool Holds = Args[0].icmp(O.Pred, Args[1]);
    if (Holds || Args[0].icmp(CmpInst::getInversePredicate(O.Pred), Args[1]))
      return ConstantRange(APInt(1, Holds));
  } else if (O.Opcode == Instruction::Select) {
    if (const APInt *Flag = Args[0].getSingleElement())
      return Args[Flag->isZero() ? 2 : 1];
    return Args[1].unionWith(Args[2]);
  } else if (Instruction::isBinaryOp(O.Opcode)) {
    return Args[0].binaryOp(static_cast<Instruction::BinaryOps>(O.Opcode),
                            Args[1]);
  } else if (O.Opcode == Instruction::ZExt || O.Opcode == Instruction::SExt ||
             O.Opcode == Instruction::Trunc) {
    return Args[0].castOp(static_cast<Instruction::CastOps>(O.Opcode), Bits);
  }
  return ConstantRange::getFull(Bits);
}

ConstantRange Decider::getValue(const Op &O, const Values &Known,
                                ArrayRef<AxisId> Axes) const {
  unsigned Bits = getBitWidth(O.Ty);
  switch (O.K) {
  case Op::Const:
    return ConstantRange(getLowBits(Bits, O.Bits));
  case Op::Param:
    return truncate(Params[O.Ref], Bits);
  case Op::Index:
    return truncate(getRange(O.Idx, Axes), Bits);
  case Op::Load:
    if (auto It = Locals.find(O.Acc.Buf); It != Locals.end())
      return It->second;
    break;
  case Op::Inst:
  case Op::Intrinsic: {
    SmallVector<ConstantRange, 3> Args;
    for (OpId Arg : O.Args)
      if (Known[Arg])
        Args.push_back(*Known[Arg]);
    if (Args.size() == O.Args.size())
      return apply(O, Bits, Args);
    break;
  }
  case Op::LibCall:
  case Op::View:
    break;
  }
  return ConstantRange::getFull(Bits);
}

Values Decider::getValues(const Leaf &L, ArrayRef<AxisId> Axes) const {
  Values Known;
  for (const Op &O : L.Ops)
    Known.push_back(isFloat(O.Ty) ? std::nullopt
                                  : std::optional(getValue(O, Known, Axes)));
  return Known;
}

bool Decider::neverRuns(const Leaf &L, ArrayRef<AxisId> Axes) const {
  if (any_of(L.Domain,
             [&](const Constraint &C) { return decide(C, Axes) == false; }))
    return true;
  if (!L.Predicate)
    return false;
  Values Known = getValues(L, Axes);
  const APInt *Flag = Known[*L.Predicate]->getSingleElement();
  return Flag && Flag->isZero();
}

/// A local is what is assigned to it; each round knows of those before it, and
/// what it finds is true however many follow.
void Decider::findLocalValues() {
  constexpr unsigned MaxRounds = 4;
  for (unsigned Round = 0; Round != MaxRounds; ++Round) {
    DenseMap<BufferId, ConstantRange> Found;
    forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
      if (neverRuns(L, Axes))
        return;
      Values Known = getValues(L, Axes);
      for (const Assign &A : L.Assigns) {
        const Buffer &B = K.Buffers[A.Target.Buf];
        if (!B.IsLocal || !B.Shape.empty() || isFloat(B.Ty))
          continue;
        auto [It, IsNew] = Found.try_emplace(A.Target.Buf, *Known[A.Value]);
        if (!IsNew)
          It->second = It->second.unionWith(*Known[A.Value]);
      }
    });
    if (Found == Locals)
      return;
    Locals = std::move(Found);
  }
}

std::optional<bool> LeafCopier::getFlag(OpId Id) const {
  if (From.Ops[Id].Ty != ScalarType::I1)
    return std::nullopt;
  if (const APInt *Flag = Known[Id]->getSingleElement())
    return !Flag->isZero();
  return std::nullopt;
}

/// An operand that \p O is equal to.
std::optional<OpId> LeafCopier::getEqual(const Op &O) const {
  if (O.K != Op::Inst)
    return std::nullopt;
  if (O.Opcode == Instruction::Select) {
    if (std::optional<bool> Flag = getFlag(O.Args[0]))
      return O.Args[*Flag ? 1 : 2];
    return std::nullopt;
  }
  if (O.Ty != ScalarType::I1)
    return std::nullopt;
  bool Neutral = O.Opcode == Instruction::And;
  if (!Neutral && O.Opcode != Instruction::Or && O.Opcode != Instruction::Xor)
    return std::nullopt;
  for (unsigned I : {0, 1})
    if (getFlag(O.Args[I]) == Neutral)
      return O.Args[1 - I];
  return std::nullopt;
}

OpId LeafCopier::copy(OpId Id) {
  if (auto It = Copies.find(Id); It != Copies.end())
    return It->second;
  Op New = From.Ops[Id];
  std::optional<bool> Flag = getFlag(Id);
  if (Flag && New.K != Op::Const) {
    Changed = true;
    New = Op();
    New.Ty = ScalarType::I1;
    New.Bits = *Flag;
  } else if (std::optional<OpId> Equal = getEqual(New)) {
    Changed = true;
    OpId Copy = copy(*Equal);
    return Copies[Id] = Copy;
  } else {
    for (OpId &Arg : New.Args)
      Arg = copy(Arg);
  }
  To.Ops.push_back(std::move(New));
  return Copies[Id] = static_cast<OpId>(To.Ops.size() - 1);
}

/// \p L without conditions that always hold.
bool Decider::simplify(Leaf &L, ArrayRef<AxisId> Axes) {
  size_t Conditions = L.Domain.size();
  erase_if(L.Domain,
           [&](const Constraint &C) { return decide(C, Axes) == true; });
  bool Changed = L.Domain.size() != Conditions;
  Values Known = getValues(L, Axes);
  Leaf New;
  LeafCopier Copier(L, Known, New);
  std::optional<OpId> Predicate = L.Predicate;
  if (Predicate && Known[*Predicate]->isSingleElement()) {
    Predicate.reset();
    Changed = true;
  }
  if (Predicate)
    Predicate = Copier.copy(*Predicate);
  SmallVector<Assign, 1> Assigns = L.Assigns;
  for (Assign &A : Assigns)
    A.Value = Copier.copy(A.Value);
  if (!Changed && !Copier.changed())
    return false;
  L.Ops = std::move(New.Ops);
  L.Predicate = Predicate;
  L.Assigns = std::move(Assigns);
  return true;
}

bool Decider::simplify(Node &N, SmallVectorImpl<AxisId> &Axes) {
  bool Changed = false;
  if (N.K == Node::AxisNode)
    Axes.push_back(N.Ax);
  size_t Children = N.Children.size();
  erase_if(N.Children, [&](const std::unique_ptr<Node> &Child) {
    return Child->K == Node::LeafNode && neverRuns(Child->L, Axes);
  });
  Changed |= N.Children.size() != Children;
  for (std::unique_ptr<Node> &Child : N.Children)
    Changed |= Child->K == Node::LeafNode ? simplify(Child->L, Axes)
                                          : simplify(*Child, Axes);
  if (N.K == Node::AxisNode)
    Axes.pop_back();
  return Changed;
}

/// What is assigned to locals that nothing reads.
bool Decider::dropUnread(Node &N) {
  bool Changed = false;
  for (std::unique_ptr<Node> &Child : N.Children) {
    Changed |= dropUnread(*Child);
    Leaf &L = Child->L;
    size_t Before = L.Assigns.size();
    erase_if(L.Assigns, [&](const Assign &A) {
      const Buffer &B = K.Buffers[A.Target.Buf];
      return B.IsLocal && B.Shape.empty() &&
             !is_contained(Seen, A.Target.Buf) && !isRead(K, A.Target.Buf) &&
             !isComputedOf(L, A.Value,
                           [](const Op &O) { return O.WritesErrno; });
    });
    Changed |= L.Assigns.size() != Before;
  }
  erase_if(N.Children, [](const std::unique_ptr<Node> &Child) {
    return Child->K == Node::LeafNode && Child->L.Assigns.empty();
  });
  return Changed;
}

/// Takes the nodes of axes out in which nothing happens, and the locals that
/// nothing uses.
static void dropEmpty(const Kernel &K, Node &N, ArrayRef<BufferId> Seen) {
  for (std::unique_ptr<Node> &Child : N.Children)
    dropEmpty(K, *Child, Seen);
  erase_if(N.Children, [](const std::unique_ptr<Node> &Child) {
    return Child->K == Node::AxisNode && Child->Children.empty();
  });
  erase_if(N.Locals, [&](BufferId B) {
    return K.Buffers[B].Shape.empty() && !is_contained(Seen, B) &&
           !uses(K, K.Root, B);
  });
}

bool Decider::run() {
  readNeeds();
  findLocalValues();
  SmallVector<AxisId, 6> Axes;
  if (!simplify(K.Root, Axes))
    return false;
  while (dropUnread(K.Root))
    ;
  dropEmpty(K, K.Root, Seen);
  return true;
}

/// A condition that does not change and that all have that is seen behind the
/// loops becomes a need: where it does not hold they do nothing.
static void needWhatAllAsk(Kernel &K, ArrayRef<BufferId> Seen) {
  auto IsKnownAhead = [&](const Poly &P) {
    return K.isFixed(P) && !K.anyNestedAtom(P, [&](const Atom &A) {
      return A.K == Atom::Param && K.Params[A.Ref].Depth;
    });
  };
  SmallVector<Constraint, 2> Common;
  bool IsFirst = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    if (none_of(L.Assigns, [&](const Assign &A) {
          return !K.Buffers[A.Target.Buf].IsLocal ||
                 is_contained(Seen, A.Target.Buf);
        }))
      return;
    if (std::exchange(IsFirst, false))
      copy_if(L.Domain, std::back_inserter(Common),
              [&](const Constraint &C) { return IsKnownAhead(C.P); });
    else
      erase_if(Common, [&](const Constraint &C) {
        return !is_contained(L.Domain, C) && !isImplied(K, C, Axes);
      });
  });
  for (const Constraint &C : Common) {
    Need N;
    N.K = Need::InRange;
    N.P = C.P;
    N.Lo = 0;
    N.Hi = C.IsEquality ? 0 : std::numeric_limits<int64_t>::max();
    K.Needs.push_back(std::move(N));
  }
}

bool dlopt::decideByNeeds(RaisedKernel &R) {
  Kernel &K = *R.K;
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any = Any || L.Predicate || !L.Domain.empty() ||
          any_of(L.Ops, [](const Op &O) { return O.Ty == ScalarType::I1; });
  });
  if (!Any)
    return false;
  SmallVector<BufferId, 2> Seen;
  for (const RaisedKernel::LiveOut &Out : R.LiveOuts)
    if (Out.Local)
      Seen.push_back(*Out.Local);
  needWhatAllAsk(K, Seen);
  Kernel New;
  copyKernel(K, New);
  if (!Decider(New, Seen).run() || New.Root.Children.empty())
    return false;
  std::vector<bool> Kept;
  for (const Buffer &B : New.Buffers)
    Kept.push_back(!B.IsLocal);
  SmallVector<BufferId, 8> Locals;
  collectLocals(New.Root, Locals);
  for (BufferId B : Locals)
    Kept[B] = true;
  if (!compact(New))
    return false;
  for (RaisedKernel::LiveOut &Out : R.LiveOuts)
    if (Out.Local)
      Out.Local = static_cast<BufferId>(
          std::count(Kept.begin(), Kept.begin() + *Out.Local, true));
  K = std::move(New);
  return true;
}
