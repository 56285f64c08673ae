//===- TunedKernels.cpp - What was fastest for some kernels ---------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/TunedKernels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace dlopt {

static constexpr StringLiteral Magic = "dlopt-tuned";
static constexpr unsigned Version = 1;

/// Adds what the line says to \p E; false: nobody knows what it means.
static bool addProperty(TunedKernel &E, StringRef Name, StringRef Value) {
  if (Name == "cpu")
    E.Key.CPU = Value.str();
  else if (Name == "target")
    E.Key.Target = Value.str();
  else if (Name == "options")
    E.Options = Value.str();
  else if (Name == "step")
    E.Script += (Value + "\n").str();
  else
    // For people.
    return Name == "time";
  return !Value.empty();
}

/// \p First is the first line of a file of this kind and version.
static Error checkHeader(StringRef First, StringRef FileName) {
  unsigned Number;
  if (!First.consume_front(Magic) || !First.consume_front(" ") ||
      First.trim().getAsInteger(10, Number))
    return createStringError(FileName +
                             " is no file of tuned kernels: its first line is "
                             "not '" +
                             Magic + " " + utostr(Version) + "'");
  if (Number != Version)
    return createStringError(FileName + " has version " + utostr(Number) +
                             " of tuned kernels, this plugin reads version " +
                             utostr(Version) + ": tune again");
  return Error::success();
}

Error TunedKernels::parse(StringRef Text) {
  StringRef Line;
  std::tie(Line, Text) = Text.split('\n');
  if (Error E = checkHeader(Line.rtrim(), FileName))
    return E;
  for (unsigned Number = 2; !Text.empty(); ++Number) {
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.trim();
    if (Line.empty() || Line.starts_with("#"))
      continue;
    auto [Name, Value] = Line.split(' ');
    Value = Value.trim();
    if (Name == "kernel" && !Value.empty()) {
      Entries.emplace_back();
      Entries.back().Key.Kernel = Value.str();
      Entries.back().Line = Number;
      continue;
    }
    if (Entries.empty() || !addProperty(Entries.back(), Name, Value))
      return createStringError(
          FileName + ":" + utostr(Number) + ": expected " +
          (Entries.empty()
               ? "'kernel' and its digest"
               : "'kernel', 'cpu', 'target', 'options', 'step' or 'time', and "
                 "a value"));
  }
  return Error::success();
}

Expected<std::shared_ptr<const TunedKernels>>
TunedKernels::read(StringRef FileName) {
  auto Text = MemoryBuffer::getFile(FileName);
  if (!Text)
    return createStringError(FileName + ": " + Text.getError().message());
  auto Read = std::make_shared<TunedKernels>();
  Read->FileName = FileName.str();
  if (Error E = Read->parse((*Text)->getBuffer()))
    return std::move(E);
  return Read;
}

const TunedKernel *TunedKernels::find(const TuningKey &Key,
                                      bool HasScript) const {
  auto Found = find_if(reverse(Entries), [&](const TunedKernel &E) {
    return E.Key == Key && !(HasScript ? E.Script.empty() : E.Options.empty());
  });
  return Found == Entries.rend() ? nullptr : &*Found;
}

} // namespace dlopt
