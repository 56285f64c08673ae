# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of steps of optimizers: x are weights, d gradients, m and v moments."""
import numpy as np

from cases import case


EPSILON = 1e-6


def moments(m, v, d, s=0.9, t=0.999):
    """Means that forget, of gradients and of their squares."""
    return s * m + (1 - s) * d, t * v + (1 - t) * d * d


def momentum(x, m, d, s, t):
    m = t * m + d
    return x - s * m, m


def velocity(x, m, d, s, t):
    m = t * m - s * d
    return x + m, m


def dampened(x, m, d, s, t):
    m = t * m + (1 - t) * d
    return x - s * m, m


def nesterov(x, m, d, s, t):
    m = t * m + d
    return x - s * (d + t * m), m


def accelerated(x, m, d, s, t):
    """Nesterov's with the velocity of all that has been stepped."""
    m = t * m - s * d
    return x + t * m - s * d, m


def adagrad(x, v, d, s):
    v = v + d * d
    return x - s * d / (np.sqrt(v) + EPSILON), v


def rmsprop(x, v, d, s):
    v = 0.9 * v + 0.1 * d * d
    return x - s * d / (np.sqrt(v) + EPSILON), v


def corrected_rmsprop(x, v, d, p, r):
    _, v = moments(0, v, d)
    return x - p * d / (np.sqrt(v / r) + EPSILON), v


def adadelta(x, v, m, d):
    v = 0.9 * v + 0.1 * d * d
    step = np.sqrt(m + EPSILON) / np.sqrt(v + EPSILON) * d
    return x - step, v, 0.9 * m + 0.1 * step * step


def adam(x, m, v, d, p):
    m, v = moments(m, v, d)
    return x - p * m / (np.sqrt(v) + EPSILON), m, v


def corrected_adam(x, m, v, d, p, q, r):
    """q and r are 1 - s^n and 1 - t^n in the n-th step."""
    m, v = moments(m, v, d)
    return x - p * (m / q) / (np.sqrt(v / r) + EPSILON), m, v


def adamw(x, m, v, d, p, r):
    m, v = moments(m, v, d)
    return x - p * (m / (np.sqrt(v) + EPSILON) + r * x), m, v


def adamax(x, m, v, d, p):
    m, v = 0.9 * m + 0.1 * d, np.maximum(0.999 * v, np.abs(d))
    return x - p * m / (v + EPSILON), m, v


def lion(x, m, d, p, r=0):
    return x - p * (np.sign(0.9 * m + 0.1 * d) + r * x), 0.99 * m + 0.01 * d


def step(name, inputs, text, reference, **more):
    """One that updates x, and the moments among its inputs."""
    outputs = " ".join(w[0] + "[N]" for w in inputs.split() if w[0] in "xmv")
    case(name, "%s -> %s" % (inputs, outputs), "FOR(i, N) { %s }" % text, reference, **more)


MOMENTS = ("m[i] = 0.9f * m[i] + 0.1f * d[i];"
           " v[i] = 0.999f * v[i] + 0.001f * d[i] * d[i];")

step("sgd", "x[N] d[N] s:pos", "x[i] -= s * d[i];", lambda x, d, s: x - s * d)
step("sgd", "x[N] d[N] s:pos t:pos", "x[i] -= s * (d[i] + t * x[i]);",
     lambda x, d, s, t: x - s * (d + t * x))
step("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob",
     "m[i] = t * m[i] + d[i]; x[i] -= s * m[i];", momentum, rates=True)
step("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob",
     "m[i] = t * m[i] - s * d[i]; x[i] += m[i];", velocity, rates=True)
step("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob",
     "m[i] = t * m[i] + (1 - t) * d[i]; x[i] -= s * m[i];", dampened, rates=True)
step("sgd.nesterov", "x[N] m[N] d[N] s:pos t:prob",
     "m[i] = t * m[i] + d[i]; x[i] -= s * (d[i] + t * m[i]);", nesterov,
     rates=True)
# With decay of weights, and moments of what is left of gradients then.
step("sgd", "x[N] d[N] s:pos t:pos p:pos", "x[i] -= s * (p * d[i] + t * x[i]);",
     lambda x, d, s, t, p: x - s * (p * d + t * x))
step("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob q:prob",
     "m[i] = t * m[i] + d[i] + q * x[i]; x[i] -= s * m[i];",
     lambda x, m, d, s, t, q: momentum(x, m, d + q * x, s, t), rates=True)
step("sgd.momentum", "x[N] m[N] d[N] s:pos t:prob p:pos q:prob",
     "m[i] = t * m[i] - s * (p * d[i] + q * x[i]); x[i] += m[i];",
     lambda x, m, d, s, t, p, q: velocity(x, m, p * d + q * x, s, t), rates=True)
step("sgd.nesterov", "x[N] m[N] d[N] s:pos t:prob q:prob",
     "float u = d[i] + q * x[i]; m[i] = t * m[i] + u; x[i] -= s * (u + t * m[i]);",
     lambda x, m, d, s, t, q: nesterov(x, m, d + q * x, s, t), rates=True)
step("sgd.nesterov", "x[N] m[N] d[N] s:pos t:prob p:pos q:prob",
     "float u = p * d[i] + q * x[i]; m[i] = t * m[i] - s * u; x[i] += t * m[i] - s * u;",
     lambda x, m, d, s, t, p, q: accelerated(x, m, p * d + q * x, s, t), rates=True)
step("rmsprop", "x[N] v:pos[N] d[N] s:pos q:prob", "float u = d[i] + q * x[i];"
     " v[i] = 0.9f * v[i] + 0.1f * u * u; x[i] -= s * u / (sqrtf(v[i]) + 1e-6f);",
     lambda x, v, d, s, q: rmsprop(x, v, d + q * x, s), rates=True)
step("adam", "x[N] m[N] v:pos[N] d[N] p:pos q:prob", "float u = d[i] + q * x[i];"
     + MOMENTS.replace("d[i]", "u") + "x[i] -= p * m[i] / (sqrtf(v[i]) + 1e-6f);",
     lambda x, m, v, d, p, q: adam(x, m, v, d + q * x, p), rates=True)
step("adagrad", "x[N] v:pos[N] d[N] s:pos",
     "v[i] += d[i] * d[i]; x[i] -= s * d[i] / (sqrtf(v[i]) + 1e-6f);", adagrad, rates=True)
step("rmsprop", "x[N] v:pos[N] d[N] s:pos", "v[i] = 0.9f * v[i] + 0.1f * d[i] * d[i];"
     " x[i] -= s * d[i] / (sqrtf(v[i]) + 1e-6f);", rmsprop, rates=True)
step("rmsprop", "x[N] v:pos[N] d[N] p:pos",
     "v[i] = 0.999f * v[i] + 0.001f * d[i] * d[i]; x[i] -= p * d[i] / (sqrtf(v[i]) + 1e-6f);",
     lambda x, v, d, p: corrected_rmsprop(x, v, d, p, 1), rates=True)
step("rmsprop", "x[N] v:pos[N] d[N] p:pos r:prob",
     "v[i] = 0.999f * v[i] + 0.001f * d[i] * d[i]; x[i] -= p * d[i] / (sqrtf(v[i] / r) + 1e-6f);",
     corrected_rmsprop, rates=True)
step("adadelta", "x[N] v:pos[N] m:pos[N] d[N]", "v[i] = 0.9f * v[i] + 0.1f * d[i] * d[i];"
     " float u = sqrtf(m[i] + 1e-6f) / sqrtf(v[i] + 1e-6f) * d[i];"
     " m[i] = 0.9f * m[i] + 0.1f * u * u; x[i] -= u;", adadelta, rates=True)
step("adam", "x[N] m[N] v:pos[N] d[N] p:pos",
     MOMENTS + "x[i] -= p * m[i] / (sqrtf(v[i]) + 1e-6f);", adam, rates=True)
step("adam", "x[N] m[N] v:pos[N] d[N] p:pos q:prob r:prob",
     MOMENTS + "x[i] -= p * (m[i] / q) / (sqrtf(v[i] / r) + 1e-6f);", corrected_adam, rates=True)
step("adamw", "x[N] m[N] v:pos[N] d[N] p:pos r:pos",
     MOMENTS + "x[i] -= p * (m[i] / (sqrtf(v[i]) + 1e-6f) + r * x[i]);", adamw, rates=True)
step("adamax", "x[N] m[N] v:pos[N] d[N] p:pos", "m[i] = 0.9f * m[i] + 0.1f * d[i];"
     " v[i] = fmaxf(0.999f * v[i], fabsf(d[i])); x[i] -= p * m[i] / (v[i] + 1e-6f);", adamax, rates=True)
SIGNS = "float u = 0.9f * m[i] + 0.1f * d[i]; m[i] = 0.99f * m[i] + 0.01f * d[i];"
step("lion", "x[N] m[N] d[N] p:pos", SIGNS + "x[i] -= p * ((u > 0) - (u < 0));", lion,
     rates=True)
step("lion", "x[N] m[N] d[N] p:pos r:pos",
     SIGNS + "x[i] -= p * ((u > 0 ? 1 : u < 0 ? -1 : 0) + r * x[i]);", lion, rates=True)
step("sign-sgd", "x[N] d[N] s:pos", "x[i] -= s * (d[i] > 0 ? 1 : -1);",
     lambda x, d, s: x - s * np.sign(d))
case("ema", "x[N] z[N] s:prob -> x[N]", "FOR(i, N) x[i] = s * x[i] + (1 - s) * z[i];",
     lambda x, z, s: s * x + (1 - s) * z)
case("clip-by-norm", "x[R][C] s:pos -> y[R][C]", "FOR(r, R) { float q = 0;"
     " FOR(c, C) q += x[r][c] * x[r][c]; q = sqrtf(q);"
     " FOR(c, C) y[r][c] = q > s ? x[r][c] * s / q : x[r][c]; }",
     lambda x, s: x * np.minimum(1, s / np.linalg.norm(x, axis=-1, keepdims=True)))
case("dropout", "x[N] t:u8[N] s:prob -> y[N]",
     "FOR(i, N) y[i] = t[i] ? x[i] / (1 - s) : 0;",
     lambda x, t, s: np.where(t, x / (1 - s), 0))
case("dropout", "x[N] u:prob[N] s:prob -> y[N]",
     "FOR(i, N) y[i] = u[i] < s ? 0 : x[i] * (1 / (1 - s));",
     lambda x, u, s: np.where(u < s, 0, x / (1 - s)))
