// Updates of windows that overlap, for lanes.c: transposed convolutions and gradients of a
// convolution's input, that is C, in all orders of the loops, by steps, dilated, with
// borders by tests, at run time and known, channels in front and behind; and such whose
// elements meet in other ways. X(name, elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(data, K *M *N, K * 45, 5 * M *N, 1)                                        \
  X(data_known, 33 * 169, 33 * 81, 9 * 169, 1)                                 \
  X(data_outside, K *M *N, K * 45, 5 * M *N, 1)                                \
  X(data_filters, 5 * M *N, 5 * K * 9, K *M *N, 1)                             \
  X(twice, 3 * M *N, K * 27, K *(2 * M + 1) * (2 * N + 1), 1)                  \
  X(twice_padded, 3 * M *N, K * 48, K * 4 * M *N, 1)                           \
  X(twice_known, 6 * 100, 16 * 54, 16 * 400, 1)                                \
  X(twice_cut, 3 * M *N, K * 75, K *(2 * M - (M > 0)) * (2 * N + 3), 1)        \
  X(apart, 3 * M *N, K * 12, K * 4 * M *N, 1)                                  \
  X(steps, 2 * M *N, K * 18, K *(3 * M + 3) * (3 * N + 3), 1)                  \
  X(thrice, 2 * M *N, 50, 400 * (M * 3 + 2), 1)                                \
  X(behind, M *N * 7, K * 63, 4 * M *N *K, 1)                                  \
  X(behind_outside, M *N * 7, K * 63, M *N *K, 1)                              \
  X(batch, L % 4 * M *N * 3, 17 * 27, L % 4 * (2 * M + 1) * (2 * N + 1) * 17, 1) \
  X(row, 9 * N, 9 * K * 4, K *(2 * N + 2), 1)                                  \
  X(depthwise, K *M *N, K * 9, K *M *N, 1)                                     \
  X(dilated, 2 * M *N, K * 18, K *(M + 4) * (N + 4), 1)                        \
  X(biased, 4 * M *N, 36 * K, K *(M + 2) * (N + 2), 1)                         \
  X(overlapping, M *N, 9, (M + 2) * N + 2, 1)                                  \
  X(greatest, 2 * M *N, 18 * K, K *(M + 2) * (N + 2), 1)                       \
  X(wrapping, 200 * 5, 15, 104 * 8, 1)

#ifdef BUILD
#define POINTS FOR(y, M) FOR(x, N)
#define WINDOW(H, W) FOR(r, H) FOR(s, W)
#define AT(P, ROWS, Q, COLUMNS)                                                \
  int p = P, q = Q;                                                            \
  if (p >= 0 && p < ROWS && q >= 0 && q < COLUMNS)
KERNEL(
    data, FOR(k, K) POINTS FOR(c, 5) WINDOW(3, 3) {
      AT(y + r - 1, M, x + s - 1, N)
      C[(c * M + p) * N + q] +=
          A[(k * M + y) * N + x] * B[((k * 5 + c) * 3 + r) * 3 + s];
    })
KERNEL(
    data_known, FOR(k, 33) FOR(y, 13) FOR(x, 13) FOR(c, 9) WINDOW(3, 3) {
      AT(y + r - 1, 13, x + s - 1, 13)
      C[(c * 13 + p) * 13 + q] +=
          A[(k * 13 + y) * 13 + x] * B[((k * 9 + c) * 3 + r) * 3 + s];
    })
// Windows in front: an element's sum has another order.
KERNEL(
    data_outside, FOR(r, 3) FOR(k, K) FOR(y, M) FOR(s, 3) FOR(c, 5) FOR(x, N) {
      AT(y + r - 1, M, x + s - 1, N)
      C[(c * M + p) * N + q] +=
          A[(k * M + y) * N + x] * B[((k * 5 + c) * 3 + r) * 3 + s];
    })
KERNEL(
    data_filters, FOR(k, K) FOR(c, 5) POINTS WINDOW(3, 3) {
      AT(y + r - 1, M, x + s - 1, N)
      C[(k * M + p) * N + q] +=
          A[(c * M + y) * N + x] * B[((c * K + k) * 3 + r) * 3 + s];
    })
KERNEL(
    twice, int rows = 2 * M + 1, columns = 2 * N + 1;
    FOR(c, 3) POINTS FOR(k, K)
        WINDOW(3, 3) C[(k * rows + 2 * y + r) * columns + 2 * x + s] +=
    A[(c * M + y) * N + x] * B[((c * K + k) * 3 + r) * 3 + s];)
KERNEL(
    twice_padded, int rows = 2 * M, columns = 2 * N;
    FOR(c, 3) POINTS FOR(k, K) WINDOW(4, 4) {
      AT(2 * y + r - 1, rows, 2 * x + s - 1, columns)
      C[(k * rows + p) * columns + q] +=
          A[(c * M + y) * N + x] * B[((c * K + k) * 4 + r) * 4 + s];
    })
KERNEL(
    twice_known, FOR(c, 6) FOR(y, 10) FOR(x, 10) FOR(k, 16) WINDOW(3, 3) {
      AT(2 * y + r - 1, 20, 2 * x + s - 1, 20)
      C[(k * 20 + p) * 20 + q] +=
          A[(c * 10 + y) * 10 + x] * B[((c * 16 + k) * 3 + r) * 3 + s];
    })
// Some rows are not reached, and of others not all columns.
KERNEL(
    twice_cut, int rows = 2 * M - (M > 0), columns = 2 * N + 3;
    FOR(k, K) FOR(c, 3) POINTS WINDOW(5, 5) {
      AT(2 * y + r - 2, rows, 2 * x + s, columns)
      C[(k * rows + p) * columns + q] +=
          A[(c * M + y) * N + x] * B[((c * K + k) * 5 + r) * 5 + s];
    })
KERNEL(
    apart, FOR(c, 3) POINTS FOR(k, K) WINDOW(2, 2)
               C[(k * 2 * M + 2 * y + r) * 2 * N + 2 * x + s] +=
           A[(c * M + y) * N + x] * B[((c * K + k) * 2 + r) * 2 + s];)
// Steps that the kernel does not know.
KERNEL(
    steps, int step = 1 + L % 3, pad = L % 2; int rows = (M - 1) * step + 3 - 2 * pad,
    columns = (N - 1) * step + 3 - 2 * pad;
    FOR(c, 2) POINTS FOR(k, K) WINDOW(3, 3) {
      AT(y * step + r - pad, rows, x * step + s - pad, columns)
      C[(k * rows + p) * columns + q] +=
          A[(c * M + y) * N + x] * B[((c * K + k) * 3 + r) * 3 + s];
    })
KERNEL(
    thrice, if (N < 132) FOR(c, 2) POINTS WINDOW(5, 5)
                C[(3 * y + r) * 400 + 3 * x + s] +=
            A[(c * M + y) * N + x] * B[(c * 5 + r) * 5 + s];)
KERNEL(
    behind, int rows = 2 * M, columns = 2 * N;
    POINTS FOR(c, 7) WINDOW(3, 3) FOR(k, K) {
      AT(2 * y + r - 1, rows, 2 * x + s - 1, columns)
      C[(p * columns + q) * K + k] +=
          A[(y * N + x) * 7 + c] * B[((k * 3 + r) * 3 + s) * 7 + c];
    })
KERNEL(
    behind_outside, WINDOW(3, 3) POINTS FOR(c, 7) FOR(k, K) {
      AT(y + r - 1, M, x + s - 1, N)
      C[(p * N + q) * K + k] +=
          A[(y * N + x) * 7 + c] * B[((r * 3 + s) * 7 + c) * K + k];
    })
KERNEL(
    batch, FOR(b, L % 4) POINTS FOR(c, 3) WINDOW(3, 3)
               FOR(k, 17) C[((b * (2 * M + 1) + 2 * y + r) * (2 * N + 1) +
                             2 * x + s) *
                                17 +
                            k] +=
           A[((b * M + y) * N + x) * 3 + c] * B[((k * 3 + r) * 3 + s) * 3 + c];)
KERNEL(
    row, FOR(k, K) FOR(c, 9) FOR(x, N)
             FOR(s, 4) C[k * (2 * N + 2) + 2 * x + s] +=
         A[c * N + x] * B[(c * K + k) * 4 + s];)
KERNEL(
    depthwise, FOR(k, K) POINTS WINDOW(3, 3) {
      AT(y + r - 1, M, x + s - 1, N)
      C[(k * M + p) * N + q] +=
          A[(k * M + y) * N + x] * B[(k * 3 + r) * 3 + s];
    })
KERNEL(
    dilated, FOR(c, 2) POINTS FOR(k, K) WINDOW(3, 3)
                 C[(k * (M + 4) + y + 2 * r) * (N + 4) + x + 2 * s] +=
             A[(c * M + y) * N + x] * B[((c * K + k) * 3 + r) * 3 + s];)
KERNEL(
    biased, FOR(k, K) {
      FOR(i, (M + 2) * (N + 2)) C[k * (M + 2) * (N + 2) + i] = B[k];
      FOR(c, 4) POINTS WINDOW(3, 3)
          C[(k * (M + 2) + y + r) * (N + 2) + x + s] +=
          A[(c * M + y) * N + x] * B[((c * K + k) * 3 + r) * 3 + s];
    })
// Rows of the result go on in the next one.
KERNEL(
    overlapping, POINTS WINDOW(3, 3) C[(y + r) * N + x + s] +=
                 A[y * N + x] * B[r * 3 + s];)
// No sum, but the order is as important.
KERNEL(
    greatest, FOR(c, 2) POINTS FOR(k, K) WINDOW(3, 3) {
      T v = A[(c * M + y) * N + x] * B[((c * K + k) * 3 + r) * 3 + s];
      T *to = &C[(k * (M + 2) + y + r) * (N + 2) + x + s];
      *to = *to / 2 > v ? *to / 2 : v;
    })
// Rows from 128 on are the first ones again.
KERNEL(
    wrapping, for (unsigned char y = 0; y < 150 + L % 50; y++) FOR(x, 5)
                  WINDOW(5, 3) {
                    unsigned char p = 2 * y + r;
                    if (p < 104)
                      C[p * 8 + x + s] += A[y * 5 + x] * B[r * 3 + s];
                  })
#endif
