//===- dl-kernels.cpp - Checks, prints and runs textual kernels -----------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Text in, text out; with --run, arrays in, arrays out:
///
///   dl-kernels matmul.kernel --run --param M=2 --param N=2 --param K=3
///     --array A=1,2,3,4,5,6 --array B=fill:6 --array C=zeros:4 --print C
///
//===----------------------------------------------------------------------===//

#include "dlopt/DependenceCheck.h"
#include "dlopt/Interpreter.h"
#include "dlopt/Kernel.h"
#include "dlopt/Transform.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>
#include <map>

using namespace llvm;
using namespace dlopt;

static cl::OptionCategory Category("dl-kernels options");
static cl::opt<std::string> InputFile(cl::Positional, cl::desc("<file>"),
                                      cl::init("-"), cl::cat(Category));
static cl::opt<bool> CheckOnly("check",
                               cl::desc("Parse and verify, print nothing"),
                               cl::cat(Category));
static cl::opt<bool> CheckDependences(
    "check-dependences",
    cl::desc("Compare what is said to be apart in memory with integer sets"),
    cl::cat(Category));
static cl::opt<bool>
    Delinearize("delinearize",
                cl::desc("Print with subscripts and strides found anew"),
                cl::cat(Category));
static cl::opt<std::string> Script("script",
                                   cl::desc("Apply a script to the kernel"),
                                   cl::value_desc("file"), cl::cat(Category));
static cl::opt<unsigned>
    ScriptLimit("script-limit",
                cl::desc("Apply no more than so many lines of the script"),
                cl::init(~0u), cl::cat(Category));
static cl::opt<bool> PrintSteps("print-steps",
                                cl::desc("Print the kernel after each line"),
                                cl::cat(Category));
static cl::opt<bool> Run("run", cl::desc("Run the kernels in order"),
                         cl::cat(Category));
static cl::list<std::string> Params("param", cl::desc("Value of a parameter"),
                                    cl::value_desc("name=value"),
                                    cl::cat(Category));
static cl::list<std::string>
    Arrays("array",
           cl::desc("Contents of a buffer: zeros:N, fill:N (small numbers), "
                    "file:PATH or a list of numbers"),
           cl::value_desc("name=contents"), cl::cat(Category));
static cl::list<std::string>
    Origins("origin", cl::desc("Element that a buffer's pointer points to"),
            cl::value_desc("name=element"), cl::cat(Category));
static cl::list<std::string> Prints("print",
                                    cl::desc("Buffers to print after the run"),
                                    cl::value_desc("name"), cl::cat(Category));
static cl::list<std::string> Writes("write",
                                    cl::desc("Buffers to write to files"),
                                    cl::value_desc("name=path"),
                                    cl::cat(Category));
static cl::opt<bool>
    Separate("separate",
             cl::desc("Round fmuladd twice, as targets without FMA do"),
             cl::cat(Category));
static cl::opt<int64_t> VL("vl",
                           cl::desc("Lanes of 32 bits in a scalable register"),
                           cl::init(LeastVL), cl::cat(Category));
static cl::opt<uint64_t> MaxSteps("max-steps",
                                  cl::desc("Give up after so many steps"),
                                  cl::init(0), cl::cat(Category));

using KernelList = std::vector<std::unique_ptr<Kernel>>;

static Error makeError(const Twine &Text) {
  return createStringError(inconvertibleErrorCode(), Text);
}

namespace {

/// A buffer of the kernels and its bytes.
struct NamedArray {
  ScalarType Ty = ScalarType::F32;
  std::vector<uint8_t> Bytes;
  size_t Origin = 0;

  void append(uint64_t Bits) {
    uint8_t Raw[8];
    unsigned Size = getSizeInBytes(Ty);
    switch (Size) {
    case 1: {
      auto V = static_cast<uint8_t>(Bits);
      std::memcpy(Raw, &V, 1);
      break;
    }
    case 2: {
      auto V = static_cast<uint16_t>(Bits);
      std::memcpy(Raw, &V, 2);
      break;
    }
    case 4: {
      auto V = static_cast<uint32_t>(Bits);
      std::memcpy(Raw, &V, 4);
      break;
    }
    default:
      std::memcpy(Raw, &Bits, 8);
    }
    Bytes.insert(Bytes.end(), Raw, Raw + Size);
  }
};

/// Everything the kernels of one run work on.
class Session {
public:
  Error prepare(const KernelList &Kernels);
  Error run(const KernelList &Kernels);
  Error output();

private:
  Error addParam(const KernelList &Kernels, StringRef Name, StringRef Value);
  Error addArray(const KernelList &Kernels, StringRef Name, StringRef Contents);
  Error readArray(NamedArray &A, StringRef Name, StringRef Path);
  Expected<NamedArray *> find(StringRef Name);

  std::map<std::string, NamedArray, std::less<>> Named;
  Bindings Bound;
};

} // namespace

/// "name=value".
static Expected<std::pair<StringRef, StringRef>> split(StringRef Text) {
  if (!Text.contains('='))
    return makeError("expected name=value, got '" + Text + "'");
  return Text.split('=');
}

Expected<NamedArray *> Session::find(StringRef Name) {
  auto It = Named.find(Name.str());
  if (It == Named.end())
    return makeError("no array '" + Name + "' is given");
  return &It->second;
}

Error Session::addParam(const KernelList &Kernels, StringRef Name,
                        StringRef Value) {
  for (const auto &K : Kernels)
    for (const Param &P : K->Params)
      if (P.Name == Name) {
        std::optional<uint64_t> Bits = parseScalar(P.Ty, Value);
        if (!Bits)
          return makeError("'" + Value + "' is not a number of type " +
                           getName(P.Ty));
        Bound.Scalars[Name] = *Bits;
        return Error::success();
      }
  return makeError("no kernel has a parameter '" + Name + "'");
}

Error Session::readArray(NamedArray &A, StringRef Name, StringRef Path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File =
      MemoryBuffer::getFile(Path, false, false);
  if (!File)
    return createFileError(Path, File.getError());
  StringRef Bytes = (*File)->getBuffer();
  if (Bytes.size() % getSizeInBytes(A.Ty))
    return makeError("'" + Path + "' has no whole number of elements of '" +
                     Name + "'");
  A.Bytes.assign(Bytes.bytes_begin(), Bytes.bytes_end());
  return Error::success();
}

/// Small numbers of both signs, exact in every type.
static uint64_t getFill(ScalarType Ty, uint64_t I) {
  int64_t Value = static_cast<int64_t>(I * 7 % 17) - 8;
  if (Ty == ScalarType::I1)
    return I % 3 == 0;
  if (!isFloat(Ty))
    return static_cast<uint64_t>(Value);
  std::string Text = std::to_string(Value < 0 ? -Value : Value);
  return *parseScalar(Ty, (Value < 0 ? "-" : "") + Text);
}

Error Session::addArray(const KernelList &Kernels, StringRef Name,
                        StringRef Contents) {
  const Buffer *Declared = nullptr;
  for (const auto &K : Kernels)
    for (const Buffer &B : K->Buffers)
      if (!Declared && !B.IsLocal && B.Name == Name)
        Declared = &B;
  if (!Declared)
    return makeError("no kernel has a buffer '" + Name + "'");
  NamedArray &A = Named[Name.str()];
  A = NamedArray();
  A.Ty = Declared->Ty;
  if (Contents.consume_front("file:"))
    return readArray(A, Name, Contents);
  bool IsFill = Contents.consume_front("fill:");
  if (IsFill || Contents.consume_front("zeros:")) {
    uint64_t Size = 0;
    if (Contents.getAsInteger(10, Size) || Size > (1ULL << 30))
      return makeError("'" + Contents + "' is not a number of elements");
    for (uint64_t I = 0; I < Size; ++I)
      A.append(IsFill ? getFill(A.Ty, I) : 0);
    return Error::success();
  }
  SmallVector<StringRef> Numbers;
  Contents.split(Numbers, ',', -1, false);
  for (StringRef Number : Numbers) {
    std::optional<uint64_t> Bits = parseScalar(A.Ty, Number);
    if (!Bits)
      return makeError("'" + Number + "' is not a number of type " +
                       getName(A.Ty));
    A.append(*Bits);
  }
  return Error::success();
}

Error Session::prepare(const KernelList &Kernels) {
  for (StringRef Text : Params) {
    auto Parts = split(Text);
    if (!Parts)
      return Parts.takeError();
    if (Error E = addParam(Kernels, Parts->first, Parts->second))
      return E;
  }
  for (StringRef Text : Arrays) {
    auto Parts = split(Text);
    if (!Parts)
      return Parts.takeError();
    if (Error E = addArray(Kernels, Parts->first, Parts->second))
      return E;
  }
  for (StringRef Text : Origins) {
    auto Parts = split(Text);
    if (!Parts)
      return Parts.takeError();
    Expected<NamedArray *> A = find(Parts->first);
    if (!A)
      return A.takeError();
    if (Parts->second.getAsInteger(10, (*A)->Origin))
      return makeError("'" + Parts->second + "' is not an element");
    (*A)->Origin *= getSizeInBytes((*A)->Ty);
  }
  for (auto &[Name, A] : Named)
    Bound.Arrays[Name] = {A.Bytes, A.Origin};
  return Error::success();
}

Error Session::run(const KernelList &Kernels) {
  InterpreterOptions Options;
  Options.FuseMulAdd = !Separate;
  Options.MaxSteps = MaxSteps;
  if (VL < LeastVL || VL > MostVL || !isPowerOf2_64(VL))
    return createStringError("--vl: expected a power of two from 4 to 2048");
  Options.VL = VL;
  for (const auto &K : Kernels) {
    DenseMap<BufferId, uint64_t> Final;
    if (Error E = interpretKernel(*K, Bound, Options, &Final))
      return E;
    for (BufferId B : K->Root.Locals)
      if (auto It = Final.find(B); It != Final.end())
        outs() << K->Buffers[B].Name << " = "
               << printScalar(K->Buffers[B].Ty, It->second) << '\n';
  }
  return Error::success();
}

Error Session::output() {
  for (StringRef Name : Prints) {
    Expected<NamedArray *> A = find(Name);
    if (!A)
      return A.takeError();
    outs() << Name << ':';
    unsigned Size = getSizeInBytes((*A)->Ty);
    for (size_t I = 0; I < (*A)->Bytes.size(); I += Size) {
      // The same way back as append().
      uint64_t Bits = 0;
      const uint8_t *From = (*A)->Bytes.data() + I;
      auto Read = [&](auto V) {
        std::memcpy(&V, From, sizeof(V));
        Bits = V;
      };
      Size == 1   ? Read(uint8_t())
      : Size == 2 ? Read(uint16_t())
      : Size == 4 ? Read(uint32_t())
                  : Read(uint64_t());
      outs() << ' ' << printScalar((*A)->Ty, Bits);
    }
    outs() << '\n';
  }
  for (StringRef Text : Writes) {
    auto Parts = split(Text);
    if (!Parts)
      return Parts.takeError();
    Expected<NamedArray *> A = find(Parts->first);
    if (!A)
      return A.takeError();
    std::error_code EC;
    raw_fd_ostream OS(Parts->second, EC, sys::fs::OF_None);
    if (EC)
      return createFileError(Parts->second, EC);
    OS << toStringRef((*A)->Bytes);
  }
  return Error::success();
}

static void delinearizeAll(Kernel &K, Node &N) {
  auto Renew = [&K](Access &X) {
    if (K.Buffers[X.Buf].IsLocal)
      return;
    X.Subs = {X.offset()};
    X.Strides = {Poly(1)};
    delinearize(K, X);
  };
  for (Op &O : N.L.Ops)
    if (O.K == Op::Load)
      Renew(O.Acc);
  for (Assign &A : N.L.Assigns)
    Renew(A.Target);
  for (auto &Child : N.Children)
    delinearizeAll(K, *Child);
}

static Error applyScriptFile(const KernelList &Kernels) {
  if (Kernels.size() != 1)
    return makeError("a script needs a file of one kernel");
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text =
      MemoryBuffer::getFileOrSTDIN(Script);
  if (!Text)
    return createFileError(Script, Text.getError());
  Kernel &K = *Kernels.front();
  StringRef Name = Script == "-" ? "<stdin>" : StringRef(Script);
  return applyScript(K, (*Text)->getBuffer(), Name, ScriptLimit,
                     [&](StringRef Line) {
                       if (!PrintSteps)
                         return;
                       outs() << "# " << Line << '\n';
                       K.print(outs());
                       outs() << '\n';
                     });
}

/// Counts, and an error if an answer is wrong.
static Error compareDependences(const KernelList &Kernels) {
  DependenceCounts Counts;
  std::vector<std::string> Wrong;
  for (const auto &K : Kernels) {
    size_t Before = Wrong.size();
    Counts += checkDependences(*K, /*Seed=*/K->Id, /*Stated=*/true, Wrong);
    for (std::string &Line : MutableArrayRef(Wrong).drop_front(Before))
      Line = "kernel " + std::to_string(K->Id) + ": " + Line;
  }
  Counts.print(outs());
  return Wrong.empty() ? Error::success() : makeError(join(Wrong, "\n"));
}

static Error process() {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text =
      MemoryBuffer::getFileOrSTDIN(InputFile);
  if (!Text)
    return createFileError(InputFile, Text.getError());
  Expected<KernelList> Kernels = parseKernels((*Text)->getBuffer(), InputFile);
  if (!Kernels)
    return Kernels.takeError();
  for (const auto &K : *Kernels)
    if (Error E = verifyKernel(*K))
      return E;
  if (!Script.empty())
    if (Error E = applyScriptFile(*Kernels))
      return E;
  if (CheckDependences)
    return compareDependences(*Kernels);
  if (CheckOnly || PrintSteps)
    return Error::success();
  if (Run) {
    Session S;
    if (Error E = S.prepare(*Kernels))
      return E;
    if (Error E = S.run(*Kernels))
      return E;
    return S.output();
  }
  for (const auto &K : *Kernels) {
    if (Delinearize)
      delinearizeAll(*K, K->Root);
    K->print(outs());
  }
  return Error::success();
}

int main(int argc, char **argv) {
  InitLLVM Init(argc, argv);
  cl::HideUnrelatedOptions(Category);
  cl::ParseCommandLineOptions(argc, argv,
                              "Checks, prints and runs textual kernels\n");
  Error E = process();
  if (!E)
    return 0;
  errs() << "dl-kernels: " << toString(std::move(E)) << '\n';
  return 1;
}
