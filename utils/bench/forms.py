#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the forms of a matrix product against plain ijk, all with the plugin.

    utils/bench/forms.py [--plugin PLUGIN] [--march native] [--size 512]
    utils/bench/forms.py --plugin build/lib/libDLOpt.so --against build-19/lib/libDLOpt.so

Prints one row for each form: the time of ijk over that of the form (1.00: as
fast), medians of interleaved rounds. With --against, each plugin with the clang of
its LLVM: the time of the form by the plugin over that by the other one.
"""
import argparse
import os
import subprocess
import sys
import tempfile

from contestants import ROOT, clang, cpu_name, llvm_tools

HERE = os.path.dirname(os.path.abspath(__file__))


def build(plugin, march, folder):
    """A library of all forms, compiled with a plugin."""
    llvm_tools.need_plugin("forms", plugin)
    name = os.path.join(folder, "forms-%d" % llvm_tools.major())
    if os.path.exists(name + ".so"):
        sys.exit("forms: both plugins are for LLVM %d" % llvm_tools.major())
    flags = ["-O3", "-march=" + march, "-fPIC", "-c",
             "-fpass-plugin=" + os.path.abspath(plugin)]
    tested = os.path.join(ROOT, "test", "Exec", "Inputs", "matmul", "forms.c")
    more = os.path.join(HERE, "kernels", "forms.cpp")
    subprocess.run([clang(), *flags, "-DBUILD=dl", tested, "-o", name + ".c.o"],
                   check=True)
    subprocess.run([clang("++"), *flags, "-std=c++17", "-DBUILD=more", more, "-o",
                    name + ".cpp.o"], check=True)
    subprocess.run([clang("++"), "-shared", name + ".c.o", name + ".cpp.o", "-o",
                    name + ".so"], check=True)
    return name + ".so"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin",
                        default=os.path.join(ROOT, "build", "lib", "libDLOpt.so"))
    parser.add_argument("--against", metavar="PLUGIN", help="of another LLVM, say")
    parser.add_argument("--march", default="native")
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=9)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dl-forms-") as folder:
        libraries = [build(plugin, args.march, folder)
                     for plugin in (args.plugin, args.against) if plugin]
        bench = os.path.join(folder, "formbench")
        subprocess.run([clang("++"), "-std=c++17", "-O2",
                        os.path.join(HERE, "formbench.cc"), "-ldl", "-o", bench],
                       check=True)
        done = subprocess.run([bench, str(args.size), str(args.rounds), *libraries],
                              check=True, stdout=subprocess.PIPE,
                              universal_newlines=True)
    print("%s, -march=%s, %d^3" % (cpu_name(), args.march, args.size))
    print("| form | %s |\n|---|--:|" % ("of the other's" if args.against else "of ijk"))
    for line in done.stdout.splitlines():
        print("| %s | %s |" % tuple(line.split()))


if __name__ == "__main__":
    main()
