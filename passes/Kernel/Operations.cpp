//===- Operations.cpp - What the operations of a body are -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using namespace dlopt;

static const IntrinsicInfo Intrinsics[] = {
#define DLOPT_INTRINSIC(NAME, SHAPE, ARGS)                                     \
  {Intrinsic::NAME, "", IntrinsicInfo::SHAPE, ARGS},
#include "Intrinsics.def"
};

/// Names come from LLVM: the enumerators spell dots as underscores.
static IntrinsicInfo withName(const IntrinsicInfo &Row) {
  IntrinsicInfo Info = Row;
  Info.Name = Intrinsic::getBaseName(Row.ID);
  Info.Name.consume_front("llvm.");
  return Info;
}

std::optional<IntrinsicInfo> dlopt::findIntrinsic(unsigned ID) {
  for (const IntrinsicInfo &Row : Intrinsics)
    if (Row.ID == ID && hasIntrinsic(ID))
      return withName(Row);
  return std::nullopt;
}

std::optional<IntrinsicInfo> dlopt::findIntrinsic(StringRef Name) {
  for (const IntrinsicInfo &Row : Intrinsics) {
    if (!hasIntrinsic(Row.ID))
      continue;
    IntrinsicInfo Info = withName(Row);
    if (Info.Name == Name)
      return Info;
  }
  return std::nullopt;
}

bool dlopt::isModelIntrinsic(unsigned ID) {
  return findIntrinsic(ID).has_value();
}

std::optional<LibFunctionInfo> dlopt::findLibFunction(StringRef Name) {
  struct Row {
    StringRef Name;
    unsigned NumArgs;
  };
  static const Row Rows[] = {
#define DLOPT_LIBM(NAME, ARGS) {#NAME, ARGS},
#include "LibM.def"
  };
  StringRef Base = Name;
  bool Single = Base.consume_back("f");
  for (const Row &R : Rows) {
    // "erf" is the f64 function, not the f32 one of "er".
    if (R.Name == Name)
      return LibFunctionInfo{ScalarType::F64, R.NumArgs};
    if (Single && R.Name == Base)
      return LibFunctionInfo{ScalarType::F32, R.NumArgs};
  }
  return std::nullopt;
}

bool dlopt::isModelLibFunction(StringRef Name) {
  return findLibFunction(Name).has_value();
}

bool dlopt::isCastOpcode(unsigned Opcode) {
  switch (Opcode) {
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::FPToUI:
  case Instruction::FPToSI:
  case Instruction::UIToFP:
  case Instruction::SIToFP:
  case Instruction::BitCast:
    return true;
  default:
    return false;
  }
}

bool dlopt::isCompareOpcode(unsigned Opcode) {
  return Opcode == Instruction::ICmp || Opcode == Instruction::FCmp;
}

bool dlopt::isModelOpcode(unsigned Opcode) {
  return Instruction::isBinaryOp(Opcode) || Instruction::isUnaryOp(Opcode) ||
         isCastOpcode(Opcode) || isCompareOpcode(Opcode) ||
         Opcode == Instruction::Select || Opcode == Instruction::Freeze;
}

std::optional<unsigned> dlopt::parseOpcode(StringRef Name) {
  for (unsigned Opcode = 1; Opcode < Instruction::OtherOpsEnd; ++Opcode)
    if (isModelOpcode(Opcode) && Name == Instruction::getOpcodeName(Opcode))
      return Opcode;
  return std::nullopt;
}

unsigned dlopt::getNumOperands(unsigned Opcode) {
  if (Opcode == Instruction::Select)
    return 3;
  return Instruction::isBinaryOp(Opcode) || isCompareOpcode(Opcode) ? 2 : 1;
}

static bool isInst(const Op &O, unsigned Opcode) {
  return O.K == Op::Inst && O.Opcode == Opcode;
}

std::optional<ScalarType>
dlopt::getExpectedType(const Op &O, unsigned ArgNo,
                       std::optional<ScalarType> Context,
                       ArrayRef<ScalarType> Preceding) {
  if (isInst(O, Instruction::Select)) {
    if (ArgNo == 0)
      return ScalarType::I1;
    return ArgNo == 1 ? Context : Preceding[1];
  }
  if (ArgNo > 0)
    return Preceding[0];
  if (O.K == Op::Inst && (isCastOpcode(O.Opcode) || isCompareOpcode(O.Opcode)))
    return std::nullopt;
  return Context;
}

std::optional<ScalarType> dlopt::getDefaultType(const Op &O,
                                                ArrayRef<ScalarType> Args) {
  if (Args.empty())
    return std::nullopt;
  if (O.K == Op::Inst) {
    if (isCompareOpcode(O.Opcode))
      return ScalarType::I1;
    if (isCastOpcode(O.Opcode))
      return std::nullopt;
    if (O.Opcode == Instruction::Select)
      return Args.size() > 1 ? std::optional(Args[1]) : std::nullopt;
  }
  if (O.K == Op::Intrinsic)
    if (auto Info = findIntrinsic(O.Opcode)) {
      if (Info->Shape == IntrinsicInfo::FloatMask)
        return ScalarType::I1;
      if (Info->Shape == IntrinsicInfo::FloatToInt)
        return std::nullopt;
    }
  return Args[0];
}

const fltSemantics &dlopt::getSemantics(ScalarType T) {
  switch (T) {
  case ScalarType::F16:
    return APFloat::IEEEhalf();
  case ScalarType::BF16:
    return APFloat::BFloat();
  case ScalarType::F64:
    return APFloat::IEEEdouble();
  default:
    return APFloat::IEEEsingle();
  }
}

/// Casts: source and result kinds and which of them is wider.
static std::string checkCast(unsigned Opcode, ScalarType From, ScalarType To) {
  unsigned FromBits = getBitWidth(From), ToBits = getBitWidth(To);
  bool Ok = false;
  switch (Opcode) {
  case Instruction::Trunc:
    Ok = !isFloat(From) && !isFloat(To) && FromBits > ToBits;
    break;
  case Instruction::ZExt:
  case Instruction::SExt:
    Ok = !isFloat(From) && !isFloat(To) && FromBits < ToBits;
    break;
  case Instruction::FPTrunc:
    Ok = isFloat(From) && isFloat(To) && FromBits > ToBits;
    break;
  case Instruction::FPExt:
    Ok = isFloat(From) && isFloat(To) && FromBits < ToBits;
    break;
  case Instruction::FPToUI:
  case Instruction::FPToSI:
    Ok = isFloat(From) && !isFloat(To);
    break;
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    Ok = !isFloat(From) && isFloat(To);
    break;
  case Instruction::BitCast:
    Ok = FromBits == ToBits;
    break;
  default:
    break;
  }
  if (Ok)
    return "";
  return (Twine(Instruction::getOpcodeName(Opcode)) + " from " + getName(From) +
          " to " + getName(To))
      .str();
}

static std::string mismatch(StringRef Name) {
  return (Name + ": the types of operands and result do not fit").str();
}

static std::string checkInst(const Op &O, ArrayRef<ScalarType> Args) {
  if (!isModelOpcode(O.Opcode))
    return "an opcode that the model does not have";
  StringRef Name = Instruction::getOpcodeName(O.Opcode);
  if (Args.size() != getNumOperands(O.Opcode))
    return (Name + ": wrong number of operands").str();
  if (isCastOpcode(O.Opcode))
    return checkCast(O.Opcode, Args[0], O.Ty);
  if (O.Opcode == Instruction::Select)
    return Args[0] == ScalarType::I1 && Args[1] == O.Ty && Args[2] == O.Ty
               ? ""
               : mismatch(Name);
  if (isCompareOpcode(O.Opcode)) {
    bool IsFP = O.Opcode == Instruction::FCmp;
    if (IsFP ? !CmpInst::isFPPredicate(O.Pred)
             : !CmpInst::isIntPredicate(O.Pred))
      return (Name + ": wrong predicate").str();
    return Args[0] == Args[1] && isFloat(Args[0]) == IsFP &&
                   O.Ty == ScalarType::I1
               ? ""
               : mismatch(Name);
  }
  if (!all_equal(Args) || Args[0] != O.Ty)
    return mismatch(Name);
  if (O.Opcode == Instruction::Freeze)
    return "";
  bool IsFP = Name.front() == 'f';
  return isFloat(O.Ty) == IsFP ? "" : mismatch(Name);
}

static std::string checkIntrinsic(const Op &O, ArrayRef<ScalarType> Args) {
  auto Info = findIntrinsic(O.Opcode);
  if (!Info)
    return "an intrinsic that the model does not have";
  if (Args.size() != Info->NumArgs)
    return (Info->Name + ": wrong number of operands").str();
  bool Ok = false;
  switch (Info->Shape) {
  case IntrinsicInfo::Float:
  case IntrinsicInfo::Int:
    Ok = all_equal(Args) && Args[0] == O.Ty &&
         isFloat(O.Ty) == (Info->Shape == IntrinsicInfo::Float);
    break;
  case IntrinsicInfo::IntFlag:
    Ok = Args[0] == O.Ty && !isFloat(O.Ty) && Args[1] == ScalarType::I1;
    break;
  case IntrinsicInfo::FloatInt:
    Ok = Args[0] == O.Ty && isFloat(O.Ty) && !isFloat(Args[1]);
    break;
  case IntrinsicInfo::FloatMask:
    Ok = isFloat(Args[0]) && Args[1] == ScalarType::I32 &&
         O.Ty == ScalarType::I1;
    break;
  case IntrinsicInfo::FloatToInt:
    Ok = isFloat(Args[0]) && !isFloat(O.Ty);
    break;
  }
  if (O.Opcode == Intrinsic::bswap && getBitWidth(O.Ty) < 16)
    Ok = false;
  return Ok ? "" : mismatch(Info->Name);
}

std::string dlopt::checkOperation(const Op &O, ArrayRef<ScalarType> Args) {
  switch (O.K) {
  case Op::Const:
    if (getBitWidth(O.Ty) < 64 && O.Bits >> getBitWidth(O.Ty))
      return "a constant wider than its type";
    break;
  case Op::Index:
    if (isFloat(O.Ty))
      return "index: the type is not an integer";
    break;
  case Op::Inst:
    return checkInst(O, Args);
  case Op::Intrinsic:
    return checkIntrinsic(O, Args);
  case Op::LibCall: {
    auto Info = findLibFunction(O.Callee);
    if (!Info)
      return "call of '" + O.Callee + "', which the model does not have";
    if (Args.size() != Info->NumArgs)
      return O.Callee + ": wrong number of operands";
    if (O.Ty != Info->Ty ||
        !all_of(Args, [&](ScalarType T) { return T == Info->Ty; }))
      return mismatch(O.Callee);
    return "";
  }
  case Op::View:
    return Args.size() == 2 && Args[0] == O.Ty && Args[1] == O.Ty
               ? ""
               : mismatch("view");
  case Op::Load:
  case Op::Param:
    break;
  }
  return Args.empty() ? "" : "operands where none are expected";
}
