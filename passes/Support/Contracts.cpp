//===- Contracts.cpp - Kernels that functions are to keep -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Contracts.h"
#include "dlopt/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace dlopt {

//===----------------------------------------------------------------------===//
// Kinds
//===----------------------------------------------------------------------===//

/// All names that kernels may have, each once.
static const SmallSetVector<StringRef, 0> &getKinds() {
  static const SmallSetVector<StringRef, 0> Kinds = [] {
    constexpr StringLiteral Rows[] = {
#define DLOPT_CONTRACTION(NAME, BATCH, M, N, A, B) NAME,
#define DLOPT_KIND(NAME, SHAPE) NAME,
#include "dlopt/Kinds.def"
#define DLOPT_PROGRAM(NAME, OVER, FORMULA) NAME,
#include "dlopt/Programs.def"
    };
    SmallSetVector<StringRef, 0> Names;
    for (StringRef Row : Rows) {
      // Those in front of dots first.
      for (size_t Dot = Row.find('.'); Dot != StringRef::npos;
           Dot = Row.find('.', Dot + 1))
        Names.insert(Row.take_front(Dot));
      Names.insert(Row);
    }
    return Names;
  }();
  return Kinds;
}

static Error unknownKind(StringRef Kind) {
  const auto &Kinds = getKinds();
  StringRef Nearest = *min_element(Kinds, [&](StringRef A, StringRef B) {
    return Kind.edit_distance(A) < Kind.edit_distance(B);
  });
  // As many letters may be wrong as LLVM's own tools suppose.
  bool IsNear = Kind.edit_distance(Nearest) <= Kind.size() / 3;
  return createStringError("unknown kind '" + Kind + "'" +
                           (IsNear ? ", perhaps '" + Nearest.str() + "'" : "") +
                           "; accepted: " + AnyKind + ", " +
                           join(Kinds.begin(), Kinds.end(), ", "));
}

Expected<std::vector<std::string>> parseKinds(StringRef Text) {
  std::vector<std::string> Result;
  for (StringRef Kind : split(Text, ',')) {
    Kind = Kind.trim();
    if (Kind != AnyKind && !getKinds().contains(Kind))
      return unknownKind(Kind);
    Result.push_back(Kind.str());
  }
  return Result;
}

bool isOfKind(StringRef Kernel, StringRef Kind) {
  StringRef Name =
      Kernel.take_until([](char C) { return C == ' ' || C == ','; });
  return !Name.empty() &&
         (Kind == AnyKind || Name == Kind ||
          (Name.starts_with(Kind) && Name[Kind.size()] == '.'));
}

/// What hosts call in place of a kernel of CUDA, with its annotations: the
/// kernel is in the module of the device.
static bool isDeviceStub(const Function &F) {
  return F.getName().contains("__device_stub__");
}

void addRequired(Function &F, ArrayRef<std::string> Kinds) {
  if (isDeviceStub(F))
    return;
  SmallSetVector<StringRef, 4> All;
  StringRef Before = F.getFnAttribute(RequireAttr).getValueAsString();
  auto Add = [&](StringRef List) {
    for (StringRef Kind : split(List, ','))
      if (!Kind.trim().empty())
        All.insert(Kind.trim());
  };
  Add(Before);
  for_each(Kinds, Add);
  F.addFnAttr(RequireAttr, join(All.begin(), All.end(), ","));
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Error ContractFile::parse(StringRef Text, StringRef FileName) {
  StringRef Line;
  for (unsigned Number = 1; !Text.empty(); ++Number) {
    std::tie(Line, Text) = Text.split('\n');
    Line = Line.split('#').first.trim();
    if (Line.empty())
      continue;
    auto Fail = [&](const Twine &Message) {
      return createStringError(FileName + ":" + Twine(Number) + ": " + Message);
    };
    // Names have pairs of colons; kinds have none.
    auto [Function, List] = Line.rsplit(':');
    Function = Function.trim();
    if (Function.empty() || Function.ends_with(":") || List.trim().empty())
      return Fail("expected 'function: KIND[, KIND]'");
    auto Parsed = parseKinds(List);
    if (!Parsed)
      return Fail(toString(Parsed.takeError()));
    append_range(Kinds[Function], *Parsed);
  }
  return Error::success();
}

Expected<std::shared_ptr<const ContractFile>>
ContractFile::read(StringRef FileName) {
  auto Buffer = MemoryBuffer::getFile(FileName, /*IsText=*/true);
  if (!Buffer)
    return createStringError("contracts: " + FileName + ": " +
                             Buffer.getError().message());
  auto Result = std::make_shared<ContractFile>();
  if (Error E = Result->parse((*Buffer)->getBuffer(), FileName))
    return std::move(E);
  return Result;
}

void ContractFile::apply(Module &M) const {
  for (Function &F : M) {
    // What has been compiled before has kept its contracts then.
    Attribute Known = F.getFnAttribute(RequireAttr);
    if (F.isDeclaration() || isGenerated(F) || isProcessed(F) ||
        (Known.isValid() && Known.getValueAsString().empty()))
      continue;
    for (const std::string &Name : getSpokenNames(F.getName()))
      if (auto Found = Kinds.find(Name); Found != Kinds.end())
        addRequired(F, Found->second);
  }
}

} // namespace dlopt
