#!/usr/bin/env python3
"""Differential fuzzing of raising and lowering.

Writes C files of random loop nests, compiles each as it is and through
dl-prepare<loops>,dl-relower, runs both on the same arrays (the driver of
test/Exec) and compares every byte. A seed always gives the same file.

    utils/fuzz/relower_fuzz.py --plugin build/lib/libDLOpt.so --seeds 1-20
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
INPUTS = os.path.join(ROOT, "test", "Exec", "Inputs")

HEADER = """#include "relower.h"
#include <math.h>
#define T %(type)s
#define MAX(a, b) %(max)s
#define POS(N) (a->N < 0 ? 0 : a->N)
#ifdef RESTRICT
#define R restrict
#else
#define R
#endif
"""
TYPES = {
    "float": ("fmaxf(a, b)", "a->F[0], a->F[1], a->F[2]"),
    "uint32_t": ("((int)(a) > (int)(b) ? (a) : (b))",
                 "(T *)a->I[0], (T *)a->I[1], (T *)a->I[3]"),
}


class Scope:
    """Names a statement may use: loop indices, scalars, running indices."""

    def __init__(self, indices=(), scalars=(), counters=()):
        self.indices, self.scalars = list(indices), list(scalars)
        self.counters = list(counters)

    def copy(self):
        return Scope(self.indices, self.scalars, self.counters)


class KernelWriter:
    """One random kernel on arrays O (output), X, Y and integers Z."""

    def __init__(self, rnd):
        self.rnd = rnd
        self.names = 0
        self.budget = rnd.randint(3, 9)  # statements

    def fresh(self, prefix):
        self.names += 1
        return prefix + str(self.names)

    def chance(self, probability):
        return self.rnd.random() < probability

    def subscript(self, scope):
        """Affine with small coefficients, so that it stays in the array."""
        terms = ["200", str(self.rnd.choice([0, 1, 2, 7, 64]))]
        for v in scope.indices:
            if self.chance(0.7):
                terms.append(self.rnd.choice(
                    [v, v, v + " * n", v + " * m", v + " * 5", v + " * 3",
                     "(unsigned)" + v]))
        if scope.counters and self.chance(0.2):
            terms.append(self.rnd.choice(scope.counters))
        if scope.indices and self.chance(0.15):
            terms.append("(%s %s %d)" % (self.rnd.choice(scope.indices),
                                         self.rnd.choice("/%"),
                                         self.rnd.choice([2, 3, 5])))
        if self.chance(0.08):
            terms.append("(Z[%s] & 15)" % self.rnd.choice(scope.indices or ["0"]))
        return " + ".join(terms)

    def element(self, scope, arrays):
        return "%s[%s]" % (self.rnd.choice(arrays), self.subscript(scope))

    def condition(self, scope):
        pick = self.rnd.random()
        if pick < 0.3 and scope.indices:
            others = scope.indices + ["n", "m", "2", "n - 2"]
            return "%s %s %s" % (self.rnd.choice(scope.indices),
                                 self.rnd.choice(["<", "<=", "==", "!=", ">"]),
                                 self.rnd.choice(others))
        if pick < 0.5:
            return "%s %s %s" % (self.element(scope, "X"),
                                 self.rnd.choice(["<", ">", "=="]),
                                 self.rnd.choice(["0", "3", self.element(scope, "Y")]))
        if pick < 0.6:
            return "mode %s %d" % (self.rnd.choice(["==", ">"]),
                                   self.rnd.randint(0, 8))
        if pick < 0.75 and scope.scalars:
            return "%s > %d" % (self.rnd.choice(scope.scalars),
                                self.rnd.randint(-5, 50))
        if pick < 0.88:
            return "(%s) %s (%s)" % (self.condition(scope),
                                     self.rnd.choice(["&&", "||"]),
                                     self.condition(scope))
        return "(%s & 3) == %d" % (self.element(scope, "Z"), self.rnd.randint(0, 3))

    def value(self, scope, depth=0):
        pick = self.rnd.random()
        if depth > 2 or pick < 0.3:
            return self.element(scope, "XXYYO")
        if pick < 0.4 and scope.scalars:
            return self.rnd.choice(scope.scalars)
        if pick < 0.47 and scope.indices:
            return "(T)" + self.rnd.choice(scope.indices)
        if pick < 0.52:
            return self.rnd.choice(["3", "(T)7", "(T)-2", "(T)mode"])
        x, y = self.value(scope, depth + 1), self.value(scope, depth + 1)
        if pick < 0.6:
            return "(%s ? %s : %s)" % (self.condition(scope), x, y)
        if pick < 0.65:
            return "MAX(%s, %s)" % (x, y)
        return "(%s %s %s)" % (x, self.rnd.choice("++**-"), y)

    def block(self, scope, indent):
        lines = []
        for _ in range(self.rnd.choice([1, 1, 2, 2, 3])):
            if self.budget > 0:
                lines += self.statement(scope, indent)
        return lines or [indent + ";"]

    def statement(self, scope, indent):
        self.budget -= 1
        pick = self.rnd.random()
        if len(scope.indices) < 3 and pick < 0.35:
            return self.loop(scope, indent)
        if pick < 0.45:
            lines = [indent + "if (%s) {" % self.condition(scope)]
            lines += self.block(scope, indent + "  ")
            if self.chance(0.4):
                lines += [indent + "} else {"] + self.block(scope, indent + "  ")
            return lines + [indent + "}"]
        if pick < 0.65 and scope.scalars:
            return [indent + self.update(scope)]
        if pick < 0.7 and scope.counters:
            return [indent + self.rnd.choice(scope.counters) + "++;"]
        if pick < 0.71 and scope.indices:
            return [indent + "if (%s)" % self.condition(scope),
                    indent + "  %s;" % self.rnd.choice(["continue", "break"])]
        return [indent + "%s %s %s;" % (self.element(scope, "OOOOOY"),
                                        self.rnd.choice(["=", "=", "+=", "-="]),
                                        self.value(scope))]

    def update(self, scope):
        """An assignment to a scalar, or to two that trade places."""
        name, pick = self.rnd.choice(scope.scalars), self.rnd.random()
        if pick < 0.6:
            return "%s += %s;" % (name, self.value(scope))
        if pick < 0.8:
            return "%s = %s;" % (name, self.value(scope))
        other = self.rnd.choice(scope.scalars)
        return "{ T t = %s; %s = %s; %s = t + 1; }" % (name, name, other, other)

    def loop_head(self, v, outer):
        if self.chance(0.3):  # unsigned
            kind = self.rnd.choice(["unsigned", "size_t"])
            bound = "(%s)%s" % (kind, self.rnd.choice(["n", "m", "5"] + outer[-1:]))
            if self.chance(0.7):
                return "for (%s %s = 0; %s < %s; %s++) {" % (kind, v, v, bound, v)
            return "for (%s %s = %s; %s-- > 0;) {" % (kind, v, bound, v)
        kind = self.rnd.choice(["int", "int", "int", "long"])
        bounds = ["n", "m", "n", "m", "6", "3", "n - 1", "n + m", "n / 2"]
        for u in outer[-1:]:
            bounds += ["(int)" + u + " + 1", "(int)" + u, "n - (int)" + u]
        bound, pick = self.rnd.choice(bounds), self.rnd.random()
        if pick < 0.6:
            start, test, step = "0", "<", "++"
        elif pick < 0.7:
            start, test, step = "1", "<=", "++"
        elif pick < 0.8:
            start, bound, test, step = bound, "0", ">", "--"
        elif pick < 0.9:
            start, test = self.rnd.choice("012"), "<"
            step = " += %d" % self.rnd.choice([2, 3])
        else:
            start, test, step = self.rnd.choice(outer or ["0"]), "<", "++"
        return "for (%s %s = %s; %s %s %s; %s%s) {" % (kind, v, start, v, test,
                                                       bound, v, step)

    def loop(self, outer, indent):
        scope, before, after = outer.copy(), [], []
        for _ in range(self.rnd.choice([0, 0, 1, 1, 2])):
            s = self.fresh("s")
            start = self.rnd.choice(["0", "(T)-3", self.value(scope)])
            before.append(indent + "T %s = %s;" % (s, start))
            scope.scalars.append(s)
            if self.chance(0.8):
                after.append(indent + "%s %s %s;" % (
                    self.element(outer, "O"), self.rnd.choice(["=", "+="]), s))
        if self.chance(0.15):
            k = self.fresh("k")
            before.append(indent + "int %s = %s;" % (k, self.rnd.choice("03")))
            scope.counters.append(k)
            if self.chance(0.4):
                after.append(indent + "%s = (T)%s;" % (self.element(outer, "O"), k))
        v = self.fresh("i")
        head = indent + self.loop_head(v, outer.indices)
        scope.indices.append(v)
        return before + [head] + self.block(scope, indent + "  ") + [indent + "}"] + after

    def kernel(self, name, arguments):
        lines = ["TEST(%s, (T *R O, T *R X, T *R Y, const int *R Z, int n, int m,"
                 % name,
                 "     int mode), (%s, a->I[2], POS(M), POS(N), POS(K))) {" % arguments]
        for _ in range(self.rnd.choice([1, 1, 2])):
            lines += ["  {"] + self.loop(Scope(), "    ") + ["  }"]
            self.budget = max(self.budget, 2)
        return "\n".join(lines + ["}", ""])


def write_file(seed, count):
    rnd = random.Random(seed)
    kind = rnd.choice(sorted(TYPES))
    maximum, arguments = TYPES[kind]
    kernels = [KernelWriter(rnd).kernel("fuzz%d" % i, arguments)
               for i in range(count)]
    return HEADER % {"type": kind, "max": maximum} + "\n".join(kernels)


def run(command, seconds=60):
    """Output of a command; an empty string and its error if it fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=seconds,
                              universal_newlines=True)
    except subprocess.TimeoutExpired:
        return False, "timeout: " + " ".join(command)
    return done.returncode == 0, done.stdout


def check(source, folder, args, restrict):
    """None, or what went wrong."""
    tool = lambda name: os.path.join(args.llvm, name)
    at = lambda name: os.path.join(folder, name)
    emit = [tool("clang"), "-w", "-O2", "-Xclang", "-disable-llvm-passes",
            "-emit-llvm", "-c", "-I", INPUTS, source] + args.flags.split()
    if restrict:
        emit.append("-DRESTRICT")
    steps = [
        emit + ["-DPREFIX=ref_", "-DVARIANT=0", "-o", at("ref.bc")],
        emit + ["-DPREFIX=new_", "-DVARIANT=1", "-o", at("new.bc")],
        [tool("opt"), "-load-pass-plugin=" + args.plugin,
         "-passes=dl-prepare<loops>,dl-relower,verify", at("new.bc"),
         "-o", at("relowered.bc")],
        [tool("opt"), "-passes=default<O1>", at("ref.bc"), "-o", at("ref.opt.bc")],
        [tool("opt"), "-passes=default<O1>", at("relowered.bc"),
         "-o", at("new.opt.bc")],
        [tool("clang"), "-w", "-O1", "-I", INPUTS,
         os.path.join(INPUTS, "relower-driver.c"), at("ref.opt.bc"),
         at("new.opt.bc"), "-lm", "-o", at("run")],
        [at("run")] + (["restrict"] if restrict else []),
    ]
    for step in steps:
        ok, text = run(step)
        if not ok:
            return "%s\n%s" % (" ".join(step), text)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--plugin",
                        default=os.path.join(ROOT, "build", "lib", "libDLOpt.so"))
    parser.add_argument("--llvm", default="/usr/lib/llvm-22/bin", help="tools")
    parser.add_argument("--seeds", default="1-5", help="FIRST-LAST")
    parser.add_argument("--count", type=int, default=40, help="kernels in a file")
    parser.add_argument("--flags", default="", help="more flags for clang")
    parser.add_argument("--keep", default=".", help="folder for failing files")
    args = parser.parse_args()
    first, last = (int(x) for x in args.seeds.split("-"))
    failures = 0
    for seed in range(first, last + 1):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "fuzz%d.c" % seed)
            text = write_file(seed, args.count)
            with open(source, "w") as f:
                f.write(text)
            wrong = check(source, folder, args, False) or check(source, folder,
                                                                args, True)
        if wrong:
            failures += 1
            kept = os.path.join(args.keep, "fuzz%d.c" % seed)
            with open(kept, "w") as f:
                f.write(text)
            print("seed %d: kept as %s\n%s" % (seed, kept, wrong))
    print("%d seeds, %d failed" % (last - first + 1, failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
