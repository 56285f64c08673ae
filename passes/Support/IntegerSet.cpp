//===- IntegerSet.cpp - Whether linear constraints have a solution --------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "IntegerSet.h"
#include "isl/constraint.h"
#include "isl/ctx.h"
#include "isl/local_space.h"
#include "isl/options.h"
#include "isl/set.h"
#include "isl/space.h"
#include "isl/val.h"

using namespace llvm;
using namespace dlopt;

/// Questions of a few dozen variables take some thousand operations.
static constexpr unsigned long MaxOperations = 2'000'000;

namespace {

/// Running out of operations is an answer, not an error to be printed.
struct Context {
  isl_ctx *Ctx = isl_ctx_alloc();
  Context() {
    isl_options_set_on_error(Ctx, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(Ctx, MaxOperations);
  }
  Context(const Context &) = delete;
  ~Context() { isl_ctx_free(Ctx); }
};

} // namespace

isl_basic_set *IntegerSet::make(isl_ctx *Ctx) const {
  isl_space *Space = isl_space_set_alloc(Ctx, 0, NumVariables);
  isl_local_space *Local = isl_local_space_from_space(isl_space_copy(Space));
  isl_basic_set *Set = isl_basic_set_universe(Space);
  for (const Row &R : Rows) {
    isl_constraint *C =
        R.IsEquality
            ? isl_constraint_alloc_equality(isl_local_space_copy(Local))
            : isl_constraint_alloc_inequality(isl_local_space_copy(Local));
    for (auto [Variable, Coef] : R.Terms)
      C = isl_constraint_set_coefficient_val(C, isl_dim_set,
                                             static_cast<int>(Variable),
                                             isl_val_int_from_si(Ctx, Coef));
    C = isl_constraint_set_constant_val(C,
                                        isl_val_int_from_si(Ctx, R.Constant));
    Set = isl_basic_set_add_constraint(Set, C);
  }
  isl_local_space_free(Local);
  return Set;
}

bool IntegerSet::isEmpty() const {
  Context C;
  isl_basic_set *Set = make(C.Ctx);
  bool Empty = isl_basic_set_is_empty(Set) == isl_bool_true;
  isl_basic_set_free(Set);
  return Empty;
}

bool IntegerSet::isCoveredBy(const IntegerSet &Other,
                             unsigned NumShared) const {
  Context C;
  auto Project = [&](const IntegerSet &Of) {
    return isl_set_project_out(isl_set_from_basic_set(Of.make(C.Ctx)),
                               isl_dim_set, NumShared,
                               Of.NumVariables - NumShared);
  };
  isl_set *Mine = Project(*this), *All = Project(Other);
  bool Covered = isl_set_is_subset(Mine, All) == isl_bool_true;
  isl_set_free(Mine);
  isl_set_free(All);
  return Covered;
}
