// Loops over strides in bytes that are arguments: forwards, backwards, no whole
// numbers of elements, over arrays that overlap or not. All of memory is compared.
// RUN: %clang_dl -mllvm -dl-%dispatch -O3 -DPART -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: %clang -O1 -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// RUN: %clang_dl -O3 -march=native -DPART -c %s -o %t.o
// RUN: %clang -O1 -march=native -DPART -DNAME=plain -c %s -o %t.plain.o
// RUN: %clang -O1 %s %t.o %t.plain.o -o %t && %t | FileCheck %s
// REQUIRES: native-x86
// REMARK-DAG: iterations of {{.*}} in {{[0-9]}} vectors of
// REMARK-DAG: matmul.nn f32
// REMARK-DAG: matmul.nn f32
// REMARK-DAG: matmul.nn f32
// REMARK-DAG: matmul.nn f32, argument 1 x argument 2 x argument 3: exact, tile
// REMARK-DAG: matmul.nn f32, argument 1 x argument 2 x argument 3: exact, tile
// CHECK: {{[1-9][0-9]*}} runs, 0 different
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef PART
#ifndef NAME
#define NAME made
#endif
#define NAMED_(N, F) N##_##F
#define NAMED(N, F) NAMED_(N, F)
#define AT(P, I) (*(float *)((char *)(P) + (I)))
#define CAT(P, I) (*(const float *)((const char *)(P) + (I)))

// Rows apart by strides, of which each is summed.
void NAMED(NAME, map)(long m, long n, float *y, long sy, const float *x,
                      long sx) {
  for (long i = 0; i < m; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += CAT(x, i * sx + j * 4);
    AT(y, i * sy) = sum;
  }
}

void NAMED(NAME, product)(long m, long n, long k, float *c, long sc,
                          const float *a, long sa, const float *b, long sb) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long l = 0; l < k; l++)
        sum += CAT(a, i * sa + l * 4) * CAT(b, l * sb + j * 4);
      AT(c, i * sc + j * 4) = sum;
    }
}

// Both dimensions of each, as arrays of other languages come: found to be next
// to each other or not.
#define STRIDES                                                                \
  long m, long n, long k, char *c, long sc, long tc, const char *a, long sa,   \
      long ta, const char *b, long sb, long tb
void NAMED(NAME, strided)(STRIDES) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long l = 0; l < k; l++)
        sum += CAT(a, i * sa + l * ta) * CAT(b, l * sb + j * tb);
      AT(c, i * sc + j * tc) = sum;
    }
}

// Rows apart by elements of a size that is an argument, too.
void NAMED(NAME, sized)(STRIDES) {
  const unsigned long size = (unsigned long)tc;
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      for (long l = 0; l < k; l++)
        sum += CAT(a + sa * i * size, l * 4) * CAT(b + sb * l * size, j * 4);
      AT(c + sc * i * size, j * 4) = sum;
    }
}

// Pointers that walk and return.
void NAMED(NAME, walked)(STRIDES) {
  long back_a = ta * k, back_b = sb * k, row_b = tb * n, row_c = tc * n;
  for (long i = 0; i < m; i++) {
    for (long j = 0; j < n; j++) {
      AT(c, 0) = 0;
      for (long l = 0; l < k; l++) {
        AT(c, 0) += CAT(a, 0) * CAT(b, 0);
        a += ta;
        b += sb;
      }
      a -= back_a;
      b -= back_b;
      b += tb;
      c += tc;
    }
    c -= row_c;
    b -= row_b;
    a += sa;
    c += sc;
  }
}

// The same with shifts, and a test in the nest of what is next to each other.
void NAMED(NAME, tested)(long m, long n, long k, const long *stride, float *c,
                         const float *a, const float *b) {
  for (long i = 0; i < m; i++)
    for (long j = 0; j < n; j++) {
      float sum = 0;
      if (stride[0] == 4)
        for (long l = 0; l < k; l++)
          sum += a[(i * stride[1] >> 2) + l] * b[(l * stride[2] >> 2) + j];
      else
        for (long l = 0; l < k; l++)
          sum += CAT(a, i * stride[1] + l * stride[0]) *
                 CAT(b, l * stride[2] + j * 4);
      c[i * n + j] = sum;
    }
}
#else
void made_map(long, long, float *, long, const float *, long);
void plain_map(long, long, float *, long, const float *, long);
void made_product(long, long, long, float *, long, const float *, long,
                  const float *, long);
void plain_product(long, long, long, float *, long, const float *, long,
                   const float *, long);
void made_tested(long, long, long, const long *, float *, const float *,
                 const float *);
void plain_tested(long, long, long, const long *, float *, const float *,
                  const float *);

#define STRIDED(N)                                                             \
  void N(long, long, long, char *, long, long, const char *, long, long,       \
         const char *, long, long);
STRIDED(made_strided)
STRIDED(plain_strided)
STRIDED(made_sized)
STRIDED(plain_sized)
STRIDED(made_walked)
STRIDED(plain_walked)

enum { Size = 1 << 14 };
static float start[Size], one[Size], two[Size];
static unsigned long runs, different;

static void compare(void) {
  runs++;
  different += memcmp(one, two, sizeof one) != 0;
  memcpy(one, start, sizeof start);
  memcpy(two, start, sizeof start);
}

static long draw(long low, long high) { return low + rand() % (high - low); }

int main() {
  for (long i = 0; i < Size; i++)
    start[i] = (float)(rand() % 1000 - 500) / 8;
  compare();
  for (int t = 0; t < 3000; t++) {
    static const long strides[] = {4, -4, 8, 160, -160, 164, -256, 0, 240, -12};
    long m = draw(1, 40), n = draw(1, 40), k = draw(1, 40);
    long s[3], far = draw(0, 3) > 0;
    for (int i = 0; i < 3; i++) {
      s[i] = strides[draw(0, 10)];
      // No whole elements, where they are no NaN.
      if (i && far && !draw(0, 8))
        s[i] += 2;
    }
    // From the middle, at most 40 * 256 bytes in either direction; the same
    // array, next to each other, or far apart.
    long y = Size / 2, x = y + draw(-50, 50), z = y - draw(0, 50);
    if (far)
      x = Size / 2 + 2700, z = Size / 2 - 2700;
    made_map(m, n, one + y, s[0], one + x, s[1]);
    plain_map(m, n, two + y, s[0], two + x, s[1]);
    compare();
    made_product(m, n, k, one + y, s[0], one + x, s[1], one + z, s[2]);
    plain_product(m, n, k, two + y, s[0], two + x, s[1], two + z, s[2]);
    compare();
    static const long pairs[][2] = {{160, 4},  {4, 160},   {-160, 4}, {160, -4},
                                    {320, 8},  {8, 320},   {164, 4},  {0, 4},
                                    {4, 4},    {480, 12},  {4, -160}, {160, 0},
                                    {80, 4},   {-4, 160},  {162, 4},  {160, 6}};
    int all = far ? 16 : 14;
    const long *C = pairs[draw(0, 3) ? draw(0, 3) : draw(0, all)];
    const long *A = pairs[draw(0, 3) ? 0 : draw(0, all)];
    const long *B = pairs[draw(0, 3) ? 0 : draw(0, all)];
    made_strided(m, n, k, (char *)(one + y), C[0], C[1], (char *)(one + x), A[0],
                 A[1], (char *)(one + z), B[0], B[1]);
    plain_strided(m, n, k, (char *)(two + y), C[0], C[1], (char *)(two + x), A[0],
                  A[1], (char *)(two + z), B[0], B[1]);
    compare();
    long size = 2 << draw(0, 3);
    for (int i = 0; i < 3; i++)
      s[i] -= s[i] % 8;
    made_sized(m, n, k, (char *)(one + y), s[0] / size, size, (char *)(one + x),
               s[1] / size, 0, (char *)(one + z), s[2] / size, 0);
    plain_sized(m, n, k, (char *)(two + y), s[0] / size, size, (char *)(two + x),
                s[1] / size, 0, (char *)(two + z), s[2] / size, 0);
    compare();
    made_walked(m, n, k, (char *)(one + y), C[0], C[1], (char *)(one + x), A[0],
                A[1], (char *)(one + z), B[0], B[1]);
    plain_walked(m, n, k, (char *)(two + y), C[0], C[1], (char *)(two + x), A[0],
                 A[1], (char *)(two + z), B[0], B[1]);
    compare();
    if (draw(0, 3))
      s[0] = 4;
    made_tested(m, n, k, s, one + y, one + x, one + z);
    plain_tested(m, n, k, s, two + y, two + x, two + z);
    compare();
  }
  printf("%lu runs, %lu different\n", runs, different);
}
#endif
