#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares two builds of the plugin, case by case: is anything slower?

    utils/bench/gate.py BASE NEW [--suites forms,rows,maps,loops,networks]
        [--only NAME] [--fast] [--all] [--threshold 0.03]
        [--base-options O] [--new-options O]

Both plugins compile the kernels of the benchmarks, each in the clang of its own LLVM,
and both libraries take turns in this process, on the same arrays and thread CPU time. A case has three
runs; in each the fastest round of one is compared with the fastest of the other, as
medians move with the neighbours. *Slower* is more than the threshold in each of the
three, and then the exit status is 1. Suites whose objects are the same, byte for
byte, are not timed but with --all. Compile time is the compiler's CPU time up to IR,
with the plugin in it, and from there on. --base-options and --new-options are put into
DLOPT_OPTIONS, so that one plugin can be compared with itself. --short tries the whole
way with little work and never fails on a time.
"""
import argparse
import ctypes
import math
import os
import resource
import statistics
import subprocess
import sys
import tempfile

import rows
from contestants import FORMS_C, clang, cpu_name, llvm_tools
from measure import ONE_THREAD

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
FIXED_OR_COPIES = 2 | 512  # forms.h: not of any size, or timed with a copy


class Form(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("run", ctypes.c_void_p),
                ("flags", ctypes.c_uint)]


class FormProblem(ctypes.Structure):
    _fields_ = [(n, ctypes.c_void_p if n in ("A", "B", "C", "S") else
                 ctypes.c_long)
                for n in ("M", "N", "K", "A", "lda", "B", "ldb", "C", "ldc", "S")]


class Loop(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("m", ctypes.c_long),
                ("n", ctypes.c_long), ("move", ctypes.c_int),
                ("run", ctypes.c_void_p), ("updated", ctypes.c_int)]


class Network(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("run", ctypes.c_void_p)]


def numbers(count):
    state = [1]

    def number(_):
        state[0] = (state[0] * 1103515245 + 12345) % 2**31
        return state[0] / 2**29 - 2
    return rows.array(count, number)


def table(library, symbol, kind):
    """The entries up to the one without a name."""
    entries = (kind * 10000).in_dll(library, symbol)
    at = 0
    while entries[at].name:
        yield entries[at]
        at += 1


def form_cases(libraries):
    for size in (64, 256):
        data = [numbers(size * size) for _ in range(4)]
        p = FormProblem(size, size, size, *[
            x for d in data[:3] for x in (ctypes.addressof(d), size)],
            ctypes.addressof(data[3]))
        for forms in zip(*(table(l, "forms_dl", Form) for l in libraries)):
            if not forms[0].flags & FIXED_OR_COPIES:
                yield ("%s %d" % (forms[0].name.decode(), size),
                       [lambda run=ctypes.CFUNCTYPE(None, ctypes.c_void_p)(form.run),
                        p=p, keep=data: run(ctypes.byref(p)) for form in forms])


def row_cases(libraries):
    for name, l, m, n in rows.KERNELS:
        if l * m * n <= 1 << 20:
            problem = rows.Problem(l, m, n)
            yield ("%s %dx%d" % (name, l * m, n),
                   [lambda f=getattr(library, name), p=problem: p.call(f)
                    for library in libraries])


def map_cases(libraries):
    symbols = subprocess.run(
        [llvm_tools.need("gate", "llvm-nm"), "--defined-only", "-gj",
         libraries[0]._name], stdout=subprocess.PIPE, universal_newlines=True,
        check=True).stdout.split()
    count = 1 << 16
    x, y = numbers(count), numbers(count)
    for i in range(0, count, 2):  # so that log sees mostly positive numbers
        x[i] = abs(x[i])
    for symbol in sorted(s for s in symbols if s.startswith("gate_")):
        yield (symbol[len("gate_"):],
               [lambda f=getattr(library, symbol): f(y, x, ctypes.c_long(count))
                for library in libraries])


def loop_cases(libraries):
    loops = list(zip(*(table(library, "loops", Loop) for library in libraries)))
    most = max(l.m * l.n for l, *_ in loops)
    a, c = numbers(most), numbers(4 * most)
    kind = ctypes.CFUNCTYPE(None, ctypes.c_long, ctypes.c_long,
                            ctypes.c_void_p, ctypes.c_void_p)
    for same in loops:
        yield ("%s %dx%d" % (same[0].name.decode(), same[0].m, same[0].n),
               [lambda r=kind(l.run), l=l: r(l.m, l.n, ctypes.addressof(a),
                                             ctypes.addressof(c)) for l in same])


def network_cases(libraries):
    data = [numbers(1 << 20) for _ in range(5)]
    tensors = (ctypes.c_void_p * 5)(*[ctypes.addressof(d) for d in data])
    for same in zip(*(table(library, "networks", Network) for library in libraries)):
        yield (same[0].name.decode(),
               [lambda r=ctypes.CFUNCTYPE(None, ctypes.c_void_p)(network.run),
                keep=data: r(ctypes.addressof(tensors)) for network in same])


# Cases by the libraries of both plugins: a name, and how each of them is run. Both work
# on the same arrays: others lie on other pages, which is up to a fifth of the time.
SUITES = {
    "forms": (FORMS_C, ["-DBUILD=dl"], form_cases),
    "rows": (os.path.join(KERNELS, "rows.c"), [], row_cases),
    "maps": (os.path.join(KERNELS, "maps.c"), ["-DNAME=gate_"], map_cases),
    "loops": (os.path.join(KERNELS, "loops.c"), [], loop_cases),
    "networks": (os.path.join(KERNELS, "networks.c"), [], network_cases),
}


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("base", metavar="BASE")
    p.add_argument("new", metavar="NEW")
    p.add_argument("--suites", default=",".join(SUITES))
    p.add_argument("--only", default="", help="cases whose names have this")
    p.add_argument("--fast", action="store_true", help="with -ffast-math")
    p.add_argument("--all", action="store_true", help="time equal code, too")
    p.add_argument("--march", default="native")
    p.add_argument("--threshold", type=float, default=0.03)
    p.add_argument("--base-options", default="")
    p.add_argument("--new-options", default="")
    p.add_argument("--short", action="store_true")
    args = p.parse_args()
    args.suites = args.suites.split(",")
    for suite in args.suites:
        if suite not in SUITES:
            sys.exit("gate: no suite has the name '%s': there are %s" %
                     (suite, ", ".join(SUITES)))
    for plugin in (args.base, args.new):
        llvm_tools.need_plugin("gate", plugin)
    return args


def compiled(command, options):
    """The CPU time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True,
                          env=dict(os.environ, DLOPT_OPTIONS=options))
    if done.returncode:
        sys.exit("gate: %s failed:\n%s" % (" ".join(command), done.stdout))
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


class Build:
    """One suite by one plugin."""

    def __init__(self, args, suite, which, folder):
        self.source, self.flags, _ = SUITES[suite]
        self.plugin = os.path.abspath(getattr(args, which))
        llvm_tools.need_plugin("gate", self.plugin)
        self.options = getattr(args, which + "_options")
        self.path = os.path.join(folder, "%s-%s" % (suite, which))
        self.clang = clang()
        self.base = [self.clang, "-O3", "-march=" + args.march, "-fPIC",
                     *(["-ffast-math"] if args.fast else [])]
        self.times = [math.inf, math.inf]

    def compile(self):
        """Once more: the fastest of all is what it takes."""
        ir, code = self.path + ".bc", self.path + ".o"
        now = [compiled([*self.base, *self.flags, "-fpass-plugin=" + self.plugin,
                         "-c", "-emit-llvm", self.source, "-o", ir],
                        self.options),
               compiled([*self.base, "-Xclang", "-disable-llvm-passes", "-c", ir,
                         "-o", code], "")]
        self.times = [min(t) for t in zip(self.times, now)]

    def link(self):
        # Start-up code of -ffast-math would flush subnormal numbers.
        compiled([self.clang, "-shared", self.path + ".o", "-lm", "-o",
                  self.path + ".so"], "")
        return ctypes.CDLL(self.path + ".so")

    def code(self):
        """With constants and what it refers to."""
        with open(self.path + ".o", "rb") as f:
            return f.read()


def ratios(both, args):
    """Time of the new by time of the base, fastest of each, in each run."""
    runs, rounds, least = (3, 1, 1e4) if args.short else (3, 7, 1e6)
    result = []
    for _ in range(runs):
        fastest = [math.inf, math.inf]
        for round_number in range(rounds):
            # By turns first: what runs second finds other caches.
            for who in ((0, 1), (1, 0))[round_number % 2]:
                fastest[who] = min(fastest[who],
                                   rows.measure(both[who], least))
        result.append(fastest[1] / fastest[0])
    return result


def report(title, found):
    if found:
        print("%s:" % title)
    for name, r in sorted(found, key=lambda x: -x[1][0]):
        print("  %-50s %s" % (name, " ".join("%.3f" % x for x in r)))


def main():
    args = parse_arguments()
    os.environ.update(ONE_THREAD)
    print(cpu_name())
    measured, same, count = [], 0, 0
    times = {"base": [0, 0], "new": [0, 0]}
    with tempfile.TemporaryDirectory(prefix="dl-gate-") as folder:
        for suite in args.suites:
            builds = {w: Build(args, suite, w, folder) for w in times}
            for _ in range(1 if args.short else 3):
                for build in builds.values():
                    build.compile()
            for which, build in builds.items():
                times[which] = [a + b for a, b in zip(times[which], build.times)]
            cases = [c for c in SUITES[suite][2]([b.link() for b in builds.values()])
                     if args.only in c[0]]
            cases = cases[:2] if args.short else cases
            count += len(cases)
            if not args.all and builds["base"].code() == builds["new"].code():
                same += len(cases)
                continue
            for name, both in cases:
                for run in both:
                    run()
                measured.append((suite + ": " + name, ratios(both, args)))
    if not count:
        sys.exit("gate: no case has '%s' in its name" % args.only)
    limit = 1 + args.threshold
    slower = [m for m in measured if min(m[1]) > limit]
    faster = [m for m in measured if max(m[1]) < 1 / limit]
    report("slower", slower)
    report("faster", faster)
    mean = math.exp(sum(math.log(statistics.median(r)) for _, r in measured) /
                    max(len(measured), 1))
    ours, rest = (times["new"][i] / times["base"][i] for i in (0, 1))
    print("%d cases, %d same code, %d slower, %d faster, time x%.3f, "
          "compile time x%.2f (to IR), x%.2f (from there)" %
          (count, same, len(slower), len(faster), mean, ours, rest))
    return 1 if slower and not args.short else 0


if __name__ == "__main__":
    sys.exit(main())
