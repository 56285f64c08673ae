#!/usr/bin/env python3
#===- probes.py - Inputs that tell good libraries from others -------------===//
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""Prints the rows of passes/Lower/MathModels.def: for each function inputs of
float whose exact results lie just outside of the model's window around the middle
of two floats, on both sides and over the whole range. A library that errs by
more than half a unit in the last place and the window is likely to return
another float at one of them.

With --check, checks the rows that are there."""

import argparse
import math
import os
import random
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "passes", "Lower",
                     "MathModels.def")
# Function, window and limit; math's functions of double err by less than 2^-28 of
# a float's last place.
MODELS = {"Exp": (math.exp, 0.0022, 87.25)}
DROPPED = 52 - 23
UNIT = 1 << DROPPED


def to_float(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def get_bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def from_middle(y):
    """How far from the middle between two floats, in units in the last place."""
    bits = struct.unpack("<q", struct.pack("<d", y))[0]
    return ((bits & (UNIT - 1)) - UNIT // 2) / UNIT


def is_probe(function, window, limit, x):
    """Twice as far from the middle at most."""
    return abs(x) <= limit and window < abs(from_middle(function(x))) <= 2 * window


def draw(function, window, limit, number):
    """The same ones each time."""
    rng = random.Random(1)
    found = []
    while len(found) < number:
        # Half of them evenly, half by exponent; as many on each side, of either sign.
        x = rng.uniform(-limit, limit)
        if len(found) % 4 < 2:
            x = math.copysign(2 ** rng.uniform(-12, math.log2(limit)), x)
        x = to_float(x)
        above = from_middle(function(x)) > 0
        if above == (len(found) % 2 == 0) and is_probe(function, window, limit, x):
            found.append(x)
    return found


def print_rows(number):
    for name, (function, window, limit) in MODELS.items():
        print("DLOPT_MATH_MODEL(%s, emit%sInDouble, %s, %s," % (name, name, window, limit))
        for x in draw(function, window, limit, number):
            print("    DLOPT_MATH_PROBE(%sf, 0x%08x)" % (
                x.hex(), get_bits(to_float(function(x)))))
        print(")")


def check():
    """Exits with 1 if a row says something wrong."""
    with open(TABLE) as f:
        text = f.read()
    wrong = rows = 0
    for name, window, limit, probes in re.findall(
            r"^DLOPT_MATH_MODEL\((\w+), \w+, ([\d.]+), ([\d.]+),\n(.*?)^\)", text,
            re.MULTILINE | re.DOTALL):
        function = MODELS[name][0]
        if MODELS[name][1:] != (float(window), float(limit)):
            sys.exit("probes: window or limit of %s is another one" % name)
        for x, bits in re.findall(r"DLOPT_MATH_PROBE\((\S+)f, (0x\w+)\)", probes):
            x, rows = float.fromhex(x), rows + 1
            if (not is_probe(function, float(window), float(limit), x) or
                    get_bits(to_float(function(x))) != int(bits, 16)):
                print("probes: %s at %s is none" % (name, x.hex()))
                wrong += 1
    print("%d probes, %d wrong" % (rows, wrong))
    sys.exit(wrong != 0 or rows == 0)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=64, help="of each function")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        check()
    print_rows(arguments.number)


if __name__ == "__main__":
    main()
