//===- Roles.cpp - What reordering of an axis is legal --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Roles.h"
#include "Diagonals.h"
#include "Nest.h"
#include "dlopt/Expression.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p Id needs the value at \p A.
static bool readsElement(const Leaf &L, OpId Id, const Access &A) {
  return isComputedOf(
      L, Id, [&](const Op &O) { return O.K == Op::Load && O.Acc == A; });
}

static bool isLoadOf(const Leaf &L, OpId Id, const Access &A) {
  return L.Ops[Id].K == Op::Load && L.Ops[Id].Acc == A;
}

bool dlopt::isCombiner(const Leaf &L, const Assign &A) {
  const Op &O = L.Ops[A.Value];
  auto IsPair = [&](OpId Self, OpId Other) {
    return isLoadOf(L, Self, A.Target) && !readsElement(L, Other, A.Target);
  };
  auto IsEither = [&] {
    return IsPair(O.Args[0], O.Args[1]) || IsPair(O.Args[1], O.Args[0]);
  };
  if (O.K == Op::Intrinsic) {
    switch (O.Opcode) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
      return IsPair(O.Args[2], O.Args[0]) &&
             !readsElement(L, O.Args[1], A.Target);
    case Intrinsic::minnum:
    case Intrinsic::maxnum:
    case Intrinsic::minimum:
    case Intrinsic::maximum:
    case Intrinsic::minimumnum:
    case Intrinsic::maximumnum:
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return IsEither();
    default:
      return false;
    }
  }
  if (O.K != Op::Inst)
    return false;
  switch (O.Opcode) {
  case Instruction::FAdd:
  case Instruction::FMul:
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return IsEither();
  case Instruction::FSub:
  case Instruction::Sub:
    return IsPair(O.Args[0], O.Args[1]);
  case Instruction::Select: {
    // v > m ? v : m, in either order.
    const Op &C = L.Ops[O.Args[0]];
    if (C.K != Op::Inst ||
        (C.Opcode != Instruction::FCmp && C.Opcode != Instruction::ICmp))
      return false;
    for (unsigned I : {1u, 2u}) {
      OpId Self = O.Args[I], Other = O.Args[3 - I];
      if (IsPair(Self, Other) &&
          ((isLoadOf(L, C.Args[0], A.Target) && C.Args[1] == Other) ||
           (isLoadOf(L, C.Args[1], A.Target) && C.Args[0] == Other)))
        return true;
    }
    return false;
  }
  default:
    return false;
  }
}

namespace {

/// An access below the axis that is looked at.
struct Use {
  const Access *A;
  const Leaf *L;
  SmallVector<AxisId, 6> Axes; ///< around it, outermost first
  bool IsWrite, IsCombined;    ///< part of a combiner of its target
};

class RoleFinder {
public:
  explicit RoleFinder(Kernel &K) : K(K) {}
  void visit(Node &N);
  bool meetsWithinIterations(const Node &N, ArrayRef<AxisId> Around,
                             BufferId Buf);
  bool mayRunAhead(const Node &N, ArrayRef<AxisId> Around, unsigned Split);

private:
  Role find(const Node &N);
  Role findForBuffer(ArrayRef<const Use *> Uses, AxisId X);
  Role findForState(ArrayRef<const Use *> Uses);
  bool areApart(const Use &U, const Use &V, AxisId X);
  bool areSeparate(const Use &U, const Use &V, AxisId X);
  std::optional<Poly> getReach(const Use &U, AxisId X, Poly &Base);
  const Poly *getFixedBound(AxisId X, const Use &U,
                            function_ref<bool(const Poly &)> IsEnough);
  struct Digit {
    AxisId A;
    Poly Stride;
  };
  bool findDigits(const Use &U, AxisId X, Poly &Base,
                  SmallVectorImpl<Digit> &Digits);
  bool isDistinct(const Use &U, AxisId X, SmallVectorImpl<Poly> &Strides,
                  Poly &Base);
  bool isAtLeastZero(const Poly &P, const Poly &Stride, ArrayRef<AxisId> Axes);
  void collect(const Node &N);
  bool isWindow(AxisId X);
  bool mayReorderErrno() const;

  Kernel &K;
  SmallVector<AxisId, 6> Enclosing;
  std::vector<Use> Uses;
  SmallVector<BufferId, 8> Owned;
  SmallVector<AxisId, 6> Reductions; ///< axes seen that are not parallel
};

} // namespace

void RoleFinder::collect(const Node &N) {
  Owned.append(N.Locals.begin(), N.Locals.end());
  if (N.K == Node::AxisNode)
    Enclosing.push_back(N.Ax);
  for (const std::unique_ptr<Node> &C : N.Children)
    collect(*C);
  if (N.K == Node::LeafNode) {
    bool Reads = false; // the predicate reads what the leaf assigns
    SmallVector<bool, 2> Combined;
    for (const Assign &A : N.L.Assigns) {
      bool Ok = isCombiner(N.L, A);
      for (const Assign &B : N.L.Assigns)
        Ok &= &A == &B || !readsElement(N.L, A.Value, B.Target);
      Reads |= N.L.Predicate && readsElement(N.L, *N.L.Predicate, A.Target);
      Combined.push_back(Ok);
    }
    auto IsCombined = [&](const Access &X) {
      for (auto [A, Ok] : zip(N.L.Assigns, Combined))
        if (A.Target == X)
          return Ok && !Reads;
      return false;
    };
    SmallVector<AxisId, 6> Axes(Enclosing);
    for (const Assign &A : N.L.Assigns)
      Uses.push_back({&A.Target, &N.L, Axes, true, IsCombined(A.Target)});
    for (const Op &O : N.L.Ops)
      if (O.K == Op::Load)
        Uses.push_back({&O.Acc, &N.L, Axes, false, IsCombined(O.Acc)});
  }
  if (N.K == Node::AxisNode)
    Enclosing.pop_back();
}

/// Whether \p P, the slack of \p Stride over what lies below it, is proved or
/// may be tested: a leading dimension usually is large enough, a small constant
/// (overlapping windows) never is meant to be.
bool RoleFinder::isAtLeastZero(const Poly &P, const Poly &Stride,
                               ArrayRef<AxisId> Axes) {
  constexpr int64_t Max = std::numeric_limits<int64_t>::max();
  Range R = getRange(K, P, Axes);
  if (R.Lo >= 0 || DLOPT_PLANTED(RowOverlapUntested))
    return true;
  if (R.Hi < 0 || Stride.getConstant().value_or(16) < 16 || !K.isFixed(P))
    return false;
  for (const Need &N : K.Needs)
    if (N.K == Need::InRange && N.P == P && N.Lo >= 0)
      return true;
  Need N;
  N.K = Need::InRange;
  N.P = P;
  N.Hi = Max;
  K.Needs.push_back(std::move(N));
  return true;
}

/// A bound of \p X that is the same in all iterations: one that \p IsEnough, if
/// there is one, or else one that may turn out to be.
const Poly *
RoleFinder::getFixedBound(AxisId X, const Use &U,
                          function_ref<bool(const Poly &)> IsEnough) {
  const Poly *Best = nullptr;
  for (const Poly &E : K.Axes[X].Extents) {
    if (any_of(U.Axes, [&](AxisId A) { return K.dependsOn(E, A); }))
      continue;
    if (IsEnough(E))
      return &E;
    if (!Best || Best->getConstant())
      Best = &E;
  }
  return Best;
}

/// \p Base as digits, the axes of \p U from \p X on inwards, and what is left.
bool RoleFinder::findDigits(const Use &U, AxisId X, Poly &Base,
                            SmallVectorImpl<Digit> &Digits) {
  bool Inside = false;
  for (AxisId A : U.Axes) {
    Inside |= A == X;
    AtomId Id = K.getAxisAtom(A);
    if (!Inside || !K.dependsOn(Base, A))
      continue;
    std::optional<Poly> Stride = Base.coefficient(Id);
    if (!Stride)
      return false;
    Base = Base.without(Id);
    if (K.dependsOn(Base, A))
      return false;
    for (AxisId B : U.Axes)
      if (K.dependsOn(*Stride, B))
        return false;
    Digits.push_back({A, *Stride});
  }
  return any_of(Digits, [&](const Digit &D) { return D.A == X; });
}

/// Whether the element determines the value of \p X: written in a mixed radix
/// whose digits are the axes from \p X on inwards. \p Strides are those of the
/// digits above \p X's, \p Base what is left.
bool RoleFinder::isDistinct(const Use &U, AxisId X,
                            SmallVectorImpl<Poly> &Strides, Poly &Base) {
  Base = U.A->offset();
  SmallVector<Digit, 6> Digits;
  if (!findDigits(U, X, Base, Digits))
    return false;
  // From the lowest digit on: each stride exceeds what those below reach.
  Poly Reach;
  bool AboveX = false;
  while (!Digits.empty()) {
    auto Slack = [&](const Digit &D) { return D.Stride - Poly(1) - Reach; };
    auto It =
        find_if(Digits, [&](const Digit &D) { return Slack(D).isZero(); });
    auto Degree = [](const Digit &D) {
      size_t Max = 0;
      for (const auto &T : D.Stride.terms())
        Max = std::max<size_t>(Max, T.first.size());
      return Max;
    };
    // Of several that could be next, the one with the simplest stride, and
    // rather one that is known to be large enough; of those that nothing tells
    // apart the innermost, along which memory is meant to be walked.
    auto IsLess = [&](const Digit &A, const Digit &B) {
      auto GetRank = [&](const Digit &D) {
        bool Known = getRange(K, Slack(D), U.Axes).Lo >= 0;
        return std::pair(!Known, Degree(D));
      };
      return GetRank(A) < GetRank(B);
    };
    if (It == Digits.end())
      It = std::prev(
          std::min_element(Digits.rbegin(), Digits.rend(), IsLess).base());
    if (!isAtLeastZero(Slack(*It), It->Stride, U.Axes))
      return false;
    if (AboveX)
      Strides.push_back(It->Stride);
    if (It->A == X) {
      AboveX = true;
      Strides.push_back(It->Stride);
    }
    AxisId Lower = It->A;
    Poly Stride = It->Stride;
    Digits.erase(It);
    if (Digits.empty())
      break;
    const Poly *Bound = getFixedBound(Lower, U, [&](const Poly &E) {
      Poly Last = Reach + Stride * (E - Poly(1));
      return any_of(Digits, [&](const Digit &D) {
        return getRange(K, D.Stride - Poly(1) - Last, U.Axes).Lo >= 0;
      });
    });
    if (!Bound)
      return false;
    Reach += Stride * (*Bound - Poly(1));
  }
  return true;
}

/// Whether \p U and \p V touch one element in one iteration of \p X only, as
/// parts of a triangle and of its mirror image.
bool RoleFinder::areApart(const Use &U, const Use &V, AxisId X) {
  auto Pair = getDiagonalPair(K, *U.A, *U.L, U.Axes, *V.A, *V.L, V.Axes);
  return Pair && Pair->meetsWithin(X) && all_of(Pair->Slacks, [&](auto &P) {
           return isAtLeastZero(P, Pair->Stride, U.Axes);
         });
}

/// How far beyond \p Base the elements of \p U go in all rounds of \p X, where
/// all strides are positive.
std::optional<Poly> RoleFinder::getReach(const Use &U, AxisId X, Poly &Base) {
  Base = U.A->offset();
  SmallVector<Digit, 6> Digits;
  if (!findDigits(U, X, Base, Digits))
    return std::nullopt;
  Poly Reach;
  for (const Digit &D : Digits) {
    const Poly *Bound =
        getFixedBound(D.A, U, [](const Poly &) { return true; });
    if (!Bound)
      return std::nullopt;
    Reach += D.Stride * (*Bound - Poly(1));
  }
  return Reach;
}

/// Whether \p U and \p V touch different parts of an array, as the moments of
/// an optimizer that lie behind each other in one. Both are distinct along \p
/// X, so that strides are positive.
bool RoleFinder::areSeparate(const Use &U, const Use &V, AxisId X) {
  Poly LowBase, HighBase;
  const Use *Low = &U, *High = &V;
  std::optional<Poly> Reach = getReach(*Low, X, LowBase),
                      Other = getReach(*High, X, HighBase);
  if (!Reach || !Other || !K.isFixed(HighBase - LowBase))
    return false;
  // Which one is behind the other: what is further on by a sum, or else what
  // came later.
  auto IsBehind = [](const Poly &P) {
    return all_of(P.terms(), [](const auto &T) { return T.second > 0; });
  };
  Poly Distance = HighBase - LowBase, Back = LowBase - HighBase;
  if (IsBehind(Back) || (!IsBehind(Distance) && HighBase < LowBase)) {
    std::swap(Low, High);
    Distance = Back;
    Reach = Other;
  }
  Poly Slack = Distance - *Reach - Poly(1);
  if (getRange(K, Slack, Low->Axes).Lo >= 0)
    return true;
  // Such parts have one shape. Whole rows further on lies another row of the
  // same.
  Poly LowStart = Low->A->offset(), HighStart = High->A->offset();
  SmallVector<Digit, 6> Mine, Others;
  return !Distance.getConstant() && findDigits(*Low, X, LowStart, Mine) &&
         findDigits(*High, X, HighStart, Others) &&
         equal(Mine, Others,
               [](const Digit &D, const Digit &E) {
                 return D.Stride == E.Stride;
               }) &&
         none_of(Mine,
                 [&](const Digit &D) {
                   return D.Stride != Poly(1) &&
                          (D.Stride.terms().size() != 1 ||
                           Distance.divideExactly(D.Stride));
                 }) &&
         isAtLeastZero(Slack, Distance, Low->Axes);
}

Role RoleFinder::findForBuffer(ArrayRef<const Use *> Uses, AxisId X) {
  bool Independent =
      none_of(Uses, [&](const Use *U) { return K.dependsOn(*U->A, X); });
  if (Independent) {
    bool Ok = all_of(Uses, [&](const Use *U) {
      return U->IsCombined && U->A->offset() == Uses.front()->A->offset();
    });
    return Ok ? Role::Reduction : Role::Sequential;
  }
  auto Before = K.Needs;
  /// Uses whose elements differ with X, by their strides and base.
  struct Class {
    SmallVector<Poly, 6> Strides;
    Poly Base;
    SmallVector<const Use *, 4> Members;
  };
  SmallVector<Class, 2> Classes;
  auto Ok = all_of(Uses, [&](const Use *U) {
    SmallVector<Poly, 6> Strides;
    Poly Base;
    if (!isDistinct(*U, X, Strides, Base))
      return false;
    auto *Mine = find_if(Classes, [&](const Class &C) {
      return C.Strides == Strides && C.Base == Base;
    });
    if (Mine == Classes.end())
      Mine = &Classes.emplace_back(Class{Strides, Base, {}});
    Mine->Members.push_back(U);
    return all_of(Classes, [&](const Class &C) {
      return &C == Mine || all_of(C.Members, [&](const Use *V) {
        return (!U->IsWrite && !V->IsWrite) || areApart(*V, *U, X) ||
               areSeparate(*V, *U, X);
      });
    });
  });
  if (!Ok) {
    K.Needs = std::move(Before);
    return Role::Sequential;
  }
  return Role::Parallel;
}

Role RoleFinder::findForState(ArrayRef<const Use *> Uses) {
  bool Ok = all_of(Uses, [](const Use *U) { return U->IsCombined; });
  return Ok ? Role::Reduction : Role::Sequential;
}

/// A window moves with a parallel axis: both have one stride in some access.
bool RoleFinder::isWindow(AxisId X) {
  return any_of(Uses, [&](const Use &U) {
    if (U.IsWrite || K.Buffers[U.A->Buf].IsLocal)
      return false;
    Poly Offset = U.A->offset();
    std::optional<Poly> Mine = Offset.coefficient(K.getAxisAtom(X));
    if (!Mine || Mine->isZero())
      return false;
    return any_of(U.Axes, [&](AxisId A) {
      if (A == X || is_contained(Reductions, A))
        return false;
      std::optional<Poly> Other = Offset.coefficient(K.getAxisAtom(A));
      return Other && *Other == *Mine;
    });
  });
}

bool RoleFinder::meetsWithinIterations(const Node &N, ArrayRef<AxisId> Around,
                                       BufferId Buf) {
  Enclosing.assign(Around.drop_back().begin(), Around.drop_back().end());
  collect(N);
  SmallVector<const Use *, 8> Mine;
  for (const Use &U : Uses)
    if (U.A->Buf == Buf)
      Mine.push_back(&U);
  return findForBuffer(Mine, N.Ax) == Role::Parallel;
}

/// Calls that may set errno keep their order. Square roots set it to one value
/// only, so that it is the same whichever of them is the last, unless an
/// integer in memory is errno itself.
bool RoleFinder::mayReorderErrno() const {
  bool HasRoot = false, HasInteger = false;
  for (const Use &U : Uses) {
    const Buffer &Buf = K.Buffers[U.A->Buf];
    HasInteger |= !Buf.IsLocal && !isFloat(Buf.Ty);
    for (const Op &O : U.L->Ops) {
      if (O.K != Op::LibCall || !O.WritesErrno)
        continue;
      if (!isRoot(O))
        return false;
      HasRoot = true;
    }
  }
  return !HasRoot || !HasInteger;
}

static bool writesErrno(const Leaf &L) {
  return any_of(L.Ops, [](const Op &O) { return O.WritesErrno; });
}

/// Whether \p L, or its access \p X, may touch errno.
static bool mayBeErrno(const Kernel &K, const Leaf &L, const Access &X) {
  const Buffer &Buf = K.Buffers[X.Buf];
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  return (!Buf.IsLocal && !isFloat(Buf.Ty)) || K.anyNestedAtom(X, IsLoad) ||
         any_of(L.Domain, [&](const Constraint &C) {
           return K.anyNestedAtom(C.P, IsLoad);
         });
}

bool RoleFinder::mayRunAhead(const Node &N, ArrayRef<AxisId> Around,
                             unsigned Split) {
  auto Needs = K.Needs;
  Uses.clear();
  Owned.assign(N.Locals.begin(), N.Locals.end());
  Enclosing.assign(Around.begin(), Around.end());
  for (const auto &Child : ArrayRef(N.Children).take_front(Split))
    collect(*Child);
  size_t NumAhead = Uses.size();
  for (const auto &Child : ArrayRef(N.Children).drop_front(Split))
    collect(*Child);
  auto All = ArrayRef(Uses), Ahead = All.take_front(NumAhead),
       Rest = All.drop_front(NumAhead);
  auto SetsErrno = [](const auto &U) { return writesErrno(*U.L); };
  bool Ok = any_of(Ahead, SetsErrno) ? mayReorderErrno()
                                     : none_of(Rest, SetsErrno) ||
                                           none_of(Ahead, [&](const auto &U) {
                                             return mayBeErrno(K, *U.L, *U.A);
                                           });
  for (BufferId B = 0; Ok && B < K.Buffers.size(); ++B) {
    auto IsMine = [&](const auto &U) { return U.A->Buf == B; };
    if (none_of(Ahead, IsMine) || is_contained(Owned, B) ||
        none_of(All, [&](const auto &U) { return IsMine(U) && U.IsWrite; }))
      continue;
    SmallVector<decltype(Uses)::const_pointer, 8> Mine;
    for (const auto &U : make_filter_range(All, IsMine))
      Mine.push_back(&U);
    Ok = !K.Buffers[B].IsLocal && (DLOPT_PLANTED(RunAheadUnchecked) ||
                                   findForBuffer(Mine, N.Ax) == Role::Parallel);
  }
  if (!Ok)
    K.Needs = std::move(Needs);
  return Ok;
}

Role RoleFinder::find(const Node &N) {
  Uses.clear();
  Owned.clear();
  collect(N);
  Role R = Role::Parallel;
  auto Meet = [&](Role Q) {
    if (Q == Role::Sequential || R == Role::Sequential)
      R = Role::Sequential;
    else if (Q == Role::Reduction)
      R = Role::Reduction;
  };
  for (BufferId B = 0; B < K.Buffers.size(); ++B) {
    SmallVector<const Use *, 8> Mine;
    bool Written = false;
    for (const Use &U : Uses)
      if (U.A->Buf == B) {
        Mine.push_back(&U);
        Written |= U.IsWrite;
      }
    if (!Written || is_contained(Owned, B))
      continue;
    Meet(K.Buffers[B].IsLocal ? findForState(Mine) : findForBuffer(Mine, N.Ax));
  }
  if (!mayReorderErrno())
    Meet(Role::Sequential);
  if (R == Role::Reduction && isWindow(N.Ax))
    R = Role::Window;
  return R;
}

void RoleFinder::visit(Node &N) {
  SmallVector<AxisId, 6> Around(Enclosing);
  if (N.K == Node::AxisNode) {
    Role R = find(N);
    K.Axes[N.Ax].R = R;
    if (R != Role::Parallel)
      Reductions.push_back(N.Ax);
    Enclosing.push_back(N.Ax);
  }
  for (std::unique_ptr<Node> &C : N.Children)
    visit(*C);
  Enclosing = Around;
}

bool dlopt::meetsWithinIterations(Kernel &K, Node &N, ArrayRef<AxisId> Around,
                                  BufferId Buf) {
  return RoleFinder(K).meetsWithinIterations(N, Around, Buf);
}

bool dlopt::mayRunAhead(Kernel &K, const Node &N, ArrayRef<AxisId> Around,
                        unsigned Split) {
  return RoleFinder(K).mayRunAhead(N, Around, Split);
}

void dlopt::computeRoles(Kernel &K) { RoleFinder(K).visit(K.Root); }
