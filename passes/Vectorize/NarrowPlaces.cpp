//===- NarrowPlaces.cpp - Places of elements in fewer bits ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Pools that say where the greatest element is have its place in 64 bits,
/// beside a float: a vector of floats has two of places. Few arrays have 2^31
/// elements, which is a need then:
///
///   m = -inf, at:i64 = -1
///   for ...  (m, at) = x[i] > m ? (x[i], index(i)) : (m, at)
///   ->
///   m = -inf, at:i32 = -1
///   for ...  (m, at) = ...        needs index(i) in 32 bits
///
/// and where it is read behind that it is extended.
///
//===----------------------------------------------------------------------===//
#include "LaneStrategy.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instruction.h"

using namespace llvm;
using namespace dlopt;

namespace {

class PlaceNarrower {
public:
  explicit PlaceNarrower(Kernel &K) : K(K) {}
  bool run();

private:
  bool isPlace(const Leaf &L, const Assign &A) const;
  bool isNarrow(const Leaf &L, OpId Id) const;
  OpId narrow(Leaf &L, OpId Id);
  void extendReads(Leaf &L) const;

  Kernel &K;
  SmallSetVector<BufferId, 2> Places;
  std::vector<Poly> Indices;
};

} // namespace

/// Whether \p A remembers something beside a narrower value.
bool PlaceNarrower::isPlace(const Leaf &L, const Assign &A) const {
  const Buffer &B = K.Buffers[A.Target.Buf];
  return B.IsLocal && B.Shape.empty() && B.Ty == ScalarType::I64 &&
         !is_contained(K.Root.Locals, A.Target.Buf) &&
         any_of(L.Assigns, [&](const Assign &Beside) {
           return getBitWidth(K.Buffers[Beside.Target.Buf].Ty) <= 32;
         });
}

/// Whether \p Id is a choice of indices, small constants and places.
bool PlaceNarrower::isNarrow(const Leaf &L, OpId Id) const {
  const Op &O = L.Ops[Id];
  switch (O.K) {
  case Op::Const:
    return isInt<32>(static_cast<int64_t>(O.Bits));
  case Op::Index:
    return O.Ty == ScalarType::I64 &&
           !K.anyNestedAtom(O.Idx,
                            [](const Atom &A) { return A.K == Atom::Load; });
  case Op::Load:
    return Places.contains(O.Acc.Buf);
  case Op::Inst:
    return O.Opcode == Instruction::Select && isNarrow(L, O.Args[1]) &&
           isNarrow(L, O.Args[2]);
  default:
    return false;
  }
}

/// The same in 32 bits, behind what there is.
OpId PlaceNarrower::narrow(Leaf &L, OpId Id) {
  Op O = L.Ops[Id];
  O.Ty = ScalarType::I32;
  if (O.K == Op::Const)
    O.Bits &= std::numeric_limits<uint32_t>::max();
  if (O.K == Op::Index && !is_contained(Indices, O.Idx))
    Indices.push_back(O.Idx);
  if (O.K == Op::Inst)
    for (unsigned Arm : {1, 2})
      O.Args[Arm] = narrow(L, O.Args[Arm]);
  L.Ops.push_back(std::move(O));
  return static_cast<OpId>(L.Ops.size() - 1);
}

/// What \p L reads of places is extended.
void PlaceNarrower::extendReads(Leaf &L) const {
  std::vector<Op> Ops;
  SmallVector<OpId, 16> NewId;
  for (Op &O : L.Ops) {
    for (OpId &Arg : O.Args)
      Arg = NewId[Arg];
    const bool IsRead = O.K == Op::Load && O.Ty == ScalarType::I64 &&
                        Places.contains(O.Acc.Buf);
    if (IsRead)
      O.Ty = ScalarType::I32;
    Ops.push_back(std::move(O));
    if (IsRead) {
      Op Wide;
      Wide.K = Op::Inst;
      Wide.Ty = ScalarType::I64;
      Wide.Opcode = Instruction::SExt;
      Wide.Args = {static_cast<OpId>(Ops.size() - 1)};
      Ops.push_back(std::move(Wide));
    }
    NewId.push_back(static_cast<OpId>(Ops.size() - 1));
  }
  for (Assign &A : L.Assigns)
    A.Value = NewId[A.Value];
  if (L.Predicate)
    L.Predicate = NewId[*L.Predicate];
  L.Ops = std::move(Ops);
}

bool PlaceNarrower::run() {
  forEachLeafBelow(K.Root, [&](Leaf &L) {
    for (const Assign &A : L.Assigns)
      if (isPlace(L, A))
        Places.insert(A.Target.Buf);
  });
  // Those that are indices stay what they are.
  Places.remove_if([&](BufferId B) {
    return any_of(K.Atoms, [&](const Atom &A) {
      return A.K == Atom::Load && A.Source.Buf == B;
    });
  });
  for (bool Changed = !Places.empty(); Changed;) {
    Changed = false;
    forEachLeafBelow(K.Root, [&](Leaf &L) {
      for (const Assign &A : L.Assigns)
        if (Places.contains(A.Target.Buf) && !isNarrow(L, A.Value)) {
          Places.remove(A.Target.Buf);
          Changed = true;
        }
    });
  }
  if (Places.empty())
    return false;
  forEachLeafBelow(K.Root, [&](Leaf &L) {
    for (Assign &A : L.Assigns)
      if (Places.contains(A.Target.Buf))
        A.Value = narrow(L, A.Value);
    dropUnusedOps(L);
    extendReads(L);
  });
  for (BufferId B : Places)
    K.Buffers[B].Ty = ScalarType::I32;
  for (Poly &P : Indices) {
    Need N;
    N.K = Need::InRange;
    N.P = std::move(P);
    N.Lo = std::numeric_limits<int32_t>::min();
    N.Hi = std::numeric_limits<int32_t>::max();
    if (!DLOPT_PLANTED(PlaceCutShort))
      K.Needs.push_back(std::move(N));
  }
  return true;
}

bool dlopt::narrowPlaces(Kernel &K) { return PlaceNarrower(K).run(); }
