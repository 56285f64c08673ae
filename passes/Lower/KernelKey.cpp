//===- KernelKey.cpp - What code of a kernel depends on -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/KernelKey.h"
#include "ScalarLower.h"
#include "dlopt/Raise.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace dlopt {

void giveNeutralNames(Kernel &K) {
  K.Id = 0;
  K.Function = K.Location = K.Kind = "";
  for (auto [Id, Buf] : enumerate(K.Buffers))
    Buf.Name = "b" + utostr(Id);
  for (auto [Id, P] : enumerate(K.Params))
    P.Name = "p" + utostr(Id);
  for (auto [Id, A] : enumerate(K.Axes))
    A.Name = "a" + utostr(Id);
}

std::string describeCode(LLVMContext &C, const Kernel &K,
                         ArrayRef<BufferId> Buffers, ArrayRef<ParamId> Params) {
  Kernel Own;
  copyKernel(K, Own);
  giveNeutralNames(Own);
  Own.Needs.clear();
  std::string Text;
  raw_string_ostream OS(Text);
  Own.print(OS);
  forEachLeaf(Own.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    auto Use = [&](const Value *Origin, ScalarType Ty) {
      const Type *Elem = getIRType(Ty, C);
      OS << ' ' << getElementAlign(Origin, Elem).value();
    };
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Use(O.Origin, O.Ty);
    for (const Assign &A : L.Assigns)
      Use(A.Origin, Own.Buffers[A.Target.Buf].Ty);
  });
  OS << " inputs";
  for (BufferId Id : Buffers)
    OS << " b" << Id << ' '
       << K.Buffers[Id].Bound->getType()->getPointerAddressSpace();
  for (ParamId Id : Params)
    OS << " p" << Id << (K.Params[Id].Signed ? 's' : 'u')
       << getName(K.Params[Id].Ty);
  return Text;
}

std::string getDigest(StringRef Text) {
  MD5 Hash;
  Hash.update(Text);
  MD5::MD5Result Digest;
  Hash.final(Digest);
  return Digest.digest().str().str();
}

} // namespace dlopt
