#!/usr/bin/env python3
#===- large_functions.py - Whether compile time stays in proportion --------===#
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Generates functions that are large in one way each, and compares what the
plugin takes for one of them to what it takes for many small ones with as much
in them. Exits with 1 where a large one takes more than --factor times as much.

The time is opt's user time with the plugin's passes minus that without any, the
least of --repeat runs."""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402
from large_shapes import HEAD, SHAPES  # noqa: E402


class Compiler:
    def __init__(self, arguments, folder):
        self.arguments, self.folder = arguments, folder

    def tool(self, name):
        if self.arguments.llvm:
            return llvm_tools.check("large-functions", name,
                                    os.path.join(self.arguments.llvm, name))
        return llvm_tools.need("large-functions", name)

    def emit(self, text, name):
        """Bitcode as the frontend leaves it."""
        source, output = (os.path.join(self.folder, name + s) for s in (".c", ".bc"))
        with open(source, "w") as f:
            f.write(HEAD + text)
        subprocess.run([self.tool("clang"), "-w", "-O2", "-mavx2", "-mfma", "-mf16c",
                        "--target=x86_64-linux-gnu", "-Xclang", "-disable-llvm-passes",
                        "-emit-llvm", "-c", source, "-o", output], check=True)
        return output

    def run(self, file, passes):
        """Seconds of user time; None if it takes more than the limit."""
        command = [self.tool("opt"), "-load-pass-plugin=" + self.arguments.plugin,
                   "-passes=" + passes, file, "-o", os.devnull]
        if self.arguments.remarks:
            command += ["-pass-remarks-output=" + os.devnull, "-pass-remarks-filter=dl-"]
        limit = self.arguments.limit

        def set_limit():
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run(command, preexec_fn=set_limit, stderr=subprocess.PIPE)
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None
        if done.returncode:
            sys.exit("large-functions: %s: %s" % (
                " ".join(command), done.stderr.decode(errors="replace")[:2000]))
        return seconds

    def measure(self, file):
        """What the plugin's passes take; None: longer than the limit."""
        least = {}
        for _ in range(self.arguments.repeat):
            for passes in ("verify", self.arguments.passes):
                seconds = self.run(file, passes)
                if seconds is None:
                    return None
                least[passes] = min(seconds, least.get(passes, seconds))
        return least[self.arguments.passes] - least["verify"]


def generate(shape, number, total):
    """As many functions with `number` as make `total`."""
    return "".join(shape.make(number, tag) for tag in range(max(1, total // number)))


def compare(compiler, shape, sizes):
    """Prints a line; whether every size is within the factor."""
    ok, columns = True, []
    for large in sizes:
        # Of few, several large ones, so that there is something to measure.
        total = large * max(1, compiler.arguments.total // large)
        text = {n: generate(shape, n, total) for n in (shape.small, large)}
        count = {n: max(1, total // n) * n for n in text}
        files = {n: compiler.emit(t, "%s-%d" % (shape.name, n)) for n, t in text.items()}
        small = compiler.measure(files[shape.small])
        taken = compiler.measure(files[large])
        if small is None:
            sys.exit("large-functions: %s: small functions take more than %d s" % (
                shape.name, compiler.arguments.limit))
        each = 1000 * small / count[shape.small]
        if taken is None:
            columns.append("%5d: over %d s" % (large, compiler.arguments.limit))
            ok = False
            continue
        # Below this there is nothing but noise.
        ratio = max(taken, 0.01) / count[large] / (max(small, 0.01) / count[shape.small])
        ok &= ratio <= compiler.arguments.factor
        columns.append("%5d: %.3f ms, %5.2fx of %.3f" % (
            large, 1000 * taken / count[large], ratio, each))
    print("%-18s %s%s" % (shape.name, "   ".join(columns), "" if ok else "   TOO SLOW"), flush=True)
    return ok


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="shapes:\n" + "\n".join("  %-18s %s" % (s.name, s.what) for s in SHAPES))
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build/lib/libDLOpt.so"))
    parser.add_argument("--llvm", help="the folder of opt and clang")
    parser.add_argument("--passes", default="dl<O2>", help="what is measured")
    parser.add_argument("--remarks", action="store_true", help="with remarks asked for")
    parser.add_argument("--only", help="comma-separated shapes")
    parser.add_argument("--size", type=int, help="this one instead of the shape's large ones")
    parser.add_argument("--short", action="store_true", help="one size of each shape")
    parser.add_argument("--total", type=int, default=200,
                        help="of what there are several of: so many in a file")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--factor", type=float, default=3)
    parser.add_argument("--limit", type=int, default=60, help="seconds for one file")
    parser.add_argument("--print", action="store_true", help="print the C code instead")
    parser.add_argument("--keep", help="a folder for the generated files")
    arguments = parser.parse_args()
    names = arguments.only.split(",") if arguments.only else [s.name for s in SHAPES]
    unknown = set(names) - {s.name for s in SHAPES}
    if unknown:
        sys.exit("large-functions: no such shape: " + ", ".join(sorted(unknown)))
    chosen = [(s, [arguments.size] if arguments.size else
               s.large[-1:] if arguments.short else s.large)
              for s in SHAPES if s.name in names]
    if arguments.print:
        for shape, sizes in chosen:
            sys.stdout.write(HEAD + shape.make(sizes[0], 0))
        return
    llvm_tools.need_plugin("large-functions", arguments.plugin)
    with tempfile.TemporaryDirectory() as folder:
        if arguments.keep:
            os.makedirs(arguments.keep, exist_ok=True)
        compiler = Compiler(arguments, arguments.keep or folder)
        slow = [s.name for s, sizes in chosen if not compare(compiler, s, sizes)]
    if slow:
        sys.exit("large-functions: out of proportion: " + ", ".join(slow))


if __name__ == "__main__":
    main()
