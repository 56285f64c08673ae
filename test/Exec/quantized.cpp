// Convolutions of bytes as libraries for small machines have them: shapes are objects whose
// sizes are read for each element, groups are found by a division, there may be no bias.
// Against clang's loops; parameters may lie in what is written, and arrays end at pages that
// nobody may touch.
// REQUIRES: native-x86
// RUN: %clangxx -O1 -fno-strict-aliasing -march=native -DBUILD=plain -c %s -o %t.plain.o
// RUN: %clangxx_dl -O3 -fno-strict-aliasing -march=native -DBUILD=dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=TAKEN
// RUN: %clangxx -O1 %s %t.plain.o %t.dl.o -o %t && %t 120 | FileCheck %s
// RUN: %if long %{ env DLOPT_OPTIONS=dispatch=0 %clangxx_dl -O3 -fno-strict-aliasing -mavx2 -DBUILD=dl -c %s -o %t.dl.o && %clangxx -O1 %s %t.plain.o %t.dl.o -o %t && %t 120 | FileCheck %s %}
// TAKEN: exact, by the script dotblocks
// TAKEN: exact, by the script neighbours
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <algorithm>
#include <cstdint>

struct Shape {
  int32_t Rank;
  int32_t Sizes[5];
  int size(int I) const { return Sizes[I]; }
  const int32_t *sizes() const { return Sizes; }
};
struct Windows {
  int16_t Step, Dilation, Border, Times;
  int32_t Zero, ResultZero, Least, Most;
};
#define ARGS                                                                   \
  const Windows &P, const int32_t *By, const int32_t *Shifts,                  \
      const Shape &InShape, const int8_t *In, const Shape &WShape,             \
      const int8_t *W, const int32_t *Bias, const Shape &OutShape, int8_t *Out
#define NAME2(X, Y) X##_##Y
#define NAME1(X, Y) NAME2(X, Y)

#ifdef BUILD
static inline int offset(const Shape &S, int A, int B, int C, int D) {
  const int32_t *N = S.sizes();
  return ((A * N[1] + B) * N[2] + C) * N[3] + D;
}
static inline int32_t multiplied(int32_t X, int32_t Factor, int Shift) {
  int Left = Shift > 0 ? Shift : 0, Right = Shift > 0 ? 0 : -Shift;
  int32_t A = (int32_t)((uint32_t)X << Left);
  bool Overflows = A == Factor && A == INT32_MIN;
  int64_t Product = (int64_t)A * Factor;
  int32_t Nudge = Product >= 0 ? (1 << 30) : (1 - (1 << 30));
  int32_t High = Overflows ? INT32_MAX : (int32_t)((Product + Nudge) / (1ll << 31));
  int32_t Mask = (int32_t)((1ll << Right) - 1), Rest = High & Mask;
  return (High >> Right) + (Rest > (Mask >> 1) + (High < 0));
}

extern "C" void NAME1(grouped, BUILD)(ARGS) {
  const int Channels = InShape.size(3), Filters = OutShape.size(3);
  const int Height = InShape.size(1), Width = InShape.size(2);
  const int Rows = WShape.size(1), Columns = WShape.size(2), Depth = WShape.size(3);
  const int Step = P.Step, Dilation = P.Dilation, Border = P.Border;
  const int32_t Zero = P.Zero, Least = P.Least, Most = P.Most;
  const int Groups = Channels / Depth, OfGroup = Filters / Groups;
  const int Batches = InShape.size(0), High = OutShape.size(1), Wide = OutShape.size(2);
  for (int B = 0; B < Batches; ++B)
    for (int Y = 0; Y < High; ++Y)
      for (int X = 0; X < Wide; ++X)
        for (int F = 0; F < Filters; ++F) {
          auto Group = F / OfGroup;
          int32_t Sum = 0;
          for (int R = 0; R < Rows; ++R)
            for (int C = 0; C < Columns; ++C) {
              const int Row = Y * Step - Border + Dilation * R;
              const int Column = X * Step - Border + Dilation * C;
              if (!(Column >= 0 && Column < Width && Row >= 0 && Row < Height))
                continue;
              for (int D = 0; D < Depth; ++D)
                Sum += W[offset(WShape, F, R, C, D)] *
                       (In[offset(InShape, B, Row, Column, D + Group * Depth)] + Zero);
            }
          if (Bias)
            Sum += Bias[F];
          Sum = multiplied(Sum, By[F], Shifts[F]) + P.ResultZero;
          Sum = std::min(std::max(Sum, Least), Most);
          Out[offset(OutShape, B, Y, X, F)] = (int8_t)Sum;
        }
}

extern "C" void NAME1(depthwise, BUILD)(ARGS) {
  const int Step = P.Step, Dilation = P.Dilation, Border = P.Border;
  const int32_t Zero = P.Zero, Least = P.Least, Most = P.Most;
  const int Channels = InShape.size(3), Height = InShape.size(1), Width = InShape.size(2);
  const int Rows = WShape.size(1), Columns = WShape.size(2), Times = P.Times;
  const int Batches = InShape.size(0), High = OutShape.size(1), Wide = OutShape.size(2);
  for (int B = 0; B < Batches; ++B)
    for (int Y = 0; Y < High; ++Y)
      for (int X = 0; X < Wide; ++X)
        for (int C = 0; C < Channels; ++C)
          for (int M = 0; M < Times; ++M) {
            const int F = M + C * Times;
            int32_t Sum = 0;
            for (int R = 0; R < Rows; ++R)
              for (int Q = 0; Q < Columns; ++Q) {
                const int Row = Y * Step - Border + Dilation * R;
                const int Column = X * Step - Border + Dilation * Q;
                if (Column >= 0 && Column < Width && Row >= 0 && Row < Height)
                  Sum += W[offset(WShape, 0, R, Q, F)] *
                         (In[offset(InShape, B, Row, Column, C)] + Zero);
              }
            if (Bias)
              Sum += Bias[F];
            Sum = multiplied(Sum, By[F], Shifts[F]) + P.ResultZero;
            Sum = std::min(std::max(Sum, Least), Most);
            Out[offset(OutShape, B, Y, X, F)] = (int8_t)Sum;
          }
}
#else
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/mman.h>

extern "C" void grouped_plain(ARGS), grouped_dl(ARGS), depthwise_plain(ARGS), depthwise_dl(ARGS);

static uint64_t State = 88172645463325252ull;
static int pick(int Low, int High) {
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return Low + (int)((State >> 33) % (uint64_t)(High - Low + 1));
}

/// So many bytes in front of a page that nobody may touch, or behind one.
struct Memory {
  static constexpr size_t Bytes = 1 << 20, Page = 4096;
  char *Base = (char *)mmap(nullptr, Bytes + 2 * Page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + Page;
  Memory() {
    mprotect(Base - Page, Page, PROT_NONE);
    mprotect(Base + Bytes, Page, PROT_NONE);
  }
  template <typename T> T *place(size_t Count, bool AtEnd) {
    for (size_t I = 0; I != Bytes; ++I)
      Base[I] = (char)pick(-128, 127);
    return (T *)(AtEnd ? Base + Bytes - Count * sizeof(T) : Base);
  }
};

int main(int argc, char **argv) {
  static Memory MIn, MW, MBias, MBy, MShifts, MOut;
  int Different = 0, Runs = 0;
  for (int Round = 0, Rounds = argc > 1 ? atoi(argv[1]) : 20; Round < Rounds; ++Round) {
    Windows P;
    P.Step = (int16_t)pick(1, 4), P.Dilation = (int16_t)pick(1, pick(0, 3) ? 1 : 2);
    P.Border = (int16_t)pick(0, 2), P.Zero = pick(-128, 128), P.ResultZero = pick(-128, 127);
    P.Least = pick(0, 2) ? -128 : pick(-128, 0), P.Most = pick(0, 2) ? 127 : pick(0, 127);
    int Groups = pick(0, 2) ? 1 : pick(1, 4), Depth = pick(1, pick(0, 1) ? 8 : 70);
    int OfGroup = pick(1, pick(0, 1) ? 8 : 40), Filters = Groups * OfGroup;
    // The last one may be of no whole group.
    Filters += Groups > 1 && pick(0, 3) == 0;
    // A channel for each filter, or for a few.
    bool IsDepthwise = Round % 2;
    P.Times = (int16_t)pick(pick(0, 3) ? 1 : 0, pick(0, 2) ? 1 : 3);
    if (IsDepthwise) {
      Groups = Depth = 1;
      Filters = OfGroup * P.Times;
    }
    int Channels = IsDepthwise ? OfGroup : Groups * Depth, Batches = pick(pick(0, 1), 2);
    int Rows = pick(pick(0, 3) ? 1 : 0, 3), Columns = pick(1, 3);
    int Height = pick(1, 20), Width = pick(1, pick(0, 2) ? 30 : 70);
    int High = std::max(0, (Height + 2 * P.Border - P.Dilation * (Rows - 1) - 1) / P.Step + 1);
    int Wide = std::max(0, (Width + 2 * P.Border - P.Dilation * (Columns - 1) - 1) / P.Step + 1);
    // More windows than begin inside of the image.
    Wide += pick(0, 3) ? 0 : pick(0, 3);
    Shape In{4, {Batches, Height, Width, Channels}}, W{4, {IsDepthwise ? 1 : Filters, Rows, Columns, IsDepthwise ? Filters : Depth}},
        Out{4, {Batches, High, Wide, Filters}};
    size_t Size = (size_t)Batches * High * Wide * Filters;
    bool AtEnd = pick(0, 1);
    auto *I = MIn.place<int8_t>((size_t)Batches * Height * Width * Channels + Depth, AtEnd);
    auto *Weights = MW.place<int8_t>((size_t)Filters * Rows * Columns * Depth, AtEnd);
    auto *Bias = MBias.place<int32_t>(Filters, AtEnd);
    auto *By = MBy.place<int32_t>(Filters, AtEnd);
    auto *Shifts = MShifts.place<int32_t>(Filters, AtEnd);
    for (int F = 0; F != Filters; ++F) {
      Bias[F] = pick(-20000, 20000), By[F] = pick(0, 9) ? pick(1 << 30, INT32_MAX) : INT32_MIN;
      Shifts[F] = pick(-12, 1);
    }
    // What is read for each element may be among the results.
    bool Meets = pick(0, 5) == 0 && Size > 64;
    size_t Where = (size_t)pick(0, (int)Size) / 4 * 4;
    const int32_t *Maybe = pick(0, 2) ? Bias : nullptr;
    auto Before = State;
    std::string Results[2];
    for (int Build : {0, 1}) {
      State = Before;
      auto *To = MOut.place<int8_t>(Size + sizeof(Windows), false);
      Windows *Own = Meets ? (Windows *)(To + Where) : &P;
      *Own = P;
      auto *Run = IsDepthwise ? Build ? depthwise_dl : depthwise_plain
                              : Build ? grouped_dl : grouped_plain;
      Run(*Own, By, Shifts, In, I, W, Weights, Maybe, Out, To);
      Results[Build].assign((char *)To, Size + sizeof(Windows));
    }
    Different += Results[0] != Results[1];
    ++Runs;
  }
  printf("%d runs, %d different\n", Runs, Different);
}
#endif
