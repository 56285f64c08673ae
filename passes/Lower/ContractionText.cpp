//===- ContractionText.cpp - Contractions as scheduled kernels ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "ContractionText.h"
#include "ContractionEmitter.h"
#include "dlopt/LowerSchedule.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace dlopt::contraction {

static constexpr StringLiteral Header = R"(kernel 0 @product
  params  {numbers}{params}
  buffers {matrices}{buffers}
)";

std::string withFlags(StringRef Name, FastMathFlags Flags) {
  std::string Text = Name.str();
  raw_string_ostream OS(Text);
  if (Flags.any()) {
    OS << '<';
    Flags.print(OS);
    OS << '>';
  }
  return Text;
}

ContractionText::ContractionText(IRBuilderBase &B, const ContractionSpec &S,
                                 const ContractionPlan &P,
                                 ArrayRef<Value *> Operands)
    : B(B), Spec(S), Plan(P), Ending(&S.Epilogue.Value) {
  set("type", getName(Spec.Ty));
  set("output", getName(Spec.getOutputTy()));
  bindOperands(Operands);
}

std::string ContractionText::fill(StringRef Template) const {
  auto [Text, Rest] = Template.split('{');
  if (Text.size() == Template.size())
    return Text.str();
  auto [Hole, Behind] = Rest.split('}');
  return Text.str() + fill(Holes.lookup(Hole)) + fill(Behind);
}

void ContractionText::addNumber(StringRef Name, Value *V, int64_t Least) {
  bind(Name, V);
  add("numbers", " %" + Name);
  add("needs", "  needs    inrange(" + Twine(Least) + " <= %" + Name +
                   " <= " + Twine(INT64_MAX) + ")\n");
}

std::string ContractionText::getStep(std::string X, std::string Y,
                                     StringRef Sum) const {
  auto Call = [](StringRef Name, FastMathFlags Flags,
                 std::initializer_list<StringRef> Args) {
    return withFlags(Name, Flags) + "(" + join(Args, ", ") + ")";
  };
  if (Spec.Scale && !DLOPT_PLANTED(ScaleLost)) {
    X = Call("fmul", Spec.ScaleFlags, {X, Y});
    Y = "%x" + utostr(*Spec.Scale);
  }
  ContractionSpec::Combiner Comb = Spec.Comb;
  if (Comb == ContractionSpec::FMulAdd && DLOPT_PLANTED(FusedSeparated))
    Comb = ContractionSpec::MulAdd;
  else if (Comb == ContractionSpec::MulAdd && DLOPT_PLANTED(SeparateFused))
    Comb = ContractionSpec::FMulAdd;
  if (Comb == ContractionSpec::MulAdd) {
    std::string Product = Call("fmul", Spec.MulFlags, {X, Y});
    return Spec.Subtracts ? Call("fsub", Spec.AddFlags, {Sum, Product})
                          : Call("fadd", Spec.AddFlags, {Product, Sum});
  }
  // All targets that fuse have an instruction for it.
  if (Spec.Subtracts)
    Y = "fneg(" + Y + ")";
  return Call(Comb == ContractionSpec::FMA ? "fma" : "fmuladd", Spec.AddFlags,
              {X, Y, Sum});
}

/// Whether an argument says if \p O may be read. The output may always be.
static bool hasGiven(const ContractionEpilogue::Operand &O) {
  return O.Conditional && getNumArgs(O) > 1;
}

void ContractionText::bindOperands(ArrayRef<Value *> Args) {
  for (auto [Number, O] : enumerate(Spec.Epilogue.Operands)) {
    std::string N = utostr(Number), Ty = ":" + getName(O.Ty).str();
    unsigned Count = getNumArgs(O);
    if (O.K == ContractionEpilogue::Scalar) {
      bind("x" + N, Args.front());
      add("params", " %x" + N + Ty);
    } else if (Count) {
      bind("p" + N, Args.front());
      bind("prs" + N, Args[1]);
      add("params", " %prs" + N);
      std::string Strides = "%prs" + N;
      if (O.Stepped) {
        bind("pcs" + N, Args[2]);
        add("params", " %pcs" + N);
        Strides += ",%pcs" + N;
      } else if (O.K == ContractionEpilogue::PerElement) {
        Strides += ",1";
      }
      add("buffers", " %p" + N + Ty + "(" + Strides + ")");
    }
    if (hasGiven(O)) {
      bind("given" + N, Args[Count - 1]);
      add("params", " %given" + N + ":i1");
    }
    Args = Args.drop_front(Count);
  }
}

std::string
ContractionText::getOperand(unsigned Number,
                            const ContractionEpilogue::Operand &O) const {
  std::string N = utostr(Number),
              Row = DLOPT_PLANTED(EpilogueRowLost) ? "0" : "{row}";
  switch (O.K) {
  case ContractionEpilogue::Sum:
    return "{sum}";
  case ContractionEpilogue::Output:
    return "%C[{row},{column}]";
  case ContractionEpilogue::Scalar:
    return "%x" + N;
  case ContractionEpilogue::PerRow:
    return "%p" + N + "[" + Row + "]";
  case ContractionEpilogue::PerElement:
    return "%p" + N + "[" + Row + ",{column}]";
  }
  llvm_unreachable("all kinds are listed");
}

void ContractionText::setOperands(StringRef Indent, StringRef LocalIndent,
                                  StringRef Shape, StringRef Place) {
  for (StringRef Hole : {"locals", "given", "operands"})
    set(Hole, "");
  if (Spec.Epilogue.isTrivial()) {
    set("operands", Indent + "let o0 = {sum}\n");
    return;
  }
  for (auto [Number, O] : enumerate(Spec.Epilogue.Operands)) {
    std::string N = utostr(Number), Operand = getOperand(Number, O);
    if (hasGiven(O)) {
      std::string Local = "given" + N, Target = (Local + Place).str();
      add("locals", LocalIndent + "local " + Local + ":" + getName(O.Ty) +
                        Shape + " reg\n");
      add("given", Indent + Target +
                       (isFloat(O.Ty) ? " = 0.0{when}\n" : " = 0{when}\n") +
                       Indent + Target + " = " + Operand + "{when}  if %given" +
                       N + "\n");
      Operand = Target;
    }
    add("operands", Indent + "let o" + N + " = " + Operand + "\n");
  }
}

/// The last leaf has the operands by number: what is stored comes behind them.
static void addEpilogue(Node &N, const Expression &X) {
  if (N.K != Node::LeafNode)
    return addEpilogue(*N.Children.back(), X);
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

/// The nests that end with work on sums: the axis `e`.
static void findEpilogues(const Kernel &K, Node &N,
                          SmallVectorImpl<Node *> &Found) {
  if (N.K == Node::AxisNode && K.Axes[N.Ax].Name == "e") {
    Found.push_back(&N);
    return;
  }
  for (auto &Child : N.Children)
    findEpilogues(K, *Child, Found);
}

/// Elements are where their type may be; what is of two types is where either
/// may be.
static void bindBuffer(Buffer &Buf, Value *Pointer) {
  Buf.Bound = Pointer;
  auto *Arg = dyn_cast<Argument>(Pointer);
  if (!Arg)
    return;
  LLVMContext &C = Arg->getContext();
  Align Own =
      Arg->getParent()->getDataLayout().getABITypeAlign(getIRType(Buf.Ty, C));
  if (MaybeAlign Old = Arg->getParamAlign())
    Own = std::min(*Old, Own);
  Arg->removeAttr(Attribute::Alignment);
  Arg->addAttr(Attribute::getWithAlignment(C, Own));
}

std::unique_ptr<Kernel> ContractionText::parse(StringRef Nests) const {
  std::string Text = fill(Header) + fill(Nests) + fill("{needs}");
  auto Kernels = parseKernels(Text, "product");
  if (!Kernels)
    report_fatal_error(Kernels.takeError());
  std::unique_ptr<Kernel> K = std::move(Kernels->front());
  if (!Ending->empty()) {
    SmallVector<Node *, 8> Ends;
    findEpilogues(*K, K->Root, Ends);
    for (Node *N : Ends)
      addEpilogue(*N, *Ending);
  }
  for (Param &P : K->Params)
    P.Bound = Bound.lookup(P.Name);
  for (Buffer &Buf : K->Buffers)
    if (!Buf.IsLocal)
      bindBuffer(Buf, Bound.lookup(Buf.Name));
  return K;
}

/// Where the source does what leaves of \p N do; what is not said is at the
/// sums.
static void locate(const Kernel &K, Node &N, const ContractionSpec &Spec) {
  auto IsNamed = [&](const Access &X, StringRef Name) {
    return K.Buffers[X.Buf].Name == Name;
  };
  if (N.K == Node::LeafNode) {
    if (any_of(N.L.Assigns,
               [&](const Assign &A) { return IsNamed(A.Target, "C"); }))
      N.L.Loc = Spec.ResultLoc;
    else if (any_of(N.L.Ops, [&](const Op &O) {
               return O.K == Op::Load && IsNamed(O.Acc, "S");
             }))
      N.L.Loc = Spec.StartLoc;
  }
  for (auto &Child : N.Children)
    locate(K, *Child, Spec);
}

void ContractionText::emit(StringRef Nests) {
  std::unique_ptr<Kernel> K = parse(Nests);
  locate(*K, K->Root, Spec);
  lowerSchedule(B, *K, MathPlan());
}

} // namespace dlopt::contraction
