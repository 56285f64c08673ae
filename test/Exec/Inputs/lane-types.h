// Kernels of other and of several element types for lanes.c; TYPE is float.
#define KERNELS(X)                                                             \
  X(int_sum, M *N, 0, M, 0)                                                    \
  X(int_sum_columns, M *N, 0, N, 0)                                            \
  X(int_sum_long, M *N, 0, 2 * M, 0)                                           \
  X(int_product, M *N, 0, M, 0)                                                \
  X(int_max, M *N, 0, M, 0)                                                    \
  X(int_min_unsigned, M *N, 0, M, 0)                                           \
  X(int_argmax, M *N, 0, M, 0)                                                 \
  X(int_bits, M *N, N, M, 0)                                                   \
  X(int_shift, M *N, N, M, 0)                                                  \
  X(int_hash, M *N, 0, M, 0)                                                   \
  X(int_count, M *N, N, M, 0)                                                  \
  X(int_quotient, M *N, M *N, M, 0)                                            \
  X(int_quotient_if, M *N, M *N, M, 0)                                         \
  X(int_quotient_column_if, M *N, M *N, N, 0)                                  \
  X(int_remainder_row_if, M *N, M, M, 0)                                       \
  X(int_transpose, M *N, 0, M *N, 0)                                           \
  X(int_scan_columns, M *N, 0, M *N, 0)                                        \
  X(long_sum, 2 * M * N, 0, 2 * M, 0)                                          \
  X(long_max_columns, 2 * M * N, 0, 2 * N, 0)                                  \
  X(long_transpose, 2 * M * N, 0, 2 * M * N, 0)                                \
  X(short_sum, (M * N + 1) / 2, 0, M, 0)                                       \
  X(short_max, (M * N + 1) / 2, 0, (M + 1) / 2, 0)                             \
  X(short_transpose, (M * N + 1) / 2, 0, (M * N + 1) / 2, 0)                   \
  X(short_column_sum, (M * N + 1) / 2, 0, (N + 1) / 2, 0)                      \
  X(byte_sum, (M * N + 3) / 4, 0, M, 0)                                        \
  X(byte_sum_long, (M * N + 3) / 4, 0, 2 * M, 0)                               \
  X(byte_max, (M * N + 3) / 4, 0, (M + 3) / 4, 0)                              \
  X(byte_max_unsigned, (M * N + 3) / 4, 0, (M + 3) / 4, 0)                     \
  X(byte_mean, (M * N + 3) / 4, 0, M, 1)                                       \
  X(byte_dot, (M * N + 3) / 4, (N + 3) / 4, M, 0)                              \
  X(byte_transpose, (M * N + 3) / 4, 0, (M * N + 3) / 4, 0)                    \
  X(byte_transpose_wide, (M * N + 3) / 4, 0, M *N, 0)                          \
  X(byte_transpose_scaled, (M * N + 3) / 4, N, M *N, 1)                        \
  X(byte_column_sum, (M * N + 3) / 4, 0, N, 0)                                 \
  X(byte_flags, (M * N + 3) / 4, M *N, M, 1)                                   \
  X(byte_where, (M * N + 3) / 4, (N + 3) / 4, M, 0)                            \
  X(bool_any, M *N, 0, (M + 3) / 4, 0)                                         \
  X(bool_all_columns, M *N, 0, (N + 3) / 4, 0)                                 \
  X(bool_in, (M * N + 3) / 4, M *N, M, 1)                                      \
  X(wide_sum, M *N, 0, 2 * M, 1)                                               \
  X(wide_columns, M *N, 0, N, 1)                                               \
  X(wide_dot, M *N, 2 * N, M, 1)                                               \
  X(wide_dot_own, M *N, 2 * M * N, M, 1)                                       \
  X(narrow_sum, 2 * M * N, 0, M, 1)                                            \
  X(narrow_transpose, 2 * M * N, 0, M *N, 1)                                   \
  X(wide_transpose, M *N, 0, 2 * M * N, 0)                                     \
  X(int_of_floats, M *N, 0, M, 0)                                              \
  X(float_of_ints, M *N, 0, M, 1)                                              \
  X(float_of_longs, 2 * M * N, 0, M, 1)                                        \
  X(argmax_long, M *N, 0, 2 * M, 0)                                            \
  X(argmax_short, M *N, 0, (M + 1) / 2, 0)                                     \
  X(argmax_gather, M *N, N, M, 1)                                              \
  X(max_and_count, M *N, 0, M, 0)                                              \
  X(gather_rows, M *N, M, M, 1)                                                \
  X(gather_columns, M *N, M, N, 1)                                             \
  X(gather_all, M *N, M *N, M, 1)                                              \
  X(gather_written, M *N, 0, M, 0)                                             \
  X(lookup_if, M *N, 16, M, 1)                                                 \
  X(embedding, 17 * N, M, N *M, 1)                                             \
  X(int_windows, M + 70, 70, M, 0)                                             \
  X(int_windows_padded, M, 70, M, 0)                                           \
  X(int_power_sums, M *N, 0, M, 0)                                             \
  X(int_triangle, M *N, 0, M, 0)                                               \
  X(half_cells, M *N, 0, M, 0)                                                 \
  X(struct_sum, 3 * M * N, 0, M, 1)                                            \
  X(struct_columns, 3 * M * N, 0, 3 * N, 1)                                    \
  X(struct_transpose, 3 * M * N, 0, M *N, 1)

#ifdef BUILD
typedef signed char i8;
typedef unsigned char u8;
typedef short i16;
typedef unsigned short u16;
typedef unsigned u32;
typedef long long i64;
// Rows: the outer loop over i; columns: over j.
#define ROWS(NAME, IN, STATE, START, TERM, OUT)                                \
  KERNEL(                                                                      \
      NAME, const IN *X = (const IN *)A; OUT *Y = (OUT *)C; FOR(i, M) {        \
        STATE s = START;                                                       \
        FOR(j, N) TERM;                                                        \
        Y[i] = s;                                                              \
      })
#define COLUMNS(NAME, IN, STATE, START, TERM, OUT)                             \
  KERNEL(                                                                      \
      NAME, const IN *X = (const IN *)A; OUT *Y = (OUT *)C; FOR(j, N) {        \
        STATE s = START;                                                       \
        FOR(i, M) TERM;                                                        \
        Y[j] = s;                                                              \
      })
#define TRANSPOSE(NAME, IN, OUT, VALUE)                                        \
  KERNEL(NAME, const IN *X = (const IN *)A; OUT *Y = (OUT *)C;                 \
         FOR(i, M) FOR(j, N) Y[j * M + i] = VALUE;)
#define x X[i * N + j]
#define b_row ((const int *)B)[i]
#define b_column ((const int *)B)[j]
#define b_all ((const int *)B)[i * N + j]
ROWS(int_sum, u32, u32, 0, s += x, u32)
COLUMNS(int_sum_columns, u32, u32, 7, s += x, u32)
ROWS(int_sum_long, int, i64, 0, s += x, i64)
ROWS(int_product, u32, u32, 1, s = s * x + 3, u32)
ROWS(int_max, int, int, -5, s = x > s ? x : s, int)
ROWS(int_min_unsigned, u32, u32, -1u, s = x < s ? x : s, u32)
KERNEL(
    int_argmax, const int *X = (const int *)A; FOR(i, M) {
      int best = -2147483647, at = 0;
      FOR(j, N) if (x >= best) {
        best = x;
        at = j;
      }
      ((int *)C)[i] = at;
    })
ROWS(int_bits, u32, u32, 5, s = (s ^ x) | (s & b_column), u32)
ROWS(int_shift, u32, u32, 1, s = (s << (x & 7)) + (x >> (b_column & 31)), u32)
ROWS(int_hash, u32, u32, 2166136261u, s = (s ^ x) * 16777619u, u32)
ROWS(int_count, int, int, 0, s += x == b_column, int)
ROWS(int_quotient, u32, u32, 0, s += x / (b_all | 1u), u32)
ROWS(int_quotient_if, u32, u32, 0, if (b_all) s += x / (u32)b_all, u32)
COLUMNS(int_quotient_column_if, u32, u32, 0, if (b_all) s += x % (u32)b_all, u32)
ROWS(int_remainder_row_if, u32, u32, 0, if (b_row) s += x % (u32)b_row, u32)
TRANSPOSE(int_transpose, int, int, x)
KERNEL(
    int_scan_columns, const u32 *X = (const u32 *)A; u32 *Y = (u32 *)C;
    FOR(j, N) {
      u32 s = j;
      FOR(i, M) Y[i * N + j] = s = s * 3 + x;
    })
ROWS(long_sum, i64, unsigned long long, 0, s = s * 5 + x, i64)
COLUMNS(long_max_columns, i64, i64, 0, s = x > s ? x : s, i64)
TRANSPOSE(long_transpose, i64, i64, x)
ROWS(short_sum, i16, int, 0, s += x, int)
ROWS(short_max, i16, i16, -3, s = x > s ? x : s, i16)
TRANSPOSE(short_transpose, u16, u16, x)
COLUMNS(short_column_sum, u16, u16, 0, s += x, u16)
ROWS(byte_sum, u8, int, 0, s += x, int)
ROWS(byte_sum_long, i8, i64, 0, s += x, i64)
ROWS(byte_max, i8, i8, -3, s = x > s ? x : s, i8)
ROWS(byte_max_unsigned, u8, u8, 3, s = x > s ? x : s, u8)
KERNEL(
    byte_mean, const u8 *X = (const u8 *)A; FOR(i, M) {
      int s = 0;
      FOR(j, N) s += x;
      C[i] = (T)s / N;
    })
ROWS(byte_dot, i8, int, 0, s += x * ((const i8 *)B)[j], int)
TRANSPOSE(byte_transpose, u8, u8, x)
TRANSPOSE(byte_transpose_wide, i8, int, x)
TRANSPOSE(byte_transpose_scaled, u8, float, x *B[j] - 1)
COLUMNS(byte_column_sum, i8, int, 0, s += x, int)
ROWS(byte_flags, u8, float, 0, if (x & 1) s += B[i * N + j], float)
ROWS(byte_where, u8, int, 0, if (((const u8 *)B)[j] & 1) s += x, int)
ROWS(bool_any, float, _Bool, 0, s |= x > 1, _Bool)
COLUMNS(bool_all_columns, float, _Bool, 1, s &= x < 1, _Bool)
KERNEL(
    bool_in, const u8 *X = (const u8 *)A; FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        _Bool f = x > 100;
        s += f ? B[i * N + j] : 1;
      }
      C[i] = s;
    })
ROWS(wide_sum, float, double, 0, s += x, double)
COLUMNS(wide_columns, float, double, 0.5, s += (double)x * x, float)
ROWS(wide_dot, float, double, 0, s += x * ((const double *)B)[j], float)
ROWS(wide_dot_own, float, double, 0, s += x * ((const double *)B)[i * N + j],
     float)
ROWS(narrow_sum, double, float, 0, s += x, float)
TRANSPOSE(narrow_transpose, double, float, (float)x)
TRANSPOSE(wide_transpose, float, double, x)
ROWS(int_of_floats, float, int, 0, s += x > 0 ? x < 1000 ? (int)x : 5 : 2, int)
ROWS(float_of_ints, int, float, 0, s += x, float)
ROWS(float_of_longs, i64, float, 0, s += x, float)
#define ARGMAX(NAME, INDEX, OUT)                                               \
  KERNEL(                                                                      \
      NAME, const float *X = A; FOR(i, M) {                                    \
        float best = -INFINITY;                                                \
        INDEX at = 0;                                                          \
        FOR(j, N) if (x > best) {                                              \
          best = x;                                                            \
          at = j;                                                              \
        }                                                                      \
        OUT;                                                                   \
      })
ARGMAX(argmax_long, long, ((long *)C)[i] = at)
ARGMAX(argmax_short, short, ((short *)C)[i] = at)
ARGMAX(argmax_gather, int, if (N > 0) C[i] = B[at])
KERNEL(
    max_and_count, const float *X = A; FOR(i, M) {
      float m = -INFINITY;
      int n = 0;
      FOR(j, N) {
        if (x > m) {
          m = x;
          n = 0;
        }
        n += x == m;
      }
      ((int *)C)[i] = n;
    })
#define INDEX(V, E) ((u32)(V) % (u32)(E))
KERNEL(
    gather_rows, const u32 *P = (const u32 *)B; FOR(i, M) {
      T s = 0;
      FOR(j, N) s += A[(P[i] & 0) * N + j];
      C[i] = s;
    })
KERNEL(
    gather_columns, const u8 *P = (const u8 *)B; FOR(j, N) {
      T s = 0;
      FOR(i, M) {
        long p = P[i];
        if (p < M)
          s += A[p * N + j];
      }
      C[j] = s;
    })
KERNEL(
    gather_all, const u8 *P = (const u8 *)B; FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        long p = P[i * N + j];
        if (p < M * N)
          s += A[p];
      }
      C[i] = s;
    })
KERNEL(
    gather_written, u8 *P = (u8 *)C; FOR(i, M) {
      int s = 0;
      FOR(j, N) {
        long p = P[i];
        if (p < M * N)
          s += ((const u8 *)A)[p];
      }
      P[i] = s;
    })
KERNEL(
    lookup_if, const int *X = (const int *)A; FOR(i, M) {
      T s = 0;
      FOR(j, N) if (x >= 0 && x < 16) s += B[x];
      C[i] = s;
    })
KERNEL(
    embedding, const u8 *P = (const u8 *)B; FOR(i, M) FOR(j, N) {
      long p = P[4 * i];
      C[i * N + j] = A[(p < 17 ? p : 16) * N + j];
    })
KERNEL(
    int_windows, const u32 *X = (const u32 *)A; const u32 *W = (const u32 *)B;
    FOR(i, M) {
      u32 s = 0;
      FOR(k, 70) s += X[i + k] * W[k];
      ((u32 *)C)[i] = s;
    })
KERNEL(
    int_windows_padded, const u32 *X = (const u32 *)A;
    const u32 *W = (const u32 *)B; FOR(i, M) {
      u32 s = 0;
      FOR(k, 70) if (i + k - 35 >= 0 && i + k - 35 < M) s += X[i + k - 35] * W[k];
      ((u32 *)C)[i] = s;
    })
KERNEL(
    int_power_sums, const u32 *X = (const u32 *)A; FOR(i, M) {
      u32 s = 0, t = 0;
      FOR(j, N) {
        t = s + t;
        s = x - t;
      }
      ((u32 *)C)[i] = s ^ t;
    })
ROWS(int_triangle, u32, u32, 0, if (j < i && (i - j) % 4 == 1) s += x, u32)
KERNEL(
    half_cells, const u16 *X = (const u16 *)A; FOR(i, M) {
      u32 s = 0;
      FOR(j, N) s += X[2 * (i * N + j)] - X[2 * (i * N + j) + 1];
      ((u32 *)C)[i] = s;
    })
struct S {
  float p, q, r;
};
KERNEL(
    struct_sum, const struct S *X = (const struct S *)A; FOR(i, M) {
      T s = 0;
      FOR(j, N) s += x.p * x.q + x.r;
      C[i] = s;
    })
KERNEL(
    struct_columns, const struct S *X = (const struct S *)A;
    struct S *Y = (struct S *)C; FOR(j, N) {
      struct S s = {0, 0, 0};
      FOR(i, M) {
        s.p += x.p;
        s.q = x.q > s.q ? x.q : s.q;
        s.r -= x.r;
      }
      Y[j] = s;
    })
TRANSPOSE(struct_transpose, struct S, float, x.q)
#undef x
#endif
