# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of losses, each of an element, a sum and a mean of rows."""
import numpy as np

from cases import case
from rows import of_row, rows


def loss(name, text, reference, x="", z="", numbers="", summed=True, **more):
    """`text` is of x[r][c] and z[r][c]; numbers: further arguments."""
    params = ["x", "z"] + [n.split(":")[0] for n in numbers.split()]
    inputs = "x%s[R][C] z%s[R][C] %s -> y[R]" % (x, z, numbers)
    for how, divide in (("sum", ""), ("mean", " / C")) if summed else ():
        source = "lambda %s: f(%s).%s(-1)" % (", ".join(params), ", ".join(params), how)
        case(name, inputs, "FOR(r, R) { float s_ = 0; FOR(c, C) s_ += %s; y[r] = s_%s; }"
             % (text, divide), eval(source, {"f": reference}), **more)
    case(name, "x%s[R][C] z%s[R][C] %s -> y[R][C]" % (x, z, numbers),
         "FOR(r, R) FOR(c, C) y[r][c] = %s;" % text, reference, **more)


X, Z = "x[r][c]", "z[r][c]"
ERROR = "(x[r][c] - z[r][c])"
SIZE = "fabsf(x[r][c] - z[r][c])"


def huber(x, z, s=1):
    e = np.abs(x - z)
    return np.where(e > s, s * (e - s / 2), e * e / 2)


def focal(x, z):
    return -z * (1 - x) ** 2 * np.log(x) - (1 - z) * x ** 2 * np.log(1 - x)


loss("smooth-l1", "%s > 1 ? %s - 0.5f : 0.5f * %s * %s" % (SIZE, SIZE, ERROR, ERROR), huber)
loss("huber", "%s > s ? s * (%s - 0.5f * s) : 0.5f * %s * %s" % (SIZE, SIZE, ERROR, ERROR),
     huber, numbers="s:pos")
loss("log-cosh", "logf((expf%s + expf(z[r][c] - x[r][c])) / 2)" % ERROR,
     lambda x, z: np.log(np.cosh(x - z)))
loss("focal-loss", "-z[r][c] * (1 - x[r][c]) * (1 - x[r][c]) * logf(x[r][c])"
     " - (1 - z[r][c]) * x[r][c] * x[r][c] * logf(1 - x[r][c])", focal, ":prob", ":prob")
loss("hinge-loss", "fmaxf(1 - x[r][c] * z[r][c], 0)", lambda x, z: np.maximum(1 - x * z, 0))
loss("squared-hinge-loss",
     "fmaxf(1 - x[r][c] * z[r][c], 0) * fmaxf(1 - x[r][c] * z[r][c], 0)",
     lambda x, z: np.maximum(1 - x * z, 0) ** 2)
loss("margin-loss", "fmaxf(x[r][c] - z[r][c] + s, 0)",
     lambda x, z, s: np.maximum(x - z + s, 0), numbers="s:pos")
loss("poisson-nll", "expf(x[r][c]) - x[r][c] * z[r][c]", lambda x, z: np.exp(x) - x * z)
loss("poisson-nll", "x[r][c] - z[r][c] * logf(x[r][c])", lambda x, z: x - z * np.log(x),
     ":pos", ":pos")
for summed, mean in ((True, False), (True, True)):
    rows("gaussian-nll", "x[R][C] z[R][C] v:pos[R][C] -> y[R]",
         "float s = 0; FOR(c, C) s += 0.5f * (logf(v[r][c]) + %s * %s / v[r][c]); y[r] = s%s;"
         % (ERROR, ERROR, " / C" if mean else ""),
         (lambda x, z, v: (np.log(v) + (x - z) ** 2 / v).mean(-1) / 2) if mean else
         (lambda x, z, v: (np.log(v) + (x - z) ** 2 / v).sum(-1) / 2))
rows("dice-loss", "x:prob[R][C] z:prob[R][C] -> y[R]",
     "float a = 0, b = 0, d = 0; FOR(c, C) { a += x[r][c] * z[r][c]; b += x[r][c];"
     " d += z[r][c]; } y[r] = 1 - 2 * a / (b + d);",
     lambda x, z: 1 - 2 * (x * z).sum(-1) / (x.sum(-1) + z.sum(-1)))
rows("dice-loss", "x:prob[R][C] z:prob[R][C] s:pos -> y[R]",
     "float a = 0, b = 0, d = 0; FOR(c, C) { a += x[r][c] * z[r][c]; b += x[r][c];"
     " d += z[r][c]; } y[r] = 1 - (2 * a + s) / (b + d + s);",
     lambda x, z, s: 1 - (2 * (x * z).sum(-1) + s) / (x.sum(-1) + z.sum(-1) + s))
loss("cross-entropy", "-z[r][c] * logf(x[r][c])", lambda x, z: -z * np.log(x), ":prob", ":prob")
case("cross-entropy", "x:prob[R][C] t:C[R] -> y[R]", "FOR(r, R) y[r] = -logf(x[r][t[r]]);",
     lambda x, t: -np.log(x[np.arange(len(t)), t]))
case("nll", "x[R][C] t:C[R] -> y[1]", "float s = 0; FOR(r, R) s -= x[r][t[r]]; y[0] = s / R;",
     lambda x, t: -x[np.arange(len(t)), t].mean(keepdims=True))
case("nll", "x[R][C] t:C[R] -> y[1]", "float s = 0; FOR(r, R) s -= x[r][t[r]]; y[0] = s;",
     lambda x, t: -x[np.arange(len(t)), t].sum(keepdims=True))
case("accuracy", "a:V[N] b:V[N] V=2 -> y[1]",
     "int n = 0; FOR(i, N) n += a[i] == b[i]; y[0] = (float)n / N;",
     lambda a, b: (a == b).mean(keepdims=True), changed=False)

# Statistics and normalization
rows("variance", "x[R][C] m[R] -> y[R]",
     "float s = 0; FOR(c, C) s += (x[r][c] - m[r]) * (x[r][c] - m[r]); y[r] = s / C;",
     lambda x, m: ((x - m[:, None]) ** 2).mean(-1))
rows("variance", "x[R][C] m[R] -> y[R]",
     "float s = 0; FOR(c, C) s += (x[r][c] - m[r]) * (x[r][c] - m[r]); y[r] = s / (C - 1);",
     lambda x, m: ((x - m[:, None]) ** 2).sum(-1) / (x.shape[-1] - 1))
rows("weight-norm", "x[R][C] g[R] -> y[R][C]",
     "float s = 0; FOR(c, C) s += x[r][c] * x[r][c]; s = g[r] / sqrtf(s);"
     " FOR(c, C) y[r][c] = x[r][c] * s;",
     lambda x, g: x * g[:, None] / np.linalg.norm(x, axis=-1, keepdims=True))
rows("min-max-normalize", "x[R][C] -> y[R][C]",
     "float a = x[r][0], b = x[r][0]; FOR(c, C) { a = fminf(a, x[r][c]); b = fmaxf(b, x[r][c]); }"
     " FOR(c, C) y[r][c] = (x[r][c] - a) / (b - a);",
     lambda x: (x - x.min(-1, keepdims=True)) / (x.max(-1, keepdims=True)
                                                 - x.min(-1, keepdims=True)))
rows("l1-normalize", "x:pos[R][C] -> y[R][C]",
     "float s = 0; FOR(c, C) s += x[r][c]; FOR(c, C) y[r][c] = x[r][c] / s;",
     lambda x: x / x.sum(-1, keepdims=True))
of_row("mean", "float s = 0; FOR(c, C) s += x[r][c]; y[r] = s / C;", lambda x: x.mean(-1),
       changed=False)
case("lrn", "x[K+2][P] s:pos -> y[K][P]",
     "FOR(k, K) FOR(p, P) { float s_ = 0; FOR(j, 3) s_ += x[k + j][p] * x[k + j][p];"
     " y[k][p] = x[k + 1][p] * powf(1 + s * s_, -0.75f); }",
     lambda x, s: x[1:-1] * (1 + s * (x[:-2] ** 2 + x[1:-1] ** 2 + x[2:] ** 2)) ** -0.75,
     changed=False)


def attention(q, k, v, D):
    s = q @ k.T / np.sqrt(D)
    return np.exp(s) / np.exp(s).sum(-1, keepdims=True) @ v


case("attention", "q[T][D] k[T][D] v[T][D] -> o[T][D] a[T]",
     "float z = 1 / sqrtf(D); FOR(i, T) { float m = -1e30f; FOR(j, T) { float s = 0;"
     " FOR(d, D) s += q[i][d] * k[j][d]; s *= z; a[j] = s; if (s > m) m = s; }"
     " float l = 0; FOR(j, T) { a[j] = expf(a[j] - m); l += a[j]; } FOR(j, T) a[j] /= l;"
     " FOR(d, D) { float s = 0; FOR(j, T) s += a[j] * v[j][d]; o[i][d] = s; } }",
     attention, changed=False)
