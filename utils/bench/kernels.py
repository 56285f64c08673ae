# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be measured: one row per kernel of BLAS."""

import os
from collections import namedtuple

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels")


class Kernel(namedtuple("Kernel", "name letter a b source prefix shapes quick")):
    """C (M x N) from A and B, stored n(ot) or t(ransposed). letter: s for float,
    d for double. b is None where B and C are vectors; N is 1 then."""

    @property
    def is_vector(self):
        return self.b is None

    @property
    def routine(self):
        """Its name in BLAS."""
        return self.letter + ("gemv" if self.is_vector else "gemm")

    @property
    def real(self):
        return {"s": "float", "d": "double"}[self.letter]

    @property
    def bytes(self):
        return {"s": 4, "d": 8}[self.letter]

    def form(self, order):
        """The row of the naive source's table."""
        return self.prefix + order

    def plan_line(self):
        """What dlbench needs to know."""
        return "kernel %s %s %s %s\n" % (
            self.letter, self.a, self.b or "n", self.routine[1:])


def cubes(*sizes):
    return [(n, n, n) for n in sizes]


def squares(*sizes):
    """Matrices that are multiplied by a vector."""
    return [(n, 1, n) for n in sizes]


FIGURES = cubes(64, 256, 1024) + [
    (128, 3072, 768), (504, 3072, 768), (2048, 2048, 2048)]
# Layers: weights are rows, so B is transposed.
LAYERS = cubes(1024) + [
    (128, 1024, 1024), (32, 4096, 1024), (8, 4096, 4096)]
QUICK = [(64, 64, 64), (200, 120, 136)]
QUICK_VECTOR = [(64, 1, 64), (200, 1, 136)]

PRODUCTS = "products.c"
KERNELS = {k.name: k for k in (
    #      name        type  A    B    source     table        shapes
    Kernel("sgemm",    "s", "n", "n", "sgemm.c", "", FIGURES, QUICK),
    Kernel("sgemm.nt", "s", "n", "t", PRODUCTS, "sgemm_nt_", LAYERS, QUICK),
    Kernel("sgemm.tn", "s", "t", "n", PRODUCTS, "sgemm_tn_", LAYERS, QUICK),
    Kernel("sgemm.tt", "s", "t", "t", PRODUCTS, "sgemm_tt_", LAYERS, QUICK),
    Kernel("sgemv",    "s", "n", None, PRODUCTS, "sgemv_", squares(4096, 1024),
           QUICK_VECTOR),
    Kernel("sgemv.t",  "s", "t", None, PRODUCTS, "sgemv_t_", squares(4096, 1024),
           QUICK_VECTOR),
    Kernel("dgemm",    "d", "n", "n", PRODUCTS, "dgemm_", cubes(256, 1024, 2048),
           QUICK),
)}
