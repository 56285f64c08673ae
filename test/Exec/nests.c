// Loops that read bounds, pointers, strides and factors from memory that they
// may write: all overlaps of small shapes, bit by bit as plain clang has it.
//
// REQUIRES: native-x86
// DEFINE: %{flags} = -O2
// DEFINE: %{env} =
// DEFINE: %{check} = \
// DEFINE:   %clang -O1 %s -c -o %t.driver.o && \
// DEFINE:   %{env} %clang_dl %{flags} -DKERNELS %s -c -o %t.o \
// DEFINE:     -Rpass=dl-noalias > %t.remarks 2>&1 && \
// DEFINE:   %clang %t.driver.o %t.o -o %t && %t
//
// RUN: %{check} | FileCheck %s
// REDEFINE: %{flags} = -O3
// RUN: %{check} | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks
// REDEFINE: %{flags} = -O3 -fno-strict-aliasing -fno-vectorize
// RUN: %{check} | FileCheck %s
// REDEFINE: %{flags} = -O2 -flto=full -ffat-lto-objects
// RUN: %{check} | FileCheck %s
// Kernels, too.
// REDEFINE: %{flags} = -O2
// REDEFINE: %{env} = env DLOPT_OPTIONS=disable=dl-vectorize
// RUN: %{check} | FileCheck %s
// RUN: FileCheck %s --check-prefix=ALONE --input-file=%t.remarks
// ALONE-COUNT-10: bounds and pointers once
// CHECK-NOT: wrong
// CHECK: {{[1-9][0-9]+}} runs of 10 kernels
// REMARK-COUNT-6: bounds and pointers once
#include <stddef.h>
#include <stdint.h>

// Sums are cut to two bits: what they overwrite, a bound or the lower bytes of
// an address, stays small.
struct S {
  int8_t *x, *y;
  struct S *self;
  int8_t m, n, ld, step, s, more;
};

#ifdef KERNELS
#define KERNEL(NAME) void NAME
#else
#define KERNEL(NAME) static void ref_##NAME
#endif

KERNEL(row)(struct S *p) {
  for (int i = 0; i < p->n; i++)
    p->y[i] = (p->y[i] + p->x[i] + p->s) & 3;
}
KERNEL(signed_row)(struct S *p) {
  for (short i = 0; i < p->n; i++)
    p->y[i] = (p->x[i] + p->s) & 3;
}
KERNEL(down)(struct S *p) {
  for (long i = p->n; i-- > 0;)
    p->y[i] = (p->x[i] + p->s) & 3;
}
KERNEL(steps)(struct S *p) {
  for (long i = 0; i < p->n; i++)
    p->y[i * p->step] = (p->x[i] + p->s) & 3;
}
KERNEL(matrix)(struct S *p) {
  for (long i = 0; i < p->m; i++)
    for (long j = 0; j < p->n; j++)
      p->y[i * p->ld + j] = (p->x[i * p->ld + j] + p->s) & 3;
}
KERNEL(behind)(struct S *p) {
  for (long i = 0; i < p->self->n; i++)
    p->self->y[i] = (p->self->x[i] + p->self->s) & 3;
}
KERNEL(sometimes)(struct S *p) {
  for (long i = 0; i < p->n; i++)
    if (p->more)
      p->y[i] = (p->x[i] + p->s) & 3;
}
KERNEL(pairs)(struct S *p) {
  for (long i = 0; i < p->n; i++) {
    p->y[2 * i] = (p->x[i] + p->s) & 3;
    p->y[2 * i + 1] = (p->x[i] + 1) & 3;
  }
}
KERNEL(squares)(struct S *p) {
  for (long i = 0; i < p->n; i++)
    for (long j = 0; j <= i; j++)
      p->y[i * p->ld + j] = (p->x[j] + p->s) & 3;
}
KERNEL(ends)(struct S *p) {
  for (long i = 0; i < p->n; i++)
    for (long j = i; j < p->n; j++)
      p->y[j] = (p->x[i] + p->s) & 3;
}

#ifndef KERNELS
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define EACH(DO)                                                               \
  DO(row)                                                                      \
  DO(signed_row) DO(down) DO(steps) DO(matrix) DO(behind) DO(sometimes)        \
      DO(pairs) DO(squares) DO(ends)
#define DECLARE(NAME) void NAME(struct S *);
EACH(DECLARE)
typedef void Fn(struct S *);
#define ROW(NAME) {#NAME, NAME, ref_##NAME},
static const struct {
  const char *name;
  Fn *run, *ref;
} kernels[] = {EACH(ROW)};

// Whatever the lower bytes of an address in the middle are, it is far from
// there.
enum { SIZE = 1 << 16, AT = 0x8080, WINDOW = 512 };
static char *memory;
static long runs;

static void fill(struct S *p, const struct S *with) {
  memset(memory, 0, 3 * SIZE);
  for (int i = -WINDOW; i < WINDOW; i++)
    memory[SIZE + AT + i] = (char)((i * 7 + i / 3) & 3);
  *p = *with;
}

// Whether bytes from, from + 1, ... before to are some of first, ... before
// last.
static int meet(long from, long to, long first, long last) {
  return from < last && first < to;
}

// Writes of the upper bytes of an address would lead anywhere. Where numbers
// are written, rows may become longer.
static int isDefined(Fn *run, long y, const struct S *with) {
  long n = with->n, from = y, to = y + n;
  if (run == pairs)
    to = y + 2 * n;
  else if (run == steps && with->step > 0)
    to = y + (n - 1) * with->step + 1;
  else if (run == steps)
    from = y + (n - 1) * with->step, to = y + 1;
  else if (run == matrix)
    to = y + (with->m - 1) * with->ld + n;
  else if (run == squares)
    to = y + (n - 1) * with->ld + n;
  if (n <= 0)
    return 1;
  if (meet(from, to, offsetof(struct S, m), sizeof(struct S)))
    from -= run == steps ? 64 : 0, to += 64;
  return !meet(from, to, 2, 8) && !meet(from, to, 10, 16) &&
         !meet(from, to, run == behind ? 16 : 18, 24);
}

static void compare(int k, const struct S *with) {
  static char expected[3 * SIZE];
  struct S *p = (struct S *)(memory + SIZE + AT);
  fill(p, with);
  kernels[k].ref(p);
  memcpy(expected, memory, sizeof expected);
  fill(p, with);
  kernels[k].run(p);
  runs++;
  if (memcmp(expected, memory, sizeof expected) != 0)
    printf("%s is wrong: x %ld y %ld m %d n %d ld %d step %d\n",
           kernels[k].name, (long)((char *)with->x - (char *)p),
           (long)((char *)with->y - (char *)p), with->m, with->n, with->ld,
           with->step);
}

int main(void) {
  memory = mmap(NULL, 4 * SIZE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memory += SIZE - (uintptr_t)memory % SIZE;
  char *at = memory + SIZE + AT;
  static const int far[] = {-64, 20, 64, 100};
  for (int k = 0; k < (int)(sizeof kernels / sizeof *kernels); k++)
    for (int n = -1; n < 7; n++)
      for (int y = -70; y < 50; y++)
        for (int f = 0; f < 4; f++)
          for (int step = -3; step < 4; step++) {
            if (step && kernels[k].run != steps && (step != 2 || n != 3))
              continue;
            struct S s = {(int8_t *)at + far[f],
                          (int8_t *)at + y,
                          (struct S *)at,
                          (int8_t)(step + 2),
                          (int8_t)n,
                          (int8_t)(f == 1 ? n + 2 : n),
                          (int8_t)step,
                          1,
                          (int8_t)(n != 4)};
            if (isDefined(kernels[k].run, y, &s))
              compare(k, &s);
          }
  // A loop without iterations reads nothing of what is behind a pointer.
  struct S none = {NULL, NULL, NULL, 0, 0, 0, 0, 0, 0};
  for (int k = 0; k < (int)(sizeof kernels / sizeof *kernels); k++)
    if (kernels[k].run != behind)
      compare(k, &none);
  printf("%ld runs of %d kernels\n", runs,
         (int)(sizeof kernels / sizeof *kernels));
  return 0;
}
#endif
