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
#include "ContractionText.h"
#include "RegisterTranspose.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/IR/Function.h"

using namespace llvm;

namespace dlopt::contraction {

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
{steps}    par e[1] par G[{groups}] unroll
{locals}      par j[{rows}] lanes {lanes}
{given}{operands}        %C[0,{column}] = o0
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
        prefetch %B[{column},{at} + %ahead] locality {near}  where %far >= 1, size(K) == {line}
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
    par e[1] par G[{groups}] unroll
{locals}      red v[{others}] unroll par k[{lanes}] lanes {lanes}
        some[G,k] = {fadd}(some[G,{lanes}*v + {lanes} + k], some[G,k])
{halves}{given}{operands}      %C[0,{column}] = o0
)";

/// One of the additions of all lanes, the last at the end.
static constexpr StringLiteral HalfOfLanes =
    R"(      par k[{half}] lanes {half}
        half{half}[k] = {fadd}({whole}k], {whole}{half} + k])
)";

/// How far a second vector of rows is behind the first one, if it is.
static constexpr unsigned LinesApart = 4;

namespace {

class RowWriter : ContractionText {
public:
  RowWriter(IRBuilderBase &B, const ContractionSpec &S,
            const ContractionPlan &P);
  std::string write();
  using ContractionText::emit;

private:
  unsigned getLine() const { return CacheLineBytes / getSizeInBytes(Spec.Ty); }
  unsigned getLanes() const {
    return std::min<unsigned>(Plan.VectorElems, getLine());
  }
  /// Two vectors of rows at a time, of each of which a step reads a line.
  bool hasPairsOfLines() const {
    return Plan.RowGroups > 1 && getLanes() == getLine();
  }
  void setAhead(Value *N, Value *K, Value *Ldb);
  void setPairs(Value *N, Value *K, Value *Ldb, Value *IsFar);
  void addSteps(StringRef First, StringRef Last, StringRef Sizes,
                StringRef Group, StringRef Behind, StringRef At,
                StringRef Ahead = "");
  std::string writeColumns(unsigned Groups, StringRef Blocks,
                           function_ref<void()> AddSteps);
  std::string writeAllColumns();
  std::string writeDots(unsigned Rows, StringRef Blocks, StringRef Column);

  Type *Elem;
};

} // namespace

static SmallVector<Value *, 8> getOperandArgs(Function &F) {
  SmallVector<Value *, 8> Args;
  for (Argument &X : drop_begin(F.args(), NumEntryArgs))
    Args.push_back(&X);
  return Args;
}

RowWriter::RowWriter(IRBuilderBase &B, const ContractionSpec &S,
                     const ContractionPlan &P)
    : ContractionText(B, S, P,
                      getOperandArgs(*B.GetInsertBlock()->getParent())),
      Elem(getIRType(S.Ty, B.getContext())) {
  Function &F = *B.GetInsertBlock()->getParent();
  for (auto [Name, Number] : {std::pair("C", 0), std::pair("A", 2),
                              std::pair("B", 4), std::pair("S", 6)})
    bind(Name, F.getArg(Number));
  for (auto [Name, Number] :
       {std::pair("N", 10), std::pair("K", 11), std::pair("lda", 3),
        std::pair("ldb", 5), std::pair("scs", 8)})
    addNumber(Name, F.getArg(Number));
  setAhead(F.getArg(10), F.getArg(11), F.getArg(5));
  set("matrices", " %C:{output}(%N,1) %A:{type}({stride}) %B:{type}(%ldb,1) "
                  "%S:{type}(%scs)");
  set("row", "0");
  set("stride", S.TransA ? "%lda" : "1");
  set("lanes", Twine(getLanes()));
  set("line", Twine(getLine()));
}

/// How far ahead each row of a matrix is fetched that no cache holds: there are
/// more rows than streams that the hardware follows. Measured on Cascade Lake
/// at 2 to 16 lines: 4096^2 of float gains 8 to 25% at 4. Where a cache holds
/// the matrix, fetching costs more than it saves: up to 25% in the second-level
/// cache. Cores that take two vectors of rows elsewhere fetch 8 lines ahead,
/// for one use: on a Zen 5 4096^2 takes 0.88 and 4000^2 0.91 to 1.00 of the
/// time by 4 lines to the second-level cache, of whose sets such rows share a
/// few.
void RowWriter::setAhead(Value *N, Value *K, Value *Ldb) {
  unsigned LinesAhead = hasPairsOfLines() ? 8 : 4;
  set("near", hasPairsOfLines() ? "0" : "2");
  Emitter E(B, Spec);
  unsigned Groups = hasPairsOfLines() ? 1 : Plan.RowGroups;
  Value *Rows = B.getInt64(uint64_t(Groups) * getLanes());
  Value *Far = E.isLarge(N, Ldb);
  addNumber("far", B.CreateZExt(Far, B.getInt64Ty()));
  addNumber("ahead",
            B.CreateSelect(E.isShort(K), B.CreateMul(Ldb, Rows),
                           B.getInt64(uint64_t(LinesAhead) * getLine())));
  if (hasPairsOfLines())
    setPairs(N, K, Ldb, Far);
}

/// How many blocks of two vectors of rows there are, and how far one of these
/// is behind the other. One vector at a time reads memory faster, which rows
/// are in of which half of the last cache cannot hold all, and short rows.
void RowWriter::setPairs(Value *N, Value *K, Value *Ldb, Value *IsFar) {
  Value *Bytes = Emitter(B, Spec).getBytes(Ldb);
  auto IsMultiple = [&](uint64_t Of) {
    return B.CreateICmpEQ(B.CreateAnd(Bytes, B.getInt64(Of - 1)),
                          B.getInt64(0));
  };
  Value *IsLarge = B.CreateICmpUGT(
      B.CreateMul(N, Bytes), B.getInt64(std::max(CachedBytes, Plan.PairBytes)));
  // Rows two pages apart, or a multiple, share sets of the second-level cache.
  IsLarge = B.CreateSelect(IsMultiple(2 * PageBytes), IsFar, IsLarge);
  Value *IsShort = B.CreateICmpULT(K, B.getInt64(uint64_t(4) * getLine()));
  Value *Blocks = B.CreateUDiv(N, B.getInt64(uint64_t(2) * getLanes()));
  addNumber("blocks", B.CreateSelect(B.CreateOr(IsLarge, IsShort),
                                     B.getInt64(0), Blocks));
  // Rows that are a half of a page apart, or a multiple, share one or two of
  // the sets of the first-level cache.
  addNumber("apart", B.CreateSelect(IsMultiple(PageBytes / 2),
                                    B.getInt64(LinesApart), B.getInt64(0)));
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
  add("steps", fill(StepsOfGroups));
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
  setOperands("        ", "      ", "[{lanes}]", "[j]");
  return fill(ColumnsInLanes);
}

/// Whole blocks of columns, then the others by a shorter code, a vector at a
/// time. Where there is never more than a row all of them are here, the last
/// ones in lanes of which some are junk.
std::string RowWriter::writeAllColumns() {
  unsigned Lanes = getLanes(), Line = getLine();
  set("part", Twine(getPartLanes(Lanes, Elem)));
  set("squares", Twine(Line / Lanes));
  set("rows", "min({lanes}, size(J) - {lanes}*G)");
  set("square", "min({lanes}, size(K) - {lanes}*Q)");
  set("sum", "acc[{lanes}*G + j]");
  set("column", "J + {lanes}*G + j");
  set("next", getStep("%A[{at} + {lanes}*Q + k]", "t[k,j]", "{sum}"));
  set("apart",
      hasPairsOfLines() ? "{line}*%apart" : Twine(LinesApart * Line).str());
  set("lines", "{line}*floordiv(%K,{line})");
  set("whole", hasPairsOfLines() ? "{columns}*%blocks"
                                 : "{columns}*floordiv(%N,{columns})");
  set("begin", "0");
  set("end", "{whole}");
  // Of two vectors what is far runs by the code for one.
  StringRef IfFar = hasPairsOfLines() ? "" : Ahead.data();
  std::string Text = writeColumns(Plan.RowGroups, "step {columns}", [&] {
    // A vector that is apart has a pointer for each step: twice the code.
    if (Plan.RowGroups == 1 || Spec.TransA)
      return addSteps("0", "%K", "{line} {part} 1", "0", "{groups}", "K",
                      IfFar);
    addSteps("0", "min({apart}, {lines})", "{line}", "0", "1", "K", IfFar);
    addSteps("{apart}", "{lines}", "{line}", "0", "2", "K - {apart}*G", IfFar);
    addSteps("max(0, {lines} - {apart})", "{lines}", "{line}", "1", "2", "K",
             IfFar);
    addSteps("{lines}", "%K", "{part} 1", "0", "2", "K");
  });
  if (hasPairsOfLines()) {
    set("begin", fill("{whole}"));
    set("whole", "{lanes}*floordiv(%N,{lanes})");
    set("end", "{whole}");
    Text += writeColumns(1, "step {lanes}", [&] {
      addSteps("0", "%K", "{line} {part} 1", "0", "1", "K", Ahead);
    });
  }
  bool HasRest = Spec.SingleRow && !DLOPT_PLANTED(RowRestDropped);
  if ((Plan.RowGroups == 1 || hasPairsOfLines()) && !HasRest)
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
  setOperands("      ", "      ", "[1]", "[0]");
  set("halves", "");
  set("whole", "some[G,");
  for (unsigned Half = Lanes / 2; Half > 1; Half /= 2) {
    set("half", Twine(Half));
    add("locals", fill("      local half{half}:{type}[{half}] reg\n"));
    add("halves", fill(HalfOfLanes));
    set("whole", "half" + Twine(Half) + "[");
  }
  add("halves", "      {sum} = {fadd}({sum}, {fadd}({whole}0], {whole}1]))\n");
  return fill(StepsInLanes);
}

std::string RowWriter::write() {
  if (!Spec.usesDots())
    return writeAllColumns();
  set("together", Twine(Plan.DotRows));
  set("part", "floordiv(%N,{together})");
  return writeDots(Plan.DotRows, "{part}", "J + {part}*G") +
         writeDots(1, "{together}*{part}..%N", "J");
}

unsigned getRowLanes(const ContractionSpec &S, const ContractionPlan &P) {
  unsigned Line = CacheLineBytes / getSizeInBytes(S.Ty);
  return S.usesDots() ? 1 : std::min(P.VectorElems, Line);
}

void emitRow(Function &F, const ContractionSpec &S, const ContractionPlan &P) {
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", &F));
  RowWriter Row(B, S, P);
  Row.emit(Row.write());
  B.CreateRetVoid();
}

} // namespace dlopt::contraction
