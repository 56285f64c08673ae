// Sums of products of narrow integers for lanes.c: the bits of A and B are taken for
// integers, and C gets ints. X(name, elements of A, of B, of C, numbers in C).
#define ELEMENTS(COUNT, BYTES) (((COUNT) * BYTES + 3) / 4)
#define OF(X, NAME, A, B)                                                      \
  X(nn_##NAME, ELEMENTS(M *K, A), ELEMENTS(K *N, B), M *N, 0)                  \
  X(nt_##NAME, ELEMENTS(M *K, A), ELEMENTS(K *N, B), M *N, 0)
#define KERNELS(X)                                                             \
  OF(X, u8s8, 1, 1)                                                            \
  OF(X, s8u8, 1, 1)                                                            \
  OF(X, s8s8, 1, 1)                                                            \
  OF(X, u8u8, 1, 1)                                                            \
  OF(X, s16s16, 2, 2)                                                          \
  OF(X, s8s16, 1, 2)                                                           \
  OF(X, s16u8, 2, 1)                                                           \
  OF(X, u16s8, 2, 1)                                                           \
  X(added, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1), M *N, 0)                      \
  X(biased, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1) + N, M *N, 0)                 \
  X(unsigned_sum, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1), M *N, 0)               \
  X(long_sum, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1), 2 * M *N, 0)               \
  X(requantized, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1) + N, ELEMENTS(M *N, 1),  \
    0)                                                                         \
  X(offset, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1), ELEMENTS(M *N, 1), 0)        \
  X(bytes_nt, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1), ELEMENTS(M *N, 1), 0)      \
  X(bytes_sizes, ELEMENTS(37 * 70, 1), ELEMENTS(70 * 33, 1),                   \
    ELEMENTS(37 * 33, 1), 0)                                                   \
  X(floats, ELEMENTS(M *K, 1), ELEMENTS(K *N, 1) + N, M *N, 0)                 \
  X(deep, ELEMENTS(M * 20 * K, 1), ELEMENTS(20 * K *N, 1), M *N, 0)            \
  X(shallow, ELEMENTS(M * 3, 1), ELEMENTS(3 * N, 1), M *N, 0)                  \
  X(pitched, ELEMENTS(M *(K + 3), 1), ELEMENTS(K *(N + 5), 1), M *(N + 1), 0)  \
  X(batch, ELEMENTS(L *M *K, 1), ELEMENTS(L *K *N, 1), L *M *N, 0)             \
  X(square, ELEMENTS(M *K, 2), 0, M *M, 0)                                     \
  X(sizes, ELEMENTS(24 * 70, 1), ELEMENTS(70 * 33, 1), 24 * 33, 0)             \
  X(pointwise, ELEMENTS(M *N *K, 1), ELEMENTS(19 * K, 1), 19 * M *N, 0)        \
  X(conv_hwio, ELEMENTS(M *N *K, 1), ELEMENTS(9 * K * 18, 1), 18 * M *N, 0)    \
  X(conv_ohwi, ELEMENTS(M *N *K, 1), ELEMENTS(9 * K * 18, 1), 18 * M *N, 0)    \
  X(conv_front, ELEMENTS(K *(M + 2) * (N + 2), 1), ELEMENTS(9 * K * 5, 1),     \
    5 * M *N, 0)                                                               \
  X(conv_planes, ELEMENTS(K *M *N, 1), ELEMENTS(9 * K * 21, 2), 21 * M *N, 0)  \
  X(each_behind, ELEMENTS(M *N * 18, 1), ELEMENTS(9 * 18, 1) + 18,             \
    ELEMENTS(18 * M *N, 1), 0)                                                 \
  X(each_front, ELEMENTS(K *M *N, 2), ELEMENTS(9 * K, 1), K *M *N, 0)          \
  X(most, ELEMENTS(K *M *N, 2), 0, K *M *N, 0)

#ifdef BUILD
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t u16;
#define AS(TA, TB)                                                             \
  const TA *a = (const TA *)A;                                                 \
  const TB *b = (const TB *)B;                                                 \
  int *c = (int *)C;                                                           \
  (void)c;
#define PRODUCT(START, ROWS, COLUMNS, DEPTH, AT_A, AT_B, AT_C)                 \
  FOR(i, ROWS) FOR(j, COLUMNS) {                                               \
    int s = START;                                                             \
    FOR(k, DEPTH) s += a[AT_A] * b[AT_B];                                      \
    c[AT_C] = s;                                                               \
  }
#define BOTH(NAME, TA, TB)                                                     \
  KERNEL(nn_##NAME,                                                            \
         AS(TA, TB) PRODUCT(0, M, N, K, i *K + k, k *N + j, i *N + j))         \
  KERNEL(nt_##NAME,                                                            \
         AS(TA, TB) PRODUCT(0, M, N, K, i *K + k, j *K + k, i *N + j))
BOTH(u8s8, u8, s8)
BOTH(s8u8, s8, u8)
BOTH(s8s8, s8, s8)
BOTH(u8u8, u8, u8)
BOTH(s16s16, s16, s16)
BOTH(s8s16, s8, s16)
BOTH(s16u8, s16, u8)
BOTH(u16s8, u16, s8)
// Sums that start anywhere wrap around.
KERNEL(
    added, AS(s8, s8) FOR(i, M) FOR(j, N) {
      unsigned s = (unsigned)c[i * N + j];
      FOR(k, K) s += (unsigned)(a[i * K + k] * b[k * N + j]);
      c[i * N + j] = (int)s;
    })
KERNEL(biased, AS(u8, s8) const int *bias = (const int *)(B + ELEMENTS(K * N, 1));
       if (K > 0 && N > 0) PRODUCT(bias[j], M, N, K, i *K + k, k *N + j,
                                   i *N + j))
KERNEL(
    unsigned_sum, AS(u8, s8) FOR(i, M) FOR(j, N) {
      unsigned s = 5;
      FOR(k, K) s += (unsigned)a[i * K + k] * (unsigned)b[j * K + k];
      c[i * N + j] = (int)s;
    })
KERNEL(
    long_sum, AS(u8, s8) int64_t *to = (int64_t *)C; FOR(i, M) FOR(j, N) {
      int64_t s = 0;
      FOR(k, K) s += (int64_t)a[i * K + k] * b[j * K + k];
      to[i * N + j] = s;
    })
// What is stored is of another type: sums cannot wait there.
KERNEL(
    requantized, AS(u8, s8) u8 *to = (u8 *)C;
    const int *bias = (const int *)(B + ELEMENTS(K * N, 1));
    if (K > 0 && N > 0) FOR(i, M) FOR(j, N) {
      int s = bias[j];
      FOR(k, K) s += a[i * K + k] * b[k * N + j];
      s = (s >> 7) + 128;
      to[i * N + j] = s < 0 ? 0 : s > 255 ? 255 : s;
    })
#define BYTES(ROWS, COLUMNS, DEPTH, FACTOR)                                     \
  u8 *to = (u8 *)C;                                                            \
  FOR(i, ROWS) FOR(j, COLUMNS) {                                               \
    int s = 77;                                                                \
    FOR(k, DEPTH) s += FACTOR * b[j * DEPTH + k];                              \
    s = (s >> 6) + 128;                                                        \
    to[i * COLUMNS + j] = s < 0 ? 0 : s > 255 ? 255 : s;                       \
  }
KERNEL(offset, AS(u8, s8) BYTES(M, N, K, (a[i * K + k] - 3)))
KERNEL(bytes_nt, AS(u8, s8) BYTES(M, N, K, a[i * K + k]))
KERNEL(bytes_sizes, AS(u8, s8) BYTES(37, 33, 70, a[i * 70 + k]))
KERNEL(
    floats, AS(s8, s8) const float *scale = B + ELEMENTS(K * N, 1);
    if (K > 0 && N > 0) FOR(i, M) FOR(j, N) {
      int s = 0;
      FOR(k, K) s += a[i * K + k] * b[k * N + j];
      float x = (float)s * 1e-4f;
      C[i * N + j] = x > 0 ? x * 0.5f : x;
      (void)scale;
    })
// Several blocks.
KERNEL(deep,
       AS(u8, s8) PRODUCT(0, M, N, 20 * K, i * 20 * K + k, k *N + j, i *N + j))
KERNEL(shallow, AS(s8, s8) PRODUCT(0, M, N, 3, i * 3 + k, k *N + j, i *N + j))
KERNEL(pitched, AS(s8, s8) PRODUCT(0, M, N, K, i *(K + 3) + k, k *(N + 5) + j,
                                   i *(N + 1) + j))
KERNEL(
    batch, AS(u8, s8) FOR(l, L) {
      PRODUCT(0, M, N, K, (l * M + i) * K + k, (l * K + k) * N + j,
              (l * M + i) * N + j)
    })
KERNEL(square, const s16 *a = (const s16 *)A, *b = a; int *c = (int *)C;
       PRODUCT(0, M, M, K, i *K + k, j *K + k, i *M + j))
KERNEL(sizes, AS(u8, s8) PRODUCT(0, 24, 33, 70, i * 70 + k, j * 70 + k,
                                 i * 33 + j))
KERNEL(
    pointwise, AS(u8, s8) FOR(y, M) FOR(x, N) FOR(f, 19) {
      int s = 0;
      FOR(k, K) s += a[(y * N + x) * K + k] * b[f * K + k];
      c[(y * N + x) * 19 + f] = s;
    })
#define CONVOLUTION(AT)                                                        \
  FOR(y, M) FOR(x, N) FOR(f, 18) {                                             \
    int s = 0;                                                                 \
    FOR(r, 3) FOR(q, 3) FOR(k, K) {                                            \
      int h = y + r - 1, w = x + q - 1;                                        \
      if (h >= 0 && h < M && w >= 0 && w < N)                                  \
        s += a[(h * N + w) * K + k] * b[AT];                                   \
    }                                                                          \
    c[(y * N + x) * 18 + f] = s;                                               \
  }
KERNEL(conv_hwio, AS(u8, s8) CONVOLUTION(((r * 3 + q) * K + k) * 18 + f))
KERNEL(conv_ohwi, AS(s8, s8) CONVOLUTION(((f * 3 + r) * 3 + q) * K + k))
KERNEL(
    conv_front, AS(u8, s8) FOR(f, 5) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3)
          s += a[(k * (M + 2) + y + r) * (N + 2) + x + q] *
               b[((f * K + k) * 3 + r) * 3 + q];
      c[(f * M + y) * N + x] = s;
    })
// Windows of planes (dot-planes.h has more of them), and such without instructions.
#define IF_INSIDE                                                              \
  int h = y + r - 1, w = x + q - 1;                                            \
  if (h >= 0 && h < M && w >= 0 && w < N)
KERNEL(
    conv_planes, AS(s8, s16) FOR(f, 21) FOR(y, M) FOR(x, N) {
      unsigned s = 3;
      FOR(k, K) FOR(r, 3) FOR(q, 3) {
        IF_INSIDE s += (unsigned)(a[(k * M + h) * N + w] *
                                  b[((f * K + k) * 3 + r) * 3 + q]);
      }
      c[(f * M + y) * N + x] = (int)s;
    })
KERNEL(
    each_behind, AS(u8, s8) s8 *to = (s8 *)C;
    const int *bias = (const int *)(B + ELEMENTS(9 * 18, 1));
    FOR(y, M) FOR(x, N) FOR(f, 18) {
      int s = 0;
      FOR(r, 3) FOR(q, 3) {
        IF_INSIDE s += (a[(h * N + w) * 18 + f] - 4) * b[(r * 3 + q) * 18 + f];
      }
      s = (int)((unsigned)s + (unsigned)bias[f]) >> 9;
      s = s < -128 ? -128 : s;
      to[(y * N + x) * 18 + f] = (s8)(s > 127 ? 127 : s);
    })
KERNEL(
    each_front, AS(s16, u8) FOR(k, K) FOR(y, M) FOR(x, N) {
      int s = 0;
      FOR(r, 3) FOR(q, 3) {
        IF_INSIDE s += a[(k * M + h) * N + w] * b[(k * 3 + r) * 3 + q];
      }
      c[(k * M + y) * N + x] = s;
    })
KERNEL(
    most, const s16 *a = (const s16 *)A; int *c = (int *)C;
    FOR(k, K) FOR(y, M) FOR(x, N) {
      int s = -40000;
      FOR(r, 3) FOR(q, 3) {
        IF_INSIDE {
          int v = a[(k * M + h) * N + w];
          s = v > s ? v : s;
        }
      }
      c[(k * M + y) * N + x] = s;
    })
#endif
