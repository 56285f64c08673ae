//===- ContractionRow.cpp - One row times a transposed matrix -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// .row, for M = 1 and a transposed B, whose elements are used once: a matrix
/// times a vector. It is a scheduled kernel: the text says how it is run, holes
/// in it are what differs between contractions and targets.
///
//===----------------------------------------------------------------------===//
#include "ContractionEmitter.h"
#include "RegisterTranspose.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

static constexpr StringLiteral Header = R"(kernel 0 @row
  params  %N %K %lda %ldb %scs %far %ahead{params}
  buffers %C:{output} %A:{type}({stride}) %B:{type}(%ldb,1) %S:{type}(%scs){buffers}
)";

/// Lanes are columns, as everywhere, and squares of elements are transposed in
/// registers on the way, so that nothing is copied. Groups of lanes are
/// independent chains.
static constexpr StringLiteral ColumnsInLanes =
    R"(  par J[{begin}..{end}] {blocks}
    local acc:{type}[{columns}] reg
    par G[{groups}] unroll
      par j[{rows}] lanes {lanes}
        {sum} = %S[{column}](1)  where %scs >= 1
      par j[{rows}] lanes {lanes}
        {sum} = %S[0]  where %scs == 0
{steps}    par G[{groups}] unroll
{locals}      par j[{rows}] lanes {lanes}
{given}{operands}        %C[{column}] = o0
)";

/// Steps of some groups. All that is wanted of a line of the cache is read at
/// once: rows may be apart by a multiple of what a way of the cache holds.
static constexpr StringLiteral StepsOfGroups =
    R"(    red K[{first}..{last}] step {sizes} par G[{group}..{behind}] unroll
{ahead}      red Q[{squares}] unroll
        local t:{type}[{lanes},{lanes}] reg
        par j[{rows}] row interleave{lanes} par k[{square}] lanes {lanes}
          t[k,j] = %B[{column},{at} + {lanes}*Q + k]
        red k[{square}] unroll par j[{rows}] lanes {lanes}
          {sum} = {next}
)";

static constexpr StringLiteral Ahead = R"(      par j[{lanes}] unroll
        prefetch %B[{column},{at} + %ahead]  where %far >= 1, size(K) == {line}
)";

/// Where sums may be reassociated, lanes are steps of k, so that rows of B are
/// read as they lie. Those that are read together, to read the vector less
/// often, are a part of the matrix apart: each place goes on where it was,
/// across the ends of rows, as prefetchers expect. -0 is what changes no sum.
static constexpr StringLiteral StepsInLanes = R"(  par J[{rows}]
    local some:{type}[{groups},{width}] reg total:{type}[{groups}] reg
    par G[{groups}] unroll
      par k[{width}] lanes {lanes}
        some[G,k] = -0.0
      {sum} = %S[{column}]
    red K[%K] step {blocks} 1 par G[{groups}] unroll
      par k[size(K)] lanes {lanes}
        some[G,k] = {some}  where size(K) >= {lanes}
      {sum} = {next}  where size(K) == 1
    par G[{groups}] unroll
{locals}      red v[{others}] unroll par k[{lanes}] lanes {lanes}
        some[G,k] = {fadd}(some[G,{lanes}*v + {lanes} + k], some[G,k])
{halves}{given}{operands}      %C[{column}] = o0
)";

/// One of the additions of all lanes, the last at the end.
static constexpr StringLiteral HalfOfLanes =
    R"(      par k[{half}] lanes {half}
        half{half}[k] = {fadd}({whole}k], {whole}{half} + k])
)";

namespace {

/// Fills the holes, and binds the kernel to the arguments of a function.
class RowWriter {
public:
  RowWriter(IRBuilderBase &B, const ContractionSpec &S,
            const ContractionPlan &P);
  std::unique_ptr<Kernel> write();

private:
  std::string fill(StringRef Template) const;
  void set(StringRef Hole, const Twine &Text) { Holes[Hole] = Text.str(); }
  unsigned getLine() const { return CacheLineBytes / getSizeInBytes(Spec.Ty); }
  unsigned getLanes() const {
    return std::min<unsigned>(Plan.VectorElems, getLine());
  }
  void setAhead(IRBuilderBase &B);
  void addSteps(StringRef First, StringRef Last, StringRef Sizes,
                StringRef Group, StringRef Behind, StringRef At,
                StringRef Ahead = "");
  std::string writeColumns(unsigned Groups, StringRef Blocks,
                           function_ref<void()> AddSteps);
  std::string writeAllColumns();
  std::string writeDots(unsigned Rows, StringRef Blocks, StringRef Column);
  std::string getStep(std::string X, std::string Y, StringRef Sum) const;
  void bindOperands();
  void setOperands(StringRef Indent, StringRef Shape, StringRef Place);
  std::string getOperand(unsigned Number,
                         const ContractionEpilogue::Operand &O) const;

  Function &F;
  const ContractionSpec &Spec;
  const ContractionPlan &Plan;
  StringMap<std::string> Holes;
  /// What parameters and buffers are, by name.
  StringMap<Value *> Bound;
};

} // namespace

RowWriter::RowWriter(IRBuilderBase &B, const ContractionSpec &S,
                     const ContractionPlan &P)
    : F(*B.GetInsertBlock()->getParent()), Spec(S), Plan(P) {
  for (auto [Name, Number] :
       {std::pair("C", 0), std::pair("A", 2), std::pair("lda", 3),
        std::pair("B", 4), std::pair("ldb", 5), std::pair("S", 6),
        std::pair("scs", 8), std::pair("N", 10), std::pair("K", 11)})
    Bound[Name] = F.getArg(Number);
  setAhead(B);
  bindOperands();
  set("type", getName(Spec.Ty));
  set("output", getName(Spec.getOutputTy()));
  set("stride", Spec.TransA ? "%lda" : "1");
  set("lanes", Twine(getLanes()));
  set("line", Twine(getLine()));
}

/// How far ahead each row of a matrix is fetched that no cache holds: there are
/// more rows than streams that the hardware follows. Measured on Cascade Lake
/// at 2 to 16 lines: 4096^2 of float gains 8 to 25% at 4. Where a cache holds
/// the matrix, fetching costs more than it saves: up to 25% in the second-level
/// cache.
void RowWriter::setAhead(IRBuilderBase &B) {
  constexpr unsigned LinesAhead = 4;
  Emitter E(B, Spec, Plan);
  Value *Ldb = Bound["ldb"],
        *Rows = B.getInt64(uint64_t(Plan.RowGroups) * getLanes());
  Bound["far"] = B.CreateZExt(E.isLarge(Bound["N"], Ldb), B.getInt64Ty());
  Bound["ahead"] = B.CreateSelect(E.isShort(Bound["K"]), B.CreateMul(Ldb, Rows),
                                  B.getInt64(uint64_t(LinesAhead) * getLine()));
}

/// \p Template with what its holes have, which may have holes, too.
std::string RowWriter::fill(StringRef Template) const {
  auto [Text, Rest] = Template.split('{');
  if (Text.size() == Template.size())
    return Text.str();
  auto [Hole, Behind] = Rest.split('}');
  return Text.str() + fill(Holes.lookup(Hole)) + fill(Behind);
}

/// "fmul< nnan>"
static std::string withFlags(StringRef Name, FastMathFlags Flags) {
  std::string Text = Name.str();
  raw_string_ostream OS(Text);
  if (Flags.any()) {
    OS << '<';
    Flags.print(OS);
    OS << '>';
  }
  return Text;
}

/// The sum with one more product, with the roundings and flags of the source.
std::string RowWriter::getStep(std::string X, std::string Y,
                               StringRef Sum) const {
  auto Call = [](StringRef Name, FastMathFlags Flags,
                 std::initializer_list<StringRef> Args) {
    return withFlags(Name, Flags) + "(" + join(Args, ", ") + ")";
  };
  if (Spec.Scale && !DLOPT_PLANTED(ScaleLost)) {
    X = Call("fmul", Spec.ScaleFlags, {X, Y});
    Y = "%x" + utostr(*Spec.Scale);
  }
  if (Spec.Comb == ContractionSpec::MulAdd) {
    std::string Product = Call("fmul", Spec.MulFlags, {X, Y});
    return Spec.Subtracts ? Call("fsub", Spec.AddFlags, {Sum, Product})
                          : Call("fadd", Spec.AddFlags, {Product, Sum});
  }
  if (Spec.Subtracts)
    Y = "fneg(" + Y + ")";
  return Call(Spec.Comb == ContractionSpec::FMA ? "fma" : "fmuladd",
              Spec.AddFlags, {X, Y, Sum});
}

/// Whether an argument says if \p O may be read. The output may always be.
static bool hasGiven(const ContractionEpilogue::Operand &O) {
  return O.Conditional && getNumArgs(O) > 1;
}

void RowWriter::bindOperands() {
  auto *Arg = F.arg_begin() + NumEntryArgs;
  for (auto [Number, O] : enumerate(Spec.Epilogue.Operands)) {
    std::string N = utostr(Number), Ty = ":" + getName(O.Ty).str();
    unsigned Count = getNumArgs(O);
    if (O.K == ContractionEpilogue::Scalar) {
      Bound["x" + N] = Arg;
      Holes["params"] += " %x" + N + Ty;
    } else if (Count) {
      Bound["p" + N] = Arg;
      Holes["buffers"] += " %p" + N + Ty;
    }
    if (hasGiven(O)) {
      Bound["given" + N] = Arg + (Count - 1);
      Holes["params"] += " %given" + N + ":i1";
    }
    Arg += Count;
  }
}

std::string RowWriter::getOperand(unsigned Number,
                                  const ContractionEpilogue::Operand &O) const {
  std::string N = utostr(Number);
  switch (O.K) {
  case ContractionEpilogue::Sum:
    return "{sum}";
  case ContractionEpilogue::Output:
    return "%C[{column}]";
  case ContractionEpilogue::Scalar:
    return "%x" + N;
  case ContractionEpilogue::PerRow:
    return "%p" + N + "[0]";
  case ContractionEpilogue::PerElement:
    return "%p" + N + "[{column}]";
  }
  llvm_unreachable("all kinds are listed");
}

/// The operands by number, in lines that begin with \p Indent. What may not be
/// read without its condition is put into a local first, of the shape \p Shape
/// and at \p Place there.
void RowWriter::setOperands(StringRef Indent, StringRef Shape,
                            StringRef Place) {
  for (StringRef Hole : {"locals", "given", "operands"})
    Holes[Hole] = "";
  if (Spec.Epilogue.isTrivial()) {
    Holes["operands"] = (Indent + "let o0 = {sum}\n").str();
    return;
  }
  for (auto [Number, O] : enumerate(Spec.Epilogue.Operands)) {
    std::string N = utostr(Number), Operand = getOperand(Number, O);
    if (hasGiven(O)) {
      std::string Local = "given" + N, Target = (Local + Place).str();
      Holes["locals"] +=
          ("      local " + Local + ":" + getName(O.Ty) + Shape + " reg\n")
              .str();
      Holes["given"] +=
          (Indent + Target + (isFloat(O.Ty) ? " = 0.0\n" : " = 0\n") + Indent +
           Target + " = " + Operand + "  if %given" + N + "\n")
              .str();
      Operand = Target;
    }
    Holes["operands"] += (Indent + "let o" + N + " = " + Operand + "\n").str();
  }
}

/// Steps from \p First to \p Last by \p Sizes, of the groups from \p Group to
/// \p Behind; \p At is the first of a block.
void RowWriter::addSteps(StringRef First, StringRef Last, StringRef Sizes,
                         StringRef Group, StringRef Behind, StringRef At,
                         StringRef Ahead) {
  set("first", First);
  set("last", Last);
  set("sizes", Sizes);
  set("group", Group);
  set("behind", Behind);
  set("at", At);
  set("ahead", Ahead);
  Holes["steps"] += fill(StepsOfGroups);
}

/// Columns in \p Blocks of \p Groups vectors. Of two groups one is some lines
/// behind the other: rows whose distance is a multiple of what a way of the
/// cache holds have all their lines for one step in one set, which has no room
/// for two groups.
std::string RowWriter::writeColumns(unsigned Groups, StringRef Blocks,
                                    function_ref<void()> AddSteps) {
  set("blocks", Blocks);
  set("groups", Twine(Groups));
  set("columns", Twine(getLanes() * Groups));
  set("steps", "");
  AddSteps();
  setOperands("        ", "[{lanes}]", "[j]");
  return fill(ColumnsInLanes);
}

/// Whole blocks of columns, then the others by a shorter code, a vector at a
/// time. Where there is never more than a row all of them are here, the last
/// ones in lanes of which some are junk.
std::string RowWriter::writeAllColumns() {
  constexpr unsigned LinesApart = 4;
  unsigned Lanes = getLanes(), Line = getLine();
  Type *Elem = getIRType(Spec.Ty, F.getContext());
  set("part", Twine(getPartLanes(Lanes, Elem)));
  set("squares", Twine(Line / Lanes));
  set("rows", "min({lanes}, size(J) - {lanes}*G)");
  set("square", "min({lanes}, size(K) - {lanes}*Q)");
  set("sum", "acc[{lanes}*G + j]");
  set("column", "J + {lanes}*G + j");
  set("next", getStep("%A[{at} + {lanes}*Q + k]", "t[k,j]", "{sum}"));
  set("apart", Twine(LinesApart * Line));
  set("lines", "{line}*floordiv(%K,{line})");
  set("whole", "{columns}*floordiv(%N,{columns})");
  set("begin", "0");
  set("end", "{whole}");
  std::string Text = writeColumns(Plan.RowGroups, "step {columns}", [&] {
    // A vector that is apart has a pointer for each step: twice the code.
    if (Plan.RowGroups == 1 || Spec.TransA)
      return addSteps("0", "%K", "{line} {part} 1", "0", "{groups}", "K",
                      Ahead);
    addSteps("0", "min({apart}, {lines})", "{line}", "0", "1", "K");
    addSteps("{apart}", "{lines}", "{line}", "0", "2", "K - {apart}*G", Ahead);
    addSteps("max(0, {lines} - {apart})", "{lines}", "{line}", "1", "2", "K");
    addSteps("{lines}", "%K", "{part} 1", "0", "2", "K");
  });
  bool HasRest = Spec.SingleRow && !DLOPT_PLANTED(RowRestDropped);
  if (Plan.RowGroups == 1 && !HasRest)
    return Text;
  set("begin", fill("{whole}"));
  set("end", HasRest ? "%N" : "{lanes}*floordiv(%N,{lanes})");
  set("squares", "1");
  return Text + writeColumns(1, HasRest ? "upto {lanes}" : "step {lanes}", [&] {
           addSteps("0", "%K", "{part} 1", "0", "1", "K");
         });
}

/// \p Rows rows at a time, of each of \p Blocks; \p Column is that of row G.
std::string RowWriter::writeDots(unsigned Rows, StringRef Blocks,
                                 StringRef Column) {
  unsigned Lanes = getLanes(), Width = Lanes * Plan.DotVectors;
  set("rows", Blocks);
  set("column", Column);
  set("groups", Twine(Rows));
  set("width", Twine(Width));
  set("others", Twine(Plan.DotVectors - 1));
  set("blocks", Plan.DotVectors > 1 ? "{width} {lanes}" : "{lanes}");
  set("sum", "total[G]");
  set("fadd", withFlags("fadd", Spec.AddFlags));
  set("some", getStep("%A[K + k]", "%B[{column},K + k]", "some[G,k]"));
  set("next", getStep("%A[K]", "%B[{column},K]", "{sum}"));
  setOperands("      ", "[1]", "[0]");
  set("halves", "");
  set("whole", "some[G,");
  for (unsigned Half = Lanes / 2; Half > 1; Half /= 2) {
    set("half", Twine(Half));
    Holes["locals"] += fill("      local half{half}:{type}[{half}] reg\n");
    Holes["halves"] += fill(HalfOfLanes);
    set("whole", "half" + Twine(Half) + "[");
  }
  Holes["halves"] +=
      "      {sum} = {fadd}({sum}, {fadd}({whole}0], {whole}1]))\n";
  return fill(StepsInLanes);
}

/// The last leaf has the operands by number: what is stored comes behind them.
static void addEpilogue(Node &N, const Expression &X) {
  if (N.K != Node::LeafNode)
    return addEpilogue(*N.Children.back(), X);
  if (X.empty())
    return;
  SmallVector<OpId, 16> Ids;
  for (Op O : X.Ops) {
    if (O.K == Op::Param) {
      Ids.push_back(O.Ref);
      continue;
    }
    for (OpId &Arg : O.Args)
      Arg = Ids[Arg];
    Ids.push_back(static_cast<OpId>(N.L.Ops.size()));
    N.L.Ops.push_back(std::move(O));
  }
  N.L.Assigns.front().Value = Ids[X.Result];
}

/// Elements are where their type may be.
static void bindBuffer(Buffer &Buf, Value *Pointer) {
  Buf.Bound = Pointer;
  auto *Arg = cast<Argument>(Pointer);
  LLVMContext &C = Arg->getContext();
  const DataLayout &DL = Arg->getParent()->getDataLayout();
  Arg->addAttr(
      Attribute::getWithAlignment(C, DL.getABITypeAlign(getIRType(Buf.Ty, C))));
}

std::unique_ptr<Kernel> RowWriter::write() {
  std::string Text;
  if (Spec.usesDots()) {
    set("together", Twine(Plan.DotRows));
    set("part", "floordiv(%N,{together})");
    Text = writeDots(Plan.DotRows, "{part}", "J + {part}*G") +
           writeDots(1, "{together}*{part}..%N", "J");
  } else {
    Text = writeAllColumns();
  }
  auto Kernels = cantFail(parseKernels(fill(Header) + Text, "row"));
  std::unique_ptr<Kernel> K = std::move(Kernels.front());
  for (auto &Nest : K->Root.Children)
    addEpilogue(*Nest, Spec.Epilogue.Value);
  for (Param &P : K->Params)
    P.Bound = Bound.lookup(P.Name);
  for (Buffer &Buf : K->Buffers)
    if (!Buf.IsLocal)
      bindBuffer(Buf, Bound.lookup(Buf.Name));
  return K;
}

unsigned getRowLanes(const ContractionSpec &S, const ContractionPlan &P) {
  unsigned Line = CacheLineBytes / getSizeInBytes(S.Ty);
  return S.usesDots() ? 1 : std::min(P.VectorElems, Line);
}

void emitRow(Function &F, const ContractionSpec &S, const ContractionPlan &P) {
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", &F));
  std::unique_ptr<Kernel> K = RowWriter(B, S, P).write();
  lowerSchedule(B, *K, MathPlan());
  B.CreateRetVoid();
}

} // namespace dlopt::contraction
