// Products of whose sums functions make something, and sums of several
// products, for kinds.c.
#define KERNELS(X)                                                             \
  X(tanhs)                                                                     \
  X(sigmoids) X(roots) X(scaled_scores) X(scaled_in_double) X(powers)          \
      X(counted) X(mean_of_integers) X(both_stored) X(kept_apart) X(softplus)  \
          X(gelu) X(layer) X(layer_t) X(gate) X(gate_of_three) X(convolution)  \
              X(result_read) X(result_reused) X(other_row) X(narrowed)         \
                  X(triangle) X(under_condition) X(columns_first)  \
                      X(radial) X(hidden) X(by_layer) X(row_of_logs) X(gates)  \
                      X(states) X(more_states) X(same_states)

#ifdef BUILD
#include <tgmath.h>

KERNEL(
    tanhs, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = tanh(s);
    })
KERNEL(
    sigmoids, IJ {
      SUM(bias[j], A[i * K + k], B[j * K + k]);
      C[i * N + j] = 1 / (1 + exp(-s));
    })
KERNEL(
    roots, IJ {
      SUM(bias[i], A[k * M + i], B[k * N + j]);
      C[i * N + j] = sqrt(s);
    })
KERNEL(
    scaled_scores, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = s / sqrt((T)K);
    })
KERNEL(
    scaled_in_double, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = s / sqrt((double)K);
    })
KERNEL(
    powers, IJ {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = s * pow((T)K, (T)-0.5);
    })
KERNEL(
    counted, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s / (T)(K + L * 2);
    })
KERNEL(
    mean_of_integers, const int *zero = (const int *)bias; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = s * (T)(zero[j] & 7);
    })
// The sum itself is stored, too.
KERNEL(
    both_stored, T *Z = C + M * N; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      Z[i * N + j] = s;
      C[i * N + j] = tanh(s);
    })
KERNEL(
    kept_apart, T *Z = C + M * N; IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      Z[i * N + j] = cos(s);
      C[i * N + j] = sin(s) + Z[i * N + j];
    })
KERNEL(
    softplus, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      s += bias[j];
      C[i * N + j] = s > 20 ? s : log1p(exp(s));
    })
KERNEL(
    gelu, IJ {
      SUM(bias[j], A[i * K + k], B[j * K + k]);
      C[i * N + j] = s / 2 * (1 + erf(s / sqrt((T)2)));
    })
KERNEL(
    layer, FOR(i, M) {
      SUM(bias[i], A[i * K + k], B[k]);
      C[i] = tanh(s);
    })
KERNEL(
    layer_t, FOR(j, N) {
      SUM(bias[j], A[k], B[k * N + j]);
      C[j] = 1 / (1 + exp(-s));
    })
// The gate of a recurrent network: two products in one sum.
KERNEL(
    gate, IJ {
      SUM(bias[j], A[i * K + k], B[k * N + j]);
      FOR(k, K) s += A[i * K + k] * B[j * K + k];
      C[i * N + j] = 1 / (1 + exp(-s));
    })
KERNEL(
    gate_of_three, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      FOR(k, K) s += A[i * K + k] * B[j * K + k];
      s += bias[j];
      FOR(k, L) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    })
KERNEL(
    convolution, FOR(l, L) FOR(i, M) FOR(j, N) {
      T s = bias[l];
      FOR(k, 3)
      FOR(x, 3) s += A[(i + k) * (N + 2) + j + x] * B[(l * 3 + k) * 3 + x];
      C[(l * M + i) * N + j] = tanh(s);
    })
// What the result holds before is needed.
KERNEL(
    result_read, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = tanh(s + C[i * N + j]);
    })
KERNEL(
    result_reused, IJ {
      SUM(C[i * N + j], A[i * K + k], B[k * N + j]);
      C[i * N + j] = tanh(s);
    })
KERNEL(
    other_row, FOR(i, M - 1) FOR(j, N) {
      SUM(0, A[i * K + k], B[k * N + j]);
      C[i * N + j] = tanh(s + C[(i + 1) * N + j]);
    })
// The sum is wider than what is stored.
KERNEL(
    narrowed, IJ {
      double s = 0;
      FOR(k, K) s += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = (T)tanh(s);
    })
KERNEL(
    triangle, FOR(i, M) FOR(j, (i < N ? i + 1 : N)) {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i * N + j] = exp(s);
    })
KERNEL(
    under_condition, IJ {
      SUM(0, A[i * K + k], B[k * N + j]);
      if (s > 0)
        C[i * N + j] = log(s);
    })
KERNEL(
    radial, IJ {
      T s = 0;
      FOR(k, K) {
        T t = A[i * K + k] - B[j * K + k];
        s += t * t;
      }
      C[i * N + j] = exp(-s);
    })
KERNEL(
    hidden, FOR(i, M) {
      T h[24];
      FOR(j, 24) {
        SUM(0, A[i * K + k], B[k * 24 + j]);
        h[j] = tanh(s);
      }
      FOR(j, N) {
        T s = bias[j];
        FOR(k, 24) s += h[k] * B[k * N + j];
        C[i * N + j] = s;
      }
    })
struct layer {
  int In, Out;
  const T *W, *Bias;
  T *Y;
};
static void forward(struct layer *X, const T *In) {
  FOR(i, X->Out) {
    T s = X->Bias[i];
    FOR(k, X->In) s += X->W[i * X->In + k] * In[k];
    X->Y[i] = 1 / (1 + exp(-s));
  }
}
KERNEL(
    by_layer, struct layer X = {K, N, B, bias, C}; struct layer *volatile P = &X;
    FOR(l, L) {
      forward(P, A + l * K);
      P->Y += N;
    })
KERNEL(
    row_of_logs, FOR(i, M) {
      T s = 0;
      FOR(k, K) s += A[i * K + k] * A[i * K + k];
      C[i] = log(s);
    })
// A cell's four gates, and states of steps that lie behind each other.
KERNEL(
    gates, FOR(i, (M < N ? M : N)) {
      T g[4];
      FOR(l, 4) {
        SUM(bias[i], A[(l * M + i) * K + k], B[k]);
        FOR(k, K) s += B[i * K + k] * A[k];
        g[l] = s;
      }
      C[i] = tanh(g[0]) + g[1] * exp(-g[2] * g[2]) - g[3];
    })
#define STATES(NAME, I, FROM, COUNT)                                           \
  KERNEL(                                                                      \
      NAME, FOR(i, M - 1) FOR(j, N) {                                          \
        SUM(bias[j], A[i * K + k], B[j * K + k]);                              \
        FOR(k, COUNT) s += B[j * K + k] * C[(FROM)*N + k];                     \
        C[(I)*N + j] = tanh(s);                                                \
      })
STATES(states, i + 1, i, (K < N ? K : N))
STATES(more_states, i + 1, i, K)
STATES(same_states, i, i, (K < N ? K : N))
KERNEL(
    columns_first, FOR(j, N) FOR(i, M) {
      SUM(0, A[i * K + k], B[j * K + k]);
      C[i + j * M] = tanh(s);
    })
#endif
