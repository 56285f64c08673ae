//===- driver.c - Runs every form with and without the plugin -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// usage: driver [FORM [CASE]]
//
// For every form, DLOPT_EXEC_SHAPES random problems (default 60): each runs
// once in the build without the plugin and once in the build with it, from the
// same memory at the same addresses, and all memory that the problem lies in,
// gaps between the rows included, must agree bit by bit; NaNs compare equal,
// since clang itself does not keep their payload. A fault in either build is a
// failure. FORM and CASE repeat one failure.
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include "forms.h"
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

//===- Random numbers -----------------------------------------------------===//

static uint64_t Seed;
static uint64_t rnd(void) { // splitmix64
  uint64_t z = (Seed += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
static long below(long n) { return n > 0 ? (long)(rnd() % (uint64_t)n) : 0; }
static int oneIn(long n) { return below(n) == 0; }

static float nasty(void) {
  static const uint32_t Bits[] = {
      0x00000000, 0x80000000, 0x7f800000, 0xff800000, // 0, -0, Inf, -Inf
      0x7fc00000, 0xffc12345, 0x7f812345,             // NaNs, one signaling
      0x00000001, 0x80000001, 0x007fffff, 0x807fffff, // subnormals
      0x00800000, 0x7f7fffff, 0xff7fffff,             // smallest, largest
      0x3f800000, 0xbf800000, 0x3f800001, 0x5f000000, 0x1f000000};
  float f;
  uint32_t b = Bits[below(sizeof Bits / sizeof *Bits)];
  memcpy(&f, &b, 4);
  return f;
}
// Rarity 0: ordinary values; n: one in n is nasty.
static void fill(float *p, long n, int rarity) {
  for (long i = 0; i < n; i++)
    p[i] = rarity && oneIn(rarity)
               ? nasty()
               : (float)((double)(rnd() >> 11) / 0x1p52 - 1);
}

//===- Memory -------------------------------------------------------------===//

// What is filled, saved and compared.
enum { MaxRanges = 4096 };
static struct range {
  float *Data;
  long Size;
} Ranges[MaxRanges];
static int NumRanges;
static long TotalFloats;
static void addRange(float *p, long n) {
  if (n <= 0)
    return;
  if (NumRanges == MaxRanges)
    abort();
  Ranges[NumRanges++] = (struct range){p, n};
  TotalFloats += n;
}

enum { ArenaFloats = 1 << 20, GuardBytes = 1 << 17 };
static float *Arena;     // everything but guarded and huge operands
static char *Guarded[4]; // between two pages that may not be touched
static char *Huge[3];    // reserved address space, mostly never touched
static char *Rows[3];    // every second page may not be touched
enum { MaxRows = 72 };
static size_t Page;
static const size_t HugeBytes = (size_t)40 << 30;

static void *map(size_t n, int prot) {
  void *p =
      mmap(0, n, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? 0 : p;
}
static void setUpMemory(void) {
  size_t page = Page = (size_t)sysconf(_SC_PAGESIZE);
  if (!(Arena = map(ArenaFloats * sizeof(float), PROT_READ | PROT_WRITE)))
    abort();
  for (int i = 0; i < 4; i++) {
    char *p = map(GuardBytes + 2 * page, PROT_NONE);
    if (!p || mprotect(p + page, GuardBytes, PROT_READ | PROT_WRITE))
      abort();
    Guarded[i] = p + page;
  }
  for (int i = 0; i < 3; i++) {
    if (!(Rows[i] = map((2 * MaxRows + 1) * page, PROT_NONE)))
      abort();
    for (int r = 0; r < MaxRows; r++)
      if (mprotect(Rows[i] + (size_t)(2 * r + 1) * page, page,
                   PROT_READ | PROT_WRITE))
        abort();
  }
  for (int i = 0; i < 3; i++) // may fail under limits: then not tested
    Huge[i] = map(HugeBytes, PROT_READ | PROT_WRITE);
}

//===- Problems -----------------------------------------------------------===//

enum mode {
  Apart,
  GuardEnd,
  GuardStart,
  Overlap,
  NoTrips,
  HugeLD,
  OddLD,
  Wrap,
  RowGuard
};
static const char *const ModeNames[] = {"apart",
                                        "guard page behind",
                                        "guard page before",
                                        "overlap",
                                        "no trips, null",
                                        "huge leading dimension",
                                        "odd leading dimension",
                                        "index wrap",
                                        "guard pages around rows"};

static enum mode pickMode(unsigned flags) {
  for (;;) {
    long r = below(106);
    enum mode m = r < 40     ? Apart
                  : r < 52   ? GuardEnd
                  : r < 58   ? GuardStart
                  : r < 76   ? Overlap
                  : r < 84   ? NoTrips
                  : r < 87   ? HugeLD
                  : r < 95   ? OddLD
                  : r >= 100 ? RowGuard
                             : Wrap;
    if ((m == RowGuard && (flags & (TIGHT | COPIES))) ||
        (m == Overlap && (flags & (NO_OVERLAP | COPIES))) ||
        (m == NoTrips && (flags & (FIXED | COPIES | NO_NULL))) ||
        (m == HugeLD && (!Huge[2] || (flags & (TIGHT | COPIES)))) ||
        (m == OddLD && (flags & (TIGHT | COPIES | NO_OVERLAP))) ||
        (m == Wrap && (!Huge[2] || !(flags & WRAPS))))
      continue;
    return m;
  }
}

static long pickExtent(void) {
  static const long Edges[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  15, 16, 17,
                               23, 24, 25, 31, 32, 33, 47, 48, 49, 63, 64, 65};
  return oneIn(2) ? Edges[below(sizeof Edges / sizeof *Edges)] : below(72);
}
static void pickExtents(struct problem *p, enum mode m, unsigned flags) {
  p->M = pickExtent();
  p->N = pickExtent();
  p->K = pickExtent();
  if (m == Apart && oneIn(12)) // beyond one block of the schedule
    *(long *[]){&p->M, &p->N, &p->K}[below(3)] = 200 + below(1200);
  if (m == Apart && oneIn(20))
    p->M = 64 + below(100), p->N = 64 + below(200), p->K = 64 + below(300);
  while (p->M * p->N * p->K > 4000000)
    p->M /= 2, p->N /= 2;
  if (m == HugeLD || m == Wrap)
    p->M %= 7, p->K %= 7;
  if (m == NoTrips) {
    long *e[] = {&p->M, &p->N, &p->K};
    long none = flags & SIGNED ? -below(3) * (1 + below(100)) : 0;
    *e[below(3)] = none;
    if (oneIn(2))
      *e[below(3)] = none;
  }
  if (flags & FIXED)
    p->M = FixedM, p->N = FixedN, p->K = FixedK;
}

// Rows and columns as stored.
struct extent {
  long Rows, Cols;
};
static struct extent extentOf(const struct problem *p, unsigned flags, int op) {
  struct extent e = {p->M, p->N};
  if (op == 0)
    e = flags & A_TRANS ? (struct extent){p->K, p->M}
                        : (struct extent){p->M, p->K};
  if (op == 1)
    e = flags & B_TRANS ? (struct extent){p->N, p->K}
                        : (struct extent){p->K, p->N};
  if (e.Rows < 0 || e.Cols < 0)
    e.Rows = e.Cols = 0;
  return e;
}
static long labs_(long x) { return x < 0 ? -x : x; }
// Floats from the lowest element that is touched to the highest.
static long span(struct extent e, long ld) {
  return e.Rows && e.Cols ? (e.Rows - 1) * labs_(ld) + e.Cols : 0;
}

static long pickLD(enum mode m, unsigned flags, struct extent e) {
  long cols = e.Cols;
  if (flags & TIGHT)
    return cols;
  if (m == Wrap) // rows meet modulo 2^32
    return oneIn(2) ? 0x80000000l : 0x40000000l;
  if (m == RowGuard)
    return (long)(2 * Page / sizeof(float));
  if (m == HugeLD)
    return flags & WIDE ? (1l << 30) + below(3) - 1 : (1l << 28) + below(5);
  if (m == OddLD) {
    static const long Odd[] = {0, 1, -1, 2, -2};
    long ld = oneIn(2) ? Odd[below(5)] : cols - below(4);
    return ld < 0 && !(flags & SIGNED)    ? 0
           : oneIn(4) && (flags & SIGNED) ? -ld
                                          : ld;
  }
  if (m == Apart && oneIn(6) && cols <= 72 && e.Rows <= 72)
    return oneIn(2) ? 1024 : 256;
  return cols + (oneIn(2) ? 0 : below(18));
}

static void place(struct problem *p, enum mode m, unsigned flags, int rarity) {
  struct extent e[4];
  long ld[4], size[4];
  float *at[4] = {0, 0, 0, 0};
  long biases = p->M > p->N ? p->M : p->N;
  for (int op = 0; op < 3; op++) {
    e[op] = extentOf(p, flags, op);
    ld[op] = pickLD(m, flags, e[op]);
  }
  e[3] = (struct extent){biases > 0, biases > 0 ? biases : 0};
  ld[3] = e[3].Cols;
  for (int op = 0; op < 4; op++)
    size[op] = span(e[op], ld[op]);

  NumRanges = 0, TotalFloats = 0;
  if (m == GuardEnd || m == GuardStart) {
    for (int op = 0; op < 4; op++) {
      float *first = (float *)Guarded[op];
      float *end = first + GuardBytes / sizeof(float);
      mprotect(first, GuardBytes, PROT_READ | PROT_WRITE);
      at[op] = m == GuardEnd ? end - size[op] : first;
      addRange(m == GuardEnd ? at[op] - 16 : at[op], size[op] + 16);
    }
  } else if (m == RowGuard) {
    // One row a page, at its start or end, pages between that fault.
    for (int op = 0; op < 3; op++) {
      size_t shift = oneIn(2) ? Page - (size_t)e[op].Cols * sizeof(float) : 0;
      at[op] = (float *)(Rows[op] + Page + shift);
      for (long r = 0; r < e[op].Rows; r++)
        addRange(at[op] + r * ld[op], e[op].Cols);
    }
    at[3] = Arena + 16;
    addRange(Arena, size[3] + 32);
  } else if (m == HugeLD || m == Wrap) {
    // Only rows that are touched exist; the bias lies in the arena.
    for (int op = 0; op < 3; op++) {
      at[op] = (float *)Huge[op] + 64 + below(16);
      for (long r = 0; r < e[op].Rows; r++) {
        uint64_t off = (uint64_t)r * (uint64_t)ld[op];
        if (flags & WRAPS)
          off = (uint32_t)off;
        addRange(at[op] + off - 16, e[op].Cols + 32);
      }
    }
    at[3] = Arena + 16;
    addRange(Arena, size[3] + 32);
  } else {
    long next = 16 + below(16), total = 0;
    for (int op = 0; op < 4; op++) {
      at[op] = Arena + next;
      next += size[op] + below(17);
    }
    if (m == Overlap || (m == OddLD && oneIn(2))) {
      // Each operand falls on or near another one.
      for (int i = 0; i < 3; i++) {
        int op = (int)below(4), on = (int)below(4);
        long shift = oneIn(3) ? 0 : oneIn(2) ? below(9) : below(size[on] + 1);
        at[op] = at[on] + shift;
      }
    }
    for (int op = 0; op < 4; op++)
      if (at[op] - Arena + size[op] + 16 > total)
        total = at[op] - Arena + size[op] + 16;
    if (total > ArenaFloats)
      abort();
    addRange(Arena, total);
  }
  // Row 0 of a negative leading dimension is the last one in memory.
  for (int op = 0; op < 3; op++)
    if (ld[op] < 0 && e[op].Rows)
      at[op] += (e[op].Rows - 1) * -ld[op];
  if (m == NoTrips) {
    int noStore = p->M <= 0 || p->N <= 0;
    at[0] = at[1] = 0;
    if (noStore)
      at[2] = at[3] = 0;
  }
  for (int i = 0; i < NumRanges; i++)
    fill(Ranges[i].Data, Ranges[i].Size, rarity);
  // Inputs that may not even be written back unchanged.
  if (m == GuardEnd || m == GuardStart)
    for (int op = 0; op < 4; op++)
      if (op != 2)
        mprotect(Guarded[op], GuardBytes, PROT_READ);
  p->A = at[0], p->lda = ld[0];
  p->B = at[1], p->ldb = ld[1];
  p->C = at[2], p->ldc = ld[2];
  p->S = at[3];
}

//===- Comparison ---------------------------------------------------------===//

static int isInput(const float *p) { // write-protected in guarded problems
  for (int op = 0; op < 4; op++)
    if (op != 2 && (const char *)p >= Guarded[op] &&
        (const char *)p < Guarded[op] + GuardBytes)
      return 1;
  return 0;
}
static void save(float *to) {
  for (int i = 0; i < NumRanges; to += Ranges[i++].Size)
    memcpy(to, Ranges[i].Data, (size_t)Ranges[i].Size * sizeof(float));
}
static void restore(const float *from) {
  for (int i = 0; i < NumRanges; from += Ranges[i++].Size)
    if (!isInput(Ranges[i].Data))
      memcpy(Ranges[i].Data, from, (size_t)Ranges[i].Size * sizeof(float));
}
static int same(float a, float b) {
  return memcmp(&a, &b, sizeof a) == 0 || (a != a && b != b);
}

static const char *CurrentForm = "?", *CurrentBuild = "?";
static enum mode CurrentMode;
static long CurrentCase;
static struct problem Current;
static void describe(const char *what) {
  fprintf(stderr,
          "%s: form %s case %ld (%s): M=%ld N=%ld K=%ld lda=%ld ldb=%ld ldc=%ld"
          " A=%p B=%p C=%p S=%p\n",
          what, CurrentForm, CurrentCase, ModeNames[CurrentMode], Current.M,
          Current.N, Current.K, Current.lda, Current.ldb, Current.ldc,
          (void *)Current.A, (void *)Current.B, (void *)Current.C,
          (void *)Current.S);
}
static void onFault(int sig) {
  char what[64];
  snprintf(what, sizeof what, "FAULT (signal %d) in build '%s'", sig,
           CurrentBuild);
  describe(what);
  _exit(1);
}

// Returns whether the bits agree.
static int runCase(const struct form *plain, const struct form *dl, long n) {
  uint64_t hash = 1469598103934665603ull;
  for (const char *c = plain->Name; *c; c++)
    hash = (hash ^ (uint64_t)*c) * 1099511628211ull;
  Seed = hash + (uint64_t)n * 7919;
  static const int Rarities[] = {0, 0, 0, 200, 20, 2};
  struct problem p = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  enum mode m = pickMode(plain->Flags);
  pickExtents(&p, m, plain->Flags);
  place(&p, m, plain->Flags, Rarities[below(6)]);
  CurrentMode = m, CurrentCase = n, Current = p, CurrentForm = plain->Name;

  float *before = malloc((size_t)TotalFloats * 2 * sizeof(float) + 8);
  float *after = before + TotalFloats;
  save(before);
  CurrentBuild = "plain";
  plain->Run(&p);
  save(after);
  restore(before);
  CurrentBuild = "dl";
  dl->Run(&p);
  int ok = 1;
  const float *want = after;
  for (int i = 0; i < NumRanges && ok; want += Ranges[i++].Size)
    for (long j = 0; j < Ranges[i].Size && ok; j++)
      if (!same(Ranges[i].Data[j], want[j])) {
        ok = 0;
        describe("DIFFERENT");
        fprintf(stderr, "  at %p: without %a, with %a\n",
                (void *)&Ranges[i].Data[j], want[j], Ranges[i].Data[j]);
      }
  free(before);
  return ok;
}

int main(int argc, char **argv) {
  const char *env = getenv("DLOPT_EXEC_SHAPES");
  long shapes = env && *env ? atol(env) : 60;
  long failures = 0, forms = 0, cases = 0;
  setUpMemory();
  struct sigaction act;
  memset(&act, 0, sizeof act);
  act.sa_handler = onFault;
  sigaction(SIGSEGV, &act, 0);
  sigaction(SIGBUS, &act, 0);
  sigaction(SIGILL, &act, 0);
  for (int f = 0; forms_plain[f].Name; f++) {
    if (argc > 1 && strcmp(argv[1], forms_plain[f].Name))
      continue;
    forms++;
    long failed = 0, first = argc > 2 ? atol(argv[2]) : 0;
    for (long n = first; n < (argc > 2 ? first + 1 : shapes) && failed < 3;
         n++) {
      cases++;
      failed += !runCase(&forms_plain[f], &forms_dl[f], n);
    }
    failures += failed;
  }
  printf("%ld forms, %ld problems, %ld different\n", forms, cases, failures);
  return failures || !forms;
}
