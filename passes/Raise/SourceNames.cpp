//===- SourceNames.cpp - What the source calls values ---------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "SourceNames.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Argument.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
/// What the source writes for a value, and of which type that is.
struct Spoken {
  std::string Text;
  const DIType *Ty = nullptr;
};
} // namespace

/// The variable of the function itself, not of one that was inlined, of which
/// \p V is the value or, as arguments of Fortran are, the address.
static const DILocalVariable *getVariable(const Value &V) {
  if (!V.isUsedByMetadata())
    return nullptr;
  auto *Local = LocalAsMetadata::getIfExists(const_cast<Value *>(&V));
  if (!Local)
    return nullptr;
  for (const DbgVariableRecord *R : Local->getAllDbgVariableRecordUsers()) {
    const DILocation *Loc = R->getDebugLoc();
    if (Loc && !Loc->getInlinedAt() && !R->getExpression()->getNumElements() &&
        (!isa<Argument>(V) || R->getVariable()->getArg()))
      return R->getVariable();
  }
  return nullptr;
}

/// Without typedefs and qualifiers.
static const DIType *getPlain(const DIType *Ty) {
  while (const auto *D = dyn_cast_or_null<DIDerivedType>(Ty)) {
    switch (D->getTag()) {
    case dwarf::DW_TAG_typedef:
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
    case dwarf::DW_TAG_atomic_type:
      Ty = D->getBaseType();
      break;
    default:
      return D;
    }
  }
  return Ty;
}

static const DIType *getPointee(const DIType *Ty) {
  const auto *D = dyn_cast_or_null<DIDerivedType>(getPlain(Ty));
  bool IsPointer = D && (D->getTag() == dwarf::DW_TAG_pointer_type ||
                         D->getTag() == dwarf::DW_TAG_reference_type);
  return IsPointer ? getPlain(D->getBaseType()) : nullptr;
}

/// The number that a descriptor of Fortran has \p Offset bytes from its start:
/// three for each dimension, behind 24 bytes.
static Spoken getDescribed(StringRef Array, uint64_t Offset) {
  constexpr unsigned Head = 24, Each = 24;
  if (Offset < Head)
    return {};
  std::string Dimension = std::to_string((Offset - Head) / Each + 1);
  StringRef What[] = {"lbound", "size", "stride"};
  return {
      (What[(Offset - Head) % Each / 8] + "(" + Array + "," + Dimension + ")")
          .str(),
      nullptr};
}

/// The member of \p Object, of type \p Ty, that begins \p Bits behind its
/// start.
/// \p Access: what is in front of the member's name.
static Spoken getMember(const Spoken &Object, StringRef Access, uint64_t Bits) {
  const auto *C = dyn_cast_or_null<DICompositeType>(Object.Ty);
  if (!C || C->getTag() == dwarf::DW_TAG_array_type)
    return {};
  for (const DINode *N : C->getElements()) {
    const auto *M = dyn_cast_or_null<DIDerivedType>(N);
    if (!M || M->isStaticMember() || Bits < M->getOffsetInBits())
      continue;
    const DIType *Ty = getPlain(M->getBaseType());
    uint64_t Size =
        M->getSizeInBits() || !Ty ? M->getSizeInBits() : Ty->getSizeInBits();
    uint64_t Rest = Bits - M->getOffsetInBits();
    if (Rest >= Size)
      continue;
    // Bases, and structs without a name, have their members as their own.
    bool IsNamed = M->getTag() == dwarf::DW_TAG_member && !M->getName().empty();
    Spoken Found = {IsNamed ? (Object.Text + Access + M->getName()).str()
                            : Object.Text,
                    Ty};
    if (isa_and_nonnull<DICompositeType>(Ty))
      return getMember(Found, IsNamed ? "." : Access, Rest);
    return Rest || !IsNamed ? Spoken() : Found;
  }
  return {};
}

/// Loads of loads, as of `net->layer->rows`.
static constexpr unsigned MostLoads = 4;

static Spoken getSpoken(const Value &V, unsigned Loads = 0) {
  if (const DILocalVariable *Variable = getVariable(V))
    return {Variable->getName().str(), getPlain(Variable->getType())};
  const auto *L = dyn_cast<LoadInst>(&V);
  if (!L || Loads == MostLoads)
    return {};
  const DataLayout &DL = L->getModule()->getDataLayout();
  APInt Offset(DL.getIndexTypeSizeInBits(L->getPointerOperandType()), 0);
  const Value *Base = L->getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  if (Offset.isNegative())
    return {};
  uint64_t Bytes = Offset.getZExtValue();
  Spoken Pointer = getSpoken(*Base, Loads + 1);
  if (Pointer.Text.empty())
    return {};
  if (const DIType *Ty = getPointee(Pointer.Ty)) {
    Pointer.Ty = Ty;
    if (isa<DICompositeType>(Ty))
      return getMember(Pointer, "->", Bytes * 8);
  } else if (const auto *C = dyn_cast_or_null<DICompositeType>(Pointer.Ty);
             C && C->getTag() == dwarf::DW_TAG_array_type &&
             C->getRawDataLocation()) {
    return getDescribed(Pointer.Text, Bytes);
  }
  // Scalars of Fortran are behind pointers.
  bool IsScalar = !Bytes && isa<Argument>(Base);
  return IsScalar ? Spoken{Pointer.Text, nullptr} : Spoken();
}

const Value *dlopt::stripConversions(const Value *V) {
  constexpr unsigned LeastBits = 31;
  while (true) {
    const Value *Of;
    const APInt *Left, *Right;
    if (isa<ZExtInst, SExtInst, TruncInst, FreezeInst, PtrToIntInst>(V))
      V = cast<Instruction>(V)->getOperand(0);
    // What InstCombine makes of a conversion to a narrower type and back.
    else if ((match(V,
                    m_Shr(m_Shl(m_Value(Of), m_APInt(Left)), m_APInt(Right))) &&
              *Left == *Right) ||
             (match(V, m_And(m_Value(Of), m_APInt(Left))) && Left->isMask() &&
              Left->countr_one() >= LeastBits))
      V = Of;
    else
      return V;
  }
}

std::string dlopt::getShownName(const Value &V) {
  if (V.hasName())
    return "";
  for (const Value *Named : {&V, stripConversions(&V)})
    if (std::string Text = getSpoken(*Named).Text; !Text.empty())
      return "%" + Text;
  const auto *A = dyn_cast<Argument>(&V);
  return A ? "argument " + std::to_string(A->getArgNo() + 1) : "";
}
