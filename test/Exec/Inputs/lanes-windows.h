// Transposes, windows, and what may not run in lanes: X(name, elements of A, of
// B, of C, numbers in C).
#define WINDOW_KERNELS(X)                                                      \
  X(transpose, M *N, 0, M *N, 1)                                               \
  X(transpose_inner, M *N, 0, M *N, 1)                                         \
  X(transpose_apart, (M - 1) * (N + L) + N, 0, (N - 1) * (M + K) + M, 1)       \
  X(transpose_add, M *N, M *N, M *N, 1)                                        \
  X(transpose_update, M *N, 0, M *N, 1)                                        \
  X(transpose_both, M *N, M *N, M *N, 1)                                       \
  X(transpose_positive, M *N, 0, M *N, 1)                                      \
  X(transpose_lower, M *N, 0, M *N, 1)                                         \
  X(transpose_row_if, M *N, M, M *N, 1)                                        \
  X(transpose_two, M *N, M *N, 2 * M * N, 1)                                   \
  X(transpose_scaled, M *N, N, M *N, 1)                                        \
  X(transpose_mirrored, M *N, 0, M *N, 1)                                      \
  X(transpose_second, 2 * M * N, 0, M *N, 1)                                   \
  X(transpose_in_place, 0, 0, (M > N ? M : N) * (M > N ? M : N), 1)            \
  X(transpose_batched, L *M *N, 0, L *M *N, 1)                                 \
  X(permute_102, L *M *N, 0, L *M *N, 1)                                       \
  X(permute_021, L *M *N, 0, L *M *N, 1)                                       \
  X(permute_210, L *M *N, 0, L *M *N, 1)                                       \
  X(permute_201, L *M *N, 0, L *M *N, 1)                                       \
  X(nchw_to_nhwc, L * 3 * M *N, 0, L * 3 * M *N, 1)                            \
  X(windows, (M + 2) * (N + 2), 9, M *N, 1)                                    \
  X(windows_padded, M *N, 9, M *N, 1)                                          \
  X(windows_stepped, (2 * M + 1) * (2 * N + 1), 9, M *N, 1)                    \
  X(conv, 3 * (M + 2) * (N + 2), 27 * L, L *M *N, 1)                           \
  X(conv_padded, 3 * M *N, 27 * L, L *M *N, 1)                                 \
  X(conv_channels, K *(M + 2) * (N + 2), 9 * K, M *N, 1)                       \
  X(conv_channels_padded, K *M *N, 9 * K, M *N, 1)                             \
  X(conv_nhwc, 3 * (M + 2) * (N + 2), 27 * L, L *M *N, 1)                      \
  X(conv_line, N + K - 1, K, N, 1)                                             \
  X(conv_line_padded, N, K, N, 1)                                              \
  X(pool_max, (2 * M) * (2 * N), 0, M *N, 1)                                   \
  X(pool_max_padded, M *N, 0, M *N, 1)                                         \
  X(pool_mean, (M + 2) * (N + 2), 0, M *N, 1)                                  \
  X(power_iterations, M *M, 0, M, 1)                                           \
  X(stencil_steps, 0, 0, 2 * N + 2, 1)                                         \
  X(histogram, M *N, 0, 16 * N, 1)

#ifdef BUILD
KERNEL(transpose, FOR(i, M) FOR(j, N) C[j * M + i] = a;)
KERNEL(transpose_inner, FOR(j, N) FOR(i, M) C[j * M + i] = a;)
KERNEL(
    transpose_apart,
    FOR(i, M) FOR(j, N) C[j * (M + K) + i] = A[i * (N + L) + j];)
KERNEL(transpose_add, FOR(i, M) FOR(j, N) C[j * M + i] = a + B[j * M + i];)
KERNEL(transpose_update, FOR(i, M) FOR(j, N) C[j * M + i] += a;)
KERNEL(transpose_both, FOR(i, M) FOR(j, N) C[j * M + i] = a *B[i * N + j];)
KERNEL(
    transpose_positive, FOR(i, M) FOR(j, N) if (a > 0) C[j * M + i] = a;)
KERNEL(
    transpose_lower, FOR(i, M) FOR(j, N) if (j <= i) C[j * M + i] = a;)
KERNEL(
    transpose_row_if, FOR(i, M) FOR(j, N) if (B[i] > 0) C[j * M + i] = a;)
KERNEL(
    transpose_two, FOR(i, M) FOR(j, N) {
      C[j * M + i] = a;
      C[M * N + j * M + i] = B[i * N + j];
    })
KERNEL(transpose_scaled, FOR(i, M) FOR(j, N) C[j * M + i] = a *B[j] + i;)
KERNEL(
    transpose_mirrored,
    FOR(i, M) FOR(j, N) C[(N - 1 - j) * M + i] = A[(M - 1 - i) * N + j];)
KERNEL(
    transpose_second, FOR(i, M) FOR(j, N) C[j * M + i] = A[2 * (i * N + j)];)
KERNEL(
    transpose_in_place, int n = M > N ? M : N; FOR(i, n) FOR(j, i) {
      T x = C[i * n + j];
      C[i * n + j] = C[j * n + i];
      C[j * n + i] = x;
    })
KERNEL(
    transpose_batched,
    FOR(l, L) FOR(i, M) FOR(j, N) C[(l * N + j) * M + i] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_102, FOR(l, L) FOR(i, M) FOR(j, N) C[(i * L + l) * N + j] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_021, FOR(l, L) FOR(j, N) FOR(i, M) C[(l * N + j) * M + i] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_210, FOR(j, N) FOR(i, M) FOR(l, L) C[(j * M + i) * L + l] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_201, FOR(j, N) FOR(l, L) FOR(i, M) C[(j * L + l) * M + i] =
        A[(l * M + i) * N + j];)
KERNEL(
    nchw_to_nhwc,
    FOR(l, L) FOR(y, M) FOR(x, N) FOR(z, 3) C[((l * M + y) * N + x) * 3 + z] =
        A[((l * 3 + z) * M + y) * N + x];)
#define WINDOW FOR(y, 3) FOR(x, 3)
KERNEL(
    windows, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(i + y) * (N + 2) + j + x] * B[y * 3 + x];
      C[i * N + j] = s;
    })
KERNEL(
    windows_padded, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < M && q >= 0 && q < N)
          s += A[p * N + q] * B[y * 3 + x];
      }
      C[i * N + j] = s;
    })
KERNEL(
    windows_stepped, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(2 * i + y) * (2 * N + 1) + 2 * j + x] * B[y * 3 + x];
      C[i * N + j] = s;
    })
KERNEL(
    conv, FOR(o, L) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, 3) WINDOW s += A[(z * (M + 2) + i + y) * (N + 2) + j + x] *
                            B[((o * 3 + z) * 3 + y) * 3 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    conv_padded, FOR(o, L) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, 3) WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < M && q >= 0 && q < N)
          s += A[(z * M + p) * N + q] * B[((o * 3 + z) * 3 + y) * 3 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    conv_channels, FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, K) WINDOW s += A[(z * (M + 2) + i + y) * (N + 2) + j + x] *
                            B[(z * 3 + y) * 3 + x];
      C[i * N + j] = s;
    })
KERNEL(
    conv_channels_padded, FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, K) WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < M && q >= 0 && q < N)
          s += A[(z * M + p) * N + q] * B[(z * 3 + y) * 3 + x];
      }
      C[i * N + j] = s;
    })
KERNEL(
    conv_nhwc, FOR(i, M) FOR(j, N) FOR(o, L) {
      T s = 0;
      WINDOW FOR(z, 3) s += A[((i + y) * (N + 2) + j + x) * 3 + z] *
                            B[((y * 3 + x) * 3 + z) * L + o];
      C[(i * N + j) * L + o] = s;
    })
KERNEL(
    conv_line, FOR(j, N) {
      T s = 0;
      FOR(k, K) s += A[j + k] * B[k];
      C[j] = s;
    })
KERNEL(
    conv_line_padded, FOR(j, N) {
      T s = 0;
      FOR(k, K) {
        int p = j + k - K / 2;
        if (p >= 0 && p < N)
          s += A[p] * B[k];
      }
      C[j] = s;
    })
KERNEL(
    pool_max, FOR(i, M) FOR(j, N) {
      T m = -INFINITY;
      FOR(y, 2) FOR(x, 2) {
        T v = A[(2 * i + y) * (2 * N) + 2 * j + x];
        m = v > m ? v : m;
      }
      C[i * N + j] = m;
    })
KERNEL(
    pool_max_padded, FOR(i, M) FOR(j, N) {
      T m = -INFINITY;
      WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p < 0 || p >= M || q < 0 || q >= N)
          continue;
        if (A[p * N + q] > m)
          m = A[p * N + q];
      }
      C[i * N + j] = m;
    })
KERNEL(
    pool_mean, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(i + y) * (N + 2) + j + x];
      C[i * N + j] = s / 9;
    })
KERNEL(
    power_iterations, FOR(l, L) FOR(i, M) {
      T s = 0;
      FOR(j, M) s += A[i * M + j];
      C[i] = C[i] * (T)0.5 + s;
    })
KERNEL(
    stencil_steps, T *X = C; T *Y = C + N + 1; FOR(l, L) {
      for (int j = 1; j < N; j++)
        Y[j] = X[j - 1] + X[j] * 2 + X[j + 1];
      for (int j = 1; j < N; j++)
        X[j] = Y[j];
    })
KERNEL(
    histogram, FOR(j, N) FOR(i, M) {
      int bin = a >= 0 && a < 16 ? (int)a : 0;
      C[bin * N + j] += 1;
    })
#endif
