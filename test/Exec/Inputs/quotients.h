// Kernels for lanes.c whose subscripts have quotients and remainders.
#define KERNELS(X)                                                             \
  X(bias_flat, L * M * N, M, L * M * N, 1)                                     \
  X(bias_flat_unsigned, L * M * N, M, L * M * N, 1)                            \
  X(bias_flat_long, L * M * N, M, L * M * N, 1)                                \
  X(bias_rows, M *N, M, M *N, 1)                                               \
  X(bias_columns, M *N, N, M *N, 1)                                            \
  X(bias_part, M *N + K, N, M * N + K, 1)                                      \
  X(bias_from, M *N, N, M *N, 1)                                               \
  X(bias_in_place, 0, N, M *N, 1)                                              \
  X(normalize, L * M * N, 4 * M, L * M * N, 1)                                 \
  X(bias_relu, L * M * N, M, L * M * N, 1)                                     \
  X(constant_columns, 24 * M, 24, 24 * M, 1)                                   \
  X(shift_columns, 16 * M, 16, 16 * M, 1)                                      \
  X(shuffle_flat, L * 4 * M * N, 0, L * 4 * M * N, 1)                          \
  X(shuffle_three, 9 * M * N, 0, 9 * M * N, 1)                                 \
  X(shuffle_nest, L * 4 * M * N, 0, L * 4 * M * N, 1)                          \
  X(shuffle_by, M * N * 9, 0, M * N * 9, 1)                                    \
  X(unshuffle, L * 4 * M * N, 0, L * 4 * M * N, 1)                             \
  X(upsample, L * M * N, 0, L * 4 * M * N, 1)                                  \
  X(upsample_by, M *N, 0, 9 * M * N, 1)                                        \
  X(upsample_scaled, M *N, 0, 9 * M * N, 1)                                    \
  X(upsample_added, M *N, 0, 4 * M * N, 1)                                     \
  X(depth_to_space, M * N * 4 * L, 0, M * N * 4 * L, 1)                        \
  X(space_to_depth, M * N * 4 * L, 0, M * N * 4 * L, 1)                        \
  X(channels, L * M * N, 0, L * M * N, 1)                                      \
  X(channels_last_flat, L * M * N * 2, 0, L * M * N * 2, 1)                    \
  X(channels_first_flat, L * M * N * 2, 0, L * M * N * 2, 1)                   \
  X(transpose_flat, M *N, 0, M *N, 1)                                          \
  X(transpose_flat_out, M *N, 0, M *N, 1)                                      \
  X(bits, 32 * M, 32, 32 * M, 1)                                               \
  X(broadcast_two, M *N, M + N, M * N, 1)                                      \
  X(sums, M *N, N, 1, 1)                                                       \
  X(row_sums, M *N, 0, M, 1)                                                   \
  X(scan, M *N, N, M *N, 1)                                                    \
  X(two_divisors, 6 * M, 6, 6 * M, 1)                                          \
  X(resize, M *N, 0, M *N, 1)                                                  \
  X(im2col, L * M * N, 0, L * 9 * M * N, 1)                                    \
  X(gathered, M *N, M *N, M *N, 1)                                             \
  X(where_row, M *N, N, M *N, 1)                                               \
  X(rounded_down, M *N + 4, M + 4, M * N + 4, 1)                               \
  X(rounded_down_sums, M *N + 4, N, M + 4, 1)

#ifdef BUILD
#define POSITIVE                                                               \
  if (L <= 0 || M <= 0 || N <= 0)                                              \
    return;
KERNEL(bias_flat, POSITIVE FOR(i, L * M * N) C[i] = A[i] + B[i / N % M];)
KERNEL(bias_flat_unsigned,
       POSITIVE for (unsigned i = 0; i < (unsigned)(L * M * N); i++)
           C[i] = A[i] + B[i / (unsigned)N % (unsigned)M];)
KERNEL(bias_flat_long, POSITIVE for (long i = 0; i < (long)L * M * N; i++)
                           C[i] = A[i] + B[i / N % M];)
KERNEL(bias_rows, POSITIVE FOR(i, M *N) C[i] = A[i] * B[i / N];)
KERNEL(bias_columns, POSITIVE FOR(i, M *N) C[i] = A[i] + B[i % N];)
// The last row is cut off.
KERNEL(bias_part,
       POSITIVE FOR(i, M *N + (K > 0 ? K : 0)) C[i] = A[i] + B[i % N];)
KERNEL(bias_from, POSITIVE for (int i = K > 0 ? K : 0; i < M * N; i++)
                      C[i] = A[i] + B[i % N];)
KERNEL(bias_in_place, POSITIVE FOR(i, M *N) C[i] = C[i] / 2 + B[i % N];)
KERNEL(
    normalize, POSITIVE FOR(i, L * M * N) {
      int c = i / N % M;
      C[i] = (A[i] - B[c]) * B[M + c] * B[2 * M + c] + B[3 * M + c];
    })
KERNEL(
    bias_relu, POSITIVE FOR(i, L * M * N) {
      T v = A[i] + B[i / N % M];
      C[i] = v > 0 ? v : 0;
    })
KERNEL(constant_columns, FOR(i, 24 * M) C[i] = A[i] + B[i % 24];)
KERNEL(shift_columns, FOR(i, 16 * M) C[i] = A[i] + B[i & 15] * B[(i >> 2) & 3];)
KERNEL(
    shuffle_flat, POSITIVE FOR(i, L * 4 * M * N) {
      int x = i % (2 * N), t = i / (2 * N), y = t % (2 * M), c = t / (2 * M);
      C[i] = A[((c * 4 + y % 2 * 2 + x % 2) * M + y / 2) * N + x / 2];
    })
KERNEL(shuffle_three,
       POSITIVE FOR(y, 3 * M) FOR(x, 3 * N)
           C[y * 3 * N + x] = A[((y % 3 * 3 + x % 3) * M + y / 3) * N + x / 3];)
KERNEL(shuffle_nest,
       FOR(c, L) FOR(y, 2 * M) FOR(x, 2 * N) C[(c * 2 * M + y) * 2 * N + x] =
           A[((c * 4 + y % 2 * 2 + x % 2) * M + y / 2) * N + x / 2];)
KERNEL(shuffle_by, POSITIVE int r = K > 9   ? 3
                                    : K > 4 ? 2
                                            : 1;
       FOR(y, r *M) FOR(x, r *N)
           C[y * r * N + x] = A[((y % r * r + x % r) * M + y / r) * N + x / r];)
KERNEL(unshuffle, FOR(c, L) FOR(y, 2 * M) FOR(x, 2 * N)
                      C[((c * 4 + y % 2 * 2 + x % 2) * M + y / 2) * N + x / 2] =
                          A[(c * 2 * M + y) * 2 * N + x];)
KERNEL(upsample,
       FOR(c, L) FOR(y, 2 * M) FOR(x, 2 * N)
           C[(c * 2 * M + y) * 2 * N + x] = A[(c * M + y / 2) * N + x / 2];)
KERNEL(upsample_by, POSITIVE int s = K > 9   ? 3
                                     : K > 4 ? 2
                                             : 1;
       FOR(y, s *M) FOR(x, s *N) C[y * s * N + x] = A[y / s * N + x / s];)
KERNEL(upsample_scaled, POSITIVE int s = K > 9   ? 3
                                         : K > 4 ? 2
                                                 : 1;
       FOR(y, s *M) FOR(x, s *N) C[y * s * N + x] = 3 * A[y / s * N + x / s];)
KERNEL(upsample_added,
       FOR(y, 2 * M) FOR(x, 2 * N) C[y * 2 * N + x] += A[y / 2 * N + x / 2];)
KERNEL(depth_to_space,
       FOR(y, 2 * M) FOR(x, 2 * N) FOR(c, L) C[(y * N * 2 + x) * L + c] =
           A[(y / 2 * N + x / 2) * 4 * L + (y % 2 * 2 + x % 2) * L + c];)
KERNEL(space_to_depth,
       POSITIVE FOR(y, M) FOR(x, N) FOR(c, 4 * L) C[(y * N + x) * 4 * L + c] =
           A[((y * 2 + c / L / 2) * N * 2 + x * 2 + c / L % 2) * L + c % L];)
KERNEL(
    channels, POSITIVE FOR(i, L * M * N) {
      int c = i / N, p = i % N;
      C[i] = A[(c % L * M + c / L) * N + p];
    })
KERNEL(
    channels_last_flat, POSITIVE FOR(i, 2 * L * M * N) {
      int c = i % L, t = i / L, w = t % N, h = t / N % M, n = t / N / M;
      C[i] = A[((n * L + c) * M + h) * N + w];
    })
KERNEL(
    channels_first_flat, POSITIVE FOR(i, 2 * L * M * N) {
      int w = i % N, t = i / N, h = t % M, c = t / M % L, n = t / M / L;
      C[i] = 2 * A[((n * M + h) * N + w) * L + c];
    })
KERNEL(transpose_flat, POSITIVE FOR(i, M *N) C[i] = A[i % M * N + i / M];)
KERNEL(transpose_flat_out, POSITIVE FOR(i, M *N) C[i % N * M + i / N] = A[i];)
KERNEL(bits, FOR(i, 32 * M) C[i] = A[i ^ 0] + B[(i & 24) + (i & 6)];)
KERNEL(broadcast_two,
       POSITIVE FOR(i, M *N) C[i] = A[i] * B[i / N] + B[M + i % N];)
KERNEL(sums, POSITIVE T s = 0; FOR(i, M *N) s += A[i] * B[i % N]; C[0] = s;)
KERNEL(row_sums, POSITIVE FOR(i, M) C[i] = 0;
       POSITIVE FOR(i, M *N) C[i / N] += A[i];)
KERNEL(scan,
       POSITIVE FOR(i, M *N) C[i] = (i ? C[i - 1] : 0) / 2 + A[i] * B[i % N];)
KERNEL(two_divisors, FOR(i, 6 * M) C[i] = A[i] + B[i % 2] * B[i % 3];)
KERNEL(resize, POSITIVE int h = M / 2 + 1, w = N / 3 + 1;
       FOR(y, M) FOR(x, N) C[y * N + x] = A[y * h / M * w + x * w / N];)
KERNEL(
    im2col, FOR(c, 9 * L) FOR(y, M) FOR(x, N) {
      int r = c / 3 % 3 + y - 1, q = c % 3 + x - 1;
      C[(c * M + y) * N + x] =
          r < 0 || q < 0 || r >= M || q >= N ? 0 : A[(c / 9 * M + r) * N + q];
    })
KERNEL(gathered,
       POSITIVE FOR(i, M *N) C[i] = A[i] + B[(int)B[i % N] > 0 ? i / N : 0];)
KERNEL(where_row,
       POSITIVE FOR(i, M *N) if (i / N % 2 == 0) C[i] = A[i] + B[i % N];)
// Quotients that round down, of what is negative or is not.
#define DOWN(X, D) ((X) < 0 ? -1 - (-1 - (X)) / (D) : (X) / (D))
#define REST(X, D) ((X) % (D) < 0 ? (X) % (D) + (D) : (X) % (D))
KERNEL(rounded_down, POSITIVE for (int i = (K & 7) - 4; i < M * N; i++)
                         C[i + 4] = A[i + 4] + B[DOWN(i, N) + 4];)
KERNEL(
    rounded_down_sums,
    POSITIVE FOR(i, M + 4) C[i] = 0;
    POSITIVE for (int i = (K & 7) - 4; i < M * N; i++)
        C[DOWN(i, N) + 4] += A[i + 4] * B[REST(i, N)];)
#endif
