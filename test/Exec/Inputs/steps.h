// Products whose operands are read backwards or whose columns are apart, for
// kinds.c.
#define KERNELS(X)                                                             \
  X(down)                                                                      \
  X(down_memory) X(down_of_a) X(down_of_b) X(down_update) X(down_axpby)        \
      X(mirrored) X(mirrored_c) X(second_columns) X(second_columns_down)       \
          X(second_of_a) X(second_of_b) X(third_and_fourth) X(fifth) X(any)    \
              X(any_down) X(rows_of_steps) X(nt_down) X(nt_second) X(tn_down)  \
                  X(tn_second) X(tt_third) X(tt_any) X(colmajor_second)        \
                      X(scaled_down) X(batched_down) X(hankel) X(toeplitz)     \
                          X(matvec_down) X(matvec_second) X(vecmat_down)       \
                              X(vecmat_any) X(parts)

#ifdef BUILD
#define DOWN(I, E) for (int I = E; I-- > 0;)
#define DOT(NAME, A_, B_)                                                      \
  KERNEL(                                                                      \
      NAME, IJ {                                                               \
        SUM(0, A_, B_);                                                        \
        C[i * N + j] = s;                                                      \
      })
KERNEL(
    down, DOWN(i, M) DOWN(j, N) {
      T s = 0;
      DOWN(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(down_memory, FOR(i, M) DOWN(k, K) FOR(j, N) C[i * N + j] +=
                    A[i * K + k] * B[k * N + j];)
DOT(down_of_a, A[i * K + K - 1 - k], B[k * N + j])
DOT(down_of_b, A[i * K + k], B[(K - 1 - k) * N + j])
KERNEL(
    down_update, IJ {
      T s = bias[j];
      DOWN(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] += s;
    })
KERNEL(
    down_axpby, IJ {
      T s = 0;
      DOWN(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = (T)1.5 * s + (T)0.25 * C[i * N + j];
    })
DOT(mirrored, A[(M - 1 - i) * K + k], B[k * N + N - 1 - j])
KERNEL(
    mirrored_c, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[(M - 1 - i) * N + N - 1 - j] = s;
    })
DOT(second_columns, A[2 * (i * K + k)], B[2 * (k * N + j) + 1])
DOT(second_columns_down, A[2 * (i * K + K - 1 - k)],
    B[2 * ((K - 1 - k) * N + N - 1 - j)])
DOT(second_of_a, A[2 * (i * K + k) + 1], B[k * N + j])
DOT(second_of_b, A[i * K + k], B[2 * (k * N + j)])
DOT(third_and_fourth, A[3 * (i * K + k)], B[4 * (k * N + N - 1 - j)])
DOT(fifth, A[5 * (i * K + k)], B[5 * (k * N + j)])
DOT(any, A[(i * K + k) * L], B[(k * N + j) * L])
DOT(any_down, A[(i * K + K - 1 - k) * L], B[((K - 1 - k) * N + N - 1 - j) * L])
DOT(rows_of_steps, A[i * L + k * (M + 2)], B[k * (N + 3) * 2 + j * L])
DOT(nt_down, A[i * K + K - 1 - k], B[j * K + K - 1 - k])
DOT(nt_second, A[2 * (i * K + k)], B[2 * (j * K + k)])
DOT(tn_down, A[(K - 1 - k) * M + M - 1 - i], B[(K - 1 - k) * N + j])
DOT(tn_second, A[2 * (k * M + i)], B[k * N + j])
DOT(tt_third, A[3 * (k * M + i)], B[3 * (j * K + k)])
DOT(tt_any, A[(k * M + i) * L], B[(j * K + k) * L])
KERNEL(
    colmajor_second, FOR(j, N) FOR(i, M) {
      SUM(0, A[2 * (i + k * M)], B[2 * (k + j * K)]);
      C[i + j * M] = s;
    })
KERNEL(
    scaled_down, T alpha = L - (T)1.5; IJ {
      T s = 0;
      DOWN(k, K) s += alpha * A[i * K + k] * (B[2 * (k * N + j)] * alpha);
      C[i * N + j] = s;
    })
KERNEL(
    batched_down, FOR(l, L) IJ {
      T s = 0;
      DOWN(k, K) s += A[(l * M + i) * K + k] * B[(l * K + k) * N + j];
      C[(l * M + i) * N + j] = s;
    })
DOT(hankel, A[i + k], B[k * N + j])
DOT(toeplitz, A[i + K - 1 - k], B[N - 1 - j + k])
KERNEL(
    matvec_down, DOWN(i, M) {
      T s = 0;
      DOWN(k, K) s += A[i * K + k] * B[k];
      C[i] = s;
    })
KERNEL(
    matvec_second, FOR(i, M) {
      SUM(bias[i], A[2 * (i * K + k)], B[2 * k]);
      C[i] = s;
    })
KERNEL(vecmat_down, DOWN(k, K) FOR(j, N) C[j] += A[k] * B[k * N + j];)
KERNEL(vecmat_any, FOR(k, K) FOR(j, N) C[j] += A[k * L] * B[(k * N + j) * L];)
KERNEL(
    parts, for (int p = 0; p < 2; p++) IJ {
      for (int k = p; k < K; k += 2)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
    })
#endif
