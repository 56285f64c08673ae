#!/usr/bin/env python3
#===- mca.py - The tile loop on CPUs that are not here ---------------------===#
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""What LLVM's models of CPUs say about generated code: multiply-adds per cycle
of the innermost loop of the largest register tile, by llvm-mca, as a share of
what the same model does with nothing but multiply-adds. Caches are not in it.
docs/benchmarks.md says how to read it.

A schedule is a textual kernel (--schedule), after the lines of --script."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "utils", f) for f in ("bench", "support")]
import llvm_tools  # noqa: E402
from kernels import FOLDER, KERNELS  # noqa: E402

X86, ARM, APPLE = "x86_64-linux-gnu", "aarch64-linux-gnu", "arm64-apple-macosx"
RISCV = "riscv64-linux-gnu"
CPUS = {"neoverse-n1": ARM, "neoverse-v1": ARM, "neoverse-v2": ARM, "neoverse-n2": ARM,
        "a64fx": ARM, "apple-m1": APPLE, "znver4": X86,
        "sapphirerapids": X86, "skylake-avx512": X86, "haswell": X86,
        "znver3": X86}
# For schedules.
MORE_CPUS = {"sifive-p670": RISCV, "sifive-x280": RISCV}
ITERATIONS = 200

LABEL = re.compile(r"^([.\w$]+):")
BRANCH = re.compile(r"^\s+(?:j[a-z]+|b\.[a-z]+|cbn?z\s+\w+,|tbn?z\s+\w+, #\d+,|"
                    r"b\w+z\s+\w+,|b(?:eq|ne|lt|ge)u?\s+\w+, \w+,)\s+"
                    r"([.\w$]+)\s*(?:#.*|//.*|;.*)?$")
FUSED = re.compile(r"^\s+(vfmadd\d+p[sd]|fmla(?:\.\d[sd])?|vfm(?:acc|add)\.v[vf])\s(.*)")
MULTIPLY = re.compile(r"^\s+(v?mulp[sd]|fmul(?:\.\d[sd])?)\s(.*)")
VECTOR = re.compile(r"%[xyz]mm|\.\d[sd]|v\d|z\d+\.[sd]")


def die(message):
    sys.exit("mca: " + message)


def tool(name):
    return llvm_tools.need("mca", name)


def run(command, text=None):
    done = subprocess.run(command, input=text, universal_newlines=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode:
        die("%s\n%s" % (" ".join(command), done.stderr.strip()))
    return done.stdout


def compile_kernel(args, cpu, triple):
    """Assembly, and the name of the function."""
    flag = "-march=" if triple == X86 else "-mcpu="
    command = [tool("clang"), "--target=" + triple, flag + cpu, "-O3", "-S",
               "-o", "-", "-fpass-plugin=" + os.path.abspath(args.plugin)]
    if args.window:
        name = "window"
        command += [os.path.join(FOLDER, "windows.c"), "-DSIZES=static inline",
                    "-DSHAPES=SHAPE(%s, %s)" % (name, ", ".join(args.window.split()))]
    else:
        kernel = KERNELS[args.kernel]
        name = kernel.form("ijk")
        command.append(os.path.join(FOLDER, kernel.source))
    if args.contract == "off":
        command.append("-ffp-contract=off")
    return run(command), name


def compile_schedule(args, cpu, triple):
    """Assembly, and the name of the function that has the code."""
    flags = ["--target=" + triple, "-mcpu=" + cpu]
    if triple == X86:
        flags = ["--target=" + triple, "-march=" + cpu]
    # Textual kernels have the target of the module's functions.
    empty = run([tool("clang"), *flags, "-xc", "-", "-S", "-emit-llvm", "-o", "-"],
                "void dl_target(void) {}\n")
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "schedule.kernel")
        command = [os.path.join(os.path.dirname(args.plugin), "../bin/dl-kernels"),
                   args.schedule]
        with open(text, "w") as file:
            file.write(run(command + (["--script", args.script] if args.script else [])))
        code = run([tool("opt"), "-load-pass-plugin=" + os.path.abspath(args.plugin),
                    "-passes=dl-relower<text=%s>" % text, "-S"], empty)
    return run([tool("clang"), *flags, "-O3", "-Wno-override-module", "-xir", "-", "-S",
                "-o", "-"], code).splitlines()


def generated_code(assembly, name):
    """Lines of the functions that the plugin made for this one."""
    functions, lines = {}, []
    for line in assembly.splitlines():
        label = re.match(r"_?([A-Za-z][\w.$]*):", line)
        if label and not re.match(r"[Ll](BB|loh|tmp|func|CPI)", label.group(1)):
            lines = functions.setdefault(label.group(1), [])
        else:
            lines.append(line)
    todo, seen = [name], []
    while todo:
        seen.append(todo.pop())
        for line in functions.get(seen[-1], []):
            todo += [f for f in re.findall(r"(?<![\w.$])_?(dl\.[\w.$]+)", line)
                     if f not in seen + todo]
    return [line for f in seen[1:] for line in functions.get(f, [])]


def innermost_loops(code):
    """The loops of one block: lines from the label to the branch."""
    label, body = None, []
    for line in code:
        found = LABEL.match(line)
        if found:
            label, body = found.group(1), [found.group(0)]
            continue
        if line.lstrip().startswith(("#", "//", ";", ".")):
            continue  # comments and directives
        body.append(line)
        branch = BRANCH.match(line)
        if branch:
            if branch.group(1) == label:
                yield body
            label, body = None, []


def multiplications(body):
    """(mnemonic and operands) of each vector multiplication, fused or not."""
    found = [FUSED.match(line) or MULTIPLY.match(line) for line in body]
    return [m.groups() for m in found if m and VECTOR.search(m.group(0))]


def count_spills(body):
    """Accesses to the stack."""
    return sum(bool(re.search(r"\[sp|\(sp\)|\(%r[sb]p\)", line)) for line in body)


def tile_loop(code):
    """The loop with the most elements multiplied and the least beside that."""
    def weight(body):
        bits = 512 if "%zmm" in "".join(body) else 256 if "%ymm" in "".join(body) else 128
        return bits * len(multiplications(body)) ** 2 / len(body)
    best = max(innermost_loops(code), key=weight, default=[])
    return best if multiplications(best) else None


def peak_block(mnemonic, operands):
    """Independent multiply-adds like this one, or pairs of both operations."""
    lines = []
    fused = any(x in mnemonic for x in ("madd", "fmla", "vfmacc"))
    if mnemonic.startswith("vf") and "%" not in operands:
        scalar = "fa0, " if mnemonic.endswith("f") else "v31, "
        lines = ["%s v%d, %sv30" % (mnemonic, i, scalar) for i in range(24)]
    elif "%" in operands:
        register = re.search(r"%[xyz]mm", operands).group(0)
        add, three = mnemonic.replace("mul", "add"), mnemonic.startswith("v")
        for i in range(12):
            sources = "%s14, " % register + ("%s15, " % register if fused or three else "")
            lines.append("%s %s%s%d" % (mnemonic if fused or i % 2 else add,
                                        sources if fused else
                                        sources.replace("15", str(i)), register, i))
    elif re.match(r"z\d", operands):
        # The same form: lanes come from few registers, products have predicates.
        element = re.match(r"z\d+(\.[sd])", operands).group(1)
        lane = (re.search(r"\[\d\]$", operands.strip()) or [""])[0]
        for i in range(24):
            if fused and not lane:
                sources = "p0/m, z30%s, z31%s" % (element, element)
            else:
                sources = "z30%s, z%d%s%s" % (element, 1 if lane else 31, element, lane)
            if not fused and i % 2 == 0:
                sources = "z30%s, z31%s" % (element, element)
            lines.append("%s z%d%s, %s" % ("fmla" if fused else "fmul" if i % 2 else "fadd",
                                           i + 2 if lane else i, element, sources))
    else:
        suffix = re.search(r"\.\d[sd]", mnemonic + " " + operands).group(0)
        for i in range(24):
            name = "fmla" if fused else "fmul" if i % 2 else "fadd"
            first = "v30" if fused else "v%d" % i
            lines.append("%s v%d%s, %s%s, v31%s" % (name, i, suffix, first, suffix, suffix))
    return lines, len(lines) // (1 if fused else 2)


def mca(triple, cpu, lines, options=()):
    if triple == RISCV:  # what vsetvli has said in front of the loop
        lines = ["# LLVM-MCA-RISCV-LMUL M1", "# LLVM-MCA-RISCV-SEW E32", *lines]
    return run([tool("llvm-mca"), "-mtriple=" + triple, "-mcpu=" + cpu,
                "-iterations=%d" % ITERATIONS, *options], "\n".join(lines) + "\n")


def summary(triple, cpu, lines):
    return json.loads(mca(triple, cpu, lines, ["-json"]))["CodeRegions"][0][
        "SummaryView"]


def per_cycle(triple, cpu, loop):
    """Multiply-adds per cycle, and those that the units could do at most."""
    found = multiplications(loop)
    block, count = peak_block(*found[0])
    # By the units alone: some models have more latency than there are chains.
    peak = count / summary(triple, cpu, block)["BlockRThroughput"]
    return len(found) / (summary(triple, cpu, loop)["TotalCycles"] / ITERATIONS), peak


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--cpu", default=",".join(CPUS), help="default: %(default)s")
    p.add_argument("--kernel", default="sgemm", choices=list(KERNELS))
    p.add_argument("--window", default="", metavar="'KERNEL C H W K R s p'",
                   help="a kernel of windows.c at a size, as 'conv_nchw 64 56 56 64 3 1 1'")
    p.add_argument("--schedule", default="", metavar="KERNEL")
    p.add_argument("--script", default="")
    p.add_argument("--contract", choices=["on", "off"], default="on")
    p.add_argument("--show", action="store_true",
                   help="the loop and llvm-mca's report, too")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build/lib/libDLOpt.so"))
    args = p.parse_args()
    llvm_tools.need_plugin("mca", args.plugin)
    if args.schedule:
        CPUS.update(MORE_CPUS)
    unknown = [c for c in args.cpu.split(",") if c not in CPUS]
    if unknown:
        die("no CPU '%s': there are %s" % (unknown[0], ", ".join(CPUS)))
    print("| CPU | multiply-adds | instructions | of the stack | per cycle | peak | share |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for cpu in args.cpu.split(","):
        triple = CPUS[cpu]
        loop = tile_loop(compile_schedule(args, cpu, triple) if args.schedule else
                         generated_code(*compile_kernel(args, cpu, triple)))
        if not loop:
            print("| %s | none |" % cpu)
            continue
        rate, peak = per_cycle(triple, cpu, loop)
        print("| %s | %d | %d | %d | %.2f | %.2f | %.0f%% |" % (
            cpu, len(multiplications(loop)), len(loop) - 1, count_spills(loop), rate,
            peak, 100 * rate / peak), flush=True)
        if args.show:
            print("\n" + "\n".join(loop) + "\n\n" +
                  mca(triple, cpu, loop, ["-bottleneck-analysis"]))


if __name__ == "__main__":
    main()
