// Tables that are read in registers, against plain clang's loops: of any range of indices,
// which may grow from block to block; entries that nobody reads lie in pages that nobody
// may read, or are what the loop writes.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{options} = dispatch=0
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 -fno-vectorize -fno-slp-vectorize %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   env DLOPT_OPTIONS=%{options} %clang_dl -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -lm -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} = -mavx2
// RUN: %if avx2 %{ %{check} %}
// REDEFINE: %{flags} = -mavx512f -mavx512bw -mavx512vl
// RUN: %if avx512 %{ %{check} %}
// REDEFINE: %{options} =
// REDEFINE: %{flags} =
// RUN: %{check}
// REMARK-COUNT-9: exact, iterations of
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdint.h>
typedef uint8_t u8;
#define LIST(X)                                                                          \
  X(bytes, u8, u8)                                                                       \
  X(pairs, u8, u8)                                                                       \
  X(low, u8, u8)                                                                         \
  X(high, u8, u8)                                                                        \
  X(signs, u8, float)                                                                    \
  X(floats, float, float)                                                                \
  X(rows, u8, u8)                                                                        \
  X(offsets, u8, u8)                                                                     \
  X(flipped, u8, u8)                                                                     \
  X(exponentials, float, float)
#define ARGUMENTS(T, Y) (Y * y, const u8 *x, const T *t, int n)
#ifdef KERNEL
#include <math.h>
#define DEFINE(F, T, Y, ...)                                                             \
  void NAME(F) ARGUMENTS(T, Y) { __VA_ARGS__ }
#define FOR(I, N) for (int I = 0; I < N; I++)
DEFINE(bytes, u8, u8, FOR(i, n) y[i] = t[x[i]];)
// The table's second half follows the first.
DEFINE(pairs, u8, u8, FOR(i, n) y[i] = (u8)(t[x[i] & 127] + t[x[i] >> 1]);)
DEFINE(low, u8, u8, FOR(i, n) y[i] = t[x[i] & 15];)
DEFINE(high, u8, u8, FOR(i, n) y[i] = t[x[i] >> 4];)
DEFINE(signs, u8, float, FOR(i, n) y[i] = 0.25f * (float)(int8_t)t[x[i] % 32];)
DEFINE(floats, float, float, FOR(i, n) y[i] = t[x[i] & 15];)
DEFINE(rows, u8, u8, FOR(j, 4) FOR(i, n / 4) y[j * (n / 4) + i] = t[j + x[j * (n / 4) + i]];)
DEFINE(offsets, u8, u8, FOR(i, n) y[i] = t[x[i] + 3];)
// These are worth lanes without tables, and for fewer elements.
DEFINE(exponentials, float, float, FOR(i, n) y[i] = expf(t[x[i] & 15]);)
DEFINE(flipped, u8, u8, FOR(i, n) y[i] = t[(u8)((int8_t)x[i] + 128)];)
#else
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#define DECLARE(F, T, Y) void plain_##F ARGUMENTS(T, Y), made_##F ARGUMENTS(T, Y);
LIST(DECLARE)
enum { MOST = 70000 };
static u8 *X, Room[2][4 * MOST + 64];
static unsigned Seed = 1, Runs, Bad;
static unsigned draw(void) { return (Seed = Seed * 1664525u + 1013904223u) >> 8; }

// Entries of the elements that are read, and nothing else in reach.
static u8 *getTable(u8 *pages, long page, unsigned first, unsigned last, int atEnd,
                    unsigned size) {
  return atEnd ? pages + 2 * page - (long)(last + 1) * size
               : pages + page - (long)first * size;
}

static void fill(int n, unsigned first, unsigned last, int grows) {
  for (int i = 0; i < n; i++) {
    unsigned l = first, h = last;
    if (grows && i < n - 20)
      l = h = (first + last) / 2;
    X[i] = (u8)(l + draw() % (h - l + 1));
  }
}

int main(void) {
  long page = sysconf(_SC_PAGESIZE);
  u8 *pages = mmap(0, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + page, page, PROT_READ | PROT_WRITE);
  for (long i = 0; i < page; i++)
    pages[page + i] = (u8)draw();
  // Nobody may read in front of the indices.
  X = (u8 *)mmap(0, page + MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) + page;
  mprotect(X - page, page, PROT_NONE);
  const int Sizes[] = {0, 1, 17, 40, 63, 255, 256, 257, 300, 1024, 16383, 16384, 16385, 16500, MOST};
#define RUN(F, T, Y)                                                                     \
  for (unsigned s = 0; s < sizeof Sizes / sizeof *Sizes; s++)                            \
    for (int how = 0; how < 12; how++) {                                                 \
      static const unsigned Ranges[][2] = {{0, 255}, {7, 200}, {130, 131}, {64, 64}};    \
      unsigned first = Ranges[how % 4][0], last = Ranges[how % 4][1];                    \
      int isWhole = !(strcmp(#F, "bytes") == 0);                                         \
      fill(Sizes[s], first, last, how / 4 == 1);                                         \
      u8 *t = isWhole ? pages + page                                                     \
                      : getTable(pages, page, first, last, how / 4 != 2, sizeof(T));     \
      memset(Room, 85, sizeof Room);                                                     \
      plain_##F((Y *)(Room[0] + 64), X, (const T *)t, Sizes[s]);                         \
      made_##F((Y *)(Room[1] + 64), X, (const T *)t, Sizes[s]);                          \
      Runs++;                                                                            \
      Bad += memcmp(Room[0], Room[1], sizeof *Room) != 0;                                \
    }
  LIST(RUN)
  // What is written is the table, or right behind the entries that are read, or the
  // indices.
  for (int how = 0; how < 6; how++) {
    u8 own[2][4096];
    for (int i = 0; i < 4096; i++)
      own[0][i] = own[1][i] = how % 2 ? (u8)draw() : (u8)(draw() % 16);
    for (int i = 0; i < 2; i++) {
      u8 *m = own[i];
      (i ? made_bytes : plain_bytes)(how < 2 ? m + 16 : how < 4 ? m + 1024 : m + 2000,
                                     m + 1024, how < 2 ? m : m + 2000, 1000);
    }
    Runs++;
    Bad += memcmp(own[0], own[1], sizeof *own) != 0;
  }
  printf("%u runs, %u different\n", Runs, Bad);
}
#endif
