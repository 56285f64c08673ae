//===- Script.cpp - Lines of scripts --------------------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Step.h"
#include "dlopt/ParseParts.h"
#include "dlopt/Transform.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace dlopt;

bool Step::fail(const Twine &Text) {
  if (Message.empty())
    Message = Text.str();
  return true;
}

bool Step::takeWord(StringRef &Word, StringRef What) {
  size_t End = Rest.find_first_of(" \t");
  Word = Rest.substr(0, End);
  Rest = Rest.substr(Word.size()).ltrim();
  return Word.empty() && fail("expected " + What);
}

bool Step::takeOptional(StringRef Word) {
  auto [First, Others] = getToken(Rest, " \t");
  if (First != Word)
    return false;
  Rest = Others.ltrim();
  return true;
}

/// Of blocks and arrays: more is never meant.
static bool isSize(StringRef Word, int64_t &Size) {
  return !Word.getAsInteger(10, Size) && Size > 0 && Size <= INT32_MAX;
}

bool Step::takeSize(int64_t &Size) {
  StringRef Word;
  return takeWord(Word, "a size") ||
         (!isSize(Word, Size) &&
          fail("expected a size of 1 to 2147483647, got '" + Word + "'"));
}

/// A size that is times `vl` has that in the kernel.
static bool isSize(Kernel &K, StringRef Word, ScheduleSize &Size) {
  std::optional<ScheduleSize> Known = parseScheduleSize(Word);
  if (!Known)
    return false;
  Size = *Known;
  if (Size.Scalable)
    K.getVLAtom();
  return true;
}

bool Step::takeSize(ScheduleSize &Size) {
  StringRef Word;
  return takeWord(Word, "a size") ||
         (!isSize(K, Word, Size) &&
          fail("expected a size of 1 to 2147483647, got '" + Word + "'"));
}

bool Step::takeSizes(SmallVectorImpl<ScheduleSize> &Sizes) {
  StringRef Word;
  if (takeWord(Word, "sizes"))
    return true;
  for (StringRef Part : llvm::split(Word, ','))
    if (!isSize(K, Part, Sizes.emplace_back()))
      return fail("expected a size of 1 to 2147483647, got '" + Part + "'");
  return false;
}

bool Step::takeNewName(StringRef &Name) {
  if (takeWord(Name, "a name"))
    return true;
  if (!isBareName(Name))
    return fail("expected a name, got '" + Name + "'");
  // One name for several things would be ambiguous to whoever reads it.
  bool IsTaken =
      any_of(K.Axes, [&](const Axis &A) { return A.Name == Name; }) ||
      any_of(K.Buffers,
             [&](const Buffer &B) { return B.IsLocal && B.Name == Name; });
  return IsTaken &&
         fail("expected a new name, '" + Name + "' is there already");
}

bool Step::takeNames(SmallVectorImpl<StringRef> &Names) {
  StringRef Word;
  if (takeWord(Word, "names"))
    return true;
  Word.split(Names, ',');
  return false;
}

/// Up to the bracket that closes it, and strides.
bool Step::takeAccess(const Place &P, Access &X) {
  size_t End = Rest.find(']');
  if (End == StringRef::npos)
    End = Rest.find_first_of(" \t");
  else if (Rest.substr(End + 1).starts_with("("))
    End = Rest.find(')', End);
  StringRef Text = Rest.take_front(End == StringRef::npos ? End : End + 1);
  Rest = Rest.drop_front(Text.size()).ltrim();
  SmallVector<const Node *, 8> Path(P.Path.begin(), P.Path.end());
  Expected<Access> Parsed = parseAccess(K, Path, Text);
  if (!Parsed)
    return fail("'" + Text + "': " + toString(Parsed.takeError()));
  X = std::move(*Parsed);
  return false;
}

bool Step::takePolys(ArrayRef<Node *> Path, SmallVectorImpl<Poly> &Ps) {
  SmallVector<const Node *, 8> Known(Path.begin(), Path.end());
  Expected<std::vector<Poly>> Parsed = parsePolys(K, Known, Rest);
  if (!Parsed)
    return fail("'" + Rest + "': " + toString(Parsed.takeError()));
  Ps.append(Parsed->begin(), Parsed->end());
  Rest = "";
  return false;
}

bool Step::takeConstraints(const Place &P, SmallVectorImpl<Constraint> &Cs) {
  SmallVector<const Node *, 8> Path(P.Path.begin(), P.Path.end());
  Expected<std::vector<Constraint>> Parsed = parseConstraints(K, Path, Rest);
  if (!Parsed)
    return fail("'" + Rest + "': " + toString(Parsed.takeError()));
  Cs.append(Parsed->begin(), Parsed->end());
  Rest = "";
  return false;
}

bool Step::expectEnd() {
  return !Rest.empty() &&
         fail("expected the end of the line, got '" + Rest + "'");
}

namespace {

struct Row {
  StringRef Word;
  bool (Step::*Method)();
  StringRef Usage;
};

} // namespace

bool Step::run() {
  static const Row Rows[] = {
#define TRANSFORM(Word, Method, Usage) {#Word, &Step::Method, Usage},
#include "Transforms.def"
  };
  StringRef Word;
  if (takeWord(Word, "a primitive"))
    return true;
  const auto *It = find_if(Rows, [&](const Row &R) { return R.Word == Word; });
  if (It == std::end(Rows)) {
    auto Words = map_range(Rows, [](const Row &R) { return R.Word; });
    return fail("there is no primitive '" + Word + "', but " +
                llvm::join(Words, ", "));
  }
  if (!(this->*It->Method)())
    return false;
  // Mistakes of form are told with the form.
  if (StringRef(Message).starts_with("expected"))
    Message += " (" + It->Usage.str() + ")";
  return true;
}

/// Whether \p Line is of what is said last: nothing asks for it again.
static bool isHint(StringRef Line) {
  StringRef Word = getToken(Line, " \t").first;
  return Word == "prefetch" || Word == "align" || Word == "nt";
}

Error dlopt::applyStep(Kernel &K, const Kernel &Plain, StringRef Line) {
  if (K.hasHints() && !isHint(Line))
    return createStringError("behind 'align', 'nt' and 'prefetch' comes "
                             "nothing else");
  Kernel Trial;
  copyKernel(K, Trial);
  Step S(Trial, Plain, Line);
  if (S.run())
    return createStringError(S.getMessage());
  // What speaks of an axis or a local where it is not known, above all.
  if (Error E = verifyKernel(Trial))
    return E;
  K = std::move(Trial);
  return Error::success();
}

/// `for` and whom the lines behind it are for.
static bool isFor(StringRef Whom, const Kernel &K) {
  Whom = Whom.trim();
  if (Whom.consume_front("@"))
    return Whom == K.Function;
  StringRef Kind = K.Kind;
  // A part of a name is no name.
  return Kind.consume_front(Whom) &&
         (Kind.empty() || Kind.starts_with(" ") || Kind.starts_with("."));
}

/// Calls \p Visit with the number and the text of each line for \p K, until it
/// is false.
static void forEachLine(StringRef Text, const Kernel &K,
                        function_ref<bool(unsigned, StringRef)> Visit) {
  bool IsMine = true;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (auto [Number, Full] : enumerate(Lines)) {
    StringRef Line = Full.split('#').first.trim();
    if (Line.consume_front("for "))
      IsMine = isFor(Line, K);
    else if (!Line.empty() && IsMine &&
             !Visit(static_cast<unsigned>(Number + 1), Line))
      return;
  }
}

bool dlopt::isScriptFor(StringRef Text, const Kernel &K) {
  bool Any = false;
  forEachLine(Text, K, [&](unsigned, StringRef) {
    Any = true;
    return false;
  });
  return Any;
}

Error dlopt::applyScript(Kernel &K, StringRef Text, StringRef FileName,
                         unsigned Limit,
                         function_ref<void(StringRef)> AfterStep) {
  Error Result = Error::success();
  Kernel Plain;
  copyKernel(K, Plain);
  forEachLine(Text, K, [&](unsigned Number, StringRef Line) {
    if (Limit-- == 0)
      return false;
    if (Error E = applyStep(K, Plain, Line)) {
      consumeError(std::move(Result));
      Result = createStringError(FileName + ":" + Twine(Number) + ": " +
                                 Line.split(' ').first + ": " +
                                 toString(std::move(E)));
      return false;
    }
    if (AfterStep)
      AfterStep(Line);
    return true;
  });
  return Result;
}

Poly dlopt::importFixed(Kernel &To, const Kernel &From, const Poly &P) {
  Poly Result;
  for (const auto &[Product, Coef] : P.terms()) {
    Poly Term(Coef);
    for (AtomId Id : Product) {
      const Atom &A = From.Atoms[Id];
      if (A.K == Atom::Param) {
        Term = Term * Poly::atom(To.getParamAtom(A.Ref));
        continue;
      }
      if (A.K == Atom::VL) {
        Term = Term * Poly::atom(To.getVLAtom());
        continue;
      }
      Poly Num = importFixed(To, From, A.Num),
           Den = importFixed(To, From, A.Den);
      Term =
          Term * Poly::atom(A.K == Atom::FloorDiv ? To.getFloorDivAtom(Num, Den)
                                                  : To.getModAtom(Num, Den));
    }
    Result += Term;
  }
  return Result;
}

void dlopt::adoptNeeds(Kernel &Plain, const Kernel &Scheduled) {
  for (Need N : Scheduled.Needs) {
    // Others speak of points, which are those of the plain kernel.
    if (N.isOfPoints() && !Scheduled.isFixed(N.P))
      continue;
    N.P = importFixed(Plain, Scheduled, N.P);
    addNeed(Plain, std::move(N));
  }
}
