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
  explicit Generator(Random &R)
      : R(R), IsInt(R.percent(40)), Weird(R.percent(40)   ? 5
                                          : R.percent(50) ? 25
                                                          : 80) {}
  std::string run();

private:
  void line(const Twine &Text) {
    Out += std::string(2 * Depth + 2, ' ') + Text.str() + "\n";
  }
  std::string name(const char *Base) {
    return Base + std::to_string(NumNames++);
  }
  std::string type() const { return IsInt ? "i32" : "f32"; }
  std::string num() {
    return IsInt           ? std::to_string(R.below(4)) + ":i32"
           : R.percent(50) ? "0.5:f32"
                           : "1.0:f32";
  }
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
  void row();
  void argmax();
  void window();
  std::string combined(const std::string &M, const std::string &X);
  std::string need();

  Random &R;
  bool IsInt;
  /// In percent: subscripts and bounds that are not plain axes and sizes.
  unsigned Weird;
  std::string Out;
  unsigned Depth = 0, NumNames = 0, NumStatements = 0;
  std::vector<std::string> Axes;    ///< around
  std::vector<std::string> Scalars; ///< assigned, in scope
  struct Row {
    std::string Name;
    unsigned Rank;
  };
  std::vector<Row> Rows; ///< locals of higher rank, in scope
  /// The axes around leaves, for needs.
  std::vector<std::vector<std::string>> Paths;
};
} // namespace

std::string Generator::axisTerm() {
  if (Axes.empty())
    return std::to_string(R.below(3));
  size_t From = Axes.size() > 2 && R.percent(70) ? Axes.size() - 2 : 0;
  return R.pick(ArrayRef(Axes).drop_front(From));
}

std::string Generator::subscript() {
  std::string S = axisTerm();
  if (!R.percent(Weird))
    return S;
  switch (R.below(18)) {
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
    return "floordiv(" + S + ", " +
           (R.percent(30) ? std::string("%K")
                          : std::to_string(1 + R.below(3))) +
           ")";
  case 7:
    return "mod(" + S + (R.percent(30) ? " + " + axisTerm() : "") + ", " +
           (R.percent(30) ? std::string("%K")
                          : std::to_string(1 + R.below(4))) +
           ")";
  case 8:
    return "0 - " + S;
  case 9:
    return S + "*%S";
  case 10:
    return "%N - 1 - " + S;
  case 11:
    if (R.percent(40))
      return "%I[" + S + "]";
    return S;
  case 12:
    if (IsInt && R.percent(30))
      return "mod(%C[" + S + "](1), 4)";
    return S;
  case 13:
    return S + " + %P";
  default:
    return S;
  }
}

std::string Generator::access(bool IsOutput) {
  if (!Rows.empty() && R.percent(45)) {
    const Row &T = R.pick(ArrayRef<Row>(Rows));
    std::string X = T.Name + "[";
    for (unsigned I = 0; I < T.Rank; ++I)
      X += (I ? "," : "") + (R.percent(75)   ? axisTerm()
                             : R.percent(50) ? std::to_string(R.below(2))
                                             : "mod(" + axisTerm() + ", 2)");
    return X + "]";
  }
  static const char *const Inputs[] = {"%A", "%B", "%D"}, *const Outputs[] = {
                                                              "%C", "%E"};
  std::string Name = IsOutput || R.percent(15) ? R.pick(ArrayRef(Outputs))
                                               : R.pick(ArrayRef(Inputs));
  unsigned Kind = R.below(10);
  if (!R.percent(Weird) && Axes.size() && R.percent(80))
    return Name + "[" +
           (Axes.size() > 1 ? Axes[R.below(Axes.size())] : Axes.back()) + "," +
           Axes.back() + "]";
  if (Kind < 2) {
    std::string Index = R.percent(50) && Axes.size() > 1
                            ? Axes[Axes.size() - 2] + "*%N + " + Axes.back()
                            : subscript();
    return Name + "[" + Index + "]" +
           (R.percent(30)   ? "(%S)"
            : R.percent(20) ? "(-1)"
                            : "(1)");
  }
  static const char *const Strides[] = {
      "",       "",           "",       "(%N,1)", "(9,1)",   "(1,8)",
      "(%K,1)", "(%N*%S,%S)", "(%S,1)", "(8,-1)", "(%N,%S)", "(4*%S,%S)"};
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
  if (!R.percent(Weird))
    return R.percent(40) ? std::to_string(1 + R.below(5))
                         : R.pick(ArrayRef(Params));
  switch (R.below(16)) {
  case 0:
  case 1:
    return std::to_string(1 + R.below(6));
  case 2:
    if (!Axes.empty())
      return Axes[R.below(Axes.size())] + " + 1";
    break;
  case 3:
    if (!Axes.empty())
      return "min(%N, " + Axes.back() + " + 2)";
    break;
  case 4:
    return "%N - 1";
  case 5:
    return "%P";
  case 6:
    return "min(%N, %M)";
  case 7:
    return "%I[" + axisTerm() + "]";
  case 8:
    return R.percent(50) ? "floordiv(%N, 2)" : "floordiv(%N, %K)";
  case 9:
    if (!Axes.empty())
      return "%N - " + Axes.back();
    break;
  case 10:
    return "min(%N, 8)";
  default:
    break;
  }
  return R.pick(ArrayRef(Params));
}

std::string Generator::value(unsigned Depth) {
  unsigned Kind = R.below(Depth ? 10 : 5);
  if (Kind == 0 && !Scalars.empty())
    return R.pick(ArrayRef(Scalars));
  if (Kind == 1)
    return num();
  if (Kind == 4)
    return IsInt ? "index(" + axisTerm() + "):i32" : access(false);
  if (Kind < 4)
    return access(false);
  std::string X = value(Depth - 1), Y = value(Depth - 1);
  if (Kind == 9)
    return IsInt ? "select(icmp<sgt>(" + X + ", " + Y + "), " + Y + ", " +
                       num() + ")"
                 : "select(fcmp<ogt>(" + X + ", " + Y + "), " + Y + ", " +
                       num() + ")";
  if (IsInt)
    return (Kind == 5 ? "mul(" : "add(") + X + ", " + Y + ")";
  if (Kind == 8 && R.percent(10))
    return "@logf<errno>(" + X + ")";
  if (Kind == 5)
    return "fmul(" + X + ", " + Y + ")";
  if (Kind == 6)
    return "maximum(" + X + ", " + Y + ")";
  return "fadd(" + X + ", " + Y + ")";
}

std::string Generator::conditions() {
  std::string Text;
  if (!Axes.empty() && R.percent(30)) {
    static const char *const Limits[] = {"%N", "%M", "3", "%K - 1", "%S", "0"};
    static const char *const Signs[] = {" < ", " >= ", " > ", " <= ", " == "};
    Text = "  where " + subscript() + R.pick(ArrayRef(Signs)) +
           R.pick(ArrayRef(Limits));
    if (R.percent(40))
      Text = "  where " + axisTerm() + " + " + axisTerm() + " >= 1";
    if (R.percent(30))
      Text += ", " + axisTerm() + " >= 1";
    if (R.percent(10))
      Text += ", %I[" + axisTerm() + "] > 1";
  }
  if (R.percent(10))
    Text += IsInt ? "  if icmp<sgt>(" + access(false) + ", 3:i32)"
                  : "  if fcmp<ogt>(" + access(false) + ", 0.25:f32)";
  return Text;
}

void Generator::leaf() {
  if (Axes.size() > 0)
    Paths.push_back(Axes);
  if (R.percent(6)) {
    line("%I[" + subscript() + "] = index(" + axisTerm() + "):i32" +
         conditions());
    return;
  }
  if (R.percent(12)) {
    std::string A = access(true), B = access(true);
    if (A != B) {
      line("(" + A + ", " + B + ") = (" + value(1) + ", " + value(1) + ")" +
           conditions());
      return;
    }
  }
  line(access(true) + " = " + value(2) + conditions());
}

void Generator::nest() {
  std::string Axis = name("i");
  line("seq " + Axis + "[" + extent() + "]");
  Axes.push_back(Axis);
  ++Depth;
  size_t Known = Scalars.size(), KnownRows = Rows.size();
  for (unsigned I = 0, E = 1 + R.below(2); I < E; ++I)
    statement();
  Scalars.resize(Known);
  Rows.resize(KnownRows);
  --Depth;
  Axes.pop_back();
}

/// A local, its start, a loop that updates it, what is made of it.
void Generator::sum() {
  std::string Name = name("s"), Axis = name("k"), Outer = name("o");
  line("seq " + Outer + "[" + (R.percent(50) ? "1" : extent()) + "]");
  ++Depth;
  Axes.push_back(Outer);
  line("local " + Name + ":" + type());
  std::string Start = R.percent(60) ? (IsInt ? "0" : "0.0") : value(1);
  line(Name + " = " + Start);
  if (R.percent(15))
    leaf();
  bool Two = R.percent(30);
  std::string Axis2 = name("j");
  line("seq " + Axis + "[" + extent() + "]");
  Axes.push_back(Axis);
  ++Depth;
  if (Two) {
    line("seq " + Axis2 + "[" + extent() + "]");
    Axes.push_back(Axis2);
    ++Depth;
  }
  if (R.percent(15))
    leaf();
  std::string X = value(1), Y = access(false);
  std::string Update = IsInt ? "add(" + Name + ", mul(" + X + ", " + Y + "))"
                             : "fmuladd(" + X + ", " + Y + ", " + Name + ")";
  line(Name + " = " + Update + (R.percent(20) ? conditions() : ""));
  if (R.percent(15))
    line(access(true) + " = " + Name);
  if (R.percent(10))
    leaf();
  if (Two) {
    --Depth;
    Axes.pop_back();
  }
  --Depth;
  Axes.pop_back();
  Scalars.push_back(Name);
  for (unsigned I = 0, E = 1 + R.below(3); I < E; ++I)
    line(access(true) + " = " + (R.percent(60) ? Name : value(1)) +
         (R.percent(25) ? conditions() : ""));
  Scalars.pop_back();
  Axes.pop_back();
  --Depth;
}

/// A local of higher rank, assigned in one loop, read in others.
void Generator::row() {
  std::string Name = name("r"), Outer = name("o"), J = name("j");
  bool Block = R.percent(20);
  if (Block)
    line("block");
  else {
    line("seq " + Outer + "[" + (R.percent(40) ? "2" : extent()) + "]");
    Axes.push_back(Outer);
  }
  ++Depth;
  std::string E1 = R.percent(30)             ? "%N"
                   : R.percent(30) && !Block ? Outer + " + 1"
                   : R.percent(50)           ? "%M"
                                             : std::to_string(2 + R.below(5));
  bool Rank2 = R.percent(40);
  std::string E2 = std::to_string(2 + R.below(4)), L = name("l");
  line("local " + Name + ":" + type() + "[" + E1 + (Rank2 ? "," + E2 : "") +
       "]");
  line("seq " + J + "[" + E1 + "]");
  Axes.push_back(J);
  ++Depth;
  if (Rank2) {
    line("seq " + L + "[" + E2 + "]");
    Axes.push_back(L);
    ++Depth;
  }
  std::string V = value(1);
  line(Name + "[" + J + (Rank2 ? "," + L : "") + "] = " + V);
  if (Rank2) {
    --Depth;
    Axes.pop_back();
  }
  --Depth;
  Axes.pop_back();
  size_t Known = Scalars.size(), KnownRows = Rows.size();
  Rows.push_back({Name, Rank2 ? 2u : 1u});
  for (unsigned I = 0, E = 1 + R.below(2); I < E; ++I)
    statement();
  std::string J2 = name("j");
  line("seq " + J2 + "[" + E1 + "]");
  Axes.push_back(J2);
  ++Depth;
  line(
      access(true) + " = " +
      (R.percent(50) ? value(1) : Name + "[" + J2 + (Rank2 ? ",1" : "") + "]"));
  if (R.percent(30))
    leaf();
  --Depth;
  Axes.pop_back();
  Rows.resize(KnownRows);
  Scalars.resize(Known);
  --Depth;
  if (!Block)
    Axes.pop_back();
}

/// A tuple under a test; the index is used as one.
void Generator::argmax() {
  std::string M = name("m"), X = name("x"), O = name("o"), K = name("k");
  line("seq " + O + "[" + extent() + "]");
  Axes.push_back(O);
  ++Depth;
  line("local " + M + ":" + type());
  line("local " + X + ":i32");
  if (R.percent(50))
    line("(" + M + ", " + X + ") = (" + num() + ", 0:i32)");
  else {
    line(M + " = " + num());
    line(X + " = 0:i32");
  }
  line("seq " + K + "[" + extent() + "]");
  Axes.push_back(K);
  ++Depth;
  std::string V = access(false);
  line("(" + M + ", " + X + ") = (" + V + ", index(" + K + "):i32)  if " +
       (IsInt ? "icmp<sgt>(" : "fcmp<ogt>(") + V + ", " + M + ")");
  --Depth;
  Axes.pop_back();
  line(access(true) + " = " + M);
  if (R.percent(60))
    line("%I[" + subscript() + "] = " + X);
  if (R.percent(30))
    line("%C[" + X + "](1) = " + value(1));
  --Depth;
  Axes.pop_back();
}

/// What an old value and another one come to.
std::string Generator::combined(const std::string &M, const std::string &X) {
  static const char *const Names[] = {"maximum", "maxnum", "fadd", "fmul"},
                           *const IntNames[] = {"smax", "umax", "smin", "add",
                                                "mul",  "or",   "and"},
                           *const Tests[] = {"ogt", "oge", "ugt", "uge",
                                             "olt", "ole", "ult", "one"},
                           *const IntTests[] = {"sgt", "sge", "ugt", "uge",
                                                "slt", "ule", "eq"};
  if (R.percent(30))
    return std::string(IsInt ? R.pick(ArrayRef(IntNames))
                             : R.pick(ArrayRef(Names))) +
           "(" + M + ", " + X + ")";
  std::string Test = IsInt ? std::string("icmp<") + R.pick(ArrayRef(IntTests))
                           : std::string("fcmp<") + R.pick(ArrayRef(Tests));
  auto Pair = [&] { return R.percent(50) ? M + ", " + X : X + ", " + M; };
  return "select(" + Test + ">(" + Pair() + "), " + Pair() + ")";
}

/// What a window that is padded, maybe, comes to, for each element.
void Generator::window() {
  static const char *const Starts[] = {"-inf", "inf", "0.0", "-1.0", "nan"},
                           *const IntStarts[] = {"-2147483648", "2147483647",
                                                 "0", "3"};
  std::string M = name("m"), Outer = name("p"), O = name("o"), K = name("k");
  bool IsInside = Depth < 2 && R.percent(70);
  auto Open = [&](const std::string &Axis, const std::string &End) {
    line("seq " + Axis + "[" + End + "]");
    Axes.push_back(Axis);
    ++Depth;
  };
  auto Few = [&] {
    return R.percent(70) ? std::to_string(1 + R.below(5)) : extent();
  };
  if (IsInside)
    Open(Outer, Few());
  Open(O, Few());
  line("local " + M + ":" + type());
  std::string Start =
      IsInt ? R.pick(ArrayRef(IntStarts)) : R.pick(ArrayRef(Starts));
  line(M + " = " + (R.percent(80) ? Start : value(1)));
  Open(K, std::to_string(1 + R.below(3)));
  std::string X = (R.percent(50) ? "2*" : "") + O + " + " + K + " - 1";
  std::string From = R.percent(60) && IsInside ? "%A[" + Outer + "," + X + "]"
                     : R.percent(50)           ? "%A[" + X + "](1)"
                                               : "%B[" + X + "," + K + "]";
  line("let x = " + From);
  line(M + " = " + combined(M, "x") + "  where " +
       (R.percent(70) ? X + " >= 0" : K + " >= 1") +
       (R.percent(70) ? ", " + X + " < " + (R.percent(50) ? "%N" : "%M") : ""));
  --Depth;
  Axes.pop_back();
  line(access(true) + " = " + M);
  for (unsigned I = 0; I < 1U + IsInside; ++I) {
    --Depth;
    Axes.pop_back();
  }
}

void Generator::statement() {
  if (++NumStatements > 7)
    return leaf();
  unsigned Kind = R.below(14);
  if (Depth < 3 && R.percent(20))
    return window();
  if (Depth < 3 && (Kind < 4 || Depth == 0)) {
    if (Depth == 0 && R.percent(30)) {
      if (R.percent(50))
        return sum();
      return row();
    }
    return nest();
  }
  if (Depth < 3 && Kind < 7)
    return sum();
  if (Depth < 3 && Kind < 9)
    return row();
  if (Depth < 3 && Kind < 10)
    return argmax();
  leaf();
}

/// Of the axes around a leaf.
std::string Generator::need() {
  const auto &Path = R.pick(ArrayRef(Paths));
  std::string P = R.pick(ArrayRef(Path));
  if (R.percent(50))
    P += (R.percent(50) ? " + " : " - ") + R.pick(ArrayRef(Path));
  if (R.percent(30))
    P += " - %N";
  if (R.percent(25))
    return "nonzero(%A; " + P + ")";
  return std::string("inrange(") + (R.percent(50) ? "-2" : "-7") + " <= " + P +
         " <= " + (R.percent(50) ? "3" : "9223372036854775806") + ")";
}

std::string Generator::run() {
  Out = "kernel 0 @f\n  params %M %N";
  Out += R.percent(20) ? ":u8" : "";
  Out += " %K %S:i8 %P:i8\n  buffers";
  for (const char *Name : {"A", "B", "C", "D", "E"})
    Out += std::string(" %") + Name + ":" + type() +
           (R.percent(80) ? "(%N,1)" : "(%N*%S,%S)");
  Out += " %I:i32\n";
  for (unsigned I = 0, E = 1 + R.percent(25); I < E; ++I)
    statement();
  if (R.percent(25))
    Out += "  needs inrange(1 <= %S <= 100)\n";
  if (R.percent(15))
    Out += std::string("  needs inrange(0 <= %N - ") +
           (R.percent(50) ? "1" : "2") + " <= 8)\n";
  for (unsigned I = 0; I < 2; ++I)
    if (!Paths.empty() && R.percent(35))
      Out += "  needs " + need() + "\n";
  if (R.percent(10))
    Out += "  needs disjoint(%C; %A %B %D %E %I)\n";
  return Out;
}

std::string dlopt::makeKernel(Random &R) { return Generator(R).run(); }
