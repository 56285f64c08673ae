//===- shadow.c - Memory of the float64 reference -------------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each number of fewer bits in memory has a double beside it. What is stored is
/// rounded and stored where the source says, and as it is in the shadow. A load
/// takes the shadow if it still rounds to what is in memory, else what is there:
/// so memset, memcpy and whatever else writes need not be known. Courbet,
/// NSan: a floating-point numerical sanitizer (CC 2021).
///
/// Of the arena the shadow is an array; of all other memory (the stack, what
/// malloc gives) a table in which a newer place may push out an older one, whose
/// value then is the rounded one.
///
//===----------------------------------------------------------------------===//
#include "arena.h"
#include <string.h>
#include <sys/mman.h>

uint64_t dl_measure_operations;

enum { TableSize = 1 << 18 };
static struct {
  const void *place;
  double value;
} Table[TableSize];
static double *Shadow;
static char *Begin;

static double *find(const void *place) {
  if (!Shadow) {
    Begin = getArena();
    // Two bytes have a double.
    Shadow = mmap(NULL, MaxRegions * REGION * 4, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  }
  size_t offset = (size_t)((const char *)place - Begin);
  if (Shadow != MAP_FAILED && offset < MaxRegions * REGION)
    return &Shadow[offset / 2];
  size_t slot = ((uintptr_t)place / 2 * 0x9e3779b97f4a7c15u) >> 46;
  if (Table[slot].place != place) {
    Table[slot].place = place;
    // Rounds to nothing that memory has.
    Table[slot].value = __builtin_nan("");
  }
  return &Table[slot].value;
}

#define ACCESS(NAME, TYPE)                                                     \
  double dl_measure_load_##NAME(const void *place) {                           \
    TYPE there, rounded;                                                       \
    double *shadow = find(place);                                              \
    memcpy(&there, place, sizeof there);                                       \
    rounded = (TYPE)*shadow;                                                   \
    if (!memcmp(&there, &rounded, sizeof there))                               \
      return *shadow;                                                          \
    return (double)there;                                                      \
  }                                                                            \
  void dl_measure_store_##NAME(double value, void *place) {                    \
    TYPE rounded = (TYPE)value;                                                \
    memcpy(place, &rounded, sizeof rounded);                                   \
    *find(place) = value;                                                      \
  }                                                                            \
  static double *shadow_##NAME(const void *place) {                            \
    static double value;                                                       \
    value = dl_measure_load_##NAME(place);                                     \
    return &value;                                                             \
  }

ACCESS(f32, float)
ACCESS(f16, _Float16)
ACCESS(bf16, __bf16)

/// The float64 value of a number in the arena; NULL: of a double, itself.
double *dl_measure_shadow(const void *place) {
  int region = (int)((size_t)((const char *)place - getArena()) / REGION);
  switch (Regions[region].type) {
  case F32:
    return shadow_f32(place);
  case F16:
    return shadow_f16(place);
  case BF16:
    return shadow_bf16(place);
  default:
    return NULL;
  }
}
