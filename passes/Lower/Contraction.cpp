//===- Contraction.cpp - The functions of a contraction -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Contraction.h"
#include "ContractionEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dlopt::contraction;

namespace dlopt {
namespace {

/// Marks generated functions: they are never raised.
constexpr StringLiteral GeneratedAttr = "dl-generated";
/// What the function computes and how, to find identical ones.
constexpr StringLiteral KeyAttr = "dl-key";

std::string getKey(const ContractionSpec &S, const ContractionPlan &P) {
  std::string Key;
  raw_string_ostream OS(Key);
  static constexpr StringLiteral Combs[] = {"fmuladd", "fma", "muladd"};
  OS << "matmul.nn." << getName(S.Ty) << ' ' << Combs[S.Comb];
  S.MulFlags.print(OS << ' ');
  S.AddFlags.print(OS << " /");
  if (DLOPT_PLANTED(KeyCutShort))
    return Key;
  if (S.PostAdd)
    OS << " post-add";
  OS << ' ' << P.TileRows << 'x' << P.TileVectors << 'x' << P.VectorElems
     << (P.MaskedLoads ? " masked-loads" : "")
     << (P.MaskedStores ? " masked-stores" : "") << (P.PackA ? " pack-a" : "")
     << " kc=" << P.KC << " nc=" << P.NC << " mc=" << P.MC
     << " direct=" << P.DirectBytes << " rows=" << P.PackRows
     << " unroll=" << P.UnrollK << " chains=" << P.MinChains;
  return Key;
}

/// Attributes of \p Caller that say how code for it must be made: the target,
/// floating-point modes, stack and control-flow protection. Those about what
/// the caller is (inlining, memory effects, sections) or what was added to it
/// (instrumentation) are not.
AttrBuilder getInheritedAttributes(const Function &Caller) {
  static constexpr Attribute::AttrKind Kinds[] = {
      Attribute::NoRedZone,       Attribute::NullPointerIsValid,
      Attribute::SafeStack,       Attribute::ShadowCallStack,
      Attribute::NoCfCheck,       Attribute::StackProtect,
      Attribute::StackProtectReq, Attribute::StackProtectStrong,
      Attribute::UWTable,         Attribute::SpeculativeLoadHardening,
  };
  static constexpr StringLiteral NotInherited[] = {
      "dl-",
      "min-legal-vector-width",
      "patchable-function",
      "fentry-",
      "instrument-",
      "function-instrument",
      "xray-",
      "no-builtin",
      "sample-profile",
      "profile",
      "vector-function-abi-variant",
      "wasm-",
      "implicit-section",
      "bss-section",
      "data-section",
      "rodata-section",
      "relro-section",
      "coroutine",
      "thinlto",
      "llvm.",
      "loader-replaceable",
      "alloc-family"};
  AttrBuilder Result(Caller.getContext());
  AttributeSet Attrs = Caller.getAttributes().getFnAttrs();
  for (Attribute::AttrKind K : Kinds)
    if (Attrs.hasAttribute(K))
      Result.addAttribute(Attrs.getAttribute(K));
  for (Attribute A : Attrs)
    if (A.isStringAttribute() && none_of(NotInherited, [&](StringRef Prefix) {
          return A.getKindAsString().starts_with(Prefix);
        }))
      Result.addAttribute(A);
  return Result;
}

class ContractionBuilder {
public:
  ContractionBuilder(Module &M, const ContractionSpec &S,
                     const ContractionPlan &P, const Function &Caller)
      : M(M), C(M.getContext()), Spec(S), Plan(P) {
    AttrBuilder Attrs = getInheritedAttributes(Caller);
    Attrs.addAttribute(GeneratedAttr);
    Attrs.addAttribute(KeyAttr, getKey(S, P));
    for (Attribute::AttrKind K :
         {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoRecurse,
          Attribute::NoSync, Attribute::NoFree, Attribute::MustProgress})
      Attrs.addAttribute(K);
    Inherited = AttributeSet::get(C, Attrs);
  }
  Function *get();

private:
  Function *create(const Twine &Name, ArrayRef<Type *> Params,
                   ArrayRef<StringRef> ParamNames, AttributeSet Attrs);
  AttributeSet getWorkerAttributes() const;
  AttributeSet getEntryAttributes() const;
  Function *createTiles(StringRef Base);
  Function *createPacked(StringRef Base, Function &Tiles);
  void emitEntry(Function &F, Function &Tiles, Function *Packed);

  Module &M;
  LLVMContext &C;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  AttributeSet Inherited;
};

/// The functions that hold the vector code: their registers, frame and vector
/// width must not reach the caller. Copies for some arguments would only grow
/// the code, and calls to memcpy in place of short copies slow it down.
AttributeSet ContractionBuilder::getWorkerAttributes() const {
  std::string Bits =
      utostr(uint64_t(Plan.VectorElems) * getSizeInBytes(Spec.Ty) * 8);
  AttributeSet Attrs = Inherited;
  for (Attribute::AttrKind K : {Attribute::NoInline, Attribute::NoDuplicate})
    Attrs = Attrs.addAttribute(C, K);
  Attrs = Attrs.addAttribute(C, "no-builtins");
  Attrs = Attrs.addAttribute(C, "min-legal-vector-width", Bits);
  // A wish for narrow vectors that the target model has seen already.
  return Attrs.addAttribute(C, "prefer-vector-width", Bits);
}

/// The dispatcher has two calls and no vectors.
AttributeSet ContractionBuilder::getEntryAttributes() const {
  return Inherited.addAttribute(C, Attribute::AlwaysInline);
}

Function *ContractionBuilder::create(const Twine &Name, ArrayRef<Type *> Params,
                                     ArrayRef<StringRef> ParamNames,
                                     AttributeSet Attrs) {
  auto *Ty = FunctionType::get(Type::getVoidTy(C), Params, false);
  Function *F = Function::Create(Ty, GlobalValue::InternalLinkage, Name, M);
  F->setDSOLocal(true);
  F->addFnAttrs(AttrBuilder(C, Attrs));
  for (auto [Arg, ArgName] : zip_equal(F->args(), ParamNames)) {
    Arg.setName(ArgName);
    Arg.addAttr(Attribute::NoUndef);
  }
  return F;
}

Function *ContractionBuilder::createTiles(StringRef Base) {
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  SmallVector<Type *, 14> Params = {Ptr, Int, Ptr, Int, Ptr, Int, Int,
                                    Ptr, Int, Int, Int, Int, Int};
  SmallVector<StringRef, 14> Names = {"C",   "ldc",        "A", "lda", "B",
                                      "ldb", "panel.step", "S", "srs", "scs",
                                      "M",   "N",          "K"};
  if (Spec.PostAdd) {
    Params.push_back(Type::getInt1Ty(C));
    Names.push_back("last");
  }
  Function *F = create(Base + ".tiles", Params, Names, getWorkerAttributes());
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  auto Arg = [&](unsigned I) { return F->getArg(I); };
  TilesArgs T = {Arg(0),  Arg(1),
                 Arg(2),  Arg(3),
                 Arg(4),  Arg(5),
                 Arg(6),  Arg(7),
                 Arg(8),  Arg(9),
                 Arg(10), Arg(11),
                 Arg(12), Spec.PostAdd ? Arg(13) : nullptr};
  Emitter(B, Spec, Plan).emitTiles(T);
  B.CreateRetVoid();
  return F;
}

constexpr StringRef EntryNames[] = {"C", "ldc", "A",   "lda", "B", "ldb",
                                    "S", "srs", "scs", "M",   "N", "K"};

SmallVector<Type *, 12> getEntryTypes(LLVMContext &C) {
  Type *Ptr = PointerType::get(C, 0), *Int = Type::getInt64Ty(C);
  return {Ptr, Int, Ptr, Int, Ptr, Int, Ptr, Int, Int, Int, Int, Int};
}

Function *ContractionBuilder::createPacked(StringRef Base, Function &Tiles) {
  Function *F = create(Base + ".packed", getEntryTypes(C), EntryNames,
                       getWorkerAttributes());
  emitPacked(*F, Tiles, Spec, Plan);
  return F;
}

void ContractionBuilder::emitEntry(Function &F, Function &Tiles,
                                   Function *Packed) {
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  auto Arg = [&](unsigned I) { return F.getArg(I); };
  TilesArgs T = {Arg(0),        Arg(1),
                 Arg(2),        Arg(3),
                 Arg(4),        Arg(5),
                 B.getInt64(1), Arg(6),
                 Arg(7),        Arg(8),
                 Arg(9),        Arg(10),
                 Arg(11),       Spec.PostAdd ? B.getTrue() : nullptr};
  if (Packed) {
    auto *InPlace = BasicBlock::Create(C, "small", &F);
    auto *Large = BasicBlock::Create(C, "large", &F);
    // Rows of B that lie far apart fill the same few sets of the cache.
    Value *Bytes = B.CreateMul(T.K, T.Ldb);
    B.CreateCondBr(B.CreateICmpULE(Bytes, B.getInt64(Plan.DirectBytes /
                                                     getSizeInBytes(Spec.Ty))),
                   InPlace, Large);
    B.SetInsertPoint(Large);
    SmallVector<Value *, 12> Args;
    for (Argument &A : F.args())
      Args.push_back(&A);
    B.CreateCall(Packed, Args);
    B.CreateRetVoid();
    B.SetInsertPoint(InPlace);
  }
  callTiles(B, Tiles, T);
  B.CreateRetVoid();
}

Function *ContractionBuilder::get() {
  AttributeSet Wanted = getEntryAttributes();
  for (Function &F : M)
    if (F.hasFnAttribute(KeyAttr) && F.getAttributes().getFnAttrs() == Wanted)
      return &F;
  std::string Prefix = ("dl.matmul.nn." + getName(Spec.Ty) + ".").str(), Base;
  for (unsigned N = 0;; ++N)
    if (!M.getNamedValue(Base = Prefix + utostr(N)))
      break;
  Function *Entry =
      create(Base, getEntryTypes(C), EntryNames, getEntryAttributes());
  Function *Tiles = createTiles(Base);
  Function *Packed = Plan.KC ? createPacked(Base, *Tiles) : nullptr;
  emitEntry(*Entry, *Tiles, Packed);
  return Entry;
}

} // namespace

Function *getOrCreateContraction(Module &M, const ContractionSpec &S,
                                 const ContractionPlan &P,
                                 const Function &Caller) {
  return ContractionBuilder(M, S, P, Caller).get();
}

} // namespace dlopt
