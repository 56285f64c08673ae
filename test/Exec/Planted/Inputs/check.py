#!/usr/bin/env python3
"""Compiles a program without the plugin, with it, and with a planted bug, and
runs all three: the first two must print the same, the third something else (or
fault).

    check.py --clang CLANG --plugin PLUGIN --work FOLDER SOURCE [-- FLAG...]

Then both builds with the plugin are made once more, to check themselves as they run
(docs/self-checking.md): without the bug they say nothing, with it a line, or they end
by a signal. Where that cannot be, SOURCE says `Not self-checked: WHY`.

The bug is named as the source. SOURCE's folder may have Inputs/NAME-other.c, a
second file of the program that is never compiled with the plugin.
"""
import argparse
import os
import re
import subprocess
import sys


def run(command, **kwargs):
    return subprocess.run(command, stdout=subprocess.PIPE, timeout=120, **kwargs)


def build_and_run(args, compiler, path, env, rest):
    run(compiler + ["-c", args.source, "-o", path + ".o"], env=env, check=True)
    run([args.clang, path + ".o", *rest, "-lm", "-o", path], check=True)
    return run([path], stderr=subprocess.PIPE)


def check_itself(args, bug, compiler, rest):
    """What is wrong with the builds that check themselves, or None."""
    options = ";".join(filter(None, [os.environ.get("DLOPT_OPTIONS"), "check=1"]))
    with open(args.source) as f:
        expected = not re.search("Not self-checked: .", f.read())
    said = {}
    for plant in ("", bug):
        env = dict(os.environ, DLOPT_PLANT=plant, DLOPT_OPTIONS=options)
        result = build_and_run(args, compiler, os.path.join(args.work, "checked" + plant),
                               env, rest)
        said[plant] = result.stderr.decode(errors="replace") or (
            "signal %d" % -result.returncode if result.returncode < 0 else "")
    if said[""]:
        return "checks itself without the bug: " + said[""]
    if bool(said[bug]) != expected:
        return "checks itself with the bug: " + (said[bug] or "nothing is found")
    return None


def main():
    parser = argparse.ArgumentParser()
    for name in ("--clang", "--plugin", "--work"):
        parser.add_argument(name, required=True)
    parser.add_argument("source")
    parser.add_argument("flags", nargs="*")
    args = parser.parse_args()
    bug = os.path.splitext(os.path.basename(args.source))[0]
    inputs = os.path.join(os.path.dirname(args.source), "Inputs")
    other = os.path.join(inputs, bug + "-other.c")
    os.makedirs(args.work, exist_ok=True)
    compiler = [args.clang, "-O2", "-march=haswell", "-I", inputs, *args.flags]
    plugin = "-fpass-plugin=" + args.plugin
    builds = (("plain", [], ""), ("with", [plugin], ""), ("planted", [plugin], bug))
    rest = []
    if os.path.exists(other):
        rest = [os.path.join(args.work, "other.o")]
        run(compiler + ["-c", other, "-o", rest[0]], check=True)
    printed = {}
    for name, extra, plant in builds:
        path = os.path.join(args.work, name)
        env = dict(os.environ, DLOPT_PLANT=plant)
        result = build_and_run(args, compiler + extra, path, env, rest)
        printed[name] = (result.returncode, result.stdout)
        print("%s %s: status %d, %s" % (bug, name, result.returncode,
                                        result.stdout.decode().split()))
    if printed["plain"][0] != 0 or printed["with"] != printed["plain"]:
        sys.exit("%s: differs without the bug" % bug)
    if printed["planted"] == printed["plain"]:
        sys.exit("%s: the bug changes nothing" % bug)
    wrong = check_itself(args, bug, compiler + [plugin], rest)
    if wrong:
        sys.exit("%s: %s" % (bug, wrong))


if __name__ == "__main__":
    main()
