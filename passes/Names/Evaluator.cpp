//===- Evaluator.cpp - The formulas of a kernel ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Evaluator.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Evaluator::Cell Evaluator::getCell(const Access &X) const {
  Cell C{X.Buf, {}};
  if (K.Buffers[X.Buf].IsLocal)
    C.Index = X.Subs;
  else
    C.Index.push_back(X.offset());
  return C;
}

AxisSet Evaluator::open() const {
  AxisSet S = 0;
  for (AxisId Ax : Open)
    S |= AxisSet(1) << Ax;
  return S;
}

/// Whether a round of a sequential loop may have stored what another one loads:
/// a neighbour, or one element of those that the loop goes through.
bool Evaluator::isOfOtherRound(const Cell &C) const {
  // What a later round stores is as it was.
  auto IsLater = [&](AxisId Ax, const Cell &To, int64_t Between) {
    std::optional<Poly> Step = To.Index[0].coefficient(K.getAxisAtom(Ax));
    std::optional<int64_t> By = Step ? Step->getConstant() : std::nullopt;
    return Ax == Open.back() && By && *By != 0 && (Between > 0) == (*By > 0);
  };
  return any_of(Open, [&](AxisId Ax) {
    return K.Axes[Ax].R == Role::Sequential &&
           any_of(Targets, [&](const Cell &To) {
             if (To.Buf != C.Buf)
               return false;
             std::optional<int64_t> Between =
                 (C.Index[0] - To.Index[0]).getConstant();
             if (Between)
               return *Between != 0 && !IsLater(Ax, To, *Between);
             // One element for all rounds, or several in each, such as those of
             // a window.
             return K.dependsOn(To.Index[0], Ax) &&
                    (!K.dependsOn(C.Index[0], Ax) ||
                     (A.depsOf(C.Index[0]) & ~A.depsOf(To.Index[0])));
           });
  });
}

/// What nothing has been stored to under this very index.
ExprId Evaluator::loadElement(const Cell &C) {
  if (K.Buffers[C.Buf].IsLocal || isOfOtherRound(C))
    return A.unknown(open());
  bool IsStored = false;
  for (const auto &[Other, Value] : Values) {
    if (Other.Buf != C.Buf || is_contained(Neighbours, Other))
      continue;
    IsStored = true;
    // A neighbour: of an earlier or a later round.
    Poly Between = C.Index[0] - Other.Index[0];
    if (Between.getConstant())
      return A.unknown(open());
    // An element of a row that has been stored by a loop that is over.
    for (AxisId Ax = 0; Ax < K.Axes.size(); ++Ax) {
      AtomId Id = K.getAxisAtom(Ax);
      std::optional<Poly> Stride = Other.Index[0].coefficient(Id);
      if (is_contained(Open, Ax) || !Stride || Stride->isZero() ||
          Stride->terms().size() != 1)
        continue;
      Poly Rest = C.Index[0] - Other.Index[0].without(Id);
      std::optional<Poly> At = Rest.divideExactly(*Stride);
      if (At && At->getConstant() && *At->getConstant() >= 0)
        return A.substitute(Value, Ax, *At);
    }
  }
  // Another element of what the kernel itself has stored.
  return IsStored ? A.unknown(open()) : A.load(C.Buf, C.Index[0]);
}

ExprId Evaluator::load(const Cell &C) {
  auto At = Values.find(C);
  return At != Values.end() ? At->second : loadElement(C);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

ExprId Evaluator::getConstant(const Op &O) const {
  auto Float = [&](const fltSemantics &S) {
    APInt Bits(APFloat::semanticsSizeInBits(S), O.Bits);
    APFloat V(S, Bits);
    bool Loses;
    V.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &Loses);
    // The least number there is makes no difference, nor does it where somebody
    // took it for the most negative one.
    constexpr double Least = std::numeric_limits<float>::min();
    double Number = V.convertToDouble();
    return A.constant(std::abs(Number) <= Least ? 0 : Number);
  };
  switch (O.Ty) {
  case ScalarType::F16:
    return Float(APFloat::IEEEhalf());
  case ScalarType::BF16:
    return Float(APFloat::BFloat());
  case ScalarType::F32:
    return Float(APFloat::IEEEsingle());
  case ScalarType::F64:
    return Float(APFloat::IEEEdouble());
  case ScalarType::I1:
    return A.constant(static_cast<double>(O.Bits & 1));
  default:
    return A.constant(
        static_cast<double>(SignExtend64(O.Bits, getBitWidth(O.Ty))));
  }
}

/// Whether \p D is the difference of an element and a number, or of two
/// elements.
bool Evaluator::isOfElement(ExprId D) const {
  unsigned NumLoads = 0;
  for (const Term &T : A.terms(D)) {
    if (T.Factors.empty())
      continue;
    const SymbolicAtom &X = A.atom(T.Factors[0].Atom);
    if (T.Factors.size() != 1 || T.Factors[0].Power != 1 ||
        (X.K != SymbolicAtom::Load && X.K != SymbolicAtom::Param))
      return false;
    NumLoads += X.Deps != 0;
  }
  return NumLoads == 1 || NumLoads == 2;
}

/// select(If, X, Y). What one of them is where an element equals a number is a
/// single point of it, if they are functions of that element; else it is a
/// mask.
ExprId Evaluator::choose(ExprId If, ExprId X, ExprId Y) {
  std::vector<uint32_t> Equal;
  A.forEachAtom(If, [&](uint32_t Id) {
    if (A.atom(Id).K == SymbolicAtom::Equal && isOfElement(A.atom(Id).Args[0]))
      Equal.push_back(Id);
  });
  for (uint32_t Id : Equal) {
    bool IsPoint = false;
    A.forEachAtom(A.atom(Id).Args[0], [&](uint32_t Load) {
      if (A.atom(Load).K != SymbolicAtom::Load ||
          !isFloat(K.Buffers[A.atom(Load).Ref].Ty))
        return;
      for (ExprId Of : {X, Y})
        A.forEachAtom(A.assume(Of, Id, false),
                      [&](uint32_t Other) { IsPoint |= Other == Load; });
    });
    if (IsPoint)
      If = A.assume(If, Id, false);
  }
  // A flag, such as that of a gradient that is clipped.
  if (A.isNumber(If) && !A.getConstant(If) && !A.carries(X) && !A.carries(Y)) {
    if (std::optional<ExprId> Number = A.decideNumber(X, Y))
      return *Number;
    if (std::optional<ExprId> More = A.decideByMore(X, Y))
      return *More;
  }
  // Indices are half a step away from what they are compared to.
  ExprId D = A.sub(X, Y), Half = A.constant(0.5);
  if (A.isOfIndices(D))
    for (ExprId Off : {Half, A.scale(Half, -1)}) {
      if (If == A.positive(A.add(D, Off)))
        return A.max(X, Y);
      if (If == A.positive(A.add(A.scale(D, -1), Off)))
        return A.min(X, Y);
    }
  return A.select(If, X, Y);
}

/// The number whose sign bit \p O tests, an integer against 0 or -1.
std::optional<ExprId> Evaluator::getSigned(const Op &O,
                                           ArrayRef<ExprId> Args) const {
  const SymbolicAtom *Bits = A.getAtom(Args[0]);
  std::optional<double> With = A.getConstant(Args[1]);
  bool IsSign = (O.Pred == CmpInst::ICMP_SLT && With == 0.0) ||
                (O.Pred == CmpInst::ICMP_SGT && With == -1.0);
  if (O.Opcode != Instruction::ICmp || !IsSign || !Bits ||
      Bits->K != SymbolicAtom::Call || Bits->Name != "bitcast")
    return std::nullopt;
  return Bits->Args[0];
}

ExprId Evaluator::compare(const Op &O, ArrayRef<ExprId> Args) {
  if (std::optional<ExprId> X = getSigned(O, Args))
    return A.positive(O.Pred == CmpInst::ICMP_SLT ? A.scale(*X, -1) : *X);
  bool IsInt = O.Opcode == Instruction::ICmp;
  ExprId D = A.sub(Args[0], Args[1]);
  // Indices are half a step away from what they are compared to; of other
  // numbers, and of those a loop carries, equal ones may go either way.
  bool HasIndex = false;
  A.forEachAtom(D, [&](uint32_t Id) {
    HasIndex |= A.atom(Id).K == SymbolicAtom::Integer && A.atom(Id).Deps;
  });
  ExprId Half = A.constant(IsInt && HasIndex && !A.carries(D) ? 0.5 : 0);
  ExprId Minus = A.scale(D, -1);
  switch (O.Pred) {
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_UGT:
    return A.positive(A.sub(D, Half));
  case CmpInst::ICMP_SGE:
  case CmpInst::ICMP_UGE:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    return A.positive(A.add(D, Half));
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_ULT:
    return A.positive(A.sub(Minus, Half));
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_ULE:
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_ULE:
    return A.positive(A.add(Minus, Half));
  case CmpInst::ICMP_EQ:
    return A.isZero(D);
  case CmpInst::ICMP_NE:
    return A.negate(A.isZero(D));
  case CmpInst::FCMP_OEQ:
  case CmpInst::FCMP_UEQ:
    return isOfElement(D) ? A.isZero(D) : A.constant(A.getConstant(D) == 0.0);
  case CmpInst::FCMP_ONE:
  case CmpInst::FCMP_UNE:
    return isOfElement(D) ? A.negate(A.isZero(D))
                          : A.constant(A.getConstant(D) != 0.0);
  case CmpInst::FCMP_UNO:
  case CmpInst::FCMP_ORD:
    return A.constant(O.Pred == CmpInst::FCMP_ORD);
  default:
    return A.unknown(open());
  }
}

ExprId Evaluator::evaluateInst(const Op &O, ArrayRef<ExprId> Args) {
  bool IsBool = O.Ty == ScalarType::I1;
  switch (O.Opcode) {
  case Instruction::FAdd:
  case Instruction::Add:
    return A.add(Args[0], Args[1]);
  case Instruction::FSub:
  case Instruction::Sub:
    return A.sub(Args[0], Args[1]);
  case Instruction::FMul:
  case Instruction::Mul:
    return A.mul(Args[0], Args[1]);
  case Instruction::FDiv:
    return A.div(Args[0], Args[1]);
  case Instruction::FNeg:
    return A.scale(Args[0], -1);
  case Instruction::SExt:
  case Instruction::SIToFP:
    // The only bit is the sign.
    if (Now->Ops[O.Args[0]].Ty == ScalarType::I1)
      return A.scale(Args[0], -1);
    [[fallthrough]];
  case Instruction::UIToFP:
    if (O.Opcode != Instruction::SExt && !A.deps(Args[0]) &&
        !A.getConstant(Args[0]))
      Scalars.insert(Args[0]);
    return Args[0];
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return A.isWhole(Args[0]) ? Args[0] : A.call("trunc", Args);
  case Instruction::Trunc:
    // A truth value in memory.
    return IsBool && O.NUW ? A.negate(A.isZero(Args[0])) : Args[0];
  case Instruction::FPTrunc:
  case Instruction::FPExt:
  case Instruction::ZExt:
  case Instruction::Freeze:
    return Args[0];
  case Instruction::FCmp:
  case Instruction::ICmp:
    return compare(O, Args);
  case Instruction::Select:
    return choose(Args[0], Args[1], Args[2]);
  case Instruction::And:
    if (IsBool)
      return A.mul(Args[0], Args[1]);
    break;
  case Instruction::Or:
    if (IsBool)
      return A.sub(A.add(Args[0], Args[1]), A.mul(Args[0], Args[1]));
    break;
  case Instruction::Xor:
    if (IsBool)
      return A.sub(A.add(Args[0], Args[1]),
                   A.scale(A.mul(Args[0], Args[1]), 2));
    break;
  case Instruction::Shl:
    if (std::optional<double> By = A.getConstant(Args[1]);
        By && *By >= 0 && *By < 32) {
      Scalars.insert(A.constant(std::exp2(*By)));
      return A.scale(Args[0], std::exp2(*By));
    }
    if (A.deps(Args[0]) && !A.deps(Args[1])) {
      ExprId Power = A.exp(A.scale(Args[1], std::log(2)));
      Scalars.insert(Power);
      return A.mul(Args[0], Power);
    }
    break;
  case Instruction::SDiv:
  case Instruction::UDiv:
    return A.call("trunc", A.div(Args[0], Args[1]));
  default:
    break;
  }
  return A.call(Instruction::getOpcodeName(O.Opcode), Args);
}

/// What is cut off there stays finite, and is as good as zero or infinity.
static constexpr double FarthestOfExp = 60;

ExprId Evaluator::evaluateFunction(StringRef Name, ArrayRef<ExprId> Args) {
  ExprId X = Args[0];
  std::optional<double> Power =
      Args.size() == 2 ? A.getConstant(Args[1]) : std::nullopt;
  enum Function {
    None,
    Fma,
    Abs,
    Sqrt,
    Cbrt,
    Max,
    Min,
    Exp,
    Exp2,
    Exp10,
    Expm1,
    Log,
    Log2,
    Log10,
    Log1p,
    Pow,
    Tanh,
    Erfc,
    Sinh,
    Cosh,
    Round,
    Difference,
    Same
  };
  switch (StringSwitch<Function>(Name)
              .Case("fma", Fma)
              .Case("fmuladd", Fma)
              .Case("fabs", Abs)
              .Case("abs", Abs)
              .Case("sqrt", Sqrt)
              .Case("cbrt", Cbrt)
              .Case("fmax", Max)
              .Case("maxnum", Max)
              .Case("maximum", Max)
              .Case("maximumnum", Max)
              .Case("smax", Max)
              .Case("umax", Max)
              .Case("fmin", Min)
              .Case("minnum", Min)
              .Case("minimum", Min)
              .Case("minimumnum", Min)
              .Case("smin", Min)
              .Case("umin", Min)
              .Case("exp", Exp)
              .Case("exp2", Exp2)
              .Case("exp10", Exp10)
              .Case("expm1", Expm1)
              .Case("log", Log)
              .Case("log2", Log2)
              .Case("log10", Log10)
              .Case("log1p", Log1p)
              .Case("pow", Pow)
              .Case("powi", Pow)
              .Case("tanh", Tanh)
              .Case("erfc", Erfc)
              .Case("sinh", Sinh)
              .Case("cosh", Cosh)
              .Case("round", Round)
              .Case("roundeven", Round)
              .Case("rint", Round)
              .Case("nearbyint", Round)
              .Case("lround", Round)
              .Case("lrint", Round)
              .Case("llround", Round)
              .Case("llrint", Round)
              .Case("fdim", Difference)
              .Case("canonicalize", Same)
              .Default(None)) {
  case Fma:
    return A.add(A.mul(X, Args[1]), Args[2]);
  case Abs:
    return A.abs(X);
  case Sqrt:
    return A.pow(X, 0.5);
  case Max:
    return A.max(X, Args[1]);
  case Min:
    return A.min(X, Args[1]);
  case Exp:
    return A.exp(A.withoutEnds(X, FarthestOfExp));
  case Exp2:
    return A.exp(A.scale(X, std::log(2)));
  case Exp10:
    return A.exp(A.scale(X, std::log(10)));
  case Expm1:
    return A.sub(A.exp(X), A.constant(1));
  case Log:
    return A.log(X);
  case Log2:
    return A.scale(A.log(X), 1 / std::log(2));
  case Log10:
    return A.scale(A.log(X), 1 / std::log(10));
  case Log1p:
    return A.log(A.add(X, A.constant(1)));
  case Pow:
    return Power ? A.pow(X, *Power) : A.exp(A.mul(A.log(X), Args[1]));
  case Tanh:
    return A.tanh(X);
  case Erfc:
    return A.sub(A.constant(1), A.call("erf", X));
  case Sinh:
    return A.scale(A.sub(A.exp(X), A.exp(A.scale(X, -1))), 0.5);
  case Cosh:
    return A.scale(A.add(A.exp(X), A.exp(A.scale(X, -1))), 0.5);
  case Round:
    return A.call("round", X);
  case Difference:
    return A.max(A.sub(X, Args[1]), A.constant(0));
  case Same:
    return X;
  case Cbrt:
  case None:
    return A.call(Name, Args);
  }
  return A.unknown(open());
}

/// The parameter that \p O, a load, is: a member of an object, or what a
/// pointer to one number points to. Nothing of that object is written, or read
/// as an array is.
std::optional<ParamId> Evaluator::getNumberInMemory(const Op &O) {
  const BufferId Buf = O.Acc.Buf;
  if (!isFloat(O.Ty) || K.Buffers[Buf].IsLocal || !K.isFixed(O.Acc.offset()) ||
      any_of(Targets, [&](const Cell &C) { return C.Buf == Buf; }))
    return std::nullopt;
  auto At = HasNumbers.find(Buf);
  if (At == HasNumbers.end()) {
    bool Only = true;
    forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
      Only = Only && none_of(L.Ops, [&](const Op &X) {
               return X.K == Op::Load && X.Acc.Buf == Buf &&
                      !K.isFixed(X.Acc.offset());
             });
    });
    At = HasNumbers.try_emplace(Buf, Only).first;
  }
  if (!At->second)
    return std::nullopt;
  const std::pair<BufferId, Poly> Number(Buf, O.Acc.offset());
  auto *Known = find(Numbers, Number);
  if (Known == Numbers.end()) {
    Numbers.push_back(Number);
    Known = std::prev(Numbers.end());
  }
  return static_cast<ParamId>(K.Params.size() + (Known - Numbers.begin()));
}

ExprId Evaluator::evaluate(const Op &O, ArrayRef<ExprId> Known) {
  SmallVector<ExprId, 3> Args;
  for (OpId Id : O.Args)
    Args.push_back(Known[Id]);
  switch (O.K) {
  case Op::Const: {
    ExprId C = getConstant(O);
    if (std::optional<double> V = A.getConstant(C); V && *V != 0)
      Scalars.insert(C);
    return C;
  }
  case Op::Load:
    if (std::optional<ParamId> Number = getNumberInMemory(O)) {
      ExprId E = A.param(*Number);
      Scalars.insert(E);
      return E;
    }
    return load(getCell(O.Acc));
  case Op::Index: {
    ExprId Index = A.integer(O.Idx);
    if (!A.deps(Index) && !A.getConstant(Index))
      Scalars.insert(Index);
    return Index;
  }
  case Op::Param: {
    ExprId P = isFloat(K.Params[O.Ref].Ty)
                   ? A.param(O.Ref)
                   : A.integer(Poly::atom(K.getParamAtom(O.Ref)));
    // A flag.
    if (K.Params[O.Ref].Ty == ScalarType::I1)
      return A.positive(A.sub(P, A.constant(0.5)));
    Scalars.insert(P);
    return P;
  }
  case Op::Inst:
    return evaluateInst(O, Args);
  case Op::Intrinsic: {
    StringRef Name = Intrinsic::getBaseName(O.Opcode);
    Name.consume_front("llvm.");
    return evaluateFunction(Name, Args);
  }
  case Op::LibCall: {
    StringRef Name = O.Callee;
    if (O.Ty == ScalarType::F32)
      Name.consume_back("f");
    return evaluateFunction(Name, Args);
  }
  case Op::View:
    break;
  }
  return A.unknown(open());
}

/// With \p To for each number that is \p From.
std::vector<ExprId> Evaluator::evaluateOps(const Leaf &L, ExprId From,
                                           ExprId To) {
  Now = &L;
  std::vector<ExprId> Known;
  for (const Op &O : L.Ops) {
    ExprId E = A.hasFailed() ? 0 : evaluate(O, Known);
    Known.push_back(E == From ? To : E);
  }
  return Known;
}

/// What \p To has, if it had \p Old.
ExprId Evaluator::getAssigned(const Leaf &L, const Assign &To,
                              ArrayRef<ExprId> Known, ExprId Old) {
  ExprId If = L.Predicate ? Known[*L.Predicate] : A.constant(1);
  for (ExprId C : Restrictions)
    If = A.mul(If, C);
  for (const Constraint &C : L.Domain) {
    ExprId P = A.integer(C.P);
    If = A.mul(If, C.IsEquality ? A.isZero(P)
                                : A.positive(A.add(P, A.constant(0.5))));
  }
  ExprId Value = Known[To.Value];
  return A.getConstant(If) == 1.0 ? Value : choose(If, Value, Old);
}

/// Sums, and what is computed of more than one element.
bool Evaluator::mayBeInner(ExprId E) const {
  unsigned NumLoads = 0;
  bool HasSum = false;
  A.forEachAtom(E, [&](uint32_t Id) {
    const SymbolicAtom &X = A.atom(Id);
    HasSum |= X.K == SymbolicAtom::Reduction;
    NumLoads += X.K == SymbolicAtom::Load && X.Deps;
  });
  return !A.carries(E) && (HasSum || NumLoads > 1);
}

/// An element of its own for each round, of an array of numbers such as \p O.
ExprId Evaluator::getElementFor(const Op &O) {
  Buffer B;
  B.Name = "t";
  B.Ty = O.Ty;
  K.Buffers.push_back(std::move(B));
  Poly Index;
  for (AxisId Ax : Open)
    Index += Poly::atom(K.getAxisAtom(Ax));
  return A.load(static_cast<BufferId>(K.Buffers.size() - 1), Index);
}

void Evaluator::findEpilogues(const Leaf &L, const Assign &To,
                              ArrayRef<ExprId> Known) {
  constexpr size_t MaxWays = 6;
  Cell C = getCell(To.Target);
  ExprId Old = load(C), All = getAssigned(L, To, Known, Old);
  if (L.Ops.size() > MaxOpsOfEpilogue || !mayBeInner(All) ||
      Epilogues.count(All))
    return;
  SmallVector<Epilogue, 4> Ways;
  for (OpId Id = L.Ops.size(); Id-- > 0 && Ways.size() < MaxWays;) {
    ExprId Inner = Known[Id];
    // What is computed of what has been computed.
    auto Before = Epilogues.find(Inner);
    if (Before != Epilogues.end() && Inner != All)
      for (const Epilogue &Of : Before->second)
        Ways.push_back(
            {Of.Inner, getAssigned(L, To, evaluateOps(L, Inner, Of.Outer),
                                   Old == Inner ? Of.Outer : Old)});
    if (Inner == All || L.Ops[Id].Ty == ScalarType::I1 || !mayBeInner(Inner) ||
        any_of(Ways, [&](const Epilogue &Of) { return Of.Inner == Inner; }))
      continue;
    ExprId Element = getElementFor(L.Ops[Id]);
    std::vector<ExprId> Of = evaluateOps(L, Inner, Element);
    ExprId Outer = getAssigned(L, To, Of, Old == Inner ? Element : Old);
    if (!A.hasFailed() && !A.carries(Outer))
      Ways.push_back({Inner, Outer});
  }
  Epilogues[All] = std::move(Ways);
}

ArrayRef<Epilogue> Evaluator::getEpilogues(const Formula &F) const {
  auto At = Epilogues.find(F.Value);
  return At == Epilogues.end() ? ArrayRef<Epilogue>() : At->second;
}

void Evaluator::evaluate(const Leaf &L) {
  std::vector<ExprId> Known = evaluateOps(L, 0, 0);
  if (A.hasFailed())
    return;
  SmallVector<std::pair<Cell, ExprId>, 2> New;
  for (const Assign &To : L.Assigns) {
    Cell C = getCell(To.Target);
    ExprId Value = getAssigned(L, To, Known, load(C));
    New.push_back({std::move(C), Value});
    if (FindsEpilogues)
      findEpilogues(L, To, Known);
  }
  for (auto &[C, Value] : New)
    Values[C] = Value;
}
