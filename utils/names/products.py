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
case("convolution", "x[P+2][Q+2] g[3][3] -> y[P][Q]",
     "FOR(p, P) FOR(q, Q) { float s = 0;"
     " FOR(u, 3) FOR(v, 3) s += x[p + u][q + v] * g[u][v]; y[p][q] = s; }",
     lambda x, g: (windows(x, 3, 3, 1) * g).sum((-2, -1)))
case("convolution", "x[K][P+2][Q+2] g[O][K][3][3] b[O] -> y[O][P][Q]",
     "FOR(o, O) FOR(p, P) FOR(q, Q) { float s = b[o];"
     " FOR(k, K) FOR(u, 3) FOR(v, 3) s += x[k][p + u][q + v] * g[o][k][u][v];"
     " y[o][p][q] = s; }",
     lambda x, g, b: np.einsum("kpquv,okuv->opq", windows(x, 3, 3, 1), g)
     + b[:, None, None])
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
