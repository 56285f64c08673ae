//===- ScheduleAddress.cpp - Index arithmetic of schedules ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Polynomials and addresses, each part of them in front of the loops that it
/// does not change in.
///
//===----------------------------------------------------------------------===//
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace dlopt {

/// How many axes are around what \p Id depends on.
unsigned ScheduleEmitter::getDepth(AtomId Id) const {
  unsigned Result = 0;
  K.anyNestedAtom(Poly::atom(Id), [&](const Atom &A) {
    if (A.K == Atom::Axis || A.K == Atom::Size)
      Result = std::max(Result, AxisDepths[A.Ref]);
    if (A.K == Atom::Load)
      Result = Depth;
    return false;
  });
  return Result;
}

/// The terms of \p P by how many axes are around them, but for the constant.
std::map<unsigned, Poly> ScheduleEmitter::splitByDepth(const Poly &P) const {
  std::map<unsigned, Poly> Result;
  for (const auto &[Product, Factor] : P.terms()) {
    unsigned Deepest = 0;
    for (AtomId Id : Product)
      Deepest = std::max(Deepest, getDepth(Id));
    if (!Product.empty())
      Result[Deepest] += Poly::monomial(Product, Factor);
  }
  return Result;
}

bool isPlain(const Kernel &K, const Poly &P) {
  return !K.anyNestedAtom(P, [](const Atom &A) {
    return A.K == Atom::Load || A.K == Atom::FloorDiv || A.K == Atom::Mod;
  });
}

bool ScheduleEmitter::isOfLane(const Poly &P) const {
  // Elements of a row are looked at one by one, as lanes are.
  return (Lanes.Axis && K.dependsOn(P, *Lanes.Axis)) ||
         (Row && K.dependsOn(P, RowAxis));
}

/// \p Part, in which no axis is deeper than \p Of: once for all that the loops
/// inside do with it, in front of the outermost of these. Copies of code under
/// conditions would each have their own.
Value *ScheduleEmitter::getPart(const Poly &Part, unsigned Of) {
  auto Inner = find_if(Loops, [&](const LoopFrame &L) { return L.Depth > Of; });
  if (Inner == Loops.end() || !isPlain(K, Part) || isOfLane(Part))
    return ScalarContext::getPoly(Part);
  Value *&V = Inner->Values[Part];
  if (!V) {
    IRBuilderBase::InsertPointGuard Guard(B);
    B.SetInsertPoint(Inner->Preheader->getTerminator());
    V = ScalarContext::getPoly(Part);
  }
  return V;
}

/// Outer terms come first, so that sums of them move out of inner loops.
Value *ScheduleEmitter::getPoly(const Poly &P) {
  Poly Folded = Facts.fold(P);
  Value *Sum = nullptr;
  for (const auto &[Of, Part] : splitByDepth(Folded)) {
    Value *V = getPart(Part, Of);
    Sum = Sum ? B.CreateAdd(Sum, V) : V;
  }
  int64_t Constant = Folded.getConstantTerm();
  if (!Sum)
    return B.getInt64(Constant);
  return Constant ? B.CreateAdd(Sum, B.getInt64(Constant)) : Sum;
}

/// Whether copies that are made of the code inside the innermost loop access
/// rows that are some number of elements apart.
bool ScheduleEmitter::isInRowsOfCopies(const Poly &Offset) const {
  return any_of(enumerate(K.Axes), [&](const auto &A) {
    if (!A.value().Schedule.Unrolled || AxisDepths[A.index()] > Depth ||
        !Facts.Axes[A.index()].getNumber() || !K.dependsOn(Offset, A.index()))
      return false;
    std::optional<Poly> Stride = getStride(K, Offset, A.index());
    return Stride && !Facts.getNumber(*Stride);
  });
}

/// The loop whose axis has the depth \p Of, if it is not the innermost one.
ScheduleEmitter::LoopFrame *ScheduleEmitter::findOwner(unsigned Of) {
  auto *It = find_if(Loops, [&](const LoopFrame &L) { return L.Depth == Of; });
  return It == Loops.end() || It == &Loops.back() || !It->Begin ? nullptr : It;
}

/// What the innermost loop adds to, in front of it; null: all of the address
/// depends on the loop, or on the lane. \p Parts, and \p Constant, lose what
/// the pointer has.
///
/// A pointer of its own where copies access rows: each would be computed from
/// the one before it, in every round, if what they have in common was seen. So
/// would be scalable vectors that begin some elements apart: instructions add a
/// number of vectors to an address, or of elements, but not both.
Value *ScheduleEmitter::getCursor(BufferId Buf, const Poly &Offset,
                                  std::map<unsigned, Poly> &Parts,
                                  int64_t &Constant) {
  if (Loops.empty())
    return nullptr;
  LoopFrame &L = Loops.back();
  auto Inside = Parts.lower_bound(L.Depth);
  if (Inside == Parts.begin())
    return nullptr;
  Poly Outside;
  for (auto It = Parts.begin(); It != Inside; ++It)
    Outside += It->second;
  // Loops behind each other share pointers to rows, and so do elements of a row
  // that the loops do not change.
  bool IsOfVectors = Lanes.Scalable && Lanes.Current && Constant;
  LoopFrame *Owner = IsOfVectors || !isInRowsOfCopies(Offset)
                         ? nullptr
                         : findOwner(std::prev(Inside)->first);
  bool IsOwn = Owner || (Inside != Parts.end() &&
                         (IsOfVectors || isInRowsOfCopies(Offset)));
  if (!isPlain(K, Outside) || (!IsOwn && isOfLane(Outside)))
    return nullptr;
  if (IsOwn) {
    if (IsOfVectors)
      Outside += Poly(std::exchange(Constant, 0));
    SmallVector<Poly, 4> Own;
    for (auto It = Inside; It != Parts.begin();)
      Own.push_back((--It)->second);
    Parts.erase(Parts.begin(), Inside);
    return getRow(Owner, Buf, Outside, Own);
  }
  Value *&Cursor = L.Cursors[{Buf, Outside}];
  if (!Cursor) {
    IRBuilderBase::InsertPointGuard Guard(B);
    B.SetInsertPoint(L.Preheader->getTerminator());
    Cursor = getBase(Buf);
    for (auto It = Parts.begin(); It != Inside; ++It)
      Cursor = B.CreateGEP(getMemoryType(K.Buffers[Buf].Ty), Cursor,
                           getPart(It->second, It->first));
  }
  Parts.erase(Parts.begin(), Inside);
  return Cursor;
}

/// Where \p Offset is in \p Buf: a step behind another row, or what the rows
/// have in common comes first, so that no pointer for each of them is kept
/// outside of all loops. \p Parts: the deepest one first.
Value *ScheduleEmitter::createRow(ArrayRef<LoopFrame::RowCursor> Rows,
                                  BufferId Buf, const Poly &Offset,
                                  ArrayRef<Poly> Parts) {
  Type *Elem = getMemoryType(K.Buffers[Buf].Ty);
  for (const LoopFrame::RowCursor &R : Rows) {
    Poly Step = Offset - R.Offset;
    if (R.Buf == Buf && Step.terms().size() == 1 &&
        Step.terms().begin()->second == 1)
      return B.CreateGEP(Elem, R.Computed, ScalarContext::getPoly(Step));
  }
  Value *Row = getBase(Buf);
  for (const Poly &Part : Parts)
    Row = B.CreateGEP(Elem, Row, ScalarContext::getPoly(Part));
  int64_t Constant = Offset.getConstantTerm();
  return Constant ? B.CreateGEP(Elem, Row, B.getInt64(Constant)) : Row;
}

/// Code goes behind what begins a round of \p L for all loops inside of it.
void ScheduleEmitter::setInsertPointAtBegin(const LoopFrame &L) {
  if (Instruction *Before = L.BeginsBehind)
    B.SetInsertPoint(std::next(Before->getIterator()));
  else
    B.SetInsertPoint(L.Begin, L.Begin->getFirstInsertionPt());
}

/// The pointer to a row, made in front of the innermost loop or, for all loops
/// inside of it, in a round of \p Owner.
Value *ScheduleEmitter::getRow(LoopFrame *Owner, BufferId Buf,
                               const Poly &Offset, ArrayRef<Poly> Parts) {
  auto &Rows = Owner ? Owner->InnerRows : Loops.back().Rows;
  for (const LoopFrame::RowCursor &R : Rows)
    if (R.Buf == Buf && (R.Offset == Offset || DLOPT_PLANTED(RowsShareCursor)))
      return R.Used;
  IRBuilderBase::InsertPointGuard Guard(B);
  if (Owner)
    setInsertPointAtBegin(*Owner);
  else
    B.SetInsertPoint(Loops.back().Preheader->getTerminator());
  Value *Row = createRow(Rows, Buf, Offset, Parts);
  Value *Used = B.CreateLaunderInvariantGroup(Row);
  Rows.push_back({Buf, Offset, Row, Used});
  if (Owner)
    Owner->BeginsBehind = cast<Instruction>(Used);
  return Used;
}

/// A pointer for each depth, so that outer ones move out of inner loops.
Value *ScheduleEmitter::getAddress(BufferId Buf, const Poly &Offset) {
  Type *Elem = getMemoryType(K.Buffers[Buf].Ty);
  Poly Folded = Facts.fold(Offset);
  // A number of vectors, which instructions add to an address.
  std::optional<ScheduleSize> Vectors;
  for (const auto &[Product, Factor] : Folded.terms())
    if (std::optional<ScheduleSize> S =
            K.getSize(Poly::monomial(Product, Factor));
        S && S->Scalable)
      Vectors = S;
  if (Vectors)
    Folded -= K.getPoly(*Vectors);
  std::map<unsigned, Poly> Parts = splitByDepth(Folded);
  int64_t Constant = Folded.getConstantTerm();
  Value *Address = getCursor(Buf, Offset, Parts, Constant);
  if (!Address)
    Address = getBase(Buf);
  for (const auto &[Of, Part] : Parts)
    Address = B.CreateGEP(Elem, Address, getPart(Part, Of));
  if (Constant)
    Address = B.CreateGEP(Elem, Address, B.getInt64(Constant));
  if (Vectors)
    Address = B.CreateGEP(ScalableVectorType::get(Elem, LeastLanes), Address,
                          B.getInt64(Vectors->N));
  return Address;
}

} // namespace dlopt
