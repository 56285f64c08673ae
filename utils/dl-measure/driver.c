//===- driver.c - Runs a function of two builds, and compares -------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: driver PLAN check|time|memory-plain|memory-dlopt
///
/// PLAN has a line for each library, region, number in memory and argument, as
/// build.py writes it. Prints lines of a word and its values, which results.py
/// reads; "stage NAME" says what is being done, for when that ends the program.
///
/// check: runs the plain build, the one with the plugin and the float64
/// reference on the same contents, and compares what they leave in memory and
/// return. time: runs the first two by turns. memory: the most memory that one
/// of them has had.
///
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include "globals.h"
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef void (*Call)(char *);
enum { Plain, Plugin, Reference, Source };

static const char *Names[] = {"plain", "dlopt", "reference", "source"};
static char *Paths[NumLibraries], Symbol[256];
static Call Calls[NumLibraries];
static void *Handles[NumLibraries];
static Poke Arguments[256];
/// Bytes at the start of a region that any build may read.
static struct {
  int region;
  size_t bytes;
} Readable[MaxRegions];
static int NumReadable, NumArguments, ReturnType = -1;
static char Block[8 * 256 + 64], FirstBlock[sizeof Block];
static double Seconds = 1, Patience = 60;
static Tolerance Allowed;
enum { ReturnAt = 8 * 256 };

static void fail(const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("fail ");
  vprintf(format, args);
  printf("\n");
  va_end(args);
  fflush(stdout);
  _exit(3);
}

static void stage(const char *name) {
  printf("stage %s\n", name);
  fflush(stdout);
}

/// Memory that was touched for the first time; anything else ends here.
static void onFault(int signal, siginfo_t *info, void *context) {
  (void)context;
  if (signal == SIGSEGV && touch(info->si_addr))
    return;
  if (signal == SIGPROF)
    fail("no end after %g s", Patience);
  if (signal != SIGSEGV && signal != SIGBUS)
    fail("%s", strsignal(signal));
  fail("%s at %s", strsignal(signal), describe(info->si_addr));
}

static void catchFaults(void) {
  static char stack[65536];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, NULL);
  struct sigaction action = {.sa_sigaction = onFault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK};
  int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
    sigaction(signals[i], &action, NULL);
}

static Type typeOf(const char *name) {
  int type = parseType(name);
  if (type < 0)
    fail("no type %s", name);
  return (Type)type;
}

static Poke readValue(const char *type, const char *value) {
  Poke p = {.type = typeOf(type), .target = -1};
  p.real = strtod(value, NULL);
  p.integer = strtoll(value, NULL, 10);
  // K+BYTES: so far behind the start of the region K.
  if (p.type == PTR) {
    p.target = atoi(value);
    p.integer = strchr(value, '+') ? atoll(strchr(value, '+')) : 0;
  }
  return p;
}

static void readLine(const char *line) {
  char a[1024], b[64], c[64], d[64];
  int n;
  double lo, hi;
  if (sscanf(line, "lib %d %1023s", &n, a) == 2) {
    Paths[n] = strdup(a);
  } else if (sscanf(line, "call %255s", Symbol) == 1) {
  } else if (sscanf(line, "region %d %63s %lf %lf %63s", &n, b, &lo, &hi, c) == 5) {
    Region *r = &Regions[n];
    r->used = 1, r->type = typeOf(b), r->lo = lo, r->hi = hi, r->argument = atoi(c);
  } else if (sscanf(line, "poke %d %63s %63s %63s", &n, b, c, d) == 4) {
    Pokes[NumPokes] = readValue(c, d);
    Pokes[NumPokes].region = n;
    Pokes[NumPokes++].offset = strtoull(b, NULL, 10);
  } else if (sscanf(line, "arg %63s %63s", b, c) == 2) {
    Arguments[NumArguments++] = readValue(b, c);
  } else if (!strncmp(line, "global ", 7)) {
    if (!readGlobal(line + 7))
      fail("no line of a plan: %s", line);
  } else if (sscanf(line, "readable %d %63s", &n, b) == 2) {
    Readable[NumReadable].region = n;
    Readable[NumReadable].bytes = strtoull(b, NULL, 10);
    NumReadable += NumReadable + 1 < MaxRegions;
  } else if (sscanf(line, "return %63s", b) == 1) {
    ReturnType = typeOf(b);
  } else if (sscanf(line, "seconds %lf %lf", &Seconds, &Patience) == 2) {
  } else if (sscanf(line, "tolerance %lf %lf %lf", &Allowed.ulp, &Allowed.absolute,
                    &Allowed.relative) != 3) {
    fail("no line of a plan: %s", line);
  }
}

static void readPlan(const char *path) {
  FILE *f = fopen(path, "r");
  if (!f)
    fail("no plan at %s", path);
  char line[2048];
  while (fgets(line, sizeof line, f))
    readLine(line);
  fclose(f);
  for (int i = 0; i < NumArguments; i++)
    writePoke(&Arguments[i], FirstBlock + 8 * i);
}

static int load(int which) {
  if (!Paths[which])
    return 0;
  Handles[which] = dlopen(Paths[which], RTLD_LAZY | RTLD_LOCAL);
  if (!Handles[which])
    fail("%s", dlerror());
  Calls[which] = (Call)dlsym(Handles[which], Symbol);
  if (!Calls[which])
    fail("%s", dlerror());
  struct link_map *map;
  if (!dlinfo(Handles[which], RTLD_DI_LINKMAP, &map))
    fillGlobals(which, (char *)map->l_addr);
  return 1;
}

static void run(int which) { Calls[which](Block); }

/// Ends a call that takes longer, by the time of the process; 0: nothing does.
static void limitTime(double seconds) {
  struct itimerval timer = {
      .it_value = {(time_t)seconds,
                   (suseconds_t)((seconds - (double)(time_t)seconds) * 1e6)}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

/// One call on the first contents.
static void runOnce(int which) {
  stage(Names[which]);
  restoreAll();
  restoreGlobals(which);
  memcpy(Block, FirstBlock, sizeof Block);
  limitTime(Patience);
  run(which);
  limitTime(0);
}

/// Memory that the source has touched, whatever the plain build makes of it, or
/// that it says to be there.
static void touchSource(void) {
  if (load(Source))
    runOnce(Source);
  for (int i = 0; i < NumReadable; i++)
    for (size_t at = 0; at < Readable[i].bytes; at += PIECE)
      touch(Regions[Readable[i].region].base + at);
}

static void check(void) {
  Counts counts = {.allowed = &Allowed};
  load(Plain);
  runOnce(Plain);
  Result plain = save(Block + ReturnAt, NULL);
  char **plainGlobals = saveGlobals(Plain);
  printReach();
  runOnce(Plain);
  Result again = save(Block + ReturnAt, NULL);
  char **againGlobals = saveGlobals(Plain);
  touchSource();
  size_t known = NumTouched;
  load(Plugin);
  runOnce(Plugin);
  Result plugin = save(Block + ReturnAt, NULL);
  compareResults(&counts, &plain, &again, &plugin, ReturnType);
  compareGlobals(&counts, plainGlobals, againGlobals, saveGlobals(Plugin));
  printCounts(&counts);
  printf("more %zu\n", plugin.count - known);
  if (!load(Reference))
    return;
  runOnce(Reference);
  double *(*getShadow)(const void *) =
      (double *(*)(const void *))dlsym(Handles[Reference], "dl_measure_shadow");
  uint64_t *operations = dlsym(Handles[Reference], "dl_measure_operations");
  printf("operations %llu\n", (unsigned long long)*operations);
  Result exact = save(Block + ReturnAt, getShadow);
  printErrors("plain", &exact, &plain, ReturnType);
  printErrors("dlopt", &exact, &plugin, ReturnType);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/// Seconds of a call, of several without anything between where one is short.
static double timeCalls(int which, int calls) {
  restoreChanged();
  restoreGlobals(which);
  memcpy(Block, FirstBlock, sizeof Block);
  double start = now();
  for (int i = 0; i < calls; i++)
    run(which);
  return (now() - start) / calls;
}

static void timeBoth(void) {
  load(Plain), load(Plugin);
  // Both touch the same, so a second call of each changes all that it may.
  for (int which = Plain; which <= Plugin; which++)
    runOnce(which);
  noteChanges();
  stage("times");
  // The clock takes part of a microsecond.
  double once = timeCalls(Plugin, 1);
  int calls = once < 20e-6 ? (int)(20e-6 / (once + 1e-8)) + 1 : 1;
  double start = now(), spent = 0;
  for (int round = 0; round < 3 || (spent < Seconds && round < 200); round++) {
    int first = round % 2;
    double times[2];
    times[first] = timeCalls(first, calls);
    times[!first] = timeCalls(!first, calls);
    printf("times %.9g %.9g\n", times[Plain], times[Plugin]);
    fflush(stdout);
    spent = now() - start;
    if (round >= 2 && spent > Patience)
      break;
  }
}

/// Bytes that the process has had in memory at most since this was last asked.
static long readPeak(void) {
  char line[256];
  long kilobytes = 0;
  FILE *f = fopen("/proc/self/status", "r");
  while (f && fgets(line, sizeof line, f))
    if (sscanf(line, "VmHWM: %ld", &kilobytes) == 1)
      break;
  if (f)
    fclose(f);
  return kilobytes * 1024;
}

static void measureMemory(int which) {
  load(which);
  runOnce(which);
  // All that arguments point to has memory by now.
  FILE *f = fopen("/proc/self/clear_refs", "w");
  if (f) {
    fputs("5", f);
    fclose(f);
  }
  long before = readPeak();
  runOnce(which);
  printf("memory %ld %ld\n", readPeak(), readPeak() - before);
}

int main(int argc, char **argv) {
  if (argc != 3)
    fail("usage: driver PLAN check|time|memory-plain|memory-dlopt");
  if (!reserveArena())
    fail("no %d GB of addresses: ulimit -v is too small", MaxRegions);
  readPlan(argv[1]);
  catchFaults();
  if (!strcmp(argv[2], "check"))
    check();
  else if (!strcmp(argv[2], "time"))
    timeBoth();
  else
    measureMemory(strcmp(argv[2], "memory-plain") ? Plugin : Plain);
  stage("done");
  fflush(stdout);
  // Destructors of what was loaded are nobody's business.
  _exit(0);
}
