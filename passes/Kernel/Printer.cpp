//===- Printer.cpp - Kernels as text --------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Operations.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace dlopt;

/// Expressions nest at most this deep; deeper ones are cut by a let.
static constexpr unsigned MaxInline = 24;

/// "<...>" behind the name of an operation, or nothing.
static std::string printFlags(const Op &O) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (O.K == Op::Inst && isCompareOpcode(O.Opcode))
    OS << ' ' << CmpInst::getPredicateName(O.Pred);
  if (O.FMF.any()) {
    std::string Flags;
    raw_string_ostream FlagsOS(Flags);
    O.FMF.print(FlagsOS);
    OS << ' ' << StringRef(Flags).trim();
  }
  for (auto [Set, Name] :
       {std::pair(O.NUW, " nuw"), std::pair(O.NSW, " nsw"),
        std::pair(O.Exact, " exact"), std::pair(O.Disjoint, " disjoint"),
        std::pair(O.NNeg, " nneg"), std::pair(O.WritesErrno, " errno")})
    if (Set)
      OS << Name;
  return Text.empty() ? "" : "<" + Text.substr(1) + ">";
}

static std::string printName(const Op &O) {
  if (O.K == Op::LibCall)
    return "@" + quoteIfNeeded(O.Callee);
  if (O.K == Op::Inst)
    return Instruction::getOpcodeName(O.Opcode);
  auto Info = findIntrinsic(O.Opcode);
  if (!Info)
    return "<bad intrinsic>";
  // llvm.trunc rounds, the opcode trunc cuts bits.
  return (parseOpcode(Info->Name) ? "llvm." : "") + Info->Name.str();
}

namespace {

/// Prints the body of one leaf as lets and nested expressions.
class BodyPrinter {
public:
  BodyPrinter(const Kernel &K, const KernelText &Text, const Leaf &L)
      : K(K), Text(Text), L(L), LetNames(L.Ops.size()) {
    chooseLets();
  }

  void printLets(raw_ostream &OS, unsigned Indent) const {
    for (OpId Id = 0; Id < L.Ops.size(); ++Id)
      if (!LetNames[Id].empty())
        OS.indent(Indent) << "let " << LetNames[Id] << " = "
                          << operation(Id, std::nullopt) << '\n';
  }

  std::string expression(OpId Id, std::optional<ScalarType> Expected) const {
    if (Id >= L.Ops.size())
      return "<bad operand>";
    return LetNames[Id].empty() ? operation(Id, Expected) : LetNames[Id];
  }

private:
  /// Operations that are as short as the name of a let would be.
  bool isInline(const Op &O) const {
    switch (O.K) {
    case Op::Const:
    case Op::Index:
    case Op::Param:
      return true;
    case Op::Load:
      return O.Acc.Subs.empty() && O.Acc.Buf < K.Buffers.size() &&
             K.Buffers[O.Acc.Buf].IsLocal;
    default:
      return false;
    }
  }

  void chooseLets();
  std::string operation(OpId Id, std::optional<ScalarType> Expected) const;
  std::string suffix(ScalarType Ty, std::optional<ScalarType> Expected) const {
    return Ty == Expected ? "" : ":" + getName(Ty).str();
  }

  const Kernel &K;
  const KernelText &Text;
  const Leaf &L;
  std::vector<std::string> LetNames;
};

} // namespace

void BodyPrinter::chooseLets() {
  std::vector<unsigned> Uses = KernelText::countUses(L);
  // Two calls that write errno are named, so that their order is kept.
  unsigned NumErrno = 0;
  for (auto [O, N] : zip(L.Ops, Uses))
    NumErrno += N && O.WritesErrno;
  std::vector<unsigned> Depth(L.Ops.size(), 0);
  unsigned Next = 0;
  for (OpId Id = 0; Id < L.Ops.size(); ++Id) {
    const Op &O = L.Ops[Id];
    if (!Uses[Id] || isInline(O))
      continue;
    for (OpId Arg : O.Args)
      if (Arg < Id)
        Depth[Id] = std::max(Depth[Id], Depth[Arg] + 1);
    if (Uses[Id] == 1 && Depth[Id] < MaxInline &&
        !(O.WritesErrno && NumErrno > 1))
      continue;
    Depth[Id] = 0;
    do
      LetNames[Id] = "t" + utostr(Next++);
    while (Text.isTaken(LetNames[Id]));
  }
}

std::string BodyPrinter::operation(OpId Id,
                                   std::optional<ScalarType> Expected) const {
  const Op &O = L.Ops[Id];
  switch (O.K) {
  case Op::Const:
    return printScalar(O.Ty, O.Bits) +
           (O.Ty == ScalarType::I1 ? "" : suffix(O.Ty, Expected));
  case Op::Index:
    return "index(" + Text.poly(O.Idx) + ")" + suffix(O.Ty, Expected);
  case Op::Param:
    return Text.param(O.Ref);
  case Op::Load:
    return Text.access(O.Acc);
  case Op::View:
    return "view(" + expression(O.Args[0], O.Ty) + ", " +
           expression(O.Args[1], O.Ty) + ", " +
           Text.constraint({O.Idx, /*IsEquality=*/false}) + ")";
  case Op::Inst:
  case Op::Intrinsic:
  case Op::LibCall:
    break;
  }
  std::string Result = printName(O) + printFlags(O) + "(";
  SmallVector<ScalarType, 3> Types;
  for (auto [ArgNo, Arg] : enumerate(O.Args)) {
    if (ArgNo)
      Result += ", ";
    if (Arg >= Id) {
      Result += "<bad operand>";
      Types.push_back(O.Ty);
      continue;
    }
    Result += expression(Arg, getExpectedType(O, ArgNo, Expected, Types));
    Types.push_back(L.Ops[Arg].Ty);
  }
  return Result + ")" + suffix(O.Ty, getDefaultType(O, Types));
}

namespace {

/// Prints the tree.
class KernelPrinter {
public:
  KernelPrinter(const Kernel &K, raw_ostream &OS) : K(K), OS(OS), Text(K) {}
  void print();

private:
  void printHeader();
  void printBuffers();
  void printNumber(ParamId Id);
  void printChildren(const Node &N, unsigned Indent);
  void printAxis(const Node &N, unsigned Indent);
  void printBound(ArrayRef<Poly> Ps, StringRef Several);
  void printSchedule(const AxisSchedule &S);
  void printDomain(const Leaf &L);
  void printLeaf(const Leaf &L, unsigned Indent);
  void printNeed(const Need &N);

  const Kernel &K;
  raw_ostream &OS;
  KernelText Text;
};

} // namespace

void KernelPrinter::print() {
  printHeader();
  printChildren(K.Root, 2);
  for (const Need &N : K.Needs)
    printNeed(N);
}

void KernelPrinter::printHeader() {
  OS << "kernel " << K.Id << " @" << quoteIfNeeded(K.Function);
  if (!K.Location.empty()) {
    bool Plain =
        StringRef(K.Location).contains(':') && all_of(K.Location, [](char C) {
          return isAlnum(C) || StringRef("_./+:-").contains(C);
        });
    OS << "  " << (Plain ? K.Location : quote(K.Location));
  }
  if (!K.Kind.empty())
    OS << "  " << K.Kind;
  OS << '\n';
  if (any_of(K.Params, [](const Param &P) { return !P.isComputed(); })) {
    OS << "  params  ";
    for (auto [Id, P] : enumerate(K.Params)) {
      if (P.isComputed())
        continue;
      OS << ' ' << Text.param(Id);
      std::string Type = getName(P.Ty).str();
      if (!P.Signed && !isFloat(P.Ty))
        Type[0] = 'u';
      if (Type != "i64")
        OS << ':' << Type;
    }
    OS << '\n';
  }
  if (any_of(K.Buffers, [](const Buffer &B) { return !B.IsLocal; }))
    printBuffers();
  for (auto [Id, P] : enumerate(K.Params))
    if (P.isComputed())
      printNumber(static_cast<ParamId>(Id));
}

void KernelPrinter::printBuffers() {
  OS << "  buffers ";
  for (auto [Id, B] : enumerate(K.Buffers)) {
    if (B.IsLocal)
      continue;
    OS << ' ' << Text.buffer(Id) << ':' << getName(B.Ty);
    if (B.Private)
      OS << '[' << B.Private << ']';
    if (Text.declaredStrides(Id) != "(1)")
      OS << Text.declaredStrides(Id);
  }
  OS << '\n';
}

void KernelPrinter::printNumber(ParamId Id) {
  const Param &P = K.Params[Id];
  OS << "  let " << Text.param(Id) << " =";
  for (const NumberCase &C : P.Cases) {
    OS << (&C == P.Cases.begin() ? " " : " else ") << Text.poly(C.Value);
    for (const Constraint &If : C.Where)
      OS << (&If == C.Where.begin() ? " where " : ", ") << Text.constraint(If);
  }
  OS << " in " << P.Least << ".." << P.Most << '\n';
}

void KernelPrinter::printChildren(const Node &N, unsigned Indent) {
  if (!N.Locals.empty()) {
    OS.indent(Indent) << "local";
    for (BufferId B : N.Locals) {
      OS << ' ' << Text.buffer(B);
      if (B >= K.Buffers.size())
        continue;
      OS << ':' << getName(K.Buffers[B].Ty);
      if (!K.Buffers[B].Shape.empty())
        OS << '[' << Text.polys(K.Buffers[B].Shape, ",") << ']';
      if (K.Buffers[B].Where != Buffer::AnyPlace)
        OS << (K.Buffers[B].Where == Buffer::Register ? " reg" : " stack");
    }
    OS << '\n';
  }
  for (const auto &Child : N.Children)
    switch (Child->K) {
    case Node::Sequence:
      OS.indent(Indent) << (Child->Cases.empty() ? "block"
                            : Child->CasesAreOne ? "case all "
                                                 : "case ");
      for (const Constraint &C : Child->Cases)
        OS << (&C == Child->Cases.begin() ? "" : ", ") << Text.constraint(C);
      OS << '\n';
      printChildren(*Child, Indent + 2);
      break;
    case Node::AxisNode:
      printAxis(*Child, Indent);
      break;
    case Node::LeafNode:
      printLeaf(Child->L, Indent);
      break;
    }
}

void KernelPrinter::printBound(ArrayRef<Poly> Ps, StringRef Several) {
  if (Ps.size() == 1)
    OS << Text.poly(Ps[0]);
  else
    OS << Several << '(' << Text.polys(Ps) << ')';
}

void KernelPrinter::printSchedule(const AxisSchedule &S) {
  if (S.isBlocks())
    OS << (S.IsUpTo ? " upto" : " step");
  if (S.Limit)
    OS << ' ' << Text.param(*S.Limit);
  else
    for (const ScheduleSize &Size : S.Steps)
      OS << ' ' << getText(Size);
  OS << (S.HasRest    ? " rest"
         : S.Overlaps ? " over"
                      : "")
     << (S.Once ? " once" : "") << (S.Unrolled ? " unroll" : "");
  if (S.Lanes)
    OS << " lanes " << getText(S.Lanes);
  if (!S.Row.empty())
    OS << " row " << S.Row;
}

void KernelPrinter::printAxis(const Node &N, unsigned Indent) {
  OS.indent(Indent);
  const Node *Current = &N;
  while (true) {
    if (Current->Ax >= K.Axes.size()) {
      OS << "<bad axis>";
    } else {
      const Axis &A = K.Axes[Current->Ax];
      OS << getName(A.R) << ' ' << Text.axis(Current->Ax) << '[';
      if (!A.Begins.empty()) {
        printBound(A.Begins, "max");
        OS << "..";
      }
      printBound(A.Extents, "min");
      OS << ']';
      printSchedule(A.Schedule);
    }
    // Perfectly nested axes share a line.
    if (!Current->Locals.empty() || Current->Children.size() != 1 ||
        Current->Children[0]->K != Node::AxisNode)
      break;
    Current = Current->Children[0].get();
    OS << ' ';
  }
  OS << '\n';
  printChildren(*Current, Indent + 2);
}

void KernelPrinter::printDomain(const Leaf &L) {
  for (const Constraint &C : L.Domain)
    OS << (&C == L.Domain.begin() ? "  where " : ", ") << Text.constraint(C);
}

void KernelPrinter::printLeaf(const Leaf &L, unsigned Indent) {
  if (L.Prefetch) {
    OS.indent(Indent) << "prefetch " << Text.access(*L.Prefetch);
    if (L.PrefetchLocality != 2)
      OS << " locality " << L.PrefetchLocality;
    printDomain(L);
    OS << '\n';
    return;
  }
  if (L.IsFence) {
    OS.indent(Indent) << "fence\n";
    return;
  }
  BodyPrinter Body(K, Text, L);
  Body.printLets(OS, Indent);
  OS.indent(Indent);
  bool IsTuple = L.Assigns.size() != 1;
  auto PrintTuple = [&](auto Each) {
    OS << (IsTuple ? "(" : "");
    for (const Assign &A : L.Assigns)
      OS << (&A == L.Assigns.begin() ? "" : ", ") << Each(A);
    OS << (IsTuple ? ")" : "");
  };
  PrintTuple([&](const Assign &A) {
    return Text.access(A.Target) + (A.IsNonTemporal ? " nt" : "");
  });
  OS << " = ";
  PrintTuple([&](const Assign &A) {
    BufferId B = A.Target.Buf;
    return Body.expression(A.Value, B < K.Buffers.size()
                                        ? std::optional(K.Buffers[B].Ty)
                                        : std::nullopt);
  });
  printDomain(L);
  if (L.Predicate)
    OS << "  if " << Body.expression(*L.Predicate, ScalarType::I1);
  OS << '\n';
}

void KernelPrinter::printNeed(const Need &N) {
  OS << "  needs    ";
  if (N.K == Need::InRange) {
    OS << "inrange(" << N.Lo << " <= " << Text.poly(N.P) << " <= " << N.Hi
       << ")\n";
    return;
  }
  if (N.K == Need::NonZero) {
    OS << "nonzero(" << Text.buffer(N.Buf) << "; " << Text.poly(N.P) << ")\n";
    return;
  }
  if (N.K == Need::NoErrno) {
    OS << "noerrno(" << Text.buffer(N.Buf) << ")\n";
    return;
  }
  if (N.K == Need::Aligned) {
    OS << "aligned(" << Text.buffer(N.Buf) << "; " << N.Lo << ")\n";
    return;
  }
  OS << (N.K == Need::Same ? "same(" : "disjoint(") << Text.buffer(N.Buf)
     << ';';
  for (BufferId B : N.Others)
    OS << ' ' << Text.buffer(B);
  OS << ")\n";
}

void Kernel::print(raw_ostream &OS) const { KernelPrinter(*this, OS).print(); }
