//===- ContractionCopies.cpp - Copies of operands -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is copied lies as tiles read it. Nothing is rounded but what the
/// factors of the source are, so sums over a copy are those of the loop. Each
/// copy is a scheduled kernel.
///
//===----------------------------------------------------------------------===//
#include "ContractionCopies.h"
#include "ContractionEmitter.h"
#include "ContractionPanels.h"
#include "RegisterTranspose.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace dlopt::contraction {

/// A few rows at a time, so that it is not bound by the arithmetic of
/// addresses, and all panels of these, so that B is read in order.
static constexpr StringLiteral Rows = "  par R[%rows] step 4 1\n";

/// The last vector of a row may have fewer elements: all of it is stored.
static constexpr StringLiteral Panels =
    R"(    par J[{begin}..{end}] {blocks}
{ahead}      par r[size(R)] unroll
        local t:{operand}[{width}] reg
        par j[size(J)] lanes {lanes}
          t[j] = %from[R + r,J + j]
        par e[1] par j[{stored}] lanes {lanes}
{operands}          %to[{place} + {panel}*(R + r) + j] = o0
)";

static constexpr StringLiteral PanelsAhead =
    R"(      par r[size(R)] unroll par l[{lines}] unroll
        prefetch %from[R + r + {rows.ahead},J + {apart}*l] locality 3  where size(R) >= 2
)";

/// As many rows as a vector has lanes, by squares in registers. Where there are
/// fewer, the last one takes the place of the others, which nothing reads.
static constexpr StringLiteral Squares =
    R"(  par Q[{columns}] {panels} par J[{in.panel}] upto {rows}
    par K[%width] step {sizes}
      local t:{operand}[{most},{rows}] reg
{ahead}      par u[size(J)] row interleave{rows} par k[size(K)] lanes {most}
        t[k,u] = %from[Q + J + u,K + k]
      par e[1] par k[size(K)] unroll par u[{rows}] lanes {rows}
{operands}        %to[{place}] = o0
)";

static constexpr StringLiteral SquaresAhead =
    R"(      par u[{rows}]
        prefetch %from[Q + J + {rows} + u,K] locality 3  where %far >= 1, size(K) >= {most}
)";

/// Vectors along rows, four at a time.
static constexpr StringLiteral Along =
    R"(  par i[%rows] par K[%width] step {sizes}
{ahead}    par e[1] par k[size(K)] lanes {lanes}
{operands}      %to[%ldto*i + K + k] = o0
)";

static constexpr StringLiteral AlongAhead =
    R"(    par l[{lines}] unroll
      prefetch %from[i + {rows.ahead},K + {apart}*l] locality 3  where size(K) >= {block}
)";

/// Steps are rows: of each as many neighbours as a tile has rows.
static constexpr StringLiteral Groups = R"(  par k[%rows]
    par I[%groups] step {height}
      prefetch %from[k + {rows.ahead},I] locality 3
{parts}    par I[%groups..{end}]
      par e[1]
{operands}        %to[%ldto*%groups + {height}*k + I - %groups] = o0
)";

static constexpr StringLiteral PartOfGroup =
    R"(      par e[1] par i[{part}]{mode}
{operands}        %to[%ldto*I + {height}*k + {at} + i] = o0
)";

/// How many rows of B, or of A, are on their way while others are copied. A
/// panel takes a few lines of each row, usually of a page of its own, which no
/// prefetcher of the hardware follows. Measured at 4 to 32 rows on Cascade
/// Lake: all gain 2% (256^3) to 90% (128x768x3072), and are equal within 3%.
static constexpr unsigned RowsAhead = 8;

namespace {

class CopyWriter : PanelText {
public:
  CopyWriter(IRBuilderBase &B, const ContractionSpec &S,
             const ContractionPlan &P, ArrayRef<Value *> Operands,
             const CopiedBlock &Block, const Expression &Factor, Value *To);
  std::string writePanels(Value *Steps);
  std::string writePanelsOfColumns(Value *Steps);
  std::string writeRows(Value *Ld);
  using ContractionText::emit;

private:
  void setFactor(const Expression &Factor);
  void setElement(StringRef Indent, StringRef Element);
  void setLinesAhead(unsigned Vectors);
  std::string writeSquares(StringRef Place);
  std::string writeAlong();
  std::string writeGroups();

  const CopiedBlock &Block;
  bool AreNeighbours;
  /// Numbers of operands of the epilogue that are used, in their order.
  SmallVector<uint32_t, 4> Used;
  Expression Made;
};

} // namespace

CopyWriter::CopyWriter(IRBuilderBase &B, const ContractionSpec &S,
                       const ContractionPlan &P, ArrayRef<Value *> Operands,
                       const CopiedBlock &Block, const Expression &Factor,
                       Value *To)
    : PanelText(B, S, P, Operands), Block(Block) {
  auto *Step = dyn_cast<ConstantInt>(Block.Step);
  AreNeighbours = Step && Step->isOne();
  setFactor(Factor);
  Ending = &Made;
  addNumber("rows", Block.Rows, 1);
  addNumber("width", Block.Width, 1);
  addNumber("ld", Block.Ld, INT64_MIN);
  if (!Step)
    addNumber("step", Block.Step, INT64_MIN);
  bind("from", Block.From);
  bind("to", To);
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  for (auto [Name, Ty] :
       {std::pair("from", S.getOperandTy()), std::pair("to", S.Ty)}) {
    Align Own = DL.getABITypeAlign(getIRType(Ty, B.getContext()));
    add("needs", "  needs    aligned(%" + Twine(Name) + "; " +
                     Twine(Own.value()) + ")\n");
  }
  set("operand", getName(S.getOperandTy()));
  set("rows.ahead", Twine(RowsAhead));
  add("matrices", " %from:{operand}(%ld,");
  add("matrices", Step ? itostr(Step->getSExtValue()) : "%step");
  add("matrices", ") %to:{type}");
}

/// What is stored of an element, by operand 0: what \p Factor makes of it, in
/// the type of sums.
void CopyWriter::setFactor(const Expression &Factor) {
  ScalarType Ty = Spec.getOperandTy();
  if (Factor.empty() || DLOPT_PLANTED(FactorLost)) {
    Made.Result = Made.addOperand(0, Ty);
  } else {
    Made = Factor;
    for (Op &O : Made.Ops)
      if (O.K == Op::Param && O.Ref) {
        auto Number = static_cast<uint32_t>(find(Used, O.Ref) - Used.begin());
        if (Number == Used.size())
          Used.push_back(O.Ref);
        O.Ref = Number + 1;
      }
    Ty = Made.Ops[Made.Result].Ty;
  }
  if (Ty != Spec.Ty)
    Made.Result = Made.addInst(Instruction::FPExt, Spec.Ty, {Made.Result});
}

/// {operands} are \p Element and what else the factor is made with, in lines
/// that begin with \p Indent.
void CopyWriter::setElement(StringRef Indent, StringRef Element) {
  set("operands", Indent + "let o0 = " + Element + "\n");
  for (auto [Number, O] : enumerate(Used))
    add("operands",
        Indent + "let o" + Twine(Number + 1) + " = %x" + Twine(O - 1) + "\n");
}

/// {lines} lines of \p Vectors vectors, {apart} elements apart.
void CopyWriter::setLinesAhead(unsigned Vectors) {
  unsigned Bytes =
      Plan.VectorElems * Plan.TuneVScale * getSizeInBytes(Spec.getOperandTy());
  unsigned Apart = std::max(CacheLineBytes / Bytes, 1u);
  set("lines", Twine(divideCeil(Vectors, Apart)));
  set("apart", getProduct(Apart * Plan.VectorElems));
}

/// Rows of B are steps.
std::string CopyWriter::writePanels(Value *Steps) {
  addNumber("ps", Steps, 1);
  addColumns(Block.Width, Steps);
  set("panel", getProduct(getPanel()));
  setElement("          ", "t[j]");
  setLinesAhead(Plan.TileVectors);
  std::string Text = Rows.str();
  auto Add = [&](const ColumnPart &Part, StringRef Place, bool IsWhole) {
    set("begin", Part.Begin);
    set("end", Part.End);
    set("blocks", Part.Blocks);
    set("width", getElements(Part.Most));
    set("stored",
        StringRef(Part.Blocks).starts_with("upto") ? "{lanes}" : "size(J)");
    set("place", Place);
    set("ahead", IsWhole && AreNeighbours ? PanelsAhead : "");
    Text += fill(Panels);
  };
  Add({"0", "%whole", "step " + getElements(getPanel()), getPanel()}, "%ps*J",
      /*IsWhole=*/true);
  for (const ColumnPart &Part : getRest("%whole", "%width"))
    Add(Part, "%last.panel + J", /*IsWhole=*/false);
  return Text;
}

/// Element (r, e) of what is copied to \p Place, where e is K + k and r is Q +
/// J
/// + u, in squares.
std::string CopyWriter::writeSquares(StringRef Place) {
  unsigned Lanes = Plan.VectorElems;
  Type *Elem = getIRType(Spec.getOperandTy(), B.getContext());
  unsigned Part = getPartLanes(Lanes, Elem), Pair = getPairLanes(Lanes, Elem);
  std::string Sizes = utostr(Pair);
  if (Pair != Part)
    Sizes += " " + utostr(Part);
  if (!DLOPT_PLANTED(TransposedRestDropped) && Part > 1)
    Sizes += " 1";
  set("rows", Twine(Lanes));
  set("sizes", Sizes);
  set("most", Twine(Pair));
  set("place", Place);
  setElement("        ", "t[k,u]");
  set("ahead", "");
  if (Block.IsFar && AreNeighbours) {
    addNumber("far", B.CreateZExt(Block.IsFar, B.getInt64Ty()));
    set("ahead", SquaresAhead);
  }
  return fill(Squares);
}

/// Rows of B are columns.
std::string CopyWriter::writePanelsOfColumns(Value *Steps) {
  addNumber("ps", Steps, 1);
  set("columns", "%rows");
  set("panels", "upto " + getElements(getPanel()));
  set("in.panel", "size(Q)");
  return writeSquares("%ps*Q + " + getProduct(getPanel()) + "*(K + k) + J + u");
}

std::string CopyWriter::writeAlong() {
  constexpr unsigned Vectors = 4;
  unsigned Lanes = Plan.VectorElems, Most = Vectors * Lanes;
  set("lanes", Twine(Lanes));
  set("sizes", Twine(Most) + " {lanes}" +
                   (DLOPT_PLANTED(ExtendedRestDropped) ? "" : " 1"));
  set("block", Twine(Most));
  setLinesAhead(Vectors);
  setElement("      ", "%from[i,K + k]");
  set("ahead", AreNeighbours ? AlongAhead : "");
  return fill(Along);
}

std::string CopyWriter::writeGroups() {
  unsigned Height = Plan.TileRows;
  addNumber("groups", getWhole(Block.Width, B.getInt64(Height)));
  set("height", Twine(Height));
  set("parts", "");
  for (unsigned At = 0, Lanes; At != Height; At += Lanes) {
    Lanes = std::min(Plan.VectorElems, llvm::bit_floor(Height - At));
    set("part", Twine(Lanes));
    set("mode", Lanes > 1 ? " lanes {part}" : "");
    set("at", Twine(At));
    setElement("        ", "%from[k,I + {at} + i]");
    add("parts", fill(PartOfGroup));
  }
  set("end", DLOPT_PLANTED(TransposedRestDropped) ? "%groups" : "%width");
  setElement("        ", "%from[k,I]");
  return fill(Groups);
}

std::string CopyWriter::writeRows(Value *Ld) {
  addNumber("ldto", Ld, 1);
  if (Plan.GroupedA)
    return writeGroups();
  if (!Spec.TransA)
    return writeAlong();
  set("columns", "1");
  set("panels", "");
  set("in.panel", "%rows");
  return writeSquares("%ldto*(K + k) + J + u");
}

void emitCopyOfB(IRBuilderBase &B, const ContractionSpec &S,
                 const ContractionPlan &P, ArrayRef<Value *> Operands,
                 const CopiedBlock &Block, Value *Panels, Value *Steps) {
  CopyWriter Copy(B, S, P, Operands, Block, S.FactorB, Panels);
  Copy.emit(S.TransB ? Copy.writePanelsOfColumns(Steps)
                     : Copy.writePanels(Steps));
}

void emitCopyOfA(IRBuilderBase &B, const ContractionSpec &S,
                 const ContractionPlan &P, ArrayRef<Value *> Operands,
                 const CopiedBlock &Block, Value *To, Value *Ld) {
  CopyWriter Copy(B, S, P, Operands, Block, S.FactorA, To);
  Copy.emit(Copy.writeRows(Ld));
}

} // namespace dlopt::contraction
