//===- compare.c - What calls leave in memory -----------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include "compare.h"
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int isFloat(Type type) { return type >= F16 && type <= F64; }

/// Bits of the significand, and the exponent of the smallest normal number.
static const struct {
  int digits, least;
} Formats[] = {[F16] = {11, -14}, [BF16] = {8, -126}, [F32] = {24, -126},
               [F64] = {53, -1022}};

/// The distance of neighbours of \p x in a format.
static double getUlp(Type type, double x) {
  int exponent = Formats[type].least;
  if (x != 0 && isfinite(x) && ilogb(x) > exponent)
    exponent = ilogb(x);
  return ldexp(1, exponent - Formats[type].digits + 1);
}

void *allocate(size_t size) {
  void *p = calloc(1, size);
  if (!p) {
    printf("fail no memory for %zu bytes\n", size);
    fflush(stdout);
    exit(3);
  }
  return p;
}

static double *saveExact(int r, size_t p, double *(*getShadow)(const void *)) {
  Type type = Regions[r].type;
  size_t size = getSize(type);
  char *from = getPiece(r, p);
  double *to = allocate(PIECE / size * sizeof(double));
  for (size_t i = 0; i < PIECE / size; i++) {
    double rounded = toDouble(type, from + i * size);
    double *shadow = getShadow(from + i * size);
    to[i] = shadow ? *shadow : rounded;
  }
  return to;
}

Result save(const char *returned, double *(*getShadow)(const void *)) {
  Result result = {.count = NumTouched};
  memcpy(result.returned, returned, sizeof result.returned);
  result.pieces = allocate(NumTouched * sizeof(char *));
  result.exact = allocate(NumTouched * sizeof(double *));
  for (size_t i = 0; i < NumTouched; i++) {
    Place at = Touched[i];
    result.pieces[i] = allocate(PIECE);
    memcpy(result.pieces[i], getPiece(at.region, at.piece), PIECE);
    if (getShadow && isFloat(Regions[at.region].type))
      result.exact[i] = saveExact(at.region, at.piece, getShadow);
  }
  // The reference returns doubles.
  if (getShadow)
    memcpy(&result.exactReturn, returned, sizeof(double));
  return result;
}

void restoreAll(void) {
  for (size_t i = 0; i < NumTouched; i++)
    fillPiece(Touched[i].region, Touched[i].piece,
              getPiece(Touched[i].region, Touched[i].piece));
}

/// What was in pieces that calls change.
static struct {
  char *place, *first;
} *Changed;
static size_t NumChanged;

void noteChanges(void) {
  char *first = allocate(PIECE);
  NumChanged = 0;
  Changed = realloc(Changed, (NumTouched + 1) * sizeof *Changed);
  for (size_t i = 0; Changed && i < NumTouched; i++) {
    char *place = getPiece(Touched[i].region, Touched[i].piece);
    fillPiece(Touched[i].region, Touched[i].piece, first);
    if (!memcmp(first, place, PIECE))
      continue;
    Changed[NumChanged].place = place;
    Changed[NumChanged++].first = first;
    first = allocate(PIECE);
  }
  free(first);
}

void restoreChanged(void) {
  for (size_t i = 0; i < NumChanged; i++)
    memcpy(Changed[i].place, Changed[i].first, PIECE);
}

void printReach(void) {
  for (int r = 0; r < MaxRegions; r++) {
    size_t pieces = 0;
    for (size_t i = 0; i < NumTouched; i++)
      pieces += Touched[i].region == r;
    if (Regions[r].used)
      printf("reach %d %zu\n", Regions[r].argument, pieces * PIECE);
  }
}

void compareNumber(Counts *c, Type type, const char *a, const char *again,
                   const char *b, const char *label, ptrdiff_t index) {
  size_t size = getSize(type);
  c->numbers++;
  // What is in a library is somewhere else in another one.
  Dl_info there;
  void *places[2] = {NULL, NULL};
  if (type == PTR)
    memcpy(&places[0], a, size), memcpy(&places[1], b, size);
  int isOfLibrary = places[0] && dladdr(places[0], &there) &&
                    dladdr(places[1], &there);
  if (memcmp(a, again, size) || isOfLibrary) {
    c->varying++;
    return;
  }
  double x = toDouble(type, a), y = toDouble(type, b);
  if (isFloat(type) && isnan(x))
    c->nans++;
  if (!memcmp(a, b, size) || (isFloat(type) && isnan(x) && isnan(y)))
    return;
  int64_t i = 0, j = 0;
  memcpy(&i, a, size), memcpy(&j, b, size);
  double ulp = INFINITY;
  if (isFloat(type) && isfinite(x) && isfinite(y)) {
    ulp = fabs(x - y) / getUlp(type, x);
    c->maxUlp = fmax(c->maxUlp, ulp);
  }
  int within = ulp <= c->allowed->ulp ||
               (isfinite(ulp) && fabs(x - y) <= c->allowed->absolute +
                                                   c->allowed->relative * fabs(x));
  if (!within && !c->beyond++) {
    if (isFloat(type))
      printf("first %s %td %.17g %.17g\n", label, index, x, y);
    else
      printf("first %s %td %lld %lld\n", label, index, (long long)i,
             (long long)j);
  }
  c->different++;
}

/// What the plain build does not touch has its first contents.
static void compareOthers(Counts *c, size_t first, const Result *plugin) {
  char *before = allocate(PIECE);
  for (size_t i = first; i < plugin->count; i++) {
    const Region *r = &Regions[Touched[i].region];
    size_t size = getSize(r->type);
    ptrdiff_t start = getPiece(Touched[i].region, Touched[i].piece) - r->base;
    char label[16];
    snprintf(label, sizeof label, "%d", r->argument);
    fillPiece(Touched[i].region, Touched[i].piece, before);
    for (size_t at = 0; at < PIECE; at += size)
      if (memcmp(before + at, plugin->pieces[i] + at, size))
        compareNumber(c, r->type, before + at, before + at,
                      plugin->pieces[i] + at, label,
                      (start + (ptrdiff_t)at) / (ptrdiff_t)size);
  }
  free(before);
}

void compareResults(Counts *c, const Result *plain, const Result *again,
                    const Result *plugin, int returnType) {
  for (size_t i = 0; i < plain->count; i++) {
    const Region *r = &Regions[Touched[i].region];
    size_t size = getSize(r->type);
    ptrdiff_t start = getPiece(Touched[i].region, Touched[i].piece) - r->base;
    char label[16];
    snprintf(label, sizeof label, "%d", r->argument);
    for (size_t at = 0; at < PIECE; at += size)
      compareNumber(c, r->type, plain->pieces[i] + at, again->pieces[i] + at,
                    plugin->pieces[i] + at, label,
                    (start + (ptrdiff_t)at) / (ptrdiff_t)size);
  }
  compareOthers(c, plain->count, plugin);
  if (returnType >= 0 && returnType != PTR)
    compareNumber(c, (Type)returnType, plain->returned, again->returned,
                  plugin->returned, "0", 0);
}

void printCounts(const Counts *c) {
  printf("compared %zu %zu %zu %.6g %zu\nvarying %zu\n", c->numbers, c->different,
         c->beyond, c->maxUlp, c->nans, c->varying);
}

typedef struct {
  double maxUlp, maxError, maxSize, scaled;
} Errors;

static void addError(Errors *e, Type type, double exact, double x) {
  if (!isfinite(exact) || !isfinite(x))
    return;
  double error = fabs(x - exact);
  e->maxUlp = fmax(e->maxUlp, error / getUlp(type, exact));
  e->maxError = fmax(e->maxError, error);
  e->maxSize = fmax(e->maxSize, fabs(exact));
}

static void endArray(Errors *e) {
  if (e->maxSize > 0)
    e->scaled = fmax(e->scaled, e->maxError / e->maxSize);
  e->maxError = e->maxSize = 0;
}

void printErrors(const char *name, const Result *exact, const Result *some,
                 int returnType) {
  Errors e = {0};
  for (int r = 0; r < MaxRegions; r++) {
    Type type = Regions[r].type;
    for (size_t i = 0; i < some->count; i++)
      for (size_t n = 0; Touched[i].region == r && exact->exact[i] &&
                         n < PIECE / getSize(type);
           n++)
        addError(&e, type, exact->exact[i][n],
                 toDouble(type, some->pieces[i] + n * getSize(type)));
    endArray(&e);
  }
  if (returnType >= 0 && isFloat((Type)returnType)) {
    addError(&e, (Type)returnType, exact->exactReturn,
             toDouble((Type)returnType, some->returned));
    endArray(&e);
  }
  printf("error %s %.6g %.6g\n", name, e.maxUlp, e.scaled);
}
