// Row programs as people write them: each row (or channel) of x is read, summed
// up and written. p has parameters, t numbers of classes. NCHW: l images of m
// channels of n pixels.
#include <math.h>
#define ROWS(F)                                                                \
  void F(float *y, const float *x, const float *p, const int *t, int l, int m, \
         int n)
#define FOR(I, E) for (int I = 0; I < E; I++)

ROWS(softmax) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) if (x[i * n + j] > max) max = x[i * n + j];
    FOR(j, n) {
      y[i * n + j] = expf(x[i * n + j] - max);
      sum += y[i * n + j];
    }
    FOR(j, n) y[i * n + j] /= sum;
  }
}

ROWS(log_softmax) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = fmaxf(max, x[i * n + j]);
    FOR(j, n) sum += expf(x[i * n + j] - max);
    float shift = max + logf(sum);
    FOR(j, n) y[i * n + j] = x[i * n + j] - shift;
  }
}

// y: what came out, p: its gradient.
ROWS(softmax_backward) {
  FOR(i, m) {
    float dot = 0;
    FOR(j, n) dot += x[i * n + j] * p[i * n + j];
    FOR(j, n) y[i * n + j] = x[i * n + j] * (p[i * n + j] - dot);
  }
}

ROWS(cross_entropy) {
  FOR(i, m) {
    float max = -INFINITY, sum = 0;
    FOR(j, n) max = x[i * n + j] > max ? x[i * n + j] : max;
    FOR(j, n) sum += expf(x[i * n + j] - max);
    y[i] = logf(sum) + max - x[i * n + t[i]];
  }
}

ROWS(layernorm) {
  const float *gamma = p, *beta = p + n;
  FOR(i, m) {
    float mean = 0, var = 0;
    FOR(j, n) mean += x[i * n + j];
    mean /= n;
    FOR(j, n) {
      float d = x[i * n + j] - mean;
      var += d * d;
    }
    float rstd = 1 / sqrtf(var / n + 1e-5f);
    FOR(j, n)
    y[i * n + j] = (x[i * n + j] - mean) * rstd * gamma[j] + beta[j];
  }
}

ROWS(rmsnorm) {
  FOR(i, m) {
    float ss = 0;
    FOR(j, n) ss += x[i * n + j] * x[i * n + j];
    float scale = 1 / sqrtf(ss / n + 1e-5f);
    FOR(j, n) y[i * n + j] = x[i * n + j] * scale * p[j];
  }
}

// p: what is added, gamma, beta.
ROWS(residual_layernorm) {
  const float *gamma = p + m * n, *beta = gamma + n;
  FOR(i, m) {
    float mean = 0, var = 0;
    FOR(j, n) {
      y[i * n + j] = x[i * n + j] + p[i * n + j];
      mean += y[i * n + j];
    }
    mean /= n;
    FOR(j, n) {
      float d = y[i * n + j] - mean;
      var += d * d;
    }
    float rstd = 1 / sqrtf(var / n + 1e-5f);
    FOR(j, n)
    y[i * n + j] = (y[i * n + j] - mean) * rstd * gamma[j] + beta[j];
  }
}

// p: the gradient of what came out, means, reciprocal deviations, gamma.
ROWS(layernorm_backward) {
  const float *mean = p + m * n, *rstd = mean + m, *gamma = rstd + m;
  FOR(i, m) {
    float s = 0, dot = 0;
    FOR(j, n) {
      float d = p[i * n + j] * gamma[j];
      s += d;
      dot += d * (x[i * n + j] - mean[i]) * rstd[i];
    }
    s /= n;
    dot /= n;
    FOR(j, n) {
      float a = (x[i * n + j] - mean[i]) * rstd[i];
      y[i * n + j] = (p[i * n + j] * gamma[j] - s - a * dot) * rstd[i];
    }
  }
}

// p: means, variances, gamma, beta.
ROWS(batchnorm) {
  FOR(i, l) FOR(c, m) {
    float scale = p[2 * m + c] / sqrtf(p[m + c] + 1e-5f);
    FOR(k, n) {
      y[(i * m + c) * n + k] =
          (x[(i * m + c) * n + k] - p[c]) * scale + p[3 * m + c];
    }
  }
}

ROWS(batchnorm_training) {
  FOR(c, m) {
    float mean = 0, var = 0;
    FOR(i, l) FOR(k, n) mean += x[(i * m + c) * n + k];
    mean /= l * n;
    FOR(i, l) FOR(k, n) {
      float d = x[(i * m + c) * n + k] - mean;
      var += d * d;
    }
    float rstd = 1 / sqrtf(var / (l * n) + 1e-5f);
    FOR(i, l) FOR(k, n) {
      y[(i * m + c) * n + k] =
          (x[(i * m + c) * n + k] - mean) * rstd * p[c] + p[m + c];
    }
  }
}

// Eight channels are a group.
ROWS(groupnorm) {
  FOR(i, l) FOR(g, m / 8) {
    float mean = 0, var = 0;
    FOR(c, 8) FOR(k, n) mean += x[(i * m + g * 8 + c) * n + k];
    mean /= 8 * n;
    FOR(c, 8) FOR(k, n) {
      float d = x[(i * m + g * 8 + c) * n + k] - mean;
      var += d * d;
    }
    float rstd = 1 / sqrtf(var / (8 * n) + 1e-5f);
    FOR(c, 8) FOR(k, n) {
      y[(i * m + g * 8 + c) * n + k] = (x[(i * m + g * 8 + c) * n + k] - mean) *
                                           rstd * p[g * 8 + c] +
                                       p[m + g * 8 + c];
    }
  }
}
