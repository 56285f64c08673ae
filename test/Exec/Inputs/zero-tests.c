// Products that leave out factors of zero, with the plugin and without, on the
// same data: bit by bit.
//
// -DBUILD=plain|dl: the kernels; without: the driver. -DTYPE=float|double.
#ifndef TYPE
#define TYPE float
#endif
typedef TYPE T;
#define ARGS int M, int N, int K, T alpha, const T *A, const T *B, T *C
#define KERNELS(X)                                                             \
  X(rows) X(goes_on) X(scaled) X(in_the_sum) X(columns) X(of_sums) X(steps) \
      X(beta) X(tested) X(upper) X(lower)

#include "compared.h"

#ifdef BUILD
KERNEL(rows, FOR(i, M) FOR(k, K) {
  T t = A[i * K + k];
  if (t != 0)
    FOR(j, N) C[i * N + j] += t * B[k * N + j];
})
KERNEL(goes_on, FOR(i, M) FOR(k, K) {
  if (A[i * K + k] == 0)
    continue;
  FOR(j, N) C[i * N + j] += A[i * K + k] * B[k * N + j];
})
KERNEL(scaled, FOR(i, M) FOR(k, K) if (A[i * K + k] != 0) {
  T t = alpha * A[i * K + k];
  FOR(j, N) C[i * N + j] += t * B[k * N + j];
})
KERNEL(in_the_sum, FOR(i, M) FOR(j, N) {
  T s = 0;
  FOR(k, K) if (A[i * K + k] != 0) s += A[i * K + k] * B[k * N + j];
  C[i * N + j] = s;
})
// As in BLAS: columns lie behind each other.
KERNEL(columns, FOR(j, N) FOR(k, K) if (A[j * K + k] != 0) {
  T t = alpha * A[j * K + k];
  FOR(i, M) C[i + j * M] += t * B[i + k * M];
})
KERNEL(of_sums, FOR(i, M) FOR(j, N) {
  T s = C[i * N + j];
  FOR(k, K) if (A[k * M + i] != 0) s += A[k * M + i] * B[k * N + j];
  C[i * N + j] = s;
})
KERNEL(steps, FOR(i, M) FOR(k, K / 2) if (A[i * K + 2 * k] != 0)
    FOR(j, N) C[i * N + j] += A[i * K + 2 * k] * B[k * N + j];)
// C := alpha A B + beta C
KERNEL(beta, T beta = alpha < 0 ? 0 : alpha > 2 ? 1 : alpha; FOR(j, N) {
  if (beta == 0)
    FOR(i, M) C[i + j * M] = 0;
  else if (beta != 1)
    FOR(i, M) C[i + j * M] *= beta;
  FOR(k, K) if (A[j * K + k] != 0) {
    T t = alpha * A[j * K + k];
    FOR(i, M) C[i + j * M] += t * B[i + k * M];
  }
})
// Nothing but the test reads A.
KERNEL(tested, FOR(i, M) FOR(j, N) {
  T s = 0;
  FOR(k, K) if (A[i * K + k] != 0) s += B[k * M + i] * B[k * N + j];
  C[i * N + j] = s > 9 ? s : 0;
})
// A A^T, of which a triangle is asked for: as in BLAS.
KERNEL(upper, FOR(j, M) FOR(k, K) if (A[j + k * M] != 0) {
  T t = alpha * A[j + k * M];
  FOR(i, j + 1) C[i + j * M] += t * A[i + k * M];
})
KERNEL(lower, T beta = alpha < 0 ? 0 : alpha > 2 ? 1 : alpha; FOR(j, M) {
  if (beta == 0)
    for (int i = j; i < M; i++)
      C[i + j * M] = 0;
  else if (beta != 1)
    for (int i = j; i < M; i++)
      C[i + j * M] *= beta;
  FOR(k, K) if (A[j + k * M] != 0) {
    T t = alpha * A[j + k * M];
    for (int i = j; i < M; i++)
      C[i + j * M] += t * A[i + k * M];
  }
})
#else
enum { Most = 40, Size = Most * Most };

/// Without zeros, or with one at the first, the last or any place, or many; of
/// either sign.
static void setZeros(T *A, int Used, int How) {
  T Zero = next(2) ? 0.0 : -0.0;
  if (!Used || How == 0)
    return;
  if (How < 4)
    A[How == 1 ? 0 : How == 2 ? Used - 1 : (int)next(Used)] = Zero;
  else
    for (int I = 0; I < Used; I++)
      if (!next(3))
        A[I] = Zero;
}

int main(int argc, char **argv) {
  int Runs = 0, Different = 0, Rounds = argc > 1 ? atoi(argv[1]) : 40;
  static T A[Size], B[Size], C[2][Size];
  static const T Special[] = {INFINITY, -INFINITY, NAN, -0.0, 1e-40};
  for (unsigned X = 0; X < sizeof Kernels / sizeof *Kernels; X++)
    for (int Round = 0; Round < Rounds; Round++)
      for (int How = 0; How < 5; How++) {
        int M = next(Most + 1), N = next(Most + 1), K = next(Most + 1);
        // What is not used is not read.
        int Used = X == 4 || X == 7 ? N * K : M * K;
        for (int I = 0; I < Size; I++) {
          A[I] = number();
          B[I] = next(4) || !next(2) ? number() : Special[next(5)];
          C[0][I] = next(3) ? number() : -0.0;
        }
        setZeros(A, Used, How);
        memcpy(C[1], C[0], sizeof *C);
        T Alpha = number();
        Kernels[X].Plain(M, N, K, Alpha, A, B, C[0]);
        Kernels[X].DL(M, N, K, Alpha, A, B, C[1]);
        Runs++;
        if (differ(C[0], C[1], Size)) {
          Different++;
          printf("%s: M %d N %d K %d zeros %d\n", Kernels[X].Name, M, N, K, How);
        }
      }
  // A becomes zero in between.
  for (int Round = 0; Round < Rounds; Round++) {
    int M = next(Most + 1), N = next(Most + 1), K = next(Most + 1);
    static T AC[2][2 * Size];
    for (int I = 0; I < Size; I++)
      AC[0][I] = number(), AC[0][Size + I] = number(), B[I] = number();
    memcpy(AC[1], AC[0], sizeof *AC);
    int From = next(Most);
    tested_plain(M, N, K, 1, AC[0] + From, B, AC[0] + Most);
    tested_dl(M, N, K, 1, AC[1] + From, B, AC[1] + Most);
    Runs++;
    if (memcmp(AC[0], AC[1], sizeof *AC)) {
      Different++;
      printf("overlapping: M %d N %d K %d from %d\n", M, N, K, From);
    }
  }
  // Where no loop reads A, it is not looked at.
  for (unsigned X = 0; X < sizeof Kernels / sizeof *Kernels; X++) {
    Kernels[X].DL(0, 8, 8, 1, 0, B, C[1]);
    Kernels[X].DL(8, 8, 0, 1, 0, B, C[1]);
    Runs += 2;
  }
  in_the_sum_dl(8, 0, 8, 1, 0, 0, C[1]);
  of_sums_dl(8, 0, 8, 1, 0, 0, C[1]);
  printf("%d runs, %d different\n", Runs + 2, Different);
}
#endif
