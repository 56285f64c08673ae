//===- networks.c - Parts of neural networks as people write them ---------===//
//
// Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Layers whose results are functions of sums, row-major, sizes known at run
/// time: exported as the table `networks`.
///
//===----------------------------------------------------------------------===//
#include "networks.h"
#include <math.h>

#define NOINLINE __attribute__((noinline))

static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

struct layer {
  int in, out;
  const float *w, *b;
  float *y;
};

static void forward(struct layer *l, const float *x) {
  for (int o = 0; o < l->out; o++) {
    float s = l->b[o];
    for (int i = 0; i < l->in; i++)
      s += l->w[o * l->in + i] * x[i];
    l->y[o] = sigmoid(s);
  }
}

NOINLINE static void samples(struct layer *first, struct layer *second,
                             const float *x, int n) {
  for (int k = 0; k < n; k++) {
    forward(first, x + k * first->in);
    forward(second, first->y);
  }
}

static void two_layers(const struct tensors *t) {
  struct layer a = {784, 128, t->W, t->B, t->Y},
               b = {128, 10, t->U, t->B, t->Y + 128};
  samples(&a, &b, t->X, 64);
}

NOINLINE static void dense(float *y, const float *x, const float *w,
                           const float *b, int n, int in, int out) {
  for (int k = 0; k < n; k++)
    for (int o = 0; o < out; o++) {
      float s = b[o];
      for (int i = 0; i < in; i++)
        s += x[k * in + i] * w[o * in + i];
      y[k * out + o] = 0.5f * s * (1 + erff(s * 0.70710678f));
    }
}

static void gelu_layer(const struct tensors *t) {
  dense(t->Y, t->X, t->W, t->B, 64, 256, 1024);
}

NOINLINE static void perceptron(float *restrict y, const float *x,
                                const float *w, const float *b, const float *v,
                                int n, int in) {
  for (int k = 0; k < n; k++) {
    float hidden[128];
    for (int j = 0; j < 128; j++) {
      float s = b[j];
      for (int i = 0; i < in; i++)
        s += x[k * in + i] * w[i * 128 + j];
      hidden[j] = tanhf(s);
    }
    for (int o = 0; o < 10; o++) {
      float s = 0;
      for (int j = 0; j < 128; j++)
        s += hidden[j] * v[j * 10 + o];
      y[k * 10 + o] = s;
    }
  }
}

static void local_array(const struct tensors *t) {
  perceptron(t->Y, t->X, t->W, t->B, t->U, 64, 784);
}

NOINLINE static void convolve(float *restrict y, const float *x, const float *w,
                              const float *b, int channels, int h, int width,
                              int filters) {
  for (int o = 0; o < filters; o++)
    for (int i = 0; i < h - 2; i++)
      for (int j = 0; j < width - 2; j++) {
        float s = b[o];
        for (int c = 0; c < channels; c++)
          for (int u = 0; u < 3; u++)
            for (int v = 0; v < 3; v++)
              s += x[(c * h + i + u) * width + j + v] *
                   w[((o * channels + c) * 3 + u) * 3 + v];
        y[(o * (h - 2) + i) * (width - 2) + j] = tanhf(s);
      }
}

static void convolution(const struct tensors *t) {
  convolve(t->Y, t->X, t->W, t->B, 16, 34, 34, 32);
}

NOINLINE static void cell(float *restrict h, float *restrict c, float *restrict g,
                          const float *x, const float *before, const float *w,
                          const float *u, const float *b, int nx, int nh) {
  for (int r = 0; r < 4 * nh; r++) {
    float s = b[r];
    for (int k = 0; k < nx; k++)
      s += w[r * nx + k] * x[k];
    for (int k = 0; k < nh; k++)
      s += u[r * nh + k] * before[k];
    g[r] = s;
  }
  for (int j = 0; j < nh; j++) {
    c[j] = sigmoid(g[nh + j]) * c[j] + sigmoid(g[j]) * tanhf(g[3 * nh + j]);
    h[j] = sigmoid(g[2 * nh + j]) * tanhf(c[j]);
  }
}

static void lstm_cell(const struct tensors *t) {
  for (int j = 0; j < 256; j++)
    t->Y[256 + j] = 0;
  cell(t->Y, t->Y + 256, t->Y + 512, t->X, t->X + 256, t->W, t->U, t->B, 256,
       256);
}

NOINLINE static void simple_cell(float *restrict h, const float *x,
                                 const float *before, const float *w,
                                 const float *u, const float *b, int nx,
                                 int nh) {
  for (int j = 0; j < nh; j++) {
    float s = b[j];
    for (int k = 0; k < nx; k++)
      s += w[j * nx + k] * x[k];
    for (int k = 0; k < nh; k++)
      s += u[j * nh + k] * before[k];
    h[j] = tanhf(s);
  }
}

static void recurrent_cell(const struct tensors *t) {
  simple_cell(t->Y, t->X, t->X + 512, t->W, t->U, t->B, 512, 512);
}

NOINLINE static void attend(float *restrict o, float *restrict att,
                            const float *q, const float *k, const float *v,
                            int n, int d) {
  for (int t = 0; t < n; t++) {
    float most = -1e30f, sum = 0;
    for (int u = 0; u <= t; u++) {
      float s = 0;
      for (int i = 0; i < d; i++)
        s += q[t * d + i] * k[u * d + i];
      s /= sqrtf(d);
      att[t * n + u] = s;
      if (s > most)
        most = s;
    }
    for (int u = 0; u <= t; u++) {
      att[t * n + u] = expf(att[t * n + u] - most);
      sum += att[t * n + u];
    }
    for (int u = 0; u <= t; u++)
      att[t * n + u] /= sum;
    for (int i = 0; i < d; i++) {
      float s = 0;
      for (int u = 0; u <= t; u++)
        s += att[t * n + u] * v[u * d + i];
      o[t * d + i] = s;
    }
  }
}

static void causal_attention(const struct tensors *t) {
  attend(t->Y, t->Y + 256 * 64, t->X, t->W, t->U, 256, 64);
}

NOINLINE static void regress(float *restrict p, const float *x, const float *w,
                             const float *b, int n, int d, int classes) {
  for (int i = 0; i < n; i++) {
    float most = -1e30f, sum = 0;
    for (int j = 0; j < classes; j++) {
      float s = b[j];
      for (int k = 0; k < d; k++)
        s += x[i * d + k] * w[k * classes + j];
      p[i * classes + j] = s;
      if (s > most)
        most = s;
    }
    for (int j = 0; j < classes; j++) {
      p[i * classes + j] = expf(p[i * classes + j] - most);
      sum += p[i * classes + j];
    }
    for (int j = 0; j < classes; j++)
      p[i * classes + j] /= sum;
  }
}

static void softmax_regression(const struct tensors *t) {
  regress(t->Y, t->X, t->W, t->B, 256, 784, 10);
}

/* As lstm_cell, with the gates of a state in an array of their own. */
NOINLINE static void gates(float *restrict c, float *restrict h, const float *w,
                           const float *u, const float *b, const float *x,
                           const float *state, int in, int n) {
  for (int i = 0; i < n; i++) {
    float gate[4];
    for (int g = 0; g < 4; g++) {
      float s = b[g * n + i];
      for (int k = 0; k < in; k++)
        s += w[(g * n + i) * in + k] * x[k];
      for (int k = 0; k < n; k++)
        s += u[(g * n + i) * n + k] * state[k];
      gate[g] = s;
    }
    float forget = 1 / (1 + expf(-gate[1]));
    c[i] = forget * c[i] + 1 / (1 + expf(-gate[0])) * tanhf(gate[2]);
    h[i] = 1 / (1 + expf(-gate[3])) * tanhf(c[i]);
  }
}

static void lstm_gates(const struct tensors *t) {
  gates(t->Y, t->Y + 256, t->W, t->U, t->B, t->X, t->X + 256, 256, 256);
}

/* The states of all steps behind each other in one array. */
NOINLINE static void steps(float *restrict h, const float *w, const float *u,
                           const float *b, const float *x, int t, int in,
                           int n) {
  for (int i = 1; i < t; i++)
    for (int j = 0; j < n; j++) {
      float s = b[j];
      for (int k = 0; k < in; k++)
        s += w[j * in + k] * x[i * in + k];
      for (int k = 0; k < n; k++)
        s += u[j * n + k] * h[(i - 1) * n + k];
      h[i * n + j] = tanhf(s);
    }
}

static void recurrent_steps(const struct tensors *t) {
  steps(t->Y, t->W, t->U, t->B, t->X, 20, 256, 256);
}

NOINLINE static void kernels(float *restrict c, const float *a, const float *b,
                             int m, int n, int d, float gamma) {
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float s = 0;
      for (int k = 0; k < d; k++) {
        float x = a[i * d + k] - b[j * d + k];
        s += x * x;
      }
      c[i * n + j] = expf(-gamma * s);
    }
}

static void radial_basis(const struct tensors *t) {
  kernels(t->Y, t->X, t->W, 128, 128, 256, 0.01f);
}

struct optimizer {
  float *p, *m, *v;
  const float *g;
  long n;
};

NOINLINE static void adam(struct optimizer *o, float rate, float beta1,
                          float beta2, float epsilon, int t) {
  for (long i = 0; i < o->n; i++) {
    float m = beta1 * o->m[i] + (1 - beta1) * o->g[i];
    float v = beta2 * o->v[i] + (1 - beta2) * o->g[i] * o->g[i];
    float mean = m / (1 - powf(beta1, t)), variance = v / (1 - powf(beta2, t));
    o->m[i] = m;
    o->v[i] = v;
    o->p[i] -= rate * (mean / (sqrtf(variance) + epsilon));
  }
}

static void adam_step(const struct tensors *t) {
  enum { N = 1 << 16 };
  struct optimizer o = {t->Y, t->Y + N, t->Y + 2 * N, t->X, N};
  adam(&o, 1e-3f, 0.9f, 0.999f, 1e-8f, 3);
}

const struct network networks[] = {
    {"two layers, sample by sample, in structures", two_layers},
    {"layer with GELU, 64 x 256 x 1024", gelu_layer},
    {"perceptron with a local array", local_array},
    {"convolution 3 x 3 with tanh, 16 to 32 channels", convolution},
    {"LSTM cell, 256", lstm_cell},
    {"recurrent cell with tanh, 512", recurrent_cell},
    {"LSTM cell, 256, gates in an array", lstm_gates},
    {"recurrent network, 20 x 256, states in an array", recurrent_steps},
    {"causal attention, 256 x 64", causal_attention},
    {"softmax regression, 256 x 784 x 10", softmax_regression},
    {"radial basis functions, 128 x 128 x 256", radial_basis},
    {"Adam with powers in the loop, 65536", adam_step},
    {0, 0}};
