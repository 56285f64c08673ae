// Loops whose rounds have a column of a matrix each, in which they read other
// rows: with the plugin and without, on the same data, bit by bit.
//
// -DBUILD=plain|dl: the kernels; without: the driver. -DTYPE=float|double.
#ifndef TYPE
#define TYPE float
#endif
typedef TYPE T;
#define ARGS int M, int N, int ld, const T *restrict A, T *restrict C
#define KERNELS(X) X(substitution) X(backwards) X(factors) X(all) X(scaled) X(further)

#include "compared.h"

#ifdef BUILD
// L X = B
KERNEL(substitution, FOR(i, M) FOR(j, N) {
  FOR(k, i) C[i * ld + j] -= A[i * M + k] * C[k * ld + j];
  C[i * ld + j] /= A[i * M + i];
})
// U X = B
KERNEL(backwards, for (int i = M - 1; i >= 0; i--) FOR(j, N) {
  for (int k = i + 1; k < M; k++)
    C[i * ld + j] -= A[i * M + k] * C[k * ld + j];
  C[i * ld + j] /= A[i * M + i];
})
// L U = C, in its place
KERNEL(factors, FOR(i, N) {
  FOR(j, i) {
    FOR(k, j) C[i * ld + j] -= C[i * ld + k] * C[k * ld + j];
    C[i * ld + j] /= C[j * ld + j];
  }
  for (int j = i; j < N; j++)
    FOR(k, i) C[i * ld + j] -= C[i * ld + k] * C[k * ld + j];
})
// A round's own element among those that are read.
KERNEL(all, FOR(i, M) FOR(j, N) FOR(k, M)
    C[i * ld + j] -= A[i * M + k] * C[k * ld + j];)
KERNEL(scaled, FOR(i, M) FOR(j, N) {
  FOR(k, i) C[k * ld + j] += A[i * M + k];
  C[i * ld + j] *= 2;
})
// Rounds read what others write.
KERNEL(further, FOR(i, M) FOR(j, N - 1) {
  FOR(k, i) C[i * ld + j] -= A[i * M + k] * C[k * ld + j + 1];
  C[i * ld + j + 1] *= 2;
})
#else
enum { Most = 70, Size = Most * (Most + 3) };

int main(int argc, char **argv) {
  int Runs = 0, Different = 0, Rounds = argc > 1 ? atoi(argv[1]) : 40;
  static T A[Size], C[2][Size];
  for (unsigned X = 0; X < sizeof Kernels / sizeof *Kernels; X++)
    for (int Round = 0; Round < Rounds; Round++) {
      int M = next(Most + 1), N = next(Most + 1);
      // Rows that are apart, next to each other, or overlap.
      int Way = next(4), ld = Way < 2 ? N + Way : Way == 2 ? N + 3 : next(N + 1);
      for (int I = 0; I < Size; I++) {
        A[I] = number();
        C[0][I] = next(9) ? number() : -0.0;
      }
      memcpy(C[1], C[0], sizeof *C);
      Kernels[X].Plain(M, N, ld, A, C[0]);
      Kernels[X].DL(M, N, ld, A, C[1]);
      Runs++;
      if (differ(C[0], C[1], Size)) {
        Different++;
        printf("%s: M %d N %d ld %d\n", Kernels[X].Name, M, N, ld);
      }
    }
  printf("%d runs, %d different\n", Runs, Different);
}
#endif
