//===- main.cpp - Interprets kernels and compares with plain C++ ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: dl-kernel-reference NAME FILE [SCRIPT]. Runs the kernels of FILE on
/// sizes that include 0, 1 and odd ones, with fmuladd rounded once and twice,
/// and compares every bit with the C++ loops of that name. With a script the
/// kernel is what that makes of it; on sizes for which it needs more than there
/// is, it is not run.
///
//===----------------------------------------------------------------------===//

#include "References.h"
#include "dlopt/Transform.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace dlopt;

static const std::pair<StringRef, Reference> References[] = {
    {"matmul-nt", checkMatmulNT},
    {"conv2d", checkConv2D},
    {"depthwise", checkDepthwise},
    {"avgpool", checkAvgPool},
    {"int8-matmul", checkInt8Matmul},
    {"softmax", checkSoftmax},
    {"online-softmax", checkOnlineSoftmax},
    {"layernorm", checkLayerNorm},
    {"attention", checkAttention},
    {"lstm", checkLSTM},
    {"argmax", checkArgMax},
    {"embedding", checkEmbedding},
};

static Reference findReference(StringRef Name) {
  for (const auto &[Known, Check] : References)
    if (Known == Name)
      return Check;
  return nullptr;
}

static int printHelp() {
  outs() << "usage: dl-kernel-reference NAME FILE [SCRIPT]\n\n"
            "Runs the kernels of FILE and compares every bit with C++ loops.\n"
            "NAME is one of:";
  for (const auto &[Name, Check] : References)
    outs() << ' ' << Name;
  outs() << '\n';
  return 0;
}

static int report(const Twine &Text) {
  errs() << "dl-kernel-reference: " << Text << '\n';
  return 1;
}

static Error applyScriptFile(const KernelList &Kernels, StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(File);
  if (!Text)
    return createFileError(File, Text.getError());
  return applyScript(*Kernels.front(), (*Text)->getBuffer(), File);
}

int main(int argc, char **argv) {
  if (argc == 2 && StringRef(argv[1]) == "--help")
    return printHelp();
  if (argc != 3 && argc != 4)
    return report("expected a name, a file and at most a script");
  Reference Check = findReference(argv[1]);
  if (!Check)
    return report(Twine("no reference has the name ") + argv[1]);
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(argv[2]);
  if (!Text)
    return report(Text.getError().message());
  Expected<KernelList> Kernels = parseKernels((*Text)->getBuffer(), argv[2]);
  if (!Kernels)
    return report(toString(Kernels.takeError()));
  if (argc == 4)
    if (Error E = applyScriptFile(*Kernels, argv[3]))
      return report(toString(std::move(E)));
  bool Ok = true, WasRun = false;
  const int64_t Sizes[] = {0, 1, 2, 3, 5, 8};
  for (bool Fuse : {true, false})
    for (int64_t A : Sizes)
      for (int64_t B : Sizes) {
        Case C(*Kernels, Fuse, /*Guarded=*/argc == 4);
        Check(C, A, B);
        Ok &= C.ok();
        WasRun |= C.wasRun();
      }
  if (!WasRun)
    return report("there is no size for which the kernels may run");
  return Ok ? 0 : 1;
}
