//===- Kernels.cpp - Random plain kernels ---------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fuzz.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace dlopt;

namespace {

class Generator {
public:
  explicit Generator(Random &R) : R(R), IsInt(R.percent(20)) {}
  std::string run();

private:
  void line(const Twine &Text) {
    Out += std::string(2 * Depth + 2, ' ') + Text.str() + "\n";
  }
  std::string name(const char *Base) {
    return Base + std::to_string(NumNames++);
  }
  std::string type() const { return IsInt ? "i32" : "f32"; }
  std::string axisTerm();
  std::string subscript();
  std::string access(bool IsOutput);
  std::string extent();
  std::string value(unsigned Depth);
  std::string conditions();
  void statement();
  void leaf();
  void nest();
  void sum();

  Random &R;
  bool IsInt;
  std::string Out;
  unsigned Depth = 0, NumNames = 0, NumStatements = 0;
  std::vector<std::string> Axes;    ///< around
  std::vector<std::string> Scalars; ///< assigned, in scope
};

} // namespace

std::string Generator::axisTerm() {
  if (Axes.empty())
    return std::to_string(R.below(3));
  // The inner ones, mostly.
  size_t From = Axes.size() > 2 && R.percent(70) ? Axes.size() - 2 : 0;
  return R.pick(ArrayRef(Axes).drop_front(From));
}

std::string Generator::subscript() {
  std::string S = axisTerm();
  switch (R.below(12)) {
  case 0:
    return S + " + 1";
  case 1:
    return S + " - 1";
  case 2:
    return "2*" + S;
  case 3:
    return S + " + " + axisTerm();
  case 4:
    return S + " - " + axisTerm();
  case 5:
    return std::to_string(R.below(3));
  case 6:
    return "floordiv(" + S + ", 2)";
  case 7:
    return "mod(" + S + ", 3)";
  default:
    return S;
  }
}

std::string Generator::access(bool IsOutput) {
  static const char *const Inputs[] = {"%A", "%B", "%D"}, *const Outputs[] = {
                                                              "%C", "%E"};
  std::string Name = IsOutput || R.percent(15) ? R.pick(ArrayRef(Outputs))
                                               : R.pick(ArrayRef(Inputs));
  if (R.percent(25)) {
    std::string Index = R.percent(50) && Axes.size() > 1
                            ? Axes[Axes.size() - 2] + "*%N + " + Axes.back()
                            : subscript();
    if (!IsOutput && R.percent(8))
      Index = "%I[" + axisTerm() + "]";
    return Name + "[" + Index + "](1)";
  }
  static const char *const Strides[] = {"",      "",      "",      "(%N,1)",
                                        "(9,1)", "(1,8)", "(%K,1)"};
  std::string First = Axes.size() > 1 && R.percent(60) ? Axes[Axes.size() - 2]
                                                       : subscript(),
              Second =
                  !Axes.empty() && R.percent(60) ? Axes.back() : subscript();
  if (R.percent(20))
    std::swap(First, Second);
  return Name + "[" + First + "," + Second + "]" + R.pick(ArrayRef(Strides));
}

std::string Generator::extent() {
  static const char *const Params[] = {"%M", "%N", "%K"};
  switch (R.below(10)) {
  case 0:
  case 1:
    return std::to_string(1 + R.below(6));
  case 2:
    if (!Axes.empty())
      return Axes[R.below(static_cast<unsigned>(Axes.size()))] + " + 1";
    break;
  case 3:
    if (!Axes.empty())
      return "min(%N, " + Axes.back() + " + 2)";
    break;
  case 4:
    return "%N - 1";
  default:
    break;
  }
  return R.pick(ArrayRef(Params));
}

std::string Generator::value(unsigned Depth) {
  unsigned Kind = R.below(Depth ? 8 : 4);
  if (Kind == 0 && !Scalars.empty())
    return R.pick(ArrayRef(Scalars));
  if (Kind == 1)
    return IsInt ? "2:i32" : "0.5:f32";
  if (Kind < 4)
    return access(false);
  std::string X = value(Depth - 1), Y = value(Depth - 1);
  if (IsInt)
    return (Kind == 4 ? "mul(" : "add(") + X + ", " + Y + ")";
  if (Kind == 4)
    return "fmul(" + X + ", " + Y + ")";
  if (Kind == 5)
    return "maximum(" + X + ", " + Y + ")";
  return "fadd(" + X + ", " + Y + ")";
}

std::string Generator::conditions() {
  std::string Text;
  if (!Axes.empty() && R.percent(20)) {
    static const char *const Limits[] = {"%N", "%M", "3", "%K - 1"};
    static const char *const Signs[] = {" < ", " >= ", " > ", " <= "};
    Text = "  where " + subscript() + R.pick(ArrayRef(Signs)) +
           R.pick(ArrayRef(Limits));
    if (R.percent(30))
      Text += ", " + axisTerm() + " >= 1";
  }
  if (R.percent(6))
    Text += IsInt ? "  if icmp<sgt>(" + access(false) + ", 3:i32)"
                  : "  if fcmp<ogt>(" + access(false) + ", 0.25:f32)";
  return Text;
}

void Generator::leaf() { line(access(true) + " = " + value(2) + conditions()); }

void Generator::nest() {
  std::string Axis = name("i");
  line("seq " + Axis + "[" + extent() + "]");
  Axes.push_back(Axis);
  ++Depth;
  size_t Known = Scalars.size();
  for (unsigned I = 0, E = 1 + R.below(2); I < E; ++I)
    statement();
  Scalars.resize(Known);
  --Depth;
  Axes.pop_back();
}

/// A local, its start, a loop that updates it, what is made of it.
void Generator::sum() {
  std::string Name = name("s"), Axis = name("k");
  // Locals come first in their node.
  line("seq " + name("o") + "[" + (R.percent(70) ? "1" : extent()) + "]");
  ++Depth;
  std::string Outer = "o" + std::to_string(NumNames - 1);
  bool Counts = R.percent(50);
  if (Counts)
    Axes.push_back(Outer);
  line("local " + Name + ":" + type());
  std::string Start = R.percent(60) ? (IsInt ? "0" : "0.0") : access(false);
  line(Name + " = " + Start);
  line("seq " + Axis + "[" + extent() + "]");
  Axes.push_back(Axis);
  ++Depth;
  std::string X = value(1), Y = access(false);
  std::string Update = IsInt ? "add(" + Name + ", mul(" + X + ", " + Y + "))"
                             : "fmuladd(" + X + ", " + Y + ", " + Name + ")";
  line(Name + " = " + Update + (R.percent(20) ? conditions() : ""));
  if (R.percent(15))
    line(access(true) + " = " + Name);
  --Depth;
  Axes.pop_back();
  Scalars.push_back(Name);
  for (unsigned I = 0, E = 1 + R.below(3); I < E; ++I)
    line(access(true) + " = " + (R.percent(60) ? Name : value(1)) +
         (R.percent(20) ? conditions() : ""));
  Scalars.pop_back();
  if (Counts)
    Axes.pop_back();
  --Depth;
}

void Generator::statement() {
  if (++NumStatements > 7)
    return leaf();
  unsigned Kind = R.below(10);
  if (Depth < 3 && (Kind < 4 || Depth == 0))
    return nest();
  if (Depth < 3 && Kind < 7)
    return sum();
  leaf();
}

std::string Generator::run() {
  Out = "kernel 0 @f\n  params %M %N %K\n  buffers";
  for (const char *Name : {"A", "B", "C", "D", "E"})
    Out += std::string(" %") + Name + ":" + type() + "(%N,1)";
  Out += " %I:i32\n";
  for (unsigned I = 0, E = 1 + R.percent(20); I < E; ++I)
    statement();
  return Out;
}

std::string dlopt::makeKernel(Random &R) { return Generator(R).run(); }
