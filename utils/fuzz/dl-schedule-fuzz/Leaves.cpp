//===- Leaves.cpp - Random leaves -----------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What LLVM leaves open is not drawn: the sign of a NaN (copysign of numbers),
/// zeros of minnum, numbers that fptosi cannot convert, shifts by too much,
/// products of constants that may be fused.
///
//===----------------------------------------------------------------------===//
#include "Trees.h"
#include "llvm/ADT/ArrayRef.h"

using namespace llvm;
using namespace dlopt;

LeafMaker::LeafMaker(Random &R, bool Calls) : R(R), Calls(Calls) {
  Float = pick({"f32", "f32", "f32", "f32", "f64", "f64", "f16", "bf16"});
  Other = Float == "f32" ? pick({"f64", "f16", "bf16"}) : "f32";
  Integer = pick({"i32", "i32", "i32", "i64", "i16", "i8"});
  OtherInteger = Integer == "i32" ? pick({"i64", "i16", "i8"}) : "i32";
}

std::string LeafMaker::getType(char Type) const {
  return Type == 'f' ? Float : Type == 'i' ? Integer : "i1";
}

std::string LeafMaker::getBuffers() const {
  return "%x:" + Float + " %y:" + Float + " %u:" + Float + " %z:" + Integer +
         " %v:" + Integer + " %c:" + Other + " %w:" + OtherInteger +
         " %I:i32 %b:i8 %t:i1";
}

std::string LeafMaker::makeIndex(TreeScope &S) {
  std::vector<std::string> Used;
  for (const std::string &A : S.Axes)
    if (R.percent(A == S.Lane ? 90 : 55))
      Used.push_back(A);
  std::string Text;
  for (const std::string &A : Used) {
    std::string Term = A;
    if (R.percent(20))
      Term = pick({"2*", "3*", "%S*", "4*", "5*"}) + A;
    Text += (Text.empty() ? "" : R.percent(6) ? " - " : " + ") + Term;
  }
  if (Text.empty() || R.percent(40))
    Text += (Text.empty() ? "" : " + ") + std::to_string(R.below(20));
  switch (R.below(30)) {
  case 0:
    return "mod(" + Text + ", " + std::to_string(1 + R.below(9)) + ")";
  case 1:
    return "floordiv(" + Text + ", " + std::to_string(1 + R.below(4)) + ")";
  case 2:
    return "mod(" + Text + ", %N + 1)";
  case 3:
    return "floordiv(" + Text + ", %N + 2)";
  case 4:
    return "%I[" + Text + "]";
  case 5:
    return "%I[" + Text + "] + " + (S.Axes.empty() ? "1" : S.Axes.back());
  case 6:
    return "zext(%b[mod(" + Text + ", 3)])*0 + " + Text;
  case 7:
    return Text + " + %P";
  case 8:
    if (!S.Sizes.empty())
      return Text + " + " + R.pick(ArrayRef(S.Sizes)) + " - 1";
    return Text;
  default:
    return Text;
  }
}

std::string LeafMaker::makeAccess(TreeScope &S,
                                  std::initializer_list<const char *> Of) {
  std::string Name = pick(Of), Aligned;
  if (R.percent(7))
    Aligned = pick({" aligned 16", " aligned 16", " aligned 8", " aligned 4"});
  if (R.percent(75))
    return Name + "[" + makeIndex(S) + "]" + Aligned;
  return Name + "[" + makeIndex(S) + "," + makeIndex(S) + "]" +
         pick({"(%N,1)", "(8,1)", "(%S,1)", "(1,9)", "(%N,-1)", "(16,%S)"}) +
         Aligned;
}

/// A view of two elements, one of an array on the stack if there is any. Most
/// places that are loaded are none of a view.
std::string LeafMaker::makeView(TreeScope &S, char Type,
                                std::initializer_list<const char *> Of) {
  // Of the sides of a view nobody says where they are.
  auto Draw = [&] {
    std::string X = makeAccess(S, Of);
    return X.substr(0, X.find(" aligned"));
  };
  std::string First = Draw(), Second = Draw();
  for (const TreeScope::Rows &X : S.Arrays)
    if (X.Type == Type && R.percent(70))
      First = makePlace(S, X, false);
  if (R.percent(20))
    std::swap(First, Second);
  return "view(" + First + ", " + Second + ", " +
         pick({"%P >= 1", "%N*%M >= 9", "%N <= 4", "%P <= 20"}) + ")";
}

/// Lanes of one of the vectors, and at times something else.
std::string LeafMaker::makeScalableColumn(TreeScope &S,
                                          const TreeScope::Rows &Of) {
  std::string At = S.Lane.empty() || R.percent(8) ? "" : S.Lane;
  if (unsigned Vector = R.below(static_cast<unsigned>(Of.NumColumns)))
    if (R.percent(40))
      At += (At.empty() ? "" : " + ") + std::to_string(Vector) + "vl";
  if (R.percent(5))
    At += (At.empty() ? "" : " + ") + std::to_string(R.below(4));
  return At.empty() ? "0" : At;
}

/// Of registers copies, lanes and numbers alone.
std::string LeafMaker::makePlace(TreeScope &S, const TreeScope::Rows &Of,
                                 bool IsRegister) {
  const std::vector<std::string> &Known = IsRegister ? S.Copies : S.Axes;
  auto Draw = [&](int Extent, bool MayBeLane) -> std::string {
    std::string At = std::to_string(R.below(static_cast<unsigned>(Extent)));
    if (MayBeLane && !S.Lane.empty() && R.percent(85))
      At = R.percent(85)
               ? S.Lane
               : pick({"2*", "mod(1 + ", "1 + ", "3 - ", ""}) + S.Lane;
    else if (!Known.empty() && R.percent(70))
      At = R.pick(ArrayRef(Known));
    else
      return At;
    if (At.substr(0, 4) == "mod(")
      return At + ", " + std::to_string(Extent) + ")";
    if (R.percent(25))
      return "mod(" + At + ", " + std::to_string(Extent) + ")";
    return R.percent(8) ? At + " + 1" : At;
  };
  std::string Row = Draw(Of.NumRows, R.percent(7));
  if (Of.Scalable)
    return Of.Name + "[" + Row + "," + makeScalableColumn(S, Of) + "]";
  return Of.Name + "[" + Row + "," + Draw(Of.NumColumns, true) + "]";
}

/// A local of that type, or nothing.
std::string LeafMaker::findLocal(TreeScope &S, char Type) {
  std::vector<std::string> Found;
  for (const auto &X : S.Registers)
    if (X.Type == Type)
      Found.push_back(makePlace(S, X, true));
  for (const auto &X : S.Arrays)
    if (X.Type == Type)
      Found.push_back(makePlace(S, X, false));
  for (const auto &[Name, Of] : S.Scalars)
    if (Of == Type)
      Found.push_back(Name);
  return Found.empty() ? "" : R.pick(ArrayRef(Found));
}

std::string LeafMaker::makeFloat(TreeScope &S, unsigned Depth) {
  if (Depth && R.percent(60))
    return makeFloatOperation(S, Depth - 1);
  if (R.percent(45))
    if (std::string Local = findLocal(S, 'f'); !Local.empty())
      return Local;
  switch (R.below(8)) {
  case 0:
    return pick({"1.5:", "-0.0:", "inf:", "2.0:", "0.5:", "0.0:"}) + Float;
  case 1:
    return "sitofp(index(" + makeIndex(S) + "):i16):" + Float;
  case 2:
    if (R.percent(40))
      return makeView(S, 'f', {"%x", "%y", "%u"});
    [[fallthrough]];
  default:
    return makeAccess(S, {"%x", "%y", "%u"});
  }
}

std::string LeafMaker::makeFloatOperation(TreeScope &S, unsigned Depth) {
  auto Value = [&] { return makeFloat(S, Depth); };
  bool Wide = Float == "f32" || Float == "f64";
  switch (R.below(16)) {
  case 0:
  case 1:
  case 2:
  case 3:
    return pick({"fadd(", "fsub(", "fmul(", "fdiv("}) + Value() + ", " +
           Value() + ")";
  case 4:
  case 5:
    if (!Wide)
      return "fadd(" + Value() + ", " + Value() + ")";
    return "fmuladd(" + makeAccess(S, {"%x", "%y", "%u"}) + ", " + Value() +
           ", " + Value() + ")";
  case 6:
  case 7:
    return "select(" + makeTruth(S, Depth) + ", " + Value() + ", " + Value() +
           ")";
  case 8:
    return pick({"minimum(", "maximum("}) + Value() + ", " + Value() + ")";
  case 9:
    return "sitofp(" + makeInteger(S, Depth) + "):" + Float;
  case 10:
    if (Float == "f32")
      return "fptrunc(fpext(" + Value() + "):f64):f32";
    if (Float == "f64" && Other == "f32")
      return "fpext(fptrunc(" + Value() + "):f32):f64";
    return "fptrunc(fpext(" + Value() + "):f32):" + Float;
  case 11:
    if (Other == "f32" && Float == "f64")
      return "fpext(" + makeAccess(S, {"%c"}) + "):f64";
    if (Other == "f64" || Other == "f32")
      return "fptrunc(" + makeAccess(S, {"%c"}) + "):" + Float;
    return "fpext(" + makeAccess(S, {"%c"}) + "):" + Float;
  case 12:
    if (!Calls || S.HasCall || !Wide)
      return "fneg(" + Value() + ")";
    S.HasCall = true;
    return pick({"@sqrt", "@log", "@exp", "@cbrt", "@tanh", "@exp2", "@expm1",
                 "@log1p", "@log2", "@sin", "@cos", "@erf"}) +
           (Float == "f32" ? "f" : "") + "<errno>(" + Value() + ")";
  case 13:
    if (!Calls || !Wide)
      return "fabs(" + Value() + ")";
    return pick({"@floor", "@tanh", "@atan"}) + (Float == "f32" ? "f" : "") +
           "(" + Value() + ")";
  case 14:
    return pick({"sqrt(", "floor(", "ceil(", "llvm.trunc(", "roundeven("}) +
           Value() + ")";
  default:
    return pick({"fneg(", "fabs("}) + Value() + ")";
  }
}

std::string LeafMaker::makeInteger(TreeScope &S, unsigned Depth) {
  if (Depth && R.percent(55))
    return makeIntegerOperation(S, Depth - 1);
  if (R.percent(35))
    if (std::string Local = findLocal(S, 'i'); !Local.empty())
      return Local;
  switch (R.below(6)) {
  case 0:
    return pick({"0:", "1:", "-1:", "7:", "100:", "-128:"}) + Integer;
  case 1:
    return "index(" + makeIndex(S) + "):" + Integer;
  case 2:
    if (R.percent(30))
      return makeView(S, 'i', {"%z", "%v"});
    [[fallthrough]];
  default:
    return makeAccess(S, {"%z", "%v"});
  }
}

std::string LeafMaker::makeIntegerOperation(TreeScope &S, unsigned Depth) {
  auto Value = [&] { return makeInteger(S, Depth); };
  switch (R.below(14)) {
  case 0:
  case 1:
  case 2:
    return pick({"add(", "sub(", "mul(", "xor(", "and(", "or("}) + Value() +
           ", " + Value() + ")";
  case 3:
    return pick({"shl(", "lshr(", "ashr("}) + Value() + ", " +
           std::to_string(R.below(8)) + ":" + Integer + ")";
  case 4:
  case 5:
    return pick({"sdiv(", "srem(", "udiv(", "urem("}) + Value() + ", " +
           (R.percent(40)   ? "or(" + Value() + ", 1:" + Integer + ")"
            : R.percent(50) ? Value()
                            : pick({"7:", "-1:", "3:"}) + Integer) +
           ")";
  case 6:
    return "select(" + makeTruth(S, Depth) + ", " + Value() + ", " + Value() +
           ")";
  case 7:
    return pick(
               {"smax(", "smin(", "umax(", "umin(", "sadd.sat(", "usub.sat("}) +
           Value() + ", " + Value() + ")";
  case 8:
    return pick({"ctpop(", "bitreverse("}) + Value() + ")";
  case 9:
    return pick({"abs(", "ctlz(", "cttz("}) + Value() + ", false)";
  case 10:
    return "fptosi.sat(" + makeFloat(S, Depth) + "):" + Integer;
  case 11:
    if (OtherInteger == "i64" || Integer == "i8" || Integer == "i16")
      return "trunc(" + makeAccess(S, {"%w"}) + "):" + Integer;
    return pick({"sext(", "zext("}) + makeAccess(S, {"%w"}) + "):" + Integer;
  case 12:
    return pick({"sext(", "zext("}) + makeTruth(S, Depth) + "):" + Integer;
  default:
    return "fshl(" + Value() + ", " + Value() + ", " + Value() + ")";
  }
}

std::string LeafMaker::makeTruth(TreeScope &S, unsigned Depth) {
  unsigned Below = Depth ? Depth - 1 : 0;
  switch (R.below(10)) {
  case 0:
    return makeAccess(S, {"%t"});
  case 1:
    if (std::string Local = findLocal(S, 't'); !Local.empty())
      return Local;
    return makeAccess(S, {"%t"});
  case 2:
    return pick({"and(", "or(", "xor("}) + makeTruth(S, Below) + ", " +
           makeTruth(S, Below) + ")";
  case 3:
    return "is.fpclass(" + makeFloat(S, Below) + ", " +
           pick({"3", "516", "144", "96"}) + ":i32)";
  case 4:
  case 5:
  case 6:
    return pick({"icmp<slt>(", "icmp<sge>(", "icmp<eq>(", "icmp<ult>("}) +
           makeInteger(S, Below) + ", " + makeInteger(S, Below) + ")";
  default:
    return pick({"fcmp<olt>(", "fcmp<oge>(", "fcmp<une>(", "fcmp<uno>(",
                 "fcmp<ueq>("}) +
           makeFloat(S, Below) + ", " + makeFloat(S, Below) + ")";
  }
}

std::string LeafMaker::makeValue(TreeScope &S, char Type, unsigned Depth) {
  return Type == 'f'   ? makeFloat(S, Depth)
         : Type == 'i' ? makeInteger(S, Depth)
                       : makeTruth(S, Depth);
}

/// What is behind `where` or `case`.
std::string LeafMaker::makeCondition(TreeScope &S) {
  std::vector<std::string> Some = {"%N", "%M", "%K", "%P"};
  for (const auto *Names : {&S.Axes, &S.Sizes})
    Some.insert(Some.end(), Names->begin(), Names->end());
  auto Draw = [&] { return R.pick(ArrayRef(Some)); };
  std::string A = !S.Lane.empty() && R.percent(50) ? S.Lane : Draw(),
              B = Draw();
  if (R.percent(10))
    A = "%I[" + makeIndex(S) + "]";
  if (R.percent(10))
    A = pick({"mod(", "floordiv("}) + A + ", " +
        std::to_string(1 + R.below(3)) + ")";
  if (R.percent(35))
    B = std::to_string(R.below(7));
  else if (R.percent(40))
    B += " + " + std::to_string(R.below(4));
  if (R.percent(15))
    A += " + " + Draw();
  return A + pick({" < ", " >= ", " <= ", " > ", " < ", " >= ", " == "}) + B;
}

std::pair<std::string, char> LeafMaker::makeTarget(TreeScope &S) {
  char Type = R.percent(60) ? 'f' : R.percent(75) ? 'i' : 't';
  if (R.percent(60))
    if (std::string Local = findLocal(S, Type); !Local.empty())
      return {Local, Type};
  return {Type == 'f'   ? makeAccess(S, {"%x", "%y", "%u"})
          : Type == 'i' ? makeAccess(S, {"%z", "%v"})
                        : makeAccess(S, {"%t"}),
          Type};
}

std::string LeafMaker::makeLeaf(TreeScope &S) {
  S.HasCall = false;
  auto [Target, Type] = makeTarget(S);
  std::string Tail;
  if (R.percent(35)) {
    Tail = "  where " + makeCondition(S);
    while (R.percent(25))
      Tail += ", " + makeCondition(S);
  }
  std::string Value = makeValue(S, Type, 1 + R.below(3));
  // Sums, mostly of what is there.
  if (Type == 'f' && R.percent(30))
    Value = "fadd(" + Target + ", " + makeFloat(S, 1) + ")";
  bool IsPast = StringRef(Target).ends_with(" aligned 16") && R.percent(60);
  StoresPast |= IsPast;
  std::string Text = Target + (IsPast ? " nt = " : " = ") + Value;
  if (R.percent(12)) {
    auto [Second, Of] = makeTarget(S);
    Text = "(" + Target + ", " + Second + ") = (" + Value + ", " +
           makeValue(S, Of, 1) + ")";
  }
  if (R.percent(25))
    Tail += "  if " + makeTruth(S, 1);
  return Text + Tail;
}

std::string LeafMaker::makeStart(TreeScope &S, const TreeScope::Rows &Of,
                                 const std::string &Row,
                                 const std::string &Column) {
  std::string From = Of.Type == 'f' ? "%x" : Of.Type == 'i' ? "%z" : "%t";
  std::string Base =
      S.Axes.empty() || R.percent(50) ? "" : S.Axes.back() + " + ";
  return Of.Name + "[" + Row + "," + Column + "] = " + From + "[" + Base +
         std::to_string(Of.NumColumns) + "*" + Row + " + " + Column + "]";
}
