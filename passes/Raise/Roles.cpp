//===- Roles.cpp - What reordering of an axis is legal --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Roles.h"
#include "Nest.h"
#include "RoleFinder.h"
#include "dlopt/Expression.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Raise.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include <cerrno>

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

std::optional<Combiner> dlopt::getCombiner(const Leaf &L, const Assign &A) {
  const Op &O = L.Ops[A.Value];
  auto IsPair = [&](OpId Self, OpId Other) {
    return isLoadOf(L, Self, A.Target) && !readsElement(L, Other, A.Target);
  };
  auto IsEither = [&] {
    return IsPair(O.Args[0], O.Args[1]) || IsPair(O.Args[1], O.Args[0]);
  };
  auto Get = [&](bool Combines, unsigned Opcode) {
    return Combines ? std::optional(Combiner{O.K, Opcode}) : std::nullopt;
  };
  if (O.K == Op::Intrinsic) {
    switch (O.Opcode) {
    case Intrinsic::fma:
    case Intrinsic::fmuladd:
      if (!IsPair(O.Args[2], O.Args[0]) || readsElement(L, O.Args[1], A.Target))
        return std::nullopt;
      return Combiner{Op::Inst, Instruction::FAdd};
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
      return Get(IsEither(), O.Opcode);
    default:
      return std::nullopt;
    }
  }
  if (O.K != Op::Inst)
    return std::nullopt;
  switch (O.Opcode) {
  case Instruction::FAdd:
  case Instruction::FMul:
  case Instruction::Add:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return Get(IsEither(), O.Opcode);
  case Instruction::FSub:
    return Get(IsPair(O.Args[0], O.Args[1]), Instruction::FAdd);
  case Instruction::Sub:
    return Get(IsPair(O.Args[0], O.Args[1]), Instruction::Add);
  case Instruction::Select: {
    // v > m ? v : m, in either order.
    const Op &C = L.Ops[O.Args[0]];
    if (C.K != Op::Inst ||
        (C.Opcode != Instruction::FCmp && C.Opcode != Instruction::ICmp))
      return std::nullopt;
    for (unsigned I : {1u, 2u}) {
      OpId Self = O.Args[I], Other = O.Args[3 - I];
      if (!IsPair(Self, Other))
        continue;
      // As a test of the old value that keeps it.
      CmpInst::Predicate Keeps =
          I == 1 ? C.Pred : CmpInst::getInversePredicate(C.Pred);
      if (isLoadOf(L, C.Args[0], A.Target) && C.Args[1] == Other)
        return Combiner{O.K, O.Opcode, Keeps};
      if (isLoadOf(L, C.Args[1], A.Target) && C.Args[0] == Other)
        return Combiner{O.K, O.Opcode, CmpInst::getSwappedPredicate(Keeps)};
    }
    return std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

void RoleFinder::collect(const Node &N) {
  Owned.append(N.Locals.begin(), N.Locals.end());
  if (N.K == Node::AxisNode)
    Enclosing.push_back(N.Ax);
  for (const std::unique_ptr<Node> &C : N.Children)
    collect(*C);
  if (N.K == Node::LeafNode) {
    bool Reads = false; // the predicate reads what the leaf assigns
    SmallVector<std::optional<Combiner>, 2> Combiners;
    for (const Assign &A : N.L.Assigns) {
      bool ReadsOthers = any_of(N.L.Assigns, [&](const Assign &B) {
        return &A != &B && readsElement(N.L, A.Value, B.Target);
      });
      Reads |= N.L.Predicate && readsElement(N.L, *N.L.Predicate, A.Target);
      Combiners.push_back(ReadsOthers ? std::nullopt : getCombiner(N.L, A));
    }
    auto GetCombiner = [&](const Access &X) -> std::optional<Combiner> {
      for (auto [A, How] : zip_equal(N.L.Assigns, Combiners))
        if (A.Target == X)
          return Reads ? std::nullopt : How;
      return std::nullopt;
    };
    SmallVector<AxisId, 6> Axes(Enclosing);
    for (const Assign &A : N.L.Assigns)
      Uses.push_back({&A.Target, &N.L, Axes, true, GetCombiner(A.Target)});
    for (const Op &O : N.L.Ops)
      if (O.K == Op::Load)
        Uses.push_back({&O.Acc, &N.L, Axes, false, GetCombiner(O.Acc)});
  }
  if (N.K == Node::AxisNode)
    Enclosing.pop_back();
}

/// Sums of products and products of sums go on in their order.
Role RoleFinder::findForState(ArrayRef<const Use *> Uses) {
  bool Ok = all_of(Uses, [&](const Use *U) {
    return U->How && U->How == Uses.front()->How;
  });
  return Ok ? Role::Reduction : Role::Sequential;
}

/// Rounds of \p X may have elements of a local array for themselves, as blocks
/// of calls (separateCalls) do.
Role RoleFinder::findForLocal(ArrayRef<const Use *> Uses, AxisId X) {
  const Access &First = *Uses.front()->A;
  AtomId Own = K.getAxisAtom(X);
  auto IsOwn = [&](const Poly &Sub) {
    std::optional<Poly> Step = Sub.coefficient(Own);
    return Step && Step->getConstant().value_or(0) &&
           !K.dependsOn(Sub - *Step * Poly::atom(Own), X) &&
           all_of(Uses, [&](const Use *U) {
             return *U->A == First && none_of(U->Axes, [&](AxisId A) {
               return A != X && K.dependsOn(Sub, A);
             });
           });
  };
  return any_of(First.Subs, IsOwn) ? Role::Parallel : findForState(Uses);
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

/// Whether the array that \p X of \p L is one of may be errno, as far as types
/// say: numbers are none of its, unless no type is said (-fno-strict-aliasing),
/// or any is meant (may_alias). What is an object of its own is another one.
static bool mayBeErrno(const Kernel &K, const Leaf &L, const Access &X) {
  const Buffer &Buf = K.Buffers[X.Buf];
  if (Buf.IsLocal)
    return false;
  if (!isFloat(Buf.Ty))
    return true;
  const Instruction *I = getOrigin(L, X);
  if (!I || (Buf.Bound && isIdentifiedObject(getUnderlyingObject(Buf.Bound))))
    return false;
  const Module &M = *I->getModule();
  // Not every frontend says which type errno has.
  if (I->getMetadata(LLVMContext::MD_tbaa) &&
      !M.getNamedMetadata("llvm.errno.tbaa"))
    return false;
  return TypeBasedAAResult(/*UsingTypeSanitizer=*/false)
             .aliasErrno(MemoryLocation::get(I), &M) != AliasResult::NoAlias;
}

/// The arrays that may be errno.
SmallVector<BufferId, 4> RoleFinder::getErrnoCandidates() const {
  SmallVector<BufferId, 4> Candidates;
  auto Add = [&](BufferId Id) {
    if (!is_contained(Candidates, Id))
      Candidates.push_back(Id);
  };
  for (const Atom &A : K.Atoms)
    if (A.K == Atom::Load && !K.Buffers[A.Source.Buf].IsLocal &&
        !isFloat(K.Buffers[A.Source.Buf].Ty))
      Add(A.Source.Buf);
  for (const Use &U : Uses)
    if (mayBeErrno(K, *U.L, *U.A))
      Add(U.A->Buf);
  return Candidates;
}

/// Calls that may set errno keep their order. If they set it to one value only,
/// it is the same whichever of them is the last, but where an integer in memory
/// is errno itself.
bool RoleFinder::mayReorderErrno() {
  std::optional<int> Only;
  for (const Use &U : Uses)
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
  if (!Only)
    return true;
  for (BufferId Id : getErrnoCandidates()) {
    Need N;
    N.K = Need::NoErrno;
    N.Buf = Id;
    if (none_of(K.Needs,
                [&](const Need &Old) { return Old.K == N.K && Old.Buf == Id; }))
      K.Needs.push_back(std::move(N));
  }
  return true;
}

/// Whether lanes of the innermost axis \p N call in the order of the source,
/// one call a round, of functions that vectors have (MathModels.h): of others
/// they would but call.
bool RoleFinder::keepsErrnoOrder(const Node &N) const {
  if (DLOPT_PLANTED(ErrorsReordered))
    return true;
  unsigned Calls = 0;
  bool HasModels = true;
  for (const auto &Child : N.Children) {
    if (Child->K != Node::LeafNode)
      return false;
    for (const Op &O : Child->L.Ops) {
      if (!O.WritesErrno)
        continue;
      HasModels &=
          is_contained({"logf", "log1pf", "log2f", "log10f", "powf"}, O.Callee);
      ++Calls;
    }
  }
  return Calls == 1 && HasModels && getErrnoCandidates().empty();
}

static bool writesErrno(const Leaf &L) {
  return any_of(L.Ops, [](const Op &O) { return O.WritesErrno; });
}

/// Whether \p L, or its access \p X, may touch errno.
static bool mayTouchErrno(const Kernel &K, const Leaf &L, const Access &X) {
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  return mayBeErrno(K, L, X) || K.anyNestedAtom(X, IsLoad) ||
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
  bool Ok =
      any_of(Ahead, SetsErrno)
          ? mayReorderErrno()
          : none_of(Rest, SetsErrno) || none_of(Ahead, [&](const auto &U) {
              return mayTouchErrno(K, *U.L, *U.A);
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
    Meet(K.Buffers[B].IsLocal ? findForLocal(Mine, N.Ax)
                              : findForBuffer(Mine, N.Ax));
  }
  if (R != Role::Sequential && !mayReorderErrno() &&
      (R != Role::Parallel || !keepsErrnoOrder(N)))
    Meet(Role::Sequential);
  if (R == Role::Reduction && isWindow(N.Ax))
    R = Role::Window;
  return R;
}

void RoleFinder::visit(Node &N, ArrayRef<size_t> Path) {
  SmallVector<AxisId, 6> Around(Enclosing);
  if (N.K == Node::AxisNode) {
    Role R = find(N);
    K.Axes[N.Ax].R = R;
    if (R != Role::Parallel)
      Reductions.push_back(N.Ax);
    Enclosing.push_back(N.Ax);
  }
  if (!Path.empty())
    visit(*N.Children[Path.front()], Path.drop_front());
  else
    for (std::unique_ptr<Node> &C : N.Children)
      visit(*C, {});
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

void dlopt::computeRoles(Kernel &K, ArrayRef<size_t> Path) {
  RoleFinder(K).visit(K.Root, Path);
}
