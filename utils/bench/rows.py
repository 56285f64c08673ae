#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times softmax, norms, losses and their backward forms against clang and libraries.

    utils/bench/rows.py [--only NAME] [--rounds 9] [--plugin PLUGIN] [--march native]

kernels/rows.c is built with the plugin (exact, and with fp=fast), by clang -O3 and by
clang -O3 -ffast-math. All take turns in one process on one thread, with oneDNN and
Eigen (Debian's libdnnl-dev, libeigen3-dev) and onnxruntime where they are there.
Prints elements per ns, and how long the others take in times of ours: medians. What
the exact build and clang -O3 compute must have the same bits.
"""
import argparse
import ctypes
import os
import statistics
import subprocess
import sys
import tempfile
import time

import onnx_models
from contestants import ROOT, clang, cpu_name, llvm_tools
from measure import ONE_THREAD

HERE = os.path.dirname(os.path.abspath(__file__))
# Name, images, rows or channels, columns or pixels, elements of the parameters.
KERNELS = [
    ("softmax", 1, 1024, 1024), ("softmax", 1, 32768, 1024),
    ("log_softmax", 1, 1024, 1024), ("softmax_backward", 1, 1024, 1024),
    ("cross_entropy", 1, 1024, 1024), ("layernorm", 1, 1024, 1024),
    ("rmsnorm", 1, 1024, 1024), ("residual_layernorm", 1, 1024, 1024),
    ("layernorm_backward", 1, 1024, 1024), ("batchnorm", 16, 64, 1024),
    ("batchnorm_training", 16, 64, 1024), ("groupnorm", 16, 64, 1024)]


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--only", default="", help="kernels whose names have this")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib",
                                                    "libDLOpt.so"))
    args = p.parse_args()
    llvm_tools.need_plugin("rows", args.plugin)
    return args


def run(command, env=None):
    done = subprocess.run(command, stdout=subprocess.PIPE, env=env,
                          stderr=subprocess.STDOUT, universal_newlines=True)
    if done.returncode:
        sys.exit("rows: %s failed:\n%s" % (" ".join(command), done.stdout))


def build(args, folder):
    """Libraries by the contestant's name."""
    source = os.path.join(HERE, "kernels", "rows.c")
    base = [clang(), "-O3", "-march=" + args.march, "-shared", "-fPIC"]
    plugin = "-fpass-plugin=" + os.path.abspath(args.plugin)
    libraries = {}
    for name, flags, options in [("exact", [plugin], "fp=exact"),
                                 ("fast", [plugin, "-ffast-math"], "fp=fast"),
                                 ("clang", [], ""),
                                 ("clang-fast", ["-ffast-math"], "")]:
        to = os.path.join(folder, name + ".so")
        # Start-up code of -ffast-math would flush subnormal numbers.
        run(base + flags + [source, "-c", "-o", to + ".o"],
            env=dict(os.environ, DLOPT_OPTIONS=options))
        run(base + [to + ".o", "-lm", "-o", to])
        libraries[name] = ctypes.CDLL(to)
    onednn = os.path.exists("/usr/include/dnnl.hpp")
    eigen = os.path.isdir("/usr/include/eigen3")
    to = os.path.join(folder, "peers.so")
    run([clang("++"), "-std=c++17", *base[1:], "-DEIGEN_FAST_MATH=1",
         "-I/usr/include/eigen3", "-DHAVE_ONEDNN=%d" % onednn,
         "-DHAVE_EIGEN=%d" % eigen, os.path.join(HERE, "rowpeers.cc"),
         "-o", to] + (["-ldnnl"] if onednn else []))
    libraries["peers"] = ctypes.CDLL(to)
    return libraries


def sized_builds(args, source, defines, folder):
    """Libraries of kernels whose sizes the macro SIZES makes known or not, by the
    contestant's name."""
    base = [clang(), "-O3", "-shared", "-fPIC"]
    if args.march != "baseline":
        base.append("-march=" + args.march)
    sizes = ("static inline" if args.sizes == "constant" else
             "__attribute__((noinline))")
    plugin = "-fpass-plugin=" + os.path.abspath(args.plugin)
    libraries = {}
    for name, flags in [("exact", [plugin]), ("fast", [plugin, "-ffast-math"]),
                        ("clang", []), ("clang-fast", ["-ffast-math"])]:
        to = os.path.join(folder, name + ".so")
        # Start-up code of -ffast-math would flush subnormal numbers.
        run(base + flags + ["-DSIZES=" + sizes] + defines +
            [os.path.join(HERE, "kernels", source), "-c", "-o", to + ".o"])
        run(base + [to + ".o", "-lm", "-o", to])
        libraries[name] = ctypes.CDLL(to)
    return libraries


def array(count, value, kind=ctypes.c_float):
    a = (kind * count)()
    block = [value(i) for i in range(min(count, 1 << 20))]
    for at in range(0, count, len(block)):
        part = min(len(block), count - at)
        a[at:at + part] = block[:part]
    return a


class Problem:
    def __init__(self, l, m, n):
        self.sizes = l, m, n
        self.count = l * m * n
        state = [1]

        def number(_):
            state[0] = (state[0] * 1103515245 + 12345) % 2**31
            return state[0] / 2**29 - 2
        self.x = array(self.count, number)
        self.p = array(self.count + 4 * (m + n), lambda i: abs(number(i)) + 0.1)
        self.t = array(m, lambda i: 0, ctypes.c_int)
        self.y = (ctypes.c_float * self.count)()

    def call(self, function):
        function(self.y, self.x, self.p, self.t, *self.sizes)


def contestants(name, libraries, problem):
    result = {}
    for build_name in ("exact", "fast", "clang", "clang-fast"):
        function = getattr(libraries[build_name], name)
        result[build_name] = lambda f=function: problem.call(f)
    for peer in ("onednn", "eigen"):
        function = getattr(libraries["peers"], "%s_%s" % (peer, name), None)
        if function:
            result[peer] = lambda f=function: problem.call(f)
    session = onnx_models.prepare(name, problem)
    if session:
        result["onnxruntime"] = session
    result["copy"] = lambda: ctypes.memmove(problem.y, problem.x,
                                            4 * problem.count)
    return result


def check(name, functions, problem):
    """The exact build must have clang's bits, the others nearly so."""
    results = {}
    for who, function in functions.items():
        ctypes.memset(problem.y, 0, 4 * problem.count)
        function()
        results[who] = bytes(problem.y)
    if results["exact"] != results["clang"]:
        sys.exit("rows: %s has other bits" % name)
    right = memoryview(results["clang"]).cast("f")[:65536]
    for who, data in results.items():
        worst = max(abs(a - b) / (abs(a) + 1e-3) for a, b in
                    zip(right, memoryview(data).cast("f")))
        if worst > 0.01 and who != "copy":
            print("rows: %s by %s differs by %g" % (name, who, worst))


def measure(function, least=4e6, clock=time.thread_time_ns):
    """Nanoseconds of a call; of a library with threads by time.process_time_ns."""
    start, times = clock(), 0
    while True:
        function()
        times += 1
        spent = clock() - start
        if spent >= least:
            return spent / times


def main():
    args = parse_arguments()
    os.environ.update(ONE_THREAD)
    print(cpu_name())
    problems = {}
    with tempfile.TemporaryDirectory(prefix="dl-rows-") as folder:
        libraries = build(args, folder)
        for name, l, m, n in KERNELS:
            if args.only not in "%s %dx%d" % (name, m, n):
                continue
            problem = problems.setdefault((l, m, n), None) or Problem(l, m, n)
            problems[l, m, n] = problem
            functions = contestants(name, libraries, problem)
            check(name, functions, problem)
            times = {who: [] for who in functions}
            for _ in range(args.rounds):
                for who, function in functions.items():
                    times[who].append(measure(function))

            def ratio(who, to):
                return statistics.median(a / b for a, b in
                                         zip(times[who], times[to]))
            print("%-19s %5dx%d" % (name, l * m, n), end="")
            for who in functions:
                rate = problem.count / statistics.median(times[who])
                print("  %s %.2f/ns" % (who, rate), end="")
                if who == "clang":
                    print(" (%.2fx)" % ratio(who, "exact"), end="")
                elif who not in ("exact", "fast"):
                    print(" (%.2fx)" % ratio(who, "fast"), end="")
            print(flush=True)


if __name__ == "__main__":
    main()
