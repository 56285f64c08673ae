//===- PrintBuffers.cpp - print<dl-buffers> -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Tensors.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

static void printUse(raw_ostream &OS, const ModuleBuffers &MB,
                     const ModuleBuffer::KernelUse &U) {
  const ModuleKernel &MK = MB.Kernels[U.Kernel];
  bool Reads = false, Writes = false;
  forEachLeaf(MK.RK.K->Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      Reads |= O.K == Op::Load && O.Acc.Buf == U.Id;
    for (const Assign &A : L.Assigns)
      Writes |= A.Target.Buf == U.Id;
  });
  OS << "    " << (Reads ? "reads, " : "") << (Writes ? "writes, " : "");
  if (MK.Call)
    OS << MK.Call->getCalledFunction()->getName() << " in";
  else
    OS << "kernel " << MK.RK.K->Id;
  OS << " @" << MK.F->getName();
  if (U.First)
    OS << " from element " << U.First;
  OS << '\n';
}

static void printTensor(raw_ostream &OS, const ModuleBuffers &MB,
                        const Tensor &T) {
  OS << "  " << T.Elements << " elements";
  for (const ChannelMap &M : T.Candidates)
    OS << ", " << M.Channels << " x " << M.Pixels;
  if (!T.Why.ok()) {
    OS << ": " << dlopt::getName(T.Why.R) << ": " << getText(T.Why.R);
    if (!T.Why.Detail.empty())
      OS << ": " << T.Why.Detail;
  }
  OS << '\n';
  for (const auto &U : T.Uses)
    printUse(OS, MB, U);
}

PreservedAnalyses ModuleBuffersPrinterPass::run(Module &M,
                                                ModuleAnalysisManager &AM) {
  auto &FAM = AM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  ModuleBuffers MB = findModuleBuffers(M, FAM);
  const ModuleBuffer *Last = nullptr;
  for (const Tensor &T : findTensors(MB, FAM)) {
    if (T.B != Last)
      outs() << "buffer " << T.B->getName() << ": " << T.B->Elements << " x "
             << dlopt::getName(T.B->Ty) << '\n';
    Last = T.B;
    printTensor(outs(), MB, T);
  }
  return PreservedAnalyses::all();
}
