# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs dlbench on a plan; ratios within rounds; tables."""

import json
import os
import subprocess
import sys
from statistics import median

__all__ = ["Shape", "Result", "cell", "measure", "median", "print_table"]

# One thread for every library that could start more.
ONE_THREAD = {v: "1" for v in (
    "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS",
    "MKL_NUM_THREADS", "TBB_NUM_THREADS", "DPCPP_CPU_NUM_CUS")}


class Shape:
    """C is M x N, K products per element."""

    def __init__(self, m, n, k):
        self.m, self.n, self.k = m, n, k

    def __str__(self):
        if self.m == self.n == self.k:
            return "%d^3" % self.m
        return "%dx%dx%d" % (self.m, self.n, self.k)

    @property
    def mnk(self):
        return self.m, self.n, self.k

    @property
    def flops(self):
        return 2.0 * self.m * self.n * self.k


class Result:
    """Times of one shape: per contestant, seconds per call in each round."""

    def __init__(self, line):
        data = json.loads(line)
        self.shape = Shape(*data["shape"])
        self.peak = data["peak"]
        self.read = data["read"]  # GB/s
        self.same = data["same"]  # 1: the bits of clang -O3; -1: not compared
        self.times = {name.replace("\u00a0", " "): seconds
                      for name, seconds in data["times"].items()}

    def fastest(self, names):
        timed = [n for n in names if self.times.get(n)]
        return min(timed, key=lambda n: median(self.times[n])) if timed else None

    def gflops(self, name):
        times = self.times.get(name)
        return 1e-9 * self.shape.flops / median(times) if times else 0.0

    def _pairs(self, name, other):
        """Times of both round by round; who ran once is met in every round."""
        a, b = self.times[name], self.times[other]
        rounds = max(len(a), len(b))
        return zip(a * rounds if len(a) == 1 else a,
                   b * rounds if len(b) == 1 else b)

    def speed(self, name, other):
        """Median of the ratios: 2.0 if `name` needs half the time."""
        return median(o / t for t, o in self._pairs(name, other))

    def difference(self, name, other):
        """Median of the seconds that `name` needs more."""
        return median(t - o for t, o in self._pairs(name, other))

    def _share(self, work, name, limits):
        times = self.times[name]
        limits = limits if len(times) > 1 else [median(limits)]
        return median(1e-9 * work / t / p for t, p in zip(times, limits))

    def share_of_peak(self, name):
        return self._share(self.shape.flops, name, self.peak)

    def share_of_read(self, name, element_bytes):
        """Of the rate at which the matrix A can be read."""
        return self._share(element_bytes * self.shape.m * self.shape.k, name,
                           self.read)


def measure(args, everyone, shapes, rounds, slice_ms):
    """All contestants on all shapes, in one process. The plugin may not change
    results, unless it was asked to reorder sums."""
    plan = args.kernel.plan_line() + "".join(c.plan_line() for c in everyone)
    if not args.reassoc and {"DLOpt", "clang -O3"} <= {c.name for c in everyone}:
        plan += "same DLOpt clang\u00a0-O3\n"
    plan += "".join("shape %d %d %d\n" % s for s in shapes)
    env = dict(os.environ, **ONE_THREAD)
    for c in everyone:
        env.update(c.process_env)
    command = [os.path.join(args.build_dir, "bench", "dlbench"),
               "--rounds=%d" % rounds, "--slice-ms=%g" % slice_ms]
    process = subprocess.Popen(command, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, env=env,
                               universal_newlines=True)
    process.stdin.write(plan)
    process.stdin.close()
    results = []
    for line in process.stdout:
        if not line.startswith("{"):  # a library that talks
            continue
        results.append(Result(line))
        if sys.stderr.isatty():
            sys.stderr.write("\r%s: %d of %d shapes \r"
                             % (results[-1].shape, len(results), len(shapes)))
    if process.wait() != 0 or len(results) != len(shapes):
        sys.exit("bench: dlbench failed (%d)" % process.returncode)
    return results


def cell(times):
    """Milliseconds with three digits; a dash for what was not run."""
    return "%.3g" % (1e3 * median(times)) if times else "-"


def print_table(head, rows):
    """Markdown that is also readable as text."""
    widths = [max(len(str(r[i])) for r in [head] + rows)
              for i in range(len(head))]

    def line(cells):
        return "| " + " | ".join(
            str(c).ljust(w) if i == 0 else str(c).rjust(w)
            for i, (c, w) in enumerate(zip(cells, widths))) + " |"
    print(line(head))
    print("|" + "|".join(("-" * (w + 2)) if i == 0 else "-" * (w + 1) + ":"
                         for i, w in enumerate(widths)) + "|")
    for r in rows:
        print(line(r))
    sys.stdout.flush()
