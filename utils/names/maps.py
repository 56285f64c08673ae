# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of what is computed element by element."""
import math

import numpy as np

from cases import case

erf = np.vectorize(math.erf, otypes=[np.float64])


def sigmoid(x):
    return np.exp(x) / (np.exp(x) + 1)


def softplus(x):
    return np.log1p(np.exp(x))


def normal_cdf(x):
    return (1 + erf(x / math.sqrt(2))) / 2


def gelu_tanh(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)))


def unary(name, text, reference, draw=""):
    case(name, "x%s[N] -> y[N]" % draw, "FOR(i, N) y[i] = %s;" % text, reference)


def with_number(name, text, reference):
    case(name, "x[N] s:pos -> y[N]", "FOR(i, N) y[i] = %s;" % text, reference)


def binary(name, text, reference, draw="", size="R"):
    """Of x and a row or a column b, or of two arrays x and y."""
    case(name, "x%s[R][C] b%s[%s] -> y[R][C]" % (draw, draw, size),
         "FOR(r, R) FOR(c, C) y[r][c] = %s;" % text, reference)


def two(name, text, reference, draw=""):
    case(name, "a%s[N] b%s[N] -> y[N]" % (draw, draw), "FOR(i, N) y[i] = %s;" % text,
         reference)


# Activations
unary("relu", "x[i] > 0 ? x[i] : 0", lambda x: np.where(x > 0, x, 0))
unary("relu", "fmaxf(x[i], 0)", lambda x: np.maximum(x, 0))
unary("relu6", "fminf(fmaxf(x[i], 0), 6)", lambda x: np.clip(x, 0, 6))
with_number("leaky-relu", "x[i] > 0 ? x[i] : s * x[i]",
            lambda x, s: np.where(x < 0, s * x, x))
binary("prelu", "x[r][c] > 0 ? x[r][c] : b[c] * x[r][c]",
       lambda x, b: np.where(x < 0, b * x, x), size="C")
unary("elu", "x[i] > 0 ? x[i] : expf(x[i]) - 1", lambda x: np.where(x < 0, np.expm1(x), x))
with_number("elu", "x[i] > 0 ? x[i] : s * (expf(x[i]) - 1)",
            lambda x, s: np.where(x < 0, s * np.expm1(x), x))
unary("selu", "1.0507009873554805f * (x[i] > 0 ? x[i] : "
      "1.6732632423543772f * (expf(x[i]) - 1))",
      lambda x: 1.0507009873554805 * np.where(x < 0, 1.6732632423543772 * np.expm1(x), x))
unary("sigmoid", "1 / (1 + expf(-x[i]))", sigmoid)
unary("hard-sigmoid", "fmaxf(fminf(0.2f * x[i] + 0.5f, 1), 0)",
      lambda x: np.clip(0.2 * x + 0.5, 0, 1))
unary("hard-sigmoid", "fmaxf(fminf(x[i] / 6 + 0.5f, 1), 0)",
      lambda x: np.clip(x / 6 + 0.5, 0, 1))
unary("hard-swish", "x[i] * fminf(fmaxf(x[i] + 3, 0), 6) / 6",
      lambda x: x * np.clip(x + 3, 0, 6) / 6)
case("hard-sigmoid", "x[N] s:pos t:pos -> y[N]",
     "FOR(i, N) y[i] = fmaxf(fminf(s * x[i] + t, 1), 0);", lambda x, s, t: np.clip(s * x + t, 0, 1))
case("hard-swish", "x[N] s:pos t:pos p:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] * fminf(fmaxf(x[i] + s, 0), t) / p;",
     lambda x, s, t, p: x * np.clip(x + s, 0, t) / p)
unary("hard-tanh", "fmaxf(fminf(x[i], 1), -1)", lambda x: np.clip(x, -1, 1))
unary("tanh", "tanhf(x[i])", np.tanh)
unary("silu", "x[i] / (1 + expf(-x[i]))", lambda x: x * sigmoid(x))
unary("gelu", "0.5f * x[i] * (1 + erff(x[i] * 0.70710678f))", lambda x: x * normal_cdf(x))
unary("gelu.tanh", "0.5f * x[i] * (1 + tanhf(0.79788456f * "
      "(x[i] + 0.044715f * x[i] * x[i] * x[i])))", gelu_tanh)
unary("gelu.sigmoid", "x[i] / (1 + expf(-1.702f * x[i]))", lambda x: x * sigmoid(1.702 * x))
unary("softplus", "logf(1 + expf(x[i]))", softplus)
case("softplus", "x[N] s:pos t:pos -> y[N]",
     "FOR(i, N) y[i] = s * x[i] > t ? x[i] : logf(1 + expf(s * x[i])) / s;",
     lambda x, s, t: np.where(s * x > t, x, softplus(s * x) / s))
case("softplus", "x[N] t:pos -> y[N]",
     "FOR(i, N) y[i] = x[i] > t ? x[i] : logf(1 + expf(x[i]));",
     lambda x, t: np.where(x > t, x, softplus(x)))
with_number("softplus", "logf(1 + expf(s * x[i])) / s", lambda x, s: softplus(s * x) / s)
unary("log-sigmoid", "-logf(1 + expf(-x[i]))", lambda x: np.log(sigmoid(x)))
unary("softsign", "x[i] / (1 + fabsf(x[i]))", lambda x: x / (1 + np.abs(x)))
unary("mish", "x[i] * tanhf(logf(1 + expf(x[i])))", lambda x: x * np.tanh(softplus(x)))
with_number("celu", "fmaxf(0, x[i]) + fminf(0, s * (expf(x[i] / s) - 1))",
            lambda x, s: np.where(x < 0, s * np.expm1(x / s), x))
with_number("swish", "x[i] / (1 + expf(-s * x[i]))", lambda x, s: x * sigmoid(s * x))
unary("tanhshrink", "x[i] - tanhf(x[i])", lambda x: x - np.tanh(x))
with_number("softshrink", "x[i] > s ? x[i] - s : x[i] < -s ? x[i] + s : 0",
            lambda x, s: np.sign(x) * np.maximum(np.abs(x) - s, 0))
with_number("hardshrink", "x[i] > s || x[i] < -s ? x[i] : 0",
            lambda x, s: np.where(np.abs(x) > s, x, 0))
with_number("threshold", "x[i] > s ? x[i] : 0", lambda x, s: np.where(x > s, x, 0))
case("threshold", "x[N] s t -> y[N]", "FOR(i, N) y[i] = x[i] > s ? x[i] : t;",
     lambda x, s, t: np.where(x > s, x, t))
unary("step", "x[i] > 0 ? 1 : 0", lambda x: np.heaviside(x, 0))
with_number("step", "x[i] > s ? 1 : 0", lambda x, s: np.heaviside(x - s, 0))
unary("sign", "(x[i] > 0) - (x[i] < 0)", np.sign)
unary("sign", "x[i] > 0 ? 1 : -1", np.sign)
case("clamp", "x[N] s:neg t:pos -> y[N]", "FOR(i, N) y[i] = fminf(fmaxf(x[i], s), t);",
     lambda x, s, t: np.clip(x, s, t))
two("glu", "a[i] / (1 + expf(-b[i]))", lambda a, b: a * sigmoid(b))
two("reglu", "fmaxf(a[i], 0) * b[i]", lambda a, b: np.maximum(a, 0) * b)
two("swiglu", "a[i] / (1 + expf(-a[i])) * b[i]", lambda a, b: a * sigmoid(a) * b)
two("geglu", "0.5f * a[i] * (1 + erff(a[i] * 0.70710678f)) * b[i]",
    lambda a, b: a * normal_cdf(a) * b)
two("geglu", "0.5f * a[i] * (1 + tanhf(0.79788456f * "
    "(a[i] + 0.044715f * a[i] * a[i] * a[i]))) * b[i]", lambda a, b: gelu_tanh(a) * b)

# Functions
unary("exp", "expf(x[i])", np.exp)
unary("log", "logf(x[i])", np.log, ":pos")
unary("sqrt", "sqrtf(x[i])", np.sqrt, ":pos")
unary("rsqrt", "1 / sqrtf(x[i])", lambda x: x ** -0.5, ":pos")
unary("erf", "erff(x[i])", erf)
unary("sin", "sinf(x[i])", np.sin)
unary("cos", "cosf(x[i])", np.cos)
unary("round", "roundf(x[i])", lambda x: np.trunc(x + np.copysign(0.5, x)))
unary("floor", "floorf(x[i])", np.floor)
unary("ceil", "ceilf(x[i])", np.ceil)
unary("abs", "fabsf(x[i])", np.abs)
unary("abs", "x[i] < 0 ? -x[i] : x[i]", np.abs)
unary("square", "x[i] * x[i]", np.square)
unary("reciprocal", "1 / x[i]", lambda x: 1 / x)
unary("negate", "-x[i]", lambda x: -x)
case("pow", "x:pos[N] s:pos -> y[N]", "FOR(i, N) y[i] = powf(x[i], s);", np.power)

# Arithmetic
two("add", "a[i] + b[i]", lambda a, b: a + b)
two("add.relu", "fmaxf(a[i] + b[i], 0)", lambda a, b: np.maximum(a + b, 0))
two("subtract", "a[i] - b[i]", lambda a, b: a - b)
with_number("add", "x[i] + s", lambda x, s: x + s)
with_number("subtract", "s - x[i]", lambda x, s: s - x)
with_number("subtract", "x[i] - s", lambda x, s: x - s)
unary("subtract", "1 - x[i]", lambda x: 1 - x)
binary("subtract", "x[r][c] - b[c]", lambda x, b: x - b, size="C")
binary("subtract", "b[r] - x[r][c]", lambda x, b: b[:, None] - x)
two("multiply", "a[i] * b[i]", lambda a, b: a * b)
two("divide", "a[i] / b[i]", lambda a, b: a / b, ":pos")
case("divide", "x:pos[N] s -> y[N]", "FOR(i, N) y[i] = s / x[i];", lambda x, s: s / x)
binary("divide", "b[r] / x[r][c]", lambda x, b: b[:, None] / x, ":pos")
binary("bias", "x[r][c] + b[c]", lambda x, b: x + b, size="C")
binary("bias", "x[r][c] + b[r]", lambda x, b: x + b[:, None])
binary("bias.relu", "fmaxf(x[r][c] + b[c], 0)", lambda x, b: np.maximum(x + b, 0), size="C")
binary("scale", "x[r][c] * b[c]", lambda x, b: x * b, size="C")
case("scale", "x[R][C] b[R] g[C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] * b[r] * g[c];",
     lambda x, b, g: x * np.outer(b, g))
binary("scale", "x[r][c] / b[r]", lambda x, b: x / b[:, None], ":pos")
case("scale", "x[B][K][P] b[K] -> y[B][K][P]",
     "FOR(n, B) FOR(k, K) FOR(p, P) y[n][k][p] = x[n][k][p] * b[k];",
     lambda x, b: x * b[:, None])
with_number("scale", "x[i] * s", lambda x, s: x * s)
with_number("scale", "x[i] / s", lambda x, s: x / s)
case("axpy", "s:pos x[N] y[N] -> y[N]", "FOR(i, N) y[i] += s * x[i];",
     lambda s, x, y: s * x + y)
case("axpy", "s:pos x[N] y[N] -> z[N]", "FOR(i, N) z[i] = s * x[i] + y[i];",
     lambda s, x, y: s * x + y)
case("axpby", "s:pos x[N] t:pos y[N] -> y[N]", "FOR(i, N) y[i] = s * x[i] + t * y[i];",
     lambda s, x, t, y: s * x + t * y)
case("affine", "x[N] s t -> y[N]", "FOR(i, N) y[i] = s * x[i] + t;",
     lambda x, s, t: s * x + t)
case("affine", "x[R][C] g[R] b[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] * g[r] + b[r];",
     lambda x, g, b: x * g[:, None] + b[:, None])
case("affine", "x[R][C] g[C] b[C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] * g[c] + b[c];", lambda x, g, b: x * g + b)
case("multiply-add", "a[N] b[N] c[N] -> y[N]", "FOR(i, N) y[i] = a[i] * b[i] + c[i];",
     lambda a, b, c: a * b + c)
case("multiply-add", "a[N] b[N] c[N] s:pos -> y[N]",
     "FOR(i, N) y[i] = s * a[i] * b[i] + c[i];", lambda a, b, c, s: s * a * b + c)
two("maximum", "a[i] > b[i] ? a[i] : b[i]", np.maximum)
binary("maximum", "fmaxf(x[r][c], b[c])", np.maximum, size="C")
with_number("maximum", "fmaxf(x[i], s)", np.maximum)
with_number("minimum", "fminf(x[i], s)", np.minimum)
case("maximum", "x[N] -> y[N]", "FOR(i, N) y[i] = fmaxf(x[i], x[0]);",
     lambda x: np.maximum(x, x[0]), changed=False)
case("maximum", "x[2*P] -> y[P]", "FOR(p, P) y[p] = fmaxf(x[0], x[2 * p + 1]);",
     lambda x: np.maximum(x[0], x[1::2]), changed=False)
case("maximum", "x[R][C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = fmaxf(x[r][c], x[0][0]);", lambda x: np.maximum(x, x[0, 0]),
     changed=False)
two("minimum", "fminf(a[i], b[i])", np.minimum)
binary("minimum", "fminf(x[r][c], b[c])", np.minimum, size="C")
case("minimum", "x[R][C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = fminf(x[r][c], x[0][0]);", lambda x: np.minimum(x, x[0, 0]),
     changed=False)
case("minimum", "x[2*P] -> y[P]", "FOR(p, P) y[p] = fminf(x[2 * p], x[2 * p + 1]);",
     lambda x: np.minimum(x[::2], x[1::2]), changed=False)
two("squared-error", "(a[i] - b[i]) * (a[i] - b[i])", lambda a, b: (a - b) ** 2)
two("squared-error", "0.5f * (a[i] - b[i]) * (a[i] - b[i])", lambda a, b: (a - b) ** 2 / 2)
case("lerp", "a[N] b[N] s:prob -> y[N]", "FOR(i, N) y[i] = a[i] + s * (b[i] - a[i]);",
     lambda a, b, s: (1 - s) * a + s * b)
case("lerp", "a[N] b[N] w:prob[N] -> y[N]",
     "FOR(i, N) y[i] = a[i] * w[i] + b[i] * (1 - w[i]);", lambda a, b, w: w * a + (1 - w) * b)
case("fill", "s -> y[N]", "FOR(i, N) y[i] = s;", lambda s, N: np.full(N, s))
case("fill", "s -> y[Z]", "FOR(i, Z) y[i] = s;", lambda s, Z: np.full(Z, s))
case("fill", "s:pos -> y[N]", "FOR(i, N) y[i] = 1 / (s + N);",
     lambda s, N: np.full(N, 1 / (s + N)), changed=False)
case("fill", "-> y[N]", "FOR(i, N) y[i] = -__builtin_inff();",
     lambda N: np.full(N, -np.inf), changed=False)
case("fill", "-> y[N]", "FOR(i, N) y[i] = 0;", lambda N: np.zeros(N))

# Normalization by statistics that are given
case("normalize", "x[R][C] m[R] r:pos[R] -> y[R][C]",
     "FOR(i, R) FOR(c, C) y[i][c] = (x[i][c] - m[i]) * r[i];",
     lambda x, m, r: (x - m[:, None]) * r[:, None])
CHANNELS = "x[B][K][P] m[K] %s -> y[B][K][P]"


def column(v):
    return v if np.isscalar(v) else v[:, None]


def inference(root, root_text):
    """With and without scale and shift."""
    def reference(x, m, r, g=1, b=0):
        return (x - column(m)) * column(root(r)) * column(g) + column(b)
    for inputs, text, f in (
            ("g[K] b[K]", " * g[k] + b[k]", lambda x, m, r, g, b: reference(x, m, r, g, b)),
            ("g[K]", " * g[k]", lambda x, m, r, g: reference(x, m, r, g)),
            ("b[K]", " + b[k]", lambda x, m, r, b: reference(x, m, r, 1, b)),
            ("", "", lambda x, m, r: reference(x, m, r))):
        case("batchnorm.inference", CHANNELS % ("r:pos[K] " + inputs),
             "FOR(n, B) FOR(k, K) FOR(p, P) y[n][k][p] = (x[n][k][p] - m[k]) %s%s;"
             % (root_text, text), f)


inference(lambda v: 1 / np.sqrt(v + 1e-5), "/ sqrtf(r[k] + 1e-5f)")
inference(lambda r: r, "* r[k]")
