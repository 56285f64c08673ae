//===- ThreadDots.cpp - Sums of narrow integers in a thread of a GPU ------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A thread computes with scalars, but one instruction adds four products of
/// bytes (dp4a), which are two registers:
///
///   for (k) s += a[k] * b[k];
///
/// Both are read as numbers of 32 bits, which a thread may do where these are
/// aligned: that rows begin at such places is tested. Bytes that are no
/// neighbours take as many instructions to put together as their products.
///
//===----------------------------------------------------------------------===//
#include "Dots.h"
#include "ScriptWriter.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/KernelText.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

/// Instructions of a round.
static constexpr unsigned Run = 4;

namespace {

/// A loop that is nothing but such a sum.
struct ThreadSum {
  AxisId Depth = 0;
  const Op *Factors[2] = {};
  InstructionRow Row;
};

} // namespace

static std::optional<ThreadSum> findSum(const Kernel &K, const Node &N,
                                        const TargetModel &T) {
  if (N.K != Node::AxisNode || N.Children.size() != 1 || !N.Locals.empty() ||
      N.Children.front()->K != Node::LeafNode)
    return std::nullopt;
  const Leaf &L = N.Children.front()->L;
  DotRoles Dot;
  if (!L.Domain.empty() || K.Axes[N.Ax].Extents.size() != 1 ||
      !K.Axes[N.Ax].Begins.empty() || !findFactors(K, L, Dot.Shared, Dot.Own) ||
      Dot.Shared.IsConverted || Dot.Own.IsConverted ||
      isFloat(Dot.Shared.Ty.Ty) ||
      K.Buffers[L.Assigns.front().Target.Buf].Ty != ScalarType::I32)
    return std::nullopt;
  std::optional<DotChoice> Choice = chooseDot(Dot, T, /*MayHaveOffset=*/false);
  ThreadSum S;
  S.Depth = N.Ax;
  for (auto [To, From] : {std::pair(&S.Factors[0], &Dot.Shared),
                          std::pair(&S.Factors[1], &Dot.Own)}) {
    if (!isStride(K, From->Load->Acc, N.Ax, 1))
      return std::nullopt;
    *To = From->Load;
  }
  if (!Choice ||
      getRounds(K, N.Ax).value_or(Choice->Row.Depth) < Choice->Row.Depth)
    return std::nullopt;
  S.Row = Choice->Row;
  return S;
}

static void findSums(const Kernel &K, const Node &N, const TargetModel &T,
                     SmallVectorImpl<ThreadSum> &Sums) {
  if (std::optional<ThreadSum> S = findSum(K, N, T))
    Sums.push_back(std::move(*S));
  for (const auto &Child : N.Children)
    findSums(K, *Child, T, Sums);
}

/// Adds the products of parameters that have to be multiples of \p Of for \p P
/// to be one, whatever axes are.
static void addMultiples(const Kernel &K, const Poly &P, int64_t Of,
                         SmallVectorImpl<Poly> &Multiples) {
  for (const auto &[Product, Factor] : P.terms()) {
    Monomial Params;
    copy_if(Product, std::back_inserter(Params),
            [&](AtomId Id) { return K.Atoms[Id].K == Atom::Param; });
    Poly Own = Poly::monomial(Params, 1);
    if (Factor % Of != 0 && !Params.empty() && !is_contained(Multiples, Own))
      Multiples.push_back(Own);
  }
}

SmallVector<std::string, 24>
dlopt::writeThreadDots(Kernel &K, const TargetModel &T, StringRef Template) {
  SmallVector<ThreadSum, 2> Sums;
  findSums(K, K.Root, T, Sums);
  if (Sums.empty())
    return {};
  KernelText Text(K);
  for (auto [I, B] : enumerate(K.Buffers))
    if (!B.IsLocal)
      B.Name = Text.bufferName(static_cast<BufferId>(I)).str();
  ScriptHoles Holes;
  SmallVector<Poly, 2> Multiples;
  for (auto [I, S] : enumerate(Sums)) {
    std::string Own = utostr(I + 1);
    K.Axes[S.Depth].Name = "k" + Own;
    unsigned Depth = S.Row.Depth;
    std::optional<uint64_t> Rounds = getRounds(K, S.Depth);
    bool HasRest = !Rounds || *Rounds % Depth != 0;
    std::string Blocks = " " + utostr(Depth) + (HasRest ? " rest" : "");
    if (!Rounds || *Rounds >= Run * Depth)
      Holes["thread.runs"].push_back("k" + Own + " Q" + Own + " " +
                                     utostr(Run * Depth) + Blocks);
    Holes["thread.blocks"].push_back("k" + Own + " q" + Own + Blocks);
    Holes["thread.rows"].push_back("k" + Own + " row " + S.Row.Name.str());
    for (const Op *F : S.Factors) {
      addMultiples(K, F->Acc.offset(), Depth, Multiples);
      Holes["thread.aligned"].push_back(KernelText(K).buffer(F->Acc.Buf) +
                                        " q" + Own + " " + utostr(Depth));
    }
    Holes["thread.multiple.of"] = {utostr(Depth)};
  }
  for (const Poly &P : Multiples)
    Holes["thread.multiple"].push_back(KernelText(K).poly(P));
  return fillScript(Template, Holes);
}
