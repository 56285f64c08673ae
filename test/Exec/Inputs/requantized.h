// Sums of products of bytes and what code bases make of them, for lanes.c: bias that
// there may be, branches, functions that return early. The bits of A and B are taken
// for integers; C gets bytes. X(name, elements of A, of B, of C, numbers in C).
#define BYTES_OF(COUNT) (((COUNT) + 3) / 4)
// Behind B: bias, multipliers and shifts for each column.
#define OF(X, NAME, COLUMNS)                                                   \
  X(NAME, BYTES_OF(M *K), BYTES_OF(COLUMNS *K) + 3 * (COLUMNS),                \
    BYTES_OF(M *COLUMNS), 0)
#define KERNELS(X)                                                             \
  OF(X, connected, N)                                                          \
  OF(X, optional, N)                                                           \
  OF(X, rounded, N)                                                            \
  OF(X, scaled, N)                                                             \
  OF(X, branches, N)                                                           \
  OF(X, later, N)                                                              \
  OF(X, sizes, 40)                                                             \
  X(two, BYTES_OF(M *K), BYTES_OF(N *K) + M *N + N, BYTES_OF(M *N), 0)         \
  X(window, BYTES_OF(M *N *K), BYTES_OF(18 * 9 * K) + 3 * 18,                  \
    BYTES_OF(M *N * 18), 0)                                                    \
  X(padded, BYTES_OF(M *N *K), BYTES_OF(18 * 9 * K) + 3 * 18,                  \
    BYTES_OF(M *N * 18), 0)                                                    \
  OF(X, away, N)                                                               \
  OF(X, nearest, N)                                                            \
  X(each_behind, BYTES_OF((M + 2) * (N + 2) * 18), BYTES_OF(9 * 18) + 3 * 18,  \
    BYTES_OF(M *N * 18), 0)                                                    \
  X(each_front, BYTES_OF((M + 2) * (N + 2) * 5), BYTES_OF(9 * 5) + 3 * 5,      \
    BYTES_OF(M *N * 5), 0)

#ifdef BUILD
typedef int8_t s8;
typedef uint8_t u8;

static inline int32_t doubled(int32_t A, int32_t B) {
  int Overflow = A == B && A == INT32_MIN;
  int64_t AB = (int64_t)A * B;
  int32_t Nudge = AB >= 0 ? (1 << 30) : (1 - (1 << 30));
  int32_t High = (int32_t)((AB + Nudge) / (1ll << 31));
  return Overflow ? INT32_MAX : High;
}
static inline int32_t shifted(int32_t X, int By) {
  const int32_t Mask = (int32_t)((1ll << By) - 1), Rest = X & Mask;
  const int32_t Threshold = (Mask >> 1) + (X < 0 ? 1 : 0);
  return (X >> By) + (Rest > Threshold ? 1 : 0);
}
static inline int32_t multiplied(int32_t X, int32_t By, int Shift) {
  int Left = Shift > 0 ? Shift : 0, Right = Shift > 0 ? 0 : -Shift;
  return shifted(doubled((int32_t)((uint32_t)X << Left), By), Right);
}
// As CMSIS-NN has it.
static inline int32_t halved(int32_t X, int32_t By, int Shift) {
  const int64_t Product = X * (int64_t)By;
  const int32_t Result = (int32_t)(Product >> (30 - Shift));
  return (int32_t)((uint32_t)Result + 1) >> 1;
}
static inline int8_t clamped(int32_t X) {
  if (X < -128)
    return -128;
  if (X > 127)
    return 127;
  return (int8_t)X;
}
#define POSITIVE(X) ((X) > 0 ? (X) : 0)
#define ARRAYS(EACH, COLUMNS)                                                  \
  const u8 *a = (const u8 *)A;                                                 \
  const s8 *b = (const s8 *)B;                                                 \
  const int *bias = (const int *)B + BYTES_OF(POSITIVE(K) * (EACH));           \
  const int *by = bias + POSITIVE(COLUMNS), *shift = by + POSITIVE(COLUMNS);   \
  s8 *to = (s8 *)C;                                                            \
  (void)bias, (void)by, (void)shift;
#define SUM(COLUMNS)                                                           \
  FOR(i, M) FOR(j, COLUMNS) {                                                  \
    uint32_t sum = 0;                                                          \
    FOR(k, K) sum += (uint32_t)((a[i * K + k] - 3) * b[j * K + k]);
#define STORE(COLUMNS, ...)                                                    \
  to[i * COLUMNS + j] = (s8)(__VA_ARGS__);                                     \
  }
#define ADD(X) s = (int)((uint32_t)s + (uint32_t)(X))
#define START int s = (int)sum;

KERNEL(
    connected, ARRAYS(POSITIVE(N), N) SUM(N) START ADD(bias[j]);
    s = multiplied(s, 1518500250, -7);
    s += L;
    s = s > -128 ? s : -128;
    s = s < 127 ? s : 127;
    STORE(N, s))
// Rows of an odd number have none.
KERNEL(
    optional, ARRAYS(POSITIVE(N), N) if (M % 2) bias = NULL;
    SUM(N) START if (bias) ADD(bias[j]);
    s = multiplied(s, by[j], -(shift[j] & 15));
    STORE(N, s < -100 ? -100 : s > 99 ? 99 : s))
KERNEL(rounded,
       ARRAYS(POSITIVE(N), N) SUM(N) START s = halved(s, by[j], -(shift[j] & 7));
       STORE(N, clamped(s)))
KERNEL(
    scaled, ARRAYS(POSITIVE(N), N) SUM(N) START float x = (float)s * 0.003f;
    s = (int)x + L;
    if (s < -128) s = -128;
    if (s > 127) s = 127;
    STORE(N, s))
KERNEL(
    branches, ARRAYS(POSITIVE(N), N) SUM(N) START int t = 3;
    if (s < 0 && (s & 5) == 4) {
      t = s >> 3;
      s = 77 + i;
    } else if (s > 1000) s = s % 91;
    else t = bias[j];
    STORE(N, s ^ t))
// What is asked of a sum before it changes.
KERNEL(
    later, ARRAYS(POSITIVE(N), N) SUM(N) START int low = s < 50;
    if (s > 100 && (s & 3) != L) s = 100 + j;
    int odd = s & 1;
    if (low) s = s >> 2;
    STORE(N, odd ? s : ~s))
KERNEL(
    sizes, ARRAYS(40, 40) SUM(40) START ADD(bias[j]);
    s = multiplied(s, by[j], (shift[j] & 15) - 12);
    STORE(40, clamped(s)))
KERNEL(
    two, const u8 *a = (const u8 *)A; const s8 *b = (const s8 *)B;
    const int *last = (const int *)B + BYTES_OF(POSITIVE(N) * POSITIVE(K));
    const int *rest = L > 1 ? last : NULL;
    const int *bias = K % 3 ? NULL : last + POSITIVE(M) * POSITIVE(N);
    s8 *to = (s8 *)C; SUM(N) START if (bias) ADD(bias[j]);
    if (rest) ADD(rest[i * N + j]); STORE(N, s >> 6))
#define WINDOW(PAD_H, PAD_W)                                                   \
  ARRAYS(18 * 9, 18)                                                       \
  if (M % 2)                                                                   \
    bias = NULL;                                                               \
  FOR(y, M) FOR(x, N) FOR(f, 18) {                                             \
    uint32_t sum = 0;                                                          \
    FOR(r, 3) {                                                                \
      const int h = y + r - PAD_H;                                             \
      FOR(q, 3) {                                                              \
        const int w = x + q - PAD_W;                                           \
        const int inside = w >= 0 && w < N && h >= 0 && h < M;                 \
        if (!inside)                                                           \
          continue;                                                            \
        FOR(k, K)                                                              \
        sum += (uint32_t)((a[(h * N + w) * K + k] + L) *                       \
                          b[((f * 3 + r) * 3 + q) * K + k]);                   \
      }                                                                        \
    }                                                                          \
    START if (bias) ADD(bias[f]);                                              \
    s = multiplied(s, by[f], -(shift[f] & 15));                                \
    s = s > -128 ? s : -128;                                                   \
    s = s < 120 ? s : 120;                                                     \
    to[(y * N + x) * 18 + f] = (s8)s;                                          \
  }
// Quotients that are rounded: away from 0 where they are halves, which is no shift, and
// up, which is one.
KERNEL(
    away, ARRAYS(POSITIVE(N), N) SUM(N) START s >>= 8;
    s = (s + (s >= 0 ? 8 : -8)) / 16;
    STORE(N, clamped(s + L)))
KERNEL(
    nearest, ARRAYS(POSITIVE(N), N) SUM(N) START s >>= 8;
    s = (s + (s < 0 ? -7 : 8)) / 16;
    STORE(N, clamped(s + L)))
// Each channel has a filter of its own; no border.
#define EACH_CHANNEL(AT_A, AT_B, AT)                                           \
  uint32_t sum = 0;                                                            \
  FOR(r, 3) FOR(q, 3) sum += (uint32_t)((a[AT_A] - 3) * b[AT_B]);              \
  int s = (int)sum;                                                            \
  ADD(bias[f]);                                                                \
  s = multiplied(s, by[f], -(shift[f] & 15));                                  \
  to[AT] = clamped(s);
#define CHANNELS(COUNT)                                                        \
  const u8 *a = (const u8 *)A;                                                 \
  const s8 *b = (const s8 *)B;                                                 \
  const int *bias = (const int *)B + BYTES_OF(9 * (COUNT));                 \
  const int *by = bias + (COUNT), *shift = by + (COUNT);                       \
  s8 *to = (s8 *)C;
KERNEL(
    each_behind, CHANNELS(18) FOR(y, M) FOR(x, N) FOR(f, 18) {
      EACH_CHANNEL(((y + r) * (N + 2) + x + q) * 18 + f, (r * 3 + q) * 18 + f,
                   (y * N + x) * 18 + f)
    })
KERNEL(
    each_front, CHANNELS(5) FOR(f, 5) FOR(y, M) FOR(x, N) {
      EACH_CHANNEL((f * (M + 2) + y + r) * (N + 2) + x + q, (f * 3 + r) * 3 + q,
                   (f * M + y) * N + x)
    })
KERNEL(window, WINDOW(1, 1))
KERNEL(padded, WINDOW(L, 2 - L))
#endif
