//===- Expression.cpp - Scalar expressions over operands ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Expression.h"
#include "dlopt/Compat.h"
#include "dlopt/Signs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>

using namespace llvm;

namespace dlopt {

static void print(const Op &O, raw_ostream &OS) {
  OS << getName(O.Ty) << ' ';
  switch (O.K) {
  case Op::Const:
    OS << O.Bits;
    return;
  case Op::Param:
    OS << '%' << O.Ref;
    return;
  case Op::Inst:
    OS << Instruction::getOpcodeName(O.Opcode);
    break;
  default:
    OS << Intrinsic::getBaseName(O.Opcode);
    break;
  }
  if (O.Pred != CmpInst::BAD_ICMP_PREDICATE)
    OS << ' ' << CmpInst::getPredicateName(O.Pred);
  O.FMF.print(OS);
  for (OpId Arg : O.Args)
    OS << ' ' << Arg;
  for (auto [Flag, Name] :
       {std::pair(O.NUW, " nuw"), std::pair(O.NSW, " nsw"),
        std::pair(O.Exact, " exact"), std::pair(O.Disjoint, " disjoint"),
        std::pair(O.NNeg, " nneg")})
    if (Flag)
      OS << Name;
}

void Expression::print(raw_ostream &OS) const {
  for (const Op &O : Ops) {
    dlopt::print(O, OS);
    OS << "; ";
  }
  OS << Result;
}

static bool isEqual(const Op &X, const Op &Y) {
  return X.K == Y.K && X.Ty == Y.Ty && X.Opcode == Y.Opcode &&
         X.Pred == Y.Pred && !(X.FMF != Y.FMF) && X.NUW == Y.NUW &&
         X.NSW == Y.NSW && X.Exact == Y.Exact && X.Disjoint == Y.Disjoint &&
         X.NNeg == Y.NNeg && X.Args == Y.Args && X.Bits == Y.Bits &&
         X.Ref == Y.Ref;
}

OpId Expression::add(Op O) {
  auto It = find_if(Ops, [&](const Op &Old) { return isEqual(Old, O); });
  if (It != Ops.end())
    return It - Ops.begin();
  Ops.push_back(std::move(O));
  return Ops.size() - 1;
}

OpId Expression::addOperand(uint32_t Number, ScalarType Ty) {
  Op O;
  O.K = Op::Param;
  O.Ty = Ty;
  O.Ref = Number;
  return add(std::move(O));
}

OpId Expression::addInst(unsigned Opcode, ScalarType Ty, ArrayRef<OpId> Args,
                         FastMathFlags FMF) {
  Op O;
  O.K = Op::Inst;
  O.Ty = Ty;
  O.Opcode = Opcode;
  O.Args.assign(Args.begin(), Args.end());
  O.FMF = FMF;
  return add(std::move(O));
}

bool Expression::uses(unsigned ID) const {
  return any_of(
      Ops, [&](const Op &O) { return O.K == Op::Intrinsic && O.Opcode == ID; });
}

bool isVectorizableIntrinsic(unsigned ID) {
  switch (ID) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::fabs:
  case Intrinsic::sqrt:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::minimumnum:
  case Intrinsic::maximumnum:
  case Intrinsic::copysign:
    return true;
  default:
    return false;
  }
}

static bool isVectorizableInst(const Op &O, ArrayRef<Op> Ops) {
  auto AllAre = [&](auto Has) {
    return all_of(O.Args, [&](OpId Id) { return Has(Ops[Id].Ty); });
  };
  auto IsBool = [](ScalarType T) { return T == ScalarType::I1; };
  auto IsInteger = [](ScalarType T) { return !isFloat(T); };
  switch (O.Opcode) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FNeg:
  case Instruction::FCmp:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return AllAre(isFloat);
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return AllAre(IsBool);
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    return AllAre(IsInteger);
  case Instruction::ICmp: // of what is the same for all elements
    return true;
  case Instruction::Select:
    return true;
  default:
    return false;
  }
}

bool hasScalableForm(const Op &O) {
  if (O.K == Op::LibCall)
    return isRoot(O);
  if (O.K == Op::Inst)
    switch (O.Opcode) {
    case Instruction::UDiv:
    case Instruction::SDiv:
    case Instruction::URem:
    case Instruction::SRem:
    case Instruction::FRem:
      return false;
    default:
      return true;
    }
  if (O.K != Op::Intrinsic)
    return true;
  switch (O.Opcode) {
  case Intrinsic::abs:
  case Intrinsic::ceil:
  case Intrinsic::copysign:
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::maximum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::minnum:
  case Intrinsic::nearbyint:
  case Intrinsic::rint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
  case Intrinsic::smax:
  case Intrinsic::smin:
  case Intrinsic::sqrt:
  case Intrinsic::trunc:
  case Intrinsic::umax:
  case Intrinsic::umin:
    return true;
  default:
    return false;
  }
}

bool isRoot(const Op &O) {
  return O.K == Op::LibCall && (O.Callee == "sqrt" || O.Callee == "sqrtf");
}

std::optional<int> getOnlyErrno(const Kernel &K, const Leaf &L, const Op &O) {
  if (isRoot(O))
    return EDOM;
  StringRef Name = O.Callee;
  Name.consume_back("f");
  if (O.K != Op::LibCall)
    return std::nullopt;
  if (is_contained(
          {"exp", "exp2", "expm1", "tanh", "erf", "sinh", "cosh", "erfc"},
          Name) ||
      (is_contained({"log", "log2", "log10", "log1p", "pow"}, Name) &&
       isNeverNegative(K, L, O.Args[0])))
    return ERANGE;
  // No library takes a subnormal sine for an error.
  if (Name == "sin" || Name == "cos")
    return EDOM;
  return std::nullopt;
}

bool isVectorizable(const Op &O, ArrayRef<Op> Ops) {
  auto IsKnown = [](ScalarType T) {
    return T != ScalarType::F16 && T != ScalarType::BF16;
  };
  switch (O.K) {
  case Op::Const:
    return true;
  case Op::Inst:
    return IsKnown(O.Ty) && isVectorizableInst(O, Ops);
  case Op::Intrinsic:
    return IsKnown(O.Ty) && isVectorizableIntrinsic(O.Opcode);
  default:
    return false;
  }
}

Expression separateProducts(const Expression &X) {
  Expression Y;
  SmallVector<OpId, 8> Ids;
  for (const Op &Old : X.Ops) {
    Op O = Old;
    O.FMF.setAllowContract(false);
    for (OpId &Arg : O.Args)
      Arg = Ids[Arg];
    if (O.K == Op::Intrinsic && O.Opcode == Intrinsic::fmuladd) {
      OpId Product =
          Y.addInst(Instruction::FMul, O.Ty, {O.Args[0], O.Args[1]}, O.FMF);
      Ids.push_back(
          Y.addInst(Instruction::FAdd, O.Ty, {Product, O.Args[2]}, O.FMF));
    } else {
      Ids.push_back(Y.add(std::move(O)));
    }
  }
  Y.Result = Ids.empty() ? 0 : Ids[X.Result];
  return Y;
}

} // namespace dlopt
