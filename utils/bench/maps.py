#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times activations, softmax and layernorm against clang and libraries.

The plugin's builds have fp=fast and math=1ulp or math=4ulp, the others -ffast-math:
clang alone, clang with libmvec's vector functions, and oneDNN and Eigen where Debian's
packages (libdnnl-dev, libeigen3-dev) are there. All in one process, on one thread.
Each is compared with the build of its accuracy: clang, which calls libm, with 1ulp,
the libraries, which err by more, with 4ulp.
"""

import argparse
import os
import subprocess
import sys
import tempfile

from contestants import ROOT, clang, llvm_tools
from kernels import FOLDER


def parse_arguments():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("--march", default="native")
    p.add_argument("--rounds", type=int, default=9)
    p.add_argument("--options", default="fp=fast",
                   help="DLOPT_OPTIONS of the plugin (default: fp=fast);"
                   " the second build has math=4ulp besides")
    p.add_argument("--plugin", default=os.path.join(ROOT, "build", "lib",
                                                    "libDLOpt.so"))
    return p.parse_args()


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, universal_newlines=True,
                          **more)
    if done.returncode:
        sys.exit("maps: %s failed:\n%s" % (" ".join(command), done.stdout))


def build_kernels(args, folder):
    source = os.path.join(FOLDER, "maps.c")
    base = [clang(), "-O3", "-march=" + args.march, "-c", source]
    plugin = ["-fpass-plugin=" + args.plugin]
    builds = [("dl", plugin), ("dl4", plugin),
              ("clang", ["-ffast-math"]),
              ("libmvec", ["-ffast-math", "-fveclib=libmvec"])]
    objects = []
    for name, flags in builds:
        objects.append(os.path.join(folder, name + ".o"))
        env = dict(os.environ)
        env.pop("DLOPT_OPTIONS", None)
        if name.startswith("dl"):
            env["DLOPT_OPTIONS"] = args.options + (
                ";math=4ulp" if name == "dl4" else "")
        run(base + flags + ["-DNAME=%s_" % name, "-o", objects[-1]], env=env)
    return objects


def main():
    args = parse_arguments()
    llvm_tools.need_plugin("maps", args.plugin)
    with tempfile.TemporaryDirectory() as folder:
        objects = build_kernels(args, folder)
        onednn = os.path.exists("/usr/include/dnnl.hpp")
        eigen = os.path.isdir("/usr/include/eigen3")
        program = os.path.join(folder, "maps")
        run([clang("++"), "-O3", "-march=" + args.march, "-std=c++17",
             "-DEIGEN_FAST_MATH=1", "-I/usr/include/eigen3",
             "-DHAVE_ONEDNN=%d" % onednn, "-DHAVE_EIGEN=%d" % eigen,
             os.path.join(os.path.dirname(os.path.abspath(__file__)),
                          "maps.cc")] + objects +
            ["-lmvec", "-lm", "-o", program] + (["-ldnnl"] if onednn else []))
        env = dict(os.environ, OMP_NUM_THREADS="1")
        sys.exit(subprocess.run([program, str(args.rounds)],
                                env=env).returncode)


if __name__ == "__main__":
    main()
