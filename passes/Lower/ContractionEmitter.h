//===- ContractionEmitter.h - Tiles of a contraction ------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How the generated functions of a contraction are put together:
///
///   dl.matmul.nn.f32.0         dispatch: is B so large that it must be packed?
///   dl.matmul.nn.f32.0.packed  blocks of k and n, B copied into panels
///   dl.matmul.nt.f32.0.row     one row times a transposed B
///   dl.matmul.nn.f32.0.tiles   one block of k: register tiles over m and n
///
/// Only .packed has a large frame. All are exact by themselves: a call of
/// .tiles continues the chain of every element of C over its own range of k.
///
/// Transposed operands, and those whose columns are apart, are always packed,
/// so that the tiles know nothing of it; but for a few steps between columns of
/// A, which tiles read one at a time anyway.
///
/// Addresses are computed without inbounds or nuw: what is hoisted or read
/// ahead may lie outside the arrays as long as it is not accessed.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LOWER_CONTRACTIONEMITTER_H
#define DLOPT_LOWER_CONTRACTIONEMITTER_H

#include "CacheLines.h"
#include "dlopt/Contraction.h"
#include "llvm/IR/IRBuilder.h"

namespace dlopt::contraction {

/// Columns of one panel of packed B.
inline llvm::ElementCount getPanelWidth(const ContractionPlan &P) {
  return llvm::ElementCount::get(P.TileVectors * P.VectorElems, P.Scalable);
}

/// Arguments of .tiles, in order. B lies in panels, see Emitter::getColumn.
/// Last (only with an epilogue): the chains end here. Operands: of that.
/// Diagonal: see ContractionSpec::Elements, for the first row and column here.
struct TilesArgs {
  llvm::Value *C, *Ldc, *A, *Lda, *B, *Ldb, *PanelStep, *S, *Srs, *Scs, *M, *N,
      *K, *Last = nullptr;
  llvm::SmallVector<llvm::Value *, 4> Operands = {};
  llvm::Value *Diagonal = nullptr; ///< of a triangle
  llvm::Value *StepC = nullptr;    ///< if it is an argument
  /// Of an A whose tiles take neighbours of each step, from one step to the
  /// next; Lda: from one row to the next where a tile begins.
  llvm::Value *StepA = nullptr;
  /// If tiles fetch what is copied next: its first element, and from one step
  /// of k to the next. What is behind its end need not be memory.
  llvm::Value *Next = nullptr, *NextLd = nullptr;
  /// Nothing is copied next: what is fetched is in the cache.
  void setNoNext(llvm::IRBuilderBase &Builder) {
    Next = B;
    NextLd = Builder.getInt64(0);
  }
};

/// The largest power of two that \p Bytes are a multiple of.
llvm::Value *getPowerOfTwo(llvm::IRBuilderBase &B, llvm::Value *Bytes);
/// Whether \p Rows rows, \p RowBytes apart, find sets for them in a cache of
/// \p Bytes.
llvm::Value *fitsSets(llvm::IRBuilderBase &B, llvm::Value *Rows,
                      llvm::Value *RowBytes, uint64_t Bytes);

/// \p T where A is the transposed one and is read where it lies.
TilesArgs getInPlaceA(llvm::IRBuilderBase &B, TilesArgs T);
/// Whether it is, of the whole product \p T.
llvm::Value *staysA(llvm::IRBuilderBase &B, const ContractionSpec &S,
                    const ContractionPlan &P, const TilesArgs &T);

/// Of rows no longer than that, the same lines of the next rows are fetched
/// ahead, and not lines further on in the row: prefetchers follow a stream or
/// two in a page, which may hold many rows, and lines ahead would miss the
/// first of each. Measured on Cascade Lake beyond 30 MB, matrix times vector,
/// of what reading takes: rows of 1152 bytes from 0.88 of its rate to 1.05; of
/// 4 KiB from 0.95 to 1.0; of 6 KiB from 1.04 to 0.96.
inline constexpr uint64_t PageBytes = 4096;

/// Arguments of all functions but .tiles in front of those of the epilogue.
inline constexpr unsigned NumEntryArgs = 12;

/// Adds the arguments for the operands of the epilogue.
void appendOperandTypes(const ContractionSpec &S, llvm::LLVMContext &C,
                        llvm::SmallVectorImpl<llvm::Type *> &Types,
                        llvm::SmallVectorImpl<llvm::StringRef> &Names);

/// How many of them are for \p O.
unsigned getNumArgs(const ContractionEpilogue::Operand &O);

/// Moves these arguments from the first element of C to that at (I, J).
void advanceOperands(llvm::IRBuilderBase &B, const ContractionSpec &S,
                     llvm::MutableArrayRef<llvm::Value *> Args, llvm::Value *I,
                     llvm::Value *J);

/// Addresses of elements of a contraction, and branches.
class Emitter {
public:
  Emitter(llvm::IRBuilderBase &B, const ContractionSpec &S)
      : Emitter(B, S, S.Ty) {}

  /// The same for elements of the operands, or of the output.
  Emitter forOperands() const { return {B, Spec, Spec.getOperandTy()}; }
  Emitter forOutput() const { return {B, Spec, Spec.getOutputTy()}; }

  /// Ptr + Index elements.
  llvm::Value *at(llvm::Value *Ptr, llvm::Value *Index,
                  const llvm::Twine &Name = "") {
    return B.CreateGEP(Elem, Ptr, Index, Name);
  }
  /// The size of \p Elements elements.
  llvm::Value *getBytes(llvm::Value *Elements) {
    return B.CreateMul(Elements, B.getInt64(getSizeInBytes(ElemTy)));
  }
  /// Whether \p Rows rows, \p Ld apart, are more than what is cached, and rows
  /// of \p Elems elements no longer than a page.
  llvm::Value *isLarge(llvm::Value *Rows, llvm::Value *Ld);
  llvm::Value *isShort(llvm::Value *Elems);
  /// Emits \p Then under \p Cond.
  void emitIf(llvm::Value *Cond, const llvm::Twine &Name,
              llvm::function_ref<void()> Then);

private:
  Emitter(llvm::IRBuilderBase &B, const ContractionSpec &S, ScalarType ElemTy)
      : B(B), Spec(S), ElemTy(ElemTy), Elem(getIRType(ElemTy, B.getContext())) {
  }

  llvm::IRBuilderBase &B;
  const ContractionSpec &Spec;
  ScalarType ElemTy;
  llvm::Type *Elem;
};

/// The body of .tiles, whose arguments are \p T.
void emitTiles(llvm::IRBuilderBase &B, const ContractionSpec &S,
               const ContractionPlan &P, const TilesArgs &T);

/// The body of .packed (Args: those of the whole function); \p Tiles is the
/// function that computes one block of k.
void emitPacked(llvm::Function &F, llvm::Function &Tiles,
                const ContractionSpec &S, const ContractionPlan &P);

/// Of how many columns .row computes a multiple, unless there are none but
/// single rows: it computes all of them then.
unsigned getRowLanes(const ContractionSpec &S, const ContractionPlan &P);

/// The body of .row: one row times a transposed B.
void emitRow(llvm::Function &F, const ContractionSpec &S,
             const ContractionPlan &P);

/// A call of \p Tiles.
void callTiles(llvm::IRBuilderBase &B, llvm::Function &Tiles,
               const TilesArgs &T);

} // namespace dlopt::contraction

#endif // DLOPT_LOWER_CONTRACTIONEMITTER_H
