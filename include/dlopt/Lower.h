//===- Lower.h - Kernels to IR ----------------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The only code that builds loops.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_H
#define DLOPT_LOWER_H

#include "dlopt/Expression.h"
#include "dlopt/Remarks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt {

/// A counted loop under construction: Body runs for Index = 0, Step, ... while
/// Index < Trip (no iteration if Trip <= 0, signed). The test is in the header,
/// so a phi that is added to the header (incoming from Preheader and Latch) is
/// the carried value inside the body and the final value behind the loop.
struct CountedLoop {
  llvm::BasicBlock *Preheader = nullptr, *Header = nullptr, *Body = nullptr,
                   *Latch = nullptr, *Exit = nullptr;
  llvm::PHINode *Index = nullptr;
};

/// Splits the block at \p B's insertion point (which may be the end of a block
/// without terminator) and builds an empty loop there; \p B is left at the
/// start of the body, which falls through to the latch. \p Trip and \p Step
/// have the same integer type; Step > 0.
/// The loop carries metadata that keeps later loop passes from undoing it
/// (unroll, vectorize, distribute, LICM versioning) if \p Final. Dominator tree
/// and LoopInfo are not updated.
CountedLoop beginLoop(llvm::IRBuilderBase &B, llvm::Value *Trip,
                      llvm::Value *Step, const llvm::Twine &Name, bool Final);
/// The same from \p First on, while Index + Step <= Trip: what is left begins
/// at Index behind the loop.
CountedLoop beginWholeSteps(llvm::IRBuilderBase &B, llvm::Value *First,
                            llvm::Value *Trip, uint64_t Step,
                            const llvm::Twine &Name);
/// The same while Index < Trip, for a step that is a value.
CountedLoop beginSteps(llvm::IRBuilderBase &B, llvm::Value *First,
                       llvm::Value *Trip, llvm::Value *Step,
                       const llvm::Twine &Name);
/// The step of \p L, which had another constant, is \p Step, computed in its
/// body.
void setStep(CountedLoop &L, llvm::Value *Step);
/// \p Index of a loop, at the start of its body, for addresses: the same number
/// with no relation to that of the round before. Where a loop has a pointer for
/// each of many rows, loop strength reduction takes a sixth of the time that
/// the compiler has for all of the code, which is as fast without.
llvm::Value *hideSteps(llvm::IRBuilderBase &B, llvm::Value *Index);
/// Moves \p B behind the loop. \p B must be at the end of the body (in front of
/// its branch to the latch).
void endLoop(llvm::IRBuilderBase &B, CountedLoop &L);

/// Adds a phi of \p Start to the header of \p L; its value from the latch is
/// added with addIncoming(V, L.Latch) once it is known.
llvm::PHINode *addCarried(CountedLoop &L, llvm::Value *Start,
                          const llvm::Twine &Name);

/// Emits \p P as i64 (modulo 2^64) given values for the atoms, as i64. Where
/// \p Atom answers null for a div or mod, that is expanded with the same
/// callback; a null for any other atom makes the result null.
llvm::Value *
emitPoly(llvm::IRBuilderBase &B, const Kernel &K, const Poly &P,
         llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, AtomId)> Atom);

/// floor(Num / Den) or Num mod Den in [0, Den), for Den > 0.
llvm::Value *emitDivMod(llvm::IRBuilderBase &B, llvm::Value *Num,
                        llvm::Value *Den, bool IsMod);

/// The value of \p X over \p Operands, by number: scalars stand for the same
/// value in all lanes. A scalar only if no vector comes in.
llvm::Value *emitExpression(llvm::IRBuilderBase &B, const Expression &X,
                            llvm::ArrayRef<llvm::Value *> Operands);

/// Whether lowerScalar can emit \p K: everything is bound to values that can be
/// computed where it is used, and local rows have a constant size, together at
/// most \p StackBytes.
Verdict canLowerScalar(const Kernel &K, uint64_t StackBytes);

/// Emits the whole kernel as scalar loops at \p B's insertion point, in the
/// reference order; parameters and buffers come from their Bound values (those
/// inside the region are rematerialized where they are used, so behind the trip
/// tests that guard them). Returns, for each local of rank 0 owned by the root,
/// its final value. Requires canLowerScalar. Dominator tree and LoopInfo are
/// not updated.
llvm::DenseMap<BufferId, llvm::Value *> lowerScalar(llvm::IRBuilderBase &B,
                                                    const Kernel &K);

/// The same for \p Subtree alone, which shares no locals with the rest of
/// \p K.
void lowerScalar(llvm::IRBuilderBase &B, const Kernel &K, const Node &Subtree);

} // namespace dlopt

#endif // DLOPT_LOWER_H
