#!/usr/bin/env python3
"""Holds what is said to be apart in memory against integer sets.

    utils/check/check_dependences.py            all kernels below, some minutes
    utils/check/check_dependences.py --short    a part of them

Kernels are those that are raised from the C and C++ sources of the tests, the
benchmarks and the examples, those that the fuzzer draws (C), and random ones
(dl-script-fuzz). dl-kernels --check-dependences asks isl about each; an answer of
polynomials, or a role, that isl refutes is printed. The exit status is 0 if there
is none, 1 if there is one, 2 if nothing can be compared.
"""
import argparse
import concurrent.futures
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "utils", "fuzz"),
                os.path.join(ROOT, "utils", "support")]
import llvm_tools  # noqa: E402
from fuzzlib.batch import Batch  # noqa: E402

PASSES = "dl-prepare<loops>,print<dl-kernels>"
COUNTS = re.compile(r"^(\d+) kernels: apart by both (\d+), by polynomials (\d+), by "
                    r"sets (\d+), by neither (\d+); held against numbers (\d+)$",
                    re.MULTILINE)


def sources(short):
    found = [p for folder in ("test", "examples", "utils/bench/kernels")
             for kind in ("c", "cpp") for p in
             glob.glob(os.path.join(ROOT, folder, "**", "*." + kind), recursive=True)]
    # The others are spread over all folders.
    return sorted(found)[::24 if short else 1]


class Checker:
    def __init__(self, args):
        self.args = args
        self.clang = llvm_tools.need("check_dependences.py", "clang")
        self.opt = llvm_tools.need("check_dependences.py", "opt")
        self.total = [0] * 6
        self.wrong, self.failed = [], 0

    def tool(self, name):
        return os.path.join(self.args.build, "bin", name)

    def raised(self, path, flags):
        """The text of the kernels of a source file; None if it is for others."""
        clang = self.clang + ("++" if path.endswith("pp") else "")
        code = subprocess.run(
            [clang, "-w", "-O2", *flags, "-Xclang", "-disable-llvm-passes",
             "-emit-llvm", "-c", path, "-o", "-", "-I" + os.path.dirname(path)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if code.returncode:
            return None
        plugin = os.path.join(self.args.build, "lib", "libDLOpt.so")
        text = subprocess.run(
            [self.opt, "-load-pass-plugin=" + plugin, "-passes=" + PASSES,
             "-disable-output"], input=code.stdout, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL).stdout
        # Beside kernels it says which loops are none.
        return re.sub(rb"^missed .*\n", b"", text, flags=re.MULTILINE)

    def check(self, job):
        path, flags = job
        text = self.raised(path, flags)
        if not text:
            return path, None
        done = subprocess.run([self.tool("dl-kernels"), "-", "--check-dependences"],
                              input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        return path, done.stdout.decode(errors="replace")

    def add(self, name, text):
        counts = COUNTS.search(text)
        if not counts:
            self.failed += 1
            self.wrong.append("%s: %s" % (name, text.strip()))
            return
        self.total = [a + int(b) for a, b in zip(self.total, counts.groups())]
        rest = COUNTS.sub("", text).strip()
        if " meet" in rest:
            self.wrong.append("%s: %s" % (name, rest))

    def random_kernels(self):
        done = subprocess.run(
            [self.tool("dl-script-fuzz"), "--dependences", "--seed",
             str(self.args.seed), "--kernels", str(self.args.kernels)],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            universal_newlines=True)
        self.add("dl-script-fuzz", done.stdout)

    def run(self, folder):
        jobs = [(path, []) for path in sources(self.args.short)]
        for number in range(self.args.batches):
            batch = Batch(self.args.seed, number, None, 50, 1, False)
            path = os.path.join(folder, "batch%d.c" % number)
            with open(path, "w") as f:
                f.write(batch.source())
            jobs.append((path, batch.flags))
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            for path, text in pool.map(self.check, jobs):
                if text is not None:
                    self.add(os.path.relpath(path, ROOT), text)
        self.random_kernels()
        print("%d kernels: apart by both %d, by polynomials %d, by sets %d, by "
              "neither %d; held against numbers %d" % tuple(self.total))
        for line in self.wrong:
            print(line)
        print("%d contradictions" % len(self.wrong))
        return 1 if self.wrong else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"),
                        help="folder of the plugin and its tools")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kernels", type=int, help="random ones")
    parser.add_argument("--batches", type=int, help="of the fuzzer, 50 kernels each")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    if args.kernels is None:
        args.kernels = 100 if args.short else 10000
    if args.batches is None:
        args.batches = 1 if args.short else 40
    for name in ("bin/dl-kernels", "bin/dl-script-fuzz", "lib/libDLOpt.so"):
        if not os.path.exists(os.path.join(args.build, name)):
            print("check_dependences.py: %s is missing (scripts/build builds it)" %
                  os.path.join(args.build, name), file=sys.stderr)
            return 2
    with tempfile.TemporaryDirectory(prefix="dl-dependences-") as folder:
        return Checker(args).run(folder)


if __name__ == "__main__":
    sys.exit(main())
