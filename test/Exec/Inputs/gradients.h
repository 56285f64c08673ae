// Gradients of weights, for lanes.c: of channels A and slopes B, with borders by tests
// and without, by steps, dilated, in place, with the batch in the sum and around it, with
// the gradient of the bias. X(name, elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(padded, 5 * M *N, K *M *N, K * 45, 1)                                      \
  X(padded_known, 9 * 169, 33 * 169, 33 * 81, 1)                               \
  X(valid, 5 * (M + 2) * (N + 2), K *M *N, K * 45, 1)                          \
  X(valid_known, 6 * 196, 16 * 100, 16 * 150, 1)                               \
  X(batch, L * 3 * (M + 2) * (N + 2), L * 20 * M *N, 20 * 27, 1)               \
  X(batch_around, L * 2 * M *N, L * 18 * M *N, 18 * 18, 1)                     \
  X(scattered, 3 * M *N, K *M *N, K * 27, 1)                                   \
  X(scattered_batch, L * 3 * (M + 2) * (N + 2), L * 16 * M *N, 16 * 27, 1)     \
  X(scattered_bias, 3 * M *N, 12 * M *N, 12 * 28, 1)                           \
  X(steps, 3 * (2 * M + 1) * (2 * N + 1), 17 * M *N, 17 * 27, 1)               \
  X(steps_padded, 3 * 2 * M * 2 * N, K *M *N, K * 27, 1)                       \
  X(dilated, 3 * (M + 4) * (N + 4), 15 * M *N, 15 * 27, 1)                     \
  X(five, 2 * M *N, 16 * M *N, 16 * 50, 1)                                     \
  X(seven, 2 * (M + 6) * (N + 6), 12 * M *N, 12 * 98, 1)                       \
  X(one_channel, (M + 2) * (N + 2), 16 * M *N, 16 * 9, 1)                      \
  X(columns, 4 * M * (N + 2), 16 * M *N, 16 * 12, 1)

#ifdef BUILD
#define WINDOW FOR(y, 3) FOR(x, 3)
#define AT(P, ROWS, Q, COLUMNS)                                                \
  int p = P, q = Q;                                                            \
  if (p >= 0 && p < ROWS && q >= 0 && q < COLUMNS)
KERNEL(
    padded, FOR(o, K) FOR(c, 5) WINDOW {
      T s = 0;
      FOR(i, M) FOR(j, N) {
        AT(i + y - 1, M, j + x - 1, N)
        s += A[(c * M + p) * N + q] * B[(o * M + i) * N + j];
      }
      C[((o * 5 + c) * 3 + y) * 3 + x] = s;
    })
KERNEL(
    padded_known, FOR(o, 33) FOR(c, 9) WINDOW {
      T s = 0;
      FOR(i, 13) FOR(j, 13) {
        AT(i + y - 1, 13, j + x - 1, 13)
        s += A[(c * 13 + p) * 13 + q] * B[(o * 13 + i) * 13 + j];
      }
      C[((o * 9 + c) * 3 + y) * 3 + x] += s;
    })
KERNEL(
    valid, FOR(o, K) FOR(c, 5) WINDOW {
      T s = 0;
      FOR(i, M) FOR(j, N) s += B[(o * M + i) * N + j] *
                               A[(c * (M + 2) + i + y) * (N + 2) + j + x];
      C[((o * 5 + c) * 3 + y) * 3 + x] = s * 2;
    })
KERNEL(
    valid_known, FOR(o, 16) FOR(c, 6) FOR(y, 5) FOR(x, 5) {
      T s = C[((o * 6 + c) * 5 + y) * 5 + x];
      FOR(i, 10) FOR(j, 10) s += A[(c * 14 + i + y) * 14 + j + x] *
                                 B[(o * 10 + i) * 10 + j];
      C[((o * 6 + c) * 5 + y) * 5 + x] = s;
    })
KERNEL(
    batch, FOR(o, 20) FOR(c, 3) WINDOW {
      T s = 0;
      FOR(b, L) FOR(i, M) FOR(j, N) s +=
          A[((b * 3 + c) * (M + 2) + i + y) * (N + 2) + j + x] *
          B[((b * 20 + o) * M + i) * N + j];
      C[((o * 3 + c) * 3 + y) * 3 + x] = s;
    })
KERNEL(
    batch_around, FOR(b, L) FOR(o, 18) FOR(c, 2) WINDOW {
      T s = 0;
      FOR(i, M) FOR(j, N) {
        AT(i + y - 1, M, j + x - 1, N)
        s += A[((b * 2 + c) * M + p) * N + q] *
             B[((b * 18 + o) * M + i) * N + j];
      }
      C[((o * 2 + c) * 3 + y) * 3 + x] += s;
    })
KERNEL(
    scattered, FOR(o, K) FOR(i, M) FOR(j, N) FOR(c, 3) WINDOW {
      AT(i + y - 1, M, j + x - 1, N)
      C[((o * 3 + c) * 3 + y) * 3 + x] += A[(c * M + p) * N + q] *
                                          B[(o * M + i) * N + j];
    })
KERNEL(
    scattered_batch,
    FOR(b, L) FOR(o, 16) FOR(i, M) FOR(j, N) FOR(c, 3) WINDOW {
      C[((o * 3 + c) * 3 + y) * 3 + x] +=
          A[((b * 3 + c) * (M + 2) + i + y) * (N + 2) + j + x] *
          B[((b * 16 + o) * M + i) * N + j];
    })
KERNEL(
    scattered_bias, FOR(o, 12) FOR(i, M) FOR(j, N) {
      T g = B[(o * M + i) * N + j];
      C[12 * 27 + o] += g;
      FOR(c, 3) WINDOW {
        AT(i + y - 1, M, j + x - 1, N)
        C[((o * 3 + c) * 3 + y) * 3 + x] += A[(c * M + p) * N + q] * g;
      }
    })
KERNEL(
    steps, FOR(o, 17) FOR(c, 3) WINDOW {
      T s = 0;
      FOR(i, M) FOR(j, N) s += A[(c * (2 * M + 1) + 2 * i + y) * (2 * N + 1) +
                                 2 * j + x] *
                               B[(o * M + i) * N + j];
      C[((o * 3 + c) * 3 + y) * 3 + x] = s;
    })
KERNEL(
    steps_padded, FOR(o, K) FOR(i, M) FOR(j, N) FOR(c, 3) WINDOW {
      AT(2 * i + y - 1, 2 * M, 2 * j + x - 1, 2 * N)
      C[((o * 3 + c) * 3 + y) * 3 + x] += A[(c * 2 * M + p) * 2 * N + q] *
                                          B[(o * M + i) * N + j];
    })
KERNEL(
    dilated, FOR(o, 15) FOR(c, 3) WINDOW {
      T s = 0;
      FOR(i, M) FOR(j, N) s += A[(c * (M + 4) + i + 2 * y) * (N + 4) + j +
                                 2 * x] *
                               B[(o * M + i) * N + j];
      C[((o * 3 + c) * 3 + y) * 3 + x] = s;
    })
KERNEL(
    five, FOR(o, 16) FOR(c, 2) FOR(y, 5) FOR(x, 5) {
      T s = 1;
      FOR(i, M) FOR(j, N) {
        AT(i + y - 2, M, j + x - 2, N)
        s += A[(c * M + p) * N + q] * B[(o * M + i) * N + j];
      }
      C[((o * 2 + c) * 5 + y) * 5 + x] = s;
    })
KERNEL(
    seven, FOR(o, 12) FOR(c, 2) FOR(y, 7) FOR(x, 7) {
      T s = 0;
      FOR(i, M) FOR(j, N) s += A[(c * (M + 6) + i + y) * (N + 6) + j + x] *
                               B[(o * M + i) * N + j];
      C[((o * 2 + c) * 7 + y) * 7 + x] -= s;
    })
KERNEL(
    one_channel, FOR(o, 16) WINDOW {
      T s = 0;
      FOR(i, M) FOR(j, N) s += A[(i + y) * (N + 2) + j + x] *
                               B[(o * M + i) * N + j];
      C[(o * 3 + y) * 3 + x] = s;
    })
KERNEL(
    columns, FOR(o, 16) FOR(c, 4) FOR(x, 3) {
      T s = 0;
      FOR(i, M) FOR(j, N) s += A[(c * M + i) * (N + 2) + j + x] *
                               B[(o * M + i) * N + j];
      C[(o * 4 + c) * 3 + x] = s;
    })
#undef WINDOW
#undef AT
#endif
