// Rows of matrices that no cache holds, far apart, near each other, backwards: lines
// are fetched ahead, also of what is not there. Few rows and many, of all lengths.
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = %clang -O3 %{flags} %s -lm -o %t.plain && %t.plain > %t.plain.txt && %clang_dl -mllvm -dl-%dispatch -O3 %{flags} %s -lm -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>%t.remarks && FileCheck %s --input-file=%t.remarks && %t.dl > %t.dl.txt && diff %t.plain.txt %t.dl.txt
// RUN: %{check}
// REDEFINE: %{flags} = -march=native -DTYPE=double
// RUN: %if long %{ %{check} %}
// REDEFINE: %{flags} = -march=native -mprefer-vector-width=256
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// CHECK-COUNT-7: exact, iterations of
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#ifndef TYPE
#define TYPE float
#endif
typedef TYPE T;
#define ARGS long m, long n, long apart, const T *a, T *restrict c
#define FOR(I, E) for (long I = 0; I < E; I++)

__attribute__((noinline)) void sum(ARGS) {
  FOR(i, m) {
    T s = 0;
    FOR(j, n) s += a[i * apart + j];
    c[i] = s;
  }
}
__attribute__((noinline)) void greatest(ARGS) {
  FOR(i, m) {
    T s = -3;
    FOR(j, n) s = a[i * apart + j] > s ? a[i * apart + j] : s;
    c[i] = s;
  }
}
__attribute__((noinline)) void least_and_greatest(ARGS) {
  FOR(i, m) {
    T s = 3, t = -0.0;
    FOR(j, n) {
      s = a[i * apart + j] < s ? a[i * apart + j] : s;
      t = a[i * apart + j] > t ? a[i * apart + j] : t;
    }
    c[2 * i] = s;
    c[2 * i + 1] = t;
  }
}
__attribute__((noinline)) void dot(ARGS) {
  FOR(i, m) {
    T s = 0;
    FOR(j, n) s += a[i * apart + j] * a[i * apart + n + j];
    c[i] = s;
  }
}
__attribute__((noinline)) void variance(ARGS) {
  FOR(i, m) {
    T s = 0, v = 0;
    FOR(j, n) s += a[i * apart + j];
    T mean = s / (T)n;
    FOR(j, n) v += (a[i * apart + j] - mean) * (a[i * apart + j] - mean);
    c[i] = v;
  }
}
__attribute__((noinline)) void scaled(ARGS) {
  FOR(i, m) {
    T s = 0;
    FOR(j, n) s += a[i * apart + j] * a[i * apart + j];
    FOR(j, n) c[i * n + j] = a[i * apart + j] / s;
  }
}
__attribute__((noinline)) void running(ARGS) {
  FOR(i, m) {
    T s = 0;
    FOR(j, n) {
      s += a[i * apart + j];
      c[i * n + j] = s;
    }
  }
}

enum { Columns = 140, Rows = 41 };
static T Result[Rows * Columns];

static void fill(T *p, long n) {
  static unsigned seed = 1;
  FOR(i, n) {
    seed = seed * 1664525u + 1013904223u;
    p[i] = seed % 997 == 0   ? (T)NAN
           : seed % 991 == 0 ? -(T)INFINITY
           : seed % 89 == 0  ? -(T)0
                             : (T)(int)(seed >> 8) / 5000000 - (T)1.7;
  }
}

static void show(const char *name, long m, long n, long apart) {
  unsigned long sum = 0;
  FOR(i, Rows * Columns) {
    unsigned long bits = 0;
    memcpy(&bits, &Result[i], sizeof(T));
    sum = sum * 31 + (Result[i] != Result[i] ? 1 : bits);
  }
  printf("%s %ld %ld %ld: %lx\n", name, m, n, apart, sum);
}

int main(void) {
  const long Most = 1 << 20, Aparts[] = {Most, 4096, 2 * Columns, -Most};
  const long Sizes[] = {0, 1, 7, 8, 9, 15, 16, 17, 24, 31, 33, Rows};
  const long Lengths[] = {0, 1, 3, 4, 15, 16, 17, 33, 64, 70};
  T *all = mmap(0, (Rows + 1) * Most * sizeof(T), PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED)
    return 1;
  FOR(k, sizeof(Aparts) / sizeof(long)) {
    long apart = Aparts[k];
    T *a = apart < 0 ? all + Rows * Most : all;
    FOR(i, Rows) fill(a + i * apart, 2 * Columns);
    FOR(x, sizeof(Sizes) / sizeof(long)) FOR(y, sizeof(Lengths) / sizeof(long)) {
      long m = Sizes[x], n = Lengths[y];
#define RUN(NAME)                                                              \
  memset(Result, 0, sizeof(Result));                                           \
  NAME(m, n, apart, a, Result);                                                \
  show(#NAME, m, n, apart);
      RUN(sum)
      RUN(greatest)
      RUN(least_and_greatest)
      RUN(dot)
      RUN(variance)
      RUN(scaled)
      RUN(running)
    }
  }
}
