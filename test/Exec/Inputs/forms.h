// Products with local arrays, and parts of products, see kinds.c.
#define KERNELS(X)                                                             \
  X(local_rows)                                                                \
  X(local_tiles) X(local_row) X(local_column) X(cleared_rows) X(share)         \
      X(share_of_rows) X(steps) X(columns_by_four) X(tile_of_sums)             \
          X(two_bounds) X(first_round) X(flat) X(turns) X(vectors) X(blocks)   \
              X(tiles_and_rest) X(quotient_and_rest) X(subtracted)             \
                  X(subtracted_double) X(subtracted_later) X(negated) X(negated_twice)              \
                      X(subtracted_scaled) X(subtracted_triangle)

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
// A remainder behind an unrolled loop; sums of a tile, one by one.
KERNEL(
    columns_by_four, FOR(i, M) {
      int j = 0;
      for (; j + 4 <= N; j += 4) {
        T s[4] = {bias[j], bias[j + 1], bias[j + 2], bias[j + 3]};
        FOR(k, K) {
          s[0] += A[i * K + k] * B[k * N + j];
          s[1] += A[i * K + k] * B[k * N + j + 1];
          s[2] += A[i * K + k] * B[k * N + j + 2];
          s[3] += A[i * K + k] * B[k * N + j + 3];
        }
        C[i * N + j] = s[0];
        C[i * N + j + 1] = s[1];
        C[i * N + j + 2] = s[2];
        C[i * N + j + 3] = s[3];
      }
      for (; j < N; j++) {
        SUM(bias[j], A[i * K + k], B[k * N + j]);
        C[i * N + j] = s;
      }
    })
KERNEL(
    tile_of_sums, for (int i = 0; i + 1 < M; i += 2)
        for (int j = 0; j + 1 < N; j += 2) {
      T s = 0, t = 0, u = 0, v = 0;
      const T *x = A + i * K, *y = x + K;
      for (int k = 0; k + 1 < K; k += 2) {
        const T *p = B + k * N + j, *q = p + N;
        s += x[k] * p[0];
        t += x[k] * p[1];
        u += y[k] * p[0];
        v += y[k] * p[1];
        s += x[k + 1] * q[0];
        t += x[k + 1] * q[1];
        u += y[k + 1] * q[0];
        v += y[k + 1] * q[1];
      }
      C[i * N + j] = s;
      C[i * N + j + 1] = t;
      C[(i + 1) * N + j] = u;
      C[(i + 1) * N + j + 1] = v;
    })
KERNEL(
    two_bounds, IJ {
      T s = 0;
      for (int b = 0; b < K; b += 16)
        for (int k = b; k < b + 16 && k < K; k++)
          s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    first_round, IJ FOR(k, K) {
      T before = k == 0 ? bias[i] : C[i * N + j];
      C[i * N + j] = before + A[i * K + k] * B[k * N + j];
    })
KERNEL(
    flat, for (long x = 0; x < (long)M * N * K; x++) {
      int k = x % K, j = x / K % N, i = x / K / N;
      C[i * N + j] += A[i * K + k] * B[k * N + j];
    })
// Sums whose order is that of no loop; bounds of blocks that come from outside.
KERNEL(
    turns, FOR(i, M) for (int j = 0; j + 1 < N; j += 2) FOR(k, K) {
      C[i] += A[j * K + k] * B[j * K + k];
      C[i] += A[(j + 1) * K + k] * B[(j + 1) * K + k];
    })
typedef T NAME1(X4, BUILD)
    __attribute__((vector_size(4 * sizeof(T)), aligned(sizeof(T))));
KERNEL(
    vectors, typedef NAME1(X4, BUILD) V;
    for (int i = 0; i + 1 < M; i += 2) for (int j = 0; j + 3 < N; j += 4) {
      V s = {0}, t = {0};
      FOR(k, K) {
        V x = *(const V *)(B + k * N + j);
        s += A[i * K + k] * x;
        t += A[(i + 1) * K + k] * x;
      }
      *(V *)(C + i * N + j) = s;
      *(V *)(C + (i + 1) * N + j) = t;
    })
KERNEL(
    blocks, for (int J = 0; J < N; J += 48) for (int b = 0; b < K; b += 24)
        FOR(i, M) for (int j = J; j < J + 48 && j < N; j++) {
      T s = 0;
      for (int k = b; k < b + 24 && k < K; k++)
        s += A[i * K + k] * B[k * N + j];
      C[i * N + j] += s;
    })
// A loop inside the unrolled one, with what is left behind it.
KERNEL(
    tiles_and_rest, IJ {
      T s = bias[i];
      int k = 0;
      for (; k + 4 <= K; k += 4) FOR(x, 4)
          s += A[i * K + k + x] * B[(k + x) * N + j];
      for (; k < K; k++) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    quotient_and_rest, IJ {
      T s = 0;
      FOR(o, K / 16) FOR(x, 16)
          s += A[i * K + o * 16 + x] * B[(o * 16 + x) * N + j];
      for (int k = K / 16 * 16; k < K; k++) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
// Products that are taken off.
KERNEL(subtracted,
       FOR(i, M) FOR(k, K) FOR(j, N) C[i * N + j] -= A[i * K + k] * B[k * N + j];)
KERNEL(
    subtracted_double, IJ {
      double s = bias[j];
      FOR(k, K) s -= (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    subtracted_later, IJ {
      T s = bias[j];
      FOR(k, K) {
        T p = A[i * K + k] * B[j * K + k];
        s = s - p;
      }
      C[i * N + j] = s;
    })
KERNEL(
    negated, FOR(i, M) FOR(k, K) {
      T a = -A[k * M + i];
      FOR(j, N) C[i * N + j] += a * B[k * N + j];
    })
KERNEL(
    negated_twice, IJ {
      T s = 0;
      FOR(k, K) s -= -A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    subtracted_scaled, T alpha = bias[0]; FOR(i, M) FOR(k, K) {
      T a = alpha * A[i * K + k];
      FOR(j, N) C[i * N + j] -= a * B[k * N + j];
    })
KERNEL(subtracted_triangle, int E = M < N ? M : N;
       FOR(i, E) for (int j = 0; j <= i; j++) FOR(k, K)
           C[i * N + j] -= A[i * K + k] * A[j * K + k];)
KERNEL(
    steps, FOR(j, N) FOR(i, M) {
      T s = 0;
      for (int k = 0; k < K; k += 2) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
#endif
