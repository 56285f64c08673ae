#!/usr/bin/env python3
#===- models.py - Whether vectors have the library's bits -----------------===//
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compiles a loop over each function of passes/Lower/MathModels.def with the plugin,
runs it on every STEP-th float (all of them with --full) and compares every bit,
and errno, with what the library of this machine returns. NaN equals NaN. With
--rounded, a function that rounds that of double is the library's."""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402

FUNCTIONS = ["expf", "tanhf", "erff", "log1pf", "expm1f", "exp2f", "logf"]

KERNEL = """
#include <math.h>
void run(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = %(name)s(x[i]);
}
"""

DRIVER = """
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void run(float *restrict y, const float *restrict x, long n);
#ifdef LIBRARY
// errno as glibc has it.
float %(name)s(float x) {
  float y = (float)LIBRARY((double)x);
  if (isnan(y) && !isnan(x))
    errno = EDOM;
  else if (isfinite(x) && isinf(y))
    errno = ERANGE;
  return y;
}
#endif
enum { N = 1 << 16 };
int main(int argc, char **argv) {
  static float x[N], y[N];
  uint64_t step = atol(argv[1]), inputs = 0, wrong = 0, u = 0;
  while (u < UINT64_C(1) << 32) {
    long n = 0;
    for (; n < N && u < UINT64_C(1) << 32; u += step, n++) {
      uint32_t bits = u;
      memcpy(&x[n], &bits, 4);
    }
    errno = 0;
    run(y, x, n);
    int got = errno;
    errno = 0;
    for (long i = 0; i < n; i++) {
      float z = %(name)s(x[i]);
      if (memcmp(&y[i], &z, 4) && !(isnan(y[i]) && isnan(z)) && ++wrong < 10)
        printf("%(name)s(%%a): %%a, the library %%a\\n", x[i], y[i], z);
    }
    if (got != errno && ++wrong < 10)
      printf("%(name)s: errno %%d, the library %%d\\n", got, errno);
    inputs += n;
  }
  printf("%(name)s: %%lu inputs, %%lu different\\n", inputs, wrong);
  return wrong != 0;
}
"""


def check(name, arguments, folder):
    """Whether all inputs agree."""
    clang = llvm_tools.need("models", "clang")
    path = os.path.join(folder, name)
    for part, text in (("kernel", KERNEL), ("driver", DRIVER)):
        with open("%s-%s.c" % (path, part), "w") as f:
            f.write(text % {"name": name})
    remarks = subprocess.run(
        [clang, "-O3", *arguments.march.split(), "-fpass-plugin=" + arguments.plugin,
         "-Rpass=dl-vectorize", "-c", path + "-kernel.c", "-o", path + "-kernel.o"],
        stderr=subprocess.PIPE, universal_newlines=True)
    if remarks.returncode or "exact" not in remarks.stderr:
        sys.exit("models: %s is left alone for %s" % (name, arguments.march))
    library = ["-DLIBRARY=" + name[:-1]] if arguments.rounded else []
    subprocess.run([clang, "-O1", "-fno-builtin", *library, path + "-driver.c",
                    path + "-kernel.o", "-lm", "-o", path], check=True)
    return subprocess.run([path, "1" if arguments.full else
                           str(arguments.step)]).returncode == 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build/lib/libDLOpt.so"))
    parser.add_argument("--march", default="-march=native", help="flag of clang")
    parser.add_argument("--step", type=int, default=997, help="distance of the floats that are tried")
    parser.add_argument("--full", action="store_true", help="every float")
    parser.add_argument("--rounded", action="store_true",
                        help="with a correctly rounded function in the library's stead")
    parser.add_argument("functions", nargs="*", default=FUNCTIONS)
    arguments = parser.parse_args()
    unknown = set(arguments.functions) - set(FUNCTIONS)
    if unknown:
        sys.exit("models: no model of %s; there are %s" % (
            ", ".join(sorted(unknown)), ", ".join(FUNCTIONS)))
    llvm_tools.need_plugin("models", arguments.plugin)
    with tempfile.TemporaryDirectory() as folder:
        results = [check(name, arguments, folder) for name in arguments.functions]
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
