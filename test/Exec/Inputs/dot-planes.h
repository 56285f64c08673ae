// Convolutions of narrow integers with channels in front for lanes.c: the bits of A and B are
// taken for integers. X(name, elements of A, of B, of C, numbers in C).
#define ELEMENTS(COUNT, BYTES) (((COUNT) * BYTES + 3) / 4)
#define OF(X, NAME, A, B)                                                      \
  X(padded_##NAME, ELEMENTS(K *M *N, A), ELEMENTS(9 * K * 19, B), 19 * M *N, 0)
#define KERNELS(X)                                                             \
  OF(X, u8s8, 1, 1)                                                            \
  OF(X, s8u8, 1, 1)                                                            \
  OF(X, s8s8, 1, 1)                                                            \
  OF(X, u8u8, 1, 1)                                                            \
  OF(X, s16s16, 2, 2)                                                          \
  OF(X, s8s16, 1, 2)                                                           \
  X(requantized, ELEMENTS(K *M *N, 1), ELEMENTS(9 * K * L, 1) + L,             \
    ELEMENTS(L *M *N, 1), 0)                                                   \
  X(whole, ELEMENTS(K *(M + 2) * (N + 2), 1), ELEMENTS(9 * K * 5, 1),          \
    5 * M *N, 0)                                                               \
  X(channel_inside, ELEMENTS(K *M *N, 1), ELEMENTS(9 * K * 18, 1), 18 * M *N,  \
    0)                                                                         \
  X(deep, ELEMENTS(20 * K *M *N, 1), ELEMENTS(9 * 20 * K * 4, 1), 4 * M *N, 0) \
  X(row_steps, ELEMENTS(K * 2 * M *N, 1), ELEMENTS(9 * K * 8, 1), 8 * M *N, 0) \
  X(dilated, ELEMENTS(K *M *N, 1), ELEMENTS(9 * K * 8, 1), 8 * M *N, 0)        \
  X(line, ELEMENTS(K *N, 1), ELEMENTS(5 * K *M, 1), M *N, 0)                   \
  X(column, ELEMENTS(K *M *N, 1), ELEMENTS(3 * K * 8, 1), 8 * M *N, 0)         \
  X(batch, ELEMENTS(L *K *M *N, 1), ELEMENTS(9 * K * 8, 1), L * 8 * M *N, 0)   \
  X(sizes, ELEMENTS(20 * 14 * 28, 1), ELEMENTS(9 * 20 * 33, 1), 33 * 14 * 28,  \
    0)                                                                         \
  X(signed_sizes, ELEMENTS(24 * 9 * 70, 1), ELEMENTS(9 * 24 * 16, 1),          \
    16 * 9 * 70, 0)                                                            \
  X(weights_offset, ELEMENTS(K *M *N, 1), ELEMENTS(9 * K * 8, 1), 8 * M *N, 0)

#ifdef BUILD
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
#define AS(TA, TB)                                                             \
  const TA *a = (const TA *)A;                                                 \
  const TB *b = (const TB *)B;                                                 \
  int *c = (int *)C;                                                           \
  (void)c;
// The sums of one point; at a border of 1 what is outside is left out.
#define INSIDE(H, W, ROWS, COLUMNS)                                            \
  if (H >= 0 && H < ROWS && W >= 0 && W < COLUMNS)
#define SUM(CHANNELS, ROWS, COLUMNS)                                           \
  FOR(k, CHANNELS) FOR(r, 3) FOR(q, 3) {                                       \
    int h = y + r - 1, w = x + q - 1;                                          \
    INSIDE(h, w, ROWS, COLUMNS)                                                \
    s += (unsigned)(a[(k * ROWS + h) * COLUMNS + w] *                          \
                    b[((f * CHANNELS + k) * 3 + r) * 3 + q]);                  \
  }
#define PADDED(FILTERS, CHANNELS, ROWS, COLUMNS)                               \
  FOR(f, FILTERS) FOR(y, ROWS) FOR(x, COLUMNS) {                               \
    unsigned s = 3;                                                            \
    SUM(CHANNELS, ROWS, COLUMNS)                                               \
    c[(f * ROWS + y) * COLUMNS + x] = (int)s;                                  \
  }
KERNEL(padded_u8s8, AS(u8, s8) PADDED(19, K, M, N))
KERNEL(padded_s8u8, AS(s8, u8) PADDED(19, K, M, N))
KERNEL(padded_s8s8, AS(s8, s8) PADDED(19, K, M, N))
KERNEL(padded_u8u8, AS(u8, u8) PADDED(19, K, M, N))
KERNEL(padded_s16s16, AS(s16, s16) PADDED(19, K, M, N))
KERNEL(padded_s8s16, AS(s8, s16) PADDED(19, K, M, N))
KERNEL(
    requantized, AS(u8, s8) s8 *to = (s8 *)C;
    const int *bias = (const int *)(B + ELEMENTS(9 * K * L, 1));
    FOR(f, L) FOR(y, M) FOR(x, N) {
      unsigned s = (unsigned)bias[f];
      SUM(K, M, N)
      int t = (int)s >> 9;
      t = t < -128 ? -128 : t;
      to[(f * M + y) * N + x] = (s8)(t > 127 ? 127 : t);
    })
// No border. What the source adds does not wrap around.
KERNEL(
    whole, AS(u8, s8) FOR(f, 5) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3)
          s += a[(k * (M + 2) + y + r) * (N + 2) + x + q] *
               b[((f * K + k) * 3 + r) * 3 + q];
      c[(f * M + y) * N + x] = s;
    })
KERNEL(
    channel_inside, AS(u8, s8) FOR(y, M) FOR(f, 18) FOR(x, N) {
      int s = 0;
      FOR(r, 3) FOR(q, 3) {
        int h = y + r - 1, w = x + q - 1;
        FOR(k, K) INSIDE(h, w, M, N)
        s += a[(k * M + h) * N + w] * b[((f * K + k) * 3 + r) * 3 + q];
      }
      c[(f * M + y) * N + x] = s;
    })
KERNEL(deep, AS(u8, s8) PADDED(4, 20 * K, M, N))
KERNEL(
    row_steps, AS(u8, s8) FOR(f, 8) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3) {
        int h = 2 * y + r - 1, w = x + q - 1;
        INSIDE(h, w, 2 * M, N)
        s += a[(k * 2 * M + h) * N + w] * b[((f * K + k) * 3 + r) * 3 + q];
      }
      c[(f * M + y) * N + x] = s;
    })
KERNEL(
    dilated, AS(u8, s8) FOR(f, 8) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3) {
        int h = y + 2 * r - 2, w = x + 2 * q - 2;
        INSIDE(h, w, M, N)
        s += a[(k * M + h) * N + w] * b[((f * K + k) * 3 + r) * 3 + q];
      }
      c[(f * M + y) * N + x] = s;
    })
KERNEL(
    line, AS(u8, s8) FOR(f, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(q, 5) {
        int w = x + q - 2;
        if (w >= 0 && w < N)
          s += a[k * N + w] * b[(f * K + k) * 5 + q];
      }
      c[f * N + x] = s;
    })
// Columns are no window: lanes are rows of a product.
KERNEL(
    column, AS(u8, s8) FOR(f, 8) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) {
        int h = y + r - 1;
        if (h >= 0 && h < M)
          s += a[(k * M + h) * N + x] * b[(f * K + k) * 3 + r];
      }
      c[(f * M + y) * N + x] = s;
    })
KERNEL(
    batch, AS(u8, s8) FOR(l, L) FOR(f, 8) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3) {
        int h = y + r - 1, w = x + q - 1;
        INSIDE(h, w, M, N)
        s += a[((l * K + k) * M + h) * N + w] *
             b[((f * K + k) * 3 + r) * 3 + q];
      }
      c[((l * 8 + f) * M + y) * N + x] = s;
    })
KERNEL(sizes, AS(u8, s8) PADDED(33, 20, 14, 28))
KERNEL(signed_sizes, AS(s8, s8) PADDED(16, 24, 9, 70))
KERNEL(
    weights_offset, AS(u8, u8) FOR(f, 8) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3) {
        int h = y + r - 1, w = x + q - 1;
        INSIDE(h, w, M, N)
        s += a[(k * M + h) * N + w] *
             (b[((f * K + k) * 3 + r) * 3 + q] - 77);
      }
      c[(f * M + y) * N + x] = s;
    })
#endif
