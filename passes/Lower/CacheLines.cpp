//===- CacheLines.cpp - What caches read at once --------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "CacheLines.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

void dlopt::prefetchLines(IRBuilderBase &B, Value *Address, uint64_t Bytes,
                          bool ForWrite, unsigned Locality) {
  for (uint64_t At = 0; At < Bytes; At += CacheLineBytes) {
    Value *Line =
        At ? B.CreateConstGEP1_64(B.getInt8Ty(), Address, At) : Address;
    B.CreateIntrinsic(Intrinsic::prefetch, {Line->getType()},
                      {Line, B.getInt32(ForWrite), B.getInt32(Locality),
                       /*Data*/ B.getInt32(1)});
  }
}

void dlopt::prefetchNextLine(IRBuilderBase &B, Value *Address, bool ForWrite) {
  prefetchLines(B, B.CreateConstGEP1_64(B.getInt8Ty(), Address, CacheLineBytes),
                CacheLineBytes, ForWrite);
}
