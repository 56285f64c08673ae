// Softmax, losses, and their backward forms: X(name, elements of A, of B, of C,
// numbers in C).
#define SOFTMAX_KERNELS(X)                                                     \
  X(softmax_ternary, M *N, 0, M *N, 1)                                         \
  X(softmax_fmax, M *N, 0, M *N, 1)                                            \
  X(softmax_if, M *N, 0, M *N, 1)                                              \
  X(softmax_exp_double, M *N, 0, M *N, 1)                                      \
  X(softmax_in_place, 0, 0, M *N, 1)                                           \
  X(softmax_inverse, M *N, 0, M *N, 1)                                         \
  X(softmax_local, M *N, 0, M *N, 1)                                           \
  X(softmax_scaled, M *N, 0, M *N, 1)                                          \
  X(softmax_masked, M *N, M *N, M *N, 1)                                       \
  X(softmax_causal, M *N, 0, M *N, 1)                                          \
  X(softmax_online, M *N, 0, M *N, 1)                                          \
  X(log_softmax, M *N, 0, M *N, 1)                                             \
  X(softmax_columns, L *M *N, 0, L *M *N, 1)                                   \
  X(softmax_padded, L *M *(N + 3), 0, L *M *(N + 3), 1)                        \
  X(softmax_backward, M *N, M *N, M *N, 1)                                     \
  X(logsumexp, M *N, 0, M, 1)                                                  \
  X(cross_entropy, M *N, M, M, 1)                                              \
  X(cross_entropy_mean, M *N, M, 1, 1)                                         \
  X(cross_entropy_backward, M *N, M, M *N, 1)                                  \
  X(mse, M *N, M *N, M, 1)

#ifdef BUILD
KERNEL(
    softmax_ternary, if (N > 0) FOR(i, M) {
      T max = A[i * N], sum = 0;
      for (int j = 1; j < N; j++)
        max = a > max ? a : max;
      FOR(j, N) {
        c = EXP(a - max);
        sum += c;
      }
      FOR(j, N) c /= sum;
    })
// Rows of sentences of a batch, whose last columns are no classes.
KERNEL(
    softmax_padded, int P = N + 3; FOR(l, L) FOR(i, M) {
      const T *x = A + l * M * P + i * P;
      T *y = C + l * M * P + i * P;
      T max = -10000, sum = 0;
      FOR(j, N) if (x[j] > max) max = x[j];
      FOR(j, N) {
        y[j] = EXP(x[j] - max);
        sum += y[j];
      }
      FOR(j, N) y[j] /= sum;
      for (int j = N; j < P; j++)
        y[j] = 0;
    })
KERNEL(
    softmax_fmax, FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) max = MAX(max, a);
      FOR(j, N) {
        T e = EXP(a - max);
        sum += e;
        c = e;
      }
      FOR(j, N) c /= sum;
    })
KERNEL(
    softmax_if, if (N > 0) FOR(i, M) {
      const T *x = A + i * N;
      T *y = C + i * N;
      T max = x[0];
      for (int j = 1; j < N; j++)
        if (x[j] > max)
          max = x[j];
      T sum = 0;
      for (int j = 0; j < N; j++) {
        y[j] = EXP(x[j] - max);
        sum += y[j];
      }
      for (int j = 0; j < N; j++)
        y[j] = y[j] / sum;
    })
KERNEL(
    softmax_exp_double, FOR(i, M) {
      T max = -10000;
      FOR(j, N) if (a > max) max = a;
      double sum = 0;
      FOR(j, N) {
        c = exp(a - max);
        sum += c;
      }
      FOR(j, N) c /= sum;
    })
// llama2.c
KERNEL(
    softmax_in_place, if (N > 0) FOR(i, M) {
      T *x = C + i * N, max = x[0];
      for (int j = 1; j < N; j++)
        if (x[j] > max)
          max = x[j];
      T sum = 0;
      FOR(j, N) {
        x[j] = EXP(x[j] - max);
        sum += x[j];
      }
      FOR(j, N) x[j] /= sum;
    })
KERNEL(
    softmax_inverse, FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) max = MAX(max, a);
      FOR(j, N) {
        c = EXP(a - max);
        sum += c;
      }
      T inverse = 1 / sum;
      FOR(j, N) c *= inverse;
    })
// The functions are called twice.
KERNEL(
    softmax_local, FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) max = max < a ? a : max;
      FOR(j, N) sum += EXP(a - max);
      FOR(j, N) c = EXP(a - max) / sum;
    })
KERNEL(
    softmax_scaled, {
      T scale = 1 / SQRT((T)K);
      FOR(i, M) {
        T max = -INFINITY, sum = 0;
        FOR(j, N) max = MAX(max, a * scale);
        FOR(j, N) {
          c = EXP(a * scale - max);
          sum += c;
        }
        FOR(j, N) c /= sum;
      }
    })
KERNEL(
    softmax_masked, FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) {
        T x = B[i * N + j] > 0 ? a : -INFINITY;
        max = x > max ? x : max;
      }
      FOR(j, N) {
        T x = B[i * N + j] > 0 ? a : -INFINITY;
        c = EXP(x - max);
        sum += c;
      }
      FOR(j, N) c /= sum;
    })
// llm.c's attention
KERNEL(
    softmax_causal, FOR(i, (M < N ? M : N)) {
      T max = -10000;
      for (int j = 0; j <= i; j++)
        if (a > max)
          max = a;
      T sum = 0;
      for (int j = 0; j <= i; j++) {
        T e = EXP(a - max);
        sum += e;
        c = e;
      }
      T inverse = sum == 0 ? 0 : 1 / sum;
      FOR(j, N) {
        if (j <= i)
          c *= inverse;
        else
          c = 0;
      }
    })
KERNEL(
    softmax_online, FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) {
        T m = MAX(max, a);
        sum = sum * EXP(max - m) + EXP(a - m);
        max = m;
      }
      FOR(j, N) c = EXP(a - max) / sum;
    })
KERNEL(
    log_softmax, if (N > 0) FOR(i, M) {
      T max = A[i * N], sum = 0;
      for (int j = 1; j < N; j++)
        max = a > max ? a : max;
      FOR(j, N) sum += EXP(a - max);
      T shift = max + LOG(sum);
      FOR(j, N) c = a - shift;
    })
// Over the axis in the middle.
KERNEL(
    softmax_columns, FOR(l, L) FOR(j, N) {
      T max = -INFINITY, sum = 0;
      FOR(i, M) max = MAX(max, A[(l * M + i) * N + j]);
      FOR(i, M) sum += EXP(A[(l * M + i) * N + j] - max);
      FOR(i, M) C[(l * M + i) * N + j] = EXP(A[(l * M + i) * N + j] - max) / sum;
    })
// A: what came out, B: its gradient.
KERNEL(
    softmax_backward, FOR(i, M) {
      T dot = 0;
      FOR(j, N) dot += a * B[i * N + j];
      FOR(j, N) c = a * (B[i * N + j] - dot);
    })
KERNEL(
    logsumexp, FOR(i, M) {
      T max = -INFINITY, sum = 0;
      FOR(j, N) max = MAX(max, a);
      FOR(j, N) sum += EXP(a - max);
      C[i] = max + LOG(sum);
    })
// Which of the classes a row is.
#define CLASS(i)                                                               \
  (B[i] > 0 && B[i] < 1000000 ? (int)B[i] % N : 0)
KERNEL(
    cross_entropy, if (N > 0) FOR(i, M) {
      T max = A[i * N], sum = 0;
      for (int j = 1; j < N; j++)
        max = a > max ? a : max;
      FOR(j, N) sum += EXP(a - max);
      C[i] = LOG(sum) - (A[i * N + CLASS(i)] - max);
    })
KERNEL(
    cross_entropy_mean, {
      T loss = 0;
      if (N > 0) FOR(i, M) {
        T max = A[i * N], sum = 0;
        for (int j = 1; j < N; j++)
          max = a > max ? a : max;
        FOR(j, N) sum += EXP(a - max);
        loss += LOG(sum) - (A[i * N + CLASS(i)] - max);
      }
      C[0] = loss / M;
    })
// llm.c's crossentropy_softmax_backward: A has probabilities.
KERNEL(
    cross_entropy_backward, FOR(i, M) {
      T d = 1 / (T)M;
      int at = CLASS(i);
      FOR(j, N) {
        T indicator = j == at ? 1 : 0;
        c += (a - indicator) * d;
      }
    })
KERNEL(
    mse, FOR(i, M) {
      T sum = 0;
      FOR(j, N) {
        T d = a - B[i * N + j];
        sum += d * d;
      }
      C[i] = sum / N;
    })
#endif
