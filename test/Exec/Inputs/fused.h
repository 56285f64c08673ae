// Kernels for lanes.c whose loops go over the same memory one after another.
#define KERNELS(X)                                                             \
  X(chain, M *N, M *N, 2 * M * N, 1)                                           \
  X(in_place, 0, M *N, M *N, 1)                                                \
  X(stack_array, N, N, N, 1)                                                   \
  X(heap_array, M *N, M *N, M *N, 1)                                           \
  X(heap_sum, M *N, N, M, 1)                                                   \
  X(layernorm_stages, M *N, 2 * N, M * N + 2 * M, 1)                           \
  X(softmax_stages, M *N, 0, M *N + 2 * M, 1)                                  \
  X(residual_norm, M *N, M *N, 2 * M * N, 1)                                   \
  X(batchnorm_stages, L * M * N, 2 * M, L * M * N + 2 * M, 1)                  \
  X(bias_relu, M *K, K *N + N, M * N, 1)                                       \
  X(scaled_product, M *K, K *N, M *N, 1)                                       \
  X(two_products, M *M, M *M, 2 * M * M, 1)                                    \
  X(two_sums, N, N, 1, 1)                                                      \
  X(mean_variance, N, N, 2, 1)                                                 \
  X(shifted, N + 1, 0, 2 * N, 1)                                               \
  X(backwards, N, 0, 2 * N, 1)                                                 \
  X(stored_between, N, 0, 2 * N, 1)                                            \
  X(read_between, N, 1, 2 * N, 1)                                              \
  X(shorter, N, 0, 2 * N, 1)                                                   \
  X(under_condition, M *N, M *N, 2 * M * N, 1)                                 \
  X(first_conditional, N, N, 2 * N, 1)                                         \
  X(columns_behind, M *N, 0, M *N + N, 1)                                      \
  X(transposed_behind, M *N, 0, 2 * M * N, 1)                                  \
  X(in_one_nest, M *N, N, M *N, 1)                                             \
  X(in_a_loop, M *N, M *N, M *N, 1)                                            \
  X(causal, M *M, 0, M *M + M, 1)                                              \
  X(left_early, M + N, 0, 2 * N, 1)                                            \
  X(moving_pointer, M + N, 0, N, 1)                                            \
  X(scopes, N, 0, 2 * N, 1)                                                    \
  X(roots, N, N, 2 * N, 1)                                                     \
  X(logs, N, N, 2 * N, 1)

#define STAGES(X, ...) KERNEL(X, if (M < 0 || N < 0) return; __VA_ARGS__;)
// Arrays that are seen outside, in the end in what is compared.
static T Left[1 << 14], Right[1 << 14];
#define SHOW(Array, Count) FOR(i, Count) C[i] += Array[Count - 1 - i]

STAGES(chain, T *t = C + M * N; FOR(i, M *N) t[i] = A[i] + B[i];
       FOR(i, M *N) t[i] = t[i] > 0 ? t[i] : 0;
       FOR(i, M *N) C[i] = t[i] * 3 - A[i])
STAGES(in_place, FOR(i, M *N) C[i] = C[i] + B[i];
       FOR(i, M *N) C[i] = C[i] < -1 ? -1 : C[i]; FOR(i, M *N) C[i] *= C[i])
STAGES(stack_array, T t[64]; T u[64]; if (N > 64) return;
       FOR(i, N) t[i] = A[i] * B[i]; FOR(i, N) u[i] = t[i] - A[i];
       FOR(i, N) C[i] = t[i] / (u[i] * u[i] + 1))
STAGES(heap_array, T *t = __builtin_malloc(sizeof(T) * M * N + 1);
       FOR(i, M *N) t[i] = A[i] * 2; FOR(i, M *N) C[i] = t[i] - B[i];
       __builtin_free(t))
// What is written to the array is read in another order, too.
STAGES(
    heap_sum, T *t = __builtin_malloc(sizeof(T) * M * N + 1);
    FOR(i, M) FOR(j, N) t[i * N + j] = A[i * N + j] * B[j]; FOR(i, M) {
      T s = 0;
      FOR(j, N) s += t[i * N + j];
      C[i] = s;
    } __builtin_free(t))
STAGES(
    layernorm_stages, T *mean = Left; T *rstd = Right;
    FOR(i, M) {
      T s = 0;
      FOR(j, N) s += A[i * N + j];
      mean[i] = s / N;
    } FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        T d = A[i * N + j] - mean[i];
        s += d * d;
      }
      rstd[i] = 1 / sqrtf(s / N + 1e-5f);
    } FOR(i, M) FOR(j, N)
        C[i * N + j] = (A[i * N + j] - mean[i]) * rstd[i] * B[j] + B[N + j];
    SHOW(mean, M); SHOW(rstd, M))
STAGES(
    softmax_stages, T *max = Left; T *sum = Right; FOR(i, M) {
      T m = -INFINITY;
      FOR(j, N) if (A[i * N + j] > m) m = A[i * N + j];
      max[i] = m;
    } FOR(i, M) FOR(j, N) C[i * N + j] = expf(A[i * N + j] - max[i]);
    FOR(i, M) {
      T s = 0;
      FOR(j, N) s += C[i * N + j];
      sum[i] = s;
    } FOR(i, M) FOR(j, N) C[i * N + j] /= sum[i];
    SHOW(max, M); SHOW(sum, M))
STAGES(
    residual_norm, T *x = Left;
    FOR(i, M) FOR(j, N) x[i * N + j] = A[i * N + j] + B[i * N + j]; FOR(i, M) {
      T s = 0;
      FOR(j, N) s += x[i * N + j] * x[i * N + j];
      s = 1 / sqrtf(s / N + 1e-5f);
      FOR(j, N) C[i * N + j] = x[i * N + j] * s;
    };
    SHOW(x, M *N))
STAGES(
    batchnorm_stages, T *mean = Left; T *var = Right;
    FOR(c, M) {
      T s = 0;
      FOR(n, L) FOR(i, N) s += A[(n * M + c) * N + i];
      mean[c] = s / (L * N);
    } FOR(c, M) {
      T s = 0;
      FOR(n, L) FOR(i, N) {
        T d = A[(n * M + c) * N + i] - mean[c];
        s += d * d;
      }
      var[c] = s / (L * N);
    } FOR(n, L) FOR(c, M) FOR(i, N)
        C[(n * M + c) * N + i] = (A[(n * M + c) * N + i] - mean[c]) /
                                     sqrtf(var[c] + 1e-5f) * B[c] +
                                 B[M + c];
    SHOW(mean, M); SHOW(var, M))
STAGES(
    bias_relu,
    FOR(i, M) FOR(j, N) {
      T s = 0;
      FOR(k, K) s += A[i * K + k] * B[k * N + j];
      C[i * N + j] = s;
    } FOR(i, M) FOR(j, N) C[i * N + j] += B[K * N + j];
    FOR(i, M) FOR(j, N) C[i * N + j] = C[i * N + j] > 0 ? C[i * N + j] : 0)
STAGES(scaled_product, FOR(i, M) FOR(j, N) C[i * N + j] *= (T)0.5;
       FOR(i, M) FOR(j, N) FOR(k, K) C[i * N + j] +=
       A[i * K + k] * B[k * N + j])
STAGES(
    two_products, T *D = Left; FOR(i, M) FOR(j, M) {
      T s = 0;
      FOR(k, M) s += A[i * M + k] * B[k * M + j];
      D[i * M + j] = s;
    } FOR(i, M) FOR(j, M) {
      T s = 0;
      FOR(k, M) s += D[i * M + k] * B[k * M + j];
      C[i * M + j] = s;
    };
    SHOW(D, M *M))
STAGES(two_sums, T s = 0; T d = 0; FOR(i, N) s += A[i];
       FOR(i, N) d += A[i] * B[i]; C[0] = s * d)
STAGES(mean_variance, T s = 0; T d = 0; T m = -INFINITY; FOR(i, N) s += A[i];
       FOR(i, N) m = A[i] > m ? A[i] : m; s /= N;
       FOR(i, N) d += (A[i] - s) * (A[i] - s); C[0] = d + m; C[1] = s)
STAGES(shifted, T *t = C + N; FOR(i, N) t[i] = A[i] * 2;
       FOR(i, N - 1) C[i] = t[i + 1] - A[i])
STAGES(backwards, T *t = C + N; FOR(i, N) t[i] = A[i] * 2;
       FOR(i, N) C[i] = t[N - 1 - i] - A[i])
STAGES(stored_between, T *t = C + N; FOR(i, N) t[i] = A[i] * 2;
       if (N > 0) t[N / 2] = 7; FOR(i, N) C[i] = t[i] - A[i])
STAGES(read_between, T *t = C + N; FOR(i, N) t[i] = A[i] * 2;
       T s = N > 0 ? t[N - 1] : B[0]; FOR(i, N) C[i] = t[i] - s)
STAGES(shorter, T *t = C + N; FOR(i, N) t[i] = A[i] * 2;
       FOR(i, N - 1) C[i] = t[i] - A[i])
STAGES(under_condition, T *t = C + M * N; FOR(i, M *N) t[i] = A[i];
       FOR(i, M *N) if (B[i] > 0) t[i] = A[i] * B[i];
       FOR(i, M *N) C[i] = t[i] - B[i])
STAGES(first_conditional, T *t = C + N; FOR(i, N) if (B[i] > 0) t[i] = A[i];
       FOR(i, N) C[i] = t[i] - B[i])
// Sums of columns of what was written by rows.
STAGES(
    columns_behind, T *s = C + M * N;
    FOR(i, M) FOR(j, N) C[i * N + j] = A[i * N + j] * 2; FOR(j, N) {
      T t = 0;
      FOR(i, M) t += C[i * N + j];
      s[j] = t;
    })
STAGES(transposed_behind, T *t = C + M * N;
       FOR(i, M) FOR(j, N) t[i * N + j] = A[i * N + j] + 1;
       FOR(i, N) FOR(j, M) C[i * M + j] = t[j * N + i])
STAGES(
    in_one_nest, FOR(i, M) {
      FOR(j, N) C[i * N + j] = A[i * N + j] * 2;
      FOR(j, N) C[i * N + j] += B[j];
    })
// Each round reads what the one before has written.
STAGES(
    in_a_loop, FOR(k, 3) {
      FOR(i, M * N) C[i] = C[i] * (T)0.5 + A[i];
      FOR(i, M * N) C[i] = C[i] - B[i];
    })
// The loop around is no kernel.
STAGES(
    left_early, FOR(k, M) {
      FOR(i, N) C[N + i] = A[i] * k;
      FOR(i, N) C[i] += C[N + i] * 2;
      if (A[k] > 1)
        return;
    })
// What is written to the array is read through a pointer that moves in it.
STAGES(
    moving_pointer, T t[128]; T *p = t + 2; if (N > 64) return;
    FOR(i, 128) t[i] = i; FOR(k, M) {
      FOR(i, N) t[i] = A[i] + k;
      FOR(i, N) C[i] += t[i] * 2 + p[i];
      if (A[k] > 0 && p < t + 32)
        p += 3;
    })
// Arrays whose scopes follow each other; the joined loops use two at once.
STAGES(
    scopes, if (N > 64) return; T *p = C + N;
    {
      T t[64];
      FOR(i, N) t[i] = A[i] * 2;
      FOR(i, N) C[i] = t[i] + A[i];
      FOR(i, N) C[i] -= t[N - 1 - i];
    } {
      T u[64];
      FOR(i, N) u[i] = A[i] * 3 + C[i];
      FOR(i, N) p[i] = u[i] - C[i];
      FOR(i, N) p[i] -= u[N - 1 - i];
    } {
      T v[64];
      FOR(i, N) v[i] = A[i] * 3 + p[i];
      FOR(i, N) C[i] = v[i] - p[i];
      FOR(i, N) C[i] -= v[N - 1 - i];
    })
STAGES(
    causal, T *s = C + M * M; FOR(i, M) {
      T t = 0;
      FOR(j, i + 1) t += A[i * M + j];
      s[i] = t;
    } FOR(i, M) FOR(j, i + 1) C[i * M + j] = A[i * M + j] / s[i])
STAGES(roots, T *t = C + N; FOR(i, N) t[i] = sqrtf(A[i] * A[i]);
       FOR(i, N) C[i] = sqrtf(t[i] + B[i] * B[i]))
STAGES(logs, T *t = C + N; FOR(i, N) t[i] = logf(A[i]);
       FOR(i, N) C[i] = expf(t[i] - B[i]))
