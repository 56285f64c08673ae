//===- Strategies.cpp - Scripts for kernels -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Strategies.h"
#include "StrategyRoles.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/Target.h"
#include "dlopt/Transform.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

namespace {

struct Row {
  StringLiteral Name;
  bool HasTile;
  StringLiteral Script;
};

constexpr Row Rows[] = {
#define DLOPT_STRATEGY(NAME, HAS_TILE, SCRIPT) {NAME, HAS_TILE, SCRIPT},
#include "Strategies.def"
};

/// Fills the holes of scripts for one kernel.
class ScriptWriter {
public:
  ScriptWriter(Kernel &K, const StrategyRoles &R, const TargetModel &T)
      : K(K), R(R) {
    nameAll();
    findConditions();
    findSizes(T);
  }
  /// The lines of \p Template with nothing but text.
  SmallVector<std::string, 24> write(StringRef Template) const;

private:
  void nameAll();
  void findConditions();
  void chooseUnrolled();
  void findSizes(const TargetModel &T);
  std::string getInside(const Constraint &C);
  bool isInBlocks(const Poly &P) const {
    return K.dependsOn(P, R.Lane) || (R.Tile && K.dependsOn(P, *R.Tile));
  }

  Kernel &K;
  const StrategyRoles &R;
  /// By hole: none, one, or several lines' worth.
  StringMap<SmallVector<std::string, 4>> Holes;
};

} // namespace

void ScriptWriter::nameAll() {
  // Lists are within a line, each name with the space behind it.
  Holes["outer"] = Holes["inner"] = Holes["sums"] = {""};
  unsigned Number = 0;
  for (AxisId A : R.Parallel) {
    std::string &Name = K.Axes[A].Name;
    Name = A == R.Lane ? "x" : R.Tile == A ? "f" : "p" + utostr(++Number);
    if (A == R.Lane || R.Tile == A)
      continue;
    Holes[R.isWindowed(K, A) ? "inner" : "outer"].front() += Name + " ";
  }
  for (auto [I, A] : enumerate(R.Sums)) {
    K.Axes[A].Name = "r" + utostr(I + 1);
    Holes["sums"].front() += K.Axes[A].Name + " ";
  }
  Holes["first"] = {K.Axes[R.Sums.front()].Name};
  for (auto [I, B] : enumerate(R.Locals)) {
    K.Buffers[B].Name = "t" + utostr(I + 1);
    Holes["local"].push_back(K.Buffers[B].Name);
  }
  Holes["filters"] = {R.LaneIsFilter ? "X" : "F"};
  Holes["pixels"] = {R.LaneIsFilter ? "F" : "X"};
}

/// \p C for all elements of a block, and all rounds of the sums: it is linear,
/// so it holds for all if it does for those where it is the least.
std::string ScriptWriter::getInside(const Constraint &C) {
  Kernel Own;
  copyKernel(K, Own);
  Poly P = C.P;
  auto SetLeast = [&](AxisId A, const Poly &First, const Poly &Last) {
    std::optional<AtomId> Atom = Own.findAxisAtom(A);
    if (!Atom || !P.uses(*Atom))
      return true;
    std::optional<Poly> Stride = getStride(Own, P, A);
    std::optional<int64_t> Number =
        Stride ? Stride->getConstant() : std::nullopt;
    if (!Number)
      return false;
    P = P.without(*Atom) + *Stride * (*Number > 0 ? First : Last);
    return true;
  };
  auto SetBlock = [&](AxisId A, StringRef Name) {
    auto Block = static_cast<AxisId>(Own.Axes.size());
    Own.Axes.emplace_back();
    Own.Axes.back().Name = Name.str();
    Poly First = Poly::atom(Own.getAxisAtom(Block));
    return SetLeast(A, First, First + Poly::atom(Own.getSizeAtom(Block)) - 1);
  };
  if (C.IsEquality || !SetBlock(R.Lane, "X") ||
      (R.Tile && !SetBlock(*R.Tile, "F")))
    return "";
  for (AxisId A : R.Sums) {
    const auto &Extents = Own.Axes[A].Extents;
    if (Extents.size() == 1 && Own.hasFixedExtents(A)) {
      if (!SetLeast(A, Poly(0), Extents.front() - 1))
        return "";
    } else if (Own.dependsOn(P, A)) {
      return "";
    }
  }
  if (Own.anyNestedAtom(P, [](const Atom &A) { return A.K == Atom::Load; }))
    return "";
  return KernelText(Own).constraint({P, /*IsEquality=*/false});
}

void ScriptWriter::findConditions() {
  SmallVector<std::string, 4> Inside;
  for (const Constraint &C : R.Sum->Domain) {
    bool OfBlock = isInBlocks(C.P);
    for (AxisId A : R.Sums) {
      if (!K.dependsOn(C.P, A))
        continue;
      auto &List = Holes[OfBlock ? "column" : "row"];
      if (!is_contained(List, K.Axes[A].Name))
        List.push_back(K.Axes[A].Name);
    }
    if (OfBlock)
      Inside.push_back(getInside(C));
  }
  // One that cannot be told makes the case useless, and each makes twice the
  // code: more than the two ends of a window are no convolution's.
  constexpr size_t MostCases = 2;
  if (!Inside.empty() && Inside.size() <= MostCases &&
      !is_contained(Inside, ""))
    Holes["inside"] = {join(Inside, ", ")};
  chooseUnrolled();
}

/// Of the columns those that are straight code: short ones, from the inside
/// out. The last sum is, too, which gives the others time.
void ScriptWriter::chooseUnrolled() {
  constexpr uint64_t MostUnrolled = 8, MostCopies = 16;
  SmallVector<std::string, 4> Unrolled;
  const auto &Columns = Holes["column"];
  uint64_t Copies = 1;
  for (AxisId A : reverse(R.Sums)) {
    const std::string &Name = K.Axes[A].Name;
    uint64_t Rounds = getRounds(K, A).value_or(MostUnrolled + 1);
    bool IsWanted = A == R.Sums.back() || is_contained(Columns, Name);
    if (!IsWanted || Rounds > MostUnrolled || Copies * Rounds > MostCopies)
      continue;
    Copies *= Rounds;
    Unrolled.push_back(Name);
  }
  Holes["column"] = Unrolled;
}

/// \p Sizes of blocks, descending, as far as \p Extent needs them; null: any
/// number. Each size is code of its own.
static std::string getSizes(ArrayRef<uint64_t> Sizes,
                            std::optional<uint64_t> Extent) {
  SmallVector<std::string, 8> Used;
  uint64_t Left = Extent.value_or(0);
  for (uint64_t Size : Sizes) {
    if (Extent && Left < Size)
      continue;
    Used.push_back(utostr(Size));
    Left %= Size;
  }
  if (Extent ? Left != 0 : Sizes.back() != 1)
    Used.push_back("rest");
  return join(Used, " ");
}

/// Sizes of blocks: with as many sums as hide the latency of an addition, and
/// registers for what they are made of.
void ScriptWriter::findSizes(const TargetModel &T) {
  unsigned Bits = 8;
  for (const Op &O : R.Sum->Ops)
    Bits = std::max(Bits, 8 * getSizeInBytes(O.Ty));
  unsigned Lanes = T.VectorBits / Bits;
  constexpr unsigned ManyRegisters = 32;
  bool HasMany = T.NumVectorRegs >= ManyRegisters;
  unsigned Vectors = R.hasTile() ? 2 : 3, Tile = HasMany ? 8 : 4;
  auto Set = [&](StringRef Hole, const Twine &Text) {
    Holes[Hole] = {Text.str()};
  };
  SmallVector<uint64_t, 8> Strips, Tiles = {Tile, 1};
  for (unsigned V = Vectors; V; --V)
    Strips.push_back(V * Lanes);
  // Without masks what is left has narrower vectors.
  for (unsigned Left = Lanes / 2; Left && !T.HasMaskedLoads; Left /= 2)
    Strips.push_back(Left);
  if (HasMany)
    Tiles.insert(Tiles.begin() + 1, Tile / 2);
  Set("lanes", Twine(Lanes));
  Set("strip", Twine(Vectors * Lanes));
  Set("strips", getSizes(Strips, getRounds(K, R.Lane)));
  Set("tile", Twine(Tile));
  if (R.Tile)
    Set("tiles", getSizes(Tiles, getRounds(K, *R.Tile)));
}

SmallVector<std::string, 24> ScriptWriter::write(StringRef Template) const {
  SmallVector<std::string, 24> Lines;
  SmallVector<StringRef, 24> Parts;
  Template.split(Parts, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  // Of a line with a hole that several things fill there are as many.
  auto Fill = [&](StringRef Line, auto &Self) -> void {
    size_t Begin = Line.find('{'), End = Line.find('}');
    if (Begin == StringRef::npos) {
      Lines.push_back(Line.str());
      return;
    }
    auto It = Holes.find(Line.slice(Begin + 1, End));
    if (It == Holes.end())
      return;
    for (const std::string &Text : It->second)
      Self((Line.take_front(Begin) + Text + Line.substr(End + 1)).str(), Self);
  };
  for (StringRef Part : Parts)
    Fill(Part, Fill);
  return Lines;
}

/// Applies \p Lines; false if one that must be is refused.
static bool apply(Kernel &K, const Kernel &Plain, ArrayRef<std::string> Lines,
                  std::string &Script) {
  for (StringRef Line : Lines) {
    bool MayFail = Line.consume_front("?");
    if (Error E = applyStep(K, Plain, Line)) {
      consumeError(std::move(E));
      if (!MayFail)
        return false;
      continue;
    }
    Script += (Line + "\n").str();
  }
  return true;
}

/// The strategy \p Row for \p Plain, with the cases that it asks for if that
/// makes no more code than a kernel is worth, else without them.
static bool applyRow(const Row &Row, const Kernel &Plain,
                     const ScriptWriter &Writer, Strategy &S) {
  constexpr uint64_t MostLeaves = 2048;
  SmallVector<std::string, 24> Lines = Writer.write(Row.Script);
  for (bool HasCases : {true, false}) {
    if (!HasCases)
      erase_if(Lines,
               [](StringRef Line) { return Line.starts_with("?case "); });
    S.Script.clear();
    S.Scheduled = std::make_unique<Kernel>();
    copyKernel(Plain, *S.Scheduled);
    if (!apply(*S.Scheduled, Plain, Lines, S.Script))
      return false;
    std::optional<uint64_t> Leaves = countLeaves(*S.Scheduled);
    if (Leaves && *Leaves <= MostLeaves)
      return true;
  }
  return false;
}

std::optional<Strategy> dlopt::findStrategy(const Kernel &K,
                                            const TargetModel &Target) {
  std::optional<StrategyRoles> R = findStrategyRoles(K);
  if (!R || !Target.NoSIMD.empty() || Target.IsNVPTX)
    return std::nullopt;
  Kernel Plain;
  copyKernel(K, Plain);
  dropUnusedAxes(Plain);
  std::optional<StrategyRoles> Own = findStrategyRoles(Plain);
  ScriptWriter Writer(Plain, *Own, Target);
  for (const Row &Row : Rows) {
    if (Row.HasTile != Own->hasTile())
      continue;
    Strategy S;
    S.Name = Row.Name;
    S.BeatsLoops = Own->hasTile() || !Own->Sum->Domain.empty();
    S.Rounds = Own->countRounds(Plain);
    if (applyRow(Row, Plain, Writer, S))
      return S;
  }
  return std::nullopt;
}

bool dlopt::moveSumsInside(Kernel &K) {
  Kernel Own, Plain;
  copyKernel(K, Own);
  // What is a part of another kernel still has the axes of that.
  dropUnusedAxes(Own);
  SmallVector<AxisId, 6> Points, Sums;
  bool IsMixed = false;
  for (const Node *N = &Own.Root; N->K != Node::LeafNode;
       N = N->Children[0].get()) {
    if (N->Children.size() != 1 || !N->Locals.empty())
      return false;
    if (N->K != Node::AxisNode)
      continue;
    bool IsPoint = Own.Axes[N->Ax].R == Role::Parallel;
    IsMixed |= IsPoint && !Sums.empty();
    (IsPoint ? Points : Sums).push_back(N->Ax);
  }
  if (!IsMixed || Points.empty())
    return false;
  std::string Line = "order";
  for (AxisId A : concat<AxisId>(Points, Sums)) {
    Own.Axes[A].Name = "a" + utostr(A);
    Line += " " + Own.Axes[A].Name;
  }
  copyKernel(Own, Plain);
  if (Error E = applyStep(Own, Plain, Line)) {
    consumeError(std::move(E));
    return false;
  }
  K = std::move(Own);
  return true;
}

/// \p L with other operations in the place of some.
static void separateProducts(Leaf &L) {
  std::vector<Op> Ops;
  SmallVector<OpId, 16> NewIds;
  for (Op &O : L.Ops) {
    for (OpId &Arg : O.Args)
      Arg = NewIds[Arg];
    O.FMF.setAllowContract(false);
    if (O.K == Op::Intrinsic && O.Opcode == Intrinsic::fmuladd) {
      Op Product = O;
      Product.K = Op::Inst;
      Product.Opcode = Instruction::FMul;
      Product.Args = {O.Args[0], O.Args[1]};
      Ops.push_back(Product);
      Product.Opcode = Instruction::FAdd;
      Product.Args = {static_cast<OpId>(Ops.size() - 1), O.Args[2]};
      O = Product;
    }
    NewIds.push_back(static_cast<OpId>(Ops.size()));
    Ops.push_back(std::move(O));
  }
  for (Assign &A : L.Assigns)
    A.Value = NewIds[A.Value];
  if (L.Predicate)
    L.Predicate = NewIds[*L.Predicate];
  L.Ops = std::move(Ops);
}

static void separateProducts(Node &N) {
  if (N.K == Node::LeafNode)
    separateProducts(N.L);
  for (auto &Child : N.Children)
    separateProducts(*Child);
}

void dlopt::separateProducts(Kernel &K) { ::separateProducts(K.Root); }
