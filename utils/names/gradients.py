# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of gradients: d is that of what comes out.

Those of rows are products with the matrix of all derivatives, which is taken as the
difference quotient of the function itself.
"""
import math

import numpy as np

from cases import case
from maps import erf, gelu_tanh, sigmoid
from rows import layernorm, log_softmax, rmsnorm, softmax

STEP = 1e-5


def slope(f):
    """The gradient of an element, from the function."""
    return lambda x, d: d * (f(x + STEP) - f(x - STEP)) / (2 * STEP)


def pull_back(f, x, d):
    """The gradient of a row for each row of x, from the function of rows."""
    result = np.zeros_like(x)
    for c in range(x.shape[-1]):
        away = np.zeros_like(x)
        away[..., c] = STEP
        result[..., c] = ((f(x + away) - f(x - away)) / (2 * STEP) * d).sum(-1)
    return result


def unary(name, text, reference, draw=""):
    case(name, "x%s[N] d[N] -> y[N]" % draw, "FOR(i, N) y[i] = %s;" % text, reference)


unary("relu.backward", "x[i] > 0 ? d[i] : 0", slope(lambda x: np.maximum(x, 0)))
case("leaky-relu.backward", "x[N] d[N] s:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > 0 ? d[i] : s * d[i];",
     lambda x, d, s: np.where(x > 0, 1, s) * d)
case("prelu.backward", "x[R][C] d[R][C] g[C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] > 0 ? d[r][c] : g[c] * d[r][c];",
     lambda x, d, g: np.where(x > 0, 1, g) * d)
case("swish.backward", "x[N] d[N] s -> y[N]",
     "FOR(i, N) { float q = 1 / (1 + expf(-s * x[i]));"
     " y[i] = d[i] * (q + s * x[i] * q * (1 - q)); }",
     lambda x, d, s: slope(lambda x: x * sigmoid(s * x))(x, d))
unary("log-sigmoid.backward", "d[i] / (1 + expf(x[i]))", slope(lambda x: np.log(sigmoid(x))))
unary("sigmoid.backward", "d[i] * x[i] * (1 - x[i])",
      lambda x, d: d * x * (1 - x))
unary("sigmoid.backward", "d[i] / (1 + expf(-x[i])) * (1 - 1 / (1 + expf(-x[i])))",
      slope(sigmoid))
unary("tanh.backward", "d[i] * (1 - x[i] * x[i])", lambda x, d: d * (1 - x ** 2))
unary("tanh.backward", "d[i] * (1 - tanhf(x[i]) * tanhf(x[i]))", slope(np.tanh))
unary("silu.backward", "d[i] / (1 + expf(-x[i])) * (1 + x[i] * (1 - 1 / (1 + expf(-x[i]))))",
      slope(lambda x: x * sigmoid(x)))
unary("gelu.backward", "d[i] * (0.5f * (1 + erff(x[i] * 0.70710678f)) + "
      "x[i] * 0.39894228f * expf(-0.5f * x[i] * x[i]))",
      slope(lambda x: x * (1 + erf(x / math.sqrt(2))) / 2))
case("gelu.tanh.backward", "x[N] d[N] -> y[N]",
     "FOR(i, N) { float u = x[i]; float t = tanhf(0.79788456f * (u + 0.044715f * u * u * u));"
     " y[i] = d[i] * (0.5f * (1 + t) + 0.5f * u * (1 - t * t)"
     " * 0.79788456f * (1 + 0.134145f * u * u)); }", slope(gelu_tanh))

unary("relu6.backward", "x[i] > 0 && x[i] < 6 ? d[i] : 0", slope(lambda x: np.clip(x, 0, 6)))
unary("elu.backward", "x[i] > 0 ? d[i] : d[i] * expf(x[i])",
      slope(lambda x: np.where(x > 0, x, np.expm1(x))))
case("elu.backward", "x[N] d[N] s:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > 0 ? d[i] : d[i] * s * expf(x[i]);",
     lambda x, d, s: slope(lambda x: np.where(x > 0, x, s * np.expm1(x)))(x, d))
# Of what comes out, x: the derivative at the place where elu has that value.
case("elu.backward", "x[N] d[N] s:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > 0 ? d[i] : d[i] * (x[i] + s);",
     lambda x, d, s: np.where(x > 0, 1, x + s) * d)
unary("elu.backward", "x[i] > 0 ? d[i] : d[i] * (x[i] + 1)",
      lambda x, d: np.where(x > 0, 1, x + 1) * d)
SELU_SCALE, SELU_ALPHA = 1.0507009873554805, 1.6732632423543772
unary("selu.backward", "d[i] * 1.05070098f * (x[i] > 0 ? 1 : 1.67326324f * expf(x[i]))",
      slope(lambda x: SELU_SCALE * np.where(x > 0, x, SELU_ALPHA * np.expm1(x))))
unary("hard-sigmoid.backward", "x[i] > -3 && x[i] < 3 ? d[i] / 6 : 0",
      slope(lambda x: np.clip(x / 6 + 0.5, 0, 1)))
unary("hard-sigmoid.backward", "x[i] > -2.5f && x[i] < 2.5f ? d[i] * 0.2f : 0",
      slope(lambda x: np.clip(0.2 * x + 0.5, 0, 1)))
unary("hard-tanh.backward", "x[i] > -1 && x[i] < 1 ? d[i] : 0",
      slope(lambda x: np.clip(x, -1, 1)))
case("clamp.backward", "x[N] d[N] t:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > 0 && x[i] < t ? d[i] : 0;",
     lambda x, d, t: np.where((x > 0) & (x < t), d, 0))
case("clamp.backward", "x[N] d[N] s:neg t:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > s && x[i] < t ? d[i] : 0;",
     lambda x, d, s, t: slope(lambda x: np.clip(x, s, t))(x, d))
unary("hard-swish.backward", "x[i] <= -3 ? 0 : x[i] >= 3 ? d[i] : d[i] * (2 * x[i] + 3) / 6",
      slope(lambda x: x * np.clip(x + 3, 0, 6) / 6))
unary("softsign.backward", "d[i] / ((1 + fabsf(x[i])) * (1 + fabsf(x[i])))",
      slope(lambda x: x / (1 + np.abs(x))))
unary("abs.backward", "x[i] > 0 ? d[i] : -d[i]", slope(np.abs))
unary("square.backward", "2 * x[i] * d[i]", slope(np.square))

# Derivatives, by what came out of the function
case("sigmoid.derivative", "x:prob[N] -> y[N]", "FOR(i, N) y[i] = x[i] * (1 - x[i]);",
     lambda x: x * (1 - x))
case("sigmoid.derivative", "x[N] -> y[N]",
     "FOR(i, N) y[i] = 1 / (1 + expf(-x[i])) * (1 - 1 / (1 + expf(-x[i])));",
     lambda x: slope(sigmoid)(x, 1))
case("tanh.derivative", "x:prob[N] -> y[N]", "FOR(i, N) y[i] = 1 - x[i] * x[i];",
     lambda x: 1 - x ** 2)
case("tanh.derivative", "x[N] -> y[N]", "FOR(i, N) y[i] = 1 - tanhf(x[i]) * tanhf(x[i]);",
     lambda x: slope(np.tanh)(x, 1))
case("leaky-relu.derivative", "x[N] s:pos -> y[N]", "FOR(i, N) y[i] = x[i] > 0 ? 1 : s;",
     lambda x, s: slope(lambda x: np.where(x > 0, x, s * x))(x, 1))

# Of losses, for what was predicted
def of_loss(name, text, loss, inputs="x[N] z[N] -> y[N]"):
    case(name, inputs, "FOR(i, N) y[i] = %s;" % text,
         lambda x, z: slope(lambda x: loss(x, z))(x, 1))


def bce(x, z):
    return -(z * np.log(x) + (1 - z) * np.log(1 - x))


PROBABILITIES = "x:prob[N] z:prob[N] -> y[N]"
of_loss("mse.backward", "2 * (x[i] - z[i])", lambda x, z: (x - z) ** 2)
case("mse.backward", "x[N] z[N] -> y[N]", "FOR(i, N) y[i] = 2 * (x[i] - z[i]) / N;",
     lambda x, z: 2 * (x - z) / x.size)
case("mse.backward", "x[N] z[N] s:pos -> y[N]", "FOR(i, N) y[i] = 2 * s * (x[i] - z[i]);",
     lambda x, z, s: 2 * s * (x - z))
of_loss("mae.backward", "x[i] > z[i] ? 1 : -1", lambda x, z: np.abs(x - z))
of_loss("binary-cross-entropy.backward", "(x[i] - z[i]) / (x[i] * (1 - x[i]))", bce,
        PROBABILITIES)
of_loss("binary-cross-entropy.backward", "(1 - z[i]) / (1 - x[i]) - z[i] / x[i]", bce,
        PROBABILITIES)
case("cross-entropy.backward", PROBABILITIES, "FOR(i, N) y[i] = -z[i] / x[i];",
     lambda x, z: -z / x)
of_loss("huber.backward", "fminf(fmaxf(x[i] - z[i], -1), 1)",
        lambda x, z: np.where(np.abs(x - z) < 1, (x - z) ** 2 / 2, np.abs(x - z) - 0.5))
case("huber.backward", "x[N] z[N] s:pos -> y[N]",
     "FOR(i, N) y[i] = fminf(fmaxf(x[i] - z[i], -s), s);",
     lambda x, z, s: slope(lambda x: np.where(
         np.abs(x - z) < s, (x - z) ** 2 / 2, s * (np.abs(x - z) - s / 2)))(x, 1))
of_loss("hinge-loss.backward", "1 - x[i] * z[i] > 0 ? -z[i] : 0",
        lambda x, z: np.maximum(1 - x * z, 0))

# Rows
case("softmax.backward", "x:row[R][C] d[R][C] -> y[R][C]",
     "FOR(r, R) { float s = 0; FOR(c, C) s += x[r][c] * d[r][c];"
     " FOR(c, C) y[r][c] = x[r][c] * (d[r][c] - s); }",
     lambda x, d: pull_back(softmax, np.log(x), d))
case("log-softmax.backward", "x:row[R][C] d[R][C] -> y[R][C]",
     "FOR(r, R) { float s = 0; FOR(c, C) s += d[r][c];"
     " FOR(c, C) y[r][c] = d[r][c] - expf(x[r][c]) * s; }",
     lambda x, d: d - np.exp(x) * d.sum(-1, keepdims=True))
case("cross-entropy.backward", "x:row[R][C] t:C[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] - (c == t[r] ? 1.0f : 0.0f);",
     lambda x, t: x - np.eye(x.shape[1])[t])
# Down the gradient
case("cross-entropy.backward", "x:row[R][C] t:C[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = (c == t[r] ? 1.0f : 0.0f) - x[r][c];",
     lambda x, t: np.eye(x.shape[1])[t] - x, changed=False)
case("cross-entropy.backward", "x[R][C] t:C[R] -> y[R][C]",
     "FOR(r, R) { float s = 0; FOR(c, C) s += expf(x[r][c]);"
     " FOR(c, C) y[r][c] = expf(x[r][c]) / s - (c == t[r] ? 1.0f : 0.0f); }",
     lambda x, t: pull_back(log_softmax, x, -np.eye(x.shape[1])[t]))
case("cross-entropy.backward", "x[R][C] q:row[R][C] -> y[R][C]",
     "FOR(r, R) { float s = 0; FOR(c, C) s += expf(x[r][c]);"
     " FOR(c, C) y[r][c] = expf(x[r][c]) / s - q[r][c]; }",
     lambda x, q: softmax(x) - q)
case("layernorm.backward", "x[R][C] d[R][C] g[C] -> y[R][C]",
     "FOR(r, R) { float m = 0, v = 0, a = 0, b = 0; FOR(c, C) m += x[r][c]; m /= C;"
     " FOR(c, C) v += (x[r][c] - m) * (x[r][c] - m); float s = 1 / sqrtf(v / C + 1e-5f);"
     " FOR(c, C) { a += d[r][c] * g[c]; b += d[r][c] * g[c] * (x[r][c] - m) * s; }"
     " FOR(c, C) y[r][c] = s * (d[r][c] * g[c] - a / C - (x[r][c] - m) * s * b / C); }",
     lambda x, d, g: pull_back(layernorm, x, d * g))
case("layernorm.backward", "x[R][C] d[R][C] -> y[R][C]",
     "FOR(r, R) { float m = 0, v = 0, a = 0, b = 0; FOR(c, C) m += x[r][c]; m /= C;"
     " FOR(c, C) v += (x[r][c] - m) * (x[r][c] - m); float s = 1 / sqrtf(v / C + 1e-5f);"
     " FOR(c, C) { a += d[r][c]; b += d[r][c] * (x[r][c] - m) * s; }"
     " FOR(c, C) y[r][c] = s * (d[r][c] - a / C - (x[r][c] - m) * s * b / C); }",
     lambda x, d: pull_back(layernorm, x, d))
case("layernorm.backward", "x[R][C] d[R][C] g[C] m[R] q:pos[R] -> y[R][C]",
     "FOR(r, R) { float a = 0, b = 0;"
     " FOR(c, C) { a += d[r][c] * g[c]; b += d[r][c] * g[c] * (x[r][c] - m[r]) * q[r]; }"
     " FOR(c, C) y[r][c] = q[r] * (d[r][c] * g[c] - a / C - (x[r][c] - m[r]) * q[r] * b / C); }",
     lambda x, d, g, m, q: q[:, None] * (
         d * g - (d * g).mean(-1, keepdims=True) - (x - m[:, None]) * q[:, None] ** 2
         * (d * g * (x - m[:, None])).mean(-1, keepdims=True)))
# With the gradients of mean and variance, a and b
case("batchnorm.backward", "x[N][K][P] d[N][K][P] m[K] v:pos[K] a[K] b[K] -> d[N][K][P]",
     "FOR(n, N) FOR(k, K) FOR(p, P) d[n][k][p] = d[n][k][p] / sqrtf(v[k] + 1e-5f)"
     " + b[k] * 2 * (x[n][k][p] - m[k]) / (N * P) + a[k] / (N * P);",
     lambda x, d, m, v, a, b, N, P: d / np.sqrt(v)[:, None] + 2 / (N * P) * b[:, None]
     * (x - m[:, None]) + a[:, None] / (N * P), rates=True, changed=False)
case("batchnorm.backward", "x[N][K][P] d[N][K][P] q:pos[K] -> y[N][K][P]",
     "FOR(k, K) { float a = 0, b = 0;"
     " FOR(n, N) FOR(p, P) { a += d[n][k][p]; b += d[n][k][p] * x[n][k][p]; }"
     " FOR(n, N) FOR(p, P) y[n][k][p] = q[k] * (d[n][k][p] - a / (N * P)"
     " - x[n][k][p] * b / (N * P)); }",
     lambda x, d, q: q[:, None] * (d - d.mean((0, 2), keepdims=True)
                                   - x * (d * x).mean((0, 2), keepdims=True)))
case("batchnorm.backward", "x[N][K][P] d[N][K][P] g[K] m[K] q:pos[K] -> y[N][K][P]",
     "FOR(k, K) { float a = 0, b = 0;"
     " FOR(n, N) FOR(p, P) { a += d[n][k][p]; b += d[n][k][p] * (x[n][k][p] - m[k]) * q[k]; }"
     " FOR(n, N) FOR(p, P) y[n][k][p] = g[k] * q[k] * (d[n][k][p] - a / (N * P)"
     " - (x[n][k][p] - m[k]) * q[k] * b / (N * P)); }",
     lambda x, d, g, m, q: (g * q)[:, None] * (
         d - d.mean((0, 2), keepdims=True) - (x - m[:, None]) * (q * q)[:, None]
         * (d * (x - m[:, None])).mean((0, 2), keepdims=True)))
case("rmsnorm.backward", "x[R][C] d[R][C] g[C] -> y[R][C]",
     "FOR(r, R) { float v = 0, b = 0; FOR(c, C) v += x[r][c] * x[r][c];"
     " float s = 1 / sqrtf(v / C + 1e-5f); FOR(c, C) b += d[r][c] * g[c] * x[r][c];"
     " FOR(c, C) y[r][c] = s * (d[r][c] * g[c] - x[r][c] * s * s * b / C); }",
     lambda x, d, g: pull_back(rmsnorm, x, d * g))
case("rmsnorm.backward", "x[R][C] d[R][C] -> y[R][C]",
     "FOR(r, R) { float v = 0, b = 0; FOR(c, C) v += x[r][c] * x[r][c];"
     " float s = 1 / sqrtf(v / C + 1e-5f); FOR(c, C) b += d[r][c] * x[r][c];"
     " FOR(c, C) y[r][c] = s * (d[r][c] - x[r][c] * s * s * b / C); }",
     lambda x, d: pull_back(rmsnorm, x, d))
case("rmsnorm.backward", "x[R][C] d[R][C] g[C] q:pos[R] -> y[R][C]",
     "FOR(r, R) { float b = 0; FOR(c, C) b += d[r][c] * g[c] * x[r][c];"
     " FOR(c, C) y[r][c] = q[r] * (d[r][c] * g[c] - x[r][c] * q[r] * q[r] * b / C); }",
     lambda x, d, g, q: q[:, None] * (
         d * g - x * q[:, None] ** 2 * (d * g * x).mean(-1, keepdims=True)))

# More activations, losses and derivatives.
def softplus(x):
    return np.log1p(np.exp(x))


unary("mish.backward", "d[i] * (tanhf(logf(1 + expf(x[i]))) + x[i] / (1 + expf(-x[i])) * "
      "(1 - tanhf(logf(1 + expf(x[i]))) * tanhf(logf(1 + expf(x[i])))))",
      slope(lambda x: x * np.tanh(softplus(x))))
case("celu.backward", "x[N] d[N] s:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > 0 ? d[i] : d[i] * expf(x[i] / s);",
     lambda x, d, s: d * np.where(x > 0, 1, np.exp(x / s)))
unary("tanhshrink.backward", "d[i] * tanhf(x[i]) * tanhf(x[i])",
      slope(lambda x: x - np.tanh(x)))
case("softshrink.backward", "x[N] d[N] s:pos -> y[N]",
     "FOR(i, N) { float v = 0; if (x[i] > s) v = d[i]; if (x[i] < -s) v = d[i]; y[i] = v; }",
     lambda x, d, s: np.where(np.abs(x) > s, d, 0))
unary("gelu.sigmoid.backward", "d[i] / (1 + expf(-1.702f * x[i])) * (1 + 1.702f * x[i] * "
      "(1 - 1 / (1 + expf(-1.702f * x[i]))))", slope(lambda x: x * sigmoid(1.702 * x)))


def of_loss(f):
    """The gradient of a loss by its first argument, times a number."""
    return lambda x, y, s: s * (f(x + STEP, y) - f(x - STEP, y)) / (2 * STEP)


def loss(name, text, f, draw=""):
    case(name, "x[N] y%s[N] s -> o[N]" % draw, "FOR(i, N) o[i] = (%s) * s;" % text, of_loss(f))


loss("log-cosh.backward", "tanhf(x[i] - y[i])", lambda x, y: np.log(np.cosh(x - y)))
loss("binary-cross-entropy.logits.backward", "1 / (1 + expf(-x[i])) - y[i]",
     lambda x, y: softplus(x) - x * y, ":prob")
loss("poisson-nll.backward", "expf(x[i]) - y[i]", lambda x, y: np.exp(x) - x * y, ":pos")
case("squared-hinge-loss.backward", "x[N] y[N] -> o[N]",
     "FOR(i, N) o[i] = -2 * y[i] * fmaxf(1 - x[i] * y[i], 0);",
     lambda x, y: of_loss(lambda x, y: np.maximum(1 - x * y, 0) ** 2)(x, y, 1))


def derivative(name, text, f):
    case(name, "x[N] -> y[N]", "FOR(i, N) y[i] = %s;" % text, lambda x: slope(f)(x, 1))


derivative("elu.derivative", "x[i] > 0 ? 1 : expf(x[i])",
           lambda x: np.where(x > 0, x, np.expm1(x)))
derivative("silu.derivative", "1 / (1 + expf(-x[i])) * (1 + x[i] * (1 - 1 / (1 + expf(-x[i]))))",
           lambda x: x * sigmoid(x))
derivative("softsign.derivative", "1 / ((1 + fabsf(x[i])) * (1 + fabsf(x[i])))",
           lambda x: x / (1 + np.abs(x)))
derivative("hard-tanh.derivative", "x[i] > -1 && x[i] < 1 ? 1 : 0",
           lambda x: np.clip(x, -1, 1))
derivative("gelu.derivative", "0.5f * (1 + erff(x[i] * 0.70710678f)) + "
           "x[i] * 0.39894228f * expf(-0.5f * x[i] * x[i])",
           lambda x: x * (1 + erf(x / math.sqrt(2))) / 2)
# Of parts: v and b are gradients of the variance and of the mean, 1 / s is of how many.
case("batchnorm.backward", "x[K][N] d[K][N] m[N] g[N] r:pos[N] v[N] b[N] s:pos -> y[K][N]",
     "FOR(k, K) FOR(n, N) y[k][n] = d[k][n] * g[n] * r[n] + 2 * s * v[n] * (x[k][n] - m[n])"
     " + s * b[n];",
     lambda x, d, m, g, r, v, b, s: d * g * r + (v * 2 * (x - m) + b) * s)
case("layernorm.backward", "x[N][K] d[N][K] m[N] g[K] r:pos[N] v[N] b[N] s:pos -> y[N][K]",
     "FOR(n, N) FOR(k, K) y[n][k] = d[n][k] * g[k] * r[n] + 2 * s * v[n] * (x[n][k] - m[n])"
     " + s * b[n];",
     lambda x, d, m, g, r, v, b, s: d * g * r[:, None]
     + (v[:, None] * 2 * (x - m[:, None]) + b[:, None]) * s)
case("rmsnorm.backward", "x[N][K] d[N][K] g[K] r:pos[N] v[N] s:pos -> y[N][K]",
     "FOR(n, N) FOR(k, K) y[n][k] = d[n][k] * g[k] * r[n] + 2 * s * v[n] * x[n][k];",
     lambda x, d, g, r, v, s: d * g * r[:, None] + v[:, None] * 2 * x * s)
