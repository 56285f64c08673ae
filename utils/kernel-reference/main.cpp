//===- main.cpp - Interprets kernels and compares with plain C++ ----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// dl-kernel-reference NAME FILE: runs the kernels of FILE on sizes that
/// include 0, 1 and odd ones, with fmuladd rounded once and twice, and compares
/// every bit with the C++ loops of that name.
///
//===----------------------------------------------------------------------===//

#include "References.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace dlopt;

static Reference findReference(StringRef Name) {
  return StringSwitch<Reference>(Name)
      .Case("matmul-nt", checkMatmulNT)
      .Case("conv2d", checkConv2D)
      .Case("depthwise", checkDepthwise)
      .Case("avgpool", checkAvgPool)
      .Case("int8-matmul", checkInt8Matmul)
      .Case("softmax", checkSoftmax)
      .Case("online-softmax", checkOnlineSoftmax)
      .Case("layernorm", checkLayerNorm)
      .Case("attention", checkAttention)
      .Case("lstm", checkLSTM)
      .Case("argmax", checkArgMax)
      .Case("embedding", checkEmbedding)
      .Default(nullptr);
}

static int report(const Twine &Text) {
  errs() << "dl-kernel-reference: " << Text << '\n';
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return report("expected a name and a file");
  Reference Check = findReference(argv[1]);
  if (!Check)
    return report(Twine("no reference has the name ") + argv[1]);
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(argv[2]);
  if (!Text)
    return report(Text.getError().message());
  Expected<KernelList> Kernels = parseKernels((*Text)->getBuffer(), argv[2]);
  if (!Kernels)
    return report(toString(Kernels.takeError()));
  bool Ok = true;
  const int64_t Sizes[] = {0, 1, 2, 3, 5, 8};
  for (bool Fuse : {true, false})
    for (int64_t A : Sizes)
      for (int64_t B : Sizes) {
        Case C(*Kernels, Fuse);
        Check(C, A, B);
        Ok &= C.ok();
      }
  return Ok ? 0 : 1;
}
