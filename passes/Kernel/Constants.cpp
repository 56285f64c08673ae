//===- Constants.cpp - Scalar values as text ------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "dlopt/Compat.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

static std::string printFloat(ScalarType Ty, uint64_t Bits) {
  const fltSemantics &Semantics = getSemantics(Ty);
  APFloat F(Semantics, getLowBits(getBitWidth(Ty), Bits));
  if (F.isInfinity())
    return F.isNegative() ? "-inf" : "inf";
  if (F.bitwiseIsEqual(APFloat::getQNaN(Semantics)))
    return "nan";
  // The fewest digits that are enough; 17 are for any f64.
  for (unsigned Digits = 6; F.isFinite() && Digits <= 17; ++Digits) {
    SmallString<32> Text;
    F.toString(Text, Digits);
    APFloat Back(Semantics);
    Expected<APFloat::opStatus> Status =
        Back.convertFromString(Text, APFloat::rmNearestTiesToEven);
    if (!Status)
      consumeError(Status.takeError());
    else if (Back.bitwiseIsEqual(F))
      return Text.str().contains_insensitive("e") || Text.str().contains('.')
                 ? Text.str().str()
                 : (Text + ".0").str();
  }
  return "0x" + utohexstr(Bits);
}

std::string dlopt::printScalar(ScalarType T, uint64_t Bits) {
  if (isFloat(T))
    return printFloat(T, Bits);
  if (T == ScalarType::I1)
    return Bits & 1 ? "true" : "false";
  return toString(getLowBits(getBitWidth(T), Bits), 10, true);
}

static std::optional<uint64_t> parseFloat(ScalarType T, StringRef Text) {
  const fltSemantics &Semantics = getSemantics(T);
  bool Negative = Text.consume_front("-");
  APFloat F(Semantics);
  if (Text == "nan") {
    F = APFloat::getQNaN(Semantics);
  } else if (Text == "inf") {
    F = APFloat::getInf(Semantics);
  } else {
    // A second sign and the names of special values are not numbers here.
    if (Text.empty() || !isDigit(Text[0]))
      return std::nullopt;
    Expected<APFloat::opStatus> Status =
        F.convertFromString(Text, APFloat::rmNearestTiesToEven);
    if (!Status) {
      consumeError(Status.takeError());
      return std::nullopt;
    }
  }
  if (Negative)
    F.changeSign();
  return F.bitcastToAPInt().getZExtValue();
}

std::optional<uint64_t> dlopt::parseScalar(ScalarType T, StringRef Text) {
  bool IsHex = Text.starts_with_insensitive("0x");
  if (isFloat(T) && (!IsHex || Text.contains_insensitive("p")))
    return parseFloat(T, Text);
  if (T == ScalarType::I1 && (Text == "true" || Text == "false"))
    return Text == "true";
  bool Negative = Text.consume_front("-");
  unsigned Width = getBitWidth(T);
  uint64_t Mask = maskTrailingOnes<uint64_t>(Width);
  uint64_t Limit = Negative ? 1ULL << (Width - 1) : Mask;
  uint64_t Value = 0;
  if (IsHex ? Text.drop_front(2).getAsInteger(16, Value)
            : Text.getAsInteger(10, Value))
    return std::nullopt;
  if (Value > Limit)
    return std::nullopt;
  return (Negative ? -Value : Value) & Mask;
}
