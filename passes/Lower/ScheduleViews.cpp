//===- ScheduleViews.cpp - Numbers and views ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScheduleViews.h"
#include "BodyLower.h"
#include "ScheduleEmitter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace dlopt {

void computeNumbers(ScalarContext &C, Kernel &K) {
  IRBuilderBase &B = C.B;
  auto Holds = [&](const NumberCase &Case) {
    Value *All = nullptr;
    for (const Constraint &If : Case.Where) {
      Value *Zero = B.getInt64(0), *P = C.getPoly(If.P);
      Value *Own =
          If.IsEquality ? B.CreateICmpEQ(P, Zero) : B.CreateICmpSGE(P, Zero);
      All = All ? B.CreateAnd(All, Own) : Own;
    }
    return All;
  };
  for (Param &P : K.Params) {
    if (!P.isComputed())
      continue;
    // The first case that holds wins.
    Value *Result = C.getPoly(P.Cases.back().Value);
    for (const NumberCase &Case : reverse(drop_end(P.Cases)))
      Result = B.CreateSelect(Holds(Case), C.getPoly(Case.Value), Result);
    P.Bound = Result;
  }
}

ViewResolver::ViewResolver(const Kernel &Of) {
  copyKernel(Of, K);
  forEachLeafBelow(K.Root, [&](Leaf &L) {
    for (OpId Id = 0; Id != L.Ops.size(); ++Id)
      if (L.Ops[Id].K == Op::View)
        resolve(L, Id);
  });
}

BufferId ViewResolver::getBuffer(BufferId First, BufferId Second,
                                 const Poly &Condition) {
  for (const ChosenBuffer &B : Buffers)
    if (B.First == First && B.Second == Second && B.Condition == Condition)
      return B.Id;
  Buffer Own;
  Own.Name = K.Buffers[First].Name;
  Own.Ty = K.Buffers[First].Ty;
  auto Id = static_cast<BufferId>(K.Buffers.size());
  K.Buffers.push_back(std::move(Own));
  Buffers.push_back({Id, First, Second, Condition});
  return Id;
}

Poly ViewResolver::getNumber(const Poly &First, const Poly &Second,
                             const Poly &Condition) {
  if (First == Second)
    return First;
  Param Own;
  Own.Name = "view";
  Own.Cases.push_back({{{Condition, /*IsEquality=*/false}}, First});
  Own.Cases.push_back({{}, Second});
  for (auto [Id, P] : enumerate(K.Params))
    if (P.Cases.size() == 2 && P.Name == Own.Name &&
        P.Cases[0].Value == First && P.Cases[1].Value == Second &&
        P.Cases[0].Where.front().P == Condition)
      return Poly::atom(K.getParamAtom(static_cast<ParamId>(Id)));
  K.Params.push_back(std::move(Own));
  return Poly::atom(K.getParamAtom(static_cast<ParamId>(K.Params.size() - 1)));
}

/// The factors of \p P, which are the same for the whole kernel, by what they
/// are multiplied with.
static std::map<Monomial, Poly> getFactors(const Kernel &K, const Poly &P) {
  std::map<Monomial, Poly> Result;
  for (const auto &[Product, Coef] : P.terms()) {
    Monomial Axes;
    Poly Factor(Coef);
    for (AtomId Id : Product)
      if (K.isFixed(Poly::atom(Id)))
        Factor = Factor * Poly::atom(Id);
      else
        Axes.push_back(Id);
    Result[Axes] += Factor;
  }
  return Result;
}

void ViewResolver::resolve(Leaf &L, OpId View) {
  const Op &O = L.Ops[View];
  const Op *Sides[] = {&L.Ops[O.Args[0]], &L.Ops[O.Args[1]]};
  std::map<Monomial, Poly> Factors[2];
  for (unsigned I : {0, 1}) {
    const Access &X = Sides[I]->Acc;
    Factors[I] = getFactors(K, K.Buffers[X.Buf].IsLocal ? getLocalOffset(K, X)
                                                        : X.offset());
  }
  Poly Offset;
  for (const auto &[Axes, First] : Factors[0])
    Offset +=
        Poly::monomial(Axes, 1) * getNumber(First, Factors[1][Axes], O.Idx);
  for (const auto &[Axes, Second] : Factors[1])
    if (!Factors[0].count(Axes))
      Offset += Poly::monomial(Axes, 1) * getNumber(Poly(), Second, O.Idx);
  Op Load;
  Load.K = Op::Load;
  Load.Ty = O.Ty;
  Load.Acc.Buf = getBuffer(Sides[0]->Acc.Buf, Sides[1]->Acc.Buf, O.Idx);
  Load.Acc.Subs = {std::move(Offset)};
  Load.Acc.Strides = {Poly(1)};
  // Locals are aligned as any element is; of two arrays nothing is known.
  for (unsigned I : {0, 1})
    if (K.Buffers[Sides[I]->Acc.Buf].IsLocal)
      Load.Origin = Sides[1 - I]->Origin;
  SmallVector<OpId, 3> Args = O.Args;
  L.Ops[View] = std::move(Load);
  // A side that nothing else reads is not read.
  for (OpId Arg : Args)
    if (L.Predicate != Arg &&
        none_of(L.Assigns, [&](const Assign &A) { return A.Value == Arg; }) &&
        none_of(L.Ops,
                [&](const Op &User) { return is_contained(User.Args, Arg); })) {
      ScalarType Ty = L.Ops[Arg].Ty;
      L.Ops[Arg] = Op();
      L.Ops[Arg].Ty = Ty;
    }
}

/// What the loops need, in front of them.
void ScheduleEmitter::emitNumbers(ViewResolver &Views) {
  computeNumbers(*this, Views.K);
  for (const ViewResolver::ChosenBuffer &V : Views.Buffers) {
    Value *First = getBase(V.First), *Second = getBase(V.Second);
    if (DLOPT_PLANTED(ViewOfOtherSide))
      std::swap(First, Second);
    Views.K.Buffers[V.Id].Bound = B.CreateSelect(
        emitConstraint({V.Condition, /*IsEquality=*/false}), First, Second);
  }
}

} // namespace dlopt
