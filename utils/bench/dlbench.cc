//===- dlbench.cc - Interleaved timing of matrix products -----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: dlbench [--rounds=N] [--slice-ms=X] [--slow-s=X] [--skip-s=X] < PLAN
///
/// A plan has one item per line:
///
///   kernel TYPE A B ROUTINE
///   contestant NAME KIND CLOCK LIBRARY SYMBOL [VARIABLE=VALUE...]
///   same NAME NAME
///   shape M N K
///
/// TYPE is s or d (float, double); A and B say how the operands are stored, n
/// or t; ROUTINE is gemm or gemv (N = 1: B and C are vectors). Without such a
/// line: s n n gemm. KIND says how LIBRARY is called: forms (SYMBOL names a row
/// of its table forms_plain), cblas, dnnl (dnnl_sgemm) or entry (the argument
/// list of EntryFn). CLOCK is thread or process. The variables are set while
/// the library is loaded. Results of two that are `same` must have the same
/// bits. For each shape one line of JSON comes out, with the seconds per call
/// of every contestant in every round, and the machine's limits in the same
/// rounds.
///
/// Why not Google Benchmark: what matters here is the *ratio* of two programs
/// on a machine whose clock and neighbours change from second to second.
/// Google Benchmark runs one case to its end before the next. Here all cases
/// take turns in slices of a few milliseconds, the machine's peak is measured
/// in the same rounds, and ratios are taken within a round.
///
//===----------------------------------------------------------------------===//
#include "../../test/Exec/Inputs/matmul/forms.h"
#include "limits.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

//===- Kernels ------------------------------------------------------------===//

struct Kernel {
  bool Double = false, Vector = false;
  unsigned Flags = 0; ///< A_TRANS, B_TRANS

  size_t size() const { return Double ? sizeof(double) : sizeof(float); }
};

double at(const void *data, long i, bool isDouble) {
  return isDouble ? static_cast<const double *>(data)[i]
                  : static_cast<double>(static_cast<const float *>(data)[i]);
}

//===- Contestants --------------------------------------------------------===//

using EntryFn = void (*)(long m, long n, long k, const void *a, long lda,
                         const void *b, long ldb, void *c, long ldc);
template <class Real>
using GemmFn = void (*)(int order, int a, int b, int m, int n, int k, Real,
                        const Real *, int, const Real *, int, Real, Real *,
                        int);
template <class Real>
using GemvFn = void (*)(int order, int a, int rows, int columns, Real,
                        const Real *, int, const Real *, int, Real, Real *,
                        int);
using DnnlFn = int (*)(char, char, int64_t m, int64_t n, int64_t k, float,
                       const float *, int64_t, const float *, int64_t, float,
                       float *, int64_t);
enum { RowMajor = 101, NoTrans = 111, Trans = 112 }; // of CBLAS

struct Contestant {
  std::string Name;
  clockid_t Clock = CLOCK_THREAD_CPUTIME_ID;
  std::function<void(const problem &)> Run;
  unsigned Flags = 0;   ///< of its form
  double LastRate = 0;  ///< flops per second on the shape before
  bool Skipped = false; ///< would take too long
  long Calls = 1;       ///< per slice
  std::vector<double> Times;
  bool Compared = false; ///< Result is needed
  std::vector<char> Result;
};

[[noreturn]] void fail(const std::string &what) {
  fprintf(stderr, "dlbench: %s\n", what.c_str());
  exit(1);
}

void *load(const std::string &library, const std::string &symbol,
           const std::vector<std::string> &variables) {
  for (const std::string &v : variables)
    setenv(v.substr(0, v.find('=')).c_str(), v.c_str() + v.find('=') + 1, 1);
  // Local: several copies and versions of one library live side by side.
  void *handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (!handle)
    fail(dlerror());
  void *address = dlsym(handle, symbol.c_str());
  if (!address)
    fail(dlerror());
  for (const std::string &v : variables)
    unsetenv(v.substr(0, v.find('=')).c_str());
  return address;
}

const form *findForm(void *table, const std::string &name) {
  for (const form *f = static_cast<const form *>(table); f->Name; f++)
    if (name == f->Name)
      return f;
  fail("no form '" + name + "'");
}

template <class Real>
std::function<void(const problem &)> callCblas(void *address, const Kernel &k) {
  int a = k.Flags & A_TRANS ? Trans : NoTrans;
  int b = k.Flags & B_TRANS ? Trans : NoTrans;
  if (k.Vector)
    return [=, f = reinterpret_cast<GemvFn<Real>>(address)](const problem &p) {
      f(RowMajor, a, static_cast<int>(a == Trans ? p.K : p.M),
        static_cast<int>(a == Trans ? p.M : p.K), 1,
        reinterpret_cast<const Real *>(p.A), static_cast<int>(p.lda),
        reinterpret_cast<const Real *>(p.B), 1, 0,
        reinterpret_cast<Real *>(p.C), 1);
    };
  return [=, f = reinterpret_cast<GemmFn<Real>>(address)](const problem &p) {
    f(RowMajor, a, b, static_cast<int>(p.M), static_cast<int>(p.N),
      static_cast<int>(p.K), 1, reinterpret_cast<const Real *>(p.A),
      static_cast<int>(p.lda), reinterpret_cast<const Real *>(p.B),
      static_cast<int>(p.ldb), 0, reinterpret_cast<Real *>(p.C),
      static_cast<int>(p.ldc));
  };
}

Contestant parseContestant(std::istringstream &in, const Kernel &kernel) {
  Contestant c;
  std::string kind, clock, library, symbol, v;
  std::vector<std::string> variables;
  c.Flags = kernel.Flags;
  in >> c.Name >> kind >> clock >> library >> symbol;
  while (in >> v)
    variables.push_back(v);
  if (clock == "process")
    c.Clock = CLOCK_PROCESS_CPUTIME_ID;
  if (kind == "forms") {
    const form *f = findForm(load(library, "forms_plain", variables), symbol);
    c.Flags = f->Flags;
    c.Run = [f](const problem &p) { f->Run(&p); };
  } else if (kind == "cblas") {
    void *f = load(library, symbol, variables);
    c.Run = kernel.Double ? callCblas<double>(f, kernel)
                          : callCblas<float>(f, kernel);
  } else if (kind == "dnnl") {
    auto f = reinterpret_cast<DnnlFn>(load(library, symbol, variables));
    char a = kernel.Flags & A_TRANS ? 'T' : 'N';
    char b = kernel.Flags & B_TRANS ? 'T' : 'N';
    c.Run = [=](const problem &p) {
      f(a, b, p.M, p.N, p.K, 1, p.A, p.lda, p.B, p.ldb, 0, p.C, p.ldc);
    };
  } else if (kind == "entry") {
    auto f = reinterpret_cast<EntryFn>(load(library, symbol, variables));
    c.Run = [f](const problem &p) {
      f(p.M, p.N, p.K, p.A, p.lda, p.B, p.ldb, p.C, p.ldc);
    };
  } else {
    fail("unknown kind '" + kind + "'");
  }
  return c;
}

//===- One shape ----------------------------------------------------------===//

struct Settings {
  int Rounds = 9;
  double Slice = 4e-3;
  double Slow = 0.5; ///< a call that takes longer is timed once
  double Skip = 10;  ///< a call predicted to take longer is not made
};

/// Elements from -1 to 1, with the precision of float.
struct Buffer {
  float *Data; ///< doubles, too
  Buffer(long n, const Kernel &k)
      : Data(static_cast<float *>(aligned_alloc(
            4096, (static_cast<size_t>(n) * k.size() + 8191) & ~4095ul))) {
    uint32_t state = static_cast<uint32_t>(n) | 1;
    for (long i = 0; i < n; i++) {
      state = state * 1664525u + 1013904223u;
      float value = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
      if (k.Double)
        reinterpret_cast<double *>(Data)[i] = static_cast<double>(value);
      else
        Data[i] = value;
    }
  }
  Buffer(const Buffer &) = delete;
  ~Buffer() { free(Data); }
};

problem layOut(problem p, unsigned flags) {
  p.lda = flags & A_TRANS ? p.M : p.K;
  p.ldb = flags & B_TRANS ? p.K : p.N;
  p.ldc = p.N;
  return p;
}

/// Some elements against sums in double: a peer that is called wrongly must
/// not set the mark.
bool isProduct(const problem &p, unsigned flags, bool isDouble) {
  double tolerance =
      (1e-5 + 1e-6 * static_cast<double>(p.K)) * (isDouble ? 1e-8 : 1);
  uint32_t state = 7;
  for (int s = 0; s < 50; s++) {
    state = state * 1664525u + 1013904223u;
    long i = (state >> 8) % p.M;
    state = state * 1664525u + 1013904223u;
    long j = (state >> 8) % p.N;
    double sum = 0;
    for (long k = 0; k < p.K; k++)
      sum +=
          at(p.A, flags & A_TRANS ? k * p.lda + i : i * p.lda + k, isDouble) *
          at(p.B, flags & B_TRANS ? j * p.ldb + k : k * p.ldb + j, isDouble);
    if (!(std::fabs(at(p.C, i * p.ldc + j, isDouble) - sum) <= tolerance))
      return false;
  }
  return true;
}

double timeCalls(const Contestant &c, const problem &p, long calls) {
  double start = now(c.Clock);
  for (long i = 0; i < calls; i++)
    c.Run(p);
  return (now(c.Clock) - start) / static_cast<double>(calls);
}

/// First calls: check the result, learn how many calls fill a slice.
void prepare(Contestant &c, const problem &p, const Kernel &k,
             const Settings &s) {
  double flops = 2.0 * p.M * p.N * p.K;
  size_t bytes = static_cast<size_t>(p.M * p.N) * k.size();
  c.Times.clear();
  c.Result.clear();
  c.Skipped = c.LastRate > 0 && flops / c.LastRate > s.Skip;
  if (c.Skipped)
    return;
  memset(p.C, 0, bytes);
  double seconds = timeCalls(c, p, 1);
  if (!isProduct(p, c.Flags, k.Double))
    fail(c.Name + " does not compute the product");
  if (c.Compared)
    c.Result.assign(reinterpret_cast<char *>(p.C),
                    reinterpret_cast<char *>(p.C) + bytes);
  if (seconds < s.Slow) {
    seconds = std::min(seconds, timeCalls(c, p, 1));
    c.Calls = static_cast<long>(s.Slice / std::max(seconds, 1e-8)) + 1;
    if (c.Calls > 1)
      seconds = timeCalls(c, p, std::max(1l, c.Calls / 4));
    c.Calls = static_cast<long>(s.Slice / std::max(seconds, 1e-9)) + 1;
  } else {
    c.Times.push_back(seconds);
    c.Calls = 0;
  }
  c.LastRate = flops / seconds;
}

/// -1 if one of them did not run.
int haveSameBits(const Contestant &x, const Contestant &y) {
  if (x.Result.empty() || y.Result.empty())
    return -1;
  return x.Result == y.Result;
}

std::string list(const std::vector<double> &v) {
  std::string text = "[";
  char number[32];
  for (size_t i = 0; i < v.size(); i++) {
    snprintf(number, sizeof number, "%s%.6g", i ? ", " : "", v[i]);
    text += number;
  }
  return text + "]";
}

/// Everything that a plan has set up.
struct Bench {
  Settings S;
  Kernel K;
  std::vector<Contestant> All;
  Contestant *Same[2] = {};

  Contestant *find(const std::string &name) {
    for (Contestant &c : All)
      if (c.Name == name)
        return &c;
    fail("no contestant '" + name + "'");
  }
  double measurePeak() const {
    return K.Double ? Limits<double>::measurePeak()
                    : Limits<float>::measurePeak();
  }
  double measureRead(const Buffer &b, long n) const {
    return K.Double ? Limits<double>::measureRead(
                          reinterpret_cast<double *>(b.Data), n, S.Slice / 4)
                    : Limits<float>::measureRead(b.Data, n, S.Slice / 4);
  }
  void parseKernel(std::istringstream &in);
  void runShape(problem p);
};

void Bench::parseKernel(std::istringstream &in) {
  std::string type, a, b, routine;
  in >> type >> a >> b >> routine;
  K.Double = type == "d";
  K.Vector = routine == "gemv";
  K.Flags = (a == "t" ? A_TRANS : 0u) | (b == "t" ? B_TRANS : 0u);
}

void Bench::runShape(problem p) {
  Buffer a(p.M * p.K, K), b(p.K * p.N, K), c(p.M * p.N, K),
      bias(std::max(p.M, p.N), K);
  p.A = a.Data, p.B = b.Data, p.C = c.Data, p.S = bias.Data;
  memset(bias.Data, 0, static_cast<size_t>(std::max(p.M, p.N)) * K.size());
  for (Contestant &x : All)
    prepare(x, layOut(p, x.Flags), K, S);
  int same = Same[0] ? haveSameBits(*Same[0], *Same[1]) : -1;
  if (same == 0)
    fail(Same[0]->Name + " and " + Same[1]->Name + " differ in bits");
  std::vector<double> peaks, reads;
  for (int round = 0; round < S.Rounds; round++) {
    peaks.push_back(std::max(measurePeak(), measurePeak()));
    if (K.Vector)
      reads.push_back(measureRead(a, p.M * p.K));
    for (size_t i = 0; i < All.size(); i++) {
      Contestant &x = All[(i + static_cast<size_t>(round)) % All.size()];
      if (x.Skipped || !x.Calls)
        continue;
      problem mine = layOut(p, x.Flags);
      memset(p.C, 0, static_cast<size_t>(p.M * p.N) * K.size());
      if (x.Calls > 1)
        x.Run(mine); // refills the caches after the others
      x.Times.push_back(timeCalls(x, mine, x.Calls));
    }
  }

  printf("{\"shape\": [%ld, %ld, %ld], \"peak\": %s, \"read\": %s, "
         "\"same\": %d, \"times\": {",
         p.M, p.N, p.K, list(peaks).c_str(), list(reads).c_str(), same);
  const char *comma = "";
  for (const Contestant &x : All) {
    printf("%s\"%s\": %s", comma, x.Name.c_str(), list(x.Times).c_str());
    comma = ", ";
  }
  printf("}}\n");
  fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  Bench bench;
  Settings &s = bench.S;
  for (int i = 1; i < argc; i++) {
    std::string arg = argv[i];
    double value = atof(arg.c_str() + std::min(arg.size(), arg.find('=') + 1));
    if (arg.rfind("--rounds=", 0) == 0)
      s.Rounds = static_cast<int>(value);
    else if (arg.rfind("--slice-ms=", 0) == 0)
      s.Slice = value * 1e-3;
    else if (arg.rfind("--slow-s=", 0) == 0)
      s.Slow = value;
    else if (arg.rfind("--skip-s=", 0) == 0)
      s.Skip = value;
    else
      fail("unknown option " + arg);
  }
  for (int i = 0; i < 50; i++) // let the clock settle
    bench.measurePeak();
  char *line = nullptr;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) >= 0) {
    std::istringstream in(line);
    std::string what, x, y;
    problem p = {};
    if (!(in >> what))
      continue;
    if (what == "kernel") {
      bench.parseKernel(in);
    } else if (what == "contestant") {
      bench.All.push_back(parseContestant(in, bench.K));
    } else if (what == "same" && in >> x >> y) {
      bench.Same[0] = bench.find(x), bench.Same[1] = bench.find(y);
      bench.Same[0]->Compared = bench.Same[1]->Compared = true;
    } else if (what == "shape" && in >> p.M >> p.N >> p.K) {
      bench.runShape(p);
    } else {
      fail(std::string("cannot read: ") + line);
    }
  }
  free(line);
  return 0;
}
