//===- KnownCalls.h - Arrays that functions are passed ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   static void pool(const float x[64][56][56], float y[64][28][28]);
///   pool(u.t1, v.t2);
///
/// An argument of a function all of whose calls are known is another name of
/// the array that each of these passes. If they pass several, it is none.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_PASSES_LAYOUT_KNOWNCALLS_H
#define DLOPT_PASSES_LAYOUT_KNOWNCALLS_H

#include "dlopt/ModuleBuffers.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class CallBase;
} // namespace llvm

namespace dlopt {

/// A place in an object, or behind a pointer that is not known to be one.
struct ObjectPlace {
  llvm::Value *Object = nullptr;
  int64_t Bytes = 0;
  bool operator==(const ObjectPlace &O) const {
    return Object == O.Object && Bytes == O.Bytes;
  }
};

/// Which functions of a module may come to be called by what they call. (A
/// graph of all calls takes longer: it has to look at each instruction, and
/// here those are looked at that are uses of functions.)
class RecursiveFunctions {
public:
  /// Clones call no more than what they are clones of, and copies of functions
  /// that call none of themselves no others.
  bool contains(const llvm::Function &F);

private:
  void visit(const llvm::Function &F);
  void leave(const llvm::Function &F);

  /// Tarjan's algorithm, along callers: in which order functions were met, the
  /// first one that they lead to, and those whose callers are not all known.
  struct Node {
    unsigned Index = 0, First = 0;
    bool IsOpen = true;
  };
  llvm::DenseMap<const llvm::Function *, Node> Nodes;
  llvm::SmallVector<const llvm::Function *, 16> Open;
  llvm::SmallPtrSet<const llvm::Function *, 16> Recursive;
};

class KnownCalls {
public:
  KnownCalls(const llvm::DataLayout &DL, FunctionClones Clones);

  /// Nobody calls \p F any more, or its clone takes its place: what it does
  /// says nothing.
  bool isDead(const llvm::Function &F) const;
  /// Whether \p F is one of the clones.
  bool isClone(const llvm::Function &F) const { return Originals.contains(&F); }
  /// All calls of \p F, or of what it takes the place of; empty: more may call
  /// it, or it may call itself.
  llvm::ArrayRef<llvm::CallBase *> getCalls(const llvm::Function &F);
  /// The argument that \p U is seen as in the function that it is passed to, if
  /// all calls of that are known.
  llvm::Argument *getArgument(const llvm::Use &U);
  /// What \p Ptr points to.
  ObjectPlace getPlace(const llvm::Value *Ptr);
  /// Adds the objects that \p F has a name for, or may be passed by known
  /// calls.
  void addObjects(const llvm::Function &F,
                  llvm::SmallPtrSetImpl<const llvm::Value *> &Objects);
  /// Whether nothing that \p F calls can call \p Again.
  bool isAlone(const llvm::Function &F, const llvm::Function &Again,
               llvm::FunctionAnalysisManager &FAM);

private:
  const llvm::Function &getOriginal(const llvm::Function &F) const;
  llvm::Function &getBody(llvm::Function &F) const;
  bool isAlone(const llvm::Function &F, const llvm::Function &Again,
               llvm::FunctionAnalysisManager &FAM,
               llvm::SmallPtrSetImpl<const llvm::Function *> &Seen);

  const llvm::DataLayout &DL;
  FunctionClones Clones;
  llvm::DenseMap<const llvm::Function *, const llvm::Function *> Originals;
  /// By original. Vectors, whose elements stay when the map grows.
  llvm::DenseMap<const llvm::Function *, std::vector<llvm::CallBase *>> Calls;
  llvm::DenseMap<const llvm::Argument *, ObjectPlace> Places;
  RecursiveFunctions Recursive;
};

} // namespace dlopt

#endif // DLOPT_PASSES_LAYOUT_KNOWNCALLS_H
