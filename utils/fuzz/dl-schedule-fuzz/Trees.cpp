//===- Trees.cpp - Random scheduled kernels -------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Trees.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace dlopt;

namespace {

class TreeMaker {
public:
  TreeMaker(Random &R, bool Calls, bool Scalable)
      : R(R), Leaves(R, Calls), Scalable(Scalable) {}
  std::string run();

private:
  void line(unsigned Depth, const Twine &Text) {
    Out += std::string(2 * Depth, ' ') + Text.str() + "\n";
  }
  std::string name(const char *Base) {
    return Base + std::to_string(NumNames++);
  }
  std::string makeExtent(TreeScope &S);
  std::string makeBounds(TreeScope &S);
  void declare(unsigned Depth, TreeScope &S);
  void start(unsigned Depth, TreeScope &S, const TreeScope::Rows &Of);
  void makeLanes(unsigned Depth, TreeScope S);
  void makeLoop(unsigned Depth, TreeScope S, unsigned Left);
  void makeCopies(unsigned Depth, TreeScope S, unsigned Left);
  void makeBlocks(unsigned Depth, TreeScope S, unsigned Left);
  void makeNest(unsigned Depth, TreeScope &S, unsigned Left);
  void makeBody(unsigned Depth, TreeScope S, unsigned Left);

  Random &R;
  LeafMaker Leaves;
  std::string Out;
  bool Scalable;
  unsigned NumNames = 0;
};

} // namespace

std::string TreeMaker::makeExtent(TreeScope &S) {
  if (Scalable && R.percent(15))
    return Leaves.pick({"vl", "2vl", "vl - 1", "vl + %P"});
  if (!S.Sizes.empty() && R.percent(35))
    return R.pick(ArrayRef(S.Sizes));
  if (!S.Axes.empty() && R.percent(6))
    return R.pick(ArrayRef(S.Axes)) + " + 1";
  if (R.percent(3))
    return "%I[" + Leaves.makeIndex(S) + "]";
  return Leaves.pick({"%N", "%M", "%K", "%L", "%N - 1", "%P", "3", "8", "1",
                      "floordiv(%L, 3)", "%N", "%M", "5"});
}

std::string TreeMaker::makeBounds(TreeScope &S) {
  std::string Text = makeExtent(S);
  if (R.percent(20))
    Text = "min(" + Text + ", " + makeExtent(S) + ")";
  if (R.percent(15))
    Text = Leaves.pick({"2", "max(%P, 0)", "max(0, %M - 3)", "max(1, %P)",
                        "max(-2, %P - 1)", "-1", "%P"}) +
           ".." + Text;
  return Text;
}

/// Of the rows \p Of, most or all elements.
void TreeMaker::start(unsigned Depth, TreeScope &S, const TreeScope::Rows &Of) {
  std::string I = name("i"), J = name("j"), Columns = Of.getColumns();
  if (!S.Sizes.empty() && R.percent(40))
    Columns = S.Sizes.back();
  std::string Mode = " lanes " + Leaves.pick({"2", "4", "8", "3", "16"});
  if (Of.Scalable || (Scalable && R.percent(20)))
    Mode = " lanes vl";
  line(Depth, "seq " + I + "[" + Twine(Of.NumRows) + "] unroll seq " + J + "[" +
                  Columns + "]" +
                  (R.percent(80) || Of.Scalable ? Mode : " unroll"));
  line(Depth + 1, Leaves.makeStart(S, Of, I, J));
}

void TreeMaker::declare(unsigned Depth, TreeScope &S) {
  std::string Line = "local";
  std::vector<TreeScope::Rows> New;
  for (unsigned I = 0, E = 1 + R.below(2); I < E; ++I) {
    char Type = R.percent(65) ? 'f' : R.percent(75) ? 'i' : 't';
    if (R.percent(25)) {
      std::string Name = name("s");
      Line += " " + Name + ":" + Leaves.getType(Type) +
              (R.percent(30) ? " reg" : "");
      S.Scalars.push_back({Name, Type});
      continue;
    }
    TreeScope::Rows Of = {name("r"), Type, 1 + static_cast<int>(R.below(4)),
                          Leaves.pick({4, 8, 16, 5, 7, 12, 8, 4})};
    if (Scalable && R.percent(60)) {
      Of.Scalable = true;
      Of.NumColumns = Leaves.pick({1, 2, 4, 3, 1, 2});
    }
    std::string Where = Leaves.pick({" reg", " reg", " reg", " stack", ""});
    Line += " " + Of.Name + ":" + Leaves.getType(Type) + "[" +
            std::to_string(Of.NumRows) + "," + Of.getColumns() + "]" + Where;
    (Where == " reg" ? S.Registers : S.Arrays).push_back(Of);
    New.push_back(Of);
  }
  line(Depth, Line);
  for (const TreeScope::Rows &Of : New)
    if (R.percent(80))
      start(Depth, S, Of);
  for (auto &[Name, Type] : S.Scalars)
    if (Out.find(" " + Name + " = ") == std::string::npos && R.percent(85))
      line(Depth, Name + " = " +
                      (Type == 'f'   ? "%y[1]"
                       : Type == 'i' ? "%v[2]"
                                     : "%t[0]"));
}

void TreeMaker::makeLanes(unsigned Depth, TreeScope S) {
  std::string Lane = name("l");
  std::string Extent = R.percent(55) && !S.Sizes.empty()
                           ? R.pick(ArrayRef(S.Sizes))
                       : R.percent(50) ? std::to_string(1 + R.below(16))
                                       : makeExtent(S);
  if (R.percent(25))
    Extent =
        "min(" + Extent + ", " + Leaves.pick({"%L", "8", "%N", "16"}) + ")";
  if (R.percent(12))
    Extent =
        Leaves.pick({"1", "max(1, %P)", "2", "max(0, %P)"}) + ".." + Extent;
  std::string Lanes = Leaves.pick({"2", "4", "4", "8", "8", "16", "3", "5", "7",
                                   "6", "2", "4", "8", "16", "32", "64"});
  if (Scalable && R.percent(85))
    Lanes = Leaves.pick({"vl", "vl", "vl", "2vl", "vl", "4vl"});
  line(Depth, "seq " + Lane + "[" + Extent + "] lanes " + Lanes);
  // Places in registers are numbers: the axis has so many elements at most.
  bool IsKnown = Extent.find("size(") != std::string::npos ||
                 Extent.find(" 8)") != std::string::npos ||
                 Extent.find(" 16)") != std::string::npos ||
                 Extent.find("vl") != std::string::npos ||
                 Extent.find_first_not_of("0123456789") == std::string::npos;
  if (!IsKnown && R.percent(95))
    S.Registers.clear();
  S.Lane = Lane;
  S.Axes.push_back(Lane);
  for (unsigned I = 0, E = 1 + R.below(3); I < E; ++I)
    line(Depth + 1, Leaves.makeLeaf(S));
}

void TreeMaker::makeLoop(unsigned Depth, TreeScope S, unsigned Left) {
  std::string A = name("p");
  line(Depth, "seq " + A + "[" + makeBounds(S) + "]");
  S.Axes.push_back(A);
  makeBody(Depth + 1, S, Left);
}

void TreeMaker::makeCopies(unsigned Depth, TreeScope S, unsigned Left) {
  std::string A = name("u"), Extent = std::to_string(1 + R.below(4));
  if (!S.Sizes.empty() && R.percent(60))
    Extent = R.pick(ArrayRef(S.Sizes));
  if (R.percent(20))
    Extent = "min(" + Extent + ", " + Leaves.pick({"%N", "%M", "%P"}) + ")";
  if (R.percent(15))
    Extent = Leaves.pick({"max(%P, 0)", "1", "max(1, %M - 1)", "max(-1, %P)"}) +
             ".." + Extent;
  line(Depth, "seq " + A + "[" + Extent + "] unroll");
  S.Axes.push_back(A);
  S.Copies.push_back(A);
  makeBody(Depth + 1, S, Left);
}

void TreeMaker::makeBlocks(unsigned Depth, TreeScope S, unsigned Left) {
  std::string A = name("B");
  std::string Kind = Leaves.pick(
      {"step 4 2 1",  "step 4 rest",   "step 3 1",      "step 4 2 rest",
       "upto 3",      "upto 4 once",   "step 4 1 once", "step 6 4 2 1",
       "step 2 1",    "step 8 4 rest", "step 16 rest",  "step 8 rest once",
       "step 5 2 1",  "upto 16",       "upto 7",        "step 8 1",
       "step 2 over", "step 4 over",   "step 8 3 over", "step 4 2 over once"});
  if (Scalable && R.percent(65))
    Kind = Leaves.pick(
        {"step 2vl vl rest", "step vl rest", "step vl 2 1", "step 4vl vl rest",
         "upto vl", "upto 2vl once", "step vl rest once", "step 2vl 4 rest",
         "step vl 2 over", "step vl over", "step 2vl 4 over once"});
  line(Depth, "seq " + A + "[" + makeBounds(S) + "] " + Kind);
  S.Axes.push_back(A);
  S.Sizes.push_back("size(" + A + ")");
  if (Kind.find("rest") == std::string::npos && Kind[0] != 'u' && R.percent(40))
    S.Copies.push_back(S.Sizes.back());
  makeBody(Depth + 1, S, Left);
}

void TreeMaker::makeNest(unsigned Depth, TreeScope &S, unsigned Left) {
  unsigned Kind = R.below(100);
  if (Left && Kind < 12)
    return makeLoop(Depth, S, Left - 1);
  if (Left && Kind < 24)
    return makeCopies(Depth, S, Left - 1);
  if (Left && Kind < 58)
    return makeBlocks(Depth, S, Left - 1);
  if (Left && Kind < 63) {
    line(Depth, "case " + Leaves.makeCondition(S) +
                    (R.percent(30) ? ", " + Leaves.makeCondition(S) : ""));
    return makeBody(Depth + 1, S, Left - 1);
  }
  if (Kind < 90)
    return makeLanes(Depth, S);
  line(Depth, Leaves.makeLeaf(S));
}

void TreeMaker::makeBody(unsigned Depth, TreeScope S, unsigned Left) {
  if (R.percent(35))
    declare(Depth, S);
  for (unsigned I = 0, E = 1 + R.below(2); I < E; ++I)
    makeNest(Depth, S, Left);
}

std::string TreeMaker::run() {
  Out = "kernel 0 @f\n  params %M %N";
  Out += R.percent(20) ? ":u8" : "";
  Out += " %K %L %S:i8 %P:i8\n  buffers " + Leaves.getBuffers() + "\n";
  TreeScope S;
  if (R.percent(70))
    declare(1, S);
  for (unsigned I = 0, E = 1 + R.below(2); I < E; ++I)
    makeNest(1, S, 1 + R.below(3));
  // What is left in locals is seen.
  for (const auto &Of : S.Registers)
    if (R.percent(70)) {
      std::string I = name("i"), J = name("j");
      line(1, "seq " + I + "[" + Twine(Of.NumRows) + "] unroll seq " + J + "[" +
                  Of.getColumns() + "] lanes " + (Of.Scalable ? "vl" : "4"));
      line(2, (Of.Type == 'f'   ? "%x["
               : Of.Type == 'i' ? "%z["
                                : "%t[") +
                  Twine(100 + R.below(9)) + " + " + Of.getColumns() + "*" + I +
                  " + " + J + "] = " + Of.Name + "[" + I + "," + J + "]");
    }
  for (const auto &[Name, Type] : S.Scalars)
    line(1, (Type == 'f'   ? "%y[-3] = "
             : Type == 'i' ? "%v[-3] = "
                           : "%t[-3] = ") +
                Name);
  if (Leaves.storesPast())
    line(1, "fence");
  if (R.percent(40))
    Out += "  needs disjoint(%x; %y %u %z %v %c %w %I %b %t),"
           " disjoint(%y; %u %z %v %c %w %I %b %t), disjoint(%u; %z %v %c %w %I"
           " %b %t), disjoint(%z; %v %c %w %I %b %t), disjoint(%v; %c %w %I %b"
           " %t), disjoint(%t; %c %w %I %b)\n";
  return Out;
}

std::string dlopt::makeTree(Random &R, bool Calls, bool Scalable) {
  return TreeMaker(R, Calls, Scalable).run();
}
