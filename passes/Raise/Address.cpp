//===- Address.cpp - Pointers as accesses ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Index.h"
#include "SourceNames.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/SaveAndRestore.h"
#include <map>

using namespace llvm;
using namespace dlopt;

/// Bytes that \p G adds to its pointer.
std::optional<Poly> IndexBuilder::buildOffset(const GEPOperator &G,
                                              const Loop *Where) {
  const DataLayout &DL = S.Ctx.DL;
  if (!G.getType()->isPointerTy() ||
      DL.getIndexTypeSizeInBits(G.getType()) != 64)
    return std::nullopt;
  Poly Bytes;
  for (auto It = gep_type_begin(G), End = gep_type_end(G); It != End; ++It) {
    Value *Index = It.getOperand();
    if (StructType *T = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(Index)->getZExtValue();
      TypeSize Offset = DL.getStructLayout(T)->getElementOffset(Field);
      if (Offset.isScalable())
        return std::nullopt;
      Bytes += Poly(static_cast<int64_t>(Offset.getFixedValue()));
      continue;
    }
    TypeSize Scale = It.getSequentialElementStride(DL);
    if (Scale.isScalable() || !Index->getType()->isIntegerTy())
      return std::nullopt;
    unsigned Bits = Index->getType()->getIntegerBitWidth();
    std::optional<Poly> P;
    if (Bits == 64) {
      // Addresses are exact modulo 2^64, so wrapping does not matter.
      if (std::optional<Linear> L = build(Index, true, Where))
        P = L->P;
    } else if (Bits < 64) {
      P = buildExact(Index, true, Where);
    }
    if (!P)
      return std::nullopt;
    Bytes += *P * Poly(static_cast<int64_t>(Scale.getFixedValue()));
  }
  return Bytes;
}

std::optional<PointerForm> IndexBuilder::buildPointer(Value *V,
                                                      const Loop *Where) {
  if (!V->getType()->isPointerTy() || isa<UndefValue>(V) ||
      isa<ConstantPointerNull>(V))
    return std::nullopt;
  if (!mayLookAtMore()) {
    OverBudget = true;
    return std::nullopt;
  }
  ++Recursion;
  std::optional<PointerForm> R = buildPointerInst(V, Where);
  --Recursion;
  if (R && (!within(R->Bytes) || (!Recursion && hasPlaceholder(R->Bytes))))
    R.reset();
  auto FromBase = [&](Value *Base) {
    const PointerPair *Same = S.Ctx.Same;
    return PointerForm{Same && Same->Input == Base ? Same->Output : Base,
                       Poly()};
  };
  if (auto *A = dyn_cast<AllocaInst>(V); A && S.isInside(A) && !R)
    return PointerForm{A, Poly()}; // one array for all rounds is as good
  if (R || !getInvariantDepth(V))
    return R;
  if (auto *L = dyn_cast<LoadInst>(V); L && S.isInside(L))
    return FromBase(getInvariantLoad(L)->Representative);
  return FromBase(V);
}

/// GEPs and phis; nullopt for anything else.
std::optional<PointerForm> IndexBuilder::buildPointerInst(Value *V,
                                                          const Loop *Where) {
  if (const auto *G = dyn_cast<GEPOperator>(V)) {
    if (!S.isInside(V) && !G->hasAllConstantIndices()) {
      HasParts = true;
      if (S.Ctx.PartsApart)
        return std::nullopt;
    }
    std::optional<PointerForm> R =
        buildPointer(const_cast<Value *>(G->getPointerOperand()), Where);
    std::optional<Poly> Bytes = R ? buildOffset(*G, Where) : std::nullopt;
    if (!Bytes)
      return std::nullopt;
    R->Bytes += *Bytes;
    return R;
  }
  if (auto *I = dyn_cast<SelectInst>(V)) {
    Value *Chosen = S.isInside(I) ? findDecided(I) : nullptr;
    return Chosen ? buildPointer(Chosen, Where) : std::nullopt;
  }
  auto *P = dyn_cast<PHINode>(V);
  const Loop *L = P ? S.loopOf(P) : nullptr;
  if (!L)
    return std::nullopt;
  if (P->getNumIncomingValues() == 1) {
    Value *In = P->getIncomingValue(0);
    const Loop *From = S.loopOf(In);
    if (!From || From->contains(L))
      return buildPointer(In, L);
    if (!mayLeave(In, From, L))
      return std::nullopt;
    std::optional<PointerForm> R = buildPointer(In, From);
    std::optional<Poly> Out = R ? leaveLoop(R->Bytes, From, L) : std::nullopt;
    if (!Out)
      return std::nullopt;
    return PointerForm{R->Base, *Out};
  }
  if (!L->contains(Where))
    return std::nullopt;
  if (Value *Chosen = findDecided(P))
    return buildPointer(Chosen, L);
  if (Alone && L != Alone && L->contains(Alone))
    return PointerForm{P, Poly()};
  PhiForm &F = solvePhi(P);
  if (F.State == PhiForm::InProgress)
    return PointerForm{P, Poly::atom(Unknowns[{P, true}])};
  if (F.State == PhiForm::None)
    return std::nullopt;
  return PointerForm{F.Base, F.Signed.P};
}

BufferId IndexBuilder::getBuffer(Value *Base, ScalarType Ty) {
  for (auto [Id, B] : enumerate(S.K.Buffers))
    if (B.Bound == Base && B.Ty == Ty)
      return static_cast<BufferId>(Id);
  return addBuffer(Base, Ty);
}

BufferId IndexBuilder::addBuffer(Value *Base, ScalarType Ty) {
  Buffer B;
  const Value *Named = Base;
  // The pointer in a struct or a container goes by the name of its owner.
  for (unsigned I = 0; I < 4 && !Named->hasName(); ++I) {
    if (const auto *L = dyn_cast<LoadInst>(Named))
      Named = L->getPointerOperand();
    else if (const auto *G = dyn_cast<GEPOperator>(Named))
      Named = G->getPointerOperand();
  }
  B.Name = Named->getName().str();
  if (const auto *A = dyn_cast<Argument>(Named); A && B.Name.empty())
    B.Name = "arg" + std::to_string(A->getArgNo());
  B.Shown = getShownName(*Named);
  B.Ty = Ty;
  B.Bound = Base;
  B.Depth = getInvariantDepth(Base).value_or(0);
  S.K.Buffers.push_back(std::move(B));
  return static_cast<BufferId>(S.K.Buffers.size() - 1);
}

/// A stride in bytes that is a value from outside the nest is a multiple of the
/// element's size only when it is seen through. Otherwise values from outside
/// stand for themselves: extents and strides then have the same names.
std::optional<PointerForm> IndexBuilder::buildExpanded(Value *Ptr,
                                                       const Loop *Where) {
  if (Recursion || ExpandOutside)
    return std::nullopt; // amid something that was begun without
  SaveAndRestore<bool> Expand(ExpandOutside, true);
  std::map<PHINode *, PhiForm> Kept;
  std::swap(Phis, Kept);
  std::optional<PointerForm> F = buildPointer(Ptr, Where);
  std::swap(Phis, Kept);
  return F;
}

/// Whether \p Stride, in bytes, is that of the first dimension of an array with
/// the descriptor that the pointer \p Base is from: elements that usually are
/// next to each other. Descriptors are CFI_cdesc_t of ISO_Fortran_binding.h
/// (Fortran 2018, 18.5.3) as flang lays it out: the address, the element's
/// length, eight bytes of version, rank, type and attributes; then, of each
/// dimension, lower bound, extent and stride, of eight bytes each.
static bool isFirstStride(const Value *Stride, const Value *Base,
                          const DataLayout &DL) {
  constexpr int64_t BytesToFirstStride = 3 * 8 + 2 * 8;
  auto *From = dyn_cast<LoadInst>(Stride), *Data = dyn_cast<LoadInst>(Base);
  if (!From || !Data || !From->getType()->isIntegerTy(64))
    return false;
  APInt At(64, 0), DataAt(64, 0);
  const Value *Descriptor =
      From->getPointerOperand()->stripAndAccumulateConstantOffsets(
          DL, At, /*AllowNonInbounds=*/true);
  return DL.getIndexTypeSizeInBits(From->getPointerOperandType()) == 64 &&
         Descriptor ==
             Data->getPointerOperand()->stripAndAccumulateConstantOffsets(
                 DL, DataAt, /*AllowNonInbounds=*/true) &&
         At - DataAt == BytesToFirstStride;
}

/// \p Bytes in elements of \p Size bytes, where strides are parameters in bytes
/// (arrays of assumed shape, tensors with strides): needs that these are
/// multiples of the size, and of Fortran's arrays that the first one is the
/// size, if they are from the pointer \p Base.
std::optional<Poly> IndexBuilder::divideStrides(const Poly &Bytes, int64_t Size,
                                                const Value *Base) {
  Poly Result;
  SmallVector<AtomId, 4> Unit;
  SmallVector<Poly, 4> Whole;
  for (const auto &[Product, Coef] : Bytes.terms()) {
    if (Coef % Size == 0) {
      Result += Poly::monomial(Product, Coef / Size);
      continue;
    }
    auto IsParam = [&](AtomId A) {
      return !isPlaceholder(A) && S.K.Atoms[A].K == Atom::Param;
    };
    // The parameters together: rows times what an element takes.
    Monomial Stride, Rest;
    for (AtomId A : Product)
      (IsParam(A) ? Stride : Rest).push_back(A);
    if (Stride.empty())
      return std::nullopt;
    Poly Steps(1);
    if (Base && Stride.size() == 1 &&
        isFirstStride(S.K.Params[S.K.Atoms[Stride[0]].Ref].Bound, Base,
                      S.Ctx.DL)) {
      Unit.push_back(Stride[0]);
    } else {
      Whole.push_back(Poly::monomial(Stride, 1));
      Steps = Poly::atom(S.K.getFloorDivAtom(Whole.back(), Size));
    }
    Result += Poly::monomial(Rest, Coef) * Steps;
  }
  for (AtomId A : Unit)
    S.addInRange(Poly::atom(A), Size, Size);
  for (const Poly &P : Whole) {
    if (!DLOPT_PLANTED(QuotientUnasked))
      S.addInRange(Poly::atom(S.K.getModAtom(P, Size)), 0, 0);
    if (!getRange(S.K, P, {}).within(INT64_MIN, INT64_MAX))
      S.addInRange(P, INT64_MIN, INT64_MAX);
  }
  return Result;
}

std::optional<Access> IndexBuilder::buildAccess(Value *Ptr, Type *Ty,
                                                const Loop *Where) {
  std::optional<ScalarType> T = getScalarType(Ty);
  if (!T || *T == ScalarType::I1)
    return std::nullopt;
  std::optional<PointerForm> F = buildPointer(Ptr, Where);
  if (!F)
    return std::nullopt;
  std::optional<Poly> Offset = F->Bytes.divideExactly(getSizeInBytes(*T));
  if (!Offset) {
    std::optional<PointerForm> Seen = buildExpanded(Ptr, Where);
    Offset = Seen ? Seen->Bytes.divideExactly(getSizeInBytes(*T)) : Offset;
    if (Offset)
      F = Seen;
    else
      Offset = divideStrides(F->Bytes, getSizeInBytes(*T), F->Base);
  }
  // The base must be fixed in the nest: a phi that is being solved is not.
  if (!Offset || (isa<PHINode>(F->Base) && S.isInside(F->Base)) ||
      F->Bytes.anyAtom([&](AtomId A) { return isPlaceholder(A); }))
    return std::nullopt;
  Access A;
  A.Buf = getBuffer(F->Base, *T);
  A.Subs.push_back(std::move(*Offset));
  A.Strides.push_back(Poly(1));
  return A;
}

bool IndexBuilder::failAccess(Instruction *I) {
  Value *Ptr = getLoadStorePointerOperand(I);
  for (unsigned Depth = 0; Depth < MaxRecursion; ++Depth) {
    auto *P = dyn_cast<PHINode>(Ptr);
    if (auto *G = dyn_cast<GEPOperator>(Ptr))
      Ptr = G->getPointerOperand();
    else if (P && P->getNumIncomingValues() == 1)
      Ptr = P->getIncomingValue(0);
    else
      break;
  }
  if (!S.isInside(Ptr))
    return S.fail(Reason::NonAffineAccess, I);
  if (auto *L = dyn_cast<LoadInst>(Ptr);
      L && getInvariantDepth(L->getPointerOperand()) && !getInvariantDepth(L))
    return S.fail(Reason::NotInvariant, I);
  if (auto *P = dyn_cast<PHINode>(Ptr); P && !isIndexPhi(P))
    return S.fail(Reason::CarriedValue, P);
  return S.fail(Reason::NonAffineAccess, I);
}
