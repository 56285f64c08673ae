// Products whose sums have another type than their factors or results, for
// kinds.c with TYPE float.
#define KERNELS(X)                                                             \
  X(nn)                                                                        \
  X(nt) X(tn) X(tt) X(started) X(bias_behind) X(bias_inside) X(relu) X(axpby)  \
      X(colmajor) X(matvec) X(vecmat) X(batched) X(wide) X(wide_nt)            \
          X(wide_add) X(wide_memory) X(narrow) X(narrow_nt) X(narrow_matvec)          \
              X(scaled) X(scaled_both) X(scaled_copy) X(scaled_tt)             \
                  X(scaled_matvec)

#ifdef BUILD
// Scaled in the type of the elements, then extended.
KERNEL(
    scaled, T alpha = L - (T)1.1; IJ {
      double s = 0;
      FOR(k, K) s += (double)(alpha * A[i * K + k]) * B[k * N + j];
      C[i * N + j] = (T)s;
    })
KERNEL(
    scaled_both, T alpha = L - (T)1.1; T beta = L * (T)0.3; IJ {
      double s = 0;
      FOR(k, K)
      s += (double)(A[i * K + k] * alpha) * (double)(beta * B[j * K + k]);
      C[i * N + j] = (T)(s + bias[j]);
    })
KERNEL(
    scaled_copy, T alpha = L - (T)1.1; FOR(j, N) FOR(i, M) {
      double s = bias[0];
      FOR(k, K) {
        T temp = alpha * B[k * N + j];
        s += (double)A[i * K + k] * temp;
      }
      C[i * N + j] = (T)s;
    })
KERNEL(
    scaled_tt, T alpha = L - (T)1.1; IJ {
      double s = 0;
      FOR(k, K) s += (double)(alpha * A[k * M + i]) * B[j * K + k];
      C[i * N + j] = (T)s;
    })
KERNEL(
    scaled_matvec, T alpha = L - (T)1.1; FOR(i, M) {
      double s = 0;
      FOR(k, K) s += (double)(alpha * A[i * K + k]) * B[k];
      C[i] = (T)s;
    })
KERNEL(
    nn, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = (T)s;
    })
KERNEL(
    nt, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[j * K + k];
      C[i * N + j] = (T)s;
    })
KERNEL(
    tn, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[k * M + i] * B[k * N + j];
      C[i * N + j] = (T)s;
    })
KERNEL(
    tt, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[k * M + i] * B[j * K + k];
      C[i * N + j] = (T)s;
    })
KERNEL(
    started, IJ {
      double s = 0.1;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = (T)s;
    })
KERNEL(
    bias_behind, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[j * K + k];
      C[i * N + j] = (T)s + bias[j];
    })
KERNEL(
    bias_inside, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = (T)(s + bias[j]);
    })
KERNEL(
    relu, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = s > 0 ? (T)s : 0;
    })
KERNEL(
    axpby, double alpha = L - 1.5; IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = (T)(alpha * s + 0.5 * C[i * N + j]);
    })
KERNEL(
    colmajor, FOR(j, N) FOR(i, M) {
      double s = 0;
      FOR(k, K) s += (double)A[i + k * M] * B[k + j * K];
      C[i + j * M] = (T)s;
    })
KERNEL(
    matvec, FOR(i, M) {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k];
      C[i] = (T)s;
    })
KERNEL(
    vecmat, FOR(j, N) {
      double s = 0;
      FOR(k, K) s += (double)A[k] * B[k * N + j];
      C[j] = (T)s;
    })
KERNEL(
    batched, FOR(l, L) IJ {
      double s = 0;
      FOR(k, K) s += (double)A[(l * M + i) * K + k] * B[(l * K + k) * N + j];
      C[(l * M + i) * N + j] = (T)s;
    })
KERNEL(
    wide, double *D = (double *)C; IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      D[i * N + j] = s;
    })
KERNEL(
    wide_nt, double *D = (double *)C; IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[j * K + k];
      D[i * N + j] = s;
    })
KERNEL(
    wide_add, double *D = (double *)C; IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      D[i * N + j] += s;
    })
KERNEL(wide_memory, double *D = (double *)C;
       FOR(i, M) FOR(k, K) FOR(j, N) D[i * N + j] +=
       (double)A[i * K + k] * B[k * N + j];)
KERNEL(
    narrow, IJ {
      T s = 0;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      ((double *)C)[i * N + j] = s;
    })
KERNEL(
    narrow_nt, IJ {
      T s = bias[j];
      FOR(k, K) s += A[i * K + k] * B[j * K + k];
      ((double *)C)[i * N + j] = s * 0.1;
    })
KERNEL(
    narrow_matvec, FOR(i, M) {
      T s = 0;
      FOR(k, K) s += A[i * K + k] * B[k];
      ((double *)C)[i] = s * 0.1;
    })
#endif
