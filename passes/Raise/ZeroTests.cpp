//===- ZeroTests.cpp - Products that leave out factors of zero ------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   if (B[l][j] != 0) for (i ...) C[i][j] += alpha * B[l][j] * A[i][l];
///
/// as in the older reference implementations of BLAS. Where no element of B is
/// zero the test is always true. To leave it out otherwise would change bits:
/// 0 * inf is no zero, and -0 + 0 is not -0.
///
//===----------------------------------------------------------------------===//
#include "Normalize.h"
#include "dlopt/Guards.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Uses.h"

using namespace llvm;
using namespace dlopt;

namespace {

/// "The element at Element is not zero", or the opposite.
struct ZeroTest {
  Access Element;
  bool IsTrueForZero = false;
};

class ZeroTestDropper {
public:
  explicit ZeroTestDropper(Kernel &K) : K(K) {}
  bool run(Node &N);

private:
  std::optional<ZeroTest> getTest(const Leaf &L, OpId Id) const;
  bool isInput(const Access &A) const;
  bool canDrop(const ZeroTest &T, bool Negated) const;
  bool dropOwn(Leaf &L);
  bool dropLocal(Node &N, size_t Child);
  void require(const Access &Element);

  Kernel &K;
};

} // namespace

static bool isZero(const Op &O) {
  // Of a floating-point number, -0 as well.
  uint64_t Sign = isFloat(O.Ty) ? uint64_t(1) << (getBitWidth(O.Ty) - 1) : 0;
  return O.K == Op::Const && (O.Bits & ~Sign) == 0;
}

std::optional<ZeroTest> ZeroTestDropper::getTest(const Leaf &L, OpId Id) const {
  const Op &O = L.Ops[Id];
  if (O.K != Op::Inst ||
      (O.Opcode != Instruction::FCmp && O.Opcode != Instruction::ICmp))
    return std::nullopt;
  bool Swapped = isZero(L.Ops[O.Args[0]]);
  const Op &X = L.Ops[O.Args[Swapped]], &Zero = L.Ops[O.Args[!Swapped]];
  if (X.K != Op::Load || !isZero(Zero))
    return std::nullopt;
  switch (O.Pred) {
  case CmpInst::FCMP_UNE:
  case CmpInst::ICMP_NE:
    return ZeroTest{X.Acc, false};
  case CmpInst::FCMP_OEQ:
  case CmpInst::ICMP_EQ:
    return ZeroTest{X.Acc, true};
  default:
    return std::nullopt;
  }
}

/// Whether nothing in the kernel writes what \p A reads. Other buffers over the
/// same memory are kept apart by needs.
bool ZeroTestDropper::isInput(const Access &A) const {
  return !K.Buffers[A.Buf].IsLocal && !assigns(K.Root, A.Buf);
}

bool ZeroTestDropper::canDrop(const ZeroTest &T, bool Negated) const {
  return T.IsTrueForZero == Negated && isInput(T.Element) &&
         getElementScan(K, T.Element.Buf, T.Element.offset());
}

void ZeroTestDropper::require(const Access &Element) {
  if (DLOPT_PLANTED(ZerosAssumedAbsent))
    return;
  Need N;
  N.K = Need::NonZero;
  N.Buf = Element.Buf;
  N.P = Element.offset();
  K.Needs.push_back(std::move(N));
}

/// What the bit \p Id of \p L is without negations.
static OpId stripNot(const Leaf &L, OpId Id, bool &Negated) {
  const Op &O = L.Ops[Id];
  if (O.K != Op::Inst || O.Opcode != Instruction::Xor)
    return Id;
  for (unsigned I : {0u, 1u})
    if (const Op &C = L.Ops[O.Args[I]]; C.K == Op::Const && (C.Bits & 1)) {
      Negated = !Negated;
      return stripNot(L, O.Args[!I], Negated);
    }
  return Id;
}

/// A test in the leaf itself.
bool ZeroTestDropper::dropOwn(Leaf &L) {
  if (!L.Predicate || !L.Domain.empty())
    return false;
  bool Negated = false;
  std::optional<ZeroTest> T = getTest(L, stripNot(L, *L.Predicate, Negated));
  if (!T || !canDrop(*T, Negated))
    return false;
  require(T->Element);
  L.Predicate.reset();
  dropUnusedOps(L);
  return true;
}

/// A test that is kept in a local: a leaf of its own, which goes if all that
/// reads the local is predicates behind it.
bool ZeroTestDropper::dropLocal(Node &N, size_t Child) {
  const Leaf &Test = N.Children[Child]->L;
  if (N.Children[Child]->K != Node::LeafNode || !isPlain(Test))
    return false;
  BufferId Local = Test.Assigns[0].Target.Buf;
  bool OwnNegated = false;
  std::optional<ZeroTest> T =
      getTest(Test, stripNot(Test, Test.Assigns[0].Value, OwnNegated));
  if (!T || !is_contained(N.Locals, Local))
    return false;
  SmallVector<Leaf *, 2> Users;
  bool Ok = true;
  auto Visit = [&](Node &Below, auto &Self) -> void {
    Leaf &L = Below.L;
    if (Below.K == Node::LeafNode && reads(L, Local)) {
      bool Negated = OwnNegated;
      OpId Bit = L.Predicate ? stripNot(L, *L.Predicate, Negated) : 0;
      Ok &= L.Predicate && L.Domain.empty() && canDrop(*T, Negated) &&
            L.Ops[Bit].K == Op::Load && L.Ops[Bit].Acc.Buf == Local;
      Users.push_back(&L);
    }
    for (std::unique_ptr<Node> &C : Below.Children)
      Self(*C, Self);
  };
  for (size_t I = 0; I != N.Children.size(); ++I) {
    Ok &= I > Child || Users.empty();
    if (I != Child)
      Visit(*N.Children[I], Visit);
  }
  if (!Ok || Users.empty())
    return false;
  require(T->Element);
  for (Leaf *L : Users) {
    L->Predicate.reset();
    dropUnusedOps(*L);
  }
  N.Children.erase(N.Children.begin() + Child);
  erase(N.Locals, Local);
  return true;
}

bool ZeroTestDropper::run(Node &N) {
  bool Changed = N.K == Node::LeafNode && dropOwn(N.L);
  for (std::unique_ptr<Node> &Child : N.Children)
    Changed |= run(*Child);
  for (size_t I = N.Children.size(); I-- > 0;)
    Changed |= dropLocal(N, I);
  return Changed;
}

bool dlopt::dropZeroTests(Kernel &K) { return ZeroTestDropper(K).run(K.Root); }
