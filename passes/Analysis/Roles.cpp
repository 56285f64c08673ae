//===- Roles.cpp - What reordering of an axis is legal --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "RoleFinder.h"
#include "dlopt/Compat.h"
#include "dlopt/Expression.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

void RoleFinder::collectUses(const Leaf &L) {
  bool Reads = false; // the predicate reads what the leaf assigns
  SmallVector<std::optional<Combiner>, 2> Combiners;
  for (const Assign &A : L.Assigns) {
    bool ReadsOthers = any_of(L.Assigns, [&](const Assign &B) {
      return &A != &B && readsElement(L, A.Value, B.Target);
    });
    Reads |= L.Predicate && readsElement(L, *L.Predicate, A.Target);
    Combiners.push_back(ReadsOthers ? std::nullopt : getCombiner(L, A));
  }
  auto GetCombiner = [&](const Access &X) -> std::optional<Combiner> {
    for (auto [A, How] : zip_equal(L.Assigns, Combiners))
      if (A.Target == X)
        return Reads ? std::nullopt : How;
    return std::nullopt;
  };
  ArrayRef<AxisId> Around = ArrayRef<AxisId>(Enclosing).copy(Allocator);
  for (const Assign &A : L.Assigns)
    Uses.push_back({&A.Target, &L, Around, true, GetCombiner(A.Target),
                    A.Target.offset()});
  for (const Op &O : L.Ops)
    if (O.K == Op::Load)
      Uses.push_back(
          {&O.Acc, &L, Around, false, GetCombiner(O.Acc), O.Acc.offset()});
}

void RoleFinder::collect(const Node &N) {
  collectAxes(N, {}, /*IsAsked=*/false);
}

/// The uses below \p N, and if \p IsAsked its axis, those on \p Path and those
/// below its end.
void RoleFinder::collectAxes(const Node &N, ArrayRef<size_t> Path,
                             bool IsAsked) {
  bool IsAxis = N.K == Node::AxisNode;
  size_t Mine = Axes.size();
  if (IsAxis && IsAsked)
    Axes.push_back({&N, Uses.size(), 0, Owned.size(), 0});
  Owned.append(N.Locals.begin(), N.Locals.end());
  if (IsAxis)
    Enclosing.push_back(N.Ax);
  for (auto [I, C] : enumerate(N.Children)) {
    bool IsOn = Path.empty() || I == Path.front();
    // What is beside the path is of interest where an axis is around both.
    if (IsOn || !IsAsked || !Enclosing.empty())
      collectAxes(
          *C, IsOn && !Path.empty() ? Path.drop_front() : ArrayRef<size_t>(),
          IsAsked && IsOn);
  }
  if (N.K == Node::LeafNode)
    collectUses(N.L);
  if (IsAxis)
    Enclosing.pop_back();
  if (IsAxis && IsAsked) {
    Axes[Mine].EndUse = Uses.size();
    Axes[Mine].EndLocal = Owned.size();
  }
}

/// Sums of products and products of sums go on in their order.
Role RoleFinder::findForState(UseRefs Uses) {
  bool Ok = all_of(Uses, [&](const Use *U) {
    return U->How && U->How == Uses.front()->How;
  });
  return Ok ? Role::Reduction : Role::Sequential;
}

/// Rounds of \p X may have elements of a local array for themselves, as blocks
/// of calls (separateCalls) do.
Role RoleFinder::findForLocal(UseRefs Uses, AxisId X) {
  const Access &First = *Uses.front()->A;
  std::optional<AtomId> Own = K.findAxisAtom(X);
  auto IsOwn = [&](const Poly &Sub) {
    std::optional<Poly> Step = Sub.coefficient(*Own);
    return Step && Step->getConstant().value_or(0) &&
           !K.dependsOn(Sub - *Step * Poly::atom(*Own), X) &&
           all_of(Uses, [&](const Use *U) {
             return *U->A == First && none_of(U->Axes, [&](AxisId A) {
               return A != X && K.dependsOn(Sub, A);
             });
           });
  };
  return Own && any_of(First.Subs, IsOwn) ? Role::Parallel : findForState(Uses);
}

/// A window moves with a parallel axis: both have one stride in some access.
bool RoleFinder::isWindow(ArrayRef<Use> Below, AxisId X) {
  return any_of(Below, [&](const Use &U) {
    if (U.IsWrite || K.Buffers[U.A->Buf].IsLocal)
      return false;
    std::optional<Poly> Mine = getStride(U.Offset, X);
    if (!Mine || Mine->isZero())
      return false;
    return any_of(U.Axes, [&](AxisId A) {
      if (A == X || is_contained(Reductions, A))
        return false;
      std::optional<Poly> Other = getStride(U.Offset, A);
      return Other && *Other == *Mine;
    });
  });
}

bool RoleFinder::meetsWithinIterations(ArrayRef<const Node *> Parts,
                                       ArrayRef<AxisId> Around, BufferId Buf) {
  Enclosing.assign(Around.begin(), Around.end());
  for (const Node *N : Parts)
    collect(*N);
  if (Parts.size() > 1)
    Joined = Parts.back()->Ax;
  SmallVector<const Use *, 8> Mine;
  for (const Use &U : Uses)
    if (U.A->Buf == Buf)
      Mine.push_back(&U);
  AxisId X = Parts.front()->Ax;
  Role R =
      K.Buffers[Buf].IsLocal ? findForLocal(Mine, X) : findForBuffer(Mine, X);
  return R == Role::Parallel;
}

bool RoleFinder::hasNeed(function_ref<bool(const Need &)> Is) const {
  return any_of(K.Needs, Is) || any_of(Needs, Is);
}

/// The load or store that \p X of \p L came from, if there is one.
static const Instruction *getOrigin(const Leaf &L, const Access &X) {
  for (const Op &O : L.Ops)
    if (O.K == Op::Load && &O.Acc == &X)
      return dyn_cast_or_null<Instruction>(O.Origin);
  for (const Assign &A : L.Assigns)
    if (&A.Target == &X)
      return dyn_cast_or_null<Instruction>(A.Origin);
  return nullptr;
}

/// Whether what \p Tag says is accessed may be of any type: char's in C, which
/// all others are derived from, lies right below the root.
static bool isAnyType(const MDNode &Tag) {
  auto GetParent = [](const MDNode *Type) {
    return Type && Type->getNumOperands() > 1
               ? dyn_cast_or_null<MDNode>(Type->getOperand(1))
               : nullptr;
  };
  const MDNode *Parent = GetParent(GetParent(&Tag));
  return Parent && !GetParent(Parent);
}

/// Whether the array that \p X of \p L is one of may be errno, as far as types
/// say: numbers are none of its, unless no type is said (-fno-strict-aliasing),
/// or any is meant (may_alias). What is an object of its own is another one.
static bool mayAliasErrno(const Kernel &K, const Leaf &L, const Access &X) {
  const Buffer &Buf = K.Buffers[X.Buf];
  if (Buf.IsLocal)
    return false;
  if (!isFloat(Buf.Ty))
    return true;
  const Instruction *I = getOrigin(L, X);
  if (!I || (Buf.Bound && isIdentifiedObject(getUnderlyingObject(Buf.Bound))))
    return false;
  const Module &M = *I->getModule();
  // Not every frontend says which type errno has: then it is any but one.
  if (const MDNode *Tag = I->getMetadata(LLVMContext::MD_tbaa);
      Tag && !M.getNamedMetadata("llvm.errno.tbaa"))
    return isAnyType(*Tag);
  return mayBeErrno<TypeBasedAAResult>(MemoryLocation::get(I), M);
}

/// The arrays that may be errno.
SmallVector<BufferId, 4>
RoleFinder::getErrnoCandidates(ArrayRef<Use> Below) const {
  SmallVector<BufferId, 4> Candidates;
  auto Add = [&](BufferId Id) {
    if (!is_contained(Candidates, Id))
      Candidates.push_back(Id);
  };
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load && !K.Buffers[A.Source.Buf].IsLocal &&
        !isFloat(K.Buffers[A.Source.Buf].Ty) &&
        !DLOPT_PLANTED(ErrnoOfIndicesUnasked))
      Add(A.Source.Buf);
  for (const Use &U : Below)
    if (mayAliasErrno(K, *U.L, *U.A))
      Add(U.A->Buf);
  return Candidates;
}

/// Calls that may set errno keep their order. If they set it to one value only,
/// it is the same whichever of them is the last, but where an integer in memory
/// is errno itself.
bool RoleFinder::mayReorderErrno(ArrayRef<Use> Below) {
  std::optional<int> Only;
  const Leaf *Last = nullptr;
  for (const Use &U : Below) {
    if (std::exchange(Last, U.L) == U.L)
      continue;
    for (const Op &O : U.L->Ops) {
      if (O.K != Op::LibCall || !O.WritesErrno)
        continue;
      std::optional<int> Own = getOnlyErrno(K, *U.L, O);
      if (!Own && DLOPT_PLANTED(SecondErrorAssumed))
        continue;
      if (!Own || Only.value_or(*Own) != *Own)
        return false;
      Only = Own;
    }
  }
  if (!Only)
    return true;
  for (BufferId Id : getErrnoCandidates(Below)) {
    Need N;
    N.K = Need::NoErrno;
    N.Buf = Id;
    if (!hasNeed(
            [&](const Need &Old) { return Old.K == N.K && Old.Buf == Id; }))
      Needs.push_back(std::move(N));
  }
  return true;
}

/// Whether \p O is a function that vectors have (MathModels.def): of others
/// lanes would but call.
static bool hasVectorForm(const Op &O) {
  static constexpr StringLiteral Functions[] = {
      "cosf", "coshf",  "erfcf", "erff", "exp2f", "expf",  "expm1f", "log10f",
      "logf", "log1pf", "log2f", "powf", "sinf",  "sinhf", "tanhf"};
  return isRoot(O) || (O.K == Op::LibCall && is_contained(Functions, O.Callee));
}

/// Whether lanes of the innermost axis \p N call in the order of the source:
/// functions that vectors have, which the emitter calls in that order
/// (LaneModels::endCalls).
bool RoleFinder::keepsErrnoOrder(ArrayRef<Use> Below, const Node &N) const {
  if (DLOPT_PLANTED(ErrorsReordered))
    return true;
  for (const auto &Child : N.Children)
    if (Child->K != Node::LeafNode || !all_of(Child->L.Ops, [](const Op &O) {
          return !O.WritesErrno || hasVectorForm(O);
        }))
      return false;
  return getErrnoCandidates(Below).empty();
}

static bool writesErrno(const Leaf &L) {
  return any_of(L.Ops, [](const Op &O) { return O.WritesErrno; });
}

/// Whether \p L, or its access \p X, may touch errno.
static bool mayTouchErrno(const Kernel &K, const Leaf &L, const Access &X) {
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  return mayAliasErrno(K, L, X) || K.anyNestedAtom(X, IsLoad) ||
         any_of(L.Domain, [&](const Constraint &C) {
           return K.anyNestedAtom(C.P, IsLoad);
         });
}

bool RoleFinder::mayRunAhead(const Node &N, ArrayRef<AxisId> Around,
                             unsigned Split) {
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
  bool Ok =
      any_of(Ahead, SetsErrno)
          ? mayReorderErrno(All)
          : none_of(Rest, SetsErrno) || none_of(Ahead, [&](const auto &U) {
              return mayTouchErrno(K, *U.L, *U.A);
            });
  for (BufferId B = 0; Ok && B < K.Buffers.size(); ++B) {
    auto IsMine = [&](const auto &U) { return U.A->Buf == B; };
    if (none_of(Ahead, IsMine) || is_contained(Owned, B) ||
        none_of(All, [&](const auto &U) { return IsMine(U) && U.IsWrite; }))
      continue;
    SmallVector<const Use *, 8> Mine;
    for (const auto &U : make_filter_range(All, IsMine))
      Mine.push_back(&U);
    Ok = !K.Buffers[B].IsLocal && (DLOPT_PLANTED(RunAheadUnchecked) ||
                                   findForBuffer(Mine, N.Ax) == Role::Parallel);
  }
  return Ok;
}

Role RoleFinder::findForBuffers(const Below &X) {
  Role R = Role::Parallel;
  auto Meet = [&](Role Q) {
    if (Q == Role::Sequential || R == Role::Sequential)
      R = Role::Sequential;
    else if (Q == Role::Reduction)
      R = Role::Reduction;
  };
  SmallVector<const Use *, 16> All;
  for (const Use &U : ArrayRef(Uses).slice(X.FirstUse, X.EndUse - X.FirstUse))
    All.push_back(&U);
  auto GetBuffer = [](const Use *U) { return U->A->Buf; };
  // Those of one buffer stay in order.
  llvm::sort(All, [&](const Use *U, const Use *V) {
    return std::pair(GetBuffer(U), U) < std::pair(GetBuffer(V), V);
  });
  auto Own = ArrayRef(Owned).slice(X.FirstLocal, X.EndLocal - X.FirstLocal);
  for (UseRefs Rest = All; !Rest.empty();) {
    BufferId B = GetBuffer(Rest.front());
    UseRefs Mine =
        Rest.take_while([&](const Use *U) { return GetBuffer(U) == B; });
    Rest = Rest.drop_front(Mine.size());
    if (none_of(Mine, [](const Use *U) { return U->IsWrite; }) ||
        is_contained(Own, B))
      continue;
    Meet(K.Buffers[B].IsLocal ? findForLocal(Mine, X.N->Ax)
                              : findForBuffer(Mine, X.N->Ax));
  }
  return R;
}

Role RoleFinder::find(const Below &X) {
  size_t Before = Needs.size();
  Role R = findForBuffers(X);
  auto Mine = ArrayRef(Uses).slice(X.FirstUse, X.EndUse - X.FirstUse);
  if (R != Role::Sequential && !mayReorderErrno(Mine) &&
      (R != Role::Parallel || !keepsErrnoOrder(Mine, *X.N)))
    R = Role::Sequential;
  if (R == Role::Reduction && isWindow(Mine, X.N->Ax))
    R = Role::Window;
  // What one array needs is of no use where another one has an order.
  if (R == Role::Sequential)
    Needs.erase(Needs.begin() + static_cast<std::ptrdiff_t>(Before),
                Needs.end());
  return R;
}

AxisRoles RoleFinder::findRoles(ArrayRef<size_t> Path) {
  collectAxes(K.Root, Path, /*IsAsked=*/true);
  AxisRoles Result;
  for (const Below &X : Axes) {
    Role R = find(X);
    Result.Roles.push_back({X.N->Ax, R});
    if (R != Role::Parallel)
      Reductions.push_back(X.N->Ax);
  }
  Result.Needs = takeNeeds();
  return Result;
}
