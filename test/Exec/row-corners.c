// Lengths of rows beside tests that say something else of the same indices: of
// triangles, of multiples, of indices behind their loops, of loops that end
// where the row they have come to says, of loops with the test at the end.
// REQUIRES: native-x86
// RUN: %clang    -O2 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O2 -march=native %s -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// CHECK: matmul.nn f32{{.*}}: exact, tile
#include <stdio.h>
#include <stdlib.h>
struct row {
  long n;
  float *p;
};
#define NOINLINE __attribute__((noinline))
NOINLINE int tri(long M, long N, struct row *a, struct row *b, struct row *c) {
  for (long i = 0; i < M; i++) {
    if (a[i].n < 1)
      return 1;
    for (long j = 0; j < N; j++) {
      float s = 0;
      for (long l = 0; l <= i; l++) {
        if (j >= b[l].n)
          return 2;
        s += a[i].p[l] * b[l].p[j];
      }
      c[i].p[j] = s;
    }
  }
  return 0;
}
NOINLINE int twice(long M, long N, long K, long lim, struct row *a,
                   struct row *b, struct row *c) {
  for (long i = 0; i < M; i++) {
    if (a[i].n < K)
      return 1;
    if (i * 2 >= lim)
      return 3;
    for (long j = 0; j < N; j++) {
      float s = 0;
      for (long l = 0; l < K; l++) {
        if (j >= b[l].n)
          return 2;
        s += a[i].p[l] * b[l].p[j];
      }
      c[i].p[j] = s;
    }
  }
  return 0;
}
NOINLINE int own(long M, long N, struct row *a, struct row *b, struct row *c) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float s = 0;
      for (long l = 0; l < b[l].n; l++)
        s += a[i].p[l] * b[l].p[j];
      c[i].p[j] = s;
    }
  return 0;
}
NOINLINE int behind(long M, long N, long K, struct row *a, struct row *b,
                    struct row *c) {
  for (long i = 0; i < M; i++) {
    long j = 0;
    do {
      float s = 0;
      long l = 0;
      do {
        s += a[i].p[l] * b[l].p[j];
      } while (++l < K);
      c[i].p[j] = s;
    } while (++j < N);
  }
  return 0;
}
NOINLINE int after(long M, long N, long K, long lim, struct row *a,
                   struct row *b, struct row *c) {
  for (long i = 0; i < M; i++) {
    long j;
    for (j = 0; j < N; j++) {
      float s = 0;
      for (long l = 0; l < K; l++)
        s += a[i].p[l] * b[l].p[j];
      c[i].p[j] = s;
    }
    if (j >= lim)
      return 4;
  }
  return 0;
}
NOINLINE int next(long M, long N, long K, struct row *a, struct row *b,
                  struct row *c) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float s = 0;
      for (long l = 0; l < K; l++) {
        if (j >= b[l + 1].n)
          return 2;
        s += a[i].p[l] * b[l + 1].p[j];
      }
      c[i].p[j] = s;
    }
  return 0;
}
int main() {
  unsigned seed = 1;
  for (int t = 0; t < 600; t++) {
#define R(n) ((seed = seed * 1103515245 + 12345) >> 8) % (n)
    long M = 1 + R(30), N = 1 + R(60), K = 1 + R(30), W = 64;
    struct row a[64], b[64], c[64];
    float *A = malloc(64 * W * 4), *B = malloc(64 * W * 4),
          *C = malloc(64 * W * 4);
    for (int i = 0; i < 64 * W; i++)
      A[i] = (int)(R(17)) - 8, B[i] = (int)(R(17)) - 8, C[i] = 0;
    for (int i = 0; i < 64; i++)
      a[i] = (struct row){K, A + i * W}, b[i] = (struct row){N, B + i * W},
      c[i] = (struct row){N, C + i * W};
    int odd = R(4), at = R(30);
    if (odd == 1)
      b[at].n--;
    if (odd == 2)
      a[at].n--;
    if (odd == 3)
      b[at].p += 1;
    long lim = R(70);
    int k = t % 6, r;
    if (k == 2) {
      for (int i = 0; i < 64; i++)
        b[i].n = odd & 1 ? K : i < K ? K : K + 3;
      for (int i = 40; i < 64; i++)
        b[i].n = 0;
    }
    switch (k) {
    case 0:
      r = tri(M, N, a, b, c);
      break;
    case 1:
      r = twice(M, N, K, lim, a, b, c);
      break;
    case 2:
      r = own(M, N, a, b, c);
      break;
    case 3:
      r = behind(M, N, K, a, b, c);
      break;
    case 4:
      r = after(M, N, K, lim, a, b, c);
      break;
    default:
      r = next(M, N, K, a, b, c);
    }
    unsigned long h = 1;
    for (int i = 0; i < 64 * W; i++)
      h = h * 1000003 + (long)C[i];
    printf("%d %d %ld %ld %ld %d: %d %lx\n", t, k, M, N, K, odd, r, h);
  }
}
