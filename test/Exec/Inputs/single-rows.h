// Kernels for lanes.c that do several things to one row, as functions that are called
// for each: X(name, elements of A, of B, of C, numbers in C).
#define KERNELS(X)                                                             \
  X(softmax_in_place, 0, 0, N, 1)                                              \
  X(softmax_fmax, N, 0, N, 1)                                                  \
  X(softmax_shorter, N + 1, 0, N, 1)                                           \
  X(softmax_changed, 0, 0, N + 1, 1)                                           \
  X(softmax_minimum, N, 0, N, 1)                                               \
  X(softmax_masked, N, N, N, 1)                                                \
  X(softmax_rows, M *N, 0, M *N, 1)                                            \
  X(log_softmax, N, 0, N, 1)                                                   \
  X(log_sum, N, 0, 1, 1)                                                       \
  X(softmax_backward, N, N, N, 1)                                              \
  X(rmsnorm, N, N, N, 1)                                                       \
  X(rmsnorm_in_place, 0, N, N, 1)                                              \
  X(layernorm, N, 2 * N, N + 2, 1)                                             \
  X(l2_normalize, N, 0, N, 1)                                                  \
  X(two_rows, N, M, N + M, 1)

#ifdef BUILD
#define EXP(x) (T)(sizeof(T) == 4 ? expf(x) : exp(x))
#define LOG(x) (T)(sizeof(T) == 4 ? logf(x) : log(x))
#define SQRT(x) (T)(sizeof(T) == 4 ? sqrtf(x) : sqrt(x))
#define MAX(x, y) (T)(sizeof(T) == 4 ? fmaxf(x, y) : fmax(x, y))

// llama2.c
KERNEL(
    softmax_in_place, if (N > 0) {
      T max = C[0], sum = 0;
      for (int i = 1; i < N; i++)
        if (C[i] > max)
          max = C[i];
      FOR(i, N) {
        C[i] = EXP(C[i] - max);
        sum += C[i];
      }
      FOR(i, N) C[i] /= sum;
    })
KERNEL(
    softmax_fmax, {
      T max = -INFINITY, sum = 0;
      FOR(i, N) max = MAX(max, A[i]);
      FOR(i, N) {
        T e = EXP(A[i] - max);
        C[i] = e;
        sum += e;
      }
      sum = 1 / sum;
      FOR(i, N) C[i] *= sum;
    })
// The last element is none of the maximum's.
KERNEL(
    softmax_shorter, {
      T max = A[0], sum = 0;
      for (int i = 1; i < N; i++)
        max = A[i] > max ? A[i] : max;
      FOR(i, N) {
        C[i] = EXP(A[i + 1] - max);
        sum += C[i];
      }
      FOR(i, N) C[i] /= sum;
    })
// What is stored between the loops is greater, or less.
KERNEL(
    softmax_changed, if (N > 0) {
      T max = C[0], sum = 0;
      for (int i = 1; i < N; i++)
        max = C[i] > max ? C[i] : max;
      C[N / 2] = C[N] * 10;
      FOR(i, N) {
        C[i] = EXP(C[i] - max);
        sum += C[i];
      }
      FOR(i, N) C[i] /= sum;
    })
KERNEL(
    softmax_minimum, if (N > 0) {
      T min = A[0], sum = 0;
      for (int i = 1; i < N; i++)
        min = A[i] < min ? A[i] : min;
      FOR(i, N) {
        C[i] = EXP(A[i] - min);
        sum += C[i];
      }
      FOR(i, N) C[i] /= sum;
    })
KERNEL(
    softmax_masked, {
      T max = -INFINITY, sum = 0;
      FOR(i, N) if (B[i] > 0) max = A[i] > max ? A[i] : max;
      FOR(i, N) {
        C[i] = B[i] > 0 ? EXP(A[i] - max) : 0;
        sum += C[i];
      }
      FOR(i, N) C[i] /= sum;
    })
// The rows are a kernel themselves.
KERNEL(
    softmax_rows, FOR(j, M) {
      const T *x = A + j * N;
      T *y = C + j * N, max = -INFINITY, sum = 0;
      FOR(i, N) max = x[i] > max ? x[i] : max;
      FOR(i, N) {
        y[i] = EXP(x[i] - max);
        sum += y[i];
      }
      FOR(i, N) y[i] /= sum;
    })
KERNEL(
    log_softmax, {
      T max = -INFINITY, sum = 0;
      FOR(i, N) max = A[i] > max ? A[i] : max;
      FOR(i, N) sum += EXP(A[i] - max);
      T shift = max + LOG(sum);
      FOR(i, N) C[i] = A[i] - shift;
    })
KERNEL(
    log_sum, {
      T max = -INFINITY, sum = 0;
      FOR(i, N) max = A[i] > max ? A[i] : max;
      FOR(i, N) sum += EXP(A[i] - max);
      C[0] = LOG(sum) + max;
    })
KERNEL(
    softmax_backward, {
      T dot = 0;
      FOR(i, N) dot += A[i] * B[i];
      FOR(i, N) C[i] = A[i] * (B[i] - dot);
    })
KERNEL(
    rmsnorm, {
      T ss = 0;
      FOR(i, N) ss += A[i] * A[i];
      ss /= N;
      ss += (T)1e-5;
      ss = 1 / SQRT(ss);
      FOR(i, N) C[i] = B[i] * (ss * A[i]);
    })
KERNEL(
    rmsnorm_in_place, {
      T ss = 0;
      FOR(i, N) ss += C[i] * C[i];
      T scale = 1 / SQRT(ss / N + (T)1e-6);
      FOR(i, N) C[i] = C[i] * scale * (1 + B[i]);
    })
KERNEL(
    layernorm, {
      const T *gamma = B, *beta = B + N;
      T mean = 0, var = 0;
      FOR(i, N) mean += A[i];
      mean /= N;
      C[N] = mean;
      FOR(i, N) {
        T d = A[i] - mean;
        var += d * d;
      }
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(i, N) C[i] = (A[i] - mean) * rstd * gamma[i] + beta[i];
      C[N + 1] = rstd;
    })
KERNEL(
    l2_normalize, {
      double ss = 0;
      FOR(i, N) ss += A[i] * A[i];
      T scale = SQRT(ss);
      if (scale < (T)1e-6)
        scale = (T)1e-6;
      FOR(i, N) C[i] = A[i] / scale;
    })
KERNEL(
    two_rows, {
      T s = 0, t = 0;
      FOR(i, N) s += EXP(A[i]);
      FOR(i, N) C[i] = A[i] / s;
      FOR(i, M) t += EXP(B[i]);
      FOR(i, M) C[N + i] = B[i] / t;
    })
#endif
