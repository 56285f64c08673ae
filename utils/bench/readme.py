# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of README.md as Markdown, of this machine and day."""

import ctypes
import glob
import os
import re
import subprocess
import sys
import textwrap
import time

import contestants
from kernels import FIGURES, KERNELS, LAYERS, cubes, squares
from measure import measure, median

# In front of the shape, kernel, shapes, -ffast-math.
GROUPS = (
    ("", "sgemm", FIGURES, False),
    ("A B^T, ", "sgemm.nt", LAYERS, False),
    ("`double`, ", "dgemm", cubes(256, 1024, 2048), False),
    ("A x, ", "sgemv", squares(4096, 1024), False),
    ("A x with `-ffast-math`, ", "sgemv", squares(4096, 1024), True),
    ("A^T x, ", "sgemv.t", squares(4096), False),
)


def clip(shape):
    """A small shape of the same form: does it run at all?"""
    return tuple(min(n, 64) for n in shape)


def llvm_version():
    text = subprocess.run([contestants.clang(), "--version"], stdout=subprocess.PIPE,
                          universal_newlines=True).stdout
    return re.search(r"version (\d+\.\d+\.\d+)", text).group(1)


def text_of(library, symbol):
    """What a function without arguments says, if the library has it."""
    function = getattr(ctypes.CDLL(library), symbol, None)
    if not function:
        return ""
    function.restype = ctypes.c_char_p
    return function().decode()


def onednn_version(library):
    class Version(ctypes.Structure):
        _fields_ = [(n, ctypes.c_int) for n in ("major", "minor", "patch")]
    function = ctypes.CDLL(library).dnnl_version
    function.restype = ctypes.POINTER(Version)
    v = function().contents
    return "%d.%d.%d" % (v.major, v.minor, v.patch)


def eigen_version():
    with open("/usr/include/eigen3/Eigen/src/Core/util/Macros.h") as f:
        return ".".join(re.findall(
            r"#define EIGEN_(?:WORLD|MAJOR|MINOR)_VERSION (\d+)", f.read()))


def versions(everyone):
    """Names of the libraries that took part, with their versions; those of PyPI by
    what is installed there."""
    found = {}
    for c in everyone:
        name = c.name.split()[0]
        if c.group != "library" or "PyPI" in c.name:
            continue
        if name == "OpenBLAS":
            found[name] = text_of(c.library, "openblas_get_config").split()[1]
        elif name == "BLIS":
            found[name] = text_of(c.library, "bli_info_get_version_str")
        elif name == "oneDNN" and c.kind == "dnnl":
            found[name] = onednn_version(c.library)
        elif name == "Eigen":
            found[name] = eigen_version()
    names = ["%s %s" % item for item in found.items()]
    if any("PyPI" in c.name for c in everyone):
        names += [os.path.basename(p)[:-len(".dist-info")].replace("-", " ") +
                  " (PyPI)" for p in sorted(glob.glob(os.path.join(
                      contestants.ROOT, ".venv-bench", "lib", "python3*",
                      "site-packages", "*.dist-info")))
                  if re.search(r"openblas|onednn-\d", p)]
    return names


def instruction_set():
    """Of x86: what decides how fast a product can be."""
    try:
        with open("/proc/cpuinfo") as f:
            flags = set(f.read().split())
    except OSError:
        return ""
    names = [n for n, flag in (("AVX-512", "avx512f"), ("AVX2", "avx2"),
                               ("FMA", "fma")) if flag in flags]
    return " (%s)" % ", ".join(names) if names else ""


def row(label, kernel, everyone, r):
    best = r.fastest([c.name for c in everyone if c.group == "library"])
    share = ("%.0f%% of the read bandwidth" % (
        100 * r.share_of_read("DLOpt", kernel.bytes)) if kernel.is_vector
        else "%.0f%%" % (100 * r.share_of_peak("DLOpt")))
    m, n, k = r.shape.mnk
    shape = "%d x %d" % (m, k) if kernel.is_vector else "%d x %d x %d" % (m, n, k)
    return "| %s%s | %.0f | %s | %s |" % (
        label, shape, r.gflops("DLOpt"), share,
        "%.2f (%s)" % (r.speed("DLOpt", best), best) if best else "-")


def run(args):
    contestants.build_harness(args)
    rows, peaks, taking_part, plain = [], {}, {}, None
    for number, (label, name, shapes, args.reassoc) in enumerate(GROUPS, 1):
        args.kernel = kernel = KERNELS[name]
        shapes = [clip(s) for s in shapes] if args.quick else shapes
        print("bench: %d of %d: %s" % (number, len(GROUPS), name), file=sys.stderr)
        everyone = contestants.compilers(args, None) + contestants.libraries(args)
        results = measure(args, everyone, shapes, rounds=3 if args.quick else
                          args.rounds, slice_ms=1 if args.quick else 4)
        rows += [row(label, kernel, everyone, r) for r in results]
        taking_part.update((c.name, c) for c in everyone)
        if not kernel.is_vector:
            peaks.setdefault(kernel.real, median(
                [p for r in results for p in r.peak]))
        if not plain:
            slowest = [r for r in results if r.times.get("clang -O3")][-1]
            plain = "%.2f GFLOP/s at %s" % (
                slowest.gflops("clang -O3"), slowest.shape)
    libraries = versions(taking_part.values())
    text = (
        "One thread of %s%s, %d cores, %s, LLVM %s; GFLOP/s, share of a measured peak "
        "(%s), and speed by that of the best library (%s) in the same run: "
        "`scripts/bench --readme`. The program is three plain loops; its results "
        "have the bits of plain `clang -O3`, which reaches %s." % (
            contestants.cpu_name(), instruction_set(), os.cpu_count() or 1,
            time.strftime("%Y-%m-%d"), llvm_version(),
            ", ".join("%.0f for `%s`" % (p, real) for real, p in peaks.items()),
            ", ".join(libraries) or "none took part", plain))
    print(textwrap.fill(text, 88) + "\n")
    print("| M x N x K | DLOpt | of peak | of the best library |")
    print("|---|---|---|---|")
    print("\n".join(rows))
