# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of rows: softmax, normalizations, losses, statistics."""
import numpy as np

from cases import case

EPSILON = 1e-5


def softmax(x):
    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)


def log_softmax(x):
    return np.log(softmax(x))


def standardize(x, axes=-1, spread=0):
    mean = x.mean(axes, keepdims=True)
    return (x - mean) / np.sqrt(x.var(axes, ddof=spread, keepdims=True) + EPSILON)


def layernorm(x, g=1, b=0):
    return standardize(x) * g + b


def rmsnorm(x, g=1):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + EPSILON) * g


def rows(name, signature, text, reference, **more):
    """Of each row of x and of one alone."""
    case(name, signature, "FOR(r, R) { %s }" % text, reference, **more)


def of_row(name, text, reference, draw="", **more):
    """Of x[R][C] to one number a row."""
    rows(name, "x%s[R][C] -> y[R]" % draw, text, reference, **more)


def of_two(name, text, reference, x="", y="", **more):
    rows(name, "x%s[R][C] z%s[R][C] -> y[R]" % (x, y), text, reference, **more)


def normalization(name, signature, text, reference, scale="", shift=""):
    """With and without scale and shift, which `text` has as {g} and {b}."""
    for has_g in (True, False):
        for has_b in (True, False):
            code = text.replace("{g}", " * " + scale if has_g else "")
            code = code.replace("{b}", " + " + shift if has_b else "")
            inputs = " ".join(w for w in signature.split()
                              if (w[0] != "g" or has_g) and (w[0] != "b" or has_b))
            params = [w[0] for w in inputs.split("->")[0].split()]
            if "{b}" in text or not has_b:
                case(name, inputs, code, named(reference, params))


def named(reference, params):
    """The reference with only some of its arguments."""
    source = "lambda %s: f(%s)" % (", ".join(params), ", ".join(
        "%s=%s" % (p, p) for p in params))
    return eval(source, {"f": reference})


SUM = "float s = 0; FOR(c, C) s += %s;"
MEAN = "float m = 0; FOR(c, C) m += x[r][c]; m /= C;"
VAR = "float v = 0; FOR(c, C) v += (x[r][c] - m) * (x[r][c] - m); v /= C;"
MAX = "float m = -INFINITY; FOR(c, C) m = fmaxf(m, x[r][c]);"
ROOT = "float q = 1 / sqrtf(v + 1e-5f);"

# Rows that add up to one
rows("softmax", "x[R][C] -> y[R][C]", MAX + "float s = 0;"
     "FOR(c, C) { y[r][c] = expf(x[r][c] - m); s += y[r][c]; } FOR(c, C) y[r][c] /= s;",
     softmax, scores=True)
case("softmax", "x[C] -> y[C]", "float s = 0; FOR(c, C) s += expf(x[c]);"
     "FOR(c, C) y[c] = expf(x[c]) / s;", softmax, scores=True, parts="sum-of-exponentials, map")
rows("log-softmax", "x[R][C] -> y[R][C]", MAX + SUM % "expf(x[r][c] - m)" +
     "FOR(c, C) y[r][c] = x[r][c] - m - logf(s);", log_softmax)

# Normalization
def batchnorm(x, g=1, b=0):
    return standardize(x, (0, 2)) * column(g) + column(b)


def instancenorm(x, g=1, b=0):
    return standardize(x) * column(g) + column(b)


def groupnorm(x, g=1, b=0):
    return standardize(x, (2, 3)) * column(g) + column(b)


def column(v):
    return v if np.isscalar(v) else v[..., None]


normalization("layernorm", "x[R][C] g[C] b[C] -> y[R][C]", "FOR(r, R) {" + MEAN + VAR + ROOT +
              "FOR(c, C) y[r][c] = (x[r][c] - m) * q{g}{b}; }", layernorm, "g[c]", "b[c]")
rows("layernorm", "x[R][C] -> y[R][C]", "float m = 0, v = 0;"
     " FOR(c, C) { m += x[r][c]; v += x[r][c] * x[r][c]; } m /= C; v = fmaxf(v / C - m * m, 0);"
     " FOR(c, C) y[r][c] = (x[r][c] - m) / sqrtf(v + 1e-5f);", layernorm)
normalization("batchnorm", "x[N][K][P] g[K] b[K] -> y[N][K][P]",
              "FOR(k, K) { float m = 0, v = 0; FOR(n, N) FOR(p, P) m += x[n][k][p];"
              " m /= N * P;"
              " FOR(n, N) FOR(p, P) v += (x[n][k][p] - m) * (x[n][k][p] - m); v /= N * P;"
              " FOR(n, N) FOR(p, P)"
              " y[n][k][p] = (x[n][k][p] - m) / sqrtf(v + 1e-5f){g}{b}; }",
              batchnorm, "g[k]", "b[k]")
GROUP = ("FOR(n, N) FOR(i, G) { float m = 0, v = 0; FOR(k, K) FOR(p, P) m += x[n][i][k][p];"
         " m /= K * P;"
         " FOR(k, K) FOR(p, P) v += (x[n][i][k][p] - m) * (x[n][i][k][p] - m); v /= K * P;"
         " FOR(k, K) FOR(p, P) y[n][i][k][p] = (x[n][i][k][p] - m) / sqrtf(v + 1e-5f)%s; }")
case("groupnorm", "x[N][G][K][P] g[G][K] b[G][K] -> y[N][G][K][P]",
     GROUP % " * g[i][k] + b[i][k]", groupnorm)
case("groupnorm", "x[N][G][K][P] b[G][K] -> y[N][G][K][P]", GROUP % " + b[i][k]",
     lambda x, b: groupnorm(x, b=b))
case("layernorm", "x[N][G][K][P] -> y[N][G][K][P]", GROUP % "", lambda x: groupnorm(x))
case("groupnorm", "x[N][G][K][P] g[G][K] -> y[N][G][K][P]", GROUP % " * g[i][k]",
     lambda x, g: groupnorm(x, g))
INSTANCE = ("FOR(n, N) FOR(k, K) { float m = 0, v = 0; FOR(p, P) m += x[n][k][p]; m /= P;"
            " FOR(p, P) v += (x[n][k][p] - m) * (x[n][k][p] - m); v /= P;"
            " FOR(p, P) y[n][k][p] = (x[n][k][p] - m) / sqrtf(v + 1e-5f)%s; }")
case("instancenorm", "x[N][K][P] g[K] b[K] -> y[N][K][P]", INSTANCE % " * g[k] + b[k]",
     instancenorm)
case("instancenorm", "x[N][K][P] b[K] -> y[N][K][P]", INSTANCE % " + b[k]",
     lambda x, b: instancenorm(x, b=b))
case("instancenorm", "x[N][K][P] g[K] -> y[N][K][P]", INSTANCE % " * g[k]",
     lambda x, g: instancenorm(x, g))
normalization("rmsnorm", "x[R][C] g[C] -> y[R][C]", "FOR(r, R) {" + SUM % "x[r][c] * x[r][c]" +
              "s = 1 / sqrtf(s / C + 1e-5f); FOR(c, C) y[r][c] = x[r][c] * s{g}; }",
              rmsnorm, "g[c]")
rows("rmsnorm", "x[R][C] g[C] -> y[R][C]", SUM % "x[r][c] * x[r][c]" +
     "s = 1 / sqrtf(s / C + 1e-5f); FOR(c, C) y[r][c] = x[r][c] * s * (1 + g[c]);",
     lambda x, g: rmsnorm(x, 1 + g), changed=False)
case("rmsnorm", "x[N][G][K][P] -> y[N][G][K][P]",
     "FOR(n, N) FOR(i, G) { float v = 0;"
     " FOR(k, K) FOR(p, P) v += x[n][i][k][p] * x[n][i][k][p]; v /= K * P;"
     " FOR(k, K) FOR(p, P) y[n][i][k][p] = x[n][i][k][p] / sqrtf(v + 1e-5f); }",
     lambda x: x / np.sqrt((x * x).mean((2, 3), keepdims=True) + EPSILON))
normalization("layernorm.residual", "x[R][C] a[R][C] g[C] b[C] -> y[R][C]",
              "FOR(r, R) { float m = 0, v = 0; FOR(c, C) m += x[r][c] + a[r][c]; m /= C;"
              " FOR(c, C) v += (x[r][c] + a[r][c] - m) * (x[r][c] + a[r][c] - m); v /= C;"
              " FOR(c, C) y[r][c] = (x[r][c] + a[r][c] - m) / sqrtf(v + 1e-5f){g}{b}; }",
              lambda x, a, g=1, b=0: layernorm(x + a, g, b), "g[c]", "b[c]")
normalization("rmsnorm.residual", "x[R][C] a[R][C] g[C] -> y[R][C]", "FOR(r, R) {" +
              SUM % "(x[r][c] + a[r][c]) * (x[r][c] + a[r][c])" +
              "s = 1 / sqrtf(s / C + 1e-5f);"
              " FOR(c, C) y[r][c] = (x[r][c] + a[r][c]) * s{g}; }",
              lambda x, a, g=1: rmsnorm(x + a, g), "g[c]")
rows("standardize", "x[R][C] -> y[R][C]", MEAN +
     SUM % "(x[r][c] - m) * (x[r][c] - m)" +
     "FOR(c, C) y[r][c] = (x[r][c] - m) / sqrtf(s / (C - 1) + 1e-5f);",
     lambda x: standardize(x, spread=1))
rows("l2-normalize", "x[R][C] -> y[R][C]", SUM % "x[r][c] * x[r][c]" +
     "s = 1 / sqrtf(s); FOR(c, C) y[r][c] = x[r][c] * s;",
     lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True))
rows("weight-norm", "x[R][C] g[R] -> y[R][C]", SUM % "x[r][c] * x[r][c]" +
     "s = g[r] / sqrtf(s); FOR(c, C) y[r][c] = x[r][c] * s;",
     lambda x, g: g[:, None] * x / np.linalg.norm(x, axis=-1, keepdims=True))
rows("min-max-normalize", "x[R][C] -> y[R][C]", MAX + "float l = INFINITY;"
     "FOR(c, C) l = fminf(l, x[r][c]); FOR(c, C) y[r][c] = (x[r][c] - l) / (m - l);",
     lambda x: (x - x.min(-1, keepdims=True)) / np.ptp(x, -1, keepdims=True))
rows("l1-normalize", "x[R][C] -> y[R][C]", SUM % "fabsf(x[r][c])" +
     "FOR(c, C) y[r][c] = x[r][c] / s;",
     lambda x: x / np.abs(x).sum(-1, keepdims=True))
rows("max-normalize", "x[R][C] -> y[R][C]",
     "float s = 0; FOR(c, C) s = fmaxf(s, fabsf(x[r][c])); FOR(c, C) y[r][c] = x[r][c] / s;",
     lambda x: x / np.abs(x).max(-1, keepdims=True))

# Statistics
LOGSUM = MAX + SUM % "expf(x[r][c] - m)"
of_row("logsumexp", LOGSUM + "y[r] = logf(s) + m;", lambda x: np.log(np.exp(x).sum(-1)),
       changed=False)
of_row("logsumexp", SUM % "expf(x[r][c])" + "y[r] = logf(s);",
       lambda x: np.log(np.exp(x).sum(-1)), scores=True)
of_row("variance", MEAN + SUM % "(x[r][c] - m) * (x[r][c] - m)" + "y[r] = s / C;",
       lambda x: x.var(-1))
of_row("variance", MEAN + SUM % "(x[r][c] - m) * (x[r][c] - m)" + "y[r] = s / (C - 1);",
       lambda x: x.var(-1, ddof=1))
of_row("standard-deviation", MEAN + SUM % "(x[r][c] - m) * (x[r][c] - m)" +
       "y[r] = sqrtf(s / C);", lambda x: x.std(-1), changed=False)
of_row("standard-deviation", MEAN + SUM % "(x[r][c] - m) * (x[r][c] - m)" +
       "y[r] = sqrtf(s / (C - 1));", lambda x: x.std(-1, ddof=1), changed=False)
of_two("cosine-similarity", "float s = 0, p = 0, q = 0; FOR(c, C) {"
       " s += x[r][c] * z[r][c]; p += x[r][c] * x[r][c]; q += z[r][c] * z[r][c]; }"
       "y[r] = s / (sqrtf(p) * sqrtf(q));",
       lambda x, z: (x * z).sum(-1) / np.linalg.norm(x, axis=-1)
       / np.linalg.norm(z, axis=-1))
of_two("cosine-similarity", "float s = 0, p = 0, q = 0; FOR(c, C) {"
       " s += x[r][c] * z[r][c]; p += x[r][c] * x[r][c]; q += z[r][c] * z[r][c]; }"
       "y[r] = s / (sqrtf(p) * sqrtf(q) + 1e-6f);",
       lambda x, z: (x * z).sum(-1) / np.linalg.norm(x, axis=-1)
       / np.linalg.norm(z, axis=-1))
of_two("distance", SUM % "(x[r][c] - z[r][c]) * (x[r][c] - z[r][c])" + "y[r] = sqrtf(s);",
       lambda x, z: np.linalg.norm(x - z, axis=-1))
of_two("squared-distance", SUM % "(x[r][c] - z[r][c]) * (x[r][c] - z[r][c])" + "y[r] = s;",
       lambda x, z: np.linalg.norm(x - z, axis=-1) ** 2)
rows("squared-distance", "x[R][C] z[R][C] a:pos -> y[R]",
     SUM % "(x[r][c] - z[r][c]) * (x[r][c] - z[r][c])" + "y[r] = s * a;",
     lambda x, z, a: a * ((x - z) ** 2).sum(-1), changed=False)
of_two("l1-distance", SUM % "fabsf(x[r][c] - z[r][c])" + "y[r] = s;",
       lambda x, z: np.abs(x - z).sum(-1))
of_row("rms", SUM % "x[r][c] * x[r][c]" + "y[r] = sqrtf(s / C);",
       lambda x: np.sqrt((x * x).mean(-1)))
of_row("l2-norm", SUM % "x[r][c] * x[r][c]" + "y[r] = sqrtf(s);",
       lambda x: np.linalg.norm(x, axis=-1))
of_row("sum-of-squares", SUM % "x[r][c] * x[r][c]" + "y[r] = s;", lambda x: (x * x).sum(-1))
case("sum-of-squares", "x[N] -> y[1]", "float s = 0; FOR(i, N) s += x[i] * x[i]; y[0] = s;",
     lambda x: (x * x).sum(keepdims=True))
case("sum-of-squares", "x[N] a -> y[1]", "float s = a; FOR(i, N) s += x[i] * x[i]; y[0] = s;",
     lambda x, a: a + (x * x).sum(keepdims=True))
case("squared-distance", "x[N] z[N] a -> y[1]",
     "float s = a; FOR(i, N) s += (x[i] - z[i]) * (x[i] - z[i]); y[0] = s;",
     lambda x, z, a: a + ((x - z) ** 2).sum(keepdims=True))
case("l1-distance", "x[N] z[N] a -> y[1]", "float s = a; FOR(i, N) s += fabsf(x[i] - z[i]); y[0] = s;",
     lambda x, z, a: a + np.abs(x - z).sum(keepdims=True))
case("l1-norm", "x[N] a -> y[1]", "float s = a; FOR(i, N) s += fabsf(x[i]); y[0] = s;",
     lambda x, a: a + np.abs(x).sum(keepdims=True))
of_row("sum-of-exponentials", SUM % "expf(x[r][c])" + "y[r] = s;",
       lambda x: np.exp(x).sum(-1), scores=True)
rows("sum-of-exponentials", "x[R][C] a -> y[R]", SUM % "expf(x[r][c] - a)" + "y[r] = s;",
     lambda x, a: np.exp(x - a).sum(-1), scores=True)
of_row("l1-norm", SUM % "fabsf(x[r][c])" + "y[r] = s;", lambda x: np.abs(x).sum(-1))
of_row("max-norm", "float s = 0; FOR(c, C) s = fmaxf(s, fabsf(x[r][c])); y[r] = s;",
       lambda x: np.abs(x).max(-1))
of_row("mean", SUM % "x[r][c]" + "y[r] = s / C;", lambda x: x.mean(-1))
of_row("sum", SUM % "x[r][c]" + "y[r] = s;", lambda x: x.sum(-1), windows=True)
rows("sum", "x[R][C] g[R] -> y[R]", "float s = g[r]; FOR(c, C) s += x[r][c]; y[r] = s;",
     lambda x, g: g.reshape(g.shape + (1,) * (x.ndim - 2)) + x.sum(-1), windows=True)
case("mean", "x[B][R][V] t:V[B][R] -> y[B]",
     "FOR(b, B) { float s = 0; FOR(r, R) s += x[b][r][t[b][r]]; y[b] = s / R; }",
     lambda x, t: np.take_along_axis(x, t[..., None], -1).mean((-2, -1)), changed=False)
case("sum", "x[B][R][V] t:V[B][R] -> y[B]",
     "FOR(b, B) { float s = 0; FOR(r, R) s += x[b][r][t[b][r]]; y[b] = s; }",
     lambda x, t: np.take_along_axis(x, t[..., None], -1).sum((-2, -1)), changed=False)
rows("sum", "x[R][C] a -> y[R]", "float s = a; FOR(c, C) s += x[r][c]; y[r] = s;",
     lambda x, a: a + x.sum(-1))
case("sum", "x[R][C] y[C] -> y[C]", "FOR(r, R) FOR(c, C) y[c] += x[r][c];",
     lambda x, y: y + x.sum(0))
of_row("max", MAX + "y[r] = m;", lambda x: x.max(-1))
of_row("min", "float m = INFINITY; FOR(c, C) m = x[r][c] < m ? x[r][c] : m; y[r] = m;",
       lambda x: x.min(-1))
of_row("max", "float m = 0; FOR(c, C) m = fmaxf(m, x[r][c]); y[r] = m;",
       lambda x: np.maximum(x.max(-1), 0))
of_row("min", "float m = 0; FOR(c, C) m = fminf(m, x[r][c]); y[r] = m;",
       lambda x: np.minimum(x.min(-1), 0))
of_row("product", "float s = 1; FOR(c, C) s *= x[r][c]; y[r] = s;", lambda x: x.prod(-1))
SEARCH = "float m = x[r][0]; int at = 0; FOR(c, C) if (x[r][c] %s m) { m = x[r][c]; at = c; }"
rows("argmax", "x[R][C] -> y:i[R]", SEARCH % ">" + "y[r] = at;",
     lambda x: np.argmax(x, -1), ties=True)
rows("argmin", "x[R][C] -> y:i[R]", SEARCH % "<" + "y[r] = at;",
     lambda x: np.argmin(x, -1), ties=True)
rows("argmax", "x[R][C] -> y:i[R]", SEARCH % ">=" + "y[r] = at;",
     lambda x: x.shape[-1] - 1 - np.argmax(x[..., ::-1], -1), ties=True, changed=False)
rows("argmin", "x[R][C] -> y:i[R]", SEARCH % "<=" + "y[r] = at;",
     lambda x: x.shape[-1] - 1 - np.argmin(x[..., ::-1], -1), ties=True, changed=False)

# Sums of all elements up to each one, without that one, in place
case("cumsum", "x[N] -> y[N]", "float s = 0; FOR(i, N) { s += x[i]; y[i] = s; }", np.cumsum)
case("cumsum", "x[R][C] -> y[R][C]",
     "FOR(r, R) { float s = 0; FOR(c, C) { y[r][c] = s; s += x[r][c]; } }",
     lambda x: np.cumsum(x, -1) - x)
case("cumsum", "x[N] -> x[N]", "for (long i = 1; i < N; i++) x[i] += x[i - 1];",
     np.cumsum, changed=False)
rows("sum-normalize", "x:pos[R][C] -> y[R][C]", SUM % "x[r][c]" + "FOR(c, C) y[r][c] = x[r][c] / s;",
     lambda x: x / x.sum(-1, keepdims=True))
