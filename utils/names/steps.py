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
