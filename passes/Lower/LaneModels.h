//===- LaneModels.h - Lanes with the bits of the C library ------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of the library in the lanes of vectors, for whoever makes lanes:
///
/// y[i] = expf(x[i]):
///
///   number = what dl.has.exp() has found ; in front of all loops
///   y, ask = arithmetic on all lanes     ; MathModels.h, of the model of that
///                                        ; number, if there are several
///   if (any of ask)                      ; one vector in some twenty
///     for each lane of ask: y = expf(x)  ; in order, as errno may be set
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LOWER_LANEMODELS_H
#define DLOPT_PASSES_LOWER_LANEMODELS_H

#include "BodyLower.h"
#include "dlopt/VectorMath.h"

namespace dlopt {

struct MathModel;

class LaneModels {
public:
  /// The functions of \p C's kernel as \p Plan says.
  LaneModels(ScalarContext &C, const MathPlan &Plan)
      : C(C), B(C.B), Plan(Plan) {}

  /// Reads what guards have found out about the library, at the insertion
  /// point, which all that is computed later is behind.
  void readNumbers();
  /// \p O of all lanes of \p X by arithmetic, but for few of them. Only lanes
  /// of \p Mask, null: all, call or matter.
  llvm::Value *compute(const Op &O, const MathModel &Model,
                       llvm::ArrayRef<llvm::Value *> X, llvm::Value *Mask);
  /// \p O, which is a square root, of all lanes of \p X. Where one of \p Mask
  /// is negative, the library is called for each.
  llvm::Value *getRoots(const Op &O, llvm::Value *X, llvm::Value *Mask);

  /// From here on, \p Lanes lanes call \p Functions, which set errno to
  /// different values: all lanes one of them, then all lanes the next one.
  void beginCalls(llvm::ArrayRef<const Op *> Functions,
                  llvm::ElementCount Lanes);
  /// Lanes of \p Mask, null: all, have called \p O, if that is one of these.
  void addCalls(const Op &O, llvm::ArrayRef<llvm::Value *> X,
                llvm::Value *Mask);
  /// If several of them were called by some lanes, these lanes call them once
  /// more, each lane all of them, so that errno is what the last one sets.
  void endCalls();

private:
  using SharedBody = llvm::function_ref<llvm::Value *(
      LaneModels &, llvm::ArrayRef<llvm::Value *>)>;
  llvm::AllocaInst *getCallSlot(llvm::Type *Ty, unsigned Number,
                                const llvm::Twine &Name);
  llvm::Value *callIn(const Op &O, llvm::ArrayRef<llvm::Value *> X,
                      llvm::Value *Result, llvm::Value *All);
  llvm::Value *callIf(llvm::Value *Condition, llvm::Value *Result,
                      const llvm::Twine &Name,
                      llvm::function_ref<llvm::Value *()> Call);
  llvm::ArrayRef<MathModel> getModels(MathFunction Of) const;
  llvm::Value *computeBy(const MathModel &Model, const Op &O,
                         llvm::ArrayRef<llvm::Value *> X, llvm::Value *Mask);
  // SharedModels.cpp
  llvm::Value *computeShared(const MathModel &Model, const Op &O,
                             llvm::ArrayRef<llvm::Value *> X,
                             llvm::Value *Mask);
  llvm::Value *callShared(const Op &O, llvm::ArrayRef<llvm::Value *> X,
                          llvm::Value *Result, llvm::Value *Left);
  llvm::Value *share(const llvm::Twine &Name, const llvm::Twine &Key,
                     const Op &O, llvm::ArrayRef<llvm::Value *> Args,
                     bool IsHot, SharedBody Emit);
  llvm::Value *callRoots(const Op &O, llvm::Value *X);
  void keepCalls(const Op &O, llvm::ArrayRef<llvm::Value *> X,
                 llvm::Value *Left);
  void repeatCalls(llvm::Value *All, llvm::ArrayRef<llvm::Value *> Left);

  ScalarContext &C;
  llvm::IRBuilderBase &B;
  const MathPlan &Plan;
  /// Memory for what the library is asked, by type and argument.
  llvm::DenseMap<std::pair<llvm::Type *, unsigned>, llvm::AllocaInst *>
      CallSlots;
  llvm::DenseMap<unsigned, llvm::Value *> ModelNumbers; ///< by function
  /// A function that keeps its place among others: lanes that have called it,
  /// and with what.
  struct OrderedCall {
    const Op *Function;
    llvm::AllocaInst *Left;
    llvm::SmallVector<llvm::AllocaInst *, 2> Args = {};
  };
  llvm::SmallVector<OrderedCall, 4> Ordered;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LOWER_LANEMODELS_H
