//===- Instances.cpp - What is known of instances of leaves ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Instances.h"
#include "../Support/IntegerSet.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;
using namespace dlopt;

/// Whether \p P is the same in both instances.
bool Instances::isShared(const Poly &P) const {
  return !K.anyNestedAtom(P, [&](const Atom &A) {
    return A.K == Atom::Load || ((A.K == Atom::Axis || A.K == Atom::Size) &&
                                 !Shared.contains(A.Ref));
  });
}

AtomId Instances::translate(AtomId Id, unsigned Which) {
  if (isShared(Poly::atom(Id)))
    Which = 0;
  auto [It, New] =
      Own.try_emplace({Id, Which}, static_cast<AtomId>(ParamOf.size()));
  AtomId Mine = It->second;
  if (New) {
    bool IsParam = K.Atoms[Id].K != Atom::VL && K.isFixed(Poly::atom(Id));
    ParamOf.push_back(IsParam ? std::optional(Id) : std::nullopt);
    define(K.Atoms[Id], Mine, Which);
  }
  return Mine;
}

Poly Instances::translate(const Poly &P, unsigned Which) {
  Poly Result;
  for (const auto &[Product, Coef] : P.terms()) {
    Poly Term(Coef);
    for (AtomId Id : Product) {
      auto Round = K.Atoms[Id].K == Atom::Axis ? Fixed.find(K.Atoms[Id].Ref)
                                               : Fixed.end();
      Term = Term * (Round == Fixed.end() ? Poly::atom(translate(Id, Which))
                                          : translate(Round->second, Which));
    }
    Result += Term;
  }
  return Result;
}

Poly Instances::makeUnknown() {
  ParamOf.push_back(std::nullopt);
  return Poly::atom(static_cast<AtomId>(ParamOf.size() - 1));
}

/// What an atom can be by its type and its meaning.
void Instances::define(const Atom &A, AtomId Mine, unsigned Which) {
  Poly P = Poly::atom(Mine);
  auto AddRange = [&](ScalarType Ty, bool Signed) {
    unsigned Bits = getBitWidth(Ty);
    if (Bits >= 64)
      return;
    int64_t Half = int64_t(1) << (Bits - 1);
    requireAtLeastZero(P + Poly(Signed ? Half : 0));
    requireAtLeastZero(Poly((Signed ? Half : 2 * Half) - 1) - P);
  };
  switch (A.K) {
  case Atom::Axis:
  case Atom::Size:
    return;
  case Atom::VL:
    // One of few numbers (isEmpty()), of which this is known without a trial.
    VL = Mine;
    requireAtLeastZero(P - Poly(LeastVL));
    requireAtLeastZero(Poly(MostVL) - P);
    return;
  case Atom::Param: {
    const Param &Of = K.Params[A.Ref];
    if (!Of.isComputed())
      return AddRange(Of.Ty, Of.Signed);
    requireAtLeastZero(P - Poly(Of.Least));
    requireAtLeastZero(Poly(Of.Most) - P);
    return;
  }
  case Atom::Load:
    return AddRange(K.Buffers[A.Source.Buf].Ty, A.Signed);
  case Atom::FloorDiv:
  case Atom::Mod: {
    // Num = Den * Quotient + Remainder, and the remainder is below Den.
    Poly Num = translate(A.Num, Which), Den = translate(A.Den, Which),
         Other = makeUnknown();
    const Poly &Quotient = A.K == Atom::FloorDiv ? P : Other,
               &Remainder = A.K == Atom::FloorDiv ? Other : P;
    requireZero(Num - Den * Quotient - Remainder);
    requireAtLeastZero(Remainder);
    requireAtLeastZero(Den - Remainder - Poly(1));
    return;
  }
  }
  llvm_unreachable("all atom kinds are listed");
}

/// An axis that nothing refers to has no atom, and is of no interest.
static std::optional<Poly> findAtom(const Kernel &K, Atom::Kind Kind,
                                    AxisId A) {
  std::optional<AtomId> Id = K.findAxisAtom(A, Kind);
  return Id ? std::optional(Poly::atom(*Id)) : std::nullopt;
}

/// \p Other is behind a begin or in front of an extent, \p P, of the kernel. A
/// bound that is loaded is of when the loop was entered: what is known of the
/// element inside the loop is of later.
void Instances::requireBound(const Poly &P, unsigned Which, const Poly &Other,
                             bool IsBegin) {
  if (K.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::Load; }))
    return;
  Poly Bound = translate(P, Which);
  requireAtLeastZero(IsBegin ? Other - Bound : Bound - Other);
}

Poly Instances::getSize(const ScheduleSize &S) {
  return translate(K.getPoly(S), 0);
}

/// What all of \p Sizes are a number of, whatever `vl` is.
static ScheduleSize getCommonDivisor(ArrayRef<ScheduleSize> Sizes) {
  bool AllScale = !Sizes.empty() && all_of(Sizes, [](const ScheduleSize &S) {
    return S.Scalable;
  });
  ScheduleSize Result{0, AllScale};
  for (const ScheduleSize &S : Sizes)
    Result.N = std::gcd(Result.N, AllScale ? S.N : S.getLeast());
  return Result;
}

/// \p HasElements: an axis over the elements of its block runs, too.
void Instances::enterAxis(unsigned Which, const Axis &A, AxisId Id,
                          bool HasElements) {
  std::optional<Poly> X = findAtom(K, Atom::Axis, Id),
                      Size = findAtom(K, Atom::Size, Id);
  if (DLOPT_PLANTED(CopyRoundUnasked) && Fixed.count(Id))
    return;
  const AxisSchedule &S = A.Schedule;
  bool IsSome = !S.Once || HasElements;
  if (S.isBlocks() && Size) {
    Poly Own = translate(*Size, Which);
    Poly Least = S.HasRest || S.IsUpTo ? Poly(1) : getSize(S.Steps.back());
    requireAtLeastZero(Own - (IsSome ? Least : Poly()));
    requireAtLeastZero(getSize(S.Steps.front()) - Own);
  }
  Poly Begin;
  if (X) {
    Begin = translate(*X, Which);
    if (A.Begins.empty())
      requireAtLeastZero(Begin);
    // In front of a block are others, each of one of the sizes, but where the
    // last one begins inside of the one before it.
    ScheduleSize Whole = getCommonDivisor(S.Steps);
    if (A.Begins.empty() && (Whole.N > 1 || Whole.Scalable) &&
        (!S.Limit || DLOPT_PLANTED(LimitTakenForSize)) &&
        (!S.Overlaps || DLOPT_PLANTED(OverlapTakenForWhole)))
      requireZero(Begin - getSize(Whole) * makeUnknown());
    for (const Poly &P : A.Begins)
      requireBound(P, Which, Begin, /*IsBegin=*/true);
  } else if (!A.Begins.empty()) {
    return;
  }
  // A block of no elements may begin behind the end.
  if (!IsSome)
    return;
  Poly Last =
      S.isBlocks() && Size ? Begin + translate(*Size, Which) : Begin + Poly(1);
  for (const Poly &P : A.Extents)
    requireBound(P, Which, Last, /*IsBegin=*/false);
}

void Instances::enter(unsigned Which, ArrayRef<const Node *> Path) {
  enterLoops(Which, Path);
  addNeeds(Which, Path);
}

void Instances::enterLoops(unsigned Which, ArrayRef<const Node *> Path) {
  enterAxes(Which, Path, static_cast<unsigned>(Path.size()));
}

void Instances::enterPastEnd(unsigned Which, ArrayRef<const Node *> Path,
                             ScheduleSize Lanes, const Poly &End) {
  enterAxes(Which, Path, static_cast<unsigned>(Path.size() - 1));
  addNeeds(Which, Path.drop_back());
  const Axis &A = K.Axes[Path.back()->Ax];
  Poly First = makeUnknown();
  for (const Poly &P : A.Begins)
    requireBound(P, Which, First, /*IsBegin=*/true);
  if (A.Begins.empty())
    requireAtLeastZero(First);
  for (const Poly &P : A.Extents)
    requireBound(P, Which, First + Poly(1), /*IsBegin=*/false);
  // Vectors follow one another from the beginning on.
  auto IsLoad = [](const Atom &X) { return X.K == Atom::Load; };
  if (A.Begins.empty())
    requireZero(First - getSize(Lanes) * makeUnknown());
  else if (A.Begins.size() == 1 && !K.anyNestedAtom(A.Begins[0], IsLoad))
    requireZero(First - getSize(Lanes) * makeUnknown() -
                translate(A.Begins[0], Which));
  std::optional<Poly> X = findAtom(K, Atom::Axis, Path.back()->Ax);
  Poly Lane = X ? translate(*X, Which) : makeUnknown();
  requireAtLeastZero(Lane - First);
  requireAtLeastZero(First + getSize(Lanes) - Poly(1) - Lane);
  requireBound(End, Which, Lane, /*IsBegin=*/true);
  if (A.Begins.empty())
    enterLastBlock(Which, Lanes, End);
}

/// If \p End is the size of blocks that whole vectors fill but for the last
/// one, what is past it is in that.
void Instances::enterLastBlock(unsigned Which, ScheduleSize Lanes,
                               const Poly &End) {
  std::optional<AtomId> Size = End.getAtom();
  if (!Size || K.Atoms[*Size].K != Atom::Size)
    return;
  const Axis &Blocks = K.Axes[K.Atoms[*Size].Ref];
  const AxisSchedule &S = Blocks.Schedule;
  std::optional<Poly> X = findAtom(K, Atom::Axis, K.Atoms[*Size].Ref);
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  bool HasLast = S.HasRest || (S.IsUpTo && !S.Limit);
  if (!X || !HasLast || Blocks.Extents.size() != 1 ||
      K.anyNestedAtom(Blocks.Extents.front(), IsLoad) ||
      !all_of(S.Steps,
              [&](const ScheduleSize &Step) { return Lanes.divides(Step); }))
    return;
  requireZero(translate(*X + End - Blocks.Extents.front(), Which));
}

void Instances::enterAxes(unsigned Which, ArrayRef<const Node *> Path,
                          unsigned Count) {
  for (auto [I, N] : enumerate(Path.take_front(Count))) {
    auto IsSize = [&, N = N](const Poly &P) {
      std::optional<AtomId> Id = P.getAtom();
      return Id && K.Atoms[*Id].K == Atom::Size && K.Atoms[*Id].Ref == N->Ax;
    };
    bool HasElements = any_of(Path.drop_front(I + 1), [&](const Node *M) {
      const Axis &A = K.Axes[M->Ax];
      return !A.Schedule.Once && A.Begins.empty() && any_of(A.Extents, IsSize);
    });
    enterAxis(Which, K.Axes[N->Ax], N->Ax, HasElements);
  }
}

/// Whether each parameter of \p P has a meaning beside needs: of one that has
/// only to be equal to another nothing follows.
bool Instances::isMentioned(const Poly &P) {
  if (Mentioned.empty()) {
    Mentioned.resize(K.Params.size());
    auto Mention = [&](const Poly &Of) {
      K.anyNestedAtom(Of, [&](const Atom &A) {
        if (A.K == Atom::Param)
          Mentioned[A.Ref] = true;
        return false;
      });
    };
    // What visits polynomials to change them takes no constant kernel.
    auto &Tree = const_cast<Kernel &>(K);
    forEachPolyBelow(Tree, Tree.Root, Mention);
    forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
      for (const Op &O : L.Ops)
        if (O.K == Op::Param)
          Mentioned[O.Ref] = true;
    });
  }
  return !K.anyNestedAtom(P, [&](const Atom &A) {
    return A.K == Atom::Param && !Mentioned[A.Ref];
  });
}

/// Ranges that the kernel needs hold for every point.
void Instances::addNeeds(unsigned Which, ArrayRef<const Node *> Path) {
  for (const Need &N : K.Needs) {
    if (N.K != Need::InRange || !isMentioned(N.P) ||
        K.anyNestedAtom(N.P, [&](const Atom &A) {
          return A.K == Atom::Load ||
                 ((A.K == Atom::Axis || A.K == Atom::Size) &&
                  none_of(Path, [&](const Node *M) { return M->Ax == A.Ref; }));
        }))
      continue;
    // Numbers that do not fit say nothing here.
    Poly P = translate(N.P, Which);
    int64_t Constant = P.getConstantTerm(), Ignored = 0;
    if (!SubOverflow(Constant, N.Lo, Ignored))
      requireAtLeastZero(P - Poly(N.Lo));
    if (!SubOverflow(N.Hi, Constant, Ignored))
      requireAtLeastZero(Poly(N.Hi) - P);
  }
}

void Instances::assume(unsigned Which, ArrayRef<Constraint> Domain) {
  for (const Constraint &C : Domain)
    Known.push_back({translate(C.P, Which), C.IsEquality});
}

/// Something is left when \p P is divided by \p Of.
void Instances::requireNoMultiple(const Poly &P, int64_t Of) {
  Poly Left = P - Poly(Of) * makeUnknown();
  requireAtLeastZero(Left - Poly(1));
  requireAtLeastZero(Poly(Of - 1) - Left);
}

void Instances::separate(AxisId A, bool Later) {
  std::optional<Poly> X = findAtom(K, Atom::Axis, A),
                      Size = findAtom(K, Atom::Size, A);
  if (!X)
    return;
  unsigned First = Later ? 0 : 1;
  Poly Distance = translate(*X, 1 - First) - translate(*X, First);
  // Blocks are apart where both are of the same loop, but for a last one that
  // overlaps: that begins behind the one before it.
  auto IsSame = [&](const Poly &P) { return isShared(P); };
  bool IsOneLoop =
      all_of(K.Axes[A].Extents, IsSame) && all_of(K.Axes[A].Begins, IsSame);
  bool AreApart =
      !K.Axes[A].Schedule.Overlaps || DLOPT_PLANTED(OverlapTakenForApart);
  if (Size && IsOneLoop && AreApart)
    requireAtLeastZero(Distance - translate(*Size, First));
  requireAtLeastZero(Distance - Poly(1));
}

void Instances::limitDistance(AxisId A, const Poly &Most) {
  std::optional<Poly> X = findAtom(K, Atom::Axis, A);
  if (!X)
    return;
  Poly Distance = translate(*X, 1) - translate(*X, 0);
  Poly Own = translate(Most, 0);
  requireAtLeastZero(Own - Distance);
  requireAtLeastZero(Own + Distance);
}

/// Each product of atoms is an unknown.
void Instances::add(IntegerSet &Set, Variables &Vars, const Constraint &C) {
  SmallVector<IntegerSet::Term, 8> Terms;
  for (const auto &[Product, Coef] : C.P.terms()) {
    if (Product.empty())
      continue;
    auto [It, New] = Vars.try_emplace(Product, 0);
    if (New)
      It->second = Set.addVariable();
    Terms.push_back({It->second, Coef});
  }
  if (C.IsEquality)
    Set.addEquality(Terms, C.P.getConstantTerm());
  else
    Set.addInequality(Terms, C.P.getConstantTerm());
}

bool Instances::hasSolution(ArrayRef<Constraint> Cs) {
  IntegerSet Set;
  Variables Vars;
  for (const Constraint &C : Cs)
    add(Set, Vars, C);
  return !Set.isEmpty();
}

/// The product in terms of the kernel, if it is of parameters alone.
std::optional<Monomial> Instances::getParams(const Monomial &Product) const {
  Monomial Result;
  for (AtomId Id : Product) {
    if (!ParamOf[Id])
      return std::nullopt;
    Result.push_back(*ParamOf[Id]);
  }
  sort(Result);
  return Result;
}

void Instances::collectParams(std::set<Monomial> &Params) const {
  for (const Constraint &C : Known)
    for (const auto &[Product, Coef] : C.P.terms())
      if (std::optional<Monomial> P = getParams(Product); P && !P->empty())
        Params.insert(*P);
}

void Instances::addCoordinate(const Poly &P) {
  Poly Own = makeUnknown();
  size_t NumKnown = Known.size();
  Poly Mine = translate(P, 0);
  if (DLOPT_PLANTED(CopyMeaningLost))
    Known.resize(NumKnown);
  requireZero(Mine - Own);
  Coordinates.push_back(*Own.getAtom());
}

bool Instances::fill(IntegerSet &Set, const std::set<Monomial> &Params) {
  Variables Vars;
  for (AtomId Id : Coordinates)
    Vars[{Id}] = Set.addVariable();
  for (const Monomial &Product : Params) {
    Monomial Mine;
    for (AtomId Id : Product)
      Mine.push_back(translate(Id, 0));
    sort(Mine);
    Vars[Mine] = Set.addVariable();
  }
  bool IsExact = true;
  for (const Constraint &C : Known) {
    add(Set, Vars, C);
    for (const auto &[Product, Coef] : C.P.terms())
      IsExact &= Product.size() <= 1 || getParams(Product);
  }
  return IsExact;
}

/// What products of parameters, of which each is certainly one or more, are at
/// least: one, and each of these.
static void addGreatProducts(std::vector<Constraint> &Cs,
                             function_ref<bool(AtomId)> IsParam,
                             function_ref<bool(AtomId)> IsPositive) {
  std::set<Monomial> Products;
  for (const Constraint &C : Cs)
    for (const auto &[Product, Coef] : C.P.terms())
      if (Product.size() > 1 && all_of(Product, IsParam))
        Products.insert(Product);
  for (const Monomial &Product : Products) {
    if (!all_of(Product, IsPositive))
      continue;
    Poly P = Poly::monomial(Product, 1);
    Cs.push_back({P - Poly(1), false});
    for (AtomId Id : Product)
      Cs.push_back({P - Poly::atom(Id), false});
  }
}

/// Unknowns that occur multiplied by sizes, by these.
std::map<Monomial, DenseSet<AtomId>>
Instances::findProducts(ArrayRef<Constraint> Cs) const {
  std::map<Monomial, DenseSet<AtomId>> Factors;
  for (const Constraint &C : Cs)
    for (const auto &[Product, Coef] : C.P.terms()) {
      Monomial Sizes;
      SmallVector<AtomId, 2> Rest;
      for (AtomId Id : Product)
        if (ParamOf[Id])
          Sizes.push_back(Id);
        else
          Rest.push_back(Id);
      if (!Sizes.empty() && Rest.size() == 1)
        Factors[Sizes].insert(Rest.front());
    }
  return Factors;
}

/// Whether \p Id is certainly \p Least or more where \p Cs are fulfilled.
bool Instances::isAtLeast(ArrayRef<Constraint> Cs, AtomId Id, int64_t Least) {
  std::vector<Constraint> Trial(Cs.begin(), Cs.end());
  Trial.push_back({Poly(Least - 1) - Poly::atom(Id), false});
  return !hasSolution(Trial);
}

/// Constraints of axes that occur multiplied by sizes which are not negative,
/// multiplied by these, and with them those of nothing else than what bounds
/// these axes.
std::vector<Constraint> Instances::multiply(ArrayRef<Constraint> Cs) const {
  std::vector<Constraint> Result;
  for (const auto &[Sizes, Axes] : findProducts(Cs)) {
    if (any_of(Sizes, [&](AtomId Id) { return !isAtLeast(Cs, Id, 0); }))
      continue;
    auto IsOf = [&, &Axes = Axes](AtomId Id) { return Axes.contains(Id); };
    DenseSet<AtomId> Bounds;
    for (const Constraint &C : Cs)
      if (C.P.anyAtom(IsOf))
        C.P.anyAtom([&](AtomId Id) {
          if (!ParamOf[Id])
            Bounds.insert(Id);
          return false;
        });
    auto IsBound = [&](AtomId Id) { return Bounds.contains(Id); };
    auto IsOther = [&](AtomId Id) { return !ParamOf[Id] && !IsBound(Id); };
    for (const Constraint &C : Cs)
      if (C.P.anyAtom(IsOf) || (C.P.anyAtom(IsBound) && !C.P.anyAtom(IsOther)))
        Result.push_back({C.P * Poly::monomial(Sizes, 1), C.IsEquality});
  }
  return Result;
}

/// Whether nothing fulfils \p Cs, nor what sizes make of them.
bool Instances::isEmptyTimesSizes(ArrayRef<Constraint> Cs) const {
  std::vector<Constraint> More = multiply(Cs);
  // Sets of this size are no longer decided in time.
  constexpr size_t Most = 256;
  if (More.empty() || Cs.size() + More.size() > Most)
    return false;
  More.insert(More.end(), Cs.begin(), Cs.end());
  return !hasSolution(More);
}

/// \p P with \p Number for \p Id; nullopt: some number does not fit, so that it
/// says nothing.
static std::optional<Poly> replaceBy(const Poly &P, AtomId Id, int64_t Number) {
  std::map<Monomial, int64_t> Terms;
  for (const auto &[Product, Coef] : P.terms()) {
    Monomial Rest;
    int64_t Own = Coef;
    for (AtomId At : Product)
      if (At != Id)
        Rest.push_back(At);
      else if (MulOverflow(Own, Number, Own))
        return std::nullopt;
    int64_t &Sum = Terms[Rest];
    if (AddOverflow(Sum, Own, Sum))
      return std::nullopt;
  }
  Poly Result;
  for (const auto &[Product, Coef] : Terms)
    Result += Poly::monomial(Product, Coef);
  return Result;
}

bool Instances::isEmpty() const {
  if (!VL)
    return isEmptyOf(Known);
  if (!hasSolution(Known))
    return true;
  // Of a number products are linear, and what it divides is known.
  for (int64_t Number = LeastVL; Number <= MostVL; Number *= 2) {
    if (Number > LeastVL && DLOPT_PLANTED(ShortestAlone))
      break;
    std::vector<Constraint> Cs;
    for (const Constraint &C : Known)
      if (std::optional<Poly> P = replaceBy(C.P, *VL, Number))
        Cs.push_back({std::move(*P), C.IsEquality});
    if (!isEmptyOf(Cs))
      return false;
  }
  return true;
}

bool Instances::isEmptyOf(ArrayRef<Constraint> Cs) const {
  if (!hasSolution(Cs) || isEmptyTimesSizes(Cs))
    return true;
  std::vector<Constraint> More(Cs.begin(), Cs.end());
  addGreatProducts(
      More, [&](AtomId Id) { return ParamOf[Id].has_value(); },
      [&](AtomId Id) { return isAtLeast(Cs, Id, 1); });
  return More.size() != Cs.size() &&
         (!hasSolution(More) || isEmptyTimesSizes(More));
}
