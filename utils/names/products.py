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
case("matmul", "x[M][K] z[K][N] s:pos t:pos y[M][N] -> y[M][N]",
     "FOR(i, M) FOR(j, N) { y[i][j] *= t; FOR(k, K) y[i][j] += s * x[i][k] * z[k][j]; }",
     lambda x, z, s, t, y: s * (x @ z) + t * y)
case("matmul", "x[M][K] y[M][M] -> y[M][M]",
     "FOR(i, M) for (long j = 0; j <= i; j++) { float s = 0;"
     " FOR(k, K) s += x[i][k] * x[j][k]; y[i][j] = s; }",
     lambda x, y: np.where(np.tri(len(x)), x @ x.T, y), changed=False)
case("matmul", "x:u8[M][K] z:u8[K][N] s:i t:i -> y:i[M][N]",
     "FOR(i, M) FOR(j, N) { int a = 0;"
     " FOR(k, K) a += (x[i][k] - s) * (z[k][j] - t); y[i][j] = a; }",
     lambda x, z, s, t: (x - s) @ (z - t))

# With a bias, and a function of each element behind
for text, function in (("fmaxf(%s, 0)", lambda y: np.maximum(y, 0)),
                       ("tanhf(%s)", np.tanh),
                       ("1 / (1 + expf(-(%s)))", lambda y: 1 / (1 + np.exp(-y)))):
    case("matvec", "x[M][K] z[K] b[M] -> y[M]",
         "FOR(i, M) { float s = 0; FOR(k, K) s += x[i][k] * z[k]; y[i] = %s; }"
         % (text % "s + b[i]"),
         lambda x, z, b, function=function: function(x @ z + b), changed=False)
