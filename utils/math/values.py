#!/usr/bin/env python3
#===- values.py - How exact values in double are --------------------------===//
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Compares the values in double of the models in passes/Lower/MathModels.def, before
they are rounded to float, with the C library's functions of double, which err by
less than 2^-52: on every STEP-th float (all of them with --full) in which the
model does not call, as many pairs of a power. Prints the base 2 logarithm of the largest relative
error of each; those of formulas that are a library's own err as it does."""

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

MODEL = re.compile(r"^define void @(\w+)_model_(\d+)\(", re.MULTILINE)

DRIVER = """
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if ARGS == 2
#define PARAMETERS const float *x, const float *z, long n
#define ARGUMENTS x, z, N
#define OF(i) ((double)x[i], (double)z[i])
#else
#define PARAMETERS const float *x, long n
#define ARGUMENTS x, N
#define OF(i) ((double)x[i])
#endif
void MODEL(float *y, unsigned char *calls, PARAMETERS);
void VALUE(double *y, PARAMETERS);
enum { N = 1 << 12 };
static float x[N], z[N], y[N];
static double v[N];
static unsigned char calls[N];
static uint64_t state = 1;
static uint32_t draw(void) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 32;
}
int main(int argc, char **argv) {
  uint64_t step = strtoull(argv[1], NULL, 10), u = 0;
  double worst = 0;
  float at = 0, with = 0;
  while (u < UINT64_C(1) << 32) {
    for (long n = 0; n < N; n++, u += step) {
      uint32_t bits = (uint32_t)u;
      memcpy(&x[n], &bits, 4);
      if (ARGS == 2) {
        // Mostly such that there is a power.
        if (draw() % 4)
          x[n] = fabsf(x[n]);
        z[n] = (float)((draw() / 0x1p31 - 1) * 127 / log2(fabs(x[n])));
        if (draw() % 4 == 0)
          z[n] = roundf(z[n]);
      }
    }
    MODEL(y, calls, ARGUMENTS);
    VALUE(v, ARGUMENTS);
    for (long n = 0; n < N; n++) {
      if (calls[n] || isnan(x[n]))
        continue;
      double exact = FUNCTION OF(n), error = fabs(v[n] - exact);
      if (error == 0)
        continue;
      error /= fabs(exact);
      if (!(error <= worst))
        worst = error, at = x[n], with = z[n];
    }
  }
  printf(NAME ": 2^%.2f at %a", log2(worst), at);
  printf(ARGS == 2 ? ", %a\\n" : "\\n", with);
  return 0;
}
"""


def measure(name, number, ir, arguments, folder):
    path = os.path.join(folder, "%s-%s" % (name, number))
    with open(path + ".c", "w") as f:
        f.write(DRIVER)
    model, value = ("%s_%s_%s" % (name, kind, number) for kind in ("model", "value"))
    clang = llvm_tools.need("values", "clang")
    subprocess.run(
        [clang, "-O1", "-fno-builtin", "-DMODEL=" + model, "-DVALUE=" + value,
         "-DFUNCTION=" + name, '-DNAME="%s %s"' % (name, number),
         "-DARGS=%d" % (2 if name in ("pow", "hypot") else 1), path + ".c", ir, "-lm", "-o", path],
        check=True)
    subprocess.run([path, "1" if arguments.full else str(arguments.step)], check=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"),
                        help="where bin/dl-math is")
    parser.add_argument("--mcpu", default="haswell", help="option of dl-math")
    parser.add_argument("--step", type=int, default=997, help="distance of the floats that are tried")
    parser.add_argument("--full", action="store_true", help="every float")
    parser.add_argument("functions", nargs="*", help="only these, as exp")
    arguments = parser.parse_args()
    ir = subprocess.run(
        [os.path.join(arguments.build, "bin", "dl-math"), "-mcpu=" + arguments.mcpu,
         "--models", *(["--functions", ",".join(arguments.functions)] if
                       arguments.functions else [])],
        check=True, stdout=subprocess.PIPE, text=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "models")
        with open(path + ".ll", "w") as f:
            f.write(ir)
        subprocess.run([llvm_tools.need("values", "clang"), "-O2", "-Wno-override-module",
                        "-ffp-contract=off", "-c", path + ".ll", "-o", path + ".o"],
                       check=True)
        for name, number in MODEL.findall(ir):
            if "@%s_value_%s(" % (name, number) in ir:
                measure(name, number, path + ".o", arguments, folder)
    sys.exit(0)


if __name__ == "__main__":
    main()
