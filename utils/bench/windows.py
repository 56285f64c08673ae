#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times convolutions, depthwise ones and pools against clang and oneDNN.

    utils/bench/windows.py [--suite figures,resnet18,mobilenetv2,awkward] [--sizes constant]

kernels/windows.c is built with the plugin (exact, and with -ffast-math), by clang -O3
and by clang -O3 -ffast-math. All take turns in one process on one thread, with oneDNN
(Debian's libdnnl-dev) where it is there: with images as they are and with those that it
chooses, the reorders inside its time. Prints microseconds of thread CPU time, and how
long the others take in times of the exact build: medians. What the exact build and
clang -O3 compute must have the same bits.
"""
import argparse
import ctypes
import math
import os
import statistics
import sys
import tempfile

from contestants import ROOT, clang, cpu_name, llvm_tools
from measure import ONE_THREAD
from rows import array, measure, run, sized_builds

HERE = os.path.dirname(os.path.abspath(__file__))
POINTER = ctypes.POINTER(ctypes.c_float)


class Shape:
    """A kernel of kernels/windows.c at a size."""

    def __init__(self, kernel, c, h, w, k, r, s, p):
        self.kernel, self.sizes = kernel, (c, h, w, k, r, s, p)
        self.out = k * ((h + 2 * p - r) // s + 1) * ((w + 2 * p - r) // s + 1)
        self.image, self.weights = c * h * w, (c * r * r + 1) * k

    @property
    def symbol(self):
        return "_".join([self.kernel, *map(str, self.sizes)])

    def __str__(self):
        c, h, w, k, r, s, p = self.sizes
        return "%s %d->%d %dx%d %dx%d s%d p%d" % (self.kernel, c, k, h, w, r, r, s, p)


def conv(c, h, k, r, s=1, p=None, kernel="conv_nchw"):
    return Shape(kernel, c, h, h, k, r, s, r // 2 if p is None else p)


def depthwise(c, h, r=3, s=1, p=None, kernel="depthwise_nchw"):
    return conv(c, h, c, r, s, p, kernel)


def resnet18():
    shapes = [conv(3, 224, 64, 7, 2), depthwise(64, 112, 3, 2, kernel="maxpool_nchw")]
    before, h = 64, 56
    for k in (64, 128, 256, 512):
        if k != before:
            shapes += [conv(before, h, k, 3, 2), conv(before, h, k, 1, 2)]
            h //= 2
        shapes.append(conv(k, h, k, 3))
        before = k
    return shapes + [depthwise(512, 7, 7, 1, 0, "avgpool_nchw")]


def mobilenetv2():
    shapes, c, h = [conv(3, 224, 32, 3, 2)], 32, 112
    for t, k, n, s in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2),
                       (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for step in [s] + [1] * (n - 1):
            block = [conv(c, h, t * c, 1)] if t != 1 else []
            block.append(depthwise(t * c, h, 3, step))
            h //= step
            block.append(conv(t * c, h, k, 1))
            shapes += [b for b in block if b.symbol not in [x.symbol for x in shapes]]
            c = k
    return shapes + [conv(320, 7, 1280, 1), depthwise(1280, 7, 7, 1, 0, "avgpool_nchw")]


def figures():
    return ([conv(k, h, k, 3) for k, h in ((64, 56), (128, 28), (256, 14), (512, 7))] +
            [conv(64, 58, 64, 3, 1, 0), conv(64, 56, 64, 5), conv(64, 56, 64, 3, 2),
             conv(256, 56, 64, 1), conv(64, 56, 256, 1), conv(3, 224, 64, 7, 2),
             conv(64, 56, 64, 3, kernel="conv_nchw_bias"),
             conv(64, 56, 64, 3, kernel="conv_nchw_bias_apart"),
             conv(64, 56, 64, 3, kernel="conv_nhwc"),
             depthwise(128, 56), depthwise(128, 56, 3, 2),
             depthwise(128, 56, kernel="depthwise_nhwc"),
             depthwise(128, 56, kernel="depthwise_nhwc_front")] +
            [depthwise(64, 112, *window, kernel) for window, kernel in (
                ((2, 2, 0), "maxpool_nchw"), ((3, 2, 0), "avgpool_nchw"),
                ((3, 2, 1), "maxpool_nchw"))] +
            [depthwise(128, 7, 3, 2, 1, "maxpool_nchw")])


def awkward():
    return [Shape("conv_nchw", c, h, w, k, r, s, r // 2)
            for c, k in ((3, 17), (17, 33), (33, 65), (65, 3))
            for h, w in ((5, 7), (13, 61), (37, 29))
            for r, s in ((3, 1), (5, 2))]


SUITES = {f.__name__: f for f in (figures, resnet18, mobilenetv2, awkward)}


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--suite", default="figures",
                   help="of %s: a list with commas" % ", ".join(SUITES))
    p.add_argument("--sizes", choices=("constant", "argument"), default="constant",
                   help="what the loops know (default: constant)")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--only", default="", help="shapes whose names have this")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib",
                                                    "libDLOpt.so"))
    args = p.parse_args()
    for name in args.suite.split(","):
        if name not in SUITES:
            sys.exit("windows: no suite %s: there are %s" % (name, ", ".join(SUITES)))
    llvm_tools.need_plugin("windows", args.plugin)
    return args


def build(args, shapes, folder):
    """Libraries by the contestant's name."""
    libraries = sized_builds(args, "windows.c", ["-DSHAPES=" + " ".join(
        "SHAPE(%s, %s, %d, %d, %d, %d, %d, %d, %d)" % (s.symbol, s.kernel, *s.sizes)
        for s in shapes)], folder)
    if os.path.exists("/usr/include/dnnl.hpp"):
        to = os.path.join(folder, "peers.so")
        run([clang("++"), "-std=c++17", "-O3", "-shared", "-fPIC",
             os.path.join(HERE, "windowpeers.cc"), "-ldnnl", "-o", to])
        libraries["peers"] = ctypes.CDLL(to)
        libraries["peers"].onednn.restype = ctypes.c_bool
    return libraries


class Data:
    """Arrays that are large enough for every shape."""

    def __init__(self, shapes):
        state = [1]

        def number(_):
            state[0] = (state[0] * 1103515245 + 12345) % 2**31
            return state[0] / 2**30 - 1
        self.x = array(max(s.image for s in shapes), number)
        self.w = array(max(s.weights for s in shapes), number)
        self.y = (ctypes.c_float * max(s.out for s in shapes))()

    def clear(self):
        ctypes.memset(self.y, 0, ctypes.sizeof(self.y))


def contestants(shape, libraries, data):
    result = {}
    pointers = [ctypes.cast(a, POINTER) for a in (data.y, data.x, data.w)]
    for name in ("exact", "fast", "clang", "clang-fast"):
        function = getattr(libraries[name], shape.symbol)
        result[name] = lambda f=function: f(*pointers)
    peers = libraries.get("peers")
    for any_order in (0, 1) if peers else ():
        def call(any_order=any_order):
            return peers.onednn(shape.kernel.encode(), any_order, *pointers,
                                *shape.sizes)
        if call():
            result["onednn" + ("-any" if any_order else "")] = call
    return result


def check(shape, functions, data):
    """The exact build must have clang's bits, the others nearly so."""
    results = {}
    for who, function in functions.items():
        data.clear()
        function()
        results[who] = bytes(data.y)[:4 * shape.out]
    if results["exact"] != results["clang"]:
        sys.exit("windows: %s has other bits" % shape)
    right = memoryview(results["clang"]).cast("f")[:4096]
    scale = max(abs(a) for a in right)
    for who, values in results.items():
        worst = max(abs(a - b) for a, b in zip(right, memoryview(values).cast("f")))
        if not worst <= 1e-4 * scale:
            print("windows: %s by %s differs by %g" % (shape, who, worst))


def compare(shape, functions, rounds):
    """Prints the line of a shape; how much faster we are than the library and clang."""
    times = {who: [] for who in functions}
    for turn in range(rounds):
        for who, function in functions.items():
            # Plain clang may take a hundred times as long: two rounds will do.
            if turn < 2 or "clang" not in who:
                times[who].append(measure(function, 2e6))

    def ratio(who):
        return statistics.median(a / b for a, b in zip(times[who], times["exact"]))
    library = [w for w in functions if w.startswith("onednn")]
    best = min(library, key=lambda w: statistics.median(times[w])) if library else None
    print("%-40s %9.1f us  fast %.2fx  clang %.1fx  clang-fast %.1fx" % (
        shape, statistics.median(times["exact"]) / 1e3, ratio("fast"), ratio("clang"),
        ratio("clang-fast")), end="")
    if best:
        print("  %s %.2fx" % (best, ratio(best)), end="")
    print(flush=True)
    return ratio(best) if best else None


def main():
    args = parse_arguments()
    os.environ.update(ONE_THREAD)
    print("%s, %s, sizes: %s" % (cpu_name(), args.march, args.sizes))
    for name in args.suite.split(","):
        shapes = [s for s in SUITES[name]() if args.only in str(s)]
        if not shapes:
            continue
        data, speeds = Data(shapes), []
        with tempfile.TemporaryDirectory(prefix="dl-windows-") as folder:
            libraries = build(args, shapes, folder)
            for shape in shapes:
                functions = contestants(shape, libraries, data)
                check(shape, functions, data)
                speeds.append(compare(shape, functions, args.rounds))
        speeds = [s for s in speeds if s]
        if speeds:
            print("%s: %.2fx the library's speed (geometric mean of %d), worst %.2fx" % (
                name, math.exp(statistics.mean(map(math.log, speeds))), len(speeds),
                min(speeds)))


if __name__ == "__main__":
    main()
