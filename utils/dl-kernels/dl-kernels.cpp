//===- dl-kernels.cpp - Checks, prints and runs textual kernels -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Kernel.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dlopt;

static cl::OptionCategory Category("dl-kernels options");
static cl::opt<std::string> InputFile(cl::Positional, cl::desc("<file>"),
                                      cl::init("-"), cl::cat(Category));
static cl::opt<bool> CheckOnly("check",
                               cl::desc("Parse and verify, print nothing"),
                               cl::cat(Category));

/// One line on standard error, exit status 1.
static int report(Error E) {
  WithColor::error(errs(), "dl-kernels") << toString(std::move(E)) << '\n';
  return 1;
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Checks, prints and runs textual kernels\n");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFileOrSTDIN(InputFile);
  if (!Buffer)
    return report(createFileError(InputFile, Buffer.getError()));
  auto Kernels = parseKernels((*Buffer)->getBuffer(), InputFile);
  if (!Kernels)
    return report(Kernels.takeError());
  for (const std::unique_ptr<Kernel> &K : *Kernels) {
    if (Error E = verifyKernel(*K))
      return report(std::move(E));
    if (!CheckOnly)
      K->print(outs());
  }
  return 0;
}
