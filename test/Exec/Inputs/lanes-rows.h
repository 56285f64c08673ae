// Reductions, maps and recurrences: X(name, elements of A, of B, of C, numbers
// in C).
#define ROW_KERNELS(X)                                                         \
  X(row_sum, M *N, 0, M, 1)                                                    \
  X(row_sum_apart, (M - 1) * (N + K) + N, 0, M, 1)                             \
  X(row_sum_start, M *N, M, M, 1)                                              \
  X(row_sum_update, M *N, 0, M, 1)                                             \
  X(row_product, M *N, 0, M, 1)                                                \
  X(row_sum_down, M *N, 0, M, 1)                                               \
  X(row_sum_up_down, M *N, 0, M, 1)                                            \
  X(row_sum_second, 2 * M * N, 0, 2 * M, 1)                                    \
  X(row_sum_wide, M *N, 0, M, 1)                                               \
  X(row_sum_size_t, M *N, 0, M, 1)                                             \
  X(row_sum_unsigned, M *N, 0, M, 1)                                           \
  X(row_sum_batched, L *M *N, 0, L *M, 1)                                      \
  X(row_sums_of_two, M *N, M *N, M, 1)                                         \
  X(row_max_greater, M *N, 0, M, 1)                                            \
  X(row_max_less, M *N, 0, M, 1)                                               \
  X(row_max_keep, M *N, 0, M, 1)                                               \
  X(row_max_if, M *N, 0, M, 1)                                                 \
  X(row_max_not, M *N, 0, M, 1)                                                \
  X(row_fmax, M *N, 0, M, 1)                                                   \
  X(row_min_equal, M *N, 0, M, 1)                                              \
  X(row_argmax, M *N, 0, M, 1)                                                 \
  X(row_argmin_last, M *N, 0, M, 1)                                            \
  X(row_max_sum, M *N, 0, M, 1)                                                \
  X(row_range, M *N, 0, M, 1)                                                  \
  X(row_mean_var, M *N, 0, M, 1)                                               \
  X(row_norm, M *N, 0, M *N, 1)                                                \
  X(row_dot, M *N, M *N, M, 1)                                                 \
  X(row_dot_vector, M *N, N, M, 1)                                             \
  X(row_distance, M *N, N, M, 1)                                               \
  X(row_absolute, M *N, 0, M, 1)                                               \
  X(row_horner, M *N, M, M, 1)                                                 \
  X(row_polynomial, M *N, N, M, 1)                                             \
  X(row_weighted, M *N, 0, M, 1)                                               \
  X(row_count, M *N, 0, M, 1)                                                  \
  X(row_where, M *N, N, M, 1)                                                  \
  X(row_where_own, M *N, N, M, 1)                                              \
  X(row_if_row, M *N, M, M, 1)                                                 \
  X(row_if_row_skip, M *N, M, M, 1)                                            \
  X(row_cut, M *N, N, M, 1)                                                    \
  X(row_head, M *(N < K ? N : K), N < K ? N : K, M, 1)                         \
  X(row_diagonals, M *N, N, M, 1)                                              \
  X(row_lower, M *N, N, M, 1)                                                  \
  X(row_lower_loop, M *N, N, M, 1)                                             \
  X(row_third, M *N, N, M, 1)                                                  \
  X(row_by_k, M *N, N, M, 1)                                                   \
  X(row_scan, M *N, 0, M *N, 1)                                                \
  X(row_last, M *N, 0, M, 1)                                                   \
  X(row_nested, M *N, M *K, M, 1)                                              \
  X(row_nested_own, M *N, M *K, M, 1)                                          \
  X(row_two_loops, M *N, M *K, M, 1)                                           \
  X(row_quotient, M *N, M *N, M, 1)                                            \
  X(row_sqrt, M *N, 0, M, 1)                                                   \
  X(row_index, M *N, 0, M, 1)                                                  \
  X(column_sum, M *N, 0, N, 1)                                                 \
  X(column_sum_memory, M *N, 0, N, 1)                                          \
  X(column_sum_apart, (M - 1) * (N + K) + N, 0, N, 1)                          \
  X(column_max, M *N, 0, N, 1)                                                 \
  X(column_argmax, M *N, 0, N, 1)                                              \
  X(column_mean_var, M *N, 0, N, 1)                                            \
  X(column_scan, M *N, 0, M *N, 1)                                             \
  X(column_filter, M *N, N, M *N, 1)                                           \
  X(column_in_place, 0, 0, M *N, 1)                                            \
  X(column_in_place_if, 0, N, M *N, 1)                                         \
  X(column_reversed, M *N, 0, N, 1)                                            \
  X(column_second, 2 * M * N, 0, N, 1)                                         \
  X(column_spread, M *N, 0, 3 * N, 1)                                          \
  X(column_where, M *N, M, N, 1)                                               \
  X(column_if, M *N, N, N, 1)                                                  \
  X(column_lower, M *N, M, N, 1)                                               \
  X(column_skip, M *N, N, N, 1)                                                \
  X(column_steps, M *N, 0, N, 1)                                               \
  X(column_carried, M *N, 0, N, 1)                                             \
  X(rows_and_columns, L *M *N, 0, L *(M + N), 1)                               \
  X(middle_sum, L *M *N, 0, L *N, 1)                                           \
  X(outer_sum, L *M *N, 0, M *N, 1)                                            \
  X(last_of_outer, L *M *N, 0, L *M, 1)

#ifdef BUILD
ROW_SUM(row_sum, 0, s += a)
ROW_SUM(row_sum_apart, 0, s += A[i * (N + K) + j])
ROW_SUM(row_sum_start, B[i], s += a)
ROW_SUM(row_sum_update, C[i], s += a)
ROW_SUM(row_product, 1, s *= a)
ROW_SUM(row_sum_down, 0, s += A[i * N + N - 1 - j])
KERNEL(
    row_sum_up_down, for (int i = M; i-- > 0;) {
      T s = 0;
      for (int j = N; j-- > 0;)
        s += a;
      C[i] = s;
    })
KERNEL(
    row_sum_second, FOR(i, M) {
      T s = 0;
      FOR(j, N) s += A[2 * (i * N + j)];
      C[2 * i] = s;
    })
KERNEL(
    row_sum_wide, FOR(i, M) {
      double s = 0;
      FOR(j, N) s += a;
      C[i] = s;
    })
KERNEL(
    row_sum_size_t, if (M > 0 && N > 0) for (size_t i = 0; i < (size_t)M; i++) {
      T s = 0;
      for (size_t j = 0; j < (size_t)N; j++)
        s += a;
      C[i] = s;
    })
KERNEL(
    row_sum_unsigned, if (M > 0 && N > 0) {
      unsigned m = M, n = N;
      for (unsigned i = 0; i < m; i++) {
        T s = 0;
        for (unsigned j = 0; j < n; j++)
          s += A[i * n + j];
        C[i] = s;
      }
    })
KERNEL(
    row_sum_batched, FOR(l, L) FOR(i, M) {
      T s = 0;
      FOR(j, N) s += A[(l * M + i) * N + j];
      C[l * M + i] = s;
    })
ROW_SUM(row_sums_of_two, 0, s += a * 3 - B[i * N + j])
ROW_SUM(row_max_greater, -INFINITY, s = a > s ? a : s)
ROW_SUM(row_max_less, 0, s = s < a ? a : s)
ROW_SUM(row_max_keep, -2, s = s > a ? s : a)
ROW_SUM(
    row_max_if, -0.0, if (a > s) s = a)
ROW_SUM(
    row_max_not, -0.0, if (!(a <= s)) s = a)
ROW_SUM(row_fmax, -INFINITY, s = sizeof(T) == 4 ? fmaxf(s, a) : fmax(s, a))
ROW_SUM(
    row_min_equal, INFINITY, if (a <= s) s = a)
KERNEL(
    row_argmax, FOR(i, M) {
      T best = -INFINITY;
      int at = -1;
      FOR(j, N) if (a > best) {
        best = a;
        at = j;
      }
      C[i] = 2 * at + (best > 0);
    })
KERNEL(
    row_argmin_last, FOR(i, M) {
      int at = 0;
      for (int j = 1; j < N; j++)
        if (a <= A[i * N + at])
          at = j;
      C[i] = at;
    })
KERNEL(
    row_max_sum, FOR(i, M) {
      T m = -100, s = 0;
      FOR(j, N) {
        T x = a;
        if (x > m) {
          s = s * (m - x) + 1;
          m = x;
        } else {
          s += x - m;
        }
      }
      C[i] = m + s;
    })
KERNEL(
    row_range, FOR(i, M) {
      T low = INFINITY, high = -INFINITY, sum = 0;
      FOR(j, N) {
        T x = a;
        low = x < low ? x : low;
        high = x > high ? x : high;
        sum += x;
      }
      C[i] = low + 2 * high + sum;
    })
KERNEL(
    row_mean_var, FOR(i, M) {
      T s = 0, v = 0;
      FOR(j, N) s += a;
      T mean = s / N;
      FOR(j, N) {
        T d = a - mean;
        v += d * d;
      }
      C[i] = mean * 2 + v / N;
    })
KERNEL(
    row_norm, FOR(i, M) {
      T s = 0;
      FOR(j, N) s += a * a;
      FOR(j, N) C[i * N + j] = a / s;
    })
ROW_SUM(row_dot, 0, s += a *B[i * N + j])
ROW_SUM(row_dot_vector, 0, s += a *B[j])
ROW_SUM(row_distance, 0, s += (a - B[j]) * (a - B[j]))
ROW_SUM(row_absolute, 0, s += a < 0 ? -a : a)
ROW_SUM(row_horner, 0, s = s * B[i] + a)
ROW_SUM(row_polynomial, 1, s = (s + a) * B[j] + s)
ROW_SUM(row_weighted, 0, s += a *j + i)
KERNEL(
    row_count, FOR(i, M) {
      int n = 0;
      FOR(j, N) n += a > 0;
      C[i] = n;
    })
ROW_SUM(
    row_where, 0, if (B[j] > 0) s += a)
ROW_SUM(
    row_where_own, 0, if (a > 0) s += a * B[j])
KERNEL(
    row_if_row, FOR(i, M) {
      T s = 0;
      if (B[i] > 0)
        FOR(j, N) s += a;
      C[i] = s;
    })
KERNEL(
    row_if_row_skip, FOR(i, M) {
      if (B[i] < 0)
        continue;
      T s = 0;
      FOR(j, N) s += a;
      C[i] = s;
    })
ROW_SUM(
    row_cut, 0, if (j < K) s += a * B[j])
// What is not used is not there.
ROW_SUM(
    row_head, 0, if (j < K) s += A[i * (N < K ? N : K) + j] * B[j])
ROW_SUM(
    row_diagonals, 0, if (i + j < K) s += a * B[j])
ROW_SUM(
    row_lower, 0, if (j <= i) s += a * B[j])
KERNEL(
    row_lower_loop, FOR(i, M) {
      T s = 0;
      for (int j = 0; j <= i && j < N; j++)
        s += a * B[j];
      C[i] = s;
    })
ROW_SUM(
    row_third, 0, if (i % 3 == j % 3) s += a * B[j])
ROW_SUM(
    row_by_k, 0, if (i < K && (i + j) % K == 0) s += a * B[j])
KERNEL(
    row_scan, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        s += a;
        C[i * N + j] = s;
      }
    })
ROW_SUM(row_last, 0, s = a)
KERNEL(
    row_nested, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        T t = 0;
        FOR(k, K) t += B[i * K + k];
        s += t * a;
      }
      C[i] = s;
    })
KERNEL(
    row_nested_own, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        s += a;
        FOR(k, K) s += B[i * K + k] * 2;
        s -= a * 3;
      }
      C[i] = s;
    })
KERNEL(
    row_two_loops, FOR(i, M) {
      T s = 0;
      FOR(j, N) s += a;
      FOR(k, K) s = s * 0.5 + B[i * K + k];
      C[i] = s;
    })
ROW_SUM(row_quotient, 0, s += a / B[i * N + j])
ROW_SUM(row_sqrt, 0, s += __builtin_sqrtf(a))
ROW_SUM(row_index, 0, s += a > j ? i : j * 2)
#define COLUMN_SUM(NAME, START, TERM)                                          \
  KERNEL(                                                                      \
      NAME, FOR(j, N) {                                                        \
        T s = START;                                                           \
        FOR(i, M) TERM;                                                        \
        C[j] = s;                                                              \
      })
COLUMN_SUM(column_sum, 0, s += a)
KERNEL(column_sum_memory, FOR(i, M) FOR(j, N) C[j] += a;)
COLUMN_SUM(column_sum_apart, 0, s += A[i * (N + K) + j])
COLUMN_SUM(column_max, -INFINITY, s = a > s ? a : s)
KERNEL(
    column_argmax, FOR(j, N) {
      T best = -INFINITY;
      int at = -1;
      FOR(i, M) if (a > best) {
        best = a;
        at = i;
      }
      C[j] = at;
    })
KERNEL(
    column_mean_var, FOR(j, N) {
      T s = 0, v = 0;
      FOR(i, M) s += a;
      T mean = s / M;
      FOR(i, M) v += (a - mean) * (a - mean);
      C[j] = mean * 2 + v / M;
    })
KERNEL(
    column_scan, FOR(j, N) {
      T s = 0;
      FOR(i, M) {
        s += a;
        C[i * N + j] = s;
      }
    })
KERNEL(
    column_filter, FOR(j, N) {
      T s = B[j];
      FOR(i, M) {
        s = (T)0.25 * s + (T)0.75 * a;
        C[i * N + j] = s;
      }
    })
#define c C[i * N + j]
KERNEL(
    column_in_place, FOR(j, N) {
      T s = 0;
      FOR(i, M) s += c;
      FOR(i, M) c = c - s;
    })
KERNEL(
    column_in_place_if, FOR(j, N) {
      T s = 0;
      FOR(i, M) if (c > B[j]) {
        s += c;
        c = s;
      }
    })
COLUMN_SUM(column_reversed, 0, s += A[i * N + N - 1 - j])
COLUMN_SUM(column_second, 0, s += A[2 * (i * N + j)])
KERNEL(
    column_spread, FOR(j, N) {
      T s = 0;
      FOR(i, M) s += a;
      C[3 * j] = s;
    })
COLUMN_SUM(
    column_where, 0, if (B[i] > 0) s += a)
COLUMN_SUM(
    column_if, 0, if (B[j] > 0) s += a)
COLUMN_SUM(
    column_lower, 0, if (i <= j) s += a * B[i])
KERNEL(
    column_skip, FOR(j, N) {
      if (B[j] > 0)
        continue;
      T s = 0;
      FOR(i, M) s += a;
      C[j] = s;
    })
KERNEL(
    column_steps, FOR(j, N) {
      T s = 0;
      for (int i = 0; i < M; i += 3)
        s += a;
      C[j] = s;
    })
KERNEL(
    column_carried, T s = 0; FOR(j, N) {
      FOR(i, M) s += a;
      C[j] = s;
    })
KERNEL(
    rows_and_columns, if (M >= 0 && N >= 0) FOR(l, L) {
      const T *X = A + l * M * N;
      FOR(i, M) {
        T s = 0;
        FOR(j, N) s += X[i * N + j];
        C[l * (M + N) + i] = s;
      }
      FOR(j, N) {
        T s = 0;
        FOR(i, M) s += X[i * N + j];
        C[l * (M + N) + M + j] = s;
      }
    })
KERNEL(
    middle_sum, FOR(l, L) FOR(j, N) {
      T s = 0;
      FOR(i, M) s += A[(l * M + i) * N + j];
      C[l * N + j] = s;
    })
KERNEL(
    outer_sum, FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(l, L) s += A[(l * M + i) * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    last_of_outer, FOR(i, M) FOR(l, L) {
      T s = -1;
      FOR(j, N) s = s * A[(l * M + i) * N + j] + j;
      C[l * M + i] = s;
    })
#endif
