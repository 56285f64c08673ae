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
///   contestant NAME KIND CLOCK LIBRARY SYMBOL [VARIABLE=VALUE...]
///   shape M N K
///
/// KIND says how LIBRARY is called: forms (SYMBOL names a row of its table
/// forms_plain), cblas, dnnl (dnnl_sgemm) or entry (the argument list of
/// EntryFn). CLOCK is thread or process. The variables are set while the
/// library is loaded. For each shape one line of JSON comes out, with the
/// seconds per call of every contestant in every round.
///
/// Why not Google Benchmark: what matters here is the *ratio* of two programs
/// on a machine whose clock and neighbours change from second to second.
/// Google Benchmark runs one case to its end before the next. Here all cases
/// take turns in slices of a few milliseconds, the machine's peak is measured
/// in the same rounds, and ratios are taken within a round.
///
//===----------------------------------------------------------------------===//
#include "../../test/Exec/Inputs/matmul/forms.h"
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace {

//===- Clocks and the peak ------------------------------------------------===//

double now(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

#if defined(__AVX512F__)
constexpr int VectorBytes = 64, Chains = 20;
#elif defined(__AVX__)
constexpr int VectorBytes = 32, Chains = 12;
#elif defined(__aarch64__)
constexpr int VectorBytes = 16, Chains = 20;
#else
constexpr int VectorBytes = 16, Chains = 12;
#endif
#if defined(__FMA__) || defined(__aarch64__)
#define MULADD(X, Y, Z) __builtin_elementwise_fma(X, Y, Z)
#else
#define MULADD(X, Y, Z) ((X) * (Y) + (Z))
#endif
typedef float Vector __attribute__((vector_size(VectorBytes)));

/// Independent chains of multiply-adds in registers: as many as hide the
/// latency, as few as do not spill.
__attribute__((noinline)) float multiplyAdds(long n, float seed) {
  Vector acc[Chains], x = (Vector){} + seed, y = (Vector){} + 0.25f;
#pragma clang loop unroll(full)
  for (int c = 0; c < Chains; c++)
    acc[c] = (Vector){} + static_cast<float>(c);
  for (long i = 0; i < n; i++)
#pragma clang loop unroll(full)
    for (int c = 0; c < Chains; c++)
      acc[c] = MULADD(acc[c], x, y);
  Vector sum = {};
#pragma clang loop unroll(full)
  for (int c = 0; c < Chains; c++)
    sum += acc[c];
  return sum[0];
}

// Volatile on both sides, or the compiler computes it once for all rounds.
volatile float Seed = 0.5f, Sink;
/// GFLOP/s.
double measurePeak() {
  constexpr long n = 100000;
  double start = now(CLOCK_THREAD_CPUTIME_ID);
  Sink = multiplyAdds(n, Seed);
  double seconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
  return 1e-9 * 2 * n * Chains * (VectorBytes / 4) / seconds;
}

//===- Contestants --------------------------------------------------------===//

using EntryFn = void (*)(long m, long n, long k, const float *a, long lda,
                         const float *b, long ldb, float *c, long ldc);
using CblasFn = void (*)(int, int, int, int m, int n, int k, float,
                         const float *, int, const float *, int, float, float *,
                         int);
using DnnlFn = int (*)(char, char, int64_t m, int64_t n, int64_t k, float,
                       const float *, int64_t, const float *, int64_t, float,
                       float *, int64_t);

struct Contestant {
  std::string Name;
  clockid_t Clock = CLOCK_THREAD_CPUTIME_ID;
  std::function<void(const problem &)> Run;
  unsigned Flags = 0;   ///< of its form
  double LastRate = 0;  ///< flops per second on the shape before
  bool Skipped = false; ///< would take too long
  long Calls = 1;       ///< per slice
  std::vector<double> Times;
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

Contestant parseContestant(std::istringstream &in) {
  Contestant c;
  std::string kind, clock, library, symbol, v;
  std::vector<std::string> variables;
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
    auto f = reinterpret_cast<CblasFn>(load(library, symbol, variables));
    c.Run = [f](const problem &p) {
      f(101, 111, 111, static_cast<int>(p.M), static_cast<int>(p.N),
        static_cast<int>(p.K), 1, p.A, static_cast<int>(p.lda), p.B,
        static_cast<int>(p.ldb), 0, p.C, static_cast<int>(p.ldc));
    };
  } else if (kind == "dnnl") {
    auto f = reinterpret_cast<DnnlFn>(load(library, symbol, variables));
    c.Run = [f](const problem &p) {
      f('N', 'N', p.M, p.N, p.K, 1, p.A, p.lda, p.B, p.ldb, 0, p.C, p.ldc);
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

struct Buffer {
  float *Data;
  explicit Buffer(long n)
      : Data(static_cast<float *>(aligned_alloc(
            4096, (static_cast<size_t>(n) * 4 + 8191) & ~4095ul))) {
    uint32_t state = static_cast<uint32_t>(n) | 1;
    for (long i = 0; i < n; i++) {
      state = state * 1664525u + 1013904223u;
      Data[i] = static_cast<float>(state >> 8) * 0x1p-23f - 1.0f;
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
bool isProduct(const problem &p, unsigned flags) {
  uint32_t state = 7;
  for (int s = 0; s < 50; s++) {
    state = state * 1664525u + 1013904223u;
    long i = (state >> 8) % p.M;
    state = state * 1664525u + 1013904223u;
    long j = (state >> 8) % p.N;
    double sum = 0;
    for (long k = 0; k < p.K; k++)
      sum += static_cast<double>(
                 p.A[flags & A_TRANS ? k * p.lda + i : i * p.lda + k]) *
             p.B[flags & B_TRANS ? j * p.ldb + k : k * p.ldb + j];
    if (!(std::fabs(p.C[i * p.ldc + j] - sum) <=
          1e-5 + 1e-6 * static_cast<double>(p.K)))
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
void prepare(Contestant &c, const problem &p, const Settings &s) {
  double flops = 2.0 * p.M * p.N * p.K;
  c.Times.clear();
  c.Skipped = c.LastRate > 0 && flops / c.LastRate > s.Skip;
  if (c.Skipped)
    return;
  memset(p.C, 0, static_cast<size_t>(p.M * p.N) * 4);
  double seconds = timeCalls(c, p, 1);
  if (!isProduct(p, c.Flags))
    fail(c.Name + " does not compute the product");
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

void runShape(std::vector<Contestant> &all, problem p, const Settings &s) {
  Buffer a(p.M * p.K), b(p.K * p.N), c(p.M * p.N), bias(std::max(p.M, p.N));
  p.A = a.Data, p.B = b.Data, p.C = c.Data, p.S = bias.Data;
  memset(bias.Data, 0, static_cast<size_t>(std::max(p.M, p.N)) * 4);
  for (Contestant &x : all)
    prepare(x, layOut(p, x.Flags), s);
  std::vector<double> peaks;
  for (int round = 0; round < s.Rounds; round++) {
    peaks.push_back(std::max(measurePeak(), measurePeak()));
    for (size_t i = 0; i < all.size(); i++) {
      Contestant &x = all[(i + static_cast<size_t>(round)) % all.size()];
      if (x.Skipped || !x.Calls)
        continue;
      problem mine = layOut(p, x.Flags);
      memset(p.C, 0, static_cast<size_t>(p.M * p.N) * 4);
      if (x.Calls > 1)
        x.Run(mine); // refills the caches after the others
      x.Times.push_back(timeCalls(x, mine, x.Calls));
    }
  }

  auto list = [](const std::vector<double> &v) {
    std::string text = "[";
    char number[32];
    for (size_t i = 0; i < v.size(); i++) {
      snprintf(number, sizeof number, "%s%.6g", i ? ", " : "", v[i]);
      text += number;
    }
    return text + "]";
  };
  printf("{\"shape\": [%ld, %ld, %ld], \"peak\": %s, \"times\": {", p.M, p.N,
         p.K, list(peaks).c_str());
  const char *comma = "";
  for (const Contestant &x : all) {
    printf("%s\"%s\": %s", comma, x.Name.c_str(), list(x.Times).c_str());
    comma = ", ";
  }
  printf("}}\n");
  fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  Settings s;
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
    measurePeak();
  std::vector<Contestant> all;
  char *line = nullptr;
  size_t capacity = 0;
  while (getline(&line, &capacity, stdin) >= 0) {
    std::istringstream in(line);
    std::string what;
    problem p = {};
    if (!(in >> what))
      continue;
    if (what == "contestant")
      all.push_back(parseContestant(in));
    else if (what == "shape" && in >> p.M >> p.N >> p.K)
      runShape(all, p, s);
    else
      fail(std::string("cannot read: ") + line);
  }
  free(line);
  return 0;
}
