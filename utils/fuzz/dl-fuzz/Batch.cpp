//===- Batch.cpp - Reads what the generator wrote -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Batch.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace dlfuzz {

std::string Variant::text() const {
  std::string Result = Mode;
  for (const auto &[Key, Value] : Attributes)
    Result += "," + Key + "=" + Value;
  return Result;
}

namespace {

using Fields = SmallVector<StringRef, 16>;

Fields splitFields(StringRef Text, char Separator) {
  Fields Result;
  Text.split(Result, Separator, -1, /*KeepEmpty=*/false);
  return Result;
}

bool parseWord(StringRef Text, Word &W) {
  if (Text == "null") {
    W = Word();
    return true;
  }
  if (!Text.consume_front("@"))
    return !Text.getAsInteger(0, W.Value);
  auto [SlotText, Offset] = Text.split('+');
  return !SlotText.getAsInteger(10, W.Slot) && !Offset.getAsInteger(0, W.Value);
}

bool parsePlace(StringRef Text, Slot &S) {
  if (Text == "e" || Text == "b") {
    S.Place = Text == "e" ? Slot::AtEnd : Slot::AtBegin;
    return true;
  }
  if (Text.consume_front("g")) {
    S.Place = Slot::Apart;
    auto [Parts, Distance] = Text.split('x');
    return !Parts.getAsInteger(10, S.Parts) && S.Parts &&
           !Distance.getAsInteger(10, S.Skip);
  }
  S.Place = Slot::Behind;
  return Text.consume_front("m") && !Text.getAsInteger(10, S.Skip);
}

bool parseSlot(StringRef Text, Slot &S) {
  Fields Parts = splitFields(Text, ':');
  if (Parts.size() != 3)
    return false;
  if (Parts[0] == "w") {
    S.IsWords = true;
    S.Ty = dlopt::ScalarType::I64;
    for (StringRef Item : splitFields(Parts[2], ',')) {
      Word W;
      if (!parseWord(Item, W))
        return false;
      S.Words.push_back(W);
    }
    S.Bytes = 8 * S.Words.size();
    return parsePlace(Parts[1], S);
  }
  std::optional<dlopt::ScalarType> Ty = dlopt::parseScalarType(Parts[0]);
  if (!Ty || Parts[1].getAsInteger(10, S.Bytes))
    return false;
  S.Ty = *Ty;
  return parsePlace(Parts[2], S);
}

bool parseConfig(ArrayRef<StringRef> F, Batch &B) {
  if (F.size() != 3 && F.size() != 4)
    return false;
  B.Configs.push_back(
      {F[1].str(), F[2].str(), F.size() > 3 ? F[3].str() : "", {}});
  return true;
}

bool parseVariant(ArrayRef<StringRef> F, Batch &B) {
  if (F.size() < 2 || B.Configs.empty())
    return false;
  Variant V;
  V.Mode = F[1].str();
  for (StringRef Attribute : F.drop_front(2)) {
    auto [Key, Value] = Attribute.split('=');
    V.Attributes.push_back({Key.str(), Value.str()});
  }
  B.Configs.back().Variants.push_back(std::move(V));
  return true;
}

bool parseKernel(ArrayRef<StringRef> F, Batch &B) {
  if (F.size() != 5)
    return false;
  KernelInfo K;
  K.Name = F[1].str();
  K.Row = F[2].str();
  for (StringRef Rule : splitFields(F[3], ',')) {
    K.Bound |= Rule == "bound";
    K.Never |= Rule == "never";
    K.Interpret |= Rule == "interp";
    K.EqualZeros |= Rule == "zeros";
    K.Free |= Rule == "free";
  }
  for (StringRef Item : splitFields(F[4], ',')) {
    auto [Name, Kind] = Item.split(':');
    if (Kind.size() != 1 || !StringRef("piulstfd").contains(Kind[0]))
      return false;
    K.Arguments.push_back({Name.str(), Kind[0]});
  }
  B.Kernels.push_back(std::move(K));
  return true;
}

bool parseRun(ArrayRef<StringRef> F, StringRef Line, Batch &B) {
  if (F.size() < 6 || B.Kernels.empty())
    return false;
  KernelInfo &K = B.Kernels.back();
  Instance I;
  I.Text = Line.str();
  if (F[1].getAsInteger(0, I.Mask) || F[2].getAsInteger(10, I.Data) ||
      F[3].getAsInteger(10, I.Seed) || F[4].getAsInteger(10, I.Ops))
    return false;
  F = F.drop_front(5);
  for (; !F.empty() && F.front() != "--"; F = F.drop_front()) {
    Slot S;
    if (!parseSlot(F.front(), S))
      return false;
    I.Slots.push_back(std::move(S));
  }
  if (F.size() != K.Arguments.size() + 1)
    return false;
  for (auto [Text, A] : zip(F.drop_front(), K.Arguments)) {
    Word W;
    double D = 0;
    if (A.isFloat() ? Text.getAsDouble(D) : !parseWord(Text, W))
      return false;
    if (A.isFloat())
      I.Floats.push_back(D);
    else
      I.Integers.push_back(W);
    if (W.Slot >= static_cast<int>(I.Slots.size()))
      return false;
  }
  K.Instances.push_back(std::move(I));
  return true;
}

} // namespace

bool Config::isCorrect() const {
  return any_of(Variants, [](const Variant &V) {
    return is_contained(V.Attributes, std::pair<std::string, std::string>(
                                          "dl-math", "correct"));
  });
}

Expected<Batch> parseBatch(StringRef Text) {
  Batch B;
  unsigned Number = 0;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    ++Number;
    Fields F = splitFields(Line, ' ');
    if (F.empty() || F[0].starts_with("#"))
      continue;
    bool Ok = F[0] == "config"    ? parseConfig(F, B)
              : F[0] == "variant" ? parseVariant(F, B)
              : F[0] == "kernel"  ? parseKernel(F, B)
              : F[0] == "run"     ? parseRun(F, Line, B)
                                  : false;
    if (!Ok)
      return createStringError(inconvertibleErrorCode(),
                               "line " + Twine(Number) +
                                   ": not understood: " + Line.take_front(60));
  }
  if (B.Configs.size() > 64)
    return createStringError(inconvertibleErrorCode(), "over 64 configs");
  return B;
}

} // namespace dlfuzz
