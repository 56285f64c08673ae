//===- ScheduleCheck.cpp - Scheduled kernels to IR: what can be emitted ---===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Walks the tree as the emitter does, once for each size of blocks, with what
/// is known of the axes there.
///
//===----------------------------------------------------------------------===//
#include "ScalarLower.h"
#include "ScheduleEmitter.h"
#include "dlopt/Compat.h"
#include "dlopt/Expression.h"
#include "dlopt/LowerSchedule.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

/// Copies of a child that is unrolled.
static constexpr int64_t MostCopies = 256;
/// Vectors of leaves in the code of a kernel.
static constexpr uint64_t MostLeaves = 1 << 14;
/// Lanes of a vector.
static constexpr unsigned MostLanes = 256;
/// Elements of a register local.
static constexpr uint64_t MostRegisterElements = 1 << 12;

namespace {

class ScheduleChecker {
public:
  ScheduleChecker(const Kernel &K, const Function *Into)
      : K(K), Into(Into), Facts(K) {}
  Verdict run() {
    checkRegisters();
    visitChildren(K.Root, 1);
    return Result;
  }
  uint64_t getLeaves() const { return Leaves; }

private:
  void refuse(Reason R, const Twine &Detail) {
    if (Result.ok())
      Result = {R, nullptr, Detail.str()};
  }
  void checkRegisters();
  void visit(const Node &N, uint64_t Copies);
  void visitChildren(const Node &N, uint64_t Copies);
  void visitAxis(const Node &N, uint64_t Copies);
  void visitBlocks(const Node &N, uint64_t Copies);
  void checkRow(const Node &N);
  void checkSide(const Buffer &Buf);
  void checkLeaf(const Leaf &L);
  void checkLanes(const Leaf &L);
  bool areApart(const Access &X, const Access &Y) const;
  bool isNumber(const Poly &P) const;
  bool isScalableLane() const {
    return Lane && K.Axes[*Lane].Schedule.Lanes.Scalable;
  }
  bool isVector(const Access &X) const;
  void checkRegister(const Access &X, bool IsTarget);
  void checkScalable(const Leaf &L);

  const Kernel &K;
  const Function *Into;
  ScheduleFacts Facts;
  std::optional<AxisId> Lane;
  /// The axis of a row whose elements are always copies.
  std::optional<AxisId> RowOfCopies;
  uint64_t Leaves = 0;
  Verdict Result;
};

} // namespace

/// Elements of \p Buf where `vl` is \p VL; nullopt: that is no number.
static std::optional<uint64_t> getMostElements(const Kernel &K,
                                               const Buffer &Buf, int64_t VL) {
  uint64_t Result = 1;
  for (const Poly &Extent : Buf.Shape) {
    std::optional<ScheduleSize> Size = K.getSize(Extent);
    if (!Size || Size->N < 0)
      return std::nullopt;
    Result = SaturatingMultiply(Result, uint64_t(Size->at(VL)));
  }
  return Result;
}

void ScheduleChecker::checkRegisters() {
  for (const Buffer &Buf : K.Buffers)
    if (isInRegisters(Buf) &&
        getMostElements(K, Buf, LeastVL).value_or(UINT64_MAX) >
            MostRegisterElements)
      refuse(Reason::OverBudget,
             "'" + Buf.Name + "' is too large for registers");
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load && isInRegisters(K.Buffers[A.Source.Buf]) &&
        any_of(A.Source.Subs, [](const Poly &P) { return !P.getConstant(); }))
      refuse(Reason::NoStrategy, "an index is read from a register, '" +
                                     K.Buffers[A.Source.Buf].Name +
                                     "', at a place that changes");
}

void ScheduleChecker::visitChildren(const Node &N, uint64_t Copies) {
  for (const auto &Child : N.Children)
    if (Result.ok())
      visit(*Child, Copies);
}

void ScheduleChecker::visit(const Node &N, uint64_t Copies) {
  switch (N.K) {
  case Node::Sequence:
    return visitChildren(
        N, SaturatingMultiply(Copies,
                              uint64_t(1) << std::min<size_t>(
                                  N.CasesAreOne ? 1 : N.Cases.size(), 32)));
  case Node::AxisNode:
    return visitAxis(N, Copies);
  case Node::LeafNode:
    Leaves = SaturatingAdd(Leaves, Copies);
    if (Leaves > MostLeaves)
      refuse(Reason::OverBudget, "the schedule makes too much code");
    return checkLeaf(N.L);
  }
}

/// One code for each size.
void ScheduleChecker::visitBlocks(const Node &N, uint64_t Copies) {
  const Axis &A = K.Axes[N.Ax];
  const AxisSchedule &S = A.Schedule;
  ScheduleSize Largest = S.Steps.front(), Smallest = S.Steps.back();
  if (Largest.getMost() > INT32_MAX)
    return refuse(Reason::OverBudget,
                  "blocks of axis '" + A.Name + "' are too large");
  SmallVector<std::pair<NumberRange, Poly>, 8> Sizes;
  if (S.IsUpTo) {
    Sizes.push_back({{S.Once ? 0 : 1, Largest.getMost()}, K.getPoly(Largest)});
  } else {
    for (const ScheduleSize &Size : S.Steps)
      Sizes.push_back({NumberRange::of(Size), K.getPoly(Size)});
    if (S.Overlaps)
      Sizes.push_back({NumberRange::of(Smallest), K.getPoly(Smallest)});
    if (S.HasRest && Smallest.getMost() > 1)
      Sizes.push_back(
          {{1, Smallest.getMost() - 1}, K.getPoly(Smallest) - Poly(1)});
    if (S.Once)
      Sizes.push_back({NumberRange::of(0), Poly()});
  }
  for (const auto &[Size, Most] : Sizes) {
    ScheduleFacts::Scope Inside(Facts, N.Ax);
    Facts.Sizes[N.Ax] = Size;
    // As addSizeFact() has it.
    if (std::optional<AtomId> Id = K.findAxisAtom(N.Ax, Atom::Size);
        Id && !Most.getConstant())
      Facts.add(Most - Poly::atom(*Id));
    Facts.Axes[N.Ax] = {Facts.getRangeOfMax(A.Begins).Least, std::nullopt};
    visitChildren(N, Copies);
  }
}

/// The target has the instruction, for as many lanes as the schedule says.
void ScheduleChecker::checkRow(const Node &N) {
  const Axis &A = K.Axes[N.Ax];
  InstructionUse Use;
  if (matchInstruction(K, N, A.Schedule.Row, Use).empty() &&
      (Use.Row->isTree() ||
       (Use.Row->isMove() &&
        K.Buffers[Use.target().Buf].Where == Buffer::Register)))
    RowOfCopies = N.Ax;
  const Node &Inside = *N.Children.front();
  int64_t Lanes =
      Inside.K == Node::AxisNode ? K.Axes[Inside.Ax].Schedule.Lanes.N : 1;
  if (!Into || findInstruction(*Into, A.Schedule.Row, Lanes))
    return;
  for (const InstructionRow &I : findInstructions(A.Schedule.Row))
    if (I.Lanes == Lanes)
      refuse(Reason::NoStrategy,
             "'" + A.Schedule.Row + "' of " + Twine(Lanes) + " lanes needs a " +
                 (hasIntrinsic(I.Intrinsic) ? "target with " + I.Features.str()
                                            : "later version of LLVM"));
}

void ScheduleChecker::visitAxis(const Node &N, uint64_t Copies) {
  const Axis &A = K.Axes[N.Ax];
  if (A.Schedule.isBlocks())
    return visitBlocks(N, Copies);
  if (!A.Schedule.Row.empty())
    checkRow(N);
  ScheduleFacts::Scope Inside(Facts, N.Ax);
  NumberRange Begin = Facts.getRangeOfMax(A.Begins),
              End = Facts.getRangeOfMin(A.Extents);
  if (A.Schedule.Lanes) {
    // LLVM 22 widens masks of others, and may read where a lane that is known
    // not to run has an element (<6 x double>, AVX2).
    if (!isPowerOf2_64(A.Schedule.Lanes.N))
      refuse(Reason::NoStrategy,
             "'" + A.Name + "' has lanes whose number is no power of two");
    if (!A.Schedule.Lanes.Scalable && A.Schedule.Lanes.N > MostLanes)
      return refuse(Reason::OverBudget,
                    "axis '" + A.Name + "' has too many lanes");
    auto Elements = getLaneElements(Facts, A);
    uint64_t Vectors = 2;
    if (Elements)
      Vectors =
          divideCeil(std::max<int64_t>(Elements->second - Elements->first, 0),
                     A.Schedule.Lanes.N);
    Lane = N.Ax;
    visitChildren(N, SaturatingMultiply(Copies, Vectors));
    Lane.reset();
    return;
  }
  int64_t Count = 0;
  if (A.Schedule.Unrolled) {
    if (!Begin.Least || !End.Most)
      return refuse(Reason::NoStrategy, "axis '" + A.Name +
                                            "' is unrolled, but nothing says "
                                            "how many elements it may have");
    auto Loads = [&](const Poly &P) { return hasLoads(K, P); };
    if (any_of(A.Begins, Loads) || any_of(A.Extents, Loads))
      return refuse(Reason::NoStrategy, "axis '" + A.Name +
                                            "' is unrolled, but its bounds are "
                                            "loaded");
    if (SubOverflow(*End.Most, *Begin.Least, Count) || Count > MostCopies)
      return refuse(Reason::OverBudget,
                    "axis '" + A.Name + "' is unrolled, but too long");
    Copies = SaturatingMultiply<uint64_t>(Copies, std::max<int64_t>(Count, 0));
  }
  Facts.Axes[N.Ax] = {Begin.Least, std::nullopt};
  if (End.Most && *End.Most > 0)
    Facts.Axes[N.Ax].Most = *End.Most - 1;
  visitChildren(N, Copies);
}

/// Whether it is a number where code is made: of copies, lanes and sizes.
bool ScheduleChecker::isNumber(const Poly &P) const {
  return !K.anyNestedAtom(Facts.fold(P), [&](const Atom &A) {
    switch (A.K) {
    case Atom::Axis: {
      const AxisSchedule &S = K.Axes[A.Ref].Schedule;
      bool IsCopy = S.Unrolled || A.Ref == RowOfCopies ||
                    (S.Lanes && getLaneElements(Facts, K.Axes[A.Ref]));
      return !IsCopy && !Facts.Axes[A.Ref].getNumber();
    }
    case Atom::Size:
      return !Facts.Sizes[A.Ref].getNumber();
    case Atom::Param:
    case Atom::VL:
    case Atom::Load:
      return true;
    case Atom::FloorDiv:
    case Atom::Mod:
      return false;
    }
    llvm_unreachable("all atom kinds are listed");
  });
}

/// Whether \p X is one of the vectors that its array, of a scalable size, is
/// made of, for each vector of the axis in lanes.
bool ScheduleChecker::isVector(const Access &X) const {
  if (!isScalableLane() || !getLaneElements(Facts, K.Axes[*Lane]))
    return false;
  const ScheduleSize &Lanes = K.Axes[*Lane].Schedule.Lanes;
  // How many rows there are is a number.
  ArrayRef<Poly> Shape = K.Buffers[X.Buf].Shape;
  if (Shape.back().getConstant() ||
      !all_of(Shape.drop_back(),
              [](const Poly &P) { return P.getConstant().has_value(); }))
    return false;
  // All that meet it have as many lanes.
  bool IsOne = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId> Axes) {
    auto Check = [&](const Access &Y) {
      IsOne &= Y.Buf != X.Buf ||
               (!Axes.empty() && K.Axes[Axes.back()].Schedule.Lanes == Lanes);
    };
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Check(O.Acc);
    for (const Assign &A : L.Assigns)
      Check(A.Target);
  });
  Poly Last = Facts.fold(X.Subs.back());
  std::optional<Poly> Stride = getStride(K, Last, *Lane);
  if (!IsOne || !Stride || *Stride != Poly(1))
    return false;
  std::optional<ScheduleSize> First =
      K.getSize(Last.without(*K.findAxisAtom(*Lane)));
  return First && (First->Scalable || First->N == 0) &&
         First->N % Lanes.N == 0 &&
         all_of(ArrayRef(X.Subs).drop_back(), [&](const Poly &P) {
           return isNumber(P) && !K.dependsOn(P, *Lane);
         });
}

void ScheduleChecker::checkRegister(const Access &X, bool IsTarget) {
  const Buffer &Buf = K.Buffers[X.Buf];
  if (isScalable(K, Buf)) {
    if (!isVector(X))
      refuse(Reason::NoStrategy, "'" + Buf.Name +
                                     "' is in scalable registers, but is not "
                                     "met in vectors of these");
    return;
  }
  if (!all_of(X.Subs, [&](const Poly &P) { return isNumber(P); }))
    return refuse(Reason::NoStrategy,
                  "'" + Buf.Name +
                      "' is in registers, but a place in it is not known when "
                      "code is made");
  if (isScalableLane() && (IsTarget || any_of(X.Subs, [&](const Poly &P) {
                             return K.dependsOn(Facts.fold(P), *Lane);
                           })))
    refuse(Reason::NoStrategy,
           "'" + Buf.Name + "' is in registers, but met in scalable lanes");
}

/// A view is a pointer to one of its sides.
void ScheduleChecker::checkSide(const Buffer &Buf) {
  if (isInRegisters(Buf))
    return refuse(Reason::NoStrategy,
                  "'" + Buf.Name + "' is in registers, but a side of a view");
  if (Into && !Buf.IsLocal &&
      Buf.Bound->getType()->getPointerAddressSpace() !=
          Into->getDataLayout().getAllocaAddrSpace())
    refuse(Reason::NoStrategy, "'" + Buf.Name +
                                   "' is a side of a view, but not in the "
                                   "address space of the stack");
}

void ScheduleChecker::checkLeaf(const Leaf &L) {
  auto Check = [&](const Access &X, bool IsTarget) {
    if (isInRegisters(K.Buffers[X.Buf]))
      checkRegister(X, IsTarget);
  };
  for (const Op &O : L.Ops)
    if (O.K == Op::Load)
      Check(O.Acc, /*IsTarget=*/false);
  for (const Assign &A : L.Assigns)
    Check(A.Target, /*IsTarget=*/true);
  for (const Op &O : L.Ops)
    if (O.K == Op::View)
      for (OpId Arg : O.Args)
        checkSide(K.Buffers[L.Ops[Arg].Acc.Buf]);
  if (Lane)
    checkLanes(L);
  if (isScalableLane())
    checkScalable(L);
}

/// Nothing is done lane by lane where nobody knows how many there are.
void ScheduleChecker::checkScalable(const Leaf &L) {
  auto IsNarrow = [](ScalarType Ty) {
    return Ty == ScalarType::F16 || Ty == ScalarType::BF16;
  };
  auto Divides = [&](const Atom &A) {
    return (A.K == Atom::FloorDiv || A.K == Atom::Mod) &&
           (K.dependsOn(A.Num, *Lane) || K.dependsOn(A.Den, *Lane));
  };
  for (const Op &O : L.Ops) {
    if (!hasScalableForm(O))
      return refuse(Reason::NoStrategy,
                    "scalable lanes have no instruction for an operation");
    if (IsNarrow(O.Ty))
      return refuse(Reason::NoStrategy,
                    "scalable lanes have no numbers of type " + getName(O.Ty));
    if (K.anyNestedAtom(O.Idx, Divides) ||
        (O.K == Op::Load && K.anyNestedAtom(O.Acc, Divides)))
      return refuse(Reason::NoStrategy, "scalable lanes divide indices");
  }
  auto IsDivided = [&](const Constraint &C) {
    return K.anyNestedAtom(C.P, Divides);
  };
  if (any_of(L.Domain, IsDivided) || any_of(L.Assigns, [&](const Assign &A) {
        return K.anyNestedAtom(A.Target, Divides);
      }))
    refuse(Reason::NoStrategy, "scalable lanes divide indices");
}

/// Whether no lane assigns by \p X what another one assigns by \p Y.
bool ScheduleChecker::areApart(const Access &X, const Access &Y) const {
  BufferId A = X.Buf, B = Y.Buf;
  if (A == B) {
    // Other rows of a local, in all lanes.
    return K.Buffers[A].IsLocal && any_of(zip(X.Subs, Y.Subs), [&](auto Subs) {
             auto &[Own, Other] = Subs;
             std::optional<int64_t> Distance = (Own - Other).getConstant();
             return Distance && *Distance != 0 && !K.dependsOn(Own, *Lane);
           });
  }
  return K.Buffers[A].IsLocal || K.Buffers[B].IsLocal ||
         any_of(K.Needs, [&](const Need &N) {
           return N.K == Need::Disjoint &&
                  ((N.Buf == A && is_contained(N.Others, B)) ||
                   (N.Buf == B && is_contained(N.Others, A)));
         });
}

/// What a lane does in one assignment and the next lane in another is not done
/// lane by lane.
void ScheduleChecker::checkLanes(const Leaf &L) {
  for (auto [I, X] : enumerate(L.Assigns))
    for (const Assign &Y : ArrayRef(L.Assigns).drop_front(I + 1))
      if (!areApart(X.Target, Y.Target))
        refuse(Reason::NoStrategy, "a leaf in lanes assigns '" +
                                       K.Buffers[Y.Target.Buf].Name +
                                       "' twice, maybe");
  // All lanes make one call, then the next one.
  SmallVector<std::optional<int>, 2> Errors;
  for (const Op &O : L.Ops)
    if (O.WritesErrno)
      Errors.push_back(getOnlyErrno(K, L, O));
  if (Errors.size() > 1 && (!Errors.front() || !all_equal(Errors)))
    refuse(Reason::NoStrategy, "a leaf in lanes has several calls that may set "
                               "errno");
}

/// The most that `vl` may be, by the target and by needs.
static int64_t getLongest(const Kernel &K, const ScheduleLimits &Limits) {
  int64_t Longest = MostVL;
  if (Limits.Into)
    Longest = getScalableRegister(*Limits.Into).getMostVL();
  for (const Need &N : K.Needs) {
    // A number less vl is at least another one.
    std::optional<ScheduleSize> Own =
        K.getSize(Poly(N.P.getConstantTerm()) - N.P);
    int64_t Most = 0;
    if (N.K == Need::InRange && Own && Own->Scalable && Own->N == 1 &&
        !SubOverflow(N.P.getConstantTerm(), N.Lo, Most))
      Longest = std::min(Longest, std::max<int64_t>(Most, 0));
  }
  return Longest;
}

static Verdict checkStack(const Kernel &K, const ScheduleLimits &Limits) {
  uint64_t Bytes = 0;
  int64_t Longest = getLongest(K, Limits);
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    if (!Buf.IsLocal || isInRegisters(Buf))
      continue;
    std::optional<uint64_t> Elements = getMostElements(K, Buf, Longest);
    if (!Elements && Limits.StackByNumber &&
        all_of(Buf.Shape, [&](const Poly &P) { return K.isFixed(P); }))
      continue;
    Bytes = SaturatingMultiplyAdd(
        SaturatingAdd<uint64_t>(Elements.value_or(UINT64_MAX),
                                getRoom(K, static_cast<BufferId>(Id)) +
                                    getScalableRoom(K) * Longest),
        uint64_t(getSizeInBytes(Buf.Ty)), Bytes);
    if (Bytes > Limits.StackBytes)
      return {Reason::StackLimit, nullptr, Buf.Name};
  }
  return {};
}

/// What is read inside the source's loops is read there alone, but the code of
/// a schedule is elsewhere.
static Verdict checkDepths(const Kernel &K) {
  for (const Param &P : K.Params)
    if (P.Depth)
      return {Reason::NotReached, nullptr, P.Name};
  for (const Buffer &Buf : K.Buffers)
    if (Buf.Depth)
      return {Reason::NotReached, nullptr, Buf.Name};
  return {};
}

/// Vectors are as long as what the target has.
static Verdict checkTarget(const Kernel &K, const ScheduleLimits &Limits) {
  bool HasVL = any_of(K.Atoms, [](const Atom &A) { return A.K == Atom::VL; });
  if (HasVL && Limits.Into && !getScalableRegister(*Limits.Into).Bits)
    return {Reason::NoStrategy, nullptr, "the target has no scalable vectors"};
  return {};
}

std::optional<uint64_t> countLeaves(const Kernel &K) {
  ScheduleChecker Checker(K, nullptr);
  return Checker.run().ok() ? std::optional(Checker.getLeaves()) : std::nullopt;
}

Verdict canLowerSchedule(const Kernel &K, const ScheduleLimits &Limits) {
  if (Verdict Why = checkDepths(K); !Why.ok())
    return Why;
  if (Verdict Why = checkBindings(K); !Why.ok())
    return Why;
  if (Verdict Why = checkTarget(K, Limits); !Why.ok())
    return Why;
  if (Verdict Why = checkStack(K, Limits); !Why.ok())
    return Why;
  return ScheduleChecker(K, Limits.Into).run();
}

} // namespace dlopt
