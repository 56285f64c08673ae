//===- Lines.cpp - Random lines of scripts --------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Fuzz.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// A node and the axes around it, itself included.
struct Found {
  const Node *N;
  std::vector<const Node *> Path;
};

class LineMaker {
public:
  LineMaker(Random &R, const Kernel &K, unsigned Number, bool Scalable)
      : R(R), K(K), Text(K), New(std::to_string(Number)), Scalable(Scalable) {
    collect(K.Root, {});
  }
  std::string make();

private:
  void collect(const Node &N, std::vector<const Node *> Path);
  std::string axis(const Node *N) const { return K.Axes[N->Ax].Name; }
  std::string anyAxis() { return axis(R.pick(ArrayRef(Axes)).N); }
  std::string sizes();
  std::string size(unsigned Number);
  std::string split();
  std::vector<std::vector<const Node *>> chains() const;
  std::string order();
  std::string skew();
  std::string collapse();
  std::string expand();
  std::string nest(const Node *N);
  std::string through();
  std::string stage();
  std::string sum(const Access &X, ArrayRef<const Node *> Below) const;
  std::string fill();
  std::string peel();
  std::string rfactor();
  std::string version();
  std::string fuse();
  std::string mode();
  std::string prefetch();
  std::string align();
  std::string relax();
  std::string cases();
  std::string layout();
  std::string resize(BufferId B);
  std::string fission();
  std::string let();
  std::string assume();

  Random &R;
  const Kernel &K;
  KernelText Text;
  std::string New;
  bool Scalable;
  std::vector<Found> Axes, Leaves;
  /// Locals and the axis that they live in.
  std::vector<std::pair<BufferId, const Node *>> Locals;
};

} // namespace

void LineMaker::collect(const Node &N, std::vector<const Node *> Path) {
  if (N.K == Node::AxisNode) {
    Path.push_back(&N);
    Axes.push_back({&N, Path});
    for (BufferId B : N.Locals)
      Locals.push_back({B, &N});
  } else if (!Path.empty()) {
    for (BufferId B : N.Locals)
      Locals.push_back({B, Path.back()});
  }
  if (N.K == Node::LeafNode)
    Leaves.push_back({&N, Path});
  for (const auto &Child : N.Children)
    collect(*Child, Path);
}

/// \p Number, or a few times `vl`.
std::string LineMaker::size(unsigned Number) {
  static const char *const Some[] = {"vl", "vl", "2vl", "4vl", "3vl"};
  return Scalable && R.percent(60) ? R.pick(ArrayRef(Some))
                                   : std::to_string(Number);
}

std::string LineMaker::sizes() {
  static const char *const Scaled[] = {
      "2vl vl rest", "vl rest", "vl 2 1",   "2vl vl 3 1", "vl",       "upto vl",
      "vl rest",     "2vl 4 1", "upto 2vl", "2vl 3 rest", "vl 2 over"};
  if (Scalable && R.percent(60))
    return R.pick(ArrayRef(Scaled));
  static const char *const Some[] = {"3 1",    "4 2 1",  "2 1",      "4 rest",
                                     "3 rest", "2",      "4 2 rest", "5 1",
                                     "3 over", "2 over", "4 2 over"};
  for (const Param &P : K.Params)
    if (P.isComputed() && P.Least >= 1 && R.percent(60))
      return "upto %" + P.Name;
  return R.percent(30) ? "upto " + std::to_string(1 + R.below(5))
                       : R.pick(ArrayRef(Some));
}

std::string LineMaker::split() {
  return "split " + anyAxis() + " B" + New + " " + sizes();
}

/// Perfect nests of two axes or more.
std::vector<std::vector<const Node *>> LineMaker::chains() const {
  std::vector<std::vector<const Node *>> Chains;
  for (const Found &F : Axes) {
    std::vector<const Node *> Chain;
    for (const Node *N = F.N; N->K == Node::AxisNode;
         N = N->Children.front().get()) {
      Chain.push_back(N);
      if (N->Children.size() != 1 || !N->Locals.empty())
        break;
    }
    if (Chain.size() > 1)
      Chains.push_back(Chain);
  }
  return Chains;
}

/// Two or more axes of a perfect nest, in any order.
std::string LineMaker::order() {
  auto Chains = chains();
  if (Chains.empty())
    return split();
  std::vector<std::string> Chain;
  for (const Node *N : R.pick(ArrayRef(Chains)))
    Chain.push_back(axis(N));
  Chain.resize(2 + R.below(static_cast<unsigned>(Chain.size() - 1)));
  for (size_t I = Chain.size(); I > 1; --I)
    std::swap(Chain[I - 1], Chain[R.below(static_cast<unsigned>(I))]);
  return "order " + join(Chain, " ");
}

/// Around an axis with a known end, if there is one.
std::string LineMaker::skew() {
  auto Chains = chains();
  erase_if(Chains, [&](ArrayRef<const Node *> Chain) {
    const Axis &A = K.Axes[Chain[1]->Ax];
    return R.percent(95) && (A.Extents.size() != 1 || A.Schedule.isBlocks() ||
                             !A.Extents.front().getConstant());
  });
  if (Chains.empty())
    return order();
  const auto &Chain = R.pick(ArrayRef(Chains));
  return "skew " + axis(Chain[0]) + " " + (R.percent(30) ? "2*" : "") +
         axis(Chain[1]) + "-" + std::to_string(R.below(3)) + " S" + New;
}

std::string LineMaker::collapse() {
  auto Chains = chains();
  if (Chains.empty())
    return split();
  std::vector<std::string> Chain;
  for (const Node *N : R.pick(ArrayRef(Chains)))
    Chain.push_back(axis(N));
  if (Chain.size() > 2 && R.percent(30))
    Chain.pop_back();
  return "collapse " + join(Chain, ",") + " Z" + New;
}

std::string LineMaker::expand() {
  if (Locals.empty())
    return split();
  auto [B, N] = R.pick(ArrayRef(Locals));
  return "expand " + K.Buffers[B].Name + " " + axis(N) + " " +
         size(1 + R.below(8)) + (R.percent(30) ? " stack" : "");
}

/// The axis \p N, at times with those that are all there is in it.
std::string LineMaker::nest(const Node *N) {
  std::string Names = axis(N);
  while (N->Children.size() == 1 && N->Children.front()->K == Node::AxisNode &&
         R.percent(60)) {
    N = N->Children.front().get();
    Names += "," + axis(N);
  }
  return Names;
}

/// A sum between blocks, in what follows or in a new buffer.
std::string LineMaker::through() {
  SmallVector<std::string, 8> Lines;
  for (auto [B, Owner] : Locals)
    for (const auto &Child : Owner->Children)
      for (const auto &Post : Owner->Children)
        if (Child->K == Node::AxisNode && Post->K == Node::LeafNode &&
            !K.Buffers[Post->L.Assigns[0].Target.Buf].IsLocal)
          Lines.push_back("through " + K.Buffers[B].Name + " " +
                          axis(Child.get()) + " " +
                          Text.access(Post->L.Assigns[0].Target) +
                          (R.percent(30) ? " last" : ""));
  // Into buffers that are there and unused.
  for (auto [B, Owner] : Locals)
    for (auto [Buf, Around] : Locals)
      if (K.Buffers[Buf].Shape.size() == 2)
        for (const auto &Child : Owner->Children)
          if (Child->K == Node::AxisNode)
            Lines.push_back("through " + K.Buffers[B].Name + " " +
                            nest(Child.get()) + " " + K.Buffers[Buf].Name +
                            "[" + anyAxis() + "," + anyAxis() + "]");
  return Lines.empty() ? split() : R.pick(ArrayRef<std::string>(Lines));
}

/// What a subscript has of the axes \p Below, if it is a sum of them.
std::string LineMaker::sum(const Access &X,
                           ArrayRef<const Node *> Below) const {
  for (const Poly &P : reverse(X.Subs)) {
    std::string Result;
    for (const Node *N : Below) {
      std::optional<AtomId> Id = K.findAxisAtom(N->Ax);
      std::optional<Poly> Coef = Id ? P.coefficient(*Id) : std::nullopt;
      std::optional<int64_t> Factor = Coef ? Coef->getConstant() : std::nullopt;
      if (Factor.value_or(0) == 0)
        continue;
      if (!Result.empty() || *Factor < 0)
        Result += *Factor < 0 ? "-" : "+";
      if (std::abs(*Factor) != 1)
        Result += std::to_string(std::abs(*Factor)) + "*";
      Result += axis(N);
    }
    if (!Result.empty())
      return Result;
  }
  return "";
}

/// For some number that may be the identity of something.
std::string LineMaker::fill() {
  static const char *const Some[] = {"-inf", "inf", "0.0", "-0.0",
                                     "nan",  "1.0", "-1.0"},
                           *const Ints[] = {"-2147483648", "2147483647", "0",
                                            "1",           "-1",         "3"};
  bool IsInt = any_of(K.Buffers, [](const Buffer &B) {
    return B.Name == "A" && !isFloat(B.Ty);
  });
  if (R.percent(60))
    return IsInt ? std::string(" fill ") + Ints[R.below(2)]
                 : std::string(" fill ") + Some[R.below(2)];
  return std::string(" fill ") +
         (IsInt ? R.pick(ArrayRef(Ints)) : R.pick(ArrayRef(Some)));
}

std::string LineMaker::peel() {
  return "peel " + anyAxis() + " " + std::to_string(1 + R.below(3)) + " P" +
         New + (R.percent(40) ? " last" : "");
}

/// A loop beside a scalar, which it may do nothing with but to add to it.
std::string LineMaker::rfactor() {
  SmallVector<std::string, 8> Lines;
  for (auto [B, Owner] : Locals)
    for (const auto &Child : Owner->Children)
      if (K.Buffers[B].Shape.empty() && Child->K == Node::AxisNode)
        Lines.push_back(Text.bufferName(B).str() + " " + axis(Child.get()));
  if (Lines.empty())
    return peel();
  std::string Line = "rfactor " + R.pick(ArrayRef<std::string>(Lines)) + " " +
                     std::to_string(1 + R.below(4)) + " " +
                     std::to_string(1 + R.below(2)) + " F" + New + " ";
  for (char Axis : {'z', 'q', 'u', 'l', 'r', 't'})
    Line += std::string(1, Axis) + New + (Axis == 't' ? "" : ",");
  return Line;
}

/// For few or many elements.
std::string LineMaker::version() {
  static const char *const Some[] = {" %M <= ", " %N < ", " %K >= ", " %N >= "};
  return "version " + anyAxis() + " v" + New + R.pick(ArrayRef(Some)) +
         std::to_string(R.below(6));
}

/// Two loops, one right behind the other.
std::string LineMaker::fuse() {
  SmallVector<std::string, 8> Lines;
  auto Visit = [&](const Node &N, auto &Self) -> void {
    for (size_t I = 0; I + 1 < N.Children.size(); ++I)
      if (N.Children[I]->K == Node::AxisNode &&
          N.Children[I + 1]->K == Node::AxisNode)
        Lines.push_back("fuse " + axis(N.Children[I].get()) + " " +
                        axis(N.Children[I + 1].get()));
    for (const auto &Child : N.Children)
      Self(*Child, Self);
  };
  Visit(K.Root, Visit);
  return Lines.empty() ? peel() : R.pick(ArrayRef<std::string>(Lines));
}

std::string LineMaker::stage() {
  // Those that are conditional more often.
  SmallVector<const Found *, 8> Some;
  for (const Found &Of : Leaves)
    if (!Of.N->L.Domain.empty() || R.percent(60))
      Some.push_back(&Of);
  const Found &F = Some.empty() ? R.pick(ArrayRef(Leaves))
                                : *R.pick(ArrayRef<const Found *>(Some));
  SmallVector<const Op *, 4> Loads;
  for (const Op &O : F.N->L.Ops)
    if (O.K == Op::Load && (!K.Buffers[O.Acc.Buf].IsLocal || R.percent(50)))
      Loads.push_back(&O);
  if (Loads.empty() || F.Path.size() < 2)
    return order();
  const Op *Load = R.pick(ArrayRef<const Op *>(Loads));
  size_t At = R.below(static_cast<unsigned>(F.Path.size() - 1));
  std::vector<std::string> Names;
  for (size_t I = At + 1; I < F.Path.size(); ++I)
    if (K.dependsOn(Load->Acc, F.Path[I]->Ax) ? R.percent(95) : R.percent(15))
      Names.push_back(axis(F.Path[I]));
  std::string Sum = sum(Load->Acc, ArrayRef(F.Path).drop_front(At + 1));
  bool IsSum = !Sum.empty() && R.percent(35);
  std::vector<std::string> Index = Names, Sizes;
  if (IsSum) {
    Names = {"s" + New + "=" + Sum};
    Index = {"s" + New};
  }
  if (Names.empty())
    return order();
  bool IsFilled = !F.N->L.Domain.empty() && R.percent(60);
  if (R.percent(20))
    std::swap(Index.front(), Index.back());
  if (R.percent(10) && Index.size() > 1)
    Index.pop_back();
  if (R.percent(10))
    Index.back() = "mod(" + Index.back() + ", 3)";
  if (R.percent(10))
    Index.front() += " + 1";
  for (size_t I = 0; I < Index.size(); ++I)
    Sizes.push_back(size((IsSum || IsFilled ? 8 : 2) + R.below(9)));
  return std::string("stage ") + (K.Buffers[Load->Acc.Buf].IsLocal ? "" : "%") +
         K.Buffers[Load->Acc.Buf].Name + " " + axis(F.Path[At]) + " t" + New +
         " " + join(Sizes, ",") + " " + join(Names, ",") + " = " +
         join(Index, ",") +
         (IsFilled        ? fill()
          : R.percent(20) ? " if %N*%M >= " + std::to_string(R.below(12))
                          : "");
}

std::string LineMaker::mode() {
  SmallVector<const Node *, 8> Inner;
  for (const Found &F : Axes)
    if (all_of(F.N->Children,
               [](const auto &C) { return C->K == Node::LeafNode; }))
      Inner.push_back(F.N);
  if (Inner.empty() || R.percent(15))
    return "mode " + anyAxis() + " unroll";
  return "mode " + axis(R.pick(ArrayRef<const Node *>(Inner))) + " lanes " +
         size(2 + R.below(4));
}

/// What a leaf loads, rounds of a loop around it ahead.
std::string LineMaker::prefetch() {
  const Found &F = R.pick(ArrayRef(Leaves));
  for (const Op &O : F.N->L.Ops)
    if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal && !F.Path.empty())
      return "prefetch " + Text.bufferName(O.Acc.Buf).str() + " " +
             axis(R.pick(ArrayRef(F.Path))) + " " + axis(F.Path.front()) + " " +
             std::to_string(1 + R.below(20)) +
             (R.percent(50) ? " where %N*%M >= 9" : "");
  return mode();
}

/// Of what a leaf in lanes stores, or of any of the arrays; past the caches, if
/// it is aligned.
std::string LineMaker::align() {
  SmallVector<const Found *, 8> Some;
  for (const Found &F : Leaves)
    if (!F.Path.empty() && !F.N->L.Assigns.empty() &&
        (K.Axes[F.Path.back()->Ax].Schedule.Lanes || R.percent(10)))
      Some.push_back(&F);
  if (Some.empty())
    return mode();
  const Found &F = *R.pick(ArrayRef<const Found *>(Some));
  const Access &X = F.N->L.Assigns.front().Target;
  std::string Name = K.Buffers[X.Buf].IsLocal || R.percent(20)
                         ? R.percent(50) ? "%A" : "%B"
                         : Text.bufferName(X.Buf).str();
  std::string At = axis(R.pick(ArrayRef(F.Path)));
  static const char *const Bytes[] = {" 16", " 8", " 32", " 16", " 4"};
  return R.percent(X.Aligned >= 16 ? 80 : 5)
             ? "nt " + Name + " " + At
             : "align " + Name + " " + At + R.pick(ArrayRef(Bytes));
}

/// A condition of what goes to a local, or a load from under one.
std::string LineMaker::relax() {
  SmallVector<std::string, 8> Lines;
  for (const Found &F : Leaves) {
    if ((F.N->L.Domain.empty() && !F.N->L.Predicate) || F.Path.empty() ||
        F.N->L.Assigns.empty())
      continue;
    std::string At = " " + axis(R.pick(ArrayRef(F.Path)));
    BufferId B = F.N->L.Assigns.front().Target.Buf;
    for (const Node *N : F.Path)
      if (K.Buffers[B].Where != Buffer::AnyPlace &&
          any_of(F.N->L.Domain,
                 [&](const Constraint &C) { return K.dependsOn(C.P, N->Ax); }))
        Lines.push_back("relax " + K.Buffers[B].Name + " " + axis(N));
    for (const Op &O : F.N->L.Ops)
      if (O.K == Op::Load && !K.Buffers[O.Acc.Buf].IsLocal)
        Lines.push_back("hoist " + Text.bufferName(O.Acc.Buf).str() + At +
                        " h" + New);
  }
  return Lines.empty() ? split() : R.pick(ArrayRef<std::string>(Lines));
}

std::string LineMaker::cases() {
  if (R.percent(20))
    return "case " + anyAxis() + " %N >= " + std::to_string(R.below(4));
  const Found &F = R.pick(ArrayRef(Axes));
  if (F.Path.size() < 2)
    return split();
  return "case " + axis(F.N) + " " + axis(F.Path[F.Path.size() - 2]) +
         " >= " + std::to_string(R.below(3));
}

std::string LineMaker::resize(BufferId B) {
  SmallVector<std::string, 4> Sizes;
  for (size_t I = 0; I < K.Buffers[B].Shape.size(); ++I)
    Sizes.push_back(size(1 + R.below(10)));
  return "resize " + K.Buffers[B].Name + " " + join(Sizes, ",") +
         (R.percent(30) ? " reg" : "");
}

std::string LineMaker::layout() {
  if (R.percent(60) && !Locals.empty())
    if (BufferId B = R.pick(ArrayRef(Locals)).first;
        !K.Buffers[B].Shape.empty())
      return resize(B);
  for (auto [B, N] : Locals)
    if (K.Buffers[B].Shape.size() == 2)
      return "layout " + K.Buffers[B].Name + " 1,0";
  return expand();
}

std::string LineMaker::fission() {
  SmallVector<const Node *, 8> Many;
  for (const Found &F : Axes)
    if (F.N->Children.size() > 1)
      Many.push_back(F.N);
  if (Many.empty())
    return split();
  return "fission " + axis(R.pick(ArrayRef<const Node *>(Many)));
}

/// A number for blocks.
std::string LineMaker::let() {
  auto Number = [&] { return std::to_string(1 + R.below(5)); };
  std::string Line = "let n" + New + " = " + Number() +
                     " where %N <= " + Number() +
                     (R.percent(30) ? ", %M*%K >= 7" : "");
  return R.percent(30) ? Line + " else %M where %M >= 1, %M <= 4 else 4 in 1..5"
                       : Line + " else " + Number();
}

std::string LineMaker::assume() {
  static const char *const Some[] = {"%S >= 1", "%N <= 4, %M <= 6", "%K >= 1",
                                     "%P <= 5, %K <= 6", "%N <= 6"};
  return std::string("assume ") + R.pick(ArrayRef(Some));
}

std::string LineMaker::make() {
  if (Axes.empty() || Leaves.empty())
    return "assume %N <= 6";
  if (K.hasHints() && R.percent(70))
    return R.percent(70) ? align() : prefetch();
  switch (R.below(33)) {
  case 0:
  case 1:
  case 2:
  case 3:
  case 4:
    return split();
  case 5:
  case 6:
  case 7:
  case 8:
    return order();
  case 9:
  case 10:
  case 11:
    return fission();
  case 12:
  case 13:
    return expand();
  case 14:
  case 15:
    return through();
  case 16:
  case 17:
    return stage();
  case 18:
  case 19:
    return mode();
  case 20:
    return R.percent(20) ? prefetch() : R.percent(20) ? align() : mode();
  case 21:
    return R.percent(30) ? cases() : R.percent(50) ? layout() : relax();
  case 22:
    if (R.percent(25))
      return relax();
    return R.percent(50)
               ? "bounds " + anyAxis()
               : "guard " + anyAxis() + " " + std::to_string(2 + R.below(8));
  case 23:
  case 24:
  case 25:
    return through();
  case 30:
    return R.percent(40) ? rfactor() : peel();
  case 31:
    return R.percent(20) ? version() : fuse();
  case 32:
    return stage();
  case 27:
    return skew();
  case 28:
  case 29:
    return collapse();
  default:
    if (R.percent(20))
      return R.percent(60) ? let() : layout();
    return R.percent(60) ? assume()
                         : "buffer b" + New + " f32 " + size(3 + R.below(6)) +
                               ",8 " + anyAxis();
  }
}

std::string dlopt::makeLine(Random &R, const Kernel &K, unsigned Number,
                            bool Scalable) {
  return LineMaker(R, K, Number, Scalable).make();
}
