# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of what moves elements, masks them, or makes them of their indices."""
import numpy as np

from cases import case

# Elements in another order
case("copy", "x[R][C] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[r][c];", np.copy)
case("swap", "x[N] y[N] -> x[N] y[N]",
     "FOR(n, N) { float s = x[n]; x[n] = y[n]; y[n] = s; }", lambda x, y: (y, x))
case("reverse", "x[N] -> y[N]", "FOR(i, N) y[i] = x[N - 1 - i];", lambda x: x[::-1])
case("transpose", "x[R][C] -> y[C][R]", "FOR(r, R) FOR(c, C) y[c][r] = x[r][c];",
     lambda x: x.T)
case("permute", "x[L][M][N] -> y[N][L][M]",
     "FOR(l, L) FOR(m, M) FOR(n, N) y[n][l][m] = x[l][m][n];",
     lambda x: np.transpose(x, (2, 0, 1)))
case("gather", "x[V][C] t:V[R] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[t[r]][c];",
     lambda x, t: x[t])
case("broadcast", "b[C] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = b[c];",
     lambda b, R: np.repeat(b[None], R, 0))
case("broadcast", "b[R] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = b[r];",
     lambda b, C: np.repeat(b[:, None], C, 1))
case("broadcast", "b[K] -> y[B][K][P]",
     "FOR(n, B) FOR(k, K) FOR(p, P) y[n][k][p] = b[k];",
     lambda b, B, P: np.broadcast_to(b[None, :, None], (B, b.size, P)))
case("embedding", "x[V][C] p[R][C] t:V[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[t[r]][c] + p[r][c];", lambda x, p, t: x[t] + p)
case("pad", "x[R][C] -> y[R+4][C+4]",
     "FOR(r, R + 4) FOR(c, C + 4) { long i = r - 2, j = c - 2;"
     " y[r][c] = i >= 0 && i < R && j >= 0 && j < C ? x[i][j] : 0; }",
     lambda x: np.pad(x, 2), changed=False)
case("upsample.nearest", "x[R][C] -> y[2*R][2*C]",
     "FOR(r, 2 * R) FOR(c, 2 * C) y[r][c] = x[r / 2][c / 2];",
     lambda x: x.repeat(2, 0).repeat(2, 1))
case("pixel-shuffle", "x[K][2][2][P][Q] -> y[K][2*P][2*Q]",
     "FOR(k, K) FOR(p, P) FOR(q, Q) FOR(i, 2) FOR(j, 2)"
     " y[k][2 * p + i][2 * q + j] = x[k][i][j][p][q];",
     lambda x, K, P, Q: x.transpose(0, 3, 1, 4, 2).reshape(K, 2 * P, 2 * Q))
case("pixel-unshuffle", "x[K][2*P][2*Q] -> y[K][2][2][P][Q]",
     "FOR(k, K) FOR(i, 2) FOR(j, 2) FOR(p, P) FOR(q, Q)"
     " y[k][i][j][p][q] = x[k][2 * p + i][2 * q + j];",
     lambda x, K, P, Q: x.reshape(K, P, 2, Q, 2).transpose(0, 2, 4, 1, 3))
case("pixel-unshuffle", "x[2*P][2*Q][K] -> y[P][Q][2][2][K]",
     "FOR(p, P) FOR(q, Q) FOR(i, 2) FOR(j, 2) FOR(k, K)"
     " y[p][q][i][j][k] = x[2 * p + i][2 * q + j][k];",
     lambda x, K, P, Q: x.reshape(P, 2, Q, 2, K).transpose(0, 2, 1, 3, 4))
case("pixel-shuffle", "x[P][Q][2][2][K] -> y[2*P][2*Q][K]",
     "FOR(p, P) FOR(q, Q) FOR(i, 2) FOR(j, 2) FOR(k, K)"
     " y[2 * p + i][2 * q + j][k] = x[p][q][i][j][k];",
     lambda x, K, P, Q: x.transpose(0, 2, 1, 3, 4).reshape(2 * P, 2 * Q, K))

# Of elements that are gathered
case("subtract", "x[V][C] p[R][C] t:V[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[t[r]][c] - p[r][c];", lambda x, p, t: x[t] - p,
     changed=False)
for name, text, reference in (("log", "logf(%s)", np.log), ("negate", "-%s", np.negative),
                              ("exp", "expf(%s)", np.exp)):
    case(name, "x:pos[R][V] t:V[R] -> y[R]", "FOR(r, R) y[r] = %s;" % text % "x[r][t[r]]",
         lambda x, t, reference=reference: reference(x[np.arange(len(t)), t]), changed=False)

# Elements that a byte says
case("lookup", "x[256] t:u8[N] -> y[N]", "FOR(i, N) y[i] = x[t[i]];", lambda x, t: x[t])
case("lookup", "x[256] t:i8[R][C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = x[t[r][c] + 128];", lambda x, t: x[t + 128])

# Parts of arrays
case("slice", "x[R][C+2] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[r][c + 2];",
     lambda x: x[:, 2:])
case("slice", "x[R][C+2] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[r][c];",
     lambda x: x[:, :-2])
case("slice", "x[2*N] -> y[N]", "FOR(i, N) y[i] = x[2 * i];", lambda x: x[::2])

# Rows that begin anew
case("roll", "x[N] -> y[N]", "FOR(i, N) y[i] = x[(unsigned long)(i + 2) % (unsigned long)N];",
     lambda x: np.roll(x, -2), changed=False)
case("roll", "x[R][8] -> y[R][8]", "FOR(r, R) FOR(c, 8) y[r][c] = x[r][(c + 3) % 8];",
     lambda x: np.roll(x, -3, 1), changed=False)
case("pad.circular", "x[8] -> y[12]", "FOR(i, 12) y[i] = x[(i + 6) % 8];",
     lambda x: np.pad(x, 2, "wrap"), changed=False)

# Rows of pieces, in one nest and in loops that follow each other
def padded(mode):
    return lambda x, P: np.pad(x, ((0, 0), (P, P)), mode)


ROW = "FOR(i, P) y[i] = %s; FOR(i, N) y[P + i] = x[i]; FOR(i, P) y[P + N + i] = %s;"
for name, front, behind, mode in (("pad.replicate", "x[0]", "x[N - 1]", "edge"),
                                  ("pad.reflect", "x[P - i]", "x[N - 2 - i]", "reflect"),
                                  ("pad.circular", "x[N - P + i]", "x[i]", "wrap"),
                                  ("pad", "0", "0", "constant")):
    case(name, "x[R][N] N=P+4 -> y[R][N+2*P]",
         "FOR(r, R) { %s }" % (ROW % (front, behind)).replace("x[", "x[r][").replace(
             "y[", "y[r]["), padded(mode), changed=False)
case("pad.reflect", "x[N] N=P+4 -> y[N+2*P]", ROW % ("x[P - i]", "x[N - 2 - i]"),
     lambda x, P: np.pad(x, P, "reflect"), parts="reverse, copy, reverse", changed=False)
case("concat", "a[R][C] b[R][D] -> y[R][C+D]",
     "FOR(r, R) { FOR(c, C) y[r][c] = a[r][c]; FOR(c, D) y[r][C + c] = b[r][c]; }",
     lambda a, b: np.concatenate((a, b), 1), changed=False)
case("concat", "a[C] b[D] -> y[C+D]", "FOR(i, C) y[i] = a[i]; FOR(i, D) y[C + i] = b[i];",
     lambda a, b: np.concatenate((a, b)), parts="copy, copy", changed=False)

# Between elements whose places are loaded
case("upsample.linear", "x[V+1] t:V[N] g:prob[N] -> y[N]",
     "FOR(i, N) y[i] = (1 - g[i]) * x[t[i]] + g[i] * x[t[i] + 1];",
     lambda x, t, g: (1 - g) * x[t] + g * x[t + 1], changed=False)
case("upsample.bilinear", "x[V+1][W+1] t:V[P] u:W[Q] g:prob[P] b:prob[Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) y[p][q] = (1 - g[p]) * ((1 - b[q]) * x[t[p]][u[q]]"
     " + b[q] * x[t[p]][u[q] + 1]) + g[p] * ((1 - b[q]) * x[t[p] + 1][u[q]]"
     " + b[q] * x[t[p] + 1][u[q] + 1]);",
     lambda x, t, u, g, b: between(x, t[:, None], u, g[:, None], b))
case("grid-sample", "x[V+1][W+1] t:V[N] u:W[N] g:prob[N] b:prob[N] -> y[N]",
     "FOR(i, N) y[i] = (1 - g[i]) * ((1 - b[i]) * x[t[i]][u[i]] + b[i] * x[t[i]][u[i] + 1])"
     " + g[i] * ((1 - b[i]) * x[t[i] + 1][u[i]] + b[i] * x[t[i] + 1][u[i] + 1]);",
     lambda x, t, u, g, b: between(x, t, u, g, b))


def between(x, t, u, g, b):
    """Elements at rows t + g and columns u + b."""
    upper = x[t, u] + b * (x[t, u + 1] - x[t, u])
    lower = x[t + 1, u] + b * (x[t + 1, u + 1] - x[t + 1, u])
    return upper + g * (lower - upper)


# To places that are loaded: the last of equal ones stays, or all are added
case("scatter", "x[R][C] t:V[R] y[V][C] -> y[V][C]",
     "FOR(r, R) FOR(c, C) y[t[r]][c] = x[r][c];", lambda x, t, y: scatter(x, t, y))
case("scatter-add", "x[R][C] t:V[R] y[V][C] -> y[V][C]",
     "FOR(r, R) FOR(c, C) y[t[r]][c] += x[r][c];",
     lambda x, t, y: y + np.eye(len(y))[t].T @ x)
case("histogram", "t:V[R] y:i[V] -> y:i[V]", "FOR(r, R) y[t[r]]++;",
     lambda t, y: y + np.bincount(t, minlength=len(y)))

case("max-unpool", "x[K][P][Q] t:V[K][P][Q] y[K][V] -> y[K][V]",
     "FOR(k, K) FOR(p, P) FOR(q, Q) y[k][t[k][p][q]] = x[k][p][q];",
     lambda x, t, y: np.stack([scatter(*planes) for planes in zip(*flat(x, t), y)]))
case("scatter-add", "x[K][P][Q] t:V[K][P][Q] y[K][V] -> y[K][V]",
     "FOR(k, K) FOR(p, P) FOR(q, Q) y[k][t[k][p][q]] -= x[k][p][q];",
     lambda x, t, y: y - np.stack([np.bincount(at, of, y.shape[1])
                                   for of, at in zip(*flat(x, t))]), changed=False)
case("max-pool.backward", "x[K][P][Q] t:V[K][P][Q] y[K][V] -> y[K][V]",
     "FOR(k, K) FOR(p, P) FOR(q, Q) y[k][t[k][p][q]] += x[k][p][q];",
     lambda x, t, y: y + np.stack([np.bincount(at, of, y.shape[1])
                                   for of, at in zip(*flat(x, t))]))


def flat(*arrays):
    return [a.reshape(a.shape[0], -1) for a in arrays]


def scatter(x, t, y):
    y = y.copy()
    for row, at in zip(x, t):
        y[at] = row
    return y


# Of indices
case("scatter", "t:V[R] y[V] -> y[V]", "FOR(r, R) y[t[r]] = 0;",
     lambda t, y: np.where(np.isin(np.arange(len(y)), t), 0, y), changed=False)
case("one-hot", "t:V[R] -> y[R][V]",
     "FOR(r, R) FOR(v, V) y[r][v] = t[r] == v ? 1.0f : 0.0f;", lambda t, V: np.eye(V)[t])
case("one-hot", "t:V[R] y[R][V] -> y[R][V]", "FOR(r, R) y[r][t[r]] = 1;",
     lambda t, y, V: np.where(np.eye(V)[t], 1, y))
case("identity", "-> y[N][N]", "FOR(r, N) FOR(c, N) y[r][c] = r == c;", lambda N: np.eye(N))
case("iota", "-> y[N]", "FOR(i, N) y[i] = i;", lambda N: np.arange(N, dtype=float))

case("one-hot", "t:V[R] y[R][V] s -> y[R][V]", "FOR(r, R) y[r][t[r]] = s;",
     lambda t, y, s, V: np.where(np.eye(V)[t], s, y))

# Scores less their distance
case("alibi", "x[H][N][N] m[H] -> x[H][N][N]",
     "FOR(h, H) FOR(r, N) FOR(c, N) x[h][r][c] = x[h][r][c] + m[h] * (c - r);",
     lambda x, m: x + m[:, None, None] * (np.indices(x.shape)[2] - np.indices(x.shape)[1]))
case("alibi", "x[N][N] s -> x[N][N]", "FOR(r, N) FOR(c, N) x[r][c] += s * (c - r);",
     lambda x, s: x + s * (np.arange(len(x)) - np.arange(len(x))[:, None]))

# Masks
case("causal-mask", "x[N][N] -> y[N][N]",
     "FOR(r, N) FOR(c, N) y[r][c] = c > r ? -INFINITY : x[r][c];",
     lambda x: np.where(np.tri(len(x)), x, -np.inf))
case("causal-mask", "x[N][N] s -> y[N][N]",
     "FOR(r, N) FOR(c, N) y[r][c] = c > r ? s : x[r][c];",
     lambda x, s: np.where(np.tri(len(x)), x, s))
for sign, columns in (("<", lambda r, c: c < r), ("<=", lambda r, c: c <= r),
                      (">=", lambda r, c: c >= r)):
    for value in ("-INFINITY", "s"):
        case("mask", "x[N][N] s -> y[N][N]",
             "FOR(r, N) FOR(c, N) y[r][c] = c %s r ? %s : x[r][c];" % (sign, value),
             lambda x, s, columns=columns, value=value: np.where(
                 columns(*np.indices(x.shape)), s if value == "s" else -np.inf, x),
             changed=False)
case("mask", "x[N] z[N] s -> y[N]", "FOR(i, N) y[i] = z[i] > s ? x[i] : 0;",
     lambda x, z, s: np.where(z > s, x, 0))
case("mask", "x[N] z[N] s t -> y[N]", "FOR(i, N) y[i] = z[i] > s ? x[i] : t;",
     lambda x, z, s, t: np.where(z > s, x, t), changed=False)
case("mask", "x[N] s t -> y[N]", "FOR(i, N) y[i] = x[0] > s ? x[i] : t;",
     lambda x, s, t: np.where(x[0] > s, x, t), changed=False)
case("mask", "x[N] z[N] s -> y[N]", "FOR(i, N) y[i] = z[i] < s ? x[i] : 0;",
     lambda x, z, s: np.where(z < s, x, 0), changed=False)
case("mask", "x[N] s -> y[N]", "FOR(i, N) y[i] = x[0] > s ? x[i] : 0;",
     lambda x, s: np.where(x[0] > s, x, 0), changed=False)
case("mask", "x[N] t:u8[N] -> y[N]", "FOR(i, N) y[i] = t[i] ? -INFINITY : x[i];",
     lambda x, t: np.where(t, -np.inf, x))
case("mask", "x[N] t:u8[N] s -> y[N]", "FOR(i, N) y[i] = t[i] ? s : x[i];",
     lambda x, t, s: np.where(t, s, x))
case("mask", "x[N] t:prob[N] -> y[N]", "FOR(i, N) y[i] = x[i] + (1 - t[i]) * -10000.0f;",
     lambda x, t: x - (1 - t) * 1e4)
