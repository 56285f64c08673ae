// Extrema of integers, their positions, and sums of columns for lanes.c: the bits
// of A are taken for integers, and C gets ints or longs.
#define OF(X, BYTES)                                                           \
  X(argmax_##BYTES, (M * N * BYTES + 3) / 4, 0, 4, 0)                          \
  X(argmin_unsigned_##BYTES, (M * N * BYTES + 3) / 4, 0, 4, 0)                 \
  X(argmax_last_##BYTES, (M * N * BYTES + 3) / 4, 0, 4, 0)                     \
  X(argmax_limit_##BYTES, (M * N * BYTES + 3) / 4, 0, 4, 0)                    \
  X(argmax_even_##BYTES, (M * N * BYTES + 3) / 4, 0, 4, 0)                     \
  X(position_##BYTES, (M * N * BYTES + 3) / 4, 0, 2, 0)                        \
  X(position_last_##BYTES, (M * N * BYTES + 3) / 4, 0, 2, 0)                   \
  X(row_position_##BYTES, (M * N * BYTES + 3) / 4, 0, M, 0)                    \
  X(row_argmax_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * M, 0)                  \
  X(row_argmin_unsigned_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * M, 0)         \
  X(column_argmax_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)               \
  X(column_argmin_unsigned_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)      \
  X(column_argmax_last_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)          \
  X(column_max_##BYTES, (M * N * BYTES + 3) / 4, 0, (N * BYTES + 3) / 4, 0)    \
  X(column_min_unsigned_##BYTES, (M * N * BYTES + 3) / 4, 0,                   \
    (N * BYTES + 3) / 4, 0)                                                    \
  X(column_spread_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)               \
  X(column_sum_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)                  \
  X(column_sum_unsigned_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)         \
  X(column_mean_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)                 \
  X(column_sum_above_##BYTES, (M * N * BYTES + 3) / 4, 0, 2 * N, 0)
#define KERNELS(X) OF(X, 1) OF(X, 2) OF(X, 4) OF(X, 8)

#ifdef BUILD
typedef int8_t i1;
typedef int16_t i2;
typedef int32_t i4;
typedef int64_t i8;
typedef uint8_t u1;
typedef uint16_t u2;
typedef uint32_t u4;
typedef uint64_t u8;

// The first (OP is strict) or the last position in a row, beginning with START;
// I counts COUNT elements E.
#define POSITION(TY, START, I, COUNT, E, OP)                                   \
  TY best = START;                                                             \
  int at = -1;                                                                 \
  FOR(I, COUNT) if (E OP best) {                                               \
    best = E;                                                                  \
    at = I;                                                                    \
  }
#define FOUND ((int64_t)best << 8 ^ at)
#define ALL (M > 0 && N > 0 ? M * N : 0)
#define ARG(NAME, TY, START, OP)                                               \
  KERNEL(                                                                      \
      NAME, const TY *X = (const TY *)A;                                       \
      POSITION(TY, START, i, ALL, X[i], OP)((int64_t *)C)[0] = at;             \
      ((int64_t *)C)[1] = (int64_t)best;)
#define ROW_ARG(NAME, TY, START, OP)                                           \
  KERNEL(                                                                      \
      NAME, const TY *X = (const TY *)A; FOR(i, M) {                           \
        POSITION(TY, START, j, N, X[i * N + j], OP)                            \
        ((int64_t *)C)[i] = FOUND;                                             \
      })
#define COLUMN_ARG(NAME, TY, START, OP)                                        \
  KERNEL(                                                                      \
      NAME, const TY *X = (const TY *)A; FOR(j, N) {                           \
        POSITION(TY, START, i, M, X[i * N + j], OP)                            \
        ((int64_t *)C)[j] = FOUND;                                             \
      })
#define COLUMN(NAME, TY, STATE, START, STEP, OUT)                              \
  KERNEL(                                                                      \
      NAME, const TY *X = (const TY *)A; FOR(j, N) {                           \
        STATE s = START;                                                       \
        FOR(i, M) {                                                            \
          TY x = X[i * N + j];                                                 \
          STEP;                                                                \
        }                                                                      \
        OUT;                                                                   \
      })
#define OF_BYTES(BYTES, I, U, SUM)                                             \
  ARG(argmax_##BYTES, I, -100, >)                                              \
  ARG(argmin_unsigned_##BYTES, U, 200, <)                                      \
  ARG(argmax_last_##BYTES, I, -100, >=)                                        \
  KERNEL(                                                                      \
      argmax_limit_##BYTES, const I *X = (const I *)A;                         \
      /* Nothing is greater than that. */                                      \
      POSITION(I, (I)(((U)-1) >> 1), i, ALL, X[i], >)((int64_t *)C)[0] = at;   \
      ((int64_t *)C)[1] = (int64_t)best;)                                      \
  KERNEL(                                                                      \
      argmax_even_##BYTES, const I *X = (const I *)A;                          \
      POSITION(I, 0, i, ALL / 2, X[2 * i], >)((int64_t *)C)[0] = at;           \
      ((int64_t *)C)[1] = (int64_t)best;)                                      \
  /* Elements are read again where they were found. */                         \
  KERNEL(                                                                      \
      position_##BYTES, const I *X = (const I *)A; int best = 0;               \
      for (int i = 1; i < ALL; i++) if (X[i] > X[best]) best = i;              \
      ((int64_t *)C)[0] = best;)                                               \
  KERNEL(                                                                      \
      position_last_##BYTES, const U *X = (const U *)A; int best = 0;          \
      for (int i = 1; i < ALL; i++) if (X[i] <= X[best]) best = i;             \
      ((int64_t *)C)[0] = best;)                                               \
  KERNEL(                                                                      \
      row_position_##BYTES, const U *X = (const U *)A; FOR(i, M) {             \
        int best = 0;                                                          \
        for (int j = 1; j < N; j++)                                            \
          if (X[i * N + j] > X[i * N + best])                                  \
            best = j;                                                          \
        ((int *)C)[i] = best;                                                  \
      })                                                                       \
  ROW_ARG(row_argmax_##BYTES, I, -100, >)                                      \
  ROW_ARG(row_argmin_unsigned_##BYTES, U, 250, <)                              \
  COLUMN_ARG(column_argmax_##BYTES, I, -100, >)                                \
  COLUMN_ARG(column_argmin_unsigned_##BYTES, U, 250, <)                        \
  COLUMN_ARG(column_argmax_last_##BYTES, I, -100, >=)                          \
  COLUMN(column_max_##BYTES, I, I, -7, s = x > s ? x : s, ((I *)C)[j] = s)     \
  COLUMN(column_min_unsigned_##BYTES, U, U, -1, if (x < s) s = x,              \
         ((U *)C)[j] = s)                                                      \
  KERNEL(                                                                      \
      column_spread_##BYTES, const I *X = (const I *)A; FOR(j, N) {            \
        int64_t low = 100, high = -100;                                        \
        FOR(i, M) {                                                            \
          int64_t x = X[i * N + j];                                            \
          if (x < low)                                                         \
            low = x;                                                           \
          if (x > high)                                                        \
            high = x;                                                          \
        }                                                                      \
        ((int64_t *)C)[j] = high ^ low << 16;                                  \
      })                                                                       \
  COLUMN(column_sum_##BYTES, I, SUM, 5, s += x, ((int64_t *)C)[j] = s)         \
  COLUMN(column_sum_unsigned_##BYTES, U, SUM, 0, s += x,                       \
         ((int64_t *)C)[j] = s)                                                \
  COLUMN(column_mean_##BYTES, I, SUM, 0, s += x,                               \
         ((int64_t *)C)[j] = (int64_t)s / (int64_t)(M > 0 ? M : 1))            \
  COLUMN(column_sum_above_##BYTES, I, SUM, 0, if (x > X[j]) s += x,            \
         ((int64_t *)C)[j] = s)
OF_BYTES(1, i1, u1, uint32_t)
OF_BYTES(2, i2, u2, uint32_t)
OF_BYTES(4, i4, u4, uint32_t)
OF_BYTES(8, i8, u8, uint64_t)
#endif
