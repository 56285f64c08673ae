//===- Raise.cpp - Light form to kernels ----------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Raise.h"
#include "Decide.h"
#include "Leaves.h"
#include "Needs.h"
#include "Normalize.h"
#include "PrivateArrays.h"
#include "StartRounds.h"
#include "Unused.h"
#include "dlopt/Compat.h"
#include "dlopt/Dependences.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Raises one nest.
class NestRaiser {
public:
  NestRaiser(RaiseContext &Ctx, Loop &Nest, Kernel &K)
      : S(Ctx, Nest, K), IB(S), Sk(S), St(S, IB, Sk) {}

  bool run(RaisedKernel &R);
  Verdict why() const;
  bool wouldReadAhead() const { return IB.wouldReadAhead(); }
  bool hasParts() const { return IB.hasParts(); }

private:
  bool findExtents();
  bool findLiveOuts();
  bool bindLiveOuts(TreeBuilder &TB, RaisedKernel &R);
  void findImplied();
  bool checkExtents();
  bool checkSideExits();
  bool checkBuffers();
  bool checkAllocations();
  void dropEmptyLoops(const RaisedKernel &R);
  void nameAxes();
  void delinearizeAll(Node &N);

  NestState S;
  IndexBuilder IB;
  Skeleton Sk;
  States St;
  struct Out {
    Value *V;
    std::optional<Poly> Index;
  };
  SmallVector<Out, 2> Outs;
  Kernel Spelled; ///< with all accesses of the nest, each as it stands there
};

} // namespace

/// To those who ask, what is too large is just not a polynomial.
Verdict NestRaiser::why() const {
  Verdict Why = S.Failure;
  if (IB.isOverBudget() &&
      is_contained({Reason::NonAffineAccess, Reason::NonAffineCondition,
                    Reason::UnknownTripCount, Reason::CarriedValue,
                    Reason::PointerStored, Reason::MultipleExits,
                    Reason::LiveOut},
                   Why.R))
    Why.R = Reason::OverBudget;
  return Why;
}

bool NestRaiser::findExtents() {
  SmallVector<Loop *, 8> Loops = S.Nest.getLoopsInPreorder();
  auto Set = [&](Loop *L, bool Alone) {
    auto *Br = cast<CondBrInst>(S.Controls[L].Exiting->getTerminator());
    bool ContinueIfTrue = L->contains(Br->getSuccessor(0));
    return Alone ? IB.setExtentAlone(*L, Br->getCondition(), ContinueIfTrue)
                 : IB.setExtent(*L, Br->getCondition(), ContinueIfTrue);
  };
  Verdict Why;
  bool Ok = IB.tentatively([&] {
    bool All = all_of(Loops, [&](Loop *L) { return Set(L, false); });
    Why = S.Failure;
    return All;
  });
  if (!Ok) {
    // How far a pointer gets in an outer loop may take the inner ones.
    for (Axis &A : S.K.Axes)
      A.Extents.clear();
    for (Loop *L : Loops) {
      S.Controls[L].Clamped = nullptr;
      S.Controls[L].Within.clear();
      S.Controls[L].FirstRound = Poly();
      S.Controls[L].Rounds.reset();
    }
    IB.forgetForms();
    Ok = all_of(reverse(Loops), [&](Loop *L) {
      IB.forgetFailures();
      return Set(L, L != &S.Nest);
    });
    if (!Ok)
      S.Failure = Why;
  }
  IB.forgetFailures();
  return Ok;
}

/// Loops behind tests that they have a round at all.
void NestRaiser::findImplied() {
  for (Loop *L : S.Nest.getLoopsInPreorder()) {
    const LoopControl &C = S.Controls[L];
    SmallVector<GuardId, 8> Conjuncts;
    if (L != &S.Nest)
      Sk.collectConjuncts(Sk.getGuard(C.Preheader), nullptr, Conjuncts);
    if (!Conjuncts.empty() && all_of(Conjuncts, [&](GuardId Id) {
          const Guard &G = Sk[Id];
          auto Cs = G.K == Guard::Literal
                        ? IB.buildConstraints(G.Cond, G.Negated,
                                              S.Ctx.LI.getLoopFor(G.Block))
                        : std::nullopt;
          return Cs && all_of(*Cs, [&](const Constraint &X) {
                   return isImplied(S.K, X, {C.Ax});
                 });
        }))
      S.Implied.insert(C.Preheader);
  }
  // More is invariant now.
  if (!S.Implied.empty())
    IB.forgetFailures();
}

/// What leaves the nest early must not do so anywhere in the domain: then the
/// source never does, since every point comes after ones that did not leave.
bool NestRaiser::checkSideExits() {
  for (CondBrInst *Br : Sk.sideExits())
    if (!IB.requireNever(Br->getCondition(),
                         S.Nest.contains(Br->getSuccessor(0)),
                         S.Ctx.LI.getLoopFor(Br->getParent())))
      return S.fail(Reason::MultipleExits, Br);
  return true;
}

/// Values of the nest that are used behind it.
bool NestRaiser::findLiveOuts() {
  SmallSetVector<Value *, 4> Used;
  BasicBlock *Exit = S.Controls[&S.Nest].ExitBlock;
  for (BasicBlock *BB : S.Nest.blocks())
    for (Instruction &I : *BB)
      for (User *U : I.users())
        if (!S.Nest.contains(cast<Instruction>(U))) {
          auto *P = dyn_cast<PHINode>(U);
          // Behind a side exit nobody has run the kernel.
          if (P && P->getParent() != Exit &&
              !is_contained(P->blocks(), S.Controls[&S.Nest].Exiting))
            continue;
          if (!P || P->getParent() != Exit || P->getNumIncomingValues() != 1)
            return S.fail(Reason::LiveOut, &I);
          Used.insert(&I);
        }
  for (Value *V : Used) {
    std::optional<Linear> L;
    IB.tentatively([&] {
      L = IB.buildLiveOut(V);
      return L.has_value();
    });
    Outs.push_back({V, L ? std::optional<Poly>(L->P) : std::nullopt});
  }
  return true;
}

bool NestRaiser::bindLiveOuts(TreeBuilder &TB, RaisedKernel &R) {
  for (Out &O : Outs) {
    RaisedKernel::LiveOut X;
    X.V = O.V;
    if (O.Index) {
      X.IndexValue = *O.Index;
    } else {
      PHINode *P = St.getFinalState(O.V);
      X.Local = P ? TB.getBuffer(P) : std::nullopt;
      if (!X.Local)
        return S.fail(Reason::LiveOut, O.V);
    }
    R.LiveOuts.push_back(std::move(X));
  }
  return true;
}

/// Bounds that are not evaluated in each round would be evaluated too often,
/// unless they are quotients that nothing changes: those are tested in front of
/// the nest.
bool NestRaiser::checkExtents() {
  for (Loop *L : S.Nest.getLoopsInPreorder()) {
    const LoopControl &C = S.Controls[L];
    bool IsAlways = !Sk.getGuard(C.Preheader);
    for (const Loop *X = L->getParentLoop(); X && S.Nest.contains(X);
         X = X->getParentLoop())
      IsAlways &= !S.Controls[X].Clamped;
    if (L == &S.Nest || IsAlways)
      continue;
    for (const Poly &E : S.K.Axes[C.Ax].Extents)
      if (S.K.anyNestedAtom(E, [&](const Atom &A) {
            return A.K == Atom::Load ||
                   (A.K != Atom::Axis && A.K != Atom::Param &&
                    !A.Den.getConstant() &&
                    !(S.K.isFixed(A.Num) && S.K.isFixed(A.Den)));
          }))
        return S.fail(Reason::NonAffineCondition, C.Header->getTerminator());
  }
  return true;
}

/// One base must not be written as one type and accessed as another.
bool NestRaiser::checkBuffers() {
  SmallSetVector<BufferId, 4> Written;
  bool Any = !Outs.empty();
  forEachLeaf(S.K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Assign &A : L.Assigns)
      if (!S.K.Buffers[A.Target.Buf].IsLocal)
        Written.insert(A.Target.Buf);
  });
  if (Written.empty() && !Any)
    return S.fail(Reason::NoStore, S.Nest.getHeader()->getTerminator());
  for (BufferId W : Written)
    for (auto [Id, B] : enumerate(S.K.Buffers))
      if (Id != W && !B.IsLocal && B.Bound == S.K.Buffers[W].Bound)
        return S.fail(Reason::UnsupportedType,
                      S.Nest.getHeader()->getTerminator(),
                      "memory accessed as two types");
  return true;
}

/// Memory that is allocated inside the nest is not there in front of it.
bool NestRaiser::checkAllocations() {
  for (const Buffer &B : S.K.Buffers)
    if (auto *A = dyn_cast_or_null<AllocaInst>(B.Bound); A && S.isInside(A))
      return S.fail(Reason::UnsupportedOperation, A, "a stack allocation");
  return true;
}

/// Forgets the axes of loops in which nothing happens, whose results nobody
/// uses. Locals that are seen behind the nest keep their numbers, and so all.
void NestRaiser::dropEmptyLoops(const RaisedKernel &R) {
  size_t Nodes = 0;
  auto Count = [&](const Node &N, auto &Self) -> void {
    Nodes += N.K == Node::AxisNode;
    for (const std::unique_ptr<Node> &Child : N.Children)
      Self(*Child, Self);
  };
  Count(S.K.Root, Count);
  if (Nodes != S.K.Axes.size() &&
      none_of(R.LiveOuts, [](const auto &X) { return X.Local.has_value(); }))
    compact(S.K);
}

void NestRaiser::nameAxes() {
  for (Loop *L : S.Nest.getLoopsInPreorder())
    S.K.Axes[S.Controls[L].Ax].Name = getAxisName(S.depthOf(L) - 1);
}

void NestRaiser::delinearizeAll(Node &N) {
  auto Rewrite = [&](Access &A) {
    if (!S.K.Buffers[A.Buf].IsLocal)
      delinearize(S.K, A);
  };
  for (std::unique_ptr<Node> &C : N.Children)
    delinearizeAll(*C);
  for (Assign &A : N.L.Assigns)
    Rewrite(A.Target);
  for (Op &O : N.L.Ops)
    if (O.K == Op::Load)
      Rewrite(O.Acc);
}

bool NestRaiser::run(RaisedKernel &R) {
  if (!Sk.checkInstructions() || !Sk.checkShape())
    return false;
  Sk.layOut();
  if (!findExtents())
    return false;
  findImplied();
  if (!checkSideExits() || !findLiveOuts())
    return false;
  SmallVector<Value *, 2> Final;
  for (const Out &O : Outs)
    if (!O.Index)
      Final.push_back(O.V);
  nameAxes();
  TreeBuilder TB(S, IB, Sk, St);
  if (!St.run(Final) || !TB.run() || !S.checkSize() || !bindLiveOuts(TB, R) ||
      !checkExtents() || !checkBuffers())
    return false;
  bool HasLocals =
      any_of(R.LiveOuts, [](const auto &X) { return X.Local.has_value(); });
  if (hasShorterRows(S.K)) {
    // Rows that follow each other may be one loop over the array.
    Kernel Joined;
    copyKernel(S.K, Joined);
    if (!HasLocals)
      normalizeKernel(Joined, findPrivateArrays(S));
    if (hasShorterRows(Joined))
      assumeWholeRows(S.K);
  }
  NeedFinder Needs(S, IB, Spelled);
  if (!Needs.findPlaces())
    return false;
  copyKernel(S.K, Spelled);
  hoistFirstRounds(S.K);
  decideByNeeds(R);
  if (!HasLocals)
    normalizeKernel(S.K, findPrivateArrays(S));
  if (!checkAllocations())
    return false;
  dropEmptyLoops(R);
  if (!Needs.run() || !S.checkAccesses())
    return false;
  computeRoles(S.K);
  delinearizeAll(S.K.Root);
  dropUnused(R);
  // What the model does not allow must not leave the raiser.
  if (Error E = verifyKernel(S.K))
    return S.fail(Reason::UnsupportedOperation,
                  S.Nest.getHeader()->getTerminator(), toString(std::move(E)));
  const LoopControl &C = S.Controls[&S.Nest];
  R.Nest = &S.Nest;
  R.Preheader = C.Preheader;
  R.Exiting = C.Exiting;
  R.Exit = C.ExitBlock;
  R.Implied = std::move(S.Implied);
  for (const auto &[L, Control] : S.Controls)
    if (Control.Clamped)
      R.Clamped.insert(L);
  return !S.failed();
}

namespace {

/// All nests of a function, or one.
class FunctionRaiser {
public:
  FunctionRaiser(RaiseContext &Ctx, RaiseResult &R) : Ctx(Ctx), R(R) {}
  bool raise(Loop &L);
  std::optional<RaisedKernel> raiseAlone(Loop &L, Verdict &Why);

private:
  RaiseContext &Ctx;
  RaiseResult &R;
};

} // namespace

/// "file:line" of the user's code.
static std::string getLocation(const Loop &L) {
  DebugLoc DL = getUserLoc(L.getStartLoc());
  if (!DL)
    return "";
  return (DL->getFilename() + ":" + Twine(DL.getLine())).str();
}

bool dlopt::isSwitchedOff(const Loop &L) {
  if (findOptionMDForLoop(&L, "llvm.loop.vectorize.enable") &&
      !getBooleanLoopAttribute(&L, "llvm.loop.vectorize.enable"))
    return true;
  std::optional<ElementCount> Width = getOptionalElementCountLoopAttribute(&L);
  return Width && Width->isScalar();
}

bool dlopt::isRound(const Loop &L) { return findOptionMDForLoop(&L, RoundTag); }

/// Puts the children of the loop of one round that the kernel was raised from
/// in its place. False if that loop is no axis of the root.
static bool dropRound(RaisedKernel &RK) {
  Node &Root = RK.K->Root;
  auto It = find_if(Root.Children, [&](const auto &Child) {
    return Child->K == Node::AxisNode && RK.K->Axes[Child->Ax].L == RK.Nest;
  });
  if (It == Root.Children.end())
    return false;
  std::unique_ptr<Node> Round = std::move(*It);
  append_range(Root.Locals, Round->Locals);
  It = Root.Children.erase(It);
  Root.Children.insert(It, std::make_move_iterator(Round->Children.begin()),
                       std::make_move_iterator(Round->Children.end()));
  return true;
}

static bool hasSequence(const Kernel &K) {
  return any_of(K.Axes, [](const Axis &A) { return A.R == Role::Sequential; });
}

std::optional<RaisedKernel> FunctionRaiser::raiseAlone(Loop &L, Verdict &Why) {
  for (const Loop *Inner : L.getLoopsInPreorder())
    if (isSwitchedOff(*Inner)) {
      Why.R = Reason::Denied;
      Why.Culprit = Inner->getHeader()->getTerminator();
      return std::nullopt;
    }
  RaisedKernel RK;
  RK.K = std::make_unique<Kernel>();
  RK.K->Id = static_cast<unsigned>(R.Kernels.size());
  RK.K->Function = Ctx.F.getName().str();
  RK.K->Location = getLocation(L);
  NestRaiser NR(Ctx, L, *RK.K);
  if (NR.run(RK) && (!isRound(L) || dropRound(RK))) {
    classifyKernel(*RK.K);
    if (NR.hasParts())
      RK.Parts = Ctx.PartsApart ? RaisedKernel::Parts::Apart
                                : RaisedKernel::Parts::Joined;
    // One array that is split in front of the loops, as by split_at_mut.
    if (NR.hasParts() && !Ctx.PartsApart && hasSequence(*RK.K)) {
      RaiseContext Apart = Ctx;
      Apart.PartsApart = true;
      std::optional<RaisedKernel> Parts =
          FunctionRaiser(Apart, R).raiseAlone(L, Why);
      if (Parts && !hasSequence(*Parts->K))
        return Parts;
    }
    return RK;
  }
  Why = NR.why();
  // More is tested only where there is no kernel without.
  if (NR.wouldReadAhead() && !Ctx.ReadsAhead) {
    RaiseContext Ahead = Ctx;
    Ahead.ReadsAhead = true;
    Verdict Own;
    return FunctionRaiser(Ahead, R).raiseAlone(L, Own);
  }
  if (Why.ok())
    Why.R = Reason::UnsupportedOperation;
  return std::nullopt;
}

/// Raises \p L or, if it cannot be, its inner loops. True if anything was.
bool FunctionRaiser::raise(Loop &L) {
  if (findOptionMDForLoop(&L, OriginalLoopTag))
    return false;
  if (findOptionMDForLoop(&L, BlockLoopTag)) {
    bool Any = false;
    for (Loop *Inner : reverse(L)) // program order
      Any |= raise(*Inner);
    return Any;
  }
  Verdict Why;
  if (std::optional<RaisedKernel> RK = raiseAlone(L, Why)) {
    R.Kernels.push_back(std::move(*RK));
    return true;
  }
  if (isSwitchedOff(L)) {
    R.Missed.push_back({&L, std::move(Why)});
    return false;
  }
  size_t FirstMissed = R.Missed.size();
  bool Any = false;
  for (Loop *Inner : reverse(L)) // program order
    Any |= raise(*Inner);
  // One verdict for a nest of which nothing was raised: the innermost one. One,
  // too, for loops around each other that the same instruction keeps.
  bool IsSaid = any_of(drop_begin(R.Missed, FirstMissed), [&](const auto &M) {
    return Why.Culprit && M.Why.Culprit == Why.Culprit && M.Why.R == Why.R;
  });
  if (!IsSaid && (Any || R.Missed.size() == FirstMissed))
    R.Missed.push_back({&L, std::move(Why)});
  return Any;
}

static RaiseContext getContext(Function &F, FunctionAnalysisManager &FAM) {
  return {F,
          FAM.getResult<LoopAnalysis>(F),
          FAM.getResult<DominatorTreeAnalysis>(F),
          FAM.getResult<PostDominatorTreeAnalysis>(F),
          FAM.getResult<AAManager>(F),
          FAM.getResult<TargetLibraryAnalysis>(F),
          F.getDataLayout(),
          /*Same=*/nullptr};
}

std::optional<RaisedKernel> dlopt::raiseNest(Loop &L, Function &F,
                                             FunctionAnalysisManager &FAM,
                                             const PointerPair *Same,
                                             bool PartsApart) {
  Verdict Why = checkFunction(F);
  if (!Why.ok() || findOptionMDForLoop(&L, OriginalLoopTag) ||
      findOptionMDForLoop(&L, BlockLoopTag))
    return std::nullopt;
  RaiseContext Ctx = getContext(F, FAM);
  Ctx.Same = Same;
  Ctx.PartsApart = PartsApart;
  RaiseResult R;
  return FunctionRaiser(Ctx, R).raiseAlone(L, Why);
}

RaiseResult dlopt::raiseFunction(Function &F, FunctionAnalysisManager &FAM,
                                 bool OnlyCopies) {
  RaiseResult R;
  if (FAM.getResult<LoopAnalysis>(F).empty())
    return R;
  RaiseContext Ctx = getContext(F, FAM);
  Ctx.LooksAround = OnlyCopies;
  Verdict V = checkFunction(F);
  if (!V.ok()) {
    for (Loop *L : reverse(Ctx.LI))
      R.Missed.push_back({L, V});
    return R;
  }
  FunctionRaiser FR(Ctx, R);
  for (Loop *L : reverse(Ctx.LI))
    FR.raise(*L);
  return R;
}
