//===- RowBlocks.cpp - Rows that share an array, some at a time -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   for i {                              for b in blocks of rows {
///     float s[N], m = ...;                 float s[B][N], m[B];
///     for j: s[j] = x[i] * Y[j];    ->     for i < B { ... s[i][j], m[i] ... }
///     for d: o[i][d] = f(s, m) * Z[d];   }
///   }
///
/// The order of everything stays. But rows of a block have nothing in common
/// any more, so that distribution makes products of matrices of their products
/// with a matrix: attention with a row of scores, layers with an array of
/// hidden values.
///
/// Each row assigns what it reads of the array, which nobody else sees (arrays
/// are made private: Tu and Padua, Automatic Array Privatization, LCPC 1993).
///
//===----------------------------------------------------------------------===//
#include "RowBlocks.h"
#include "dlopt/Dependences.h"
#include "dlopt/KernelEdit.h"
#include "dlopt/PlantedBugs.h"
#include "dlopt/Stack.h"
#include "dlopt/Uses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace dlopt;

/// Rows are lanes of sums, so that blocks are multiples of that. In blocks of
/// fewer rows a matrix that is copied is used too few times; more than so many
/// gain nothing.
static constexpr uint64_t FewestRows = 8, MostRows = 48;

/// Of an array whose size is not known; longer rows run as they were.
static constexpr uint64_t AssumedElements = 1024;

/// Of a call's \p StackLimit bytes: products need some of the stack, too.
static uint64_t getBlockBytes(uint64_t StackLimit) {
  return std::max(StackLimit / 2,
                  StackLimit - std::min(StackLimit, CheapStackBytes));
}

/// The axes of \p K that are right inside of each other, outermost first; the
/// last one is of rows.
static SmallVector<Node *, 4> findChain(Kernel &K) {
  SmallVector<Node *, 4> Chain;
  for (Node *N = &K.Root; N->Children.size() == 1;) {
    bool HasLocals = !N->Locals.empty();
    N = N->Children.front().get();
    if (HasLocals || N->K != Node::AxisNode || !K.hasFixedExtents(N->Ax) ||
        K.Axes[N->Ax].Extents.size() != 1 || K.Axes[N->Ax].isCondition())
      return {};
    Chain.push_back(N);
  }
  return Chain;
}

/// \p P where it is the largest: all axes in it have their last elements.
/// nullopt: that is not known, or it may be less than zero.
static std::optional<Poly> getLargest(const Kernel &K, Poly P) {
  auto FindAxis = [&]() -> std::optional<AxisId> {
    std::optional<AxisId> Inner;
    P.anyAtom([&](AtomId Id) {
      // Bounds speak of axes that are further out.
      if (K.Atoms[Id].K == Atom::Axis && (!Inner || K.Atoms[Id].Ref > *Inner))
        Inner = K.Atoms[Id].Ref;
      return false;
    });
    return Inner;
  };
  for (unsigned Steps = 0; Steps != 8; ++Steps) {
    std::optional<AxisId> A = FindAxis();
    if (!A)
      return K.isFixed(P) ? std::optional(P) : std::nullopt;
    std::optional<Poly> Stride = getStride(K, P, *A);
    if (!Stride || Stride->getConstant().value_or(-1) < 0)
      return std::nullopt;
    P = P.without(*K.findAxisAtom(*A)) +
        *Stride * (K.Axes[*A].Extents.front() - 1);
  }
  return std::nullopt;
}

/// Whether \p P is at least zero: axes and numbers are all of it.
static bool hasNoNegative(const Kernel &K, const Poly &P) {
  return all_of(P.terms(), [&](const Poly::Term &T) {
    return T.second >= 0 && all_of(T.first, [&](AtomId Id) {
             return K.Atoms[Id].K == Atom::Axis;
           });
  });
}

RowBlocks::RowBlocks(const Kernel &Old, ArrayRef<BufferId> Hidden,
                     uint64_t StackLimit)
    : K(std::make_unique<Kernel>()) {
  copyKernel(Old, *K);
  Chain = findChain(*K);
  if (Chain.empty() || !findParts(Hidden, StackLimit))
    Chain.clear();
}

/// What rows have for themselves, and how many are a block.
bool RowBlocks::findParts(ArrayRef<BufferId> Hidden, uint64_t StackLimit) {
  Node &Rows = *Chain.back();
  // One loop has nothing that another one reads.
  if (count_if(Rows.Children,
               [](const auto &C) { return C->K == Node::AxisNode; }) < 2)
    return false;
  const uint64_t BlockBytes = getBlockBytes(StackLimit),
                 RowBytes = BlockBytes / FewestRows;
  uint64_t Bytes = 0;
  for (BufferId Id : Hidden) {
    Buffer &B = K->Buffers[Id];
    uint64_t Size = getSizeInBytes(B.Ty);
    // Of a larger array rows may use less.
    uint64_t Most = std::max(RowBytes / Size, AssumedElements);
    std::optional<uint64_t> Elements =
        isOfRow(Id, B.Private ? std::min(B.Private, Most) : AssumedElements);
    if (!Elements)
      continue;
    Arrays.push_back(Id);
    B.Private = *Elements;
    Bytes += *Elements * Size;
  }
  for (auto [Id, B] : enumerate(K->Buffers)) {
    auto Buf = static_cast<BufferId>(Id);
    if (B.IsLocal || !isFloat(B.Ty) || is_contained(Hidden, Buf) ||
        !assigns(Rows, Buf))
      continue;
    std::optional<uint64_t> Elements;
    if (hasSameRounds(Rows, Buf))
      Elements = isOfRow(Buf, AssumedElements);
    if (!Elements)
      continue;
    Arrays.push_back(Buf);
    Visible.push_back(Buf);
    B.Private = *Elements;
    Bytes += *Elements * getSizeInBytes(B.Ty);
  }
  for (BufferId B : Rows.Locals) {
    if (!K->Buffers[B].Shape.empty() || isReadBySubscripts(*K, B))
      return false;
    Scalars.push_back(B);
  }
  if (Arrays.empty() && Scalars.empty())
    return false;
  // A scalar is nothing beside these.
  uint64_t Fit = std::min(BlockBytes / std::max<uint64_t>(Bytes, 1), MostRows);
  NumRows = alignDown(Fit, FewestRows);
  return NumRows != 0;
}

/// The elements of \p B that a row uses, at most \p Most: each row has assigned
/// what it reads of them, and nobody else uses them. nullopt: it is no array of
/// a row.
std::optional<uint64_t> RowBlocks::isOfRow(BufferId B, uint64_t Most) {
  // What a kernel writes is disjoint from all other arrays by its needs.
  if (isReadBySubscripts(*K, B))
    return std::nullopt;
  Dependences D(*K);
  auto Depth = static_cast<unsigned>(Chain.size());
  int64_t Last = 0;
  std::vector<Need> Needs;
  Poly Length;
  for (const MemoryUse &U : D.uses()) {
    if (!U.X || U.X->Buf != B)
      continue;
    Poly At = U.X->offset();
    if (!D.isBelow(U, *Chain.back()) || !hasNoNegative(*K, At) ||
        any_of(Chain, [&](const Node *N) { return K->dependsOn(At, N->Ax); }) ||
        (!DLOPT_PLANTED(RowOfOthers) && U.K == MemoryUse::Read &&
         !D.isWrittenBefore(U, Depth)))
      return std::nullopt;
    std::optional<Poly> Largest = getLargest(*K, At);
    if (!Largest)
      return std::nullopt;
    if (std::optional<int64_t> Number = Largest->getConstant()) {
      Last = std::max(Last, *Number);
      continue;
    }
    Length = *Largest + 1;
    Need N;
    N.K = Need::InRange;
    N.P = *Largest;
    N.Lo = INT64_MIN;
    N.Hi = static_cast<int64_t>(Most) - 1;
    Needs.push_back(std::move(N));
  }
  uint64_t Elements = Needs.empty() ? static_cast<uint64_t>(Last) + 1 : Most;
  if (static_cast<uint64_t>(Last) >= Most)
    return std::nullopt;
  Lengths[B] = Needs.empty() ? Poly(static_cast<int64_t>(Elements)) : Length;
  adoptNeeds(*K, std::move(Needs));
  return Elements;
}

/// Whether every row assigns the same elements of \p B below \p N.
bool RowBlocks::hasSameRounds(const Node &N, BufferId B) const {
  bool IsSame = all_of(N.Children, [&](const auto &C) {
    return !assigns(*C, B) || hasSameRounds(*C, B);
  });
  if (N.K == Node::LeafNode)
    return N.L.Domain.empty() && !N.L.Predicate;
  if (N.K != Node::AxisNode || &N == Chain.back())
    return IsSame;
  return IsSame && K->hasFixedExtents(N.Ax);
}

/// What the last row has left in the array \p B, which somebody may see.
void RowBlocks::storeLast(Node &Rows, BufferId B, BufferId Block,
                          const Poly &Last, ArrayRef<Constraint> Runs) {
  auto Copy = [&](const Node &N, auto &Self) -> std::unique_ptr<Node> {
    if (!assigns(N, Block))
      return nullptr;
    auto New = std::make_unique<Node>();
    New->K = N.K;
    New->Ax = N.Ax;
    for (const auto &C : N.Children)
      if (std::unique_ptr<Node> Child = Self(*C, Self))
        New->Children.push_back(std::move(Child));
    if (N.K != Node::LeafNode)
      return New;
    for (const Assign &A : N.L.Assigns) {
      if (A.Target.Buf != Block)
        continue;
      Op Load;
      Load.K = Op::Load;
      Load.Ty = K->Buffers[B].Ty;
      Load.Acc = A.Target;
      Load.Acc.Subs.front() = Last;
      Assign To = A;
      To.Target.Buf = B;
      To.Target.Subs = {A.Target.Subs.back()};
      To.Target.Strides = {1};
      To.Value = static_cast<OpId>(New->L.Ops.size());
      New->L.Ops.push_back(std::move(Load));
      New->L.Assigns.push_back(std::move(To));
    }
    New->L.Domain.assign(Runs.begin(), Runs.end());
    New->L.Loc = N.L.Loc;
    return New;
  };
  for (const auto &C : Rows.Children)
    if (std::unique_ptr<Node> Store = Copy(*C, Copy))
      K->Root.Children.push_back(copyWithOwn(*K, *Store));
}

/// Gives each of what rows have for themselves the subscripts \p Subs in front
/// of its own.
void RowBlocks::index(Node &Rows, ArrayRef<Poly> Subs,
                      function_ref<void(Access &, bool IsArray)> Finish) const {
  forEachAccess(Rows, [&](Access &X) {
    bool IsArray = is_contained(Arrays, X.Buf);
    if (!IsArray && !is_contained(Scalars, X.Buf))
      return;
    Poly At = IsArray ? X.offset() : Poly();
    X.Subs.assign(Subs.begin(), Subs.end());
    X.Strides.clear();
    if (IsArray)
      X.Subs.push_back(At);
    Finish(X, IsArray);
  });
}

std::unique_ptr<Kernel> RowBlocks::separate() {
  auto Own = std::make_unique<Kernel>();
  copyKernel(*K, *Own);
  SmallVector<Node *, 4> Path = findChain(*Own);
  Node &Rows = *Path.back();
  // Of one round of the loops around the rows.
  for (Node *N : ArrayRef(Path).drop_back())
    substituteBelow(*Own, Rows, [&](const Atom &A) -> std::optional<Poly> {
      if (A.K == Atom::Axis && A.Ref == N->Ax)
        return Poly();
      return std::nullopt;
    });
  index(Rows, {Poly::atom(Own->getAxisAtom(Rows.Ax))},
        [&](Access &X, bool IsArray) {
          X.Strides.push_back(IsArray ? Lengths.lookup(X.Buf) : Poly(1));
          if (IsArray)
            X.Strides.push_back(1);
        });
  // They have no place: this is only looked at.
  LLVMContext &C = getContext();
  for (BufferId B : concat<BufferId>(Arrays, Scalars)) {
    Own->Buffers[B].IsLocal = false;
    Own->Buffers[B].Private = 0;
    Own->Buffers[B].Bound = ConstantExpr::getIntToPtr(
        ConstantInt::get(Type::getInt64Ty(C), B + 1), PointerType::get(C, 0));
  }
  Rows.Locals.clear();
  if (Path.size() > 1) {
    std::unique_ptr<Node> Alone = std::move(Path[Path.size() - 2]->Children[0]);
    Own->Root.Children[0] = std::move(Alone);
  }
  erase_if(Own->Needs, [](const Need &N) { return N.isOfPoints(); });
  dropUnusedAxes(*Own);
  computeRoles(*Own);
  return Own;
}

LLVMContext &RowBlocks::getContext() const {
  const auto It = find_if(
      K->Buffers, [](const Buffer &B) { return !B.IsLocal && B.Bound; });
  return It->Bound->getContext();
}

/// Loops below \p N that end where the row \p First + \p Row of a block does
/// are two: up to the block, which is the same for all of its rows, and from
/// there on, a triangle.
void RowBlocks::splitTriangles(Node &N, AxisId Row, const Poly &First) {
  auto IsNeeded = [&](AxisId A) {
    return any_of(K->Needs, [&](const Need &Of) {
      return Of.isOfPoints() && K->dependsOn(Of.P, A);
    });
  };
  Poly InBlock = Poly::atom(K->getAxisAtom(Row));
  for (size_t I = 0; I != N.Children.size(); ++I) {
    Node &Child = *N.Children[I];
    splitTriangles(Child, Row, First);
    if (Child.K != Node::AxisNode || K->Axes[Child.Ax].Extents.size() != 1)
      continue;
    Poly End = K->Axes[Child.Ax].Extents.front() - First;
    SmallVector<AxisId, 4> Below;
    collectAxes(Child, Below);
    if ((End - InBlock).getConstant().value_or(-1) < 0 ||
        any_of(Below, IsNeeded))
      continue;
    std::unique_ptr<Node> Rest = copyWithOwn(*K, Child);
    AxisId Own = Rest->Ax;
    substituteBelow(*K, *Rest, [&](const Atom &A) -> std::optional<Poly> {
      if (A.K == Atom::Axis && A.Ref == Own)
        return First + Poly::atom(K->getAxisAtom(Own));
      return std::nullopt;
    });
    K->Axes[Child.Ax].Extents = {First};
    K->Axes[Own].Extents = {End};
    N.Children.insert(N.Children.begin() + ++I, std::move(Rest));
  }
}

/// What rows have for themselves is on the stack, \p Size times; of those in
/// arrays that somebody sees the last one is stored behind all \p Rounds.
void RowBlocks::placeLocals(Node &Rows, const Poly &Size, const Poly &Rounds) {
  SmallVector<Constraint, 4> Runs;
  for (const Node *N : ArrayRef(Chain).drop_back())
    Runs.push_back({K->Axes[N->Ax].Extents.front() - 1, /*IsEquality=*/false});
  Runs.push_back({Rounds - 1, /*IsEquality=*/false});
  Poly Last = Poly::atom(K->getModAtom(Rounds - 1, Size));
  for (BufferId B : concat<BufferId>(Arrays, Scalars)) {
    BufferId Own = B;
    if (is_contained(Visible, B)) {
      Own = static_cast<BufferId>(K->Buffers.size());
      K->Buffers.push_back(Buffer(K->Buffers[B]));
      K->Buffers[B].Private = 0;
      renameBuffer(Rows, B, Own);
      if (!DLOPT_PLANTED(LastRowForgotten))
        storeLast(Rows, B, Own, Last, Runs);
    }
    Buffer &Local = K->Buffers[Own];
    Local.Shape = {Size};
    if (Local.Private)
      Local.Shape.push_back(Poly(static_cast<int64_t>(Local.Private)));
    Local.IsLocal = true;
    Local.Where = Buffer::Stack;
    Local.Private = 0;
    Local.Bound = nullptr;
    K->Root.Locals.push_back(Own);
  }
}

std::unique_ptr<Kernel> RowBlocks::block(uint64_t Most) {
  Node &Rows = *Chain.back();
  AxisId Row = Rows.Ax, Block = static_cast<AxisId>(K->Axes.size());
  Axis Around = K->Axes[Row];
  Around.L = nullptr;
  Around.Name += "block";
  Poly Size(static_cast<int64_t>(std::min(NumRows, Most)));
  Poly Rounds = Around.Extents.front();
  Around.Extents = {Poly::atom(K->getFloorDivAtom(Rounds + Size - 1, Size))};
  K->Axes.push_back(std::move(Around));
  Poly InBlock = Poly::atom(K->getAxisAtom(Row)),
       First = Size * Poly::atom(K->getAxisAtom(Block));
  auto Map = [&](const Atom &A) -> std::optional<Poly> {
    if (A.K == Atom::Axis && A.Ref == Row)
      return First + InBlock;
    return std::nullopt;
  };
  substituteBelow(*K, Rows, Map);
  for (Need &N : K->Needs)
    if (N.isOfPoints())
      N.P = substituteAtoms(*K, N.P, Map);
  K->Axes[Row].Extents = {Size, Rounds - First};
  // The node of the rows goes into one of blocks in its place.
  auto Inner = std::make_unique<Node>();
  Inner->K = Node::AxisNode;
  Inner->Ax = Row;
  Inner->Children = std::move(Rows.Children);
  Rows.Children.clear();
  Rows.Ax = Block;
  Rows.Locals.clear();
  splitTriangles(*Inner, Row, First);
  index(*Inner, {InBlock}, [](Access &, bool) {});
  placeLocals(*Inner, Size, Rounds);
  Rows.Children.push_back(std::move(Inner));
  // They are found again in what this becomes; it has the source's order.
  for (Axis &A : K->Axes)
    A.R = Role::Sequential;
  return std::move(K);
}
