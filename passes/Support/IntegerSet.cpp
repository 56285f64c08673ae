//===- IntegerSet.cpp - Whether linear constraints have a solution --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IntegerSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include "isl/ctx.h"
#include "isl/mat.h"
#include "isl/options.h"
#include "isl/set.h"
#include "isl/space.h"
#include "isl/val.h"

using namespace llvm;
using namespace dlopt;

/// Questions of a few dozen variables take some thousand operations.
static constexpr unsigned long MaxOperations = 2'000'000;
/// The same with numbers of more than 32 bits.
static constexpr unsigned long MaxLargeOperations = 1000;

namespace {

/// Running out of operations is an answer, not an error to be printed.
struct Context {
  isl_ctx *Ctx = isl_ctx_alloc();
  explicit Context(unsigned long Operations = MaxOperations) {
    isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(Ctx, Operations);
  }
  Context(const Context &) = delete;
  ~Context() { isl_ctx_free(Ctx); }
};

} // namespace

/// All rows at once: isl simplifies what it has with each that is added.
isl_basic_set *IntegerSet::make(isl_ctx *Ctx) const {
  auto NumEqualities = static_cast<unsigned>(
      count_if(Rows, [](const LinearRow &R) { return R.IsEquality; }));
  auto NumRows = static_cast<unsigned>(Rows.size());
  isl_mat *Equalities = isl_mat_alloc(Ctx, NumEqualities, NumVariables + 1);
  isl_mat *Others =
      isl_mat_alloc(Ctx, NumRows - NumEqualities, NumVariables + 1);
  int NextEquality = 0, NextOther = 0;
  for (const LinearRow &R : Rows) {
    isl_mat *&Mat = R.IsEquality ? Equalities : Others;
    int At = R.IsEquality ? NextEquality++ : NextOther++;
    for (unsigned I = 0; I <= NumVariables; ++I)
      Mat = isl_mat_set_element_si(Mat, At, static_cast<int>(I), 0);
    for (auto [Variable, Coef] : R.Terms)
      Mat = isl_mat_set_element_val(Mat, At, static_cast<int>(Variable),
                                    isl_val_int_from_si(Ctx, Coef));
    Mat = isl_mat_set_element_val(Mat, At, static_cast<int>(NumVariables),
                                  isl_val_int_from_si(Ctx, R.Constant));
  }
  return isl_basic_set_from_constraint_matrices(
      isl_space_set_alloc(Ctx, 0, NumVariables), Equalities, Others,
      isl_dim_set, isl_dim_div, isl_dim_param, isl_dim_cst);
}

/// isl's numbers of more than 32 bits are slow: with bounds of 2^32, as those
/// of unsigned indices are, a question takes 15 times as long. Nearly all sets
/// that are empty are so without, and with fewer conditions a set has more
/// points.
IntegerSet IntegerSet::withoutLargeNumbers() const {
  auto IsLarge = [](int64_t X) { return !isInt<32>(X); };
  IntegerSet Result = *this;
  erase_if(Result.Rows, [&](const LinearRow &R) {
    return IsLarge(R.Constant) ||
           any_of(R.Terms, [&](const Term &T) { return IsLarge(T.second); });
  });
  return Result;
}

/// The same but for variables behind the first \p NumKept that are not needed
/// for that; nullopt: there is no point.
std::optional<IntegerSet>
IntegerSet::withFewerVariables(unsigned NumKept) const {
  std::optional<std::vector<LinearRow>> Fewer =
      eliminateVariables(Rows, NumVariables, NumKept);
  if (!Fewer)
    return std::nullopt;
  IntegerSet Result;
  Result.Rows = std::move(*Fewer);
  Result.NumVariables = NumKept;
  SmallVector<std::optional<unsigned>, 32> NewIds(NumVariables);
  for (unsigned I = 0; I != NumKept; ++I)
    NewIds[I] = I;
  for (LinearRow &R : Result.Rows)
    for (Term &T : R.Terms) {
      if (!NewIds[T.first])
        NewIds[T.first] = Result.addVariable();
      T.first = *NewIds[T.first];
    }
  return Result;
}

/// Appends all that says which points a set has.
void IntegerSet::addKey(SmallVectorImpl<int64_t> &Key) const {
  for (const LinearRow &R : Rows) {
    Key.append(
        {R.IsEquality, R.Constant, static_cast<int64_t>(R.Terms.size())});
    for (auto [Variable, Coef] : R.Terms)
      Key.append({Variable, Coef});
  }
}

/// The answer to a question that has all of \p Key, which \p Find finds.
///
/// Scripts are tried one after the other, with sizes that are known and with
/// others, for vectors of each width, and ask most questions again: of windows
/// four of five, of what isl has to answer seven of eight. Answers are of
/// numbers alone, so that none is ever old.
static bool askOnce(ArrayRef<int64_t> Key, function_ref<bool()> Find) {
  // Some megabytes; windows of all kinds for three targets ask 3000.
  constexpr size_t MostAnswers = 4096;
  thread_local StringMap<bool> Answers;
  StringRef Bytes(reinterpret_cast<const char *>(Key.data()),
                  Key.size() * sizeof(int64_t));
  if (auto It = Answers.find(Bytes); It != Answers.end())
    return It->second;
  bool Answer = Find();
  if (Answers.size() >= MostAnswers)
    Answers.clear();
  Answers[Bytes] = Answer;
  return Answer;
}

bool IntegerSet::isEmpty() const {
  SmallVector<int64_t, 256> Key;
  addKey(Key);
  return askOnce(Key, [&] { return findEmpty(); });
}

bool IntegerSet::findEmpty() const {
  std::optional<IntegerSet> Same = withFewerVariables(/*NumKept=*/0);
  if (!Same || Same->Rows.empty())
    return !Same;
  IntegerSet Larger = withoutLargeNumbers();
  if (Larger.Rows.size() != Rows.size() && Larger.isEmpty())
    return true;
  bool HasLarge = Same->withoutLargeNumbers().Rows.size() != Same->Rows.size();
  SmallVector<int64_t, 128> Key = {/*of what is left*/ -1};
  Same->addKey(Key);
  return askOnce(Key, [&] {
    Context C(HasLarge ? MaxLargeOperations : MaxOperations);
    isl_basic_set *Set = Same->make(C.Ctx);
    bool Empty = isl_basic_set_is_empty(Set) == isl_bool_true;
    isl_basic_set_free(Set);
    return Empty;
  });
}

bool IntegerSet::isCoveredBy(const IntegerSet &Other,
                             unsigned NumShared) const {
  std::optional<IntegerSet> Mine = withFewerVariables(NumShared),
                            All = Other.withFewerVariables(NumShared);
  if (!Mine || !All)
    return !Mine || isEmpty();
  Context C;
  auto Project = [&](const IntegerSet &Of) {
    return isl_set_project_out(isl_set_from_basic_set(Of.make(C.Ctx)),
                               isl_dim_set, NumShared,
                               Of.NumVariables - NumShared);
  };
  isl_set *Is = Project(*Mine), *Of = Project(*All);
  bool Covered = isl_set_is_subset(Is, Of) == isl_bool_true;
  isl_set_free(Is);
  isl_set_free(Of);
  return Covered;
}
