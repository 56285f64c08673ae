//===- KernelArguments.cpp - What a kernel reads of its function's call ---===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where parameters and buffers of a kernel come from, as text for tools that
/// call the function: "%n=2 %x=1 %rows=[3+8:i32]".
///
//===----------------------------------------------------------------------===//
#include "dlopt/Kernel.h"
#include "dlopt/KernelText.h"
#include "dlopt/Raise.h"
#include "dlopt/Recognize.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace dlopt;

/// (h + 2 * pad - k) / step + 1, of structs in structs: enough, and a bound for
/// what refers to itself.
static constexpr unsigned MaxDepth = 8;

static std::string describePlace(const Value *V, const DataLayout &DL,
                                 unsigned Depth = 0);

/// "(1*2)"; empty: it is computed in another way.
static std::string describeOperation(const BinaryOperator &B,
                                     const DataLayout &DL, unsigned Depth) {
  char Sign = 0;
  // Products and quotients by powers of two are shifts by now.
  const auto *Shift = dyn_cast<ConstantInt>(B.getOperand(1));
  bool IsShort = Shift && Shift->getValue().ult(32);
  switch (B.getOpcode()) {
  case Instruction::Shl:
  case Instruction::AShr:
  case Instruction::LShr: {
    std::string Of = describePlace(B.getOperand(0), DL, Depth + 1);
    return Of.empty() || !IsShort
               ? ""
               : "(" + Of + (B.getOpcode() == Instruction::Shl ? "*" : "/") +
                     "#" + std::to_string(1u << Shift->getZExtValue()) + ")";
  }
  case Instruction::Add:
    Sign = '+';
    break;
  case Instruction::Sub:
    Sign = '-';
    break;
  case Instruction::Mul:
    Sign = '*';
    break;
  case Instruction::SDiv:
  case Instruction::UDiv:
    Sign = '/';
    break;
  default:
    return "";
  }
  std::string Left = describePlace(B.getOperand(0), DL, Depth + 1),
              Right = describePlace(B.getOperand(1), DL, Depth + 1);
  return Left.empty() || Right.empty() ? "" : "(" + Left + Sign + Right + ")";
}

/// The place of \p V as describeArguments() has it; empty: it is computed in
/// another way.
static std::string describePlace(const Value *V, const DataLayout &DL,
                                 unsigned Depth) {
  // Tools pass small numbers.
  V = stripConversions(V);
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return C->getValue().isSignedIntN(64)
               ? "#" + std::to_string(C->getSExtValue())
               : "";
  if (const auto *A = dyn_cast<Argument>(V))
    return std::to_string(A->getArgNo() + 1);
  if (isa<GlobalVariable>(V))
    return "@" + V->getName().str();
  if (Depth == MaxDepth)
    return "";
  if (const auto *B = dyn_cast<BinaryOperator>(V))
    return describeOperation(*B, DL, Depth);
  const auto *L = dyn_cast<LoadInst>(V);
  if (!L)
    return "";
  APInt Offset(DL.getIndexTypeSizeInBits(L->getPointerOperandType()), 0);
  const Value *Base = L->getPointerOperand()->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  std::string Where = describePlace(Base, DL, Depth + 1);
  if (Where.empty())
    return "";
  // Of an address nobody has to say what it is.
  std::optional<ScalarType> Ty = getScalarType(L->getType());
  return "[" + Where + "+" + std::to_string(Offset.getSExtValue()) +
         (Ty ? ":" + getName(*Ty).str() : "") + "]";
}

std::string dlopt::describeArguments(const Kernel &K, const Function &F) {
  const DataLayout &DL = F.getDataLayout();
  KernelText Text(K);
  std::string Result;
  auto Add = [&](const std::string &Name, const Value *Bound) {
    std::string Where = Bound ? describePlace(Bound, DL) : "";
    if (!Where.empty())
      Result += (Result.empty() ? "" : " ") + Name + "=" + Where;
  };
  for (ParamId P = 0; P != K.Params.size(); ++P)
    Add(Text.param(P), K.Params[P].Bound);
  for (BufferId B = 0; B != K.Buffers.size(); ++B)
    if (!K.Buffers[B].IsLocal)
      Add(Text.buffer(B), K.Buffers[B].Bound);
  return Result;
}

std::string dlopt::printKernel(const Kernel &K) {
  std::string Result;
  raw_string_ostream OS(Result);
  K.print(OS);
  return Result;
}
