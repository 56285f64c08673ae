//===- Kernel.h - The kernel model: schedule tree and leaves ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel is a schedule tree over a single-entry single-exit region of a
/// function. Inner nodes are axes, each over a sequence of children; leaves are
/// simultaneous assignments `targets = values` with an affine domain, accesses
/// whose index is a polynomial, and a body (a scalar expression graph).
///
/// State (accumulators, running maxima, the (max, sum) pair of an online
/// softmax) is a local buffer of rank 0 owned by a node; its start value is the
/// leaf that assigns it first, its combiner the leaf that reads and assigns it.
/// A tuple is updated by one leaf with several assignments, which all read the
/// values from before the leaf. Rows that live between children (attention's
/// scores) are local buffers of higher rank.
///
/// Meaning: children run in order; an axis runs its children for each value
/// 0, 1, ..., min(Extents)-1 in ascending order (not at all if that is empty),
/// from max(Begins) on if it has any.
/// That sequential order is the reference which every transformation keeps as
/// far as the numeric tier asks. Roles record what reordering is legal.
///
/// A scheduled kernel says how it is run, too: axes run in blocks, unrolled or
/// in lanes (AxisSchedule.h), locals are registers or on the stack, cases split
/// the code by conditions. Its order of execution is still that of the text.
///
/// The model stands on its own (text in, text out, interpreter); fields that
/// bind it to IR are marked "IR:" and are null in a parsed kernel.
///
/// The tree is compared to isl's schedule trees (Verdoolaege et al., Schedule
/// Trees, IMPACT 2014), the leaves to MLIR's linalg.generic.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_KERNEL_H
#define DLOPT_KERNEL_H

#include "dlopt/AxisSchedule.h"
#include "dlopt/Poly.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/FMF.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Loop;
class Value;
class raw_ostream;
} // namespace llvm

namespace dlopt {

enum class ScalarType : uint8_t { I1, I8, I16, I32, I64, F16, BF16, F32, F64 };

/// Size in memory, in bytes (I1 takes one).
unsigned getSizeInBytes(ScalarType T);
/// Size of the value: 1 for I1.
unsigned getBitWidth(ScalarType T);
bool isFloat(ScalarType T);
/// "i1", "f32", "bf16", ...
llvm::StringRef getName(ScalarType T);
std::optional<ScalarType> parseScalarType(llvm::StringRef Name);
llvm::Type *getIRType(ScalarType T, llvm::LLVMContext &C);
/// nullopt for types the model does not have (vectors, pointers, i128, ...).
std::optional<ScalarType> getScalarType(const llvm::Type *T);

/// The value with these bits as text that reads back as the same bits: decimal
/// where that is exact, else the bits in hexadecimal.
std::string printScalar(ScalarType T, uint64_t Bits);
/// The bits of a number, true, false, inf, nan, or 0x and the bits themselves;
/// nullopt for what T cannot hold.
std::optional<uint64_t> parseScalar(ScalarType T, llvm::StringRef Text);

using ParamId = uint32_t;
using BufferId = uint32_t;
using AxisId = uint32_t;
/// Index of an operation in Leaf::Ops.
using OpId = uint32_t;

/// P >= 0 or P == 0.
struct Constraint {
  Poly P;
  bool IsEquality = false;
};
inline bool operator==(const Constraint &A, const Constraint &B) {
  return A.P == B.P && A.IsEquality == B.IsEquality;
}

/// Value, if all conditions hold and those of no case before do.
struct NumberCase {
  llvm::SmallVector<Constraint, 1> Where;
  Poly Value;
};

/// A loop-invariant scalar. In a polynomial it stands for its value extended to
/// 64 bits as Signed says; in a body for its value of type Ty.
struct Param {
  std::string Name;
  /// What remarks call it; empty: its name. Nothing else may ask for it: it is
  /// of debug information.
  std::string Shown;
  ScalarType Ty = ScalarType::I64;
  bool Signed = true;
  /// IR: the value; may be an instruction inside the region if it is invariant
  /// there (a load of a struct member), then Depth axes enclose its evaluation.
  llvm::Value *Bound = nullptr;
  unsigned Depth = 0;
  /// Scheduled kernels only: nobody passes it, it is computed of parameters in
  /// front of it before the kernel runs. The last case has no condition.
  llvm::SmallVector<NumberCase, 0> Cases;
  /// All values that it has then.
  int64_t Least = INT64_MIN, Most = INT64_MAX;
  bool isComputed() const { return !Cases.empty(); }
};

/// A memory object (external) or a value that lives in a node (local).
struct Buffer {
  std::string Name;
  std::string Shown; ///< as Param::Shown
  ScalarType Ty = ScalarType::F32;
  bool IsLocal = false;
  /// Local only: extent of each dimension; empty for a scalar (state).
  llvm::SmallVector<Poly, 2> Shape;
  /// Local only: where a scheduled kernel keeps it. In registers and on the
  /// stack, what was never assigned and what lanes past the end assign is junk:
  /// it may be computed with and kept there, which gives junk again; it must
  /// not reach memory, another local, an index or a condition out of lanes.
  enum Place : uint8_t { AnyPlace, Register, Stack } Where = AnyPlace;
  /// External only: an array of so many elements that nobody else sees: what it
  /// holds before is read by none, what it holds in the end by nobody. 0: it is
  /// another one.
  uint64_t Private = 0;
  /// IR: external only: the pointer all offsets are relative to (invariant in
  /// the region; may be an instruction inside it, as Param::Bound).
  llvm::Value *Bound = nullptr;
  unsigned Depth = 0;
};

/// The most bytes that an address is said to be a multiple of: a page.
constexpr int64_t MostAligned = 4096;

/// Element of a buffer: offset = sum over d of Subs[d] * Strides[d], in
/// elements. For locals Strides is empty (row-major in Shape).
struct Access {
  BufferId Buf = 0;
  llvm::SmallVector<Poly, 2> Subs;
  llvm::SmallVector<Poly, 2> Strides;
  /// Scheduled kernels, external buffers: the address, in lanes that of the
  /// first of them, is a multiple of so many bytes; 0: nobody says so.
  unsigned Aligned = 0;
  /// The linear element offset of an access to an external buffer.
  Poly offset() const;
};
/// Whether both are the same element, whatever is said of its address.
bool operator==(const Access &A, const Access &B);

/// What a polynomial is made of.
struct Atom {
  enum Kind : uint8_t {
    Axis,     ///< Ref: AxisId
    Param,    ///< Ref: ParamId
    Size,     ///< Ref: AxisId, the elements of its current block
    VL,       ///< lanes of 32 bits in a scalable register (AxisSchedule.h)
    FloorDiv, ///< floor(Num / Den), Den > 0
    Mod,      ///< Num - Den * floor(Num / Den), in [0, Den)
    Load      ///< the integer at Source, extended to 64 bits as Signed says
  } K = Axis;
  uint32_t Ref = 0;
  Poly Num, Den;
  Access Source;
  bool Signed = true;
};
bool operator==(const Atom &A, const Atom &B);

/// One scalar operation of a body.
struct Op {
  enum Kind : uint8_t {
    Const,     ///< Bits: the bit pattern, in the low bits
    Load,      ///< Acc
    Index,     ///< Idx, truncated to Ty (axis values in a body)
    Param,     ///< Ref: ParamId
    Inst,      ///< Opcode: llvm::Instruction opcode (unary, binary, cast, cmp,
               ///< select, freeze)
    Intrinsic, ///< Opcode: llvm::Intrinsic::ID
    LibCall,   ///< Callee, a libm function (by TargetLibraryInfo)
    View ///< of the loads Args the first where Idx >= 0, which is the same
         ///< for the whole kernel, else the second; the other one does
         ///< not happen (scheduled kernels only)
  } K = Const;
  ScalarType Ty = ScalarType::F32;
  unsigned Opcode = 0;
  llvm::CmpInst::Predicate Pred = llvm::CmpInst::BAD_ICMP_PREDICATE;
  llvm::FastMathFlags FMF;
  bool NUW = false, NSW = false, Exact = false, Disjoint = false, NNeg = false;
  llvm::SmallVector<OpId, 3> Args;
  uint64_t Bits = 0;
  uint32_t Ref = 0;
  Access Acc;
  Poly Idx;
  std::string Callee;
  /// LibCall only: may set errno, so calls keep their source order.
  bool WritesErrno = false;
  /// IR: where the operation came from (location, callee, metadata).
  llvm::Value *Origin = nullptr;
};

/// Whether a body may use it: an intrinsic by ID (Intrinsics.def), a libm
/// function by name (LibM.def).
bool isModelIntrinsic(unsigned ID);
bool isModelLibFunction(llvm::StringRef Name);

struct Assign {
  Access Target;
  OpId Value = 0;
  /// IR: the store this came from, if any (alignment, metadata).
  llvm::Value *Origin = nullptr;
  /// Scheduled kernels only: what is stored is not read soon and goes past the
  /// caches. A fence stands behind it.
  bool IsNonTemporal = false;
};

/// A stage: for the axis values in Domain, and if Predicate (evaluated first)
/// is true, all Assigns happen at once. Operations are evaluated on demand, so
/// a load that only an Assign needs is not executed where the stage is not. The
/// demand is that of LLVM's instructions: a select needs both its arms, so a
/// load that must not happen belongs under a Domain or a Predicate.
struct Leaf {
  /// Conjunction.
  llvm::SmallVector<Constraint, 2> Domain;
  /// Operands come before their users.
  std::vector<Op> Ops;
  std::optional<OpId> Predicate;
  llvm::SmallVector<Assign, 1> Assigns;
  /// Scheduled kernels only, of leaves that assign nothing: this element of an
  /// external buffer, which need not exist, will be wanted soon.
  std::optional<Access> Prefetch;
  /// Where to, as LLVM counts: 3 is the first-level cache, 2 the second, where
  /// rows that are a page apart do not push each other out.
  unsigned PrefetchLocality = 2;
  /// Scheduled kernels only, of leaves that are nothing else: what went past
  /// the caches is in memory before anything that is stored behind it.
  bool IsFence = false;
  llvm::DebugLoc Loc;
};

enum class Role : uint8_t {
  Parallel,  ///< iterations are independent
  Reduction, ///< iterations only meet in combiners; reordering needs `reassoc`
  Window,    ///< a Reduction over a window of a parallel axis (conv, pooling)
  Sequential ///< anything else: time steps, running state
};
llvm::StringRef getName(Role R); // "par", "red", "win", "seq"

struct Axis {
  std::string Name;
  Role R = Role::Sequential;
  /// The axis runs from 0 to min(Extents) - 1; each may use enclosing axes.
  llvm::SmallVector<Poly, 1> Extents;
  /// Scheduled kernels only: it starts at the largest of these; none: at 0.
  llvm::SmallVector<Poly, 0> Begins;
  AxisSchedule Schedule;
  /// Whether it is a condition for what is inside: it has one round or none.
  bool isCondition() const;
  /// IR: the loop, and its source location (outermost inlined-at).
  llvm::Loop *L = nullptr;
  llvm::DebugLoc Loc;
};

struct Node {
  enum Kind : uint8_t { Sequence, AxisNode, LeafNode } K = Sequence;
  /// Buffers that live for one iteration of this node (axis) or once (root).
  llvm::SmallVector<BufferId, 2> Locals;
  std::vector<std::unique_ptr<Node>> Children;
  /// Sequence, in scheduled kernels: the code of the children is made once for
  /// each truth of these; they change nothing about what is computed.
  llvm::SmallVector<Constraint, 0> Cases;
  /// The code is made twice instead: where all of Cases hold, and where not.
  bool CasesAreOne = false;
  AxisId Ax = 0; ///< AxisNode
  Leaf L;        ///< LeafNode
};

/// A fact that the rewrite relies on and that the raiser could not prove; it is
/// tested at run time (or proved) before any rewritten code runs.
struct Need {
  enum Kind : uint8_t {
    Disjoint, ///< the bytes touched through Buf and through Others are disjoint
              ///< (of a buffer without an access, its first element)
    Same,     ///< Buf and Others begin at one address: of these pointers all
              ///< but Buf's have no access left
    InRange,  ///< Lo <= P <= Hi for every point of the domain (index no-wrap)
    NonZero,  ///< before the kernel runs, no element of Buf at an offset P, for
              ///< any point of the domain, compares equal to zero
    NoErrno,  ///< no byte touched through Buf is errno
    Aligned   ///< Buf's address is a multiple of Lo bytes
  } K = Disjoint;
  BufferId Buf = 0;
  llvm::SmallVector<BufferId, 4> Others;
  Poly P;
  int64_t Lo = 0, Hi = 0;
  /// Nothing but roles of axes rely on it: with other ones it may go.
  bool IsOfRoles = false;
  /// InRange, of a number that the kernel loads in any case: the guard looks at
  /// all of them (needLoadBounds).
  bool LooksAtAll = false;

  /// Whether it speaks of P.
  bool isOfPoints() const { return K == InRange || K == NonZero; }
};
/// Whether they ask for the same, whoever relies on it.
bool operator==(const Need &A, const Need &B);

class Kernel {
public:
  unsigned Id = 0;
  std::string Function; ///< without '@'
  std::string Location; ///< "file:line" or empty
  std::string Kind;     ///< label from Kinds.def; empty before classification
  std::vector<Atom> Atoms;
  std::vector<Param> Params;
  std::vector<Buffer> Buffers;
  std::vector<Axis> Axes;
  Node Root; ///< a Sequence
  std::vector<Need> Needs;

  /// Interning: equal atoms get equal ids.
  AtomId getAxisAtom(AxisId A);
  AtomId getParamAtom(ParamId P);
  AtomId getSizeAtom(AxisId A);
  AtomId getVLAtom();
  /// \p S as a polynomial. Of what is in the kernel (verified): who has a size
  /// of his own calls getVLAtom() before.
  Poly getPoly(const ScheduleSize &S) const;
  /// \p P as a size, if it is a number or one times `vl`.
  std::optional<ScheduleSize> getSize(const Poly &P) const;
  AtomId getFloorDivAtom(Poly Num, Poly Den);
  AtomId getModAtom(Poly Num, Poly Den);
  AtomId getLoadAtom(Access Source, bool Signed);

  /// The atom of the axis, of what that is for \p Kind; nullopt: nothing speaks
  /// of it.
  std::optional<AtomId> findAxisAtom(AxisId A,
                                     Atom::Kind Kind = Atom::Axis) const;

  /// True if \p P depends on axis \p A, through div, mod and loads too.
  bool dependsOn(const Poly &P, AxisId A) const;
  bool dependsOn(const Access &X, AxisId A) const;
  /// True if \p Pred holds for an atom of \p P or, through div, mod and loads,
  /// for an atom inside one.
  bool anyNestedAtom(const Poly &P,
                     llvm::function_ref<bool(const Atom &)> Pred) const;
  bool anyNestedAtom(const Access &X,
                     llvm::function_ref<bool(const Atom &)> Pred) const;
  /// Whether \p P has one value for the whole kernel: it has neither axes nor
  /// loaded values.
  bool isFixed(const Poly &P) const;
  /// Whether it says how it is run. Whatever is not made for such kernels asks
  /// this first.
  bool isScheduled() const;
  /// Whether it says what is the last that a schedule says: what is fetched
  /// ahead, what goes past the caches, which addresses are aligned.
  bool hasHints() const;
  /// True if the bounds of \p A are fixed: it always has as many rounds.
  bool hasFixedExtents(AxisId A) const;

  void print(llvm::raw_ostream &OS) const; // Printer.cpp
};

/// Depth-first visit of the leaves with the axes that enclose each, outermost
/// first.
void forEachLeaf(
    const Node &N,
    llvm::function_ref<void(const Leaf &, llvm::ArrayRef<AxisId>)> Visit);

/// The stride of \p P along \p A; nullopt: it is no linear function of \p A, or
/// the stride depends on \p A.
std::optional<Poly> getStride(const Kernel &K, const Poly &P, AxisId A);

/// \p P in the round of the axis \p A in which it is the greatest, or the
/// least; nullopt: it is no linear function of \p A, or of more than numbers.
std::optional<Poly> getEnd(const Kernel &K, const Poly &P, AxisId A, bool Most);

/// What a number that is loaded lies between, Most included, wherever the
/// kernel loads it.
struct LoadBounds {
  int64_t Least = 0;
  Poly Most;
};

/// The bounds of the atom \p Load that needLoadBounds() has asked for. A guard
/// reads all of its numbers for these, so that \p K certainly loads them.
std::optional<LoadBounds> getLoadBounds(const Kernel &K, AtomId Load);

/// The atom for whose bounds \p N, a need of \p K, is there.
std::optional<AtomId> getBoundedLoad(const Kernel &K, const Need &N);

/// Has \p K need \p Bounds of the atom \p Load, which has none so far, and
/// which all rounds of the source load.
void needLoadBounds(Kernel &K, AtomId Load, const LoadBounds &Bounds);

/// The rounds of the axis \p A, if all of its bounds are constants.
std::optional<uint64_t> getRounds(const Kernel &K, AxisId A);

/// The rounds of all loops in \p N together, each inside the ones around it;
/// UINT64_MAX: unknown. What has no loops counts as one.
uint64_t getAllRounds(const Kernel &K, const Node &N);

/// Rewrites the subscripts and strides of an access to an external buffer such
/// that rows and columns show: given Subs = {i*%K + k}, Strides = {1} it makes
/// Subs = {i, k}, Strides = {%K, 1}. The offset stays equal as a polynomial.
/// Extents of the axes must be set: constant strides are found by them.
void delinearize(const Kernel &K, Access &X);

/// Parses the textual form (docs/kernel-model.md): one or more kernels. Errors
/// read "file:line:column: what was expected".
llvm::Expected<std::vector<std::unique_ptr<Kernel>>>
parseKernels(llvm::StringRef Text, llvm::StringRef FileName);

/// Checks the invariants of the model (types, operand order, ranks, scoping of
/// axes and locals, positive divisors, roles not contradicted by accesses);
/// the error names the first violation.
llvm::Error verifyKernel(const Kernel &K);

} // namespace dlopt

#endif // DLOPT_KERNEL_H
