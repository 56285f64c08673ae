// Where the CPU takes subnormal numbers for zeros, or makes zeros of such results,
// and where it does not: the bits of plain code, whatever the compiler is told.
// Plain code is the scalar loop: LLVM's vectorizer chooses maxima of rows in another
// order, which keeps others of the numbers that are taken for zeros.
//
// Not compared are maxima that are stored where they were read: LLVM makes maxima
// of some and stores under masks of others, which keep other bits. Nor are numbers
// between limits without AVX: scalars branch there, where vectors take a minimum, and
// processors differ in whether that keeps a number that is taken for zero.
//
// REQUIRES: native-x86, avx2
// DEFINE: %{flags} =
// DEFINE: %{check} = \
// DEFINE:   %clang -O3 -fno-vectorize %{flags} %s -lm -o %t.plain && \
// DEFINE:   %t.plain > %t.out && \
// DEFINE:   %clang_dl -mllvm -dl-%dispatch -O3 %{flags} %s -lm -o %t -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s && \
// DEFINE:   %t | diff %t.out -
// RUN: %{check}
// REDEFINE: %{flags} = -fdenormal-fp-math=dynamic
// RUN: %if long %{ %{check} %}
// REDEFINE: %{flags} = -fdenormal-fp-math=dynamic -march=haswell
// RUN: %{check}
// REDEFINE: %{flags} = -fdenormal-fp-math=preserve-sign -march=haswell
// RUN: %{check}
// CHECK-COUNT-18: kernel number
#include <math.h>
#include <pmmintrin.h>
#include <stdio.h>
#include <string.h>
#include <xmmintrin.h>

#define KERNEL __attribute__((noinline)) static
enum { Rows = 24, Columns = 203 };
typedef float Row[Columns];

// Maxima and minima of rows, by conditions and by functions.
#define CHOSEN(NAME, T, START, TEST)                                           \
  KERNEL void NAME(T *c, const T *a, long m, long n) {                         \
    for (long i = 0; i < m; i++) {                                             \
      T s = START;                                                             \
      for (long j = 0; j < n; j++)                                             \
        if (TEST)                                                              \
          s = a[i * n + j];                                                    \
      c[i] = s;                                                                \
    }                                                                          \
  }
CHOSEN(greatest, float, a[i * n], a[i * n + j] > s)
CHOSEN(greatest_from, float, c[i], a[i * n + j] > s)
CHOSEN(greatest_last, float, a[i * n], a[i * n + j] >= s)
CHOSEN(greatest_swapped, float, a[i * n], s < a[i * n + j])
CHOSEN(greatest_not, float, a[i * n], !(a[i * n + j] <= s))
CHOSEN(smallest, float, a[i * n], a[i * n + j] < s)
CHOSEN(greatest_double, double, a[i * n], a[i * n + j] > s)

#define NUMBER(NAME, T, START, VALUE)                                          \
  KERNEL void NAME(T *c, const T *a, long m, long n) {                         \
    for (long i = 0; i < m; i++) {                                             \
      T s = START;                                                             \
      for (long j = 0; j < n; j++)                                             \
        s = VALUE;                                                             \
      c[i] = s;                                                                \
    }                                                                          \
  }
NUMBER(number, float, -INFINITY, fmaxf(s, a[i * n + j]))
NUMBER(number_swapped, float, -INFINITY, fmaxf(a[i * n + j], s))
NUMBER(number_double, double, -INFINITY, fmax(s, a[i * n + j]))
NUMBER(number_from, float, c[i], fmaxf(a[i * n + j], s))
NUMBER(number_least, float, a[i * n], fminf(s, a[i * n + j]))
NUMBER(absolute, float, 0, fmaxf(s, fabsf(a[i * n + j])))
NUMBER(absolute_chosen, float, 0,
       fabsf(a[i * n + j]) > s ? fabsf(a[i * n + j]) : s)

#define POSITION(NAME, TEST)                                                   \
  KERNEL void NAME(float *c, const float *a, long m, long n) {                 \
    for (long i = 0; i < m; i++) {                                             \
      float s = a[i * n];                                                      \
      int at = 0;                                                              \
      for (int j = 1; j < n; j++)                                              \
        if (TEST) {                                                            \
          s = a[i * n + j];                                                    \
          at = j;                                                              \
        }                                                                      \
      c[i] = s;                                                                \
      c[m + i] = at;                                                           \
    }                                                                          \
  }
POSITION(position, a[i * n + j] > s)
POSITION(position_last, a[i * n + j] >= s)
POSITION(position_least, a[i * n + j] < s)

KERNEL void position_only(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    int at = 0;
    for (int j = 1; j < n; j++)
      if (a[i * n + j] > a[i * n + at])
        at = j;
    c[i] = at;
    c[m + i] = a[i * n + at];
  }
}

// Windows.
KERNEL void pool(float *c, const float *a, long m, long n) {
  for (long i = 0; i + 2 <= m; i += 2)
    for (long j = 0; j + 2 <= n; j += 2) {
      float s = -INFINITY;
      for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
          s = fmaxf(s, a[(i + y) * n + j + x]);
      c[i / 2 * (n / 2) + j / 2] = s;
    }
}
KERNEL void pool_chosen(float *c, const float *a, long m, long n) {
  for (long i = 0; i + 2 <= m; i += 2)
    for (long j = 0; j + 2 <= n; j += 2) {
      float s = a[i * n + j];
      for (int y = 0; y < 2; y++)
        for (int x = 0; x < 2; x++)
          if (a[(i + y) * n + j + x] > s)
            s = a[(i + y) * n + j + x];
      c[i / 2 * (n / 2) + j / 2] = s;
    }
}

// Element by element.
#define MAP(NAME, VALUE)                                                       \
  KERNEL void NAME(float *c, const float *a, long m, long n) {                 \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < n; j++) {                                           \
        float x = a[i * n + j], y = a[j];                                      \
        (void)y;                                                               \
        c[i * n + j] = VALUE;                                                  \
      }                                                                        \
  }
MAP(relu, x > 0 ? x : 0)
MAP(relu_number, fmaxf(x, 0))
MAP(leaky, x > 0 ? x : x * 0.01f)
#ifdef __AVX__
MAP(clamp, x < -1 ? -1 : x > 1 ? 1 : x)
#endif
MAP(clamp_number, fminf(fmaxf(x, -1), 1))
MAP(greater, x > y ? x : y)
MAP(equal, x == y ? x : y)
MAP(masked, x != 0 ? x : y)
MAP(negated, -x)
MAP(signs, copysignf(x, y))
MAP(magnitude, fabsf(x) > fabsf(y) ? x : y)
MAP(product, x *y)
MAP(sum, x + y)
MAP(quotient, y != 0 ? x / y : x)
MAP(root, sqrtf(fabsf(x)))
MAP(wide, (float)((double)x * 0.5))
KERNEL void conditional(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++)
      if (a[i * n + j] > 0)
        c[i * n + j] = a[i * n + j];
}

// Products, and what is done with their sums.
#define PRODUCT(NAME, VALUE)                                                   \
  KERNEL void NAME(float *c, const float *a, long m, long n) {                 \
    for (long i = 0; i < m; i++)                                               \
      for (long j = 0; j < m; j++) {                                           \
        float x = c[i * m + j];                                                \
        for (long k = 0; k < n; k++)                                           \
          x += a[i * n + k] * a[k * m + j];                                    \
        c[i * m + j] = VALUE;                                                  \
      }                                                                        \
  }
PRODUCT(matmul, x)
PRODUCT(matmul_relu, x > 0 ? x : 0)
PRODUCT(matmul_number, fmaxf(x, 0))
KERNEL void matmul_zeros(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++)
    for (long k = 0; k < n; k++) {
      if (a[i * n + k] == 0)
        continue;
      for (long j = 0; j < m; j++)
        c[i * m + j] += a[i * n + k] * a[k * m + j];
    }
}
KERNEL void normalized(float *c, const float *a, long m, long n) {
  for (long i = 0; i < m; i++) {
    float top = a[i * n], sum = 0;
    for (long j = 1; j < n; j++)
      if (a[i * n + j] > top)
        top = a[i * n + j];
    for (long j = 0; j < n; j++)
      sum += c[i * n + j] = a[i * n + j] - top;
    for (long j = 0; j < n; j++)
      c[i * n + j] /= sum;
  }
}

static Row A[Rows], C[Rows];
static double AD[Rows * Columns], CD[Rows * Columns];

static unsigned seed;
static unsigned draw(void) { return (seed = seed * 1664525 + 1013904223) >> 8; }

// Rows of subnormal numbers, zeros and a few others of both signs.
static void fill(unsigned *bits, long n, long width, unsigned kind) {
  for (long i = 0; i < n; i++) {
    unsigned row = i / width % 6, sign = draw() % 2 << 31, what = draw() % 8;
    if ((row + kind) % 3 == 1)
      sign = 0x80000000u;
    unsigned small = draw() % 0x7fffff + 1;
    bits[i] = what < 5 || row < 2 ? sign | small
              : what == 5         ? sign
              : row == 5          ? sign | (0x3f000000 + draw() % 0x1000000)
              : row == 4 ? 0x80000000u | (0x00800000 + draw() % 0x100000)
                         : sign | small;
  }
}

static void show(const char *name, const void *data, long bytes) {
  unsigned long long hash = 14695981039346656037ull;
  for (long i = 0; i < bytes; i++)
    hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}

static void reset(unsigned kind) {
  seed = 7 + kind;
  fill((unsigned *)A, Rows * Columns, Columns, kind);
  fill((unsigned *)C, Rows * Columns, Columns, kind + 1);
  for (long i = 0; i < Rows * Columns; i++) {
    float a = ((float *)A)[i];
    unsigned bits;
    // Subnormal numbers of double are others.
    memcpy(&bits, &a, 4);
    unsigned long long wide = (unsigned long long)bits << 32 | draw();
    if ((bits & 0x7f800000) == 0)
      wide &= 0x800fffffffffffffull;
    memcpy(&AD[i], &wide, 8);
    CD[i] = AD[i];
  }
}

int main(void) {
  for (unsigned mode = 0; mode != 4; mode++)
    for (unsigned kind = 0; kind != 3; kind++) {
      unsigned before = _mm_getcsr();
      printf("daz %u ftz %u data %u\n", mode & 1, mode >> 1, kind);
#define RUN(NAME)                                                              \
  reset(kind);                                                                 \
  _mm_setcsr(before | (mode & 1 ? 0x40 : 0) | (mode & 2 ? 0x8000 : 0));        \
  NAME((float *)C, (const float *)A, Rows, Columns);                           \
  _mm_setcsr(before);                                                          \
  show(#NAME, C, sizeof C);
#define RUN_DOUBLE(NAME)                                                       \
  reset(kind);                                                                 \
  _mm_setcsr(before | (mode & 1 ? 0x40 : 0) | (mode & 2 ? 0x8000 : 0));        \
  NAME(CD, AD, Rows, Columns);                                                 \
  _mm_setcsr(before);                                                          \
  show(#NAME, CD, sizeof CD);
      RUN(greatest)
      RUN(greatest_from)
      RUN(greatest_last)
      RUN(greatest_swapped)
      RUN(greatest_not)
      RUN(smallest)
      RUN_DOUBLE(greatest_double)
      RUN(number)
      RUN(number_swapped)
      RUN_DOUBLE(number_double)
      RUN(number_from)
      RUN(number_least)
      RUN(absolute)
      RUN(absolute_chosen)
      RUN(position)
      RUN(position_last)
      RUN(position_least)
      RUN(position_only)
      RUN(pool)
      RUN(pool_chosen)
      RUN(relu)
      RUN(relu_number)
      RUN(leaky)
#ifdef __AVX__
      RUN(clamp)
#endif
      RUN(clamp_number)
      RUN(greater)
      RUN(equal)
      RUN(masked)
      RUN(negated)
      RUN(signs)
      RUN(magnitude)
      RUN(product)
      RUN(sum)
      RUN(quotient)
      RUN(root)
      RUN(wide)
      RUN(conditional)
      RUN(matmul)
      RUN(matmul_relu)
      RUN(matmul_number)
      RUN(matmul_zeros)
      RUN(normalized)
    }
}
