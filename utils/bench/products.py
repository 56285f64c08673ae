#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times products of matrices by scripts of schedules, and as dl-vectorize makes them.

    utils/bench/products.py [--march native] [--rounds 15] [--only nt]

Each product is compiled from its plain loops by a script, whose sizes of tiles are
those that the target's vectors ask for, and by the plugin as users have it. Both run by
turns in one process on one thread, at sizes that are arguments, and must have the bits
of clang -O3 without vectors (which multiplies apart where it makes some).

Prints a line for each size: microseconds by the plugin and GFLOP/s, then the time by
the script in times of that: of the least of both, and the median of the rounds' ratios.
At the end the geometric mean, and bytes of code of both.
"""
import argparse
import ctypes
import math
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any, List, NamedTuple, Tuple

from choices import Builder, run
from contestants import ROOT, clang, cpu_name, llvm_tools
from measure import ONE_THREAD

SHAPES = [(1, 1, 1), (4, 4, 4), (16, 16, 16), (33, 65, 700), (64, 64, 64),
          (100, 100, 100), (127, 129, 131), (256, 256, 256), (128, 3072, 768),
          (1024, 1024, 1024)]
SOURCE = """
void {name}(int M, int N, int K, const float *A, const float *B, float *C) {{
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {{
      float sum = 0;
      for (int k = 0; k < K; k++)
        sum += A[i * K + k] * {b};
      C[i * N + j] = sum;
    }}
}}
"""
TIMER = """
#define _POSIX_C_SOURCE 199309L
#include <time.h>
double timeCalls(void (*f)(int, int, int, const float *, const float *, float *), int m,
                 int n, int k, const float *a, const float *b, float *c, long calls) {
  struct timespec s, e;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &s);
  for (long i = 0; i < calls; i++)
    f(m, n, k, a, b, c);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &e);
  return ((e.tv_sec - s.tv_sec) * 1e9 + (e.tv_nsec - s.tv_nsec)) / calls;
}
"""

# B is read where it lies by few rows, and else as it is or, where it is large, in a
# panel. Few rows take few steps at a time, so that rows of B are read to their ends.
NN = """
version i few %M <= 2
let short = 8 where %N*%K >= {direct} else 256
split kfew Kfew upto %short
split jfew Jfew {few}
through sumfew Kfew %C[ifew,Jfew+jfew]
order Kfew ifew Jfew jfew
expand sumfew jfew {fewmost}
fission jfew
order kfew jfew
split j Y upto 64
split i I 6 4 2 1
split j J {columns}
split k K upto {deep}
through sum K %C[I+i,Y+J+j]
order Y K I J i j
expand sum j {most}
expand sum i 6
fission j
fission i
order k i j
stage %B K packed {panel} k,J,j = {deep}*J+{most}*k+j if %N*%K >= {direct}
mode i unroll
mode jfew lanes {lanes}
mode j,j_ lanes {lanes}
"""
# Rows of B become columns of a panel.
NT = """
split j Y upto 64
split i I 6 4 2 1
split j J {columns}
split k K upto {deep}
through sum K %C[I+i,Y+J+j]
order Y K I J i j
expand sum j {most}
expand sum i 6
fission j
fission i
order k i j
stage %B K packed {panel} k,J,j = {deep}*J+{most}*k+j
split j_ L {lanes} rest
split k_ P {lanes} rest
order J_ L P j_ k_
mode i unroll
mode j,k_ lanes {lanes}
mode j_ row interleave{lanes}
"""


class Kind(NamedTuple):
    name: str
    b: str
    script: str


KINDS = [Kind("nn", "B[k * N + j]", NN), Kind("nt", "B[j * K + k]", NT)]
# By the bytes of a vector: numbers of the scripts. What no block fills is under masks, as
# panels begin at multiples of a block.
NUMBERS = {
    64: dict(lanes=16, columns="64 rest", most=64, few="64 16 rest", fewmost=64),
    32: dict(lanes=8, columns="16 rest", most=16, few="32 16 8 rest", fewmost=32),
    16: dict(lanes=4, columns="8 rest", most=8, few="16 8 rest", fewmost=16)}


class Product:
    def __init__(self, kind: Kind) -> None:
        self.kind = kind

    def source(self, name: str) -> str:
        return SOURCE.format(name=name, b=self.kind.b)


class Arrays:
    def __init__(self, m: int, n: int, k: int) -> None:
        state = 1

        def fill(count: int) -> Any:
            nonlocal state
            data = (ctypes.c_float * (count + 16))()
            block = []
            for _ in range(min(count, 65521)):
                state = (state * 1103515245 + 12345) % 2**31
                block.append(state / 2**30 - 1)
            for at in range(0, count, len(block)):
                part = min(len(block), count - at)
                data[at:at + part] = block[:part]
            return data
        self.data = [fill(m * k), fill(k * n), fill(m * n)]
        self.used = 4 * m * n
        self.arguments = [m, n, k] + [
            ctypes.c_void_p(ctypes.addressof(a) + -ctypes.addressof(a) % 64)
            for a in self.data]

    def get_bits(self, function: Any) -> bytes:
        ctypes.memset(self.arguments[5], 0x55, self.used)
        function(*self.arguments)
        return ctypes.string_at(self.arguments[5], self.used)


def parse_arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--vector", type=int, choices=sorted(NUMBERS),
                   help="bytes; else the widest that the target has")
    p.add_argument("--rounds", type=int, default=15)
    p.add_argument("--only", default="", choices=["", *(k.name for k in KINDS)])
    p.add_argument("--shape", metavar="MxNxK", action="append")
    p.add_argument("--deep", type=int, default=256, help="steps of a panel")
    p.add_argument("--direct", type=int, default=131072,
                   help="elements of B from which on it is copied")
    p.add_argument("--show", action="store_true", help="print the scripts")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib",
                                                    "libDLOpt.so"))
    args = p.parse_args()
    llvm_tools.need_plugin("products", args.plugin)
    try:
        args.shapes = [tuple(map(int, s.split("x"))) for s in args.shape or []] or SHAPES
        if any(len(s) != 3 for s in args.shapes):
            raise ValueError
    except ValueError:
        sys.exit("products: a shape is MxNxK")
    return args


def get_vector_bytes(march: str) -> int:
    done = subprocess.run([clang(), "-march=" + march, "-dM", "-E", "-x", "c", os.devnull],
                          stdout=subprocess.PIPE, universal_newlines=True, check=True)
    return (64 if "__AVX512F__" in done.stdout else
            32 if "__AVX2__" in done.stdout else 16)


def get_code_bytes(path: str) -> int:
    done = subprocess.run([llvm_tools.need("products", "llvm-size"), path],
                          stdout=subprocess.PIPE, universal_newlines=True, check=True)
    return int(done.stdout.splitlines()[1].split()[0])


class Builds:
    """The functions of one product."""

    def __init__(self, args: argparse.Namespace, folder: str, kind: Kind) -> None:
        builder = Builder(args, folder)
        builder.flags += ["-ffp-contract=on"]
        vector = args.vector or get_vector_bytes(args.march)
        if vector == 64:
            builder.flags += ["-mprefer-vector-width=512"]
        numbers = NUMBERS[vector]
        self.lines = kind.script.format(
            deep=args.deep, direct=args.direct, panel=64 * args.deep,
            **numbers).strip()
        script = builder.write("script.txt", self.lines + "\n")
        ir, to = builder.emit(Product(kind)), builder.path("scheduled.bc")
        done, said = builder.transform(ir, "dl-vectorize<schedule=%s>" % script, to)
        if not done or "runs as" not in said:
            sys.exit("products: the script is not legal:\n%s\n%s" % (self.lines, said))
        self.bytes = []
        source = builder.path("plain.c")
        # Elsewhere code for other machines, among which nobody has to choose here.
        os.environ["DLOPT_OPTIONS"] = "dispatch=0"
        plugin = ["-fpass-plugin=" + os.path.abspath(args.plugin)]
        for code, flags in ((to, []), (source, plugin)):
            run([clang(), "-O3", *builder.flags, *flags, "-c", code, "-o",
                 builder.path("code.o")])
            self.bytes.append(get_code_bytes(builder.path("code.o")))
        self.scripted = builder.link(to)
        self.plugin = builder.link(source, plugin)
        self.plain = builder.link(source, ["-fno-vectorize", "-fno-slp-vectorize"])


def compare(timer: Any, builds: Builds, shape: Tuple[int, int, int],
            rounds: int) -> Tuple[float, float, float]:
    """Nanoseconds by the plugin, by the script in times of that: least, median."""
    arrays = Arrays(*shape)
    right = arrays.get_bits(builds.plain)
    pair = (builds.plugin, builds.scripted)
    for function in pair:
        if arrays.get_bits(function) != right:
            sys.exit("products: other bits at %dx%dx%d" % shape)

    def time(function: Any, calls: int) -> float:
        return timer(function, *arguments, ctypes.c_long(calls))
    arguments = arrays.arguments
    calls = max(1, int(3e6 / max(time(pair[0], 1), time(pair[0], 3), 1)))
    times: List[List[float]] = [[], []]
    for number in range(rounds):
        for who in (0, 1) if number % 2 else (1, 0):
            times[who].append(time(pair[who], calls))
    return (min(times[0]), min(times[1]) / min(times[0]),
            statistics.median(s / p for p, s in zip(*times)))


def main() -> None:
    args = parse_arguments()
    os.environ.update(ONE_THREAD)
    print("%s, %s" % (cpu_name(), args.march), flush=True)
    with tempfile.TemporaryDirectory(prefix="dl-products-") as folder:
        to = os.path.join(folder, "timer.so")
        with open(os.path.join(folder, "timer.c"), "w") as f:
            f.write(TIMER)
        run([clang(), "-O2", "-shared", "-fPIC", f.name, "-o", to])
        timer = ctypes.CDLL(to).timeCalls
        timer.restype = ctypes.c_double
        for kind in KINDS:
            if args.only not in kind.name:
                continue
            builds = Builds(args, folder, kind)
            if args.show:
                print(builds.lines)
            ratios = []
            for shape in args.shapes:
                ns, least, ratio = compare(timer, builds, shape, args.rounds)
                ratios.append(least)
                print("%s %-14s %10.2f us %6.1f GFLOP/s  script %.3f, %.3f" % (
                    kind.name, "%dx%dx%d" % shape, ns / 1e3, 2 * math.prod(shape) / ns,
                    least, ratio), flush=True)
            print("%s: mean %.3f of %d; %d bytes, by the plugin %d" % (
                kind.name, statistics.geometric_mean(ratios), len(ratios),
                builds.bytes[0], builds.bytes[1]), flush=True)


if __name__ == "__main__":
    main()
