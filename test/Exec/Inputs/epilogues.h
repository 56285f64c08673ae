// Products with work around the sum and other starts, for kinds.c.
#define KERNELS(X)                                                             \
  X(axpby)                                                                     \
  X(axpby_nt) X(scaled_output) X(alpha_only) X(bias_behind) X(bias_behind_t)   \
      X(scale_row) X(scale_column) X(relu_greater) X(relu_less) X(             \
          relu_not_less) X(relu_swapped) X(relu_not) X(relu_if) X(relu_stores) \
          X(relu_max) X(relu_max_swapped) X(leaky) X(clip) X(clip_if)          \
              X(residual) X(residual_relu) X(flagged) X(divided) X(signs)      \
                  X(from_output) X(output_twice) X(gemv_axpby) X(gemv_relu)    \
                      X(gemv_residual) X(gemv_rest) X(gemv_output_given)       \
                  X(gemv_beta) X(gemv_given) X(batched_residual)               \
                          X(batched_axpby) X(start_scalar) X(start_scalar_nt)  \
                              X(start_given) X(start_given_rows) X(start_if)   \
                                  X(start_not_given) X(start_flag)             \
                                      X(given_behind) X(given_rows_behind)     \
                                          X(given_twice) X(given_vector)       \
                                              X(given_batched) X(given_memory) \
                                                  X(scalar_memory)

#ifdef BUILD
#include <tgmath.h>

KERNEL(
    axpby, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = alpha * s + beta * C[i * N + j];
    })
KERNEL(
    axpby_nt, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = beta * C[i * N + j] + alpha * s;
    })
KERNEL(
    scaled_output, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[k * M + i], B[k * N + j]);
      C[i * N + j] = s - alpha * C[i * N + j];
    })
KERNEL(
    alpha_only, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = alpha * s;
    })
KERNEL(
    bias_behind, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s + bias[j];
    })
KERNEL(
    bias_behind_t, FOR(j, N) FOR(i, M) {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i + j * M] = bias[i] + s;
    })
KERNEL(
    scale_row, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = s * bias[i];
    })
KERNEL(
    scale_column, IJ {
      SUM(bias[i], A[k * M + i], B[j * K + k]);
      C[i * N + j] = s * bias[j];
    })
KERNEL(
    relu_greater, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    relu_less, IJ {
      SUM(bias[j], A[i * K + k], B[j * K + k]);
      C[i * N + j] = s < 0 ? 0 : s;
    })
KERNEL(
    relu_not_less, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s >= 0 ? s : 0;
    })
KERNEL(
    relu_swapped, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = 0 > s ? 0 : s;
    })
KERNEL(
    relu_not, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = !(s > 0) ? 0 : s;
    })
KERNEL(
    relu_if, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      if (s < 0)
        s = 0;
      C[i * N + j] = s;
    })
KERNEL(
    relu_stores, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      if (s > 0)
        C[i * N + j] = s;
      else
        C[i * N + j] = 0;
    })
KERNEL(
    relu_max, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = fmax(s, (T)0);
    })
KERNEL(
    relu_max_swapped, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = fmax((T)-0.0, s);
    })
KERNEL(
    leaky, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      s += bias[j];
      C[i * N + j] = s > 0 ? s : (T)0.01 * s;
    })
KERNEL(
    clip, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = fmin(fmax(s, alpha), beta);
    })
KERNEL(
    clip_if, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      if (s < alpha)
        s = alpha;
      if (s > beta)
        s = beta;
      C[i * N + j] = s;
    })
KERNEL(
    residual, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = s + A[i * N + j];
    })
KERNEL(
    residual_relu, IJ {
      SUM(bias[j], A[i * K + k], B[k * N + j]);
      s += B[i * N + j];
      C[i * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    flagged, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = L > 1 ? (s > 0 ? s : 0) : s;
    })
KERNEL(
    divided, T alpha = L - (T)1.5, beta = (T)0.75 * L; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s / alpha - bias[i] / bias[j];
    })
KERNEL(
    signs, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = copysign(bias[j], s) + fabs(s) - (s != s);
    })
KERNEL(
    from_output, IJ {
      SUM(C[i * N + j], A[i * K + k], B[k * N + j]);
      C[i * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    output_twice, IJ {
      SUM(C[i * N + j], A[i * K + k], B[k * N + j]);
      C[i * N + j] = s * C[i * N + j];
    })
KERNEL(
    gemv_axpby, T alpha = L - (T)1.5, beta = (T)0.75 * L; FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      C[i] = alpha * s + beta * C[i];
    })
KERNEL(
    gemv_relu, FOR(i, M) {
      SUM(bias[i], A[i * K + k], B[k]);
      C[i] = s > 0 ? s : 0;
    })
KERNEL(
    gemv_residual, FOR(j, N) {
      SUM(0, A[k], B[k * N + j]);
      C[j] = s + A[j];
    })
KERNEL(
    gemv_rest, T alpha = L - (T)1.5, beta = (T)0.75 * L; FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      C[i] = alpha * s + A[i];
    })
// What is read of the output under a condition always exists.
KERNEL(
    gemv_output_given, int given = L == 1; FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      if (given)
        s += C[i];
      C[i] = s;
    })
KERNEL(
    gemv_beta, T alpha = L - (T)1.5, beta = L - 1; FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      C[i] = beta == 0 ? alpha * s : alpha * s + beta * C[i];
    })
KERNEL(
    gemv_given, const T *given = L == 1 ? bias : 0; FOR(i, M) {
      SUM(0, A[i * K + k], B[k]);
      if (given)
        s += given[i];
      C[i] = s;
    })
KERNEL(
    batched_residual, FOR(l, L) IJ {
      SUM(0, A[(l * M + i) * K + k], B[(l * N + j) * K + k]);
      C[(l * M + i) * N + j] = s * bias[l] + A[(l * M + i) * N + j];
    })
KERNEL(
    batched_axpby, T alpha = L - (T)1.5, beta = (T)0.75 * L; FOR(l, L) IJ {
      SUM(0, A[(l * M + i) * K + k], B[(l * K + k) * N + j]);
      C[(l * M + i) * N + j] = alpha * s + beta * C[(l * M + i) * N + j];
    })
KERNEL(
    start_scalar, T alpha = L - (T)1.5; IJ {
      T s = alpha;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    start_scalar_nt, T alpha = L - (T)1.5; IJ {
      T s = L > 1 ? alpha : (T)0.5;
      FOR(k, K) s += A[i * K + k] * B[j * K + k];
      C[i * N + j] = s;
    })
KERNEL(
    start_given, const T *given = L & 1 ? bias : 0; IJ {
      T s = given ? given[j] : (T)0;
      FOR(k, K) s += A[i * K + k] * B[j * K + k];
      C[i * N + j] = s;
    })
KERNEL(
    start_given_rows, const T *given = L & 1 ? bias : 0; IJ {
      T s = given != 0 ? given[i] : (T)-0.0;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    start_if, const T *given = L & 1 ? bias : 0; IJ {
      T s = 0;
      if (given)
        s = given[j];
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    start_not_given, const T *given = L & 1 ? bias : 0; T alpha = (T)0.3 * L;
    IJ {
      T s = !given ? alpha : given[j];
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    start_flag, int flag = L & 2; IJ {
      T s = flag ? A[i * N + j] : (T)0;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    given_behind, const T *given = L & 1 ? bias : 0; IJ {
      T s = 0;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      if (given)
        s += given[j];
      C[i * N + j] = s;
    })
KERNEL(
    given_rows_behind, const T *given = L & 1 ? bias : 0; IJ {
      T s = 0;
      FOR(k, K) s += A[i * K + k] * B[j * K + k];
      if (given)
        s += given[i];
      C[i * N + j] = s > 0 ? s : 0;
    })
KERNEL(
    given_twice, const T *given = L & 1 ? bias : 0; IJ {
      T s = given ? given[i] : (T)1;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      if (given)
        s *= given[j];
      C[i * N + j] = s;
    })
KERNEL(
    given_vector, const T *given = L & 1 ? bias : 0; FOR(i, M) {
      T s = given ? given[i] : (T)0;
      FOR(k, K) s += A[i * K + k] * B[k];
      if (given)
        s += given[i];
      C[i] = s;
    })
KERNEL(
    given_batched, const T *given = L & 1 ? bias : 0; FOR(l, L) IJ {
      T s = given ? given[l] : (T)0;
      FOR(k, K) s += A[(l * M + i) * K + k] * B[(l * K + k) * N + j];
      if (given)
        s *= given[j];
      C[(l * M + i) * N + j] = s;
    })
KERNEL(
    given_memory, const T *given = L & 1 ? bias : 0; IJ {
      C[i * N + j] = given ? given[j] : (T)0;
      FOR(k, K) C[i * N + j] += A[i * K + k] * B[k * N + j];
    })
KERNEL(scalar_memory, T alpha = L - (T)1.5; IJ C[i * N + j] = alpha;
       FOR(i, M) FOR(k, K) FOR(j, N) C[i * N + j] +=
       A[i * K + k] * B[k * N + j];)
#endif
