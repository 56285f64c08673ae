//===- Step.h - One line of a script ----------------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions return true, with Message set, at the first error; the kernel may
/// be half changed then (applyStep works on a copy).
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_TRANSFORM_STEP_H
#define DLOPT_TRANSFORM_STEP_H

#include "dlopt/Dependences.h"
#include "dlopt/Kernel.h"
#include "dlopt/KernelEdit.h"
#include "llvm/ADT/Twine.h"

namespace dlopt {

struct Expression;

/// Adds a need, if it is not there.
void addNeed(Kernel &K, Need N);

/// Whether the conditions of both are the same.
bool isSameDomain(const Leaf &A, const Leaf &B);

void forEachLeafNode(Node &N, llvm::function_ref<void(Leaf &)> Visit);

/// s[..] = add(s[..], mul(..)) of integers: the product.
std::optional<OpId> findProduct(const Leaf &L, BufferId Local);

class Step {
public:
  /// \p Plain: the kernel before the first step.
  Step(Kernel &K, const Kernel &Plain, llvm::StringRef Line)
      : K(K), Plain(Plain), Rest(Line.trim()) {}
  bool run();
  const std::string &getMessage() const { return Message; }

private:
  /// A node with what is around it, the root first.
  struct Place {
    llvm::SmallVector<Node *, 8> Path;
    Node &node() const { return *Path.back(); }
    Node &parent() const { return *Path[Path.size() - 2]; }
    size_t index() const;
    /// The axes around the node, without itself.
    llvm::SmallVector<const Node *, 8> around() const;
    llvm::SmallVector<const Node *, 8> axes() const;
  };

  // Script.cpp: words.
  bool fail(const llvm::Twine &Text);
  bool takeWord(llvm::StringRef &Word, llvm::StringRef What);
  bool takeOptional(llvm::StringRef Word);
  bool takeSize(int64_t &Size);
  /// The same, which may be times `vl`.
  bool takeSize(ScheduleSize &Size);
  bool requireNoWrap(const Poly &P);
  bool refuseTakenNumber(llvm::StringRef Name);
  bool takeBlocks(AxisSchedule &S);
  bool takeSizes(llvm::SmallVectorImpl<ScheduleSize> &Sizes);
  bool takeNewName(llvm::StringRef &Name);
  bool takeNames(llvm::SmallVectorImpl<llvm::StringRef> &Names);
  bool takeAccess(const Place &P, Access &X);
  bool takeConstraints(const Place &P, llvm::SmallVectorImpl<Constraint> &Cs);
  bool takePolys(llvm::ArrayRef<Node *> Path, llvm::SmallVectorImpl<Poly> &Ps);
  bool expectEnd();

  // Find.cpp: nodes.
  bool find(llvm::function_ref<bool(const Node &)> Which, Place &P);
  bool takeAxis(Place &P);
  bool findAxis(llvm::StringRef Name, Place &P);
  bool takeLocal(Place &Owner, BufferId &B);
  bool refuseBlocks(const Place &P);
  /// What is run in lanes stays as it is: what was asked about lanes past the
  /// end would have to be asked again.
  bool refuseLanes(const Place &P);
  bool refuseLoadedBounds(const Node &N);
  bool hasValue(const Poly &P);
  void addCondition(Leaf &L, Constraint C);
  bool refuseUnsafe(llvm::ArrayRef<Poly> Ps);
  bool refuseUnsafeBoundsBelow(const Node &N);
  bool runsOnce(const Node &N);
  Axis &axisOf(const Node &N) { return K.Axes[N.Ax]; }
  AxisId addAxis(Axis A);
  std::unique_ptr<Node> makeAxisNode(AxisId A);
  void substituteNeeds(AtomMap Map,
                       llvm::function_ref<bool(const Need &)> Which);

  // Ask.cpp: questions.
  bool mustNotMeet(const Dependences &D, const MemoryUse &A, const MemoryUse &B,
                   llvm::ArrayRef<Direction> Where, llvm::StringRef Why,
                   std::optional<Poly> Distance = std::nullopt);
  bool mustNotPrecede(const Dependences &D, const MemoryUse &A,
                      const MemoryUse &B, unsigned NumSame,
                      llvm::StringRef Why);
  bool requireFits(const Place &P, llvm::ArrayRef<Poly> Index, BufferId Local,
                   llvm::ArrayRef<Constraint> Domain = {});
  bool requireRounds(llvm::ArrayRef<const Node *> Around, const Node &N);
  bool requireSmall(llvm::ArrayRef<const Node *> Around, const Poly &P);
  std::string text(const Access &X) const;

  // The primitives, by Transforms.def.
#define TRANSFORM(Word, Method, Usage) bool Method();
#include "Transforms.def"

  // Align.cpp.
  bool takeBuffer(BufferId &B);
  Poly dropMultiples(const Poly &P, int64_t Of) const;
  bool requireAligned(const Access &X, llvm::ArrayRef<const Node *> Path,
                      int64_t Bytes);
  bool checkPrivate(const Place &P, BufferId B);
  bool asksOrder(llvm::ArrayRef<Node *> Chain, llvm::ArrayRef<unsigned> New,
                 unsigned Depth);
  void weakenRoles(llvm::ArrayRef<Node *> Chain, llvm::ArrayRef<unsigned> New,
                   unsigned Depth);
  bool findChain(llvm::ArrayRef<llvm::StringRef> Names,
                 llvm::SmallVectorImpl<Node *> &Chain, unsigned &Depth);
  bool asksFission(const Place &P);
  std::unique_ptr<Node> copyAround(AxisId Old, std::unique_ptr<Node> Child);
  void takeApart(const Place &P, llvm::ArrayRef<llvm::StringRef> Names);
  bool checkRow(const Place &P, llvm::StringRef Row);
  bool checkLanes(const Place &P, ScheduleSize Lanes);
  bool checkLanesOf(const Dependences &D, const Place &P, ScheduleSize Lanes);
  bool checkJunk(const Dependences &D, const Place &P, ScheduleSize Lanes);
  bool checkJunkOf(const Dependences &D, const Place &P, ScheduleSize Lanes,
                   const MemoryUse &W);
  struct Sum;
  bool takeNestOfSum(Sum &S);
  bool findSum(Sum &S);
  bool checkSum(const Sum &S);
  bool runsWithoutElements(const Node &N, AxisId Blocks);
  bool checkBuffer(const Sum &S, const Dependences &D);
  bool checkLast(const Sum &S, const Dependences &D);
  void weakenRolesAround(const Sum &S);
  void rewriteNest(Sum &S);
  void rewriteSum(Sum &S);
  // RFactor.cpp.
  struct RFactor;
  bool findRFactor(RFactor &R);
  std::unique_ptr<Node> makeLoop(llvm::StringRef Name, Role R, Poly Extent,
                                 std::unique_ptr<Node> Child);
  void addTerms(const RFactor &R, const Access &To, const Poly &At, Node &Loop);
  std::unique_ptr<Node> makeTerm(const RFactor &R, const Node &Term,
                                 const Access &To, const Poly &At);
  // Distribute.cpp.
  struct Distribution;
  std::unique_ptr<Node> makeNest(llvm::ArrayRef<Node *> Axes, Leaf L);
  bool findDistribution(Distribution &D, const Place &P, BufferId Local);
  bool findTerms(Distribution &D);
  bool checkElements(const Distribution &D, llvm::ArrayRef<const Node *> Path);
  bool checkFactor(const Distribution &D, const Place &P);
  bool requireElements(llvm::ArrayRef<const Node *> Around, const Node &N);
  bool checkLoaded(const Distribution &D, const Place &P);
  bool checkUnwritten(const Distribution &D, const Place &P,
                      llvm::function_ref<bool(const Access &)> IsRead);
  bool checkMemory(const Distribution &D, const Place &P);
  bool checkSumAlone(const Distribution &D, BufferId Local);
  // Overlap.cpp.
  bool asksOverlap(const Place &P, const ScheduleSize &Block);
  bool requireBlock(const Place &P, const ScheduleSize &Block);
  bool isOfVersion(const Place &P, const Poly &Number) const;
  bool refuseOutOfVersion(llvm::ArrayRef<Node *> Chain,
                          llvm::ArrayRef<unsigned> New);
  bool asksTwice(const Place &P);
  // Relax.cpp.
  bool checkRelaxed(const Node &Leaf, llvm::ArrayRef<const Node *> Path);
  bool relaxLeaf(const Place &P, llvm::ArrayRef<Constraint> Kept,
                 llvm::ArrayRef<Constraint> Dropped);
  const Access *findConditionalLoad(const Place &P, BufferId Buf, Place &Of);
  // Points.cpp.
  bool refuseLanesBelow(const Node &N);
  bool refuseMoreRounds(const Node &N);
  bool refuseSizesOf(const Node &N);
  struct Skew;
  bool findSkew(Skew &S);
  bool asksSkew(const Skew &S);
  bool numberPoints(llvm::ArrayRef<Node *> Chain, Poly &Number, Poly &Count);
  bool isWithout(Node &N, llvm::ArrayRef<AxisId> Ids);
  void collapseAccess(Access &X, llvm::ArrayRef<AxisId> Ids, AtomMap Map);
  struct Copy;
  bool findCopy(Copy &C);
  bool takeCopyAxes(Copy &C, llvm::StringRef Of);
  bool takePlaces(Copy &C);
  bool takeCondition(Copy &C, llvm::StringRef Text);
  bool takeOptions(Copy &C);
  // Convert.cpp
  std::optional<OpId> findConverted(const Copy &C, const Leaf &L, OpId Load,
                                    Expression &As);
  bool findConversion(Copy &C);
  void redirect(const Copy &C, Leaf &L);
  bool checkCopy(const Copy &C);
  bool isHidden(const Copy &C, const Atom &A);
  void findConditions(Copy &C);
  bool checkRounds(const Copy &C);
  bool checkKept(const Copy &C, const Dependences &D);
  void addMoves(const Copy &C, Node &To);
  bool hasOwnPlaces(const Copy &C);
  AxisId addCopyAxis(const Node &N);
  void makeCopy(Copy &C);
  // Sums.cpp.
  bool takeSum(Copy &C, llvm::StringRef Name, llvm::StringRef Text);
  bool boundSum(const Copy &C, const Poly &Sum, llvm::ArrayRef<Node *> Of,
                Axis &New);
  Poly inCopy(const Copy &C, Poly P);
  Poly inServed(const Copy &C, Poly P);
  // Fill.cpp.
  bool checkFill(const Copy &C, const Dependences &D);
  bool addsZero(const Copy &C, const Leaf &L);
  bool refuseOthers(const Copy &C, const MemoryUse &U,
                    llvm::ArrayRef<Constraint> Kept, const Dependences &D);
  bool checkFilled(const Copy &C, const Leaf &L);
  void dropFilled(const Copy &C);
  // Rounds.cpp.
  bool refuseNeedsBelow(const Node &N);
  bool refuseIndicesOfLocals(const Node &N);
  bool boundParts(const Place &P, int64_t Count, bool IsLast, Axis &Part,
                  Axis &Others);
  bool asksFuse(const Place &P, size_t Split, Role Second);

  Kernel &K;
  const Kernel &Plain;
  llvm::StringRef Rest;
  std::string Message;
};

} // namespace dlopt

#endif // DLOPT_TRANSFORM_STEP_H
