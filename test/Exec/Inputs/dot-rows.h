// Sums along rows of narrow integers, in groups that have a scale or without, for
// lanes.c: the bits of A and B are taken for integers. X(name, elements of A, of B, of C,
// numbers in C).
#define BYTES_OF(COUNT) (((COUNT) + 3) / 4)
#define KERNELS(X)                                                             \
  X(mv_s8, BYTES_OF(K), BYTES_OF(M *K), M, 0)                                  \
  X(mv_u8s8, BYTES_OF(K), BYTES_OF(M *K), M, 0)                                \
  X(mv_s8u8, BYTES_OF(K), BYTES_OF(M *K), M, 0)                                \
  X(mv_s16, (K + 1) / 2, (M * K + 1) / 2, M, 0)                                \
  X(mv_s16u8, (K + 1) / 2, BYTES_OF(M *K), M, 0)                               \
  X(mv_started, BYTES_OF(K), BYTES_OF(M *K), M, 0)                             \
  X(mv_bytes, BYTES_OF(K), BYTES_OF(M *K), BYTES_OF(M), 0)                     \
  X(mv_pitched, BYTES_OF(K), BYTES_OF(M *(K + 3)), M, 0)                       \
  X(mv_fixed, 48, BYTES_OF(M * 192), M, 0)                                     \
  X(mv_sizes, 25, BYTES_OF(37 * 100), 37, 0)                                   \
  X(few, BYTES_OF(3 * K), BYTES_OF(M *K), 3 * M, 0)                            \
  X(pairs, BYTES_OF(M *K), BYTES_OF(M *K), M, 0)                               \
  X(scaled, BYTES_OF(M *K), BYTES_OF(M *K) + 2 * M, M, 1)                      \
  X(groups, BYTES_OF(64 * N) + N, BYTES_OF(M *N * 64) + M *N, M, 1)            \
  X(groups_32, BYTES_OF(32 * N) + N, BYTES_OF(M *N * 32) + M *N, M, 1)         \
  X(groups_sizes, BYTES_OF(K *N) + N, BYTES_OF(M *N *K) + M *N, M, 1)          \
  X(groups_twice, BYTES_OF(L *N * 64) + L *N, BYTES_OF(M *L *N * 64) + M *L,   \
    M, 1)                                                                      \
  X(nibbles, BYTES_OF(32 * N) + N, BYTES_OF(M *N * 16) + M *N, M, 1)           \
  X(parts, BYTES_OF(2 * K), BYTES_OF(M *K), M, 0)                              \
  X(zero_points, BYTES_OF(K), BYTES_OF(M *K) + M, BYTES_OF(M), 0)              \
  X(zero_point, BYTES_OF(K), BYTES_OF(M *K), M, 0)                             \
  X(two_sums, BYTES_OF(K), BYTES_OF(2 * M *K), 2 * M, 0)                       \
  X(wraps, (K + 1) / 2, (M * K + 1) / 2, M, 0)

#ifdef BUILD
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
#define AS(TA, TB)                                                             \
  const TA *a = (const TA *)A;                                                 \
  const TB *b = (const TB *)B;                                                 \
  int *c = (int *)C;                                                           \
  (void)c;
#define POSITIVE(X) ((X) > 0 ? (X) : 0)
#define ROWS(COUNT, DEPTH, AT_A, AT_B, ...)                                    \
  FOR(i, COUNT) {                                                              \
    int s = 0;                                                                 \
    FOR(k, DEPTH) s += a[AT_A] * b[AT_B];                                      \
    __VA_ARGS__;                                                               \
  }
KERNEL(mv_s8, AS(s8, s8) ROWS(M, K, k, i *K + k, c[i] = s))
KERNEL(mv_u8s8, AS(u8, s8) ROWS(M, K, k, i *K + k, c[i] = s))
KERNEL(mv_s8u8, AS(s8, u8) ROWS(M, K, k, i *K + k, c[i] = s))
KERNEL(mv_s16, AS(s16, s16) FOR(i, M) {
  unsigned s = 0;
  FOR(k, K) s += (unsigned)(a[k] * b[i * K + k]);
  c[i] = (int)s;
})
KERNEL(mv_s16u8, AS(s16, u8) ROWS(M, K, k, i *K + k, c[i] = s))
KERNEL(mv_started, AS(s8, s8) FOR(i, M) {
  unsigned s = (unsigned)c[i];
  FOR(k, K) s += (unsigned)(a[k] * b[i * K + k]);
  c[i] = (int)s;
})
KERNEL(mv_bytes, AS(s8, s8) s8 *to = (s8 *)C;
       ROWS(M, K, k, i *K + k, s >>= 7; to[i] = s > 127    ? 127
                                                : s < -128 ? -128
                                                           : s))
KERNEL(mv_pitched, AS(s8, s8) ROWS(M, K, k, i *(K + 3) + k, c[i] = s))
KERNEL(mv_fixed, AS(s8, s8) ROWS(M, 192, k, i * 192 + k, c[i] = s))
KERNEL(mv_sizes, AS(s8, s8) ROWS(37, 100, k, i * 100 + k, c[i] = s))
// A few rows of the left side.
KERNEL(few, AS(s8, s8) FOR(l, 3) ROWS(M, K, l *K + k, i *K + k, c[l * M + i] = s))
// Both sides have rows.
KERNEL(pairs, AS(s8, s8) ROWS(M, K, i *K + k, i *K + k, c[i] = s))
KERNEL(
    scaled, AS(s8, s8) const float *scale = B + BYTES_OF(POSITIVE(M) *
                                                         POSITIVE(K));
    ROWS(M, K, i *K + k, i *K + k,
         C[i] = (float)s * scale[i] + scale[POSITIVE(M) + i]);)
// The order of the groups' sum is that of the source.
#define GROUPS(DEPTH)                                                          \
  const float *of_a = A + BYTES_OF(POSITIVE(DEPTH) * POSITIVE(N));             \
  const float *of_b = B + BYTES_OF(POSITIVE(M) * POSITIVE(N) *                 \
                                   POSITIVE(DEPTH));                           \
  FOR(i, M) {                                                                  \
    float v = 0;                                                               \
    FOR(g, N) {                                                                \
      int s = 0;                                                               \
      FOR(k, DEPTH) s += a[g * DEPTH + k] * b[(i * N + g) * DEPTH + k];        \
      v += (float)s * of_b[i * N + g] * of_a[g];                               \
    }                                                                          \
    C[i] = v;                                                                  \
  }
KERNEL(groups, AS(s8, s8) GROUPS(64))
KERNEL(groups_32, AS(u8, s8) GROUPS(32))
KERNEL(groups_sizes, AS(s8, s8) GROUPS(K))
// Groups of groups.
KERNEL(
    groups_twice, AS(s8, s8)
    const float *of_a = A + BYTES_OF(POSITIVE(L) * POSITIVE(N) * 64);
    const float *of_b = B + BYTES_OF(POSITIVE(M) * POSITIVE(L) *
                                     POSITIVE(N) * 64);
    FOR(i, M) {
      float v = 1;
      FOR(l, L) {
        float t = 0;
        FOR(g, N) {
          int s = 3;
          FOR(k, 64)
          s += a[(l * N + g) * 64 + k] * b[((i * L + l) * N + g) * 64 + k];
          t = t * 0.5f + (float)s * of_a[l * N + g];
        }
        v -= t * of_b[i * L + l];
      }
      C[i] = v;
    })
// Halves of bytes, as ggml has them.
KERNEL(
    nibbles, AS(s8, u8) const float *of_a = A + BYTES_OF(32 * POSITIVE(N));
    const float *of_b = B + BYTES_OF(POSITIVE(M) * POSITIVE(N) * 16);
    FOR(i, M) {
      float v = 0;
      FOR(g, N) {
        int s = 0, t = 0;
        FOR(k, 16) {
          const int low = (b[(i * N + g) * 16 + k] & 15) - 8;
          const int high = (b[(i * N + g) * 16 + k] >> 4) - 8;
          s += low * a[g * 32 + k];
          t += high * a[g * 32 + 16 + k];
        }
        v += (float)(s + t) * of_b[i * N + g] * of_a[g];
      }
      C[i] = v;
    })
KERNEL(
    parts, AS(u8, u8) FOR(i, M) {
      int s = 0;
      FOR(k, K) s += ((b[i * K + k] >> 4) - 7) * (200 - a[2 * k / 2]);
      c[i] = s;
    })
// Zero points, some of which leave more than 16 bits hold.
KERNEL(
    zero_points, AS(s8, s8) s8 *to = (s8 *)C;
    const int *bias = (const int *)B + BYTES_OF(POSITIVE(M) * POSITIVE(K));
    const int of_a = L * 20000, of_b = 40 - L; FOR(i, M) {
      unsigned s = 0;
      FOR(k, K) s += (unsigned)(a[k] + of_a) * (unsigned)(b[i * K + k] + of_b);
      s += (unsigned)bias[i];
      int t = (int)s >> 9;
      to[i] = (s8)(t > 127 ? 127 : t < -128 ? -128 : t);
    })
KERNEL(
    zero_point, AS(u8, s8) const int of_a = M * 300 - 9000; FOR(i, M) {
      unsigned s = 0;
      FOR(k, K) s += (unsigned)((a[k] - of_a) * b[i * K + k]);
      c[i] = (int)s;
    })
KERNEL(
    two_sums, AS(s8, s8) FOR(i, M) {
      int s = 0, t = 5;
      FOR(k, K) {
        s += a[k] * b[2 * i * K + k];
        t += a[k] * b[(2 * i + 1) * K + k];
      }
      c[2 * i] = s;
      c[2 * i + 1] = t;
    })
// Sums that wrap around on their way.
KERNEL(
    wraps, AS(s16, s16) FOR(i, M) {
      unsigned s = 4000000000u;
      FOR(k, K) s += (unsigned)((a[k] | 0x4000) * (b[i * K + k] | 0x4000));
      c[i] = (int)s;
    })
#endif
