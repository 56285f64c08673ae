// Products with local arrays, and parts of products, see kinds.c.
#define KERNELS(X)                                                             \
  X(local_rows)                                                                \
  X(local_tiles) X(local_row) X(local_column) X(cleared_rows) X(share)         \
      X(share_of_rows) X(steps)

#ifdef BUILD
KERNEL(
    local_rows, for (int i = 0; i + 8 <= M; i += 8) FOR(j, N) {
      T s[8];
      FOR(x, 8) s[x] = bias[j];
      FOR(k, K) {
        T w = B[j * K + k];
        FOR(x, 8) s[x] += A[(i + x) * K + k] * w;
      }
      FOR(x, 8) C[(i + x) * N + j] = s[x];
    })
KERNEL(
    local_tiles, for (int i = 0; i < M; i += 4) for (int j = 0; j < N; j += 8) {
      int h = M - i < 4 ? M - i : 4, w = N - j < 8 ? N - j : 8;
      T s[4][8] = {{0}}, p[4];
      FOR(k, K) {
        FOR(x, h) p[x] = A[(i + x) * K + k];
        FOR(x, h) FOR(y, w) s[x][y] += p[x] * B[k * N + j + y];
      }
      FOR(x, h) FOR(y, w) C[(i + x) * N + j + y] += s[x][y];
    })
KERNEL(
    local_row, FOR(i, M) {
      T s[N > 0 ? N : 1];
      FOR(j, N) s[j] = bias[i];
      FOR(k, K) FOR(j, N) s[j] += A[i * K + k] * B[k * N + j];
      FOR(j, N) C[i * N + j] = s[j];
    })
KERNEL(
    local_column, FOR(j, N) {
      T p[K > 0 ? K : 1];
      FOR(k, K) p[k] = B[k * N + j];
      FOR(i, M) {
        T s = 0;
        FOR(k, K) s += A[i * K + k] * p[k];
        C[i * N + j] = s;
      }
    })
KERNEL(
    cleared_rows, FOR(i, M) {
      __builtin_memset(C + i * N, 0, N * sizeof(T));
      FOR(k, K) FOR(j, N) C[i * N + j] += A[i * K + k] * B[k * N + j];
    })
// What a thread gets of all elements, or of all rows of a batch.
KERNEL(
    share, long N0 = N; long last = (long)M * N - 1 - (L == 3);
    for (long x = L == 1 ? 1 : L * N0; x <= last; x++) {
      int i = x / N0, j = x - x / N0 * N0;
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s;
    })
KERNEL(
    share_of_rows, for (long x = L; x < 2L * M; x++) {
      int h = x / M, i = x - x / M * M;
      FOR(j, N) {
        SUM(bias[j], A[h * M * K + i * K + k], B[j * K + k]);
        C[h * M * N + i * N + j] = s;
      }
    })
KERNEL(
    steps, FOR(j, N) FOR(i, M) {
      T s = 0;
      for (int k = 0; k < K; k += 2) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
#endif
