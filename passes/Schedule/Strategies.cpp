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

using namespace llvm;
using namespace dlopt;

namespace {

enum Shape { Lanes, Neighbours, Tile, Dots, Planes, Rows, Threads };

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

/// All but the name and the script of one for sums along rows.
static Strategy describeRows(const Kernel &Plain) {
  Strategy S;
  S.BeatsLoops = true;
  S.Rounds = countRounds(Plain);
  S.MayBeFew = true;
  return S;
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
    Strategy S = describeRows(Plain);
    std::string Why;
    S.Name = Row.Name;
    if (applyLines(writeDotRows(Plain, Target, Row.Script, IsOfFew), Plain, S,
                   Why))
      return S;
  }
  return std::nullopt;
}

/// For what a thread of a GPU runs.
static std::optional<Strategy> findOfThreads(const Kernel &K,
                                             const TargetModel &Target) {
  for (const Row &Row : Table) {
    if (Row.For != Threads)
      continue;
    Kernel Plain;
    copyKernel(K, Plain);
    dropUnusedAxes(Plain);
    Strategy S = describeRows(Plain);
    // There is no call to pay for.
    S.MayBeFew = false;
    S.LeastRounds = 16;
    S.Name = Row.Name;
    std::string Why;
    if (applyLines(writeThreadDots(Plain, Target, Row.Script), Plain, S, Why))
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
  /// All that are legal.
  std::vector<ListedScript> list();
  /// That of \p Script.
  std::optional<Strategy> apply(StringRef Script, std::string &Why);

private:
  bool isFor(const Row &Row) const;
  Strategy describe(const ScriptWriter &Writer, bool Copies) const;
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

bool Candidates::isFor(const Row &Row) const {
  return (Row.For == Is && !Own->IsLeftToLoops) ||
         (Row.For == Planes && Own->Planes);
}

/// All but the script of a strategy whose holes \p Writer knows.
Strategy Candidates::describe(const ScriptWriter &Writer, bool Copies) const {
  Strategy S;
  S.IsGathered = Own->LaneIsGathered;
  S.BeatsLoops = Own->hasTile() || !Own->Sum->Domain.empty() ||
                 sharesColumns(Plain, *Own, Target);
  S.Rounds = Own->countRounds(Plain);
  S.MayBeFew =
      Own->Dot ? !(getRounds(Plain, *Own->Tile) && getRounds(Plain, Own->Lane))
               : Writer.asksForMany() && Copies;
  S.IsOfWindows = true;
  S.IsOfDots = Own->Dot.has_value();
  S.MayBeLarge = Writer.asksForSmall() && Copies;
  return S;
}

std::optional<Strategy> Candidates::make(const Row &Row, const Sizes &Sizes,
                                         std::string &Why) {
  ScriptWriter Writer(Plain, *Own, Target, Sizes.Vectors, Sizes.Rows);
  Strategy S = describe(Writer, copies(Row.Script));
  S.Name = Row.Name;
  if (Sizes.Rows != 1)
    S.Sizes = utostr(Sizes.Rows) + " rows";
  else if (Sizes.Vectors)
    S.Sizes =
        utostr(Sizes.Vectors) + (Sizes.Vectors == 1 ? " vector" : " vectors");
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
    if (S && (S->Cycles = getCycles(*S->Scheduled, Target)))
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
    if (isFor(Row) && (WithCopies || !copies(Row.Script)))
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

std::vector<ListedScript> Candidates::list() {
  std::vector<ListedScript> List;
  auto Try = [&](const Row &Row, const Sizes &Sizes) {
    std::string Why;
    if (std::optional<Strategy> S = make(Row, Sizes, Why))
      List.push_back({S->getTitle(), S->Script,
                      getCycles(*S->Scheduled, Target).value_or(0)});
  };
  for (const Row &Row : Table) {
    if (!isFor(Row))
      continue;
    Try(Row, {});
    for (const Sizes &Other : OtherSizes)
      if (Other.Name == Row.Name)
        Try(Row, Other);
  }
  return List;
}

/// The lines of \p Script, each of which must be legal.
static SmallVector<std::string, 24> getLines(StringRef Script) {
  SmallVector<std::string, 24> Lines;
  for (StringRef Line : split(Script.trim(), '\n'))
    Lines.push_back(Line.str());
  return Lines;
}

std::optional<Strategy> Candidates::apply(StringRef Script, std::string &Why) {
  // Axes and locals get the names that scripts know.
  ScriptWriter Writer(Plain, *Own, Target);
  Strategy S = describe(Writer, copies(("\n" + Script).str()));
  S.Name = TunedName;
  if (!applyLines(getLines(Script), Plain, S, Why))
    return std::nullopt;
  return S;
}

/// The same for sums along rows.
static std::optional<Strategy> applyToRows(const Kernel &K,
                                           const TargetModel &Target,
                                           StringRef Script, std::string &Why) {
  for (const Row &Row : Table) {
    Kernel Plain;
    copyKernel(K, Plain);
    dropUnusedAxes(Plain);
    if (Row.For != Rows ||
        writeDotRows(Plain, Target, Row.Script, /*IsOfFew=*/false).empty())
      continue;
    Strategy S = describeRows(Plain);
    S.Name = TunedName;
    if (applyLines(getLines(Script), Plain, S, Why))
      return S;
    return std::nullopt;
  }
  Why = "no strategy is for this kernel";
  return std::nullopt;
}

std::vector<ListedScript> dlopt::listStrategies(const Kernel &K,
                                                const TargetModel &Target) {
  if (!Target.NoSIMD.empty() || Target.IsNVPTX)
    return {};
  if (findStrategyRoles(K, hasArithmetic(Target, ScalarType::F16)))
    return Candidates(K, Target).list();
  if (std::optional<Strategy> S = findRows(K, Target, /*IsOfFew=*/false))
    return {{S->getTitle(), S->Script,
             getCycles(*S->Scheduled, Target).value_or(0)}};
  return {};
}

std::optional<Strategy> dlopt::applyTunedScript(const Kernel &K,
                                                const TargetModel &Target,
                                                StringRef Script,
                                                std::string &Why) {
  if (findStrategyRoles(K, hasArithmetic(Target, ScalarType::F16)))
    return Candidates(K, Target).apply(Script, Why);
  return applyToRows(K, Target, Script, Why);
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
  if (Target.IsNVPTX)
    return findOfThreads(K, Target);
  if (!Target.NoSIMD.empty())
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
