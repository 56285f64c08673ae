#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Judges which scripts cycles choose for windows, and the lists they choose from.

    utils/bench/choices.py [--march native] [--scripts 100] [--random 10] [--only NAME]

For each kernel the script that is chosen, the others of its list and about a hundred
more, which have other sizes of blocks, other orders of loops or other straight code,
are applied by dl-vectorize<schedule=FILE> and timed by turns in one process on one
thread: all of them first, and then those of the list and the fastest of the others
again. What is refused is left out. Each must have the bits of clang -O3.

Prints a line for each kernel: microseconds of what is chosen, its time and that of the
best of the list by the best of all; then how many are within 5% and 15%, and the worst.
"""
import argparse
import ctypes
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

from contestants import ROOT, clang, cpu_name, llvm_tools
from measure import ONE_THREAD
from rows import array
from variants import vary

POINTER = ctypes.POINTER(ctypes.c_float)
AROUND = """
void {name}(float *out, const float *in, const float *w) {{
  {parallel} {{
    float t1 = {start};
    {sums} {{
      int h = {row} * {s} + r{rows} - {p}, v = {column} * {s} + r{columns} - {p};
      if (h >= 0 && h < {h} && v >= 0 && v < {w})
        {update}
    }}
    out[{result}] = t1;
  }}
}}
"""
TIMER = """
#define _POSIX_C_SOURCE 199309L
#include <time.h>
double timeCalls(void (*f)(float *, const float *, const float *), float *out,
                 const float *in, const float *w, int n) {
  struct timespec a, b;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
  for (int i = 0; i < n; i++)
    f(out, in, w);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
  return ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / n;
}
"""


class Kind:
    """How a kernel is spelled: its parallel loops and those of its sum, outermost
    first, as `axis count`; where it reads, writes, and what it does there."""

    def __init__(self, parallel, sums, read, weight, result, row, column,
                 start="0", update="t1 += in[{read}] * w[{weight}];"):
        self.parallel, self.sums = parallel.split(), sums.split()
        self.result, self.row, self.column = result, row, column
        self.start = start
        self.update = update.format(read=read, weight=weight)
        self.rows, self.columns = (1 + self.sums.index(a) for a in ("r", "t"))


KINDS = {
    "conv_nchw": Kind("f:k p1:oh x:ow", "c r t", "(r1 * {h} + h) * {w} + v",
                      "((f * {c} + r1) * {r} + r2) * {r} + r3",
                      "(f * {oh} + p1) * {ow} + x", "p1", "x"),
    "conv_nhwc": Kind("p1:oh f:ow x:k", "r t c", "(h * {w} + v) * {c} + r3",
                      "((r1 * {r} + r2) * {c} + r3) * {k} + x",
                      "(p1 * {ow} + f) * {k} + x", "p1", "f"),
    "conv_ohwi": Kind("p1:oh f:ow x:k", "r t c", "(h * {w} + v) * {c} + r3",
                      "((x * {r} + r1) * {r} + r2) * {c} + r3",
                      "(p1 * {ow} + f) * {k} + x", "p1", "f"),
    "depthwise_nchw": Kind("p1:k p2:oh x:ow", "r t", "(p1 * {h} + h) * {w} + v",
                           "(p1 * {r} + r1) * {r} + r2",
                           "(p1 * {oh} + p2) * {ow} + x", "p2", "x"),
    "depthwise_nhwc": Kind("p1:oh f:ow x:k", "r t", "(h * {w} + v) * {c} + x",
                           "(r1 * {r} + r2) * {c} + x",
                           "(p1 * {ow} + f) * {k} + x", "p1", "f"),
    "maxpool_nchw": Kind("p1:k p2:oh x:ow", "r t", "(p1 * {h} + h) * {w} + v", "",
                         "(p1 * {oh} + p2) * {ow} + x", "p2", "x", "-3.4e38f",
                         "if (in[{read}] > t1) t1 = in[{read}];"),
}


class Window:
    """A kernel at a size."""

    def __init__(self, kind, c, h, w, k, r, s=1, p=None):
        p = r // 2 if p is None else p
        self.kind, self.name = kind, "_".join(map(str, (kind, c, h, w, k, r, s, p)))
        oh, ow = (h + 2 * p - r) // s + 1, (w + 2 * p - r) // s + 1
        self.sizes = dict(c=c, h=h, w=w, k=k, r=r, s=s, p=p, oh=oh, ow=ow, t=r)
        self.out, self.image, self.weights = k * oh * ow, c * h * w, c * r * r * k
        spelled = KINDS[kind]
        self.rounds = {a: self.sizes[n] for a, n in
                       (x.split(":") for x in spelled.parallel)}
        self.rounds.update({"r%d" % (i + 1): self.sizes[n]
                            for i, n in enumerate(spelled.sums)})

    def rename(self, line):
        """What strategies call axes, outermost first, is i, j, k, ... in the source."""
        names = dict(zip(self.rounds, "ijklmn"))
        return re.sub(r"\b(%s)(_?)\b" % "|".join(names),
                      lambda m: names[m.group(1)] + m.group(2), line)

    def source(self, name):
        kind = KINDS[self.kind]

        def loops(axes):
            return " ".join("for (int %s = 0; %s < %d; %s++)" % (a, a, self.rounds[a], a)
                            for a in axes)
        return AROUND.format(
            name=name, start=kind.start, row=kind.row, column=kind.column,
            rows=kind.rows, columns=kind.columns, s=self.sizes["s"], p=self.sizes["p"],
            h=self.sizes["h"], w=self.sizes["w"],
            parallel=loops(x.split(":")[0] for x in kind.parallel),
            sums=loops("r%d" % (i + 1) for i in range(len(kind.sums))),
            update=kind.update.format(**self.sizes),
            result=kind.result.format(**self.sizes))


def usual():
    """Shapes of the figures, of ResNet-18 and of MobileNet-v2."""
    conv = "conv_nchw"
    return ([Window(conv, *x) for x in (
        (64, 56, 56, 64, 3), (128, 28, 28, 128, 3), (256, 14, 14, 256, 3),
        (512, 7, 7, 512, 3), (64, 58, 58, 64, 3, 1, 0), (64, 56, 56, 64, 5),
        (64, 56, 56, 64, 3, 2), (3, 224, 224, 64, 7, 2), (64, 56, 56, 128, 3, 2),
        (128, 28, 28, 256, 3, 2), (256, 14, 14, 512, 3, 2), (3, 224, 224, 32, 3, 2))] +
            [Window("conv_nhwc", 64, 56, 56, 64, 3), Window("conv_ohwi", 64, 56, 56, 64, 3),
             Window("conv_ohwi", 128, 28, 28, 128, 3)] +
            [Window("depthwise_nchw", c, h, h, c, 3, s) for c, h, s in (
                (128, 56, 1), (128, 56, 2), (32, 112, 1), (96, 112, 2), (192, 28, 1),
                (576, 14, 2), (960, 7, 1))] +
            [Window("depthwise_nhwc", c, h, h, c, 3, s) for c, h, s in (
                (128, 56, 1), (144, 56, 2), (384, 14, 1))] +
            [Window("maxpool_nchw", 64, 112, 112, 64, 3, 2)])


def drawn(number, seed):
    """Convolutions of random sizes."""
    dice = random.Random(seed)
    for _ in range(number):
        kind = dice.choice(["conv_nchw"] * 3 + ["conv_nhwc", "depthwise_nchw"])
        c, k = dice.randint(3, 96), dice.randint(3, 100)
        if kind.startswith("depthwise"):
            k = c
        yield Window(kind, c, dice.randint(5, 61), dice.randint(5, 61), k,
                     dice.choice((3, 3, 5)), dice.choice((1, 1, 2)))


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--scripts", type=int, default=100, help="for each kernel")
    p.add_argument("--random", type=int, default=10, help="kernels of random sizes")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--rounds", type=int, default=7, help="of the second turn")
    p.add_argument("--only", default="", help="kernels whose names have this")
    p.add_argument("--verbose", action="store_true", help="print the fastest scripts")
    p.add_argument("--log", help="file for all scripts, their cycles and their times")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib",
                                                    "libDLOpt.so"))
    args = p.parse_args()
    llvm_tools.need_plugin("choices", args.plugin)
    return args


def run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    if done.returncode:
        sys.exit("choices: %s failed:\n%s" % (" ".join(command), done.stdout[-3000:]))
    return done.stdout


class Builder:
    """Compiles kernels in a folder."""

    def __init__(self, args, folder):
        self.folder, self.flags, self.built = folder, ["-march=" + args.march], 0
        self.opt = [llvm_tools.need("choices", "opt"), "-load-pass-plugin=" +
                    os.path.abspath(args.plugin)]

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as f:
            f.write(text)
        return self.path(name)

    def emit(self, window):
        """IR as clang makes it."""
        source = self.write("plain.c", window.source("window"))
        run([clang(), "-O3", *self.flags, "-ffp-contract=on", "-Xclang",
             "-disable-llvm-passes", "-fno-discard-value-names", "-gline-tables-only",
             "-S", "-emit-llvm", source, "-o", self.path("plain.ll")])
        return self.path("plain.ll")

    def transform(self, ir, passes, to):
        """Whether that was possible, and what the passes say."""
        done = subprocess.run(
            self.opt + ["-passes=" + passes, "-pass-remarks=dl-",
                        "-pass-remarks-analysis=dl-s", ir, "-o", to],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, universal_newlines=True)
        return done.returncode == 0, done.stdout

    def link(self, source, flags=()):
        """The function `window` of what is built."""
        # What has been loaded from a place is not loaded from there again.
        self.built += 1
        to = self.path("%d.so" % self.built)
        run([clang(), "-O3", *self.flags, *flags, "-shared", "-fPIC", source, "-o", to])
        function = ctypes.CDLL(to).window
        os.remove(to)
        return function


class Candidate:
    def __init__(self, name, lines, cycles=None):
        self.name, self.lines, self.cycles = name, lines, cycles
        self.least, self.calls, self.function = math.inf, 1, None

    @property
    def key(self):
        """Modes of several axes are as many lines, in any order."""
        modes = re.compile(r"mode (\S+) (.*)")
        single = []
        for line in self.lines:
            match = modes.match(line)
            single += (["mode %s %s" % (a, match.group(2))
                        for a in match.group(1).split(",")] if match else [line])
        return "\n".join(sorted(single, key=lambda x: x if modes.match(x) else ""))

    def build(self, builder, window, ir):
        """False: it is not legal."""
        script = builder.write("script.txt",
                               "\n".join(map(window.rename, self.lines)) + "\n")
        to = builder.path("scheduled.bc")
        done, said = builder.transform(ir, "dl-vectorize<schedule=%s>" % script, to)
        about = re.search(r"runs as .* says(?:, about (\d+) cycles)?", said)
        if done and about:
            self.cycles = float(about.group(1) or 0)
            self.function = builder.link(to)
        return self.function is not None

    def time(self, timer, arguments, least=1e6):
        spent = timer(self.function, *arguments, self.calls)
        self.calls = max(1, int(least / max(spent, 1)))
        self.least = min(self.least, spent)


def get_list(builder, ir):
    """The script that is chosen and the others of its list; none: there is no script."""
    _, said = builder.transform(ir, "dl-vectorize", builder.path("chosen.bc"))
    found = []
    for part in re.split(r"remark: ", said):
        match = re.search(r"script ([\w ]+):\n", part)
        if not match:
            continue
        lines, cycles = [], None
        for line in part[match.end():].splitlines():
            about = re.match(r"about (\d+) cycles", line)
            cycles = float(about.group(1)) if about else cycles
            if re.match(r"about |not by |the next best", line):
                break
            lines.append(line)
        found.append(Candidate(match.group(1), lines, cycles))
    return found


class Judge:
    """Times the scripts of one kernel."""

    def __init__(self, args, folder, timer):
        self.args, self.timer = args, timer
        self.builder = Builder(args, folder)

    def prepare(self, window):
        state = [1]

        def number(_):
            state[0] = (state[0] * 1103515245 + 12345) % 2**31
            return state[0] / 2**30 - 1
        self.out = (ctypes.c_float * window.out)()
        data = [self.out, array(window.image, number), array(window.weights, number)]
        self.data = data
        self.arguments = [ctypes.cast(a, POINTER) for a in data]

    def get_bits(self, function):
        ctypes.memset(self.out, 0, ctypes.sizeof(self.out))
        function(*self.arguments)
        return bytes(self.out)

    def judge(self, window):
        """(chosen, list, all); None: there is no list."""
        self.prepare(window)
        ir = self.builder.emit(window)
        listed = get_list(self.builder, ir)
        if not listed:
            return None
        seen, every = set(), []
        for c in listed + vary(listed, window, self.args.scripts, self.args.seed):
            if not isinstance(c, Candidate):
                c = Candidate("other", c)
            if c.key in seen:
                continue
            seen.add(c.key)
            if c.build(self.builder, window, ir):
                every.append(c)
        right = self.get_bits(self.builder.link(self.builder.path("plain.c"),
                                                ["-ffp-contract=on"]))
        for c in every:
            if self.get_bits(c.function) != right:
                sys.exit("choices: %s has other bits by\n%s" % (
                    window.name, "\n".join(c.lines)))
        self.time(every, 3)
        listed = [c for c in every if c.name != "other"]
        others = sorted((c for c in every if c.name == "other"), key=lambda c: c.least)
        self.time(listed + others[:8], self.args.rounds)
        return listed, every

    def time(self, candidates, rounds):
        for _ in range(rounds):
            for c in candidates:
                c.time(self.timer, self.arguments)


def main():
    args = parse_arguments()
    os.environ.update(ONE_THREAD)
    print("%s, %s" % (cpu_name(), args.march), flush=True)
    chosen_by, list_by = [], []
    with tempfile.TemporaryDirectory(prefix="dl-choices-") as folder:
        builder = Builder(args, folder)
        to = builder.path("timer.so")
        run([clang(), "-O2", "-shared", "-fPIC", builder.write("timer.c", TIMER), "-o", to])
        timer = ctypes.CDLL(to).timeCalls
        timer.restype = ctypes.c_double
        judge = Judge(args, folder, timer)
        for window in usual() + list(drawn(args.random, args.seed)):
            if args.only not in window.name:
                continue
            result = judge.judge(window)
            if not result:
                print("%-36s no script" % window.name)
                continue
            listed, every = result
            if args.log:
                with open(args.log, "a") as f:
                    f.write(json.dumps([window.name, [
                        (c.name, c.lines, c.cycles, c.least) for c in every]]) + "\n")
            best = min(every, key=lambda c: c.least)
            best_listed = min(listed, key=lambda c: c.least)
            chosen_by.append(listed[0].least / best.least)
            list_by.append(best_listed.least / best.least)
            print("%-36s %9.1f us  chosen %.3f (%s)  list %.3f (%s of %d)  %d scripts" % (
                window.name, listed[0].least / 1e3, chosen_by[-1], listed[0].name,
                list_by[-1], best_listed.name, len(listed), len(every)), flush=True)
            if args.verbose:
                for c in listed:
                    print("  %.3f %s" % (c.least / best.least, c.name))
                for c in sorted(every, key=lambda c: c.least)[:3]:
                    print("# %.3f\n%s" % (c.least / best.least, "\n".join(c.lines)),
                          flush=True)

    def share(ratios, within):
        return 100 * sum(r <= within for r in ratios) / len(ratios)
    if chosen_by:
        print("best of the list within 5%% of the best of all: %.0f%% of %d kernels" % (
            share(list_by, 1.05), len(list_by)))
        print("chosen within 5%%: %.0f%%, within 15%%: %.0f%%, worst %.2f, mean %.3f" % (
            share(chosen_by, 1.05), share(chosen_by, 1.15), max(chosen_by),
            math.exp(sum(map(math.log, chosen_by)) / len(chosen_by))))


if __name__ == "__main__":
    main()
