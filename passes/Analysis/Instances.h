//===- Instances.h - What is known of instances of leaves -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_ANALYSIS_INSTANCES_H
#define DLOPT_ANALYSIS_INSTANCES_H

#include "dlopt/Dependences.h"
#include "llvm/ADT/DenseSet.h"
#include <map>
#include <set>

namespace dlopt {

class IntegerSet;

/// Constraints about one or two instances. Polynomials of the kernel are
/// translated to ones over *instance atoms*: what depends on an axis is another
/// atom in each instance, unless the axis is shared.
class Instances {
public:
  explicit Instances(const Kernel &K) : K(K) {}

  /// Both instances are in the same round of \p A.
  void share(AxisId A) { Shared.insert(A); }
  /// Instances are in round \p Round, made of parameters, of \p A: an axis that
  /// parameters multiply is a number then.
  void fix(AxisId A, Poly Round) { Fixed.insert({A, std::move(Round)}); }
  /// \p P of the kernel, in instance \p Which.
  Poly translate(const Poly &P, unsigned Which);
  /// The axes of \p Path run; nothing of what the kernel needs is known.
  void enterLoops(unsigned Which, llvm::ArrayRef<const Node *> Path);
  /// The axes of \p Path run.
  void enter(unsigned Which, llvm::ArrayRef<const Node *> Path);
  /// The same, but for the last, which is in a lane behind \p End, one of its
  /// bounds: a vector that begins in front of it reaches there.
  void enterPastEnd(unsigned Which, llvm::ArrayRef<const Node *> Path,
                    ScheduleSize Lanes, const Poly &End);
  void assume(unsigned Which, llvm::ArrayRef<Constraint> Domain);
  void requireAtLeastZero(Poly P) { Known.push_back({std::move(P), false}); }
  void requireZero(Poly P) { Known.push_back({std::move(P), true}); }
  void requireNoMultiple(const Poly &P, int64_t Of);
  /// \p A has another round in instance 1: a later one, or an earlier one.
  void separate(AxisId A, bool Later);

  /// The rounds of \p A differ by at most \p Most.
  void limitDistance(AxisId A, const Poly &Most);

  /// Names \p P of the kernel, in instance 0, as a coordinate of a point.
  void addCoordinate(const Poly &P);
  /// Products of parameters, of the kernel, in what is known.
  void collectParams(std::set<Monomial> &Params) const;
  /// Makes \p Set of what is known, with a variable for each coordinate, one
  /// for each of \p Params, and behind these all others. Returns whether that
  /// is exact: no unknown stands for a product.
  bool fill(IntegerSet &Set, const std::set<Monomial> &Params);

  /// Whether there are certainly no such instances.
  bool isEmpty() const;

private:
  bool isShared(const Poly &P) const;
  bool isMentioned(const Poly &P);
  AtomId translate(AtomId Id, unsigned Which);
  void define(const Atom &A, AtomId Own, unsigned Which);
  void enterAxes(unsigned Which, llvm::ArrayRef<const Node *> Path,
                 unsigned Count);
  void enterLastBlock(unsigned Which, ScheduleSize Lanes, const Poly &End);
  void enterAxis(unsigned Which, const Axis &A, AxisId Id, bool HasElements);
  void requireBound(const Poly &P, unsigned Which, const Poly &Other,
                    bool IsBegin);
  Poly makeUnknown();
  Poly getSize(const ScheduleSize &S);
  void addNeeds(unsigned Which, llvm::ArrayRef<const Node *> Path);
  using Variables = std::map<Monomial, unsigned>;
  static void add(IntegerSet &Set, Variables &Vars, const Constraint &C);
  std::optional<Monomial> getParams(const Monomial &Product) const;
  static bool hasSolution(llvm::ArrayRef<Constraint> Cs);
  static bool isAtLeast(llvm::ArrayRef<Constraint> Cs, AtomId Id,
                        int64_t Least);
  bool isEmptyOf(llvm::ArrayRef<Constraint> Cs) const;
  bool isEmptyTimesSizes(llvm::ArrayRef<Constraint> Cs) const;
  std::vector<Constraint> multiply(llvm::ArrayRef<Constraint> Cs) const;
  std::map<Monomial, llvm::DenseSet<AtomId>>
  findProducts(llvm::ArrayRef<Constraint> Cs) const;

  const Kernel &K;
  llvm::DenseSet<AxisId> Shared;
  std::map<AxisId, Poly> Fixed;
  /// (atom of the kernel, instance) to instance atom.
  std::map<std::pair<AtomId, unsigned>, AtomId> Own;
  /// By instance atom: the parameter of the kernel that it is, or the quotient
  /// of some, which is the same in all instances.
  std::vector<std::optional<AtomId>> ParamOf;
  std::vector<Constraint> Known;
  std::vector<AtomId> Coordinates;
  std::optional<AtomId> VL;    ///< the instance atom of `vl`, if there is one
  std::vector<bool> Mentioned; ///< by parameter
};

} // namespace dlopt

#endif // DLOPT_ANALYSIS_INSTANCES_H
