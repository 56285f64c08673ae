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

/// Columns that are copied together: Vectors vectors of Lanes elements, or of
/// Lanes times vscale if Scalable. Masked: one vector, of which only the lanes
/// inside B exist.
struct ColumnKind {
  unsigned Vectors = 1, Lanes = 1;
  bool Masked = false;
  bool Scalable = false;
  llvm::ElementCount lanes() const {
    return llvm::ElementCount::get(Lanes, Scalable);
  }
  llvm::ElementCount width() const { return lanes() * Vectors; }
};

/// The kinds that cover any number of columns, widest first: each is used while
/// it fits (masked: while any column is left).
llvm::SmallVector<ColumnKind, 8> getColumnKinds(const ContractionPlan &P);

/// Columns of one panel of packed B.
inline llvm::ElementCount getPanelWidth(const ContractionPlan &P) {
  return llvm::ElementCount::get(P.TileVectors * P.VectorElems, P.Scalable);
}

/// A loop that runs at least once, with any number of loop-carried values.
class DoWhile {
public:
  DoWhile(llvm::IRBuilderBase &B, llvm::ArrayRef<llvm::Value *> Init,
          const llvm::Twine &Name);
  llvm::Value *operator[](unsigned I) const { return Phis[I]; }
  /// Runs the body again with \p Next if \p Again; \p B moves behind the loop.
  void close(llvm::ArrayRef<llvm::Value *> Next, llvm::Value *Again);

private:
  llvm::IRBuilderBase &B;
  llvm::BasicBlock *Body;
  llvm::SmallVector<llvm::PHINode *, 4> Phis;
};

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

/// The distance of neighbouring elements: a constant or (0) a value.
struct ElementStep {
  int64_t Constant = 1;
  llvm::Value *Elements = nullptr;
};

/// Emission of scalar and vector code for one spec and plan: what is copied,
/// and the loops over blocks.
class Emitter {
public:
  Emitter(llvm::IRBuilderBase &B, const ContractionSpec &S,
          const ContractionPlan &P)
      : Emitter(B, S, P, S.Ty) {}
  Emitter(llvm::IRBuilderBase &B, const ContractionSpec &S,
          const ContractionPlan &P, ScalarType ElemTy)
      : B(B), Spec(S), Plan(P), ElemTy(ElemTy),
        Elem(getIRType(ElemTy, B.getContext())) {}

  /// The same for addresses, loads and stores of another type.
  Emitter as(ScalarType Ty) const { return {B, Spec, Plan, Ty}; }
  Emitter forOperands() const { return as(Spec.getOperandTy()); }
  Emitter forOutput() const { return as(Spec.getOutputTy()); }
  /// What \p Factor makes of \p V, elements of A or B; \p Args as in TilesArgs.
  llvm::Value *emitFactor(const Expression &Factor, llvm::Value *V,
                          llvm::ArrayRef<llvm::Value *> Args);

  llvm::Type *getElem() const { return Elem; }
  llvm::Align getElemAlign() const {
    return llvm::Align(getSizeInBytes(ElemTy));
  }
  /// Ptr + Index elements.
  llvm::Value *at(llvm::Value *Ptr, llvm::Value *Index,
                  const llvm::Twine &Name = "") {
    return B.CreateGEP(Elem, Ptr, Index, Name);
  }
  llvm::Value *at(llvm::Value *Ptr, uint64_t Index,
                  const llvm::Twine &Name = "") {
    return Index ? at(Ptr, B.getInt64(Index), Name) : Ptr;
  }
  /// The size of \p Elements elements.
  llvm::Value *getBytes(llvm::Value *Elements) {
    return B.CreateMul(Elements, B.getInt64(getSizeInBytes(ElemTy)));
  }
  /// Ptr + Index vectors of \p Cols.
  llvm::Value *atVector(const ColumnKind &Cols, llvm::Value *Ptr,
                        unsigned Index);
  llvm::Value *getCount(llvm::ElementCount N) {
    return B.CreateElementCount(B.getInt64Ty(), N);
  }
  /// Emits \p Body, given the first column of each, for all columns of [0, N)
  /// from the widest of \p Kinds to the narrowest.
  void forEachColumns(
      llvm::ArrayRef<ColumnKind> Kinds, llvm::Value *N,
      llvm::function_ref<void(const ColumnKind &, llvm::Value *)> Body);
  /// The mask of the lanes inside [0, Count), or null for whole vectors.
  llvm::Value *getMask(const ColumnKind &Cols, llvm::Value *Count);
  /// Column \p J of B, which lies in panels: columns are adjacent in one, and a
  /// panel that starts with column j is at j * PanelStep (PanelStep is the
  /// number of rows if B is packed, 1 if it is not).
  llvm::Value *getColumn(const ColumnKind &Cols, llvm::Value *Panels,
                         llvm::Value *J, llvm::Value *PanelStep);
  /// Asks for the line of \p Ptr, which need not be memory of the program.
  void prefetch(llvm::Value *Ptr);
  /// Whether \p Rows rows, \p Ld apart, are more than what is cached, and rows
  /// of \p Elems elements no longer than a page.
  llvm::Value *isLarge(llvm::Value *Rows, llvm::Value *Ld);
  llvm::Value *isShort(llvm::Value *Elems);
  llvm::Value *load(const ColumnKind &Cols, llvm::Value *Ptr,
                    llvm::Value *Mask);
  /// The same for elements that are \p Step apart, the first at \p Ptr: reads
  /// nothing in front of the first or behind the last.
  llvm::Value *load(const ColumnKind &Cols, llvm::Value *Ptr, llvm::Value *Mask,
                    const ElementStep &Step);
  /// Index elements that are \p Step apart further on.
  llvm::Value *at(llvm::Value *Ptr, llvm::Value *Index,
                  const ElementStep &Step) {
    return at(Ptr,
              Step.Constant == 1 ? Index : B.CreateMul(Index, Step.Elements));
  }
  void store(llvm::Value *V, llvm::Value *Ptr);
  /// Emits \p Body, which moves the values of \p State on, while \p Count more
  /// fit in front of \p End from State[0] on; State[0] is counted here.
  /// Afterwards \p State is what the last round left.
  void emitWhileFits(
      llvm::SmallVectorImpl<llvm::Value *> &State, uint64_t Count,
      llvm::Value *End, const llvm::Twine &Name,
      llvm::function_ref<void(llvm::MutableArrayRef<llvm::Value *>)> Body);
  /// The same for a counter alone, from \p First on. Returns what is left over.
  llvm::Value *emitWhileFits(llvm::Value *First, uint64_t Count,
                             llvm::Value *End, const llvm::Twine &Name,
                             llvm::function_ref<void(llvm::Value *)> Body);
  /// Emits \p Then under \p Cond.
  void emitIf(llvm::Value *Cond, const llvm::Twine &Name,
              llvm::function_ref<void()> Then);
  llvm::Type *getType(const ColumnKind &Cols) const;
  llvm::Value *gather(const ColumnKind &Cols, llvm::Value *Ptr,
                      llvm::Value *Mask, const ElementStep &Step);
  llvm::Value *loadFewApart(unsigned Lanes, llvm::Value *Ptr, int64_t Step);

private:
  llvm::IRBuilderBase &B;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
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

/// What is copied: \p Rows rows, \p Ld apart, of \p Width elements, \p Step
/// apart.
struct CopiedBlock {
  llvm::Value *From, *Ld, *Rows, *Width;
  ElementStep Step;
  /// If not null: on which condition transposeBlock fetches the next rows.
  llvm::Value *IsFar = nullptr;
};

/// Asks for the columns \p Cols of the row some rows behind \p Row, of rows
/// that are \p Ld apart. Where there is none, a prefetch does nothing. \p
/// Source is for what is read.
void prefetchRowAhead(llvm::IRBuilderBase &B, Emitter &Source,
                      const ContractionPlan &Plan, const ColumnKind &Cols,
                      llvm::Value *Row, llvm::Value *Ld);

/// Copies a block to rows at \p Target that are \p Stride apart, as what
/// \p Make makes of its elements.
void copyBlock(llvm::IRBuilderBase &B, Emitter &E, const ContractionPlan &Plan,
               const CopiedBlock &Block, llvm::Value *Target,
               llvm::Value *Stride,
               llvm::function_ref<llvm::Value *(llvm::Value *)> Make);

/// Copies a block of a transposed A, whose rows are steps, in groups of as many
/// neighbours as a tile has rows, see ContractionPlan::GroupedA.
void copyGroups(llvm::IRBuilderBase &B, Emitter &E, const ContractionPlan &Plan,
                const CopiedBlock &Block, llvm::Value *Target,
                llvm::Value *Stride,
                llvm::function_ref<llvm::Value *(llvm::Value *)> Make);

/// Copies the transpose of a block: element e of row r to target(r) + e *
/// \p Stride, as what \p Make makes of it. VectorElems rows are one group, and
/// the last group is filled up: its targets must have room for that.
void transposeBlock(llvm::IRBuilderBase &B, Emitter &E,
                    const ContractionPlan &Plan, const CopiedBlock &Block,
                    llvm::Value *Stride,
                    llvm::function_ref<llvm::Value *(llvm::Value *)> Target,
                    llvm::function_ref<llvm::Value *(llvm::Value *)> Make);

/// A call of \p Tiles.
void callTiles(llvm::IRBuilderBase &B, llvm::Function &Tiles,
               const TilesArgs &T);

} // namespace dlopt::contraction

#endif // DLOPT_LOWER_CONTRACTIONEMITTER_H
