//===- MathTables.cpp - Numbers by index in the lanes of vectors ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// table[index] of every lane: by instructions that permute a register (AVX2,
/// AVX-512), by selections (vectors of the machine's length), or by loads.
///
//===----------------------------------------------------------------------===//
#include "MathFormulas.h"
#include "dlopt/KernelKey.h"
#include "dlopt/Lanes.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace dlopt {

/// By the bits of \p Index, for any number of lanes.
template <typename T>
static Value *lookUpByBits(IRBuilderBase &B, ArrayRef<T> Table, Value *Index) {
  Type *Ty = Index->getType();
  if (Table.size() == 1)
    return ConstantFP::get(
        Ty->getWithNewType(Type::getFloatingPointTy(
            B.getContext(), APFloat(Table.front()).getSemantics())),
        APFloat(Table.front()));
  auto Half = Table.size() / 2;
  Value *Bit = B.CreateAnd(Index, ConstantInt::get(Ty, Half));
  return B.CreateSelect(B.CreateIsNotNull(Bit),
                        lookUpByBits(B, Table.drop_front(Half), Index),
                        lookUpByBits(B, Table.take_front(Half), Index));
}

/// As many as \p Count, which back ends know as a permutation.
template <typename T>
static Constant *getWholeTable(IRBuilderBase &B, ArrayRef<T> Table,
                               unsigned Count) {
  SmallVector<T, 16> Whole(Table);
  while (Whole.size() < Count)
    Whole.append(Table.begin(), Table.end());
  return ConstantDataVector::get(B.getContext(), Whole);
}

/// Where \p Index has \p Bit of a table's size, a power of two: by its sign,
/// which is all that some blends ask.
static Value *hasBit(IRBuilderBase &B, Value *Index, uint64_t Bit) {
  unsigned Sign = Index->getType()->getScalarSizeInBits() - 1;
  Value *Shifted = B.CreateShl(Index, Sign - Log2_64(Bit));
  return B.CreateICmpSLT(Shifted, Constant::getNullValue(Index->getType()));
}

/// By an instruction of AVX-512 that asks for nothing but the index, of one
/// register or of two.
template <typename T>
static Value *permuteWide(MathBuilder &M, ArrayRef<T> Table, Value *Index) {
  constexpr bool IsFloat = std::is_floating_point_v<T>;
  IRBuilderBase &B = M.B;
  unsigned Count = cast<FixedVectorType>(Index->getType())->getNumElements();
  Constant *First = getWholeTable(
      B, Table.take_front(std::min<size_t>(Table.size(), Count)), Count);
  if (Table.size() <= Count)
    return B.CreateIntrinsic(IsFloat ? Intrinsic::x86_avx512_permvar_sf_512
                                     : Intrinsic::x86_avx512_permvar_si_512,
                             {}, {First, Index});
  return B.CreateIntrinsic(
      IsFloat ? Intrinsic::x86_avx512_vpermi2var_ps_512
              : Intrinsic::x86_avx512_vpermi2var_d_512,
      {}, {First, Index, getWholeTable(B, Table.drop_front(Count), Count)});
}

/// The numbers of up to eight that the low bits of \p Index have, whatever its
/// others are.
template <typename T>
static Value *permute(MathBuilder &M, ArrayRef<T> Table, Value *Index) {
  constexpr unsigned OfPart = 4; // of 128 bits
  IRBuilderBase &B = M.B;
  auto *Ty = cast<FixedVectorType>(Index->getType());
  Constant *Numbers = getWholeTable(B, Table, Ty->getNumElements());
  Type *Floats = Ty->getWithNewType(B.getFloatTy());
  Value *Result = B.CreateIntrinsic(Floats,
                                    Table.size() > OfPart
                                        ? Intrinsic::x86_avx2_permps
                                        : Intrinsic::x86_avx_vpermilvar_ps_256,
                                    {B.CreateBitCast(Numbers, Floats), Index});
  return B.CreateBitCast(Result, Numbers->getType());
}

/// Of float or of integers.
template <typename T>
static Value *lookUpElements(MathBuilder &M, ArrayRef<T> Table, Value *Index) {
  IRBuilderBase &B = M.B;
  auto *Ty = cast<FixedVectorType>(Index->getType());
  unsigned Count = Ty->getNumElements();
  if (all_equal(Table))
    return getWholeTable(B, Table.take_front(1), Count);
  bool IsWide = Count == 16;
  if (IsWide && Table.size() <= 2 * Count)
    return permuteWide(M, Table, Index);
  if (Table.size() > Count) {
    auto Half = Table.size() / 2;
    return B.CreateSelect(hasBit(B, Index, Half),
                          lookUpElements(M, Table.drop_front(Half), Index),
                          lookUpElements(M, Table.take_front(Half), Index));
  }
  return permute(M, Table, Index);
}

/// Element by element: the low bits of \p Index, a fixed vector.
template <typename T>
static Value *lookUpInMemory(MathBuilder &M, ArrayRef<T> Table, Value *Index) {
  IRBuilderBase &B = M.B;
  auto *Ty = cast<FixedVectorType>(Index->getType());
  Constant *Numbers = ConstantDataArray::get(B.getContext(), Table);
  std::string Name;
  raw_string_ostream(Name) << *Numbers;
  Name = "dl.table." + getDigest(Name);
  Module &Mod = *B.GetInsertBlock()->getModule();
  GlobalVariable *Memory = Mod.getGlobalVariable(Name, true);
  if (!Memory || !Memory->hasInitializer() ||
      Memory->getInitializer() != Numbers) {
    Memory = new GlobalVariable(Mod, Numbers->getType(), /*isConstant=*/true,
                                GlobalValue::PrivateLinkage, Numbers, Name);
    Memory->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  }
  Type *Elem = Numbers->getType()->getArrayElementType();
  uint64_t Last = Table.size() - 1;
  if (DLOPT_PLANTED(SecondHalfUnread))
    Last /= 2;
  Index = B.CreateAnd(Index, ConstantInt::get(Ty, Last));
  Value *Result = PoisonValue::get(Ty->getWithNewType(Elem));
  for (unsigned L = 0; L != Ty->getNumElements(); ++L) {
    Value *At = B.CreateZExt(B.CreateExtractElement(Index, L), B.getInt64Ty());
    Result = B.CreateInsertElement(
        Result, B.CreateLoad(Elem, B.CreateInBoundsGEP(Elem, Memory, At)), L);
  }
  return Result;
}

/// Where nothing permutes registers: selections for vectors of any length.
template <typename T>
static Value *lookUpByLoads(MathBuilder &M, ArrayRef<T> Table, Value *Index) {
  return isa<FixedVectorType>(Index->getType())
             ? lookUpInMemory(M, Table, Index)
             : lookUpByBits(M.B, Table, Index);
}

/// What \p LookUp finds for the lanes of each register of \p Index, of \p Part.
static Value *lookUpByParts(MathBuilder &M, Value *Index, unsigned Part,
                            function_ref<Value *(Value *)> LookUp) {
  unsigned Count = cast<FixedVectorType>(Index->getType())->getNumElements();
  if (Count == Part)
    return LookUp(Index);
  SmallVector<Value *, 4> Found;
  for (unsigned First = 0; First != Count; First += Part)
    Found.push_back(LookUp(M.B.CreateShuffleVector(
        Index, createSequentialMask(First, Part, /*NumUndefs=*/0))));
  return concatenateVectors(M.B, Found);
}

Value *lookUp(MathBuilder &M, ArrayRef<float> Table, Value *Index) {
  unsigned Part = M.getPermuted();
  if (!Part)
    return lookUpByLoads(M, Table, Index);
  return lookUpByParts(M, Index, Part, [&](Value *Own) {
    return lookUpElements(M, Table, Own);
  });
}

/// In which order \p Count lanes are looked up, such that those of each
/// register of double are what x86 makes of the halves' by its instructions for
/// blocks of 128 bits.
static SmallVector<int, 16> getLookUpOrder(unsigned Count) {
  auto Order = createSequentialMask(0, Count, /*NumUndefs=*/0);
  for (auto [At, Lane] : enumerate(Order))
    Lane = int(At / 4 * 2 + At % 2 + (At % 4 < 2 ? 0 : Count / 2));
  return Order;
}

/// Of double for a register of indices, which are \p Skip(of what they are).
static Value *lookUpHalves(MathBuilder &M, ArrayRef<double> Table, Value *Index,
                           unsigned Shift,
                           function_ref<Value *(Value *)> Skip) {
  IRBuilderBase &B = M.B;
  auto *Ty = cast<FixedVectorType>(Index->getType());
  SmallVector<uint32_t, 32> Low, High;
  for (double X : Table) {
    auto Bits = bit_cast<uint64_t>(X);
    Low.push_back(Lo_32(Bits));
    High.push_back(Hi_32(Bits));
  }
  unsigned Count = Ty->getNumElements();
  SmallVector<int, 16> Order = getLookUpOrder(Count);
  // Behind that: what has been put together may need no other order then.
  Index = Skip(B.CreateShuffleVector(Index, Order));
  Value *Lower = lookUpElements(M, ArrayRef(Low), Index),
        *Upper = lookUpElements(M, ArrayRef(High), Index);
  if (Shift)
    Upper = B.CreateAdd(Upper, B.CreateShl(Index, Shift));
  // Those of a number are neighbours.
  SmallVector<int, 32> Places(2 * Count);
  if (DLOPT_PLANTED(LookUpOrderLost))
    Order = createSequentialMask(0, Count, /*NumUndefs=*/0);
  for (auto [At, Lane] : enumerate(Order)) {
    Places[2 * Lane] = int(At);
    Places[2 * Lane + 1] = int(Count + At);
  }
  Value *Bits = B.CreateShuffleVector(Lower, Upper, Places);
  return B.CreateBitCast(Bits, Ty->getWithNewType(B.getDoubleTy()));
}

Value *lookUp(MathBuilder &M, ArrayRef<double> Table, Value *Index,
              unsigned Shift, unsigned Skipped) {
  IRBuilderBase &B = M.B;
  auto Skip = [&](Value *V) {
    return B.CreateLShr(V, ConstantInt::get(V->getType(), Skipped));
  };
  if (unsigned Part = M.getPermuted())
    return lookUpByParts(M, Index, Part, [&](Value *Own) {
      return lookUpHalves(M, Table, Own, Shift, Skip);
    });
  Index = Skip(Index);
  Value *Numbers = lookUpByLoads(M, Table, Index);
  if (!Shift)
    return Numbers;
  Value *Exponents = B.CreateShl(B.CreateZExt(Index, M.IntTy), Shift + 32);
  return M.fromBits(B.CreateAdd(M.bits(Numbers), Exponents));
}

} // namespace dlopt
