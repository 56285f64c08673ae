//===- KernelChoice.cpp - Which parts of a kernel are contractions --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionStrategy.h"
#include "LaneStrategy.h"
#include "dlopt/Lower.h"
#include "dlopt/Quotients.h"
#include "dlopt/Raise.h"
#include "dlopt/Triangle.h"
#include "dlopt/Uses.h"

using namespace llvm;
using namespace dlopt;

/// The leaves of \p N in loops whose rounds depend on each other.
static unsigned countSums(const Kernel &K, const Node &N) {
  unsigned Sums = 0;
  forEachLeaf(N, [&](const Leaf &, ArrayRef<AxisId> Around) {
    Sums += any_of(Around, [&](AxisId A) {
      return K.Axes[A].R != Role::Parallel && !K.Axes[A].isCondition();
    });
  });
  return Sums;
}

namespace {

/// Looks for the contractions among the parts of a kernel.
class PartChooser {
public:
  PartChooser(const TargetModel &Target, const Options &O, uint64_t StackLimit)
      : Target(Target), O(O), StackLimit(StackLimit) {}

  /// Of all children of the root, from \p From to before \p To. True if one is
  /// a contraction.
  bool choose(const Kernel &K, unsigned From, unsigned To,
              SmallVectorImpl<std::optional<ContractionChoice>> &Parts) const {
    bool Any = false;
    for (unsigned I = From; I != To; ++I) {
      ContractionChoice Product;
      bool Ok = chooseContraction(K, *K.Root.Children[I], Target, O, StackLimit,
                                  Product)
                    .ok();
      Parts.emplace_back();
      if (Ok)
        Parts.back() = std::move(Product);
      Any |= Ok;
    }
    return Any;
  }

  /// What the only child of the root becomes by distribution.
  std::unique_ptr<Kernel>
  distributeKernel(const Kernel &Old,
                   SmallVectorImpl<std::optional<ContractionChoice>> &Parts) {
    auto K = std::make_unique<Kernel>();
    copyKernel(Old, *K);
    reloadResults(*K);
    distribute(*K, 0, Distribution::ByTarget);
    bool Any = false;
    for (unsigned I = 0; I < K->Root.Children.size(); ++I) {
      dropEmptyRows(*K, *K->Root.Children[I]);
      if (choose(*K, I, I + 1, Parts)) {
        Any = true;
        continue;
      }
      // Stores to one buffer need loops of their own only for a contraction.
      auto Finer = std::make_unique<Kernel>();
      copyKernel(*K, *Finer);
      unsigned Before = K->Root.Children.size();
      if (!distribute(*Finer, I, Distribution::Full))
        continue;
      unsigned More = Finer->Root.Children.size() - Before;
      SmallVector<std::optional<ContractionChoice>, 4> FinerParts;
      for (unsigned Part = I; Part != I + More + 1; ++Part)
        dropEmptyRows(*Finer, *Finer->Root.Children[Part]);
      if (!choose(*Finer, I, I + More + 1, FinerParts))
        continue;
      Any = true;
      K = std::move(Finer);
      Parts.pop_back();
      Parts.append(std::make_move_iterator(FinerParts.begin()),
                   std::make_move_iterator(FinerParts.end()));
      I += More;
    }
    return Any && canLowerScalar(*K, StackLimit).ok() ? std::move(K) : nullptr;
  }

  /// \p Old with its triangular loops as rectangles, if a part of that is the
  /// product that fills a triangle.
  std::unique_ptr<Kernel>
  chooseTriangles(const Kernel &Old,
                  SmallVectorImpl<std::optional<ContractionChoice>> &Parts) {
    Kernel Square;
    copyKernel(Old, Square);
    reloadResults(Square);
    if (!squareTriangles(Square))
      return nullptr;
    SmallVector<std::optional<ContractionChoice>, 4> Found;
    std::unique_ptr<Kernel> K = distributeKernel(Square, Found);
    if (!K ||
        none_of(Found, [](const auto &P) { return P && P->Spec.isTriangle(); }))
      return nullptr;
    for (auto [Part, Choice] : zip_equal(K->Root.Children, Found))
      if (!Choice)
        restoreTriangles(*K, *Part);
    if (!canLowerScalar(*K, StackLimit).ok())
      return nullptr;
    Parts = std::move(Found);
    return K;
  }

  /// \p Old with start values or sums that are read from where the results go:
  /// as few of them as make the most products.
  std::unique_ptr<Kernel>
  chooseStores(const Kernel &Old,
               SmallVectorImpl<std::optional<ContractionChoice>> &Parts) {
    std::unique_ptr<Kernel> Best;
    auto IsProduct = [](const auto &Part) { return Part.has_value(); };
    Parts.clear();
    // Distribution compares all with all.
    constexpr unsigned MostSums = 16;
    if (countSums(Old, Old.Root) > MostSums)
      return nullptr;
    for (SumStores How : {SumStores{/*Starts=*/false, /*Results=*/true},
                          {true, false},
                          {true, true}}) {
      Kernel Stored;
      copyKernel(Old, Stored);
      SmallVector<std::optional<ContractionChoice>, 4> Found;
      std::unique_ptr<Kernel> K = storeSums(Stored, Stored.Root, How)
                                      ? distributeKernel(Stored, Found)
                                      : nullptr;
      if (!K || count_if(Found, IsProduct) <= count_if(Parts, IsProduct))
        continue;
      Best = std::move(K);
      Parts = std::move(Found);
      if (all_of(zip_equal(Best->Root.Children, Parts), [&](const auto &P) {
            return std::get<1>(P) || !countSums(*Best, *std::get<0>(P));
          }))
        break;
    }
    return Best;
  }

private:
  const TargetModel &Target;
  const Options &O;
  uint64_t StackLimit;
};

} // namespace

/// Stores of \p K for lanes. False if they stay as they are.
static bool simplifyStores(Kernel &K) {
  bool Joins = joinStores(K, K.Root);
  bool Keeps = keepElements(K);
  return Joins || Keeps;
}

/// Rows in lanes that are those of all loops around them.
static bool chooseJoinedRows(const Kernel &K, const TargetModel &Target,
                             const Options &O, const Function &F, LanePlan Plan,
                             KernelChoice &Choice) {
  if (!O.runs(Transformation::RowLanes) || Target.IsNVPTX)
    return false;
  auto Own = std::make_unique<Kernel>();
  copyKernel(K, *Own);
  std::optional<AxisId> Rows = joinRows(*Own);
  if (!Rows || !chooseLanes(*Own, Target, O, F, Plan).ok() || Plan.Scalable ||
      !is_contained(Plan.Axes, *Rows))
    return false;
  Choice.Parts.clear();
  Choice.Distributed = std::move(Own);
  Choice.Lanes = std::move(Plan);
  return true;
}

static Verdict chooseWholeInLanes(const Kernel &K, const TargetModel &Target,
                                  const Options &O, const Instruction &Where,
                                  KernelChoice &Choice, bool InPlace = false) {
  LanePlan Plan;
  Plan.ScalarOtherwise =
      InPlace || (readsAhead(K) && O.runs(Transformation::ReadAhead));
  auto Own = std::make_unique<Kernel>();
  copyKernel(K, *Own);
  bool Joins = simplifyStores(*Own);
  LanePlan Otherwise = Plan;
  if (chooseJoinedRows(*Own, Target, O, *Where.getFunction(), Plan, Choice))
    return {};
  Verdict Why = chooseLanes(*Own, Target, O, *Where.getFunction(), Plan);
  Why.Culprit = &Where;
  bool IsOther = false;
  for (auto *Change : {hoistConditions, turnLoops}) {
    if (Why.R != Reason::NoStrategy)
      break;
    auto Other = std::make_unique<Kernel>();
    copyKernel(K, *Other);
    simplifyStores(*Other);
    LanePlan OfOther = Otherwise;
    if (!Change(*Other) ||
        !chooseLanes(*Other, Target, O, *Where.getFunction(), OfOther).ok())
      continue;
    Own = std::move(Other);
    Plan = std::move(OfOther);
    Why = {};
    IsOther = true;
  }
  if (!Why.ok())
    return Why;
  Choice.Parts.clear();
  bool StoresAhead = Own->Axes.size() != K.Axes.size();
  if (Joins || IsOther || Plan.SeparatesCalls || StoresAhead ||
      Own->Needs.size() != K.Needs.size())
    Choice.Distributed = std::move(Own);
  Choice.Lanes = std::move(Plan);
  return Why;
}

constexpr StringLiteral HowReadAhead = "whose bounds are read in front",
                        HowLinear = "without quotients in subscripts",
                        HowApart = "apart from products",
                        HowCallsApart = "apart from calls";

/// Whether \p N is more than maps, which LLVM vectorizes best by itself: sums,
/// searches or calls, also of intrinsics that become some.
static bool isMoreThanMaps(const Kernel &K, const Node &N) {
  bool Any = false;
  forEachLeaf(N, [&](const Leaf &L, ArrayRef<AxisId>) {
    Any |= any_of(L.Ops, [](const Op &O) {
      return O.K == Op::LibCall || (O.K == Op::Intrinsic && isFloat(O.Ty) &&
                                    !isVectorizableIntrinsic(O.Opcode));
    });
  });
  return Any || countSums(K, N) != 0;
}

/// Products with loops of their own, and loops that are worth kernels of their
/// own, too: rows of a softmax between the products of attention.
static bool choosePartsAsLoops(const Options &O, uint64_t StackLimit,
                               KernelChoice &Choice) {
  bool Any = false;
  for (auto [Part, Product] :
       zip_equal(Choice.Distributed->Root.Children, Choice.Parts))
    Any |= !Product && isMoreThanMaps(*Choice.Distributed, *Part);
  if (!Any || !O.runs(Transformation::Apart))
    return false;
  // The products of triangles are seen as rectangles.
  auto Loops = std::make_unique<Kernel>();
  copyKernel(*Choice.Distributed, *Loops);
  for (const auto &Part : Loops->Root.Children)
    restoreTriangles(*Loops, *Part);
  if (!canLowerScalar(*Loops, StackLimit).ok())
    return false;
  Choice.Distributed = std::move(Loops);
  Choice.Parts.clear();
  Choice.AsLoops = true;
  Choice.How = HowApart;
  return true;
}

/// Whether how often a loop of \p N runs, \p Depth others around it, takes what
/// the source reads in it: a guard asks before it reads. Prepare reads in
/// front.
static bool readsForRounds(const Kernel &K, const Node &N, unsigned Depth = 0) {
  bool IsAxis = N.K == Node::AxisNode;
  return (IsAxis && any_of(K.Axes[N.Ax].Extents,
                           [&](const Poly &P) {
                             return K.anyNestedAtom(P, [&](const Atom &A) {
                               return A.K == Atom::Param &&
                                      K.Params[A.Ref].Depth > Depth;
                             });
                           })) ||
         any_of(N.Children, [&](const auto &Child) {
           return readsForRounds(K, *Child, Depth + IsAxis);
         });
}

/// Loops with linear subscripts in place of quotients and remainders, which are
/// looked at again then.
static bool chooseSplit(const Kernel &K, const Options &O, uint64_t StackLimit,
                        KernelChoice &Choice) {
  if (!O.runs(Transformation::Quotients) || !hasQuotients(K))
    return false;
  auto Split = std::make_unique<Kernel>();
  copyKernel(K, *Split);
  if (!splitQuotients(*Split) || readsForRounds(*Split, Split->Root) ||
      !canLowerScalar(*Split, StackLimit).ok())
    return false;
  std::optional<Poly> Points = countPoints(*Split);
  if (Points && Points->getConstant().value_or(LeastPoints) < LeastPoints)
    return false;
  Choice.AsLoops = true;
  Choice.How = readsAhead(*Split) ? HowReadAhead : HowLinear;
  Choice.Distributed = std::move(Split);
  return true;
}

/// Whether a local of \p K has its value from one of several leaves. Loops that
/// are made of that carry it from round to round, as far as LLVM can tell.
static bool hasChosenLocals(const Kernel &K) {
  bool Any = false;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    bool IsConditional = !L.Domain.empty() || L.Predicate;
    Any |= IsConditional && any_of(L.Assigns, [&](const Assign &A) {
             return K.Buffers[A.Target.Buf].IsLocal;
           });
  });
  return Any;
}

/// Loops whose bounds and pointers are read in front, which LLVM vectorizes.
static bool chooseReadAhead(const Kernel &K, const Options &O,
                            uint64_t StackLimit, KernelChoice &Choice) {
  if (!O.runs(Transformation::ReadAhead) || !readsAhead(K) ||
      hasChosenLocals(K) || !canLowerScalar(K, StackLimit).ok())
    return false;
  Choice.Parts.clear();
  Choice.AsLoops = true;
  Choice.How = HowReadAhead;
  Choice.Distributed = std::make_unique<Kernel>();
  copyKernel(K, *Choice.Distributed);
  return true;
}

/// Whether an innermost loop below \p N is one of the sums of \p Product.
static bool sumsInnermost(const Node &N, const ContractionChoice &Product) {
  bool Any = false;
  forEachLeaf(N, [&](const Leaf &, ArrayRef<AxisId> Around) {
    Any |= !Around.empty() && is_contained(Product.K, Around.back());
  });
  return Any;
}

/// In lanes, or a product in pieces: with outer loops of its sums around it,
/// which go on in memory. Lanes keep them in registers where these loops are
/// the innermost ones; else each round of lanes reads and writes them.
static Verdict chooseLanesOrPieces(const Kernel &K, const TargetModel &Target,
                                   const Options &O, uint64_t StackLimit,
                                   const Instruction &Where,
                                   KernelChoice &Choice) {
  ContractionChoice Pieces;
  Pieces.SplitsSums = true;
  const Node &First = *K.Root.Children.front();
  // Each piece is a call, and reads and writes the sums once more.
  constexpr uint64_t LeastPiece = 512;
  bool Fits = K.Root.Children.size() == 1 &&
              chooseContraction(K, First, Target, O, StackLimit, Pieces).ok() &&
              !Pieces.M.empty() && !Pieces.N.empty();
  Pieces.Plan.MinWork = std::max<uint64_t>(Pieces.Plan.MinWork, LeastPiece);
  if (!Fits || sumsInnermost(First, Pieces)) {
    Verdict Why = chooseWholeInLanes(K, Target, O, Where, Choice);
    if (Why.ok() || !Fits)
      return Why;
  }
  Choice.Parts.clear();
  Choice.Parts.push_back(std::move(Pieces));
  return {};
}

/// The same with groups of channels and the channels of each as two axes, where
/// the channel was divided to find its group.
static bool chooseGroups(const Kernel &K, const TargetModel &Target,
                         const Options &O, uint64_t StackLimit,
                         const Instruction &Where, KernelChoice &Choice) {
  if (K.Root.Children.size() != 1 || !O.runs(Transformation::Quotients) ||
      !hasGroups(K))
    return false;
  auto Split = std::make_unique<Kernel>();
  copyKernel(K, *Split);
  if (!splitGroups(*Split))
    return false;
  KernelChoice Groups;
  ContractionChoice Whole;
  if (chooseContraction(*Split, *Split->Root.Children.front(), Target, O,
                        StackLimit, Whole)
          .ok())
    Groups.Parts.push_back(std::move(Whole));
  else if (!chooseLanesOrPieces(*Split, Target, O, StackLimit, Where, Groups)
                .ok())
    return false;
  if (!Groups.Distributed)
    Groups.Distributed = std::move(Split);
  Choice = std::move(Groups);
  return true;
}

std::unique_ptr<Kernel> dlopt::getPart(const Kernel &K, unsigned Part) {
  auto Own = std::make_unique<Kernel>();
  copyKernel(K, *Own);
  std::swap(Own->Root.Children.front(), Own->Root.Children[Part]);
  Own->Root.Children.resize(1);
  return Own;
}

/// Whether \p O is a call that keeps lanes from being wide; a root does not.
static bool isScalarCall(const Op &O) {
  bool IsCall = O.K == Op::LibCall ? !isRoot(O)
                                   : O.K == Op::Intrinsic && isFloat(O.Ty) &&
                                         !isVectorizableIntrinsic(O.Opcode);
  return IsCall && !O.FMF.approxFunc();
}

/// Whether such calls are behind a loop in the same axis.
static bool callsBehindLoops(const Node &N) {
  bool HasLoop = false;
  for (const auto &C : N.Children) {
    if (callsBehindLoops(*C) ||
        (HasLoop && C->K == Node::LeafNode && any_of(C->L.Ops, isScalarCall)))
      return true;
    HasLoop |= C->K == Node::AxisNode;
  }
  return false;
}

/// Sums with loops of their own, behind which calls make something of them, if
/// lanes are worth it without these.
static bool chooseCallsApart(const Kernel &K, const TargetModel &Target,
                             const Options &O, uint64_t StackLimit,
                             const Instruction &Where, KernelChoice &Choice) {
  if (!O.runs(Transformation::Apart) || K.Root.Children.size() != 1 ||
      !callsBehindLoops(K.Root))
    return false;
  auto Apart = std::make_unique<Kernel>();
  copyKernel(K, *Apart);
  if (!storeSums(*Apart, Apart->Root, {/*Starts=*/false, /*Results=*/true}))
    return false;
  distribute(*Apart, 0, Distribution::Full);
  // Sums that wait where each round of a loop around them needs the place again
  // (an array of a few gates) stay with the calls of that round.
  if (!canLowerScalar(*Apart, StackLimit).ok() ||
      none_of(seq(Apart->Root.Children.size()), [&](unsigned Part) {
        KernelChoice Lanes;
        return !callsBehindLoops(*Apart->Root.Children[Part]) &&
               chooseWholeInLanes(*getPart(*Apart, Part), Target, O, Where,
                                  Lanes)
                   .ok();
      }))
    return false;
  Choice.Parts.clear();
  Choice.AsLoops = true;
  Choice.How = HowCallsApart;
  Choice.Distributed = std::move(Apart);
  return true;
}

void dlopt::chooseParts(const Kernel &K, const TargetModel &Target,
                        const Options &O, uint64_t StackLimit,
                        KernelChoice &Choice) {
  PartChooser Chooser(Target, O, StackLimit);
  Choice.Distributed = Chooser.distributeKernel(K, Choice.Parts);
  if (!Choice.Distributed) {
    Choice.Parts.clear();
    Choice.Distributed = Chooser.chooseTriangles(K, Choice.Parts);
  }
  if (!Choice.Distributed)
    Choice.Distributed = Chooser.chooseStores(K, Choice.Parts);
}

Verdict dlopt::chooseKernel(const RaisedKernel &RK, const TargetModel &Target,
                            const Options &O, uint64_t StackLimit,
                            KernelChoice &Choice) {
  std::unique_ptr<Kernel> Fast;
  if (O.FastFP) {
    Fast = std::make_unique<Kernel>();
    copyKernel(*RK.K, *Fast);
    assumeFastFP(*Fast);
  }
  const Kernel &K = Fast ? *Fast : *RK.K;
  const Instruction *Where = RK.Preheader->getTerminator();
  Verdict Why = {Reason::NoStrategy, Where, ""};
  ContractionChoice Whole;
  bool IsOne = K.Root.Children.size() == 1;
  if (IsOne)
    Why = chooseContraction(K, *K.Root.Children.front(), Target, O, StackLimit,
                            Whole);
  Why.Culprit = Where;
  if (Why.ok()) {
    Choice.Parts.push_back(std::move(Whole));
  } else if (Why.R == Reason::NoStrategy) {
    if (IsOne)
      chooseParts(K, Target, O, StackLimit, Choice);
    if (Choice.Distributed)
      choosePartsAsLoops(O, StackLimit, Choice);
    else if (chooseCallsApart(K, Target, O, StackLimit, *Where, Choice) ||
             chooseGroups(K, Target, O, StackLimit, *Where, Choice))
      Why = {};
    else
      Why = chooseLanesOrPieces(K, Target, O, StackLimit, *Where, Choice);
    if (!Choice.Distributed && !Why.ok() &&
        (chooseSplit(*RK.K, O, StackLimit, Choice) ||
         chooseReadAhead(*RK.K, O, StackLimit, Choice)))
      Why = {};
    if (!Choice.Distributed && !Why.ok())
      return Why;
  } else {
    return Why;
  }
  if (Choice.Lanes && !Choice.Distributed)
    Choice.KeepsOrder = keepsOrder(RK, *Choice.Lanes);
  if (Fast && !Choice.Distributed)
    Choice.Distributed = std::move(Fast);
  for (const RaisedKernel::LiveOut &Out : RK.LiveOuts)
    if (Out.Local && !Choice.Lanes)
      return {Reason::LiveOut, Where, ""};
  return {};
}

Verdict dlopt::chooseInPlace(const RaisedKernel &RK, const TargetModel &Target,
                             const Options &O, KernelChoice &Choice) {
  Kernel K;
  copyKernel(*RK.K, K);
  if (O.FastFP)
    assumeFastFP(K);
  Verdict Why = chooseWholeInLanes(K, Target, O, *RK.Preheader->getTerminator(),
                                   Choice, /*InPlace=*/true);
  if (Why.ok() && O.FastFP && !Choice.Distributed)
    Choice.Distributed = std::make_unique<Kernel>(std::move(K));
  return Why;
}
