//===- DotRows.cpp - Sums along rows of narrow integers -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A vector times a matrix whose rows are neighbours, and the same in groups
/// that have a scale each:
///
///   for (i) { v = 0;
///             for (g) { s = 0; for (k) s += w[i,g,k] * x[g,k];
///                       v += s * scale[i,g]; }
///             y[i] = v; }
///
/// Nothing is copied: each row of a block has a register of partial sums, which
/// lanes along the row add to, and at the end of a group these become one
/// register of sums, in which rows are lanes for all that is made of them. The
/// order of sums of floats stays what it is.
///
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "dlopt/Transform.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

/// Rows of a block: more are streams that compete for the ways of L1, of which
/// they share one set where rows are a multiple of a page apart.
static constexpr unsigned MostRows = 8;

/// As many as a vector has sums: they are lanes of what is made of these.
static unsigned countRows(const TargetModel &T) {
  return std::min(T.VectorBits / 32, MostRows);
}

/// Of a cache; vectors of a row in a copy of the loop.
static constexpr uint64_t LineSize = 64, MostRun = 2;

namespace {

/// A node with locals, leaves, and one loop: of the next one, or of the sum.
struct Level {
  const Node *N = nullptr;
  size_t Loop = 0; ///< which of the children
};

/// One of the sums of the innermost loop.
struct RowSum {
  BufferId Local = 0;
  DotRoles Dot;
  InstructionRow Row;
  /// Of what rows have: a number of that type and another one, which multiplies
  /// a sum that all rows share.
  std::optional<FactorType> OffsetTo;
};

struct DotRows {
  SmallVector<AxisId, 4> Outer;
  AxisId Lane = 0, Depth = 0;
  SmallVector<Level, 2> Levels; ///< outermost first
  SmallVector<RowSum, 2> Sums;
};

class RowsWriter {
public:
  RowsWriter(Kernel &K, const DotRows &R, const TargetModel &T)
      : K(K), R(R), T(T), Row(R.Sums.front().Row) {}
  ScriptHoles write();

private:
  void nameAll();
  void joinSums();
  void writeOffset(size_t Number);
  size_t countSums() const { return IsJoined ? 1 : R.Sums.size(); }
  bool isJoined(BufferId Local) const;
  /// Whether rows of a block are one instruction (MostBitsTogether).
  bool isTogether() const {
    unsigned Bits = Row.Lanes * getBitWidth(Row.Sum);
    return Bits <= MostBitsTogether && Bits < T.VectorBits &&
           all_of(R.Sums, [&](const RowSum &S) { return getRun(S) <= 1; });
  }
  uint64_t getRun(const RowSum &S) const;
  std::string getRunAxis(size_t Number) const {
    return (getRun(R.Sums[Number]) > 1 ? "Q" : "q") + utostr(Number + 1);
  }
  void writeLevel(size_t Number);
  void writeSum(size_t Number, std::string &Names);
  void writeFetch(size_t Number);
  void add(StringRef Hole, const Twine &Text) {
    Holes[Hole].push_back(Text.str());
  }

  Kernel &K;
  const DotRows &R;
  const TargetModel &T;
  const InstructionRow &Row;            ///< as long for all sums
  bool IsJoined = false;                ///< all sums are the first one
  SmallVector<std::string, 8> LaneAxes; ///< in which rows are lanes
  ScriptHoles Holes;
};

} // namespace

/// The loop of \p N, which is all that is in it but leaves.
static bool findLevel(const Node &N, Level &L) {
  L.N = &N;
  size_t Loops = 0;
  for (auto [I, Child] : enumerate(N.Children)) {
    if (Child->K == Node::Sequence)
      return false;
    if (Child->K == Node::AxisNode) {
      L.Loop = I;
      ++Loops;
    }
  }
  return Loops == 1 && !N.Locals.empty();
}

/// Fills in the nest, from the outermost axis inwards.
static bool findNest(const Kernel &K, DotRows &R, const Node *&Loop) {
  const Node *N = &K.Root;
  SmallVector<AxisId, 4> Parallel;
  while (N->Locals.empty() && N->Children.size() == 1 &&
         N->Children[0]->K == Node::AxisNode &&
         K.Axes[N->Children[0]->Ax].R == Role::Parallel) {
    N = N->Children[0].get();
    Parallel.push_back(N->Ax);
  }
  if (Parallel.empty())
    return false;
  R.Lane = Parallel.pop_back_val();
  R.Outer = std::move(Parallel);
  for (;;) {
    Level L;
    if (!findLevel(*N, L))
      return false;
    R.Levels.push_back(L);
    N = N->Children[L.Loop].get();
    if (!N->Locals.empty())
      continue;
    R.Depth = N->Ax;
    Loop = N;
    return all_of(N->Children, [](const auto &Child) {
      return Child->K == Node::LeafNode && Child->L.Domain.empty();
    });
  }
}

static bool hasKnownBounds(const Kernel &K, AxisId A) {
  return K.hasFixedExtents(A) && K.Axes[A].Extents.size() == 1 &&
         !K.Axes[A].isCondition();
}

/// Whether there are rows of what lanes share, too, which had better share what
/// each lane has (Dots.cpp).
static bool isMatrix(const Kernel &K, const DotRows &R, const DotRoles &Dot) {
  constexpr uint64_t FewRows = 4;
  return any_of(R.Outer, [&](AxisId A) {
    return K.dependsOn(Dot.Shared.Load->Acc, A) &&
           !K.dependsOn(Dot.Own.Load->Acc, A) &&
           getRounds(K, A).value_or(FewRows) >= FewRows;
  });
}

/// The sum that \p L adds to: along the row both factors are neighbours, along
/// lanes they are not.
static std::optional<RowSum> findSum(const Kernel &K, const DotRows &R,
                                     const Leaf &L) {
  DotFactor X, Y;
  if (!findFactors(K, L, X, Y) || isFloat(X.Ty.Ty) || isFloat(Y.Ty.Ty))
    return std::nullopt;
  for (DotFactor *F : {&X, &Y})
    if (F->IsConverted && fits(K, *F->Fits, ScalarType::I8))
      F->Ty.Ty = ScalarType::I8;
  if (!K.dependsOn(Y.Load->Acc, R.Lane))
    std::swap(X, Y);
  RowSum S;
  S.Local = L.Assigns.front().Target.Buf;
  if (!K.dependsOn(Y.Load->Acc, R.Lane) ||
      isStride(K, Y.Load->Acc, R.Lane, 1) ||
      !isStride(K, X.Load->Acc, R.Depth, 1) ||
      !isStride(K, Y.Load->Acc, R.Depth, 1) ||
      !is_contained(R.Levels.back().N->Locals, S.Local))
    return std::nullopt;
  S.Dot.Depth = R.Depth;
  S.Dot.Shared = std::move(X);
  S.Dot.Own = std::move(Y);
  return S;
}

/// The instruction for \p S of the most lanes that a row fills.
static bool chooseRow(const Kernel &K, AxisId Lane, const TargetModel &T,
                      RowSum &S) {
  // Numbers are added to what each row has, if rows share the rest.
  DotRoles Dot = S.Dot;
  std::swap(Dot.Shared, Dot.Own);
  bool IsShared = !K.dependsOn(S.Dot.Shared.Load->Acc, Lane);
  std::optional<DotChoice> Choice = chooseDot(Dot, T, IsShared);
  if (!Choice)
    return false;
  if (Choice->HasOffset)
    S.OffsetTo = Choice->Shared;
  uint64_t Rounds = getRounds(K, Dot.Depth).value_or(UINT64_MAX);
  for (auto [I, Row] : enumerate(getDots()))
    if (Row.Name == Choice->Row.Name && (T.Dots >> I & 1) &&
        Row.Lanes <= Choice->Row.Lanes && Row.Lanes * Row.Depth <= Rounds) {
      S.Row = Row;
      return true;
    }
  return false;
}

static std::optional<DotRows> findDotRows(const Kernel &K, const TargetModel &T,
                                          bool IsOfFew) {
  DotRows R;
  const Node *Loop = nullptr;
  if (!findNest(K, R, Loop) || !hasKnownBounds(K, R.Lane) ||
      !hasKnownBounds(K, R.Depth))
    return std::nullopt;
  // Each has loops of its own, about which each step asks.
  constexpr size_t MostSums = 8;
  if (Loop->Children.size() > MostSums)
    return std::nullopt;
  for (const auto &Child : Loop->Children) {
    std::optional<RowSum> S = findSum(K, R, Child->L);
    if (!S || (!IsOfFew && isMatrix(K, R, S->Dot)) ||
        !chooseRow(K, R.Lane, T, *S) ||
        any_of(R.Sums, [&](const RowSum &Other) {
          return Other.Row.Lanes != S->Row.Lanes ||
                 Other.Row.Depth != S->Row.Depth || Other.Local == S->Local;
        }))
      return std::nullopt;
    R.Sums.push_back(std::move(*S));
  }
  bool HasRows = getRounds(K, R.Lane).value_or(UINT64_MAX) >=
                 (R.Sums.empty() ? 0 : countRows(T));
  return !R.Sums.empty() && HasRows ? std::optional(std::move(R))
                                    : std::nullopt;
}

void RowsWriter::nameAll() {
  KernelText Text(K);
  for (auto [I, B] : enumerate(K.Buffers))
    if (!B.IsLocal)
      B.Name = Text.bufferName(static_cast<BufferId>(I)).str();
  for (auto [I, A] : enumerate(R.Outer))
    K.Axes[A].Name = "p" + utostr(I + 1);
  K.Axes[R.Lane].Name = "x";
  K.Axes[R.Depth].Name = R.Sums.size() == 1 ? "k1" : "k";
  for (auto [I, L] : enumerate(R.Levels)) {
    if (I)
      K.Axes[L.N->Ax].Name = "g" + utostr(I);
    for (auto [J, Local] : enumerate(L.N->Locals))
      K.Buffers[Local].Name = "t" + utostr(I) + "_" + utostr(J + 1);
  }
  for (auto [I, S] : enumerate(R.Sums))
    K.Buffers[S.Local].Name = "s" + utostr(I + 1);
}

/// Sums that are read as the sum of all of them alone have one tree.
void RowsWriter::joinSums() {
  Kernel Trial, Plain;
  copyKernel(K, Trial);
  copyKernel(K, Plain);
  SmallVector<std::string, 2> Lines;
  for (size_t I = 1; I < R.Sums.size(); ++I) {
    Lines.push_back("s" + utostr(I + 1) + " s1");
    if (R.Sums[I].Row.Name != Row.Name)
      return;
    if (Error E = applyStep(Trial, Plain, "join " + Lines.back())) {
      consumeError(std::move(E));
      return;
    }
  }
  IsJoined = !Lines.empty();
  if (!IsJoined)
    return;
  K.Axes[R.Depth].Name = "k1";
  for (const std::string &Line : Lines)
    add("row.joined", Line);
  add("row.terms", "l1");
  add("row.terms", "u1");
  if (isTogether())
    add("row.terms", "c1");
}

/// What is added to numbers of a row multiplies the sum of what all rows share,
/// which is made for all rows of a block, by the same instruction.
void RowsWriter::writeOffset(size_t Number) {
  const RowSum &S = R.Sums[Number];
  if (!S.OffsetTo)
    return;
  std::string Own = utostr(Number + 1), Sum = IsJoined ? "s1" : "s" + Own;
  std::string To = getName(*S.OffsetTo);
  std::string Buffer = KernelText(K).buffer(S.Dot.Own.Load->Acc.Buf);
  std::string Line = Sum + " " + Buffer + " " + To;
  if (!is_contained(Holes["row.offset"], Line))
    add("row.offset", Line);
  std::string Around =
      R.Levels.size() == 1 ? "X" : "g" + utostr(R.Levels.size() - 1);
  add("row.distributed", Sum + " " + Around + " o" + Own);
  add("row.shared", "o" + Own + " " + K.Axes[R.Depth].Name + " " +
                        Twine(Row.Lanes) + " " + Twine(Row.Depth) + " opart" +
                        Own + " oz" + Own + ",oq" + Own + ",ou" + Own + ",ol" +
                        Own + ",or" + Own + ",ot" + Own);
  add("row.modes", "oz" + Own + ",ol" + Own + " lanes " + Twine(Row.Lanes));
  add("row.modes", "ot" + Own + " unroll");
  add("row.steps", "ou" + Own + " row " + S.Row.Name);
}

/// Whether \p Local is a part of another sum.
bool RowsWriter::isJoined(BufferId Local) const {
  return IsJoined && any_of(drop_begin(R.Sums),
                            [&](const RowSum &S) { return S.Local == Local; });
}

/// Vectors of a row that are read before the next row's: a line of the cache.
uint64_t RowsWriter::getRun(const RowSum &S) const {
  uint64_t Terms = uint64_t(Row.Lanes) * Row.Depth;
  uint64_t Bytes =
      Terms * getSizeInBytes(K.Buffers[S.Dot.Own.Load->Acc.Buf].Ty);
  uint64_t Rounds = getRounds(K, R.Depth).value_or(UINT64_MAX) / Terms;
  return std::min({divideCeil(LineSize, Bytes), MostRun, Rounds});
}

/// The loops of one sum: for zeros, terms, the rest and what is summed of
/// these.
void RowsWriter::writeSum(size_t Number, std::string &Names) {
  const RowSum &S = R.Sums[Number];
  std::string Own = utostr(Number + 1);
  add("row.factors", "s" + Own + " k" + Own + " " + Twine(Row.Lanes) + " " +
                         Twine(Row.Depth) + " part" + Own + " z" + Own + ",q" +
                         Own + ",u" + Own + ",l" + Own + ",r" + Own + ",t" +
                         Own);
  uint64_t Run = getRun(S);
  if (Run > 1) {
    std::optional<uint64_t> Vectors = getRounds(K, R.Depth);
    if (Vectors)
      *Vectors /= Row.Lanes * Row.Depth;
    add("row.runs", "q" + Own + " Q" + Own + " " + getSizes({Run, 1}, Vectors));
    add("row.modes", "q" + Own + " unroll");
  }
  add("row.orders", getRunAxis(Number) + " c" + Own +
                        (Run > 1 ? " q" + Own : "") + " u" + Own + " l" + Own);
  add("row.orders", "t" + Own + " e" + Own);
  add("row.steps", "u" + Own + " row " + S.Row.Name);
  add("row.steps", "t" + Own + " row tree" + Twine(Row.Lanes));
  add("row.modes", "b" + Own + ",c" + Own + " unroll");
  add("row.modes", "z" + Own + ",l" + Own + " lanes " + Twine(Row.Lanes));
  Names += " b" + Own + " c" + Own;
  std::optional<uint64_t> Rounds = getRounds(K, R.Depth);
  if (!Rounds || *Rounds % (Row.Lanes * Row.Depth) != 0) {
    add("row.orders", "r" + Own + " d" + Own);
    Names += " d" + Own;
    LaneAxes.push_back("d" + Own);
  }
  Names += " e" + Own;
  LaneAxes.push_back("e" + Own);
}

/// Several rows at once may be more streams than prefetchers of the hardware
/// follow, and these stop where pages end: the next rows, which are right
/// behind these, are fetched meanwhile. They have to wait in L2, as the rows of
/// a block alone may be all ways of a set of L1. What is a small part of L2 is
/// taken to be there. (What is larger seldom is, as models have more than one
/// matrix.)
void RowsWriter::writeFetch(size_t Number) {
  const RowSum &S = R.Sums[Number];
  const Access &Own = S.Dot.Own.Load->Acc;
  Poly Bytes(getSizeInBytes(K.Buffers[Own.Buf].Ty));
  auto Add = [&](AxisId A) {
    if (K.dependsOn(Own, A))
      Bytes = Bytes * K.Axes[A].Extents.front();
  };
  Add(R.Depth);
  for (const Level &L : ArrayRef(R.Levels).drop_front())
    Add(L.N->Ax);
  if (!T.L2)
    return;
  Poly Waits = Poly(static_cast<int64_t>(T.L2 / (2 * countRows(T)))) - Bytes;
  for (AxisId A : R.Outer)
    Add(A);
  Add(R.Lane);
  Poly Far = Bytes - Poly(static_cast<int64_t>(T.L2 / 4) + 1);
  std::string Where;
  for (const Poly &P : {Waits, Far}) {
    if (P.getConstant().value_or(0) < 0)
      return;
    if (!P.getConstant())
      Where += (Where.empty() ? "" : ", ") +
               KernelText(K).constraint({P, /*IsEquality=*/false});
  }
  if (IsJoined)
    Number = 0;
  std::string At = utostr(Number + 1);
  add("row.fetched", "%" + K.Buffers[S.Dot.Own.Load->Acc.Buf].Name + " c" + At +
                         " X " + Twine(countRows(T)) +
                         (Where.empty() ? "" : " where ") + Where);
  // Where registers are put together no other code is made of what they are:
  // a test is left in front of what is fetched.
  if (!Where.empty() && !isTogether() &&
      !(IsJoined && Holes.contains("row.far")))
    add("row.far", getRunAxis(Number) + " " + Where);
}

/// What is around the loop gets rows as its elements, and loops over these of
/// its own.
void RowsWriter::writeLevel(size_t Number) {
  const Level &L = R.Levels[Number];
  bool IsLast = Number + 1 == R.Levels.size();
  std::string Own = Number ? "y" + utostr(Number) : "x";
  std::string Lines, Names;
  auto AddLine = [&](const Twine &Line) {
    add(IsLast ? "row.levels" : "row.outer", Line);
  };
  for (BufferId Local : make_filter_range(
           L.N->Locals, [&](BufferId Local) { return !isJoined(Local); }))
    AddLine("expand " + K.Buffers[Local].Name + " " + Own + " " +
            Twine(countRows(T)));
  for (size_t I = 0; IsLast && I != countSums(); ++I)
    AddLine("expand part" + Twine(I + 1) + " " + Own + " " +
            Twine(countRows(T)));
  for (size_t I = 0; I != L.N->Children.size(); ++I) {
    if (I != L.Loop) {
      const auto &Assigns = L.N->Children[I]->L.Assigns;
      if (Assigns.size() == 1 && isJoined(Assigns.front().Target.Buf))
        continue;
      LaneAxes.push_back("a" + utostr(Number) + "_" + utostr(I));
      Names += " " + LaneAxes.back();
    } else if (!IsLast) {
      Names += " y" + utostr(Number + 1);
    } else {
      for (size_t Sum = 0; Sum != R.Sums.size(); ++Sum)
        if (R.Sums[Sum].OffsetTo) {
          LaneAxes.push_back("f" + utostr(Sum + 1));
          Names += " " + LaneAxes.back();
        }
      for (size_t Sum = 0; Sum != countSums(); ++Sum)
        writeSum(Sum, Names);
    }
  }
  AddLine("fission " + Own + Names);
  if (!IsLast)
    AddLine("order g" + Twine(Number + 1) + " y" + Twine(Number + 1));
}

ScriptHoles RowsWriter::write() {
  nameAll();
  joinSums();
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  uint64_t Some = Row.Lanes * Row.Depth;
  auto AssumeLeast = [&](AxisId A, uint64_t Least) {
    if (!getRounds(K, A))
      add("row.enough",
          KernelText(K).constraint({K.Axes[A].Extents.front() - Poly(Least),
                                    /*IsEquality=*/false}));
  };
  AssumeLeast(R.Lane, countRows(T));
  AssumeLeast(R.Depth, Some);
  for (const RowSum &S : R.Sums)
    for (const DotFactor *F : {&S.Dot.Shared, &S.Dot.Own})
      if (F->Fits)
        for (const Constraint &C : getFits(K, *F->Fits, F->Ty.Ty))
          if (C.P.getConstant().value_or(-1) < 0)
            add("row.enough", KernelText(K).constraint(C));
  Set("row.blocks", getSizes({countRows(T), 1}, getRounds(K, R.Lane)));
  for (size_t I = 0; I != R.Sums.size(); ++I)
    writeOffset(I);
  if (countSums() > 1) {
    std::string Names = "k";
    for (size_t I = 0; I != R.Sums.size(); ++I)
      Names += " k" + utostr(I + 1);
    Set("row.split", Names);
  }
  for (size_t I = 0; I != R.Levels.size(); ++I)
    writeLevel(I);
  auto IsFetched = [&](size_t I) {
    return IsJoined && any_of(ArrayRef(R.Sums).take_front(I), [&](auto &S) {
             return S.Dot.Own.Load->Acc.Buf == R.Sums[I].Dot.Own.Load->Acc.Buf;
           });
  };
  for (size_t I = 0; I != R.Sums.size(); ++I)
    if (!IsFetched(I))
      writeFetch(I);
  Set("row.in", join(LaneAxes, ",") + " lanes " + utostr(countRows(T)));
  return std::move(Holes);
}

SmallVector<std::string, 24> dlopt::writeDotRows(Kernel &K,
                                                 const TargetModel &T,
                                                 StringRef Template,
                                                 bool IsOfFew) {
  std::optional<DotRows> R = findDotRows(K, T, IsOfFew);
  if (!R)
    return {};
  return fillScript(Template, RowsWriter(K, *R, T).write());
}
