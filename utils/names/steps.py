# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of steps of optimizers: x are weights, d gradients, m and v moments."""
import numpy as np

from cases import case


def momentum(x, m, d, s, t):
    m = t * m + d
    return x - s * m, m


def adam(x, m, v, d, p):
    m = 0.9 * m + 0.1 * d
    v = 0.999 * v + 0.001 * d * d
    return x - p * m / (np.sqrt(v) + 1e-6), m, v


case("sgd", "x[N] d[N] s:pos -> x[N]", "FOR(i, N) x[i] -= s * d[i];",
     lambda x, d, s: x - s * d)
case("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob -> x[N] m[N]",
     "FOR(i, N) { m[i] = t * m[i] + d[i]; x[i] -= s * m[i]; }", momentum)
case("adam", "x[N] m[N] v:pos[N] d[N] p:pos -> x[N] m[N] v[N]",
     "FOR(i, N) { m[i] = 0.9f * m[i] + 0.1f * d[i];"
     " v[i] = 0.999f * v[i] + 0.001f * d[i] * d[i];"
     " x[i] -= p * m[i] / (sqrtf(v[i]) + 1e-6f); }", adam)
case("sgd", "x[N] d[N] s:pos t:pos -> x[N]", "FOR(i, N) x[i] -= s * (d[i] + t * x[i]);",
     lambda x, d, s, t: x - s * (d + t * x))
case("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob -> x[N] m[N]",
     "FOR(i, N) { m[i] = t * m[i] - s * d[i]; x[i] += m[i]; }",
     lambda x, m, d, s, t: (x + t * m - s * d, t * m - s * d))
case("sgd.nesterov", "x[N] m[N] d[N] s:pos t:prob -> x[N] m[N]",
     "FOR(i, N) { m[i] = t * m[i] + d[i]; x[i] -= s * (d[i] + t * m[i]); }",
     lambda x, m, d, s, t: (x - s * (d + t * (t * m + d)), t * m + d))
case("sign-sgd", "x[N] d[N] s:pos -> x[N]", "FOR(i, N) x[i] -= d[i] > 0 ? s : -s;",
     lambda x, d, s: x - s * np.sign(d))
case("adagrad", "x[N] v:pos[N] d[N] s:pos -> x[N] v[N]",
     "FOR(i, N) { v[i] += d[i] * d[i]; x[i] -= s * d[i] / (sqrtf(v[i]) + 1e-6f); }",
     lambda x, v, d, s: (x - s * d / np.sqrt(v + d * d), v + d * d))


def rmsprop(x, v, d, p, t):
    v = t * v + (1 - t) * d * d
    return x - p * d / np.sqrt(v), v


def adadelta(x, m, v, d):
    v = 0.9 * v + 0.1 * d * d
    step = np.sqrt(m + 1e-6) / np.sqrt(v + 1e-6) * d
    return x - step, v, 0.9 * m + 0.1 * step * step


def adamax(x, m, v, d, p):
    m, v = 0.9 * m + 0.1 * d, np.maximum(0.999 * v, np.abs(d))
    return x - p * m / v, m, v


def adamw(x, m, v, d, p, q):
    m = 0.9 * m + 0.1 * d
    v = 0.999 * v + 0.001 * d * d
    return x - p * m / np.sqrt(v) - p * q * x, m, v


def lion(x, m, d, p):
    return x - p * np.sign(0.9 * m + 0.1 * d), 0.99 * m + 0.01 * d


# What the numbers are is not looked at: nothing is changed.
case("rmsprop", "x[N] v:pos[N] d[N] p:pos t:prob -> x[N] v[N]",
     "FOR(i, N) { v[i] = t * v[i] + (1 - t) * d[i] * d[i];"
     " x[i] -= p * d[i] / (sqrtf(v[i]) + 1e-6f); }", rmsprop, changed=False)
case("adadelta", "x[N] m:pos[N] v:pos[N] d[N] -> x[N] v[N] m[N]",
     "FOR(i, N) { v[i] = 0.9f * v[i] + 0.1f * d[i] * d[i];"
     " float u = sqrtf(m[i] + 1e-6f) / sqrtf(v[i] + 1e-6f) * d[i];"
     " x[i] -= u; m[i] = 0.9f * m[i] + 0.1f * u * u; }", adadelta, changed=False)
case("adamax", "x[N] m[N] v:pos[N] d[N] p:pos -> x[N] m[N] v[N]",
     "FOR(i, N) { m[i] = 0.9f * m[i] + 0.1f * d[i]; v[i] = fmaxf(0.999f * v[i], fabsf(d[i]));"
     " x[i] -= p * m[i] / (v[i] + 1e-6f); }", adamax, changed=False)
case("adamw", "x[N] m[N] v:pos[N] d[N] p:pos q:pos -> x[N] m[N] v[N]",
     "FOR(i, N) { m[i] = 0.9f * m[i] + 0.1f * d[i];"
     " v[i] = 0.999f * v[i] + 0.001f * d[i] * d[i];"
     " x[i] -= p * (m[i] / (sqrtf(v[i]) + 1e-6f) + q * x[i]); }", adamw, changed=False)
case("lion", "x[N] m[N] d[N] p:pos -> x[N] m[N]",
     "FOR(i, N) { float u = 0.9f * m[i] + 0.1f * d[i]; x[i] -= p * (u > 0 ? 1 : -1);"
     " m[i] = 0.99f * m[i] + 0.01f * d[i]; }", lion, changed=False)


def clip(x, s):
    norm = np.linalg.norm(x, axis=-1, keepdims=True)
    return np.where(norm > s, x * s / norm, x)


case("clip-by-norm", "x[R][C] s:pos -> x[R][C]",
     "FOR(r, R) { float n = 0; FOR(c, C) n += x[r][c] * x[r][c]; n = sqrtf(n);"
     " FOR(c, C) x[r][c] = n > s ? x[r][c] * s / n : x[r][c]; }", clip, changed=False)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


# Cells, of what goes into the gates
case("lstm", "i[N] f[N] g[N] o[N] c[N] -> c[N] h[N]",
     "FOR(n, N) { float a = 1 / (1 + expf(-f[n])) * c[n] + 1 / (1 + expf(-i[n])) * tanhf(g[n]);"
     " c[n] = a; h[n] = 1 / (1 + expf(-o[n])) * tanhf(a); }",
     lambda i, f, g, o, c: (sigmoid(f) * c + sigmoid(i) * np.tanh(g),
                            sigmoid(o) * np.tanh(sigmoid(f) * c + sigmoid(i) * np.tanh(g))),
     changed=False)


def gru(x, u, h):
    (a, b, c), (r, s, t) = np.split(x, 3), np.split(u, 3)
    reset, z = sigmoid(a + r), sigmoid(b + s)
    return (1 - z) * np.tanh(c + reset * t) + z * h


case("gru", "x[3*N] u[3*N] h[N] -> h[N]",
     "FOR(n, N) { float z = 1 / (1 + expf(-(x[N + n] + u[N + n])));"
     " float q = 1 / (1 + expf(-(x[n] + u[n])));"
     " h[n] = (1 - z) * tanhf(x[2 * N + n] + q * u[2 * N + n]) + z * h[n]; }", gru,
     changed=False)


def rope(x, u, v):
    even, odd = x[..., 0], x[..., 1]
    return np.stack([even * u - odd * v, even * v + odd * u], -1)


case("rope", "x[T][D][2] u[T][D] v[T][D] -> x[T][D][2]",
     "FOR(t, T) FOR(d, D) { float a = x[t][d][0], b = x[t][d][1];"
     " x[t][d][0] = a * u[t][d] - b * v[t][d]; x[t][d][1] = a * v[t][d] + b * u[t][d]; }",
     rope, changed=False)
