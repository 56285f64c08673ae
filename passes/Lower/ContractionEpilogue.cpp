//===- ContractionEpilogue.cpp - Work on the sums of a contraction --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Operands other than the sum are passed through all functions as arguments
/// behind the others, advanced to where a block begins.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "ExpressionLower.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace dlopt {

bool ContractionEpilogue::readsOutput() const {
  return any_of(Operands, [](const Operand &O) { return O.K == Output; });
}

void ContractionEpilogue::print(raw_ostream &OS) const {
  static constexpr StringLiteral Names[] = {"sum", "output", "row", "element",
                                            "scalar"};
  for (const Operand &O : Operands)
    OS << (O.Stepped ? "stepped " : "") << Names[O.K] << ' ' << getName(O.Ty)
       << (O.Conditional ? " if given, " : ", ");
  Value.print(OS);
}

ContractionEpilogue getAddition(ScalarType Ty, FastMathFlags FMF) {
  ContractionEpilogue E;
  E.Operands = {{ContractionEpilogue::Output, Ty, false},
                {ContractionEpilogue::Sum, Ty, false}};
  OpId Output = E.Value.addOperand(0, Ty), Sum = E.Value.addOperand(1, Ty);
  E.Value.Result = E.Value.addInst(Instruction::FAdd, Ty, {Output, Sum}, FMF);
  return E;
}

namespace contraction {

static bool isMatrix(const ContractionEpilogue::Operand &O) {
  return O.K == ContractionEpilogue::PerRow ||
         O.K == ContractionEpilogue::PerElement;
}

unsigned getNumArgs(const ContractionEpilogue::Operand &O) {
  if (isMatrix(O))
    return 2 + O.Stepped + O.Conditional;
  return O.K == ContractionEpilogue::Scalar;
}

void appendOperandTypes(const ContractionSpec &S, LLVMContext &C,
                        SmallVectorImpl<Type *> &Types,
                        SmallVectorImpl<StringRef> &Names) {
  for (const auto &O : S.Epilogue.Operands) {
    if (isMatrix(O)) {
      Types.append({PointerType::get(C, 0), Type::getInt64Ty(C)});
      Names.append({"P", "prs"});
      if (O.Stepped) {
        Types.push_back(Type::getInt64Ty(C));
        Names.push_back("pcs");
      }
      if (O.Conditional) {
        Types.push_back(Type::getInt1Ty(C));
        Names.push_back("given");
      }
    } else if (O.K == ContractionEpilogue::Scalar) {
      Types.push_back(getIRType(O.Ty, C));
      Names.push_back("x");
    }
  }
}

void advanceOperands(IRBuilderBase &B, const ContractionSpec &S,
                     MutableArrayRef<Value *> Args, Value *I, Value *J) {
  for (const auto &O : S.Epilogue.Operands) {
    if (isMatrix(O)) {
      Type *Ty = getIRType(O.Ty, B.getContext());
      Value *Row = B.CreateGEP(Ty, Args[0], B.CreateMul(I, Args[1]));
      Args[0] =
          O.K == ContractionEpilogue::PerRow
              ? Row
              : B.CreateGEP(Ty, Row, O.Stepped ? B.CreateMul(J, Args[2]) : J);
    }
    Args = Args.drop_front(getNumArgs(O));
  }
}

} // namespace contraction
} // namespace dlopt
