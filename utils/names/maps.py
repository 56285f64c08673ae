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


def unary(name, text, reference, draw="", **more):
    case(name, "x%s[N] -> y[N]" % draw, "FOR(i, N) y[i] = %s;" % text, reference, **more)


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
unary("hard-tanh", "fmaxf(fminf(x[i], 1), -1)", lambda x: np.clip(x, -1, 1))
unary("tanh", "tanhf(x[i])", np.tanh)
unary("silu", "x[i] / (1 + expf(-x[i]))", lambda x: x * sigmoid(x))
unary("gelu", "0.5f * x[i] * (1 + erff(x[i] * 0.70710678f))", lambda x: x * normal_cdf(x))
unary("gelu.tanh", "0.5f * x[i] * (1 + tanhf(0.79788456f * "
      "(x[i] + 0.044715f * x[i] * x[i] * x[i])))", gelu_tanh)
unary("gelu.sigmoid", "x[i] / (1 + expf(-1.702f * x[i]))", lambda x: x * sigmoid(1.702 * x))
unary("softplus", "logf(1 + expf(x[i]))", softplus)
unary("log-sigmoid", "-logf(1 + expf(-x[i]))", lambda x: np.log(sigmoid(x)))
unary("softsign", "x[i] / (1 + fabsf(x[i]))", lambda x: x / (1 + np.abs(x)))
unary("mish", "x[i] * tanhf(logf(1 + expf(x[i])))", lambda x: x * np.tanh(softplus(x)))
case("clamp", "x[N] s:neg t:pos -> y[N]", "FOR(i, N) y[i] = fminf(fmaxf(x[i], s), t);",
     lambda x, s, t: np.clip(x, s, t))
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
unary("abs", "fabsf(x[i])", np.abs)
unary("abs", "x[i] < 0 ? -x[i] : x[i]", np.abs)
unary("square", "x[i] * x[i]", np.square)
unary("reciprocal", "1 / x[i]", lambda x: 1 / x)
unary("negate", "-x[i]", lambda x: -x)

# Arithmetic
two("add", "a[i] + b[i]", lambda a, b: a + b)
two("add.relu", "fmaxf(a[i] + b[i], 0)", lambda a, b: np.maximum(a + b, 0))
two("subtract", "a[i] - b[i]", lambda a, b: a - b)
two("multiply", "a[i] * b[i]", lambda a, b: a * b)
two("divide", "a[i] / b[i]", lambda a, b: a / b, ":pos")
binary("bias", "x[r][c] + b[c]", lambda x, b: x + b, size="C")
binary("bias", "x[r][c] + b[r]", lambda x, b: x + b[:, None])
binary("bias.relu", "fmaxf(x[r][c] + b[c], 0)", lambda x, b: np.maximum(x + b, 0), size="C")
binary("scale", "x[r][c] * b[c]", lambda x, b: x * b, size="C")
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
case("fill", "s -> y[N]", "FOR(i, N) y[i] = s;", lambda s, N: np.full(N, s))
case("fill", "-> y[N]", "FOR(i, N) y[i] = 0;", lambda N: np.zeros(N))

# Elements in another order
case("copy", "x[R][C] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[r][c];", np.copy)
case("reverse", "x[N] -> y[N]", "FOR(i, N) y[i] = x[N - 1 - i];", lambda x: x[::-1])
case("transpose", "x[R][C] -> y[C][R]", "FOR(r, R) FOR(c, C) y[c][r] = x[r][c];",
     lambda x: x.T)
case("permute", "x[L][M][N] -> y[N][L][M]",
     "FOR(l, L) FOR(m, M) FOR(n, N) y[n][l][m] = x[l][m][n];",
     lambda x: np.transpose(x, (2, 0, 1)))
case("gather", "x[V][C] t:V[R] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[t[r]][c];",
     lambda x, t: x[t])

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

# More activations
with_number("celu", "x[i] > 0 ? x[i] : s * (expf(x[i] / s) - 1)",
            lambda x, s: np.where(x < 0, s * np.expm1(x / s), x))
with_number("swish", "x[i] / (1 + expf(-s * x[i]))", lambda x, s: x * sigmoid(s * x))
with_number("softplus", "logf(1 + expf(s * x[i])) / s", lambda x, s: softplus(s * x) / s)
unary("tanhshrink", "x[i] - tanhf(x[i])", lambda x: x - np.tanh(x))
with_number("softshrink", "x[i] > s ? x[i] - s : x[i] < -s ? x[i] + s : 0",
            lambda x, s: np.sign(x) * np.maximum(np.abs(x) - s, 0))
with_number("hardshrink", "x[i] > s ? x[i] : x[i] < -s ? x[i] : 0",
            lambda x, s: np.where(np.abs(x) > s, x, 0))
case("threshold", "x[N] s:pos t -> y[N]", "FOR(i, N) y[i] = x[i] > s ? x[i] : t;",
     lambda x, s, t: np.where(x > s, x, t))
case("threshold", "x[N] s:pos -> y[N]", "FOR(i, N) y[i] = x[i] > s ? x[i] : 0;",
     lambda x, s: np.where(x > s, x, 0))
unary("step", "x[i] > 0 ? 1 : 0", lambda x: np.where(x > 0, 1, 0))
with_number("step", "x[i] > s ? 1 : 0", lambda x, s: np.where(x > s, 1, 0))
unary("sign", "x[i] > 0 ? 1 : -1", np.sign)
unary("clamp", "fminf(fmaxf(x[i], -2), 3)", lambda x: np.clip(x, -2, 3), changed=False)
two("glu", "a[i] / (1 + expf(-b[i]))", lambda a, b: a * sigmoid(b))
two("reglu", "fmaxf(a[i], 0) * b[i]", lambda a, b: np.maximum(a, 0) * b)

# More arithmetic
case("pow", "x:pos[N] s:pos -> y[N]", "FOR(i, N) y[i] = powf(x[i], s);", lambda x, s: x ** s)
case("axpby", "x[N] y[N] s:pos t:pos -> z[N]", "FOR(i, N) z[i] = s * x[i] + t * y[i];",
     lambda x, y, s, t: s * x + t * y)
case("lerp", "x[N] y[N] s:prob -> z[N]", "FOR(i, N) z[i] = s * x[i] + (1 - s) * y[i];",
     lambda x, y, s: y + s * (x - y))
case("lerp", "x[N] y[N] t[N] -> z[N]", "FOR(i, N) z[i] = t[i] * x[i] + (1 - t[i]) * y[i];",
     lambda x, y, t: y + t * (x - y))
case("multiply-add", "x[N] y[N] z[N] -> o[N]", "FOR(i, N) o[i] = x[i] * y[i] + z[i];",
     lambda x, y, z: x * y + z)
case("multiply-add", "x[N] y[N] z[N] s:pos -> o[N]",
     "FOR(i, N) o[i] = s * x[i] * y[i] + z[i];", lambda x, y, z, s: s * x * y + z)
case("affine", "x[R][C] g[C] b[C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] * g[c] + b[c];", lambda x, g, b: x * g + b)
case("affine", "x[R][C] g[R] b[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] * g[r] + b[r];",
     lambda x, g, b: x * g[:, None] + b[:, None])
case("affine", "x[N] s:pos t:pos -> y[N]", "FOR(i, N) y[i] = x[i] * s + t;",
     lambda x, s, t: x * s + t)
two("maximum", "fmaxf(a[i], b[i])", np.maximum)
two("minimum", "fminf(a[i], b[i])", np.minimum)
binary("maximum", "fmaxf(x[r][c], b[c])", lambda x, b: np.maximum(x, b), size="C")
binary("minimum", "fminf(x[r][c], b[c])", lambda x, b: np.minimum(x, b), size="C")
two("squared-error", "(a[i] - b[i]) * (a[i] - b[i])", lambda a, b: (a - b) ** 2)
two("squared-error", "0.5f * (a[i] - b[i]) * (a[i] - b[i])", lambda a, b: (a - b) ** 2 / 2)
case("ema", "x[N] y[N] s:prob -> x[N]", "FOR(i, N) x[i] = s * x[i] + (1 - s) * y[i];",
     lambda x, y, s: s * x + (1 - s) * y)

# Masks
case("causal-mask", "x[N][N] s -> y[N][N]",
     "FOR(i, N) FOR(j, N) y[i][j] = j > i ? s : x[i][j];",
     lambda x, s: np.where(np.triu(np.ones_like(x), 1) > 0, s, x))
case("causal-mask", "x[N][N] -> y[N][N]", "FOR(i, N) FOR(j, N) y[i][j] = j > i ? 0 : x[i][j];",
     lambda x: np.tril(x), changed=False)
case("mask", "x[N] k:i[N] s -> y[N]", "FOR(i, N) y[i] = k[i] > 0 ? x[i] : s;",
     lambda x, k, s: np.where(k > 0, x, s), changed=False)
case("mask", "x[N] k[N] s -> y[N]", "FOR(i, N) y[i] = k[i] > 0 ? x[i] : s;",
     lambda x, k, s: np.where(k > 0, x, s), changed=False)
case("dropout", "x[N] k:i[N] s:pos -> y[N]", "FOR(i, N) y[i] = k[i] > 0 ? x[i] * s : 0;",
     lambda x, k, s: np.where(k > 0, x * s, 0), changed=False)
case("one-hot", "t:C[R] C=5 -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = c == t[r] ? 1 : 0;",
     lambda t, C: np.eye(C)[t])
case("identity", "-> y[N][N]", "FOR(i, N) FOR(j, N) y[i][j] = i == j ? 1 : 0;", lambda N: np.eye(N))
case("iota", "-> y[N]", "FOR(i, N) y[i] = i;", lambda N: np.arange(N) * 1.0, changed=False)

# More orders of elements
case("broadcast", "b[C] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = b[c];",
     lambda b, R: np.tile(b, (R, 1)))
case("broadcast", "b[R] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = b[r];",
     lambda b, C: np.tile(b[:, None], (1, C)))
case("embedding", "x[V][C] z[R][C] t:V[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[t[r]][c] + z[r][c];", lambda x, z, t: x[t] + z)
case("upsample.nearest", "x[R][C] -> y[2*R][2*C]",
     "FOR(r, 2 * R) FOR(c, 2 * C) y[r][c] = x[r / 2][c / 2];",
     lambda x: x.repeat(2, 0).repeat(2, 1))
case("pad", "x[R][C] -> y[R+2][C+2]", "FOR(r, R + 2) FOR(c, C + 2) {"
     " long i = r - 1, j = c - 1;"
     " y[r][c] = i >= 0 && i < R && j >= 0 && j < C ? x[i][j] : 0; }",
     lambda x: np.pad(x, 1), changed=False)
case("im2col", "x[P+2][Q+2] -> y[3][3][P][Q]",
     "FOR(u, 3) FOR(v, 3) FOR(p, P) FOR(q, Q) y[u][v][p][q] = x[p + u][q + v];",
     lambda x: np.lib.stride_tricks.sliding_window_view(x, (3, 3)).transpose(2, 3, 0, 1))
case("pixel-shuffle", "x[K][2][2][H][W] -> y[K][2*H][2*W]",
     "FOR(k, K) FOR(h, H) FOR(w, W) FOR(u, 2) FOR(v, 2)"
     " y[k][2 * h + u][2 * w + v] = x[k][u][v][h][w];",
     lambda x: x.transpose(0, 3, 1, 4, 2).reshape(len(x), 2 * x.shape[3], 2 * x.shape[4]))


def added(target, places, what):
    target = target.copy()
    np.add.at(target, places, what)
    return target


def stored(target, places, what):
    target = target.copy()
    for place, value in zip(places, np.broadcast_to(what, (len(places),) + target.shape[1:])):
        target[place] = value
    return target


case("histogram", "t:V[N] y:i[V] -> y[V]", "FOR(i, N) y[t[i]] += 1;",
     lambda t, y: added(y, t, 1))
case("scatter-add", "x[R][C] t:V[R] y[V][C] -> y[V][C]",
     "FOR(r, R) FOR(c, C) y[t[r]][c] += x[r][c];", lambda x, t, y: added(y, t, x))
case("scatter", "x[R][C] t:V[R] y[V][C] -> y[V][C]",
     "FOR(r, R) FOR(c, C) y[t[r]][c] = x[r][c];", lambda x, t, y: stored(y, t, x))

# Integers for real numbers, and back
case("convert", "x:i8[N] -> y[N]", "FOR(i, N) y[i] = x[i];", lambda x: x * 1.0)
case("quantize", "x[N] s:pos -> y:i8[N]",
     "FOR(i, N) y[i] = (signed char)fminf(fmaxf(roundf(x[i] * s), -128), 127);",
     lambda x, s: np.clip(np.floor(np.abs(x * s) + 0.5) * np.sign(x), -128, 127),
     changed=False)
case("dequantize", "x:i8[N] s:pos t:pos -> y[N]", "FOR(i, N) y[i] = (x[i] - t) * s;",
     lambda x, s, t: (x - t) * s, changed=False)
case("requantize", "x:i[N] s:pos -> y:i8[N]",
     "FOR(i, N) y[i] = (signed char)fminf(fmaxf(roundf(x[i] * s), -128), 127);",
     lambda x, s: np.clip(np.floor(np.abs(x * s) + 0.5) * np.sign(x), -128, 127),
     changed=False)
unary("round", "roundf(x[i])", lambda x: np.floor(np.abs(x) + 0.5) * np.sign(x))
