#!/usr/bin/env python3
"""Compares random kernels with and without the plugin, bit by bit.

Kernels come from a table of rows (fuzzlib/rows.py): kinds, forms and near misses.
Each is built by clang and LLVM's pipelines with and without the plugin, at several
levels and for several CPUs, and run on many sets of sizes, placements and data;
all bytes of all buffers must be equal. docs/fuzzing.md says more.

    utils/fuzz/fuzz.py --short                     20000 instances
    utils/fuzz/fuzz.py --campaign --log fuzz.log   a million
    utils/fuzz/fuzz.py --seed 7 --instances 5000 --jobs 2 --rows nn,overlap.c_in_a
    utils/fuzz/fuzz.py --campaign --shard 2/8 --save fuzz-2.json   an eighth of a million
    utils/fuzz/fuzz.py --merge fuzz-*.json                         all eighths

An instance is one kernel, built one way, run on one set of sizes, placement and
data, and compared. The exit status is 0 if there are no findings, 1 if there are,
2 if the fuzzer cannot run.
"""
import argparse
import collections
import concurrent.futures
import os
import platform
import re
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "utils", "support")]
import llvm_tools  # noqa: E402
from shards import shard_of  # noqa: E402
from fuzzlib import findings, results  # noqa: E402
from fuzzlib.batch import Batch, CPUS  # noqa: E402
from fuzzlib.rows import ROWS  # noqa: E402

# Kernels of a row from which on it counts as "never" if nothing happened.
ENOUGH = 6


class Counts:
    """What is known of a row, or of all."""

    def __init__(self):
        self.kernels, self.builds = set(), set()
        self.instances = self.plugin = self.transformed = 0
        self.taken, self.relowered = set(), set()
        self.mismatches = self.crashes = 0
        self.agreed = self.refused = 0

    def add(self, key, config, variant, static, runs, transformed):
        self.kernels.add(key)
        self.builds.add((key[0], config, variant))
        self.instances += runs
        if variant.startswith("relower"):
            if static:
                self.relowered.add(key)
        elif variant.startswith("plugin"):
            self.plugin += runs
            self.transformed += transformed
            if static:
                self.taken.add(key)


class Session:
    """All batches of one run of this script, of one shard of it, or of shards that
    have run."""

    def __init__(self, args):
        self.args = args
        self.rows = collections.defaultdict(Counts)
        self.total = Counts()
        self.found = []
        self.errors = []
        self.lines = []  # what dl-fuzz said: number of the batch, line
        self.planned = 0  # batches of all shards
        self.lock = threading.Lock()
        self.start, self.seconds = time.time(), 0
        self.log = open(args.log, "a") if args.log else None

    def say(self, text):
        print(text, flush=True)
        if self.log:
            self.log.write(text + "\n")
            self.log.flush()

    def make(self, number):
        args = self.args
        return Batch(args.seed, number, args.rows, args.kernels, args.runs,
                     args.check)

    def batches(self):
        """Those of this shard, in order."""
        index, number = self.args.shard
        instances = 0
        while instances < self.args.instances:
            batch = self.make(self.args.first + self.planned)
            instances += batch.planned
            self.planned += 1
            if self.planned % number == index % number:
                yield batch

    def run(self, batch):
        with tempfile.TemporaryDirectory(prefix="dl-fuzz-") as folder:
            text = findings.run_batch(batch, folder, self.args)
        with self.lock:
            self.read(batch, text)

    def read(self, batch, text):
        if not text.startswith(("stat ", "finding ")):
            self.add_error("batch %d: %s" % (batch.number, text.strip()[:2000]))
            return
        for line in text.splitlines():
            self.count(batch.number, line)
            if line.startswith("finding "):
                self.keep(self.add_finding(batch.seed, batch.number, line), batch)

    def add_error(self, text):
        self.errors.append(text)
        self.say("error: " + text)

    def count(self, number, line):
        """A line of what dl-fuzz says of batch \p number."""
        fields = line.split(" ")
        self.lines.append((number, line))
        if fields[0] == "stat":
            row, kernel, config, variant = fields[1:5]
            static, runs, transformed, wrong, crashed = map(int, fields[5:10])
            for counts in (self.rows[row], self.total):
                counts.add((number, kernel), config, variant, static, runs, transformed)
                counts.mismatches += wrong
                counts.crashes += crashed
        elif fields[0] == "oracle":
            agreed, refused, differed = map(int, fields[3:6])
            for counts in (self.rows[fields[1]], self.total):
                counts.agreed += agreed
                counts.refused += refused
                counts.mismatches += differed

    def add_finding(self, seed, number, line):
        found = findings.Finding(line)
        self.found.append(found)
        if found.type in ("build-crash", "build-hang", "hang"):
            self.total.crashes += found.type != "hang"
        elif found.type == "verify":
            self.total.mismatches += 1
        self.say("seed %d batch %d: %s" % (seed, number, line))
        return found

    def keep(self, found, batch):
        # One of each kind of fault in a row is enough to look at.
        same = [f for f in self.found if f.key() == found.key()]
        if len(same) <= self.args.keep_each:
            self.say("  kept: " + found.keep(batch, self.args))

    def save(self, stream):
        args = self.args
        run = {"seed": args.seed, "instances": args.instances, "first": args.first,
               "rows": args.rows, "kernels": args.kernels, "runs": args.runs,
               "check": args.check, "inject": args.inject, "cpus": CPUS,
               "batches": self.planned}
        results.save(stream, run, args.shard, time.time() - self.start, self.lines,
                     self.errors)

    def merge(self, result):
        """What a shard has saved."""
        for error in result["errors"]:
            self.add_error(error)
        for number, line in result["lines"]:
            self.count(number, line)
            if line.startswith("finding "):
                self.add_finding(result["run"]["seed"], number, line)
        self.seconds += result["seconds"]

    # -- Summary ------------------------------------------------------------

    def check_rows(self):
        """Rows that do not do what the table expects."""
        wrong = []
        for row in ROWS:
            counts = self.rows.get(row.name)
            if not counts or len(counts.kernels) < ENOUGH:
                continue
            if row.expect == "vectorized" and not counts.transformed:
                wrong.append("row %s: no run reached generated code" % row.name)
            if row.expect == "raised" and not counts.relowered and any(
                    "relower" in b[2] for b in counts.builds):
                wrong.append("row %s: no kernel was recognized" % row.name)
        return wrong

    def summary(self):
        self.say("%-24s %-10s %8s %10s %6s %6s %7s %9s" % (
            "row", "expected", "kernels", "instances", "taken", "ran", "raised",
            "interp"))
        for row in ROWS:
            c = self.rows.get(row.name)
            if not c:
                continue
            share = lambda part, whole: "%.0f%%" % (100.0 * part / whole) if whole else "-"
            relowered = [b for b in c.builds if b[2].startswith("relower")]
            tried = len({k for k in c.kernels if any(b[0] == k[0] for b in relowered)})
            self.say("%-24s %-10s %8d %10d %6s %6s %7s %9d" % (
                row.name, row.expect, len(c.kernels), c.instances,
                share(len(c.taken), len(c.kernels)), share(c.transformed, c.plugin),
                share(len(c.relowered), tried), c.agreed))
        # A shard has too few of a row: that is asked of all together.
        wrong = [] if self.args.no_expect or self.args.shard[1] > 1 else self.check_rows()
        for line in wrong:
            self.say(line)
        t = self.total
        self.say("builds %d, interpreted %d, refused by the interpreter %d, "
                 "findings %d, generator errors %d" % (
                     len(t.builds), t.agreed, t.refused, len(self.found),
                     len(self.errors)))
        seconds = max(self.seconds or time.time() - self.start, 0.001)
        self.say("instances %d, kernels %d, transformed %d, mismatches %d, "
                 "crashes %d, per second %d" % (
                     t.instances, len(t.kernels), t.transformed, t.mismatches,
                     t.crashes, t.instances / seconds))
        return not (self.found or self.errors or wrong)


def fuzz(args, saved):
    session = Session(args)
    batches, running, more = session.batches(), set(), True
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        while more or running:
            while more and len(running) < args.jobs:
                batch = next(batches, None)
                more = batch is not None
                if more:
                    running.add(pool.submit(session.run, batch))
            done, running = concurrent.futures.wait(
                running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                future.result()
            if session.log and done:
                session.log.write("%d s: %d instances\n" % (
                    time.time() - session.start, session.total.instances))
                session.log.flush()
    if args.shard[0] > session.planned:
        session.say("shard %d/%d has no batch: there are %d" % (
            *args.shard, session.planned))
    if saved:
        with saved:
            session.save(saved)
    return 0 if session.summary() else 1


def merge(args):
    try:
        loaded = results.load_all(args.merge)
    except results.Unfit as e:
        print("fuzz.py: --merge: %s" % e, file=sys.stderr)
        return 2
    session = Session(args)
    for result in loaded:
        session.merge(result)
    return 0 if session.summary() else 1


def parse_arguments():
    build = os.path.join(ROOT, "build")
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("--plugin", default=os.path.join(build, "lib", "libDLOpt.so"))
    add("--tool", help="dl-fuzz (default: beside the plugin's build)")
    add("--llvm", help="folder of clang and of LLVM's tools")
    add("--seed", type=int, default=1)
    add("--instances", type=int, default=20000, help="at least so many")
    add("--jobs", type=int, default=os.cpu_count() or 1)
    add("--rows", help="only these rows, by commas; a trailing * matches the rest")
    add("--kernels", type=int, default=50, help="in a module")
    add("--runs", type=int, help="of a kernel in each build (default: 20; with\n"
        "--campaign 40: nearly all the time goes into builds)")
    add("--first", type=int, default=0, help="first batch of the seed")
    add("--shard", type=shard_of, metavar="I/N", help="the I-th of N parts of the batches")
    add("--save", metavar="FILE", help="write what was found to a file, for --merge")
    add("--merge", nargs="+", metavar="FILE", help="run nothing: count what all shards\n"
        "of a run have saved")
    add("--short", action="store_true", help="20000 instances")
    add("--campaign", action="store_true", help="a million instances")
    add("--log", help="file to which everything said is appended")
    add("--keep", default="fuzz-findings", help="folder for what is found")
    add("--keep-each", type=int, default=3, help="findings kept of a kind and row")
    add("--no-reduce", action="store_true", help="do not reduce what is found")
    add("--reduce-seconds", type=int, default=300, help="longest time of a reduction")
    add("--no-expect", action="store_true",
        help="accept rows that are never transformed")
    add("--run-seconds", type=int, default=20,
        help="longest time of all runs of a kernel")
    add("--check", action="store_true",
        help="programs check their kernels as they run (the option check=1): each\n"
        "difference ends one")
    add("--inject", choices=["store", "trap", "hang"],
        help="put a fault into generated code (tests of the fuzzer)")
    add("--list", action="store_true", help="print the rows and stop")
    args = parser.parse_args()
    if args.short:
        args.instances = 20000
    if args.campaign:
        args.instances = 1000000
    if args.merge and (args.shard or args.save):
        parser.error("--merge takes what all shards have saved: no --shard, no --save")
    args.shard = args.shard or (1, 1)
    args.runs = args.runs or (40 if args.campaign else 20)
    return parser, args


def select_rows(parser, text):
    chosen = []
    for pattern in text.split(","):
        regex = re.escape(pattern).replace(r"\*", ".*")
        matching = [r.name for r in ROWS if re.fullmatch(regex, r.name)]
        if not matching:
            parser.error("no row '%s'; --list prints them" % pattern)
        chosen += matching
    return chosen


def main():
    parser, args = parse_arguments()
    args.rows = select_rows(parser, args.rows) if args.rows else None
    if args.list:
        for row in ROWS:
            if not args.rows or row.name in args.rows:
                print("%-24s %s" % (row.name, row.expect))
        return 0
    if args.merge:
        return merge(args)
    if platform.machine() not in ("x86_64", "AMD64"):
        print("fuzz.py: skipped: this machine is no x86-64, for which dl-fuzz calls "
              "kernels")
        return 0
    build = os.path.dirname(os.path.dirname(os.path.abspath(args.plugin)))
    args.tool = args.tool or os.path.join(build, "bin", "dl-fuzz")
    if args.llvm:
        llvm_tools.check("fuzz.py", "clang", os.path.join(args.llvm, "clang"))
    else:
        args.llvm = os.path.dirname(llvm_tools.need("fuzz.py", "clang"))
    for path, what in ((args.plugin, "the plugin"), (args.tool, "dl-fuzz")):
        if not os.path.exists(path):
            print("fuzz.py: %s is missing: %s (scripts/build builds it)" % (what, path),
                  file=sys.stderr)
            return 2
    try:  # now, rather than when all has run
        saved = open(args.save, "w") if args.save else None
    except OSError as e:
        print("fuzz.py: --save %s: %s" % (args.save, e.strerror), file=sys.stderr)
        return 2
    return fuzz(args, saved)


if __name__ == "__main__":
    sys.exit(main())
