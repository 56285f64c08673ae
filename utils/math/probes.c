//===- probes.c - Where variants of a function differ ----------------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the functions of Table, of which the first is the model and the last ones
// are libraries' (OTHER, if there is one; DOUBLE, rounded; SINGLE), with the model:
//
//   probes differ STEP   for each the number of every STEP-th float where it differs
//                        and some of them, and where the model calls the library none
//   probes bits < FILE   for each input, in hexadecimal, the results of all
//   probes near WIDTH    the floats for which VALUE, the model's in double, is within
//                        so many last places of the middle between two floats, and
//                        where the model does not call
//
// TABLE lists the functions as F(name); they have ARGS arguments, one or two. Pairs are
// every STEP-th float and a second one.
//
//===----------------------------------------------------------------------===//
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 12, KEPT = 24 };
#if ARGS == 2
#define PARAMETERS const float *x, const float *z, long n
#define TWO(X, Z) X, Z
#else
#define PARAMETERS const float *x, long n
#define TWO(X, Z) X
#endif
typedef void Function(float *y, unsigned char *calls, PARAMETERS);
#define F(NAME) Function NAME;
TABLE
#undef F
// As others have it: rounded once, and the installed library's.
static void rounded(float *y, unsigned char *calls, PARAMETERS) {
  (void)calls;
  for (long i = 0; i < n; i++)
    y[i] = (float)DOUBLE(TWO((double)x[i], (double)z[i]));
}
static void installed(float *y, unsigned char *calls, PARAMETERS) {
  (void)calls;
  for (long i = 0; i < n; i++)
    y[i] = SINGLE(TWO(x[i], z[i]));
}
#ifdef OTHER
float OTHER(TWO(float x, float z));
static void other(float *y, unsigned char *calls, PARAMETERS) {
  (void)calls;
  for (long i = 0; i < n; i++)
    y[i] = OTHER(TWO(x[i], z[i]));
}
#define LIBRARIES other, rounded, installed
#else
#define LIBRARIES rounded, installed
#endif
#define F(NAME) NAME,
static Function *const Table[] = {TABLE LIBRARIES};
#undef F
enum { COUNT = sizeof Table / sizeof *Table };

static int isSame(const float *x, const float *y) {
  return !memcmp(x, y, sizeof *x) || (isnan(*x) && isnan(*y));
}

static void showDifferences(uint64_t step) {
  static float x[BLOCK], z[BLOCK], y[BLOCK], own[BLOCK];
  static unsigned char calls[BLOCK], unused[BLOCK];
  static uint32_t kept[COUNT][KEPT][2];
  static uint64_t number[COUNT];
  uint64_t seed = 1;
  for (uint64_t u = 0; u < UINT64_C(1) << 32;) {
    for (long n = 0; n < BLOCK; u += step, n++) {
      uint32_t bits = (uint32_t)u;
      memcpy(&x[n], &bits, 4);
      // Such that there is a power.
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      if (ARGS == 2)
        x[n] = fabsf(x[n]);
      z[n] = (float)(((double)(seed >> 32) / 0x1p31 - 1) * 125 / log2(fabs(x[n])));
    }
    Table[0](y, calls, TWO(x, z), BLOCK);
    for (int f = 1; f < COUNT; f++) {
      Table[f](own, unused, TWO(x, z), BLOCK);
      for (long i = 0; i < BLOCK; i++) {
        if (calls[i] || isSame(&y[i], &own[i]))
          continue;
        // As many of each of those that there are.
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t place = number[f]++;
        if (place >= KEPT)
          place = (seed >> 11) % number[f];
        if (place < KEPT) {
          memcpy(&kept[f][place][0], &x[i], 4);
          memcpy(&kept[f][place][1], &z[i], 4);
        }
      }
    }
  }
  for (int f = 1; f < COUNT; f++) {
    printf("%" PRIu64, number[f]);
    for (uint64_t k = 0; k < number[f] && k < KEPT; k++)
      printf(ARGS == 2 ? " %08" PRIx32 ",%08" PRIx32 : " %08" PRIx32, kept[f][k][0],
             kept[f][k][1]);
    printf("\n");
  }
}

/// The results; the model's is "call" where it calls the library.
static void showBits(void) {
  float x[16] = {0}, z[16] = {0}, y[16];
  unsigned char calls[16];
  uint32_t bits;
  while (scanf("%" SCNx32, &bits) == 1) {
    memcpy(&x[0], &bits, 4);
    if (ARGS == 2 && scanf("%" SCNx32, &bits) == 1)
      memcpy(&z[0], &bits, 4);
    for (int f = 0; f < COUNT; f++) {
      calls[0] = 0;
      Table[f](y, calls, TWO(x, z), 16);
      memcpy(&bits, &y[0], 4);
      if (!f && calls[0])
        printf("call ");
      else
        printf("%08" PRIx32 " ", bits);
    }
    printf("\n");
  }
}

#ifdef VALUE
void VALUE(double *y, PARAMETERS);

static void showNear(int64_t width) {
  static float x[BLOCK], y[BLOCK];
  static double value[BLOCK];
  static unsigned char calls[BLOCK];
  const int64_t unit = INT64_C(1) << (52 - 23);
  for (uint64_t u = 0; u < UINT64_C(1) << 32;) {
    for (long n = 0; n < BLOCK; u++, n++) {
      uint32_t bits = (uint32_t)u;
      memcpy(&x[n], &bits, 4);
    }
    VALUE(value, x, BLOCK);
    Table[0](y, calls, x, BLOCK);
    for (long n = 0; n < BLOCK; n++) {
      int64_t bits;
      memcpy(&bits, &value[n], 8);
      int64_t place = (bits & (unit - 1)) - unit / 2;
      uint32_t input;
      memcpy(&input, &x[n], 4);
      if (-width <= place && place <= width && !calls[n])
        printf("%08" PRIx32 "\n", input);
    }
  }
}
#endif

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "differ"))
    showDifferences(strtoull(argv[2], NULL, 10));
#ifdef VALUE
  else if (argc > 2 && !strcmp(argv[1], "near"))
    showNear(strtoll(argv[2], NULL, 10));
#endif
  else
    showBits();
  return 0;
}
