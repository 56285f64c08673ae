// Kernels for lanes.c: X(name, elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
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
  X(last_of_outer, L *M *N, 0, L *M, 1)                                        \
  X(transpose, M *N, 0, M *N, 1)                                               \
  X(transpose_inner, M *N, 0, M *N, 1)                                         \
  X(transpose_apart, (M - 1) * (N + L) + N, 0, (N - 1) * (M + K) + M, 1)       \
  X(transpose_add, M *N, M *N, M *N, 1)                                        \
  X(transpose_update, M *N, 0, M *N, 1)                                        \
  X(transpose_both, M *N, M *N, M *N, 1)                                       \
  X(transpose_positive, M *N, 0, M *N, 1)                                      \
  X(transpose_lower, M *N, 0, M *N, 1)                                         \
  X(transpose_row_if, M *N, M, M *N, 1)                                        \
  X(transpose_two, M *N, M *N, 2 * M * N, 1)                                   \
  X(transpose_scaled, M *N, N, M *N, 1)                                        \
  X(transpose_mirrored, M *N, 0, M *N, 1)                                      \
  X(transpose_second, 2 * M * N, 0, M *N, 1)                                   \
  X(transpose_in_place, 0, 0, (M > N ? M : N) * (M > N ? M : N), 1)            \
  X(transpose_batched, L *M *N, 0, L *M *N, 1)                                 \
  X(permute_102, L *M *N, 0, L *M *N, 1)                                       \
  X(permute_021, L *M *N, 0, L *M *N, 1)                                       \
  X(permute_210, L *M *N, 0, L *M *N, 1)                                       \
  X(permute_201, L *M *N, 0, L *M *N, 1)                                       \
  X(nchw_to_nhwc, L * 3 * M *N, 0, L * 3 * M *N, 1)                            \
  X(windows, (M + 2) * (N + 2), 9, M *N, 1)                                    \
  X(windows_padded, M *N, 9, M *N, 1)                                          \
  X(windows_stepped, (2 * M + 1) * (2 * N + 1), 9, M *N, 1)                    \
  X(conv, 3 * (M + 2) * (N + 2), 27 * L, L *M *N, 1)                           \
  X(conv_padded, 3 * M *N, 27 * L, L *M *N, 1)                                 \
  X(conv_channels, K *(M + 2) * (N + 2), 9 * K, M *N, 1)                       \
  X(conv_channels_padded, K *M *N, 9 * K, M *N, 1)                             \
  X(conv_nhwc, 3 * (M + 2) * (N + 2), 27 * L, L *M *N, 1)                      \
  X(conv_line, N + K - 1, K, N, 1)                                             \
  X(conv_line_padded, N, K, N, 1)                                              \
  X(pool_max, (2 * M) * (2 * N), 0, M *N, 1)                                   \
  X(pool_max_padded, M *N, 0, M *N, 1)                                         \
  X(pool_mean, (M + 2) * (N + 2), 0, M *N, 1)                                  \
  X(power_iterations, M *M, 0, M, 1)                                           \
  X(stencil_steps, 0, 0, 2 * N + 2, 1)                                         \
  X(histogram, M *N, 0, 16 * N, 1)

#ifdef BUILD
#define ROW_SUM(NAME, START, TERM)                                             \
  KERNEL(                                                                      \
      NAME, FOR(i, M) {                                                        \
        T s = START;                                                           \
        FOR(j, N) TERM;                                                        \
        C[i] = s;                                                              \
      })
#define a A[i * N + j]
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
KERNEL(transpose, FOR(i, M) FOR(j, N) C[j * M + i] = a;)
KERNEL(transpose_inner, FOR(j, N) FOR(i, M) C[j * M + i] = a;)
KERNEL(
    transpose_apart,
    FOR(i, M) FOR(j, N) C[j * (M + K) + i] = A[i * (N + L) + j];)
KERNEL(transpose_add, FOR(i, M) FOR(j, N) C[j * M + i] = a + B[j * M + i];)
KERNEL(transpose_update, FOR(i, M) FOR(j, N) C[j * M + i] += a;)
KERNEL(transpose_both, FOR(i, M) FOR(j, N) C[j * M + i] = a *B[i * N + j];)
KERNEL(
    transpose_positive, FOR(i, M) FOR(j, N) if (a > 0) C[j * M + i] = a;)
KERNEL(
    transpose_lower, FOR(i, M) FOR(j, N) if (j <= i) C[j * M + i] = a;)
KERNEL(
    transpose_row_if, FOR(i, M) FOR(j, N) if (B[i] > 0) C[j * M + i] = a;)
KERNEL(
    transpose_two, FOR(i, M) FOR(j, N) {
      C[j * M + i] = a;
      C[M * N + j * M + i] = B[i * N + j];
    })
KERNEL(transpose_scaled, FOR(i, M) FOR(j, N) C[j * M + i] = a *B[j] + i;)
KERNEL(
    transpose_mirrored,
    FOR(i, M) FOR(j, N) C[(N - 1 - j) * M + i] = A[(M - 1 - i) * N + j];)
KERNEL(
    transpose_second, FOR(i, M) FOR(j, N) C[j * M + i] = A[2 * (i * N + j)];)
KERNEL(
    transpose_in_place, int n = M > N ? M : N; FOR(i, n) FOR(j, i) {
      T x = C[i * n + j];
      C[i * n + j] = C[j * n + i];
      C[j * n + i] = x;
    })
KERNEL(
    transpose_batched,
    FOR(l, L) FOR(i, M) FOR(j, N) C[(l * N + j) * M + i] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_102, FOR(l, L) FOR(i, M) FOR(j, N) C[(i * L + l) * N + j] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_021, FOR(l, L) FOR(j, N) FOR(i, M) C[(l * N + j) * M + i] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_210, FOR(j, N) FOR(i, M) FOR(l, L) C[(j * M + i) * L + l] =
        A[(l * M + i) * N + j];)
KERNEL(
    permute_201, FOR(j, N) FOR(l, L) FOR(i, M) C[(j * L + l) * M + i] =
        A[(l * M + i) * N + j];)
KERNEL(
    nchw_to_nhwc,
    FOR(l, L) FOR(y, M) FOR(x, N) FOR(z, 3) C[((l * M + y) * N + x) * 3 + z] =
        A[((l * 3 + z) * M + y) * N + x];)
#define WINDOW FOR(y, 3) FOR(x, 3)
KERNEL(
    windows, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(i + y) * (N + 2) + j + x] * B[y * 3 + x];
      C[i * N + j] = s;
    })
KERNEL(
    windows_padded, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < M && q >= 0 && q < N)
          s += A[p * N + q] * B[y * 3 + x];
      }
      C[i * N + j] = s;
    })
KERNEL(
    windows_stepped, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(2 * i + y) * (2 * N + 1) + 2 * j + x] * B[y * 3 + x];
      C[i * N + j] = s;
    })
KERNEL(
    conv, FOR(o, L) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, 3) WINDOW s += A[(z * (M + 2) + i + y) * (N + 2) + j + x] *
                            B[((o * 3 + z) * 3 + y) * 3 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    conv_padded, FOR(o, L) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, 3) WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < M && q >= 0 && q < N)
          s += A[(z * M + p) * N + q] * B[((o * 3 + z) * 3 + y) * 3 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    conv_channels, FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, K) WINDOW s += A[(z * (M + 2) + i + y) * (N + 2) + j + x] *
                            B[(z * 3 + y) * 3 + x];
      C[i * N + j] = s;
    })
KERNEL(
    conv_channels_padded, FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(z, K) WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < M && q >= 0 && q < N)
          s += A[(z * M + p) * N + q] * B[(z * 3 + y) * 3 + x];
      }
      C[i * N + j] = s;
    })
KERNEL(
    conv_nhwc, FOR(i, M) FOR(j, N) FOR(o, L) {
      T s = 0;
      WINDOW FOR(z, 3) s += A[((i + y) * (N + 2) + j + x) * 3 + z] *
                            B[((y * 3 + x) * 3 + z) * L + o];
      C[(i * N + j) * L + o] = s;
    })
KERNEL(
    conv_line, FOR(j, N) {
      T s = 0;
      FOR(k, K) s += A[j + k] * B[k];
      C[j] = s;
    })
KERNEL(
    conv_line_padded, FOR(j, N) {
      T s = 0;
      FOR(k, K) {
        int p = j + k - K / 2;
        if (p >= 0 && p < N)
          s += A[p] * B[k];
      }
      C[j] = s;
    })
KERNEL(
    pool_max, FOR(i, M) FOR(j, N) {
      T m = -INFINITY;
      FOR(y, 2) FOR(x, 2) {
        T v = A[(2 * i + y) * (2 * N) + 2 * j + x];
        m = v > m ? v : m;
      }
      C[i * N + j] = m;
    })
KERNEL(
    pool_max_padded, FOR(i, M) FOR(j, N) {
      T m = -INFINITY;
      WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p < 0 || p >= M || q < 0 || q >= N)
          continue;
        if (A[p * N + q] > m)
          m = A[p * N + q];
      }
      C[i * N + j] = m;
    })
KERNEL(
    pool_mean, FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(i + y) * (N + 2) + j + x];
      C[i * N + j] = s / 9;
    })
KERNEL(
    power_iterations, FOR(l, L) FOR(i, M) {
      T s = 0;
      FOR(j, M) s += A[i * M + j];
      C[i] = C[i] * (T)0.5 + s;
    })
KERNEL(
    stencil_steps, T *X = C; T *Y = C + N + 1; FOR(l, L) {
      for (int j = 1; j < N; j++)
        Y[j] = X[j - 1] + X[j] * 2 + X[j + 1];
      for (int j = 1; j < N; j++)
        X[j] = Y[j];
    })
KERNEL(
    histogram, FOR(j, N) FOR(i, M) {
      int bin = a >= 0 && a < 16 ? (int)a : 0;
      C[bin * N + j] += 1;
    })
#undef a
#undef c
#endif
