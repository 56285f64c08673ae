//===- MatcherAxes.cpp - Which axes formulas are about --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Matcher.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Whether \p P, an index, depends on loaded numbers.
static bool isLoaded(const Kernel &K, const Poly &P) {
  return K.anyNestedAtom(P, [](const Atom &Of) { return Of.K == Atom::Load; });
}

static bool isLonger(const Poly &X, const Poly &Y) {
  if (X == Y)
    return false;
  std::optional<int64_t> CX = X.getConstant(), CY = Y.getConstant();
  if (CX && CY)
    return *CX > *CY;
  if (CX || CY)
    return CY.has_value();
  return X.divideExactly(Y).has_value();
}

/// The step of \p Index along an axis, if all are equal.
static std::optional<Poly> getStep(const Kernel &K, const Poly &Index,
                                   AxisId Ax) {
  for (const auto &[Id, Of] : enumerate(K.Atoms))
    if (Of.K == Atom::Axis && Of.Ref == Ax)
      return Index.coefficient(Id);
  return Poly();
}

/// Whether steps along \p X are longer than along \p Y.
bool Matcher::isFarther(const Poly &Index, AxisId X, AxisId Y) const {
  std::optional<Poly> StepX = getStep(K, Index, X),
                      StepY = getStep(K, Index, Y);
  return StepX && StepY && isLonger(*StepX, *StepY);
}

SmallVector<AxisId, 4> dlopt::getOrderOfAxes(const Kernel &K, const Algebra &A,
                                             const Poly &Index) {
  SmallVector<std::pair<AxisId, std::optional<Poly>>, 4> Steps;
  AxisSet Deps = A.depsOf(Index);
  for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax) {
    if (!(Deps >> Ax & 1))
      continue;
    std::optional<Poly> Step = getStep(K, Index, Ax);
    auto *At = find_if(Steps, [&](const auto &Of) {
      return Step && Of.second && isLonger(*Step, *Of.second);
    });
    Steps.insert(At, {Ax, std::move(Step)});
  }
  return to_vector<4>(make_first_range(Steps));
}

const SymbolicAtom *Matcher::getArray(char Letter) const {
  std::optional<ExprId> At = B.Letters.get(Letter);
  const SymbolicAtom *X = At ? A.getAtom(*At) : nullptr;
  return X && X->K == SymbolicAtom::Load ? X : nullptr;
}

/// Of a step in memory.
static bool isNegative(const Poly &P) {
  return !P.terms().empty() &&
         all_of(P.terms(), [](const auto &T) { return T.second < 0; });
}

/// Whether \p X is no element of its own for each one that is written, and in
/// the same order.
bool Matcher::isRepeated(const SymbolicAtom &X) const {
  SmallVector<AxisId, 4> From = getOrder(X.Index), To = getOrder(Target.Index);
  size_t All = To.size();
  erase_if(To, [&](AxisId Ax) { return !is_contained(From, Ax); });
  return From == To && !From.empty() && From.size() < All;
}

/// Whether quotients of axes take their place in the index of \p X.
bool Matcher::isStretched(const SymbolicAtom &X) const {
  bool Any = false;
  for (const auto &[Factors, Coef] : X.Index.terms())
    for (AtomId Id : Factors) {
      const Atom &Of = K.Atoms[Id];
      if (Of.K == Atom::Mod)
        return false;
      Any |= Of.K == Atom::FloorDiv && A.depsOf(Of.Num);
    }
  return Any && getOrder(X.Index).size() == getOrder(Target.Index).size();
}

/// The rows of maps that move elements.
bool Matcher::hasOrder(Over Axes) const {
  const SymbolicAtom *X = getMoved();
  if (!X)
    return false;
  bool IsLoaded = ::isLoaded(K, X->Index);
  if (IsLoaded || Axes == Over::Gathered || Axes == Over::LookedUp)
    return IsLoaded && (Axes == Over::Gathered ||
                        (Axes == Over::LookedUp && isLookedUp(*X)));
  switch (Axes) {
  case Over::Part:
    return isPart(*X);
  case Over::Rolled:
  case Over::Wrapped:
    return isWrapped(*X, Axes == Over::Rolled);
  case Over::Repeated:
    return isRepeated(*X);
  case Over::Stretched:
    return isStretched(*X);
  case Over::Unfolded:
    return countWindows(X->Index, X->Deps, X->Deps) &&
           !countWindows(Target.Index, Target.Deps, Target.Deps);
  case Over::Exchanged:
    return X->Ref != Target.Buf && hasOrderOfAxes(*X, Over::Same);
  default:
    return hasOrderOfAxes(*X, Axes);
  }
}

/// Same, Reversed, Swapped, Permuted.
bool Matcher::hasOrderOfAxes(const SymbolicAtom &X, Over Axes) const {
  SmallVector<AxisId, 4> From = getOrder(X.Index), To = getOrder(Target.Index);
  joinTiles(X, From, To);
  // Elements that change places with others are no copy, unless all of them
  // move by as much.
  bool IsInPlace = X.Ref == Target.Buf && Axes == Over::Same &&
                   !(X.Index - Target.Index).getConstant();
  if (From.size() != To.size() || IsInPlace)
    return false;
  // What is divided has no step.
  auto HasStep = [&](const Poly &Index, AxisId Ax) {
    return Index.uses(K.getAxisAtom(Ax));
  };
  if (!all_of(From, [&](AxisId Ax) {
        return HasStep(X.Index, Ax) && HasStep(Target.Index, Ax);
      }))
    return false;
  bool Reverses = any_of(From, [&](AxisId Ax) {
    AtomId Id = K.getAxisAtom(Ax);
    std::optional<Poly> X1 = X.Index.coefficient(Id);
    std::optional<Poly> T1 = Target.Index.coefficient(Id);
    return X1 && T1 && isNegative(*X1) != isNegative(*T1);
  });
  unsigned Moved = 0;
  for (auto [I, J] : zip(From, To))
    Moved += I != J;
  if (Reverses || Axes == Over::Reversed)
    return Axes == Over::Reversed && Reverses && !Moved;
  return Axes == Over::Same      ? Moved == 0
         : Axes == Over::Swapped ? Moved == 2
                                 : Moved > 2;
}

/// The axes of statistics, scales and shifts.
bool Matcher::hasStatistics(Over Axes) const {
  const SymbolicAtom *X = getArray('x');
  AxisSet Of = 0;
  bool HasOthers = false, AllSame = true, Mixed = false;
  for (char Letter : StringRef(Axes == Over::Channels ? "gbmvr" : "gb"))
    if (const SymbolicAtom *Y = getArray(Letter)) {
      AllSame &= !HasOthers || Y->Deps == Of;
      Mixed |= (Y->Deps & B.Row) && (Y->Deps & ~B.Row);
      Of |= Y->Deps;
      HasOthers = true;
    }
  if (!X)
    return false;
  SmallVector<AxisId, 4> Order = getOrder(X->Index);
  if (Order.empty())
    return false;
  bool Outermost = B.Row >> Order[0] & 1;
  bool Whole = !(X->Deps & ~B.Row);
  switch (Axes) {
  case Over::Channels:
    return AllSame && Of && (!(Of >> Order[0] & 1) || getArray('g'));
  case Over::Normalized: {
    const SymbolicAtom *M = getArray('m'), *R = getArray('r');
    return M && R && M->Deps == R->Deps && M->Deps && M->Deps != X->Deps;
  }
  case Over::Rows:
    return (!Outermost || Whole) && !(Of & ~B.Row);
  case Over::Batch:
    return Outermost && !Whole && !(Of & B.Row);
  case Over::Groups:
    return !Outermost && Mixed;
  default: // Instances
    return !Outermost && HasOthers && Of && !(Of & B.Row);
  }
}

/// The types of x's array and of the result.
bool Matcher::hasTypes(Over Axes) const {
  const SymbolicAtom *X = getArray('x');
  if (!X || ::isLoaded(K, Target.Index))
    return false;
  ScalarType From = K.Buffers[X->Ref].Ty, To = K.Buffers[Target.Buf].Ty;
  auto IsNarrow = [](ScalarType Ty) {
    return !isFloat(Ty) && getBitWidth(Ty) <= 16;
  };
  // A scale is more than that, or there is one for several elements.
  if (const SymbolicAtom *G = getArray('g');
      G && G->Deps == X->Deps && IsNarrow(K.Buffers[G->Ref].Ty))
    return false;
  switch (Axes) {
  case Over::Narrow: {
    const SymbolicAtom *Y = getArray('y');
    return Y && IsNarrow(From) && IsNarrow(K.Buffers[Y->Ref].Ty) &&
           IsNarrow(To);
  }
  case Over::Quantized:
    return isFloat(From) && !isFloat(To) && getBitWidth(To) <= 16;
  case Over::Dequantized:
    return !isFloat(From) && isFloat(To);
  case Over::Requantized:
    return !isFloat(From) && !isFloat(To) &&
           (getBitWidth(From) > getBitWidth(To) ||
            (From == To && getBitWidth(To) == 8));
  default: // Converted
    return From != To && hasOrderOfAxes(*X, Over::Same);
  }
}

/// Whether the condition is that an index is a loaded number, or another index.
bool Matcher::isIndexed() const {
  for (char Letter : {'w', 'c'}) {
    std::optional<ExprId> At = B.Letters.get(Letter);
    const SymbolicAtom *C = At ? A.getAtom(*At) : nullptr;
    if (!C || C->K != SymbolicAtom::Equal)
      continue;
    unsigned Loads = 0, Indices = 0, Others = 0;
    A.forEachAtom(C->Args[0], [&](uint32_t Id) {
      const SymbolicAtom &X = A.atom(Id);
      bool IsIndex = X.K == SymbolicAtom::Integer && X.Deps;
      Loads += X.K == SymbolicAtom::Load;
      Indices += IsIndex;
      Others += !IsIndex && X.K != SymbolicAtom::Load;
    });
    return !Others && (Letter == 'w' ? Loads == 1 && Indices == 1
                                     : Indices == 2 && !Loads);
  }
  return false;
}

/// Whether the function of indices goes by equal steps along each axis.
bool Matcher::isLinear() const {
  std::optional<ExprId> At = B.Letters.get('a');
  return At && all_of(A.terms(*At), [&](const Term &T) {
           unsigned Moving = 0;
           bool AreAxes = true;
           for (const Factor &F : T.Factors)
             if (const SymbolicAtom &X = A.atom(F.Atom); X.Deps) {
               ++Moving;
               AreAxes &=
                   F.Power == 1 && X.K == SymbolicAtom::Integer &&
                   isPowerOf2_64(X.Deps) &&
                   X.Index == Poly::atom(K.getAxisAtom(countr_zero(X.Deps)));
             }
           return AreAxes && Moving <= 1;
         });
}

/// Whether the condition is that the column is behind that of the diagonal, or
/// of another one if that is loaded or a parameter.
bool Matcher::isCausal() const {
  std::optional<ExprId> At = B.Letters.get('c');
  if (!At)
    return false;
  const SymbolicAtom *C = A.getAtom(*At);
  bool Holds = C;
  if (!C)
    C = A.getAtom(A.negate(*At));
  if (!C || C->K != SymbolicAtom::Greater)
    return false;
  std::optional<AxisId> Axis[2];
  double Coef[2] = {0, 0};
  unsigned Axes = 0;
  bool HasOffset = false;
  for (const Term &T : A.terms(C->Args[0])) {
    const SymbolicAtom *X =
        T.Factors.size() == 1 ? &A.atom(T.Factors[0].Atom) : nullptr;
    if (!X || X->K != SymbolicAtom::Integer || !X->Deps) {
      HasOffset = true;
      continue;
    }
    if (Axes == 2 || !isPowerOf2_64(X->Deps))
      return false;
    Axis[Axes] = countr_zero(X->Deps);
    Coef[Axes++] = T.Coef;
  }
  if (Axes != 2 || Coef[0] != -Coef[1])
    return false;
  bool FirstIsRow = isFarther(Target.Index, *Axis[0], *Axis[1]);
  if (!FirstIsRow && !isFarther(Target.Index, *Axis[1], *Axis[0]))
    return false;
  // The column is greater than the row, or not less than it.
  bool IsBehind = Coef[FirstIsRow] > 0;
  return IsBehind == Holds &&
         (HasOffset || (Holds ? C->Bound >= 0 : C->Bound < 0));
}

/// Whether there is a condition for each element of x, by another array.
bool Matcher::isDropped() const {
  std::optional<ExprId> At = B.Letters.get('w');
  const SymbolicAtom *X = getArray('x');
  return X && At && A.deps(*At) == X->Deps;
}

/// Whether all letters are elements of one array.
bool Matcher::haveOneArray() const {
  const SymbolicAtom *X = getArray('x');
  return X && all_of(StringRef("yzd"), [&](char Letter) {
           const SymbolicAtom *Y = getArray(Letter);
           return !Y || Y->Ref == X->Ref;
         });
}

/// Whether two letters are elements that are a number of others apart.
bool Matcher::areNeighbours() const {
  const SymbolicAtom *X = getArray('x');
  return any_of(StringRef("yzd"), [&](char Letter) {
    const SymbolicAtom *Y = getArray(Letter);
    return Y && (Y->Index - X->Index).getConstant();
  });
}

/// Whether two letters are neighbours in an array that x is not in, as the real
/// and the imaginary part of a number are: state and gradients are arrays of
/// their own, or with the weights in one of structs.
bool Matcher::haveParts() const {
  const SymbolicAtom *X = getArray('x');
  constexpr StringLiteral Others = "yzdmv";
  return X && any_of(Others, [&](char Letter) {
           const SymbolicAtom *Y = getArray(Letter);
           return Y && Y->Ref != X->Ref && any_of(Others, [&](char Other) {
                    const SymbolicAtom *Z = getArray(Other);
                    return Z && Z != Y && Z->Ref == Y->Ref &&
                           (Z->Index - Y->Index).getConstant();
                  });
         });
}

/// Whether the result takes the place of x, or moments do that of theirs and
/// the new weights are stored elsewhere.
bool Matcher::isUpdate() const {
  const SymbolicAtom *X = getArray('x');
  if (!X)
    return false;
  if (X->Ref == Target.Buf && X->Index == Target.Index)
    return true;
  bool IsStepFrom = any_of(A.terms(E), [&](const Term &T) {
    return T.Coef == 1 && T.Factors.size() == 1 && T.Factors[0].Power == 1 &&
           &A.atom(T.Factors[0].Atom) == X;
  });
  bool Any = false;
  for (char Letter : {'m', 'v'})
    if (const SymbolicAtom *Y = getArray(Letter)) {
      if (!Moments.count(Y->Ref))
        return false;
      Any = true;
    }
  return Any && IsStepFrom && !Moments.count(X->Ref);
}

bool Matcher::hasAxes(Over Axes) const {
  const SymbolicAtom *X = getArray('x');
  switch (Axes) {
  case Over::Any:
    return true;
  case Over::Update:
    return isUpdate() && !haveParts();
  case Over::Rotated: {
    const SymbolicAtom *Y = getArray('y');
    return X && Y && X->Ref == Y->Ref;
  }
  case Over::Centred: {
    const SymbolicAtom *M = getArray('m');
    return !M || !(M->Deps & B.Row);
  }
  case Over::Padded:
    return Is.HasBorders && X && X->Ref != Target.Buf &&
           hasOrderOfAxes(*X, Over::Same);
  case Over::Indexed:
    return isIndexed();
  case Over::Linear:
    return isLinear();
  case Over::Distance:
    return isDistance();
  case Over::Sampled:
  case Over::SampledEach:
    return isSampled(Axes);
  case Over::Pooled:
  case Over::Unpooled:
    return Is.IsGain == (Axes == Over::Pooled) && isUnpooled();
  case Over::AddedTo:
    return Is.IsGain && ::isLoaded(K, Target.Index);
  case Over::ScatteredTo:
    return ::isLoaded(K, Target.Index);
  case Over::Causal:
    return isCausal();
  case Over::Dropped:
    return isDropped();
  case Over::Folded:
    return isFolded();
  case Over::Spread:
    return isSpread();
  case Over::Neighbours:
    return haveOneArray() && areNeighbours();
  case Over::Shuffled:
  case Over::Unshuffled:
    return X && isShuffled(*X, Axes);
  case Over::Outer:
    return isOuter();
  case Over::Matrices:
  case Over::MatrixVector:
  case Over::Products:
  case Over::Vectors:
    return isProduct(Axes);
  case Over::Quantized:
  case Over::Dequantized:
  case Over::Requantized:
  case Over::Converted:
  case Over::Narrow:
    return hasTypes(Axes);
  case Over::Rows:
  case Over::Batch:
  case Over::Groups:
  case Over::Instances:
  case Over::Channels:
  case Over::Normalized:
    return hasStatistics(Axes);
  default:
    break;
  }
  if (Axes >= Over::Windows && Axes <= Over::Grouped3)
    return hasWindows(Axes);
  if (Axes >= Over::Scattered1 && Axes <= Over::Scattered3)
    return isScattered(Axes);
  return hasOrder(Axes);
}
