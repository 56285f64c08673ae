#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds by trying what is fastest on this machine, for the kernels of a function.

    utils/tune/tune.py kernel.c [--function F] [--sizes M=256,N=256] [-o FILE]

Each kernel is compiled as the plugin would, and by other scripts (all of its list, and
what differs from the best of these in a size, an order or what is straight code), or
with other numbers (tiles, blocks, what is copied, which transformations there are).
They run by turns in one process, in CPU time of the thread, on arrays of the sizes that
kernels have, and must leave the bits of clang without the plugin. What is faster than
the plugin's own choice is written to a file, which clang reads by

    clang -O3 -march=native -fpass-plugin=libDLOpt.so -mllvm -dl-tuned=FILE

docs/tuning.md has more.
"""
import argparse
import collections
import ctypes
import hashlib
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
from typing import Any, DefaultDict, Dict, List, Optional, Set

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402
from calls import Caller, Signature  # noqa: E402
from entries import (Choice, Entry, Kernel, find_stale, parse_remarks, read,  # noqa: E402
                     write)
from neighbours import find_group, find_neighbours, find_starts  # noqa: E402

OWN: Choice = ("", ())
ENOUGH = 2  # values of an option that make no other code: it is for other kernels
IS_CXX = (".cc", ".cpp", ".cxx")


def parse_arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    p.add_argument("source", help="C or C++")
    p.add_argument("--function", help="that has the kernels, if several functions have")
    p.add_argument("--sizes", default="", metavar="NAME=N,...",
                   help="of arguments that are integers, or elements of arrays")
    p.add_argument("--march", default="native")
    p.add_argument("--flags", default="-ffp-contract=on", help="others of the compiler")
    p.add_argument("-o", "--output", default="dlopt.tuned",
                   help="file, of which entries for other kernels and CPUs stay")
    p.add_argument("--candidates", type=int, default=60, help="for each kernel, at most")
    p.add_argument("--rounds", type=int, default=15, help="of those that are left")
    p.add_argument("--least-gain", type=float, default=3, metavar="PERCENT",
                   help="without which the plugin's own choice stays")
    p.add_argument("--quick", action="store_true",
                   help="two candidates and one round, of which the faster one is "
                   "written: whether it works")
    p.add_argument("--list", action="store_true", help="only say which kernels there are")
    p.add_argument("--verbose", action="store_true", help="what was refused, too")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib", "libDLOpt.so"))
    args = p.parse_args()
    if args.quick:
        args.candidates, args.rounds, args.least_gain = 2, 1, -math.inf
    llvm_tools.need_plugin("tune", args.plugin)
    if not os.path.exists(args.source):
        sys.exit("tune: there is no %s" % args.source)
    try:
        args.sizes = {name.strip(): int(number) for name, number in (
            pair.split("=") for pair in args.sizes.split(",") if pair)}
    except ValueError:
        sys.exit("tune: sizes are NAME=N, with commas between them")
    return args


class Progress:
    """A bar for people who watch; files and pipes get none."""
    WIDTH = 30

    def __init__(self) -> None:
        self.shown = sys.stderr.isatty()

    def show(self, done: int, most: int, text: str) -> None:
        if self.shown:
            full = self.WIDTH * min(done, most) // max(most, 1)
            sys.stderr.write("\r[%s%s] %d/%d %-30.30s" % (
                "#" * full, "." * (self.WIDTH - full), done, most, text))
            sys.stderr.flush()

    def clear(self) -> None:
        if self.shown:
            sys.stderr.write("\r%*s\r" % (self.WIDTH + 50, ""))


class Compiler:
    """Compiles one source, in a folder."""

    def __init__(self, args: argparse.Namespace, folder: str) -> None:
        self.folder, self.built = folder, 0
        is_cxx = args.source.endswith(IS_CXX)
        self.clang = llvm_tools.need("tune", "clang++" if is_cxx else "clang")
        self.source = args.source
        self.flags = ["-O3", "-march=" + args.march, "-fPIC", *shlex.split(args.flags)]
        self.plugin = [*llvm_tools.load(args.plugin),
                       "-fno-discard-value-names", "-fno-caret-diagnostics",
                       "-fno-diagnostics-show-option", "-fno-color-diagnostics"]

    def run(self, *arguments: str) -> str:
        done = subprocess.run([self.clang, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
        if done.returncode:
            sys.exit("tune: the compiler says:\n" + done.stdout[-3000:])
        return done.stdout

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def emit(self) -> str:
        """The IR, as it is written."""
        self.run(*self.flags, "-fno-discard-value-names", "-Xclang",
                 "-disable-llvm-passes", "-S", "-emit-llvm", self.source, "-o",
                 self.path("plain.ll"))
        with open(self.path("plain.ll")) as f:
            return f.read()

    def list_kernels(self) -> List[Kernel]:
        return parse_remarks(self.run(*self.flags, *self.plugin, "-Rpass-analysis=dl-tune",
                                      "-c", self.source, "-o", self.path("listed.o")))

    def compile(self, tuned: Optional[str]) -> str:
        """The object; `tuned`: a file of entries. Empty: one of them is stale."""
        to = self.path("%d.o" % self.built)
        self.built += 1
        file = ["-mllvm", "-dl-tuned=" + tuned] if tuned else []
        said = self.run(*self.flags, *self.plugin, *file, "-Rpass-missed=dl-vectorize",
                        "-c", self.source, "-o", to)
        return "" if find_stale(said) else to

    def compile_plain(self) -> str:
        self.run(*self.flags, "-c", self.source, "-o", self.path("plain.o"))
        return self.path("plain.o")

    def link(self, *objects: str) -> ctypes.CDLL:
        # What has been loaded from a place is not loaded from there again.
        to = objects[0] + ".so"
        self.run("-O2", "-shared", "-fPIC", *objects, "-lm", "-o", to)
        return ctypes.CDLL(to)


class Candidate:
    """A way to run a kernel."""

    def __init__(self, choice: Choice, function: Any) -> None:
        self.choice, self.function = choice, function
        self.calls = 1
        self.times: List[float] = []
        self.by_own = self.at_worst = 1.0  # median, third quartile

    def describe(self) -> str:
        options, steps = self.choice
        if steps:
            return "a script of %d steps" % len(steps)
        return options or "as the plugin chooses"


class Tuner:
    """Tunes the kernels of one function."""

    def __init__(self, args: argparse.Namespace, compiler: Compiler,
                 kernels: List[Kernel], function: str) -> None:
        self.args, self.compiler = args, compiler
        self.kernels, self.function = kernels, function
        self.progress = Progress()
        signature = Signature(compiler.emit(), function)
        self.caller = Caller(signature, kernels, args.sizes)
        with open(compiler.path("timer.c"), "w") as f:
            f.write(signature.timer())
        compiler.run("-x", "c", "-O2", "-fPIC", "-c", f.name, "-o",
                     compiler.path("timer.o"))
        self.timer = compiler.link(compiler.path("timer.o")).timeCalls
        self.timer.restype = ctypes.c_double
        self.right = self.caller.get_bits(self.load(compiler.compile_plain()))
        self.chosen: List[Entry] = []  # of kernels that are tuned already

    def load(self, *objects: str) -> Any:
        function = getattr(self.compiler.link(*objects), self.function)
        self.caller.prepare(function)
        return function

    def build(self, kernel: Kernel, choice: Choice, seen: Dict[bytes, Candidate]
              ) -> Optional[Candidate]:
        """None: it is not legal, or the same code as another one."""
        file = self.compiler.path("one.tuned")
        own = [] if choice == OWN else [Entry(kernel.key, choice)]
        write(file, self.chosen + own)
        made = self.compiler.compile(file)
        if not made:
            return None
        with open(made, "rb") as f:
            code = hashlib.sha256(f.read()).digest()
        if code in seen:
            os.remove(made)
            # Who is near the script that the plugin chooses is near its choice.
            if choice[1] and not seen[code].choice[1]:
                seen[code].choice = choice
            return None
        candidate = Candidate(choice, self.load(made))
        if self.caller.get_bits(candidate.function) != self.right:
            if choice == OWN:
                sys.exit("tune: the plugin's choice has other bits than clang without it, "
                         "as flags permit: tune without these flags")
            sys.exit("tune: other bits than clang's without the plugin, by\n%s"
                     % "\n".join(Entry(kernel.key, choice).lines()))
        seen[code] = candidate
        return candidate

    def time(self, candidates: List[Candidate], rounds: int) -> None:
        """By turns; by the time of the first one in the same round."""
        least = 1e5 if self.args.quick else 3e6  # ns
        for c in candidates:
            spent = self.caller.time(self.timer, c.function, c.calls)
            c.calls = max(1, int(least / max(spent, 1)))
            c.times = []
        for _ in range(rounds):
            for c in candidates:
                c.times.append(self.caller.time(self.timer, c.function, c.calls))
        for c in candidates:
            ratios = sorted(t / own for t, own in zip(c.times, candidates[0].times))
            c.by_own = statistics.median(ratios)
            c.at_worst = ratios[3 * len(ratios) // 4]

    def search(self, kernel: Kernel) -> List[Candidate]:
        """The plugin's choice, and the others that were tried, the fastest first."""
        seen: Dict[bytes, Candidate] = {}
        own = self.build(kernel, OWN, seen)
        if not own:
            sys.exit("tune: an entry that has just been measured is stale")
        others: List[Candidate] = []
        asked: Set[Choice] = {OWN}
        expanded: Set[Choice] = set()
        idle: DefaultDict[str, float] = collections.defaultdict(float)
        queue = find_starts(kernel.scripts, kernel.has_known_sizes())
        most = self.args.candidates
        while queue and len(others) < most:
            batch = []
            for choice in queue:
                group = find_group(choice)
                if (choice in asked or idle[group] == ENOUGH or
                        len(others) + len(batch) >= most):
                    continue
                asked.add(choice)
                self.progress.show(len(others) + len(batch), most, kernel.name)
                candidate = self.build(kernel, choice, seen)
                if candidate:
                    batch.append(candidate)
                    idle[group] = -math.inf
                elif group:
                    idle[group] += 1
                if not candidate and self.args.verbose:
                    print("refused, or the same code: %s" % "; ".join(
                        Entry(kernel.key, choice).lines()[3:]))
            self.time([own] + batch, 1 if self.args.quick else 5)
            others = sorted(others + batch, key=lambda c: c.by_own)
            best = min([own] + others, key=lambda c: c.by_own)
            new = best.choice != OWN and best.choice not in expanded
            expanded.add(best.choice)
            queue = list(find_neighbours(
                best.choice, kernel.has_known_sizes())) if new else []
        self.progress.clear()
        return [own] + others

    def tune(self, kernel: Kernel) -> Optional[Entry]:
        own, *others = self.search(kernel)
        left = [own] + others[:5]
        self.time(left, self.args.rounds)
        best = min(left[1:] or left, key=lambda c: c.by_own)
        # The best of many is also the luckiest: others judge it.
        self.time([own, best], self.args.rounds)
        gain = 100 * (1 - best.by_own)
        before, after = (statistics.median(c.times) / 1e3 for c in (own, best))
        is_better = best is not own and gain >= self.args.least_gain and (
            best.at_worst < 1 or self.args.quick)
        print("%s: %d others, %.2f us, %s %.2f us, x%.3f: %s" % (
            kernel.name or kernel.key[0], len(others), before, "now" if is_better else "then",
            after, best.by_own, best.describe() if is_better else "stays as it is"),
            flush=True)
        if not is_better:
            return None
        sizes = ",".join("%s=%d" % s for s in self.args.sizes.items())
        comments = kernel.described() + (["# sizes " + sizes] if sizes else [])
        return Entry(kernel.key, best.choice, comments, "%.4g %.4g" % (before, after))


def choose_function(kernels: List[Kernel], function: Optional[str]) -> str:
    names = sorted({k.function for k in kernels})
    if not names:
        sys.exit("tune: the plugin finds no kernel")
    if function or len(names) > 1:
        if not function:
            sys.exit("tune: kernels are in %s: give --function" % ", ".join(names))
        if function not in names:
            sys.exit("tune: no kernel is in %s: there are some in %s" % (function, ", ".join(names)))
        return str(function)
    return names[0]


def show(kernels: List[Kernel]) -> None:
    for k in kernels:
        print("%s: %s %s, %s; %s" % (
            k.name, k.key[0], k.key[1],
            "%d scripts" % len(k.scripts) if k.scripts else "numbers",
            ", ".join("%s %s[%s]" % (kind, name, n) for name, kind, n in k.arrays)))


def save(path: str, new: List[Entry], tried: List[Kernel]) -> None:
    """Entries of kernels that were tried anew are replaced."""
    keys = {k.key for k in tried}
    write(path, [e for e in read(path) if e.key not in keys] + new)


def main() -> None:
    args = parse_arguments()
    read(args.output)  # before anything is measured
    with tempfile.TemporaryDirectory(prefix="dl-tune-") as folder:
        compiler = Compiler(args, folder)
        kernels = compiler.list_kernels()
        if args.list:
            show(kernels)
            return
        function = choose_function(kernels, args.function)
        kernels = [k for k in kernels if k.function == function]
        tuner = Tuner(args, compiler, kernels, function)
        for kernel in kernels:
            entry = tuner.tune(kernel)
            if entry:
                tuner.chosen.append(entry)
        save(args.output, tuner.chosen, kernels)
        if not compiler.compile(args.output):
            sys.exit("tune: an entry of %s is stale" % args.output)
    print("%s: %d entr%s for this source%s" % (
        args.output, len(tuner.chosen), "y" if len(tuner.chosen) == 1 else "ies",
        ", to try: --quick does not ask whether they gain" if args.quick else ""))


if __name__ == "__main__":
    main()
