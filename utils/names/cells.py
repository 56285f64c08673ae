# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of attention, rotated positions and cells of recurrent networks."""
import numpy as np

from cases import case
from gradients import pull_back
from maps import sigmoid
from rows import softmax


def lstm(i, f, z, o, c):
    """Gates, before their functions, and the state of the cell: (state, output)."""
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(z)
    return c, sigmoid(o) * np.tanh(c)


def gru(g, u, h):
    """g and u: what comes of the input and of h, for reset, update and new."""
    r, z = sigmoid(g[0] + u[0]), sigmoid(g[1] + u[1])
    return (1 - z) * np.tanh(g[2] + r * u[2]) + z * h


def rotated(x, s, t):
    """Pairs of neighbours as numbers of the plane, by angles with these cosines and sines."""
    pairs = (x[..., 0] + 1j * x[..., 1]) * (s + 1j * t)
    return np.stack((pairs.real, pairs.imag), -1)


def sig(text):
    return "1 / (1 + expf(-(%s)))" % text


case("lstm", "a[N] b[N] d[N] e[N] c[N] h[N] -> c[N] h[N]",
     "FOR(i, N) { float p = %s, q = %s, r = %s; c[i] = q * c[i] + p * tanhf(d[i]);"
     " h[i] = r * tanhf(c[i]); }" % (sig("a[i]"), sig("b[i]"), sig("e[i]")),
     lambda a, b, d, e, c: lstm(a, b, d, e, c))
case("lstm", "g[4][N] c[N] -> c[N] h[N]",
     "FOR(i, N) { float p = %s, q = %s, r = %s; c[i] = q * c[i] + p * tanhf(g[2][i]);"
     " h[i] = r * tanhf(c[i]); }" % (sig("g[0][i]"), sig("g[1][i]"), sig("g[3][i]")),
     lambda g, c: lstm(*g, c))
case("gru", "g[3][N] u[3][N] h[N] -> h[N]",
     "FOR(i, N) { float z = %s, r = %s, n = tanhf(g[2][i] + r * u[2][i]);"
     " h[i] = (1 - z) * n + z * h[i]; }" % (sig("g[1][i] + u[1][i]"), sig("g[0][i] + u[0][i]")),
     gru)
# Gates and states in any order
case("gru", "n[N] u[N] h[N] z[N] v[N] r[N] w[N] -> h[N]",
     "FOR(i, N) { float t = %s, q = %s; h[i] = q * h[i] + (1 - q) * tanhf(n[i] + t * u[i]); }"
     % (sig("w[i] + r[i]"), sig("v[i] + z[i]")),
     lambda n, u, h, z, v, r, w: gru((r, z, n), (w, v, u), h), changed=False)
case("gru", "r[N] w[N] z[N] v[N] n[N] u[N] h[N] y[N] -> y[N]",
     "FOR(i, N) y[i] = tanhf(%s * u[i] + n[i]) * (1 - %s) + h[i] * %s;"
     % (sig("r[i] + w[i]"), sig("z[i] + v[i]"), sig("z[i] + v[i]")),
     lambda r, w, z, v, n, u, h: gru((r, z, n), (w, v, u), h), changed=False)
RNN = ("FOR(i, N) { float s = %s; FOR(j, M) s += w[i][j] * x[j];"
       " FOR(j, %s) s += u[i][j] * h[j]; y[i] = tanhf(s); }")
case("rnn", "x[M] w[N][M] h[N] u[N][N] b[N] -> y[N]", RNN % ("b[i]", "N"),
     lambda x, w, h, u, b: np.tanh(w @ x + u @ h + b), changed=False)
case("rnn", "x[M] w[N][M] h[N] u[N][N] b[N] c[N] -> y[N]", RNN % ("b[i] + c[i]", "N"),
     lambda x, w, h, u, b, c: np.tanh(w @ x + u @ h + b + c), changed=False)
case("rnn", "x[M] w[N][M] h[M] u[N][M] -> y[N]",
     "FOR(i, N) { float s = 0; FOR(j, M) s += w[i][j] * x[j] + u[i][j] * h[j];"
     " y[i] = tanhf(s); }", lambda x, w, h, u: np.tanh(w @ x + u @ h))
case("rnn", "x[B][M] w[N][M] h[B][N] u[N][N] -> y[B][N]",
     "FOR(k, B) FOR(i, N) { float s = 0; FOR(j, M) s += w[i][j] * x[k][j];"
     " FOR(j, N) s += u[i][j] * h[k][j]; y[k][i] = tanhf(s); }",
     lambda x, w, h, u: np.tanh(x @ w.T + h @ u.T), changed=False)
case("rope", "x[T][H][2] s[T][H] t[T][H] -> x[T][H][2]",
     "FOR(i, T) FOR(j, H) { float p = x[i][j][0], q = x[i][j][1];"
     " x[i][j][0] = p * s[i][j] - q * t[i][j]; x[i][j][1] = p * t[i][j] + q * s[i][j]; }",
     rotated)
case("rope", "x[T][2][H] s[T][H] t[T][H] -> x[T][2][H]",
     "FOR(i, T) FOR(j, H) { float p = x[i][0][j], q = x[i][1][j];"
     " x[i][0][j] = p * s[i][j] - q * t[i][j]; x[i][1][j] = q * s[i][j] + p * t[i][j]; }",
     lambda x, s, t: np.swapaxes(rotated(np.swapaxes(x, 1, 2), s, t), 1, 2))
SCORES = ("float m = -INFINITY, s = 0; FOR(j, N) { float p = 0;"
          " FOR(d, D) p += q[i][d] * k[j][d]; a%s[j] = p; m = fmaxf(m, p); }"
          " FOR(j, N) { a%s[j] = expf(a%s[j] - m); s += a%s[j]; } FOR(j, N) a%s[j] /= s;")
AVERAGE = "FOR(e, E) { float p = 0; FOR(j, N) p += a%s[j] * v[j][e]; y[i][e] = p; }"
case("attention", "q[M][D] k[N][D] v[N][E] -> y[M][E] a[N]",
     "FOR(i, M) { " + SCORES.replace("%s", "") + AVERAGE % "" + " }",
     lambda q, k, v: (softmax(q @ k.T) @ v, softmax(q @ k.T)[-1]), changed=False)
case("attention", "q[M][D] k[N][D] v[N][E] -> y[M][E] a[M][N]",
     "FOR(i, M) { " + SCORES.replace("%s", "[i]") + AVERAGE % "[i]" + " }",
     lambda q, k, v: (softmax(q @ k.T) @ v, softmax(q @ k.T)), changed=False)
case("attention", "x[M][N] v[N][E] -> y[M][E] a[N]", "FOR(i, M) { float s = 0;"
     " FOR(j, N) { a[j] = expf(x[i][j]); s += a[j]; } FOR(j, N) a[j] /= s;" + AVERAGE % "" + " }",
     lambda x, v: (softmax(x) @ v, softmax(x)[-1]), scores=True)
case("softmax", "q[M][D] k[N][D] -> a[M][N]",
     "FOR(i, M) { " + SCORES.replace("%s", "[i]") + " }", lambda q, k: softmax(q @ k.T),
     changed=False)
case("attention.backward", "p:row[M][N] g[M][D] v[N][D] -> y[M][N] a[M][N]",
     "FOR(i, M) { float s = 0; FOR(j, N) { float q = 0; FOR(d, D) q += g[i][d] * v[j][d];"
     " a[i][j] = q; s += p[i][j] * q; } FOR(j, N) y[i][j] = p[i][j] * (a[i][j] - s); }",
     lambda p, g, v: (pull_back(softmax, np.log(p), g @ v.T), g @ v.T))
