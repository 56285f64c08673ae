//===- globals.c - Global variables of what is measured -------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "globals.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxGlobals = 64 };

static struct {
  char name[256];
  Type type;
  size_t size;
  double lo, hi;
  long offset[NumLibraries];
  /// Where it is in each library, and what it has there at first.
  char *place[NumLibraries], *first[NumLibraries];
} Globals[MaxGlobals];
static int NumGlobals;

int readGlobal(const char *line) {
  char type[16];
  if (NumGlobals == MaxGlobals)
    return 1; // The others are not compared.
  int n = NumGlobals;
  if (sscanf(line, "%255s %15s %zu %lf %lf %ld %ld %ld %ld", Globals[n].name, type,
             &Globals[n].size, &Globals[n].lo, &Globals[n].hi,
             &Globals[n].offset[0], &Globals[n].offset[1],
             &Globals[n].offset[2], &Globals[n].offset[3]) != 9 ||
      parseType(type) < 0)
    return 0;
  Globals[n].type = (Type)parseType(type);
  NumGlobals++;
  return 1;
}

static int isZero(const char *p, size_t size) {
  return !size || (!*p && !memcmp(p, p + 1, size - 1));
}

void fillGlobals(int library, char *base) {
  for (int i = 0; i < NumGlobals; i++) {
    if (Globals[i].offset[library] < 0)
      continue;
    char *place = Globals[i].place[library] = base + Globals[i].offset[library];
    size_t size = getSize(Globals[i].type);
    if (isZero(place, Globals[i].size))
      for (size_t at = 0; at + size <= Globals[i].size; at += size)
        writeRandom(Globals[i].type, Globals[i].lo, Globals[i].hi,
                    (uint64_t)(i + MaxRegions) << 40 ^ at, place + at);
    Globals[i].first[library] = allocate(Globals[i].size);
    memcpy(Globals[i].first[library], place, Globals[i].size);
  }
}

void restoreGlobals(int library) {
  for (int i = 0; i < NumGlobals; i++)
    if (Globals[i].place[library])
      memcpy(Globals[i].place[library], Globals[i].first[library],
             Globals[i].size);
}

char **saveGlobals(int library) {
  char **copies = allocate(MaxGlobals * sizeof(char *));
  for (int i = 0; i < NumGlobals; i++)
    if (Globals[i].place[library]) {
      copies[i] = allocate(Globals[i].size);
      memcpy(copies[i], Globals[i].place[library], Globals[i].size);
    }
  return copies;
}

void compareGlobals(Counts *c, char **plain, char **again, char **plugin) {
  for (int i = 0; i < NumGlobals; i++) {
    size_t size = getSize(Globals[i].type);
    if (!plain[i] || !plugin[i])
      continue;
    char label[264];
    snprintf(label, sizeof label, "@%s", Globals[i].name);
    for (size_t at = 0; at + size <= Globals[i].size; at += size)
      compareNumber(c, Globals[i].type, plain[i] + at, again[i] + at,
                    plugin[i] + at, label, (ptrdiff_t)(at / size));
  }
}
