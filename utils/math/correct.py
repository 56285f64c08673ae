#!/usr/bin/env python3
#===- correct.py - Whether functions are rounded correctly ----------------===#
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compiles a loop over, and a call of, each function of passes/Lower/CorrectMath.def
with math=correct, runs both on every STEP-th float (all of them with --full; of two
arguments on as many pairs) and compares every bit with what MPFR's function returns
(libmpfr-dev). NaN equals NaN."""

import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402

TWO = ("pow", "hypot")

KERNEL = """
#include <math.h>
void run(float *restrict y, const float *restrict x,%(other)s long n) {
  for (long i = 0; i < n; i++)
    y[i] = %(name)sf(x[i]%(second)s);
}
float one(float x%(argument)s) { return %(name)sf(x%(scalar)s); }
"""


def get_functions():
    """The names in the table."""
    with open(os.path.join(ROOT, "passes/Lower/CorrectMath.def")) as f:
        return [name.lower() for name in
                re.findall(r"^DLOPT_CORRECT_MATH\((\w+),", f.read(), re.M)]


def check(name, arguments, folder):
    """Whether all results are right."""
    clang = llvm_tools.need("correct", "clang")
    path = os.path.join(folder, name)
    two = name in TWO
    with open(path + "-kernel.c", "w") as f:
        f.write(KERNEL % {"name": name,
                          "other": " const float *restrict z," if two else "",
                          "second": ", z[i]" if two else "",
                          "argument": ", float z" if two else "",
                          "scalar": ", z" if two else ""})
    compiled = subprocess.run(
        [clang, "-O3", *arguments.march.split(), "-fpass-plugin=" + arguments.plugin,
         "-Rpass=dl-vectorize", "-c", path + "-kernel.c", "-o", path + "-kernel.o"],
        env=dict(os.environ, DLOPT_OPTIONS="math=correct"),
        stderr=subprocess.PIPE, universal_newlines=True)
    if compiled.returncode or ": correct," not in compiled.stderr:
        sys.exit("correct: %s is left alone for %s" % (name, arguments.march))
    built = subprocess.run(
        [clang, "-O2", "-fno-builtin", "-DNAME=" + name, "-DARGS=%d" % (1 + two),
         os.path.join(HERE, "correct.c"), path + "-kernel.o", "-lmpfr", "-lgmp", "-lm",
         "-o", path])
    if built.returncode:
        sys.exit("correct: correct.c cannot be built; it needs MPFR (libmpfr-dev)")
    run = subprocess.run([path, "1" if arguments.full else str(arguments.step)],
                         stdout=subprocess.PIPE, universal_newlines=True)
    for line in run.stdout.splitlines():
        print("%sf: %s" % (name, line), flush=True)
    return run.returncode == 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build/lib/libDLOpt.so"))
    parser.add_argument("--march", default="-march=native", help="flags of clang")
    parser.add_argument("--step", type=int, default=9973,
                        help="distance of the floats that are tried")
    parser.add_argument("--full", action="store_true", help="every float")
    functions = get_functions()
    parser.add_argument("functions", nargs="*", default=functions)
    arguments = parser.parse_args()
    unknown = set(arguments.functions) - set(functions)
    if unknown:
        sys.exit("correct: no function %s; there are %s" % (
            ", ".join(sorted(unknown)), ", ".join(functions)))
    llvm_tools.need_plugin("correct", arguments.plugin)
    with tempfile.TemporaryDirectory() as folder:
        results = [check(name, arguments, folder) for name in arguments.functions]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
