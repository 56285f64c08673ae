//===- Kernel.cpp - Scalar types, atoms and traversal ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Kernel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

unsigned dlopt::getSizeInBytes(ScalarType T) {
  switch (T) {
  case ScalarType::I1:
  case ScalarType::I8:
    return 1;
  case ScalarType::I16:
  case ScalarType::F16:
  case ScalarType::BF16:
    return 2;
  case ScalarType::I32:
  case ScalarType::F32:
    return 4;
  case ScalarType::I64:
  case ScalarType::F64:
    return 8;
  }
  llvm_unreachable("all scalar types are listed");
}

unsigned dlopt::getBitWidth(ScalarType T) {
  return T == ScalarType::I1 ? 1 : 8 * getSizeInBytes(T);
}

bool dlopt::isFloat(ScalarType T) { return T >= ScalarType::F16; }

StringRef dlopt::getName(ScalarType T) {
  switch (T) {
  case ScalarType::I1:
    return "i1";
  case ScalarType::I8:
    return "i8";
  case ScalarType::I16:
    return "i16";
  case ScalarType::I32:
    return "i32";
  case ScalarType::I64:
    return "i64";
  case ScalarType::F16:
    return "f16";
  case ScalarType::BF16:
    return "bf16";
  case ScalarType::F32:
    return "f32";
  case ScalarType::F64:
    return "f64";
  }
  llvm_unreachable("all scalar types are listed");
}

std::optional<ScalarType> dlopt::parseScalarType(StringRef Name) {
  return StringSwitch<std::optional<ScalarType>>(Name)
      .Case("i1", ScalarType::I1)
      .Case("i8", ScalarType::I8)
      .Case("i16", ScalarType::I16)
      .Case("i32", ScalarType::I32)
      .Case("i64", ScalarType::I64)
      .Case("f16", ScalarType::F16)
      .Case("bf16", ScalarType::BF16)
      .Case("f32", ScalarType::F32)
      .Case("f64", ScalarType::F64)
      .Default(std::nullopt);
}

Type *dlopt::getIRType(ScalarType T, LLVMContext &C) {
  switch (T) {
  case ScalarType::F16:
    return Type::getHalfTy(C);
  case ScalarType::BF16:
    return Type::getBFloatTy(C);
  case ScalarType::F32:
    return Type::getFloatTy(C);
  case ScalarType::F64:
    return Type::getDoubleTy(C);
  default:
    return Type::getIntNTy(C, getBitWidth(T));
  }
}

std::optional<ScalarType> dlopt::getScalarType(const Type *T) {
  if (T->isHalfTy())
    return ScalarType::F16;
  if (T->isBFloatTy())
    return ScalarType::BF16;
  if (T->isFloatTy())
    return ScalarType::F32;
  if (T->isDoubleTy())
    return ScalarType::F64;
  if (T->isIntegerTy(1))
    return ScalarType::I1;
  if (T->isIntegerTy(8))
    return ScalarType::I8;
  if (T->isIntegerTy(16))
    return ScalarType::I16;
  if (T->isIntegerTy(32))
    return ScalarType::I32;
  if (T->isIntegerTy(64))
    return ScalarType::I64;
  return std::nullopt;
}

StringRef dlopt::getName(Role R) {
  switch (R) {
  case Role::Parallel:
    return "par";
  case Role::Reduction:
    return "red";
  case Role::Window:
    return "win";
  case Role::Sequential:
    return "seq";
  }
  llvm_unreachable("all roles are listed");
}

Poly Access::offset() const {
  Poly Offset;
  for (const auto &[Sub, Stride] : zip(Subs, Strides))
    Offset += Sub * Stride;
  return Offset;
}

bool dlopt::operator==(const Access &A, const Access &B) {
  return A.Buf == B.Buf && A.Subs == B.Subs && A.Strides == B.Strides;
}

bool dlopt::operator==(const Atom &A, const Atom &B) {
  return A.K == B.K && A.Ref == B.Ref && A.Num == B.Num && A.Den == B.Den &&
         A.Source == B.Source && A.Signed == B.Signed;
}

bool dlopt::operator==(const Need &A, const Need &B) {
  return A.K == B.K && A.Buf == B.Buf && A.Others == B.Others && A.P == B.P &&
         A.Lo == B.Lo && A.Hi == B.Hi;
}

/// Kernels have a handful of atoms, so a scan beats any table.
static AtomId intern(std::vector<Atom> &Atoms, Atom A) {
  auto It = llvm::find(Atoms, A);
  if (It != Atoms.end())
    return static_cast<AtomId>(It - Atoms.begin());
  Atoms.push_back(std::move(A));
  return static_cast<AtomId>(Atoms.size() - 1);
}

std::optional<AtomId> Kernel::findAxisAtom(AxisId A, Atom::Kind Kind) const {
  for (auto [Id, X] : enumerate(Atoms))
    if (X.K == Kind && X.Ref == A)
      return static_cast<AtomId>(Id);
  return std::nullopt;
}

AtomId Kernel::getAxisAtom(AxisId A) {
  if (std::optional<AtomId> Known = findAxisAtom(A))
    return *Known;
  Atom New;
  New.K = Atom::Axis;
  New.Ref = A;
  return intern(Atoms, std::move(New));
}

AtomId Kernel::getParamAtom(ParamId P) {
  Atom New;
  New.K = Atom::Param;
  New.Ref = P;
  return intern(Atoms, std::move(New));
}

AtomId Kernel::getSizeAtom(AxisId A) {
  Atom New;
  New.K = Atom::Size;
  New.Ref = A;
  return intern(Atoms, std::move(New));
}

AtomId Kernel::getVLAtom() {
  Atom New;
  New.K = Atom::VL;
  return intern(Atoms, std::move(New));
}

Poly Kernel::getPoly(const ScheduleSize &S) const {
  if (!S.Scalable)
    return Poly(S.N);
  auto It = find_if(Atoms, [](const Atom &A) { return A.K == Atom::VL; });
  assert(It != Atoms.end() && "who has a size of vl makes the atom");
  return Poly::monomial({static_cast<AtomId>(It - Atoms.begin())}, S.N);
}

std::optional<ScheduleSize> Kernel::getSize(const Poly &P) const {
  if (std::optional<int64_t> Number = P.getConstant())
    return ScheduleSize{*Number, /*Scalable=*/false};
  if (P.terms().size() != 1 || P.terms().front().first.size() != 1 ||
      Atoms[P.terms().front().first.front()].K != Atom::VL)
    return std::nullopt;
  return ScheduleSize{P.terms().front().second, /*Scalable=*/true};
}

AtomId Kernel::getFloorDivAtom(Poly Num, Poly Den) {
  Atom New;
  New.K = Atom::FloorDiv;
  New.Num = std::move(Num);
  New.Den = std::move(Den);
  return intern(Atoms, std::move(New));
}

AtomId Kernel::getModAtom(Poly Num, Poly Den) {
  Atom New;
  New.K = Atom::Mod;
  New.Num = std::move(Num);
  New.Den = std::move(Den);
  return intern(Atoms, std::move(New));
}

AtomId Kernel::getLoadAtom(Access Source, bool Signed) {
  Atom New;
  New.K = Atom::Load;
  New.Source = std::move(Source);
  New.Signed = Signed;
  return intern(Atoms, std::move(New));
}

bool Kernel::anyNestedAtom(const Poly &P,
                           function_ref<bool(const Atom &)> Pred) const {
  return P.anyAtom([&](AtomId Id) {
    const Atom &A = Atoms[Id];
    if (Pred(A))
      return true;
    switch (A.K) {
    case Atom::Axis:
    case Atom::Param:
    case Atom::Size:
    case Atom::VL:
      return false;
    case Atom::FloorDiv:
    case Atom::Mod:
      return anyNestedAtom(A.Num, Pred) || anyNestedAtom(A.Den, Pred);
    case Atom::Load:
      return anyNestedAtom(A.Source, Pred);
    }
    llvm_unreachable("all atom kinds are listed");
  });
}

bool Kernel::anyNestedAtom(const Access &X,
                           function_ref<bool(const Atom &)> Pred) const {
  auto Any = [&](const Poly &P) { return anyNestedAtom(P, Pred); };
  return any_of(X.Subs, Any) || any_of(X.Strides, Any);
}

bool Axis::isCondition() const {
  return Begins.empty() && Schedule.isPlain() && Extents.size() > 1 &&
         any_of(Extents, [](const Poly &P) { return P.getConstant() == 1; });
}

bool Kernel::isFixed(const Poly &P) const {
  return !anyNestedAtom(P, [](const Atom &A) {
    return A.K == Atom::Axis || A.K == Atom::Size || A.K == Atom::Load;
  });
}

bool Kernel::hasFixedExtents(AxisId A) const {
  auto Fixed = [&](const Poly &P) { return isFixed(P); };
  return all_of(Axes[A].Extents, Fixed) && all_of(Axes[A].Begins, Fixed);
}

/// Whether \p X has another value in another round of \p A.
static bool isOf(const Atom &X, AxisId A) {
  return (X.K == Atom::Axis || X.K == Atom::Size) && X.Ref == A;
}

bool Kernel::dependsOn(const Poly &P, AxisId A) const {
  return anyNestedAtom(P, [A](const Atom &X) { return isOf(X, A); });
}

bool Kernel::dependsOn(const Access &X, AxisId A) const {
  return anyNestedAtom(X, [A](const Atom &Y) { return isOf(Y, A); });
}

static bool hasCases(const Node &N) {
  return !N.Cases.empty() ||
         any_of(N.Children, [](const auto &C) { return hasCases(*C); });
}

bool Kernel::isScheduled() const {
  return any_of(Axes,
                [](const Axis &A) {
                  return !A.Begins.empty() || !A.Schedule.isPlain();
                }) ||
         any_of(Buffers,
                [](const Buffer &B) { return B.Where != Buffer::AnyPlace; }) ||
         any_of(Params, [](const Param &P) { return P.isComputed(); }) ||
         hasCases(Root) || hasHints();
}

static bool hasHint(const Leaf &L) {
  auto IsAligned = [](const Access &X) { return X.Aligned != 0; };
  return L.Prefetch || L.IsFence ||
         any_of(L.Ops,
                [&](const Op &O) {
                  return O.K == Op::Load && IsAligned(O.Acc);
                }) ||
         any_of(L.Assigns, [&](const Assign &A) {
           return A.IsNonTemporal || IsAligned(A.Target);
         });
}

bool Kernel::hasHints() const {
  bool Any = false;
  forEachLeaf(Root,
              [&](const Leaf &L, ArrayRef<AxisId>) { Any |= hasHint(L); });
  return Any;
}

std::string dlopt::getText(const ScheduleSize &S) {
  if (!S.Scalable)
    return itostr(S.N);
  return (S.N == 1 ? "" : itostr(S.N)) + "vl";
}

std::optional<ScheduleSize> dlopt::parseScheduleSize(StringRef Text,
                                                     int64_t Most) {
  ScheduleSize S;
  S.Scalable = Text.consume_back("vl");
  S.N = 1;
  if ((!S.Scalable || !Text.empty()) && Text.getAsInteger(10, S.N))
    return std::nullopt;
  return S.N >= 1 && S.N <= Most / (S.Scalable ? MostVL : 1) ? std::optional(S)
                                                             : std::nullopt;
}

std::optional<int64_t> AxisSchedule::getBlock(int64_t Left, int64_t VL) const {
  for (const ScheduleSize &Size : Steps)
    if (Size.at(VL) <= Left)
      return Size.at(VL);
  return HasRest || IsUpTo ? std::optional(Left) : std::nullopt;
}

static void
visitLeaves(const Node &N, SmallVectorImpl<AxisId> &Enclosing,
            function_ref<void(const Leaf &, ArrayRef<AxisId>)> Visit) {
  if (N.K == Node::LeafNode)
    return Visit(N.L, Enclosing);
  if (N.K == Node::AxisNode)
    Enclosing.push_back(N.Ax);
  for (const std::unique_ptr<Node> &Child : N.Children)
    visitLeaves(*Child, Enclosing, Visit);
  if (N.K == Node::AxisNode)
    Enclosing.pop_back();
}

void dlopt::forEachLeaf(
    const Node &N, function_ref<void(const Leaf &, ArrayRef<AxisId>)> Visit) {
  SmallVector<AxisId, 8> Enclosing;
  visitLeaves(N, Enclosing, Visit);
}

std::optional<Poly> dlopt::getStride(const Kernel &K, const Poly &P, AxisId A) {
  Poly Stride;
  for (auto [Id, At] : enumerate(K.Atoms)) {
    if (!P.uses(Id))
      continue;
    if (At.K == Atom::Axis && At.Ref == A) {
      std::optional<Poly> C = P.coefficient(Id);
      if (!C)
        return std::nullopt;
      Stride = *C;
    } else if (At.K != Atom::Axis && K.dependsOn(Poly::atom(Id), A)) {
      return std::nullopt;
    }
  }
  return Stride;
}

std::optional<Poly> dlopt::getEnd(const Kernel &K, const Poly &P, AxisId A,
                                  bool Most) {
  std::optional<Poly> Stride = getStride(K, P, A);
  if (!Stride || Stride->isZero())
    return Stride ? std::optional(P) : std::nullopt;
  const Axis &Of = K.Axes[A];
  std::optional<int64_t> By = Stride->getConstant();
  if (!By || Of.Extents.size() != 1 || !Of.Begins.empty())
    return std::nullopt;
  Poly Last = Of.Extents.front() - 1;
  return P.without(*K.findAxisAtom(A)) +
         *Stride * ((*By > 0) == Most ? Last : Poly(0));
}

/// The bound of \p Load that \p N is, if it is one.
static bool addLoadBound(const Kernel &K, AtomId Load, const Need &N,
                         std::optional<int64_t> &Least,
                         std::optional<Poly> &Most) {
  constexpr int64_t Unbounded = std::numeric_limits<int64_t>::max();
  if (!N.LooksAtAll || N.K != Need::InRange || N.Hi != Unbounded || N.Lo < 0)
    return false;
  const Poly Number = Poly::atom(Load);
  if (N.P == Number) {
    Least = N.Lo;
    return true;
  }
  Poly End = N.P + Number;
  if (N.Lo != 0 || !N.P.uses(Load) || !K.isFixed(End))
    return false;
  Most = std::move(End);
  return true;
}

std::optional<LoadBounds> dlopt::getLoadBounds(const Kernel &K, AtomId Load) {
  std::optional<int64_t> Least;
  std::optional<Poly> Most;
  if (K.Atoms[Load].K == Atom::Load)
    for (const Need &N : K.Needs)
      addLoadBound(K, Load, N, Least, Most);
  if (!Least || !Most)
    return std::nullopt;
  return LoadBounds{*Least, std::move(*Most)};
}

std::optional<AtomId> dlopt::getBoundedLoad(const Kernel &K, const Need &N) {
  if (N.K != Need::InRange)
    return std::nullopt;
  for (auto Id = static_cast<AtomId>(K.Atoms.size()); Id--;) {
    std::optional<int64_t> Least;
    std::optional<Poly> Most;
    if (K.Atoms[Id].K == Atom::Load && N.P.uses(Id) &&
        addLoadBound(K, Id, N, Least, Most) && getLoadBounds(K, Id))
      return Id;
  }
  return std::nullopt;
}

void dlopt::needLoadBounds(Kernel &K, AtomId Load, const LoadBounds &Bounds) {
  Need N;
  N.K = Need::InRange;
  N.P = Poly::atom(Load);
  N.Lo = Bounds.Least;
  N.Hi = std::numeric_limits<int64_t>::max();
  N.LooksAtAll = true;
  K.Needs.push_back(N);
  N.P = Bounds.Most - N.P;
  N.Lo = 0;
  K.Needs.push_back(std::move(N));
}

std::optional<uint64_t> dlopt::getRounds(const Kernel &K, AxisId A) {
  std::optional<uint64_t> Rounds;
  if (!K.Axes[A].Begins.empty() || K.Axes[A].Schedule.isBlocks())
    return std::nullopt;
  for (const Poly &Extent : K.Axes[A].Extents) {
    std::optional<int64_t> C = Extent.getConstant();
    if (!C)
      return std::nullopt;
    Rounds = std::min<uint64_t>(Rounds.value_or(UINT64_MAX),
                                std::max<int64_t>(*C, 0));
  }
  return Rounds;
}

uint64_t dlopt::getAllRounds(const Kernel &K, const Node &N) {
  uint64_t Inside = 0;
  for (const auto &Child : N.Children)
    if (Child->K != Node::LeafNode)
      Inside = SaturatingAdd(Inside, getAllRounds(K, *Child));
  Inside = std::max<uint64_t>(Inside, 1);
  if (N.K != Node::AxisNode)
    return Inside;
  return SaturatingMultiply(Inside, getRounds(K, N.Ax).value_or(UINT64_MAX));
}
