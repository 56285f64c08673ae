// Sums of products of bytes that a thread of a GPU adds up, for lanes.c: the bits of A
// and B are taken for integers, and C gets ints. X(name, elements of A, of B, of C,
// numbers in C). P(K): a pitch of rows that begin at multiples of four bytes.
#define P(K) (((K) + 3) / 4 * 4)
#define KERNELS(X)                                                             \
  X(dot_ss, P(K) / 4, P(K) / 4, 1, 0)                                          \
  X(dot_uu, P(K) / 4, P(K) / 4, 1, 0)                                          \
  X(dot_us, P(K) / 4, P(K) / 4, 1, 0)                                          \
  X(dot_su, P(K) / 4, P(K) / 4, 1, 0)                                          \
  X(dot_wraps, P(K) / 4, P(K) / 4, 1, 0)                                       \
  X(dot_behind, (P(K) + M) / 4 + 1, P(K) / 4, 1, 0)                            \
  X(dot_sizes, 25, 25, 1, 0)                                                   \
  X(of_row, P(K) * 5 / 4, P(K) * 5 / 4, 1, 0)                                  \
  X(rows, P(K) / 4, P(K) * M / 4, M, 0)                                        \
  X(rows_close, P(K) / 4, (K * M + 3) / 4, M, 0)                               \
  X(product, P(K) * M / 4, P(K) * N / 4, M *N, 0)                              \
  X(product_close, (K * M + 3) / 4, (K * N + 3) / 4, M *N, 0)                  \
  X(product_sizes, 5 * 27, 7 * 27, 35, 0)                                      \
  X(two_sums, P(K) / 4, P(K) / 4, 2, 0)                                        \
  X(product_columns, (K * M + 3) / 4, (K * N + 3) / 4, M *N, 0)                \
  X(dot_apart, P(K) / 2, P(K) / 4, 1, 0)                                       \
  X(dot_shorts, P(K) / 2, P(K) / 4, 1, 0)

#ifdef BUILD
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
#define AS(TA, TB)                                                             \
  const TA *a = (const TA *)A;                                                 \
  const TB *b = (const TB *)B;                                                 \
  int *c = (int *)C;
#define SUM(START, DEPTH, AT_A, AT_B, TO)                                      \
  {                                                                            \
    unsigned s = START;                                                        \
    FOR(k, DEPTH) s += (unsigned)(a[AT_A] * b[AT_B]);                          \
    TO = (int)s;                                                               \
  }
KERNEL(dot_ss, AS(s8, s8) SUM(0, K, k, k, c[0]))
KERNEL(dot_uu, AS(u8, u8) SUM(0, K, k, k, c[0]))
KERNEL(dot_us, AS(u8, s8) SUM(0, K, k, k, c[0]))
KERNEL(dot_su, AS(s8, u8) SUM(0, K, k, k, c[0]))
KERNEL(dot_wraps, AS(u8, u8) SUM(0xffffff00u, K, k, k, c[0]))
// A row that begins at a multiple or not: the loop as it was.
KERNEL(dot_behind, AS(s8, s8) if (K > 0 && M > 0) SUM(7, K, k + M, k, c[0]))
KERNEL(dot_sizes, AS(s8, s8) SUM(0, 99, k, k, c[0]))
// One of five rows of both sides, as the number of a thread says.
KERNEL(of_row, AS(s8, s8) int t = (L & 255) % 5; int p = P(K);
       if (K > 0) SUM(0, K, t *p + k, t *p + k, c[0]))
KERNEL(rows, AS(s8, s8) int p = P(K); if (K > 0) FOR(i, M)
           SUM((unsigned)c[i], K, k, i *p + k, c[i]))
KERNEL(rows_close,
       AS(s8, s8) if (K > 0) FOR(i, M) SUM(0, K, k, i *K + k, c[i]))
KERNEL(product, AS(u8, s8) int p = P(K); if (K > 0) FOR(i, M) FOR(j, N)
           SUM(0, K, i *p + k, j *p + k, c[i * N + j]))
KERNEL(product_close, AS(s8, u8) FOR(i, M) FOR(j, N)
           SUM(1, K, i *K + k, j *K + k, c[i * N + j]))
KERNEL(product_sizes, AS(s8, s8) FOR(i, 5) FOR(j, 7)
           SUM(1, 107, i * 108 + k, j * 108 + k, c[i * 7 + j]))
KERNEL(two_sums, AS(s8, s8) SUM(0, K, k, k, c[0]) SUM(3, K, k, k, c[1]))
// What has no such instruction: bytes that are apart, numbers of 16 bits.
KERNEL(product_columns, AS(s8, s8) FOR(i, M) FOR(j, N)
           SUM(0, K, i *K + k, k *N + j, c[i * N + j]))
KERNEL(dot_apart, AS(s8, s8) SUM(0, K, 2 * k, k, c[0]))
KERNEL(dot_shorts, AS(s16, s8) SUM(0, K, k, k, c[0]))
#endif
