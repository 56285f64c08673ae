// Elements that loops update under conditions are kept in registers if each of them is
// stored in some round: those that none stores are on pages that nobody may touch.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -march=native
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 %{flags} -DKERNEL '-DNAME(x)=plain_##x' -c %s -o %t.plain.o && \
// DEFINE:   %clang_dl -O3 %{flags} -DKERNEL '-DNAME(x)=made_##x' -Rpass=dl-vectorize -c %s -o %t.dl.o 2>&1 | FileCheck %s --check-prefix=REMARK && \
// DEFINE:   %clang -O1 %s %t.plain.o %t.dl.o -o %t && %t | FileCheck %s
// RUN: %{check}
// REDEFINE: %{flags} =
// RUN: %{check}
// REMARK-COUNT-5: exact,
//
// g[r] is the sum over y of in[STEP * y + r - PAD] * d[y], where that is inside: a row of g
// is a page, and an element of it as much as another.
#define ARGUMENTS (long n, long h, long in_h, float *restrict g, const float *restrict in, const float *restrict d)
enum { PAGE = 4096, ROW = PAGE / sizeof(float), ROWS = 7 };
#define KERNELS(X) X(one, 1, 3, 0) X(two, 2, 3, 0) X(three, 3, 5, 0) X(later, 2, 1, 5) X(back, -1, -8, 0) X(back_two, -2, -9, 0)
#ifdef KERNEL
#define DEFINE(F, STEP, PAD, FIRST)                                                      \
  void NAME(F) ARGUMENTS {                                                               \
    for (long r = 0; r < ROWS; r++)                                                      \
      for (long x = 0; x < n; x++)                                                       \
        for (long y = 0; y < h; y++) {                                                   \
          long p = STEP * y + r - (PAD);                                                 \
          if (p >= FIRST && p < in_h)                                                    \
            g[r * ROW + x] += in[p * ROW + x] * d[y * ROW + x];                          \
        }                                                                                \
  }
KERNELS(DEFINE)
#else
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
typedef void Kernel ARGUMENTS;
static float In[40 * ROW], D[20 * ROW];
static int runs = 0, bad = 0, hidden = 0;
static float *map(void) {
  void *p = mmap(0, ROWS * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return p == MAP_FAILED ? exit(1), (float *)0 : p;
}
static void compare(Kernel *plain, Kernel *made, long step, long pad, long first, long n, long h, long in_h) {
  float *g[2] = {map(), map()};
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < ROWS * ROW; j++)
      g[i][j] = j % 7 - 3;
    for (long r = 0; r < ROWS; r++) {
      int stored = 0;
      for (long y = 0; y < h; y++) {
        long p = step * y + r - pad;
        stored |= p >= first && p < in_h;
      }
      if (!stored)
        hidden++, mprotect(g[i] + r * ROW, PAGE, PROT_NONE);
    }
    (i ? made : plain)(n, h, in_h, g[i], In, D);
    mprotect(g[i], ROWS * PAGE, PROT_READ);
  }
  runs++;
  bad += memcmp(g[0], g[1], ROWS * PAGE) != 0;
  munmap(g[0], ROWS * PAGE), munmap(g[1], ROWS * PAGE);
}
#define DECLARE(F, STEP, PAD, FIRST) Kernel plain_##F, made_##F;
#define COMPARE(F, STEP, PAD, FIRST) compare(plain_##F, made_##F, STEP, PAD, FIRST, n, h, in_h);
KERNELS(DECLARE)
int main(void) {
  unsigned s = 1;
  for (int i = 0; i < 40 * ROW; i++)
    In[i] = (int)(s = s * 1664525 + 1013904223) / 1e9f, D[i / 2] = In[i] - 1;
  static const long Columns[] = {1, 15, 33, 200};
  for (int c = 0; c < 4; c++)
    for (long h = 0; h < 12; h++)
      for (long in_h = 0; in_h < 30; in_h += h % 2 ? 1 : 5) {
        long n = Columns[c];
        KERNELS(COMPARE)
      }
  // CHECK: 5184 runs, 0 different, some hidden
  printf("%d runs, %d different, %s hidden\n", runs, bad, hidden ? "some" : "none");
}
#endif
