//===- Runner.cpp - Runs instances and compares ---------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Runner.h"
#include "Memory.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <sys/time.h>
#include <unistd.h>

using namespace llvm;
using dlopt::ScalarType;

namespace dlfuzz {

void reportFinding(StringRef Type, const KernelInfo *K, unsigned Instance,
                   const Config &C, const Variant *V, StringRef What) {
  std::string Line;
  raw_string_ostream OS(Line);
  OS << "finding " << Type << " row=" << (K ? K->Row : "-")
     << " kernel=" << (K ? K->Name : "-") << " instance=" << Instance
     << " config=" << C.Level << "," << C.CPU << (C.Passes.empty() ? "" : ",")
     << C.Passes << " variant=" << (V ? V->text() : "-") << " what=";
  for (char Ch : What.take_front(500))
    OS << (Ch == '\n' ? ' ' : Ch);
  OS << '\n';
  // One write, so that lines of several processes do not mix.
  if (write(1, Line.data(), Line.size()) < 0)
    _exit(3);
}

namespace {

class Runner {
public:
  explicit Runner(const RunPlan &P) : P(P) {}
  void run(unsigned KernelNumber, unsigned Number);

private:
  void call(void *Entry, bool Wide = false);
  bool runReference(const Program &R);
  void runVariant(unsigned V);
  void runInterpreter();
  void findBounds();
  std::string compareWithin(const std::vector<uint8_t> &Got) const;
  void report(StringRef Type, const Variant *V, StringRef What) const {
    reportFinding(Type, K, Number, P.config(), V, What);
  }

  const RunPlan &P;
  Memory Mem, WideMem;
  const KernelInfo *K = nullptr;
  const Instance *I = nullptr;
  unsigned KernelNumber = 0, Number = 0;
  int ExpectedErrno = 0;
  std::vector<uint8_t> Expected, Got, Values, Magnitudes;
};

/// Integer and floating-point arguments travel in registers of their own, and
/// those beyond a function's parameters are ignored: every kernel can be called
/// as if it had all of these (System V ABI of x86-64).
using AnyFunction = void (*)(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                             uint64_t, double, double, double, double, uint64_t,
                             uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                             uint64_t, uint64_t);
constexpr unsigned MaxIntegers = 14, MaxFloats = 4;

} // namespace

static uint64_t extend(char Kind, uint64_t V) {
  switch (Kind) {
  case 'i':
    return static_cast<int64_t>(static_cast<int32_t>(V));
  case 'u':
    return static_cast<uint32_t>(V);
  case 's':
    return static_cast<int64_t>(static_cast<int16_t>(V));
  case 't':
    return static_cast<uint16_t>(V);
  default:
    return V;
  }
}

void Runner::call(void *Entry, bool Wide) {
  uint64_t N[MaxIntegers] = {};
  double F[MaxFloats] = {};
  unsigned NumIntegers = 0, NumFloats = 0;
  const Memory &M = Wide ? WideMem : Mem;
  for (const Argument &A : K->Arguments) {
    if (!A.isFloat()) {
      if (NumIntegers < MaxIntegers)
        N[NumIntegers] = extend(A.Kind, M.address(I->Integers[NumIntegers]));
      ++NumIntegers;
      continue;
    }
    double V = NumFloats < I->Floats.size() ? I->Floats[NumFloats] : 0;
    auto Narrow = static_cast<float>(V);
    if (A.Kind == 'f' && Wide)
      V = Narrow;
    else if (A.Kind == 'f')
      std::memcpy(&V, &Narrow, sizeof(float));
    if (NumFloats < MaxFloats)
      F[NumFloats++] = V;
  }
  errno = 0;
  reinterpret_cast<AnyFunction>(Entry)(N[0], N[1], N[2], N[3], N[4], N[5], F[0],
                                       F[1], F[2], F[3], N[6], N[7], N[8], N[9],
                                       N[10], N[11], N[12], N[13]);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

void Runner::findBounds() {
  WideMem.prepare(*I, /*Wide=*/true);
  WideMem.reset();
  call(P.Reference.Values[KernelNumber], /*Wide=*/true);
  WideMem.save(Values);
  Instance Positive = *I;
  for (double &F : Positive.Floats)
    F = std::fabs(F);
  std::swap(Positive.Floats, const_cast<Instance *>(I)->Floats);
  WideMem.prepare(*I, /*Wide=*/true, /*Magnitudes=*/true);
  WideMem.reset();
  call(P.Reference.Magnitudes[KernelNumber], /*Wide=*/true);
  WideMem.save(Magnitudes);
  std::swap(Positive.Floats, const_cast<Instance *>(I)->Floats);
}

/// Empty if every element is as near to its value as so many roundings of its
/// magnitude allow.
std::string Runner::compareWithin(const std::vector<uint8_t> &Result) const {
  for (unsigned S = 0; S != I->Slots.size(); ++S) {
    const Slot &Sl = I->Slots[S];
    if (Sl.IsWords || !dlopt::isFloat(Sl.Ty))
      continue;
    bool IsF32 = Sl.Ty == ScalarType::F32;
    unsigned Size = IsF32 ? 4 : 8;
    const uint8_t *X = Result.data() + Mem.savedAt(S);
    const uint8_t *V = Values.data() + WideMem.savedAt(S);
    const uint8_t *M = Magnitudes.data() + WideMem.savedAt(S);
    double Unit = IsF32 ? FLT_EPSILON : 2 * DBL_EPSILON;
    for (uint64_t E = 0; E != Sl.Bytes / Size; ++E) {
      double Is = 0, Value = 0, Magnitude = 0;
      float Narrow = 0;
      std::memcpy(IsF32 ? static_cast<void *>(&Narrow) : &Is, X + E * Size,
                  Size);
      if (IsF32)
        Is = Narrow;
      std::memcpy(&Value, V + E * 8, 8);
      std::memcpy(&Magnitude, M + E * 8, 8);
      double Bound = static_cast<double>(I->Ops + 4) * Unit * Magnitude;
      if (!(std::fabs(Is - Value) <= Bound))
        return "slot " + std::to_string(S) + " element " + std::to_string(E) +
               ": " + std::to_string(Is) + ", expected " +
               std::to_string(Value) + " within " + std::to_string(Bound);
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// One instance
//===----------------------------------------------------------------------===//

bool Runner::runReference(const Program &R) {
  P.Where.Stage = Progress::Reference;
  Mem.reset();
  call(R.Entries[KernelNumber]);
  ExpectedErrno = errno;
  Mem.save(Expected);
  if (!K->Bound)
    return true;
  findBounds();
  std::string Wrong = compareWithin(Expected);
  if (!Wrong.empty())
    report("invalid", nullptr, "the reference is not within bounds: " + Wrong);
  return Wrong.empty();
}

void Runner::runVariant(unsigned V) {
  const Program &Prog = P.Variants[V];
  P.Where.Stage = Progress::Plugin;
  P.Where.Variant = V;
  Mem.reset();
  uint64_t Before = Prog.Calls ? *Prog.Calls : 0;
  call(Prog.Entries[KernelNumber]);
  int Errno = errno;
  bool Called = Prog.Calls && *Prog.Calls != Before;
  const Variant &Var = P.config().Variants[V];
  Tally &T = P.tally(V, KernelNumber);
  ++T.Instances;
  // Loops that are lowered again have no function of their own to count.
  bool Relowered = Var.Mode == "relower" && Prog.Changed.contains(K->Name);
  T.Transformed += Called || Relowered;
  std::string Wrong;
  if (K->Bound) {
    Mem.save(Got);
    Wrong = compareWithin(Got);
  } else {
    Wrong = Mem.compare(Expected, K->EqualZeros, K->Free);
    // Flags that free the sign of zero come with those that free errno.
    if (Wrong.empty() && !K->EqualZeros && !K->Free && Errno != ExpectedErrno)
      Wrong = "errno: " + std::to_string(Errno) + ", expected " +
              std::to_string(ExpectedErrno);
  }
  if (!Wrong.empty() && !T.Mismatches++)
    report("mismatch", &Var, Wrong + "; " + I->Text);
  if (Called && K->Never && !T.Mismatches++)
    report("transformed", &Var, "must be left alone; " + I->Text);
}

void Runner::runInterpreter() {
  P.Where.Stage = Progress::Interpreter;
  OracleTally &T = P.OracleTallies[KernelNumber];
  Mem.reset();
  std::string Wrong;
  switch (P.Interpreter.run(*K, *I, Mem, Wrong)) {
  case Oracle::Refused:
    ++T.Refused;
    return;
  case Oracle::Ran:
    Wrong = Mem.compare(Expected, K->EqualZeros);
    break;
  case Oracle::Failed:
    break;
  }
  if (Wrong.empty())
    ++T.Agreed;
  else if (!T.Differed++)
    report("raise", nullptr, Wrong + "; " + I->Text);
}

void Runner::run(unsigned Kernel, unsigned Index) {
  KernelNumber = Kernel;
  Number = Index;
  K = &P.B.Kernels[Kernel];
  I = &K->Instances[Index];
  if (!(I->Mask >> P.ConfigNumber & 1) || !P.Only.covers(*K, Index) ||
      !P.Reference.Entries[Kernel])
    return;
  P.Where.Kernel = Kernel;
  P.Where.Instance = Index;
  P.Where.Stage = Progress::Setup;
  if (!Mem.prepare(*I)) {
    report("invalid", nullptr, "the slots do not fit");
    return;
  }
  if (!runReference(P.Reference))
    return;
  if (K->Interpret && !K->Bound)
    runInterpreter();
  for (unsigned V = 0; V != P.Variants.size(); ++V)
    if (P.Variants[V].Entries[Kernel])
      runVariant(V);
}

void limitTime(unsigned Seconds) {
  itimerval Timer = {};
  Timer.it_value.tv_sec = Seconds;
  setitimer(ITIMER_PROF, &Timer, nullptr);
}

void runInstances(const RunPlan &P, unsigned Kernel, unsigned Index) {
  Runner R(P);
  for (; Kernel != P.B.Kernels.size(); ++Kernel, Index = 0) {
    // Ends a run that does not end.
    limitTime(P.SecondsPerRun);
    for (; Index < P.B.Kernels[Kernel].Instances.size(); ++Index)
      R.run(Kernel, Index);
  }
  limitTime(0);
}

} // namespace dlfuzz
