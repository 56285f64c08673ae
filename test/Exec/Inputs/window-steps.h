// Convolutions whose steps, dilations and windows are numbers of the run, for lanes.c:
// mostly 1 or 2, and 3 x 3 or one element. X(name, elements of A, of B, of C, numbers in C).
#define ELEMENTS(COUNT, BYTES) (((COUNT) * BYTES + 3) / 4)
#define KERNELS(X)                                                             \
  X(planes, K *M *N, 5 * K * 9, 5 * M *N, 1)                                   \
  X(behind, M *N *K, 9 * K * 18, 18 * M *N, 1)                                 \
  X(far, M *N *K, 9 * K * 18, 18 * M *N, 1)                                    \
  X(each, M *N * 18, 9 * 18, 18 * M *N, 1)                                     \
  X(bytes, ELEMENTS(M *N *K, 1), ELEMENTS(9 * K * 18, 1), 18 * M *N, 0)        \
  X(from_border, M *N * 18, 9 * 18, 18 * M *N, 1)                              \
  X(average, M *N * 18, 1, 18 * M *N, 1)                                       \
  X(window, M *N *K, L *L *K * 18, 18 * M *N, 1)                               \
  X(sizes, K *M *N, 18 * K * 20, 18 * (M + 4) * (N + 4), 1)                    \
  X(behind_sizes, K *M *N, 18 * K * 20, 18 * (M + 4) * (N + 4), 1)             \
  X(few_sizes, K *M *N, 3 * K * 20, 3 * (M + 4) * (N + 4), 1)

#ifdef BUILD
// With steps of 2 most of the result is behind the borders.
#define STEPS(NAME, ...)                                                       \
  __attribute__((noinline)) static void NAME1(NAME##_of, BUILD)(               \
      int step, int dilation, int pad, ARGS) {                                 \
    __VA_ARGS__                                                                \
  }                                                                            \
  KERNEL(NAME, NAME1(NAME##_of, BUILD)(L < 1   ? 1                             \
                                       : L > 2 ? 2                             \
                                               : L,                            \
                                       L == 4 ? 2 : 1, L & 1, L, M, N, K, A,   \
                                       B, C);)
#define IF_INSIDE                                                              \
  const int h = y * step + r * dilation - pad,                                 \
            w = x * step + q * dilation - pad;                                 \
  if (h >= 0 && h < M && w >= 0 && w < N)
STEPS(
    planes, FOR(f, 5) FOR(y, M) FOR(x, N) {
      float s = 0;
      FOR(k, K) FOR(r, 3) FOR(q, 3) {
        IF_INSIDE s += A[(k * M + h) * N + w] * B[((f * K + k) * 3 + r) * 3 + q];
      }
      C[(f * M + y) * N + x] = s;
    })
#define BEHIND(WINDOW, SUM, TERM, RESULT)                                      \
  FOR(y, M) FOR(x, N) FOR(f, 18) {                                    \
    SUM = 0;                                                                   \
    FOR(r, WINDOW) FOR(q, WINDOW) {                                            \
      IF_INSIDE FOR(k, K) s += TERM;                                           \
    }                                                                          \
    RESULT[(y * N + x) * 18 + f] = s;                                    \
  }
STEPS(behind, BEHIND(3, float s,
                            A[(h * N + w) * K + k] *
                                B[((r * 3 + q) * K + k) * 18 + f],
                            C))
STEPS(far, BEHIND(3, float s,
                         A[(h * N + w) * K + k] *
                             B[((f * 3 + r) * 3 + q) * K + k],
                         C))
STEPS(
    each, FOR(y, M) FOR(x, N) FOR(f, 18) {
      float s = 0;
      FOR(r, 3) FOR(q, 3) {
        IF_INSIDE s += A[(h * N + w) * 18 + f] * B[(r * 3 + q) * 18 + f];
      }
      C[(y * N + x) * 18 + f] = s;
    })
// Windows are counted from where the first one begins, in front of the border.
STEPS(from_border, for (int y = 0, top = -pad; y < M; y++, top += step)
      for (int x = 0, left = -pad; x < N; x++, left += step)
        FOR(f, 18) {
          float s = 0;
          for (int r = top < 0 ? -top : 0; r < (M - top < 3 ? M - top : 3); r++)
            for (int q = left < 0 ? -left : 0; q < (N - left < 3 ? N - left : 3); q++)
              s += A[((top + r) * N + left + q) * 18 + f] * B[(r * 3 + q) * 18 + f];
          C[(y * N + x) * 18 + f] = s;
        })
// Averages of what is inside, until there is nothing.
STEPS(average, (void)B; FOR(y, M) FOR(x, N) FOR(f, 18) {
  int top = y * step - pad, left = x * step - pad, count = 0;
  float s = 0;
  for (int r = top < 0 ? -top : 0; r < (M - top < 3 ? M - top : 3); r++)
    for (int q = left < 0 ? -left : 0; q < (N - left < 3 ? N - left : 3); q++) {
      s += A[((top + r) * N + left + q) * 18 + f];
      count++;
    }
  if (count == 0)
    return;
  C[(y * N + x) * 18 + f] = s / count;
})
STEPS(bytes, const signed char *a = (const signed char *)A,
                                      *b = (const signed char *)B;
       int *c = (int *)C;
       BEHIND(3, int s,
              b[((f * 3 + r) * 3 + q) * K + k] *
                  (a[(h * N + w) * K + k] + 7),
              c))
STEPS(window, BEHIND(L, float s,
                            A[(h * N + w) * K + k] *
                                B[((f * L + r) * L + q) * K + k],
                            C))
// Windows of L x (L or 3), whatever L is: with a border that is half of them, and how
// many come out is computed.
#define SIZES(NAME, FILTERS, ...)                                              \
  __attribute__((noinline)) static void NAME1(NAME##_of, BUILD)(               \
      int step, int dilation, int rows, int columns, int pad, ARGS) {          \
    const int m = (M + 2 * pad - rows) / step + 1,                             \
              n = (N + 2 * pad - columns) / step + 1, filters = FILTERS;       \
    __VA_ARGS__                                                                \
  }                                                                            \
  KERNEL(NAME,                                                                 \
         NAME1(NAME##_of, BUILD)(K & 1 ? 2 : 1, 1, L < 1 ? 1 : L,              \
                                 L < 1 || K & 2 ? (L < 1 ? 1 : L) : 3,         \
                                 L < 1 ? 0 : L / 2, L, M, N, K, A, B, C);)
#define IN_FRONT                                                               \
  FOR(f, filters) FOR(y, m) FOR(x, n) {                                        \
    float s = 0;                                                               \
    FOR(k, K) FOR(r, rows) FOR(q, columns) {                                   \
      IF_INSIDE s += A[(k * M + h) * N + w] *                                  \
                     B[((f * K + k) * rows + r) * columns + q];                \
    }                                                                          \
    C[(f * m + y) * n + x] = s;                                                \
  }
SIZES(sizes, 16 + K % 3, IN_FRONT)
SIZES(few_sizes, 1 + K % 3, IN_FRONT)
SIZES(
    behind_sizes, 18, FOR(y, m) FOR(x, n) FOR(f, filters) {
      float s = 0;
      FOR(r, rows) FOR(q, columns) {
        IF_INSIDE FOR(k, K) s += A[(h * N + w) * K + k] *
                                 B[((r * columns + q) * K + k) * 18 + f];
      }
      C[(y * n + x) * filters + f] = s;
    })
#endif
