#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds loops on which the plugin says nothing, and those on which it contradicts itself.

  check_verdicts.py src/ matmul.c -- -O2 -Iinclude

Loops are found by LLVM without the plugin, in the IR of the front end: a loop computes on
arrays if it, and none inside, stores elements that move with it or adds up numbers that it loads. The
plugin's remarks are those of -fsave-optimization-record. A loop is

  silent      no remark is on a line of it or where a loop around it begins, and none
              inside says what keeps a loop from being a kernel;
  two-faced   one remark says that its kernel is transformed, another one of the same
              function and place, and of the same inlined function, that it is left alone,
              or one that it is a kernel and another that it is none.

A loop of an inlined function has its lines and those it is called from. Files that do not
compile are named and left out. Exit status: 0, or 1 if there is any such loop.
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
UTILS = os.path.dirname(HERE)
sys.path[:0] = [os.path.join(UTILS, "census"), os.path.join(UTILS, "support")]

import ir_loops  # noqa: E402
import llvm_tools  # noqa: E402
import units  # noqa: E402

WHO = "check_verdicts"
SOURCES = (".c", ".cc", ".cpp", ".cxx")


class Finding:
    def __init__(self, kind, file, line, function, text):
        self.kind, self.file, self.line = kind, file, line
        self.function, self.text = function, text

    def __str__(self):
        return "%s: %s:%d: %s: %s" % (self.kind, self.file, self.line, self.function,
                                      self.text)


def sources(paths):
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, dirs, names in os.walk(path):
            dirs[:] = sorted(d for d in dirs if not d.startswith("."))
            for name in sorted(names):
                if name.endswith(SOURCES):
                    yield os.path.join(folder, name)


FINAL = ("Passed", "Missed", "Analysis")


def is_verdict(r):
    """Whether a remark is on what becomes of a loop."""
    return r.kind in FINAL and r.pass_name in ("dl-recognize", "dl-vectorize", "dl-fuse",
                                               "dl-noalias", "dl-fma")


def two_faced(remarks):
    """Pairs of remarks on one place of one function that cannot both be true."""
    places = collections.defaultdict(list)
    for r in remarks:
        if r.file:
            inlined = next((value for key, value in r.args if key == "Inlined"), "")
            places[(r.file, r.line, r.column, r.function, inlined)].append(r)
    for some in places.values():
        kernels = [r for r in some if r.pass_name == "dl-recognize" and r.name == "Kernel"]
        # A loop around kernels says that it is one.
        missed = [r for r in some if r.pass_name == "dl-recognize" and r.kind == "Missed"
                  and not any(key == "KernelsInside" for key, _ in r.args)]
        passed = [r for r in some if r.pass_name == "dl-vectorize" and r.kind == "Passed"
                  and any(key == "Kernel" for key, _ in r.args)]
        left = [r for r in some if r.pass_name == "dl-vectorize" and r.kind == "Missed"]
        for first, second in ((kernels, missed), (passed, left), (passed, missed)):
            if first and second:
                yield first[0], second[0]


class Checker:
    def __init__(self, args):
        self.args = args
        self.clang = llvm_tools.need(WHO, "clang")
        self.opt = llvm_tools.need(WHO, "opt")
        plugin = os.path.abspath(llvm_tools.need_plugin(WHO, args.plugin))
        self.counter = units.Counter(plugin, args.flags, "O2", 600)

    def loops(self, path, folder):
        """The loops of a file that compute on arrays."""
        raw = os.path.join(folder, "raw.ll")
        clang = self.clang + ("++" if units.language_of(path) == "clang++" and
                              os.path.exists(self.clang + "++") else "")
        self.run([clang, "-O2", *self.args.flags, "-g", "-w", "-fno-discard-value-names",
                  "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", path, "-o", raw])
        shaped = os.path.join(folder, "loops.ll")
        err = self.run([self.opt, "-passes=cgscc(inline),function(sroa,early-cse,"
                        "simplifycfg,loop-simplify,print<loops>)", "-S", raw, "-o", shaped])
        with open(shaped, errors="replace") as f:
            return ir_loops.find(f.read(), err)

    @staticmethod
    def run(command):
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              stdin=subprocess.DEVNULL, text=True, errors="replace")
        if done.returncode:
            raise units.Failure(units.first_error(done.stderr))
        return done.stderr

    def check(self, path):
        """(number of loops, findings)."""
        with tempfile.TemporaryDirectory(prefix="check-verdicts-") as folder:
            loops = self.loops(path, folder)
            unit = units.file_unit(path)
            said = [r._replace(file=units.locate(r.file, unit)) if r.file else r
                    for r in self.counter.run(unit) if is_verdict(r)]
        places = {(real(r.file), r.line) for r in said if r.file}
        # What keeps several loops around each other is said once.
        missed = {(real(r.file), r.line) for r in said
                  if r.file and r.kind == "Missed" and r.pass_name == "dl-recognize"}
        silent, spoken = {}, set()
        for loop in loops:
            if any((real(f), n) in places for f, n in loop.own | loop.starts) or \
                    any((real(f), n) in missed for f, n in loop.lines):
                spoken.add(loop.place)
            else:
                silent[loop.place] = loop
        # One of the functions that it is inlined into is enough.
        found = [Finding("silent", *place, loop.function, loop.what)
                 for place, loop in silent.items() if place not in spoken]
        for first, second in two_faced(said):
            found.append(Finding("two-faced", first.file, first.line, first.function,
                                 "%s and %s" % (show(first), show(second))))
        return len(silent.keys() | spoken), found


def show(r):
    return "%s %s %s" % (r.pass_name, r.kind.lower(), r.name)


def real(path):
    return os.path.realpath(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", nargs="+", metavar="INPUT", help="a source, or a folder")
    parser.add_argument("--plugin", default=os.path.join(os.path.dirname(UTILS), "build", "lib",
                                                         "libDLOpt.so"),
                        help="the plugin (%(default)s)")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="files at a time (all cores: %(default)s)")
    arguments, flags = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, flags = arguments[:at], arguments[at + 1:]
    args = parser.parse_args(arguments)
    args.flags = flags
    checker = Checker(args)
    paths = list(sources(args.inputs))
    missing = [p for p in paths if not os.path.exists(p)]
    if missing or not paths:
        sys.exit("%s: %s" % (WHO, "%s: no such file" % missing[0] if missing
                             else "no sources of C or C++ there"))
    loops, failed, found = 0, 0, {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for path, task in [(p, pool.submit(checker.check, p)) for p in paths]:
            try:
                number, findings = task.result()
            except units.Failure as e:
                failed += 1
                print("failed: %s: %s" % (path, e))
                continue
            loops += number
            for f in findings:  # a header is in many files
                found.setdefault(str(f), f)
    for text in found:
        print(text)
    kinds = collections.Counter(f.kind for f in found.values())
    print("%d files, %d failed; %d loops compute on arrays: %d silent, %d two-faced"
          % (len(paths) - failed, failed, loops, kinds["silent"], kinds["two-faced"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
