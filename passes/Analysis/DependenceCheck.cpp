//===- DependenceCheck.cpp - Answers about memory against isl -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/DependenceCheck.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <random>

using namespace llvm;
using namespace dlopt;

DependenceCounts &DependenceCounts::operator+=(const DependenceCounts &O) {
  Kernels += O.Kernels;
  Both += O.Both;
  Quick += O.Quick;
  Sets += O.Sets;
  Neither += O.Neither;
  Compared += O.Compared;
  return *this;
}

void DependenceCounts::print(raw_ostream &OS) const {
  OS << Kernels << " kernels: apart by both " << Both << ", by polynomials "
     << Quick << ", by sets " << Sets << ", by neither " << Neither
     << "; held against numbers " << Compared << '\n';
}

namespace {

/// Two uses that must not meet where the second is in another round, as seen
/// from the first.
struct Pair {
  const MemoryUse *A, *B;
  Direction Where;
};

/// The pairs of a kernel about one of its axes.
class Pairs {
public:
  Pairs(const Kernel &K, const Dependences &D, const Node &N) : K(K), D(D) {
    for (const MemoryUse &U : D.uses())
      if (isOfLeaf(U) && D.isBelow(U, N))
        Below.push_back(&U);
    if (!Below.empty())
      Depth = static_cast<unsigned>(find(Below.front()->Path, &N) -
                                    Below.front()->Path.begin());
  }
  /// All rounds are apart.
  SmallVector<Pair, 16> ofRounds() const;
  /// The first \p Split children run ahead.
  SmallVector<Pair, 16> ofSplit(const Node &N, unsigned Split) const;
  /// The first of \p All that may meet.
  const Pair *findMeeting(ArrayRef<Pair> All) const;
  /// Whether sets are exact where both of \p P are.
  bool isExact(const Pair &P) const;

private:
  /// Polynomials are not asked about loaded indices.
  static bool isOfLeaf(const MemoryUse &U) {
    return U.X && U.N->K == Node::LeafNode &&
           (any_of(U.N->L.Ops, [&](const Op &O) { return &O.Acc == U.X; }) ||
            any_of(U.N->L.Assigns,
                   [&](const Assign &A) { return &A.Target == U.X; }));
  }
  bool isAffine(const Poly &P) const;
  bool isExact(const MemoryUse &U) const;
  void add(const MemoryUse &A, const MemoryUse &B, Direction Where,
           SmallVectorImpl<Pair> &To) const {
    if ((A.writes() || B.writes()) && A.X->Buf == B.X->Buf)
      To.push_back({&A, &B, Where});
  }

  const Kernel &K;
  const Dependences &D;
  SmallVector<const MemoryUse *, 16> Below;
  unsigned Depth = 0;
};

} // namespace

SmallVector<Pair, 16> Pairs::ofRounds() const {
  SmallVector<Pair, 16> All;
  for (auto [I, A] : enumerate(Below))
    for (const MemoryUse *B : ArrayRef(Below).drop_front(I)) {
      add(*A, *B, Direction::Later, All);
      if (A != B)
        add(*A, *B, Direction::Earlier, All);
    }
  return All;
}

SmallVector<Pair, 16> Pairs::ofSplit(const Node &N, unsigned Split) const {
  auto IsAhead = [&](const MemoryUse &U) {
    return any_of(ArrayRef(N.Children).take_front(Split),
                  [&](const auto &Child) { return D.isBelow(U, *Child); });
  };
  SmallVector<Pair, 16> All;
  for (const MemoryUse *A : Below)
    for (const MemoryUse *B : Below)
      if (IsAhead(*A) && !IsAhead(*B))
        add(*A, *B, Direction::Earlier, All);
  return All;
}

const Pair *Pairs::findMeeting(ArrayRef<Pair> All) const {
  SmallVector<Direction, 8> Where(Depth + 1, Direction::Same);
  const auto *It = find_if(All, [&](const Pair &P) {
    Where.back() = P.Where;
    return D.mayMeet(*P.A, *P.B, Where) != Dependences::Answer::No;
  });
  return It == All.end() ? nullptr : It;
}

bool Pairs::isAffine(const Poly &P) const {
  return all_of(P.terms(),
                [&](const auto &T) { return T.first.size() <= 1; }) &&
         !P.anyAtom([&](AtomId Id) {
           const Atom &A = K.Atoms[Id];
           if (A.K == Atom::FloorDiv || A.K == Atom::Mod)
             return A.Den.getConstant().value_or(0) < 1 || !isAffine(A.Num);
           return A.K != Atom::Axis;
         });
}

bool Pairs::isExact(const MemoryUse &U) const {
  auto IsAffine = [&](const Poly &P) { return isAffine(P); };
  return all_of(U.X->Subs, IsAffine) && IsAffine(U.X->offset()) &&
         all_of(U.domain(),
                [&](const Constraint &C) { return isAffine(C.P); }) &&
         all_of(U.Path, [&](const Node *N) {
           return all_of(K.Axes[N->Ax].Extents, IsAffine) &&
                  all_of(K.Axes[N->Ax].Begins, IsAffine);
         });
}

bool Pairs::isExact(const Pair &P) const {
  return isExact(*P.A) && isExact(*P.B);
}

namespace {

/// Numbers for the parameters of a kernel.
class Numbers {
public:
  explicit Numbers(uint64_t Seed) : Engine(Seed) {}
  /// \p To is \p K with numbers that its needs allow. False: none were found.
  bool draw(const Kernel &K, Kernel &To);
  std::string print(const Kernel &K) const;

private:
  int64_t drawOne(bool IsSigned);
  void replace(const Kernel &K, Kernel &To) const;

  std::mt19937_64 Engine;
  SmallVector<int64_t, 8> Values;
};

} // namespace

int64_t Numbers::drawOne(bool IsSigned) {
  constexpr int64_t Some[] = {1, 2, 3, 4, 5, 8, 16, 17, 64, 300};
  int64_t Value = Some[Engine() % std::size(Some)];
  return IsSigned && Engine() % 16 == 0 ? 1 - Value : Value;
}

void Numbers::replace(const Kernel &K, Kernel &To) const {
  copyKernel(K, To);
  auto GetNumber = [&](const Atom &A) -> std::optional<Poly> {
    return A.K == Atom::Param ? std::optional(Poly(Values[A.Ref]))
                              : std::nullopt;
  };
  substituteBelow(To, To.Root, GetNumber);
  for (Need &N : To.Needs)
    N.P = substituteAtoms(To, N.P, GetNumber);
}

/// Whether the axes in \p P are all on \p Path.
static bool isBelow(const Kernel &K, const Poly &P,
                    ArrayRef<const Node *> Path) {
  return !K.anyNestedAtom(P, [&](const Atom &A) {
    return A.K == Atom::Axis &&
           none_of(Path, [&](const Node *N) { return N->Ax == A.Ref; });
  });
}

/// Whether the ranges \p Needs are certain in \p K, which does not assume
/// them.
static bool holds(const Kernel &K, ArrayRef<Need> Needs) {
  const Dependences D(K);
  auto IsAtLeastZero = [&](const Poly &P) {
    if (std::optional<int64_t> Value = P.getConstant())
      return *Value >= 0;
    // In all rounds of its axes: not only where loops inside have some.
    auto It = find_if(
        D.uses(), [&](const MemoryUse &U) { return isBelow(K, P, U.Path); });
    if (It == D.uses().end())
      return false;
    ArrayRef<const Node *> Path = It->Path;
    while (!Path.empty() && isBelow(K, P, Path.drop_back()))
      Path = Path.drop_back();
    return D.isAtLeastZero(P, Path);
  };
  // Numbers are small: of bounds that are not, nothing has to be asked.
  constexpr int64_t Large = int64_t(1) << 40;
  return all_of(Needs, [&](const Need &N) {
    return N.K != Need::InRange ||
           ((N.Lo < -Large || IsAtLeastZero(N.P - Poly(N.Lo))) &&
            (N.Hi > Large || IsAtLeastZero(Poly(N.Hi) - N.P)));
  });
}

bool Numbers::draw(const Kernel &K, Kernel &To) {
  constexpr unsigned Tries = 24;
  for (unsigned Try = 0; Try < Tries; ++Try) {
    Values.clear();
    for (const Param &P : K.Params)
      Values.push_back(drawOne(P.Signed));
    To = Kernel();
    replace(K, To);
    std::vector<Need> Needs = std::move(To.Needs);
    To.Needs.clear();
    bool Divides = all_of(To.Atoms, [](const Atom &A) {
      return (A.K != Atom::FloorDiv && A.K != Atom::Mod) ||
             A.Den.getConstant().value_or(1) >= 1;
    });
    if (!Divides || !holds(To, Needs))
      continue;
    copy_if(Needs, std::back_inserter(To.Needs),
            [](const Need &N) { return N.K != Need::InRange; });
    return true;
  }
  return false;
}

std::string Numbers::print(const Kernel &K) const {
  KernelText Text(K);
  std::string Result;
  for (auto [Id, Value] : enumerate(Values))
    Result += (Id ? " " : "") + Text.param(static_cast<ParamId>(Id)) + "=" +
              std::to_string(Value);
  return Result;
}

namespace {

/// That rounds of an axis are apart, or that its first children may run ahead,
/// and who says so.
struct Claim {
  unsigned Number = 0; ///< of the axis, in the order of the text
  unsigned Split = 0;  ///< 0: of all children
  bool Quick = false, Sets = false, Stated = false;
};

class Checker {
public:
  Checker(const Kernel &K, bool Stated,
          std::vector<std::string> &Contradictions)
      : K(K), Contradictions(Contradictions) {
    collect(K.Root, {}, Stated);
    askSets();
  }
  DependenceCounts run(uint64_t Seed);

private:
  void collect(const Node &N, ArrayRef<AxisId> Around, bool Stated);
  void askSets();
  void compare(const Kernel &Concrete, const Numbers &With, bool Stated);
  void report(const Claim &C, const Pair &P, const Numbers &With, bool Stated);
  SmallVector<Pair, 16> getPairs(const Pairs &Of, const Node &N,
                                 const Claim &C) const {
    return C.Split ? Of.ofSplit(N, C.Split) : Of.ofRounds();
  }

  const Kernel &K;
  std::vector<std::string> &Contradictions;
  std::vector<Claim> Claims;
  /// With what the claims need.
  Kernel Assumed;
  std::vector<Need> Needs;
  std::optional<AxisRoles> Roles;
  unsigned NumAxes = 0;
  DependenceCounts Counts;
};

} // namespace

/// The axes in the order of the text.
static void collectNodes(const Node &N, SmallVectorImpl<const Node *> &To) {
  if (N.K == Node::AxisNode)
    To.push_back(&N);
  for (const auto &Child : N.Children)
    collectNodes(*Child, To);
}

void Checker::collect(const Node &N, ArrayRef<AxisId> Around, bool Stated) {
  SmallVector<AxisId, 6> Inside(Around);
  const Dependences D(K);
  if (!Roles) {
    Roles = D.findRoles();
    Needs = Roles->Needs;
  }
  if (N.K == Node::AxisNode) {
    Inside.push_back(N.Ax);
    Claim C;
    C.Number = NumAxes++;
    C.Quick = Roles->get(N.Ax) == Role::Parallel;
    C.Stated = Stated && K.Axes[N.Ax].R == Role::Parallel;
    Claims.push_back(C);
    C.Stated = false;
    for (C.Split = 1; C.Split < N.Children.size(); ++C.Split) {
      auto More = D.mayRunAhead(N, Inside, C.Split);
      C.Quick = More.has_value();
      if (More)
        append_range(Needs, std::move(*More));
      Claims.push_back(C);
    }
  }
  for (const auto &Child : N.Children)
    collect(*Child, Inside, Stated);
}

void Checker::askSets() {
  copyKernel(K, Assumed);
  adoptNeeds(Assumed, Needs);
  const Dependences D(Assumed);
  SmallVector<const Node *, 8> Nodes;
  collectNodes(Assumed.Root, Nodes);
  Counts.Kernels = 1;
  for (Claim &C : Claims) {
    const Node &N = *Nodes[C.Number];
    const Pairs Of(Assumed, D, N);
    C.Sets = !Of.findMeeting(getPairs(Of, N, C));
    ++(C.Quick ? (C.Sets ? Counts.Both : Counts.Quick)
               : (C.Sets ? Counts.Sets : Counts.Neither));
  }
}

void Checker::report(const Claim &C, const Pair &P, const Numbers &With,
                     bool Stated) {
  KernelText Text(K);
  SmallVector<const Node *, 8> Nodes;
  collectNodes(K.Root, Nodes);
  auto Say = [&](bool Says, StringRef Who) {
    if (Says)
      Contradictions.push_back(
          ("axis '" + Text.axis(Nodes[C.Number]->Ax) + "'" +
           (C.Split ? ", children " + std::to_string(C.Split) + " and on"
                    : "") +
           ": " + Text.access(*P.A->X) + " and " + Text.access(*P.B->X) +
           " meet" + (K.Params.empty() ? "" : " at " + With.print(K)) +
           ", not so by " + Who)
              .str());
  };
  Say(!Stated && C.Quick, "polynomials");
  Say(!Stated && C.Sets, "sets");
  Say(Stated, "the text");
}

/// Holds claims against \p Concrete, the kernel with numbers: \p Stated, those
/// of the text, which may rely on the kernel's own needs alone, or the others.
void Checker::compare(const Kernel &Concrete, const Numbers &With,
                      bool Stated) {
  const Dependences D(Concrete);
  SmallVector<const Node *, 8> Nodes;
  collectNodes(Concrete.Root, Nodes);
  for (Claim &C : Claims) {
    if (Stated ? !C.Stated : !C.Quick && !C.Sets)
      continue;
    const Node &N = *Nodes[C.Number];
    const Pairs Of(Concrete, D, N);
    SmallVector<Pair, 16> All = getPairs(Of, N, C);
    erase_if(All, [&](const Pair &P) { return !Of.isExact(P); });
    Counts.Compared += !All.empty();
    if (const Pair *P = Of.findMeeting(All)) {
      report(C, *P, With, Stated);
      // Once.
      if (Stated)
        C.Stated = false;
      else
        C.Quick = C.Sets = false;
    }
  }
}

DependenceCounts Checker::run(uint64_t Seed) {
  Numbers With(Seed);
  constexpr unsigned Samples = 2;
  for (unsigned I = 0; I < Samples; ++I) {
    Kernel Concrete;
    if (With.draw(Assumed, Concrete))
      compare(Concrete, With, /*Stated=*/false);
    if (any_of(Claims, [](const Claim &C) { return C.Stated; }) &&
        With.draw(K, Concrete))
      compare(Concrete, With, /*Stated=*/true);
  }
  return Counts;
}

DependenceCounts
dlopt::checkDependences(const Kernel &K, uint64_t Seed, bool Stated,
                        std::vector<std::string> &Contradictions) {
  // Polynomials are not asked about blocks.
  if (K.isScheduled())
    return DependenceCounts();
  return Checker(K, Stated, Contradictions).run(Seed);
}
