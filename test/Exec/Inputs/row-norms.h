// Normalizations and their backward forms: X(name, elements of A, of B, of C,
// numbers in C).
#define NORM_KERNELS(X)                                                        \
  X(layernorm, M *N, 2 * N, M *N, 1)                                           \
  X(layernorm_plain, M *N, 0, M *N, 1)                                         \
  X(layernorm_stored, M *N, 2 * N, M *N + 2 * M, 1)                            \
  X(layernorm_divided, M *N, 2 * N, M *N, 1)                                   \
  X(layernorm_double, M *N, 2 * N, M *N, 1)                                    \
  X(layernorm_one_pass, M *N, 2 * N, M *N, 1)                                  \
  X(layernorm_welford, M *N, 2 * N, M *N, 1)                                   \
  X(layernorm_in_place, 0, 2 * N, M *N, 1)                                     \
  X(layernorm_pointers, M *N, 2 * N, M *N, 1)                                  \
  X(layernorm_llmc, L *M *N, 2 * N, L *M *N + 2 * L * M, 1)                    \
  X(layernorm_centred, M *N, 2 * N, M *N, 1)                                   \
  X(residual_layernorm, M *N, M *N + 2 * N, 2 * M * N, 1)                      \
  X(residual_layernorm_once, M *N, M *N + 2 * N, M *N, 1)                      \
  X(layernorm_backward, M *N, M *N + 3 * M + N, M *N, 1)                       \
  X(layernorm_backward_llmc, M *N, M *N + 2 * M + N, M *N + 2 * N, 1)          \
  X(rmsnorm, M *N, N, M *N, 1)                                                 \
  X(rmsnorm_llama2c, N, N, N, 1)                                               \
  X(rmsnorm_ggml, M *N, 0, M *N, 1)                                            \
  X(rmsnorm_divided, M *N, N, M *N, 1)                                         \
  X(rmsnorm_backward, M *N, M *N + N, M *N, 1)                                 \
  X(l2_normalize, M *N, 0, M *N, 1)                                            \
  X(l2_normalize_clamped, M *N, 0, M *N, 1)                                    \
  X(l1_normalize, M *N, 0, M *N, 1)                                            \
  X(standardize, M *N, 0, M *N, 1)                                             \
  X(groupnorm, L *M *N, 2 * L, L *M *N, 1)                                     \
  X(groupnorm_groups, L * 2 * M * N, 4 * L, L * 2 * M * N, 1)                  \
  X(instancenorm, L *M *N, 0, L *M *N, 1)                                      \
  X(batchnorm_inference, L *M *N, 4 * M, L *M *N, 1)                           \
  X(batchnorm_inference_once, L *M *N, 4 * M, L *M *N, 1)                      \
  X(batchnorm_statistics, L *M *N, 0, 2 * M, 1)                                \
  X(batchnorm_training, L *M *N, 2 * M, L *M *N + 2 * M, 1)                    \
  X(batchnorm_nhwc, M *N, 4 * N, M *N, 1)                                      \
  X(batchnorm_backward, L *M *N, L *M *N + 3 * M, L *M *N, 1)                  \
  X(maxnorm, M *N, 0, M *N, 1)                                                 \
  X(quantize_rows, M *N, 0, M *N + M, 1)                                       \
  X(called_again, M *N, M *N, M, 1)

#ifdef BUILD
KERNEL(
    layernorm, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += a;
      mean /= N;
      FOR(j, N) var += (a - mean) * (a - mean);
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) c = (a - mean) * rstd * B[j] + B[N + j];
    })
KERNEL(
    layernorm_plain, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += a;
      mean /= N;
      FOR(j, N) var += (a - mean) * (a - mean);
      T scale = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) c = (a - mean) * scale;
    })
KERNEL(
    layernorm_stored, if (N > 0) FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += a;
      mean = mean / N;
      FOR(j, N) {
        T d = a - mean;
        var += d * d;
      }
      var = var / N;
      T rstd = 1 / SQRT(var + (T)1e-5);
      FOR(j, N) c = rstd * (a - mean) * B[j] + B[N + j];
      C[M * N + i] = mean;
      C[M * N + M + i] = rstd;
    })
KERNEL(
    layernorm_divided, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += a;
      mean /= N;
      FOR(j, N) var += (a - mean) * (a - mean);
      var /= N;
      T std = SQRT(var) + (T)1e-5;
      FOR(j, N) c = B[j] * ((a - mean) / std) + B[N + j];
    })
// ggml's norm
KERNEL(
    layernorm_double, FOR(i, M) {
      double sum = 0;
      FOR(j, N) sum += (double)a;
      T mean = sum / N;
      double sum2 = 0;
      FOR(j, N) {
        T v = a - mean;
        c = v;
        sum2 += (double)(v * v);
      }
      T variance = sum2 / N;
      const T scale = 1 / SQRT(variance + (T)1e-5);
      FOR(j, N) c *= scale;
    })
KERNEL(
    layernorm_one_pass, FOR(i, M) {
      T sum = 0, squares = 0;
      FOR(j, N) {
        sum += a;
        squares += a * a;
      }
      T mean = sum / N, var = squares / N - mean * mean;
      T rstd = 1 / SQRT(var + (T)1e-5);
      FOR(j, N) c = (a - mean) * rstd * B[j] + B[N + j];
    })
KERNEL(
    layernorm_welford, FOR(i, M) {
      T mean = 0, m2 = 0;
      FOR(j, N) {
        T d = a - mean;
        mean += d / (j + 1);
        m2 += d * (a - mean);
      }
      T rstd = 1 / SQRT(m2 / N + (T)1e-5);
      FOR(j, N) c = (a - mean) * rstd * B[j] + B[N + j];
    })
KERNEL(
    layernorm_in_place, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += c;
      mean /= N;
      FOR(j, N) var += (c - mean) * (c - mean);
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) c = (c - mean) * rstd * B[j] + B[N + j];
    })
KERNEL(
    layernorm_pointers, {
      const T *x = A, *gamma = B, *beta = B + N;
      T *y = C;
      for (int i = 0; i < M; i++, x += N, y += N) {
        T mean = 0, var = 0;
        for (int j = 0; j < N; j++)
          mean += x[j];
        mean /= N;
        for (int j = 0; j < N; j++) {
          T d = x[j] - mean;
          var += d * d;
        }
        var /= N;
        T inverse = 1 / SQRT(var + (T)1e-5);
        for (int j = 0; j < N; j++)
          y[j] = (x[j] - mean) * inverse * gamma[j] + beta[j];
      }
    })
// llm.c's layernorm_forward
KERNEL(
    layernorm_llmc, if (N > 0) {
      const T *inp = A, *weight = B, *bias = B + N;
      T *out = C, *mean = C + L * M * N, *rstd = mean + L * M;
      T eps = (T)1e-5;
      for (int b = 0; b < L; b++) {
        for (int t = 0; t < M; t++) {
          const T *x = inp + b * M * N + t * N;
          T m = 0;
          for (int i = 0; i < N; i++)
            m += x[i];
          m = m / N;
          T v = 0;
          for (int i = 0; i < N; i++) {
            T xshift = x[i] - m;
            v += xshift * xshift;
          }
          v = v / N;
          T s = 1 / SQRT(v + eps);
          T *out_bt = out + b * M * N + t * N;
          for (int i = 0; i < N; i++) {
            T n = (s * (x[i] - m));
            T o = n * weight[i] + bias[i];
            out_bt[i] = o;
          }
          mean[b * M + t] = m;
          rstd[b * M + t] = s;
        }
      }
    })
// The differences are written first.
KERNEL(
    layernorm_centred, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += a;
      mean /= N;
      FOR(j, N) c = a - mean;
      FOR(j, N) var += c * c;
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) c = c * rstd * B[j] + B[N + j];
    })
// The sum is wanted, too.
KERNEL(
    residual_layernorm, if (N > 0) {
      const T *gamma = B + M * N, *beta = gamma + N;
      T *sum = C + M * N;
      FOR(i, M) {
        T mean = 0, var = 0;
        FOR(j, N) {
          sum[i * N + j] = a + B[i * N + j];
          mean += sum[i * N + j];
        }
        mean /= N;
        FOR(j, N) {
          T d = sum[i * N + j] - mean;
          var += d * d;
        }
        T rstd = 1 / SQRT(var / N + (T)1e-5);
        FOR(j, N) c = (sum[i * N + j] - mean) * rstd * gamma[j] + beta[j];
      }
    })
KERNEL(
    residual_layernorm_once, if (N > 0) {
      const T *gamma = B + M * N, *beta = gamma + N;
      FOR(i, M) {
        T mean = 0, var = 0;
        FOR(j, N) mean += a + B[i * N + j];
        mean /= N;
        FOR(j, N) {
          T d = a + B[i * N + j] - mean;
          var += d * d;
        }
        T rstd = 1 / SQRT(var / N + (T)1e-5);
        FOR(j, N) c = (a + B[i * N + j] - mean) * rstd * gamma[j] + beta[j];
      }
    })
// A: the input, B: the gradient, means, reciprocal deviations, gamma.
KERNEL(
    layernorm_backward, if (N > 0) {
      const T *mean = B + M * N, *rstd = mean + M, *gamma = rstd + 2 * M;
      FOR(i, M) {
        T s1 = 0, s2 = 0;
        FOR(j, N) {
          T n = (a - mean[i]) * rstd[i], d = gamma[j] * B[i * N + j];
          s1 += d;
          s2 += d * n;
        }
        s1 /= N;
        s2 /= N;
        FOR(j, N) {
          T n = (a - mean[i]) * rstd[i], d = gamma[j] * B[i * N + j];
          c = (d - s1 - n * s2) * rstd[i];
        }
      }
    })
KERNEL(
    layernorm_backward_llmc, if (N > 0) {
      const T *mean = B + M * N, *rstd = mean + M, *weight = rstd + M;
      T *dinp = C, *dweight = C + M * N, *dbias = dweight + N;
      for (int t = 0; t < M; t++) {
        const T *dout_bt = B + t * N, *inp_bt = A + t * N;
        T *dinp_bt = dinp + t * N;
        const T mean_bt = mean[t], rstd_bt = rstd[t];
        T dnorm_mean = 0, dnorm_norm_mean = 0;
        for (int i = 0; i < N; i++) {
          T norm_bti = (inp_bt[i] - mean_bt) * rstd_bt;
          T dnorm_i = weight[i] * dout_bt[i];
          dnorm_mean += dnorm_i;
          dnorm_norm_mean += dnorm_i * norm_bti;
        }
        dnorm_mean = dnorm_mean / N;
        dnorm_norm_mean = dnorm_norm_mean / N;
        for (int i = 0; i < N; i++) {
          T norm_bti = (inp_bt[i] - mean_bt) * rstd_bt;
          T dnorm_i = weight[i] * dout_bt[i];
          dbias[i] += dout_bt[i];
          dweight[i] += norm_bti * dout_bt[i];
          T dval = 0;
          dval += dnorm_i;
          dval -= dnorm_mean;
          dval -= norm_bti * dnorm_norm_mean;
          dval *= rstd_bt;
          dinp_bt[i] += dval;
        }
      }
    })
KERNEL(
    rmsnorm, FOR(i, M) {
      T ss = 0;
      FOR(j, N) ss += a * a;
      T scale = 1 / SQRT(ss / N + (T)1e-5);
      FOR(j, N) c = a * scale * B[j];
    })
// llama2.c's: one row
KERNEL(
    rmsnorm_llama2c, {
      T ss = 0;
      for (int j = 0; j < N; j++)
        ss += A[j] * A[j];
      ss /= N;
      ss += (T)1e-5;
      ss = 1 / SQRT(ss);
      for (int j = 0; j < N; j++)
        C[j] = B[j] * (ss * A[j]);
    })
KERNEL(
    rmsnorm_ggml, FOR(i, M) {
      const T *x = A + i * N;
      double sum = 0;
      FOR(j, N) sum += (double)(x[j] * x[j]);
      const T mean = sum / N;
      T *y = C + i * N;
      FOR(j, N) y[j] = x[j];
      const T scale = 1 / SQRT(mean + (T)1e-5);
      FOR(j, N) y[j] *= scale;
    })
KERNEL(
    rmsnorm_divided, FOR(i, M) {
      T ss = 0;
      FOR(j, N) ss += a * a;
      T rms = SQRT(ss / N + (T)1e-5);
      FOR(j, N) c = a / rms * B[j];
    })
KERNEL(
    rmsnorm_backward, if (N > 0) {
      const T *gamma = B + M * N;
      FOR(i, M) {
        T ss = 0, dot = 0;
        FOR(j, N) {
          ss += a * a;
          dot += a * B[i * N + j] * gamma[j];
        }
        T r = 1 / SQRT(ss / N + (T)1e-5);
        T k = dot * r * r / N;
        FOR(j, N) c = r * (B[i * N + j] * gamma[j] - a * k);
      }
    })
KERNEL(
    l2_normalize, FOR(i, M) {
      T ss = 0;
      FOR(j, N) ss += a * a;
      T norm = SQRT(ss);
      FOR(j, N) c = a / norm;
    })
KERNEL(
    l2_normalize_clamped, FOR(i, M) {
      T ss = 0;
      FOR(j, N) ss += a * a;
      T norm = SQRT(ss);
      norm = norm > (T)1e-12 ? norm : (T)1e-12;
      FOR(j, N) c = a / norm;
    })
KERNEL(
    l1_normalize, FOR(i, M) {
      T sum = 0;
      FOR(j, N) sum += a < 0 ? -a : a;
      FOR(j, N) c = a / sum;
    })
KERNEL(
    standardize, FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += a;
      mean /= N;
      FOR(j, N) var += (a - mean) * (a - mean);
      var /= N - 1;
      FOR(j, N) c = (a - mean) / SQRT(var);
    })
// One group, NCHW: L images of M channels of N pixels.
KERNEL(
    groupnorm, if (M > 0 && N > 0) FOR(l, L) {
      T mean = 0, var = 0;
      FOR(i, M) FOR(j, N) mean += A[(l * M + i) * N + j];
      mean /= M * N;
      FOR(i, M) FOR(j, N) {
        T d = A[(l * M + i) * N + j] - mean;
        var += d * d;
      }
      T rstd = 1 / SQRT(var / (M * N) + (T)1e-5);
      FOR(i, M) FOR(j, N) {
        C[(l * M + i) * N + j] =
            (A[(l * M + i) * N + j] - mean) * rstd * B[l] + B[L + l];
      }
    })
// L groups of 2 channels of M x N.
KERNEL(
    groupnorm_groups, if (M > 0 && N > 0) FOR(g, L) {
      T sum = 0, squares = 0;
      for (int k = g * 2; k < (g + 1) * 2; k++)
        for (int i = 0; i < M * N; i++) {
          T v = A[k * M * N + i];
          sum += v;
          squares += v * v;
        }
      T mean = sum / (2 * M * N);
      T rstd = 1 / SQRT(squares / (2 * M * N) - mean * mean + (T)1e-5);
      for (int k = g * 2; k < (g + 1) * 2; k++)
        for (int i = 0; i < M * N; i++)
          C[k * M * N + i] =
              (A[k * M * N + i] - mean) * rstd * B[k] + B[2 * L + k];
    })
KERNEL(
    instancenorm, FOR(l, L) FOR(i, M) {
      T mean = 0, var = 0;
      FOR(j, N) mean += A[(l * M + i) * N + j];
      mean /= N;
      FOR(j, N) {
        T d = A[(l * M + i) * N + j] - mean;
        var += d * d;
      }
      T rstd = 1 / SQRT(var / N + (T)1e-5);
      FOR(j, N) C[(l * M + i) * N + j] = (A[(l * M + i) * N + j] - mean) * rstd;
    })
// L images of M channels of N pixels.
KERNEL(
    batchnorm_inference, {
      const T *mean = B, *var = B + M, *gamma = B + 2 * M, *beta = B + 3 * M;
      FOR(l, L) FOR(i, M) FOR(j, N) {
        C[(l * M + i) * N + j] = (A[(l * M + i) * N + j] - mean[i]) /
                                     SQRT(var[i] * var[i] + (T)1e-5) * gamma[i] +
                                 beta[i];
      }
    })
KERNEL(
    batchnorm_inference_once, {
      const T *mean = B, *var = B + M, *gamma = B + 2 * M, *beta = B + 3 * M;
      FOR(l, L) FOR(i, M) {
        T rstd = 1 / SQRT(var[i] * var[i] + (T)1e-5);
        FOR(j, N) {
          C[(l * M + i) * N + j] =
              (A[(l * M + i) * N + j] - mean[i]) * rstd * gamma[i] + beta[i];
        }
      }
    })
KERNEL(
    batchnorm_statistics, if (L > 0) FOR(i, M) {
      T mean = 0, var = 0;
      FOR(l, L) FOR(j, N) mean += A[(l * M + i) * N + j];
      mean /= L * N;
      FOR(l, L) FOR(j, N) {
        T d = A[(l * M + i) * N + j] - mean;
        var += d * d;
      }
      C[i] = mean;
      C[M + i] = var / (L * N);
    })
KERNEL(
    batchnorm_training, if (L > 0 && N > 0) {
      const T *gamma = B, *beta = B + M;
      T *running = C + L * M * N;
      FOR(i, M) {
        T mean = 0, var = 0;
        FOR(l, L) FOR(j, N) mean += A[(l * M + i) * N + j];
        mean /= L * N;
        FOR(l, L) FOR(j, N) {
          T d = A[(l * M + i) * N + j] - mean;
          var += d * d;
        }
        var /= L * N;
        T rstd = 1 / SQRT(var + (T)1e-5);
        FOR(l, L) FOR(j, N) {
          C[(l * M + i) * N + j] =
              (A[(l * M + i) * N + j] - mean) * rstd * gamma[i] + beta[i];
        }
        running[i] = (T)0.9 * running[i] + (T)0.1 * mean;
        running[M + i] = (T)0.9 * running[M + i] + (T)0.1 * var;
      }
    })
KERNEL(
    batchnorm_nhwc, {
      const T *mean = B, *var = B + N, *gamma = B + 2 * N, *beta = B + 3 * N;
      FOR(i, M) FOR(j, N) {
        c = (a - mean[j]) / SQRT(var[j] * var[j] + (T)1e-5) * gamma[j] + beta[j];
      }
    })
// A: the input, B: its gradient, means, reciprocal deviations, gamma.
KERNEL(
    batchnorm_backward, if (L > 0 && N > 0) {
      const T *mean = B + L * M * N, *rstd = mean + M, *gamma = rstd + M;
      FOR(i, M) {
        T s = 0, dot = 0;
        FOR(l, L) FOR(j, N) {
          s += B[(l * M + i) * N + j];
          dot += B[(l * M + i) * N + j] * (A[(l * M + i) * N + j] - mean[i]) *
                 rstd[i];
        }
        s /= L * N;
        dot /= L * N;
        FOR(l, L) FOR(j, N) {
          T n = (A[(l * M + i) * N + j] - mean[i]) * rstd[i];
          C[(l * M + i) * N + j] =
              gamma[i] * rstd[i] * (B[(l * M + i) * N + j] - s - n * dot);
        }
      }
    })
KERNEL(
    maxnorm, FOR(i, M) {
      T max = 0;
      FOR(j, N) {
        T x = a < 0 ? -a : a;
        max = x > max ? x : max;
      }
      T inverse = max != 0 ? 1 / max : 0;
      FOR(j, N) c = a * inverse;
    })
KERNEL(
    quantize_rows, if (N > 0) FOR(i, M) {
      T max = 0;
      FOR(j, N) max = MAX(max, a < 0 ? -a : a);
      T scale = max / 127;
      C[M * N + i] = scale;
      FOR(j, N) c = sizeof(T) == 4 ? roundf(a / scale) : round(a / scale);
    })
KERNEL(
    called_again, FOR(i, M) {
      T s = 0;
      FOR(j, N) {
        T t = 0;
        if (a > 0)
          t = EXP(a);
        s += t;
        if (B[i * N + j] > 0)
          t = EXP(B[i * N + j]);
        s += t * 2;
      }
      C[i] = s;
    })
#endif
