#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two naive C programs, built with and without the plugin: speed and bits.

Fails if a build fails or if the outputs are not identical, bit by bit.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "bench"))
import contestants  # noqa: E402
import llvm_tools  # noqa: E402
from measure import measure, median, print_table  # noqa: E402

PROGRAMS = os.path.join(ROOT, "examples")


def run(command, what):
    """Standard output and error of a command that must succeed."""
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, universal_newlines=True)
    if done.returncode:
        sys.exit("demo: %s failed (%d):\n%s\n%s%s"
                 % (what, done.returncode, " ".join(command), done.stdout,
                    done.stderr))
    return done.stdout, done.stderr


def heading(text):
    print("\n\033[1m%s\033[0m" % text if sys.stdout.isatty() else "\n" + text)


class Program:
    """One program, built twice."""

    def __init__(self, args, name, arguments=()):
        self.name = name
        source = os.path.relpath(os.path.join(PROGRAMS, name + ".c"))
        folder = os.path.join(args.build_dir, "demo")
        os.makedirs(folder, exist_ok=True)
        plain = [contestants.clang(), "-O3", "-march=" + args.march, source]
        plugin = ["-fpass-plugin=" + args.plugin]
        remarks = ["-Rpass=dl-", "-Rpass-missed=dl-"]
        self.command = " ".join(["clang-22"] + plain[1:] + plugin)
        self.source = source
        self.builds = {}
        self.remarks = ""
        for label, flags in (("clang -O3", []), ("+ DLOpt", plugin + remarks)):
            binary = os.path.join(folder, name + (".dl" if flags else ".plain"))
            _, err = run(plain + flags + ["-o", binary], "building " + source)
            self.remarks = err if flags else ""
            out, _ = run([binary] + list(arguments), binary)
            self.builds[label] = dict(
                line.split(None, 1) for line in out.splitlines() if " " in line)

    def get(self, build, key):
        return self.builds[build].get(key, "?")

    @property
    def speedup(self):
        return (float(self.get("clang -O3", "ms")) /
                max(float(self.get("+ DLOpt", "ms")), 1e-6))

    @property
    def equal(self):
        a = self.get("clang -O3", "hash")
        return a == self.get("+ DLOpt", "hash") and a != "?"


def reference(args, shape):
    """The measured peak and, if it is installed, OpenBLAS's GFLOP/s."""
    bench = contestants.Settings(build_dir=args.build_dir, march=args.march)
    contestants.build_harness(bench)
    library = contestants.find_library("openblas*/libopenblas.so.0",
                                       "libopenblas.so.0")
    blas = contestants.openblas(bench, "OpenBLAS", library) if library else []
    result = measure(bench, blas, [shape], rounds=5, slice_ms=4)[0]
    best = result.fastest([c.name for c in blas])
    return median(result.peak), best, best and result.gflops(best)


def show_kernels(args, program):
    """The kernels of a program as text, if opt is there to print them."""
    opt, _ = llvm_tools.find("opt")
    if not opt:
        return
    ir = subprocess.Popen(
        [contestants.clang(), "-O3", "-march=" + args.march, "-S", "-emit-llvm",
         "-Xclang", "-disable-llvm-passes", "-gline-tables-only",
         program.source, "-o", "-"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    done = subprocess.run(
        [opt, "-load-pass-plugin=" + args.plugin, "-disable-output",
         "-passes=dl-prepare<all>,print<dl-kernels>"], stdin=ir.stdout,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        universal_newlines=True)
    ir.stdout.close()
    ir.wait()
    if done.returncode == 0 and done.stdout.strip():
        heading("The kernels found in " + program.source)
        print("  " + done.stdout.strip().replace("\n", "\n  "))


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--size", type=int, default=1024,
                   help="gemm.c multiplies matrices of this size")
    p.add_argument("--min-speedup", type=float, default=0, metavar="X",
                   help="fail if mlp.c gains less")
    p.add_argument("--build-dir", default="build")
    args = p.parse_args()
    args.plugin = os.path.join(args.build_dir, "lib", "libDLOpt.so")
    llvm_tools.need_plugin("demo", args.plugin)
    return args


def main():
    args = parse_arguments()
    programs = [Program(args, "gemm", [str(args.size)]), Program(args, "mlp")]
    peak, blas, blas_gflops = reference(args, (args.size,) * 3)

    heading("Two naive C programs, one thread of %s" % contestants.cpu_name())
    for p in programs:
        print("  " + p.command)
    print()

    def share(gflops):
        return "%.0f%%" % (100 * float(gflops) / peak)
    rows = []
    for p in programs:
        for build in p.builds:
            with_plugin = build != "clang -O3"
            rows.append([
                "" if with_plugin else "%s.c %s" % (p.name, p.get(build, "shape")),
                build, p.get(build, "ms"), p.get(build, "GFLOP/s"),
                share(p.get(build, "GFLOP/s")),
                "%.1fx" % p.speedup if with_plugin else "",
                ("equal" if p.equal else "DIFFERENT") if with_plugin else ""])
        if p.name == "gemm" and blas:
            rows.append(["", blas,
                         "%.3f" % (2e-6 * args.size ** 3 / blas_gflops),
                         "%.2f" % blas_gflops, share(blas_gflops), "", ""])
    print_table(["program", "build", "ms", "GFLOP/s", "of peak", "faster",
                 "bits of the result"], rows)
    print("\npeak: %.1f GFLOP/s, f32 multiply-adds in registers, measured now"
          % peak)

    heading("What the compiler said (-Rpass=dl- -Rpass-missed=dl-)")
    for p in programs:
        lines = [l for l in p.remarks.splitlines() if "remark:" in l]
        print("\n".join("  " + l for l in lines) or
              "  %s: nothing" % p.source)
    show_kernels(args, programs[0])

    failures = ["%s.c: the results differ" % p.name
                for p in programs if not p.equal]
    if programs[1].speedup < args.min_speedup:
        failures.append("mlp.c: %.1fx, less than %gx"
                        % (programs[1].speedup, args.min_speedup))
    if failures:
        sys.exit("\ndemo: " + "; ".join(failures))


if __name__ == "__main__":
    main()
