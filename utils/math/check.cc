//===- check.cc - Worst errors of the vector math -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the functions that dl-math wrote and prints a line for each:
///
///   TABLE NAME TYPE ACCURACY inputs N worst ULPS at BITS [BITS] bad N
///
/// where bad results are of the wrong kind: not a NaN, an infinity or a zero of
/// the right sign where the exact result is one. The reference for float is the
/// C library's double, for double its long double.
///
///   check [-f NAME] [-t TYPE] [-stride N] [-ftz] [-time]
///
/// Takes each Nth input of float and everything around special numbers.
/// Compiled with -DTABLES="T(avx2_dl_math) T(sse2_dl_math)".
///
//===----------------------------------------------------------------------===//
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

struct Row {
  const char *Name, *Type, *Accuracy;
  void *Code;
  int64_t Args;
};

#define T(NAME) extern "C" const Row NAME[];
TABLES
#undef T

struct Table {
  const char *Name;
  const Row *Rows;
};
static const Table Tables[] = {
#define T(NAME) {#NAME, NAME},
    TABLES
#undef T
};

/// More than the elements of any vector, and in the first-level cache.
static constexpr int64_t Chunk = 4096;

static bool FlushToZero;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

template <typename T> struct Format;
template <> struct Format<float> {
  using Bits = uint32_t;
  using Wide = double;
  static constexpr int Mantissa = 23, MinExponent = -126, MaxExponent = 127;
  static constexpr const char *Name = "f32";
};
template <> struct Format<double> {
  using Bits = uint64_t;
  using Wide = long double;
  static constexpr int Mantissa = 52, MinExponent = -1022, MaxExponent = 1023;
  static constexpr const char *Name = "f64";
};

template <typename T> static T fromBits(typename Format<T>::Bits B) {
  T X;
  memcpy(&X, &B, sizeof X);
  return X;
}
template <typename T> static typename Format<T>::Bits toBits(T X) {
  typename Format<T>::Bits B;
  memcpy(&B, &X, sizeof X);
  return B;
}

template <typename T> static bool isSubnormal(T X) {
  auto B = toBits(X) << 1;
  return B && B < (typename Format<T>::Bits(2) << Format<T>::Mantissa);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

template <typename W> struct Reference {
  const char *Name;
  W (*One)(W);
  W (*Two)(W, W);
};

template <typename W>
static const Reference<W> References[] = {
    {"exp", [](W X) { return std::exp(X); }, nullptr},
    // By dl-math, of -|x|.
    {"exp_negative", [](W X) { return std::exp(-std::fabs(X)); }, nullptr},
    {"exp2", [](W X) { return std::exp2(X); }, nullptr},
    {"expm1", [](W X) { return std::expm1(X); }, nullptr},
    {"log", [](W X) { return std::log(X); }, nullptr},
    {"log2", [](W X) { return std::log2(X); }, nullptr},
    {"log10", [](W X) { return std::log10(X); }, nullptr},
    {"log1p", [](W X) { return std::log1p(X); }, nullptr},
    {"tanh", [](W X) { return std::tanh(X); }, nullptr},
    {"erf", [](W X) { return std::erf(X); }, nullptr},
    {"erfc", [](W X) { return std::erfc(X); }, nullptr},
    {"sin", [](W X) { return std::sin(X); }, nullptr},
    {"cos", [](W X) { return std::cos(X); }, nullptr},
    {"cbrt", [](W X) { return std::cbrt(X); }, nullptr},
    {"rsqrt", [](W X) { return 1 / std::sqrt(X); }, nullptr},
    {"pow", nullptr, [](W X, W Y) { return std::pow(X, Y); }},
};

template <typename W>
static const Reference<W> &findReference(const char *Name) {
  for (const Reference<W> &R : References<W>)
    if (!strcmp(R.Name, Name))
      return R;
  fprintf(stderr, "check: no reference for %s\n", Name);
  exit(2);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// The distance in units in the last place of Want as a T; negative where the
/// kind of number is wrong.
template <typename T>
static double getError(T Got, typename Format<T>::Wide Want) {
  using F = Format<T>;
  using W = typename F::Wide;
  if (std::isnan(Want) || std::isnan(Got))
    return std::isnan(Want) && std::isnan(Got) ? 0 : -1;
  // As if exponents went on behind the largest number.
  W Value = Got;
  if (std::isinf(Got))
    Value = std::copysign(std::ldexp(W(1), F::MaxExponent + 1), W(Got));
  if (std::isinf(Want))
    return std::isinf(Got) && std::signbit(Got) == std::signbit(Want) ? 0 : -1;
  if (std::signbit(Got) != std::signbit(Want))
    return -1;
  if (Want == 0)
    return Got == 0 ? 0 : -1;
  int E = std::ilogb(Want);
  if (E > F::MaxExponent) { // overflow to infinity is right
    if (std::isinf(Got))
      return 0;
    E = F::MaxExponent;
  }
  if (FlushToZero && E < F::MinExponent && Got == 0)
    return 0;
  E = std::max(E, F::MinExponent);
  return double(std::fabs(std::ldexp(Value - Want, F::Mantissa - E)));
}

template <typename T> struct Result {
  const Table *From;
  const Row *R;
  double Worst = 0;
  T X = 0, Y = 0;
  uint64_t Bad = 0;
  T BadX = 0, BadY = 0;
};

template <typename T>
static void call(const Row &R, T *Out, const T *X, const T *Y) {
  if (R.Args == 1)
    reinterpret_cast<void (*)(T *, const T *, int64_t)>(R.Code)(Out, X, Chunk);
  else
    reinterpret_cast<void (*)(T *, const T *, const T *, int64_t)>(R.Code)(
        Out, X, Y, Chunk);
}

/// All rows on one chunk of inputs.
template <typename T> class Checker {
  using W = typename Format<T>::Wide;
  const Reference<W> &Ref;
  std::vector<Result<T>> Results;
  alignas(64) T X[Chunk], Y[Chunk], Out[Chunk];
  W Want[Chunk], WantZero[Chunk];
  int64_t Used = 0;
  uint64_t Inputs = 0;

public:
  explicit Checker(const char *Name) : Ref(findReference<W>(Name)) {
    for (const Table &From : Tables)
      for (const Row *R = From.Rows; R->Name; R++)
        if (!strcmp(R->Name, Name) && !strcmp(R->Type, Format<T>::Name))
          Results.push_back({&From, R});
  }

  void add(T A, T B = 0) {
    X[Used] = A;
    Y[Used] = B;
    if (++Used == Chunk)
      flush();
  }

  void flush() {
    if (!Used)
      return;
    Inputs += Used;
    for (int64_t I = 0; I < Used; I++)
      Want[I] = Ref.One ? Ref.One(X[I]) : Ref.Two(X[I], Y[I]);
    std::fill(X + Used, X + Chunk, T(1));
    std::fill(Y + Used, Y + Chunk, T(1));
    for (Result<T> &R : Results)
      check(R);
    Used = 0;
  }

  void check(Result<T> &R) {
#if defined(__x86_64__)
    unsigned Saved = _mm_getcsr();
    if (FlushToZero)
      _mm_setcsr(Saved | 0x8040);
    call(*R.R, Out, X, Y);
    _mm_setcsr(Saved);
#else
    call(*R.R, Out, X, Y);
#endif
    for (int64_t I = 0; I < Used; I++) {
      // Most results are rounded as they should be: at most half a unit.
      if (Out[I] == T(Want[I]) && Out[I] != 0 && R.Worst >= 0.5)
        continue;
      double E = getError<T>(Out[I], Want[I]);
      if (FlushToZero)
        E = getFlushedError(Out[I], X[I], Y[I], E);
      if (E < 0) {
        if (!R.Bad++) {
          R.BadX = X[I];
          R.BadY = Y[I];
        }
      } else if (E > R.Worst) {
        R.Worst = E;
        R.X = X[I];
        R.Y = Y[I];
      }
    }
  }

  /// The smallest error, \p E among them, where subnormal arguments may count
  /// as zeros.
  double getFlushedError(T Got, T A, T B, double E) const {
    for (T X : {A, std::copysign(T(0), A)})
      for (T Y : {B, std::copysign(T(0), B)}) {
        if ((toBits(X) != toBits(A) && !isSubnormal(A)) ||
            (toBits(Y) != toBits(B) && !isSubnormal(B)))
          continue;
        double Other = getError<T>(Got, Ref.One ? Ref.One(X) : Ref.Two(X, Y));
        if (E < 0 || (Other >= 0 && Other < E))
          E = Other;
      }
    return E;
  }

  void print() {
    for (const Result<T> &R : Results) {
      printf("%s %s %s %s inputs %llu worst %.4f at %a", R.From->Name,
             R.R->Name, R.R->Type, R.R->Accuracy, (unsigned long long)Inputs,
             R.Worst, double(R.X));
      if (R.R->Args == 2)
        printf(" %a", double(R.Y));
      printf(" bad %llu", (unsigned long long)R.Bad);
      if (R.Bad) {
        printf(" first %a", double(R.BadX));
        if (R.R->Args == 2)
          printf(" %a", double(R.BadY));
      }
      printf("\n");
    }
    fflush(stdout);
  }
};

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

static uint64_t getRandom() {
  static uint64_t State = 88172645463325252u;
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return State * 2685821657736338717u;
}

/// What functions treat apart: their limits, zeros and splits, and what is
/// closest to a multiple of pi / 2.
static const double Special[] = {0,
                                 1,
                                 2,
                                 3,
                                 0.5,
                                 0.25,
                                 4,
                                 0.625,
                                 0.75,
                                 0.875,
                                 1.25,
                                 1.5,
                                 10,
                                 100,
                                 0x1p-126,
                                 0x1p-149,
                                 0x1p-1022,
                                 0x1p-1074,
                                 0x1p127,
                                 0x1p1023,
                                 0x1p24,
                                 0x1p53,
                                 88.7228394,
                                 103.97208,
                                 87.336547,
                                 709.78271,
                                 745.1332,
                                 708.39642,
                                 128,
                                 149,
                                 126,
                                 150,
                                 1024,
                                 1074,
                                 1022,
                                 0x1p-12,
                                 0x1p-24,
                                 0x1p-25,
                                 0x1p-53,
                                 9.0,
                                 18.0,
                                 20,
                                 3.95,
                                 3.9192059,
                                 10.05,
                                 26.54,
                                 0.7071067811865476,
                                 1.4142135623730951,
                                 3.141592653589793,
                                 1.5707963267948966,
                                 0.7853981633974483,
                                 6.283185307179586,
                                 0.34657359027997264,
                                 0.6931471805599453,
                                 0x1.6ac5b262ca1ffp+849,
                                 INFINITY,
                                 NAN};

template <typename T> static std::vector<T> getSpecial(int Around) {
  std::vector<T> Result;
  for (double S : Special)
    for (double Sign : {1.0, -1.0})
      for (int I = -Around; I <= Around; I++) {
        auto B = toBits(T(Sign * S));
        Result.push_back(fromBits<T>(B + I));
      }
  return Result;
}

static void check32(const char *Name, int64_t Args, uint64_t Stride) {
  Checker<float> C(Name);
  if (Args == 1) {
    for (float X : getSpecial<float>(300))
      C.add(X);
    for (uint64_t B = 0; B < uint64_t(1) << 32; B += Stride)
      C.add(fromBits<float>(uint32_t(B)));
  } else {
    for (float X : getSpecial<float>(2))
      for (float Y : getSpecial<float>(2))
        C.add(X, Y);
    for (uint64_t N = 0; N < 400000000 / Stride; N++) {
      uint64_t B = getRandom();
      float X = fromBits<float>(uint32_t(B));
      float Y = fromBits<float>(uint32_t(B >> 32));
      C.add(X, Y);
      // Results that are numbers: |y * log2(x)| up to 150.
      X = std::fabs(X);
      float Z = float(150.0 * (int32_t(getRandom()) * 0x1p-31) / std::log2(X));
      C.add(X, Z);
      // Around 1, where y is large.
      X = 1 + float(Y * 0x1p-60);
      X = 1 +
          float(int32_t(B) * 0x1p-31) * float(B >> 33 & 1 ? 0x1p-2 : 0x1p-14);
      Z = float(150.0 * (int32_t(getRandom()) * 0x1p-31) / std::log2(X));
      C.add(X, Z);
    }
  }
  C.flush();
  C.print();
}

static void check64(const char *Name, int64_t Args, uint64_t Stride) {
  Checker<double> C(Name);
  if (Args == 1) {
    for (double X : getSpecial<double>(300))
      C.add(X);
    // Every exponent up to 2^12, then evenly over what is not trivial.
    for (uint64_t N = 0; N < 100000000 / Stride; N++) {
      uint64_t B = getRandom();
      C.add(fromBits<double>(B));
      double U = int64_t(B) * 0x1p-63;
      C.add(U * 750);
      C.add(U * (B & 1 ? 12 : 2));
      C.add(std::fabs(1 + U * (B & 2 ? 0.5 : 0x1p-10)));
    }
  } else {
    for (double X : getSpecial<double>(2))
      for (double Y : getSpecial<double>(2))
        C.add(X, Y);
    for (uint64_t N = 0; N < 100000000 / Stride; N++) {
      double X = fromBits<double>(getRandom());
      double Y = fromBits<double>(getRandom());
      C.add(X, Y);
      // Results that are numbers: |y * log2(x)| up to 1100; around 1, too.
      auto GetExponent = [] { return 1100 * (int64_t(getRandom()) * 0x1p-63); };
      X = std::fabs(X);
      C.add(X, GetExponent() / std::log2(X));
      double U = int64_t(getRandom()) * 0x1p-63;
      X = 1 + U * (N & 1 ? 0x1p-2 : N & 2 ? 0x1p-8 : 0x1p-30);
      C.add(X, GetExponent() / std::log2(X));
      // Integers to powers of integers.
      C.add(std::round(U * 100), std::round(GetExponent() / 100));
    }
  }
  C.flush();
  C.print();
}

//===----------------------------------------------------------------------===//
// Numbers of 16 bits
//===----------------------------------------------------------------------===//

namespace {

struct Narrow {
  int Mantissa, Bias;
  int getMaxExponent() const { return Bias; }
  int getMinExponent() const { return 1 - Bias; }

  double decode(uint16_t Bits) const {
    int Fraction = Bits & ((1 << Mantissa) - 1);
    int Exponent = (Bits & 0x7fff) >> Mantissa;
    double X;
    if (Exponent == 2 * Bias + 1)
      X = Fraction ? NAN : INFINITY;
    else if (Exponent)
      X = std::ldexp((1 << Mantissa) + Fraction, Exponent - Bias - Mantissa);
    else
      X = std::ldexp(Fraction, 1 - Bias - Mantissa);
    return Bits & 0x8000 ? -X : X;
  }

  /// As getError.
  double getError(uint16_t Bits, double Want) const {
    double Got = decode(Bits);
    if (std::isnan(Want) || std::isnan(Got))
      return std::isnan(Want) && std::isnan(Got) ? 0 : -1;
    if (std::signbit(Got) != std::signbit(Want))
      return -1;
    if (std::isinf(Want) || Want == 0)
      return Got == Want ? 0 : -1;
    int E = std::max(std::ilogb(Want), getMinExponent());
    if (E > getMaxExponent()) {
      if (std::isinf(Got))
        return 0;
      E = getMaxExponent();
    }
    if (std::isinf(Got))
      Got = std::copysign(std::ldexp(1.0, getMaxExponent() + 1), Got);
    return std::fabs(std::ldexp(Got - Want, Mantissa - E));
  }
};

} // namespace

/// All inputs, or as many pairs.
static void check16(const Table &From, const Row &R, const Narrow &N) {
  const Reference<double> &Ref = findReference<double>(R.Name);
  alignas(64) static uint16_t X[Chunk], Y[Chunk], Out[Chunk];
  double Worst = 0;
  uint16_t WorstX = 0, WorstY = 0;
  uint64_t Bad = 0;
  for (int64_t Start = 0; Start < 1 << 16; Start += Chunk) {
    for (int64_t I = 0; I < Chunk; I++) {
      X[I] = uint16_t(Start + I);
      Y[I] = uint16_t(getRandom());
    }
    call(R, Out, X, Y);
    for (int64_t I = 0; I < Chunk; I++) {
      double A = N.decode(X[I]), B = N.decode(Y[I]);
      double E = N.getError(Out[I], Ref.One ? Ref.One(A) : Ref.Two(A, B));
      if (E < 0) {
        Bad++;
      } else if (E > Worst) {
        Worst = E;
        WorstX = X[I];
        WorstY = Y[I];
      }
    }
  }
  printf("%s %s %s %s inputs %d worst %.4f at %a", From.Name, R.Name, R.Type,
         R.Accuracy, 1 << 16, Worst, N.decode(WorstX));
  if (R.Args == 2)
    printf(" %a", N.decode(WorstY));
  printf(" bad %llu\n", (unsigned long long)Bad);
}

//===----------------------------------------------------------------------===//
// Speed
//===----------------------------------------------------------------------===//

static double getTime() {
  timespec Now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &Now);
  return Now.tv_sec * 1e9 + Now.tv_nsec;
}

/// Elements per nanosecond on one chunk: the best of many.
template <typename T> static void measure(const Table &From, const Row &R) {
  alignas(64) static T X[Chunk], Y[Chunk], Out[Chunk];
  for (int64_t I = 0; I < Chunk; I++) {
    X[I] = T((getRandom() >> 11) * 0x1p-53 * 8 + 0x1p-10);
    Y[I] = T((getRandom() >> 11) * 0x1p-53 * 8 - 4);
  }
  double Best = 1e30;
  for (int Round = 0; Round < 200; Round++) {
    double Start = getTime();
    for (int Again = 0; Again < 10; Again++)
      call(R, Out, X, Y);
    Best = std::min(Best, getTime() - Start);
  }
  printf("%s %s %s %s elements/ns %.2f\n", From.Name, R.Name, R.Type,
         R.Accuracy, 10 * Chunk / Best);
}

int main(int argc, char **argv) {
  const char *Name = nullptr, *Type = nullptr;
  uint64_t Stride = 1;
  bool Time = false;
  for (int I = 1; I < argc; I++) {
    std::string A = argv[I];
    if (A == "-f" && I + 1 < argc)
      Name = argv[++I];
    else if (A == "-t" && I + 1 < argc)
      Type = argv[++I];
    else if (A == "-stride" && I + 1 < argc)
      Stride = std::max(1, atoi(argv[++I]));
    else if (A == "-ftz")
      FlushToZero = true;
    else if (A == "-time")
      Time = true;
    else {
      fprintf(stderr,
              "check: what is '%s'? accepted: -f NAME, -t TYPE, "
              "-stride N, -ftz, -time\n",
              argv[I]);
      return 2;
    }
  }
  std::vector<std::string> Done;
  for (const Table &From : Tables)
    for (const Row *R = From.Rows; R->Name; R++) {
      if ((Name && strcmp(Name, R->Name)) || (Type && strcmp(Type, R->Type)))
        continue;
      bool Single = !strcmp(R->Type, "f32");
      if (Time) {
        if (R->Type[0] == 'f' && R->Type[1] != '1')
          (Single ? measure<float> : measure<double>)(From, *R);
        continue;
      }
      if (!strcmp(R->Type, "f16") || !strcmp(R->Type, "bf16")) {
        if (!FlushToZero)
          check16(From, *R,
                  R->Type[0] == 'b' ? Narrow{7, 127} : Narrow{10, 15});
        continue;
      }
      std::string Key = std::string(R->Name) + R->Type;
      if (std::count(Done.begin(), Done.end(), Key))
        continue;
      Done.push_back(Key);
      (Single ? check32 : check64)(R->Name, R->Args, Stride);
    }
  return 0;
}
