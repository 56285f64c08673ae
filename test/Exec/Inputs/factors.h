// Products whose factors are made from elements, and loops that scale C, for
// kinds.c.
#define KERNELS(X)                                                             \
  X(first)                                                                     \
  X(second) X(both) X(both_one) X(first_tn) X(second_nt) X(both_tt) X(hoisted) \
      X(hoisted_rows) X(with_axpby) X(with_bias) X(vector_of_matvec)           \
          X(matrix_of_matvec) X(matrix_of_vecmat) X(reference) X(elements)     \
              X(batched_first) X(divided) X(in_memory) X(both_in_memory)    \
                  X(scaled_product) X(scaled_product_tt) X(scaled_sums)        \
                      X(scaled_rows) X(scaled_by_memory) X(scaled_fused)

#ifdef BUILD
#define SCALARS T alpha = L - (T)1.5, beta = (T)0.75 * L
KERNEL(
    first, SCALARS; (void)beta; IJ {
      SUM(0, alpha * A[i * K + k], B[k * N + j]);
      C[i * N + j] = s;
    })
KERNEL(
    second, SCALARS; (void)alpha; IJ {
      SUM(bias[j], A[i * K + k], (B[k * N + j] * beta));
      C[i * N + j] = s;
    })
KERNEL(
    both, SCALARS; IJ {
      SUM(0, (alpha * A[i * K + k]), (beta * B[k * N + j]));
      C[i * N + j] = s;
    })
KERNEL(
    both_one, SCALARS; (void)beta; IJ {
      SUM(0, (A[i * K + k] * alpha), (alpha * B[k * N + j]));
      C[i * N + j] = s;
    })
KERNEL(in_memory, FOR(i, M) FOR(k, K) FOR(j, N) C[i * N + j] +=
                  bias[0] * A[i * K + k] * B[k * N + j];)
KERNEL(
    both_in_memory, SCALARS; (void)beta; IJ {
      SUM(bias[0], A[i * K + k] * bias[0], (bias[0] * B[j * K + k]));
      C[i * N + j] = alpha * s + bias[0];
    })
KERNEL(first_tn, SCALARS; (void)beta;
       IJ FOR(k, K) C[i * N + j] += alpha * A[k * M + i] * B[k * N + j];)
KERNEL(second_nt, SCALARS; (void)beta;
       IJ FOR(k, K) C[i * N + j] += A[i * K + k] * (alpha * B[j * K + k]);)
KERNEL(both_tt, SCALARS;
       IJ FOR(k, K) C[i * N + j] += (alpha * A[k * M + i]) * (beta * B[j * K + k]);)
KERNEL(
    hoisted, SCALARS; (void)beta; FOR(i, M) FOR(k, K) {
      T temp = alpha * A[i * K + k];
      FOR(j, N) C[i * N + j] += temp * B[k * N + j];
    })
KERNEL(
    hoisted_rows, SCALARS; FOR(j, N) {
      FOR(i, M) C[i + j * M] = beta * C[i + j * M];
      FOR(k, K) {
        T temp = alpha * B[k + j * K];
        FOR(i, M) C[i + j * M] += temp * A[i + k * M];
      }
    })
KERNEL(
    with_axpby, SCALARS; IJ {
      SUM(0, beta * A[i * K + k], B[k * N + j]);
      C[i * N + j] = alpha * s + beta * C[i * N + j];
    })
KERNEL(
    with_bias, SCALARS; IJ {
      SUM(0, alpha * A[i * K + k], B[j * K + k]);
      C[i * N + j] = bias[j] + beta * s;
    })
KERNEL(
    vector_of_matvec, SCALARS; (void)beta; FOR(i, M) {
      SUM(0, A[i * K + k], (alpha * B[k]));
      C[i] = s;
    })
KERNEL(
    matrix_of_matvec, SCALARS; (void)beta; FOR(i, M) {
      SUM(bias[i], alpha * A[i * K + k], B[k]);
      C[i] = s;
    })
KERNEL(matrix_of_vecmat, SCALARS; (void)alpha;
       FOR(j, N) FOR(k, K) C[j] += beta * B[k * N + j] * A[k];)
KERNEL(
    reference, SCALARS; FOR(i, M) {
      FOR(j, N) C[i * N + j] *= beta;
      FOR(k, K) FOR(j, N) C[i * N + j] += alpha * A[i * K + k] * B[k * N + j];
    })
KERNEL(
    elements, SCALARS; IJ {
      C[i * N + j] *= beta;
      FOR(k, K) C[i * N + j] += alpha * A[i * K + k] * B[k * N + j];
    })
KERNEL(
    batched_first, SCALARS; (void)beta; FOR(l, L) IJ {
      SUM(0, alpha * A[(l * M + i) * K + k], B[(l * K + k) * N + j]);
      C[(l * M + i) * N + j] = s;
    })
// Rounded before they are scaled.
KERNEL(scaled_product, SCALARS; (void)beta;
       IJ FOR(k, K) C[i * N + j] += A[i * K + k] * B[k * N + j] * alpha;)
KERNEL(scaled_product_tt, SCALARS; (void)beta;
       IJ FOR(k, K) C[i * N + j] += alpha * (A[k * M + i] * B[j * K + k]);)
KERNEL(
    scaled_sums, SCALARS; IJ {
      SUM(bias[j], A[i * K + k] * B[k * N + j], alpha);
      C[i * N + j] = beta * s + C[i * N + j];
    })
KERNEL(
    scaled_rows, SCALARS; (void)beta; FOR(i, M) {
      SUM(0, A[i * K + k] * B[k], alpha);
      C[i] = s;
    })
KERNEL(scaled_by_memory, FOR(i, M) FOR(k, K) FOR(j, N) C[i * N + j] +=
                         A[i * K + k] * B[j * K + k] * bias[0];)
KERNEL(
    scaled_fused, SCALARS; (void)beta; IJ {
      SUM(0, (A[i * K + k] * beta) * B[k * N + j], alpha);
      C[i * N + j] = s;
    })
// Left alone: no product of an element and a parameter.
KERNEL(
    divided, SCALARS; (void)beta; IJ {
      SUM(0, A[i * K + k] / alpha, B[k * N + j]);
      C[i * N + j] = s;
    })
#endif
