//===- Index.h - Values as polynomials -------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integer values and addresses of a nest as polynomials in its axes and in
/// loop-invariant values. No-wrap flags are trusted (a violation is poison that
/// reaches an address or a branch); where they are missing, either the ranges
/// prove that nothing wraps or an InRange need tests it.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_RAISE_INDEX_H
#define DLOPT_RAISE_INDEX_H

#include "Nest.h"
#include "dlopt/AliasScopes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Operator.h"
#include <map>

namespace dlopt {

/// A polynomial that is congruent to a value modulo 2^width and, if Exact,
/// equal to it as an integer read as signed or unsigned.
struct Linear {
  Poly P;
  bool Exact = false;
};

/// A pointer: bytes from a base that does not change in the nest.
struct PointerForm {
  llvm::Value *Base = nullptr;
  Poly Bytes;
};

/// An integer that was a number in between.
struct WholeNumber {
  llvm::Value *Of = nullptr; ///< what became the number
  bool Signed = false;       ///< how that is read
  /// It is the same from here to there: the number has all its digits, and what
  /// it becomes all its bits.
  int64_t Lo = 0, Hi = 0;
};
std::optional<WholeNumber> getWholeNumber(const llvm::Value *V);

class IndexBuilder {
public:
  explicit IndexBuilder(NestState &S) : S(S), Scopes(S.Nest) {}

  /// The value of \p V where it is used in loop \p Where (null: behind the
  /// nest), read as \p Signed. nullopt if it is no polynomial.
  std::optional<Linear> build(llvm::Value *V, bool Signed,
                              const llvm::Loop *Where);
  /// The same, equal as an integer: adds needs where that is not proved.
  std::optional<Poly> buildExact(llvm::Value *V, bool Signed,
                                 const llvm::Loop *Where);
  std::optional<PointerForm> buildPointer(llvm::Value *V,
                                          const llvm::Loop *Where);
  /// Element access of type \p Ty through \p Ptr.
  std::optional<Access> buildAccess(llvm::Value *Ptr, llvm::Type *Ty,
                                    const llvm::Loop *Where);
  /// That of elements of \p Ty behind the pointer \p Base.
  BufferId getBuffer(llvm::Value *Base, ScalarType Ty);
  /// Another one, whatever buffers there are.
  BufferId addBuffer(llvm::Value *Base, ScalarType Ty);
  /// Conjunction that is equivalent to \p Cond (or its negation) wherever the
  /// axes around \p Where run; nullopt if there is none.
  std::optional<llvm::SmallVector<Constraint, 2>>
  buildConstraints(llvm::Value *Cond, bool Negate, const llvm::Loop *Where);

  /// Adds needs under which \p Cond is nowhere true (or false, if \p Negate)
  /// where the axes around \p Where run. False if there are none.
  bool requireNever(llvm::Value *Cond, bool Negate, const llvm::Loop *Where);
  // Counters.cpp
  bool requireRound(const llvm::Loop &L);
  bool requireCounted(llvm::Value *Cond, bool Negate, const llvm::Loop *Where);

  /// The integer that \p V, which was a number in between, is under needs that
  /// are added; null if there are none.
  llvm::Value *getWhole(llvm::Value *V, const llvm::Loop *Where);

  /// Recognizes the test of \p L (its control is known, its axis exists) and
  /// sets the axis' extent.
  bool setExtent(llvm::Loop &L, llvm::Value *Cond, bool ContinueIfTrue);

  /// The same, with pointers that move with the loops around \p L as bases of
  /// their own: only how far apart they are matters.
  bool setExtentAlone(llvm::Loop &L, llvm::Value *Cond, bool ContinueIfTrue);

  /// Fails with the reason why the load or store \p I has no access.
  bool failAccess(llvm::Instruction *I);
  /// True if the header phi has a closed form.
  bool isIndexPhi(llvm::PHINode *P);
  /// Whether nothing in the nest changes what \p L reads; then the load that
  /// stands for all loads of the same place, and how many axes enclose it.
  struct InvariantLoad {
    llvm::LoadInst *Representative = nullptr;
    unsigned Depth = 0;
  };
  std::optional<InvariantLoad> getInvariantLoad(llvm::LoadInst *L);
  /// Those whose places the nest must not write, see RaiseContext::ReadsAhead;
  /// also of readings of values that were dropped.
  llvm::ArrayRef<llvm::LoadInst *> readAhead() const {
    return ReadAhead.getArrayRef();
  }
  /// Indices that no store through the same pointer may change; also of
  /// readings of values that were dropped.
  llvm::ArrayRef<llvm::LoadInst *> apartIfTested() const {
    return ApartIfTested.getArrayRef();
  }
  /// Whether calls of the nest set what \p L, which is one of these, reads, if
  /// that is errno.
  bool isErrnoIfTested(const llvm::LoadInst *L) const {
    return ErrnoIfTested.contains(L);
  }
  /// Whether calls of the nest set what \p L reads, as far as is known.
  bool mayBeErrno(const llvm::LoadInst &L) const;
  /// Whether there would be any.
  bool wouldReadAhead() const { return WouldReadAhead; }
  /// Whether an array is accessed from a place that is computed in front.
  bool hasParts() const { return HasParts; }
  /// A value that is computed in the nest from what does not change there, by
  /// operations without effects, and how many axes enclose it.
  std::optional<unsigned> getInvariantDepth(llvm::Value *V);

  /// The value of \p V behind the nest, as a polynomial.
  std::optional<Linear> buildLiveOut(llvm::Value *V);
  /// Phis without a closed form are tried again: extents are known now.
  void forgetFailures();
  /// So are all others: what rounds of loops are is not what it was.
  void forgetForms() { Phis.clear(); }

  /// Whether anything was too large to be a polynomial.
  bool isOverBudget() const { return OverBudget; }

  /// Runs \p Try; if it answers false, needs and parameters are as before.
  bool tentatively(llvm::function_ref<bool()> Try);

private:
  std::optional<Linear> buildInst(llvm::Instruction *I, bool Signed,
                                  const llvm::Loop *Where);
  std::optional<Linear> buildBinary(llvm::BinaryOperator *B, bool Signed,
                                    const llvm::Loop *Where);
  std::optional<Linear> buildDivision(llvm::BinaryOperator *B, bool Signed,
                                      const llvm::Loop *Where);
  std::optional<Linear> buildChunk(llvm::Instruction *Row);
  std::optional<Linear> buildSelect(llvm::SelectInst *I, bool Signed,
                                    const llvm::Loop *Where);
  std::optional<Linear> buildXor(llvm::BinaryOperator *B, bool Signed,
                                 const llvm::Loop *Where);
  std::optional<Linear> buildFlipped(llvm::Value *Byte,
                                     const llvm::Loop *Where);
  std::optional<Linear> buildNarrowed(llvm::BinaryOperator *B, bool Signed,
                                      const llvm::Loop *Where);
  std::optional<Linear> buildQuotient(llvm::BinaryOperator *B, bool Signed,
                                      const llvm::Loop *Where);
  std::optional<Linear> buildWhole(llvm::CastInst *C, bool Signed,
                                   const llvm::Loop *Where);
  bool requireWhole(llvm::Value *V, bool Signed, int64_t Lo, int64_t Hi,
                    const llvm::Loop *Where);
  std::optional<Linear> buildExtension(llvm::CastInst *C, bool Signed,
                                       const llvm::Loop *Where);
  std::optional<Linear> buildLoad(llvm::LoadInst *L, bool Signed,
                                  const llvm::Loop *Where);
  llvm::LoadInst *findEarlierLoad(const llvm::LoadInst &L);
  Poly buildRemainder(Poly P);
  std::optional<Linear> buildParam(llvm::Value *V, bool Signed, unsigned Depth,
                                   const llvm::Loop *Where);
  std::optional<PointerForm> buildPointerInst(llvm::Value *V,
                                              const llvm::Loop *Where);
  std::optional<Poly> buildOffset(const llvm::GEPOperator &G,
                                  const llvm::Loop *Where);
  std::optional<Poly> require(const Linear &L, unsigned Bits, bool Signed,
                              const llvm::Loop *Where);
  llvm::SmallVector<Constraint, 2> requireBefore(const Poly &A, const Poly &B);
  std::optional<Poly> getRounds(const Poly &Difference) const;
  std::optional<llvm::SmallVector<Constraint, 2>>
  buildCompare(llvm::CmpInst::Predicate Pred, llvm::Value *Left,
               llvm::Value *Right, const llvm::Loop *Where);
  std::optional<llvm::SmallVector<Constraint, 2>>
  buildNonZero(llvm::ArrayRef<llvm::Value *> Numbers, const llvm::Loop *Where);
  bool requireFromZero(llvm::Value *V, const Poly &P);
  bool requireNonNegative(const Poly &P, llvm::ArrayRef<AxisId> Axes);
  bool requireNonNegative(llvm::Value *V, const llvm::Loop *Where);
  std::optional<Linear> buildPhi(llvm::PHINode *P, bool Signed,
                                 const llvm::Loop *Where);
  bool mayLeave(llvm::Value *V, const llvm::Loop *From, const llvm::Loop *To);
  /// The value of \p P, a value in \p From, behind that loop.
  std::optional<Poly> leaveLoop(Poly P, const llvm::Loop *From,
                                const llvm::Loop *To);
  /// Number of rounds in which \p C holds, from the first on.
  struct Comparison {
    llvm::CmpInst::Predicate Pred;
    llvm::Value *A, *B;
    llvm::ICmpInst *Origin;
  };
  std::optional<Poly> countRounds(llvm::Loop &L, const Comparison &C);
  std::optional<Poly> countRoundsAsIs(llvm::Loop &L, const Comparison &C);
  // MetEnds.cpp
  std::optional<Poly> countRoundsToEnd(Poly Way, Poly Step, unsigned Bits,
                                       const llvm::Loop *Parent);
  std::optional<Poly> countRows(Poly Way, Poly Step, unsigned Bits);
  std::optional<Poly> countSteps(const Poly &Way, int64_t Step, unsigned Bits,
                                 const llvm::Loop *Parent);
  bool addExtent(llvm::Loop &L, Poly Rounds);
  Poly withoutClamp(Poly Rounds);
  bool isNotNegative(llvm::Loop &L, llvm::Value *Bound);
  bool setExtentAndConditions(llvm::Loop &L, llvm::ICmpInst *C,
                              bool ContinueIfTrue);
  bool setRounds(llvm::Loop &L, llvm::PHINode *Phi, bool Signed,
                 llvm::ArrayRef<Poly> Starts, llvm::ArrayRef<Poly> Ends);
  bool requireOne(llvm::Value *Step, const llvm::Loop *Where,
                  llvm::SmallVectorImpl<AtomId> &Ones);
  friend class BoundFinder;
  bool setExtentToDistance(llvm::Loop &L, llvm::PHINode *Phi,
                           llvm::CmpInst::Predicate Pred, llvm::Value *Bound);
  bool setExtentToMin(llvm::Loop &L, llvm::ICmpInst *C, bool ContinueIfTrue);
  bool buildSides(llvm::Value *Left, llvm::Value *Right, bool Signed,
                  const llvm::Loop *Where, Linear &A, Linear &B);
  std::optional<Poly> divideStrides(const Poly &Bytes, int64_t Size,
                                    const llvm::Value *Base);
  /// The pointer with byte strides from outside the nest seen through.
  std::optional<PointerForm> buildExpanded(llvm::Value *Ptr,
                                           const llvm::Loop *Where);

  /// Closed form of a header phi; found on demand.
  struct PhiForm {
    enum { InProgress, Closed, None } State = InProgress;
    unsigned Serial = 0;         ///< in the order of first questions
    llvm::Value *Base = nullptr; ///< pointers only
    Linear Signed, Unsigned;     ///< by reading; pointers: bytes in Signed
    std::vector<Need> Needs;     ///< what the form holds under
  };
  PhiForm &solvePhi(llvm::PHINode *P);
  Poly cancelProducts(Poly P);
  bool mayLookAtMore();
  std::optional<Poly> within(std::optional<Poly> P);
  std::optional<Poly> delay(const Poly &Next, const Poly &First,
                            const llvm::Loop *L, const LoopControl &C);
  AtomId getUnread(llvm::Value *V);
  /// Whether \p P is made of what is no polynomial.
  bool hasPlaceholder(const Poly &P) const {
    return P.anyAtom([&](AtomId A) { return isPlaceholder(A); });
  }
  bool closePhi(llvm::PHINode *P, bool Signed, PhiForm &F);
  /// A test that a counter wraps: IfTrue or if not.
  struct Carry {
    Poly Modulus;
    bool IfTrue = false, OfItself = false;
  };
  /// What a phi becomes in rounds of all kinds.
  struct Odometer {
    struct Rounds {
      Poly Count;
      Linear Becomes;
    };
    llvm::Value *Base = nullptr; ///< pointers only
    Linear Start;
    llvm::SmallVector<Rounds, 4> Kinds;
    /// Where it starts again each time that a counter, itself if IsCounter, has
    /// been Tested so often, and otherwise Moves then.
    std::optional<Poly> Modulus;
    Poly Tested;
    Linear Moves;
    bool IsCounter = false;
  };
  bool closeOdometer(llvm::PHINode *P, bool Signed, PhiForm &F);
  bool addRounds(llvm::PHINode *P, bool Signed, const Poly &Count, Odometer &F);
  std::optional<Carry> matchCarry(llvm::Value *Cond, llvm::PHINode *P,
                                  const Poly &Count, const llvm::Loop *L);
  std::optional<Poly> getStep(llvm::PHINode *P, bool Signed, const Poly &To);
  std::optional<Linear> closeMoving(llvm::PHINode *P, bool Signed,
                                    const Odometer &O);
  std::optional<Linear> closeRestarting(llvm::PHINode *P, bool Signed,
                                        const Odometer &O);
  std::optional<bool> decide(llvm::Value *Cond);
  std::optional<bool> decideEquality(llvm::Value *Cond);
  llvm::Value *findDecided(llvm::Instruction *V);
  llvm::Value *findIncoming(llvm::PHINode *P, const llvm::Loop &L,
                            llvm::BasicBlock *From, llvm::BasicBlock *At,
                            unsigned Most);
  bool dependsOnLoops(const Poly &P, const llvm::Loop *L) const;
  bool isPlaceholder(AtomId A) const { return A >= FirstPlaceholder; }
  bool mayBeWritten(const llvm::LoadInst *L);
  bool isApartIfTested(llvm::LoadInst *L);
  bool mayReadAhead(const llvm::LoadInst *L);
  unsigned countLoadsBehind(const llvm::Value *V);
  bool isReadableAhead(const llvm::LoadInst &L);
  std::optional<InvariantLoad> findInvariantLoad(llvm::LoadInst *L);

  NestState &S;
  const RoundScopes Scopes;
  static constexpr AtomId FirstPlaceholder = 1u << 30;
  AtomId NextPlaceholder = FirstPlaceholder;
  std::map<llvm::PHINode *, PhiForm> Phis;
  /// What stands for phis that are being solved, by reading.
  std::map<std::pair<llvm::PHINode *, bool>, AtomId> Unknowns;
  /// What stands for values of the nest that are no polynomials, as the
  /// greatest of two numbers: in polynomials where it cancels in the end.
  llvm::SmallDenseMap<llvm::Value *, AtomId, 4> Unread;
  llvm::DenseMap<const llvm::LoadInst *, bool> Written;
  llvm::DenseMap<const llvm::LoadInst *, std::optional<InvariantLoad>>
      InvariantLoads;
  llvm::DenseMap<const llvm::Instruction *, unsigned> LoadsBehind;
  llvm::SmallSetVector<llvm::LoadInst *, 4> ReadAhead;
  llvm::SmallSetVector<llvm::LoadInst *, 4> ApartIfTested;
  llvm::SmallPtrSet<const llvm::LoadInst *, 4> ErrnoIfTested;
  bool WouldReadAhead = false;
  bool HasParts = false;
  /// Depth of expressions that are looked through.
  static constexpr unsigned MaxRecursion = 64;
  unsigned NextSerial = 0, Recursion = 0;
  /// Values looked at for one question, and for the nest.
  unsigned Work = 0, AllWork = 0;
  bool OverBudget = false;
  /// See through multiplications outside the nest, too.
  bool ExpandOutside = false, ExpandProducts = false;
  /// The kind of rounds of a loop that is looked at, by what tests say, and a
  /// test that would have to say something, too.
  llvm::SmallVectorImpl<std::pair<llvm::Value *, bool>> *Decided = nullptr;
  const llvm::Loop *DecidedIn = nullptr;
  llvm::Value *Undecided = nullptr;
  /// Pointer phis of the loops around this one are bases.
  const llvm::Loop *Alone = nullptr;
  /// Comparisons may add needs that their sides do not wrap.
  bool RequireSides = false;
  /// Bounds the time: what is used twice is looked at twice.
  static constexpr unsigned MaxWork = 4000, MaxAllWork = 200000;
};

} // namespace dlopt

#endif // DLOPT_RAISE_INDEX_H
