// Products of bytes with zero points of rows and columns, for lanes.c: the bits of A and B
// are taken for integers, and C gets ints. X(name, elements of A, of B, of C, numbers in C).
// Behind A and B are zero points, where the source reads any: of 32 bits, all of them, or
// of 8.
#define ELEMENTS(COUNT, BYTES) (((COUNT) * BYTES + 3) / 4)
#define READ(COUNT) ((K) > 0 && (M) > 0 && (N) > 0 ? (COUNT) : 0)
#define OF(X, NAME)                                                            \
  X(nn_##NAME, ELEMENTS(M *K, 1) + READ(M), ELEMENTS(K *N, 1) + READ(N),       \
    M *N, 0)                                                                   \
  X(nt_##NAME, ELEMENTS(M *K, 1) + READ(M), ELEMENTS(K *N, 1) + READ(N),       \
    M *N, 0)
#define KERNELS(X)                                                             \
  OF(X, tensor)                                                                \
  OF(X, row)                                                                   \
  OF(X, row_outside)                                                           \
  OF(X, row_added)                                                             \
  OF(X, column)                                                                \
  OF(X, column_outside)                                                        \
  OF(X, both)                                                                  \
  OF(X, both_outside)                                                          \
  OF(X, both_bytes)                                                            \
  OF(X, both_started)                                                          \
  OF(X, row_and_tensor)                                                        \
  OF(X, row_to_bytes)                                                          \
  OF(X, of_terms)                                                              \
  OF(X, where_stored)

#ifdef BUILD
typedef int8_t s8;
typedef uint8_t u8;
#define POSITIVE(X) ((X) > 0 ? (X) : 0)
#define BOTH(NAME, TA, TB, START, FACTOR_A, FACTOR_B, ...)                     \
  FORM(nn_##NAME, TA, TB, START, k *N + j, FACTOR_A, FACTOR_B, __VA_ARGS__)    \
  FORM(nt_##NAME, TA, TB, START, j *K + k, FACTOR_A, FACTOR_B, __VA_ARGS__)
#define FORM(NAME, TA, TB, START, AT_B, FACTOR_A, FACTOR_B, ...)               \
  KERNEL(                                                                      \
      NAME, const TA *a = (const TA *)A; const TB *b = (const TB *)B;          \
      int *c = (int *)C;                                                       \
      const int *za = (const int *)A + ELEMENTS(POSITIVE(M) * POSITIVE(K), 1); \
      const int *zb = (const int *)B + ELEMENTS(POSITIVE(K) * POSITIVE(N), 1); \
      const u8 *ua = (const u8 *)za; const s8 *ub = (const s8 *)zb; (void)za;  \
      (void)zb; (void)ua; (void)ub; FOR(i, M) FOR(j, N) {                      \
        unsigned s = START;                                                    \
        FOR(k, K) {                                                            \
          int x = a[i * K + k], y = b[AT_B];                                   \
          s += (unsigned)(FACTOR_A) * (unsigned)(FACTOR_B);                    \
        }                                                                      \
        __VA_ARGS__;                                                           \
      })
#define TO c[i * N + j] = (int)s
#define MINUS(X, Y) ((unsigned)(X) - (unsigned)(Y))
BOTH(tensor, u8, s8, 0, MINUS(x, za[0]), MINUS(y, zb[0]), TO)
BOTH(row, u8, s8, 0, MINUS(x, za[i]), y, TO)
BOTH(row_added, s8, u8, 0, (unsigned)x + (unsigned)za[i], y, TO)
BOTH(column, u8, s8, 0, x, MINUS(y, zb[j]), TO)
BOTH(both, s8, s8, 0, MINUS(x, za[i]), MINUS(y, zb[j]), TO)
BOTH(both_bytes, u8, s8, 0, x - ua[i], y - ub[j], TO)
BOTH(both_started, u8, u8, (unsigned)c[i * N + j], MINUS(x, za[i]),
     MINUS(y, zb[j]), TO)
BOTH(row_and_tensor, u8, s8, 0, MINUS(x, za[i]), y - 7, TO)
BOTH(row_to_bytes, u8, s8, 3, MINUS(x, za[i]), y,
     ((u8 *)C)[i * N + j] = (u8)(s >> 9))
// Other zero points for each term, and such that are written: loops as they were.
BOTH(of_terms, u8, s8, 0, MINUS(x, za[k % POSITIVE(M)]), y, TO)
BOTH(where_stored, u8, s8, 0, MINUS(x, c[i]), y, TO)
#undef FORM
#define FORM(NAME, TA, TB, START, AT_B, FACTOR_A, FACTOR_B, ...)               \
  KERNEL(                                                                      \
      NAME, const TA *a = (const TA *)A; const TB *b = (const TB *)B;          \
      int *c = (int *)C;                                                       \
      const int *za = (const int *)A + ELEMENTS(POSITIVE(M) * POSITIVE(K), 1); \
      const int *zb = (const int *)B + ELEMENTS(POSITIVE(K) * POSITIVE(N), 1); \
      if (K > 0) FOR(i, M) FOR(j, N) {                                         \
        unsigned s = START;                                                    \
        int p = za[i], q = zb[j];                                              \
        FOR(k, K) {                                                            \
          int x = a[i * K + k], y = b[AT_B];                                   \
          s += (unsigned)(FACTOR_A) * (unsigned)(FACTOR_B);                    \
        }                                                                      \
        (void)p;                                                               \
        (void)q;                                                               \
        __VA_ARGS__;                                                           \
      })
BOTH(row_outside, u8, s8, 0, MINUS(x, p), y, TO)
BOTH(column_outside, u8, s8, 0, x, MINUS(y, q), TO)
BOTH(both_outside, u8, s8, 0, MINUS(x, p), MINUS(y, q), TO)
#endif
