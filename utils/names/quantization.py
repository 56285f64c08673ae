# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Textbook results of integers for real numbers: x = scale * (q - zero point)."""
import numpy as np

from cases import case


def half_away(x):
    """C's roundf."""
    return np.trunc(x + np.copysign(0.5, x))


ROUND = "int v = (int)roundf(%s); v = v > 127 ? 127 : v < -128 ? -128 : v; "
case("quantize", "x[N] s:prob -> y:i8[N]", "FOR(i, N) {" + ROUND % "x[i] / s" + "y[i] = v; }",
     lambda x, s: np.clip(half_away(x / s), -128, 127), rates=True)
case("quantize", "x[N] s:prob -> y:i8[N]", "FOR(i, N) {" +
     "int v = (int)roundf(x[i] / s) + 7; v = v > 127 ? 127 : v < -128 ? -128 : v; y[i] = v; }",
     lambda x, s: np.clip(half_away(x / s) + 7, -128, 127), rates=True)
case("quantize", "x[G][C] s[G] -> s[G] y:i8[G][C]",
     "FOR(g, G) { float m = 0; FOR(c, C) m = fmaxf(m, fabsf(x[g][c])); s[g] = m / 127;"
     " FOR(c, C) y[g][c] = (int)roundf(x[g][c] / s[g]); }",
     lambda x: (np.abs(x).max(-1) / 127,
                half_away(x * 127 / np.abs(x).max(-1, keepdims=True))), rates=True)
case("quantize", "x[N] s:pos -> y:i8[N]", "FOR(i, N) {" + ROUND % "x[i] * s" + "y[i] = v; }",
     lambda x, s: np.clip(half_away(x * s), -128, 127), rates=True)
case("requantize", "x:i[N] s:pos -> y:i8[N]", "FOR(i, N) {" + ROUND % "x[i] / s" +
     "y[i] = v; }", lambda x, s: np.clip(half_away(x / s), -128, 127), rates=True)
case("dequantize", "q:i8[N] s:pos -> y[N]", "FOR(i, N) y[i] = q[i] * s;", lambda q, s: q * s)
case("dequantize", "q:i8[N] s:pos -> y[N]", "FOR(i, N) y[i] = q[i] / s;", lambda q, s: q / s)
case("dequantize", "q:u8[N] s:pos z:i -> y[N]", "FOR(i, N) y[i] = s * (q[i] - z);",
     lambda q, s, z: s * (q - z))
case("dequantize", "q:i8[R][C] s:pos[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = q[r][c] * s[r];", lambda q, s: q * s[:, None])
case("dequantize", "q:i8[R][C] s:pos[R] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = q[r][c] / s[r];", lambda q, s: q / s[:, None])
case("dequantize", "q:i[R][C] s:pos t:pos[C] b[C] -> y[R][C]",
     "FOR(r, R) FOR(c, C) y[r][c] = q[r][c] * (1 / s) / t[c] + b[c];",
     lambda q, s, t, b: q / (s * t) + b)
case("quantize", "x[N] s:pos -> y:i8[N]", "FOR(i, N) {" +
     "int v = (int)roundf(x[i] * s) + 7; v = v > 127 ? 127 : v < -128 ? -128 : v; y[i] = v; }",
     lambda x, s: np.clip(half_away(x * s) + 7, -128, 127), changed=False)
for name, x in (("quantize", "x[N]"), ("requantize", "x:i[N]")):
    case(name, x + " s -> y:i8[N]", "FOR(i, N) {" + ROUND % "x[i] + s" + "y[i] = v; }",
         lambda x, s: np.clip(half_away(x + s), -128, 127), changed=False)
case("requantize", "x:i[N] m:i s:S -> y:i8[N]",
     "FOR(i, N) { int v = ((long)x[i] * m + (1l << (s - 1))) >> s;"
     " v = v > 127 ? 127 : v < -128 ? -128 : v; y[i] = v; }",
     lambda x, m, s: np.clip(np.floor(x * m / 2.0 ** s + 0.5), -128, 127), rates=True)
case("requantize", "x:i[N] s:prob -> y:i8[N]",
     "FOR(i, N) { int v = (int)roundf(x[i] * s); v = v > 127 ? 127 : v < -128 ? -128 : v;"
     # The product is rounded to a float, which may be half of a number.
     " y[i] = v; }", lambda x, s: np.clip(half_away(np.float32(x) * np.float32(s)), -128, 127),
     rates=True)
case("convert", "x[N] -> y:d[N]", "FOR(i, N) y[i] = x[i];", lambda x: x)
case("convert", "x:d[N] -> y[N]", "FOR(i, N) y[i] = x[i];", lambda x: x)
case("convert", "x:i[N] -> y[N]", "FOR(i, N) y[i] = x[i];", lambda x: x)
