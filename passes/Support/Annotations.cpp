//===- Annotations.cpp - Options of functions in their source -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   __attribute__((annotate("dl:fp=fast"))) void f(void) { ... }
///
/// is a row of llvm.global.annotations, an array that counts as a use of f. It
/// becomes the attribute "dl-fp"="fast" of f, which is all that other passes
/// know of, and leaves the array: without that, nobody would know that all
/// calls of a static f are known.
///
//===----------------------------------------------------------------------===//
#include "dlopt/Contracts.h"
#include "dlopt/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;
using namespace dlopt;

static constexpr StringLiteral ArrayName = "llvm.global.annotations";

/// The text of an annotation for this plugin, without `dl:`; empty for others.
static StringRef getText(const Constant &Row) {
  StringRef Text;
  if (!getConstantStringInfo(Row.getOperand(1), Text) ||
      !Text.consume_front("dl:"))
    return "";
  return Text;
}

/// `require(KINDS)`, `off`, `KEY=VALUE`, `KEY` or `no-KEY`. What is wrong in it
/// is what reportBadOptions() finds in the attribute.
static void applyItem(Function &F, StringRef Item) {
  StringRef Kinds = Item;
  if (Kinds.consume_front("require(") && Kinds.consume_back(")") &&
      !Kinds.trim().empty())
    return addRequired(F, {Kinds.str()});
  if (Item == "off")
    return F.addFnAttr("dl-enable", "0");
  auto [Name, Value] = Item.split('=');
  if (Name.size() == Item.size()) {
    bool Negated = Name.consume_front("no-");
    Value = Negated ? "0" : "1";
  }
  F.addFnAttr(("dl-" + Name.trim()).str(), Value.trim());
}

/// Applies a row that is for this plugin; false: it is not.
static bool applyRow(const Constant &Row) {
  if (Row.getNumOperands() < 2)
    return false;
  auto *F = dyn_cast<Function>(Row.getOperand(0)->stripPointerCasts());
  StringRef Text = getText(Row);
  if (!F || Text.empty())
    return false;
  // Of what other modules define, those are to know.
  if (!F->isDeclaration())
    for (StringRef Item : split(Text, ';'))
      if (!Item.trim().empty())
        applyItem(*F, Item.trim());
  return true;
}

bool dlopt::applyAnnotations(Module &M) {
  GlobalVariable *Array = M.getNamedGlobal(ArrayName);
  auto *Rows = Array && Array->hasInitializer()
                   ? dyn_cast<ConstantArray>(Array->getInitializer())
                   : nullptr;
  if (!Rows)
    return false;
  SmallVector<Constant *, 8> Kept;
  SmallVector<Constant *, 8> Applied;
  for (const Use &U : Rows->operands()) {
    auto *Row = cast<Constant>(U);
    if (applyRow(*Row))
      Applied.push_back(cast<Constant>(Row->getOperand(0)));
    else
      Kept.push_back(Row);
  }
  if (Kept.size() == Rows->getNumOperands())
    return false;
  if (!Kept.empty()) {
    auto *Ty = ArrayType::get(Rows->getType()->getElementType(), Kept.size());
    auto *New =
        new GlobalVariable(M, Ty, Array->isConstant(), Array->getLinkage(),
                           ConstantArray::get(Ty, Kept), "", Array);
    New->setSection(Array->getSection());
    New->takeName(Array);
  }
  Array->eraseFromParent();
  // The rows are still uses.
  for (Constant *F : Applied)
    F->removeDeadConstantUsers();
  return true;
}
