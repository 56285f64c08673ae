#!/usr/bin/env python3
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parses the files of the plugin as DLOPT_UNITY compiles them: those of a folder together.

Other builds compile each file by itself, and see no two files that have something of one
name. This reads them by eights, and makes no code.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
# Kept from the build that is there: compilers, the LLVM, what becomes of warnings.
KEPT = ("CMAKE_C_COMPILER", "CMAKE_CXX_COMPILER", "DLOPT_LLVM_MAJOR", "DLOPT_WERROR", "LLVM_DIR")
OBJECTS = "passes/CMakeFiles/DLOptObjects.dir/"


def run(command):
    """Why a command failed, or None."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          errors="replace")
    return done.stdout if done.returncode else None


def kept_options(build):
    with open(os.path.join(build, "CMakeCache.txt"), errors="replace") as f:
        return ["-D%s=%s" % pair for pair in re.findall(
            r"^(%s):\w+=(.*)$" % "|".join(KEPT), f.read(), re.MULTILINE)]


def configure(build, folder):
    """Why there is no build in `folder`, of which headers are ready; or None."""
    return run(["cmake", "-G", "Ninja", "-S", SOURCE, "-B", folder, "-DDLOPT_CCACHE=",
                "-DDLOPT_PRECOMPILE=ON", "-DDLOPT_UNITY=ON", *kept_options(build)]) or \
        run(["ninja", "-C", folder, OBJECTS + "cmake_pch.hxx.pch",
             "cmake_object_order_depends_target_DLOptObjects"])


def parse(entry):
    """What the compiler says of a group of files, or None."""
    words = re.sub(r" -o \S+ -c ", " -fsyntax-only ", entry["command"])
    done = subprocess.run(words, shell=True, cwd=entry["directory"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace")
    return done.stdout if done.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?", default=os.path.join(SOURCE, "build"),
                        help="a build whose compilers are used (%(default)s)")
    build = os.path.abspath(parser.parse_args().build)
    if not os.path.exists(os.path.join(build, "CMakeCache.txt")):
        sys.exit("check_unity.py: no build in %s: scripts/build makes one" % build)
    with tempfile.TemporaryDirectory(prefix="dl-unity-") as folder:
        why = configure(build, folder)
        if why:
            sys.exit("check_unity.py: " + why)
        with open(os.path.join(folder, "compile_commands.json")) as f:
            groups = [entry for entry in json.load(f) if "/Unity/" in entry["file"]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            wrong = [text for text in pool.map(parse, groups) if text]
    for text in wrong:
        print(text)
    print("%d groups of files, %d cannot be compiled" % (len(groups), len(wrong)))
    return 1 if wrong or not groups else 0


if __name__ == "__main__":
    sys.exit(main())
