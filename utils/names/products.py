# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of products and windows."""
import numpy as np

from cases import case

FOR = {"b": "FOR(b, B) ", "i": "FOR(i, M) ", "j": "FOR(j, N) ", "k": "FOR(k, K) "}
SIZE = {"b": "[B]", "i": "[M]", "j": "[N]", "k": "[K]"}


def product(name, x, z, y):
    """Einstein's notation: x[..] z[..] -> y[..], each letter an axis of the array. The
    sum starts with what is there, or with zero."""
    def subscripts(axes):
        return "".join("[%s]" % a for a in axes)

    def sizes(axes):
        return "".join(SIZE[a] for a in axes)

    loops = "".join(FOR[a] for a in y)
    rule = "%s,%s->%s" % (x, z, y)
    inputs = "x%s z%s" % (sizes(x), sizes(z))
    case(name, "%s y%s -> y%s" % (inputs, sizes(y), sizes(y)),
         loops + FOR["k"] + "y%s += x%s * z%s;"
         % (subscripts(y), subscripts(x), subscripts(z)),
         lambda x, z, y: y + np.einsum(rule, x, z))
    case(name, "%s -> y%s" % (inputs, sizes(y)),
         loops + "{ float s = 0; %s s += x%s * z%s; y%s = s; }"
         % (FOR["k"], subscripts(x), subscripts(z), subscripts(y)),
         lambda x, z: np.einsum(rule, x, z))
    case(name, "%s s -> y%s" % (inputs, sizes(y)),
         loops + "{ float a = s; %s a += x%s * z%s; y%s = a; }"
         % (FOR["k"], subscripts(x), subscripts(z), subscripts(y)),
         lambda x, z, s: s + np.einsum(rule, x, z))
    case(name, "%s s -> y%s" % (inputs, sizes(y)),
         loops + "{ float a = s; %s a -= x%s * z%s; y%s = a; }"
         % (FOR["k"], subscripts(x), subscripts(z), subscripts(y)),
         lambda x, z, s: s - np.einsum(rule, x, z), changed=False)


for layout, x, z in (("nn", "ik", "kj"), ("nt", "ik", "jk"), ("tn", "ki", "kj"),
                     ("tt", "ki", "jk")):
    product("matmul." + layout, x, z, "ij")
    product("matmul.%s.batched" % layout, "b" + x, "b" + z, "bij")
product("matvec", "ik", "k", "i")
product("vecmat", "ki", "k", "i")
product("matvec.batched", "bik", "bk", "bi")
product("vecmat.batched", "bki", "bk", "bi")
product("dot.batched", "bk", "bk", "b")
case("dot", "x[K] z[K] -> y[1]", "float s = 0; FOR(k, K) s += x[k] * z[k]; y[0] = s;",
     lambda x, z: np.array([x @ z]))
case("dot", "x[K] z[K] s -> y[1]", "float a = s; FOR(k, K) a += x[k] * z[k]; y[0] = a;",
     lambda x, z, s: s + np.array([x @ z]))
case("outer", "x[M] z[N] -> y[M][N]", "FOR(i, M) FOR(j, N) y[i][j] = x[i] * z[j];", np.outer)
case("outer", "x[M] z[N] y[M][N] -> y[M][N]",
     "FOR(i, M) FOR(j, N) y[i][j] += x[i] * z[j];", lambda x, z, y: y + np.outer(x, z))


def windows(x, high, wide, step):
    """x[..][H][W] as x[..][rows][columns][high][wide]."""
    view = np.lib.stride_tricks.sliding_window_view(x, (high, wide), (-2, -1))
    return view[..., ::step, ::step, :, :]


case("max-pool", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = -INFINITY;"
     " FOR(u, 2) FOR(v, 2) s = fmaxf(s, x[2 * p + u][2 * q + v]); y[p][q] = s; }",
     lambda x: windows(x, 2, 2, 2).max((-2, -1)))
case("mean-pool", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 2) FOR(v, 2) s += x[2 * p + u][2 * q + v]; y[p][q] = s * 0.25f; }",
     lambda x: windows(x, 2, 2, 2).mean((-2, -1)))


# Convolutions: an axis more is a loop more of positions, and one of the window.
LOOPS = ("FOR(p, P) ", "FOR(q, Q) ", "FOR(t, T) ")
TAPS = ("FOR(u, 3) ", "FOR(v, 3) ", "FOR(w, 3) ")
PADDED = ("[P+2]", "[Q+2]", "[T+2]")
PLAIN = ("[P]", "[Q]", "[T]")
MOVED = ("[p + u]", "[q + v]", "[t + w]")
AT = ("[p]", "[q]", "[t]")
TAP = ("[u]", "[v]", "[w]")


def taps(x, axes):
    """x[..][positions] as x[..][positions][window], windows of 3."""
    view = np.lib.stride_tricks.sliding_window_view
    return view(x, (3,) * axes, tuple(range(-axes, 0)))


def spread(x, w, axes):
    """x[positions] times w[window], added up where they go."""
    out = np.zeros(tuple(n + 2 for n in x.shape))
    for at in np.ndindex((3,) * axes):
        out[tuple(slice(i, i + n) for i, n in zip(at, x.shape))] += x * w[at]
    return out


def convolution(axes):
    def pick(parts):
        return "".join(parts[:axes])

    name = "conv%dd" % axes
    position, window = "pqt"[:axes], "uvw"[:axes]
    rule = "k%s%s,ok%s->o%s" % (position, window, window, position)
    case(name, "x[K]%s g[O][K]%s -> y[O]%s" % (pick(PADDED), "[3]" * axes, pick(PLAIN)),
         "FOR(o, O) %s{ float s = 0; FOR(k, K) %s s += x[k]%s * g[o][k]%s; y[o]%s = s; }"
         % (pick(LOOPS), pick(TAPS), pick(MOVED), pick(TAP), pick(AT)),
         lambda x, g: np.einsum(rule, taps(x, axes), g))
    case(name, "x[K]%s g[O][K]%s b[O] -> y[O]%s"
         % (pick(PADDED), "[3]" * axes, pick(PLAIN)),
         "FOR(o, O) %s{ float s = b[o]; FOR(k, K) %s s += x[k]%s * g[o][k]%s; y[o]%s = s; }"
         % (pick(LOOPS), pick(TAPS), pick(MOVED), pick(TAP), pick(AT)),
         lambda x, g, b: np.einsum(rule, taps(x, axes), g)
         + b.reshape((-1,) + (1,) * axes))
    each = "k%s%s,k%s->k%s" % (position, window, window, position)
    case(name + ".depthwise", "x[K]%s g[K]%s -> y[K]%s"
         % (pick(PADDED), "[3]" * axes, pick(PLAIN)),
         "FOR(k, K) %s{ float s = 0; %s s += x[k]%s * g[k]%s; y[k]%s = s; }"
         % (pick(LOOPS), pick(TAPS), pick(MOVED), pick(TAP), pick(AT)),
         lambda x, g: np.einsum(each, taps(x, axes), g))
    group = "ik%s%s,iok%s->io%s" % (position, window, window, position)
    case(name + ".grouped", "x[G][K]%s g[G][O][K]%s -> y[G][O]%s"
         % (pick(PADDED), "[3]" * axes, pick(PLAIN)),
         "FOR(i, G) FOR(o, O) %s{ float s = 0;"
         " FOR(k, K) %s s += x[i][k]%s * g[i][o][k]%s; y[i][o]%s = s; }"
         % (pick(LOOPS), pick(TAPS), pick(MOVED), pick(TAP), pick(AT)),
         lambda x, g: np.einsum(group, taps(x, axes), g))
    case(name + ".transposed", "x%s g%s y%s -> y%s"
         % (pick(PLAIN), "[3]" * axes, pick(PADDED), pick(PADDED)),
         "%s%sy%s += x%s * g%s;"
         % (pick(LOOPS), pick(TAPS), pick(MOVED), pick(AT), pick(TAP)),
         lambda x, g, y: y + spread(x, g, axes), changed=False)


for count in (1, 2, 3):
    convolution(count)
case("conv2d", "x[P+2][Q+2] g[3][3] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 3) FOR(v, 3) s += x[p + u][q + v] * g[u][v]; y[p][q] = s; }",
     lambda x, g: (windows(x, 3, 3, 1) * g).sum((-2, -1)))
case("col2im", "x[3][3][P][Q] y[P+2][Q+2] -> y[P+2][Q+2]",
     "FOR(u, 3) FOR(v, 3) FOR(p, P) FOR(q, Q) y[p + u][q + v] += x[u][v][p][q];",
     lambda x, y, P, Q: y + sum(np.pad(x[u, v], ((u, 2 - u), (v, 2 - v)))
                                for u in range(3) for v in range(3)), changed=False)
case("matmul", "x:i8[M][K] z:i8[K][N] p:i q:i -> y:i[M][N]",
     "FOR(i, M) FOR(j, N) { int a = 0; FOR(k, K) a += (x[i][k] - p) * (z[k][j] - q);"
     " y[i][j] = a; }", lambda x, z, p, q: (x - p) @ (z - q), changed=False)
case("sum", "x[P+2][Q+2] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 3) FOR(v, 3) s += x[p + u][q + v]; y[p][q] = s; }",
     lambda x: windows(x, 3, 3, 1).sum((-2, -1)), changed=False)
case("sum", "x[2*P][2*Q] a -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = a;"
     " FOR(u, 2) FOR(v, 2) s += x[2 * p + u][2 * q + v]; y[p][q] = s; }",
     lambda x, a: a + windows(x, 2, 2, 2).sum((-2, -1)), changed=False)
case("max", "x[2*P][2*Q] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 2) FOR(v, 2) s = fmaxf(s, x[2 * p + u][2 * q + v]); y[p][q] = s; }",
     lambda x: np.maximum(windows(x, 2, 2, 2).max((-2, -1)), 0), changed=False)
