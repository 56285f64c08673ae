// Sizes behind a pointer that a lambda captures by reference, and elements that are stored in
// them as the loops run.
//
// REQUIRES: native-x86
// RUN: %clangxx -O2 -DKERNEL -DNAME=plain -c %s -o %t.plain.o
// RUN: %clangxx_dl -O2 -DKERNEL -DNAME=made -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clangxx -O1 %s %t.plain.o %t.dl.o -o %t
// RUN: %t
// REMARK-COUNT-2: transpose
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define ARGS(T) (const T *a, const long *sizes, T *b)
#ifdef KERNEL
template <class F> __attribute__((noinline)) static void run(long n, const F &f) { f(0, n); }
#define TRANSPOSE(T)                                                           \
  void NAMED(NAME, T) ARGS(T) {                                                \
    run(sizes[0], [&](long begin, long end) {                                  \
      for (long i = begin; i < end; ++i)                                       \
        for (long j = 0; j < sizes[1]; ++j)                                    \
          b[j * sizes[2] + i] = a[i * sizes[3] + j];                           \
    });                                                                        \
  }
TRANSPOSE(long)
TRANSPOSE(float)
#else
#include <cstring>
#include <initializer_list>
void plain_long ARGS(long), made_long ARGS(long);
void plain_float ARGS(float), made_float ARGS(float);
constexpr long Most = 4096, Before = 4;
static long Memory[2][Before + 2 * Most];
static float X[Most], Y[2][Most];

// The sizes begin at an element of the result.
static void run(int by, long m, long n, long at) {
  long sizes[] = {m, n, m, n}, *b = Memory[by] + Before;
  for (long i = 0; i < Before + 2 * Most; ++i)
    Memory[by][i] = i % 5 + 1;
  std::memcpy(b + at, sizes, sizeof sizes);
  (by ? made_long : plain_long)(b + Most, b + at, b);
}

int main() {
  for (long i = 0; i < Most; ++i)
    X[i] = i;
  for (long m : {0, 1, 7, 24, 40})
    for (long n : {0, 1, 9, 40}) {
      long sizes[] = {m, n, m, n};
      plain_float(X, sizes, Y[0]), made_float(X, sizes, Y[1]);
      if (std::memcmp(Y[0], Y[1], sizeof Y[0]))
        return 1;
      for (long at = -Before; at <= m * n; ++at) {
        run(0, m, n, at), run(1, m, n, at);
        if (std::memcmp(Memory[0], Memory[1], sizeof Memory[0]))
          return 2;
      }
    }
}
#endif
