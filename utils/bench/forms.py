#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the forms of a matrix product against plain ijk, all with the plugin.

    utils/bench/forms.py [--plugin PLUGIN] [--march native] [--size 512]

Prints one row for each form: the time of ijk over that of the form (1.00: as
fast), medians of interleaved rounds.
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
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    llvm_tools.need_plugin("forms", args.plugin)
    march = "-march=" + args.march
    flags = ["-O3", march, "-c", "-fpass-plugin=" + os.path.abspath(args.plugin)]
    tested = os.path.join(ROOT, "test", "Exec", "Inputs", "matmul", "forms.c")
    more = os.path.join(HERE, "kernels", "forms.cpp")
    with tempfile.TemporaryDirectory(prefix="dl-forms-") as folder:
        objects = [os.path.join(folder, name) for name in ("tested.o", "more.o")]
        subprocess.run([clang(), *flags, "-DBUILD=dl", tested, "-o", objects[0]],
                       check=True)
        subprocess.run([clang("++"), *flags, "-std=c++17", "-DBUILD=more", more,
                        "-o", objects[1]], check=True)
        bench = os.path.join(folder, "formbench")
        subprocess.run([clang("++"), "-std=c++17", "-O2",
                        os.path.join(HERE, "formbench.cc"), *objects, "-o", bench],
                       check=True)
        done = subprocess.run([bench, str(args.size), str(args.rounds)], check=True,
                              stdout=subprocess.PIPE, universal_newlines=True)
    print("%s, %s, %d^3" % (cpu_name(), march, args.size))
    print("| form | of ijk |\n|---|--:|")
    for line in done.stdout.splitlines():
        print("| %s | %s |" % tuple(line.split()))


if __name__ == "__main__":
    main()
