// Kernels for lanes.c with conditions that decide about whole loops: channels
// last, weights with one row for each output.
#define KERNELS(X)                                                             \
  X(conv_padded, K *M *N, 9 * K * L, L *M *N, 1)                               \
  X(conv_stepped, K *M *N, 9 * K * L, L *((M + 1) / 2) * ((N + 1) / 2), 1)     \
  X(conv_wide, K *M *N, 25 * K * L, L *M *N, 1)                                \
  X(conv_unsigned, K *M *N, 9 * K * L, L *M *N, 1)                             \
  X(conv_rows, K *(M + 2) * (N + 2), 9 * K * L, L *M *N, 1)                    \
  X(conv_line, K *N, 3 * K * L, L *N, 1)                                       \
  X(conv_add, K *M *N, 9 * K * L, L *M *N, 1)                                  \
  X(conv_count, K *M *N, 9 * K * L, L *M *N, 1)                                \
  X(conv_either, K *M *N, 9 * K * L, L *M *N, 1)                               \
  X(band, M *K, L *K, L *M, 1)                                                 \
  X(parts, M *K, L *K, L *M, 1)                                                \
  X(some, M *K, L *K, L *M, 1)                                                 \
  X(lanes_too, M *K, L *K, L *M, 1)

#ifdef BUILD
#define PIXELS(H, W) FOR(y, H) FOR(x, W) FOR(o, L)
#define IN(Y, X) A[((Y) * N + (X)) * K + c]
#define AT(F, Y, X) B[((o * F + (Y)) * F + (X)) * K + c]
#define OUT(W) C[(y * (W) + x) * L + o]
KERNEL(
    conv_padded, PIXELS(M, N) {
      T s = 0;
      FOR(f, 3) FOR(g, 3) {
        int v = y + f - 1, u = x + g - 1;
        if (v < 0 || v >= M || u < 0 || u >= N)
          continue;
        FOR(c, K) s += IN(v, u) * AT(3, f, g);
      }
      OUT(N) = s;
    })
KERNEL(
    conv_stepped, PIXELS((M + 1) / 2, (N + 1) / 2) {
      T s = 1;
      FOR(f, 3) FOR(g, 3) {
        int v = 2 * y + f - 1, u = 2 * x + g - 1;
        if (v >= 0 && v < M && u >= 0 && u < N)
          FOR(c, K) s += IN(v, u) * AT(3, f, g);
      }
      OUT((N + 1) / 2) = s > 0 ? s : 0;
    })
KERNEL(
    conv_wide, PIXELS(M, N) {
      T s = 0;
      FOR(f, 5) {
        int v = y + 2 * f - 4;
        if (v < 0 || v >= M)
          continue;
        FOR(g, 5) {
          int u = x + 2 * g - 4;
          if (u < 0 || u >= N)
            continue;
          FOR(c, K) s += IN(v, u) * AT(5, f, g);
        }
      }
      OUT(N) = s;
    })
KERNEL(
    conv_unsigned, PIXELS(M, N) {
      T s = 0;
      FOR(f, 3) FOR(g, 3) {
        int v = y + f - 1, u = x + g - 1;
        if ((unsigned)v < (unsigned)M && (unsigned)u < (unsigned)N)
          FOR(c, K) s += IN(v, u) * AT(3, f, g);
      }
      OUT(N) = s;
    })
KERNEL(
    conv_rows, PIXELS(M, N) {
      T s = 0;
      FOR(f, 3) FOR(g, 3) {
        if (y + f == 0 || y + f > M)
          continue;
        FOR(c, K) s += A[((y + f) * (N + 2) + x + g) * K + c] * AT(3, f, g);
      }
      OUT(N) = s;
    })
KERNEL(
    conv_line, FOR(x, N) FOR(o, L) {
      T s = 0;
      FOR(g, 3) if (x + g >= 1 && x + g <= N) FOR(c, K) s +=
          A[(x + g - 1) * K + c] * B[(o * 3 + g) * K + c];
      C[x * L + o] = s;
    })
// The sum goes on from what is there.
KERNEL(
    conv_add, PIXELS(M, N) {
      T s = OUT(N);
      FOR(f, 3) FOR(g, 3) {
        int v = y + f - 1, u = x + g - 1;
        if (v >= 0 && v < M && u >= 0 && u < N)
          FOR(c, K) s += IN(v, u) * AT(3, f, g);
      }
      OUT(N) = s;
    })
// Two sums in the loop.
KERNEL(
    conv_count, PIXELS(M, N) {
      T s = 0, n = 0;
      FOR(f, 3) FOR(g, 3) {
        int v = y + f - 1, u = x + g - 1;
        if (v >= 0 && v < M && u >= 0 && u < N)
          FOR(c, K) s += IN(v, u) * AT(3, f, g), n += AT(3, f, g);
      }
      OUT(N) = s / n;
    })
// One statement has the condition, the other has not.
KERNEL(
    conv_either, PIXELS(M, N) {
      T s = 0, n = 0;
      FOR(f, 3) FOR(g, 3) FOR(c, K) {
        int v = y + f - 1, u = x + g - 1;
        if (v >= 0 && v < M && u >= 0 && u < N)
          s += IN(v, u) * AT(3, f, g);
        n += AT(3, f, g);
      }
      OUT(N) = s * n;
    })
KERNEL(
    band, FOR(i, M) FOR(o, L) {
      T s = 0;
      FOR(j, M) if (j - i <= N && i - j <= N) FOR(c, K) s +=
          A[j * K + c] * B[o * K + c];
      C[i * L + o] = s;
    })
// Conditions of two depths.
KERNEL(
    parts, FOR(i, M) FOR(o, L) {
      T s = 0;
      if (i > N)
        FOR(j, M) if (j < i) FOR(c, K) s += A[j * K + c] * B[o * K + c];
      C[i * L + o] = s;
    })
// Changes in the innermost loop.
KERNEL(
    some, FOR(i, M) FOR(o, L) {
      T s = 0;
      FOR(j, 3) FOR(c, K) if (c + j >= N) s += A[i * K + c] * B[o * K + c];
      C[i * L + o] = s;
    })
// Differs between lanes.
KERNEL(
    lanes_too, FOR(i, M) FOR(o, L) {
      T s = 0;
      FOR(j, 3) if (o + j >= N) FOR(c, K) s += A[i * K + c] * B[o * K + c];
      C[i * L + o] = s;
    })
#undef PIXELS
#undef IN
#undef AT
#undef OUT
#endif
