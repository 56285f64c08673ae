//===- Plugin.cpp - Plugin entry point ------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads PassRegistry.def: what a name in -passes= means at each level, and one
/// clear line for a name that is wrong there.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Compat.h"
#include "dlopt/CorrectMath.h"
#include "dlopt/FMA.h"
#include "dlopt/Fuse.h"
#include "dlopt/KernelAnalysis.h"
#include "dlopt/Layout.h"
#include "dlopt/ModuleBuffers.h"
#include "dlopt/NoAlias.h"
#include "dlopt/Options.h"
#include "dlopt/Pipeline.h"
#include "dlopt/Prepare.h"
#include "dlopt/Recognize.h"
#include "dlopt/Relower.h"
#include "dlopt/TransformPass.h"
#include "dlopt/Vectorize.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include <dlfcn.h>
#include <type_traits>

using namespace llvm;
using namespace dlopt;

namespace {

/// Pass builders try a name at several levels before they give up: the log of
/// one builder, so that each mistake is reported once.
class ParseLog {
public:
  /// Prints \p Message unless \p Name has been complained about. Returns false,
  /// which is a parsing callback's "no".
  bool refuse(StringRef Name, const Twine &Message) {
    if (Reported != Name)
      errs() << Message << '\n';
    Reported = Name.str();
    return false;
  }

private:
  std::string Reported;
};

/// What a pass works on.
enum class Level { Module, Function };

/// What opt calls the level of a pass manager.
template <typename ManagerT> constexpr const char *levelName() {
  if constexpr (std::is_same_v<ManagerT, ModulePassManager>)
    return "module";
  else if constexpr (std::is_same_v<ManagerT, CGSCCPassManager>)
    return "cgscc";
  else if constexpr (std::is_same_v<ManagerT, FunctionPassManager>)
    return "function";
  else if constexpr (std::is_same_v<ManagerT, LoopPassManager>)
    return "loop";
  else
    return "machine-function";
}

/// The names in PassRegistry.def, for messages.
constexpr StringLiteral AllPasses =
#define DLOPT_MODULE_PASS(NAME, CLASS, PARAMS) ", " NAME
#define DLOPT_FUNCTION_PASS(NAME, CLASS, PARAMS) ", " NAME
#include "dlopt/PassRegistry.def"
    ;

/// Adds the pass \p PassT of level \p L, called \p PassName, to \p PM if it can
/// run there.
template <typename PassT, Level L, typename ManagerT>
bool addPass(StringRef Name, StringRef PassName, StringRef Grammar,
             ManagerT &PM, ParseLog &Log) {
  if (StringRef Bad = getGlobalOptionsError(); !Bad.empty())
    return Log.refuse(Name, Bad);
  auto Params =
      PassBuilder::parsePassParameters(PassT::Params::parse, Name, PassName);
  if (!Params) {
    std::string Accepted = Grammar.empty() ? "it takes no parameters"
                                           : "accepted: " + Grammar.str();
    return Log.refuse(Name, PassName + ": " + toString(Params.takeError()) +
                                "; " + Accepted);
  }
  // Passes that are switched off are accepted and do nothing.
  bool Disabled = getGlobalOptions().isDisabled(PassName);
  if constexpr (std::is_same_v<ManagerT, ModulePassManager>) {
    if (Disabled)
      return true;
    if constexpr (L == Level::Module)
      PM.addPass(PassT(*Params));
    else
      PM.addPass(createModuleToFunctionPassAdaptor(PassT(*Params)));
    return true;
  } else if constexpr (std::is_same_v<ManagerT, FunctionPassManager> &&
                       L == Level::Function) {
    if (!Disabled)
      PM.addPass(PassT(*Params));
    return true;
  } else {
    bool IsModule = L == Level::Module;
    return Log.refuse(
        Name, Twine(PassName) + " cannot run inside " + levelName<ManagerT>() +
                  "(...): it is a " + (IsModule ? "module" : "function") +
                  " pass, accepted at " +
                  (IsModule ? "module level" : "module and function level"));
  }
}

template <typename ManagerT>
bool parsePass(StringRef Name, ManagerT &PM,
               ArrayRef<PassBuilder::PipelineElement> Inner, ParseLog &Log) {
  if (!Inner.empty())
    return false;
#define DLOPT_MODULE_PASS(NAME, CLASS, PARAMS)                                 \
  if (PassBuilder::checkParametrizedPassName(Name, NAME))                      \
    return addPass<CLASS, Level::Module>(Name, NAME, PARAMS, PM, Log);
#define DLOPT_FUNCTION_PASS(NAME, CLASS, PARAMS)                               \
  if (PassBuilder::checkParametrizedPassName(Name, NAME))                      \
    return addPass<CLASS, Level::Function>(Name, NAME, PARAMS, PM, Log);
#include "dlopt/PassRegistry.def"
  if constexpr (std::is_same_v<ManagerT, ModulePassManager>) {
#define DLOPT_MODULE_ANALYSIS(NAME, CLASS)                                     \
  if (parseAnalysisUtilityPasses<CLASS>(NAME, Name, PM))                       \
    return true;
#include "dlopt/PassRegistry.def"
  }
  if constexpr (std::is_same_v<ManagerT, FunctionPassManager>) {
#define DLOPT_FUNCTION_ANALYSIS(NAME, CLASS)                                   \
  if (parseAnalysisUtilityPasses<CLASS>(NAME, Name, PM))                       \
    return true;
#include "dlopt/PassRegistry.def"
  }
  if (Name.starts_with("dl-"))
    return Log.refuse(
        Name, Name + ": no such pass; DLOpt has: " + AllPasses.drop_front(2));
  return false;
}

template <typename ManagerT>
void registerParser(PassBuilder &PB, std::shared_ptr<ParseLog> Log) {
  PB.registerPipelineParsingCallback(
      [Log](StringRef Name, ManagerT &PM,
            ArrayRef<PassBuilder::PipelineElement> Inner) {
        return parsePass(Name, PM, Inner, *Log);
      });
}

/// Generated code asks the CPU by inline assembly, of which not every compiler
/// expects to make machine code: flang has set up no parser for it.
void setUpAsmParsers() {
  if (void *SetUp = dlsym(RTLD_DEFAULT, "LLVMInitializeX86AsmParser"))
    reinterpret_cast<void (*)()>(SetUp)();
}

void registerEverything(PassBuilder &PB) {
  setUpAsmParsers();
  auto Log = std::make_shared<ParseLog>();
  registerParser<ModulePassManager>(PB, Log);
  registerParser<CGSCCPassManager>(PB, Log);
  registerParser<FunctionPassManager>(PB, Log);
  registerParser<LoopPassManager>(PB, Log);
  registerParser<MachineFunctionPassManager>(PB, Log);

  if (PassInstrumentationCallbacks *PIC =
          PB.getPassInstrumentationCallbacks()) {
#define DLOPT_MODULE_PASS(NAME, CLASS, PARAMS)                                 \
  PIC->addClassToPassName(CLASS::name(), NAME);
#define DLOPT_FUNCTION_PASS(NAME, CLASS, PARAMS)                               \
  PIC->addClassToPassName(CLASS::name(), NAME);
#define DLOPT_MODULE_ANALYSIS(NAME, CLASS)                                     \
  PIC->addClassToPassName(CLASS::name(), NAME);
#define DLOPT_FUNCTION_ANALYSIS(NAME, CLASS)                                   \
  PIC->addClassToPassName(CLASS::name(), NAME);
#include "dlopt/PassRegistry.def"
  }
  PB.registerAnalysisRegistrationCallback([](ModuleAnalysisManager &MAM) {
#define DLOPT_MODULE_ANALYSIS(NAME, CLASS)                                     \
  MAM.registerPass([] { return CLASS(); });
#include "dlopt/PassRegistry.def"
    (void)MAM;
  });
  PB.registerAnalysisRegistrationCallback([](FunctionAnalysisManager &FAM) {
#define DLOPT_FUNCTION_ANALYSIS(NAME, CLASS)                                   \
  FAM.registerPass([] { return CLASS(); });
#include "dlopt/PassRegistry.def"
    (void)FAM;
  });
  registerPipelineHooks(PB);
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK
    __attribute__((visibility("default"))) ::llvm::PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "DLOpt", DLOPT_VERSION, registerEverything};
}
