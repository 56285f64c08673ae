// Greatest elements and their positions for lanes.c: X(name, elements of A, of
// B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(row_argmax, M *N, 0, M, 1)                                                 \
  X(row_argmax_first, M *N, 0, M, 1)                                           \
  X(row_argmax_both, M *N, 0, 2 * M, 1)                                        \
  X(row_argmax_batched, L * M * N, 0, L * M, 1)                                \
  X(row_argmin, M *N, 0, M, 1)                                                 \
  X(row_argmin_last, M *N, 0, M, 1)                                            \
  X(row_max, M *N, 0, M, 1)                                                    \
  X(row_max_start, M *N, M, M, 1)                                              \
  X(row_unordered, M *N, 0, M, 1)                                              \
  X(row_nan_first, M *N, 0, M, 1)                                              \
  X(row_nan_kept, M *N, 0, 2 * M, 1)                                           \
  X(min_nan_last, M *N, 0, 2, 1)                                               \
  X(max_nan, M *N, 0, 1, 1)                                                    \
  X(row_label, M *N, N, M, 1)                                                  \
  X(row_tail, M *N, 0, M, 1)                                                   \
  X(row_second, 2 * M * N, 0, M, 1)                                            \
  X(row_two, M *N, 0, 2 * M, 1)                                                \
  X(argmax, M *N, 0, 2, 1)                                                     \
  X(argmax_swapped, M *N, 0, 2, 1)                                             \
  X(argmax_absolute, M *N, 0, 2, 1)                                            \
  X(argmax_negative, M *N, 0, 2, 1)                                            \
  X(argmax_square, M *N, 0, 2, 1)                                              \
  X(argmax_product, N, N, 2, 1)                                                \
  X(argmax_down, M *N, 0, 2, 1)                                                \
  X(argmax_long, M *N, 0, 2, 1)                                                \
  X(argmax_two_numbers, M *N, 0, 3, 1)                                         \
  X(argmax_select, M *N, 0, 2, 1)                                              \
  X(argmax_sum, M *N, 0, 2, 1)                                                 \
  X(max_all, M *N, 0, 1, 1)                                                    \
  X(min_all, M *N, 0, 1, 1)
#define LEAST -INFINITY
#define GREATEST INFINITY
#define ALL (M > 0 && N > 0 ? M * N : 0)
#define ABS(X) (sizeof(T) == 4 ? fabsf(X) : fabs(X))
#define SEARCH(E, START, I, COUNT, OP)                                         \
  T best = START;                                                              \
  int at = -1;                                                                 \
  for (int I = 0; I < COUNT; I++)                                              \
    if (E OP best) {                                                           \
      best = E;                                                                \
      at = I;                                                                  \
    }

KERNEL(
    row_argmax, FOR(i, M) {
      SEARCH(A[i * N + j], LEAST, j, N, >)
      C[i] = at;
    })
KERNEL(
    row_argmax_first, if (N > 0) FOR(i, M) {
      T best = A[i * N];
      int at = 0;
      for (int j = 1; j < N; j++)
        if (A[i * N + j] > best) {
          best = A[i * N + j];
          at = j;
        }
      C[i] = at;
    })
KERNEL(
    row_argmax_both, FOR(i, M) {
      SEARCH(A[i * N + j], LEAST, j, N, >)
      C[2 * i] = at;
      C[2 * i + 1] = best;
    })
KERNEL(
    row_argmax_batched, FOR(l, L) FOR(i, M) {
      SEARCH(A[(l * M + i) * N + j], LEAST, j, N, >)
      C[l * M + i] = at;
    })
KERNEL(
    row_argmin, FOR(i, M) {
      SEARCH(A[i * N + j], GREATEST, j, N, <)
      C[i] = at;
    })
KERNEL(
    row_argmin_last, FOR(i, M) {
      SEARCH(A[i * N + j], GREATEST, j, N, <=)
      C[i] = at;
    })
KERNEL(
    row_max, FOR(i, M) {
      T best = -1;
      FOR(j, N) best = A[i * N + j] > best ? A[i * N + j] : best;
      C[i] = best;
    })
KERNEL(
    row_max_start, FOR(i, M) {
      T best = B[i];
      FOR(j, N) best = best < A[i * N + j] ? A[i * N + j] : best;
      C[i] = best;
    })
// What is no number is found, too.
KERNEL(
    row_unordered, FOR(i, M) {
      T best = 0;
      int at = -1;
      FOR(j, N) if (!(A[i * N + j] <= best)) {
        best = A[i * N + j];
        at = j;
      }
      C[i] = at;
    })
KERNEL(
    row_nan_first, FOR(i, M) {
      T best = LEAST;
      int at = 0;
      FOR(j, N) if (A[i * N + j] > best || A[i * N + j] != A[i * N + j]) {
        best = A[i * N + j];
        at = j;
      }
      C[i] = at;
    })
KERNEL(
    row_nan_kept, FOR(i, M) {
      T best = LEAST;
      int at = 0;
      FOR(j, N) {
        T x = A[i * N + j];
        int keeps = best != best || best > x;
        best = keeps ? best : x;
        at = keeps ? at : j;
      }
      C[2 * i] = at;
      C[2 * i + 1] = best;
    })
KERNEL(min_nan_last, {
      T best = GREATEST;
      int at = -1;
      for (int i = 0; i < ALL; i++) {
        int takes = !(A[i] > best);
        at = takes ? i : at;
        best = takes ? A[i] : best;
      }
      C[0] = at;
      C[1] = best;
    })
KERNEL(max_nan, {
      T best = LEAST;
      for (int i = 0; i < ALL; i++)
        best = best != best ? best : best > A[i] ? best : A[i];
      C[0] = best;
    })
KERNEL(
    row_label, FOR(i, M) {
      T best = LEAST;
      T label = -1;
      FOR(j, N) {
        T own = B[j];
        if (A[i * N + j] > best) {
          best = A[i * N + j];
          label = own;
        }
      }
      C[i] = label;
    })
KERNEL(
    row_tail, FOR(i, M) {
      T best = LEAST;
      int at = -1;
      for (int j = i; j < N; j++)
        if (A[i * N + j] > best) {
          best = A[i * N + j];
          at = j;
        }
      C[i] = at;
    })
KERNEL(
    row_second, FOR(i, M) {
      SEARCH(A[2 * (i * N + j) + 1], LEAST, j, N, >)
      C[i] = at;
    })
KERNEL(
    row_two, FOR(i, M) {
      T best = LEAST, worst = GREATEST;
      int at = 0, where = 0;
      FOR(j, N) {
        if (A[i * N + j] > best) {
          best = A[i * N + j];
          at = j;
        }
        if (A[i * N + j] < worst) {
          worst = A[i * N + j];
          where = j;
        }
      }
      C[2 * i] = at;
      C[2 * i + 1] = where;
    })
#define BOTH C[0] = at, C[1] = best
KERNEL(argmax, SEARCH(A[i], LEAST, i, ALL, >) BOTH;)
KERNEL(
    argmax_swapped, T best = LEAST; int at = -1; FOR(i, ALL) if (best < A[i]) {
      at = i;
      best = A[i];
    } BOTH;)
KERNEL(argmax_absolute, SEARCH(ABS(A[i]), LEAST, i, ALL, >) BOTH;)
KERNEL(argmax_negative, SEARCH(-A[i], LEAST, i, ALL, >) BOTH;)
KERNEL(argmax_square, SEARCH(A[i] * A[i], LEAST, i, ALL, >) BOTH;)
KERNEL(argmax_product, SEARCH(A[i] * B[i] + B[i], LEAST, i, N, >) BOTH;)
KERNEL(
    argmax_down, T best = LEAST; int at = -1;
    for (int i = ALL - 1; i >= 0; i--) if (A[i] > best) {
      best = A[i];
      at = i;
    } BOTH;)
KERNEL(
    argmax_long, T best = LEAST; long at = -1;
    for (long i = 0; i < ALL; i++) if (A[i] > best) {
      best = A[i];
      at = i;
    } BOTH;)
KERNEL(
    argmax_two_numbers, T best = LEAST; int row = -1, column = 5;
    FOR(i, ALL) if (A[i] > best) {
      best = A[i];
      row = i / 7;
      column = 3 * i;
    } C[0] = row,
    C[1] = column, C[2] = best;)
KERNEL(
    argmax_select, T best = LEAST; int at = -1; FOR(i, ALL) {
      at = A[i] > best ? i : at;
      best = A[i] > best ? A[i] : best;
    } BOTH;)
KERNEL(
    argmax_sum, T best = LEAST; int at = -1; T sum = 0; FOR(i, ALL) {
      sum += A[i];
      if (A[i] > best) {
        best = A[i];
        at = i;
      }
    } C[0] = at,
                                                        C[1] = sum;)
KERNEL(max_all, T best = LEAST; FOR(i, ALL) best = A[i] > best ? A[i] : best;
       C[0] = best;)
KERNEL(min_all, T best = GREATEST; FOR(i, ALL) best = best > A[i] ? A[i] : best;
       C[0] = best;)
