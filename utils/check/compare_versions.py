#!/usr/bin/env python3
"""Compares the kernels that plugins for different LLVMs find in the same sources.

Each source is compiled by the clang of each plugin's LLVM; what -Rpass=dl-recognize and
-Rpass=dl-vectorize say is compared line by line. Sources that a clang cannot compile
are left out for all. Exits with 1 if any kernel differs that --except does not name.
"""
import argparse
import collections
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SOURCE, "utils", "support"))
import llvm_tools  # noqa: E402

FLAGS = ["-O3", "-w", "-c", "-o", "/dev/null", "-fno-caret-diagnostics",
         "-fno-diagnostics-show-option", "-fno-color-diagnostics",
         "-fno-discard-value-names", "-Rpass=dl-(recognize|vectorize)"]


def remarks(tools, source, march):
    """Remarks about a source, each with how often; None if it does not compile."""
    clang, load = tools
    done = subprocess.run([clang, *FLAGS, "-march=" + march, *load, source],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          universal_newlines=True)
    if done.returncode:
        return None
    found = re.findall(r":(\d+):\d+: remark: (.*)", done.stderr)
    # Kernels are numbered one after the other: one less moves all behind it.
    return collections.Counter((at, re.sub(
        r", kernel numbers? \d+(?:(?:,| to| and) \d+)*", "", text))
                               for at, text in found)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", action="append", required=True,
                        help="build/lib/libDLOpt.so of a build; twice or more")
    parser.add_argument("--march", default="x86-64-v3")
    parser.add_argument("--except", dest="known", metavar="FILE", default=os.devnull,
                        help="lines FILE:LINE of sources where kernels may differ")
    parser.add_argument("--verbose", action="store_true", help="name what is the same")
    parser.add_argument("source", nargs="*",
                        help="default: examples/*.c and those of some of the tests")
    args = parser.parse_args()
    if len(args.plugin) < 2:
        parser.error("two plugins are needed to compare")
    tools = {}
    for plugin in args.plugin:
        llvm_tools.need_plugin("compare_versions.py", plugin)
        tools[llvm_tools.major()] = (llvm_tools.need("compare_versions.py", "clang"),
                                     llvm_tools.load(plugin))
    if len(tools) < 2:
        parser.error("the plugins are for the same LLVM")
    sources = args.source or sorted(
        path for folder in ("examples", "test/Exec/Inputs", "test/Recognize", "test/Raise",
                            "test/Fuse", "test/Names", "test/Vectorize/X86")
        for path in glob.glob(os.path.join(SOURCE, folder, "*.c")))
    with open(args.known) as f:
        known = {line.split()[0] for line in f if line.strip() and line[0] != "#"}
    same = different = expected = left_out = 0
    for source in sources:
        found = {major: remarks(each, source, args.march) for major, each in tools.items()}
        if any(each is None for each in found.values()):
            left_out += 1
            continue
        name = os.path.relpath(source, SOURCE)
        for remark in sorted(set().union(*found.values())):
            counts = {major: each[remark] for major, each in found.items()}
            at, text = remark
            if len(set(counts.values())) == 1:
                same += 1
                if args.verbose:
                    print("%s:%s: %s" % (name, at, text))
                continue
            if "%s:%s" % (name, at) in known:
                expected += 1
                continue
            different += 1
            print("%s:%s: LLVM %s: %s" % (
                name, at, " and ".join(str(m) for m, n in counts.items() if n), text))
    print("%d remarks are the same, %d differ as known, %d differ; %d of %d sources are "
          "not C of both" % (same, expected, different, left_out, len(sources)))
    return 1 if different or not same else 0


if __name__ == "__main__":
    sys.exit(main())
