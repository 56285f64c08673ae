#!/usr/bin/env python3
"""Checks the worst errors of the vector math against what they are stated to be.

The short run takes each 8009th float and everything around special numbers, the
full one all of them (minutes for each function). Every function
of one argument and one or two others must be as accurate as its name says, and
every NaN, infinity and zero must be right, also where subnormal numbers are zeros.
The last line is "N checked, N wrong".
"""
import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "support"))
import llvm_tools  # noqa: E402

LIMITS = {"1ulp": 1.0, "2ulp": 2.0, "4ulp": 4.0}
# Name: options of dl-math, options of clang, what runs the program.
TARGETS = {
    "avx2": (["-mcpu=haswell"], [], []),
    "sse2": ([], [], []),
    "neon": (["-mtriple=aarch64-linux-gnu"],
             ["--target=aarch64-linux-gnu", "-static"],
             ["qemu-aarch64", "-cpu", "max"]),
    "avx512": (["-mcpu=x86-64-v4"], [], []),
}
MODES = ["ieee", "preserve-sign,preserve-sign"]
SHORT = 8009
EMULATED = 400009


def run(command, **options):
    done = subprocess.run(command, text=True, stdout=subprocess.PIPE, **options)
    if done.returncode:
        sys.exit("check: failed: " + " ".join(command))
    return done.stdout


def build(folder, tool, name, extra, modes):
    """The programs that check one target, one for each treatment of subnormal
    numbers."""
    math, clang, _ = TARGETS[name]
    programs = []
    for mode in modes:
        prefix = "%s_%s_" % (name, mode.partition(",")[0].replace("-", "_"))
        ir = os.path.join(folder, prefix + ".ll")
        with open(ir, "w") as f:
            f.write(run([tool, "-prefix=" + prefix, "-denormal-fp-math=" + mode,
                         *math, *extra]))
        programs.append(ir[:-3])
        run([llvm_tools.need("check", "clang"), "-O2", "-Wno-override-module", *clang,
             "-c", ir, "-o", ir[:-3] + ".o"])
        run([llvm_tools.need("check", "clang++"), "-O2", *clang,
             "-DTABLES=T(%sdl_math)" % prefix, os.path.join(HERE, "check.cc"),
             ir[:-3] + ".o", "-o", programs[-1]])
    return programs


LINE = re.compile(r"\S+ (\S+) (\S+) (\S+) inputs (\d+) worst (\S+) at (.*?) "
                  r"bad (\d+)(?: first (.*))?$")


def check(name, program, arguments):
    """Rows (function, type, accuracy, worst, where) and the number of wrong ones."""
    rows, wrong = [], 0
    out = run([*TARGETS[name][2], program, *arguments])
    for line in out.splitlines():
        function, ty, accuracy, _, worst, where, bad, first = \
            LINE.match(line).groups()
        rows.append((function, ty, accuracy, float(worst), where))
        if int(bad):
            print("%s: %s %s %s: wrong kind of number for %s inputs, first %s"
                  % (name, function, ty, accuracy, bad, first))
            wrong += 1
        if not float(worst) < LIMITS[accuracy]:
            print("%s: %s %s %s: %s ulp at %s"
                  % (name, function, ty, accuracy, worst, where))
            wrong += 1
    return rows, wrong


def write_table(path, results):
    """Replaces rows of the table; those not measured now stay."""
    with open(path) as f:
        text = f.read()
    for (function, ty, accuracy), cells in results.items():
        key = "| %s | %s | %s |" % (function, ty, accuracy)
        old = re.search(re.escape(key) + "(.*)", text)
        values = old.group(1).strip(" |").split(" | ") if old else []
        values += ["-"] * (len(TARGETS) - len(values))
        for i, name in enumerate(TARGETS):
            if name in cells:
                values[i] = "%.3f at `%s`" % cells[name]
        line = key + " " + " | ".join(values) + " |"
        if old:
            text = text.replace(old.group(0), line)
        else:
            text = text.replace("\n<!-- end of the table -->",
                                line + "\n\n<!-- end of the table -->")
    with open(path, "w") as f:
        f.write(text)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("build", help="folder of the build, which has dl-math")
    add("--full", action="store_true", help="all floats (minutes for each function)")
    add("--targets", metavar="NAME[,NAME]",
        help="of %s; without: avx2,sse2" % ", ".join(TARGETS))
    add("--functions", metavar="NAME[,NAME]", help="only these, as exp,log")
    add("--types", metavar="NAME[,NAME]", help="only these, as f32,f64")
    add("--table", metavar="FILE",
        help="write the worst errors into the table of this page (docs/math.md)")
    add("--limit", type=float, metavar="ULPS",
        help="as if this were stated of all functions, to see that it is found")
    return parser.parse_args()


def main():
    args = parse_arguments()
    tool = os.path.join(args.build, "bin", "dl-math")
    if not os.path.exists(tool):
        sys.exit("check: %s is missing: build the target dl-math" % tool)
    names = args.targets.split(",") if args.targets else ["avx2", "sse2"]
    for name in names:
        if name not in TARGETS:
            sys.exit("check: no target '%s'; accepted: %s"
                     % (name, ", ".join(TARGETS)))
        needed = TARGETS[name][2][0] if TARGETS[name][2] else None
        if needed and not shutil.which(needed):
            sys.exit("check: %s is missing: install the package qemu-user" % needed)
        if not needed and platform.machine() not in ("x86_64", "AMD64"):
            sys.exit("check: %s runs on x86-64 alone" % name)
    extra = ["-%s=%s" % (option, value) for option, value in
             (("functions", args.functions), ("types", args.types)) if value]
    if args.limit is not None:
        LIMITS.update(dict.fromkeys(LIMITS, args.limit))
    results, checked, wrong = {}, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            stride = 1 if args.full else EMULATED if TARGETS[name][2] else SHORT
            # Emulators need not know the other mode.
            programs = build(folder, tool, name, extra,
                             MODES[:1] if TARGETS[name][2] else MODES)
            rows, bad = check(name, programs[0], ["-stride", str(stride)])
            for row in rows:
                results.setdefault(row[:3], {})[name] = row[3:]
            checked += len(rows)
            wrong += bad
            for flushed in programs[1:]:
                rows, bad = check(name, flushed,
                                  ["-ftz", "-stride", str(4 * SHORT)])
                checked += len(rows)
                wrong += bad
    for (function, ty, accuracy), cells in results.items():
        print(function, ty, accuracy, ", ".join(
            "%s %.4f at %s" % (name, *cells[name]) for name in cells))
    if args.table:
        write_table(args.table, results)
    print("%d checked, %d wrong" % (checked, wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
