#!/usr/bin/env python3
"""Compares kernels that are compiled with kernels that are interpreted.

The kernels of FILE become code by dl-relower<text=FILE>, and run one after the
other on arrays that end, or begin, at memory that must not be touched; dl-kernels
runs them on the same arrays. All arrays must have the same bits afterwards (any
NaN is as good as another). No reference has to be written:

  check_schedules.py softmax.kernel --param R=0..9 --param C=0..9 \\
    --array 'x=R*C' --array 'y=R*C'

A parameter is a range to draw from, or an expression over those before. An array
is as many elements as an expression says; `idx=T<V` are numbers below V, none of them
special (NaN, infinite, subnormal), which else a third of the cases have.

Sizes may be times `vl`, the number of 32-bit lanes of a scalable register: --vl is
the lengths to check, each by the interpreter and by the emulator, in whose command
{bits} and {bytes} are those of a register.

The machine need not have all instructions that a schedule names: --lacks is the
features that it has not, and llvm.x.y is the function x_y of the C file that
--emulate says then, where that has one.
"""
import argparse
import math
import os
import random
import re
import struct
import subprocess
import sys

SIZES = {"i1": 1, "i8": 1, "u8": 1, "i16": 2, "u16": 2, "i32": 4, "u32": 4, "i64": 8,
         "u64": 8, "f16": 2, "bf16": 2, "f32": 4, "f64": 8}
C_TYPES = {"i1": "_Bool", "i8": "signed char", "u8": "unsigned char", "i16": "short",
           "u16": "unsigned short", "i32": "int", "u32": "unsigned", "i64": "long long",
           "u64": "unsigned long long", "f32": "float", "f64": "double"}
# Bits of the exponent and of the fraction.
FLOATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}


class Kernel:
    """What a function of a kernel takes."""

    def __init__(self, name, text):
        self.name, self.params, self.buffers = name, [], []
        for line in text.splitlines():
            match = re.match(r"  (params|buffers)\s+(.*)", line)
            if not match:
                continue
            flat, depth = "", 0
            for c in match.group(2).split("#")[0]:
                depth += c == "("
                if not depth:
                    flat += c
                depth -= c == ")"
            for name, kind in re.findall(r"%([\w.$]+)(?::(\w+))?", flat):
                getattr(self, match.group(1)).append((name, kind or "i64"))


def parse_kernels(path):
    with open(path) as file:
        parts = re.split(r"^(kernel .*)$", file.read(), flags=re.MULTILINE)[1:]
    return [Kernel(re.search(r"@([\w.$]+)", head).group(1), body)
            for head, body in zip(parts[::2], parts[1::2])]


DRIVER_HEAD = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static FILE *In, *Out;
static unsigned long long number(void) {
  unsigned long long N = 0;
  if (fread(&N, 8, 1, In) != 1)
    exit(3);
  return N;
}
static unsigned long long Sizes[64];
static char *Arrays[64];
/* Memory that begins or ends where nothing may be touched. */
static char *array(int AtEnd, unsigned long long Size) {
  unsigned long long Page = sysconf(_SC_PAGESIZE);
  unsigned long long Whole = (Size + Page - 1) / Page * Page;
  char *All = mmap(0, Whole + 2 * Page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (All == MAP_FAILED || mprotect(All, Page, PROT_NONE) ||
      mprotect(All + Page + Whole, Page, PROT_NONE))
    exit(4);
  All += Page;
  return AtEnd ? All + Whole - Size : All;
}
"""


def driver(kernels, arrays, params):
    """C that reads cases, runs the kernels and writes the arrays."""
    text = DRIVER_HEAD
    names = [name for name, _ in arrays]
    for kernel in kernels:
        text += "void %s(%s);\n" % (kernel.name, ", ".join(
            ["char *"] * len(kernel.buffers) + [C_TYPES[t] for _, t in kernel.params]))
    text += "int main(int argc, char **argv) {\n"
    text += '  In = fopen(argv[1], "rb"), Out = fopen(argv[2], "wb");\n'
    text += "  for (unsigned long long Cases = number(); Cases; --Cases) {\n"
    text += "    int AtEnd = number();\n"
    for name, kind in params:
        text += "    unsigned long long b_%s = number(); %s p_%s;\n" % (name, C_TYPES[kind], name)
        text += "    memcpy(&p_%s, &b_%s, sizeof p_%s);\n" % (name, name, name)
    text += "    for (int I = 0; I < %d; ++I) {\n" % len(names)
    text += "      Sizes[I] = number(), Arrays[I] = array(AtEnd, Sizes[I]);\n"
    text += "      if (fread(Arrays[I], 1, Sizes[I], In) != Sizes[I]) exit(3);\n    }\n"
    for kernel in kernels:
        text += "    %s(%s);\n" % (kernel.name, ", ".join(
            ["Arrays[%d]" % names.index(n) for n, _ in kernel.buffers] +
            ["p_" + n for n, _ in kernel.params]))
    text += "    for (int I = 0; I < %d; ++I)\n" % len(names)
    text += "      fwrite(Arrays[I], 1, Sizes[I], Out);\n"
    text += "    fflush(Out);\n  }\n  return 0;\n}\n"
    return text


def draw_float(rng, kind, special):
    exponent, fraction = FLOATS[kind]
    top = ((1 << exponent) - 1) << fraction
    sign = 1 << (exponent + fraction)
    if special and rng.random() < special:
        bits = rng.choice([top, top | 1 << (fraction - 1), 0, 1, (1 << fraction) - 1,
                           1 << fraction, top - 1])
        return bits | rng.choice([0, sign])
    bias = (1 << (exponent - 1)) - 1
    return ((bias + rng.randint(-2, 1)) << fraction | rng.getrandbits(fraction) |
            rng.choice([0, sign]))


def draw_array(rng, kind, count, below, special):
    size = SIZES[kind]
    data = bytearray()
    for _ in range(count):
        if below is not None and kind in FLOATS:
            bits = param_bits(kind, rng.uniform(0, below))
        elif below is not None:
            bits = rng.randrange(below) if below > 0 else 0
        elif kind in FLOATS:
            bits = draw_float(rng, kind, special)
        else:
            bits = rng.getrandbits(1 if kind == "i1" else 8 * size)
        data += bits.to_bytes(size, "little")
    return bytes(data)


def is_equal(kind, got, expected):
    if got == expected:
        return True
    if kind not in FLOATS:
        return False
    exponent, fraction = FLOATS[kind]
    infinite = ((1 << exponent) - 1) << fraction
    return all(int.from_bytes(x, "little") & ((1 << (exponent + fraction)) - 1) > infinite
               for x in (got, expected))


def param_bits(kind, value):
    """A parameter as the driver reads it, and as dl-kernels does."""
    if kind == "f32":
        return struct.unpack("<I", struct.pack("<f", value))[0]
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    return value & ((1 << (8 * SIZES[kind])) - 1)


class Checker:
    def __init__(self, args):
        self.args = args
        self.kernels = parse_kernels(args.file)
        self.params = list(dict(p for k in self.kernels for p in k.params).items())
        self.arrays = list(dict(b for k in self.kernels for b in k.buffers).items())
        self.rng = random.Random(args.seed)
        self.shapes = dict(x.split("=", 1) for x in args.array)
        self.ranges = dict(x.split("=", 1) for x in args.param)
        missing = [n for n, _ in self.arrays if n not in self.shapes]
        missing += [n for n, _ in self.params if n not in self.ranges]
        if missing:
            sys.exit("check_schedules.py: nothing is said of " + ", ".join(missing))

    def path(self, name):
        return self.args.output + name

    def run(self, command, **more):
        return subprocess.run(command, check=True, **more)

    def compile(self):
        args = self.args
        flags = args.flags.split()
        with open(self.path(".c"), "w") as file:
            file.write(driver(self.kernels, self.arrays, self.params))
        # Textual kernels have the target of the module's functions.
        with open(self.path(".empty.c"), "w") as file:
            file.write("void dl_target(void) {}\n")
        lacks = ["-m" + f for f in args.lacks.split(",") if f]
        self.run([args.clang, *flags, *lacks, "-S", "-emit-llvm", self.path(".empty.c"),
                  "-o", self.path(".empty.ll")])
        passes = "dl-relower<text=%s>,verify" % args.file
        self.run([*args.opt.split(), "-passes=" + passes, "-S", self.path(".empty.ll"),
                  "-o", self.path(".ll")])
        if args.emulate:
            self.emulate()
        self.run([args.clang, *flags, "-O" + args.level, "-Wno-override-module", "-c",
                  self.path(".ll"), "-o", self.path(".o")])
        self.run([args.clang, *flags, "-O1", "-w", *args.link.split(), self.path(".c"),
                  self.path(".o"), *([args.emulate] if args.emulate else []), "-lm", "-o",
                  self.path(".exe")])

    def emulate(self):
        """Calls of intrinsics as calls of functions, for the machine that there is."""
        with open(self.args.emulate) as file:
            known = set(re.findall(r"\w+", file.read()))
        with open(self.path(".ll")) as file:
            text = file.read()
        text = re.sub(r"@llvm\.([\w.]+)\(", lambda m: m.group(0)
                      if m.group(1).replace(".", "_") not in known
                      else "@%s(" % m.group(1).replace(".", "_"), text)
        for feature in self.args.lacks.split(","):
            text = text.replace("+%s," % feature, "-%s," % feature)
        with open(self.path(".ll"), "w") as file:
            file.write(text)

    def draw(self):
        values = {}
        for name, text in self.ranges.items():
            match = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", text)
            values[name] = (self.rng.randint(int(match.group(1)), int(match.group(2)))
                            if match else eval(text, {"max": max, "min": min}, values))
        special = self.rng.choice([0, 0, 0.1])
        data = {}
        for name, kind in self.arrays:
            count, _, below = self.shapes[name].partition("<")
            below = eval(below, {}, values) if below else None
            count = max(0, eval(count, {"max": max, "min": min}, values))
            data[name] = draw_array(self.rng, kind, count, below, special)
        return values, data

    def interpret(self, values, data, vl):
        """The arrays afterwards, or None where the interpreter finds a mistake."""
        command = [self.args.dl_kernels, self.args.file, "--run", "--vl=%d" % vl]
        if self.args.separate:
            command.append("--separate")
        for name, kind in self.params:
            value = values[name]
            command += ["--param", "%s=%s" % (name, repr(value) if kind in FLOATS else value)]
        for name, _ in self.arrays:
            with open(self.path("." + name), "wb") as file:
                file.write(data[name])
            command += ["--array", "%s=file:%s" % (name, self.path("." + name)),
                        "--write", "%s=%s" % (name, self.path("." + name))]
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              universal_newlines=True)
        if done.returncode:
            print("interpreter: %s: %s" % (values, done.stderr.strip()), file=sys.stderr)
            return None
        result = {}
        for name, _ in self.arrays:
            with open(self.path("." + name), "rb") as file:
                result[name] = file.read()
        return result

    def execute(self, cases, vl):
        with open(self.path(".in"), "wb") as file:
            file.write(struct.pack("<Q", len(cases)))
            for at_end, values, data, _ in cases:
                file.write(struct.pack("<Q", at_end))
                for name, kind in self.params:
                    file.write(struct.pack("<Q", param_bits(kind, values[name])))
                for name, _ in self.arrays:
                    file.write(struct.pack("<Q", len(data[name])) + data[name])
        emulator = self.args.emulator.format(bits=32 * vl, bytes=4 * vl)
        done = subprocess.run([*emulator.split(), self.path(".exe"),
                               self.path(".in"), self.path(".out")])
        with open(self.path(".out"), "rb") as file:
            return done.returncode, file.read()

    def compare(self, cases, code, output):
        at, different = 0, 0
        for number, (at_end, values, _, expected) in enumerate(cases):
            size = sum(len(x) for x in expected.values())
            if at + size > len(output):
                print("%s: case %d, arrays at %s: exit status %d" %
                      (values, number, "the end" if at_end else "the start", code))
                return different + 1
            for name, kind in self.arrays:
                step = SIZES[kind]
                for i in range(0, len(expected[name]), step):
                    got = output[at + i:at + i + step]
                    if not is_equal(kind, got, expected[name][i:i + step]):
                        print("%s: %s[%d] is %s, not %s" % (
                            values, name, i // step, got[::-1].hex(),
                            expected[name][i:i + step][::-1].hex()))
                        different += 1
                        break
                at += len(expected[name])
        if code:
            print("exit status %d" % code)
        return different + (code != 0)

    def check(self):
        self.compile()
        drawn = [self.draw() for _ in range(self.args.cases)]
        runs, different, wrong = 0, 0, 0
        for vl in map(int, self.args.vl.split(",")):
            cases = []
            for values, data in drawn:
                expected = self.interpret(values, data, vl)
                if expected is None:
                    wrong += 1
                    continue
                cases += [(at_end, values, data, expected) for at_end in (1, 0)]
            different += self.compare(cases, *self.execute(cases, vl))
            runs += len(cases)
        print("%s: %d runs, %d different, %d not interpreted" %
              (os.path.basename(self.args.file), runs, different, wrong))
        return 1 if different or wrong else 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=RANGE")
    parser.add_argument("--array", action="append", default=[], metavar="NAME=ELEMENTS")
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--opt", default="opt", help="opt with the plugin loaded")
    parser.add_argument("--dl-kernels", default="dl-kernels")
    parser.add_argument("--clang", default="clang")
    parser.add_argument("--flags", default="", help="the target, for clang")
    parser.add_argument("--link", default="", help="more for clang where it links")
    parser.add_argument("--level", default="2", help="of optimization")
    parser.add_argument("--emulator", default="", help="what runs the program")
    parser.add_argument("--vl", default="4", metavar="N,...",
                        help="lanes of 32 bits in a scalable register")
    parser.add_argument("--lacks", default="", metavar="FEATURE,...")
    parser.add_argument("--emulate", help="C that has instructions as functions")
    parser.add_argument("--separate", action="store_true", help="the target has no FMA")
    parser.add_argument("--output", required=True, help="prefix of files that are made")
    return Checker(parser.parse_args()).check()


if __name__ == "__main__":
    sys.exit(main())
