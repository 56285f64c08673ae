#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times loops whose bounds, pointers and sums are in memory.

    utils/bench/bounds.py [--plugin PLUGIN] [--flags "-ffast-math"] [--rounds 5]
                          [NAME...]

utils/bench/kernels/bounds.cpp is built by clang and with the plugin, and both run
in turns. Prints the least ns of a call: clang, DLOpt, and what DLOpt and clang
make of the same loops with locals and `restrict` written by hand.
"""
import argparse
import os
import shlex
import subprocess
import tempfile

from contestants import ROOT, clang, cpu_name, llvm_tools

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin",
                        default=os.path.join(ROOT, "build", "lib", "libDLOpt.so"))
    parser.add_argument("--flags", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    llvm_tools.need_plugin("bounds", args.plugin)
    source = os.path.join(HERE, "kernels", "bounds.cpp")
    builds = [[], ["-fpass-plugin=" + os.path.abspath(args.plugin)]]
    times = [{}, {}]
    with tempfile.TemporaryDirectory(prefix="dl-bounds-") as folder:
        programs = []
        for number, flags in enumerate(builds):
            programs.append(os.path.join(folder, "bounds%d" % number))
            subprocess.run([clang("++"), "-std=c++17", "-O3", "-march=native", source,
                            "-o", programs[-1], *flags, *shlex.split(args.flags)],
                           check=True)
        for _ in range(args.rounds):
            for program, best in zip(programs, times):
                done = subprocess.run([program, *args.names], check=True,
                                      stdout=subprocess.PIPE, universal_newlines=True)
                for line in done.stdout.splitlines():
                    name, *ns = line.split()
                    ns = [float(x) for x in ns]
                    best[name] = [min(x) for x in zip(ns, best.get(name, ns))]
    print(cpu_name())
    print("| loop | clang | DLOpt | by hand, DLOpt | by hand, clang |")
    print("|---|--:|--:|--:|--:|")
    for name, (plain, by_hand) in times[0].items():
        mine = times[1][name]
        print("| %s | %.1f | %.1f | %.1f | %.1f |" % (
            name, plain, mine[0], mine[1], by_hand))


if __name__ == "__main__":
    main()
