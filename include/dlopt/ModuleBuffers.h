//===- ModuleBuffers.h - Arrays and all that uses them ----------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Global variables and local arrays of a module, and every use of each: by
/// kernels, whose accesses say what the dimensions are (declared types do not),
/// by single instructions, by calls that fill all of it. Where something else
/// may see how the elements lie, the reason why they must stay so.
///
/// The question is that of whole-program data layout optimizations (Chakrabarti
/// and Chow, Structure Layout Optimizations in the Open64 Compiler, 2008): an
/// object may be laid out in another way if its address is known wherever it is
/// used.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_MODULEBUFFERS_H
#define DLOPT_MODULEBUFFERS_H

#include "dlopt/PassParams.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class MemIntrinsic;
class MemSetInst;
} // namespace llvm

namespace dlopt {

class KnownCalls;

/// Functions and what is to take their place, if anything is gained by that.
using FunctionClones = llvm::DenseMap<const llvm::Function *, llvm::Function *>;

/// A kernel of the module: a nest of loops, or a call that sets or copies as
/// many elements as there are rounds of the kernel's one loop.
struct ModuleKernel {
  llvm::Function *F = nullptr;
  RaisedKernel RK;
  llvm::MemIntrinsic *Call = nullptr; ///< then there is no nest

  /// The branch at the head of the nest, or the call.
  llvm::Instruction *getPlace() const;
  llvm::DebugLoc getLoc() const;
};

/// A global variable, an array on the stack, or a part of one that no use
/// leaves or enters, as elements of one type.
struct ModuleBuffer {
  /// What a kernel accesses as its buffer \p Id, from the element \p First on,
  /// which is in front of the part if it is negative.
  struct KernelUse {
    unsigned Kernel = 0; ///< in ModuleBuffers::Kernels
    BufferId Id = 0;
    int64_t First = 0;
  };

  llvm::Value *Object = nullptr; ///< GlobalVariable or AllocaInst
  int64_t Begin = 0;             ///< its first byte
  bool IsPart = false;           ///< there may be others in the object
  ScalarType Ty = ScalarType::F32;
  uint64_t Elements = 0;
  llvm::SmallVector<KernelUse, 4> Kernels;
  /// Loads and stores of one element outside of loops.
  llvm::SmallVector<llvm::Instruction *, 4> Accesses;
  /// Calls that set all of it to one byte that is not known.
  llvm::SmallVector<llvm::MemSetInst *, 2> Fills;
  /// What functions see it as that are passed it, and the byte from which on.
  llvm::SmallVector<std::pair<llvm::Argument *, int64_t>, 4> Arguments;
  /// All pointers into the object.
  llvm::SmallSetVector<llvm::Value *, 16> Pointers;
  /// No other pointer leads to it.
  bool IsPrivate = false;
  /// Why its elements must stay where they are.
  Verdict Why;

  std::string getName() const;
  /// What \p Ptr is computed from, and which byte of the object that is.
  std::pair<llvm::Value *, int64_t> getBase(const llvm::Value *Ptr) const;
};

struct ModuleBuffers {
  std::vector<ModuleKernel> Kernels;
  /// Those that a kernel uses, globals first, in the order of the module.
  std::vector<ModuleBuffer> Buffers;
  std::shared_ptr<KnownCalls> Calls;

  /// Whether no byte of \p A is one of \p B, both buffers of kernel \p Index.
  bool areApart(unsigned Index, BufferId A, BufferId B) const;
};

/// Whether \p F uses arrays of its own or of the module; \p Private: that other
/// modules do not see. Cheap.
bool usesArrays(const llvm::Function &F, bool Private);

/// Looks at all functions, which should be in light form. Changes nothing.
/// \p Clones: at the kernels of these alone, if there are any.
ModuleBuffers
findModuleBuffers(llvm::Module &M, llvm::FunctionAnalysisManager &FAM,
                  const FunctionClones &Clones = FunctionClones());

/// print<dl-buffers>: each buffer with its uses, or why it stays as it is.
class ModuleBuffersPrinterPass
    : public ParamPassMixin<ModuleBuffersPrinterPass, NoParams> {
public:
  using ParamPassMixin::ParamPassMixin;
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &AM);
  static bool isRequired() { return true; }
};

} // namespace dlopt

#endif // DLOPT_MODULEBUFFERS_H
