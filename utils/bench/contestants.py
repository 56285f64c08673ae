# Part of DLOpt, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and finds what takes part: compilers, libraries, the harness."""

import glob
import os
import platform
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SGEMM_C = os.path.join(HERE, "kernels", "sgemm.c")
FORMS_C = os.path.join(ROOT, "test", "Exec", "Inputs", "matmul", "forms.c")


class Contestant:
    """One line of dlbench's plan."""

    def __init__(self, name, group, kind, library, symbol, clock="thread",
                 env=None, process_env=None):
        self.name, self.group, self.kind = name, group, kind
        self.library, self.symbol, self.clock = library, symbol, clock
        self.env = env or {}                  # while it is loaded
        self.process_env = process_env or {}  # for the whole run

    def plan_line(self):
        # Names may hold blanks for people; dlbench's plan has none.
        return " ".join(["contestant", self.name.replace(" ", "\u00a0"),
                         self.kind, self.clock, os.path.abspath(self.library),
                         self.symbol] +
                        ["%s=%s" % v for v in self.env.items()]) + "\n"


def tool(*names):
    """The first tool that exists; LLVM 22's own folder counts as PATH."""
    path = os.pathsep.join([os.environ.get("PATH", ""),
                            "/usr/lib/llvm-22/bin"])
    for name in names:
        found = shutil.which(name, path=path)
        if found:
            return found
    return None


def clang(plus=""):
    found = tool("clang%s-22" % plus, "clang%s" % plus)
    if not found:
        sys.exit("bench: clang%s-22 is missing: run scripts/setup" % plus)
    return found


def call(command, timeout=300):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, timeout=timeout,
                              stderr=subprocess.STDOUT, universal_newlines=True)
    except subprocess.TimeoutExpired:
        print("bench: too slow: " + " ".join(command), file=sys.stderr)
        return False
    if done.returncode:
        print("%s\n%s" % (" ".join(command), done.stdout), file=sys.stderr)
    return done.returncode == 0


def cpu_name():
    try:
        with open("/proc/cpuinfo") as f:
            return re.search(r"model name\s*:\s*(.*)", f.read()).group(1)
    except (OSError, AttributeError):
        return platform.machine()


def output(args, name):
    folder = os.path.join(args.build_dir, "bench")
    os.makedirs(folder, exist_ok=True)
    return os.path.join(folder, name)


def build_harness(args):
    if not call([clang("++"), "-std=c++17", "-O2", "-march=" + args.march,
                 "-Wall", "-Wextra", os.path.join(HERE, "dlbench.cc"), "-ldl", "-o",
                 output(args, "dlbench")]):
        sys.exit("bench: the harness does not build")


# -- Compilers ---------------------------------------------------------------

def build_naive(args, source, name, compiler, flags):
    """A naive source by one compiler; None if that does not work."""
    library = output(args, "naive-%s.so" % name)
    command = [compiler, "-shared", "-fPIC", "-DBUILD=plain", source, "-o",
               library, "-march=" + args.march]
    if args.contract == "off":
        command.append("-ffp-contract=off")
    return library if call(command + flags) else None


def compilers(args, form, shapes):
    rows = [("DLOpt", "dlopt", clang(),
             ["-O3", "-fpass-plugin=" + os.path.abspath(args.plugin)]),
            ("clang -O3", "compiler", clang(), ["-O3"])]
    if shapes and not args.quick:
        rows += [("clang fast", "compiler", clang(), ["-O3", "-ffast-math"]),
                 ("Polly", "compiler", clang(),
                  ["-O3", "-mllvm", "-polly", "-DSHAPES=" + " ".join(
                      "SHAPE(%d, %d, %d)" % s for s in shapes)]),
                 ("gcc -O3", "compiler", tool("gcc"), ["-O3"])]
    found = []
    for name, group, compiler, flags in rows:
        library = compiler and build_naive(
            args, SGEMM_C, re.sub(r"\W+", "-", name.lower()), compiler, flags)
        if library:
            found.append(Contestant(name, group, "forms", library, form))
        elif group == "dlopt":
            sys.exit("bench: the plugin's build failed")
        else:
            print("bench: left out: " + name, file=sys.stderr)
    return found


def forms(args, names):
    library = build_naive(args, FORMS_C, "dlopt-forms", clang(),
                          ["-O3", "-fpass-plugin=" + os.path.abspath(args.plugin)])
    if not library:
        sys.exit("bench: the plugin's build failed")
    return [Contestant(n, "dlopt", "forms", library, n) for n in names]


# -- Libraries ---------------------------------------------------------------

def find_library(*patterns):
    for pattern in patterns:
        for folder in ("/usr/lib/*-linux-gnu", "/usr/lib64", "/usr/lib",
                       "/usr/local/lib"):
            for path in sorted(glob.glob(os.path.join(folder, pattern))):
                return os.path.realpath(path)
    return None


def openblas(args, name, library, symbol):
    """Default and Haswell core: copies, since a library is loaded once."""
    cores = [] if args.march == "haswell" else [("", {})]
    if platform.machine() == "x86_64":
        cores.append((" Haswell", {"OPENBLAS_CORETYPE": "Haswell"}))
    found = []
    for suffix, env in cores:
        copy = output(args, re.sub(r"\W+", "-", name + suffix).lower() + ".so")
        shutil.copyfile(library, copy)
        found.append(Contestant(name + suffix, "library", "cblas", copy,
                                symbol, env=env))
    return found


def peer(args, name, flags):
    library = output(args, "peer-%s.so" % name)
    source = os.path.join(HERE, "peers", name.split("-")[0] + ".cc")
    command = [clang("++"), "-std=c++17", "-O3", "-DNDEBUG", "-shared", "-fPIC",
               source, "-o", library]
    return library if call(command + flags) else None


def libraries(args):
    if args.peers == "none":
        return []
    missing, found = [], []
    # Where libraries are held to the instruction set that the code has.
    capped = args.march == "haswell"
    isa = {"ONEDNN_MAX_CPU_ISA": "AVX2", "DNNL_MAX_CPU_ISA": "AVX2"} if capped else {}

    library = find_library("openblas-pthread/libopenblas.so.0",
                           "openblas*/libopenblas.so.0", "libopenblas.so.0")
    if library:
        found += openblas(args, "OpenBLAS", library, "cblas_sgemm")
    else:
        missing.append("OpenBLAS (libopenblas-dev)")

    library = find_library("blis*/libblis.so.4", "libblis.so.*")
    if library:
        found.append(Contestant(
            "BLIS", "library", "cblas", library, "cblas_sgemm",
            env={"BLIS_ARCH_TYPE": "haswell"} if capped else {}))
    else:
        missing.append("BLIS (libblis-dev)")

    library = find_library("libdnnl.so.2", "libdnnl.so.3")
    entry = library and os.path.exists("/usr/include/dnnl.hpp") and peer(
        args, "onednn", ["-ldnnl"])
    if entry:
        found.append(Contestant("oneDNN", "library", "entry", entry,
                                "peer_sgemm", env=isa))
        found.append(Contestant("oneDNN sgemm", "library", "dnnl", library,
                                "dnnl_sgemm", env=isa))
    else:
        missing.append("oneDNN (libdnnl-dev)")

    entry = os.path.exists("/usr/include/eigen3/Eigen/Core") and peer(
        args, "eigen", ["-I/usr/include/eigen3", "-march=" + args.march])
    if entry:
        found.append(Contestant("Eigen", "library", "entry", entry, "peer_sgemm"))
    else:
        missing.append("Eigen (libeigen3-dev)")

    if args.peers == "pypi":
        found += from_pypi(args, isa)
    if missing:
        print("bench: not installed: " + ", ".join(missing), file=sys.stderr)
    return found


def from_pypi(args, isa):
    """Newer builds from PyPI, in a virtual environment of their own."""
    venv = os.path.join(ROOT, ".venv-bench")
    ready = os.path.join(venv, "ready")
    if not os.path.exists(ready):
        print("bench: installing peers from PyPI into .venv-bench (2 GB)",
              file=sys.stderr)
        if not (call([sys.executable, "-m", "venv", venv]) and call(
                [os.path.join(venv, "bin", "pip"), "install", "-q",
                 "scipy-openblas32", "onednn", "onednn-devel"])):
            sys.exit("bench: no peers from PyPI")
        open(ready, "w").close()
    found = []
    for library in glob.glob(os.path.join(
            venv, "lib", "python3*", "site-packages", "scipy_openblas32", "lib",
            "libscipy_openblas.so")):
        found += openblas(args, "OpenBLAS (PyPI)", library, "scipy_cblas_sgemm")
    lib = os.path.join(venv, "lib")
    entry = peer(args, "onednn-pypi",
                 ["-I" + os.path.join(venv, "include"), "-L" + lib, "-ldnnl",
                  "-Wl,-rpath," + lib])
    if entry:
        # A SYCL build: work is done by threads of the OpenCL run-time, found
        # through these variables, so only process time counts it.
        icd = os.path.join(venv, "etc", "OpenCL", "vendors")
        process_env = {
            "OCL_ICD_VENDORS": icd,
            "OCL_ICD_FILENAMES": os.path.join(lib, "libintelocl.so"),
            "LD_LIBRARY_PATH": os.pathsep.join(
                filter(None, [lib, os.environ.get("LD_LIBRARY_PATH")]))}
        found.append(Contestant("oneDNN (PyPI)", "library", "entry", entry,
                                "peer_sgemm", clock="process", env=isa,
                                process_env=process_env))
    return found
