#!/usr/bin/env python3
"""Proves that the fuzzer finds what it should: deliberate miscompiles.

Builds the preset "ci", whose second plugin has the bugs of PlantedBugs.def, and runs
the fuzzer with one bug after the other until it is found or the limit is reached.
First the fuzzer runs without any: what it finds then is no planted bug.

    utils/fuzz/planted_bugs.py             all of them
    utils/fuzz/planted_bugs.py --short     a few, in some minutes
    utils/fuzz/planted_bugs.py --only StepsDescending,RowTailDropped

The exit status is 0 if all were found, 1 if not, 2 if they cannot be looked for.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402
TABLE = os.path.join(ROOT, "include", "dlopt", "PlantedBugs.def")
# One of each kind that is quickly found.
SHORT = ["AliasGuardDropped", "LessOrEqualAsLess", "StepsDescending",
         "UpdateBecomesSet", "RowTailDropped"]

Bug = collections.namedtuple("Bug", "name file rule")
Result = collections.namedtuple("Result", "found instances kind")


def read_table():
    with open(TABLE) as f:
        rows = re.findall(r'^DLOPT_PLANTED_BUG\((\w+), "([^"]*)", "([^"]*)"\)',
                          f.read(), re.MULTILINE)
    return [Bug(*row) for row in rows]


def fail(text):
    print("planted_bugs.py: " + text, file=sys.stderr)
    sys.exit(2)


def run_batch(args, name, number):
    """One batch of the fuzzer: instances that ran, kinds of findings."""
    env = dict(os.environ, DLOPT_PLANT=name)
    with tempfile.TemporaryDirectory(prefix="dl-planted-") as keep:
        command = [sys.executable, args.fuzz, "--plugin", args.plugin, "--seed",
                   str(args.seed), "--first", str(number), "--instances", "1",
                   "--kernels", "40", "--runs", "10", "--jobs", "1",
                   "--no-reduce", "--no-expect", "--keep", keep, "--tool",
                   args.tool or os.path.join(args.build, "bin", "dl-fuzz")]
        done = subprocess.run(command, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, universal_newlines=True)
    last = re.search(r"^instances (\d+),", done.stdout, re.MULTILINE)
    # "invalid" is a program that is wrong without the plugin, too.
    found = re.findall(r": finding (\S+) row=(\S+)", done.stdout)
    kinds = ["%s in %s" % f for f in found if f[0] != "invalid"]
    if done.returncode not in (0, 1) or not last or (done.returncode and not found):
        fail("the fuzzer failed with DLOPT_PLANT=%s, batch %d: %s" % (
            name, number, done.stdout.strip()[-2000:]))
    return int(last.group(1)), kinds


def look_for(args, name):
    """Batches until one has a finding."""
    instances = number = 0
    while instances < args.instances:
        ran, kinds = run_batch(args, name, number)
        instances += ran
        number += 1
        if kinds:
            return Result(True, instances, kinds[0])
    return Result(False, instances, "")


def look_for_script(args, name):
    """The same for bugs of scripts, which have a fuzzer of their own."""
    tool = os.path.join(os.path.dirname(os.path.dirname(args.plugin)), "bin",
                        "dl-script-fuzz")
    done = subprocess.run([tool, "--seed", str(args.seed), "--kernels", "20000"],
                          env=dict(os.environ, DLOPT_PLANT=name),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          universal_newlines=True)
    last = re.search(r"^(\d+) scripts, .* (\d+) wrong$", done.stdout, re.MULTILINE)
    if done.returncode not in (0, 1) or not last:
        fail("%s failed with DLOPT_PLANT=%s: %s" % (
            tool, name, done.stdout.strip()[-2000:]))
    return Result(last.group(2) != "0", int(last.group(1)), "a random script")


def look_for_row(args, name):
    """Bugs of instructions: no fuzzer draws any, a test has each of them."""
    test = os.path.join(args.build, "test", "Exec", "schedule-rows-planted.test")
    done = subprocess.run([sys.executable, llvm_tools.need("planted_bugs.py", "lit"),
                           "-q", test])
    return Result(done.returncode == 0, 1, "an instruction")


def look_for_any(args, bug):
    if bug.file.startswith("Transform/"):
        return look_for_script(args, bug.name)
    if bug.file == "Kernel/Instructions.cpp":
        return look_for_row(args, bug.name)
    return look_for(args, bug.name)


def parse_arguments(bugs):
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawTextHelpFormatter)
    add = parser.add_argument
    add("--short", action="store_true", help="only " + ", ".join(SHORT))
    add("--only", help="only these bugs, by commas")
    add("--list", action="store_true", help="print the bugs and their rules and stop")
    add("--seed", type=int, default=1)
    add("--instances", type=int, default=20000, help="for each bug at most")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="bugs at a time")
    add("--no-build", action="store_true", help="take the build that is there")
    add("--plugin", default=os.path.join(ROOT, "build", "planted", "lib", "libDLOpt-22.so"))
    add("--fuzz", default=os.path.join(HERE, "fuzz.py"), help="the fuzzer's script")
    add("--tool", help="the fuzzer's tool (default: the build's, which has no bugs)")
    args = parser.parse_args()
    # Beside the folder `planted`.
    args.build = os.path.dirname(os.path.dirname(os.path.dirname(args.plugin)))
    names = args.only.split(",") if args.only else SHORT if args.short else None
    known = {bug.name for bug in bugs}
    for name in names or []:
        if name not in known:
            parser.error("no planted bug '%s'; accepted: %s" % (
                name, ", ".join(bug.name for bug in bugs)))
    return args, [bug for bug in bugs if not names or bug.name in names]


def main():
    args, bugs = parse_arguments(read_table())
    if args.list:
        for bug in bugs:
            print("%-24s %s" % (bug.name, bug.rule))
        return 0
    if not args.no_build and subprocess.run(
            [os.path.join(ROOT, "scripts", "build"), "ci"]).returncode:
        fail("the preset 'ci' does not build")
    if not os.path.exists(args.plugin):
        fail("%s is missing: scripts/build ci builds it" % args.plugin)
    found = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        control = pool.submit(look_for, args, "")
        results = [(bug, pool.submit(look_for_any, args, bug)) for bug in bugs]
        print("%-24s %-7s %-32s %s" % ("bug", "after", "finding", "rule"), flush=True)
        for bug, result in results:
            r = result.result()
            found += r.found
            print("%-24s %-7d %-32s %s" % (
                bug.name, r.instances, r.kind if r.found else "NOT FOUND", bug.rule),
                  flush=True)
        without = control.result()
    if without.found:
        fail("without a planted bug there is %s: what was found proves nothing" %
             without.kind)
    print("none: no findings in %d instances" % without.instances)
    print("%d of %d planted bugs found" % (found, len(bugs)))
    return 0 if found == len(bugs) else 1


if __name__ == "__main__":
    sys.exit(main())
