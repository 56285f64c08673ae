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

/// An element of \p O per lane, or one for all.
Value *Emitter::loadOperand(const ContractionEpilogue::Operand &O,
                            const ColumnKind &Cols, const ElementPlace &At,
                            ArrayRef<Value *> Args) {
  Emitter E = as(O.Ty);
  Value *Ptr = Args[0];
  if (!DLOPT_PLANTED(EpilogueRowLost))
    Ptr = E.at(Ptr, B.CreateMul(At.Row, Args[1]));
  auto Load = [&]() -> Value * {
    if (O.K == ContractionEpilogue::PerRow)
      return B.CreateAlignedLoad(E.Elem, Ptr, E.getElemAlign());
    ElementStep Step;
    if (O.Stepped)
      Step = {ContractionSpec::AnyStep, Args[2]};
    return E.load(Cols, E.at(Ptr, At.Column, Step), At.Mask, Step);
  };
  if (!O.Conditional)
    return Load();
  BasicBlock *Before = B.GetInsertBlock(), *Loaded = nullptr;
  Value *Element = nullptr;
  emitIf(Args[2 + O.Stepped], "given", [&] {
    Element = Load();
    Loaded = B.GetInsertBlock();
  });
  PHINode *Phi = B.CreatePHI(Element->getType(), 2);
  Phi->addIncoming(Constant::getNullValue(Element->getType()), Before);
  Phi->addIncoming(Element, Loaded);
  return Phi;
}

Value *Emitter::emitFactor(const Expression &Factor, Value *V,
                           ArrayRef<Value *> Args) {
  if (!Factor.empty() && !DLOPT_PLANTED(FactorLost)) {
    SmallVector<Value *, 4> Values = {V};
    for (const auto &O : Spec.Epilogue.Operands) {
      Values.push_back(O.K == ContractionEpilogue::Scalar ? Args[0] : nullptr);
      Args = Args.drop_front(getNumArgs(O));
    }
    V = emitExpression(B, Factor, Values);
  }
  return V->getType()->getScalarType() == Elem
             ? V
             : B.CreateFPExt(V, V->getType()->getWithNewType(Elem));
}

void Emitter::setScale(ArrayRef<Value *> Args) {
  if (!Spec.Scale || DLOPT_PLANTED(ScaleLost))
    return;
  for (const auto &O : ArrayRef(Spec.Epilogue.Operands).take_front(*Spec.Scale))
    Args = Args.drop_front(getNumArgs(O));
  Scale = Args[0];
}

Value *Emitter::emitEpilogue(const ColumnKind &Cols, const ElementPlace &At,
                             ArrayRef<Value *> Args, Value *Sum) {
  SmallVector<Value *, 4> Values;
  for (const auto &O : Spec.Epilogue.Operands) {
    switch (O.K) {
    case ContractionEpilogue::Sum:
      Values.push_back(Sum);
      break;
    case ContractionEpilogue::Output:
      Values.push_back(forOutput().load(Cols, At.C, At.Mask, At.Step));
      break;
    case ContractionEpilogue::PerRow:
    case ContractionEpilogue::PerElement:
      Values.push_back(loadOperand(O, Cols, At, Args));
      break;
    case ContractionEpilogue::Scalar:
      Values.push_back(Args[0]);
      break;
    }
    Args = Args.drop_front(getNumArgs(O));
  }
  return emitExpression(B, Spec.Epilogue.Value, Values);
}

/// What is stored for a whole tile.
SmallVector<Value *, 32> Emitter::emitResults(const TilesArgs &T, const Rows &R,
                                              const ColumnKind &Cols, Value *J,
                                              Value *Mask,
                                              ArrayRef<Value *> Acc) {
  SmallVector<Value *, 32> Results;
  if (Spec.Epilogue.isTrivial())
    return SmallVector<Value *, 32>(Acc);
  for (unsigned I = 0; I != Acc.size(); ++I) {
    unsigned Row = I / Cols.Vectors, Vector = I % Cols.Vectors;
    Value *Column = B.CreateAdd(J, getCount(Cols.lanes() * Vector));
    ElementPlace At = {forOutput().at(R.C[Row], stepped(Column, R.StepC)),
                       B.CreateAdd(R.First, B.getInt64(Row)), Column, Mask};
    if (R.StepC)
      At.Step = {ContractionSpec::AnyStep, R.StepC};
    Results.push_back(emitEpilogue(Cols, At, T.Operands, Acc[I]));
  }
  return Results;
}

/// Results where the chains end, sums of another type where they do not.
void Emitter::emitConvertedStores(const TilesArgs &T, const Rows &R,
                                  const ColumnKind &Cols, Value *J,
                                  Value *Count, Value *Mask,
                                  ArrayRef<Value *> Acc) {
  emitIf(T.Last, "results", [&] {
    Emitter Out = forOutput();
    Rows OutRows = R;
    for (unsigned Row = 0; Row != R.size(); ++Row)
      OutRows.C[Row] = Out.at(
          T.C, B.CreateMul(B.CreateAdd(R.First, B.getInt64(Row)), T.Ldc));
    auto Results = emitResults(T, OutRows, Cols, J, Mask, Acc);
    if (T.StepC)
      Out.emitElementStores(OutRows, Cols, J, Count, Results);
    else
      Out.emitStores(OutRows, Cols, J, Count, Mask, Results);
  });
  // Sums lie side by side in their buffer, however far apart results are.
  Rows SumRows = R;
  SumRows.StepC = nullptr;
  emitIf(B.CreateNot(T.Last), "sums",
         [&] { emitStores(SumRows, Cols, J, Count, Mask, Acc); });
}

/// The epilogue of a whole tile, if the chains end here.
void Emitter::emitEpilogues(const TilesArgs &T, const Rows &R,
                            const ColumnKind &Cols, Value *J, Value *Mask,
                            SmallVectorImpl<Value *> &Acc) {
  BasicBlock *Before = B.GetInsertBlock(), *Done = nullptr;
  SmallVector<Value *, 32> Results;
  Value *Now = DLOPT_PLANTED(EpilogueOnEveryBlock) ? B.getTrue() : T.Last;
  emitIf(Now, "epilogue", [&] {
    Results = emitResults(T, R, Cols, J, Mask, Acc);
    Done = B.GetInsertBlock();
  });
  for (unsigned I = 0; I != Acc.size(); ++I) {
    PHINode *Phi = B.CreatePHI(getType(Cols), 2);
    Phi->addIncoming(Acc[I], Before);
    Phi->addIncoming(Results[I], Done);
    Acc[I] = Phi;
  }
}

} // namespace contraction
} // namespace dlopt
