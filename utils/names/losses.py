# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of losses: x is predicted, z or t what it should be."""
import numpy as np

from cases import case
from rows import LOGSUM, SUM, log_softmax, of_row, of_two, rows


def cross_entropy(x, t):
    return -log_softmax(x)[np.arange(len(t)), t]


rows("cross-entropy", "x[R][C] t:C[R] -> y[R]", LOGSUM +
     "y[r] = logf(s) + m - x[r][t[r]];", cross_entropy, changed=False)
rows("cross-entropy", "x[R][C] t:C[R] -> y[R]", SUM % "expf(x[r][c])" +
     "y[r] = logf(s) - x[r][t[r]];", cross_entropy)
rows("cross-entropy", "x[R][C] -> y[R]", SUM % "expf(x[r][c])" +
     "y[r] = logf(s) - x[r][0];", lambda x: -log_softmax(x)[:, 0])
case("cross-entropy", "x[R][C] t:C[R] -> y[1]", "float l = 0;"
     "FOR(r, R) { %s l += logf(s) + m - x[r][t[r]]; } y[0] = l / R;" % LOGSUM,
     lambda x, t: cross_entropy(x, t).mean(keepdims=True), changed=False)
rows("cross-entropy", "x[R][C] q:row[R][C] -> y[R]", LOGSUM +
     "float l = 0; FOR(c, C) l -= q[r][c] * (x[r][c] - m - logf(s)); y[r] = l;",
     lambda x, q: -(q * log_softmax(x)).sum(-1))
of_two("mse", SUM % "(x[r][c] - z[r][c]) * (x[r][c] - z[r][c])" + "y[r] = s / C;",
       lambda x, z: ((x - z) ** 2).mean(-1))
of_two("mae", SUM % "fabsf(x[r][c] - z[r][c])" + "y[r] = s / C;",
       lambda x, z: np.abs(x - z).mean(-1))
of_two("binary-cross-entropy", "float s = 0; FOR(c, C)"
       " s -= z[r][c] * logf(x[r][c]) + (1 - z[r][c]) * logf(1 - x[r][c]); y[r] = s / C;",
       lambda x, z: -(z * np.log(x) + (1 - z) * np.log(1 - x)).mean(-1), ":prob", ":prob")
of_two("binary-cross-entropy", "float s = 0; FOR(c, C)"
       " s -= z[r][c] * logf(x[r][c]) + (1 - z[r][c]) * logf(1 - x[r][c]); y[r] = s;",
       lambda x, z: -(z * np.log(x) + (1 - z) * np.log(1 - x)).sum(-1), ":prob", ":prob")
case("binary-cross-entropy", "x:prob[N] z:prob[N] -> y[N]",
     "FOR(i, N) y[i] = -z[i] * logf(x[i]) - (1 - z[i]) * logf(1 - x[i]);",
     lambda x, z: -(z * np.log(x) + (1 - z) * np.log(1 - x)))
of_two("binary-cross-entropy.logits",
       SUM % "logf(1 + expf(x[r][c])) - x[r][c] * z[r][c]" + "y[r] = s / C;",
       lambda x, z: (np.log1p(np.exp(x)) - x * z).mean(-1), "", ":prob")
of_two("binary-cross-entropy.logits",
       SUM % "logf(1 + expf(x[r][c])) - x[r][c] * z[r][c]" + "y[r] = s;",
       lambda x, z: (np.log1p(np.exp(x)) - x * z).sum(-1), "", ":prob")
case("binary-cross-entropy.logits", "x[N] z:prob[N] -> y[N]",
     "FOR(i, N) y[i] = fmaxf(x[i], 0) - x[i] * z[i] + logf(1 + expf(-fabsf(x[i])));",
     lambda x, z: np.log1p(np.exp(x)) - x * z)
of_two("kl-divergence", SUM % "z[r][c] * logf(z[r][c] / x[r][c])" + "y[r] = s;",
       lambda x, z: (z * (np.log(z) - np.log(x))).sum(-1), ":row", ":row")
of_two("kl-divergence", SUM % "z[r][c] * (logf(z[r][c]) - x[r][c])" + "y[r] = s / C;",
       lambda x, z: (z * (np.log(z) - x)).mean(-1), "", ":row")
of_two("kl-divergence", SUM % "z[r][c] * (logf(z[r][c]) - x[r][c])" + "y[r] = s;",
       lambda x, z: (z * (np.log(z) - x)).sum(-1), "", ":row")
of_two("kl-divergence", SUM % "z[r][c] * logf(z[r][c] / x[r][c])" + "y[r] = s / C;",
       lambda x, z: (z * (np.log(z) - np.log(x))).mean(-1), ":row", ":row")


def loss(name, text, reference, x="", z=""):
    """The mean and the sum of each row, and the loss of each element."""
    of_two(name, SUM % text + "y[r] = s / C;", lambda x, z: reference(x, z).mean(-1), x, z)
    of_two(name, SUM % text + "y[r] = s;", lambda x, z: reference(x, z).sum(-1), x, z)
    of_each(name, text, reference, x, z)


def of_each(name, text, reference, x="", z=""):
    case(name, "x%s[R][C] z%s[R][C] -> y[R][C]" % (x, z),
         "FOR(r, R) FOR(c, C) y[r][c] = %s;" % text, reference)


def huber(e, s=1):
    return np.where(np.abs(e) < s, e * e / 2, s * (np.abs(e) - s / 2))


def of_huber(number, reduced):
    if number:
        return lambda x, z, a: reduced(huber(x - z, a))
    return lambda x, z: reduced(huber(x - z))


DIFFERENCE = "float e = fabsf(x[r][c] - z[r][c]);"
for name, bound, number in (("smooth-l1", "1", ""), ("huber", "a", "a:pos")):
    inputs, text = "x[R][C] z[R][C] " + number, (
        DIFFERENCE + "float l = e < {a} ? 0.5f * e * e : {a} * (e - 0.5f * {a});").replace(
            "{a}", bound)
    for result, code, reduced in (("y[R]", "y[r] = s / C;", lambda l: l.mean(-1)),
                                  ("y[R]", "y[r] = s;", lambda l: l.sum(-1))):
        rows(name, inputs + " -> " + result, "float s = 0; FOR(c, C) { %s s += l; } %s" % (
            text, code), of_huber(number, reduced))
    rows(name, inputs + " -> y[R][C]", "FOR(c, C) { %s y[r][c] = l; }" % text,
         of_huber(number, lambda l: l))
loss("log-cosh", "logf(coshf(x[r][c] - z[r][c]))", lambda x, z: np.log(np.cosh(x - z)))
loss("focal-loss", "-(z[r][c] * (1 - x[r][c]) * (1 - x[r][c]) * logf(x[r][c])"
     " + (1 - z[r][c]) * x[r][c] * x[r][c] * logf(1 - x[r][c]))",
     lambda x, z: -(z * (1 - x) ** 2 * np.log(x) + (1 - z) * x ** 2 * np.log(1 - x)),
     ":prob", ":prob")
loss("hinge-loss", "fmaxf(1 - x[r][c] * z[r][c], 0)", lambda x, z: np.maximum(1 - x * z, 0))
loss("squared-hinge-loss", "fmaxf(1 - x[r][c] * z[r][c], 0) * fmaxf(1 - x[r][c] * z[r][c], 0)",
     lambda x, z: np.maximum(1 - x * z, 0) ** 2)
case("margin-loss", "x[N] z[N] a:pos -> y[N]", "FOR(i, N) y[i] = fmaxf(x[i] - z[i] + a, 0);",
     lambda x, z, a: np.maximum(x - z + a, 0))
loss("poisson-nll", "expf(x[r][c]) - z[r][c] * x[r][c]", lambda x, z: np.exp(x) - z * x)
loss("poisson-nll", "x[r][c] - z[r][c] * logf(x[r][c])", lambda x, z: x - z * np.log(x), ":pos")
case("gaussian-nll", "x[R][C] z[R][C] v:pos[R][C] -> y[R]", "FOR(r, R) { float s = 0;"
     " FOR(c, C) { float e = z[r][c] - x[r][c]; s += 0.5f * (logf(v[r][c]) + e * e / v[r][c]); }"
     " y[r] = s / C; }", lambda x, z, v: (np.log(v) + (x - z) ** 2 / v).mean(-1) / 2)
case("dice-loss", "x:prob[R][C] z:prob[R][C] -> y[R]",
     "FOR(r, R) { float s = 0, p = 0, q = 0; FOR(c, C) {"
     " s += x[r][c] * z[r][c]; p += x[r][c]; q += z[r][c]; } y[r] = 1 - 2 * s / (p + q); }",
     lambda x, z: 1 - 2 * (x * z).sum(-1) / (x.sum(-1) + z.sum(-1)))
case("dice-loss", "x:prob[R][C] z:prob[R][C] a:pos -> y[R]",
     "FOR(r, R) { float s = 0, p = 0, q = 0; FOR(c, C) {"
     " s += x[r][c] * z[r][c]; p += x[r][c]; q += z[r][c]; }"
     " y[r] = 1 - (2 * s + a) / (p + q + a); }",
     lambda x, z, a: 1 - (2 * (x * z).sum(-1) + a) / (x.sum(-1) + z.sum(-1) + a))
loss("cross-entropy", "-z[r][c] * logf(x[r][c])", lambda x, z: -z * np.log(x), ":prob", ":prob")
case("cross-entropy", "x:row[R][V] t:V[R] -> y[R]", "FOR(r, R) y[r] = -logf(x[r][t[r]]);",
     lambda x, t: -np.log(x[np.arange(len(t)), t]))
for code, mean in (("s / R", True), ("s", False)):
    case("nll", "x[B][R][V] t:V[B][R] -> y[B]", "FOR(b, B) { float s = 0;"
         " FOR(r, R) s -= x[b][r][t[b][r]]; y[b] = %s; }" % code,
         lambda x, t, mean=mean: -np.take_along_axis(x, t[..., None], -1).sum((-2, -1)) / (
             t.shape[-1] if mean else 1))
rows("accuracy", "t:V[R][C] u:V[R][C] -> y[R]",
     "float s = 0; FOR(c, C) s += t[r][c] == u[r][c]; y[r] = s / C;",
     lambda t, u: (t == u).mean(-1))
rows("accuracy", "t:V[R][C] u:V[R][C] -> y[R]",
     "float s = 0; FOR(c, C) s += t[r][c] == u[r][c]; y[r] = s;", lambda t, u: (t == u).sum(-1))
