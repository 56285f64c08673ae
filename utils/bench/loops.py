#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times naive reductions and transposes with and without the plugin.

    utils/bench/loops.py [--plugin PLUGIN] [--march native] [--rounds 25]

All builds of utils/bench/kernels/loops.c take turns in one process, with the rate
at which as many elements can be read (or copied, for what moves them). Prints
elements per ns: medians.
"""
import argparse
import os
import subprocess
import tempfile

from contestants import ROOT, clang, cpu_name, llvm_tools

HERE = os.path.dirname(os.path.abspath(__file__))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin",
                        default=os.path.join(ROOT, "build", "lib", "libDLOpt.so"))
    parser.add_argument("--march", default="native")
    parser.add_argument("--rounds", type=int, default=25)
    args = parser.parse_args()
    llvm_tools.need_plugin("loops", args.plugin)
    plugin = ["-fpass-plugin=" + os.path.abspath(args.plugin)]
    builds = [("DLOpt", plugin), ("clang -O3", []),
              ("clang fast", ["-ffast-math"]),
              ("DLOpt fast", ["-ffast-math", *plugin])]
    source = os.path.join(HERE, "kernels", "loops.c")
    march = "-march=" + args.march
    with tempfile.TemporaryDirectory(prefix="dl-loops-") as folder:
        bench = os.path.join(folder, "loopbench")
        subprocess.run([clang("++"), "-std=c++17", "-O2", march,
                        os.path.join(HERE, "loopbench.cc"), "-ldl", "-o", bench],
                       check=True)
        libraries = []
        for number, (_, flags) in enumerate(builds):
            libraries.append(os.path.join(folder, "%d.so" % number))
            subprocess.run([clang(), "-O3", "-shared", "-fPIC", march, source, "-o",
                            libraries[-1], *flags], check=True)
        done = subprocess.run([bench, str(args.rounds), *libraries], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True)
    print(cpu_name())
    print("| kernel | M x N | limit | %s |" % " | ".join(b[0] for b in builds))
    print("|---|---|" + "--:|" * (len(builds) + 1))
    for line in done.stdout.splitlines():
        name, m, n, *rates = line.split()
        print("| %s | %s x %s | %s |" % (name, m, n, " | ".join(rates)))


if __name__ == "__main__":
    main()
