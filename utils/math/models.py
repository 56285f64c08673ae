#!/usr/bin/env python3
#===- models.py - Whether vectors have the library's bits -----------------===//
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compiles a loop over each function of passes/Lower/MathModels.def with the plugin,
runs it on every STEP-th float (all of them with --full) and compares every bit,
and errno, with what the library of this machine returns. NaN equals NaN. Of powers
there are as many pairs, each number of which is any float or a special one; 10^9
with --full. With --rounded, a function that rounds that of double is the library's."""

import argparse
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402

FUNCTIONS = ["expf", "tanhf", "erff", "log1pf", "expm1f", "exp2f", "logf", "sinf",
             "cosf", "powf", "log2f", "log10f", "cbrtf", "sinhf", "coshf", "erfcf"]
TWO_ARGUMENTS = ["powf"]
PAIRS = 10 ** 9
# What LLVM knows of no function is one that has no effects.
FLAGS = {"erfcf": ["-fno-math-errno"]}

KERNEL = """
#include <math.h>
#if ARGS == 2
void run(float *restrict y, const float *restrict x, const float *restrict z, long n) {
  for (long i = 0; i < n; i++)
    y[i] = %(name)s(x[i], z[i]);
}
#else
void run(float *restrict y, const float *restrict x, long n) {
  for (long i = 0; i < n; i++)
    y[i] = %(name)s(x[i]);
}
#endif
"""

DRIVER = """
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if ARGS == 2
#define TWO(ONE, OTHER) ONE, OTHER
#define FORMAT "%%a, %%a"
#else
#define TWO(ONE, OTHER) ONE
#define FORMAT "%%a"
#endif
void run(float *restrict y, TWO(const float *restrict x, const float *restrict z), long n);
#ifdef LIBRARY
// errno as glibc has it.
float %(name)s(TWO(float x, float z)) {
  float y = (float)LIBRARY(TWO((double)x, (double)z));
#if ARGS == 1
  const float z = 0;
#endif
  if (isnan(y) && !isnan(x) && !isnan(z))
    errno = EDOM;
  else if (isfinite(x) && isfinite(z) && isinf(y))
    errno = ERANGE;
  return y;
}
#endif
enum { N = 1 << 16 };
static uint64_t state = 1;
static uint32_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 32;
}
// The second of a pair, and often a better first one.
static float drawPair(float *x) {
  static const float special[] = {0, 1, 2, 0.5f, 3, 0x1p-126f, 0x1p-149f, 0x1p23f, 0x1p24f,
                                  INFINITY, NAN, 0x1.fffffep127f, 0x1.000002p0f, 0x1.fffffep-1f};
  uint32_t how = draw();
  float z;
  if (how %% 64 == 0)
    *x = special[draw() %% (sizeof special / sizeof *special)] * (how & 64 ? -1 : 1);
  else if (how %% 4)
    *x = fabsf(*x);
  if (how %% 512 >= 504) {
    z = special[draw() %% (sizeof special / sizeof *special)] * (how & 512 ? -1 : 1);
  } else if (how %% 64 == 1) {
    uint32_t bits = draw();
    memcpy(&z, &bits, 4);
  } else {
    z = (float)((draw() / 0x1p31 - 1) * 153 / log2(fabs((double)*x)));
    if (how %% 8 == 0)
      z = roundf(z);
  }
  return z;
}
int main(int argc, char **argv) {
  static float x[N], y[N], z[N];
  uint64_t step = atol(argv[1]), inputs = 0, wrong = 0, u = 0;
  while (u < UINT64_C(1) << 32) {
    long n = 0;
    for (; n < N && u < UINT64_C(1) << 32; u += step, n++) {
      uint32_t bits = u;
      memcpy(&x[n], &bits, 4);
      if (ARGS == 2)
        z[n] = drawPair(&x[n]);
    }
    errno = 0;
    run(y, TWO(x, z), n);
    int got = errno;
    errno = 0;
    for (long i = 0; i < n; i++) {
      float l = %(name)s(TWO(x[i], z[i]));
      if (memcmp(&y[i], &l, 4) && !(isnan(y[i]) && isnan(l)) && ++wrong < 10)
        printf("%(name)s(" FORMAT "): %%a, the library %%a\\n", TWO(x[i], z[i]), y[i], l);
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
    count = "-DARGS=%d" % (2 if name in TWO_ARGUMENTS else 1)
    for part, text in (("kernel", KERNEL), ("driver", DRIVER)):
        with open("%s-%s.c" % (path, part), "w") as f:
            f.write(text % {"name": name})
    remarks = subprocess.run(
        [clang, "-O3", count, *FLAGS.get(name, []), *arguments.march.split(), "-fpass-plugin=" + arguments.plugin,
         "-Rpass=dl-vectorize", "-c", path + "-kernel.c", "-o", path + "-kernel.o"],
        stderr=subprocess.PIPE, universal_newlines=True)
    if remarks.returncode or "exact" not in remarks.stderr:
        sys.exit("models: %s is left alone for %s" % (name, arguments.march))
    library = ["-DLIBRARY=" + name[:-1]] if arguments.rounded else []
    subprocess.run([clang, "-O1", "-fno-builtin", count, *library, path + "-driver.c",
                    path + "-kernel.o", "-lm", "-o", path], check=True)
    step = arguments.step
    if arguments.full:
        step = 2 ** 32 // PAIRS if name in TWO_ARGUMENTS else 1
    return subprocess.run([path, str(step)]).returncode == 0


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
