//===- Errno.h - What functions of the math library write -------*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef DLOPT_ERRNO_H
#define DLOPT_ERRNO_H

#include <optional>

namespace llvm {
class AAResults;
class FunctionCallee;
class Instruction;
class MemoryLocation;
class Module;
class TargetLibraryInfo;
class Value;
enum LibFunc : unsigned;
} // namespace llvm

namespace dlopt {

/// The function of the math library that \p I calls, if that may set errno. It
/// writes nothing else.
std::optional<llvm::LibFunc>
getErrnoFunction(const llvm::Instruction &I,
                 const llvm::TargetLibraryInfo &TLI);

/// Whether \p Loc is a member of an object, by what the source calls it: errno
/// is an object of its own, whatever other integers there are.
bool isMember(const llvm::MemoryLocation &Loc);

/// Whether \p I may write what is at \p Loc.
bool mayWrite(const llvm::Instruction &I, const llvm::MemoryLocation &Loc,
              llvm::AAResults &AA, const llvm::TargetLibraryInfo &TLI);

/// Whether \p Pointer, an argument or an object that is known, leads to no
/// errno.
bool isApartFromErrno(const llvm::Value *Pointer);

/// Whether it is known how programs of \p M find errno: Linux, Darwin, FreeBSD.
bool hasErrnoLocation(const llvm::Module &M);
/// The function of the C library that returns the address of errno.
llvm::FunctionCallee getErrnoLocation(llvm::Module &M);

} // namespace dlopt

#endif // DLOPT_ERRNO_H
