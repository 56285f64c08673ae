// Convolutions in the spellings that people use, for lanes.c: channels in front
// and behind, with borders by tests, by bounds and not at all, dilated, in
// groups, with bias and relu, with sums in memory, in steps; pooling. X(name,
// elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(front, 3 * M *N, 27 * 20, 20 * M *N, 1)                                    \
  X(front_valid, K *(M + 2) * (N + 2), 9 * K * 5, 5 * M *N, 1)                 \
  X(front_deep, K *(M + 2) * (N + 2), 9 * K * 11, 11 * M *N, 1)                \
  X(front_filters, 35 * M *N, 9 * 35 * K, K *M *N, 1)                          \
  X(front_wide, 3 * 7 * 83, 27 * 10, 10 * 7 * 83, 1)                           \
  X(front_square, 5 * 225 + 14, 45 * 14, 14 * 225, 1)                          \
  X(front_few, 6 * 49, 54 * 32, 32 * 49, 1)                                    \
  X(front_rows, 6 * 49 + 16, 54 * 16, 16 * 49, 1)                              \
  X(front_step, 3 * (2 * M + 1) * (2 * N), 27 * 12, 12 * M *N, 1)              \
  X(front_stem, 3 * 17 * 17, 147 * 16, 16 * 81, 1)                             \
  X(front_large, 2 * M *N, 50 * 13, 13 * M *N, 1)                              \
  X(front_bias, 2 * M *N, 18 * 10 + 10, 10 * M *N, 1)                          \
  X(front_memory, 2 * (M + 2) * (N + 2), 18 * 12, 12 * M *N, 1)                \
  X(front_sums, 2 * (M + 2) * (N + 2), 18 * 9, 9 * M *N, 1)                    \
  X(front_dilated, 2 * M *N, 18 * 16, 16 * M *N, 1)                            \
  X(front_line, 3 * N, 3 * 5 * 6, 6 * N, 1)                                    \
  X(front_batch, L * 2 * M *N, 18 * 15, L * 15 * M *N, 1)                      \
  X(front_groups, 4 * M *N, 24 * 2 * 9, 24 * M *N, 1)                          \
  X(front_cube, 2 * 3 * M *N, 10 * 2 * 27, 10 * 3 * M *N, 1)                   \
  X(front_bounds, 2 * M *N, 18 * 5, 5 * M *N, 1)                               \
  X(front_clamped, 2 * 2 * M * 2 * N, 50 * 9, 9 * M *N, 1)                     \
  X(front_far, 2 * M *N, 18 * 5, 5 * (M + 6) * (N + 6), 1)                     \
  X(front_runs, M *N, K *K, M *N, 1)                                           \
  X(front_one_sided, 2 * M *N, 18 * 5, 5 * M *N, 1)                            \
  X(front_twice, 2 * M *N, 2 * 18 * 3, 3 * M *N, 1)                            \
  X(front_steps, 2 * 2 * M * 2 * N, 50 * 9, 9 * M *N, 1)                       \
  X(front_steps_three, 2 * 3 * M * 3 * N, 18 * 5, 5 * M *N, 1)                 \
  X(front_steps_four, 2 * 4 * M * 4 * N, 16 * 2 * 3, 3 * M *N, 1)              \
  X(front_steps_odd, 2 * (2 * M + 1) * (2 * N - 1), 18 * 6, 6 * M *N, 1)       \
  X(front_patches, 3 * 2 * M * 2 * N, 12 * 9, 9 * M *N, 1)                     \
  X(depth_steps, 5 * 2 * M * 2 * N, 9 * 5, 5 * M *N, 1)                        \
  X(depth_steps_valid, 4 * (3 * M + 1) * (3 * N + 1), 16 * 4, 4 * M *N, 1)     \
  X(pool_max, K *M *N, 1, K *M *N, 1)                                          \
  X(pool_fmax_steps, 4 * 2 * M * 2 * N, 1, 4 * M *N, 1)                        \
  X(pool_min_steps, 3 * 3 * M * 3 * N, 1, 3 * M *N, 1)                         \
  X(pool_if, K *M *N, 1, K *M *N, 1)                                           \
  X(pool_if_steps, 4 * 2 * M * 2 * N, 1, 4 * M *N, 1)                          \
  X(pool_clamped, 4 * 2 * M * 2 * N, 1, 4 * M *N, 1)                           \
  X(pool_counted, 4 * 2 * M * 2 * N, 1, 4 * M *N, 1)                           \
  X(pool_counted_clamped, 4 * M *N, 1, 4 * M *N, 1)                            \
  X(pool_sum_steps, 4 * 2 * M * 2 * N, 1, 4 * M *N, 1)                         \
  X(behind, 3 * M *N, 27 * K, K *M *N, 1)                                      \
  X(behind_clamped, 3 * M *N, 27 * K, K *M *N, 1)                              \
  X(behind_valid, 3 * (M + 2) * (N + 2), 27 * 20, 20 * M *N, 1)                \
  X(behind_relu, 3 * M *N, 28 * 33, 33 * M *N, 1)                              \
  X(behind_deep, K *M *N, 9 * K * 17, 17 * M *N, 1)                            \
  X(behind_columns, 3 * M *N, 27 * K, K *M *N, 1)                              \
  X(far, 3 * M *N, 27 * K, K *M *N, 1)                                         \
  X(far_valid, 3 * (M + 2) * (N + 2), 27 * 20, 20 * M *N, 1)                   \
  X(far_relu, 4 * M *N + 33, 36 * 33, 33 * M *N, 1)                            \
  X(far_deep, K *M *N, 9 * K * 17, 17 * M *N, 1)                               \
  X(far_square, 70 * 225, 9 * 70 * 48, 48 * 225, 1)                            \
  X(far_wide, 5 * 7 * 83, 45 * 20, 20 * 7 * 83, 1)                             \
  X(far_steps, 5 * 2 * M * 2 * N, 125 * 19, 19 * M *N, 1)                      \
  X(far_line, K *N, 5 * K * 18, 18 * N, 1)                                     \
  X(far_planes, 2 * M *N, 18 * K, K *M *N, 1)                                  \
  X(far_channels, K *M *N, 9 * K * 12, 12 * M *N, 1)                           \
  X(far_batch, L * 2 * M *N, 18 * 15, L * 15 * M *N, 1)                        \
  X(far_groups, 4 * (M + 2) * (N + 2), 24 * 2 * 9, 24 * M *N, 1)               \
  X(far_memory, 2 * (M + 2) * (N + 2), 18 * K, K *M *N, 1)                     \
  X(far_dilated, 2 * M *N, 18 * 16, 16 * M *N, 1)                              \
  X(far_cube, 2 * 3 * M *N, 10 * 2 * 27, 10 * 3 * M *N, 1)                     \
  X(depth, K *M *N, 9 * K, K *M *N, 1)                                         \
  X(depth_valid, K *(M + 2) * (N + 2), 9 * K, K *M *N, 1)                      \
  X(depth_behind, K *M *N, 9 * K, K *M *N, 1)                                  \
  X(front_optional, 2 * M *N, 18 * K + K, K *M *N, 1)                          \
  X(far_optional, 2 * M *N, 18 * K + K, K *M *N, 1)

#ifdef BUILD
#define WINDOW FOR(y, 3) FOR(x, 3)
#define INSIDE(P, Q) if (P >= 0 && P < M && Q >= 0 && Q < N)
#define PADDED(BY)                                                             \
  WINDOW {                                                                     \
    int p = i + y * BY - BY, q = j + x * BY - BY;                              \
    INSIDE(p, q)
KERNEL(
    front, FOR(o, 20) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 3) PADDED(1) s += A[(c * M + p) * N + q] *
                               B[((o * 3 + c) * 3 + y) * 3 + x];
    }
    C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_valid, FOR(o, 5) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, K) WINDOW s += A[(c * (M + 2) + i + y) * (N + 2) + j + x] *
                            B[((o * K + c) * 3 + y) * 3 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_deep, FOR(o, 11) FOR(i, M) FOR(j, N) {
      T s = C[(o * M + i) * N + j];
      FOR(c, K) WINDOW s += A[(c * (M + 2) + i + y) * (N + 2) + j + x] *
                            B[((o * K + c) * 3 + y) * 3 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_filters, FOR(o, K) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 35) PADDED(1) s += A[(c * M + p) * N + q] *
                                B[((o * 35 + c) * 3 + y) * 3 + x];
    }
    C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_wide, FOR(o, 10) FOR(i, 7) FOR(j, 83) {
      T s = 0;
      FOR(c, 3) WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < 7 && q >= 0 && q < 83)
          s += A[(c * 7 + p) * 83 + q] * B[((o * 3 + c) * 3 + y) * 3 + x];
      }
      C[(o * 7 + i) * 83 + j] = s;
    })
KERNEL(
    front_square, FOR(o, 14) FOR(i, 15) FOR(j, 15) {
      T s = A[5 * 225 + o];
      FOR(c, 5) WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < 15 && q >= 0 && q < 15)
          s += A[(c * 15 + p) * 15 + q] * B[((o * 5 + c) * 3 + y) * 3 + x];
      }
      C[(o * 15 + i) * 15 + j] = s > 0 ? s : 0;
    })
// Short rows: two at a time.
#define SHORT(C)                                                               \
  FOR(c, C) WINDOW {                                                           \
    int p = i + y - 1, q = j + x - 1;                                          \
    if (p >= 0 && p < 7 && q >= 0 && q < 7)                                    \
      s += A[(c * 7 + p) * 7 + q] * B[((o * C + c) * 3 + y) * 3 + x];          \
  }
KERNEL(
    front_few, FOR(o, 32) FOR(i, 7) FOR(j, 7) {
      T s = 0;
      SHORT(6)
      C[(o * 7 + i) * 7 + j] = s;
    })
KERNEL(
    front_rows, FOR(o, 16) FOR(i, 7) FOR(j, 7) {
      T s = A[6 * 49 + o];
      SHORT(6)
      C[(o * 7 + i) * 7 + j] = s > 0 ? s : 0;
    })
KERNEL(
    front_step, FOR(o, 12) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 3) WINDOW {
        int p = 2 * i + y, q = 2 * j + x - 1;
        if (q >= 0 && q < 2 * N)
          s += A[(c * (2 * M + 1) + p) * 2 * N + q] *
               B[((o * 3 + c) * 3 + y) * 3 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_stem, FOR(o, 16) FOR(i, 9) FOR(j, 9) {
      T s = 0;
      FOR(c, 3) FOR(y, 7) FOR(x, 7) {
        int p = 2 * i + y - 3, q = 2 * j + x - 3;
        if (p >= 0 && p < 17 && q >= 0 && q < 17)
          s += A[(c * 17 + p) * 17 + q] * B[((o * 3 + c) * 7 + y) * 7 + x];
      }
      C[(o * 9 + i) * 9 + j] = s;
    })
KERNEL(
    front_large, FOR(o, 13) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) FOR(y, 5) FOR(x, 5) {
        int p = i + y - 2, q = j + x - 1;
        INSIDE(p, q) s += A[(c * M + p) * N + q] *
                          B[((o * 2 + c) * 5 + y) * 5 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_bias, FOR(o, 10) FOR(i, M) FOR(j, N) {
      T s = B[180 + o];
      FOR(c, 2) PADDED(1) s += A[(c * M + p) * N + q] *
                               B[((o * 2 + c) * 3 + y) * 3 + x];
    }
    C[(o * M + i) * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    front_memory, FOR(o, 12) FOR(i, M) FOR(j, N) {
      C[(o * M + i) * N + j] = 0;
      FOR(c, 2) WINDOW C[(o * M + i) * N + j] +=
          A[(c * (M + 2) + i + y) * (N + 2) + j + x] *
          B[((o * 2 + c) * 3 + y) * 3 + x];
    })
KERNEL(
    front_sums, FOR(o, 9) FOR(c, 2) FOR(i, M) FOR(j, N) WINDOW
                    C[(o * M + i) * N + j] +=
                A[(c * (M + 2) + i + y) * (N + 2) + j + x] *
                B[((o * 2 + c) * 3 + y) * 3 + x];)
KERNEL(
    front_dilated, FOR(o, 16) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) PADDED(2) s += A[(c * M + p) * N + q] *
                               B[((o * 2 + c) * 3 + y) * 3 + x];
    }
    C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_line, FOR(o, 6) FOR(j, N) {
      T s = 0;
      FOR(c, 3) FOR(x, 5) {
        int q = j + x - 2;
        if (q >= 0 && q < N)
          s += A[c * N + q] * B[(o * 3 + c) * 5 + x];
      }
      C[o * N + j] = s;
    })
KERNEL(
    front_batch, FOR(n, L) FOR(o, 15) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) PADDED(1) s += A[((n * 2 + c) * M + p) * N + q] *
                               B[((o * 2 + c) * 3 + y) * 3 + x];
    }
    C[((n * 15 + o) * M + i) * N + j] = s;
    })
KERNEL(
    front_groups, FOR(g, 2) FOR(o, 12) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) PADDED(1) s += A[((g * 2 + c) * M + p) * N + q] *
                               B[(((g * 12 + o) * 2 + c) * 3 + y) * 3 + x];
    }
    C[((g * 12 + o) * M + i) * N + j] = s;
    })
KERNEL(
    front_cube, FOR(o, 10) FOR(d, 3) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) FOR(z, 3) PADDED(1) if (d + z >= 1 && d + z <= 3)
          s += A[((c * 3 + d + z - 1) * M + p) * N + q] *
               B[(((o * 2 + c) * 3 + z) * 3 + y) * 3 + x];
    }
    C[((o * 3 + d) * M + i) * N + j] = s;
    })
KERNEL(
    front_bounds, FOR(o, 5) FOR(i, M) FOR(j, N) {
      T s = 0;
      int y0 = i < 1 ? 1 - i : 0, y1 = M + 1 - i < 3 ? M + 1 - i : 3;
      int x0 = j < 1 ? 1 - j : 0, x1 = N + 1 - j < 3 ? N + 1 - j : 3;
      FOR(c, 2) for (int y = y0; y < y1; y++) for (int x = x0; x < x1; x++)
          s += A[(c * M + i + y - 1) * N + j + x - 1] *
               B[((o * 2 + c) * 3 + y) * 3 + x];
      C[(o * M + i) * N + j] = s;
    })
// Borders as bounds of loops: of image elements, of more than there are, of a window
// of any size, and without signs.
#define GREATER(X, Y) ((X) > (Y) ? (X) : (Y))
#define SMALLER(X, Y) ((X) < (Y) ? (X) : (Y))
#define CLAMPED(SIZE, BY, STEP, H, W)                                          \
  for (int y = GREATER(0, BY - i * STEP);                                      \
       y < SMALLER(SIZE, H + BY - i * STEP); y++)                              \
    for (int x = GREATER(0, BY - j * STEP);                                    \
         x < SMALLER(SIZE, W + BY - j * STEP); x++)
KERNEL(
    front_clamped, FOR(o, 9) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) CLAMPED(5, 2, 2, 2 * M, 2 * N)
          s += A[(c * 2 * M + i * 2 + y - 2) * 2 * N + j * 2 + x - 2] *
               B[((o * 2 + c) * 5 + y) * 5 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_far, FOR(o, 5) FOR(i, M + 6) FOR(j, N + 6) {
      T s = 1;
      FOR(c, 2) CLAMPED(3, 4, 1, M, N)
          s += A[(c * M + i + y - 4) * N + j + x - 4] *
               B[((o * 2 + c) * 3 + y) * 3 + x];
      C[(o * (M + 6) + i) * (N + 6) + j] = s;
    })
KERNEL(
    front_runs, FOR(i, M) FOR(j, N) {
      T s = 0;
      CLAMPED(K, K / 2, 1, M, N)
      s += A[(i + y - K / 2) * N + j + x - K / 2] * B[y * K + x];
      C[i * N + j] = s;
    })
KERNEL(
    front_one_sided, FOR(o, 5) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) WINDOW if (i + y < M && j + x < N)
          s += A[(c * M + i + y) * N + j + x] * B[((o * 2 + c) * 3 + y) * 3 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_twice, FOR(o, 3) FOR(i, M) FOR(j, N) {
      T s = 0, t = 1;
      FOR(c, 2) PADDED(1) {
        s += A[(c * M + p) * N + q] * B[((o * 2 + c) * 3 + y) * 3 + x];
        t += A[(c * M + p) * N + q] * B[54 + ((o * 2 + c) * 3 + y) * 3 + x];
      }
    }
    C[(o * M + i) * N + j] = s * t;
    })
// Windows that move on by more than one element: of all or of some elements between
// them nothing is used.
#define STEPS(STEP, BY, H, W)                                                  \
  int p = i * STEP + y - BY, q = j * STEP + x - BY;                            \
  if (p >= 0 && p < H && q >= 0 && q < W)
KERNEL(
    front_steps, FOR(o, 9) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) FOR(y, 5) FOR(x, 5) {
        STEPS(2, 2, 2 * M, 2 * N)
        s += A[(c * 2 * M + p) * 2 * N + q] *
             B[((o * 2 + c) * 5 + y) * 5 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_steps_three, FOR(o, 5) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) WINDOW {
        STEPS(3, 1, 3 * M, 3 * N)
        s += A[(c * 3 * M + p) * 3 * N + q] *
             B[((o * 2 + c) * 3 + y) * 3 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_steps_four, FOR(o, 3) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) FOR(y, 4) FOR(x, 4)
          s += A[(c * 4 * M + 4 * i + y) * 4 * N + 4 * j + x] *
               B[((o * 2 + c) * 4 + y) * 4 + x];
      C[(o * M + i) * N + j] = s;
    })
// Rows of which the last window goes behind the end.
KERNEL(
    front_steps_odd, FOR(o, 6) FOR(i, M) FOR(j, N) {
      T s = 1;
      FOR(c, 2) WINDOW {
        STEPS(2, 1, 2 * M + 1, 2 * N - 1)
        s += A[(c * (2 * M + 1) + p) * (2 * N - 1) + q] *
             B[((o * 2 + c) * 3 + y) * 3 + x];
      }
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    front_patches, FOR(o, 9) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 3) FOR(y, 2) FOR(x, 2)
          s += A[(c * 2 * M + 2 * i + y) * 2 * N + 2 * j + x] *
               B[((o * 3 + c) * 2 + y) * 2 + x];
      C[(o * M + i) * N + j] = s;
    })
KERNEL(
    depth_steps, FOR(c, 5) FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW {
        STEPS(2, 1, 2 * M, 2 * N)
        s += A[(c * 2 * M + p) * 2 * N + q] * B[(c * 3 + y) * 3 + x];
      }
      C[(c * M + i) * N + j] = s;
    })
KERNEL(
    depth_steps_valid, FOR(c, 4) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(y, 4) FOR(x, 4)
          s += A[(c * (3 * M + 1) + 3 * i + y) * (3 * N + 1) + 3 * j + x] *
               B[(c * 4 + y) * 4 + x];
      C[(c * M + i) * N + j] = s;
    })
// Pooling: maxima and sums over windows with borders.
#define POOL(CHANNELS, STEP, START, UPDATE, RESULT)                            \
  FOR(c, CHANNELS) FOR(i, M) FOR(j, N) {                                       \
    T s = START;                                                               \
    WINDOW {                                                                   \
      STEPS(STEP, 1, STEP *M, STEP *N) {                                       \
        T v = A[(c * STEP * M + p) * STEP * N + q];                            \
        UPDATE;                                                                \
      }                                                                        \
    }                                                                          \
    C[(c * M + i) * N + j] = RESULT;                                           \
  }
KERNEL(pool_max, POOL(K, 1, -3e38, s = v > s ? v : s, s))
KERNEL(pool_fmax_steps,
       POOL(4, 2, -3e38, s = sizeof(T) == 4 ? (T)fmaxf(s, v) : (T)fmax(s, v), s))
// A branch around what is greater, of which a NaN is none; and elements that are
// counted, a mean of those that there are.
KERNEL(pool_if, POOL(K, 1, -3e38, if (v > s) s = v, s))
KERNEL(pool_if_steps, POOL(4, 2, A[0], if (!(s > v)) s = v, s))
KERNEL(
    pool_clamped, FOR(c, 4) FOR(i, M) FOR(j, N) {
      int p0 = i * 2 - 1, q0 = j * 2 - 1;
      int p1 = SMALLER(p0 + 3, 2 * M), q1 = SMALLER(q0 + 3, 2 * N);
      p0 = GREATER(p0, 0), q0 = GREATER(q0, 0);
      T s = -3e38;
      for (int p = p0; p < p1; p++)
        for (int q = q0; q < q1; q++) {
          T v = A[(c * 2 * M + p) * 2 * N + q];
          s = v >= s ? v : s;
        }
      C[(c * M + i) * N + j] = s;
    })
KERNEL(
    pool_counted, FOR(c, 4) FOR(i, M) FOR(j, N) {
      T s = 0;
      int n = 0;
      WINDOW {
        STEPS(2, 1, 2 * M, 2 * N) {
          s += A[(c * 2 * M + p) * 2 * N + q];
          n++;
        }
      }
      C[(c * M + i) * N + j] = s / n;
    })
KERNEL(
    pool_counted_clamped, FOR(c, 4) FOR(i, M) FOR(j, N) {
      int p0 = GREATER(i - 1, 0), p1 = SMALLER(i + 2, M);
      int q0 = GREATER(j - 1, 0), q1 = SMALLER(j + 2, N);
      T s = 0;
      for (int p = p0; p < p1; p++)
        for (int q = q0; q < q1; q++)
          s += A[(c * M + p) * N + q];
      C[(c * M + i) * N + j] = s / ((p1 - p0) * (q1 - q0));
    })
KERNEL(pool_min_steps, POOL(3, 3, 3e38, s = s < v ? s : v, s > 0 ? s : 0))
KERNEL(pool_sum_steps, POOL(4, 2, 0, s += v, s / 9))
KERNEL(
    behind, FOR(i, M) FOR(j, N) FOR(o, K) {
      T s = 0;
      PADDED(1) FOR(c, 3) s += A[(p * N + q) * 3 + c] *
                               B[((y * 3 + x) * 3 + c) * K + o];
    }
    C[(i * N + j) * K + o] = s;
    })
KERNEL(
    behind_clamped, FOR(i, M) FOR(j, N) FOR(o, K) {
      size_t P = i, Q = j;
      size_t y1 = SMALLER(3, M + 1 - P), x1 = SMALLER(3, N + 1 - Q);
      T s = 0;
      for (size_t y = P < 1 ? 1 - P : 0; y < y1; y++)
        for (size_t x = Q < 1 ? 1 - Q : 0; x < x1; x++)
          FOR(c, 3) s += A[((P + y - 1) * N + Q + x - 1) * 3 + c] *
                         B[((y * 3 + x) * 3 + c) * K + o];
      C[(i * N + j) * K + o] = s;
    })
KERNEL(
    behind_valid, FOR(i, M) FOR(j, N) FOR(o, 20) {
      T s = 0;
      WINDOW FOR(c, 3) s += A[((i + y) * (N + 2) + j + x) * 3 + c] *
                            B[((y * 3 + x) * 3 + c) * 20 + o];
      C[(i * N + j) * 20 + o] = s;
    })
KERNEL(
    behind_relu, FOR(i, M) FOR(j, N) FOR(o, 33) {
      T s = B[27 * 33 + o];
      PADDED(1) FOR(c, 3) s += A[(p * N + q) * 3 + c] *
                               B[((y * 3 + x) * 3 + c) * 33 + o];
    }
    C[(i * N + j) * 33 + o] = s > 0 ? s : s * (T)0.125;
    })
KERNEL(
    behind_deep, FOR(i, M) FOR(j, N) FOR(o, 17) {
      T s = 0;
      PADDED(1) FOR(c, K) s += A[(p * N + q) * K + c] *
                               B[((y * 3 + x) * K + c) * 17 + o];
    }
    C[(i * N + j) * 17 + o] = s;
    })
KERNEL(
    behind_columns, FOR(j, N) FOR(i, M) FOR(o, K) {
      T s = 0;
      PADDED(1) FOR(c, 3) s += A[(p * N + q) * 3 + c] *
                               B[((y * 3 + x) * 3 + c) * K + o];
    }
    C[(i * N + j) * K + o] = s;
    })
// Channels behind, and filters in front of all: these are far apart.
#define FAR(O, CHANNELS, C) B[((O * 3 + y) * 3 + x) * CHANNELS + C]
KERNEL(
    far, FOR(i, M) FOR(j, N) FOR(o, K) {
      T s = 0;
      PADDED(1) FOR(c, 3) s += A[(p * N + q) * 3 + c] * FAR(o, 3, c);
    }
    C[(i * N + j) * K + o] = s;
    })
KERNEL(
    far_valid, FOR(i, M) FOR(j, N) FOR(o, 20) {
      T s = 0;
      WINDOW FOR(c, 3) s += A[((i + y) * (N + 2) + j + x) * 3 + c] *
                            FAR(o, 3, c);
      C[(i * N + j) * 20 + o] = s;
    })
KERNEL(
    far_relu, FOR(i, M) FOR(j, N) FOR(o, 33) {
      T s = A[4 * M * N + o];
      PADDED(1) FOR(c, 4) s += A[(p * N + q) * 4 + c] * FAR(o, 4, c);
    }
    C[(i * N + j) * 33 + o] = s > 0 ? s : s * (T)0.125;
    })
KERNEL(
    far_deep, FOR(i, M) FOR(j, N) FOR(o, 17) {
      T s = C[(i * N + j) * 17 + o];
      PADDED(1) FOR(c, K) s += A[(p * N + q) * K + c] * FAR(o, K, c);
    }
    C[(i * N + j) * 17 + o] = s;
    })
// More channels than are copied at once, and rows that are cut.
KERNEL(
    far_square, FOR(i, 15) FOR(j, 15) FOR(o, 48) {
      T s = 0;
      WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < 15 && q >= 0 && q < 15)
          FOR(c, 70) s += A[(p * 15 + q) * 70 + c] * FAR(o, 70, c);
      }
      C[(i * 15 + j) * 48 + o] = s;
    })
KERNEL(
    far_wide, FOR(i, 7) FOR(j, 83) FOR(o, 20) {
      T s = 0;
      WINDOW {
        int p = i + y - 1, q = j + x - 1;
        if (p >= 0 && p < 7 && q >= 0 && q < 83)
          FOR(c, 5) s += A[(p * 83 + q) * 5 + c] * FAR(o, 5, c);
      }
      C[(i * 83 + j) * 20 + o] = s;
    })
KERNEL(
    far_steps, FOR(i, M) FOR(j, N) FOR(o, 19) {
      T s = 0;
      FOR(y, 5) FOR(x, 5) {
        STEPS(2, 2, 2 * M, 2 * N)
        FOR(c, 5) s += A[(p * 2 * N + q) * 5 + c] *
                       B[((o * 5 + y) * 5 + x) * 5 + c];
      }
      C[(i * N + j) * 19 + o] = s;
    })
KERNEL(
    far_line, FOR(j, N) FOR(o, 18) {
      T s = 0;
      FOR(x, 5) {
        int q = j + x - 2;
        if (q >= 0 && q < N)
          FOR(c, K) s += A[q * K + c] * B[(o * 5 + x) * K + c];
      }
      C[j * 18 + o] = s;
    })
// Weights with the window behind, and with the channels as the outer loop.
KERNEL(
    far_planes, FOR(i, M) FOR(j, N) FOR(o, K) {
      T s = 0;
      PADDED(1) FOR(c, 2) s += A[(p * N + q) * 2 + c] *
                               B[((o * 2 + c) * 3 + y) * 3 + x];
    }
    C[(i * N + j) * K + o] = s;
    })
KERNEL(
    far_channels, FOR(i, M) FOR(j, N) FOR(o, 12) {
      T s = 0;
      FOR(c, K) PADDED(1) s += A[(p * N + q) * K + c] *
                               B[((o * K + c) * 3 + y) * 3 + x];
    }
    C[(i * N + j) * 12 + o] = s;
    })
KERNEL(
    far_batch, FOR(n, L) FOR(i, M) FOR(j, N) FOR(o, 15) {
      T s = 0;
      PADDED(1) FOR(c, 2) s += A[((n * M + p) * N + q) * 2 + c] *
                               FAR(o, 2, c);
    }
    C[((n * M + i) * N + j) * 15 + o] = s;
    })
KERNEL(
    far_groups, FOR(g, 2) FOR(i, M) FOR(j, N) FOR(o, 12) {
      T s = 0;
      WINDOW FOR(c, 2) s +=
          A[(((i + y) * (N + 2) + j + x) * 2 + g) * 2 + c] *
          FAR((g * 12 + o), 2, c);
      C[((i * N + j) * 2 + g) * 12 + o] = s;
    })
KERNEL(
    far_memory, FOR(i, M) FOR(j, N) FOR(o, K) {
      C[(i * N + j) * K + o] = 0;
      WINDOW FOR(c, 2) C[(i * N + j) * K + o] +=
          A[((i + y) * (N + 2) + j + x) * 2 + c] * FAR(o, 2, c);
    })
KERNEL(
    far_dilated, FOR(i, M) FOR(j, N) FOR(o, 16) {
      T s = 0;
      PADDED(2) FOR(c, 2) s += A[(p * N + q) * 2 + c] * FAR(o, 2, c);
    }
    C[(i * N + j) * 16 + o] = s;
    })
KERNEL(
    far_cube, FOR(d, 3) FOR(i, M) FOR(j, N) FOR(o, 10) {
      T s = 0;
      FOR(z, 3) PADDED(1) if (d + z >= 1 && d + z <= 3)
          FOR(c, 2) s += A[(((d + z - 1) * M + p) * N + q) * 2 + c] *
                         B[(((o * 3 + z) * 3 + y) * 3 + x) * 2 + c];
    }
    C[((d * M + i) * N + j) * 10 + o] = s;
    })
KERNEL(
    depth, FOR(c, K) FOR(i, M) FOR(j, N) {
      T s = 0;
      PADDED(1) s += A[(c * M + p) * N + q] * B[(c * 3 + y) * 3 + x];
    }
    C[(c * M + i) * N + j] = s;
    })
KERNEL(
    depth_valid, FOR(c, K) FOR(i, M) FOR(j, N) {
      T s = 0;
      WINDOW s += A[(c * (M + 2) + i + y) * (N + 2) + j + x] *
                  B[(c * 3 + y) * 3 + x];
      C[(c * M + i) * N + j] = s;
    })
KERNEL(
    depth_behind, FOR(i, M) FOR(j, N) FOR(c, K) {
      T s = 0;
      PADDED(1) s += A[(p * N + q) * K + c] * B[(y * 3 + x) * K + c];
    }
    C[(i * N + j) * K + c] = s;
    })
// A bias that there may be.
#define OPTIONAL const T *bias = L % 2 ? B + 18 * K : NULL;
KERNEL(
    front_optional, OPTIONAL FOR(o, K) FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(c, 2) PADDED(1) s += A[(c * M + p) * N + q] *
                               B[((o * 2 + c) * 3 + y) * 3 + x];
    }
    if (bias) s += bias[o];
    C[(o * M + i) * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    far_optional, OPTIONAL FOR(i, M) FOR(j, N) FOR(o, K) {
      T s = 0;
      PADDED(1) FOR(c, 2) s += A[(p * N + q) * 2 + c] * FAR(o, 2, c);
    }
    if (bias) s += bias[o];
    C[(i * N + j) * K + o] = s;
    })
#endif
