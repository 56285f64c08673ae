// Naive kernels in the forms that people write, for a differential test of
// raising and lowering again. Compiled twice, with and without.
#include "relower.h"
#include <errno.h>
#include <math.h>

// Overlapping arguments are only for the variant without.
#ifdef RESTRICT
#define R restrict
#else
#define R
#endif
#define F(N) a->F[N]
#define MNK a->M, a->N, a->K
// Not negative, for types and arrays that cannot be.
#define POS(N) (a->N < 0 ? 0 : a->N)
#define POS_MNK POS(M), POS(N), POS(K)

// -- Matrix products ----------------------------------------------------------
TEST(mm_ijk,
     (float *R C, const float *R A, const float *R B, int M, int N, int K),
     (F(0), F(1), F(2), MNK)) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}
TEST(mm_ikj,
     (float *R C, const float *R A, const float *R B, int M, int N, int K),
     (F(0), F(1), F(2), MNK)) {
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
}
TEST(mm_kij,
     (float *R C, const float *R A, const float *R B, long M, long N, long K),
     (F(0), F(1), F(2), MNK)) {
  for (long k = 0; k < K; k++)
    for (long i = 0; i < M; i++)
      for (long j = 0; j < N; j++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
}
TEST(mm_jki,
     (float *R C, const float *R A, const float *R B, size_t M, size_t N,
      size_t K),
     (F(0), F(1), F(2), POS_MNK)) {
  for (size_t j = 0; j < N; j++)
    for (size_t k = 0; k < K; k++)
      for (size_t i = 0; i < M; i++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
}
TEST(mm_unsigned,
     (float *R C, const float *R A, const float *R B, unsigned M, unsigned N,
      unsigned K),
     (F(0), F(1), F(2), POS_MNK)) {
  for (unsigned i = 0; i < M; i++)
    for (unsigned j = 0; j < N; j++) {
      C[i * N + j] = 0;
      for (unsigned k = 0; k < K; k++)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
    }
}
TEST(mm_bias,
     (float *R C, const float *R A, const float *R B, const float *R b, int M,
      int N, int K),
     (F(0), F(1), F(2), F(3), MNK)) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = b ? b[j] : 0.0f;
      for (int k = 0; k < K; k++)
        acc += A[i * K + k] * B[j * K + k];
      C[i * N + j] = acc > 0 ? acc : 0;
    }
}
TEST(mm_postadd,
     (float *R C, const float *R A, const float *R B, int M, int N, int K),
     (F(0), F(1), F(2), MNK)) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[k * M + i] * B[k * N + j];
      C[i * N + j] += acc;
    }
}
TEST(mm_vla,
     (int M, int N, int K, float C[R M][N], float A[R M][K], float B[R K][N]),
     (POS_MNK, (void *)F(0), (void *)F(1), (void *)F(2))) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float acc = C[i][j];
      for (int k = 0; k < K; k++)
        acc += A[i][k] * B[k][j];
      C[i][j] = acc;
    }
}
TEST(mm_const, (float C[R 12][13], float A[R 12][7], float B[R 7][13]),
     ((void *)F(0), (void *)F(1), (void *)F(2))) {
  for (int i = 0; i < 12; i++)
    for (int j = 0; j < 13; j++) {
      C[i][j] = 0;
      for (int k = 0; k < 7; k++)
        C[i][j] += A[i][k] * B[k][j];
    }
}
TEST(mm_pointers,
     (float *R C, const float *R A, const float *R B, int M, int N, int K),
     (F(0), F(1), F(2), MNK)) {
  for (int i = 0; i < M; i++, A += K)
    for (int j = 0; j < N; j++) {
      const float *p = A, *q = B + j;
      float acc = 0;
      for (int k = 0; k < K; k++, q += N)
        acc += *p++ * *q;
      *C++ = acc;
    }
}
typedef struct {
  int rows, cols, inner;
  float *data, *left, *right;
} Product;
TEST(mm_struct, (Product * p),
     (&(Product){a->M, a->N, a->K, F(0), F(1), F(2)})) {
  for (int i = 0; i < p->rows; i++)
    for (int j = 0; j < p->cols; j++) {
      float acc = 0;
      for (int k = 0; k < p->inner; k++)
        acc += p->left[i * p->inner + k] * p->right[k * p->cols + j];
      p->data[i * p->cols + j] = acc;
    }
}
TEST(mm_null, (int n, Product *p, float *R out),
     (a->M & 1 ? a->M : 0,
      a->M & 1 ? &(Product){a->M, a->N, a->K, F(0), F(1), F(2)} : 0, F(3))) {
  for (int i = 0; i < n; i++) {
    float acc = 0;
    for (int k = 0; k < p->inner; k++)
      acc += p->left[i * p->inner + k];
    out[i] = acc;
  }
}
TEST(mm_double,
     (double *R C, const float *R A, const double *R B, int M, int N, int K),
     (a->D[0], F(1), a->D[1], MNK)) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      double acc = 0;
      for (int k = 0; k < K; k++)
        acc += (double)A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}
TEST(mm_int8,
     (int *R C, const int8_t *R A, const uint8_t *R B, int M, int N, int K),
     (a->I[0], a->B[0], (uint8_t *)a->B[1], MNK)) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      int acc = 0;
      for (int k = 0; k < K; k++)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}
TEST(requantize, (int8_t *R out, const int *R in, float s, int n),
     (a->B[2], a->I[1], a->S, a->M * a->N)) {
  for (int i = 0; i < n; i++) {
    int q = (in[i] >> 7) + (in[i] & 3);
    out[i] = q > 127 ? 127 : q < -128 ? -128 : q;
  }
}
TEST(batched,
     (float *R C, const float *R A, const float *R B, int G, int N, int K),
     (F(0), F(1), F(2), MNK)) {
  for (int g = 0; g < G; g++)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < 3; j++) {
        float s = 0;
        for (int k = 0; k < K; k++)
          s += A[(g * N + i) * K + k] * B[(g * K + k) * 3 + j];
        C[(g * N + i) * 3 + j] = s;
      }
}
TEST(matvec, (float *R y, const float *R A, const float *R x, int M, int N),
     (F(0), F(1), F(2), a->M, a->N)) {
  for (int i = 0; i < M; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++)
      y[i] += A[i * N + j] * x[j];
  }
}

// -- Convolution, pooling -----------------------------------------------------
TEST(conv_padded,
     (float *R out, const float *R in, const float *R w, int H, int W, int C),
     (F(0), F(1), F(2), MNK)) {
  for (int o = 0; o < 2; o++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float s = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < 3; r++)
            for (int q = 0; q < 3; q++) {
              int iy = y + r - 1, ix = x + q - 1;
              if (iy >= 0 && iy < H && ix >= 0 && ix < W)
                s += in[(c * H + iy) * W + ix] *
                     w[((o * C + c) * 3 + r) * 3 + q];
            }
        out[(o * H + y) * W + x] = s;
      }
}
TEST(conv_continue,
     (float *R out, const float *R in, const float *R w, int H, int W),
     (F(0), F(1), F(2), a->M, a->N)) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      for (int r = 0; r < 5; r++) {
        int iy = y + r - 2;
        if (iy < 0 || iy >= H)
          continue;
        for (int q = 0; q < 5; q++) {
          int ix = x + q - 2;
          if (ix < 0 || ix >= W)
            continue;
          s += in[iy * W + ix] * w[r * 5 + q];
        }
      }
      out[y * W + x] = s;
    }
}
TEST(maxpool, (float *R out, const float *R in, int H, int W),
     (F(0), F(1), a->M, a->N)) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float m = -INFINITY;
      for (int r = 0; r < 2; r++)
        for (int q = 0; q < 2; q++) {
          float v = in[(2 * y + r) * 2 * W + 2 * x + q];
          if (v > m)
            m = v;
        }
      out[y * W + x] = m;
    }
}
TEST(avgpool_count, (float *R out, const float *R in, int H, int W),
     (F(0), F(1), a->M, a->N)) {
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      float s = 0;
      int n = 0;
      for (int r = -1; r <= 1; r++)
        for (int q = -1; q <= 1; q++)
          if (y + r >= 0 && y + r < H && x + q >= 0 && x + q < W) {
            s += in[(y + r) * W + x + q];
            n++;
          }
      out[y * W + x] = s / n;
    }
}
TEST(depthwise,
     (float *R out, const float *R in, const float *R w, int C, int H),
     (F(0), F(1), F(2), a->K, a->M)) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < 6; x++) {
        float s = w[9 * C + c];
        for (int r = 0; r < 3; r++)
          for (int q = 0; q < 3; q++)
            s += in[(c * (H + 2) + y + r) * 8 + x + q] * w[(c * 3 + r) * 3 + q];
        out[(c * H + y) * 6 + x] = s;
      }
}

// -- Rows ---------------------------------------------------------------------
TEST(softmax, (float *R out, const float *R in, int Rows, int C),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < Rows; i++) {
    const float *x = in + i * C;
    float *y = out + i * C;
    float m = -INFINITY;
    for (int j = 0; j < C; j++)
      m = fmaxf(m, x[j]);
    float s = 0;
    for (int j = 0; j < C; j++) {
      y[j] = expf(x[j] - m);
      s += y[j];
    }
    for (int j = 0; j < C; j++)
      y[j] /= s;
  }
}
TEST(layernorm,
     (float *R out, const float *R in, const float *R g, const float *R b,
      int Rows, int C),
     (F(0), F(1), F(2), F(3), a->M, a->N)) {
  for (int i = 0; i < Rows; i++) {
    float mean = 0, var = 0;
    for (int j = 0; j < C; j++)
      mean += in[i * C + j];
    mean /= C;
    for (int j = 0; j < C; j++) {
      float d = in[i * C + j] - mean;
      var += d * d;
    }
    float r = 1.0f / sqrtf(var / C + 1e-5f);
    for (int j = 0; j < C; j++)
      out[i * C + j] = (in[i * C + j] - mean) * r * g[j] + b[j];
  }
}
TEST(argmax, (int *R out, const float *R in, int Rows, int C),
     (a->I[0], F(1), a->M, a->N)) {
  for (int i = 0; i < Rows; i++) {
    float best = in[i * C];
    int at = 0;
    for (int j = 1; j < C; j++)
      if (in[i * C + j] > best) {
        best = in[i * C + j];
        at = j;
      }
    out[i] = at;
  }
}
TEST(online_softmax, (float *R out, const float *R in, int Rows, int C),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < Rows; i++) {
    float m = -INFINITY, s = 0;
    for (int j = 0; j < C; j++) {
      float x = in[i * C + j], n = x > m ? x : m;
      s = s * expf(m - n) + expf(x - n);
      m = n;
    }
    out[2 * i] = m;
    out[2 * i + 1] = s;
  }
}
TEST(prefix_sum, (float *R out, const float *R in, int n),
     (F(0), F(1), a->M * a->N)) {
  float s = 0;
  for (int i = 0; i < n; i++) {
    s += in[i];
    out[i] = s;
  }
}
TEST(recurrence, (float *R x, float c, int n), (F(0), a->S, a->M * a->N)) {
  for (int i = 1; i < n; i++)
    x[i] = x[i] + c * x[i - 1];
}
TEST(log_errno, (float *R out, int *R err, const float *R in, int n),
     (F(0), a->I[0], F(1), a->M)) {
  errno = 0;
  for (int i = 0; i < n; i++)
    out[i] = logf(in[i]) + sqrtf(in[i]);
  err[0] = errno;
}

// -- Elements, indices, conditions --------------------------------------------
TEST(axpy, (float *R y, const float *R x, float s, int n),
     (F(0), F(1), a->S, a->M * a->N)) {
  for (int i = 0; i < n; i++)
    y[i] += s * x[i];
}
TEST(strided, (float *R y, const float *R x, int n, int s),
     (F(0), F(1), a->M * a->N, a->K)) {
  for (int i = 0; i < n; i += 3)
    y[i] = x[i / 2] * 2.0f + x[i % 5];
  for (int i = n - 1; i >= 0; i--)
    y[i * 2 + s] = x[n - 1 - i];
}
TEST(collapsed, (float *R y, const float *R x, int n, int w),
     (F(0), F(1), a->M * a->N, a->N + 1)) {
  for (int i = 0; i < n; i++)
    y[i] = x[(i / w) + (i % w) * 7];
}
TEST(gather,
     (float *R out, const float *R table, const int *R ids, int n, int d),
     (F(0), F(1), a->I[2], a->M, a->N)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      out[i * d + j] = table[ids[i] * d + j];
}
TEST(scatter_add,
     (float *R table, const float *R in, const int *R ids, int n, int d),
     (F(0), F(1), a->I[2], a->M, a->N)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < d; j++)
      table[ids[i] * d + j] += in[i * d + j];
}
TEST(gather_guarded,
     (float *R out, const float *R table, const int *R ids, int n),
     (F(0), F(1), a->I[1], a->M * a->N)) {
  for (int i = 0; i < n; i++)
    if (ids[i] >= 0 && ids[i] < 64)
      out[i] = table[ids[i]];
}
TEST(triangular, (float *R L, const float *R A, int n), (F(0), F(1), a->M)) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      float s = A[i * n + j];
      for (int k = 0; k < j; k++)
        s -= A[i * n + k] * A[j * n + k];
      L[i * n + j] = s;
    }
}
TEST(causal, (float *R out, const float *R q, const float *R k, int T, int D),
     (F(0), F(1), F(2), a->M, a->K)) {
  for (int t = 0; t < T; t++)
    for (int u = 0; u <= t; u++) {
      float s = 0;
      for (int d = 0; d < D; d++)
        s += q[t * D + d] * k[u * D + d];
      out[t * T + u] = s * 0.125f;
    }
}
TEST(transpose, (float *R out, const float *R in, int Rows, int C),
     (F(0), F(1), a->M, a->N)) {
  for (int i = 0; i < Rows; i++)
    for (int j = 0; j < C; j++)
      out[j * Rows + i] = in[i * C + j];
}
TEST(condition, (float *R y, const float *R x, const int *R c, int n),
     (F(0), F(1), a->I[1], a->M * a->N)) {
  for (int i = 0; i < n; i++) {
    if (c[i] & 1)
      y[i] = x[i] * 2;
    else if (c[i] & 2)
      y[i] += x[i];
  }
}
TEST(relu_clip, (float *R y, const float *R x, int n),
     (F(0), F(1), a->M * a->N)) {
  for (int i = 0; i < n; i++) {
    float v = x[i];
    v = v < 0 ? 0.01f * v : v;
    y[i] = v > 6 ? 6 : v;
  }
}
TEST(do_while, (float *R y, const float *R x, int n), (F(0), F(1), a->M)) {
  int i = 0;
  do {
    y[i] = x[i] + 1;
    i++;
  } while (i < n);
}
TEST(while_running, (float *R y, const float *R x, int n, int m),
     (F(0), F(1), a->M, a->N)) {
  int k = 0, i = 0;
  while (i < n) {
    for (int j = 0; j < m; j++)
      y[k++] = x[j] * i;
    ++i;
  }
  y[k] = (float)k;
}
TEST(live_outs, (float *R y, const float *R x, int *R out, int n),
     (F(0), F(1), a->I[0], a->M)) {
  int i;
  float last = 7, sum = 0;
  for (i = 0; i < n; i++) {
    last = x[i];
    sum += last;
  }
  y[0] = last;
  y[1] = sum;
  out[0] = i;
}
TEST(dot_double, (double *R out, const float *R x, const float *R y, int n),
     (a->D[0], F(1), F(2), a->M * a->N)) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += x[i] * y[i];
  out[0] = s;
}
TEST(count_bits, (int *R out, const int *R x, int n),
     (a->I[0], a->I[1], a->M * 9)) {
  int c = 0;
  unsigned h = 17;
  for (int i = 0; i < n; i++) {
    c += x[i] > 0;
    h = h * 31 + (unsigned)x[i];
  }
  out[0] = c;
  out[1] = (int)h;
}
TEST(two_outputs, (float *R s, float *R p, const float *R x, int Rows, int C),
     (F(0), F(3), F(1), a->M, a->N)) {
  for (int i = 0; i < Rows; i++) {
    float sum = 0, prod = 1;
    for (int j = 0; j < C; j++) {
      sum += x[i * C + j];
      prod *= x[i * C + j];
    }
    s[i] = sum;
    p[i] = prod;
  }
}
TEST(swap, (float *R x, float *R y, int n), (F(0), F(1), a->M * a->N)) {
  for (int i = 0; i < n; i++) {
    float t = x[i];
    x[i] = y[i];
    y[i] = t;
  }
}
TEST(in_place_normalize, (float *R x, int Rows, int C), (F(0), a->M, a->N)) {
  for (int i = 0; i < Rows; i++) {
    float m = 0;
    for (int j = 0; j < C; j++)
      if (fabsf(x[i * C + j]) > m)
        m = fabsf(x[i * C + j]);
    for (int j = 0; j < C; j++)
      x[i * C + j] /= m;
  }
}
TEST(lstm_gate, (float *R h, float *R c, const float *R g, int T, int H),
     (F(0), F(3), F(1), a->M, a->N)) {
  for (int t = 0; t < T; t++)
    for (int j = 0; j < H; j++) {
      float i = 1 / (1 + expf(-g[t * 4 * H + j]));
      float f = 1 / (1 + expf(-g[t * 4 * H + H + j]));
      c[j] = f * c[j] + i * tanhf(g[t * 4 * H + 2 * H + j]);
      h[j] = tanhf(c[j]);
    }
}
TEST(adam, (float *R p, float *R m, float *R v, const float *R g, int n),
     (F(0), F(3), F(4), F(1), a->M * a->N)) {
  for (int i = 0; i < n; i++) {
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
    p[i] -= 0.01f * m[i] / (sqrtf(v[i]) + 1e-8f);
  }
}
