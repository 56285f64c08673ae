//===- ScheduleFrame.cpp - Stacks that not all calls need -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ScheduleFrame.h"
#include "ScheduleEmitter.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"

using namespace llvm;

namespace dlopt {

using Conditions = SmallVector<Poly, 2>;

/// The condition of the views through which \p L reads \p B; nullopt: it reads
/// it in other ways, too, or on both sides of one.
static std::optional<Poly> findViewed(const Leaf &L, BufferId B) {
  std::optional<Poly> Result;
  for (auto [Id, O] : enumerate(L.Ops)) {
    if (O.K != Op::Load || O.Acc.Buf != B)
      continue;
    for (const Op &User : L.Ops) {
      if (!is_contained(User.Args, Id))
        continue;
      bool IsFirst =
          User.K == Op::View && User.Args[0] == Id && User.Args[1] != Id;
      if (!IsFirst || (Result && *Result != User.Idx))
        return std::nullopt;
      Result = User.Idx;
    }
    if (L.Predicate == Id || any_of(L.Assigns, [&, Id = Id](const Assign &A) {
          return A.Value == Id;
        }))
      return std::nullopt;
  }
  return Result;
}

/// Whether \p P may be computed anywhere: below axes that do not run for some
/// sizes it may divide by zero.
static bool hasValue(const Kernel &K, const Poly &P) {
  return !K.anyNestedAtom(P, [](const Atom &A) {
    return A.K == Atom::FloorDiv || A.K == Atom::Mod;
  });
}

/// The conditions on sizes under which \p L touches \p B, if it does.
static std::optional<Conditions> findConditions(const Kernel &K, const Leaf &L,
                                                BufferId B) {
  if (!reads(L, B) && !assigns(L, B))
    return std::nullopt;
  Conditions Result;
  for (const Constraint &C : L.Domain)
    if (!C.IsEquality && K.isFixed(C.P) && hasValue(K, C.P))
      Result.push_back(C.P);
  if (!assigns(L, B))
    if (std::optional<Poly> Viewed = findViewed(L, B);
        Viewed && hasValue(K, *Viewed))
      Result.push_back(*Viewed);
  return Result;
}

/// Those of all leaves that touch \p B.
static Conditions findConditions(const Kernel &K, BufferId B) {
  if (isReadBySubscripts(K, B))
    return {};
  std::optional<Conditions> Common;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    std::optional<Conditions> Own = findConditions(K, L, B);
    if (!Own)
      return;
    if (!Common)
      Common = Own;
    erase_if(*Common, [&](const Poly &P) { return !is_contained(*Own, P); });
  });
  return Common.value_or(Conditions());
}

std::optional<ConditionalFrame> findFrame(const Kernel &K) {
  constexpr uint64_t LargeBytes = 4096;
  for (const Param &P : K.Params)
    for (const NumberCase &C : P.Cases)
      if (!hasValue(K, C.Value) || !all_of(C.Where, [&](const Constraint &If) {
            return hasValue(K, If.P);
          }))
        return std::nullopt;
  ConditionalFrame Frame;
  Conditions Common;
  for (auto [Id, Buf] : enumerate(K.Buffers)) {
    auto B = static_cast<BufferId>(Id);
    uint64_t Bytes = getStackBytes(K, B).value_or(0);
    if (Bytes < LargeBytes)
      continue;
    Conditions Own = findConditions(K, B);
    if (Frame.Locals.empty())
      Common = Own;
    if (!DLOPT_PLANTED(FrameUnasked))
      erase_if(Common, [&](const Poly &P) { return !is_contained(Own, P); });
    Frame.Locals.push_back({B, Frame.Bytes});
    Frame.Bytes += alignTo(Bytes, StackAlign);
  }
  if (Common.empty())
    return std::nullopt;
  Frame.If = Common.front();
  return Frame;
}

} // namespace dlopt
