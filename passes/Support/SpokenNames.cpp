//===- SpokenNames.cpp - What people call functions -----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "dlopt/Contracts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/GlobalValue.h"
#include <cstdlib>

using namespace llvm;

/// gemm_ of a procedure outside of modules, _QMblasPgemm of one inside.
static void addFortran(std::vector<std::string> &Names, StringRef Name) {
  if (Name.size() > 1 && Name.ends_with("_") && !Name.starts_with("_"))
    Names.push_back(Name.drop_back().str());
  if (!Name.consume_front("_QM"))
    return;
  // flang writes names of the source in small letters alone.
  auto [Module, Procedure] = Name.split('P');
  if (!Module.empty() && !Procedure.empty())
    Names.push_back((Module + "::" + Procedure).str());
}

/// Without the hash at the end that rustc's older names have.
static StringRef dropHash(StringRef Name) {
  auto [Path, Hash] = Name.rsplit("::");
  return Hash.size() == 17 && Hash.consume_front("h") &&
                 all_of(Hash, isHexDigit)
             ? Path
             : Name;
}

/// The names of C++ without parameters, and without arguments of templates.
static void addItanium(std::vector<std::string> &Names, StringRef Name) {
  // What is demangled points into it.
  std::string Mangled = Name.str();
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return;
  auto Take = [](char *Text) {
    std::string Result = Text ? Text : "";
    std::free(Text);
    return Result;
  };
  std::string Full = Take(D.getFunctionName(nullptr, nullptr));
  std::string Context = Take(D.getFunctionDeclContextName(nullptr, nullptr));
  std::string Base = Take(D.getFunctionBaseName(nullptr, nullptr));
  Names.push_back(Full);
  Names.push_back(Context.empty() ? Base : Context + "::" + Base);
}

std::vector<std::string> dlopt::getSpokenNames(StringRef Name) {
  Name = GlobalValue::dropLLVMManglingEscape(Name);
  std::vector<std::string> Names = {Name.str()};
  addFortran(Names, Name);
  std::string Demangled = demangle(Name);
  if (Demangled != Name) {
    Names.push_back(Demangled);
    Names.push_back(dropHash(Demangled).str());
    addItanium(Names, Name);
  }
  return Names;
}
