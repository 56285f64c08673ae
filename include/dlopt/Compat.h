//===- Compat.h - What depends on the LLVM version ------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only place that may ask for LLVM_VERSION_MAJOR. What changed its
/// parameters is called by whichever overload compiles, so that a version need
/// not be known to be right; names that older versions lack are added to them.
/// docs/llvm-versions.md says which versions are built and tested.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_COMPAT_H
#define DLOPT_COMPAT_H

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/Attributes.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Pass.h"
#include "llvm/Remarks/RemarkSerializer.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#if LLVM_VERSION_MAJOR < 19
#error "DLOpt needs LLVM 19 or later"
#endif

#if LLVM_VERSION_MAJOR < 22
#include "llvm/IR/IntrinsicsNVPTX.h"
#endif

// 22 moved the header.
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

//===----------------------------------------------------------------------===//
// Names that older versions lack
//===----------------------------------------------------------------------===//

namespace llvm {

#if LLVM_VERSION_MAJOR < 20
/// From 20 on a predicate may say that both sides have one sign (`samesign`).
using CmpPredicate = CmpInst::Predicate;

template <typename T> constexpr std::make_unsigned_t<T> AbsoluteValue(T X) {
  using U = std::make_unsigned_t<T>;
  return X < 0 ? U(0) - static_cast<U>(X) : static_cast<U>(X);
}

namespace Intrinsic {
// No module has one of these, and none is ever made: see hasIntrinsic.
constexpr ID minimumnum = num_intrinsics, maximumnum = num_intrinsics + 1,
             atan2 = num_intrinsics + 2, nvvm_idp4a_s_s = num_intrinsics + 3,
             nvvm_idp4a_u_u = num_intrinsics + 4,
             nvvm_idp4a_u_s = num_intrinsics + 5;
} // namespace Intrinsic
#endif

#if LLVM_VERSION_MAJOR < 23
/// From 23 on branches with a condition and those without are two classes. Here
/// these are what a branch is seen as: no object is of one of them, as with
/// IntrinsicInst.
class CondBrInst : public BranchInst {
public:
  CondBrInst() = delete;
  static CondBrInst *Create(Value *Condition, BasicBlock *IfTrue,
                            BasicBlock *IfFalse,
                            InsertPosition Where = nullptr) {
    return cast<CondBrInst>(
        BranchInst::Create(IfTrue, IfFalse, Condition, Where));
  }
  static bool classof(const Value *V) {
    auto *Branch = dyn_cast<BranchInst>(V);
    return Branch && Branch->isConditional();
  }
};

class UncondBrInst : public BranchInst {
public:
  UncondBrInst() = delete;
  static UncondBrInst *Create(BasicBlock *Target,
                              InsertPosition Where = nullptr) {
    return cast<UncondBrInst>(BranchInst::Create(Target, Where));
  }
  BasicBlock *getSuccessor() const { return BranchInst::getSuccessor(0); }
  void setSuccessor(BasicBlock *Target) { BranchInst::setSuccessor(0, Target); }
  static bool classof(const Value *V) {
    auto *Branch = dyn_cast<BranchInst>(V);
    return Branch && Branch->isUnconditional();
  }
};

/// From 23 on passes say whether they may be left out.
template <typename PassT> using OptionalPassInfoMixin = PassInfoMixin<PassT>;
template <typename PassT> struct RequiredPassInfoMixin : PassInfoMixin<PassT> {
  static bool isRequired() { return true; }
};
#endif

#if LLVM_VERSION_MAJOR < 22
namespace Intrinsic {
// 22 has one for all types.
constexpr ID nvvm_ex2_approx = nvvm_ex2_approx_f,
             nvvm_ex2_approx_ftz = nvvm_ex2_approx_ftz_f;
} // namespace Intrinsic
#endif

} // namespace llvm

namespace dlopt {

/// Whether this LLVM has it.
constexpr bool hasIntrinsic(llvm::Intrinsic::ID ID) {
  return ID < llvm::Intrinsic::num_intrinsics;
}

/// From 21 on pointers that are not captured are `captures(none)`.
#if LLVM_VERSION_MAJOR < 21
constexpr llvm::Attribute::AttrKind NoCaptureKind = llvm::Attribute::NoCapture;
inline llvm::Attribute getNoCapture(llvm::LLVMContext &C) {
  return llvm::Attribute::get(C, NoCaptureKind);
}
#else
constexpr llvm::Attribute::AttrKind NoCaptureKind = llvm::Attribute::Captures;
inline llvm::Attribute getNoCapture(llvm::LLVMContext &C) {
  return llvm::Attribute::getWithCaptureInfo(C, llvm::CaptureInfo::none());
}
#endif

/// Whether an attribute of a function says more than what it does, so that it
/// may not be dropped where two calls become one.
#if LLVM_VERSION_MAJOR < 20
inline bool mustPreserve(llvm::Attribute::AttrKind K) {
  using llvm::Attribute;
  return !llvm::is_contained(
      {Attribute::Cold, Attribute::Hot, Attribute::InlineHint,
       Attribute::MustProgress, Attribute::NoCallback, Attribute::NoFree,
       Attribute::NoRecurse, Attribute::NoReturn, Attribute::NoSync,
       Attribute::NoUnwind, Attribute::Speculatable, Attribute::WillReturn,
       Attribute::Memory},
      K);
}
#else
inline bool mustPreserve(llvm::Attribute::AttrKind K) {
  return llvm::Attribute::intersectMustPreserve(K);
}
#endif

//===----------------------------------------------------------------------===//
// Calls that compile in one way or another
//===----------------------------------------------------------------------===//

namespace detail {
/// What the first of two functions returns that takes \p Args.
template <typename F, typename G, typename... Ts>
decltype(auto) either(F First, G Otherwise, Ts &&...Args) {
  if constexpr (std::is_invocable_v<F, Ts...>)
    return First(std::forward<Ts>(Args)...);
  else
    return Otherwise(std::forward<Ts>(Args)...);
}

template <typename M>
M getMapOf(bool (llvm::GEPOperator::*)(const llvm::DataLayout &, unsigned, M &,
                                       llvm::APInt &) const);
} // namespace detail

/// The body of a lambda that takes part in the choice only if it compiles.
#define DLOPT_IF_VALID(EXPR)                                                   \
  ->decltype(EXPR) { return EXPR; }

/// What GEPOperator::collectOffset fills.
using OffsetMap = decltype(detail::getMapOf(&llvm::GEPOperator::collectOffset));

/// Before 22 the address space is not asked for.
template <typename TTIT>
bool isLegalMaskedLoad(const TTIT &TTI, llvm::Type *Ty, llvm::Align A) {
  return detail::either(
      [&](auto &T) DLOPT_IF_VALID(T.isLegalMaskedLoad(Ty, A, 0u)),
      [&](auto &T) { return T.isLegalMaskedLoad(Ty, A); }, TTI);
}
template <typename TTIT>
bool isLegalMaskedStore(const TTIT &TTI, llvm::Type *Ty, llvm::Align A) {
  return detail::either(
      [&](auto &T) DLOPT_IF_VALID(T.isLegalMaskedStore(Ty, A, 0u)),
      [&](auto &T) { return T.isLegalMaskedStore(Ty, A); }, TTI);
}

/// Later versions tell the types of the result and of the operands apart.
template <typename TTIT>
auto getShuffleCost(const TTIT &TTI, typename TTIT::ShuffleKind Kind,
                    llvm::VectorType *Ty) {
  return detail::either(
      [&](auto &T) DLOPT_IF_VALID(T.getShuffleCost(Kind, Ty, Ty)),
      [&](auto &T) { return T.getShuffleCost(Kind, Ty); }, TTI);
}

/// The number that a cost is, which is valid: llvm::InstructionCost has it in a
/// std::optional in earlier versions.
template <typename CostT> int64_t getCycles(const CostT &Cost) {
  auto Number = Cost.getValue();
  if constexpr (std::is_convertible_v<decltype(Number), int64_t>)
    return Number;
  else
    return *Number;
}

/// Whether vectors of known width are preferred where both cost the same.
template <typename TTIT> bool prefersFixed(const TTIT &TTI) {
  return detail::either(
      [](auto &T) DLOPT_IF_VALID(T.preferFixedOverScalableIfEqualCost(
          /*IsEpilogue=*/false)),
      [](auto &T) { return T.preferFixedOverScalableIfEqualCost(); }, TTI);
}

/// Whether an intrinsic of vectors takes a scalar there, as it may be for all
/// targets.
inline bool takesScalar(llvm::Intrinsic::ID ID, unsigned Arg) {
  return detail::either(
      [&](auto *F) DLOPT_IF_VALID(F(ID, Arg, nullptr)),
      [&](auto *F) { return F(ID, Arg); },
      &llvm::isVectorIntrinsicWithScalarOpAtArg);
}

/// Later versions put the depth last.
template <typename QueryT>
bool isNeverInfinite(const llvm::Value *V, const QueryT &Query) {
  return detail::either(
      [&](auto &Q) DLOPT_IF_VALID(isKnownNeverInfinity(V, Q)),
      [&](auto &Q) { return isKnownNeverInfinity(V, /*Depth=*/0, Q); }, Query);
}

/// What \p V may be as a number with a sign. From 23 on, what is known there is
/// one argument, as elsewhere.
template <typename QueryT>
auto getSignedRange(const llvm::Value *V, const QueryT &Query) {
  return detail::either(
      [&](auto &Q)
          DLOPT_IF_VALID(computeConstantRange(V, /*ForSigned=*/true, Q)),
      [&](auto &Q) {
        return computeConstantRange(V, /*ForSigned=*/true, Q.IIQ.UseInstrInfo,
                                    Q.AC, Q.CxtI, Q.DT);
      },
      Query);
}

/// Whether others may learn where \p V points to, \p Returns: from what the
/// function returns. That it is null or not (a comparison) is no secret.
inline bool mayBeCaptured(const llvm::Value *V, bool Returns = true) {
#if LLVM_VERSION_MAJOR < 21
  return llvm::PointerMayBeCaptured(V, Returns, /*StoreCaptures=*/true);
#else
  return llvm::PointerMayBeCaptured(V, Returns);
#endif
}

/// The same, but for what comparisons tell.
inline bool mayEscape(const llvm::Value *V, bool Returns) {
#if LLVM_VERSION_MAJOR < 21
  return mayBeCaptured(V, Returns);
#else
  // From 23 on the answer has both.
  constexpr auto Provenance = llvm::CaptureComponents::Provenance;
  return llvm::capturesAnything(detail::either(
      [&](auto *X)
          DLOPT_IF_VALID(llvm::PointerMayBeCaptured(X, Returns, Provenance)),
      [&](auto *X) {
        auto Captured = llvm::PointerMayBeCaptured(X, Provenance);
        return Returns ? Captured.WithRet : Captured.WithoutRet;
      },
      V));
#endif
}

using DebugRecords = llvm::SmallVector<llvm::DbgVariableRecord *, 2>;

/// Debug records that say that a variable is \p V.
inline DebugRecords findDebugValues(llvm::Value *V) {
  DebugRecords Records;
  detail::either(
      [&](auto *Value) DLOPT_IF_VALID(findDbgValues(Value, Records)),
      [&](auto *Value) {
        llvm::SmallVector<llvm::DbgValueInst *, 2> Calls;
        findDbgValues(Calls, Value, &Records);
      },
      V);
  return Records;
}

/// Those that name it at all.
inline DebugRecords findDebugUsers(llvm::Value *V) {
  DebugRecords Records;
  detail::either(
      [&](auto *Value) DLOPT_IF_VALID(findDbgUsers(Value, Records)),
      [&](auto *Value) {
        llvm::SmallVector<llvm::DbgVariableIntrinsic *, 2> Calls;
        findDbgUsers(Calls, Value, &Records);
      },
      V);
  return Records;
}

/// A loop from 0 up to \p End in front of \p Where: where its body goes, and
/// its variable.
inline std::pair<llvm::Instruction *, llvm::Value *>
insertLoop(llvm::Value *End, llvm::BasicBlock::iterator Where) {
  return detail::either(
      [&](auto *Value)
          DLOPT_IF_VALID(SplitBlockAndInsertSimpleForLoop(Value, Where)),
      [&](auto *Value) {
        return SplitBlockAndInsertSimpleForLoop(Value, &*Where);
      },
      End);
}

/// Gives \p G an initial value, maybe of another type, which works from 22 on.
template <typename GlobalT>
void replaceInitializer(GlobalT &G, llvm::Constant *Value) {
  if (Value->getType() == G.getValueType())
    G.setInitializer(Value);
  else
    detail::either(
        [&](auto &X) DLOPT_IF_VALID(X.replaceInitializer(Value)),
        [](auto &) { llvm_unreachable("see canChangeType"); }, G);
}
template <typename GlobalT> bool canChangeType(GlobalT &) {
  auto Replace =
      [](auto &X, llvm::Constant *C) DLOPT_IF_VALID(X.replaceInitializer(C));
  return std::is_invocable_v<decltype(Replace), GlobalT &, llvm::Constant *>;
}

/// Whether it may be errno that is at \p Loc, as far as types say: before 22 no
/// module says which type that has. \p AA is llvm::TypeBasedAAResult.
template <typename AA, typename LocationT>
bool mayBeErrno(const LocationT &Loc, const llvm::Module &M) {
  return detail::either(
      [&](auto *Type) DLOPT_IF_VALID(
          std::remove_pointer_t<decltype(Type)>(/*UsingTypeSanitizer=*/false)
              .aliasErrno(Loc, &M) != llvm::AliasResult::NoAlias),
      [](auto *) { return true; }, static_cast<AA *>(nullptr));
}

/// \p ExpanderT is llvm::SCEVExpander, which asks \p SE for the data layout in
/// later versions.
template <typename ExpanderT, typename SET>
std::unique_ptr<ExpanderT> makeExpander(SET &SE, const char *Name) {
  if constexpr (std::is_constructible_v<ExpanderT, SET &, const char *>)
    return std::make_unique<ExpanderT>(SE, Name);
  else
    return std::make_unique<ExpanderT>(SE, SE.getDataLayout(), Name);
}

/// How much a level of optimization does for speed, 0 to 3: from 23 on it is no
/// more than that. \p LevelT is llvm::OptimizationLevel.
template <typename LevelT> unsigned getSpeedupLevel(const LevelT &Level) {
  return detail::either(
      [](auto &L) DLOPT_IF_VALID(L.getSpeedupLevel()),
      [](auto &L) { return static_cast<unsigned>(L); }, Level);
}

/// And for size: 1 for Os, 2 for Oz. From 23 on these are O2, and functions say
/// for themselves that they are to be small.
template <typename LevelT> unsigned getSizeLevel(const LevelT &Level) {
  return detail::either(
      [](auto &L) DLOPT_IF_VALID(L.getSizeLevel()), [](auto &) { return 0u; },
      Level);
}

/// Before 21 the triple is text. \p TargetT is llvm::Target.
template <typename TargetT, typename... Ts>
auto *createTargetMachine(const TargetT &Target, const llvm::Triple &Triple,
                          const Ts &...Args) {
  return detail::either(
      [&](auto &T) DLOPT_IF_VALID(T.createTargetMachine(Triple, Args...)),
      [&](auto &T) { return T.createTargetMachine(Triple.str(), Args...); },
      Target);
}

/// The declaration of an intrinsic. 20 renamed what makes it.
inline llvm::Function *getDeclaration(llvm::Module &M, llvm::Intrinsic::ID ID,
                                      llvm::ArrayRef<llvm::Type *> Types) {
#if LLVM_VERSION_MAJOR < 20
  return llvm::Intrinsic::getDeclaration(&M, ID, Types);
#else
  return llvm::Intrinsic::getOrInsertDeclaration(&M, ID, Types);
#endif
}

/// Callbacks that are told which pipeline they add to, of which there may be
/// two if a link follows. Before 20 nobody tells: without a start it is that of
/// ThinLTO's link (ThinLTOPostLink), else any other one (None), and then the
/// module says whether a link follows: see isBeforeLink.
template <typename BuilderT> class PhaseCallbacks {
public:
#if LLVM_VERSION_MAJOR < 20
  static constexpr bool AreTold = false;

  explicit PhaseCallbacks(BuilderT &PB)
      : PB(PB), HasStart(std::make_shared<bool>(false)) {
    PB.registerPipelineStartEPCallback(
        [HasStart = HasStart](auto &, auto) { *HasStart = true; });
  }
  template <typename F> void addEarlySimplification(F Callback) {
    PB.registerPipelineEarlySimplificationEPCallback(tell(Callback));
  }
  template <typename F> void addOptimizerEarly(F Callback) {
    PB.registerOptimizerEarlyEPCallback(tell(Callback));
  }
  template <typename F> void addOptimizerLast(F Callback) {
    PB.registerOptimizerLastEPCallback(
        [HasStart = HasStart, Told = tell(Callback)](auto &MPM, auto Level) {
          Told(MPM, Level);
          *HasStart = false;
        });
  }

private:
  template <typename F> auto tell(F Callback) {
    using llvm::ThinOrFullLTOPhase;
    return [HasStart = HasStart, Callback](auto &MPM, auto Level) {
      Callback(MPM, Level,
               *HasStart ? ThinOrFullLTOPhase::None
                         : ThinOrFullLTOPhase::ThinLTOPostLink);
    };
  }

  BuilderT &PB;
  std::shared_ptr<bool> HasStart;
#else
  static constexpr bool AreTold = true;

  explicit PhaseCallbacks(BuilderT &PB) : PB(PB) {}
  template <typename F> void addEarlySimplification(F Callback) {
    PB.registerPipelineEarlySimplificationEPCallback(Callback);
  }
  template <typename F> void addOptimizerEarly(F Callback) {
    PB.registerOptimizerEarlyEPCallback(Callback);
  }
  template <typename F> void addOptimizerLast(F Callback) {
    PB.registerOptimizerLastEPCallback(Callback);
  }

private:
  BuilderT &PB;
#endif
};

/// A serializer of remarks that writes nothing. Before 22 there are modes of
/// writing, and a file's name may be missing.
class SilentSerializer : public llvm::remarks::RemarkSerializer {
public:
#if LLVM_VERSION_MAJOR < 22
  SilentSerializer()
      : RemarkSerializer(llvm::remarks::Format::YAML, llvm::nulls(),
                         llvm::remarks::SerializerMode::Standalone) {}
  std::unique_ptr<llvm::remarks::MetaSerializer>
  metaSerializer(llvm::raw_ostream &, std::optional<llvm::StringRef>) override {
    return nullptr;
  }
#else
  SilentSerializer()
      : RemarkSerializer(llvm::remarks::Format::YAML, llvm::nulls()) {}
  std::unique_ptr<llvm::remarks::MetaSerializer>
  metaSerializer(llvm::raw_ostream &, llvm::StringRef) override {
    return nullptr;
  }
#endif
};

/// Ends a stream of remarks, which wants to be told from 22 on.
template <typename StreamerT> void endRemarks(StreamerT &Streamer) {
  detail::either(
      [](auto &S) DLOPT_IF_VALID((void)S.releaseSerializer()), [](auto &) {},
      Streamer);
}

/// Whether clang compiles \p M for a link that optimizes.
inline bool isBeforeLink(const llvm::Module &M) {
  return M.getModuleFlag("EnableSplitLTOUnit");
}

//===----------------------------------------------------------------------===//
// Right in all versions
//===----------------------------------------------------------------------===//

/// Before 21 a module has its triple as text.
inline llvm::Triple getTriple(const llvm::Module &M) {
  return llvm::Triple(M.getTargetTriple());
}
inline void setTriple(llvm::Module &M, const llvm::Triple &T) {
  using Stored = std::decay_t<decltype(M.getTargetTriple())>;
  M.setTargetTriple(Stored(T.str()));
}

/// The low bits of a number: from 20 on APInt's constructor wants to be told.
inline llvm::APInt getLowBits(unsigned Bits, uint64_t Value) {
  return llvm::APInt(64, Value).zextOrTrunc(Bits);
}

/// LLVM 19's take no constant instructions.
inline llvm::Type *getLoadStoreType(const llvm::Instruction *I) {
  return llvm::getLoadStoreType(const_cast<llvm::Instruction *>(I));
}
inline llvm::Align getLoadStoreAlignment(const llvm::Instruction *I) {
  return llvm::getLoadStoreAlignment(const_cast<llvm::Instruction *>(I));
}

} // namespace dlopt

#endif // DLOPT_COMPAT_H
