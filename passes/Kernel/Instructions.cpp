//===- Instructions.cpp - Nests that are one instruction ------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loop runs its elements one after the other, each for all lanes; the
/// instruction runs all elements at once, for some lanes after the others. That
/// is the same because nothing that is loaded is assigned (the sum is a local,
/// of another type; what a move assigns is another array), and because each
/// element adds to the sum, modulo 2^n, or is assigned to a place of its own.
/// Sums of floats are others, which flags have to permit.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Instructions.h"
#include "dlopt/Compat.h"
#include "dlopt/Conversion.h"
#include "dlopt/KernelText.h"
#include "dlopt/PlantedBugs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAArch64.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;
using namespace dlopt;

namespace {

// The types of Instructions.def.
constexpr ScalarType i32 = ScalarType::I32, f16 = ScalarType::F16,
                     f32 = ScalarType::F32;
constexpr FactorType u8{ScalarType::I8, false}, s8{ScalarType::I8, true},
    s16{ScalarType::I16, true}, half{ScalarType::F16, true},
    bf16{ScalarType::BF16, true};

const InstructionRow Rows[] = {
#define DOT(NAME, FEATURES, INTRINSIC, LANES, DEPTH, SUM, A, B, ADDS)          \
  {InstructionRow::Dot,  #NAME, DEPTH, LANES, FEATURES,                        \
   Intrinsic::INTRINSIC, SUM,   A,     B,     ADDS},
#define MOVE(NAME, DEPTH)                                                      \
  {InstructionRow::Move, #NAME, DEPTH, 0, "", 0, i32, s8, s8, 0},
#define TREE(NAME, DEPTH)                                                      \
  {InstructionRow::Tree, #NAME, DEPTH, 0, "", 0, i32, s8, s8, 0},
#include "dlopt/Instructions.def"
};

/// Functions return true, with Message set, where the nest is something else.
class Matcher {
public:
  Matcher(const Kernel &K, const Node &N, const InstructionRow &Row,
          InstructionUse &Use)
      : K(K), N(N), Row(Row), Use(Use) {}
  bool run() {
    return matchAxis() || matchLanes() || matchConditions() ||
           (Row.isMove()   ? matchMove()
            : Row.isTree() ? matchTree()
                           : matchSum()) ||
           (!Row.isMove() && matchSumAccess()) || matchIndices();
  }
  std::string Message;

private:
  bool fail(const Twine &Text) {
    Message = ("'" + Row.Name + "' " + Text).str();
    return true;
  }
  bool matchAxis();
  bool matchLanes();
  bool matchConditions();
  bool matchSum();
  bool matchFloats();
  bool matchTree();
  /// What is added to the sum that the leaf assigns, if it does nothing else.
  std::optional<OpId> findAdded() const;
  bool matchProduct(const Op &Product);
  bool matchOne(OpId Factor);
  bool matchFactor(OpId Id, FactorType &Ty, const Op *&Load);
  bool matchConverted(OpId Id, FactorType &Ty, const Op *&Load);
  bool matchSumAccess();
  bool matchMoved();
  Poly getLaneStride(const Poly &Index, ScalarType Ty) const;
  bool matchMove();
  bool matchIndices();
  const Op &op(OpId Id) const { return Use.L->Ops[Id]; }
  /// The axis as a polynomial, if anything speaks of it.
  Poly getAxis(AxisId A) const {
    for (auto [Id, X] : enumerate(K.Atoms))
      if (X.K == Atom::Axis && X.Ref == A)
        return Poly::atom(static_cast<AtomId>(Id));
    return Poly();
  }
  /// Whether the elements of a lane are stored as one number.
  bool isMoveOfNumbers() const {
    if (!Row.isMove() || Use.L->Assigns.size() != 1)
      return false;
    const Buffer &To = K.Buffers[Use.target().Buf];
    return To.Where == Buffer::Stack &&
           Row.Depth * 8 * getSizeInBytes(To.Ty) <= MostMoveBits;
  }
  bool isOfNest(const Poly &P) const {
    return K.dependsOn(P, N.Ax) || (Use.Lanes && K.dependsOn(P, Use.Lanes->Ax));
  }

  const Kernel &K;
  const Node &N;
  const InstructionRow &Row;
  InstructionUse &Use;
};

} // namespace

std::string dlopt::getName(FactorType F) {
  return (F.Signed ? "s" : "u") + utostr(getBitWidth(F.Ty));
}

std::optional<FactorType> dlopt::parseFactorType(StringRef Name) {
  bool IsUnsigned = Name.consume_front("u");
  std::optional<ScalarType> Ty =
      parseScalarType(IsUnsigned ? ("i" + Name).str() : Name.str());
  if (!Ty || *Ty == ScalarType::I1)
    return std::nullopt;
  return FactorType{*Ty, !IsUnsigned};
}

SmallVector<OpId, 2> dlopt::findProduct(const Leaf &L, const Op &O,
                                        const Access &Sum) {
  auto IsSum = [&](OpId Id) {
    return L.Ops[Id].K == Op::Load && L.Ops[Id].Acc == Sum;
  };
  if (O.K == Op::Intrinsic &&
      (O.Opcode == Intrinsic::fmuladd || O.Opcode == Intrinsic::fma) &&
      IsSum(O.Args[2]))
    return {O.Args[0], O.Args[1]};
  bool IsFloat = isFloat(O.Ty);
  if (O.K != Op::Inst ||
      O.Opcode != unsigned(IsFloat ? Instruction::FAdd : Instruction::Add))
    return {};
  for (unsigned I : {0, 1}) {
    const Op &Product = L.Ops[O.Args[1 - I]];
    if (IsSum(O.Args[I]) && Product.K == Op::Inst &&
        Product.Opcode ==
            unsigned(IsFloat ? Instruction::FMul : Instruction::Mul))
      return {Product.Args[0], Product.Args[1]};
  }
  return {};
}

bool dlopt::mayApproximate(const Leaf &L) {
  auto May = [](const Op &O) {
    bool IsArithmetic =
        isFloat(O.Ty) && (O.K == Op::Intrinsic ||
                          (O.K == Op::Inst && !Instruction::isCast(O.Opcode)));
    return !IsArithmetic || (O.FMF.allowReassoc() && O.FMF.allowContract() &&
                             O.FMF.approxFunc());
  };
  return DLOPT_PLANTED(ApproximatedUnasked) || all_of(L.Ops, May);
}

ArrayRef<InstructionRow> dlopt::getDots() {
  return ArrayRef(Rows).take_while(
      [](const InstructionRow &I) { return I.isDot(); });
}

ArrayRef<InstructionRow> dlopt::findInstructions(StringRef Name) {
  auto IsIt = [&](const InstructionRow &I) { return I.Name == Name; };
  return ArrayRef(Rows).drop_until(IsIt).take_while(IsIt);
}

/// As many elements as the instruction has, or blocks of as many: of a shorter
/// block, the last one, the loop is a loop. A move may be of at most as many.
bool Matcher::matchAxis() {
  const Axis &A = K.Axes[N.Ax];
  bool IsWhole = is_contained(A.Extents, Poly(Row.Depth));
  bool Fits =
      A.Begins.empty() && (A.Extents.size() == 1 || (Row.isMove() && IsWhole));
  if (Row.isTree())
    Fits &= IsWhole;
  else if (Fits && !IsWhole) {
    std::optional<AtomId> Id = A.Extents.front().getAtom();
    Fits = Id && K.Atoms[*Id].K == Atom::Size;
    if (Fits) {
      const AxisSchedule &Blocks = K.Axes[K.Atoms[*Id].Ref].Schedule;
      Fits = Blocks.isBlocks() &&
             Blocks.Steps.front() == ScheduleSize{Row.Depth, false};
    }
  }
  return !Fits && fail("is of " + Twine(Row.Depth) + " elements, axis '" +
                       A.Name + "' is of others");
}

bool Matcher::matchLanes() {
  if (Row.isDot() && Row.Lanes == 1) {
    bool IsOne = N.Children.size() == 1 && N.Locals.empty() &&
                 N.Children.front()->K == Node::LeafNode;
    if (!IsOne)
      return fail("is one leaf, which '" + K.Axes[N.Ax].Name +
                  "' is not around");
    Use.L = &N.Children.front()->L;
    return false;
  }
  Use.Lanes = N.Children.size() == 1 ? N.Children.front().get() : nullptr;
  bool IsOne =
      Use.Lanes && N.Locals.empty() && Use.Lanes->K == Node::AxisNode &&
      K.Axes[Use.Lanes->Ax].Schedule.Lanes && Use.Lanes->Children.size() == 1 &&
      Use.Lanes->Children.front()->K == Node::LeafNode;
  if (!IsOne)
    return fail("is one leaf in lanes, which '" + K.Axes[N.Ax].Name +
                "' is not around");
  Use.L = &Use.Lanes->Children.front()->L;
  ScheduleSize Own = K.Axes[Use.Lanes->Ax].Schedule.Lanes;
  if (Own.Scalable)
    return fail("has a number of lanes, axis '" + K.Axes[Use.Lanes->Ax].Name +
                "' has " + getText(Own));
  if (!Row.isDot())
    return false;
  int64_t Lanes = Own.N;
  ArrayRef<InstructionRow> Known = findInstructions(Row.Name);
  auto Has = map_range(Known, [](const auto &R) { return utostr(R.Lanes); });
  return none_of(Known, [&](const auto &R) { return R.Lanes == Lanes; }) &&
         fail("has " + join(Has, ", ") + " lanes, axis '" +
              K.Axes[Use.Lanes->Ax].Name + "' has " + Twine(Lanes));
}

/// What the whole nest has in common is tested in front of it. A move of
/// numbers may leave out lanes.
bool Matcher::matchConditions() {
  if (Use.L->Predicate)
    return fail("has no condition, the leaf has one");
  if (DLOPT_PLANTED(RowConditionUnasked))
    return false;
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  bool MayMask = isMoveOfNumbers();
  for (const Constraint &C : Use.L->Domain)
    if ((MayMask ? K.dependsOn(C.P, N.Ax) : isOfNest(C.P)) ||
        K.anyNestedAtom(C.P, IsLoad))
      return fail("has no condition, the leaf has '" +
                  KernelText(K).constraint(C) + "'");
  return false;
}

static bool isInst(const Op &O, unsigned Opcode) {
  return O.K == Op::Inst && O.Opcode == Opcode;
}

/// s = add(s, product), in either order, or with a factor that is multiplied by
/// 1. That it does not wrap (nsw) is no
/// matter: then no order of the terms gives anything else.
bool Matcher::matchSum() {
  if (Use.L->Assigns.size() != 1)
    return fail("assigns one sum, the leaf several");
  const Assign &A = Use.L->Assigns.front();
  const Buffer &Sum = K.Buffers[A.Target.Buf];
  if (Sum.Ty != Row.Sum)
    return fail("adds to " + dlopt::getName(Row.Sum) + ", '" + Sum.Name +
                "' is " + dlopt::getName(Sum.Ty));
  if (!Sum.IsLocal)
    return fail("adds to a local, which '" + Sum.Name + "' is not");
  if (isFloat(Row.Sum))
    return matchFloats();
  if (std::optional<OpId> Added = findAdded())
    return isInst(op(*Added), Instruction::Mul) ? matchProduct(op(*Added))
                                                : matchOne(*Added);
  return fail("adds to what it assigns, the leaf does something else");
}

/// s = fmuladd(x, y, s) of bfloats, or the like.
bool Matcher::matchFloats() {
  const Assign &A = Use.L->Assigns.front();
  SmallVector<OpId, 2> Factors = findProduct(*Use.L, op(A.Value), A.Target);
  if (Factors.empty())
    return fail("adds products to what it assigns, the leaf does something "
                "else");
  if (!mayApproximate(*Use.L))
    return fail("adds in any order and takes subnormal numbers for 0, which no "
                "flags of the leaf permit");
  const Op *Loads[2] = {};
  for (auto [I, Id] : enumerate(Factors))
    for (auto [From, X] : enumerate(Use.L->Ops)) {
      auto Of = static_cast<OpId>(From);
      if (X.K == Op::Load && is_contained(findConversions(*Use.L, Of), Id) &&
          isBFloat(getConversion(*Use.L, Of, Id)))
        Loads[I] = &X;
    }
  if (!Loads[0] || !Loads[1])
    return fail("multiplies bfloats that are loaded");
  Use.A = Loads[0], Use.ValueA = Factors[0];
  Use.B = Loads[1], Use.ValueB = Factors[1];
  return false;
}

std::optional<OpId> Matcher::findAdded() const {
  const Assign &A = Use.L->Assigns.front();
  const Op &Value = op(A.Value);
  if (isInst(Value, Instruction::Add))
    for (unsigned I : {0, 1})
      if (const Op &O = op(Value.Args[I]); O.K == Op::Load && O.Acc == A.Target)
        return Value.Args[1 - I];
  return std::nullopt;
}

/// s[j] = add(s[j], t[..., j, u]), with t in registers.
bool Matcher::matchTree() {
  if (Use.L->Assigns.size() != 1)
    return fail("assigns one sum, the leaf several");
  const Access &Sum = Use.target();
  std::optional<OpId> Added = findAdded();
  Use.A = Added ? &op(*Added) : nullptr;
  if (!Use.A || Use.A->K != Op::Load)
    return fail("adds what is loaded to what it assigns, the leaf does "
                "something else");
  const Access &From = Use.A->Acc;
  const Buffer &To = K.Buffers[Sum.Buf], &Of = K.Buffers[From.Buf];
  if (!To.IsLocal || To.Ty != Row.Sum || Of.Ty != Row.Sum)
    return fail("adds to a local of " + dlopt::getName(Row.Sum));
  bool Fits = Of.IsLocal && Of.Where == Buffer::Register &&
              From.Buf != Sum.Buf && From.Subs.size() >= 2 &&
              Of.Shape.back() == Poly(Row.Depth) &&
              From.Subs.back() == getAxis(N.Ax) &&
              none_of(ArrayRef(From.Subs).drop_back(),
                      [&](const Poly &P) { return K.dependsOn(P, N.Ax); });
  return !Fits && fail("adds the lanes of registers, one for each '" +
                       K.Axes[Use.Lanes->Ax].Name + "', not " +
                       KernelText(K).access(From));
}

bool Matcher::matchFactor(OpId Id, FactorType &Ty, const Op *&Load) {
  const Op &O = op(Id);
  if (isInst(O, Instruction::ZExt) || isInst(O, Instruction::SExt)) {
    Load = &op(O.Args.front());
    Ty = {Load->Ty, O.Opcode == Instruction::SExt};
    if (Load->K == Op::Load)
      return false;
  }
  return matchConverted(Id, Ty, Load);
}

/// What is made of an element, if it certainly fits into a narrow type.
bool Matcher::matchConverted(OpId Id, FactorType &Ty, const Op *&Load) {
  const Leaf &L = *Use.L;
  for (auto [From, X] : enumerate(L.Ops)) {
    auto Of = static_cast<OpId>(From);
    if (X.K != Op::Load || !is_contained(findConversions(L, Of), Id))
      continue;
    std::optional<ConversionRange> R = getRange(K, getConversion(L, Of, Id));
    if (!R || !fits(K, *R, ScalarType::I16))
      return true;
    bool IsByte = fits(K, *R, ScalarType::I8);
    Ty = {IsByte ? ScalarType::I8 : ScalarType::I16, true};
    Load = &X;
    return false;
  }
  return true;
}

bool Matcher::matchProduct(const Op &Product) {
  FactorType X, Y;
  const Op *LoadX = nullptr, *LoadY = nullptr;
  if (!isInst(Product, Instruction::Mul) ||
      matchFactor(Product.Args[0], X, LoadX) ||
      matchFactor(Product.Args[1], Y, LoadY))
    return fail("adds products of numbers that are loaded and extended");
  if (DLOPT_PLANTED(RowSignsUnasked))
    X.Signed = Row.A.Signed, Y.Signed = Row.B.Signed;
  // What is made of an element may be a number of both signs' types.
  auto MayBe = [&](FactorType Is, const Op *Load, OpId Value, FactorType To) {
    if (mayWiden(Is, To))
      return true;
    auto Of = static_cast<OpId>(Load - Use.L->Ops.data());
    std::optional<ConversionRange> R =
        getRange(K, getConversion(*Use.L, Of, Value));
    return R && isIn(*R, To);
  };
  auto Fits = [&] {
    return MayBe(X, LoadX, Use.ValueA, Row.A) &&
           MayBe(Y, LoadY, Use.ValueB, Row.B);
  };
  Use.ValueA = Product.Args[0];
  Use.ValueB = Product.Args[1];
  if (!Fits()) {
    std::swap(X, Y);
    std::swap(LoadX, LoadY);
    std::swap(Use.ValueA, Use.ValueB);
  }
  Use.A = LoadX;
  Use.B = LoadY;
  return !Fits() &&
         fail("multiplies " + getName(Row.A) + " and " + getName(Row.B) +
              ", the leaf " + getName(Y) + " and " + getName(X));
}

bool Matcher::matchOne(OpId Factor) {
  FactorType Ty;
  const Op *Load = nullptr;
  if (matchFactor(Factor, Ty, Load))
    return fail("adds products of numbers that are loaded and extended");
  if (mayWiden(Ty, Row.B)) {
    Use.B = Load;
    Use.ValueB = Factor;
  } else {
    Use.A = Load;
    Use.ValueA = Factor;
  }
  return !mayWiden(Ty, Use.B ? Row.B : Row.A) &&
         fail("multiplies " + getName(Row.A) + " and " + getName(Row.B) +
              ", the leaf " + getName(Ty));
}

bool Matcher::matchSumAccess() {
  const Access &Sum = Use.target();
  if (K.dependsOn(Sum, N.Ax) && !DLOPT_PLANTED(RowSumUnasked))
    return fail("has one sum for all of '" + K.Axes[N.Ax].Name + "', not " +
                KernelText(K).access(Sum));
  return Use.Lanes && !K.dependsOn(Sum, Use.Lanes->Ax) &&
         fail("has a sum for each lane, not " + KernelText(K).access(Sum));
}

/// What is loaded, in memory as it is, or a conversion of it.
bool Matcher::matchMoved() {
  if (Use.L->Assigns.size() != 1)
    return true;
  OpId Value = Use.L->Assigns.front().Value;
  bool MayConvert = K.Buffers[Use.target().Buf].Where == Buffer::Stack;
  for (auto [Id, O] : enumerate(Use.L->Ops)) {
    bool IsIt = MayConvert
                    ? is_contained(
                          findConversions(*Use.L, static_cast<OpId>(Id)), Value)
                    : Id == Value;
    if (O.K == Op::Load && IsIt) {
      Use.A = &O;
      return false;
    }
  }
  return true;
}

/// By how much \p Index of a move to the stack grows with the lane: no vector
/// of a lane reaches the next one, and numbers (storeNumbers) are neighbours.
Poly Matcher::getLaneStride(const Poly &Index, ScalarType Ty) const {
  std::optional<AtomId> Lane = K.findAxisAtom(Use.Lanes->Ax);
  std::optional<Poly> Coef = Lane ? Index.coefficient(*Lane) : std::nullopt;
  std::optional<int64_t> Stride = Coef ? Coef->getConstant() : std::nullopt;
  bool IsMoveOfNumbers = Row.Depth * 8 * getSizeInBytes(Ty) <= MostMoveBits;
  return Stride && *Stride > Row.Depth && !IsMoveOfNumbers ? Poly(*Stride)
                                                           : Poly(Row.Depth);
}

/// t[..., DEPTH*j + u + c] = load, or t[..., j + c, u] in registers.
bool Matcher::matchMove() {
  if (matchMoved())
    return fail("assigns what is loaded, the leaf does something else");
  const Access &To = Use.target();
  const Buffer &Local = K.Buffers[To.Buf];
  if (Local.Where == Buffer::AnyPlace || Use.A->Acc.Buf == To.Buf)
    return fail("assigns to another array, on the stack or in registers, not "
                "to '" +
                Local.Name + "'");
  if (Local.Ty == ScalarType::I1)
    return fail("is not of elements of type " + dlopt::getName(Local.Ty));
  Poly Element = getAxis(N.Ax), Lane = getAxis(Use.Lanes->Ax);
  ArrayRef<Poly> Others = To.Subs;
  bool Fits = false;
  if (Local.Where == Buffer::Stack) {
    Fits = !Others.empty() &&
           !isOfNest(Others.back() -
                     Lane * getLaneStride(Others.back(), Local.Ty) - Element);
    Others = Others.drop_back(Fits);
  } else if (Others.size() >= 2 && Local.Shape.back() == Poly(Row.Depth)) {
    Fits =
        Others.back() == Element && !isOfNest(Others.drop_back().back() - Lane);
    Others = Others.drop_back(2);
  }
  Fits = Fits && none_of(Others, [&](const Poly &P) { return isOfNest(P); });
  return !Fits &&
         fail("puts elements of '" + K.Axes[N.Ax].Name +
              "' behind each other, not at " + KernelText(K).access(To));
}

bool Matcher::matchIndices() {
  auto IsLoad = [](const Atom &A) { return A.K == Atom::Load; };
  auto Check = [&](const Access &X) {
    return K.anyNestedAtom(X, IsLoad) &&
           fail("has no loaded indices, " + KernelText(K).access(X) + " has");
  };
  return Check(Use.target()) || (Use.A && Check(Use.A->Acc)) ||
         (Use.B && Check(Use.B->Acc));
}

std::string dlopt::matchInstruction(const Kernel &K, const Node &N,
                                    StringRef Name, InstructionUse &Use) {
  ArrayRef<InstructionRow> Known = findInstructions(Name);
  if (Known.empty()) {
    SmallVector<StringRef, 8> Names;
    for (const InstructionRow &I : Rows)
      if (!is_contained(Names, I.Name))
        Names.push_back(I.Name);
    return ("there is no instruction '" + Name + "', but " + join(Names, ", "))
        .str();
  }
  Use.Row = &Known.front();
  Matcher M(K, N, *Use.Row, Use);
  M.run();
  return M.Message;
}
