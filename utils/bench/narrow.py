#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times products, rows and maps of narrow numbers, and attention, against clang and oneDNN.

    utils/bench/narrow.py [--suite products,layers,rows,maps,attention] [--peers pypi]

kernels/narrow.c is built with the plugin (exact, and with -ffast-math), by clang -O3
and by clang -O3 -ffast-math. All take turns in one process on one thread, with oneDNN
(Debian's libdnnl-dev; --peers pypi: the newer one, in .venv-bench) and with copies of as
many bytes. Prints what the exact build does in a ns (operations, where a product and its
sum are two, bytes of weights, or elements), and how long the others take in times of it:
medians. What the exact build and clang -O3 compute must have the same bits.
"""
import argparse
import ctypes
import os
import random
import statistics
import struct
import sys
import tempfile
import time

from contestants import ROOT, clang, cpu_name, install_pypi, llvm_tools
from measure import ONE_THREAD
from rows import measure, run, sized_builds

HERE = os.path.dirname(os.path.abspath(__file__))


class Kernel:
    """A function of kernels/narrow.c at a size: C is M x N, K products an element."""

    def __init__(self, name, m, n, k, work, unit="GOP"):
        self.name, self.sizes, self.work, self.unit = name, (m, n, k), work, unit

    @property
    def symbol(self):
        return "_".join([self.name, *map(str, self.sizes)])

    def __str__(self):
        return "%s %dx%dx%d" % (self.name, *self.sizes)


def products():
    names = ("u8s8_nn", "u8s8_nt", "s8s8_nn", "s8s8_nt", "s16s16_nn", "s16s16_nt",
             "bf16_nn", "bf16_nt", "bfloat_nn", "bfloat_nt", "f16_nt", "f32_nt")
    return [Kernel(name, m, n, k, 2 * m * n * k)
            for name in names
            for m, n, k in ((512, 512, 512), (64, 768, 768)) +
            (((2048, 2048, 2048),) if name[0] in "us" else ())]


def layers():
    return [Kernel(name, 56, 64, 64, 2 * 56 * 56 * 64 * 64 * 9)
            for name in ("conv_nhwc_s8", "conv_nchw_s8")] + [
                Kernel("depthwise_nhwc_s8", 56, 128, 128, 2 * 56 * 56 * 128 * 9)]


def rows():
    """Weights that stay in L3, and such that do not."""
    return [Kernel(name, 1, n, 4096, n * 4096 * bits / 8, "GB")
            for n in (4096, 65536)
            for name, bits in (("matvec_s8", 8), ("matvec_groups", 8),
                               ("matvec_q8", 8.5), ("matvec_q4", 4.5))]


def maps():
    return [Kernel(name, 1024, 1024, 1, 1 << 20, "G elements")
            for name in ("quantize", "dequantize", "widen", "narrow")]


def attention():
    """Twelve heads, as many products as there are without a mask."""
    return [Kernel(name, 12, t, d, 4 * 12 * t * t * d)
            for name in ("attention", "attention_causal", "attention_nests")
            for t in (512, 500) for d in (64, 80, 128)] + [
                Kernel("attention_one", 12, 4096, 64, 2 * 12 * 4096 * 64 * 4, "GB")]


SUITES = {f.__name__: f for f in (products, layers, rows, maps, attention)}

# What x, w, the scales and y are made of, by how names begin: formats of struct.
TYPES = [("u8s8", "BbfI"), ("s8s8", "bbfI"), ("s16", "hhfI"), ("bf", "HHff"),
         ("f16", "eeff"), ("f32", "ffff"), ("conv", "Bbfb"), ("depthwise", "Bbfb"),
         ("matvec_s8", "bbfI"), ("matvec_groups", "bbff"), ("matvec_q8", "88ff"),
         ("matvec_q4", "84ff"), ("quantize", "fffb"), ("dequantize", "bfff"),
         ("widen", "Hfff"), ("narrow", "fffH"), ("attention", "ffff")]


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--suite", default="products,layers,rows,maps",
                   help="of %s: a list with commas" % ", ".join(SUITES))
    p.add_argument("--sizes", choices=("constant", "argument"), default="argument",
                   help="what the loops know (default: argument)")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--only", default="", help="kernels whose names have this")
    p.add_argument("--peers", choices=("debian", "pypi", "none"), default="debian")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib",
                                                    "libDLOpt.so"))
    args = p.parse_args()
    for name in args.suite.split(","):
        if name not in SUITES:
            sys.exit("narrow: no suite %s: there are %s" % (name, ", ".join(SUITES)))
    llvm_tools.need_plugin("narrow", args.plugin)
    return args


def build(args, kernels, folder):
    """Libraries by the contestant's name."""
    libraries = sized_builds(args, "narrow.c", ["-DSHAPES=" + " ".join(
        "SHAPE(%s, %s, %d, %d, %d)" % (k.symbol, k.name, *k.sizes) for k in kernels)],
        folder)
    peers = build_peers(args, os.path.join(folder, "peers.so"))
    if peers:
        libraries["onednn"] = peers
        peers.onednn.restype = ctypes.c_bool
    return libraries


def build_peers(args, to):
    flags = []
    if args.peers == "pypi":
        venv, _ = install_pypi()
        lib = os.path.join(venv, "lib")
        flags = ["-isystem", os.path.join(venv, "include"), "-L" + lib,
                 "-Wl,-rpath," + lib]
    elif args.peers == "none" or not os.path.exists("/usr/include/dnnl.hpp"):
        return None
    run([clang("++"), "-std=c++17", "-O3", "-shared", "-fPIC",
         os.path.join(HERE, "narrowpeers.cc")] + flags + ["-ldnnl", "-o", to])
    return ctypes.CDLL(to)


def random_bytes(kind, count):
    """As many elements, a block again and again."""
    rng = random.Random(kind)
    if kind in "84":  # blocks of a half and 32 numbers
        one = b"".join(struct.pack("e", rng.uniform(0.01, 0.02)) +
                       rng.randbytes(32 if kind == "8" else 16) for _ in range(4096))
        count = (count + 31) // 32
        per = 4096
    else:
        per = 1 << 16
        if kind in "fe":
            values = [rng.uniform(-1, 1) for _ in range(per)]
        elif kind == "H":  # bfloats
            values = [struct.unpack("HH", struct.pack("f", rng.uniform(-1, 1)))[1]
                      for _ in range(per)]
        else:
            bits = 8 * struct.calcsize(kind)
            least = 0 if kind.isupper() else -(1 << (bits - 1))
            values = [rng.randrange(least, least + (1 << bits)) for _ in range(per)]
        one = struct.pack("%d%s" % (per, kind), *values)
    size = len(one) // per * count
    return ctypes.create_string_buffer((one * (count // per + 1))[:size], size)


class Data:
    def __init__(self, kernel):
        m, n, k = kernel.sizes
        kinds = next(kinds for start, kinds in TYPES if kernel.name.startswith(start))
        is_image = kernel.name.startswith(("conv", "depthwise"))
        counts = {"x": m * k, "w": n * k, "scales": n + k, "y": m * n}
        if is_image:
            counts = {"x": m * m * k, "w": n * k * 9, "scales": n, "y": m * m * n}
        elif kernel.unit.startswith("G el"):
            counts.update(x=m * n, scales=m)
        elif kernel.name.startswith("attention"):
            counts = {"x": 3 * m * n * k, "w": 1, "scales": n * n, "y": m * n * k}
        self.x, self.w, self.scales, self.y = (
            random_bytes(kind, counts[name])
            for kind, name in zip(kinds, ("x", "w", "scales", "y")))
        if is_image:  # results of all bytes
            scales = struct.pack("%df" % n, *[0.001 + 1e-6 * i for i in range(n)])
            ctypes.memmove(self.scales, scales, len(scales))
        self.kind = kinds[3]
        self.pointers = [self.y, self.x, self.w, self.scales]
        self.bytes = max(len(self.x) + len(self.y), len(self.w)) // 2

    def clear(self):
        ctypes.memset(self.y, 0, len(self.y))


def contestants(kernel, libraries, data):
    result = {}
    for name in ("exact", "fast", "clang", "clang-fast"):
        function = getattr(libraries[name], kernel.symbol)
        result[name] = lambda f=function: f(*data.pointers)
    peers = libraries.get("onednn")

    def call():
        return peers.onednn(kernel.name.encode(), *data.pointers, *kernel.sizes)
    if peers and call():
        result["onednn"] = call
    if kernel.unit != "GOP":
        # As many bytes are read and written.
        to, source = (ctypes.create_string_buffer(b"1" * data.bytes)
                      for _ in range(2))
        result["copy"] = lambda: ctypes.memmove(to, source, data.bytes)
    return result


def check(kernel, functions, data):
    """The exact build must have clang's bits, integers all of them."""
    results = {}
    for who, function in functions.items():
        if who != "copy":
            data.clear()
            function()
            results[who] = bytes(data.y)
    right = results["clang"]
    for who, values in results.items():
        if who == "exact" or data.kind == "I":
            if values == right:
                continue
            text = "narrow: %s by %s has other bits" % (kernel, who)
            if who != "onednn":
                sys.exit(text)
            # oneDNN's sums of bytes saturate in 16 bits where a CPU has no VNNI.
            print(text)
        elif data.kind == "f":
            pairs = list(zip(memoryview(right).cast("f")[:4096],
                             memoryview(values).cast("f")))
            scale = max(abs(a) for a, _ in pairs)
            worst = max(abs(a - b) for a, b in pairs)
            if not worst <= 1e-2 * scale:
                print("narrow: %s by %s differs by %g" % (kernel, who, worst))


def compare(args, kernel, functions):
    times = {who: [] for who in functions}
    for turn in range(args.rounds):
        # Whoever comes behind another one finds the caches as that has left them.
        for who in list(functions)[::-1 if turn % 2 else 1]:
            has_threads = who == "onednn" and args.peers == "pypi"
            clock = time.process_time_ns if has_threads else time.thread_time_ns
            # Plain clang may take a hundred times as long: one round will do.
            if not turn or times[who][0] < 20 * times["exact"][0]:
                times[who].append(measure(functions[who], clock=clock))

    def ratio(who):
        return statistics.median(a / b for a, b in zip(times[who], times["exact"]))
    print("%-36s %8.2f %s/s" % (kernel, kernel.work / statistics.median(times["exact"]),
                                kernel.unit) +
          "".join("  %s %.2fx" % (who, ratio(who)) for who in functions
                  if who != "exact"), flush=True)


def need_environment(args):
    """The loader reads its variables when a program starts."""
    env = dict(os.environ, **ONE_THREAD)
    if args.peers == "pypi":
        env.update(install_pypi()[1])
    if any(os.environ.get(name) != value for name, value in env.items()):
        os.execve(sys.executable, [sys.executable] + sys.argv, env)


def main():
    args = parse_arguments()
    need_environment(args)
    print("%s, %s, sizes: %s" % (cpu_name(), args.march, args.sizes))
    for name in args.suite.split(","):
        kernels = [k for k in SUITES[name]() if args.only in str(k)]
        if not kernels:
            continue
        with tempfile.TemporaryDirectory(prefix="dl-narrow-") as folder:
            libraries = build(args, kernels, folder)
            for kernel in kernels:
                data = Data(kernel)
                functions = contestants(kernel, libraries, data)
                check(kernel, functions, data)
                compare(args, kernel, functions)


if __name__ == "__main__":
    main()
