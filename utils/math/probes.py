#!/usr/bin/env python3
#===- probes.py - Inputs that tell libraries from each other --------------===//
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Finds the probes of the models in passes/Lower/MathModels.def (--write puts them
there).

Models of any library that errs by little more than half a unit in the last place:
inputs whose exact results lie just outside of the model's window around the middle
of two floats, on both sides and over the whole range. A library that errs by
more is likely to return another float at one of them. Where the function has other
models, inputs at which these have other results, too.

Models of one formula: variants of it are made (each product fused with a sum behind
it and all of them, polynomials in another order, each coefficient moved), and every
STEP-th float is tried. Few inputs tell each variant that differs at all from the
formula, and correctly rounded results, too, and those of musl, where that is installed
(Debian's musl-dev). Where vectors do not ask near the middle (DLOPT_MATH_ALL_NEAR), all
floats that are near it are probes besides.

With --check, checks the rows that are there."""

import argparse
import math
import os
import platform
import random
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TABLE = os.path.join(ROOT, "passes", "Lower", "MathModels.def")
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402
import mutants  # noqa: E402

# math's functions of double err by less than 2^-28 of a float's last place.
# Function, and the exponents between which its first argument is.
BOUNDS = {
    "ExpInDouble": (math.exp, -12, math.log2(87.25)),
    "Exp2InDouble": (lambda x: 2.0 ** x, -12, math.log2(127.99999)),
    "TanhInDouble": (math.tanh, -12, 3.1),
    "ErfInDouble": (math.erf, -12, 1.9),
    "Expm1InDouble": (math.expm1, -12, math.log2(88.7)),
    "Log1pInDouble": (math.log1p, -12, 127.99),
    "ExactLogInDouble": (math.log, -126, 127.99),
    "ExactLog2InDouble": (math.log2, -126, 127.99),
    "Log10InDouble": (math.log10, -126, 127.99),
    "SinhInDouble": (math.sinh, -12, math.log2(89)),
    "CoshInDouble": (math.cosh, -8, math.log2(89)),
    "ErfcInDouble": (math.erfc, -20, math.log2(9.1)),
    "CbrtInDouble": (lambda x: math.copysign(abs(x) ** (1 / 3), x), -126, 127.99),
    "ExactSinInDouble": (math.sin, -12, 40),
    "ExactCosInDouble": (math.cos, -8, 40),
    "ExactPowInDouble": (math.pow, -126, 127.99),
}
# The largest logarithm of a power, to base 2.
LARGEST_POWER = 125
DROPPED = 52 - 23
UNIT = 1 << DROPPED
# Variants are told apart by as many probes, if they differ so often; libraries that
# are much better than the formula by as many.
REDUNDANCY = 4
REDUNDANCY_OF_ROUNDED = 16
ROW = re.compile(r"^DLOPT_MATH_MODEL\((\w+), (\w+), ([^,]+), ([^,]+), ([^,]+),\n(.*?)^\)",
                 re.MULTILINE | re.DOTALL)
ALL_NEAR = re.compile(r"^DLOPT_MATH_ALL_NEAR\((\w+)\)$", re.MULTILINE)
PROBE = re.compile(r"\{(0x\w{8}(?:, 0x\w{8})+)\}")


def to_float(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def get_bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def from_bits(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def read_float(text):
    text = text.strip().rstrip("f")
    return math.copysign(math.inf, -text.startswith("-") or 1) if "INF" in text else (
        float.fromhex(text) if "x" in text else float(text))


class Row:
    """Of the table."""

    def __init__(self, match, position, is_all_near):
        self.function, self.formula = match[1], match[2]
        self.is_all_near = is_all_near
        self.window, self.least, self.greatest = map(read_float, match.groups()[2:5])
        self.position = position
        self.span = match.span(6)
        self.probes = [tuple(int(x, 16) for x in p.split(", "))
                       for p in PROBE.findall(match[6])]


def read_rows():
    with open(TABLE) as f:
        text = f.read()
    rows = []
    all_near = ALL_NEAR.findall(text)
    for match in ROW.finditer(text):
        number = sum(r.function == match[1] for r in rows) + 1
        rows.append(Row(match, number, match[2] in all_near))
    return text, rows


#===------------------------------------------------------------------------===#
# Of any library that is good
#===------------------------------------------------------------------------===#

def from_middle(y):
    """How far from the middle between two floats, in units in the last place."""
    bits = struct.unpack("<q", struct.pack("<d", y))[0]
    return ((bits & (UNIT - 1)) - UNIT // 2) / UNIT


def is_beyond(row, arguments):
    """Outside of the window."""
    y = BOUNDS[row.formula][0](*arguments)
    return row.least <= arguments[0] <= row.greatest and row.window < abs(from_middle(y))


def is_near(row, arguments):
    """Just outside of it: twice as far from the middle at most."""
    return is_beyond(row, arguments) and abs(
        from_middle(BOUNDS[row.formula][0](*arguments))) <= 2 * row.window


def draw_arguments(row, rng, by_exponent):
    """Half of them evenly, half by exponent, of either sign where there are both;
    None if they are none."""
    _, low, high = BOUNDS[row.formula]
    if by_exponent:
        x = math.copysign(2 ** rng.uniform(low, high), rng.uniform(-1, 1))
    else:
        x = rng.uniform(max(row.least, -2 ** high), min(row.greatest, 2 ** high))
    x = to_float(x)
    if row.function != "Pow":
        return (x,) if row.least <= x <= row.greatest else None
    if by_exponent:
        x = abs(x)
    else:
        x = to_float(2 ** rng.uniform(-4, 4))
    y = to_float(rng.uniform(-LARGEST_POWER, LARGEST_POWER) / math.log2(x))
    # Few powers of negative numbers are some.
    if abs(y) >= 2 and rng.uniform(0, 1) < 0.25:
        x, y = -x, float(round(y))
    return x, y


def draw_near(row, number):
    """The same ones each time."""
    rng = random.Random(1)
    function = BOUNDS[row.formula][0]
    found = []
    while len(found) < number:
        arguments = draw_arguments(row, rng, by_exponent=len(found) % 4 < 2)
        if arguments and is_near(row, arguments):
            y = function(*arguments)
            # As many on each side.
            if (from_middle(y) > 0) == (len(found) % 2 == 0):
                found.append(tuple(get_bits(x) for x in (*arguments, to_float(y))))
    return found


#===------------------------------------------------------------------------===#
# Of one formula
#===------------------------------------------------------------------------===#

def extract_musl(function, folder):
    """An object with musl's function, as other_function, or None."""
    archive = "/usr/lib/%s-linux-musl/libc.a" % platform.machine()
    if not os.path.exists(archive):
        return None
    path = os.path.join(folder, "musl-%s.o" % function)
    subprocess.run(["ld", "-r", "-u", function, archive, "-o", path], check=True)
    new = "other_" + function
    for option in ("--redefine-sym=%s=%s" % (function, new), "--keep-global-symbol=" + new):
        subprocess.run(["objcopy", option, path], check=True)
    return path


class Variants:
    """The program that compares a model with its variants."""

    def __init__(self, row, build, folder):
        name = row.function.lower()
        ir = subprocess.run(
            [os.path.join(build, "bin", "dl-math"), "-mcpu=haswell", "--models",
             "--functions", name], check=True, stdout=subprocess.PIPE, text=True).stdout
        model = "%s_model_%d" % (name, row.position)
        body = re.search(r"^define void @%s\(.*?^}" % model, ir, re.MULTILINE | re.DOTALL)[0]
        rest = re.sub(r"^define .*?^}\n", "", ir, flags=re.MULTILINE | re.DOTALL)
        if "@llvm.fma.v8f32" not in rest:
            rest += "declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)\n"
        self.names = []
        text = [rest, body]
        value = model.replace("_model_", "_value_")
        flags = ["-O1"]
        if row.is_all_near:
            text.append(re.search(r"^define void @%s\(.*?^}" % value, ir,
                                  re.MULTILINE | re.DOTALL)[0])
            flags.append("-DVALUE=" + value)
        for what, mutant in mutants.mutate(body):
            self.names.append(what)
            text.append(mutant.replace(model, "mutant_%d" % len(self.names)))
        self.arity = len(row.probes[0]) - 1 if row.probes else 1 + (name == "pow")
        table = " ".join("F(%s)" % n for n in [model] + [
            "mutant_%d" % (i + 1) for i in range(len(self.names))])
        other = extract_musl(name + "f", folder)
        self.names += ["musl"] * bool(other) + ["correctly rounded", "installed"]
        self.program = os.path.join(folder, model)
        with open(self.program + ".ll", "w") as f:
            f.write("\n".join(text))
        clang = llvm_tools.need("probes", "clang")
        flags += ["-Wno-override-module", "-ffp-contract=off", "-fno-builtin"]
        subprocess.run([clang, *flags, "-c", self.program + ".ll", "-o",
                        self.program + ".o"], check=True)
        subprocess.run([clang, *flags, "-DTABLE=" + table, "-DSINGLE=%sf" % name,
                        "-DDOUBLE=" + name, "-DARGS=%d" % self.arity,
                        *(["-DOTHER=other_%sf" % name, other] if other else []), os.path.join(HERE, "probes.c"),
                        self.program + ".o", "-lm", "-o", self.program], check=True)

    def run(self, *arguments, **options):
        return subprocess.run([self.program, *arguments], check=True, text=True,
                              stdout=subprocess.PIPE, **options).stdout

    def differences(self, step):
        """For each variant, how many of the inputs differ, and some of them; an input
        is its arguments with a comma between them."""
        found = []
        for line in self.run("differ", str(step)).splitlines():
            count, *inputs = line.split()
            found.append((int(count), inputs))
        return found

    def near(self, row):
        """All inputs whose values are in the row's window around the middle."""
        return self.run("near", str(math.ceil(row.window * UNIT))).split()

    def results(self, inputs):
        """For each input the results of the model and of the variants."""
        return [line.split() for line in
                self.run("bits", input="\n".join(inputs).replace(",", " ")).splitlines()]


def choose(row, variants, step):
    """Few inputs that tell all variants apart, and all that are near the middle, if so."""
    found = variants.differences(step)
    print("%d variants, %d of them differ" % (len(found) - 1, sum(
        count > 0 for count, _ in found[:-1])), file=sys.stderr)
    if found[-1][0]:
        print("the installed library differs at %d" % found[-1][0], file=sys.stderr)
    inputs = sorted({x for _, some in found[:-1] for x in some})
    results = variants.results(inputs)
    told = {x: {i for i, y in enumerate(r[1:-1]) if y != r[0]}
            for x, r in zip(inputs, results) if r[0] != "call"}
    left = {i: min(REDUNDANCY, count) for i, (count, _) in enumerate(found[:-2]) if count}
    left[len(found) - 2] = REDUNDANCY_OF_ROUNDED
    chosen = variants.near(row) if row.is_all_near else []
    for x in chosen:
        told.pop(x, None)
    while left:
        best = max(told, key=lambda x: (sum(i in left for i in told[x]), x))
        if not any(i in left for i in told[best]):
            # As many as there were among those that are kept.
            break
        for i in told.pop(best) & set(left):
            left[i] -= 1
            if not left[i]:
                del left[i]
        chosen.append(best)
    chosen.sort()
    return [(*read_input(x), int(r[0], 16))
            for x, r in zip(chosen, variants.results(chosen))]


def read_input(text):
    return [int(x, 16) for x in text.split(",")]


def choose_beside(row, variants, step):
    """Inputs for a row of exact values at which another model has other results."""
    ROUNDED = -2
    inputs = variants.differences(step)[ROUNDED][1]
    chosen = []
    for x, results in zip(inputs, variants.results(inputs)):
        if results[0] != "call" and is_beyond(row, [from_bits(b) for b in read_input(x)]):
            chosen.append((*read_input(x), int(results[ROUNDED], 16)))
    return sorted(chosen)[:REDUNDANCY_OF_ROUNDED]


def find_wrong(row, variants, step):
    """What is wrong with the probes of a formula."""
    inputs = [",".join("%08x" % x for x in p[:-1]) for p in row.probes]
    results = variants.results(inputs)
    wrong = ["%s is none" % x for p, x, r in zip(row.probes, inputs, results)
             if r[0] != "%08x" % p[-1]]
    if row.is_all_near:
        wrong += ["%s is near and left out" % x
                  for x in sorted(set(variants.near(row)) - set(inputs))]
    for i, (count, _) in enumerate(variants.differences(step)[:-1]):
        if count and not any(r[0] != r[i + 1] for r in results):
            wrong.append("%s is told apart by none" % variants.names[i])
    return wrong


#===------------------------------------------------------------------------===#
# Rows
#===------------------------------------------------------------------------===#

def format_probes(probes):
    texts = ["{" + ", ".join("0x%08x" % x for x in p) + "}" for p in probes]
    each = 3 if len(probes[0]) == 2 else 2
    return ",\n".join("    " + ", ".join(texts[i:i + each])
                      for i in range(0, len(texts), each)) + "\n"


def find_probes(row, rows, arguments, folder):
    if row.formula in BOUNDS:
        probes = draw_near(row, arguments.number)
        for other in rows:
            if other.function == row.function and other.formula not in BOUNDS:
                variants = Variants(other, arguments.build, folder)
                probes += choose_beside(row, variants, arguments.step)
        return probes
    print(row.formula, file=sys.stderr)
    return choose(row, Variants(row, arguments.build, folder), arguments.step)


def check(rows, arguments, folder):
    """Exits with 1 if a row says something wrong."""
    count = 0
    wrong = []
    for row in rows:
        count += len(row.probes)
        if row.formula in BOUNDS:
            own = []
            for *inputs, y in row.probes:
                numbers = [from_bits(x) for x in inputs]
                if (not is_beyond(row, numbers) or
                        get_bits(to_float(BOUNDS[row.formula][0](*numbers))) != y):
                    own.append("%s is none" % " ".join("%08x" % x for x in inputs))
        else:
            own = find_wrong(row, Variants(row, arguments.build, folder), arguments.step)
        wrong += ["%s: %s" % (row.formula, w) for w in own]
    for line in wrong:
        print("probes: " + line)
    print("%d probes, %d wrong" % (count, len(wrong)))
    sys.exit(bool(wrong) or count == 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"),
                        help="where bin/dl-math is")
    parser.add_argument("--number", type=int, default=64, help="near the middle, of each function")
    parser.add_argument("--step", type=int, default=1009, help="distance of the floats that are tried")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("formulas", nargs="*", help="only these, as TanhInFloat")
    arguments = parser.parse_args()
    text, rows = read_rows()
    unknown = set(arguments.formulas) - {r.formula for r in rows}
    if unknown:
        sys.exit("probes: no row of %s" % ", ".join(sorted(unknown)))
    every = rows
    rows = [r for r in rows if not arguments.formulas or r.formula in arguments.formulas]
    with tempfile.TemporaryDirectory() as folder:
        if arguments.check:
            check(rows, arguments, folder)
        # From behind, so that positions stay.
        for row in reversed(rows):
            new = format_probes(find_probes(row, every, arguments, folder))
            if arguments.write:
                text = text[:row.span[0]] + new + text[row.span[1]:]
            else:
                print(row.formula + "\n" + new, end="")
    if arguments.write:
        with open(TABLE, "w") as f:
            f.write(text)


if __name__ == "__main__":
    main()
