// Sums of products of what is stored as other numbers, for lanes.c: bytes with zero
// points, halves, bfloats. The bits of A and B are taken for
// these, and C gets floats or ints. X(name, elements of A, of B, of C, numbers in C).
#define ELEMENTS(COUNT, BYTES) (((COUNT) * BYTES + 3) / 4)
#define OF(X, NAME, A, B, NUMBERS)                                             \
  X(nn_##NAME, ELEMENTS(M *K, A), ELEMENTS(K *N, B), M *N, NUMBERS)            \
  X(nt_##NAME, ELEMENTS(M *K, A), ELEMENTS(K *N, B), M *N, NUMBERS)
#define INTEGERS(X)                                                            \
  OF(X, zero_a, 1, 1, 0)                                                        \
  OF(X, zero_b, 1, 1, 0)                                                        \
  OF(X, zero_both, 1, 1, 0)                                                     \
  OF(X, zero_fixed, 1, 1, 0)                                                    \
  OF(X, zero_bytes, 1, 1, 0)                                                    \
  OF(X, zero_large, 1, 1, 0)                                                    \
  OF(X, nibbles, 1, 1, 0)                                                       \
  OF(X, wide, 2, 2, 0)                                                          \
  X(conv, ELEMENTS(M *N *K, 1), ELEMENTS(9 * K * 18, 1) + 36,                  \
    ELEMENTS(18 * M *N, 1), 0)
#define FLOATS(X)                                                              \
  OF(X, bfloat, 2, 2, 1)                                                        \
  OF(X, bits, 2, 2, 1)                                                          \
  OF(X, half, 2, 2, 1)                                                          \
  OF(X, mixed, 4, 2, 1)                                                         \
  OF(X, bytes, 4, 1, 1)                                                         \
  OF(X, scaled, 1, 2, 1)                                                        \
  OF(X, added, 2, 4, 1)                                                         \
  X(biased, ELEMENTS(M *K, 2), ELEMENTS(K *N, 2) + N, M *N, 1)                 \
  X(to_half, ELEMENTS(M *K, 2), ELEMENTS(K *N, 2), ELEMENTS(M *N, 2), 0)       \
  X(sizes, ELEMENTS(24 * 70, 2), ELEMENTS(70 * 33, 2), 24 * 33, 1)             \
  X(deep, ELEMENTS(M * 20 * K, 2), ELEMENTS(20 * K *N, 2), M *N, 1)            \
  X(batch, ELEMENTS(L *M *K, 2), ELEMENTS(L *K *N, 2), L *M *N, 1)             \
  X(conv_half, ELEMENTS(M *N *K, 2), ELEMENTS(9 * K * 18, 2), 18 * M *N, 1)    \
  X(twice, ELEMENTS(M *K, 2), ELEMENTS(K *N, 2), M *N, 1)
#if defined(INTEGERS_ALONE)
#define KERNELS(X) INTEGERS(X)
#else
#define KERNELS(X) INTEGERS(X) FLOATS(X)
#endif

#ifdef BUILD
#include <string.h>
typedef int8_t s8;
typedef uint8_t u8;
typedef int16_t s16;
typedef uint16_t bf;
static inline float widen(bf H) {
  uint32_t Bits = (uint32_t)H << 16;
  float F;
  memcpy(&F, &Bits, sizeof(F));
  return F;
}
// Whatever sizes there are: often zero, often more than 16 bits.
static inline int getZero(int N, int K) { return N % 5 == 0 ? K * 4000 : K - N; }
#define BOTH(NAME, TA, TB, TC, TS, A_OF, B_OF)                                 \
  KERNEL(nn_##NAME, const int za = getZero(N, K), zb = getZero(K, M);          \
         (void)za; (void)zb; const TA *a = (const TA *)A;                      \
         const TB *b = (const TB *)B; TC *c = (TC *)C; FOR(i, M) FOR(j, N) {   \
           TS s = 0;                                                           \
           FOR(k, K) s += A_OF(a[i * K + k]) * B_OF(b[k * N + j]);             \
           c[i * N + j] = s;                                                   \
         })                                                                    \
  KERNEL(nt_##NAME, const int za = getZero(N, K), zb = getZero(K, M);          \
         (void)za; (void)zb; const TA *a = (const TA *)A;                      \
         const TB *b = (const TB *)B; TC *c = (TC *)C; FOR(i, M) FOR(j, N) {   \
           TS s = 0;                                                           \
           FOR(k, K) s += A_OF(a[i * K + k]) * B_OF(b[j * K + k]);             \
           c[i * N + j] = s;                                                   \
         })
#define PLAIN(X) (X)
#define MINUS_ZA(X) ((unsigned)(X) - (unsigned)za)
#define PLUS_ZB(X) ((unsigned)(X) + (unsigned)zb)
#define LESS(X) ((X) - 7)
#define MORE(X) (128 + (X))
#define CENTER(X) ((X) - 128)
#define LARGE(X) ((X) - 32700)
#define NIBBLE(X) (((X) & 15) - 8)
#define UPPER(X) (((X) >> 4) - 8)
#define QUARTER(X) (((X) >> 3) + 5)
BOTH(zero_a, u8, s8, int, unsigned, MINUS_ZA, PLAIN)
BOTH(zero_b, s8, u8, int, unsigned, PLAIN, PLUS_ZB)
BOTH(zero_both, u8, u8, int, unsigned, MINUS_ZA, PLUS_ZB)
BOTH(zero_fixed, s8, s8, int, int, LESS, MORE)
BOTH(zero_bytes, u8, u8, int, int, CENTER, CENTER)
BOTH(zero_large, u8, s8, int, int, LARGE, PLAIN)
BOTH(nibbles, u8, u8, int, int, NIBBLE, UPPER)
BOTH(wide, s16, s16, int, int, QUARTER, QUARTER)
// As TensorFlow Lite has it: an offset of pixels, a multiplier of each channel.
KERNEL(
    conv, const s8 *a = (const s8 *)A, *b = (const s8 *)B; s8 *c = (s8 *)C;
    const int32_t *bias = (const int32_t *)(B + ELEMENTS(9 * K * 18, 1)),
                  *scale = bias + 18;
    const int offset = N - 20;
    if (K > 0) FOR(y, M) FOR(x, N) FOR(f, 18) {
      int s = 0;
      FOR(r, 3) FOR(q, 3) {
        const int h = y + r - 1, w = x + q - 1;
        if (h < 0 || h >= M || w < 0 || w >= N)
          continue;
        FOR(k, K) s += b[((f * 3 + r) * 3 + q) * K + k] *
                       (a[(h * N + w) * K + k] + offset);
      }
      const int64_t product =
          (int64_t)(int)((unsigned)s + (unsigned)bias[f]) * scale[f];
      int sum = ((int)((product + (1ll << 30)) >> 31) >> 6) - 3;
      sum = sum < -128 ? -128 : sum;
      sum = sum > 127 ? 127 : sum;
      c[(y * N + x) * 18 + f] = (s8)sum;
    })
#ifndef INTEGERS_ALONE
#define TO_FLOAT(X) ((float)(X))
#define WIDEN(X) widen(X)
#define SCALED(X) ((float)((X) - 3) * 0.25f)
#define ONE_MORE(X) ((float)(X) + 1.0f)
BOTH(bfloat, __bf16, __bf16, float, float, TO_FLOAT, TO_FLOAT)
BOTH(bits, bf, bf, float, float, WIDEN, WIDEN)
BOTH(half, _Float16, _Float16, float, float, TO_FLOAT, TO_FLOAT)
BOTH(mixed, float, bf, float, float, PLAIN, WIDEN)
BOTH(bytes, float, s8, float, float, PLAIN, TO_FLOAT)
BOTH(scaled, u8, _Float16, float, float, SCALED, TO_FLOAT)
BOTH(added, _Float16, float, float, float, ONE_MORE, PLAIN)
#define HALVES const bf *a = (const bf *)A, *b = (const bf *)B
#define PRODUCT(START, ROWS, COLUMNS, DEPTH, AT_A, AT_B, END)                  \
  FOR(i, ROWS) FOR(j, COLUMNS) {                                               \
    float s = START;                                                           \
    FOR(k, DEPTH) s += widen(a[AT_A]) * widen(b[AT_B]);                        \
    END;                                                                       \
  }
// What follows reads another array, or makes another type of the sum.
KERNEL(biased, HALVES; const float *bias = B + ELEMENTS(K * N, 2);
       if (K > 0 && N > 0) PRODUCT(bias[j], M, N, K, i *K + k, k *N + j,
                                   C[i * N + j] = s > 0 ? s : s * 0.01f))
KERNEL(to_half, HALVES; bf *c = (bf *)C;
       PRODUCT(0.0f, M, N, K, i *K + k, j *K + k, uint32_t u;
               s = s == s ? s : 0; memcpy(&u, &s, sizeof(u)); c[i * N + j] = (bf)(u >> 16)))
KERNEL(sizes, HALVES; PRODUCT(0.0f, 24, 33, 70, i * 70 + k, j * 70 + k,
                              C[i * 33 + j] = s))
KERNEL(deep, HALVES; PRODUCT(0.0f, M, N, 20 * K, i * 20 * K + k, k *N + j,
                             C[i * N + j] = s))
KERNEL(
    batch, HALVES; FOR(l, L) {
      PRODUCT(0.0f, M, N, K, (l * M + i) * K + k, (l * K + k) * N + j,
              C[(l * M + i) * N + j] = s)
    })
KERNEL(
    conv_half, const _Float16 *a = (const _Float16 *)A;
    const _Float16 *b = (const _Float16 *)B;
    FOR(y, M) FOR(x, N) FOR(f, 18) {
      float s = 0;
      FOR(r, 3) FOR(q, 3) FOR(k, K) {
        const int h = y + r - 1, w = x + q - 1;
        if (h >= 0 && h < M && w >= 0 && w < N)
          s += (float)a[(h * N + w) * K + k] *
               (float)b[((r * 3 + q) * K + k) * 18 + f];
      }
      C[(y * N + x) * 18 + f] = s;
    })
// What is read is needed in two ways.
KERNEL(
    twice, HALVES; FOR(i, M) FOR(j, N) {
      float s = 0;
      FOR(k, K) s += widen(a[i * K + k]) * (widen(b[k * N + j]) + b[k * N + j]);
      C[i * N + j] = s;
    })
#endif
#endif
