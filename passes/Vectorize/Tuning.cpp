//===- Tuning.cpp - What was measured of kernels of a function ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tuning.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelKey.h"
#include "dlopt/KernelText.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/LLVMContext.h"

#define DEBUG_TYPE "dl-tune"

using namespace llvm;
using namespace dlopt;

/// Lists take time, so files that records of all remarks go to have none.
static bool isListening(const Function &F) {
  const DiagnosticHandler *Handler = F.getContext().getDiagHandlerPtr();
  return Handler && Handler->isAnalysisRemarkEnabled(DEBUG_TYPE);
}

Tuning::Tuning(Function &F, FunctionAnalysisManager &FAM, const Options &O)
    : F(F), FAM(FAM), O(O), Listens(isListening(F)) {}

/// What makes scripts and plans other ones on CPUs of one name: instructions
/// that the function may not use, or vectors that it prefers.
static std::string describeTarget(const TargetModel &T) {
  std::string Text = "v" + utostr(T.VectorBits);
  if (T.ScalableBits)
    Text += ",scalable" + utostr(T.ScalableBits);
  for (auto [Has, Name] : {std::pair<bool, StringRef>(T.HasFMA, "fma"),
                           {T.HasMaskedLoads, "masked-loads"},
                           {T.HasMaskedMemory, "masked-memory"},
                           {T.HasLaneFMA, "lane-fma"}})
    if (Has)
      Text += ("," + Name).str();
  if (T.Dots)
    Text += ",dots" + utohexstr(T.Dots, /*LowerCase=*/true);
  return Text;
}

TuningKey Tuning::getKey(const Kernel &K, const TargetModel &Target) const {
  Kernel Neutral;
  copyKernel(K, Neutral);
  giveNeutralNames(Neutral);
  // Callers of whom more is known need less, for the same code.
  Neutral.Needs.clear();
  std::string Text;
  raw_string_ostream OS(Text);
  Neutral.print(OS);
  for (StringRef Attribute : {"tune-cpu", "target-cpu"}) {
    StringRef CPU = F.getFnAttribute(Attribute).getValueAsString();
    if (!CPU.empty())
      return {getDigest(Text), CPU.str(), describeTarget(Target)};
  }
  return {getDigest(Text), "generic", describeTarget(Target)};
}

/// \p Offset where it is the greatest, if every axis only makes it greater, or
/// only less; else as it is. Conditions may keep it below that.
static Poly getGreatest(const Kernel &K, Poly Offset) {
  auto HasSign = [](const Poly &P, bool Negative) {
    return all_of(P.terms(), [&](const auto &Term) {
      return (Term.second < 0) == Negative;
    });
  };
  for (auto Id = static_cast<AtomId>(K.Atoms.size()); Id--;) {
    const Atom &A = K.Atoms[Id];
    std::optional<Poly> Step = Offset.coefficient(Id);
    if (A.K != Atom::Axis || !Step || Step->isZero())
      continue;
    if (HasSign(*Step, /*Negative=*/false))
      Offset = Offset.substitute(Id, K.Axes[A.Ref].Extents.front() - Poly(1));
    else if (HasSign(*Step, /*Negative=*/true))
      Offset = Offset.substitute(Id, Poly());
  }
  return Offset;
}

/// Lines for who makes arrays for the kernel: `# array %A f32 %M*%K`, of which
/// one may have several.
static std::string describeArrays(const Kernel &K) {
  KernelText Text(K);
  std::string Lines;
  StringSet<> Said;
  auto Add = [&](const Access &X) {
    const Buffer &B = K.Buffers[X.Buf];
    if (B.IsLocal)
      return;
    std::string Line =
        ("# array " + Text.buffer(X.Buf) + " " + getName(B.Ty) + " " +
         Text.poly(getGreatest(K, X.offset()) + Poly(1)) + "\n")
            .str();
    if (Said.insert(Line).second)
      Lines += Line;
  };
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Add(O.Acc);
    for (const Assign &A : L.Assigns)
      Add(A.Target);
  });
  return Lines;
}

static DebugLoc getLoc(const Kernel &K) {
  return K.Axes.empty() ? DebugLoc() : getUserLoc(K.Axes.front().Loc);
}

/// Says how an entry for \p K begins, and what one could say: \p Script, or
/// options.
void Tuning::list(const Kernel &K, const TuningKey &Key,
                  const ListedScript *Script) {
  if (!Listens)
    return;
  std::string Steps;
  if (Script) {
    Steps = "# script " + Script->Title + "\n";
    for (StringRef Line : split(StringRef(Script->Script).trim(), '\n'))
      Steps += ("step " + Line + "\n").str();
  }
  if (!Said.insert(Key.Kernel + Steps).second)
    return;
  std::string Text;
  raw_string_ostream OS(Text);
  K.print(OS);
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  ORE.emit([&] {
    OptimizationRemarkAnalysis R =
        analysisRemark(DEBUG_TYPE, "Kernel", getLoc(K), F.getEntryBlock());
    R << "kernel " << ore::NV("Digest", Key.Kernel) << "\ncpu "
      << ore::NV("CPU", Key.CPU) << "\ntarget " << ore::NV("Target", Key.Target)
      << "\n# function " << ore::NV("Function", F.getName()) << "\n"
      << ore::NV("Arrays", describeArrays(K));
    for (StringRef Line : split(StringRef(Text).rtrim(), '\n'))
      R << "# | " << Line << "\n";
    R << ore::NV("Steps", Steps);
    return R;
  });
}

/// Says that \p Entry was used for \p K, or why it was not.
void Tuning::report(const TunedKernel &Entry, const Kernel &K,
                    StringRef Stale) {
  std::string Place = (O.Tuned->getFileName() + ":" + utostr(Entry.Line)).str();
  if (!Said.insert(Place).second)
    return;
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);
  DiagnosticLocation Loc(getLoc(K));
  if (Stale.empty())
    ORE.emit([&] {
      return analysisRemark("dl-vectorize", "Tuned", getLoc(K),
                            F.getEntryBlock())
             << "runs as " << ore::NV("Entry", Place) << " says";
    });
  else
    ORE.emit([&] {
      return OptimizationRemarkMissed("dl-vectorize", "StaleEntry", Loc,
                                      &F.getEntryBlock())
             << "the entry " << ore::NV("Entry", Place)
             << " is stale, so the kernel runs as without it: "
             << ore::NV("Why", Stale);
    });
}

/// Options that are nothing but speed.
static constexpr StringLiteral Allowed[] = {
    "tile", "pack", "no-pack", "block", "stack", "in-place", "disable"};

static Error applyTo(Options &O, StringRef Text, const Function &F) {
  const uint64_t MostStack = getStackLimit(F, O);
  for (StringRef Item : split(Text, ';')) {
    StringRef Name = Item.split('=').first.trim();
    if (!is_contained(Allowed, Name))
      return createStringError("'" + Name + "' is not among the options " +
                               join(ArrayRef(Allowed), ", "));
    if (Error E = O.apply(Item))
      return E;
  }
  // Callers know how much there is, a file does not.
  if (O.Stack)
    O.Stack = std::min(*O.Stack, MostStack);
  return Error::success();
}

const Options &Tuning::getOptions(const RaisedKernel &RK) {
  if (!isAsked())
    return O;
  TuningKey Key =
      getKey(*RK.K, getTargetModel(F, FAM.getResult<TargetIRAnalysis>(F)));
  list(*RK.K, Key, /*Script=*/nullptr);
  if (auto It = Own.find(Key.Kernel); It != Own.end())
    return It->second;
  const TunedKernel *Entry =
      O.Tuned ? O.Tuned->find(Key, /*HasScript=*/false) : nullptr;
  if (!Entry)
    return O;
  Options Tuned = O;
  std::string Why;
  if (Error E = applyTo(Tuned, Entry->Options, F))
    Why = toString(std::move(E));
  report(*Entry, *RK.K, Why);
  return Why.empty() ? Own[Key.Kernel] = std::move(Tuned) : O;
}

std::optional<Strategy> Tuning::findScript(const Kernel &K,
                                           const TargetModel &Target) {
  if (!isAsked())
    return std::nullopt;
  Kernel Neutral;
  copyKernel(K, Neutral);
  // Scripts speak of arrays and numbers, whatever the source calls them.
  giveNeutralNames(Neutral);
  TuningKey Key = getKey(K, Target);
  if (Listens)
    for (const ListedScript &Script : listStrategies(Neutral, Target))
      list(K, Key, &Script);
  const TunedKernel *Entry =
      O.Tuned ? O.Tuned->find(Key, /*HasScript=*/true) : nullptr;
  if (!Entry)
    return std::nullopt;
  std::string Why;
  std::optional<Strategy> Found =
      applyTunedScript(Neutral, Target, Entry->Script, Why);
  report(*Entry, K, StringRef(Why).rtrim());
  return Found;
}
