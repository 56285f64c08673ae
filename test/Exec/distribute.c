// Loops that do several things, products among them, and loops that must keep
// them together because an iteration uses what an earlier one left.
// REQUIRES: native-x86
// RUN: %clang    -O3 -march=native %s -o %t.plain && %t.plain > %t.plain.txt
// RUN: %clang_dl -O3 -march=native %s -o %t.dl    && %t.dl    > %t.dl.txt
// RUN: diff %t.plain.txt %t.dl.txt
#include <stdio.h>
#include <string.h>

#define ARGS                                                                   \
  int M, int N, const float *A, const float *B, const float *p,                \
      const float *r, float *q, float *s, float *C
#define KERNEL(NAME) __attribute__((noinline)) static void NAME(ARGS)
#define FOR(I, E) for (int I = 0; I < E; I++)

KERNEL(both_sides) {
  FOR(i, M) {
    q[i] = 0;
    FOR(j, N) {
      s[j] += r[i] * A[i * N + j];
      q[i] += A[i * N + j] * p[j];
    }
  }
}
KERNEL(there_and_back) {
  FOR(i, M) {
    q[i] = 0;
    FOR(j, N) q[i] += A[i * N + j] * p[j];
    FOR(j, N) s[j] += A[i * N + j] * q[i];
  }
}
KERNEL(two_and_their_sum) {
  FOR(i, M) {
    q[i] = 0;
    C[i] = 0;
    FOR(j, N) {
      q[i] += A[i * N + j] * p[j];
      C[i] += B[i * N + j] * p[j];
    }
    C[i] = r[0] * q[i] + r[1] * C[i];
  }
}
KERNEL(scaled_rows) {
  FOR(i, M) {
    FOR(j, N) C[i * N + j] *= r[0];
    FOR(k, N) FOR(j, N) C[i * N + j] += A[i * N + k] * B[k * N + j];
  }
}
KERNEL(scaled_elements) {
  FOR(i, M) FOR(j, N) {
    C[i * N + j] *= r[0];
    FOR(k, N) C[i * N + j] += A[i * N + k] * B[k * N + j];
  }
}
KERNEL(product_then_rows) {
  FOR(i, M) {
    FOR(j, N) {
      float t = 0;
      FOR(k, N) t += A[i * N + k] * B[k * N + j];
      C[i * N + j] = t;
    }
    q[i] = C[i * N] + r[i];
  }
}
// The next row starts from this one's result.
KERNEL(feeds_next_row) {
  FOR(i, M) {
    FOR(j, N) C[(i + 1) * N + j] = C[i * N + j] * r[0];
    FOR(k, N) FOR(j, N) C[i * N + j] += A[i * N + k] * B[k * N + j];
  }
}
// What is added depends on the sums of the row before.
KERNEL(uses_last_sum) {
  FOR(i, M) {
    q[i + 1] = 0;
    FOR(j, N) q[i + 1] += A[i * N + j] * p[j];
    FOR(j, N) s[j] += A[i * N + j] * q[i];
  }
}
// Every row's sums are overwritten by those of the next.
KERNEL(one_row_of_sums) {
  FOR(i, M) {
    FOR(j, N) s[j] = 0;
    FOR(k, N) FOR(j, N) s[j] += A[i * N + k] * B[k * N + j];
    FOR(j, N) C[i * N + j] = s[j];
  }
}
// Sums of a column that the same loop still changes.
KERNEL(changes_operand) {
  FOR(i, M) {
    q[i] = 0;
    FOR(j, N) q[i] += C[i * N + j] * p[j];
    FOR(j, N) C[(i ^ 1) * N + j] += q[i];
  }
}

enum { Size = 40 };
static float A[Size * Size], B[Size * Size], C[Size * Size + 2 * Size];
static float p[Size], r[Size], q[Size + 1], s[Size];

static void reset(void) {
  for (int i = 0; i < Size * Size; i++) {
    A[i] = (float)(i % 17 - 8) / 3;
    B[i] = (float)(i % 13 - 6) / 7;
  }
  for (int i = 0; i < Size * Size + 2 * Size; i++)
    C[i] = (float)(i % 11 - 5) / 9;
  for (int i = 0; i < Size; i++) {
    p[i] = (float)(i % 7 - 3) / 5;
    r[i] = (float)(i % 5 + 1) / 3;
    q[i] = s[i] = (float)(i % 3) / 7;
  }
}

static unsigned long hash(const void *data, size_t bytes, unsigned long sum) {
  for (size_t i = 0; i < bytes; i++)
    sum = sum * 31 + ((const unsigned char *)data)[i];
  return sum;
}

static void run(const char *name, void (*kernel)(ARGS), int M, int N,
                float *q_, float *s_) {
  reset();
  kernel(M, N, A, B, p, r, q_, s_, C);
  unsigned long sum = hash(C, sizeof(C), hash(q, sizeof(q), hash(s, sizeof(s), 0)));
  printf("%s %d %d: %lx\n", name, M, N, sum);
}

int main(void) {
  static const int Sizes[][2] = {{0, 5},   {5, 0},   {1, 1},  {1, 32}, {32, 1},
                                 {13, 17}, {16, 16}, {38, 38}};
  for (unsigned i = 0; i < sizeof(Sizes) / sizeof(*Sizes); i++) {
#define RUN(NAME)                                                              \
  run(#NAME, NAME, Sizes[i][0], Sizes[i][1], q, s);                            \
  run(#NAME " overlapping", NAME, Sizes[i][0], Sizes[i][1], C + 3, s);         \
  run(#NAME " in operand", NAME, Sizes[i][0], Sizes[i][1], q, A + 7);
    RUN(both_sides)
    RUN(there_and_back)
    RUN(two_and_their_sum)
    RUN(scaled_rows)
    RUN(scaled_elements)
    RUN(product_then_rows)
    RUN(feeds_next_row)
    RUN(uses_last_sum)
    RUN(one_row_of_sums)
    RUN(changes_operand)
  }
}
