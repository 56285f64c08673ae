//===- LaneLookup.cpp - Tables in registers -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// y[i] = table[x[i]], where x[i] is a byte or some bits of one: instructions
/// read small tables in registers for all elements of a vector at once
/// (Lookups.def).
///
/// Nobody knows how long the table is. But what lies between two elements that
/// are read is a part of one array, so that can be read, too: of each block of
/// indices the least and the greatest are found first, and what lies between
/// them is copied, unless it has been.
///
//===----------------------------------------------------------------------===//
#include "LaneLookup.h"
#include "LaneLower.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace dlopt {

namespace {

enum Beyond : uint8_t { Wraps, Zero, ZeroBySign };

struct LookupRow {
  Intrinsic::ID Intrinsic;
  unsigned Bits, Lanes, Entries, Parts;
  Beyond How;

  /// Elements of a register of the table: fewer than lanes are repeated.
  unsigned inRegister() const { return std::min(Lanes, Entries); }
  unsigned countRegisters() const { return Entries / inRegister(); }
};

constexpr LookupRow Rows[] = {
#define LOOKUP(NAME, FEATURES, INTRINSIC, BITS, LANES, ENTRIES, PARTS, BEYOND) \
  {Intrinsic::INTRINSIC, BITS, LANES, ENTRIES, PARTS, BEYOND},
#include "dlopt/Lookups.def"
};

} // namespace

/// The first one of \p Has for tables of \p Entries elements of \p Bits.
static std::optional<unsigned> chooseRow(uint32_t Has, unsigned Bits,
                                         unsigned Entries) {
  for (auto [I, Row] : enumerate(Rows))
    if ((Has >> I & 1) && Row.Bits == Bits &&
        Entries <= Row.Entries * Row.Parts)
      return static_cast<unsigned>(I);
  return std::nullopt;
}

/// A signed byte plus 128 (IndexBuilder::buildFlipped).
static bool findFlipped(const Kernel &K, const Poly &P, LaneLookup &L) {
  for (auto [Id, A] : enumerate(K.Atoms)) {
    auto Byte = static_cast<AtomId>(Id);
    if (A.K != Atom::Load || !A.Signed || P != Poly::atom(Byte) + Poly(128) ||
        K.Buffers[A.Source.Buf].Ty != ScalarType::I8)
      continue;
    L.Byte = Byte;
    L.Most = 255;
    return true;
  }
  return false;
}

/// The byte that the atom \p Id is made of, with Shift and Most.
static bool findByte(const Kernel &K, AtomId Id, LaneLookup &L) {
  const Atom &A = K.Atoms[Id];
  if (A.K == Atom::Load) {
    L.Byte = Id;
    L.Most = 255;
    return K.Buffers[A.Source.Buf].Ty == ScalarType::I8 && !A.Signed;
  }
  int64_t Den = A.K == Atom::Mod || A.K == Atom::FloorDiv
                    ? A.Den.getConstant().value_or(0)
                    : 0;
  if (A.K == Atom::Mod && Den == 256)
    return findFlipped(K, A.Num, L);
  if (Den < 1 || Den > 128 || !isPowerOf2_64(uint64_t(Den)))
    return false;
  for (auto [Inner, X] : enumerate(K.Atoms)) {
    auto Of = static_cast<AtomId>(Inner);
    if (X.K != Atom::Load || A.Num != Poly::atom(Of) || !findByte(K, Of, L))
      continue;
    bool IsRest = A.K == Atom::Mod;
    L.Shift = IsRest ? 0 : Log2_64(uint64_t(Den));
    L.Most = IsRest ? unsigned(Den) - 1 : L.Most >> L.Shift;
    return true;
  }
  return false;
}

static std::optional<LaneLookup> getLookup(const Kernel &K, AxisId A,
                                           const Op &O, uint32_t Has) {
  if (O.K != Op::Load || K.Buffers[O.Acc.Buf].IsLocal ||
      assigns(K.Root, O.Acc.Buf))
    return std::nullopt;
  Poly Offset = getOffset(K, O.Acc);
  LaneLookup L;
  L.Load = &O;
  for (AtomId Id = 0; Id != K.Atoms.size(); ++Id) {
    if (!Offset.uses(Id) || !findByte(K, Id, L))
      continue;
    std::optional<Poly> Factor = Offset.coefficient(Id);
    const Access &From = K.Atoms[L.Byte].Source;
    std::optional<Poly> Step = getStride(K, getOffset(K, From), A);
    L.First = Offset.without(Id);
    if (Factor && Factor->getConstant() == 1 && Step &&
        Step->getConstant() == 1 && !K.dependsOn(L.First, A) &&
        !K.Buffers[From.Buf].IsLocal && !assigns(K.Root, From.Buf) &&
        chooseRow(Has, 8 * getSizeInBytes(O.Ty), L.Most + 1))
      return L;
  }
  return std::nullopt;
}

/// Guards ask for LeastLookups rounds of loops of one length alone.
SmallVector<LaneLookup, 2> getLookups(const Kernel &K, const Node &N,
                                      uint32_t Has) {
  SmallVector<LaneLookup, 2> Result;
  bool IsAsked = K.hasFixedExtents(N.Ax) || DLOPT_PLANTED(LookupsUnasked);
  if (!Has || !IsAsked || N.Children.size() != 1 ||
      K.Axes[N.Ax].R != Role::Parallel ||
      N.Children.front()->K != Node::LeafNode ||
      isConditional(N.Children.front()->L))
    return Result;
  for (const Op &O : N.Children.front()->L.Ops)
    if (std::optional<LaneLookup> L = getLookup(K, N.Ax, O, Has))
      Result.push_back(*L);
  return Result;
}

static uint64_t getLookupBits(const Kernel &K, const Node &N,
                              const LanePlan &Plan) {
  uint64_t Bits = 0;
  if (N.K == Node::AxisNode && is_contained(Plan.Axes, N.Ax))
    for (const LaneLookup &L : getLookups(K, N, Plan.Lookups)) {
      unsigned Own = 8 * getSizeInBytes(L.Load->Ty);
      const LookupRow &Row = Rows[*chooseRow(Plan.Lookups, Own, L.Most + 1)];
      Bits = std::max<uint64_t>(Bits, Row.Bits * Row.Lanes);
    }
  for (const auto &Child : N.Children)
    Bits = std::max(Bits, getLookupBits(K, *Child, Plan));
  return Bits;
}

uint64_t getLookupBits(const Kernel &K, const LanePlan &Plan) {
  return getLookupBits(K, K.Root, Plan);
}

Value *LaneContext::getEntries(const LaneLookup &Of) {
  Value *Bytes =
      B.CreateAlignedLoad(getVectorType(ScalarType::I8),
                          getAddress(K.Atoms[Of.Byte].Source), Align(1));
  if (K.Atoms[Of.Byte].Signed)
    Bytes = B.CreateXor(Bytes, ConstantInt::get(Bytes->getType(), 128));
  if (Of.Shift)
    Bytes = B.CreateLShr(Bytes, uint64_t(Of.Shift));
  return Of.Most < 255u >> Of.Shift
             ? B.CreateAnd(Bytes, ConstantInt::get(Bytes->getType(), Of.Most))
             : Bytes;
}

/// What \p Row reads of one part of a table, by \p Index.
static Value *lookUpPart(IRBuilderBase &B, const LookupRow &Row,
                         ArrayRef<Value *> Registers, Value *Index) {
  SmallVector<Value *, 5> Args(Registers);
  // One that replaces its indices has these between two registers.
  Args.insert(Row.How == Wraps ? Args.begin() + 1 : Args.end(), Index);
  SmallVector<Type *, 1> Types;
  if (Intrinsic::isOverloaded(Row.Intrinsic))
    Types.push_back(Registers.front()->getType());
  return B.CreateIntrinsic(Row.Intrinsic, Types, Args);
}

/// The index of an element of the part \p Part; others read nothing.
static Value *getIndexInPart(IRBuilderBase &B, const LookupRow &Row,
                             Value *Index, unsigned Part, unsigned Parts) {
  constexpr unsigned UpToSign = 0x70;
  auto Splat = [&](uint64_t V) {
    return ConstantInt::get(Index->getType(), V);
  };
  if (Row.How == Wraps || Parts == 1)
    return Index;
  if (Part)
    Index = B.CreateXor(Index, Splat(uint64_t(Part) * Row.Entries));
  return Row.How == Zero ? Index
                         : B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Index,
                                                   Splat(UpToSign));
}

/// As many entries as the instruction has lanes.
static Value *lookUpVector(IRBuilderBase &B, const LookupRow &Row,
                           ArrayRef<Value *> Registers, Value *Index) {
  unsigned Each = Row.countRegisters(), Parts = Registers.size() / Each;
  SmallVector<Value *, 16> Found;
  for (unsigned P = 0; P != Parts; ++P)
    Found.push_back(lookUpPart(B, Row, Registers.slice(P * Each, Each),
                               getIndexInPart(B, Row, Index, P, Parts)));
  if (Row.How != Wraps) {
    for (Value *V : ArrayRef(Found).drop_front())
      Found.front() = B.CreateOr(Found.front(), V);
    return Found.front();
  }
  for (uint64_t Bit = Row.Entries; Found.size() > 1; Bit *= 2) {
    Value *IsUpper = B.CreateIsNotNull(
        B.CreateAnd(Index, ConstantInt::get(Index->getType(), Bit)));
    for (size_t I = 0; I != Found.size() / 2; ++I)
      Found[I] = B.CreateSelect(IsUpper, Found[2 * I + 1], Found[2 * I]);
    Found.truncate(Found.size() / 2);
  }
  return Found.front();
}

Value *LaneContext::lookUp(const Table &T) {
  const LookupRow &Row = Rows[T.Row];
  assert(!Mask && "whole vectors are read");
  Value *Index = getEntries(T.Of);
  if (Row.Bits > 8)
    Index = B.CreateZExt(Index, Index->getType()->getWithNewBitWidth(Row.Bits));
  SmallVector<Value *, 4> Found;
  for (unsigned First = 0; First < Lanes; First += Row.Lanes) {
    SmallVector<int, 64> Lane;
    for (unsigned I = 0; I != Row.Lanes; ++I)
      Lane.push_back(First + I < Lanes ? int(First + I) : PoisonMaskElem);
    Found.push_back(
        lookUpVector(B, Row, T.Registers, B.CreateShuffleVector(Index, Lane)));
  }
  Value *All = Found.size() == 1 ? Found.front() : concatenateVectors(B, Found);
  if (Lanes < Row.Lanes)
    All = B.CreateShuffleVector(All, createSequentialMask(0, Lanes, 0));
  return B.CreateBitCast(All, getVectorType(T.Of.Load->Ty));
}

/// The registers of a table of \p Entries elements at \p From.
static SmallVector<Value *, 16> loadTable(IRBuilderBase &B,
                                          const LookupRow &Row,
                                          unsigned Entries, Value *From) {
  Type *Elem = Row.Bits == 8 ? B.getInt8Ty() : B.getFloatTy();
  unsigned In = Row.inRegister();
  SmallVector<int, 64> Repeated;
  for (unsigned I = 0; I != Row.Lanes; ++I)
    Repeated.push_back(int(I % In));
  SmallVector<Value *, 16> Registers;
  for (unsigned First = 0; First < alignTo(Entries, Row.Entries); First += In) {
    Value *V =
        B.CreateAlignedLoad(FixedVectorType::get(Elem, In),
                            B.CreateConstGEP1_64(Elem, From, First), Align(1));
    Registers.push_back(In < Row.Lanes ? B.CreateShuffleVector(V, Repeated)
                                       : V);
  }
  return Registers;
}

/// Copies to \p Copy what lies between the entries that are read from \p First
/// up to \p End, and those from \p Least to \p Most, which have been.
void LaneLowering::copyEntries(AxisId A, const LaneLookup &Of, Value *First,
                               Value *End, Value *Least, Value *Most,
                               Value *Copy) {
  constexpr unsigned Lanes = 64;
  static_assert(Lanes <= LeastLookups, "the guard has asked for as many");
  CountedLoop Loop =
      beginSteps(B, First, End, B.getInt64(Lanes), K.Axes[A].Name + ".range");
  Type *Ty = FixedVectorType::get(B.getInt8Ty(), Lanes);
  PHINode *Low = addCarried(Loop, Constant::getAllOnesValue(Ty), "low"),
          *High = addCarried(Loop, Constant::getNullValue(Ty), "high");
  C.enterLanes(A,
               B.CreateBinaryIntrinsic(Intrinsic::smin, Loop.Index,
                                       B.CreateSub(End, B.getInt64(Lanes))),
               Lanes);
  Value *Entries = C.getEntries(Of);
  Low->addIncoming(B.CreateBinaryIntrinsic(Intrinsic::umin, Low, Entries),
                   Loop.Latch);
  High->addIncoming(B.CreateBinaryIntrinsic(Intrinsic::umax, High, Entries),
                    Loop.Latch);
  endLoop(B, Loop);
  C.leaveLanes();
  auto Join = [&](Intrinsic::ID How, Value *Here, Value *Before) {
    Value *Both =
        B.CreateBinaryIntrinsic(How, B.CreateZExt(Here, B.getInt64Ty()),
                                B.CreateLoad(B.getInt64Ty(), Before));
    B.CreateStore(Both, Before);
    return Both;
  };
  Value *Begin = Join(Intrinsic::smin, B.CreateIntMinReduce(Low), Least),
        *Last = Join(Intrinsic::smax, B.CreateIntMaxReduce(High), Most);
  Type *Elem = getIRType(Of.Load->Ty, B.getContext());
  Access Table;
  Table.Buf = Of.Load->Acc.Buf;
  Table.Subs = {Of.First};
  Table.Strides = {Poly(1)};
  Value *From = B.CreateGEP(Elem, C.getAddress(Table), Begin);
  Value *Count = B.CreateSub(Last, Begin);
  if (!DLOPT_PLANTED(LookupLastLost))
    Count = B.CreateAdd(Count, B.getInt64(1));
  B.CreateMemCpy(B.CreateGEP(Elem, Copy, Begin), Align(1), From, Align(1),
                 B.CreateMul(Count, B.getInt64(getSizeInBytes(Of.Load->Ty))));
}

/// Blocks of the axis \p N, which \p Lower runs, with tables for each.
void LaneLowering::lowerLookups(
    const Node &N, ArrayRef<LaneLookup> Lookups,
    function_ref<void(Value *First, Value *End)> Lower) {
  constexpr uint64_t Block = 1 << 14;
  Function &F = *B.GetInsertBlock()->getParent();
  auto CreateSlot = [&](Type *Ty, unsigned Count, const char *Name) {
    return new AllocaInst(
        ArrayType::get(Ty, Count), F.getDataLayout().getAllocaAddrSpace(),
        nullptr, Align(64), Name, F.getEntryBlock().getFirstInsertionPt());
  };
  struct State {
    unsigned Row;
    AllocaInst *Copy, *Least, *Most;
  };
  SmallVector<State, 2> States;
  for (const LaneLookup &X : Lookups) {
    Type *Elem = getIRType(X.Load->Ty, B.getContext());
    unsigned Row =
        *chooseRow(Plan.Lookups, Elem->getPrimitiveSizeInBits(), X.Most + 1);
    unsigned Count = alignTo(X.Most + 1, Rows[Row].Entries);
    State S = {Row, CreateSlot(Elem, Count, "table"),
               CreateSlot(B.getInt64Ty(), 1, "least"),
               CreateSlot(B.getInt64Ty(), 1, "most")};
    B.CreateMemSet(S.Copy, B.getInt8(0),
                   uint64_t(Count) * getSizeInBytes(X.Load->Ty), Align(64));
    B.CreateStore(B.getInt64(X.Most), S.Least);
    B.CreateStore(B.getInt64(0), S.Most);
    States.push_back(S);
  }
  Value *Trip = getTrip(N.Ax);
  CountedLoop Loop = beginSteps(B, B.getInt64(0), Trip, B.getInt64(Block),
                                K.Axes[N.Ax].Name + ".block");
  Value *End = B.CreateBinaryIntrinsic(
      Intrinsic::smin, B.CreateAdd(Loop.Index, B.getInt64(Block)), Trip);
  for (auto [X, S] : zip_equal(Lookups, States)) {
    Value *HasAll =
        B.CreateAnd(B.CreateIsNull(B.CreateLoad(B.getInt64Ty(), S.Least)),
                    B.CreateICmpEQ(B.CreateLoad(B.getInt64Ty(), S.Most),
                                   B.getInt64(X.Most)));
    branch(
        HasAll, [] {},
        [&, &X = X, &S = S] {
          copyEntries(N.Ax, X, Loop.Index, End, S.Least, S.Most, S.Copy);
        });
    C.Tables[X.Load] = {X, S.Row,
                        loadTable(B, Rows[S.Row], X.Most + 1, S.Copy)};
  }
  Lower(Loop.Index, End);
  for (const LaneLookup &X : Lookups)
    C.Tables.erase(X.Load);
  endLoop(B, Loop);
}

} // namespace dlopt
