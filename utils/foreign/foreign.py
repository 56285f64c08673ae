#!/usr/bin/env python3
#===- foreign.py - The plugin on code that nobody here wrote ---------------===#
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Runs the plugin on code that nobody here wrote and prints counts. Everything
comes from Debian's packages and source packages, into a cache outside of the
source tree. See docs/foreign.md."""

import argparse
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import common  # noqa: E402
import csmith  # noqa: E402
import debuginfo  # noqa: E402
import determinism  # noqa: E402
import ir  # noqa: E402
import program_table  # noqa: E402
import programs  # noqa: E402
import projects  # noqa: E402
import wrapped  # noqa: E402


def seeds(text):
    try:
        first, _, last = text.partition("-")
        return int(first), int(last or first)
    except ValueError:
        raise argparse.ArgumentTypeError("expected FIRST-LAST, got '%s'" % text)


PARTS = {
    "stress": ir.stress,
    "llvm": ir.tests_of_llvm,
    "csmith": csmith.main,
    "projects": projects.main,
    "programs": programs.main,
    "builds": wrapped.main,
    "debug": debuginfo.main,
    "determinism": determinism.main,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART",
                        help="some of: %s; without: all" % ", ".join(PARTS))
    parser.add_argument("--build", default=os.path.join(common.ROOT, "build"))
    parser.add_argument("--llvm", help="folder of LLVM's tools")
    parser.add_argument("--cache", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "dlopt"))
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seeds", type=seeds, default=None, metavar="FIRST-LAST",
                        help="of csmith (1-5000) and llvm-stress (1-1000)")
    parser.add_argument("--all-levels", action="store_true",
                        help="compile each program of csmith at O1, O2 and O3, "
                        "not at one of them in turn")
    parser.add_argument("--passes", action="store_true",
                        help="run dl-layout, dl-noalias and dl-fma alone over each program "
                        "of csmith, not the pipeline and dl-relower")
    parser.add_argument("--only", default="", metavar="PROJECT[,PROJECT]",
                        help="some of: %s; of programs: %s" % (
                            ", ".join(projects.PROJECTS),
                            ", ".join(p.name for p in program_table.PROGRAMS) +
                            "; of builds: " + ", ".join(
                                p.name for p in wrapped.PROGRAMS)))
    parser.add_argument("--short", action="store_true",
                        help="only the programs and tests of a minute (programs), each third "
                        "source (debug, determinism)")
    parser.add_argument("--table", metavar="FILE",
                        help="programs of your own, in the form of "
                        "utils/foreign/program_table.py; for builds, in that of "
                        "utils/foreign/wrapped.py")
    parser.add_argument("--options", default="check=1", metavar="TEXT",
                        help="DLOPT_OPTIONS that programs are built with; "
                        "unset: check=1")
    parser.add_argument("--keep", action="store_true",
                        help="leave the built programs in the cache")
    parser.add_argument("--runs", type=int, default=10,
                        help="compilations of the same input (determinism)")
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only each N-th of LLVM's tests")
    parser.add_argument("--hooked-every", type=int, default=4, metavar="N",
                        help="check default<O1> to <O3> with the plugin against "
                        "the same without it on each N-th of LLVM's tests")
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            common.die("no part '%s'; there are: %s" % (part, ", ".join(PARTS)))
    arguments.cache = os.path.abspath(arguments.cache)
    tools = common.Tools(arguments)
    bad = sum(PARTS[p](tools, arguments) for p in arguments.parts or PARTS)
    print("foreign: %d findings" % bad)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
