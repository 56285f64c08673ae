// Element-wise kernels for lanes.c, as people write them: activations in every
// order of operands, their backward forms, steps of optimizers, copies that
// move rows.
#define KERNELS(X)                                                             \
  X(relu_greater, N, N + 1, N, 1)                                              \
  X(relu_less, N, N + 1, N, 1)                                                 \
  X(relu_zero_less, N, N + 1, N, 1)                                            \
  X(relu_zero_greater, N, N + 1, N, 1)                                         \
  X(relu_not_less, N, N + 1, N, 1)                                             \
  X(relu_not_greater, N, N + 1, N, 1)                                          \
  X(relu_not, N, N + 1, N, 1)                                                  \
  X(relu_not_below, N, N + 1, N, 1)                                            \
  X(relu_fmax, N, N + 1, N, 1)                                                 \
  X(relu_fmax_zero, N, N + 1, N, 1)                                            \
  X(relu_helper, N, N + 1, N, 1)                                               \
  X(relu_macro, N, N + 1, N, 1)                                                \
  X(relu_macro_zero, N, N + 1, N, 1)                                           \
  X(relu_std, N, N + 1, N, 1)                                                  \
  X(relu_std_zero, N, N + 1, N, 1)                                             \
  X(relu_bits, N, N + 1, N, 1)                                                 \
  X(relu_abs, N, N + 1, N, 1)                                                  \
  X(relu6_macros, N, N + 1, N, 1)                                              \
  X(relu6_macros_six, N, N + 1, N, 1)                                          \
  X(relu6_fmin, N, N + 1, N, 1)                                                \
  X(relu6_fmin_six, N, N + 1, N, 1)                                            \
  X(relu6_std, N, N + 1, N, 1)                                                 \
  X(relu6_ternaries, N, N + 1, N, 1)                                           \
  X(leaky_greater, N, N + 1, N, 1)                                             \
  X(leaky_less, N, N + 1, N, 1)                                                \
  X(leaky_fmax, N, N + 1, N, 1)                                                \
  X(leaky_macro, N, N + 1, N, 1)                                               \
  X(leaky_sum, N, N + 1, N, 1)                                                 \
  X(prelu, N, N + 1, N, 1)                                                     \
  X(prelu_own, N, N + 1, N, 1)                                                 \
  X(hard_sigmoid, N, N + 1, N, 1)                                              \
  X(hard_sigmoid_macros, N, N + 1, N, 1)                                       \
  X(hard_sigmoid_if, N, N + 1, N, 1)                                           \
  X(hard_swish, N, N + 1, N, 1)                                                \
  X(hard_swish_helper, N, N + 1, N, 1)                                         \
  X(hard_tanh, N, N + 1, N, 1)                                                 \
  X(clip, N, N + 1, N, 1)                                                      \
  X(clip_above, N, N + 1, N, 1)                                                \
  X(clip_not, N, N + 1, N, 1)                                                  \
  X(clip_std, N, N + 1, N, 1)                                                  \
  X(soft_sign, N, N + 1, N, 1)                                                 \
  X(hard_shrink, N, N + 1, N, 1)                                               \
  X(soft_shrink, N, N + 1, N, 1)                                               \
  X(threshold, N, N + 1, N, 1)                                                 \
  X(sign, N, N + 1, N, 1)                                                      \
  X(square, N, N + 1, N, 1)                                                    \
  X(square_relu, N, N + 1, N, 1)                                               \
  X(bias_relu, N, N + 1, N, 1)                                                 \
  X(residual_relu, N, N + 1, N, 1)                                             \
  X(relu_back, N, N + 1, N, 1)                                                 \
  X(relu_back_less, N, N + 1, N, 1)                                            \
  X(relu_back_product, N, N + 1, N, 1)                                         \
  X(relu6_back, N, N + 1, N, 1)                                                \
  X(relu6_back_bits, N, N + 1, N, 1)                                           \
  X(leaky_back, N, N + 1, N, 1)                                                \
  X(sigmoid_back, N, N + 1, N, 1)                                              \
  X(tanh_back, N, N + 1, N, 1)                                                 \
  X(hard_swish_back, N, N + 1, N, 1)                                           \
  X(soft_sign_back, N, N + 1, N, 1)                                            \
  X(silu_back, N, N + 1, N, 1)                                                 \
  X(abs_back, N, N + 1, N, 1)                                                  \
  X(relu_if, N, 0, N, 1)                                                       \
  X(relu_in_place, 0, 0, N, 1)                                                 \
  X(relu_continue, 0, 0, N, 1)                                                 \
  X(relu_in_place_always, 0, 0, N, 1)                                          \
  X(relu_pointer, 0, 0, N, 1)                                                  \
  X(relu_rows, M *N, 0, M *N, 1)                                               \
  X(prelu_channels, L * M * N, M, L * M * N, 1)                                \
  X(prelu_columns, M *N, N, M *N, 1)                                           \
  X(bias_columns, M *N, N, M *N, 1)                                            \
  X(bias_rows, M *N, M, M *N, 1)                                               \
  X(outer_product, M, N, M *N, 1)                                              \
  X(broadcast_middle, L *N, M, L * M * N, 1)                                   \
  X(gated, 2 * M * N, 0, M * N, 1)                                             \
  X(every_second, 2 * N, 0, N, 1)                                              \
  X(to_every_second, N, 0, 2 * N, 1)                                           \
  X(by_stride, N *K + 1, 0, N, 1)                                              \
  X(reversed, N, 0, N, 1)                                                      \
  X(rotary, M *N, M *N, 2 * M * N, 1)                                          \
  X(sgd, N, 0, N, 1)                                                           \
  X(sgd_decay, N, 0, N, 1)                                                     \
  X(momentum, N, 0, 2 * N, 1)                                                  \
  X(nesterov, N, 0, 2 * N, 1)                                                  \
  X(adagrad, N, 0, 2 * N, 1)                                                   \
  X(rmsprop, N, 0, 2 * N, 1)                                                   \
  X(adam, N, N, 2 * N, 1)                                                      \
  X(adam_decay, N, N, 2 * N, 1)                                                \
  X(adam_corrected, N, N, 2 * N, 1)                                            \
  X(adam_one_array, N, 0, 3 * N, 1)                                            \
  X(momentum_behind, N, 0, N + K, 1)                                           \
  X(roots, N, 0, N, 1)                                                         \
  X(roots_errno, N, 0, N + 1, 1)                                               \
  X(roots_both, N, N, N, 1)                                                    \
  X(roots_once, N, 1, N, 1)                                                    \
  X(roots_inside, M *N, 0, M, 1)                                               \
  X(roots_if, N, N, N, 1)                                                      \
  X(lengths, 2 * N, 0, N, 1)                                                   \
  X(gather_rows, 8 * N, M, M * N, 1)                                           \
  X(embedding, (M > 0) * 8 * N, 0, M * N + M, 1)                               \
  X(embedding_position, (M > 0) * 8 * N + M * N, 0, M * N + M, 1)              \
  X(one_hot, 0, 0, M *N, 1)                                                    \
  X(concat, M *N, M *K, M *(N + K), 1)                                         \
  X(slice, M *(N + K), 0, M *N, 1)                                             \
  X(split, M * 2 * N, 0, 2 * M * N, 1)                                         \
  X(im2col, L *(M + 2) * (N + 2), 0, L * 9 * M * N, 1)                         \
  X(im2col_padded, L * M * N, 0, L * 9 * M * N, 1)                             \
  X(im2row, L *(M + 2) * (N + 2), 0, L * 9 * M * N, 1)                         \
  X(pad, M *N, 0, (M + 2) * (N + 2), 1)                                        \
  X(pixel_shuffle, L * 4 * M * N, 0, L * 4 * M * N, 1)                         \
  X(pixel_shuffle_nest, L * 4 * M * N, 0, L * 4 * M * N, 1)                    \
  X(upsample, M *N, 0, 4 * M * N, 1)                                           \
  X(channels_last, L * M * N, 0, L * M * N, 1)

#ifdef BUILD
#include <errno.h>
#define WIDTH(F, ...) (T)(sizeof(T) == 4 ? F##f(__VA_ARGS__) : F(__VA_ARGS__))
#define FMAX(x, y) WIDTH(fmax, x, y)
#define FMIN(x, y) WIDTH(fmin, x, y)
#define FABS(x) WIDTH(fabs, x)
#define SQRT(x) WIDTH(sqrt, x)
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define SQUARE(x) ((x) * (x))
static inline T relu(T x) { return x > 0 ? x : 0; }
static inline T clamp(T x, T low, T high) {
  return x < low ? low : x > high ? high : x;
}
// As std::max and std::min.
static inline const T *getMax(const T *x, const T *y) {
  return *x < *y ? y : x;
}
static inline const T *getMin(const T *x, const T *y) {
  return *y < *x ? y : x;
}
static inline void stepAdam(int n, T *p, const T *g, const T *b, T *m,
                            T decay) {
  T rate = (T)0.001, c1 = 1 - (T)0.9, c2 = (T)0.1;
  FOR(i, n) {
    T v = (T)0.999 * b[i] + (T)0.001 * g[i] * g[i];
    if (decay != 0)
      p[i] -= rate * decay * p[i];
    m[i] = (T)0.9 * m[i] + (T)0.1 * g[i];
    T mh = m[i] / c1, vh = v / c2;
    p[i] -= rate * mh / (SQRT(vh) + (T)1e-8);
  }
}

#define MAP(X, ...)                                                            \
  KERNEL(                                                                      \
      X, T s = B[N > 0 ? N : 0]; FOR(i, N) {                                   \
        T x = A[i], g = B[i], Zero = 0, Six = 6;                               \
        (void)s, (void)g, (void)Zero, (void)Six;                               \
        C[i] = (T)(__VA_ARGS__);                                               \
      })
MAP(relu_greater, x > 0 ? x : 0)
MAP(relu_less, x < 0 ? 0 : x)
MAP(relu_zero_less, 0 < x ? x : 0)
MAP(relu_zero_greater, 0 > x ? 0 : x)
MAP(relu_not_less, x >= 0 ? x : 0)
MAP(relu_not_greater, x <= 0 ? 0 : x)
MAP(relu_not, !(x > 0) ? 0 : x)
MAP(relu_not_below, !(x < 0) ? x : 0)
MAP(relu_fmax, FMAX(x, 0))
MAP(relu_fmax_zero, FMAX(0, x))
MAP(relu_helper, relu(x))
MAP(relu_macro, MAX(x, 0))
MAP(relu_macro_zero, MAX(0, x))
MAP(relu_std, *getMax(&x, &Zero))
MAP(relu_std_zero, *getMax(&Zero, &x))
MAP(relu_bits, x *(x > 0))
MAP(relu_abs, (x + FABS(x)) / 2)
MAP(relu6_macros, MIN(MAX(x, 0), 6))
MAP(relu6_macros_six, MIN(6, MAX(0, x)))
MAP(relu6_fmin, FMIN(FMAX(x, 0), 6))
MAP(relu6_fmin_six, FMIN(6, FMAX(0, x)))
MAP(relu6_std, *getMin(&Six, getMax(&x, &Zero)))
MAP(relu6_ternaries, x < 0 ? 0 : x > 6 ? 6 : x)
MAP(leaky_greater, x > 0 ? x : x / 8)
MAP(leaky_less, x < 0 ? (T)0.01 * x : x)
MAP(leaky_fmax, FMAX(x, (T)0.01 * x))
MAP(leaky_macro, MAX((T)0.01 * x, x))
MAP(leaky_sum, FMAX(x, 0) + (T)0.01 * FMIN(x, 0))
MAP(prelu, x > 0 ? x : s * x)
MAP(prelu_own, x > 0 ? x : g * x)
MAP(hard_sigmoid, FMAX(0, FMIN(1, x / 6 + (T)0.5)))
MAP(hard_sigmoid_macros, MIN(MAX((T)0.2 * x + (T)0.5, 0), 1))
MAP(hard_sigmoid_if, x < -3 ? 0 : x > 3 ? 1 : x / 6 + (T)0.5)
MAP(hard_swish, x *MIN(MAX(x + 3, 0), 6) / 6)
MAP(hard_swish_helper, x *(clamp(x + 3, 0, 6) * (1 / (T)6)))
MAP(hard_tanh, clamp(x, -1, 1))
MAP(clip, clamp(x, -s, s))
MAP(clip_above, x > s ? s : x < -s ? -s : x)
MAP(clip_not, !(x >= -s) ? -s : !(x <= s) ? s : x)
MAP(clip_std, *getMin(getMax(&x, &g), &s))
MAP(soft_sign, x / (1 + FABS(x)))
MAP(hard_shrink, FABS(x) > s ? x : 0)
MAP(soft_shrink, x > s ? x - s : x < -s ? x + s : 0)
MAP(threshold, x > s ? x : g)
MAP(sign, (x > 0) - (x < 0))
MAP(square, x *x)
MAP(square_relu, SQUARE(relu(x)))
MAP(bias_relu, relu(x + s))
MAP(residual_relu, relu(x + g))
MAP(relu_back, x > 0 ? g : 0)
MAP(relu_back_less, x <= 0 ? 0 : g)
MAP(relu_back_product, g *(x > 0))
MAP(relu6_back, x > 0 && x < 6 ? g : 0)
MAP(relu6_back_bits, ((x > 0) & (x < 6)) ? g : 0)
MAP(leaky_back, x > 0 ? g : (T)0.01 * g)
MAP(sigmoid_back, g * x * (1 - x))
MAP(tanh_back, g * (1 - x * x))
MAP(hard_swish_back, x < -3 ? 0 : x > 3 ? g : g * (x / 3 + (T)0.5))
MAP(soft_sign_back, g / SQUARE(1 + FABS(x)))
MAP(silu_back, g *(s + x * (1 - s) * s))
MAP(abs_back, x > 0 ? g : x < 0 ? -g : 0)
KERNEL(relu_if, FOR(i, N) if (A[i] > 0) C[i] = A[i]; else C[i] = 0;)
KERNEL(relu_in_place, FOR(i, N) if (C[i] < 0) C[i] = 0;)
KERNEL(
    relu_continue, FOR(i, N) {
      if (C[i] > 0)
        continue;
      C[i] = 0;
    };)
KERNEL(relu_in_place_always, FOR(i, N) C[i] = C[i] > 0 ? C[i] : 0;)
KERNEL(relu_pointer,
       if (N > 0) for (T *p = C, *e = C + N; p != e; ++p) *p = *p > 0 ? *p : 0;)
KERNEL(relu_rows,
       FOR(i, M) FOR(j, N) C[i * N + j] = A[i * N + j] > 0 ? A[i * N + j] : 0;)
KERNEL(
    prelu_channels, FOR(l, L) FOR(i, M) FOR(j, N) {
      T x = A[(l * M + i) * N + j];
      C[(l * M + i) * N + j] = x > 0 ? x : B[i] * x;
    };)
KERNEL(
    prelu_columns, FOR(i, M) FOR(j, N) {
      T x = A[i * N + j];
      C[i * N + j] = x > 0 ? x : B[j] * x;
    };)
KERNEL(bias_columns, FOR(i, M) FOR(j, N) C[i * N + j] = A[i * N + j] + B[j];)
KERNEL(bias_rows, FOR(i, M) FOR(j, N) C[i * N + j] = A[i * N + j] + B[i];)
KERNEL(outer_product, FOR(i, M) FOR(j, N) C[i * N + j] = A[i] * B[j];)
KERNEL(broadcast_middle, FOR(l, L) FOR(i, M) FOR(j, N)
                             C[(l * M + i) * N + j] = A[l * N + j] * B[i];)
KERNEL(gated, FOR(i, M) FOR(j, N)
                  C[i * N + j] = A[i * 2 * N + j] * A[i * 2 * N + N + j];)
KERNEL(every_second, FOR(i, N) C[i] = 2 * A[2 * i];)
KERNEL(to_every_second, FOR(i, N) C[2 * i] = 2 * A[i];)
KERNEL(by_stride, FOR(i, N) C[i] = 2 * A[i * K];)
KERNEL(reversed, FOR(i, N) C[i] = 2 * A[N - 1 - i];)
KERNEL(
    rotary, FOR(i, M) FOR(j, N) {
      T *p = C + (i * N + j) * 2, x = p[0], y = p[1], u = A[i * N + j],
        v = B[i * N + j];
      p[0] = x * u - y * v;
      p[1] = x * v + y * u;
    };)
KERNEL(sgd, FOR(i, N) C[i] -= (T)0.01 * A[i];)
KERNEL(sgd_decay, FOR(i, N) C[i] -= (T)0.01 * (A[i] + (T)1e-4 * C[i]);)
KERNEL(
    momentum, T *p = C, *v = C + N; FOR(i, N) {
      v[i] = (T)0.9 * v[i] + A[i];
      p[i] -= (T)0.01 * v[i];
    };)
KERNEL(
    nesterov, T *p = C, *v = C + N; FOR(i, N) {
      v[i] = (T)0.9 * v[i] + A[i];
      p[i] -= (T)0.01 * (A[i] + (T)0.9 * v[i]);
    };)
KERNEL(
    adagrad, T *p = C, *v = C + N; FOR(i, N) {
      v[i] += A[i] * A[i];
      p[i] -= (T)0.01 * A[i] / SQRT(v[i] + (T)1e-8);
    };)
KERNEL(
    rmsprop, T *p = C, *v = C + N; FOR(i, N) {
      v[i] = (T)0.9 * v[i] + (T)0.1 * A[i] * A[i];
      p[i] -= (T)0.01 * A[i] / (SQRT(v[i]) + (T)1e-8);
    };)
KERNEL(adam, stepAdam(N, C, A, B, C + N, 0);)
KERNEL(adam_decay, stepAdam(N, C, A, B, C + N, (T)0.01);)
KERNEL(
    adam_corrected, T *p = C, *m = C + N; FOR(i, N) {
      T g = A[i];
      m[i] += (T)0.1 * (g - m[i]);
      p[i] -= (T)0.001 * (m[i] * (T)1.5) / (SQRT(B[i] * B[i]) + (T)1e-8);
    };)
// All that a step changes in one array, and a distance that may be too short.
KERNEL(
    adam_one_array, T *p = C, *m = C + N, *v = C + 2 * N; FOR(i, N) {
      m[i] = (T)0.9 * m[i] + (T)0.1 * A[i];
      v[i] = (T)0.999 * v[i] + (T)0.001 * A[i] * A[i];
      p[i] -= (T)0.001 * m[i] / (SQRT(v[i]) + (T)1e-8);
    };)
KERNEL(
    momentum_behind, if (N <= 0 || K < 0) return; T *m = C + K; FOR(i, N) {
      m[i] = (T)0.9 * m[i] + SQRT(A[i] * A[i]);
      C[i] -= (T)0.1 * m[i];
    };)
KERNEL(roots, FOR(i, N) C[i] = SQRT(A[i]);)
KERNEL(roots_errno, errno = 0; FOR(i, N) C[i] = SQRT(A[i]);
       C[N > 0 ? N : 0] = errno;)
KERNEL(roots_both, FOR(i, N) C[i] = SQRT(A[i]) - SQRT(B[i]);)
KERNEL(roots_once, FOR(i, N) C[i] = A[i] / SQRT(B[0]);)
KERNEL(
    roots_inside, FOR(i, M) {
      T s = 0;
      FOR(j, N) s += SQRT(A[i * N + j]);
      C[i] = s;
    };)
KERNEL(roots_if, FOR(i, N) if (B[i] > 0) C[i] = SQRT(A[i]);)
KERNEL(lengths, FOR(i, N) C[i] = SQRT(A[2 * i] * A[2 * i] +
                                      A[2 * i + 1] * A[2 * i + 1]);)
KERNEL(
    gather_rows, FOR(i, M) {
      int row = (int)(i * 5u) & 7;
      FOR(j, N) C[i * N + j] = A[row * N + j] + B[i];
    };)
KERNEL(embedding, int *at = (int *)(C + M * N * (M > 0 && N > 0));
       FOR(i, M) at[i] = i * 3 & 7;
       FOR(i, M) FOR(j, N) C[i * N + j] = A[at[i] * N + j];)
KERNEL(embedding_position, int *at = (int *)(C + M * N * (M > 0 && N > 0));
       FOR(i, M) at[i] = i * 3 & 7;
       FOR(i, M) FOR(j, N)
           C[i * N + j] = A[at[i] * N + j] + A[8 * N + i * N + j];)
KERNEL(one_hot, FOR(i, M) FOR(j, N) C[i * N + j] = (i * 3) % 5 == j ? 1 : 0;)
KERNEL(
    concat, if (N >= 0 && K >= 0) FOR(i, M) {
      FOR(j, N) C[i * (N + K) + j] = A[i * N + j];
      FOR(j, K) C[i * (N + K) + N + j] = B[i * K + j];
    };)
KERNEL(slice, if (N >= 0 && K >= 0) FOR(i, M) FOR(j, N)
                  C[i * N + j] = A[i * (N + K) + K + j];)
KERNEL(
    split, FOR(i, M) FOR(j, N) {
      C[i * N + j] = A[i * 2 * N + j];
      C[M * N + i * N + j] = A[i * 2 * N + N + j];
    };)
KERNEL(im2col, FOR(l, L) FOR(u, 3) FOR(v, 3) FOR(i, M) FOR(j, N)
                   C[(((l * 3 + u) * 3 + v) * M + i) * N + j] =
                       A[(l * (M + 2) + i + u) * (N + 2) + j + v];)
KERNEL(
    im2col_padded, FOR(l, L) FOR(u, 3) FOR(v, 3) FOR(i, M) FOR(j, N) {
      int y = i + u - 1, x = j + v - 1;
      C[(((l * 3 + u) * 3 + v) * M + i) * N + j] =
          y >= 0 && y < M && x >= 0 && x < N ? A[(l * M + y) * N + x] : 0;
    };)
KERNEL(im2row, FOR(i, M) FOR(j, N) FOR(l, L) FOR(u, 3) FOR(v, 3)
                   C[(((i * N + j) * L + l) * 3 + u) * 3 + v] =
                       A[(l * (M + 2) + i + u) * (N + 2) + j + v];)
KERNEL(pad, if (M >= 0 && N >= 0) FOR(i, M + 2) FOR(j, N + 2)
                C[i * (N + 2) + j] = i > 0 && i <= M && j > 0 && j <= N
                                         ? A[(i - 1) * N + j - 1]
                                         : 0;)
KERNEL(pixel_shuffle,
       FOR(l, L) FOR(i, 2 * M) FOR(j, 2 * N) C[(l * 2 * M + i) * 2 * N + j] =
           A[((l * 4 + i % 2 * 2 + j % 2) * M + i / 2) * N + j / 2];)
KERNEL(pixel_shuffle_nest, FOR(l, L) FOR(i, M) FOR(u, 2) FOR(j, N) FOR(v, 2)
                               C[((l * M + i) * 2 + u) * 2 * N + j * 2 + v] =
                                   A[((l * 4 + u * 2 + v) * M + i) * N + j];)
KERNEL(upsample,
       FOR(i, 2 * M) FOR(j, 2 * N) C[i * 2 * N + j] = A[i / 2 * N + j / 2];)
KERNEL(channels_last, FOR(i, M) FOR(j, N) FOR(l, L)
                          C[(i * N + j) * L + l] = A[(l * M + i) * N + j];)
#endif
