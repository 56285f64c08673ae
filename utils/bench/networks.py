#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times parts of neural networks as people write them, with and without the plugin.

    utils/bench/networks.py [--plugin PLUGIN] [--march native] [--rounds 15]

Both builds of utils/bench/kernels/networks.c, clang -O3, take turns in one process.
Prints microseconds of thread CPU time and their ratio: medians. The bits must be
the same.
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
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    llvm_tools.need_plugin("networks", args.plugin)
    builds = [[], ["-fpass-plugin=" + os.path.abspath(args.plugin)]]
    source = os.path.join(HERE, "kernels", "networks.c")
    march = "-march=" + args.march
    with tempfile.TemporaryDirectory(prefix="dl-networks-") as folder:
        bench = os.path.join(folder, "netbench")
        subprocess.run([clang("++"), "-std=c++17", "-O2", march,
                        os.path.join(HERE, "netbench.cc"), "-ldl", "-o", bench],
                       check=True)
        libraries = []
        for number, flags in enumerate(builds):
            libraries.append(os.path.join(folder, "%d.so" % number))
            subprocess.run([clang(), "-O3", "-shared", "-fPIC", march, source, "-lm",
                            "-o", libraries[-1], *flags], check=True)
        done = subprocess.run([bench, str(args.rounds), *libraries], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True)
    print("%s, %s" % (cpu_name(), march))
    print("| part | clang -O3 | DLOpt | |\n|---|--:|--:|--:|")
    for line in done.stdout.splitlines():
        plain, ours, ratio, name = line.split(maxsplit=3)
        print("| %s | %s us | %s us | %sx |" % (name, plain, ours, ratio))


if __name__ == "__main__":
    main()
