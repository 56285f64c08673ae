//===- Options.cpp - The one options structure ----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Options.h"
#include "dlopt/Contracts.h"
#include "dlopt/PassParams.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/TunedKernels.h"
#include "dlopt/VectorMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SpecialCaseList.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

namespace {

enum class Scope { Global, Function };

/// A row of OptionKeys.def. Set returns false if the value is bad.
struct OptionKey {
  StringLiteral Name;
  StringLiteral Values;
  Scope S;
  bool (*Set)(Options &O, StringRef Value);
};

} // namespace

static bool parseFlag(bool &Result, StringRef Value) {
  if (Value != "0" && Value != "1")
    return false;
  Result = Value == "1";
  return true;
}

static bool parseBytes(uint64_t &Result, StringRef Value) {
  unsigned Shift = 0;
  if (Value.consume_back("k"))
    Shift = 10;
  else if (Value.consume_back("m"))
    Shift = 20;
  uint64_t N;
  // Nobody has a gigabyte of stack; the bound keeps later arithmetic exact.
  if (!to_integer(Value, N, 10) || N > (uint64_t(1) << (30 - Shift)))
    return false;
  Result = N << Shift;
  return true;
}

static bool setEnable(Options &O, StringRef Value) {
  return parseFlag(O.Enable, Value);
}

static bool setFP(Options &O, StringRef Value) {
  O.FastFP = Value == "fast";
  return O.FastFP || Value == "exact";
}

static bool setFMA(Options &O, StringRef Value) {
  O.FreeFMA = Value == "free";
  return O.FreeFMA || Value == "exact";
}

static bool setMath(Options &O, StringRef Value) {
  std::optional<MathAccuracy> A = parseMathAccuracy(Value);
  if (A)
    O.Math = A;
  return A.has_value();
}

/// Those that a row of MathModels.def knows.
static constexpr unsigned FirstRelease = 28, LastRelease = 40;

static bool setLibrary(Options &O, StringRef Value) {
  O.Library.IsUnknown = Value == "unknown";
  O.Library.Release = 0;
  return O.Library.IsUnknown || (Value.consume_front("glibc-2.") &&
                                 to_integer(Value, O.Library.Release, 10) &&
                                 O.Library.Release >= FirstRelease &&
                                 O.Library.Release <= LastRelease);
}

static bool setStack(Options &O, StringRef Value) {
  uint64_t Bytes;
  if (!parseBytes(Bytes, Value))
    return false;
  O.Stack = Bytes;
  return true;
}

/// \p First x \p Second, from 1 to \p Most.
static bool parsePair(unsigned &First, unsigned &Second, StringRef Value,
                      unsigned Most) {
  auto [A, B] = Value.split('x');
  return to_integer(A, First, 10) && to_integer(B, Second, 10) && First &&
         Second && First <= Most && Second <= Most;
}

static bool setTile(Options &O, StringRef Value) {
  // No target has more vector registers than this.
  return parsePair(O.TileRows, O.TileVectors, Value, 64);
}

static bool setBlock(Options &O, StringRef Value) {
  return parsePair(O.BlockSteps, O.BlockColumns, Value, 1 << 16);
}

static bool setInPlace(Options &O, StringRef Value) {
  uint64_t Bytes;
  if (!parseBytes(Bytes, Value))
    return false;
  O.InPlaceBytes = Bytes;
  return true;
}

static bool setPack(Options &O, StringRef Value) {
  return parseFlag(O.Pack, Value);
}

static bool setDispatch(Options &O, StringRef Value) {
  if (Value == "fma") {
    O.Dispatch = DispatchMode::FMA;
    return true;
  }
  bool On;
  if (!parseFlag(On, Value))
    return false;
  O.Dispatch = On ? DispatchMode::On : DispatchMode::Off;
  return true;
}

static bool setScalable(Options &O, StringRef Value) {
  bool On;
  if (!parseFlag(On, Value))
    return false;
  O.Scalable = On;
  return true;
}

static bool parseBound(double &Result, StringRef Value) {
  // An empty text is 0 there, and NaN none below 0.
  return !Value.empty() && to_float(Value, Result) && Result >= 0;
}

static bool setCheck(Options &O, StringRef Value) {
  static constexpr std::pair<StringLiteral, CheckMode> Modes[] = {
      {"0", CheckMode::Off},
      {"1", CheckMode::Abort},
      {"report", CheckMode::Report},
      {"count", CheckMode::Count}};
  for (const auto &[Name, Mode] : Modes)
    if (Value == Name) {
      O.Check = Mode;
      return true;
    }
  auto [Absolute, Relative] = Value.split(':');
  std::pair<double, double> Bounds;
  if (!parseBound(Bounds.first, Absolute) ||
      !parseBound(Bounds.second, Relative))
    return false;
  O.Check = CheckMode::Abort;
  O.Tolerance = Bounds;
  return true;
}

static bool setLimit(Options &O, StringRef Value) {
  unsigned N;
  if (!to_integer(Value, N, 10))
    return false;
  O.Limit = N;
  return true;
}

static bool setDeny(Options &O, StringRef Value) {
  O.DenyFile = Value.str();
  return !Value.empty();
}

static bool setTuned(Options &O, StringRef Value) {
  O.TunedFile = Value.str();
  return !Value.empty();
}

static bool setContracts(Options &O, StringRef Value) {
  O.ContractsFile = Value.str();
  return !Value.empty();
}

static bool setSummary(Options &O, StringRef Value) {
  return parseFlag(O.Summary, Value);
}

static bool setBudget(Options &O, StringRef Value) {
  return to_integer(Value, O.Budget, 10);
}

/// What can be switched off: passes, then transformations.
static constexpr StringLiteral Switches[] = {
#define DLOPT_MODULE_PASS(NAME, CLASS, PARAMS) NAME,
#define DLOPT_FUNCTION_PASS(NAME, CLASS, PARAMS) NAME,
#include "dlopt/PassRegistry.def"
#define DLOPT_TRANSFORMATION(ID, NAME, MEANING) NAME,
#include "dlopt/Transformations.def"
};

static bool setDisable(Options &O, StringRef Value) {
  if (Value.empty())
    return false;
  for (StringRef Name : split(Value, ',')) {
    if (!is_contained(Switches, Name.trim()))
      return false;
    O.Disable.push_back(Name.trim().str());
  }
  return true;
}

static constexpr OptionKey Keys[] = {
#define DLOPT_OPTION_KEY(ID, KEY, VALUES, SCOPE, HELP)                         \
  {KEY, VALUES, Scope::SCOPE, set##ID},
#include "OptionKeys.def"
};

static std::string listKeys(std::optional<Scope> Only = std::nullopt) {
  std::string List;
  for (const OptionKey &K : Keys)
    if (!Only || K.S == *Only)
      List += (List.empty() ? "" : ", ") + (K.Name + "=" + K.Values).str();
  return List;
}

/// What \p K takes, in words.
static std::string describeValues(const OptionKey &K) {
  std::string Text = (K.Name + "=" + K.Values).str();
  if (K.Set == setDisable)
    Text += " with PASS one of " + join(ArrayRef(Switches), ", ");
  if (K.Set == setLibrary)
    Text += " with N from " + std::to_string(FirstRelease) + " to " +
            std::to_string(LastRelease);
  return Text;
}

static const OptionKey *findKey(StringRef Name) {
  const OptionKey *K =
      find_if(Keys, [&](const OptionKey &K) { return K.Name == Name; });
  return K == std::end(Keys) ? nullptr : K;
}

static Error setKey(Options &O, StringRef Name, StringRef Value) {
  const OptionKey *K = findKey(Name);
  if (!K)
    return createStringError("unknown option '" + Name +
                             "'; accepted: " + listKeys());
  // A value is applied whole or not at all.
  Options Changed = O;
  if (!K->Set(Changed, Value))
    return createStringError("bad value '" + Value + "' for '" + Name +
                             "'; accepted: " + describeValues(*K));
  O = std::move(Changed);
  return Error::success();
}

StringRef dlopt::getName(Transformation T) {
  switch (T) {
#define DLOPT_TRANSFORMATION(ID, NAME, MEANING)                                \
  case Transformation::ID:                                                     \
    return NAME;
#include "dlopt/Transformations.def"
  }
  llvm_unreachable("covered switch");
}

bool Options::isDisabled(StringRef Name) const {
  assert(is_contained(Switches, Name) && "nobody could name that");
  return is_contained(Disable, Name);
}

Error Options::apply(StringRef Text) {
  SmallVector<StringRef, 8> Items;
  Text.split(Items, ';', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef Item : Items) {
    Item = Item.trim();
    if (Item.empty())
      continue;
    auto [Name, Value] = Item.split('=');
    if (Name.size() == Item.size()) { // `key` and `no-key` are flags
      bool Negated = Name.consume_front("no-");
      Value = Negated ? "0" : "1";
    }
    if (Error E = setKey(*this, Name.trim(), Value.trim()))
      return E;
  }
  return Error::success();
}

Error dlopt::unknownParam(StringRef Param) {
  return createStringError("unknown parameter '" + Param + "'");
}

//===----------------------------------------------------------------------===//
// Environment and command line
//===----------------------------------------------------------------------===//

static cl::OptionCategory Category("DLOpt options");

/// A flag needs no value.
static constexpr cl::ValueExpected getValueExpected(StringRef Values) {
  return Values.starts_with("0|1") ? cl::ValueOptional : cl::ValueRequired;
}

#define DLOPT_OPTION_KEY(ID, KEY, VALUES, SCOPE, HELP)                         \
  static cl::opt<std::string> Flag##ID(                                        \
      "dl-" KEY, cl::desc(HELP), cl::value_desc(VALUES),                       \
      getValueExpected(VALUES), cl::Hidden, cl::cat(Category));
#include "OptionKeys.def"

namespace {

/// What is the same for the whole process; never changes once it is built.
struct GlobalOptions {
  Options O;
  std::string Error;
  std::unique_ptr<SpecialCaseList> Deny;

  GlobalOptions();

private:
  void applyEnvironment(StringRef Variable, StringRef Prefix);
  void applyFlag(StringRef Key, const cl::opt<std::string> &Flag);
  void readDenyList();
  void readTunedFile();
  void readContracts();
  void fail(const Twine &Message) {
    if (Error.empty())
      Error = ("DLOpt: " + Message).str();
  }
};

} // namespace

GlobalOptions::GlobalOptions() {
  applyEnvironment("DLOPT_OPTIONS", "");
  applyEnvironment("DLOPT_LIMIT", "limit=");
#define DLOPT_OPTION_KEY(ID, KEY, VALUES, SCOPE, HELP) applyFlag(KEY, Flag##ID);
#include "OptionKeys.def"
  readDenyList();
  readTunedFile();
  readContracts();
#ifdef DLOPT_PLANTED_BUGS
  if (!getPlantedBugError().empty())
    fail(getPlantedBugError());
#endif
  if (!Error.empty())
    O.Enable = false;
}

void GlobalOptions::applyEnvironment(StringRef Variable, StringRef Prefix) {
  std::optional<std::string> Text = sys::Process::GetEnv(Variable);
  if (!Text || Text->empty())
    return;
  if (llvm::Error E = O.apply((Prefix + *Text).str()))
    fail(Variable + ": " + toString(std::move(E)));
}

void GlobalOptions::applyFlag(StringRef Key, const cl::opt<std::string> &Flag) {
  if (!Flag.getNumOccurrences())
    return;
  // Only flags may come without a value.
  StringRef Value = Flag.getValue().empty() ? "1" : StringRef(Flag.getValue());
  if (llvm::Error E = setKey(O, Key, Value))
    fail("-dl-" + Key + ": " + toString(std::move(E)));
}

void GlobalOptions::readDenyList() {
  if (O.DenyFile.empty())
    return;
  std::string Message;
  Deny =
      SpecialCaseList::create({O.DenyFile}, *vfs::getRealFileSystem(), Message);
  if (!Deny)
    return fail("deny list: " + Message);
  // The list builds its matchers on first use: do that here, before there are
  // threads.
  (void)Deny->inSection("dlopt", "src", "");
  (void)Deny->inSection("dlopt", "fun", "");
}

void GlobalOptions::readTunedFile() {
  if (O.TunedFile.empty())
    return;
  auto Read = TunedKernels::read(O.TunedFile);
  if (!Read)
    return fail(toString(Read.takeError()));
  O.Tuned = std::move(*Read);
}

void GlobalOptions::readContracts() {
  if (O.ContractsFile.empty())
    return;
  auto Read = ContractFile::read(O.ContractsFile);
  if (!Read)
    return fail(toString(Read.takeError()));
  O.Contracts = std::move(*Read);
}

static const GlobalOptions &getGlobals() {
  static const GlobalOptions Globals;
  return Globals;
}

const Options &dlopt::getGlobalOptions() { return getGlobals().O; }

StringRef dlopt::getGlobalOptionsError() { return getGlobals().Error; }

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool isDenied(const Function &F) {
  const SpecialCaseList *Deny = getGlobals().Deny.get();
  if (!Deny)
    return false;
  if (Deny->inSection("dlopt", "fun", F.getName()) ||
      Deny->inSection("dlopt", "src", F.getParent()->getSourceFileName()))
    return true;
  // At link time a module holds functions of many files.
  const DISubprogram *SP = F.getSubprogram();
  return SP && Deny->inSection("dlopt", "src", SP->getFilename());
}

/// Fails the compilation. The kind of diagnostic is one that every host
/// reports: rustc drops those it does not know, generic ones among them.
static void emitError(LLVMContext &C, const Twine &Message) {
  C.diagnose(DiagnosticInfoInlineAsm(/*LocCookie=*/0, Message));
}

/// Nothing: what was required has been found.
static Error setRequired(Options &O, StringRef Kinds) {
  if (Kinds.empty())
    return Error::success();
  auto Parsed = parseKinds(Kinds);
  if (!Parsed)
    return Parsed.takeError();
  O.Required = std::move(*Parsed);
  return Error::success();
}

/// Applies one attribute "dl-KEY"="value".
static Error applyAttribute(Options &O, const Attribute &A) {
  StringRef Name = A.getKindAsString();
  StringRef Key = Name.drop_front(3);
  if (Name == RequireAttr)
    return setRequired(O, A.getValueAsString());
  const OptionKey *K = findKey(Key);
  if (!K || K->S != Scope::Function)
    return createStringError("unknown attribute '" + Name + "'; accepted: dl-" +
                             "KEY with KEY one of " +
                             listKeys(Scope::Function) +
                             ", require=KIND[,KIND]");
  return setKey(O, Key, A.getValueAsString());
}

/// The first bad attribute of \p F is an error and stored in \p Bad.
static Error applyAttributes(Options &O, const Function &F, Attribute &Bad) {
  if (isGenerated(F))
    return Error::success();
  for (const Attribute &A : F.getAttributes().getFnAttrs()) {
    // dl-light is what dl-prepare says to the passes behind it.
    if (!A.isStringAttribute() || !A.getKindAsString().starts_with("dl-") ||
        A.getKindAsString() == "dl-light")
      continue;
    if (Error E = applyAttribute(O, A)) {
      Bad = A;
      return createStringError("DLOpt: function '" + F.getName() +
                               "': " + toString(std::move(E)));
    }
  }
  return Error::success();
}

Options dlopt::getOptions(const Function &F, bool EvenIfProcessed) {
  Options O = getGlobalOptions();
  Attribute Bad;
  if (Error E = applyAttributes(O, F, Bad)) {
    emitError(F.getContext(), toString(std::move(E)));
    O.Enable = false;
  }
  if ((isProcessed(F) && !EvenIfProcessed) || isGenerated(F) || isDenied(F))
    O.Enable = false;
  return O;
}

bool dlopt::reportBadOptions(Module &M) {
  LLVMContext &C = M.getContext();
  if (StringRef Bad = getGlobalOptionsError(); !Bad.empty()) {
    emitError(C, Bad);
    return true;
  }
  bool Found = false;
  for (Function &F : M) {
    while (true) {
      Options O;
      Attribute Bad;
      Error E = applyAttributes(O, F, Bad);
      if (!E)
        break;
      emitError(C, toString(std::move(E)));
      F.removeFnAttr(Bad.getKindAsString());
      F.addFnAttr("dl-enable", "0");
      Found = true;
    }
  }
  return Found;
}
