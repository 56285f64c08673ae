//===- MathModels.h - Math functions with the library's bits ----*- C++ -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// y[i] = expf(x[i]) in vectors, bit for bit what the C library that the
/// program meets returns, without a call but for few lanes. There are three
/// kinds of models of a library's function:
///
/// * Bound: a library that errs by less than 0.5 + Window units in the last
///   place returns the number next to the exact value, unless that lies within
///   Window of the middle between two numbers (the argument of Ziv, Fast
///   evaluation of elementary mathematical functions with correctly rounded
///   last bit, 1991, turned around). So vectors compute the exact value in
///   double, round it, and call the library where it is that near to the
///   middle.
/// * Double: the library evaluates a published approximation in double and
///   rounds it to float. So do vectors, in any order of operations, and they
///   call the library where that might have made a difference: next to the
///   middle, too.
/// * Float: the library computes in float. So do vectors: the same operations
///   in the same order, each rounded, where the library branches by selections.
///
/// Where errno may be set, or the result is none of the normal numbers, the
/// library is called.
///
/// That a library has the bits of a model is tested when the program runs, once
/// a module and function: at inputs where others have other results
/// (MathModels.def). docs/math.md says what such a test cannot see.
///
//===----------------------------------------------------------------------===//
#ifndef DLOPT_MATHMODELS_H
#define DLOPT_MATHMODELS_H

#include "dlopt/VectorMath.h"

namespace dlopt {

class MathBuilder;

/// The bits of the arguments and, behind them, of the library's result.
struct MathProbe {
  uint32_t Bits[3];
};

/// The result of all lanes, a vector of float, and in which lanes the library
/// has to be asked; null: in none.
struct ModelledMath {
  llvm::Value *Result, *Calls;
};

/// The same of several registers: a mask of each one, the first lanes first.
struct ModelledLanes {
  llvm::Value *Result;
  llvm::SmallVector<llvm::Value *, 4> Calls;
};

/// How vectors compute the value for floats: in double, in terms of a builder
/// for double, to be rounded afterwards, adding to Calls the lanes in which the
/// library has to be asked for other reasons; or in float by the library's
/// operations.
struct MathFormula {
  using Args = llvm::ArrayRef<llvm::Value *>;
  using InDouble = llvm::Value *(MathBuilder &M, Args X, llvm::Value *&Calls);
  using InFloat = ModelledMath(MathBuilder &M, Args X);
  MathFormula(InDouble *Emit) : Double(Emit) {}
  MathFormula(InFloat *Emit) : Float(Emit) {}
  InDouble *Double = nullptr;
  InFloat *Float = nullptr;
};

/// A formula in float for vectors where there are fused operations, and
/// registers of as many lanes as are said that permute as many; 1: any.
struct MathPairs {
  MathFormula::InFloat *Emit = nullptr;
  unsigned Lanes = 1;
};

/// A function of float as some libraries have it.
struct MathModel {
  MathFunction Function;
  MathFormula Formula;
  /// How near to the middle between two floats a value in double is asked of
  /// the library, in units in the last place.
  double Window;
  /// The library is asked for other first arguments, and for NaN; if Greatest
  /// is infinite, for none.
  float Least, Greatest;
  /// None where it is not the library that lanes call (CorrectMath.h).
  llvm::ArrayRef<MathProbe> Probes;
  /// They are all floats whose values are within Window of the middle: vectors
  /// that have fused products, as those of the table, need not ask.
  bool ProbesAllNear;
  /// Lanes whose results are subnormal call: the middles are others there.
  bool AsksForSubnormal;
  /// Releases of glibc, 2.FirstRelease to 2.LastRelease, that have it on x86-64
  /// and, if it is no formula in float, elsewhere; 0: none is known to.
  unsigned FirstRelease, LastRelease;
  /// The same by sums of two floats, whose lanes may call more often; null:
  /// there is none.
  MathPairs Pairs;
};

/// Those of \p F for float, in the order in which they are tried.
llvm::ArrayRef<MathModel> getMathModels(MathFunction F);

/// The first of those of \p O, if \p Plan has models and O is not approximated;
/// the one that is correctly rounded, if Plan asks for that.
const MathModel *getMathModel(const Op &O, const MathPlan &Plan);

/// Whether vectors compute \p O by arithmetic, exactly or not.
bool isMathInLanes(const Op &O, const MathPlan &Plan);

/// Whether \p N computes functions with the bits of the library in vectors:
/// more than a hundred operations each.
bool computesModels(const Node &N, const MathPlan &Plan);

/// \p Model's result of all lanes of \p X, floats or vectors of them.
ModelledLanes emitModel(llvm::IRBuilderBase &B, const MathModel &Model,
                        llvm::ArrayRef<llvm::Value *> X, const MathTarget &T);

/// The value of \p Model, whose formula is one in double, before it is rounded.
llvm::Value *emitModelValue(llvm::IRBuilderBase &B, const MathModel &Model,
                            llvm::ArrayRef<llvm::Value *> X,
                            const MathTarget &T);

/// i8 (): which of the models of \p F, from 1 on, has the bits of what the
/// running program's library returns where \p O calls it; 0: none. The answer
/// is kept.
llvm::Function *getLibraryTest(const llvm::Function &Served, MathFunction F,
                               const Op &O);

/// Which of them that is on the targets of \p M as the table has it, if \p Plan
/// says what the library is; 0: that is not known.
unsigned getKnownModel(const llvm::Module &M, MathFunction F,
                       const MathPlan &Plan);

/// What that has found out for \p F, i8, where it has been called.
llvm::Value *emitKnownModel(llvm::IRBuilderBase &B, MathFunction F);

/// The first model of each function that \p K computes by \p Plan, in lanes if
/// it says what runs in lanes, with a call of it.
void forEachModel(
    const Kernel &K, const MathPlan &Plan,
    llvm::function_ref<void(const MathModel &, const Op &)> Visit);

/// Whether it is known which model of each of these the library has.
bool areModelsKnown(const llvm::Module &M, const Kernel &K,
                    const MathPlan &Plan);

} // namespace dlopt

#endif // DLOPT_MATHMODELS_H
