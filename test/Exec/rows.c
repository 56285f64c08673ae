// Matrices whose rows are arrays of pointers, in all kinds of places.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -o %t.dl -Rpass=dl-vectorize -Rpass-analysis=dl-vectorize 2>&1 | FileCheck %s
// RUN: %t.dl > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// RUN: %clang    -O2 %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -mllvm -dl-%dispatch -O2 %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
// CHECK-COUNT-9: : exact, tile
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGS int M, int N, int K, float **A, float **B, float **C
#define KERNEL(NAME) __attribute__((noinline)) void NAME(ARGS)
#define FOR(I, E) for (int I = 0; I < E; I++)

KERNEL(local) {
  FOR(i, M) FOR(j, N) {
    float s = 0;
    FOR(k, K) s += A[i][k] * B[k][j];
    C[i][j] = s;
  }
}
KERNEL(memory) {
  FOR(i, M) FOR(j, N) {
    C[i][j] = 0;
    FOR(k, K) C[i][j] += A[i][k] * B[k][j];
  }
}
KERNEL(update) { FOR(k, K) FOR(i, M) FOR(j, N) C[i][j] += A[i][k] * B[k][j]; }
KERNEL(row_variables) {
  FOR(i, M) {
    const float *a = A[i];
    float *c = C[i];
    FOR(k, K) {
      const float *b = B[k];
      FOR(j, N) c[j] += a[k] * b[j];
    }
  }
}
KERNEL(of_rows) { // B transposed
  FOR(i, M) FOR(j, N) {
    float s = 0;
    FOR(k, K) s += A[i][k] * B[j][k];
    C[i][j] = s;
  }
}
KERNEL(transposed_first) {
  FOR(i, M) FOR(j, N) FOR(k, K) C[i][j] += A[k][i] * B[k][j];
}
KERNEL(only_b) {
  const float *a = A[0];
  float *c = C[0];
  FOR(i, M) FOR(j, N) {
    float s = 0;
    FOR(k, K) s += a[i + k] * B[k][j];
    c[i * N + j] = s;
  }
}
KERNEL(from_the_second) {
  for (int i = 1; i < M; i++)
    FOR(j, N) {
      float s = 0;
      FOR(k, K) s += A[i - 1][k] * B[k][j];
      C[i][j] = s;
    }
}
struct matrix {
  long rows, columns;
  double **row;
};
__attribute__((noinline)) void structs(const struct matrix *a,
                                       const struct matrix *b,
                                       struct matrix *c) {
  for (long i = 0; i < c->rows; i++)
    for (long j = 0; j < c->columns; j++) {
      double s = 0;
      for (long k = 0; k < b->rows; k++)
        s += a->row[i][k] * b->row[k][j];
      c->row[i][j] = s;
    }
}

enum { Most = 40, Room = 4 * Most * Most };
static float Pool[3][Room];
static float *Rows[3][Most];

static void place(int which, int rows, int columns, int how) {
  float *block = Pool[which], **row = Rows[which];
  int apart = how == 1 ? columns + 3 : how == 6 && columns ? columns - 1 : columns;
  FOR(r, rows) row[r] = block + r * apart;
  if (how == 2) // descending
    FOR(r, rows) row[r] = block + (rows - 1 - r) * columns;
  if (how == 3 && rows > 1) // the last is elsewhere
    row[rows - 1] += 5;
  if (how == 4 && rows > 2) { // two change places
    float *first = row[0];
    row[0] = row[1];
    row[1] = first;
  }
  if (how == 5 && rows > 1) // one is there twice
    row[1] = row[0];
}

static void reset(void) {
  unsigned seed = 1;
  FOR(m, 3) FOR(i, Room) {
    seed = seed * 1664525u + 1013904223u;
    Pool[m][i] = seed % 97 == 0   ? -0.0f
                 : seed % 89 == 0 ? INFINITY
                 : seed % 83 == 0 ? NAN
                                  : (float)(int)(seed >> 8) / 5e6f - 1.7f;
  }
}

static void show(const char *name, int how, int M, int N, int K) {
  unsigned long sum = 0;
  FOR(m, 3) FOR(i, Room) {
    unsigned bits;
    memcpy(&bits, &Pool[m][i], 4);
    sum = sum * 31 + (Pool[m][i] != Pool[m][i] ? 1 : bits);
  }
  printf("%s %d %d %d %d: %lx\n", name, how, M, N, K, sum);
}

static void run(const char *name, void (*kernel)(ARGS), int how, int M, int N,
                int K) {
  reset();
  int rowsA = M, columnsA = K, rowsB = K, columnsB = N, rowsC = M;
  if (kernel == of_rows)
    rowsB = N, columnsB = K;
  if (kernel == transposed_first)
    rowsA = K, columnsA = M;
  place(0, rowsA, columnsA, how < 7 ? how : 0);
  place(1, rowsB, columnsB, how < 7 ? 6 - how : 0);
  place(2, rowsC, N, how < 7 ? how : 0);
  if (how == 7) // C lies among the rows of A
    FOR(r, rowsC) Rows[2][r] = Pool[0] + r * (columnsA + N) + columnsA / 2;
  if (how == 8) // C is A
    FOR(r, rowsC) Rows[2][r] = Pool[0] + r * columnsA;
  if (how == 9) // C's rows and those of B take turns
    FOR(r, rowsC) Rows[2][r] = Pool[1] + r * (columnsB + N) + columnsB;
  if (how == 9)
    FOR(r, rowsB) Rows[1][r] = Pool[1] + r * (columnsB + N);
  int none = M == 0 || N == 0 || K == 0;
  kernel(M, N, K, none && kernel != row_variables && kernel != only_b ? NULL : Rows[0],
         none && kernel != row_variables ? NULL : Rows[1], Rows[2]);
  show(name, how, M, N, K);
}

static double **allocate(long rows, long columns) {
  double **row = malloc((rows + 1) * sizeof *row);
  for (long r = 0; r < rows; r++) {
    row[r] = malloc(columns * sizeof(double));
    for (long c = 0; c < columns; c++)
      row[r][c] = (double)((r * 7 + c * 3) % 11 - 5) / 7;
  }
  return row;
}

static void run_structs(long M, long N, long K) {
  struct matrix a = {M, K, allocate(M, K)}, b = {K, N, allocate(K, N)},
                c = {M, N, allocate(M, N)};
  structs(&a, &b, &c);
  unsigned long sum = 0;
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      unsigned long bits;
      memcpy(&bits, &c.row[i][j], 8);
      sum = sum * 31 + bits;
    }
  printf("structs %ld %ld %ld: %lx\n", M, N, K, sum);
}

int main(void) {
  static const int Sizes[][3] = {{0, 5, 5},    {5, 0, 5},    {5, 5, 0},
                                 {1, 1, 1},    {1, 17, 9},   {9, 1, 7},
                                 {7, 9, 1},    {2, 8, 2},    {13, 19, 11},
                                 {16, 16, 16}, {39, 40, 37}, {40, 33, 40}};
  for (unsigned i = 0; i < sizeof(Sizes) / sizeof(*Sizes); i++) {
    int M = Sizes[i][0], N = Sizes[i][1], K = Sizes[i][2];
    FOR(how, 10) {
#define RUN(NAME) run(#NAME, NAME, how, M, N, K);
      RUN(local)
      RUN(memory)
      RUN(update)
      RUN(row_variables)
      RUN(of_rows)
      RUN(transposed_first)
      RUN(only_b)
      RUN(from_the_second)
    }
    run_structs(M, N, K);
  }
}
