// Rows that say how long they are: checks of indices against lengths, bounds that
// are lengths, rows of other lengths than the first one, tables of rows that lie
// among what is written, tables that end where the nest is left.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native -DTYPED %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native -DTYPED %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 -fno-strict-aliasing %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 -fno-strict-aliasing %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang_dl -O3 -march=native -fno-strict-aliasing %s -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// CHECK-COUNT-8: matmul.{{.*}}: exact, tile
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct row {
  long n;
  float *p;
};
struct matrix {
  struct row *rows;
  long count;
};
#define KERNEL(NAME)                                                           \
  __attribute__((noinline)) int NAME(long M, long N, long K,                   \
                                     const struct matrix *a,                   \
                                     const struct matrix *b, struct matrix *c)
#define FOR(I, E) for (long I = 0; I < (E); I++)
#define CHECK(I, E)                                                            \
  if ((unsigned long)(I) >= (unsigned long)(E))                                \
  return 1
#define AT(X, I, J)                                                            \
  ({                                                                           \
    CHECK(I, X->count);                                                        \
    CHECK(J, X->rows[I].n);                                                    \
    &X->rows[I].p[J];                                                          \
  })

KERNEL(checked) {
  FOR(i, M) FOR(j, N) {
    float s = 0;
    FOR(k, K) s += *AT(a, i, k) * *AT(b, k, j);
    *AT(c, i, j) = s;
  }
  return 0;
}
KERNEL(in_memory) {
  FOR(i, M) FOR(j, N) FOR(k, K) *AT(c, i, j) += *AT(a, i, k) * *AT(b, k, j);
  return 0;
}
KERNEL(over_rows) {
  FOR(i, M) FOR(k, K) FOR(j, N) *AT(c, i, j) += *AT(a, i, k) * *AT(b, k, j);
  return 0;
}
KERNEL(only_rows_checked) {
  FOR(i, M) FOR(j, N) {
    float s = 0;
    CHECK(i, a->count);
    CHECK(i, c->count);
    FOR(k, K) {
      CHECK(k, b->count);
      CHECK(j, b->rows[k].n);
      s += a->rows[i].p[k] * b->rows[k].p[j];
    }
    c->rows[i].p[j] = s;
  }
  return 0;
}
static long least(long x, long y) { return x < y ? x : y; }
KERNEL(bounds) {
  FOR(i, least(a->count, c->count))
  FOR(k, least(b->count, a->rows[i].n))
  FOR(j, least(b->rows[k].n, c->rows[i].n))
  c->rows[i].p[j] += a->rows[i].p[k] * b->rows[k].p[j];
  return 0;
}
KERNEL(outer_bounds) {
  CHECK(0, b->count);
  FOR(i, a->count) FOR(j, b->rows[0].n) {
    float s = 0;
    FOR(k, b->count) s += *AT(a, i, k) * *AT(b, k, j);
    *AT(c, i, j) = s;
  }
  return 0;
}
KERNEL(each_round) {
  FOR(i, a->count) {
    CHECK(i, c->count);
    FOR(j, c->rows[i].n) {
      float s = 0;
      FOR(k, a->rows[i].n) {
        CHECK(k, b->count);
        s += a->rows[i].p[k] * b->rows[k].p[j];
      }
      c->rows[i].p[j] = s;
    }
  }
  return 0;
}
KERNEL(transposed) {
  FOR(i, M) FOR(j, N) {
    float s = 0;
    FOR(k, K) s += *AT(a, i, k) * *AT(b, j, k);
    *AT(c, i, j) = s;
  }
  return 0;
}

/// Tables end where a page ends: nothing may be read behind them.
static void *atEnd(size_t Bytes) {
  size_t Page = 4096, All = (Bytes + Page - 1) / Page * Page;
  char *P = mmap(0, All + Page, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(P + All, Page, PROT_NONE);
  return P + All - (Bytes + 7) / 8 * 8;
}
static unsigned Seed = 1;
static unsigned draw(unsigned Most) {
  Seed = Seed * 1103515245 + 12345;
  return (Seed >> 8) % Most;
}
/// Rows of \p N elements, \p Apart elements from each other.
static struct matrix make(long M, long N, long Apart) {
  struct matrix X = {atEnd(M * sizeof(struct row)), M};
  float *All = atEnd((M * Apart + 1024) * sizeof(float));
  for (long I = 0; I < M * Apart + 1024; I++)
    All[I] = (int)draw(17) - 8;
  FOR(i, M) X.rows[i] = (struct row){N, All + i * Apart};
  return X;
}
static unsigned long hash(const void *P, size_t Bytes, unsigned long H) {
  for (size_t I = 0; I < Bytes; I++)
    H = (H ^ ((const unsigned char *)P)[I]) * 1099511628211ul;
  return H;
}
typedef int (*kernel)(long, long, long, const struct matrix *,
                      const struct matrix *, struct matrix *);
static const kernel Kernels[] = {checked, in_memory,    over_rows,  only_rows_checked,
                                 bounds,  outer_bounds, each_round, transposed};

#ifdef TYPED
enum { IsTyped = 1 };
#else
enum { IsTyped = 0 };
#endif
/// Which leave at a row without elements: of b, of a.
static const int Leaves[] = {3, 3, 3, 1, 0, 3, 0, 3};

static void run(unsigned Which, long M, long N, long K, unsigned Odd) {
  int Flip = Kernels[Which] == transposed;
  long L = Flip ? K : N, R = Flip ? N : K;
  struct matrix A = make(M, K, K + draw(3)), B = make(R, L, L + draw(3)),
                C = make(M, N, N + draw(3));
  long Missing = 0;
  switch (Odd) {
  case 1: // one row is shorter
    if (M)
      A.rows[draw(M)].n -= 1;
    break;
  case 2:
    if (R)
      B.rows[draw(R)].n -= 1;
    break;
  case 3:
    if (M)
      C.rows[draw(M)].n -= 1;
    break;
  case 4: // rows of b end early, and the nest is left in front
    if (R > 2 && Leaves[Which] & 1) {
      long At = draw(R - 1);
      B.rows[At].n = 0;
      Missing = R - At - 1;
      memmove(B.rows + Missing, B.rows, (At + 1) * sizeof(struct row));
      B.rows += Missing;
    }
    break;
  case 5: // or those of a
    if (M > 2 && Leaves[Which] & 2) {
      long At = draw(M - 1);
      A.rows[At].n = 0;
      Missing = M - At - 1;
      memmove(A.rows + Missing, A.rows, (At + 1) * sizeof(struct row));
      A.rows += Missing;
    }
    break;
  case 6: // not equally far apart
    if (M > 2)
      A.rows[draw(M)].p += 1;
    break;
  case 7: // longer ones
    if (R)
      B.rows[draw(R)].n += 5;
    break;
  case 8: // the end of the last row of c is the length of the first one of b
    if (N > 2 && R < 64 && !IsTyped) {
      long At = (long)(C.rows[M - 1].p + N - 2) + 7;
      struct row *Table = (struct row *)(At & ~7l);
      memcpy(Table, B.rows, R * sizeof(struct row));
      B.rows = Table;
    }
    break;
  }
  int Left = Kernels[Which](M, N, K, &A, &B, &C);
  unsigned long H = hash(C.rows[0].p, 0, 1469598103934665603ul);
  FOR(i, M) H = hash(C.rows[i].p, N * sizeof(float), H);
  printf("%u: %ld %ld %ld %u: %d %lx\n", Which, M, N, K, Odd, Left, H);
}

int main(void) {
  static const long Sizes[] = {0, 1, 2, 5, 16, 33};
  for (unsigned W = 0; W != sizeof Kernels / sizeof *Kernels; W++)
    for (unsigned Odd = 0; Odd != 9; Odd++)
      for (unsigned S = 0; S != 60; S++) {
        long M = Sizes[draw(6)], N = Sizes[draw(6)], K = Sizes[draw(6)];
        if (S < 8)
          M = 24 + draw(30), N = 40 + draw(80), K = 16 + draw(5);
        if (M && N && K)
          run(W, M, N, K, Odd);
      }
  struct matrix None = {0, 0};
  for (unsigned W = 0; W != sizeof Kernels / sizeof *Kernels; W++)
    printf("%d\n", Kernels[W](0, 3, 3, &None, &None, &None));
}
