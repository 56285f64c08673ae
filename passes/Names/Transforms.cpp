//===- Transforms.cpp - Linear functions of small blocks ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Transforms.h"
#include "Evaluator.h"
#include "dlopt/KernelEdit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include <cmath>
#include <map>
#include <set>

using namespace llvm;
using namespace dlopt;

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Whether nothing but sums of elements times numbers can come of \p K.
static bool isLinear(const Kernel &K) {
  constexpr size_t MaxOps = 400;
  bool Is = true;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    Is &= L.Ops.size() <= MaxOps && !L.Predicate && L.Domain.empty();
    for (const Op &O : L.Ops)
      Is &=
          O.K == Op::Const || O.K == Op::Load || O.K == Op::Param ||
          (O.K == Op::Inst &&
           (O.Opcode == Instruction::FAdd || O.Opcode == Instruction::FSub ||
            O.Opcode == Instruction::FMul || O.Opcode == Instruction::FNeg)) ||
          (O.K == Op::Intrinsic &&
           (O.Opcode == Intrinsic::fmuladd || O.Opcode == Intrinsic::fma));
  });
  return Is;
}

/// Loops of few rounds, which are known, become their rounds. False: too many.
static bool unroll(Kernel &K, Node &N) {
  constexpr int64_t MaxRounds = 8, MaxLeaves = 800;
  std::vector<std::unique_ptr<Node>> Children;
  for (std::unique_ptr<Node> &Child : N.Children) {
    if (!unroll(K, *Child))
      return false;
    std::optional<int64_t> Rounds;
    if (Child->K == Node::AxisNode && K.Axes[Child->Ax].Extents.size() == 1)
      Rounds = K.Axes[Child->Ax].Extents[0].getConstant();
    if (!Rounds || *Rounds > MaxRounds) {
      Children.push_back(std::move(Child));
      continue;
    }
    int64_t Leaves = 0;
    forEachLeafBelow(*Child, [&](Leaf &) { ++Leaves; });
    if (Leaves * *Rounds > MaxLeaves)
      return false;
    append_range(N.Locals, Child->Locals);
    for (int64_t Round = 0; Round < *Rounds; ++Round) {
      auto Copy = std::make_unique<Node>();
      copyNode(*Child, *Copy);
      Copy->K = Node::Sequence;
      Copy->Locals.clear();
      substituteBelow(K, *Copy, [&](const Atom &Of) -> std::optional<Poly> {
        if (Of.K == Atom::Axis && Of.Ref == Child->Ax)
          return Poly(Round);
        return std::nullopt;
      });
      Children.push_back(std::move(Copy));
    }
  }
  N.Children = std::move(Children);
  return true;
}

/// Whether more than one element is stored in a round.
static bool storesBlocks(const Kernel &K) {
  size_t NumStored = 0;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    NumStored += count_if(L.Assigns, [&](const Assign &To) {
      return !K.Buffers[To.Target.Buf].IsLocal;
    });
  });
  return NumStored > 1;
}

/// Elements of arrays that are constants of the program are numbers.
static void foldConstants(Kernel &K) {
  forEachLeafBelow(K.Root, [&](Leaf &L) {
    for (Op &O : L.Ops) {
      if (O.K != Op::Load)
        continue;
      const auto *Of =
          dyn_cast_or_null<GlobalVariable>(K.Buffers[O.Acc.Buf].Bound);
      if (!Of || !Of->isConstant() || !Of->hasDefinitiveInitializer())
        continue;
      std::optional<int64_t> At = O.Acc.offset().getConstant();
      if (!At || *At < 0)
        continue;
      APInt Offset(64, static_cast<uint64_t>(*At) * getSizeInBytes(O.Ty));
      Constant *C = ConstantFoldLoadFromConst(
          const_cast<Constant *>(Of->getInitializer()),
          getIRType(O.Ty, Of->getContext()), Offset, Of->getDataLayout());
      const auto *Number = dyn_cast_or_null<ConstantFP>(C);
      if (!Number)
        continue;
      O.K = Op::Const;
      O.Bits = Number->getValueAPF().bitcastToAPInt().getZExtValue();
    }
  });
}

//===----------------------------------------------------------------------===//
// Matrices
//===----------------------------------------------------------------------===//

namespace {

using Matrix = std::vector<std::vector<double>>;

struct Transform {
  StringLiteral Name;
  StringLiteral Rows;
};

} // namespace

static Matrix parseMatrix(StringRef Text) {
  Matrix M;
  for (StringRef Row : split(Text, ';')) {
    std::vector<double> &Numbers = M.emplace_back();
    for (StringRef Number : split(Row.trim(), ' ')) {
      auto [Above, Below] = Number.split('/');
      double V = 0, By = 1;
      (void)Above.getAsDouble(V);
      if (!Below.empty())
        (void)Below.getAsDouble(By);
      Numbers.push_back(V / By);
    }
  }
  return M;
}

/// Where an element is, of those of one block, if sizes are large.
static std::optional<double> getPlace(const Kernel &K, const Poly &Index,
                                      const Poly &Origin) {
  constexpr double Large = 4096;
  double Sum = 0;
  Poly Between = Index - Origin;
  for (const auto &[Factors, Coef] : Between.terms()) {
    for (AtomId Id : Factors)
      if (K.Atoms[Id].K != Atom::Param)
        return std::nullopt;
    Sum += static_cast<double>(Coef) * std::pow(Large, Factors.size());
  }
  return Sum;
}

/// Items by their places; empty: some have none, or the same.
template <class Item>
static std::vector<Item> inOrder(const Kernel &K, ArrayRef<Item> Items,
                                 function_ref<const Poly &(Item)> GetIndex) {
  std::vector<std::pair<double, Item>> Places;
  for (Item I : Items) {
    std::optional<double> At = getPlace(K, GetIndex(I), GetIndex(Items[0]));
    if (!At)
      return {};
    Places.push_back({*At, I});
  }
  llvm::sort(Places, llvm::less_first());
  std::vector<Item> Ordered;
  for (const auto &[At, I] : Places)
    Ordered.push_back(I);
  bool AreDistinct = std::adjacent_find(Places.begin(), Places.end(),
                                        [](const auto &X, const auto &Y) {
                                          return X.first == Y.first;
                                        }) == Places.end();
  return AreDistinct ? Ordered : std::vector<Item>();
}

/// What the results are multiplied by, of the elements of one array; what is
/// added to all of them is left out. Empty: something else is computed.
static Matrix getMatrix(const Kernel &K, const Algebra &A,
                        ArrayRef<Formula> Results) {
  std::map<BufferId, std::set<uint32_t>> Loads;
  for (const Formula &F : Results)
    for (const Term &T : A.terms(F.Value))
      if (T.Factors.size() == 1 && T.Factors[0].Power == 1)
        if (uint32_t Id = T.Factors[0].Atom; A.atom(Id).K == SymbolicAtom::Load)
          Loads[A.atom(Id).Ref].insert(Id);
  auto Most = std::max_element(Loads.begin(), Loads.end(),
                               [](const auto &X, const auto &Y) {
                                 return X.second.size() < Y.second.size();
                               });
  if (Most == Loads.end() || Most->second.size() < 3)
    return {};
  std::vector<uint32_t> Columns = inOrder<uint32_t>(
      K, std::vector<uint32_t>(Most->second.begin(), Most->second.end()),
      [&](uint32_t Id) -> const Poly & { return A.atom(Id).Index; });
  std::vector<const Formula *> Pointers;
  for (const Formula &F : Results)
    Pointers.push_back(&F);
  std::vector<const Formula *> Rows = inOrder<const Formula *>(
      K, Pointers, [](const Formula *F) -> const Poly & { return F->Index; });
  if (Columns.empty() || Rows.empty())
    return {};
  Matrix M(Rows.size(), std::vector<double>(Columns.size()));
  std::optional<Terms> Added;
  for (auto [Row, F] : zip(M, Rows)) {
    Terms Rest;
    for (const Term &T : A.terms(F->Value)) {
      auto At = T.Factors.size() == 1 && T.Factors[0].Power == 1
                    ? find(Columns, T.Factors[0].Atom)
                    : Columns.end();
      if (At == Columns.end())
        Rest.push_back(T);
      else
        Row[At - Columns.begin()] = T.Coef;
    }
    if (Added && (Rest < *Added || *Added < Rest))
      return {};
    Added = std::move(Rest);
  }
  return M;
}

/// Whether \p M is \p T, or multiplies blocks by it from both sides, whose
/// elements are in rows or, of the results, in columns.
static bool isTransform(const Matrix &M, const Matrix &T) {
  auto AreNear = [](double X, double Y) { return std::fabs(X - Y) <= 1e-4; };
  size_t R = T.size(), C = T[0].size();
  if (M.size() == R && M[0].size() == C)
    return all_of(seq<size_t>(0, R), [&](size_t I) {
      return all_of(seq<size_t>(0, C),
                    [&](size_t J) { return AreNear(M[I][J], T[I][J]); });
    });
  if (M.size() != R * R || M[0].size() != C * C)
    return false;
  auto Is = [&](bool IsTransposed) {
    for (size_t I = 0; I != R * R; ++I)
      for (size_t J = 0; J != C * C; ++J) {
        size_t Up = I / R, Left = I % R;
        if (IsTransposed)
          std::swap(Up, Left);
        if (!AreNear(M[I][J], T[Up][J / C] * T[Left][J % C]))
          return false;
      }
    return true;
  };
  return Is(false) || Is(true);
}

std::string dlopt::findTransform(Kernel &K) {
  static constexpr Transform Transforms[] = {
#define DLOPT_TRANSFORM(NAME, ROWS) {NAME, ROWS},
#include "dlopt/Programs.def"
  };
  if (!isLinear(K) || !unroll(K, K.Root) || !storesBlocks(K))
    return "";
  foldConstants(K);
  Algebra A(K);
  Evaluator Eval(K, A);
  std::vector<Formula> Results;
  constexpr size_t MaxOps = 400;
  bool IsKnown = Eval.run(Results, MaxOps);
  // What is half done is stored on the way.
  std::set<BufferId> Read;
  forEachLeaf(K.Root, [&](const Leaf &L, ArrayRef<AxisId>) {
    for (const Op &O : L.Ops)
      if (O.K == Op::Load)
        Read.insert(O.Acc.Buf);
  });
  erase_if(Results, [&](const Formula &F) { return Read.count(F.Buf); });
  if (!IsKnown || Results.size() < 2 || any_of(Results, [&](const Formula &F) {
        return F.Buf != Results[0].Buf;
      }))
    return "";
  Matrix M = getMatrix(K, A, Results);
  for (const Transform &Of : Transforms)
    if (!M.empty() && isTransform(M, parseMatrix(Of.Rows)))
      return (Of.Name + " " + getName(K.Buffers[Results[0].Buf].Ty)).str();
  return "";
}
