//===- Conversion.cpp - What is made of one element -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Conversion.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt {

/// Whether \p O has a value whatever its operands are, and is as well a vector
/// operation.
static bool isPure(const Op &O) {
  if (O.K != Op::Inst || O.Ty == ScalarType::I1)
    return false;
  // Vectors are rounded to bfloat in other ways.
  if (O.Opcode == Instruction::FPTrunc)
    return O.Ty == ScalarType::F32;
  return Instruction::isCast(O.Opcode) || O.Opcode == Instruction::FNeg ||
         (Instruction::isBinaryOp(O.Opcode) &&
          !Instruction::isIntDivRem(O.Opcode));
}

/// Which operations are the same for all elements. Operands come first.
static SmallVector<bool, 16> findFixed(const Leaf &L) {
  SmallVector<bool, 16> Fixed;
  for (const Op &O : L.Ops)
    Fixed.push_back(
        O.K == Op::Const || O.K == Op::Param ||
        (isPure(O) && all_of(O.Args, [&](OpId Arg) { return Fixed[Arg]; })));
  return Fixed;
}

/// Whether a product that is fused with a sum is no product of its own.
static bool mayBeFused(const Op &O) {
  return O.Opcode == Instruction::FMul && O.FMF.allowContract() &&
         !O.FMF.allowReassoc();
}

SmallVector<OpId, 4> findConversions(const Leaf &L, OpId Load) {
  SmallVector<OpId, 4> Result = {Load};
  SmallVector<bool, 16> Fixed = findFixed(L);
  for (;;) {
    OpId Last = Result.back();
    if (L.Predicate == Last ||
        any_of(L.Assigns, [&](const Assign &A) { return A.Value == Last; }))
      return Result;
    std::optional<OpId> User;
    unsigned NumUses = 0;
    for (auto [Id, O] : enumerate(L.Ops))
      if (auto Uses = static_cast<unsigned>(count(O.Args, Last))) {
        NumUses += Uses;
        User = static_cast<OpId>(Id);
      }
    if (NumUses != 1)
      return Result;
    const Op &O = L.Ops[*User];
    if (!isPure(O) || mayBeFused(O) ||
        !all_of(O.Args, [&](OpId Arg) { return Arg == Last || Fixed[Arg]; }))
      return Result;
    Result.push_back(*User);
  }
}

std::optional<ConversionOffset> findOffset(const Leaf &L, OpId Load,
                                           OpId Value) {
  auto IsOfLoad = [&](OpId Id) {
    return isComputedOf(L, Id, [&](const Op &O) { return &O == &L.Ops[Load]; });
  };
  ConversionOffset Result;
  for (;;) {
    const Op &O = L.Ops[Value];
    bool IsSub = O.Opcode == Instruction::Sub;
    if (O.K != Op::Inst || (O.Opcode != Instruction::Add && !IsSub))
      break;
    unsigned Own = IsOfLoad(O.Args[0]) ? 0 : 1;
    if (IsOfLoad(O.Args[1 - Own]) || (IsSub && Own == 1))
      break;
    Result.Added.push_back({O.Args[1 - Own], IsSub});
    Value = O.Args[Own];
  }
  Result.Core = Value;
  if (!is_contained(findConversions(L, Load), Value))
    return std::nullopt;
  return Result;
}

/// Operations of another body by those of this one; each is looked at once.
using OpIds = SmallDenseMap<OpId, OpId, 16>;

static OpId addTo(Expression &X, const Leaf &L, OpId Load, OpId Id,
                  OpIds &Known) {
  if (auto It = Known.find(Id); It != Known.end())
    return It->second;
  const Op &O = L.Ops[Id];
  OpId New = 0;
  if (Id == Load) {
    New = X.addOperand(0, O.Ty);
  } else if (O.K == Op::Param) {
    New = X.addOperand(1 + O.Ref, O.Ty);
  } else {
    Op Own;
    Own.K = O.K;
    Own.Ty = O.Ty;
    Own.Opcode = O.Opcode;
    Own.Bits = O.Bits;
    for (OpId Arg : O.Args)
      Own.Args.push_back(addTo(X, L, Load, Arg, Known));
    New = X.add(std::move(Own));
  }
  Known[Id] = New;
  return New;
}

Expression getConversion(const Leaf &L, OpId Load, OpId Value) {
  Expression X;
  OpIds Known;
  X.Result = addTo(X, L, Load, Value, Known);
  return X;
}

OpId addConversion(Leaf &L, const Expression &X, OpId Element) {
  SmallVector<OpId, 8> Ids;
  for (const Op &O : X.Ops) {
    if (O.K == Op::Param && O.Ref == 0) {
      Ids.push_back(Element);
      continue;
    }
    Op Own = O;
    if (O.K == Op::Param)
      --Own.Ref;
    for (OpId &Arg : Own.Args)
      Arg = Ids[Arg];
    Ids.push_back(static_cast<OpId>(L.Ops.size()));
    L.Ops.push_back(std::move(Own));
  }
  return Ids[X.Result];
}

namespace {

/// Operations of an expression as some of narrower types, modulo 2^n.
class Narrower {
public:
  Narrower(Expression &To, const Expression &X) : To(To), X(X) {}
  OpId get(OpId Id, ScalarType Ty) {
    auto [It, IsNew] = Known.try_emplace({Id, unsigned(Ty)}, 0);
    if (!IsNew)
      return It->second;
    OpId New = make(Id, Ty);
    Known[{Id, unsigned(Ty)}] = New;
    return New;
  }

private:
  OpId make(OpId Id, ScalarType Ty);
  OpId getSame(OpId Id) { return get(Id, X.Ops[Id].Ty); }

  Expression &To;
  const Expression &X;
  SmallDenseMap<std::pair<OpId, unsigned>, OpId, 16> Known;
};

} // namespace

OpId Narrower::make(OpId Id, ScalarType Ty) {
  Op O = X.Ops[Id];
  ScalarType Own = O.Ty;
  unsigned Bits = getBitWidth(Ty);
  bool IsInst = O.K == Op::Inst && Own != Ty;
  bool IsExtension = IsInst && (O.Opcode == Instruction::ZExt ||
                                O.Opcode == Instruction::SExt);
  bool IsSum =
      IsInst && (O.Opcode == Instruction::Add || O.Opcode == Instruction::Sub);
  if (O.K == Op::Const && Own != Ty) {
    O.Ty = Ty;
    O.Bits &= maskTrailingOnes<uint64_t>(Bits);
    return To.add(std::move(O));
  }
  if (IsExtension && getBitWidth(X.Ops[O.Args[0]].Ty) >= Bits)
    return get(O.Args[0], Ty);
  for (OpId &Arg : O.Args)
    Arg = IsSum ? get(Arg, Ty) : getSame(Arg);
  if (IsExtension || IsSum) {
    O.Ty = Ty;
    return To.add(std::move(O));
  }
  OpId Same = To.add(std::move(O));
  return Own == Ty ? Same : To.addInst(Instruction::Trunc, Ty, {Same});
}

Expression narrowConversion(const Expression &X, ScalarType To) {
  Expression Result;
  Result.Result = Narrower(Result, X).get(X.Result, To);
  return Result;
}

bool isBFloat(const Expression &X) {
  auto Take = [&](OpId &Id, unsigned Opcode) {
    const Op &O = X.Ops[Id];
    if (O.K != Op::Inst || O.Opcode != Opcode)
      return false;
    Id = O.Args.front();
    return true;
  };
  auto IsElement = [&](OpId Id, ScalarType Ty) {
    const Op &O = X.Ops[Id];
    return O.K == Op::Param && O.Ref == 0 && O.Ty == Ty;
  };
  OpId Id = X.Result;
  if (X.Ops[Id].Ty != ScalarType::F32)
    return false;
  if (Take(Id, Instruction::FPExt))
    return IsElement(Id, ScalarType::BF16);
  if (!Take(Id, Instruction::BitCast) || X.Ops[Id].Opcode != Instruction::Shl)
    return false;
  const Op &By = X.Ops[X.Ops[Id].Args[1]];
  constexpr uint64_t Bits = 16;
  return Take(Id, Instruction::Shl) && By.K == Op::Const && By.Bits == Bits &&
         (Take(Id, Instruction::ZExt) || Take(Id, Instruction::SExt)) &&
         IsElement(Id, ScalarType::I16);
}

bool loadsBFloats(const Leaf &L) {
  return any_of(enumerate(L.Ops), [&](const auto &E) {
    auto Load = static_cast<OpId>(E.index());
    return E.value().K == Op::Load &&
           any_of(findConversions(L, Load), [&](OpId Value) {
             return isBFloat(getConversion(L, Load, Value));
           });
  });
}

namespace {
/// A number: one of Numbers, and parameters added to it, modulo 2^n.
struct Sum {
  ConstantRange Numbers;
  SmallVector<std::pair<ParamId, int>, 1> Params;
};
} // namespace

/// That of \p O, whose operands are \p Of.
static std::optional<Sum> findSum(const Kernel &K, const Expression &X,
                                  const Op &O,
                                  ArrayRef<std::optional<Sum>> Of) {
  unsigned Bits = getBitWidth(O.Ty);
  if (isFloat(O.Ty))
    return std::nullopt;
  if (O.K == Op::Const)
    return Sum{ConstantRange(APInt(Bits, O.Bits)), {}};
  if (O.K == Op::Param && O.Ref == 0)
    return Sum{ConstantRange::getFull(Bits), {}};
  // In a polynomial it is what is added here, modulo 2^n.
  if (O.K == Op::Param)
    return Sum{ConstantRange(APInt(Bits, 0)), {{O.Ref - 1, 1}}};
  // A parameter that is extended as a polynomial extends it.
  if (const Op &Arg = X.Ops[O.Args[0]];
      Arg.K == Op::Param && Arg.Ref &&
      (O.Opcode == Instruction::Trunc ||
       O.Opcode == (K.Params[Arg.Ref - 1].Signed ? Instruction::SExt
                                                 : Instruction::ZExt)))
    return Sum{ConstantRange(APInt(Bits, 0)), {{Arg.Ref - 1, 1}}};
  bool IsSum = O.Opcode == Instruction::Add || O.Opcode == Instruction::Sub;
  if (any_of(Of, [&](const auto &S) {
        return !S || (!IsSum && !S->Params.empty());
      }))
    return std::nullopt;
  if (Instruction::isCast(O.Opcode)) {
    if (O.Opcode == Instruction::BitCast)
      return std::nullopt;
    return Sum{Of[0]->Numbers.castOp(
                   static_cast<Instruction::CastOps>(O.Opcode), Bits),
               {}};
  }
  // A bound for safety: sums of sums could have any number.
  constexpr size_t MostParams = 4;
  if (Of.size() != 2 ||
      Of[0]->Params.size() + Of[1]->Params.size() > MostParams)
    return std::nullopt;
  Sum Result{Of[0]->Numbers.binaryOp(
                 static_cast<Instruction::BinaryOps>(O.Opcode), Of[1]->Numbers),
             Of[0]->Params};
  int Sign = O.Opcode == Instruction::Sub ? -1 : 1;
  for (auto [P, Times] : Of[1]->Params)
    Result.Params.push_back({P, Sign * Times});
  return Result;
}

static std::optional<Sum> findSum(const Kernel &K, const Expression &X) {
  SmallVector<std::optional<Sum>, 8> Sums;
  for (const Op &O : X.Ops) {
    SmallVector<std::optional<Sum>, 2> Of;
    for (OpId Arg : O.Args)
      Of.push_back(Sums[Arg]);
    Sums.push_back(findSum(K, X, O, Of));
  }
  return Sums[X.Result];
}

std::optional<ConversionRange> getRange(const Kernel &K, const Expression &X) {
  std::optional<Sum> S = findSum(K, X);
  if (!S || S->Numbers.isEmptySet())
    return std::nullopt;
  return ConversionRange{S->Numbers.getSignedMin().getSExtValue(),
                         S->Numbers.getSignedMax().getSExtValue(),
                         std::move(S->Params)};
}

/// The same with the sum of the parameters, which is \p Params.
static SmallVector<Constraint, 2> getFits(const ConversionRange &R,
                                          ScalarType Ty, const Poly &Params) {
  int64_t Most = maskTrailingOnes<uint64_t>(getBitWidth(Ty) - 1);
  int64_t Below = 0, Above = 0;
  // Wider types hold all numbers that have a sign, so what is here has none.
  if (AddOverflow(R.Least, Most, Below) || SubOverflow(Most, R.Most, Above))
    return {{Poly(-1), /*IsEquality=*/false}};
  return {{Poly(Below) + Poly(1) + Params, /*IsEquality=*/false},
          {Poly(Above) - Params, /*IsEquality=*/false}};
}

SmallVector<Constraint, 2> getFits(Kernel &K, const ConversionRange &R,
                                   ScalarType Ty) {
  Poly Params;
  for (auto [P, Times] : R.Params)
    Params = Params + Poly::atom(K.getParamAtom(P)) * Poly(Times);
  return getFits(R, Ty, Params);
}

bool isIn(const ConversionRange &R, FactorType Ty) {
  unsigned Bits = getBitWidth(Ty.Ty);
  int64_t Most = maskTrailingOnes<uint64_t>(Ty.Signed ? Bits - 1 : Bits);
  return R.Params.empty() && R.Least >= (Ty.Signed ? -Most - 1 : 0) &&
         R.Most <= Most;
}

/// Whether a number or a need says that \p P is at least 0.
static bool isAtLeastZero(const Kernel &K, const Poly &P) {
  if (std::optional<int64_t> Number = P.getConstant())
    return *Number >= 0;
  return any_of(K.Needs, [&](const Need &N) {
    if (N.K != Need::InRange)
      return false;
    std::optional<int64_t> Above = (P - N.P).getConstant(),
                           Below = (P + N.P).getConstant();
    int64_t Least = 0;
    return (Above && !AddOverflow(*Above, N.Lo, Least) && Least >= 0) ||
           (Below && !SubOverflow(*Below, N.Hi, Least) && Least >= 0);
  });
}

bool fits(const Kernel &K, const ConversionRange &R, ScalarType Ty) {
  Poly Params;
  for (auto [Id, Times] : R.Params) {
    auto It = find_if(K.Atoms, [P = Id](const Atom &A) {
      return A.K == Atom::Param && A.Ref == P;
    });
    // Nothing is said of it.
    if (It == K.Atoms.end())
      return false;
    Params = Params + Poly::atom(static_cast<AtomId>(It - K.Atoms.begin())) *
                          Poly(Times);
  }
  return all_of(getFits(R, Ty, Params),
                [&](const Constraint &C) { return isAtLeastZero(K, C.P); });
}

} // namespace dlopt
