//===- Strategies.cpp - Scripts for kernels -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Strategies.h"
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/Conversion.h"
#include "dlopt/Cost.h"
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

enum Shape { Lanes, Neighbours, Tile, Dots, Planes, Rows };

struct Row {
  StringLiteral Name;
  Shape For;
  StringLiteral Script;
};

constexpr Row Table[] = {
#define DLOPT_STRATEGY(NAME, SHAPE, SCRIPT) {NAME, SHAPE, SCRIPT},
#include "Strategies.def"
};

/// Vectors of a strip, none: those of the row, and rows that share registers.
struct Sizes {
  StringLiteral Name = "";
  unsigned Vectors = 0, Rows = 1;
};

constexpr Sizes OtherSizes[] = {
#define DLOPT_STRATEGY(NAME, SHAPE, SCRIPT)
#define DLOPT_SIZES(NAME, VECTORS, ROWS) {NAME, VECTORS, ROWS},
#include "Strategies.def"
};

} // namespace

/// Applies \p Lines; false, and \p Why, if one that must be is refused.
static bool apply(Kernel &K, const Kernel &Plain, ArrayRef<std::string> Lines,
                  std::string &Script, std::string &Why) {
  for (StringRef Line : Lines) {
    bool MayFail = Line.consume_front("?");
    if (Error E = applyStep(K, Plain, Line)) {
      std::string Refusal = toString(std::move(E));
      if (MayFail)
        continue;
      Why = Refusal;
      return false;
    }
    Script += (Line + "\n").str();
  }
  return true;
}

/// The strategy of \p Lines for \p Plain, with the cases that these ask for if
/// that makes no more code than a kernel is worth, else without them.
static bool applyLines(SmallVector<std::string, 24> Lines, const Kernel &Plain,
                       Strategy &S, std::string &Why) {
  constexpr uint64_t MostLeaves = 2048;
  if (Lines.empty()) {
    Why = "it is for other axes or sizes";
    return false;
  }
  for (bool HasCases : {true, false}) {
    if (!HasCases)
      erase_if(Lines,
               [](StringRef Line) { return Line.starts_with("?case "); });
    S.Script.clear();
    S.Scheduled = std::make_unique<Kernel>();
    copyKernel(Plain, *S.Scheduled);
    if (!apply(*S.Scheduled, Plain, Lines, S.Script, Why))
      return false;
    std::optional<uint64_t> Leaves = countLeaves(*S.Scheduled);
    if (Leaves && *Leaves <= MostLeaves)
      return true;
    ScheduleLimits Limits;
    Limits.StackBytes = std::numeric_limits<uint64_t>::max();
    Why = Leaves ? "it makes too much code"
                 : "there is no code for it: " +
                       canLowerSchedule(*S.Scheduled, Limits).Detail;
  }
  return false;
}

/// How often the innermost leaf runs, as far as that is known.
static Poly countRounds(const Kernel &K) {
  Poly Rounds = 1;
  for (AxisId A = 0; A != K.Axes.size(); ++A)
    if (K.hasFixedExtents(A))
      Rounds = Rounds * K.Axes[A].Extents.front();
  return Rounds;
}

/// For sums along rows, which need not be all that is in a row.
static std::optional<Strategy>
findRows(const Kernel &K, const TargetModel &Target, bool IsOfFew) {
  for (const Row &Row : Table) {
    if (Row.For != Rows)
      continue;
    Kernel Plain;
    copyKernel(K, Plain);
    dropUnusedAxes(Plain);
    Strategy S;
    std::string Why;
    S.Name = Row.Name;
    S.BeatsLoops = true;
    S.Rounds = countRounds(Plain);
    S.MayBeFew = true;
    if (applyLines(writeDotRows(Plain, Target, Row.Script, IsOfFew), Plain, S,
                   Why))
      return S;
  }
  return std::nullopt;
}

/// Whether a script makes copies of what it reads, or of sums that wait.
static bool copies(StringRef Script) { return Script.contains("\nstage "); }

namespace {

/// The strategies of one kernel.
class Candidates {
public:
  Candidates(const Kernel &K, const TargetModel &Target) : Target(Target) {
    copyKernel(K, Plain);
    dropUnusedAxes(Plain);
    Own = findStrategyRoles(Plain, hasArithmetic(Target, ScalarType::F16));
    Is = Own->Dot                ? Dots
         : Own->TileIsNeighbours ? Neighbours
         : Own->hasTile()        ? Tile
                                 : Lanes;
  }

  /// The first that is legal, or one that is certainly faster, unless somebody
  /// only asks whether there is any.
  /// \p WithCopies: also by scripts that copy something.
  std::optional<Strategy> find(bool WithCopies, bool IsAsked);

private:
  std::optional<Strategy> make(const Row &Row, const Sizes &Sizes,
                               std::string &Why);
  void compare(ArrayRef<const Row *> Rows, Strategy &First);

  const TargetModel &Target;
  Kernel Plain;
  std::optional<StrategyRoles> Own;
  Shape Is = Lanes;
};

} // namespace

/// Whether lanes are less far apart than a window is wide, so that its columns
/// share what LLVM's loops would read for each of them. The rest of a row of
/// unknown length takes longer than that gains without masks that are
/// registers, or if all that is gained are loads of whole vectors.
static bool sharesColumns(const Kernel &K, const StrategyRoles &R,
                          const TargetModel &T) {
  bool IsKnown = R.countRounds(K).getConstant().has_value();
  if (R.Locals.empty() || (!IsKnown && !T.HasMaskedMemory))
    return false;
  auto IsShared = [&](const Op &O, AxisId Column) {
    if (O.K != Op::Load)
      return false;
    Poly Offset = O.Acc.offset();
    auto GetStep = [&](AxisId A) -> uint64_t {
      std::optional<Poly> Step = getStride(K, Offset, A);
      return std::abs(Step ? Step->getConstant().value_or(0) : 0);
    };
    uint64_t Apart = GetStep(R.Lane), Step = GetStep(Column);
    std::optional<uint64_t> Columns = getRounds(K, Column);
    return Step && (IsKnown ? Step <= Apart : Step < Apart) && Columns &&
           SaturatingMultiply(Step, *Columns) > Apart;
  };
  uint64_t Bytes = getSizeInBytes(K.Buffers[R.Locals.front()].Ty);
  uint64_t Least = T.VectorBits / 8 / Bytes / (T.HasMaskedMemory ? 4 : 1);
  return getRounds(K, R.Lane).value_or(Least) >= Least &&
         any_of(R.Sum->Ops, [&](const Op &O) {
           return any_of(R.Sums, [&](AxisId A) { return IsShared(O, A); });
         });
}

std::optional<Strategy> Candidates::make(const Row &Row, const Sizes &Sizes,
                                         std::string &Why) {
  ScriptWriter Writer(Plain, *Own, Target, Sizes.Vectors, Sizes.Rows);
  Strategy S;
  S.Name = Row.Name;
  S.IsGathered = Own->LaneIsGathered;
  S.BeatsLoops = Own->hasTile() || !Own->Sum->Domain.empty() ||
                 sharesColumns(Plain, *Own, Target);
  S.Rounds = Own->countRounds(Plain);
  S.MayBeFew =
      Own->Dot ? !(getRounds(Plain, *Own->Tile) && getRounds(Plain, Own->Lane))
               : Writer.asksForMany() && copies(Row.Script);
  S.IsOfWindows = true;
  S.IsOfDots = Own->Dot.has_value();
  S.MayBeLarge = Writer.asksForSmall() && copies(Row.Script);
  if (!applyLines(Writer.write(Row.Script), Plain, S, Why))
    return std::nullopt;
  return S;
}

/// Another one takes the place of \p First where it is faster by more than what
/// cycles are wrong by.
void Candidates::compare(ArrayRef<const Row *> Rows, Strategy &First) {
  First.Cycles = getCycles(*First.Scheduled, Target);
  if (!First.Cycles)
    return;
  std::vector<Strategy> List;
  auto Try = [&](const Row &Row, const Sizes &Sizes) {
    std::string Why;
    std::optional<Strategy> S = make(Row, Sizes, Why);
    if (!S || !(S->Cycles = getCycles(*S->Scheduled, Target)))
      return;
    if (Sizes.Rows != 1)
      S->Sizes = utostr(Sizes.Rows) + " rows";
    else if (Sizes.Vectors)
      S->Sizes =
          utostr(Sizes.Vectors) + (Sizes.Vectors == 1 ? " vector" : " vectors");
    List.push_back(std::move(*S));
  };
  for (const Row *Row : Rows) {
    if (Row->Name != First.Name)
      Try(*Row, {});
    for (const Sizes &Other : OtherSizes)
      if (Other.Name == Row->Name)
        Try(*Row, Other);
  }
  auto Best = min_element(List, [](const Strategy &A, const Strategy &B) {
    return *A.Cycles < *B.Cycles;
  });
  if (Best == List.end())
    return;
  if (*Best->Cycles < CertainlyFaster * *First.Cycles)
    std::swap(*Best, First);
  for (Strategy &S : List)
    First.List.push_back({S.getTitle(), std::move(S.Script), *S.Cycles});
}

std::optional<Strategy> Candidates::find(bool WithCopies, bool IsAsked) {
  SmallVector<const Row *, 4> Rows;
  for (const Row &Row : Table)
    if (((Row.For == Is && !Own->IsLeftToLoops) ||
         (Row.For == Planes && Own->Planes)) &&
        (WithCopies || !copies(Row.Script)))
      Rows.push_back(&Row);
  std::string Others, Why;
  for (const auto *It = Rows.begin(); It != Rows.end(); ++It) {
    if (std::optional<Strategy> S = make(**It, {}, Why)) {
      if (!IsAsked)
        compare(ArrayRef(It, Rows.end()), *S);
      S->Others = Others;
      return S;
    }
    Others += ((*It)->Name + ": " + Why + "\n").str();
  }
  return std::nullopt;
}

/// \p WithCopies: also by scripts that copy something.
static std::optional<Strategy> find(const Kernel &K, const TargetModel &Target,
                                    bool WithCopies, bool IsAsked) {
  std::optional<StrategyRoles> R =
      findStrategyRoles(K, hasArithmetic(Target, ScalarType::F16));
  if (!R)
    return findRows(K, Target, /*IsOfFew=*/false);
  return Candidates(K, Target).find(WithCopies, IsAsked);
}

std::optional<Strategy>
dlopt::findStrategy(const Kernel &K, const TargetModel &Target, bool IsAsked) {
  if (!Target.NoSIMD.empty() || Target.IsNVPTX)
    return std::nullopt;
  return find(K, Target, /*WithCopies=*/true, IsAsked);
}

std::optional<Strategy> dlopt::findStrategyOfFew(const Kernel &K,
                                                 const TargetModel &Target) {
  return findRows(K, Target, /*IsOfFew=*/true);
}

std::optional<Strategy>
dlopt::findStrategyWithoutCopies(const Kernel &K, const TargetModel &Target) {
  return find(K, Target, /*WithCopies=*/false, /*IsAsked=*/false);
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

/// Puts \p Ops in the place of those of \p L; \p NewIds: of what each of these
/// became.
static void replaceOps(Leaf &L, std::vector<Op> Ops, ArrayRef<OpId> NewIds) {
  for (Assign &A : L.Assigns)
    A.Value = NewIds[A.Value];
  if (L.Predicate)
    L.Predicate = NewIds[*L.Predicate];
  L.Ops = std::move(Ops);
}

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
  replaceOps(L, std::move(Ops), NewIds);
}

static void separateProducts(Node &N) {
  if (N.K == Node::LeafNode)
    separateProducts(N.L);
  for (auto &Child : N.Children)
    separateProducts(*Child);
}

void dlopt::separateProducts(Kernel &K) { ::separateProducts(K.Root); }

/// Which operand of the sum \p O in \p L is a product that is fused with it.
static std::optional<unsigned> findFused(const Leaf &L, const Op &O) {
  auto Count = [&](OpId Id) {
    size_t Uses = L.Predicate == Id;
    for (const Assign &A : L.Assigns)
      Uses += A.Value == Id;
    for (const Op &User : L.Ops)
      Uses += count(User.Args, Id);
    return Uses;
  };
  bool IsSum = O.K == Op::Inst &&
               (O.Opcode == Instruction::FAdd || O.Opcode == Instruction::FSub);
  if (!IsSum || !O.FMF.allowContract())
    return std::nullopt;
  SmallVector<unsigned, 2> Products;
  for (auto [I, Id] : enumerate(O.Args)) {
    const Op &Arg = L.Ops[Id];
    if (Arg.K == Op::Inst && Arg.Opcode == Instruction::FMul &&
        Arg.FMF.allowContract() && Count(Id) == 1)
      Products.push_back(static_cast<unsigned>(I));
  }
  // Of two the back end picks one; what is subtracted from is rare.
  if (Products.size() != 1 ||
      (O.Opcode == Instruction::FSub && Products.front() == 0))
    return std::nullopt;
  return Products.front();
}

static void fuseProducts(Leaf &L) {
  std::vector<Op> Ops;
  SmallVector<OpId, 16> NewIds;
  for (const Op &Old : L.Ops) {
    Op O = Old;
    for (OpId &Arg : O.Args)
      Arg = NewIds[Arg];
    if (std::optional<unsigned> Which = findFused(L, Old)) {
      SmallVector<OpId, 3> Args = {Ops[O.Args[*Which]].Args[0],
                                   Ops[O.Args[*Which]].Args[1],
                                   O.Args[1 - *Which]};
      if (O.Opcode == Instruction::FSub) {
        Op Negated = O;
        Negated.Opcode = Instruction::FNeg;
        Negated.Args = {Args[0]};
        Negated.Origin = nullptr;
        Args[0] = static_cast<OpId>(Ops.size());
        Ops.push_back(std::move(Negated));
      }
      O.K = Op::Intrinsic;
      O.Opcode = Intrinsic::fmuladd;
      O.Args = std::move(Args);
      O.Origin = nullptr;
    }
    NewIds.push_back(static_cast<OpId>(Ops.size()));
    Ops.push_back(std::move(O));
  }
  replaceOps(L, std::move(Ops), NewIds);
  dropUnusedOps(L);
}

static void fuseProducts(Node &N) {
  if (N.K == Node::LeafNode)
    fuseProducts(N.L);
  for (auto &Child : N.Children)
    fuseProducts(*Child);
}

void dlopt::fuseProducts(Kernel &K) { ::fuseProducts(K.Root); }

static void fixOrder(Node &N) {
  // Pairs of bfloats are worth another order.
  if (!loadsBFloats(N.L))
    for (Op &O : N.L.Ops)
      O.FMF.setAllowReassoc(false);
  for (auto &Child : N.Children)
    fixOrder(*Child);
}

void dlopt::fixOrder(Kernel &K) { ::fixOrder(K.Root); }
