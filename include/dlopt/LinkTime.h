//===- LinkTime.h - What only the link knows --------------------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Before a link-time pipeline a module calls functions that it does not
/// define: helpers in other files, or in other parts of a Rust crate, which is
/// compiled in several modules. Loops with such calls are looked at again then.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_LINKTIME_H
#define DLOPT_LINKTIME_H

namespace llvm {
class Loop;
class LoopInfo;
class Module;
class TargetLibraryInfo;
} // namespace llvm

namespace dlopt {

/// Says of \p M, until dl-mark, whether another pipeline will run at link time.
void setAwaitsLink(llvm::Module &M);
bool awaitsLink(const llvm::Module &M);
void clearAwaitsLink(llvm::Module &M);

/// Whether \p L calls what the module does not define, where the link may tell
/// what it does.
bool callsUnknown(const llvm::Loop &L, const llvm::TargetLibraryInfo &TLI);

/// Whether who compiles \p M also links it, and with the plugin: rustc.
bool isLinkedByCompiler(const llvm::Module &M);

/// Before full LTO, LLVM vectorizes and unrolls loops. Keeps it from that in
/// nests of \p LI that call what the module does not define: the link may raise
/// all of such a nest.
void deferLoops(const llvm::LoopInfo &LI, const llvm::TargetLibraryInfo &TLI);

/// At the link: loops of \p M that are deferred are like any others.
void resumeLoops(llvm::Module &M);

} // namespace dlopt

#endif // DLOPT_LINKTIME_H
