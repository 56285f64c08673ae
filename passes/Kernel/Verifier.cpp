//===- Verifier.cpp - Invariants of the kernel model ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "HintChecker.h"
#include "Operations.h"
#include "RoleChecker.h"
#include "dlopt/Instructions.h"
#include "dlopt/KernelText.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// Functions return true, with Message set, at the first violation.
class Verifier {
public:
  explicit Verifier(const Kernel &K) : K(K) {}
  Error run();

private:
  bool fail(StringRef Rule, const Twine &Text) {
    Message = (Rule + ": " + Text).str();
    return true;
  }
  const KernelText &text() {
    if (!Text)
      Text.emplace(K);
    return *Text;
  }
  bool checkAtoms();
  bool checkAtomOrder(AtomId Id, const Poly &P);
  bool checkNumbers();
  bool checkBuffers();
  bool checkNode(const Node &N);
  bool checkAxis(const Node &N);
  bool checkSchedule(const Node &N);
  bool isOfVL(const Poly &P) const;
  bool checkRow(const Node &N);
  bool checkLocals(const Node &N);
  bool checkLeaf(const Leaf &L);
  bool checkView(const Leaf &L, const Op &O);
  bool checkOps(const Leaf &L);
  bool checkAssigns(const Leaf &L);
  bool checkPrefetch(const Leaf &L);
  bool checkPoly(const Poly &P);
  bool checkAtom(const Atom &A);
  bool checkAccess(const Access &X);
  bool checkOwnership();
  bool checkNeeds();
  bool checkNeed(const Need &N);

  const Kernel &K;
  std::optional<KernelText> Text;
  std::string Message;
  /// By id: declared by a node at all, and around the current node.
  std::vector<bool> AxisSeen, AxisInScope, LocalSeen, LocalInScope;
  /// Axes around each axis, outermost first.
  std::vector<SmallVector<AxisId, 8>> Enclosing;
  SmallVector<AxisId, 8> Path;
};

} // namespace

bool Verifier::checkAtomOrder(AtomId Id, const Poly &P) {
  return P.anyAtom([Id](AtomId Inner) { return Inner >= Id; }) &&
         fail("atom-order", "atom " + Twine(Id) +
                                " uses an atom that was not made before it");
}

/// Everything else may follow references between atoms after this.
bool Verifier::checkAtoms() {
  for (AtomId Id = 0; Id < K.Atoms.size(); ++Id) {
    const Atom &A = K.Atoms[Id];
    if (checkAtomOrder(Id, A.Num) || checkAtomOrder(Id, A.Den))
      return true;
    for (const Poly &P : A.Source.Subs)
      if (checkAtomOrder(Id, P))
        return true;
    for (const Poly &P : A.Source.Strides)
      if (checkAtomOrder(Id, P))
        return true;
    bool Bad =
        ((A.K == Atom::Axis || A.K == Atom::Size) && A.Ref >= K.Axes.size()) ||
        (A.K == Atom::Param && A.Ref >= K.Params.size()) ||
        (A.K == Atom::Load && A.Source.Buf >= K.Buffers.size());
    if (Bad)
      return fail("reference",
                  "atom " + Twine(Id) + " refers to nothing that exists");
    if (llvm::find(K.Atoms, A) != K.Atoms.begin() + Id)
      return fail("atom-interning",
                  "atom " + Twine(Id) + " is equal to an earlier one");
  }
  return false;
}

/// A number is computed of parameters in front of it, and one of its cases
/// always holds.
bool Verifier::checkNumbers() {
  for (auto [Id, P] : enumerate(K.Params)) {
    auto IsEarlier = [&, Id = Id](const Poly &Of) {
      return K.isFixed(Of) && !K.anyNestedAtom(Of, [&](const Atom &A) {
        return A.K == Atom::Param && A.Ref >= Id;
      });
    };
    std::string Name = text().param(static_cast<ParamId>(Id));
    if (!P.isComputed())
      continue;
    if (P.Ty != ScalarType::I64 || P.Least > P.Most)
      return fail("number", Name + " has no range of 64-bit integers");
    for (const NumberCase &C : P.Cases) {
      if (C.Where.empty() != (&C == &P.Cases.back()))
        return fail("number", Name + " has a condition on its last case, or "
                                     "none on another one");
      if (!IsEarlier(C.Value) || any_of(C.Where, [&](const Constraint &If) {
            return !IsEarlier(If.P);
          }))
        return fail("number",
                    Name + " is computed of more than earlier parameters");
      if (std::optional<int64_t> Value = C.Value.getConstant();
          Value && (*Value < P.Least || *Value > P.Most))
        return fail("number", Name + " may be " + Twine(*Value) + ", not " +
                                  Twine(P.Least) + " to " + Twine(P.Most));
      if (checkPoly(C.Value) || any_of(C.Where, [&](const Constraint &If) {
            return checkPoly(If.P);
          }))
        return true;
    }
  }
  return false;
}

bool Verifier::checkBuffers() {
  for (auto [Id, B] : enumerate(K.Buffers))
    if (!B.IsLocal && B.Where != Buffer::AnyPlace)
      return fail("place", "external buffer " + text().buffer(Id) +
                               " is in registers or on the stack");
    else if (!B.IsLocal && !B.Shape.empty())
      return fail("buffer-shape",
                  "external buffer " + text().buffer(Id) + " has a shape");
  return false;
}

bool Verifier::checkAtom(const Atom &A) {
  switch (A.K) {
  case Atom::Axis:
    return !AxisInScope[A.Ref] &&
           fail("axis-scope", "axis '" + text().axis(A.Ref) +
                                  "' is used outside of its node");
  case Atom::Size:
    if (!AxisInScope[A.Ref])
      return fail("axis-scope", "the size of axis '" + text().axis(A.Ref) +
                                    "' is used outside of its node");
    return !K.Axes[A.Ref].Schedule.isBlocks() &&
           fail("size", "axis '" + text().axis(A.Ref) + "' has no blocks");
  case Atom::VL:
    return false;
  case Atom::Param:
    return isFloat(K.Params[A.Ref].Ty) &&
           fail("param-type", "parameter " + text().param(A.Ref) +
                                  " in an index is not an integer");
  case Atom::FloorDiv:
  case Atom::Mod:
    if (std::optional<int64_t> Den = A.Den.getConstant(); Den && *Den <= 0)
      return fail("divisor",
                  "'" + text().poly(A.Num) + "' is divided by " + Twine(*Den));
    return checkPoly(A.Num) || checkPoly(A.Den);
  case Atom::Load:
    if (isFloat(K.Buffers[A.Source.Buf].Ty))
      return fail("index-type", "loaded index " + text().access(A.Source) +
                                    " is not an integer");
    return checkAccess(A.Source);
  }
  llvm_unreachable("all atom kinds are listed");
}

bool Verifier::checkPoly(const Poly &P) {
  return P.anyAtom([&](AtomId Id) {
    if (Id >= K.Atoms.size())
      return fail("reference", "atom " + Twine(Id) + " does not exist");
    return checkAtom(K.Atoms[Id]);
  });
}

/// Arrays lie in memory as they do, whatever machine this is.
bool Verifier::isOfVL(const Poly &P) const {
  return K.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::VL; });
}

bool Verifier::checkAccess(const Access &X) {
  if (X.Buf >= K.Buffers.size())
    return fail("reference", "buffer " + Twine(X.Buf) + " does not exist");
  const Buffer &B = K.Buffers[X.Buf];
  if (B.IsLocal && !LocalInScope[X.Buf])
    return fail("local-scope", "local '" + text().buffer(X.Buf) +
                                   "' is used outside of its node");
  if (B.IsLocal ? X.Subs.size() != B.Shape.size() || !X.Strides.empty()
                : X.Subs.size() != X.Strides.size())
    return fail("rank", "access " + text().access(X) +
                            " has a wrong number of subscripts or strides");
  for (const Poly &P : X.Subs)
    if (checkPoly(P))
      return true;
  for (const Poly &P : X.Strides) {
    if (checkPoly(P))
      return true;
    if (!K.isFixed(P) || isOfVL(P))
      return fail("stride", "a stride of " + text().access(X) +
                                " is not invariant in the kernel");
  }
  return false;
}

/// One side is read, and which one does not change while the kernel runs.
bool Verifier::checkView(const Leaf &L, const Op &O) {
  if (any_of(O.Args, [&](OpId Arg) { return L.Ops[Arg].K != Op::Load; }))
    return fail("view", "a side of a view is not an element of a buffer");
  // One place is computed for both.
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  for (OpId Arg : O.Args)
    if (K.anyNestedAtom(L.Ops[Arg].Acc, IsLoad))
      return fail("view", "an index of " + text().access(L.Ops[Arg].Acc) +
                              ", a side of a view, is loaded");
  return !K.isFixed(O.Idx) &&
         fail("view", "'" + text().poly(O.Idx) +
                          "', which chooses the side of a view, is not "
                          "invariant in the kernel");
}

bool Verifier::checkOps(const Leaf &L) {
  for (auto [Id, O] : enumerate(L.Ops)) {
    SmallVector<ScalarType, 3> Types;
    for (OpId Arg : O.Args) {
      if (Arg >= Id)
        return fail("operand-order", "operation " + Twine(Id) +
                                         " uses one that does not precede it");
      Types.push_back(L.Ops[Arg].Ty);
    }
    if (std::string Wrong = checkOperation(O, Types); !Wrong.empty())
      return fail("operation-type", Wrong);
    if ((O.K == Op::Index || O.K == Op::View) && checkPoly(O.Idx))
      return true;
    if (O.K == Op::View && checkView(L, O))
      return true;
    if (O.K == Op::Load) {
      if (checkAccess(O.Acc))
        return true;
      if (K.Buffers[O.Acc.Buf].Ty != O.Ty)
        return fail("access-type",
                    "load of " + text().access(O.Acc) + " as " + getName(O.Ty));
    }
    if (O.K == Op::Param) {
      if (O.Ref >= K.Params.size())
        return fail("reference",
                    "parameter " + Twine(O.Ref) + " does not exist");
      if (K.Params[O.Ref].Ty != O.Ty)
        return fail("param-type", "parameter " + text().param(O.Ref) +
                                      " is read as " + getName(O.Ty));
    }
  }
  return false;
}

bool Verifier::checkAssigns(const Leaf &L) {
  if (L.Assigns.empty())
    return fail("leaf", "a leaf assigns nothing");
  for (auto [I, A] : enumerate(L.Assigns)) {
    if (checkAccess(A.Target))
      return true;
    if (A.Value >= L.Ops.size())
      return fail("reference",
                  "operation " + Twine(A.Value) + " does not exist");
    if (L.Ops[A.Value].Ty != K.Buffers[A.Target.Buf].Ty)
      return fail("access-type", "store of " + getName(L.Ops[A.Value].Ty) +
                                     " to " + text().access(A.Target));
    for (const Assign &Other : ArrayRef(L.Assigns).take_front(I))
      if (Other.Target == A.Target)
        return fail("assigned-twice",
                    text().access(A.Target) + " is assigned twice at once");
  }
  return false;
}

/// What is fetched need not exist: only addresses are computed.
bool Verifier::checkPrefetch(const Leaf &L) {
  const Access &X = *L.Prefetch;
  if (!L.Assigns.empty() || !L.Ops.empty() || L.Predicate)
    return fail("prefetch", "a leaf that fetches ahead computes something");
  if (checkAccess(X))
    return true;
  if (K.Buffers[X.Buf].IsLocal)
    return fail("prefetch",
                "local '" + text().buffer(X.Buf) + "' is fetched ahead");
  if (X.Subs.empty())
    return fail("prefetch", "no element is fetched ahead");
  return K.anyNestedAtom(X, [](const Atom &A) { return A.K == Atom::Load; }) &&
         fail("prefetch", "an index of " + text().access(X) +
                              ", which is fetched ahead, is loaded");
}

bool Verifier::checkLeaf(const Leaf &L) {
  for (const Constraint &C : L.Domain)
    if (checkPoly(C.P))
      return true;
  if (L.Prefetch)
    return checkPrefetch(L);
  if (L.IsFence)
    return false; // HintChecker.cpp
  if (checkOps(L) || checkAssigns(L))
    return true;
  if (!L.Predicate)
    return false;
  if (*L.Predicate >= L.Ops.size())
    return fail("reference",
                "operation " + Twine(*L.Predicate) + " does not exist");
  return L.Ops[*L.Predicate].Ty != ScalarType::I1 &&
         fail("operation-type", "a predicate is not i1");
}

bool Verifier::checkAxis(const Node &N) {
  if (N.Ax >= K.Axes.size())
    return fail("reference", "axis " + Twine(N.Ax) + " does not exist");
  const Axis &A = K.Axes[N.Ax];
  if (AxisSeen[N.Ax])
    return fail("axis-twice",
                "axis '" + text().axis(N.Ax) + "' has more than one node");
  AxisSeen[N.Ax] = true;
  if (A.Extents.empty())
    return fail("extent", "axis '" + text().axis(N.Ax) + "' has no extent");
  for (const Poly &P : A.Extents)
    if (checkPoly(P))
      return true;
  for (const Poly &P : A.Begins)
    if (checkPoly(P))
      return true;
  Enclosing[N.Ax] = Path;
  return !A.Schedule.isPlain() && checkSchedule(N);
}

bool Verifier::checkSchedule(const Node &N) {
  const AxisSchedule &S = K.Axes[N.Ax].Schedule;
  std::string Name = "axis '" + text().axis(N.Ax) + "'";
  if (S.isScalable() &&
      none_of(K.Atoms, [](const Atom &A) { return A.K == Atom::VL; }))
    return fail("reference", "there is no atom for the 'vl' of " + Name);
  for (auto [I, Size] : enumerate(S.Steps))
    if (Size.N < 1 || (I > 0 && !Size.isBelow(S.Steps[I - 1])))
      return fail("steps", "the sizes of the blocks of " + Name +
                               " do not descend to 1");
  if ((S.IsUpTo && (S.Steps.size() != 1 || S.HasRest || S.Overlaps)) ||
      (S.HasRest && S.Overlaps))
    return fail("steps", "the blocks of " + Name + " have several bounds");
  if (S.Overlaps && !S.isBlocks())
    return fail("steps", Name + " overlaps, but has no blocks");
  if (S.Limit &&
      (!S.IsUpTo || *S.Limit >= K.Params.size() ||
       !K.Params[*S.Limit].isComputed() || K.Params[*S.Limit].Least < 1 ||
       !(ScheduleSize{K.Params[*S.Limit].Most} == S.Steps.front())))
    return fail("steps", Name + " has blocks of a size that is no number of 1 "
                                "or more");
  if (S.Once && !S.isBlocks())
    return fail("steps", Name + " runs once, but has no blocks");
  if ((S.Lanes && !S.hasFewLanes()) || (S.Lanes && S.Unrolled) ||
      (S.isBlocks() && (S.Lanes || S.Unrolled)) ||
      (!S.Row.empty() && (S.isBlocks() || S.Lanes || S.Unrolled)))
    return fail("mode", Name + " is run in two ways");
  if (!S.Lanes)
    return false;
  if (any_of(N.Children, [](const auto &C) { return C->L.Prefetch; }))
    return fail("prefetch", "something is fetched ahead in lanes of " + Name);
  // Lanes run leaf by leaf.
  bool OverLeaves = N.Locals.empty() && all_of(N.Children, [](const auto &C) {
                      return C->K == Node::LeafNode;
                    });
  return !OverLeaves && fail("lanes", Name + " has more than leaves below");
}

bool Verifier::checkLocals(const Node &N) {
  for (BufferId B : N.Locals) {
    if (B >= K.Buffers.size())
      return fail("reference", "buffer " + Twine(B) + " does not exist");
    if (!K.Buffers[B].IsLocal)
      return fail("local",
                  "external buffer " + text().buffer(B) + " belongs to a node");
    if (LocalSeen[B])
      return fail("local", "local '" + text().buffer(B) +
                               "' belongs to more than one node");
    // Its own shape cannot use it: it comes into scope afterwards.
    for (const Poly &P : K.Buffers[B].Shape) {
      if (checkPoly(P))
        return true;
      // Room in registers and on the stack is known when code is made, or when
      // it is entered.
      std::optional<ScheduleSize> Extent = K.getSize(P);
      if (K.Buffers[B].Where != Buffer::AnyPlace && (!Extent || Extent->N < 1))
        return fail("place", "'" + text().buffer(B) +
                                 "' has no constant extent of at least 1");
    }
    LocalSeen[B] = true;
    LocalInScope[B] = true;
  }
  return false;
}

/// Behind its children, which are as they should be then.
bool Verifier::checkRow(const Node &N) {
  if (N.K != Node::AxisNode || K.Axes[N.Ax].Schedule.Row.empty())
    return false;
  InstructionUse Use;
  std::string Wrong = matchInstruction(K, N, K.Axes[N.Ax].Schedule.Row, Use);
  return !Wrong.empty() && fail("row", Wrong);
}

bool Verifier::checkNode(const Node &N) {
  if (N.K == Node::LeafNode) {
    if (!N.Children.empty() || !N.Locals.empty())
      return fail("leaf", "a leaf has children or locals");
    return checkLeaf(N.L);
  }
  if (N.K == Node::AxisNode) {
    if (checkAxis(N))
      return true;
    AxisInScope[N.Ax] = true;
    Path.push_back(N.Ax);
  }
  if (N.K != Node::Sequence && !N.Cases.empty())
    return fail("case", "conditions of what is no block");
  for (const Constraint &C : N.Cases)
    if (checkPoly(C.P))
      return true;
  if (checkLocals(N))
    return true;
  for (const auto &Child : N.Children)
    if (checkNode(*Child))
      return true;
  for (BufferId B : N.Locals)
    LocalInScope[B] = false;
  if (checkRow(N))
    return true;
  if (N.K == Node::AxisNode) {
    AxisInScope[N.Ax] = false;
    Path.pop_back();
  }
  return false;
}

bool Verifier::checkOwnership() {
  for (AxisId A = 0; A < K.Axes.size(); ++A)
    if (!AxisSeen[A])
      return fail("axis-unused", "axis '" + text().axis(A) + "' has no node");
  for (BufferId B = 0; B < K.Buffers.size(); ++B)
    if (K.Buffers[B].IsLocal && !LocalSeen[B] && uses(K, K.Root, B))
      return fail("local",
                  "local '" + text().buffer(B) + "' belongs to no node");
  return false;
}

bool Verifier::checkNeed(const Need &N) {
  if ((N.K == Need::NonZero || N.K == Need::NoErrno) &&
      (N.Buf >= K.Buffers.size() || K.Buffers[N.Buf].IsLocal))
    return fail("need",
                StringRef(N.K == Need::NonZero ? "nonzero" : "noerrno") +
                    "() of what is not an external buffer");
  if (N.K == Need::NoErrno)
    return false;
  if (N.K == Need::Aligned)
    return (N.Lo < 1 || N.Lo > MostAligned || !isPowerOf2_64(N.Lo) ||
            N.Buf >= K.Buffers.size() || K.Buffers[N.Buf].IsLocal) &&
           fail("need", "aligned() of what is no external buffer, or to no "
                        "power of two of bytes");
  if (!N.isOfPoints()) {
    std::string Name = N.K == Need::Same ? "same()" : "disjoint()";
    if (N.Others.empty())
      return fail("need", Name + " without a second buffer");
    SmallVector<BufferId, 5> All(ArrayRef<BufferId>(N.Others));
    All.push_back(N.Buf);
    for (BufferId B : All)
      if (B >= K.Buffers.size() || K.Buffers[B].IsLocal)
        return fail("need", Name + " of what is not an external buffer");
    return false;
  }
  if (N.K == Need::InRange && N.Lo > N.Hi)
    return fail("need", "inrange() of an empty range");
  // They are tested before anything is computed.
  if (K.anyNestedAtom(N.P, [&](const Atom &A) {
        return A.K == Atom::Param && K.Params[A.Ref].isComputed();
      }))
    return fail("need", "a need speaks of a number that is computed");
  // The axes must be those around one place of the tree.
  std::optional<AxisId> Deepest;
  for (AxisId A = 0; A < K.Axes.size(); ++A)
    if (K.dependsOn(N.P, A) &&
        (!Deepest || Enclosing[A].size() > Enclosing[*Deepest].size()))
      Deepest = A;
  if (Deepest) {
    for (AxisId A : Enclosing[*Deepest])
      AxisInScope[A] = true;
    AxisInScope[*Deepest] = true;
  }
  bool Failed = checkPoly(N.P);
  AxisInScope.assign(K.Axes.size(), false);
  return Failed;
}

bool Verifier::checkNeeds() {
  return any_of(K.Needs, [this](const Need &N) { return checkNeed(N); });
}

Error Verifier::run() {
  AxisSeen.assign(K.Axes.size(), false);
  AxisInScope = AxisSeen;
  Enclosing.resize(K.Axes.size());
  LocalSeen.assign(K.Buffers.size(), false);
  LocalInScope = LocalSeen;
  bool Failed = checkAtoms() || checkNumbers() || checkBuffers() ||
                (K.Root.K != Node::Sequence &&
                 fail("root", "the root is not a sequence")) ||
                checkNode(K.Root) || checkOwnership() || checkNeeds();
  if (!Failed)
    Message = checkRoles(K);
  if (Message.empty())
    Message = checkHints(K);
  if (Message.empty())
    return Error::success();
  return createStringError(inconvertibleErrorCode(),
                           "kernel " + Twine(K.Id) + " @" +
                               quoteIfNeeded(K.Function) + ": " + Message);
}

Error dlopt::verifyKernel(const Kernel &K) { return Verifier(K).run(); }
