//===- ScheduleBroadcasts.cpp - Scalars that lanes share, by vectors ------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a multiply-add takes any element of a register for all lanes, scalars
/// behind each other are loaded as a vector: of the pixels that filters share a
/// load has four. All of them are loaded, one by one, in that very block, and
/// nothing is written in between, so nothing is read that was not, and nothing
/// else.
///
//===----------------------------------------------------------------------===//
#include "AddressSum.h"
#include "ScheduleEmitter.h"
#include "dlopt/Compat.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace dlopt {

namespace {

/// A load of which all that is made are vectors of one element.
struct Scalar {
  LoadInst *Load;
  int64_t Bytes;   ///< behind the first one of its group
  unsigned Number; ///< of all scalars in the block, in their order
};

/// Scalars that are numbers of bytes apart.
struct Group {
  AddressSum First;
  SmallVector<Scalar, 16> Scalars;
};

} // namespace

/// Whether \p Load is spread over lanes, and nothing else.
static bool isSpread(const LoadInst &Load) {
  auto IsSpread = [](const User *Vector) {
    return all_of(Vector->users(), [&](const User *U) {
      return isa<FixedVectorType>(U->getType()) &&
             match(U, m_Shuffle(m_Specific(Vector), m_Value(), m_ZeroMask()));
    });
  };
  return Load.isSimple() &&
         (Load.getType()->isFloatTy() || Load.getType()->isDoubleTy()) &&
         !Load.use_empty() && all_of(Load.users(), [&](const User *U) {
           return match(U, m_InsertElt(m_Undef(), m_Specific(&Load),
                                       m_ZeroInt())) &&
                  IsSpread(U);
         });
}

/// Loads \p Run, elements behind each other, as a vector in front of the first
/// of them in the block.
static void joinRun(ArrayRef<Scalar> Run) {
  const Scalar &Early = *min_element(Run, [](const Scalar &X, const Scalar &Y) {
    return X.Number < Y.Number;
  });
  Type *Ty = Early.Load->getType();
  const DataLayout &DL = Early.Load->getDataLayout();
  int64_t Size = DL.getTypeStoreSize(Ty), Begin = Run.front().Bytes;
  auto Width = static_cast<unsigned>((Run.back().Bytes - Begin) / Size + 1);
  IRBuilder<> B(Early.Load);
  int64_t Behind = Begin - Early.Bytes;
  Value *From = Early.Load->getPointerOperand();
  if (Behind)
    From = B.CreateGEP(Ty, From, B.getInt64(Behind / Size));
  Align Least = Early.Load->getAlign();
  for (const Scalar &S : Run)
    Least = std::min(Least, S.Load->getAlign());
  Value *All =
      B.CreateAlignedLoad(FixedVectorType::get(Ty, Width), From, Least);
  for (const Scalar &S : Run) {
    auto At = static_cast<int>((S.Bytes - Begin) / Size);
    for (User *Insert : to_vector(S.Load->users())) {
      for (User *U : to_vector(Insert->users())) {
        auto *Spread = cast<ShuffleVectorInst>(U);
        B.SetInsertPoint(Spread);
        SmallVector<int, 16> Mask(Spread->getShuffleMask().size(), At);
        Spread->replaceAllUsesWith(B.CreateShuffleVector(All, Mask));
        Spread->eraseFromParent();
      }
      cast<Instruction>(Insert)->eraseFromParent();
    }
    S.Load->eraseFromParent();
  }
}

/// Joins what is a vector of \p G and asked for within few other scalars: it
/// takes a register from the first to the last.
static void joinGroup(Group &G) {
  constexpr unsigned Bits = 128;
  llvm::sort(G.Scalars, [](const Scalar &X, const Scalar &Y) {
    return std::pair(X.Bytes, X.Number) < std::pair(Y.Bytes, Y.Number);
  });
  int64_t Size = G.Scalars.front().Load->getType()->getScalarSizeInBits() / 8;
  unsigned Width = Bits / 8 / static_cast<unsigned>(Size);
  for (size_t I = 0; I < G.Scalars.size();) {
    size_t End = I + 1;
    unsigned Elements = 1, First = G.Scalars[I].Number, Last = First;
    for (; End != G.Scalars.size(); ++End) {
      const Scalar &S = G.Scalars[End];
      int64_t Step = S.Bytes - G.Scalars[End - 1].Bytes;
      if ((Step && Step != Size) || (Step && Elements == Width))
        break;
      Elements += Step != 0;
      First = std::min(First, S.Number);
      Last = std::max(Last, S.Number);
    }
    if (Elements == Width && Last - First < 2 * (End - I)) {
      joinRun(ArrayRef(G.Scalars).slice(I, End - I));
      I = End;
    } else {
      ++I;
    }
  }
}

static void joinBlock(BasicBlock &BB) {
  const DataLayout &DL = BB.getDataLayout();
  // Of what was loaded before something was written nothing is joined with what
  // is loaded then.
  SmallVector<Group, 4> Groups;
  size_t Closed = 0;
  unsigned Number = 0;
  for (Instruction &I : BB) {
    if (I.mayWriteToMemory() ||
        !isGuaranteedToTransferExecutionToSuccessor(&I)) {
      Closed = Groups.size();
      continue;
    }
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !isSpread(*Load))
      continue;
    AddressSum Own(Load->getPointerOperand(), DL);
    std::optional<int64_t> Bytes;
    auto *It = std::find_if(
        Groups.begin() + Closed, Groups.end(), [&](const Group &G) {
          Bytes = Own.getDistance(G.First);
          return Bytes && G.Scalars.front().Load->getType() == Load->getType();
        });
    if (It == Groups.end()) {
      Groups.push_back({Own, {}});
      It = std::prev(Groups.end());
      Bytes = 0;
    }
    It->Scalars.push_back({Load, *Bytes, Number++});
  }
  for (Group &G : Groups)
    joinGroup(G);
}

void joinBroadcasts(Function &F) {
  if (getTriple(*F.getParent()).isAArch64(64))
    for (BasicBlock &BB : F)
      joinBlock(BB);
}

} // namespace dlopt
