//===- Text.cpp - Names, polynomials and accesses as text -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;
using namespace dlopt;

bool dlopt::isReservedWord(StringRef Name) {
  static constexpr StringLiteral Words[] = {
      "kernel", "params",   "buffers", "needs", "par",      "red",   "win",
      "seq",    "block",    "local",   "let",   "where",    "if",    "index",
      "true",   "false",    "nan",     "inf",   "floordiv", "mod",   "zext",
      "min",    "disjoint", "inrange", "case",  "reg",      "stack", "prefetch",
      "fence",  "function", "all",     "view",  "vl"};
  return is_contained(Words, Name);
}

bool dlopt::isBareNameStart(char C) { return isAlpha(C) || C == '_'; }
bool dlopt::isBareNameChar(char C) {
  return isAlnum(C) || C == '_' || C == '.';
}
bool dlopt::isSigilNameChar(char C) { return isBareNameChar(C) || C == '$'; }

std::string dlopt::quote(StringRef Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (isPrint(C) && C != '"' && C != '\\') {
      Result += C;
      continue;
    }
    Result += '\\';
    Result += hexdigit(static_cast<uint8_t>(C) >> 4);
    Result += hexdigit(static_cast<uint8_t>(C) & 15);
  }
  return Result + '"';
}

std::string dlopt::quoteIfNeeded(StringRef Name) {
  // Two points stand between bounds.
  if (!Name.empty() && all_of(Name, isSigilNameChar) && !Name.contains("..") &&
      !Name.ends_with("."))
    return Name.str();
  return quote(Name);
}

KernelText::KernelText(const Kernel &K) : K(K) {
  AxisOrder.assign(K.Axes.size(), ~0u);
  orderAxes(K.Root);
  nameAll();
  countStrides();
}

void KernelText::orderAxes(const Node &N) {
  if (N.K == Node::AxisNode && N.Ax < AxisOrder.size() &&
      AxisOrder[N.Ax] == ~0u)
    AxisOrder[N.Ax] = count_if(AxisOrder, [](unsigned O) { return O != ~0u; });
  for (const auto &Child : N.Children)
    orderAxes(*Child);
}

/// Bare names lose what the grammar cannot spell; equal names get a number.
std::string KernelText::makeUnique(StringRef Wanted, StringRef Default,
                                   bool Bare, StringSet<> &Used) {
  std::string Base = Wanted.empty() ? Default.str() : Wanted.str();
  if (Bare) {
    for (char &C : Base)
      if (!isBareNameChar(C) ||
          (C == '.' && (&C == &Base.back() || (&C)[1] == '.')))
        C = '_';
    if (!isBareNameStart(Base[0]))
      Base.insert(0, "_");
  }
  std::string Name = Base;
  for (unsigned N = 1; (Bare && isReservedWord(Name)) || Used.contains(Name);
       ++N)
    Name = Base + "." + utostr(N);
  Used.insert(Name);
  return Name;
}

void KernelText::nameAll() {
  for (const Param &P : K.Params)
    ParamNames.push_back(makeUnique(P.Name, "p", false, SigilTaken));
  BufferNames.resize(K.Buffers.size());
  for (auto [Name, B] : zip(BufferNames, K.Buffers))
    if (!B.IsLocal)
      Name = makeUnique(B.Name, "buf", false, SigilTaken);
  AxisNames.resize(K.Axes.size());
  // Needs stand behind the tree and mean axes anywhere in it.
  bool NeedsAxes = any_of(K.Needs, [&](const Need &N) {
    return N.isOfPoints() && K.anyNestedAtom(N.P, [](const Atom &A) {
      return A.K == Atom::Axis || A.K == Atom::Size;
    });
  });
  if (K.isScheduled() && !NeedsAxes) {
    StringSet<> Active;
    nameInScope(K.Root, Active);
  }
  nameEverywhere();
}

void KernelText::nameInScope(const Node &N, StringSet<> &Active) {
  SmallVector<std::string> Added;
  auto Add = [&](std::string &Name, StringRef Wanted, StringRef Default) {
    if (!Name.empty())
      return;
    Name = makeUnique(Wanted, Default, true, Active);
    Taken.insert(Name);
    Added.push_back(Name);
  };
  if (N.K == Node::AxisNode && N.Ax < K.Axes.size())
    Add(AxisNames[N.Ax], K.Axes[N.Ax].Name, "i");
  for (BufferId B : N.Locals)
    if (B < BufferNames.size())
      Add(BufferNames[B], K.Buffers[B].Name, "t");
  for (const auto &Child : N.Children)
    nameInScope(*Child, Active);
  for (const std::string &Name : Added)
    Active.erase(Name);
}

/// What has no name yet.
void KernelText::nameEverywhere() {
  // Axes in the order of the text, so that numbers in names are stable.
  std::map<unsigned, AxisId> InOrder;
  for (auto [Id, Order] : enumerate(AxisOrder))
    if (Order != ~0u)
      InOrder[Order] = Id;
  for (auto [Order, Id] : InOrder)
    if (AxisNames[Id].empty())
      AxisNames[Id] = makeUnique(K.Axes[Id].Name, "i", true, Taken);
  for (auto [Name, A] : zip(AxisNames, K.Axes))
    if (Name.empty())
      Name = makeUnique(A.Name, "i", true, Taken);
  // The same for locals.
  auto NameLocals = [&](const Node &N, auto &Self) -> void {
    for (BufferId B : N.Locals)
      if (B < BufferNames.size() && BufferNames[B].empty())
        BufferNames[B] = makeUnique(K.Buffers[B].Name, "t", true, Taken);
    for (const auto &Child : N.Children)
      Self(*Child, Self);
  };
  NameLocals(K.Root, NameLocals);
  for (auto [Name, B] : zip(BufferNames, K.Buffers))
    if (Name.empty())
      Name = makeUnique(B.Name, "t", true, Taken);
}

std::string KernelText::axis(AxisId A) const {
  return A < AxisNames.size() ? AxisNames[A] : "<bad axis>";
}

std::string KernelText::param(ParamId P) const {
  return P < ParamNames.size() ? "%" + quoteIfNeeded(ParamNames[P])
                               : "<bad param>";
}

std::string KernelText::buffer(BufferId B) const {
  if (B >= BufferNames.size())
    return "<bad buffer>";
  if (K.Buffers[B].IsLocal)
    return BufferNames[B];
  return "%" + quoteIfNeeded(BufferNames[B]);
}

StringRef KernelText::declaredStrides(BufferId B) const {
  return B < DeclaredStrides.size() ? DeclaredStrides[B] : StringRef("(1)");
}

bool KernelText::Factor::operator<(const Factor &O) const {
  return std::tie(Class, Order, Text) < std::tie(O.Class, O.Order, O.Text);
}

/// Lexicographic, but a longer product comes before its prefix, so that the
/// constant is last.
bool KernelText::Term::operator<(const Term &O) const {
  size_t Common = std::min(Factors.size(), O.Factors.size());
  for (size_t I = 0; I < Common; ++I) {
    if (Factors[I] < O.Factors[I])
      return true;
    if (O.Factors[I] < Factors[I])
      return false;
  }
  return Factors.size() > O.Factors.size();
}

KernelText::Factor KernelText::factor(AtomId Id) const {
  // Atoms nest in valid kernels only a few levels; a cycle must not hang.
  if (Id >= K.Atoms.size() || Depth > 64)
    return {3, 0, "<bad atom>"};
  const Atom &A = K.Atoms[Id];
  switch (A.K) {
  case Atom::Axis:
    return {0, A.Ref < AxisOrder.size() ? AxisOrder[A.Ref] : ~0u, axis(A.Ref)};
  case Atom::Param:
    return {2, A.Ref, param(A.Ref)};
  case Atom::Size:
    return {1, 0, "size(" + axis(A.Ref) + ")"};
  case Atom::VL:
    return {2, ~0u, "vl"};
  case Atom::FloorDiv:
  case Atom::Mod:
  case Atom::Load:
    break;
  }
  ++Depth;
  std::string Text;
  if (A.K == Atom::Load)
    Text = A.Signed ? access(A.Source) : "zext(" + access(A.Source) + ")";
  else
    Text = (A.K == Atom::FloorDiv ? "floordiv(" : "mod(") + poly(A.Num) + ", " +
           poly(A.Den) + ")";
  --Depth;
  return {1, 0, Text};
}

std::vector<KernelText::Term> KernelText::terms(const Poly &P) const {
  std::vector<Term> Terms;
  for (const auto &[M, Coef] : P.terms()) {
    Term T;
    T.Coef = Coef;
    for (AtomId A : M)
      T.Factors.push_back(factor(A));
    llvm::sort(T.Factors);
    Terms.push_back(std::move(T));
  }
  llvm::sort(Terms);
  return Terms;
}

std::string KernelText::join(ArrayRef<Term> Terms) {
  if (Terms.empty())
    return "0";
  std::string Text;
  raw_string_ostream OS(Text);
  for (const Term &T : Terms) {
    bool Negative = T.Coef < 0;
    if (&T != Terms.begin())
      OS << (Negative ? " - " : " + ");
    else if (Negative)
      OS << '-';
    uint64_t Magnitude = Negative ? -static_cast<uint64_t>(T.Coef) : T.Coef;
    bool First = true;
    if (Magnitude != 1 || T.Factors.empty()) {
      OS << Magnitude;
      First = false;
    }
    for (const Factor &F : T.Factors) {
      OS << (First ? "" : "*") << F.Text;
      First = false;
    }
  }
  return Text;
}

std::string KernelText::poly(const Poly &P) const {
  std::vector<Term> Terms = terms(P);
  // "%n - i" reads better than "-i + %n".
  auto Positive = find_if(Terms, [](const Term &T) { return T.Coef > 0; });
  if (Positive != Terms.end())
    std::rotate(Terms.begin(), Positive, Positive + 1);
  return join(Terms);
}

std::string KernelText::polys(ArrayRef<Poly> Ps, StringRef Separator) const {
  return llvm::join(map_range(Ps, [this](const Poly &P) { return poly(P); }),
                    Separator);
}

/// P >= 0 with the negative terms moved to the other side, so that the first
/// term of P stays on the left; a constant -1 makes it strict.
std::string KernelText::constraint(const Constraint &C) const {
  std::vector<Term> Left, Right;
  std::vector<Term> All = terms(C.P);
  bool Flip = !All.empty() && All.front().Coef < 0;
  bool Strict = !C.IsEquality && C.P.getConstantTerm() == -1;
  for (Term &T : All) {
    if (Strict && T.Factors.empty())
      continue;
    bool ToRight = (T.Coef < 0) != Flip;
    // The most negative number has no opposite: it stays where it is.
    bool Negate = T.Coef < 0 && T.Coef != INT64_MIN;
    if (T.Coef == INT64_MIN)
      ToRight = Flip;
    if (Negate)
      T.Coef = -T.Coef;
    (ToRight ? Right : Left).push_back(std::move(T));
  }
  StringRef Relation = C.IsEquality ? " == "
                       : Strict     ? (Flip ? " < " : " > ")
                                    : (Flip ? " <= " : " >= ");
  return join(Left) + Relation.str() + join(Right);
}

std::string KernelText::strides(ArrayRef<Poly> Strides) const {
  return "(" + polys(Strides, ",") + ")";
}

std::string KernelText::access(const Access &X) const {
  bool IsLocal = X.Buf < K.Buffers.size() && K.Buffers[X.Buf].IsLocal;
  std::string Text = buffer(X.Buf);
  if (IsLocal && X.Subs.empty())
    return Text;
  Text += "[" + polys(X.Subs, ",") + "]";
  if (IsLocal || X.Subs.empty())
    return Text;
  std::string Strides = strides(X.Strides);
  if (Strides != declaredStrides(X.Buf))
    Text += Strides;
  return X.Aligned ? Text + " aligned " + utostr(X.Aligned) : Text;
}
