// Maps that round to bfloat. Built with -DPART they are the functions, else the
// program that checks them bit by bit, and counts the calls of the function that
// rounds one element.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __bf16 bf16;
#ifdef PART
void convert(bf16 *restrict to, const float *restrict x, const bf16 *restrict y,
             long n) {
  for (long i = 0; i < n; i++)
    to[i] = (bf16)x[i];
}
void scale(bf16 *restrict to, const float *restrict x, const bf16 *restrict y,
           long n) {
  for (long i = 0; i < n; i++)
    to[i] = (bf16)((float)y[i] * x[0]);
}
void multiply(bf16 *to, const float *x, const bf16 *y, long n) {
  for (long i = 0; i < n; i++)
    to[i] = (bf16)((float)y[i] * x[i]);
}
void from_double(bf16 *restrict to, const double *restrict x, long n) {
  for (long i = 0; i < n; i++)
    to[i] = (bf16)x[i];
}
#else
typedef void Map(bf16 *, const float *, const bf16 *, long);
Map convert, scale, multiply;
static long calls;

// To nearest, ties to even, and quiet NaN, from the bits themselves.
static unsigned round_bits(float x) {
  unsigned bits, rest;
  memcpy(&bits, &x, 4);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits | 0x400000) >> 16;
  rest = bits & 0xffff;
  bits >>= 16;
  return bits + (rest > 0x8000 || (rest == 0x8000 && bits % 2));
}

static float widen(unsigned bits) {
  float x;
  bits <<= 16;
  memcpy(&x, &bits, 4);
  return x;
}

// What the compiler calls, which not every library has.
bf16 __truncsfbf2(float x) {
  unsigned short bits = (unsigned short)round_bits(x);
  bf16 result;
  calls++;
  memcpy(&result, &bits, 2);
  return result;
}
bf16 __truncdfbf2(double x) { abort(); }

enum { MaxN = 83, Pad = 16, All = 65536 * 8 };
static float x[All];
static unsigned short y[All], to[All + 2 * Pad];
static int wrong;

static void check(const char *name, Map *map, long n, long offset) {
  memset(to, 0x5a, sizeof to);
  calls = 0;
  map((bf16 *)to + Pad, x + offset, (bf16 *)y + offset, n);
  // As many as one vector of the widest leaves, if at all.
  int bad = map != convert && n >= 32 && calls != 0;
  for (long i = -Pad; i < n + Pad; i++) {
    unsigned want = 0x5a5a;
    if (i >= 0 && i < n) {
      float v = x[offset + i], w = widen(y[offset + i]);
      want = round_bits(map == convert ? v
                        : map == scale ? w * x[offset]
                                       : w * v);
    }
    unsigned got = to[Pad + i];
    // The payload and sign of a NaN that was computed are free.
    if ((want & 0x7fff) > 0x7f80 && map != convert)
      bad += (got & 0x7fff) <= 0x7f80;
    else
      bad += got != want;
  }
  if (bad && wrong++ < 20)
    printf("%s n %ld: %d, %ld calls\n", name, n, bad, calls);
}

int main(void) {
  // Everything above what is rounded off, with all that matters below.
  static const unsigned low[] = {0,      1,      0x7fff, 0x8000,
                                 0x8001, 0xffff, 0x4000, 0xc000};
  for (unsigned i = 0; i < All; i++) {
    unsigned bits = i / 8 << 16 | low[i % 8];
    memcpy(&x[i], &bits, 4);
    y[i] = (unsigned short)rand();
  }
  check("convert", convert, All, 0);
  check("multiply", multiply, All, 0);
  for (long n = 0; n <= MaxN; n++)
    for (int round = 0; round < 4; round++) {
      long offset = rand() % (All - MaxN);
      check("convert", convert, n, offset);
      check("scale", scale, n, offset);
      check("multiply", multiply, n, offset);
    }
  // A result in place of the factors that are read behind it.
  memcpy(to, y, 64);
  calls = 0;
  multiply((bf16 *)to + 1, x + 0x3f80 * 8, (bf16 *)to, 31);
  for (long i = 0; i < 31; i++)
    wrong += to[i + 1] != round_bits(widen(to[i]) * x[0x3f80 * 8 + i]) &&
             (to[i + 1] & 0x7fff) <= 0x7f80;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
#endif
