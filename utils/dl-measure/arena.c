//===- arena.c - Memory that functions are measured on --------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#define _GNU_SOURCE
#include "arena.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

Region Regions[MaxRegions];
Poke Pokes[MaxPokes];
int NumPokes;
static char *Arena;
Place *Touched;
size_t NumTouched;

static const struct {
  const char *name;
  size_t size;
} Types[] = {{"i8", 1},   {"i16", 2}, {"i32", 4}, {"i64", 8}, {"f16", 2},
             {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"ptr", 8}};

size_t getSize(Type type) { return Types[type].size; }

int parseType(const char *name) {
  for (int i = 0; i <= PTR; i++)
    if (!strcmp(Types[i].name, name))
      return i;
  return -1;
}

char *getArena(void) { return Arena; }

/// Arrays begin on cache lines, and at different places of a page: rows of
/// several would push each other out of the first-level cache.
static size_t getStart(int region) {
  return 4 * PIECE + (size_t)(region * 5 % 16) * 4096 + (size_t)region * 192;
}

int reserveArena(void) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  Arena = mmap(NULL, MaxRegions * REGION, PROT_NONE, flags, -1, 0);
  Touched = mmap(NULL, MaxRegions * (REGION / PIECE) * sizeof(Place),
                 PROT_READ | PROT_WRITE, flags, -1, 0);
  if (Arena == MAP_FAILED || Touched == MAP_FAILED)
    return 0;
  for (int r = 0; r < MaxRegions; r++) {
    Regions[r].base = Arena + r * REGION + getStart(r);
    Regions[r].has = calloc(REGION / PIECE, 1);
    if (!Regions[r].has)
      return 0;
  }
  return 1;
}

char *getPiece(int region, size_t piece) {
  return Arena + region * REGION + piece * PIECE;
}

/// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014).
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

static void writeNumber(Type type, double real, int64_t integer, void *to) {
  float f = (float)real;
  uint32_t bits;
  switch (type) {
  case F64:
    memcpy(to, &real, 8);
    return;
  case F32:
    memcpy(to, &f, 4);
    return;
  case F16: {
    _Float16 half = (_Float16)real;
    memcpy(to, &half, 2);
    return;
  }
  case BF16:
    // What is cut off is as good as any other number.
    memcpy(&bits, &f, 4);
    bits >>= 16;
    memcpy(to, &bits, 2);
    return;
  default:
    memcpy(to, &integer, getSize(type));
  }
}

double toDouble(Type type, const void *from) {
  float f;
  double d;
  uint32_t bits = 0;
  _Float16 half;
  switch (type) {
  case F64:
    memcpy(&d, from, 8);
    return d;
  case F32:
    memcpy(&f, from, 4);
    return f;
  case F16:
    memcpy(&half, from, 2);
    return half;
  case BF16:
    memcpy((char *)&bits + 2, from, 2);
    memcpy(&f, &bits, 4);
    return f;
  default:
    return 0;
  }
}

void writePoke(const Poke *poke, void *at) {
  if (poke->type == PTR) {
    char *address = poke->target < 0
                        ? NULL
                        : Regions[poke->target].base + poke->integer;
    memcpy(at, &address, sizeof address);
  } else {
    writeNumber(poke->type, poke->real, poke->integer, at);
  }
}

void writeRandom(Type type, double lo, double hi, uint64_t seed, void *to) {
  double unit = (double)(mix(seed) >> 11) * 0x1p-53;
  double value = lo + unit * (hi - lo);
  int64_t integer = (int64_t)value - (value < (double)(int64_t)value);
  writeNumber(type, value, type == PTR ? 0 : integer, to);
}

void fillPiece(int region, size_t piece, char *to) {
  const Region *r = &Regions[region];
  size_t size = getSize(r->type);
  char *first = getPiece(region, piece);
  // Elements are counted from the piece's start: they do not straddle it, as
  // arrays begin on cache lines.
  for (size_t at = 0; at < PIECE; at += size)
    writeRandom(r->type, r->lo, r->hi,
                (uint64_t)region << 40 ^ (uint64_t)(first - Arena + at), to + at);
  for (int i = 0; i < NumPokes; i++) {
    if (Pokes[i].region != region)
      continue;
    char bytes[8];
    writePoke(&Pokes[i], bytes);
    char *place = r->base + Pokes[i].offset;
    for (size_t b = 0; b < getSize(Pokes[i].type); b++)
      if (place + b >= first && place + b < first + PIECE)
        to[place + b - first] = bytes[b];
  }
}

static int findRegion(const char *address) {
  if (address < Arena || address >= Arena + MaxRegions * REGION)
    return -1;
  int region = (int)((size_t)(address - Arena) / REGION);
  return Regions[region].used ? region : -1;
}

int touch(char *address) {
  int region = findRegion(address);
  if (region < 0)
    return 0;
  size_t piece = (size_t)(address - Arena) % REGION / PIECE;
  size_t first = (size_t)(Regions[region].base - Arena) % REGION / PIECE;
  if (Regions[region].has[piece] || piece < first ||
      piece + 2 > REGION / PIECE)
    return 0;
  if (mprotect(getPiece(region, piece), PIECE, PROT_READ | PROT_WRITE))
    return 0;
  Regions[region].has[piece] = 1;
  Touched[NumTouched++] = (Place){region, piece};
  fillPiece(region, piece, getPiece(region, piece));
  return 1;
}

const char *describe(const char *address) {
  static char text[120];
  int region = findRegion(address);
  if (region < 0)
    snprintf(text, sizeof text, "address %p, where no argument is",
             (const void *)address);
  else if (Regions[region].argument)
    snprintf(text, sizeof text, "argument %d at byte %td",
             Regions[region].argument, address - Regions[region].base);
  else
    snprintf(text, sizeof text, "an array behind an argument, at byte %td",
             address - Regions[region].base);
  return text;
}
