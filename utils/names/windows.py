# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of windows: convolutions, poolings, what is unfolded.

x is the image, channels first; f the filter, of 3 elements along each axis of the window.
"""
import itertools
import re

import numpy as np

from cases import case

def windows1(x, wide, step=1):
    """x[..][W] as x[..][columns][wide]."""
    view = np.lib.stride_tricks.sliding_window_view(x, wide, -1)
    return view[..., ::step, :]


def windows(x, high, wide, step):
    """x[..][H][W] as x[..][rows][columns][high][wide]."""
    view = np.lib.stride_tricks.sliding_window_view(x, (high, wide), (-2, -1))
    return view[..., ::step, ::step, :, :]


case("max-pool", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = -INFINITY;"
     " FOR(u, 2) FOR(v, 2) s = fmaxf(s, x[2 * p + u][2 * q + v]); y[p][q] = s; }",
     lambda x: windows(x, 2, 2, 2).max((-2, -1)))
case("max-pool", "x[2*P] -> y[P]",
     "FOR(p, P) y[p] = fmaxf(x[2 * p], x[2 * p + 1]);",
     lambda x: windows1(x, 2, 2).max(-1))
case("mean-pool", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 2) FOR(v, 2) s += x[2 * p + u][2 * q + v]; y[p][q] = s * 0.25f; }",
     lambda x: windows(x, 2, 2, 2).mean((-2, -1)))
case("sum-pool", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 2) FOR(v, 2) s += x[2 * p + u][2 * q + v]; y[p][q] = s; }",
     lambda x: windows(x, 2, 2, 2).sum((-2, -1)), windows=True)
case("sum-pool", "x[P+2][Q+2][R+2] -> y[P][Q][R]",
     "FOR(p, P) FOR(q, Q) FOR(r, R) { float s = 0;"
     " FOR(u, 3) FOR(v, 3) FOR(w, 3) s += x[p + u][q + v][r + w]; y[p][q][r] = s; }",
     lambda x: np.lib.stride_tricks.sliding_window_view(x, (3, 3, 3)).sum((-3, -2, -1)))
case("sum-pool", "x[K][P+2][Q+2][R+2] -> y[K][P][Q][R]",
     "FOR(k, K) FOR(p, P) FOR(q, Q) FOR(r, R) { float s = 0;"
     " FOR(u, 3) FOR(v, 3) FOR(w, 3) s += x[k][p + u][q + v][r + w]; y[k][p][q][r] = s; }",
     lambda x: np.lib.stride_tricks.sliding_window_view(x, (3, 3, 3), (-3, -2, -1))
     .sum((-3, -2, -1)), changed=False)
case("sum-pool", "x[P+2][Q+2] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 3) FOR(v, 3) s += x[p + u][q + v]; y[p][q] = s; }",
     lambda x: windows(x, 3, 3, 1).sum((-2, -1)), changed=False)
case("sum", "x[K][P+2] b[K] -> y[K][P]",
     "FOR(k, K) FOR(p, P) { float s = b[k]; FOR(u, 3) s += x[k][p + u]; y[k][p] = s; }",
     lambda x, b: windows1(x, 3).sum(-1) + b[:, None], changed=False)
case("sum", "x[2*P][2*Q] a -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = a;"
     " FOR(u, 2) FOR(v, 2) s += x[2 * p + u][2 * q + v]; y[p][q] = s; }",
     lambda x, a: a + windows(x, 2, 2, 2).sum((-2, -1)), changed=False)
case("max", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 2) FOR(v, 2) s = fmaxf(s, x[2 * p + u][2 * q + v]); y[p][q] = s; }",
     lambda x: np.maximum(windows(x, 2, 2, 2).max((-2, -1)), 0), changed=False)

OUT, IN = "pqr", "uvw"      # places of windows, and inside of them
LOOPS = {"g": "FOR(g, G) ", "o": "FOR(o, O) ", "k": "FOR(k, K) ", "n": "FOR(n, B) ",
         "p": "FOR(p, P) ", "q": "FOR(q, Q) ", "r": "FOR(r, R) ",
         "u": "FOR(u, 3) ", "v": "FOR(v, 3) ", "w": "FOR(w, 3) "}


def sizes(axes, more=0):
    return "".join("[3]" if a in IN else "[B]" if a == "n" else "[%s%s]" % (
        a.upper(), "+%d" % more if more and a in OUT else "") for a in axes)


def loops(axes):
    return "".join(LOOPS[a] for a in axes)


def subscripts(axes):
    return "".join("[%s]" % a for a in axes)


def unfolded(x, dims):
    """x[..][W].. as x[..][columns]..[wide].. ."""
    axes = tuple(range(-dims, 0))
    return np.lib.stride_tricks.sliding_window_view(x, (3,) * dims, axes)


def convolution(name, dims, x, g, y):
    """Cross-correlation; x, g, y: axes of the image, the filter and the result in front of
    those of the window. Those of x and g that y has not are summed up."""
    out, inside = OUT[:dims], IN[:dims]
    summed = [a for a in x + g if a not in y]
    summed = "".join(dict.fromkeys(summed))
    at = "".join("[%s + %s]" % pair for pair in zip(out, inside))
    rule = "%s,%s->%s" % (x + out + inside, g + inside, y + out)
    bias = "o" if "o" in y else "k" if "k" in y else ""
    for b in ("", bias) if bias else ("",):
        case(name, "x%s f%s %s -> y%s" % (sizes(x + out, 2), sizes(g + inside),
                                          "b" + sizes(b) if b else "", sizes(y + out)),
             loops(y + out) + "{ float s = %s; %s s += x%s%s * f%s; y%s = s; }" % (
                 "b" + subscripts(b) if b else "0", loops(summed + inside), subscripts(x), at,
                 subscripts(g + inside), subscripts(y + out)),
             convolved(rule, dims, b and y[y.index(b) + 1:] + out),
             changed=not b or y != "go")


def convolved(rule, dims, behind):
    def plain(x, f):
        return np.einsum(rule, unfolded(x, dims), f)

    def with_bias(x, f, b):
        return plain(x, f) + b.reshape(b.shape + (1,) * len(behind))
    return with_bias if behind else plain


def transposed(name, dims, x, g, y):
    """Each element of x adds a filter to the result."""
    out, inside = OUT[:dims], IN[:dims]
    at = "".join("[%s + %s]" % pair for pair in zip(out, inside))
    around = "".join(dict.fromkeys(x + y))
    case(name, "x%s f%s y%s -> y%s" % (sizes(x + out), sizes(g + inside), sizes(y + out, 2),
                                       sizes(y + out, 2)),
         loops(around + out + inside) + "y%s%s += x%s * f%s;" % (
             subscripts(y), at, subscripts(x + out), subscripts(g + inside)),
         folded("%s,%s->%s" % (x + out, g + inside, y + out + inside), dims))


def folded(rule, dims):
    return lambda x, f, y: y + fold(np.einsum(rule, x, f), dims)


def fold(parts, dims):
    """The sum of windows, each in its place: the other way round than `unfolded`."""
    lengths = parts.shape[-2 * dims:-dims]
    result = np.zeros(parts.shape[:-2 * dims] + tuple(n + 2 for n in lengths))
    for inside in itertools.product(range(3), repeat=dims):
        place = tuple(slice(i, i + n) for i, n in zip(inside, lengths))
        result[(Ellipsis,) + place] += parts[(Ellipsis,) + inside]
    return result


for dims in (1, 2, 3):
    name = "conv%dd" % dims
    convolution(name, dims, "", "", "")
    convolution(name, dims, "k", "ok", "o")
    convolution(name + ".depthwise", dims, "k", "k", "k")
    convolution(name + ".grouped", dims, "gk", "gok", "go")
    transposed(name + ".transposed", dims, "", "", "")
    transposed(name + ".transposed", dims, "o", "ok", "k")
    out, inside = OUT[:dims], IN[:dims]
    case("col2im", "x%s y%s -> y%s" % (sizes("k" + inside + out), sizes("k" + out, 2),
                                       sizes("k" + out, 2)),
         loops("k" + inside + out) + "y[k]%s += x%s;" % (
             "".join("[%s + %s]" % pair for pair in zip(out, inside)),
             subscripts("k" + inside + out)),
         lambda x, y, dims=dims: y + fold(
             np.moveaxis(x, range(1, 1 + dims), range(-dims, 0)), dims))
case("conv2d", "x[P][Q] f[3][3] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0; FOR(u, 3) FOR(v, 3) {"
     " long i = p + u - 1, j = q + v - 1;"
     " if (i >= 0 && i < P && j >= 0 && j < Q) s += x[i][j] * f[u][v]; } y[p][q] = s; }",
     lambda x, f: (unfolded(np.pad(x, 1), 2) * f).sum((-2, -1)), changed=False)
# Strides that are arguments, one for each axis
STRIDED = "S=2 T=3 x[S*(P-1)+U][T*(Q-1)+V] f[U][V]"
case("conv2d", STRIDED + " -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0; FOR(u, U) FOR(v, V)"
     " s += x[S * p + u][T * q + v] * f[u][v]; y[p][q] = s; }",
     lambda x, f, S, T: (np.lib.stride_tricks.sliding_window_view(x, f.shape)[::S, ::T]
                         * f).sum((-2, -1)), changed=False)
case("im2col", "x[K][P+2][Q+2] -> y[K][3][3][P][Q]",
     "FOR(k, K) FOR(u, 3) FOR(v, 3) FOR(p, P) FOR(q, Q) y[k][u][v][p][q] = x[k][p + u][q + v];",
     lambda x: np.moveaxis(unfolded(x, 2), (-2, -1), (1, 2)))
case("mean-pool.backward", "d[P][Q] y[2*P][2*Q] -> y[2*P][2*Q]",
     "FOR(p, P) FOR(q, Q) FOR(u, 2) FOR(v, 2) y[2 * p + u][2 * q + v] += d[p][q] / 4;",
     lambda d, y: y + np.kron(d, np.full((2, 2), 0.25)))
case("mean-pool.backward", "d[P][Q] -> y[2*P][2*Q]",
     "FOR(p, P) FOR(q, Q) FOR(u, 2) FOR(v, 2) y[2 * p + u][2 * q + v] = d[p][q] / 4;",
     lambda d: np.kron(d, np.full((2, 2), 0.25)), changed=False)
case("mean-pool.backward", "d[P] y[3*P] -> y[3*P]",
     "FOR(p, P) FOR(u, 3) y[3 * p + u] += d[p] / 3;",
     lambda d, y: y + np.repeat(d / 3, 3), changed=False)
case("mean-pool.backward", "d[P][Q][K] y[2*P][2*Q][2*K] -> y[2*P][2*Q][2*K]",
     "FOR(p, P) FOR(q, Q) FOR(k, K) FOR(u, 2) FOR(v, 2) FOR(w, 2)"
     " y[2 * p + u][2 * q + v][2 * k + w] += d[p][q][k] * 0.125f;",
     lambda d, y: y + np.kron(d, np.full((2, 2, 2), 0.125)), changed=False)
case("mean-pool.backward", "d[N][K] y[N][K][P] -> y[N][K][P]",
     "FOR(n, N) FOR(k, K) FOR(p, P) y[n][k][p] += d[n][k] / P;",
     lambda d, y, P: y + d[:, :, None] / P, changed=False)
case("bias", "d[P][Q] y[2*P][2*Q] -> y[2*P][2*Q]",
     "FOR(p, P) FOR(q, Q) FOR(u, 2) FOR(v, 2) y[2 * p + u][2 * q + v] += d[p][q];",
     lambda d, y: y + np.kron(d, np.ones((2, 2))), changed=False)
case("lrn", "x[K][P] -> y[K][P]",
     "FOR(k, K) FOR(p, P) { float s = 0; for (long i = -2; i <= 2; i++)"
     " if (k + i >= 0 && k + i < K) s += x[k + i][p] * x[k + i][p];"
     " y[k][p] = x[k][p] / powf(2 + 1e-4f * s, 0.75f); }",
     lambda x: x / (2 + 1e-4 * across(x * x)) ** 0.75, changed=False)


def across(x):
    """Sums of five neighbouring rows."""
    around = np.pad(x, ((2, 2), (0, 0)))
    return sum(around[i:i + len(x)] for i in range(5))

# Tiles of convolutions with filters of 3, for 2 results and for 4
INPUT = {2: ((1, 0, -1, 0), (0, 1, 1, 0), (0, -1, 1, 0), (0, 1, 0, -1)),
         4: ((4, 0, -5, 0, 1, 0), (0, -4, -4, 1, 1, 0), (0, 4, -4, -1, 1, 0),
             (0, -2, -1, 2, 1, 0), (0, 2, -1, -2, 1, 0), (0, 4, 0, -5, 0, 1))}
FILTER = {2: ((1, 0, 0), (0.5, 0.5, 0.5), (0.5, -0.5, 0.5), (0, 0, 1)),
          4: ((1 / 4, 0, 0), (-1 / 6, -1 / 6, -1 / 6), (-1 / 6, 1 / 6, -1 / 6),
              (1 / 24, 1 / 12, 1 / 6), (1 / 24, -1 / 12, 1 / 6), (0, 0, 1))}
OUTPUT = {2: ((1, 1, 1, 0), (0, 1, -1, -1)),
          4: ((1, 1, 1, 1, 1, 0), (0, 1, -1, 2, -2, 0), (0, 1, 1, 4, 4, 0), (0, 1, -1, 8, -8, 1))}


def from_both_sides(name, matrix):
    """By a table of constants, which is a part of the function."""
    rows, columns = len(matrix), len(matrix[0])
    table = ", ".join("{%s}" % ", ".join("%.9gf" % v if v % 1 else "%d" % v for v in row)
                      for row in matrix)
    sizes = {"R": rows, "C": columns, "T": table}
    code = ("static const float w[R][C] = {T}; FOR(n, N) { float t[R][C];"
            " FOR(i, R) FOR(j, C) { float s = 0; FOR(k, C) s += w[i][k] * x[n][k][j];"
            " t[i][j] = s; } FOR(i, R) FOR(j, R) { float s = 0;"
            " FOR(k, C) s += t[i][k] * w[j][k]; y[n][i][j] = s; } }")
    for letter, value in sizes.items():
        code = re.sub(r"\b%s\b" % letter, str(value), code)
    case(name, "x[N][%d][%d] -> y[N][%d][%d]" % (columns, columns, rows, rows), code,
         lambda x: np.array(matrix) @ x @ np.array(matrix).T, changed=False)


for size in (2, 4):
    from_both_sides("winograd.input", INPUT[size])
    from_both_sides("winograd.filter", FILTER[size])
    from_both_sides("winograd.output", OUTPUT[size])
case("winograd.input", "x[N][4] -> y[N][4]",
     "FOR(n, N) { y[n][0] = x[n][0] - x[n][2]; y[n][1] = x[n][1] + x[n][2];"
     " y[n][2] = x[n][2] - x[n][1]; y[n][3] = x[n][1] - x[n][3]; }",
     lambda x: x @ np.array(INPUT[2]).T, changed=False)
case("winograd.output", "x[N][4] -> y[N][2]",
     "FOR(n, N) { y[n][0] = x[n][0] + x[n][1] + x[n][2]; y[n][1] = x[n][1] - x[n][2] - x[n][3]; }",
     lambda x: x @ np.array(OUTPUT[2]).T)
# With the sign of the last row in the other matrix
case("winograd.input", "x[N][4] -> y[N][4]",
     "FOR(n, N) { y[n][0] = x[n][0] - x[n][2]; y[n][1] = x[n][1] + x[n][2];"
     " y[n][2] = x[n][2] - x[n][1]; y[n][3] = x[n][3] - x[n][1]; }",
     lambda x: x @ np.array(INPUT[2][:3] + ((0, -1, 0, 1),)).T, changed=False)
case("winograd.output", "x[N][4] -> y[N][2]",
     "FOR(n, N) { y[n][0] = x[n][0] + x[n][1] + x[n][2]; y[n][1] = x[n][1] - x[n][2] + x[n][3]; }",
     lambda x: x @ np.array(OUTPUT[2][:1] + ((0, 1, -1, 1),)).T, changed=False)
