"""Loops behind each other over the same arrays, which may become one loop, or may not:
temporaries, statistics of rows and columns, neighbours, other extents, stores between."""
from .lanes import TYPES, size
from .simple import Flat, draw

ARRAYS = "ABCD"
# Subscripts of M x N elements, and the condition under which there is one.
SAME = "i*N + j"
PLACES = [("j > 0", "i*N + j - 1"), ("j + 1 < N", "i*N + j + 1"),
          ("i > 0", "(i - 1)*N + j"), ("i + 1 < M", "(i + 1)*N + j"),
          ("", "j*M + i"), ("", "i*N"), ("", "j"), ("", "i*N + N - 1 - j")]
VALUES = ["X + Y", "X * 3", "X - Y * 2", "X > Y ? X : Y", "X > 0 ? X : 0", "X + E[i]",
          "(X - E[i]) * E[M + i]", "X * E[j]", "X + m", "({T})(i + 2) * X"]
CHAINS = [("0", "s += X;"), ("0", "s += X * Y;"), ("-9", "s = X > s ? X : s;"),
          ("0", "s += (X - E[i]) * (X - E[i]);"), ("m", "s = s * 3 + X;"),
          ("0", "if (Y > 0) s += X;")]
BETWEEN = ["m = E[0];", "E[0] = m + 1;", "E[1] += 2;", "m = m * 2 + 1;", "C[0] = m;",
           "m += C[0];", "if (M > 3) m = 4;", "D[0] += m;"]


class RunWriter:
    def __init__(self, rnd):
        self.rnd = rnd
        # Few arrays meet often.
        self.names = rnd.sample(ARRAYS, rnd.choice([2, 2, 3, 4]))
        self.local = rnd.random() < 0.25

    def element(self, apart=0.12):
        name = self.rnd.choice(self.names)
        if self.local and self.rnd.random() < 0.4:
            name = "t"
        test, at = "", SAME
        if self.rnd.random() < apart:
            test, at = self.rnd.choice(PLACES)
        return test, "%s[%s]" % (name, at)

    def fill(self, text):
        """\\p text with elements for X and Y, and the conditions for both."""
        tests = []
        for letter in "XY":
            if letter in text:
                test, element = self.element()
                text = text.replace(letter, element)
                tests += [test] if test else []
        return text, tests

    def loops(self, axes="ij"):
        heads = []
        for axis in axes:
            bound = "M" if axis == "i" else "N"
            first = "0"
            if self.rnd.random() < 0.06:
                first = "1"
            if self.rnd.random() < 0.06:
                bound = "(M < N ? M : N)"
            heads.append("for (IDX %s = %s; %s < %s; %s++)" % (
                axis, first, axis, bound, axis))
        return heads

    def elementwise(self):
        value, tests = self.fill(self.rnd.choice(VALUES))
        test, target = self.element(0.06)
        tests += [test] if test else []
        heads = self.loops()
        if self.rnd.random() < 0.12:
            heads.reverse()
        given = "if (%s) " % " && ".join(tests) if tests else ""
        return "%s %s%s %s %s;" % (" ".join(heads), given, target,
                                   self.rnd.choice(["=", "=", "=", "+=", "*="]), value)

    def statistic(self):
        start, step = self.rnd.choice(CHAINS)
        step, tests = self.fill(step)
        outer, inner = self.loops("ij") if self.rnd.random() < 0.8 else self.loops("ji")
        at = "i" if outer.startswith("for (IDX i") else "j"
        if at == "j":
            step = step.replace("E[i]", "E[j]")
        given = "if (%s) " % " && ".join(tests) if tests else ""
        return "%s {{ {T} s = %s; %s %s{{ %s }} E[%s] = s%s; }}" % (
            outer, start, inner, given, step,
            self.rnd.choice([at, at, "M + i" if at == "i" else at]),
            self.rnd.choice(["", " + 1", " * 2"]))

    def flat(self):
        value = self.rnd.choice(["X * 2", "X + Y", "X > 0 ? X : 0"])
        for letter in "XY":
            value = value.replace(letter, self.rnd.choice(self.names) + "[q]")
        return "for (IDX q = 0; q < M*N; q++) %s[q] %s %s;" % (
            self.rnd.choice(self.names), self.rnd.choice(["=", "+="]), value)

    def rows(self):
        return "for (IDX i = 0; i < M; i++) E[i] %s;" % self.rnd.choice(
            ["= E[i] * 2 + 1", "+= m", "= E[M + i] + 1"])

    def inside(self):
        """A run inside of a loop."""
        parts = []
        for _ in range(self.rnd.choice([2, 2, 3])):
            value, tests = self.fill(self.rnd.choice(VALUES[:5]))
            test, target = self.element(0.04)
            tests += [test] if test else []
            given = "if (%s) " % " && ".join(tests) if tests else ""
            parts.append("%s %s%s = %s;" % (self.loops("j")[0], given, target, value))
        return "%s {{ %s }}" % (self.loops("i")[0], " ".join(parts))

    def body(self):
        parts = []
        for n in range(self.rnd.choice([2, 2, 3, 3, 4, 5])):
            if n and self.rnd.random() < 0.15:
                parts.append(self.rnd.choice(BETWEEN))
            make = self.rnd.choice([self.elementwise] * 5 + [self.statistic] * 3 +
                                   [self.flat, self.rows, self.inside])
            parts.append(make())
        local = "{T} t[4096] = {{0}}; " if any("t[" in p for p in parts) else ""
        return "%s{T} m = 1;\n%s\nE[0] += m;" % (local, "\n".join(parts))


def run_of_loops(rnd, types=TYPES):
    t, idx = draw(rnd, types)
    body = RunWriter(rnd).body()
    all_ = lambda M, N: max(size(M, N), M, N, 1) + max(M, N, 0)
    arrays = {n: all_ for n in ARRAYS}
    arrays["E"] = lambda M, N: 2 * max(M, N, 1)
    return Flat(rnd, t, idx, ["M", "N"], arrays, body, rules=("exact", "interp"),
                limit=3000).made
