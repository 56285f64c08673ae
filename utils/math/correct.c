//===- correct.c - Whether functions are rounded correctly ----------------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// correct STEP: compares run(), a loop over FUNCTION (NAME for double, ARGS
// arguments), and one(), a call of it (of all floats each 16th), with MPFR's: for
// one argument on each STEP-th float, for two on 2^32 / STEP pairs of special and
// random ones. Of those without a result each 64th is run. MPFR
// is asked where the C library's double is next to the middle between two floats
// (its functions err by less than 2^-48).
//
//===----------------------------------------------------------------------===//
#include <math.h>
#include <mpfr.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 14, Most = 10 };

#if ARGS == 1
void run(float *restrict y, const float *restrict x, long n);
float one(float x);
#else
void run(float *restrict y, const float *restrict x, const float *restrict z,
         long n);
float one(float x, float z);
#endif

#define PASTE(X, Y) X##Y
#define MPFR(NAME) PASTE(mpfr_, NAME)

static mpfr_t X, Z;
static uint64_t Asked;

static float fromBits(uint32_t Bits) {
  float Y;
  memcpy(&Y, &Bits, sizeof Y);
  return Y;
}

static int isSame(float Y, float Exact) {
  return !memcmp(&Y, &Exact, sizeof Y) || (isnan(Y) && isnan(Exact));
}

static float getOne(float x, float z) {
#if ARGS == 1
  (void)z;
  return one(x);
#else
  return one(x, z);
#endif
}

static double getNear(float x, float z) {
#if ARGS == 1
  (void)z;
  return NAME((double)x);
#else
  return NAME((double)x, (double)z);
#endif
}

/// The float next to the exact value, which double has within 2^-48.
static float getExact(float x, float z, double Near) {
  float Low = (float)(Near * (1 - 0x1p-48)), High = (float)(Near * (1 + 0x1p-48));
  if (isSame(Low, High))
    return Low;
  Asked++;
  mpfr_set_flt(X, x, MPFR_RNDN);
#if ARGS == 1
  int Side = MPFR(NAME)(X, X, MPFR_RNDN);
#else
  mpfr_set_flt(Z, z, MPFR_RNDN);
  int Side = MPFR(NAME)(X, X, Z, MPFR_RNDN);
#endif
  mpfr_subnormalize(X, Side, MPFR_RNDN);
  return mpfr_get_flt(X, MPFR_RNDN);
}

static uint64_t State = 88172645463325252u;

static uint32_t draw(void) {
  State ^= State << 13;
  State ^= State >> 7;
  State ^= State << 17;
  return (uint32_t)(State >> 16);
}

/// Any float, one of few bits, next to 1, or special.
static float drawFloat(void) {
  static const float Special[] = {0,         -0.0f,        1,        -1,
                                  INFINITY,  -INFINITY,    NAN,      0.5f,
                                  2,         3,            -2,       1.5f,
                                  0x1p-149f, -0x1p-149f,   0x1p-126f, 10,
                                  0x1p-75f,  0x1.fffffep127f, 0x3p-75f, 75.0f / 64};
  enum { NumSpecial = sizeof Special / sizeof *Special };
  uint32_t Bits = draw();
  switch (draw() % 8) {
  case 0:
    return Special[Bits % NumSpecial];
  case 1:
  case 2:
    return fromBits(Bits);
  case 3: // few bits
    return ldexpf((float)((int32_t)(Bits % 4096) - 2048), (int)(Bits >> 12) % 24 - 18);
  case 4:
    return 1 + (float)((int32_t)(Bits % 65536) - 32768) * 0x1p-23f;
  default: // from 2^-8 to 2^8
    return fromBits((Bits & 0x807fffff) | ((119 + (Bits >> 23) % 16) << 23));
  }
}

/// Numbers around which functions change, whatever STEP is, and their neighbours.
static uint32_t getEdge(uint64_t Index) {
  static const float Edges[] = {0,     0x1p-149f, 0x1p-126f, 0.5f,      1,
                                2,     88.7228f,  87.3366f,  103.972f,  128,
                                126,   149,       150,       89.4159f,  9.1945f,
                                10.05f, 3.9192f,  9.0109f,   INFINITY,  16,
                                0x1p-12f, 0x1p24f, 1.5707964f, 3.1415927f, 0x1p127f};
  uint32_t Bits;
  memcpy(&Bits, &Edges[Index / 8], sizeof Bits);
  Bits += (uint32_t)(Index % 4);
  return Index % 8 < 4 ? Bits : Bits | 0x80000000u;
}
enum { NumEdges = 25 * 8 };

int main(int argc, char **argv) {
  static float In[N], Other[N], Out[N];
  static double Near[N];
  uint64_t Step = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  uint64_t Inputs = 0, Wrong = 0, Next = 0, Edge = 0;
  // The format of float.
  mpfr_init2(X, 24);
  mpfr_init2(Z, 24);
  mpfr_set_emin(-148);
  mpfr_set_emax(128);
  while (Next < UINT64_C(1) << 32) {
    long Count = 0;
    for (; ARGS == 1 && Edge < NumEdges; Edge++, Count++) {
      In[Count] = fromBits(getEdge(Edge));
      Near[Count] = getNear(In[Count], 0);
    }
    for (; Count < N && Next < UINT64_C(1) << 32; Next += Step) {
      In[Count] = ARGS == 1 ? fromBits((uint32_t)Next) : drawFloat();
      Other[Count] = ARGS == 1 ? 0 : drawFloat();
      Near[Count] = getNear(In[Count], Other[Count]);
      // There are many without a result.
      Count += !isnan(Near[Count]) || Next % 64 == 0;
    }
#if ARGS == 1
    run(Out, In, Count);
#else
    run(Out, In, Other, Count);
#endif
    for (long I = 0; I < Count; I++) {
      float Exact = getExact(In[I], Other[I], Near[I]), Single = Exact;
      if (Step > 1 || I % 16 == 0)
        Single = getOne(In[I], Other[I]);
      if ((!isSame(Out[I], Exact) || !isSame(Single, Exact)) && ++Wrong < Most)
        printf("%a %a: vector %a, scalar %a, exactly %a\n", In[I], Other[I], Out[I],
               Single, Exact);
    }
    Inputs += (uint64_t)Count;
  }
  printf("%lu inputs, %lu wrong, %lu asked of MPFR\n", Inputs, Wrong, Asked);
  return Wrong != 0;
}
