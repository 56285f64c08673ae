//===- arena.h - Memory that functions are measured on ----------*- C -*-===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What arguments point to: regions of a gigabyte of addresses each, of which
/// a piece gets memory, and reproducible contents, when it is first touched. So
/// nobody has to know how large an array is, and what lies behind all regions
/// is an error with the argument's number.
///
//===----------------------------------------------------------------------===//
#ifndef DL_MEASURE_ARENA_H
#define DL_MEASURE_ARENA_H

#include <stddef.h>
#include <stdint.h>

enum { MaxRegions = 64, MaxPokes = 4096 };
/// Bytes of a piece, and of the addresses of a region.
#define PIECE ((size_t)16384)
#define REGION ((size_t)1 << 30)

typedef enum { I8, I16, I32, I64, F16, BF16, F32, F64, PTR } Type;

typedef struct {
  int used;
  /// The argument that it is of, for people; 0: memory behind another region.
  int argument;
  Type type;
  /// Elements are uniform numbers in [lo, hi); integers if both are.
  double lo, hi;
  char *base;
  /// A byte for each piece: whether it has memory.
  unsigned char *has;
} Region;

/// A number or an address at a place of a region.
typedef struct {
  int region;
  size_t offset;
  Type type;
  int64_t integer;
  double real;
  int target;
} Poke;

/// A piece that has memory.
typedef struct {
  int region;
  size_t piece;
} Place;

extern Region Regions[MaxRegions];
/// Pieces in the order in which they were touched.
extern Place *Touched;
extern size_t NumTouched;
extern Poke Pokes[MaxPokes];
extern int NumPokes;

size_t getSize(Type type);
/// The type with this name ("f32"); -1: there is none.
int parseType(const char *name);
/// Reserves the addresses; 0: the machine does not have so many.
int reserveArena(void);
/// The first address of the arena; all of it is MaxRegions * REGION bytes.
char *getArena(void);
/// Writes \p poke to \p at, which has room for it.
void writePoke(const Poke *poke, void *at);
/// Memory with its first contents for the piece of an address; 0: it is of no
/// region, or too close in front of one.
int touch(char *address);
/// The first contents of a piece again.
void fillPiece(int region, size_t piece, char *to);
/// Where an address is, in words, for what stands behind a fault.
const char *describe(const char *address);
/// The address of a piece.
char *getPiece(int region, size_t piece);
double toDouble(Type type, const void *from);
/// A number in [\p lo, \p hi) that \p seed decides.
void writeRandom(Type type, double lo, double hi, uint64_t seed, void *to);

#endif // DL_MEASURE_ARENA_H
