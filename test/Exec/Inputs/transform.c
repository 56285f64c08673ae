// Kernels in plain loops, and a program that compares two builds of them.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAT_(a, b) a##_##b
#define CAT(a, b) CAT_(a, b)
#define MATMUL(P)                                                              \
  void CAT(P, matmul)(long M, long N, long K, const float *A, const float *B,  \
                      float *C)
#define SOFTMAX(P)                                                             \
  void CAT(P, softmax)(long rows, long n, const float *x, float *y)
#define LAYERNORM(P)                                                           \
  void CAT(P, layernorm)(long rows, long n, const float *x, const float *g,    \
                         const float *b, float *y)
#define CONV(P)                                                                \
  void CAT(P, conv)(int K, int C, int H, int W, const float *in,           \
                    const float *w, float *out)
#define DEPTHWISE(P)                                                           \
  void CAT(P, depthwise)(int C, int H, int W, const float *in, const float *w, \
                         float *out)
#define MAXPOOL(P)                                                             \
  void CAT(P, maxpool)(int C, int h, int w, int H, int W, const float *in,     \
                       float *out)
#define GROUPNORM(P)                                                           \
  void CAT(P, groupnorm)(long N, long G, long D, long P_, const float *x,      \
                         const float *g, const float *b, float *y)

#ifdef KERNELS
MATMUL(KERNELS) {
  for (long i = 0; i < M; i++)
    for (long j = 0; j < N; j++) {
      float acc = 0;
      for (long k = 0; k < K; k++)
        acc += A[i * K + k] * B[k * N + j];
      C[i * N + j] = acc;
    }
}

SOFTMAX(KERNELS) {
  for (long i = 0; i < rows; i++) {
    float max = -INFINITY;
    for (long j = 0; j < n; j++)
      max = x[i * n + j] > max ? x[i * n + j] : max;
    float sum = 0;
    for (long j = 0; j < n; j++) {
      y[i * n + j] = expf(x[i * n + j] - max);
      sum += y[i * n + j];
    }
    for (long j = 0; j < n; j++)
      y[i * n + j] /= sum;
  }
}

LAYERNORM(KERNELS) {
  for (long i = 0; i < rows; i++) {
    float sum = 0;
    for (long j = 0; j < n; j++)
      sum += x[i * n + j];
    float mean = sum / n, var = 0;
    for (long j = 0; j < n; j++)
      var += (x[i * n + j] - mean) * (x[i * n + j] - mean);
    float rstd = 1 / sqrtf(var / n + 1e-5f);
    for (long j = 0; j < n; j++)
      y[i * n + j] = (x[i * n + j] - mean) * rstd * g[j] + b[j];
  }
}

CONV(KERNELS) {
  for (int k = 0; k < K; k++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float acc = 0;
        for (int c = 0; c < C; c++)
          for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++) {
              int yy = y + r - 1, xx = x + s - 1;
              if (yy >= 0 && yy < H && xx >= 0 && xx < W)
                acc += in[(c * H + yy) * W + xx] *
                       w[((k * C + c) * 3 + r) * 3 + s];
            }
        out[(k * H + y) * W + x] = acc;
      }
}

DEPTHWISE(KERNELS) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float acc = 0;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = y + r - 1, xx = x + s - 1;
            if (yy >= 0 && yy < H && xx >= 0 && xx < W)
              acc += in[(c * H + yy) * W + xx] * w[(c * 3 + r) * 3 + s];
          }
        out[(c * H + y) * W + x] = acc;
      }
}

MAXPOOL(KERNELS) {
  for (int c = 0; c < C; c++)
    for (int y = 0; y < H; y++)
      for (int x = 0; x < W; x++) {
        float max = -INFINITY;
        for (int r = 0; r < 3; r++)
          for (int s = 0; s < 3; s++) {
            int yy = 2 * y + r - 1, xx = 2 * x + s - 1;
            if (yy >= 0 && yy < h && xx >= 0 && xx < w) {
              float v = in[(c * h + yy) * w + xx];
              max = v > max ? v : max;
            }
          }
        out[(c * H + y) * W + x] = max;
      }
}

GROUPNORM(KERNELS) {
  for (long n = 0; n < N; n++)
    for (long q = 0; q < G; q++) {
      const float *X = x + (n * G + q) * D * P_;
      float *Y = y + (n * G + q) * D * P_;
      float sum = 0;
      for (long k = 0; k < D * P_; k++)
        sum += X[k];
      float mean = sum / (D * P_), var = 0;
      for (long k = 0; k < D * P_; k++)
        var += (X[k] - mean) * (X[k] - mean);
      float rstd = 1 / sqrtf(var / (D * P_) + 1e-5f);
      for (long d = 0; d < D; d++)
        for (long p = 0; p < P_; p++)
          Y[d * P_ + p] =
              (X[d * P_ + p] - mean) * rstd * g[q * D + d] + b[q * D + d];
    }
}
#else
MATMUL(plain);
MATMUL(dl);
SOFTMAX(plain);
SOFTMAX(dl);
LAYERNORM(plain);
LAYERNORM(dl);
CONV(plain);
CONV(dl);
DEPTHWISE(plain);
DEPTHWISE(dl);
MAXPOOL(plain);
MAXPOOL(dl);
GROUPNORM(plain);
GROUPNORM(dl);

enum { Most = 4096 };
static float in[3][Most], out[2][Most];
static int compared, different;

static float draw(void) {
  static const float special[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN,
                                  1e-45f, -1e-39f, 3e38f};
  if (rand() % 40 == 0)
    return special[rand() % 8];
  return (rand() % 20001 - 10000) / 1777.0f;
}

static void start(void) {
  for (int a = 0; a < 3; a++)
    for (int i = 0; i < Most; i++)
      in[a][i] = draw();
  for (int i = 0; i < Most; i++)
    out[0][i] = out[1][i] = draw();
}

static void compare(const char *name, const float *x, const float *y) {
  compared++;
  for (int i = 0; i < Most; i++)
    if (memcmp(&x[i], &y[i], 4) && !(isnan(x[i]) && isnan(y[i]))) {
      printf("%s: element %d differs: %a, %a\n", name, i, x[i], y[i]);
      different++;
      return;
    }
}

static void run(long a, long b, long c) {
  start();
  plain_matmul(a, b, c, in[0], in[1], out[0]);
  dl_matmul(a, b, c, in[0], in[1], out[1]);
  compare("matmul", out[0], out[1]);
  start();
  plain_softmax(a, b, in[0], out[0]);
  dl_softmax(a, b, in[0], out[1]);
  compare("softmax", out[0], out[1]);
  start();
  plain_layernorm(a, b, in[0], in[1], in[2], out[0]);
  dl_layernorm(a, b, in[0], in[1], in[2], out[1]);
  compare("layernorm", out[0], out[1]);
  start();
  plain_conv(a % 5, c % 4, a, b % 13, in[0], in[1], out[0]);
  dl_conv(a % 5, c % 4, a, b % 13, in[0], in[1], out[1]);
  compare("conv", out[0], out[1]);
  start();
  plain_depthwise(c % 4, a, b, in[0], in[1], out[0]);
  dl_depthwise(c % 4, a, b, in[0], in[1], out[1]);
  compare("depthwise", out[0], out[1]);
  start();
  plain_maxpool(c % 4, a, b, (a + 1) / 2 + c % 2, (b + 1) / 2 - c % 3, in[0],
                out[0]);
  dl_maxpool(c % 4, a, b, (a + 1) / 2 + c % 2, (b + 1) / 2 - c % 3, in[0],
             out[1]);
  compare("maxpool", out[0], out[1]);
  start();
  plain_groupnorm(c % 3, a, c % 4, b, in[0], in[1], in[2], out[0]);
  dl_groupnorm(c % 3, a, c % 4, b, in[0], in[1], in[2], out[1]);
  compare("groupnorm", out[0], out[1]);
  // Operands that are the output, or overlap it: the original loops run.
  start();
  memcpy(out[1], out[0], sizeof(out[0]));
  plain_softmax(a, b, out[0], out[0]);
  dl_softmax(a, b, out[1], out[1]);
  compare("softmax in place", out[0], out[1]);
  start();
  memcpy(out[1], out[0], sizeof(out[0]));
  plain_matmul(a, b, c, in[0], out[0] + 3, out[0]);
  dl_matmul(a, b, c, in[0], out[1] + 3, out[1]);
  compare("matmul in place", out[0], out[1]);
  start();
  memcpy(out[1], out[0], sizeof(out[0]));
  plain_maxpool(c % 4, a, b, (a + 1) / 2, (b + 1) / 2, out[0] + c, out[0]);
  dl_maxpool(c % 4, a, b, (a + 1) / 2, (b + 1) / 2, out[1] + c, out[1]);
  compare("maxpool in place", out[0], out[1]);
  start();
  memcpy(out[1], out[0], sizeof(out[0]));
  plain_groupnorm(1, a, 2, b, out[0] + c % 2, in[1], in[2], out[0]);
  dl_groupnorm(1, a, 2, b, out[1] + c % 2, in[1], in[2], out[1]);
  compare("groupnorm in place", out[0], out[1]);
}

int main(void) {
  for (int i = 0; i < 400; i++)
    run(rand() % 20, rand() % 40, rand() % (i % 10 ? 12 : 90));
  printf("%d compared, %d differ\n", compared, different);
  return different != 0;
}
#endif
