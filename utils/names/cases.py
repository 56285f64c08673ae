# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a case is: a name, a kernel in C that should have it, and what the textbook says.

  case("bias", "x[R][C] b[C] -> y[R][C]", "FOR(r, R) FOR(c, C) y[r][c] = x[r][c] + b[c];",
       lambda x, b: x + b)

The signature has arrays with their sizes, numbers and, behind `->`, what is written; an
array on both sides is updated in place. Sizes are C's parameters of type `long`, arrays
are `float`. Behind a name may be how it is drawn:

  :pos   positive numbers, :neg   negative ones      :prob  between 0 and 1
  :row   probabilities that add up to 1 along the last axis
  :V     whole numbers below the size V, in an array of `int`
  :ties  few different numbers, so that some are equal
  :i     an array of `int`           :i8, :u8  bytes          :d  `double`

Sizes are drawn from 3 to 7, each another one, unless the signature says: `K=3`, or an
expression over sizes before it: `H=P+2`.

The reference knows arrays, numbers and sizes by the names of the signature, in double
precision, and returns what is written. It is written from the definition of the name, not
from the formula in Programs.def.
"""
import inspect
import re

import numpy as np

CASES = []
# Sizes of the arrays that stay below those that are drawn.
MIN_SIZE, MAX_SIZE = 3, 7
C_TYPES = {"i8": "signed char", "u8": "unsigned char", "i": "int", "d": "double"}
FLOATS = ("pos", "neg", "prob", "row", "ties")
NUMPY_TYPES = {"int": np.int32, "signed char": np.int8, "unsigned char": np.uint8,
               "float": np.float32, "double": np.float64}


class Array:
    """An argument: an array, or a number if it has no sizes."""

    def __init__(self, text):
        match = re.match(r"(\w+?)(?::(\w+))?((?:\[[^\]]+\])*)$", text)
        if not match:
            raise ValueError("no array or number: '%s'" % text)
        self.name, self.draw, sizes = match.groups()
        self.sizes = re.findall(r"\[([^\]]+)\]", sizes)
        is_index = self.draw and self.draw not in FLOATS
        self.type = C_TYPES.get(self.draw, "int") if is_index else "float"

    def shape(self, sizes):
        return tuple(int(eval(s.replace("/", "//"), {}, sizes)) for s in self.sizes)


class Case:
    def __init__(self, name, signature, code, reference, ties=False, scores=False,
                 changed=True, rates=False, windows=False, parts=None):
        self.name, self.code, self.reference = name, " ".join(code.split()), reference
        self.ties = ties        # values are such that some are equal
        self.scores = scores    # of an expression of x, too: scaled, masked, shifted
        self.windows = windows  # of rows that overlap, too
        self.rates = rates      # numbers in the code may be any, and are not changed
        self.parts = parts      # what its loops are called one by one, where they are printed so
        self.changed = changed  # False: only as it stands here
        before, _, behind = signature.partition("->")
        words = before.split()
        self.fixed = dict(w.split("=", 1) for w in words if "=" in w)
        self.inputs = [Array(w) for w in words if "=" not in w]
        outputs = [Array(w) for w in behind.split()]
        names = {a.name for a in self.inputs}
        self.outputs = [a.name for a in outputs]
        self.args = self.inputs + [a for a in outputs if a.name not in names]
        self.sizes = list(self.fixed)
        for arg in self.args:
            for size in arg.sizes + ([arg.draw] if arg.draw else []):
                self.sizes += [s for s in re.findall(r"[A-Z]\w*", size)
                               if s not in self.sizes]
        self.sizes = [s for s in self.sizes if s not in self.fixed] + list(self.fixed)

        self.wanted = [a.name for a in self.inputs]
        # Functions of numpy name their arguments otherwise, or not at all.
        if inspect.isfunction(reference):
            named = list(inspect.signature(reference).parameters)
            if {a.name for a in self.inputs} | set(self.sizes) >= set(named):
                self.wanted = named

    def function(self, name, code=None):
        """The C text, in one line."""
        args = ["long %s" % s for s in self.sizes]
        for a in self.args:
            const = "" if a.name in self.outputs else "const "
            if a.sizes:
                inner = "".join("[%s]" % s for s in a.sizes[1:])
                args.append("%s%s (*restrict %s)%s" % (const, a.type, a.name, inner)
                            if inner else "%s%s *restrict %s" % (const, a.type, a.name))
            else:
                args.append("%s %s" % (a.type, a.name))
        return "void %s(%s) { %s }" % (name, ", ".join(args), code or self.code)

    def draw_sizes(self, rnd, equal=False):
        drawn = [s for s in self.sizes if s not in self.fixed]
        values = list(range(MIN_SIZE, max(MAX_SIZE, MIN_SIZE + len(drawn)) + 1))
        rnd.shuffle(values)
        if equal:
            values = [values[0]] * len(drawn)
        sizes = dict(zip(drawn, values))
        for s, text in self.fixed.items():
            sizes[s] = int(eval(text, {}, sizes))
        return sizes

    def draw(self, rnd, sizes):
        """Values for the arguments."""
        ties = self.ties and rnd.random() < 0.7
        return {a.name: self.draw_one(a, rnd, sizes, ties) for a in self.args}

    @staticmethod
    def draw_one(a, rnd, sizes, ties):
        shape = a.shape(sizes)
        count = int(np.prod(shape))
        if a.type not in ("float", "double"):
            low, high = {"i8": (-128, 128), "u8": (0, 256), "i": (-50, 50)}.get(
                a.draw, (0, sizes.get(a.draw, 2)))
            v = np.array([rnd.randrange(low, high) for _ in range(count)])
            return v.reshape(shape).astype(NUMPY_TYPES[a.type])
        v = np.array([rnd.gauss(0, 1.5) for _ in range(count)]).reshape(shape)
        if ties or a.draw == "ties":
            v = np.round(v)
        if a.draw in ("pos", "neg"):
            v = (np.abs(v) + 0.1) * (1 if a.draw == "pos" else -1)
        elif a.draw == "prob":
            v = 0.05 + 0.9 / (1 + np.exp(-v))
        elif a.draw == "row":
            v = np.abs(v) + 0.1
            v /= v.sum(-1, keepdims=True)
        return v.astype(NUMPY_TYPES[a.type])

    def expect(self, values, sizes):
        """What is written, by the reference."""
        known = {n: v.astype(np.float64 if v.dtype.kind == "f" else np.int64)
                 for n, v in values.items()}
        known.update(sizes)
        with np.errstate(all="ignore"):
            result = self.reference(*[known[w] for w in self.wanted])
        return result if isinstance(result, tuple) else (result,)


def case(name, signature, code, reference, **more):
    CASES.append(Case(name, signature, code, reference, **more))


def same(got, want):
    """Whether an array has the numbers of the reference, but for float's rounding."""
    want = np.asarray(want, np.float64)
    if got.shape != want.shape:
        return False
    if got.dtype.kind in "iu":
        return bool(np.array_equal(got, want))
    got = got.astype(np.float64)
    if not np.array_equal(np.isfinite(got), np.isfinite(want)):
        return False
    fine = np.isfinite(want)
    bound = 2e-4 * max(1e-3, float(np.max(np.abs(want[fine]), initial=0)))
    return bool(np.all(np.abs(got[fine] - want[fine]) <= bound + 1e-3 * np.abs(want[fine])))
