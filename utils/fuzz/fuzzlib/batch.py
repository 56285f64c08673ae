"""One module of kernels, how it is built, and what is run."""
import random
import re

from .model import INTEGERS, ORDINARY
from .rows import ROWS

HEADER = """#include <stddef.h>
/* dl-fuzz links another function in its place. */
__attribute__((weak)) float dlfuzz_times(float a, float b) { return a * b; }
#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define MAX(a, b) __builtin_fmaxf(a, b)
#define IMAX(a, b) ((int)(a) > (int)(b) ? (a) : (b))
"""
LEVELS = ["O1", "O2", "O3"]


def get_cpus():
    """The CPUs whose code this machine runs."""
    try:
        with open("/proc/cpuinfo") as f:
            flags = re.search(r"^flags\s*:(.*)$", f.read(), re.MULTILINE).group(1).split()
    except (OSError, AttributeError):
        flags = []
    return ["x86-64", "native"] + (["haswell"] if {"avx2", "fma", "bmi2"} <= set(flags)
                                   else [])


CPUS = sorted(get_cpus(), key=["x86-64", "haswell", "native"].index)
FLAGS = [[], [], [], ["-ffp-contract=off"], ["-ffp-contract=off"],
         ["-ffp-contract=fast"], ["-ffast-math"], ["-fno-strict-aliasing"],
         ["-fwrapv"], ["-fno-math-errno", "-fno-signed-zeros"]]
# Builds with options: small stacks pack small operands, tiles of other shapes
# have other tails.
OPTIONS = ["dl-stack=16k", "dl-stack=4k", "dl-stack=64k", "dl-tile=1x1", "dl-tile=3x1",
           "dl-tile=4x2", "dl-tile=7x2", "dl-tile=2x4", "dl-pack=0", "dl-dispatch=1",
           "dl-dispatch=1", "dl-check=1"]
# What may be done to clang's IR before all builds: other frontends write other IR.
FORMS = ["drop-flags", "function(sroa)", "function(sroa,instcombine<no-verify-fixpoint>)",
         "function(sroa,loop(loop-rotate))", "function(sroa,loop-simplify,lcssa)",
         "function(sroa,early-cse,loop-mssa(licm))", "function(sroa,reassociate,gvn)",
         "function(sroa,loop(indvars))", "function(sroa,loop-simplify,loop(loop-reduce))",
         "function(sroa,instcombine<no-verify-fixpoint>,loop-unroll<partial;no-upperbound>)",
         "function(sroa,jump-threading,simplifycfg)", "default<O1>",
         "drop-flags,function(sroa,instcombine<no-verify-fixpoint>)", "function(sroa,instcombine<no-verify-fixpoint>,loop(loop-idiom))",
         "function(sroa,loop(loop-interchange))", "function(sroa,slsr,separate-const-offset-from-gep)"]


class Config:
    def __init__(self, level, cpu, passes, variants):
        self.level, self.cpu, self.passes, self.variants = level, cpu, passes, variants

    def name(self):
        """As findings call it."""
        return ",".join(filter(None, (self.level, self.cpu, self.passes)))

    def text(self):
        head = "config %s %s %s" % (self.level, self.cpu, self.passes)
        return "\n".join([head.rstrip()] + ["variant " + v for v in self.variants])


class Deck:
    """The rows in random order, each as often as it weighs, again and again: a few
    hundred kernels have some of every row."""

    def __init__(self, seed, table):
        self.seed, self.shuffled = seed, None
        self.cards = [r for r in table for _ in range(r.weight)]

    def at(self, position):
        number, index = divmod(position, len(self.cards))
        if self.shuffled != number:
            self.order = list(range(len(self.cards)))
            random.Random("%d deck %d" % (self.seed, number)).shuffle(self.order)
            self.shuffled = number
        return self.cards[self.order[index]]


class Batch:
    """Number \\p number of the seed: always the same text."""

    def __init__(self, seed, number, rows=None, kernels=50, runs=40, check=False):
        self.rnd = random.Random(seed * 1000003 + number)
        self.seed, self.number, self.runs = seed, number, runs
        self.check = check
        self.flags = self.rnd.choice(FLAGS)
        self.fast = "-ffast-math" in self.flags
        table = [r for r in ROWS if not rows or r.name in rows]
        # Where nothing is rounded dl-fma may choose.
        whole = [r for r in table if r.whole and not self.fast]
        self.whole = whole == table or (whole and self.rnd.random() < 0.1)
        if self.whole:
            table = whole
        self.configs = self.draw_configs()
        # Of most rows nobody knows how far results may be apart: such code has to
        # run, and to stay within its arrays.
        self.free = self.fast and self.rnd.random() < 0.6 and not check
        if self.free:
            self.fast = False
        elif self.fast:
            table = [r for r in table if r.fast] or table
            self.fast = all(r.fast for r in table)
            self.free = not self.fast
        if "-ffp-contract=fast" in self.flags and not self.whole:
            table = [r for r in table if not r.choice] or table
            if any(r.choice for r in table):
                self.flags = []
        deck = Deck(seed, table)
        self.kernels = [self.draw_kernel(deck.at(number * kernels + i), i)
                        for i in range(kernels)]
        self.lines = []
        self.planned = 0
        for kernel in self.kernels:
            self.add_runs(kernel)

    def draw_configs(self):
        configs = []
        cpus = self.rnd.sample(CPUS, 2)
        for cpu in cpus:
            options = self.rnd.choice(OPTIONS)
            # What divides by zero is anything with such flags, twice over.
            if self.fast and "check" in options:
                options = "dl-pack=0"
            variants = ["plugin", "plugin " + options]
            # Which products LLVM fuses depends on what it makes of scalar loops:
            # not those that have other tails or other blocks.
            fuses = "-ffp-contract=fast" in self.flags
            if cpu == cpus[0] and not fuses:
                variants.append("relower")
            elif self.rnd.random() < 0.3 and not fuses:
                variants.append("dl-noalias<guards>")
            if self.whole:
                variants.append("plugin dl-fma=free")
            elif fuses:  # dl-fma chooses by what a loop waits for
                variants = [v + " dl-disable=dl-fma" for v in variants]
            passes = self.rnd.choice(FORMS) if self.rnd.random() < 0.35 else ""
            # The reference has the scalar functions then.
            if not self.fast and not fuses and self.rnd.random() < 0.2:
                variants = [v + " dl-math=correct" for v in variants
                            if v.startswith("plugin")]
            if self.check:
                variants = [v if "dl-check=1" in v else v + " dl-check=1"
                            for v in variants]
            configs.append(Config(self.rnd.choice(LEVELS), cpu, passes, variants))
        return configs

    def draw_kernel(self, row, index):
        if self.fast:
            kernel = row.make(self.rnd, tame=True)
            kernel.rules = {"bound"} | (kernel.rules & {"never"})
        else:
            kernel = row.make(self.rnd)
        if self.free:
            kernel.rules = {"free"}
        if "-ffp-contract=fast" in self.flags:  # the interpreter fuses nothing
            kernel.rules -= {"interp"}
        if "-fno-signed-zeros" in self.flags:
            kernel.rules |= {"zeros"}
        kernel.row, kernel.name = row, "k%d" % index
        return kernel

    def add_runs(self, kernel):
        row = kernel.row
        self.lines.append("kernel %s %s %s %s" % (
            kernel.name, row.name, ",".join(sorted(kernel.rules)), kernel.args.spec()))
        everywhere = (1 << len(self.configs)) - 1
        for _ in range(self.runs):
            large = self.rnd.random() < 0.02
            run = kernel.sample(self.rnd, large=large)
            mask = everywhere
            if run.large:
                mask = 1 << self.rnd.randrange(len(self.configs))
            if self.fast or self.free:
                run.data = self.rnd.choice([ORDINARY, INTEGERS])
            self.lines.append(run.text(kernel, mask, self.rnd.randrange(2**31)))
            self.planned += sum(len(c.variants) for i, c in enumerate(self.configs)
                                if mask >> i & 1)

    def source(self, only=None):
        return HEADER + "\n".join(k.source() for k in self.kernels
                                  if not only or k.name == only)

    def text(self):
        return "\n".join([c.text() for c in self.configs] + self.lines) + "\n"

    def extract(self, kernel, run=None, config=None, variant=None):
        """The text for one kernel alone, or for one run of it."""
        configs = [c for c in self.configs
                   if not config or c.name() == config]
        lines = []
        for c in configs:
            kept = [v for v in c.variants if not variant or
                    v.replace(" ", ",") == variant] or c.variants
            lines.append(Config(c.level, c.cpu, c.passes, kept).text())
        inside = False
        for line in self.lines:
            if line.startswith("kernel "):
                inside = line.split()[1] == kernel
            if inside and (line.startswith("kernel ") or not run or line == run):
                fields = line.split(" ", 2)
                if fields[0] == "run":
                    line = "run %d %s" % ((1 << len(configs)) - 1, fields[2])
                lines.append(line)
        return "\n".join(lines) + "\n"
