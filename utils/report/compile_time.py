#!/usr/bin/env python3
#===- compile_time.py - What the plugin costs the compiler -----------------===#
#
# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===------------------------------------------------------------------------===#
"""User time of clang with and without the plugin, interleaved, and what it
costs to transform a kernel. Other people's code comes from Debian's source
packages, into a cache outside of the source tree."""

import argparse
import glob
import os
import resource
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "utils", "support"))
import llvm_tools  # noqa: E402

PACKAGES = ("zlib", "lua5.4", "sqlite3")

SOURCES = """Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


KERNELS = os.path.join(ROOT, "utils", "bench", "kernels")
# What the benchmarks compile: (family, file, flags). Convolutions and pools have
# sizes that calls pass.
WINDOWS = ("conv_nchw", "conv_nchw_bias", "conv_nhwc", "depthwise_nchw",
           "depthwise_nhwc", "maxpool_nchw", "avgpool_nchw")
FAMILIES = (
    ("products", "products.c", []), ("maps", "maps.c", ["-DNAME=m_"]),
    ("rows", "rows.c", []), ("loops", "loops.c", []),
    ("networks", "networks.c", []),
    ("windows", "windows.c", [
        "-DSIZES=__attribute__((noinline))", "-DSHAPES=" + " ".join(
            "SHAPE(n_%s, %s, 64, 56, 56, 64, 3, 1, 1)" % (w, w) for w in WINDOWS)]))


def die(message):
    sys.exit("compile-time: " + message)


def run(command, **options):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, **options)


def need(tool, package):
    if not shutil.which(tool):
        die("%s is missing (on Debian: apt-get install %s), or pass files "
            "by --files" % (tool, package))


def fetch_packages(cache, packages=PACKAGES):
    """Source packages by apt, with lists of its own: the system's stay."""
    if all(glob.glob(os.path.join(cache, p + "_*.dsc")) for p in packages):
        return
    need("apt-get", "apt")
    for folder in ("parts", "lists/partial", "archives/partial"):
        os.makedirs(os.path.join(cache, folder), exist_ok=True)
    with open(os.path.join(cache, "parts", "src.sources"), "w") as f:
        f.write(SOURCES)
    apt = ["apt-get", "-q", "-o", "Dir::Etc::sourcelist=/dev/null",
           "-o", "Dir::Etc::sourceparts=%s/parts" % cache,
           "-o", "Dir::State::lists=%s/lists" % cache, "-o", "Dir::Cache=" + cache,
           "-o", "APT::Sandbox::User=root"]
    run(apt + ["update"])
    run(apt + ["source", "--download-only", *packages], cwd=cache)


def unpack(cache, package):
    """The upstream sources of a package, unpatched."""
    folder = os.path.join(cache, package)
    if not os.path.isdir(folder):
        archive = [a for a in glob.glob(os.path.join(cache, package + "_*.orig.tar.*"))
                   if not a.endswith(".asc")]
        os.makedirs(folder + ".new")
        run(["tar", "xf", archive[0], "-C", folder + ".new", "--strip-components=1"])
        os.rename(folder + ".new", folder)
    return folder


def sqlite_amalgamation(folder):
    build = os.path.join(folder, "build")
    target = os.path.join(build, "sqlite3.c")
    if not os.path.exists(target):
        need("tclsh", "tcl")
        os.makedirs(build, exist_ok=True)
        run(["../configure", "--disable-readline"], cwd=build)
        run(["make", "sqlite3.c"], cwd=build)
    return target


def projects(cache):
    """(name, files, flags) of what is compiled."""
    fetch_packages(cache)
    zlib, lua, sqlite = (unpack(cache, p) for p in PACKAGES)
    yield "zlib", sorted(glob.glob(zlib + "/*.c")), ["-I" + zlib, "-DHAVE_UNISTD_H"]
    yield ("lua", sorted(glob.glob(lua + "/src/*.c")),
           ["-DLUA_USE_LINUX", "-DLUA_COMPAT_5_3"])
    yield "sqlite", [sqlite_amalgamation(sqlite)], []


def generate_kernels(path, count):
    """Naive matrix products that differ in loop order, accumulator, start value
    and index type, so that no two share their code."""
    orders = ("ijk", "ikj", "jik", "jki", "kij", "kji")
    types = ("int", "long", "unsigned", "size_t")
    bound = {"i": "m", "j": "n", "k": "k"}
    out = ["#include <stddef.h>\n"]
    for number in range(count):
        order = orders[number % 6]
        kind = types[number // 6 % 4]
        out.append("void kernel%d(%s m, %s n, %s k_, const float *a, const float *b, "
                   "float *c) {" % (number, kind, kind, kind))
        loops = {v: "for (%s %s = 0; %s < %s; %s++)" % (
            kind, v, v, "k_" if v == "k" else bound[v], v) for v in "ijk"}
        if order.endswith("k") and number % 2:
            out.append("  %s %s { float s = %s; %s s += a[i * k_ + k] * b[k * n + j]; "
                       "c[i * n + j] = s; }" % (
                           loops[order[0]], loops[order[1]],
                           "c[i * n + j]" if number % 3 else "0", loops["k"]))
        else:
            out.append("  %s %s %s c[i * n + j] += a[i * k_ + k] * b[k * n + j];" %
                       tuple(loops[v] for v in order))
        out.append("}\n")
    with open(path, "w") as f:
        f.write("\n".join(out))


class Compiler:
    def __init__(self, arguments):
        self.arguments = arguments
        self.folder = os.path.join(arguments.cache, "objects")
        os.makedirs(self.folder, exist_ok=True)

    def command(self, file, flags, with_plugin, output):
        cxx = file.endswith((".cpp", ".cc"))
        command = [self.arguments.clang + ("++" if cxx else ""), "-w",
                   "-" + self.arguments.level, *self.arguments.flags.split(), *flags,
                   "-c", file, "-o", output]
        if with_plugin:
            command.append("-fpass-plugin=" + self.arguments.plugin)
        return command

    def object(self, file, with_plugin):
        return os.path.join(self.folder, "%s.%s.o" % (
            os.path.basename(file), "with" if with_plugin else "without"))

    def user_time(self, file, flags, with_plugin):
        """Seconds of user time to compile a file."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(self.command(file, flags, with_plugin,
                                    self.object(file, with_plugin)), check=True)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before

    def measure(self, files, flags, repetitions):
        """Medians without and with, and their ratio: of each file the median of
        the ratios of compilations that followed each other, weighted by time.

        Rounds of one file are short, so both halves of a pair meet the same
        neighbours and the same clock. Minima are worse: they are of two moments.
        """
        pairs = {file: [] for file in files}
        for repetition in range(repetitions):
            for number, file in enumerate(files):
                order = (False, True) if (repetition + number) % 2 else (True, False)
                # With --control the plugin is in neither half.
                times = {w: self.user_time(file, flags,
                                           w and not self.arguments.control)
                         for w in order}
                pairs[file].append((times[False], times[True]))
        without, with_plugin, weighted = 0, 0, 0
        for times in pairs.values():
            seconds = statistics.median(t[0] for t in times)
            without += seconds
            with_plugin += statistics.median(t[1] for t in times)
            weighted += seconds * statistics.median(t[1] / t[0] for t in times)
        return without, with_plugin, weighted / without


def text_size(path):
    output = subprocess.run(["size", "-A", path], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    return sum(int(line.split()[1]) for line in output.splitlines()
               if line.startswith(".text"))


def count_transformed(compiler, file):
    """Kernels that dl-vectorize reports as transformed."""
    command = compiler.command(file, ["-Rpass=dl-vectorize"], True, os.devnull)
    output = subprocess.run(command, check=True, text=True,
                            stderr=subprocess.PIPE).stderr
    return output.count("[-Rpass=dl-vectorize]")


def report_kernels(compiler, arguments):
    file = os.path.join(arguments.cache, "kernels.c")
    generate_kernels(file, arguments.kernels)
    without, with_plugin, _ = compiler.measure([file], [], arguments.repeat)
    transformed = count_transformed(compiler, file)
    growth = text_size(compiler.object(file, True)) - text_size(
        compiler.object(file, False))
    print("\n%d naive matrix products, %d transformed: %.2f s without, %.2f s with"
          % (arguments.kernels, transformed, without, with_plugin))
    if transformed:
        print("per kernel transformed: %.1f ms, %.0f bytes of text" % (
            1000 * (with_plugin - without) / transformed, growth / transformed))


def contents(path, section=None):
    """Bytes of an object, or of one of its sections."""
    if section:
        run(["objcopy", "-O", "binary", "--only-section=" + section, path,
             path + ".section"])
        path += ".section"
    with open(path, "rb") as f:
        return f.read()


def differences(compiler, file, flags):
    """What differs for one file at one level: the object by the plugin, the code
    by -g (unless it does without the plugin, too)."""
    text = {}
    for debug in ([], ["-g"]):
        objects = {}
        for with_plugin in (False, True):
            path = compiler.object(file, with_plugin)
            subprocess.run(compiler.command(file, flags + debug, with_plugin, path),
                           check=True)
            objects[with_plugin] = contents(path)
            text[with_plugin, bool(debug)] = contents(path, ".text")
        if objects[False] != objects[True]:
            yield "object" + " ".join([""] + debug)
    if (text[True, True] != text[True, False]
            and text[False, True] == text[False, False]):
        yield "code by -g"


def report_identity(compiler, arguments, name, files, flags):
    """Compares objects at each level."""
    different = []
    for level in ("O1", "O2", "O3", "Os"):
        arguments.level = level
        for file in files:
            different += ["%s at %s: %s" % (file, level, what)
                          for what in differences(compiler, file, flags)]
    print("%-8s %3d files at O1 O2 O3 Os, without and with -g: %s" % (
        name, len(files), "DIFFERENT" if different else "identical"))
    for line in different:
        print("         " + line)
    return not different


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plugin", default=os.path.join(ROOT, "build/lib/libDLOpt.so"))
    parser.add_argument("--clang", help="default: the clang of scripts/setup")
    parser.add_argument("--cache", default=os.path.join(
        os.environ.get("XDG_CACHE_HOME", os.path.expanduser("~/.cache")), "dlopt"))
    parser.add_argument("--level", default="O2")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--control", action="store_true",
                        help="without the plugin twice: what noise there is")
    parser.add_argument("--kernels", type=int, default=60)
    parser.add_argument("--only", help="comma-separated: zlib, lua, sqlite, stl, kernels, or "
                        "families: the kernels of utils/bench")
    parser.add_argument("--flags", default="", help="for the compiler: -march=native")
    parser.add_argument("--files", nargs="*", help="measure these instead")
    parser.add_argument("--identical", action="store_true",
                        help="compare objects with and without the plugin instead")
    arguments = parser.parse_args()
    llvm_tools.need_plugin("compile-time", arguments.plugin)
    arguments.clang = (
        llvm_tools.check("compile-time", "clang", arguments.clang)
        if arguments.clang else llvm_tools.need("compile-time", "clang"))
    os.makedirs(arguments.cache, exist_ok=True)
    only = arguments.only.split(",") if arguments.only else []
    compiler = Compiler(arguments)

    def wanted(name):
        return not only or name in only

    work = []
    if arguments.files:
        work = [("files", arguments.files, [])]
    else:
        if any(wanted(n) for n in ("zlib", "lua", "sqlite")):
            work += [w for w in projects(arguments.cache) if wanted(w[0])]
        if wanted("stl"):
            work.append(("stl", [os.path.join(HERE, "stl-heavy.cpp")], ["-std=c++17"]))
        if "families" in only:
            work += [(name, [os.path.join(KERNELS, file)], flags)
                     for name, file, flags in FAMILIES]

    if arguments.identical:
        same = [report_identity(compiler, arguments, *w) for w in work]
        sys.exit(0 if all(same) else 1)

    print("user time, -%s, median of %d pairs per file%s\n\n"
          "         without      with  overhead" % (
              arguments.level, arguments.repeat,
              ", the plugin in neither" if arguments.control else ""))
    for name, files, flags in work:
        without, with_plugin, ratio = compiler.measure(files, flags, arguments.repeat)
        print("%-8s %6.2f s  %6.2f s    %+.2f%%" % (
            name, without, with_plugin, 100 * (ratio - 1)), flush=True)
    if not arguments.files and wanted("kernels") and not arguments.control:
        report_kernels(compiler, arguments)


if __name__ == "__main__":
    main()
