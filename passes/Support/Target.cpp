//===- Target.cpp - The target model --------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Target.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/AArch64TargetParser.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;

namespace dlopt {

static uint64_t findDots(const Function &F);

namespace {

struct Row {
  StringLiteral Family, Arch, CPUs;
  unsigned Bits, Latency, Chain, Add, Mul, PerCycle;
  bool Lanes, Pairs;
  LargeStores Large;
  unsigned InFlight;
  double Loads, Stores, Shuffles, Issue, L2Bytes, L3Bytes, MemoryBytes;
  uint64_t L1, L2, L3;
};

constexpr Row Rows[] = {
#define DLOPT_TARGET(FAMILY, ARCH, CPUS, BITS, LATENCY, CHAIN, ADD, MUL,       \
                     PER_CYCLE, LANES, PAIRS, LARGE, IN_FLIGHT, LOADS, STORES, \
                     SHUFFLES, ISSUE, L2_BYTES, L3_BYTES, MEMORY_BYTES, L1,    \
                     L2, L3)                                                   \
  {FAMILY,    ARCH,         CPUS,      BITS,     LATENCY, CHAIN,               \
   ADD,       MUL,          PER_CYCLE, LANES,    PAIRS,   LargeStores::LARGE,  \
   IN_FLIGHT, LOADS,        STORES,    SHUFFLES, ISSUE,   L2_BYTES,            \
   L3_BYTES,  MEMORY_BYTES, L1,        L2,       L3},
#include "dlopt/Targets.def"
};

bool matchesCPU(StringRef List, StringRef CPU) {
  for (StringRef Pattern : split(List, ' '))
    if (Pattern.consume_back("*") ? CPU.starts_with(Pattern) : CPU == Pattern)
      return true;
  return false;
}

const Row &findRow(StringRef Arch, StringRef CPU, unsigned Bits) {
  for (const Row &R : Rows)
    if (Arch.starts_with(R.Arch) && matchesCPU(R.CPUs, CPU) && Bits >= R.Bits)
      return R;
  return Rows[std::size(Rows) - 1];
}

/// Why vectors of floating-point numbers cannot be used, or empty.
StringRef whyNoSIMD(const Function &F, const TargetTransformInfo &TTI,
                    unsigned Bits) {
  if (getTriple(*F.getParent()).str().empty())
    return "the module has no target triple";
  if (TTI.hasBranchDivergence(&F))
    return "a GPU target";
  if (F.hasFnAttribute(Attribute::NoImplicitFloat))
    return "vector registers may not be used";
  // Such code has only part of the instructions, and calls change the mode.
  if (any_of(F.getAttributes().getFnAttrs(), [](const Attribute &A) {
        return A.isStringAttribute() &&
               A.getKindAsString().starts_with("aarch64_");
      }))
    return "streaming mode or the state of SME";
  if (Bits < 128)
    return "no vector registers";
  if (F.getParent()->getDataLayout().getPointerSizeInBits() != 64)
    return "addresses are not 64 bits wide";
  if (TTI.isFPVectorizationPotentiallyUnsafe())
    return "vectors do not follow IEEE 754";
  return "";
}

/// Whether half becomes \p V, a vector of float, by an instruction or two, and
/// back: emulation and calls cost more for each element.
bool convertsHalf(const TargetTransformInfo &TTI, FixedVectorType *V) {
  auto *Half =
      VectorType::get(Type::getHalfTy(V->getContext()), V->getElementCount());
  auto GetCost = [&](unsigned Opcode, Type *To, Type *From) {
    return TTI.getCastInstrCost(Opcode, To, From,
                                TargetTransformInfo::CastContextHint::None,
                                TargetTransformInfo::TCK_RecipThroughput);
  };
  return GetCost(Instruction::FPExt, V, Half) <= 2 &&
         GetCost(Instruction::FPTrunc, Half, V) <= 2;
}

/// Whether four floats are rounded to bfloat by one or two instructions: LLVM
/// gives wider vectors more than they take.
bool roundsBFloat(const TargetTransformInfo &TTI, LLVMContext &C) {
  auto *From = FixedVectorType::get(Type::getFloatTy(C), 4);
  auto *To = FixedVectorType::get(Type::getBFloatTy(C), 4);
  return TTI.getCastInstrCost(Instruction::FPTrunc, To, From,
                              TargetTransformInfo::CastContextHint::None,
                              TargetTransformInfo::TCK_RecipThroughput) <= 2;
}

/// Whether an instruction or two pick any lanes of two vectors of eight floats.
bool permutesPairs(const TargetTransformInfo &TTI, LLVMContext &C) {
  auto *V = FixedVectorType::get(Type::getFloatTy(C), 8);
  return getShuffleCost(TTI, TargetTransformInfo::SK_PermuteTwoSrc, V) <= 2;
}

/// The compute capability, of a GPU of NVIDIA's, that \p F is for, in tenths:
/// 0: it is not known.
unsigned getCapability(const Function &F) {
  StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Capability = 0;
  if (!getTriple(*F.getParent()).isNVPTX() || !CPU.consume_front("sm_") ||
      CPU.consumeInteger(10, Capability))
    return 0;
  return Capability;
}

/// Fills in what a GPU of NVIDIA's has: tanh from 7.5 on, in PTX from 7.0 on,
/// which LLVM writes for newer ones and where the function says so.
void addGPU(TargetModel &T, const Function &F) {
  T.IsNVPTX = getTriple(*F.getParent()).isNVPTX();
  if (!T.IsNVPTX)
    return;
  T.HasFMA = T.HasVectorFMA = T.ConvertsHalf = T.RoundsBFloat = true;
  T.Dots = findDots(F);
  unsigned Capability = getCapability(F), PTX = 0;
  StringRef Features = F.getFnAttribute("target-features").getValueAsString();
  for (StringRef Feature : split(Features, ','))
    if (unsigned Version = 0;
        Feature.consume_front("+ptx") && !Feature.getAsInteger(10, Version))
      PTX = std::max(PTX, Version);
  T.HasTanh = Capability >= 80 || (Capability >= 75 && PTX >= 70);
}

/// The rows of Instructions.def for sums of pairs of floats, a bit each.
uint64_t getDotsOfPairs() {
  constexpr StringLiteral Sums[] = {
#define DOT(NAME, FEATURES, INTRINSIC, LANES, DEPTH, SUM, A, B, ADDS) #SUM,
#include "dlopt/Instructions.def"
  };
  uint64_t Dots = 0;
  for (auto [I, Sum] : enumerate(Sums))
    Dots |= uint64_t(Sum == "f32") << I;
  return Dots;
}

/// Fills in what the table says of the CPU.
void addFamily(TargetModel &T, const Function &F) {
  // A level of the architecture is no CPU: then what the code is tuned for is.
  StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString(),
            Tune = F.getFnAttribute("tune-cpu").getValueAsString();
  if (!Tune.empty() && Tune != "generic" &&
      (CPU.empty() || CPU == "generic" || CPU.starts_with("x86-64")))
    CPU = Tune;
  StringRef Arch =
      Triple::getArchTypePrefix(getTriple(*F.getParent()).getArch());
  const Row &R = findRow(Arch, CPU, T.VectorBits);
  T.Family = R.Family;
  if (R.Arch.empty())
    T.NoSIMD = "no schedules for this architecture";
  T.FMALatency = R.Latency;
  T.FMAPerCycle = R.PerCycle;
  // Scalars and narrower vectors take as long.
  const Row &Core = findRow(Arch, CPU, std::numeric_limits<unsigned>::max());
  T.ChainLatency = Core.Chain;
  T.AddLatency = Core.Add;
  T.MulLatency = Core.Mul;
  if (!Core.Pairs)
    T.Dots &= ~getDotsOfPairs();
  T.HasLaneFMA = R.Lanes;
  T.Large = R.Large;
  T.InFlight = R.InFlight;
  T.LoadsPerCycle = R.Loads;
  T.StoresPerCycle = R.Stores;
  T.ShufflesPerCycle = R.Shuffles;
  T.IssueWidth = R.Issue;
  T.L2Bytes = R.L2Bytes;
  T.L3Bytes = R.L3Bytes;
  T.MemoryBytes = R.MemoryBytes;
  if (!T.StoresPastCaches && T.Large != LargeStores::Plain)
    T.Large = LargeStores::FetchedAhead;
  T.L1 = R.L1 << 10;
  T.L2 = R.L2 << 10;
  T.L3 = R.L3 << 10;
}

/// Fills in what the model says about scalable vectors.
void addScalable(TargetModel &T, const Function &F,
                 const TargetTransformInfo &TTI) {
  if (!TTI.supportsScalableVectors() || !TTI.enableScalableVectorization())
    return;
  Attribute Range = F.getFnAttribute(Attribute::VScaleRange);
  std::optional<unsigned> Max =
      Range.isValid() ? Range.getVScaleRangeMax() : TTI.getMaxVScale();
  unsigned Bits =
      TTI.getRegisterBitWidth(TargetTransformInfo::RGK_ScalableVector)
          .getKnownMinValue();
  // SVE's registers have 2048 bits at most.
  if (!Max && getTriple(*F.getParent()).isAArch64() && Bits)
    Max = 2048 / Bits;
  if (!Max || Bits < 128)
    return;
  auto *V =
      ScalableVectorType::get(Type::getFloatTy(F.getContext()), Bits / 32);
  if (!isLegalMaskedLoad(TTI, V, Align(4)) ||
      !isLegalMaskedStore(TTI, V, Align(4)) ||
      !TTI.isElementTypeLegalForScalableVector(V->getElementType()) ||
      !TTI.isElementTypeLegalForScalableVector(
          Type::getDoubleTy(F.getContext())))
    return;
  T.ScalableBits = Bits;
  T.NumScalableRegs =
      TTI.getNumberOfRegisters(TTI.getRegisterClassForType(true, V)) /
      TTI.getRegUsageForType(V);
  T.MaxVScale = *Max;
  unsigned Min = Range.isValid() ? Range.getVScaleRangeMin() : 1;
  T.TuneVScale =
      std::clamp(TTI.getVScaleForTuning().value_or(1), Min, T.MaxVScale);
  unsigned Expected = Bits * T.TuneVScale;
  T.PrefersScalable = Expected > T.VectorBits ||
                      (Expected == T.VectorBits && !prefersFixed(TTI));
}

} // namespace

/// Whether the CPU that \p F names has it.
static bool isOfCPU(const Function &F, StringRef Feature) {
  StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString();
  const Triple Target = getTriple(*F.getParent());
  if (Target.isX86() && X86::parseArchX86(CPU) != X86::CK_None) {
    SmallVector<StringRef, 64> Features;
    X86::getFeaturesForCPU(CPU, Features);
    return is_contained(Features, Feature);
  }
  if (Target.isAArch64())
    if (auto Info = AArch64::parseCpu(CPU))
      if (auto Extension =
              AArch64::targetFeatureToExtension(("+" + Feature).str()))
        return Info->DefaultExtensions.test(Extension->ID);
  // A GPU has what those before it have.
  if (unsigned Least = 0;
      Feature.consume_front("sm_") && !Feature.getAsInteger(10, Least))
    return getCapability(F) >= Least;
  return false;
}

bool keepsFirstOfEqual(const Function &F) {
  return getTriple(*F.getParent()).isX86();
}

/// Whether code in \p F may use \p Feature, where \p Given is its list.
static bool hasFeature(const Function &F, StringRef Given, StringRef Feature) {
  std::optional<bool> Result;
  for (StringRef Each : split(Given, ','))
    if (Each.size() > 1 && Each.drop_front() == Feature)
      Result = Each.front() == '+';
  return Result ? *Result : isOfCPU(F, Feature);
}

bool hasTargetFeatures(const Function &F, StringRef Features) {
  // Answers by all that they depend on, so that none is ever old: lists of
  // features have a hundred names, and tables of instructions are asked row by
  // row.
  thread_local StringMap<StringMap<bool>> Known;
  StringRef CPU = F.getFnAttribute("target-cpu").getValueAsString(),
            Given = F.getFnAttribute("target-features").getValueAsString();
  SmallString<2048> Target(getTriple(*F.getParent()).str());
  for (StringRef Part : {CPU, Given}) {
    Target += '\0';
    Target += Part;
  }
  StringMap<bool> &Answers = Known[Target];
  auto [It, IsNew] = Answers.try_emplace(Features, false);
  if (IsNew)
    It->second = any_of(split(Features, '|'), [&](StringRef All) {
      return all_of(split(All, ','), [&](StringRef Feature) {
        return hasFeature(F, Given, Feature);
      });
    });
  return It->second;
}

ScalableRegister getScalableRegister(const Function &F) {
  // By the architecture's manual: SVE has 128 to 2048 bits, V up to 65536, of
  // which LLVM calls 64 a block.
  static constexpr struct {
    StringLiteral Feature;
    ScalableRegister Register;
  } Rows[] = {{"sve", {128, 16}}, {"v", {64, 1024}}};
  for (const auto &[Feature, Register] : Rows) {
    if (!hasTargetFeatures(F, Feature))
      continue;
    ScalableRegister Result = Register;
    Attribute Range = F.getFnAttribute(Attribute::VScaleRange);
    if (Range.isValid())
      Result.MostVScale =
          std::min(Range.getVScaleRangeMax().value_or(Result.MostVScale),
                   Result.MostVScale);
    return Result;
  }
  return {};
}

Value *emitVL(IRBuilderBase &B) {
  const Function &F = *B.GetInsertBlock()->getParent();
  return B.CreateElementCount(
      B.getInt64Ty(),
      ElementCount::getScalable(getScalableRegister(F).getLanes()));
}

static uint64_t findDots(const Function &F) {
  struct Needed {
    StringLiteral Features;
    Intrinsic::ID ID;
  };
  constexpr Needed Rows[] = {
#define DOT(NAME, FEATURES, INTRINSIC, LANES, DEPTH, SUM, A, B, ADDS)          \
  {FEATURES, Intrinsic::INTRINSIC},
#include "dlopt/Instructions.def"
  };
  static_assert(std::size(Rows) <= 64, "one word");
  uint64_t Dots = 0;
  for (auto [I, Row] : enumerate(Rows))
    Dots |= uint64_t(hasIntrinsic(Row.ID) && hasTargetFeatures(F, Row.Features))
            << I;
  return Dots;
}

static uint32_t findLookups(const Function &F, unsigned VectorBits) {
  struct Needed {
    StringLiteral Features;
    unsigned Bits;
  };
  constexpr Needed Rows[] = {
#define LOOKUP(NAME, FEATURES, INTRINSIC, BITS, LANES, ENTRIES, PARTS, BEYOND) \
  {FEATURES, (BITS) * (LANES)},
#include "dlopt/Lookups.def"
  };
  uint32_t Lookups = 0;
  for (auto [I, Row] : enumerate(Rows))
    Lookups |=
        uint32_t(Row.Bits <= VectorBits && hasTargetFeatures(F, Row.Features))
        << I;
  return Lookups;
}

TargetModel getTargetModel(const Function &F, const TargetTransformInfo &TTI) {
  LLVMContext &C = F.getContext();
  Type *F32 = Type::getFloatTy(C);
  TargetModel T;
  T.VectorBits =
      TTI.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  T.PlainBits = T.VectorBits;
  // The register width above is lower where the CPU's own tuning prefers
  // narrow vectors (server CPUs that clock down), which long matrix kernels do
  // not suffer from; what the user prefers counts.
  auto *V512 = FixedVectorType::get(F32, 16);
  bool Has512 = !TTI.supportsScalableVectors() &&
                TTI.isLegalMaskedExpandLoad(V512, Align(4));
  if (Has512)
    T.VectorBits = 512;
  unsigned Preferred = 0;
  if (!F.getFnAttribute("prefer-vector-width")
           .getValueAsString()
           .getAsInteger(10, Preferred) &&
      Preferred >= 128)
    T.VectorBits = std::min(T.VectorBits, Preferred);
  T.VectorBits = unsigned(llvm::bit_floor(T.VectorBits));
  T.PlainBits = std::min(T.PlainBits, T.VectorBits);
  T.NoSIMD = whyNoSIMD(F, TTI, T.VectorBits);
  addGPU(T, F);
  if (!T.NoSIMD.empty())
    return T;

  auto *V = FixedVectorType::get(F32, T.VectorBits / 32);
  T.NumVectorRegs =
      TTI.getNumberOfRegisters(TTI.getRegisterClassForType(true, V));
  // RISC-V groups registers to vectors of that width.
  if (TTI.supportsScalableVectors())
    T.NumVectorRegs /= TTI.getRegUsageForType(V);
  T.HasMaskedLoads = isLegalMaskedLoad(TTI, V, Align(4));
  if (isLegalMaskedLoad(TTI,
                        FixedVectorType::get(Type::getInt8Ty(F.getContext()),
                                             T.VectorBits / 8),
                        Align(1)))
    T.LeastMaskedBits = 8;
  // Both masked and expanding: lane masks are a register class of their own.
  T.HasMaskedMemory = T.HasMaskedLoads &&
                      isLegalMaskedStore(TTI, V, Align(4)) &&
                      TTI.isLegalMaskedExpandLoad(V, Align(4));
  T.HasMaskedGathers =
      T.HasMaskedMemory && TTI.isLegalMaskedGather(V, Align(4));
  T.FoldsBroadcast = T.HasScaling = Has512;
  T.HasPermutations = getTriple(*F.getParent()).isX86() &&
                      T.VectorBits >= 256 && hasTargetFeatures(F, "avx2");
  // It does not know of vectors of 512 bits, for which there is one, too.
  unsigned Stored = std::min(T.VectorBits, 256u);
  T.KeepsFirstOfEqual = keepsFirstOfEqual(F);
  T.StoresPastCaches =
      getTriple(*F.getParent()).isX86() &&
      TTI.isLegalNTStore(FixedVectorType::get(F32, Stored / 32),
                         Align(Stored / 8));
  auto IsCheap = [&](Intrinsic::ID ID, FixedVectorType *Ty,
                     ArrayRef<Type *> Args) {
    return TTI.getIntrinsicInstrCost(
               IntrinsicCostAttributes(ID, Ty, Args),
               TargetTransformInfo::TCK_RecipThroughput) <= 2;
  };
  auto HasFMA = [&](FixedVectorType *Ty) {
    return IsCheap(Intrinsic::fma, Ty, {Ty, Ty, Ty});
  };
  T.HasFMA = HasFMA(V);
  T.HasVectorFMA = HasFMA(FixedVectorType::get(F32, Stored / 32));
  auto *Some = FixedVectorType::get(F32, Stored / 32);
  // LLVM 19 has the instructions of x86 that do that, but not their costs.
  T.ConvertsHalf = convertsHalf(TTI, Some) || hasTargetFeatures(F, "f16c");
  T.RoundsBFloat = roundsBFloat(TTI, C);
  T.RoundsToIntegers = IsCheap(Intrinsic::floor, Some, {Some});
  if (permutesPairs(TTI, C))
    T.CheapGroup = 7;

  T.Dots = findDots(F);
  T.Lookups = findLookups(F, T.VectorBits);
  addScalable(T, F, TTI);
  addFamily(T, F);
  return T;
}

} // namespace dlopt
