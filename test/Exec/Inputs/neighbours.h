// Windows of channels behind without a sum over channels, for lanes.c: neighbours
// share weights, or columns. X(name, elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(three, K *M *N, 9 * K, K *M *N, 1)                                         \
  X(fixed, 40 * 23 * 23, 9 * 40, 40 * 23 * 23, 1)                              \
  X(valid, K *(M + 2) * (N + 2), 9 * K, K *M *N, 1)                            \
  X(by_twos, K *M *N, 25 * K, K *M *N, 1)                                      \
  X(dilated, K *M *N, 9 * K, K *M *N, 1)                                       \
  X(padded, K *M *N, 9 * K, K *M *N, 1)                                        \
  X(window, K *M *N, (L + 1) * (L + 1) * K, K *M *N, 1)                        \
  X(one_bias, K *M *N, 10 * K, K *M *N, 1)                                     \
  X(greatest, K *M *N, 0, K *M *N, 1)                                          \
  X(greatest_padded, K *M *N, 0, K *M *N, 1)                                   \
  X(mean, K *(M + 4) * (N + 4), 0, K *M *N, 1)                                 \
  X(overlap, K *M *N, 9 * K, K *M *N + K, 1)                                   \
  X(spread, K *M *N, 9 * K, K *M *N, 1)                                        \
  X(spread_fixed, 700 * 5 * 6, 9 * 700, 700 * 5 * 6, 1)                        \
  X(spread_odd, 37 * 9 * 9, 9 * 37, 37 * 9 * 9, 1)                             \
  X(spread_valid, K *(M + 2) * (N + 2), 9 * K, K *M *N, 1)                     \
  X(spread_steps, K *M *N, 25 * K, K *M *N, 1)                                 \
  X(spread_padded, K *M *N, 9 * K, K *M *N, 1)                                 \
  X(spread_bias, K *M *N, 10 * K, K *M *N, 1)                                  \
  X(spread_columns, K *M *N, 9 * K, K *M *N, 1)                                \
  X(spread_batch, L *K *M *N, 9 * K, L *K *M *N, 1)                            \
  X(spread_overlap, K *M *N, 0, K *M *N + 9 * K, 1)                            \
  X(far_pixels, K *M *N, 9 * K, K *M *N, 1)

#ifdef BUILD
#define WINDOW(SIZE, STEP, APART, PAD, H, W, ...)                              \
  FOR(r, SIZE) FOR(q, SIZE) {                                                  \
    const int h = y * (STEP) + r * (APART) - (PAD),                            \
              w = x * (STEP) + q * (APART) - (PAD);                            \
    if (h >= 0 && h < (H) && w >= 0 && w < (W)) {                              \
      __VA_ARGS__;                                                             \
    }                                                                          \
  }
#define OF_PIXEL(H, W, CHANNELS, START, SUMS, RESULT)                          \
  FOR(y, H) FOR(x, W) FOR(k, CHANNELS) {                                       \
    T s = START;                                                               \
    SUMS C[(y * (W) + x) * (CHANNELS) + k] = RESULT;                           \
  }
#define TIMES s += A[(h * N + w) * K + k] * B[(r * 3 + q) * K + k]
#define MOST                                                                   \
  if (A[(h * N + w) * K + k] > s)                                              \
  s = A[(h * N + w) * K + k]
KERNEL(three, OF_PIXEL(M, N, K, 0, WINDOW(3, 1, 1, 1, M, N, TIMES), s))
KERNEL(fixed, OF_PIXEL(23, 23, 40, 0,
                       WINDOW(3, 1, 1, 1, 23, 23,
                              s += A[(h * 23 + w) * 40 + k] *
                                   B[(r * 3 + q) * 40 + k]),
                       s))
KERNEL(valid,
       OF_PIXEL(M, N, K, 0, FOR(r, 3) FOR(q, 3) s +=
                            A[((y + r) * (N + 2) + x + q) * K + k] *
                            B[(r * 3 + q) * K + k];
                , s))
KERNEL(by_twos, OF_PIXEL((M + 1) / 2, (N + 1) / 2, K, 0,
                         WINDOW(5, 2, 1, 2, M, N,
                                s += A[(h * N + w) * K + k] *
                                     B[(r * 5 + q) * K + k]),
                         s))
KERNEL(dilated, OF_PIXEL(M, N, K, 0, WINDOW(3, 1, 2, 2, M, N, TIMES), s))
KERNEL(padded, const int pad = L % 3;
       OF_PIXEL(M, N, K, 0, WINDOW(3, 1, 1, pad, M, N, TIMES), s))
KERNEL(window, OF_PIXEL(M, N, K, 0,
                        WINDOW(L + 1, 1, 1, L / 2, M, N,
                               s += A[(h * N + w) * K + k] *
                                    B[(r * (L + 1) + q) * K + k]),
                        s))
KERNEL(one_bias, OF_PIXEL(M, N, K, B[9 * K + k],
                          WINDOW(3, 1, 1, 1, M, N, TIMES), s > 0 ? s : 0))
KERNEL(greatest, OF_PIXEL(M, N, K, -3e38f, WINDOW(3, 1, 1, 1, M, N, MOST), s))
KERNEL(greatest_padded, const int pad = L % 2;
       OF_PIXEL(M - 1, N - 1, K, -3e38f, WINDOW(2, 1, 1, pad, M, N, MOST), s))
KERNEL(mean, OF_PIXEL(M, N, K, 0, FOR(r, 5) FOR(q, 5) s +=
                                  A[((y + r) * (N + 4) + x + q) * K + k];
                      , s / 25))
// Over what is read later.
KERNEL(overlap, const T *from = L & 1 ? C + K : A;
       OF_PIXEL(M, N, K, 0,
                WINDOW(3, 1, 1, 1, M, N,
                       s += from[(h * N + w) * K + k] * B[(r * 3 + q) * K + k]),
                s))
// Weights of a channel are next to each other: of any number of channels, of
// more than are copied at once, and of some that no block divides.
#define SPREAD s += A[(h * N + w) * K + k] * B[(k * 3 + r) * 3 + q]
KERNEL(spread, OF_PIXEL(M, N, K, 0, WINDOW(3, 1, 1, 1, M, N, SPREAD), s))
KERNEL(spread_fixed, OF_PIXEL(5, 6, 700, 0,
                              WINDOW(3, 1, 1, 1, 5, 6,
                                     s += A[(h * 6 + w) * 700 + k] *
                                          B[(k * 3 + r) * 3 + q]),
                              s))
KERNEL(spread_odd, OF_PIXEL(9, 9, 37, 0,
                            WINDOW(3, 1, 1, 1, 9, 9,
                                   s += A[(h * 9 + w) * 37 + k] *
                                        B[(k * 3 + r) * 3 + q]),
                            s))
KERNEL(spread_valid,
       OF_PIXEL(M, N, K, 0, FOR(r, 3) FOR(q, 3) s +=
                            A[((y + r) * (N + 2) + x + q) * K + k] *
                            B[(k * 3 + r) * 3 + q];
                , s))
KERNEL(spread_steps, OF_PIXEL((M + 1) / 2, (N + 1) / 2, K, 0,
                              WINDOW(5, 2, 1, 2, M, N,
                                     s += A[(h * N + w) * K + k] *
                                          B[(k * 5 + r) * 5 + q]),
                              s))
KERNEL(spread_padded, const int pad = L % 3;
       OF_PIXEL(M, N, K, 0, WINDOW(3, 1, 1, pad, M, N, SPREAD), s))
KERNEL(spread_bias, OF_PIXEL(M, N, K, B[9 * K + k],
                             WINDOW(3, 1, 1, 1, M, N, SPREAD), s > 0 ? s : 0))
// Rows of weights are behind each other by column.
KERNEL(spread_columns,
       OF_PIXEL(M, N, K, 0,
                WINDOW(3, 1, 1, 1, M, N,
                       s += A[(h * N + w) * K + k] * B[(k * 3 + q) * 3 + r]),
                s))
KERNEL(
    spread_batch, FOR(n, L) FOR(y, M) FOR(x, N) FOR(k, K) {
      T s = C[((n * M + y) * N + x) * K + k];
      WINDOW(3, 1, 1, 1, M, N,
             s += A[((n * M + h) * N + w) * K + k] * B[(k * 3 + r) * 3 + q])
      C[((n * M + y) * N + x) * K + k] = s;
    })
// Results over weights that are read later.
KERNEL(spread_overlap, const T *from = C + (L & 1 ? K * M * N : 0);
       OF_PIXEL(M, N, K, 0,
                WINDOW(3, 1, 1, 1, M, N,
                       s += A[(h * N + w) * K + k] * from[(k * 3 + r) * 3 + q]),
                s))
// Pixels that are far apart, too, are left alone.
KERNEL(far_pixels,
       OF_PIXEL(M, N, K, 0,
                WINDOW(3, 1, 1, 1, M, N,
                       s += A[(k * M + h) * N + w] * B[(k * 3 + r) * 3 + q]),
                s))
#endif
