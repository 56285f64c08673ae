//===- LaneChooser.cpp - Which axes may become lanes ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "LaneChooser.h"
#include "LaneStrategy.h"
#include "LoopProfit.h"
#include "dlopt/Expression.h"
#include "dlopt/MathModels.h"
#include "dlopt/Raise.h"
#include "dlopt/Target.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether a condition in \p L may differ between lanes.
static bool differs(const Kernel &K, const Leaf &L, AxisId Lane,
                    ArrayRef<BufferId> Private) {
  if (any_of(L.Domain,
             [&](const Constraint &C) { return K.dependsOn(C.P, Lane); }))
    return true;
  return L.Predicate && any_of(L.Ops, [&](const Op &O) {
           return (O.K == Op::Load &&
                   (is_contained(Private, O.Acc.Buf) ||
                    K.dependsOn(getOffset(K, O.Acc), Lane))) ||
                  (O.K == Op::Index && K.dependsOn(O.Idx, Lane));
         });
}

bool LaneChooser::addLoad(const Leaf &L, const Op &O, AxisId Lane, bool Masked,
                          ArrayRef<const Node *> Inner, Candidate &C) {
  if (is_contained(Private, O.Acc.Buf))
    return true;
  if (O.Ty == ScalarType::I1)
    return false;
  C.Bytes = std::max(C.Bytes, getSizeInBytes(O.Ty));
  std::optional<Poly> Stride = getStride(K, getOffset(K, O.Acc), Lane);
  if (Stride && (Stride->isZero() || Stride->getConstant() == 1))
    return true;
  const Node &Innermost = *Inner.back();
  if (Inner.size() == 1 &&
      any_of(getLookups(K, Innermost, Plan.Scalable ? 0 : Plan.Lookups),
             [&](const LaneLookup &X) { return X.Load == &O; }))
    return C.HasGain = true;
  if (isNarrow(O.Ty) &&
      (Inner.size() == 1 || !isTransposed(K, O, Innermost.Ax, Lane)))
    return false;
  C.WholeLoads = false;
  if (Inner.size() == 1) {
    C.Transposes |= C.Blocked && isTransposed(K, O, *C.Blocked, Lane) &&
                    mayReadAhead(Innermost, L, O);
    return true;
  }
  if (isTransposed(K, O, Innermost.Ax, Lane) && mayReadAhead(Innermost, L, O)) {
    C.Transposes = true;
    return true;
  }
  if (isNarrow(O.Ty))
    return false;
  // Under a mask the source asks for each element, too, and reads them one by
  // one: a gather is as many reads without the branches, and where the distance
  // is an argument it is often 1. Of known ones LLVM makes shuffles.
  if (Masked && Target.HasMaskedGathers && Stride && !Stride->getConstant() &&
      !Safe.contains(&O))
    return true;
  // Read again and again, unless it is the same in the inner loops, or in a
  // long one that is innermost: the scale of a group.
  constexpr uint64_t LongLoop = 8;
  bool IsOfGroup = K.hasFixedExtents(Innermost.Ax) &&
                   !K.dependsOn(O.Acc, Innermost.Ax) &&
                   getRounds(K, Innermost.Ax).value_or(LongLoop) >= LongLoop;
  return IsOfGroup || none_of(Inner.drop_front(), [&](const Node *X) {
           return K.dependsOn(O.Acc, X->Ax);
         });
}

bool LaneChooser::addStore(const Leaf &L, const Assign &A, AxisId Lane,
                           ArrayRef<const Node *> Inner, Candidate &C) {
  const Buffer &Buf = K.Buffers[A.Target.Buf];
  if (Buf.IsLocal && Buf.Shape.empty())
    return is_contained(Private, A.Target.Buf);
  if (Buf.Ty == ScalarType::I1)
    return false;
  C.Bytes = std::max(C.Bytes, getSizeInBytes(Buf.Ty));
  std::optional<Poly> Stride = getStride(K, getOffset(K, A.Target), Lane);
  if (Stride && Stride->getConstant() == 1)
    return true;
  // Of blocks lanes have vectors, and nothing of their own.
  if (isNarrow(Buf.Ty) || Buf.IsLocal)
    return false;
  C.WholeStores = false;
  if (Inner.size() == 1)
    return true;
  C.WritesRows = mayWriteBehind(K, *Inner.back(), L, A, Lane);
  return C.WritesRows;
}

/// \p Inner: the axes around it, from the lanes' inwards.
bool LaneChooser::addLeaf(const Leaf &L, AxisId Lane,
                          ArrayRef<const Node *> Inner, Candidate &C) {
  bool Masked = differs(K, L, Lane, Private), IsInside = Inner.size() > 1;
  // A double that is rounded to float first is another number.
  auto RoundsTwice = [&](const Op &O) {
    return isRoundedToBFloat(O) && L.Ops[O.Args[0]].Ty != ScalarType::F32;
  };
  if (!all_of(L.Ops,
              [&](const Op &O) {
                return isCheap(O, IsInside, Masked) && !RoundsTwice(O);
              }) ||
      ((Masked || Plan.Scalable) && !mayMask(L, Lane)) ||
      (Plan.Scalable && !isLinear(L, Lane)))
    return false;
  C.Maskable &=
      mayMask(L, Lane, /*IsRest=*/true) && isLinear(L, Lane) &&
      none_of(L.Ops, [&](const Op &O) {
        return O.K == Op::LibCall && !isRoot(O) && !isMathInLanes(O, Plan);
      });
  for (const Op &O : L.Ops) {
    if (O.K == Op::Load && !addLoad(L, O, Lane, Masked, Inner, C))
      return false;
    // LLVM does not read what is the same in all lanes under a mask. Where the
    // lanes' loop has others inside, LLVM vectorizes these.
    C.HasGain |= Masked && !IsInside && O.K == Op::Load && !Safe.contains(&O) &&
                 !K.Buffers[O.Acc.Buf].IsLocal &&
                 !K.dependsOn(getOffset(K, O.Acc), Lane);
    C.HasMath |= isMathInLanes(O, Plan);
    C.HasRoots |= isRoot(O) && O.WritesErrno;
    C.HasGain |= isRoundedToBFloat(O) && !Target.RoundsBFloat;
  }
  return all_of(L.Assigns, [&](const Assign &A) {
    return addStore(L, A, Lane, Inner, C);
  });
}

bool LaneChooser::addNode(const Node &N, AxisId Lane,
                          ArrayRef<const Node *> Inner, Candidate &C) {
  if (N.K == Node::LeafNode)
    return addLeaf(N.L, Lane, Inner, C);
  SmallVector<const Node *, 4> Axes(Inner);
  Private.append(N.Locals.begin(), N.Locals.end());
  C.State += N.Locals.size();
  if (N.K == Node::AxisNode)
    Axes.push_back(&N);
  if (N.K == Node::AxisNode && N.Ax != Lane) {
    bool IsChain = K.Axes[N.Ax].R != Role::Parallel;
    // Of loops around a long one LLVM vectorizes that, whatever is strided
    // along them.
    const Node *Left = IsChain ? getLoopLeft(K, N) : nullptr;
    if (IsChain && staysScalar(K, Left ? *Left : N))
      (isVectorizedAround(K, Axes) ? C.IsUnrolled : C.HasGain) = true;
  }
  return all_of(N.Children, [&](const auto &Child) {
    return addNode(*Child, Lane, Axes, C);
  });
}

bool dlopt::isPlain(const Kernel &K, const Node &N) {
  return (N.K != Node::AxisNode || K.hasFixedExtents(N.Ax)) &&
         hasPlainInside(K, N);
}

bool dlopt::hasPlainInside(const Kernel &K, const Node &N) {
  return all_of(N.Locals,
                [&](BufferId Id) { return K.Buffers[Id].Shape.empty(); }) &&
         all_of(N.Children,
                [&](const auto &Child) { return isPlain(K, *Child); });
}

/// The same, but for conditions that hold in all lanes of \p Lane or in none.
static bool isUniformInside(const Kernel &K, const Node &N, AxisId Lane) {
  auto IsUniform = [&](AxisId A) {
    return K.hasFixedExtents(A) ||
           (K.Axes[A].isCondition() &&
            none_of(K.Axes[A].Extents, [&](const Poly &P) {
              return K.anyNestedAtom(P, [&](const Atom &X) {
                return X.K == Atom::Load ||
                       (X.K == Atom::Axis && X.Ref == Lane);
              });
            }));
  };
  return all_of(N.Children, [&](const auto &Child) {
    return (Child->K != Node::AxisNode || IsUniform(Child->Ax)) &&
           isUniformInside(K, *Child, Lane);
  });
}

/// The axis next to \p N that may change places with it.
static std::optional<AxisId> getPartner(const Kernel &K, const Node &N,
                                        const Node *Parent) {
  auto IsPartner = [&](const Node &X, const Node &Child) {
    return X.K == Node::AxisNode && X.Children.size() == 1 &&
           X.Locals.empty() && Child.K == Node::AxisNode &&
           Child.Locals.empty() && all_of(Child.Children, [](const auto &C) {
             return C->K == Node::LeafNode;
           });
  };
  if (IsPartner(N, *N.Children.front()) &&
      K.Axes[N.Children.front()->Ax].R == Role::Parallel)
    return N.Children.front()->Ax;
  if (Parent && IsPartner(*Parent, N) && K.Axes[Parent->Ax].R == Role::Parallel)
    return Parent->Ax;
  return std::nullopt;
}

/// Whether LLVM unrolls the loop \p Row inside \p Lanes and vectorizes what is
/// left, as rows are groups of so few elements that all are read at once.
static bool isGroupOfLLVM(const Kernel &K, const Node &Lanes, AxisId Row,
                          const TargetModel &Target) {
  const Node &Inner = *Lanes.Children.front();
  if (Inner.K != Node::AxisNode || Inner.Ax != Row ||
      getRounds(K, Inner.Ax).value_or(UINT64_MAX) > Target.CheapGroup)
    return false;
  return hasNearElements(K, Lanes, Target.CheapGroup, /*MaxStoreStep=*/1);
}

/// Whether what rows \p N do once reads what no test knows, so that their loops
/// alone can be in lanes.
static bool readsOnceUntested(const Kernel &K, const Node &N) {
  auto IsLeaf = [](const auto &Child) { return Child->K == Node::LeafNode; };
  return !all_of(N.Children, IsLeaf) && any_of(N.Children, [&](const auto &C) {
    return IsLeaf(C) && readsUntested(K, C->L);
  });
}

/// The axis \p N itself in lanes.
std::optional<Candidate> LaneChooser::consider(const Node &N,
                                               const Node *Parent) {
  Role R = K.Axes[N.Ax].R;
  // LLVM unrolls a loop of so few rounds, and vectorizes what is around it.
  constexpr uint64_t LeastLanes = 4;
  if (getRounds(K, N.Ax).value_or(LeastLanes) < LeastLanes)
    return std::nullopt;
  if (R != Role::Parallel && !getLaneReductions(K, N))
    return considerSearch(N);
  if (R == Role::Sequential || !isUniformInside(K, N, N.Ax) ||
      (!Plan.PerThread && readsOnceUntested(K, N)) ||
      any_of(K.Axes[N.Ax].Extents, [&](const Poly &P) {
        return K.anyNestedAtom(P,
                               [](const Atom &A) { return A.K == Atom::Load; });
      }))
    return std::nullopt;
  bool IsFixed = K.hasFixedExtents(N.Ax);
  Candidate C;
  C.Axes.push_back(N.Ax);
  if (R == Role::Parallel)
    if (std::optional<AxisId> Partner = getPartner(K, N, Parent);
        Partner && IsFixed && K.hasFixedExtents(*Partner))
      C.Blocked = Partner;
  Private.clear();
  unsigned Shared = 0;
  if (R != Role::Parallel) {
    auto Reductions = getLaneReductions(K, N);
    if (!Reductions)
      return std::nullopt;
    for (const LaneReduction &Sum : *Reductions)
      Private.push_back(Sum.State);
    Shared = Reductions->size();
    if (Plan.Scalable && any_of(*Reductions, [&](const LaneReduction &Sum) {
          return K.Buffers[Sum.State].Ty == ScalarType::I1;
        }))
      return std::nullopt;
  }
  if (!addNode(N, N.Ax, {}, C))
    return std::nullopt;
  // Flags that the source does not have are unknown to LLVM. Sums that fill no
  // vector, as over the columns of a window, are in loops with better lanes.
  C.HasGain |= FastFP && R != Role::Parallel &&
               getRounds(K, N.Ax).value_or(UINT64_MAX) >=
                   Target.VectorBits / 8 / C.Bytes;
  // Rows of other lengths, each along itself.
  if (!IsFixed && any_of(N.Children, [](const auto &Child) {
        return Child->K != Node::LeafNode;
      }))
    return std::nullopt;
  // What else lives in an innermost loop does so for one round.
  if (R != Role::Parallel)
    C.State = Shared;
  // Squares are transposed by shuffles of fixed vectors.
  if (Plan.Scalable && C.Transposes)
    return std::nullopt;
  if (!C.Transposes || !C.WholeStores)
    C.Blocked = std::nullopt;
  if (R != Role::Parallel && !C.WholeStores)
    return std::nullopt;
  if (C.WritesRows && !C.Transposes)
    return std::nullopt;
  bool IsGroup = C.Blocked && isGroupOfLLVM(K, N, *C.Blocked, Target);
  C.IsUnrolled |= IsGroup;
  // LLVM has no vector code for these functions, and leaves loops with calls
  // that may set errno scalar; roots that are taken once a row do not pay for
  // its elements.
  C.HasGain |= (C.Blocked && !IsGroup) || C.HasMath ||
               (C.HasRoots && C.WholeLoads && C.WholeStores);
  return C;
}

/// Whether elements of the axis \p N are rows, along which there are sums.
static bool areRows(const Kernel &K, const Node &N) {
  auto HasSums = [&](const Node &X) {
    return X.K == Node::AxisNode && K.Axes[X.Ax].R != Role::Parallel;
  };
  return !HasSums(N) && any_of(N.Children, [&](const auto &Child) {
    return HasSums(*Child) || areRows(K, *Child);
  });
}

/// The best way for \p N: itself, or axes inside it.
std::optional<Candidate> LaneChooser::pick(const Node &N, const Node *Parent) {
  // An empty loop, whose last index is used, has no children.
  if (N.K == Node::LeafNode || N.Children.empty())
    return std::nullopt;
  std::optional<Candidate> Own, Inside;
  if (N.K == Node::AxisNode) {
    Around.push_back(N.Ax);
    bool StaysAxis = Plan.RowByRow && areRows(K, N);
    if (!StaysAxis)
      Own = consider(N, Parent);
    // Rows leave lanes through memory, by numbers that are constants.
    if (!StaysAxis && !Plan.Scalable &&
        (!Own || (!Own->WholeStores && !Own->Blocked)))
      if (std::optional<Candidate> Rows = considerRows(N))
        Own = std::move(Rows);
  }
  Inside = pickInside(N);
  if (N.K == Node::AxisNode)
    Around.pop_back();
  if (!Own || !Inside)
    return Own ? Own : Inside;
  if (takesSearch(N, *Own, *Inside))
    return Own;
  setShortRows(K, N, *Own, *Inside);
  // Where lanes take turns the same loops run along the row, and more in lanes.
  bool HasMore = !Own->Splits.empty() && Own->Splits.front().beginsByRows() &&
                 all_of(Inside->Axes,
                        [&](AxisId A) { return is_contained(Own->Axes, A); });
  if (unsigned Left = countMathOutside(N, Plan, Own),
      LeftInside = countMathOutside(N, Plan, Inside);
      Left != LeftInside)
    return Left < LeftInside ? Own : Inside;
  // Chains that stay scalar otherwise take longer than all else but calls.
  HasMore |= Own->HasGain && Own->Transposes && !callsLibrary(K, Plan) &&
             hasScalarLoop(K, N, Inside->Axes) &&
             !hasScalarLoop(K, N, Own->Axes);
  if (Own->score() > Inside->score() || HasMore)
    return Own;
  // Why there is no gain, if there is none.
  Inside->IsUnrolled |= Own->IsUnrolled && !Inside->HasGain;
  return Inside;
}

std::optional<Candidate> LaneChooser::pickInside(const Node &N) {
  std::optional<Candidate> Inside;
  for (const auto &Child : N.Children) {
    std::optional<Candidate> C = pick(*Child, &N);
    if (!C)
      continue;
    if (!Inside) {
      Inside = std::move(C);
      continue;
    }
    if (Inside->Blocked || C->Blocked)
      continue;
    Inside->Axes.append(C->Axes);
    Inside->Splits.append(C->Splits);
    append_range(Inside->Needs, std::move(C->Needs));
    Inside->WholeLoads &= C->WholeLoads;
    Inside->WholeStores &= C->WholeStores;
    Inside->Transposes |= C->Transposes;
    Inside->HasMath |= C->HasMath;
    Inside->HasGain |= C->HasGain;
    Inside->IsUnrolled |= C->IsUnrolled;
    Inside->Maskable &= C->Maskable;
    Inside->Searches |= C->Searches;
    Inside->State = std::max(Inside->State, C->State);
    Inside->Bytes = std::max(Inside->Bytes, C->Bytes);
  }
  return Inside;
}
